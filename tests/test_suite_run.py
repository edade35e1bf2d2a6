"""Does a run give one file, whatever happens to it on the way, and does the command line say what is wrong?"""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from suite_runs import DEALS, TASK, Fickle, short_run

from banakil_env.arena import StoreError
from banakil_env.cli import application
from banakil_env.suite.deals import commitment
from banakil_env.suite.file import RunFile, read_run
from banakil_env.suite.run import RunOptions, run_task
from banakil_env.suite.tasks import find_task, tasks_of
from banakil_env.suite.verify import REPLAYED, verify

runner = pytest.importorskip("typer.testing").CliRunner()

# A run that kills its own process after a number of deals of the match against `greedy`.
KILLED = """
import os, signal, sys
from pathlib import Path
from banakil_env.suite.run import RunOptions, run_task
from banakil_env.suite.tasks import find_task


def progress(match, done, most, text):
    if match == sys.argv[2] and done >= int(sys.argv[3]):
        os.kill(os.getpid(), signal.SIGKILL)


options = RunOptions(deals=40, without_zoo=True, progress=progress)
run_task(find_task("gin-2p-v1"), "greedy", Path(sys.argv[1]), options)
"""


def content(path: Path) -> tuple[Any, Any]:
    """All of a file but what is the machine's."""
    run = read_run(path)
    return run.manifest, {name: list(of_match) for name, of_match in run.lines.items()}


def said(*words: str) -> tuple[int, str]:
    """The exit status of a command, and what it prints, on one line."""
    done = runner.invoke(application(), ["suite", *words])
    return done.exit_code, " ".join((done.output or str(done.exception)).split())


def test_a_run_killed_three_times_and_split_over_processes_is_the_same_file(tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole.zip", tmp_path / "broken.zip"
    task = find_task(TASK)
    run_task(task, "greedy", whole, RunOptions(deals=40, without_zoo=True))
    for match, deals in (("random", 3), ("greedy", 1), ("expert", 7)):
        done = subprocess.run([sys.executable, "-c", KILLED, str(broken), match, str(deals)])
        assert done.returncode == -signal.SIGKILL
        assert not broken.exists()
        assert (tmp_path / "broken.zip.parts" / match / "deals.jsonl").exists()
    run_task(task, "greedy", broken, RunOptions(deals=40, without_zoo=True, processes=2))
    assert content(broken) == content(whole)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["broken.zip", "whole.zip"]


def test_the_same_content_is_the_same_file_to_the_byte(tmp_path: Path) -> None:
    path = short_run(tmp_path)
    run = read_run(path)
    again = tmp_path / "again.zip"
    run.write(again)
    assert again.read_bytes() == path.read_bytes()


def test_the_name_of_a_player_does_not_change_its_games(tmp_path: Path) -> None:
    """Else one would try names until the dice are good."""
    roots = set()
    for name in ("a", "b"):
        (tmp_path / name).mkdir()
        roots.add(read_run(short_run(tmp_path / name, Fickle(name=name))).manifest["root"])
    assert len(roots) == 1


def test_a_player_that_has_changed_does_not_go_on_with_the_run_of_another(tmp_path: Path) -> None:
    def stop(match: str, done: int, most: int, text: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        short_run(tmp_path, "greedy", progress=stop)
    with pytest.raises(StoreError, match="is of another match"):
        short_run(tmp_path, Fickle())


def test_what_a_file_says(tmp_path: Path) -> None:
    run = read_run(short_run(tmp_path))
    task = find_task(TASK)
    assert run.manifest["task"] == task.id
    assert run.manifest["command"] == f"banakil suite run {TASK} greedy --out FILE --deals {DEALS} --without-zoo"
    assert list(run.lines) == ["random", "greedy", "expert", "baseline"]
    figures = run.manifest["figures"]
    assert figures["anchors"]["greedy"]["points"]["mean"] == 0  # against itself, every deal from both seats
    assert figures["anchors"]["greedy"]["win"]["mean"] == 0.5
    for figure in figures["anchors"].values():
        assert figure["points"]["half_width_99"] >= figure["points"]["half_width_95"]
    assert run.machine["player_decisions"] > 100
    assert run.machine["libraries"]["numpy"]


@pytest.mark.parametrize(("player", "score"), [("expert", 1.0), ("random", 0.0)])
def test_the_normalised_score_of_the_anchors(tmp_path: Path, player: str, score: float) -> None:
    """`expert` is 1 to the digit, as it ties with itself; `random` is 0 but for other dice."""
    figures = read_run(short_run(tmp_path, player, deals=60)).manifest["figures"]["normalised"]
    assert abs(figures["mean"] - score) <= (0 if player == "expert" else 2 * figures["half_width_99"])


def test_the_zoo_is_an_anchor_and_a_player(tmp_path: Path) -> None:
    pytest.importorskip("torch")
    path = short_run(tmp_path, "zoo:{table}", without_zoo=False, deals=4)
    run = read_run(path)
    assert run.manifest["player"]["name"] == "zoo:gin-2p"
    assert run.manifest["figures"]["anchors"]["zoo"]["points"]["mean"] == 0
    assert verify(path, player="zoo:{table}").degree == "rerun"


def test_the_command_line(tmp_path: Path) -> None:
    status, text = said("list", "--set", "rummy-core")
    assert status == 0
    assert all(task.short in text for task in tasks_of("rummy-core"))
    file, key = tmp_path / "run.zip", tmp_path / "key"
    status, text = said("seal", str(key))
    assert status == 0
    assert text == f"SHA-256 of the key: {commitment(key.read_text().strip())}"
    assert key.stat().st_mode & 0o077 == 0
    short = ["--deals", "3", "--without-zoo", "--processes", "1"]
    status, text = said("run", TASK, "greedy", "--out", str(file), "--sealed", str(key), *short)
    assert status == 0, text
    assert "sealed deals, a short run against random" in text
    status, text = said("verify", str(file))
    assert (status, "reported the deals are sealed" in text) == (0, True), text
    status, text = said("verify", str(file), "--key", str(key), "--player", "greedy", "--sample", "2")
    assert (status, ": rerun" in text) == (0, True), text
    status, text = said("verify", str(file), "--key", str(key), "--player", "expert")
    assert (status, "NOT rerun: another player's records" in text) == (1, True), text
    assert "(it is replayed)" in text
    game = tmp_path / "game.txt"
    done = runner.invoke(
        application(), ["suite", "show", str(file), "--match", "random", "--deal", "2", "--key", str(key)]
    )
    game.write_text(done.output)
    assert runner.invoke(application(), ["show", str(game)]).exit_code == 0, done.output


def test_a_set_goes_on_where_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that are there are not played again; a file of something else is refused."""
    monkeypatch.setattr("banakil_env.suite.command.tasks_of", lambda name: (find_task(TASK),))
    words = ["run", "greedy", "--set", "rummy-core", "--out", str(tmp_path), "--deals", "3", "--without-zoo"]
    status, text = said(*words, "--processes", "1")
    assert status == 0, text
    before = (tmp_path / f"{TASK}.zip").read_bytes()
    status, text = said(*words)
    assert (status, "exists already" in text) == (0, True)
    assert (tmp_path / f"{TASK}.zip").read_bytes() == before
    run = read_run(tmp_path / f"{TASK}.zip")
    RunFile({**run.manifest, "task": "other"}, run.lines, run.machine).write(tmp_path / f"{TASK}.zip")
    status, text = said(*words)
    assert (status, "the file names no task with its digest: 'other'" in text) == (1, True)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["run", "gin", "greedy", "--out", "x.zip"], "there is no task 'gin': there are gin-2p-v1, gin-match-v1"),
        (["run", TASK, "nobody", "--out", "x.zip"], "there is no player 'nobody': there are random, greedy, expert"),
        (["run", TASK, "--out", "x.zip"], "expected TASK PLAYER, not 'gin-2p-v1'"),
        (["run", "greedy", "--set", "none", "--out", "x"], "there is no set 'none': there are rummy-core, all"),
        (["run", TASK, "greedy", "--out", "x.zip", "--part", "secret"], "development, public, public-2, sealed"),
        (["run", TASK, "greedy", "--out", "x.zip", "--sealed", "none"], "the key none cannot be read"),
        (["run", TASK, "greedy", "--out", "x.zip", "--deals", "1"], "an interval needs two deals at least, not 1"),
        (["run", TASK, "--agents", "none", "--out", "x"], "none holds no agents"),
        (["verify", "none.zip"], "none.zip cannot be read: No such file"),
        (["verify", "none.zip", "--degree", "deep"], "the degrees are reported, replayed, rerun, not 'deep'"),
        (["list", "--set", "x"], "there is no set 'x'"),
    ],
)
def test_errors_are_one_line_with_the_way_out(
    words: list[str], expected: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    status, text = said(*words)
    assert status == 1
    assert re.match(r"banakil suite [a-z]+: ", text), text
    assert expected in text
    assert "Traceback" not in text
    assert list(tmp_path.iterdir()) == []


def test_a_key_is_never_written_over(tmp_path: Path) -> None:
    key = tmp_path / "key"
    assert said("seal", str(key))[0] == 0
    before = key.read_text()
    status, text = said("seal", str(key))
    assert (status, "exists already" in text) == (1, True)
    assert key.read_text() == before


def test_a_short_run_says_so_and_is_replayed(tmp_path: Path) -> None:
    path = short_run(tmp_path)
    assert read_run(path).manifest["short"] is True
    assert verify(path).degree == REPLAYED
