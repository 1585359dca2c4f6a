"""The trajectory: an append-only hash chain that a re-run must repeat."""

import json

import pytest

from search_agent.errors import ReplayDiverged, TrajectoryCorrupt, TrajectoryLocked
from search_agent.trajectory.event import parse_events
from search_agent.trajectory.log import (
    MESSAGES_FILE,
    TRAJECTORY_FILE,
    Trajectory,
    drop_torn_line,
    read_trajectory,
)


class Clock:
    """Seconds that move only when told to."""

    def __init__(self):
        self.now = 100.0

    def __call__(self):
        return self.now


def write_three(folder, clock=None):
    log = Trajectory(folder, clock=clock or Clock())
    log.record("search_started", {"question": "Wer schrieb es? 谁写的？"})
    log.record("pool_sampled", {"n": 0, "u": 0.25, "id": "0_00"})
    log.record("search_finished", {"status": "abstained"})
    log.close()
    return log


def test_events_are_on_disk_with_a_hash_chain(tmp_path):
    log = write_three(tmp_path)
    events = read_trajectory(tmp_path)
    assert [event.kind for event in events] == ["search_started", "pool_sampled", "search_finished"]
    assert [event.seq for event in events] == [0, 1, 2]
    assert events[0].prev == ""
    assert events[1].prev == events[0].hash
    assert log.head == events[2].hash


def test_times_are_outside_the_hash(tmp_path):
    early, late = Clock(), Clock()
    late.now = 5000.0
    assert write_three(tmp_path / "a", early).head == write_three(tmp_path / "b", late).head


def test_a_torn_last_line_is_dropped(tmp_path):
    write_three(tmp_path)
    path = tmp_path / TRAJECTORY_FILE
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"seq":3,"kind":"hal')
    assert len(read_trajectory(tmp_path)) == 3
    drop_torn_line(tmp_path)
    assert path.read_bytes() == whole


@pytest.mark.parametrize("line", [1, 2])
def test_damage_elsewhere_is_refused_with_its_line(tmp_path, line):
    write_three(tmp_path)
    lines = (tmp_path / TRAJECTORY_FILE).read_bytes().splitlines(keepends=True)
    lines[line - 1] = lines[line - 1].replace(b'"kind"', b'"kinb"')
    with pytest.raises(TrajectoryCorrupt, match=f"line {line}"):
        parse_events(b"".join(lines))


def test_a_changed_value_breaks_the_chain(tmp_path):
    write_three(tmp_path)
    content = (tmp_path / TRAJECTORY_FILE).read_bytes().replace(b"0.25", b"0.26")
    with pytest.raises(TrajectoryCorrupt, match="line 2"):
        parse_events(content)


def test_a_second_process_is_told_that_the_run_is_in_use(tmp_path):
    log = Trajectory(tmp_path)
    with pytest.raises(TrajectoryLocked, match="in use"):
        Trajectory(tmp_path)
    log.close()
    Trajectory(tmp_path).close()


def test_a_re_run_repeats_the_record_and_then_goes_on(tmp_path):
    write_three(tmp_path)
    recorded = read_trajectory(tmp_path)[:2]
    (tmp_path / TRAJECTORY_FILE).write_bytes("".join(e.line() for e in recorded).encode())
    log = Trajectory(tmp_path, recorded=recorded, clock=Clock())
    log.record("search_started", {"question": "Wer schrieb es? 谁写的？"})
    assert log.is_replaying
    log.record("pool_sampled", {"n": 0, "u": 0.25, "id": "0_00"})
    assert not log.is_replaying
    log.record("search_finished", {"status": "answered"})
    log.close()
    assert [e.data.get("status") for e in read_trajectory(tmp_path)] == [None, None, "answered"]


def test_a_different_event_is_named(tmp_path):
    write_three(tmp_path)
    log = Trajectory(tmp_path, recorded=read_trajectory(tmp_path), writes=False)
    log.record("search_started", {"question": "Wer schrieb es? 谁写的？"})
    with pytest.raises(ReplayDiverged, match=r"event 1 .*u: '0.25' then, '0.5' now"):
        log.record("pool_sampled", {"n": 0, "u": 0.5, "id": "0_00"})


def test_elapsed_time_is_the_sum_over_sittings(tmp_path):
    clock = Clock()
    log = Trajectory(tmp_path, clock=clock)
    clock.now += 30
    log.record("search_started", {})
    log.close()
    clock.now += 10_000
    log = Trajectory(tmp_path, recorded=read_trajectory(tmp_path), clock=clock)
    assert log.elapsed() == 30.0
    log.record("search_started", {})
    assert log.elapsed() == 30.0
    clock.now += 5
    assert log.elapsed() == 35.0
    log.close()


def test_a_message_is_stored_once(tmp_path):
    log = Trajectory(tmp_path)
    first = log.store_message("user", "Ünïcode 🚢")
    assert log.store_message("user", "Ünïcode 🚢") == first
    assert log.store_message("assistant", "Ünïcode 🚢") != first
    log.close()
    lines = [json.loads(line) for line in (tmp_path / MESSAGES_FILE).read_text().splitlines()]
    assert [line["role"] for line in lines] == ["user", "assistant"]


def test_a_replay_touches_no_file(tmp_path):
    write_three(tmp_path)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    log = Trajectory(tmp_path, recorded=read_trajectory(tmp_path), writes=False)
    log.record("search_started", {"question": "Wer schrieb es? 谁写的？"})
    log.store_message("user", "x")
    log.close()
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before
