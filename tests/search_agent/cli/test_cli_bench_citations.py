"""``bench citations`` end to end on a tiny SciFact folder: asked once, resumed, measured."""

import json
import os
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
import typer

from search_agent.bench.scifact import read_abstracts, read_claims
from search_agent.bench.support_pairs import draw_pairs, write_pairs
from search_agent.cli.bench_citations_command import citations_command
from search_agent.cli.exits import run_guarded
from search_agent.cli.wiring import Wiring
from search_agent.final_result import ModelIdentity
from search_agent.model.protocol import Message
from search_agent.model.scripted import ScriptedModel
from tests.search_agent.bench.scifact_folder import write_scifact

from .scripted_command_line import NOW, ReadJson

N_DEV = 4
N_TRAIN = 3 + 2

app = typer.Typer()
app.command("citations")(citations_command)
COMMAND = typer.main.get_command(app)


class Bench:
    """Runs the command with a judge that knows one sentence."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.data = write_scifact(folder / "scifact")
        self.models: list[ScriptedModel] = []
        self.interrupt_at = 0
        self.n_asked = 0
        for split in ("dev", "train"):
            pairs = draw_pairs(
                read_claims(self.data).values(), read_abstracts(self.data), split=split, seed=0
            )
            write_pairs(pairs, folder / f"{split}.jsonl")

    def run(self, *arguments: str) -> int:
        wiring = Wiring(
            load_model=lambda _config, _strategy: self._load(),
            identify_model=lambda _config: ModelIdentity(name="scripted", sha256="0" * 64),
            now=lambda: NOW,
            forbid_connections=lambda: None,
        )
        words = [str(self.data), "--pairs", str(self.folder / "dev.jsonl")]
        words += ["--build-folder", str(self.folder / "build"), "--quiet", *arguments]

        def work() -> int:
            with COMMAND.make_context("citations", words, obj=wiring) as context:
                code = COMMAND.invoke(context)
            assert isinstance(code, int)
            return code

        return run_guarded(work, as_json="--json" in words)

    def train(self) -> tuple[str, str]:
        return ("--train", str(self.folder / "train.jsonl"))

    @property
    def answers(self) -> Path:
        [path] = (self.folder / "build" / "bench-citations").iterdir()
        return path

    def _load(self) -> ScriptedModel:
        self.models.append(ScriptedModel(label_probabilities=self._judge))
        return self.models[-1]

    def _judge(self, messages: Sequence[Message], labels: Sequence[str]) -> Mapping[str, float]:
        self.n_asked += 1
        if self.n_asked == self.interrupt_at:
            os.kill(os.getpid(), signal.SIGINT)
        text = messages[-1].content
        is_right = "Daily aspirin" in text and "Aspirin lowers" in text
        return {"yes": 0.9 if is_right else 0.2, "no": 0.1 if is_right else 0.8}


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


def rows(content: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {row["scorer"]: row for row in content["scorers"]}


def test_a_judge_that_is_right_is_measured_as_right(bench: Bench, printed_json: ReadJson) -> None:
    assert bench.run("--encoder", "hash", "--json") == 0
    content = printed_json()
    assert content["pairs"]["by_kind"] == {"contradicting": 1, "evidence": 1, "random": 2}
    assert (content["complete"], content["model"]["name"]) == (True, "scripted")
    judge = rows(content)["judge:product"]
    assert [judge[f"auc_{kind}"] for kind in ("random", "contradicting", "pooled")] == [1, 1, 1]
    own = judge["at_product_threshold"]
    assert (own["threshold"], own["precision"], own["recall"]) == (0.7, 1.0, 1.0)
    assert {"lexical", "both:product", "overlap", "dense"} <= set(rows(content))
    assert content["questions"]["product"]["n"] == N_DEV


def test_without_a_judge_no_model_is_loaded(bench: Bench, printed_json: ReadJson) -> None:
    assert bench.run("--no-judge", "--encoder", "none", "--json") == 0
    content = printed_json()
    assert bench.models == []
    assert (content["model"], content["encoder"]) == (None, "")
    assert not any(name.startswith(("judge", "both", "mix")) for name in rows(content))


def test_train_pairs_choose_thresholds_a_weight_and_mixes(
    bench: Bench, printed_json: ReadJson
) -> None:
    assert bench.run(*bench.train(), "--encoder", "hash", "--json") == 0
    content = printed_json()
    assert (content["train"]["n"], bench.n_asked) == (N_TRAIN, N_TRAIN + N_DEV)
    found = rows(content)
    assert {"both, weight chosen:product", "mix:words", "mix:product+words+dense"} <= set(found)
    assert all(row["at_train_threshold"] is not None for row in found.values())
    assert set(content["mixes"]["product+overlap"]["weights"]) == {"judge:product", "overlap"}


def test_answers_are_asked_once_and_further_variants_ask_only_what_is_new(
    bench: Bench, printed_json: ReadJson
) -> None:
    assert bench.run("--encoder", "none", "--json") == 0
    first = printed_json()
    assert bench.run("--encoder", "none", "--json") == 0
    assert printed_json() == first
    assert (len(bench.models), bench.n_asked) == (1, N_DEV)
    assert bench.run("--encoder", "none", "--variant", "product", "--variant", "calibrated") == 0
    # a claim each for the blank, a pair each for the other
    assert bench.n_asked == N_DEV + N_DEV + 2


def test_prompts_that_begin_alike_are_asked_one_after_the_other(bench: Bench) -> None:
    names = ("product", "claim-first", "contradict")
    words = [word for name in names for word in ("--variant", name)]
    assert bench.run("--encoder", "none", *words) == 0
    [model] = bench.models
    texts = [call.messages[0].content for call in model.calls]
    claims = ["raises" in text for text in texts]
    assert claims == sorted(claims)
    assert texts[:6] == sorted(texts[:6])
    assert len({call.unit for call in model.calls}) == 1


def test_an_interrupted_run_reports_what_it_has_and_the_next_goes_on(
    bench: Bench, printed_json: ReadJson
) -> None:
    bench.interrupt_at = 2
    assert bench.run("--encoder", "none", "--json") == 130
    content = printed_json()
    assert content["complete"] is False
    assert (content["pairs"]["n"], content["pairs"]["n_unanswered"]) == (2, N_DEV - 2)
    assert bench.run("--encoder", "none", "--json") == 0
    assert printed_json()["pairs"]["n"] == bench.n_asked == N_DEV


def test_a_line_torn_by_a_kill_is_asked_again(bench: Bench) -> None:
    assert bench.run("--encoder", "none") == 0
    whole = bench.answers.read_bytes()
    bench.answers.write_bytes(whole[:-20])
    assert bench.run("--encoder", "none") == 0
    assert bench.n_asked == N_DEV + 1
    lines = [json.loads(line) for line in bench.answers.read_text(encoding="utf-8").splitlines()]
    assert len(lines) == N_DEV


def test_a_damaged_line_is_told(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    assert bench.run("--encoder", "none") == 0
    bench.answers.write_text("{}\n", encoding="utf-8")
    assert bench.run("--encoder", "none") == 2
    assert "line 1 is damaged" in capsys.readouterr().err


def test_the_result_is_written_and_the_table_printed(
    bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    out = bench.folder / "result.json"
    assert bench.run("--encoder", "none", "--n", "2", "--out", str(out)) == 0
    assert json.loads(out.read_text(encoding="utf-8"))["pairs"]["n"] == 2
    assert "| judge:product | 1.000 | – | 1.000 |" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--variant", "loud"), "no variant 'loud'; known are"),
        (("--no-judge", "--variant", "product"), "give one"),
        (("--pairs", "none.jsonl"), "no pairs file 'none.jsonl'"),
        (("--out", "nowhere/result.json"), "the folder 'nowhere' does not exist"),
    ],
)
def test_what_the_user_can_put_right_is_one_line(
    words: tuple[str, ...], told: str, bench: Bench, capsys: pytest.CaptureFixture[str]
) -> None:
    assert bench.run("--encoder", "none", *words) == 2
    assert told in capsys.readouterr().err
    assert bench.models == []
