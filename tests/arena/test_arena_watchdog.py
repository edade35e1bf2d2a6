"""Does an isolated player lose its table, and nothing else, whatever its process does to hold up the arena?

Every attack is made by the player's own process, at its first decision; after it the process is started again.
"""

from __future__ import annotations

import os
import signal
import time
from pathlib import Path

import numpy as np
import pytest
from hostile_players import ATTACKS, NeverLoads, Once, TellsProcess
from leaping_clock import BUDGET, leap_after, note_attack

from banakil_env.arena import CompiledPlayer, PlayerFailed, WorkerError, apart, play_match
from banakil_env.arena.apart import PlayerApart, set_apart

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="sessions and signals of Unix")

DEADLINE = 120.0  # seconds for what takes much less: only an error reaches it, not a busy machine
REASONS = {
    "closes_and_sleeps": "closed the files of its process",
    "a_gigabyte": "a message of 1,000,000,000 bytes, and at most 1,048,576 are read",
    "dies_in_an_answer": "brought down its process (exit code 7)",
    "leaves_a_copy": "brought down its process (exit code 7)",
    "leaves_a_session": "brought down its process (exit code 7)",
    "odd_texts": r"\ud800\x1b[2J\u202e",
}
LATE = "did not answer in time and could not be interrupted: its process was ended"


def rows(count: int, width: int = 10) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Observations, masks and dice; nothing in them matters."""
    return np.zeros((count, width), np.uint8), np.ones((count, 40), np.int8), np.zeros(count, np.uint64)


def started(player) -> PlayerApart:
    [one] = set_apart([player])
    assert isinstance(one, PlayerApart)
    one.prepare()
    return one


def session_of(process: int) -> list[int]:
    """The processes of the session that a process has begun, which are not dead."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state, _, _, session, *_ = (folder / "stat").read_text().rpartition(")")[2].split()
        except OSError:  # it has ended meanwhile
            continue
        if int(session) == process and state not in "ZX":
            found.append(int(folder.name))
    return found


@pytest.mark.parametrize("attack", ATTACKS)
def test_an_attack_costs_one_question_and_leaves_no_process(
    attack: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if attack not in REASONS:
        leap_after(tmp_path / "attacks", monkeypatch)
    if attack == "closes_and_sleeps":
        monkeypatch.setattr(apart, "GRACE", 0.5)  # so long the arena waits for its end, in vain
    player = started(Once(attack, tmp_path))
    try:
        with pytest.raises(PlayerFailed) as failed:
            player.ask(*rows(3), BUDGET)
        assert REASONS.get(attack, LATE) in failed.value.reason
        assert str(failed.value).isprintable()
        player.end()
        if Path("/proc/self/stat").exists():
            process = int((tmp_path / "attacked").read_text())
            assert not Path(f"/proc/{process}").exists()  # it is no zombie either
            due = time.monotonic() + DEADLINE  # its copies have been killed, and die soon
            while session_of(process) and time.monotonic() < due:
                time.sleep(0.01)
            assert session_of(process) == []
        player.restart()
        assert player.ask(*rows(3), BUDGET).tolist() == [0, 0, 0]
    finally:
        player.end()


def test_a_question_larger_than_the_socket_takes_has_a_deadline(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    leap_after(tmp_path / "attacks", monkeypatch)
    player = started(TellsProcess(tmp_path))
    try:
        player.ask(*rows(1), BUDGET)
        os.kill(int((tmp_path / "process").read_text()), signal.SIGSTOP)
        note_attack(tmp_path / "attacks")
        with pytest.raises(PlayerFailed, match="did not answer in time"):
            player.ask(*rows(2000, 10_000), BUDGET)
        player.restart()
        assert player.ask(*rows(1), BUDGET).tolist() == [0]
    finally:
        player.end()


def test_answers_without_end_are_ended_without_a_budget_too(tmp_path: Path) -> None:
    player = started(Once("other_numbers", tmp_path))
    try:
        with pytest.raises(PlayerFailed, match="1000 answers to other questions"):
            player.ask(*rows(1), None)
    finally:
        player.end()


@pytest.mark.second("test_a_player_that_is_never_ready_ends_the_match_before_it_begins")
def test_a_player_that_is_never_ready_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    player = started(NeverLoads(tmp_path))
    try:
        with pytest.raises(PlayerFailed, match=r"brought down its process \(exit code 3\)"):
            player.ask(*rows(1), BUDGET)
        monkeypatch.setattr(apart, "LOADING", 4.0)
        with pytest.raises(PlayerFailed, match="could not be loaded again: did not answer in time"):
            player.restart()
        monkeypatch.setattr(PlayerApart, "_start", lambda self: pytest.fail("it was started once more"))
        with pytest.raises(PlayerFailed, match="could not be loaded again"):
            player.restart()
    finally:
        player.end()


def test_a_player_that_is_never_ready_ends_the_match_before_it_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "loads").touch()
    monkeypatch.setattr(apart, "LOADING", 1.0)
    with pytest.raises(WorkerError, match="never loads cannot be loaded in a separate process: did not answer in time"):
        play_match(["random", NeverLoads(tmp_path)], deals=1, isolate=True)


HELD_UP = ("closes_and_sleeps", "half_a_frame", "other_numbers", "stops")


@pytest.mark.parametrize(
    ("attack", "where"),
    [*((attack, {"isolate": True}) for attack in HELD_UP), ("a_gigabyte", {"processes": 2})],
    ids=str,
)
def test_the_match_goes_on(attack: str, where: dict, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    leap_after(tmp_path / "attacks", monkeypatch)
    results = play_match([CompiledPlayer("greedy"), Once(attack, tmp_path)], deals=2, budget=BUDGET, **where)
    assert [failure["player"] for failure in results.failures()] == [attack]
    assert len(results.deals) == 2
