"""CommandLine: runs ``main`` in this process with a scripted model, a fixed clock and no guard."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from search_agent.cli.main import main
from search_agent.cli.wiring import Wiring
from search_agent.config import SearchConfig
from search_agent.final_result import ModelIdentity, Strategy
from search_agent.model.scripted import ScriptedCall, ScriptedModel, Words

NOW = datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
BAROMETER = "Who made the brass barometer of Little Tarn?"


def answer_barometer(call: ScriptedCall) -> Words:
    """Answer from the passage that names the maker, or say that it is missing."""
    prompt = "\n".join(message.content for message in call.messages)
    found = re.search(r"\[(S\d+)\] The brass barometer of Little Tarn was made by", prompt)
    if found is None or BAROMETER not in prompt:
        return {"thought": "", "missing": "no passage says it"}
    claim = {
        "text": "The brass barometer of Little Tarn was made by Ewan Sorrel.",
        "segment_ids": [found[1]],
    }
    return {"thought": "", "answer": {"claims": [claim], "answer": "Ewan Sorrel"}}


@dataclass
class CommandLine:
    """Runs commands in this process, with a scripted model, a fixed clock and no guard."""

    build_folder: Path
    script: Callable[[ScriptedCall], Words] = answer_barometer
    loads: list[ScriptedModel] = field(default_factory=list)
    """Every model that a command loaded."""

    def run(self, *arguments: str) -> int:
        wiring = Wiring(
            load_model=self._load,
            identify_model=lambda _config: ModelIdentity(name="scripted", sha256="0" * 64),
            now=lambda: NOW,
            forbid_connections=lambda: None,
        )
        return main(arguments, wiring=wiring)

    def on_builds(self, *arguments: str) -> int:
        return self.run(*arguments, "--build-folder", str(self.build_folder))

    def _load(self, _config: SearchConfig, _strategy: Strategy) -> ScriptedModel:
        model = ScriptedModel(by_call=self.script, label_probabilities={"yes": 0.9, "no": 0.1})
        self.loads.append(model)
        return model


ReadJson = Callable[[], dict[str, Any]]
