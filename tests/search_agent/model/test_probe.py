"""The doctor's probe: one real evaluation, and an explanation for every way a child can die."""

import signal
from pathlib import Path

import pytest

from search_agent.model.probe import SpeedReport, explain_signal, predict_speed, probe_in_child
from search_agent.model.scripted import ScriptedModel

SMALL = Path(__file__).parents[3] / "models" / "smollm2-135m.gguf"


def test_speed_is_tokens_over_seconds():
    report = predict_speed(ScriptedModel(["a", "a b c"]))
    assert report.generated_tokens == 3
    assert report.prompt_tokens_per_s > 0


def test_the_time_of_some_work_is_predicted():
    report = SpeedReport(
        prompt_tokens=100,
        prompt_tokens_per_s=50.0,
        generated_tokens=10,
        generated_tokens_per_s=10.0,
        seconds=3.0,
    )
    assert report.seconds_for(prompt_tokens=1000, generated_tokens=100) == 1000 / 50 + 100 / 10


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (signal.SIGILL, "GGML_NATIVE=OFF"),
        (signal.SIGKILL, "memory"),
        (signal.SIGSEGV, "models verify"),
        (signal.SIGHUP, "SIGHUP"),
    ],
)
def test_a_child_that_died_of_a_signal_is_explained(number, words):
    assert words in explain_signal(int(number))


def test_a_missing_file_is_explained_by_the_child(tmp_path):
    outcome = probe_in_child(tmp_path / "absent.gguf")
    assert not outcome.works
    assert "does not exist" in outcome.reason
    assert outcome.speed is None


@pytest.mark.model
@pytest.mark.skipif(not SMALL.is_file(), reason="models/smollm2-135m.gguf was not fetched")
def test_a_real_model_works_in_a_child():
    outcome = probe_in_child(SMALL)
    assert outcome.works, outcome.reason
    assert outcome.speed.generated_tokens_per_s > 0
