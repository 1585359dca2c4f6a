"""The doctor's look at a model: one real evaluation, how fast it is, and why a child died of it."""

import json
import signal
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

from corpora.errors import ResearchError
from search_agent.model.protocol import Message, Model

PROMPT_WORDS = 220
REPLY_TOKENS = 24
EXPLANATIONS = {
    signal.SIGILL: (
        "the CPU refused an instruction of this build of llama.cpp (SIGILL); build it again: "
        "CMAKE_ARGS='-DGGML_NATIVE=OFF' pip install --force-reinstall --no-deps --no-cache-dir "
        "llama-cpp-python (virtual machines may advertise AMX and trap on it)"
    ),
    signal.SIGKILL: "the system killed it, likely for want of memory; use a smaller model or n_ctx",
    signal.SIGSEGV: "llama.cpp crashed (SIGSEGV); is the GGUF damaged? `deepsearch models verify`",
    signal.SIGABRT: "llama.cpp gave up (SIGABRT); the GGUF may be of a newer format than it",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class SpeedReport:
    """Measured on this machine, now."""

    prompt_tokens: int
    prompt_tokens_per_s: float
    generated_tokens: int
    generated_tokens_per_s: float
    seconds: float

    def seconds_for(self, *, prompt_tokens: int, generated_tokens: int) -> float:
        """The time of work of this size."""
        return (
            prompt_tokens / self.prompt_tokens_per_s
            + generated_tokens / self.generated_tokens_per_s
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ProbeOutcome:
    """What became of one evaluation in a child process."""

    works: bool
    reason: str
    """Empty where it works; else what happened, and the way out."""
    speed: SpeedReport | None = None


def predict_speed(model: Model) -> SpeedReport:
    """One evaluation of some hundred prompt tokens and some two dozen generated ones."""
    text = " ".join(f"item {n} of the ledger," for n in range(PROMPT_WORDS // 5))
    messages = [
        Message(role="user", content=f"{text} and so on. Write down the next twenty items.")
    ]
    # Named by the clock, so that no earlier probe's cache is reused.
    unit = f"speed probe {time.monotonic_ns()}"
    started = time.perf_counter()
    first = model.complete(messages, max_tokens=1, unit=unit)
    after_prompt = time.perf_counter()
    second = model.complete(messages, max_tokens=1 + REPLY_TOKENS, unit=unit)
    ended = time.perf_counter()
    evaluated = max(1, first.usage.prompt_evaluated)
    generated = max(1, second.usage.completion)
    return SpeedReport(
        prompt_tokens=evaluated,
        prompt_tokens_per_s=evaluated / (after_prompt - started),
        generated_tokens=generated,
        generated_tokens_per_s=generated / (ended - after_prompt),
        seconds=ended - started,
    )


def probe_in_child(path: Path, *, timeout_s: float = 300.0) -> ProbeOutcome:
    """Load and evaluate in a child process: a wrong build kills the child, not the doctor."""
    command = [sys.executable, "-m", "search_agent.model.probe", str(path)]
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=timeout_s, check=False
        )
    except subprocess.TimeoutExpired:
        return ProbeOutcome(
            works=False, reason=f"no token within {timeout_s:.0f} s; use a smaller model"
        )
    if done.returncode < 0:
        return ProbeOutcome(works=False, reason=explain_signal(-done.returncode))
    if done.returncode != 0:
        return ProbeOutcome(works=False, reason=done.stderr.strip()[-400:])
    return ProbeOutcome(works=True, reason="", speed=SpeedReport(**json.loads(done.stdout)))


def explain_signal(number: int) -> str:
    """Why a child that died of a signal may have done so, and what to do."""
    known = EXPLANATIONS.get(signal.Signals(number))
    return known or f"the child died of {signal.Signals(number).name}"


def _main(path: str) -> int:
    from search_agent.model.llama import LlamaModel

    try:
        with LlamaModel(Path(path), name=Path(path).stem, n_ctx=1024) as model:
            print(json.dumps(asdict(predict_speed(model))))
    except ResearchError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1]))
