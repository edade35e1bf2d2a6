"""Does the arena stay sound, whatever players, files and programs do to it?"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from arena_players import Broken, Failing, Forking, Hostile, Noisy, Original, Searching, Slow, first_legal

from banakil_env.arena import CompiledPlayer, Plan, PlayerFailed, StoreError, WorkerError, play_match, seed_of
from banakil_env.arena import match as match_module
from banakil_env.arena.report import as_dict
from banakil_env.games import find
from banakil_env.kit.plain import Plain

banakil = Plain(find("banakil"))

REPOSITORY = Path(__file__).resolve().parents[2]
GREEDY, RANDOM = CompiledPlayer("greedy"), CompiledPlayer("random")


def run(*arguments: str, cwd: Path = REPOSITORY) -> subprocess.CompletedProcess[str]:
    paths = os.pathsep.join([str(REPOSITORY), str(REPOSITORY / "tests" / "arena")])
    environment = os.environ | {"PYTHONPATH": paths, "COLUMNS": "200"}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=300)


def arena(*arguments: str) -> subprocess.CompletedProcess[str]:
    return run("-m", "banakil_env.cli", "arena", *arguments)


def without_seconds(results) -> dict[str, Any]:
    """All that was played, without the seconds and without what the players play by."""
    found = as_dict(results)
    del found["seconds"], found["match"]["identities"]
    return found


# Copies ---------------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no copies of processes")
@pytest.mark.parametrize("where", [{}, {"isolate": True}, {"processes": 2}], ids=str)
def test_a_player_that_forks_changes_no_result(where, tmp_path):
    forked = play_match([GREEDY, Forking()], deals=6, folder=tmp_path, **where)
    assert without_seconds(forked) == without_seconds(play_match([GREEDY, Original()], deals=6))
    lines = [json.loads(line) for line in (tmp_path / "deals.jsonl").read_text().splitlines()[1:]]
    assert sorted(line["deal"] for line in lines) == list(range(6))


def test_missing_deals_are_an_error(monkeypatch):
    monkeypatch.setattr(match_module, "play_here", lambda players, plan, next_deals, record: _nothing(next_deals()))
    with pytest.raises(WorkerError, match="deal 0 was never played to its end"):
        play_match([GREEDY, RANDOM], deals=2)


def _nothing(deals: list[int]) -> Iterator[Any]:
    yield from ()


def test_deals_that_nobody_asked_for_are_an_error(monkeypatch):
    monkeypatch.setattr(match_module, "play_here", lambda *_: (each for each in [([1], [[]], 0.1)]))
    with pytest.raises(WorkerError, match="came back as"):
        play_match([GREEDY, RANDOM], deals=2)


# Players that attack the match ----------------------------------------------------------------------------------------

IN_ANY_PROCESS = {
    "interrupts": "raised KeyboardInterrupt",
    "leaves": "raised GeneratorExit",
    "base": "raised BaseException: anything",
    "unreadable": "raised Unreadable, whose text cannot be had",
    "surrogate": r"raised RuntimeError: half a pair: \ud800",
}
IN_THEIR_OWN = {"closes": "closed the files of its process", "writes": "something else than answers"}
ATTACKS = [
    *((what, reason, {}) for what, reason in IN_ANY_PROCESS.items()),
    *((what, reason, {"isolate": True}) for what, reason in IN_THEIR_OWN.items()),
    ("interrupts", IN_ANY_PROCESS["interrupts"], {"isolate": True}),
    ("closes", IN_THEIR_OWN["closes"], {"processes": 2}),
]


@pytest.mark.parametrize(("what", "reason", "where"), ATTACKS, ids=str)
def test_whatever_a_player_does_it_loses_the_table_and_the_others_go_on(what, reason, where, tmp_path):
    results = play_match([GREEDY, Hostile(what)], deals=4, folder=tmp_path, **where)
    assert len(results.deals) == 4
    failures = results.failures()
    assert failures
    assert {failure["player"] for failure in failures} == {what}
    assert all(reason in failure["reason"] for failure in failures)
    (tmp_path / "results.json").write_text(json.dumps(as_dict(results)), encoding="utf-8")
    assert play_match([GREEDY, Hostile(what)], deals=4, folder=tmp_path).failures() == failures


class Pressing:
    """Greedy, while the user presses Ctrl-C; it takes no notice of that."""

    name = "pressing"

    def act(self, observations, masks, dice):
        with contextlib.suppress(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        return GREEDY.act(observations, masks, dice)


@pytest.fixture
def interruptible() -> Iterator[None]:
    """Ctrl-C is heard, even where the tests were started in the background, whose processes do not hear it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("interruptible")
def test_the_users_interrupt_still_stops_the_match():
    with pytest.raises(KeyboardInterrupt):
        play_match([GREEDY, Pressing()], deals=4)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_match_is_played_in_a_thread_too():
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(play_match([GREEDY, Hostile("interrupts")], deals=4)))
    thread.start()
    thread.join()
    assert found[0].failures()


def test_a_player_apart_finds_no_state():
    here = play_match([Noisy(), Searching()], deals=1)
    assert here.failures()[0]["reason"].startswith("raised RuntimeError: a")
    assert not play_match([Noisy(), Searching()], deals=1, isolate=True).failures()


def test_a_person_has_no_clock():
    from banakil_env.agents.human import HumanPlayer

    assert HumanPlayer.untimed
    assert not play_match([Slow(), Slow()], deals=1, budget=0.01).failures()
    assert play_match([GREEDY, Slow()], deals=1, budget=0.01, isolate=True).failures()


# What is said of failures ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("where", [{}, {"isolate": True}], ids=str)
def test_a_failure_says_where(where):
    results = play_match([GREEDY, Failing("raises")], deals=4, **where)
    failure = results.failures()[0]
    assert failure["seed"] == seed_of("arena-v1", failure["deal"])
    assert results.plan.tables([0])[failure["table"]].seats[failure["seat"]] == 1
    assert Path(failure["file"]).name == "arena_players.py"
    line = Path(failure["file"]).read_text().splitlines()[failure["line"] - 1]
    assert line.strip() == 'raise RuntimeError("no idea")'


def test_an_illegal_answer_has_a_seat():
    results = play_match([GREEDY, Failing("illegal")], deals=4)
    for failure in results.failures():
        assert results.plan.tables([0])[failure["table"]].seats[failure["seat"]] == 1


def test_a_failure_can_be_raised(tmp_path):
    with pytest.raises(
        PlayerFailed, match=r"raises failed at deal \d \(seed \d+\), table \d, seat \d: .*no idea"
    ) as it:
        play_match([GREEDY, Failing("raises")], deals=4, on_failure="raise", folder=tmp_path)
    assert Path(it.value.file or "").name == "arena_players.py"
    with pytest.raises(ValueError, match="on_failure is one of lose, raise"):
        play_match([GREEDY, RANDOM], on_failure="shout")


def test_the_exit_status_of_a_player_that_fails_everywhere():
    done = arena("greedy", "arena_players:Broken", "--deals", "1")
    assert done.returncode == 1
    assert re.search(
        r"arena: the player Broken cannot be made: it raised RuntimeError: no weights \(.*line", done.stderr
    )
    assert play_match([GREEDY, no_idea], deals=4).failed_everywhere() == ["no_idea"]
    assert play_match([GREEDY, Failing("raises")], deals=10).failed_everywhere() == []


def no_idea(observation, mask):
    raise RuntimeError("[/no] idea")


# Who can be given -----------------------------------------------------------------------------------------------------


def test_names_functions_and_classes_can_be_given():
    results = play_match(["random", "greedy", first_legal, Noisy], deals=2)
    assert results.plan.players == ("random", "greedy", "first_legal", "noisy")
    assert not results.failures()


def test_what_cannot_be_made():
    with pytest.raises(ValueError, match="the player Broken cannot be made: it raised RuntimeError: no weights"):
        play_match([GREEDY, Broken])
    with pytest.raises(ValueError, match="a player is a name, a callable, a class"):
        play_match([GREEDY, 7])
    with pytest.raises(ValueError, match="the name of a player is a text in one line"):
        play_match([GREEDY, Noisy(name="two\nlines")])


def test_results_are_shown_when_printed():
    text = str(play_match(["random", "greedy", no_idea], deals=3))
    assert "3 deals of arena-v1" in text
    assert re.search(r"^greedy +\+", text, re.MULTILINE)
    assert "margin of row over column" in text
    said = " ".join(text.split())  # lines are folded
    assert "11 tables lost by failing (no_idea 11 raised); the first: no_idea failed at deal 0" in said


def test_records_say_who_sat_where(tmp_path):
    play_match(["random", Noisy(name="a#b: 1")], deals=1, folder=tmp_path, record=True)
    text = (tmp_path / "records" / "deal-0-table-1.txt").read_text()
    assert "\n# seat 0: a#b: 1\n# seat 1: random\n" in text
    banakil.replay(text)


# Programs -------------------------------------------------------------------------------------------------------------


def snippet(start: str) -> str:
    """The first Python program of docs/arena.md that has these words."""
    programs = re.findall(r"```python\n(.*?)```", (REPOSITORY / "docs" / "arena.md").read_text(), re.DOTALL)
    return next(program for program in programs if start in program)


def test_the_program_of_the_documentation_runs_from_a_file(tmp_path):
    program = snippet("play_match").replace("deals=2000", "deals=3")
    (tmp_path / "program.py").write_text(program)
    done = run(str(tmp_path / "program.py"))
    assert done.returncode == 0, done.stderr
    assert "3 deals of arena-v1" in done.stdout


@pytest.mark.parametrize("where", ["processes=2", "isolate=True"])
def test_a_program_without_a_main_guard_is_told_once(where, tmp_path):
    imports = "from arena_players import Noisy\nfrom banakil_env.arena import play_match\n"
    (tmp_path / "program.py").write_text(f"{imports}play_match(['greedy', Noisy], {where})")
    done = run(str(tmp_path / "program.py"))
    assert done.returncode == 1
    assert done.stderr.count("every process of the arena imports your program") == 1
    assert done.stderr.count("Traceback") == 1


@pytest.mark.second("test_a_program_without_a_main_guard_is_told_once")
def test_large_players_do_not_hold_up_a_program_without_a_main_guard(tmp_path):
    """More than a pipe holds, sent to a process that ends before it reads anything."""
    imports = "from arena_players import Noisy\nfrom banakil_env.arena import play_match\n"
    large = "player = Noisy()\nplayer.weights = bytes(10**7)\n"
    for number, where in enumerate(["processes=2", "isolate=True"]):
        program = tmp_path / f"program{number}.py"
        program.write_text(f"{imports}{large}play_match(['greedy', player], {where})")
        assert "every process of the arena imports your program" in run(str(program)).stderr


def test_a_plan_travels_light():
    plan = Plan(("a", "b"), num_players=4)
    assert plan.plays_partners
    assert len(pickle.dumps(plan)) < 1000
    assert pickle.loads(pickle.dumps(plan)) == plan


def test_no_more_processes_than_deals(monkeypatch):
    from banakil_env.arena import workers

    started: list[int] = []
    monkeypatch.setattr(workers.Worker, "_start", _counted(workers.Worker._start, started))
    play_match([GREEDY, RANDOM], deals=1, processes=64)
    assert len(started) == 1


def _counted(function: Any, calls: list[int]) -> Any:
    def counted(*arguments: Any) -> Any:
        calls.append(1)
        return function(*arguments)

    return counted


# Folders --------------------------------------------------------------------------------------------------------------


def edited(folder: Path, change: Any) -> Path:
    """The file of a match of three deals, one of its lines after a change to its table 1."""
    play_match([GREEDY, RANDOM], deals=3, folder=folder)
    file = folder / "deals.jsonl"
    lines = file.read_text().splitlines()
    entry = json.loads(lines[2])
    change(entry)
    file.write_text("\n".join([*lines[:2], json.dumps(entry), *lines[3:]]) + "\n")
    return file


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"points": [1]}, r"points cannot be \[1\]"),
        ({"points": ["1", 2]}, "points cannot be"),
        ({"ending": "won 2"}, "ending cannot be 'won 2'"),
        ({"ending": ["out"]}, "ending cannot be"),
        ({"winner": 2}, "winner cannot be 2"),
        ({"ending": "match", "winner": None}, "winner cannot be None"),
        ({"marks": 1}, "marks cannot be 1"),
        ({"marks": [1]}, r"marks cannot be \[1\]"),
        ({"turns": -1}, "turns cannot be -1"),
        ({"decisions": {}}, "decisions cannot be"),
        ({"seconds": [1.0]}, "seconds cannot be"),
        ({"failed": [0, "why"]}, "failed cannot be"),
        ({"ending": "lost", "winner": None, "failed": {"player": 0}}, "failed cannot be"),
        ({"ending": "lost", "winner": None, "failed": None}, "failed cannot be None"),
    ],
    ids=str,
)
def test_a_line_with_wrong_values_is_refused(values, said, tmp_path):
    edited(tmp_path, lambda entry: entry["tables"][1].update(values))
    with pytest.raises(StoreError, match=f"line 3 is not a deal of this match: table 1: {said}"):
        play_match([GREEDY, RANDOM], deals=3, folder=tmp_path)


def test_a_number_that_json_does_not_have_is_damage(tmp_path):
    edited(tmp_path, lambda entry: entry["tables"][1].update(points=[1, float("nan")]))
    with pytest.raises(StoreError, match="line 3 is damaged"):
        play_match([GREEDY, RANDOM], deals=3, folder=tmp_path)


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ({"deal": True, "tables": []}, "deal is a number from 0 on, not True"),
        ({"deal": -1, "tables": []}, "deal is a number from 0 on, not -1"),
        ({"deal": 7, "tables": []}, "a deal of this match has 2 tables"),
        ({"deal": 7, "tables": [1, 2]}, "table 0: expected an object, not 1"),
        ({"deal": 7, "tables": [{}, {}]}, "table 0: points is missing"),
        ([], "expected an object"),
        ("9" * 5000, "is damaged"),
        ("[" * 100_000, "is damaged"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_a_line_of_something_else_is_refused(entry, said, tmp_path):
    play_match([GREEDY, RANDOM], deals=1, folder=tmp_path)
    with open(tmp_path / "deals.jsonl", "a") as file:
        file.write((entry if isinstance(entry, str) else json.dumps(entry)) + "\n")
    with pytest.raises(StoreError, match=said):
        play_match([GREEDY, RANDOM], deals=1, folder=tmp_path)


def test_two_lines_of_one_deal(tmp_path):
    file = edited(tmp_path, lambda entry: entry["tables"][0].update(seconds=[9, 9]))
    lines = file.read_text().splitlines()
    file.write_text("\n".join([*lines, lines[2].replace("9", "8")]) + "\n")  # another time, and nothing else
    before = without_seconds(play_match([GREEDY, RANDOM], deals=3, folder=tmp_path))
    assert before == without_seconds(play_match([GREEDY, RANDOM], deals=3))
    entry = json.loads(lines[1])
    entry["tables"][0]["points"][0] += 1
    file.write_text("\n".join([*lines, json.dumps(entry)]) + "\n")
    with pytest.raises(StoreError, match=r"lines 2 and 5 hold different outcomes of deal 0"):
        play_match([GREEDY, RANDOM], deals=3, folder=tmp_path)


def test_somebody_elses_file_is_left_as_it_is(tmp_path):
    file = tmp_path / "deals.jsonl"
    for content in (b"my deals", b'{"mine": 1}\nand more', b"\xff\xfe\n"):
        file.write_bytes(content)
        with pytest.raises(StoreError):
            play_match([GREEDY, RANDOM], deals=1, folder=tmp_path)
        assert file.read_bytes() == content


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES], ids=errno.errorcode.get)
def test_a_disk_that_takes_no_more_is_told_in_a_line(number, tmp_path, monkeypatch):
    def refuse(file: int) -> None:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(os, "fsync", refuse)
    with pytest.raises(StoreError, match=f"cannot be used for results: {os.strerror(number)}"):
        play_match([GREEDY, RANDOM], deals=1, folder=tmp_path)


FULL = """
import resource, sys
from banakil_env.arena import play_match
from banakil_env.cli import main
play_match(["greedy", "random"], deals=1)  # machine code is kept on disk too
sys.dont_write_bytecode = True  # Python would keep the first 4096 bytes of a module's
resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
sys.argv = ["banakil", "arena", "greedy", "random", "--deals", "200", "--processes", "1", "--out", sys.argv[1]]
main()
"""


def test_the_command_tells_of_a_full_disk_in_a_line(tmp_path):
    pytest.importorskip("resource")
    done = run("-c", FULL, str(tmp_path / "out"))
    assert done.returncode == 1
    assert "cannot be used for results: File too large" in done.stderr
    assert "Traceback" not in done.stderr


WORKER_WITHOUT_MATCH = """
import multiprocessing, pickle
from banakil_env.arena import CompiledPlayer, Plan, workers
ours, theirs = multiprocessing.Pipe()
ours.send(pickle.dumps(([CompiledPlayer("greedy"), CompiledPlayer("random")], Plan(("greedy", "random")), False)))
ours.send([0])
ours.close()  # the match has failed meanwhile
workers._work(theirs)
"""


def test_a_process_whose_match_has_failed_says_nothing():
    done = run("-c", WORKER_WITHOUT_MATCH)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_command_tells_that_out_is_a_file(tmp_path):
    (tmp_path / "out").write_text("mine")
    done = arena("greedy", "random", "--deals", "1", "--processes", "1", "--out", str(tmp_path / "out"))
    assert done.returncode == 1
    assert done.stderr.strip() == f"banakil arena: {tmp_path / 'out'} cannot be used for results: File exists"
