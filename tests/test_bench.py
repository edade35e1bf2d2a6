"""Does `banakil bench` measure what it says, and write it down?"""

from __future__ import annotations

import importlib.util
import itertools
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("typer")

from typer import Typer
from typer.testing import CliRunner

from banakil_env.bench import aec_loop, command, history_pairs, masks, own, parts, peers, threads
from banakil_env.bench.measure import Plan, Row, Task, clocked, rates, stepped
from banakil_env.bench.picture import draw
from banakil_env.games import find

GAME = find("banakil")


def run(*arguments: str) -> Any:
    app = Typer()
    app.command()(command.bench)
    return CliRunner().invoke(app, arguments)


def test_a_rate_counts_steps_by_the_time_on_the_clock() -> None:
    assert rates(lambda: lambda: (10, 2.0))(Plan(runs=3, seconds=0)) == (5.0, 5.0, 5.0)
    assert stepped(itertools.repeat(0.25), 4)() == (4, 1.0)
    steps, seconds = clocked(lambda: time.sleep(0.01) or 7)()
    assert steps == 7
    assert seconds >= 0.01


def test_figures_are_written_with_median_and_spread(tmp_path: Path) -> None:
    result = run("--quick", "--only", "memory per table", "--json", str(tmp_path / "figures.json"))
    assert result.exit_code == 0
    assert "memory per table" in result.output
    [row] = json.loads((tmp_path / "figures.json").read_text())["rows"]
    assert row["median"] == row["min"] == row["max"] > 576 + 1000 + 799


def test_the_same_name_stands_for_one_row() -> None:
    names = [(task.group, task.name) for task in own.tasks(GAME, False)]
    assert len(names) == len(set(names))
    assert {group for group, _ in names} >= {"engine", "batch", "single", "state", "start"}


def test_a_quick_row_of_each_interface_can_be_measured() -> None:
    names = (
        "4,096 tables, 2 players, 1 thread",
        "AEC, unwrapped, record",
        "Gymnasium against random",
        "snapshot and restore",
    )
    for name in names:
        [task] = [task for task in own.tasks(GAME, True) if task.name == name]
        assert task.run(Plan(runs=1, seconds=0, quick=True)).median > 0


def test_parts_and_threads_can_be_measured() -> None:
    for task in [*parts.tasks(GAME, True), *threads.tasks(GAME)]:
        if "256" in task.name or "deal" in task.name or "alone" in task.name:
            assert task.run(Plan(runs=1, seconds=0, quick=True)).median > 0


def test_masks_are_timed_at_the_positions_that_each_player_meets() -> None:
    tasks = masks.tasks(GAME, True, positions=600)
    assert [task.name for task in tasks[:3]] == [f"met by random, {name}" for name in masks.FIGURES]
    mean, most, slowest = (task.run(Plan(runs=1, seconds=0, quick=True)).median for task in tasks[:3])
    assert 0 < mean <= slowest
    assert most <= slowest
    assert {task.name.split(",")[0] for task in tasks} == {f"met by {player}" for player in GAME.players}


def test_a_peer_in_another_python_is_measured_by_it(tmp_path: Path) -> None:
    """Here by this Python and with our own game: the program is the same."""
    (tmp_path / "peer.py").write_text("from banakil_env.envs.aec import raw_env as env\n")
    command = [sys.executable, aec_loop.__file__, "peer", "2", "0.01"]
    answer = subprocess.run(
        command, env={**os.environ, "PYTHONPATH": str(tmp_path)}, check=True, capture_output=True, text=True
    )
    assert [rate > 0 for rate in json.loads(answer.stdout.splitlines()[-1])] == [True, True]


def test_another_python_without_the_game_is_a_row_not_measured() -> None:
    result = run("--quick", "--only", "gin rummy", "--gin-python", sys.executable)
    assert result.exit_code == 0
    assert "not measured: PettingZoo 1.26 gin rummy: RuntimeError" in result.output.replace("\n", "")


def test_a_peer_that_fails_costs_no_other_row(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(plan: Plan) -> tuple[float, ...]:
        raise AttributeError("renamed in this release")

    monkeypatch.setattr(own, "tasks", lambda game, quick: [Task("state", "one", "work", "/s", lambda plan: (3.0,))])
    monkeypatch.setattr(threads, "tasks", lambda game: [])
    monkeypatch.setattr(parts, "tasks", lambda game, quick: [])
    monkeypatch.setattr(peers, "tasks", lambda quick, gin_python: [Task("peers", "other", "work", "/s", broken)])
    result = run("--quick")
    assert result.exit_code == 0
    assert "not measured: other: AttributeError('renamed in this release')" in result.output.replace("\n", "")


def test_a_row_that_does_not_exist_is_refused() -> None:
    result = run("--only", "teleport")
    assert result.exit_code != 0
    assert "no row contains 'teleport'; groups are engine, batch" in str(result.output) + str(result.exception)


def test_the_picture_has_a_bar_for_each_rate(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    rows = [Row("batch", "ours", "a step", "/s", (1e6, 2e6)), Row("peers", "theirs", "a step", "/s", (1e3,))]
    draw([*rows, Row("state", "memory", "all", " bytes", (5.0,))], tmp_path / "rates.svg")
    text = (tmp_path / "rates.svg").read_text()
    assert text.startswith("<?xml")


def test_libraries_that_are_not_installed_are_named_with_the_way_to_install_them() -> None:
    result = run("--plugins", "--only", "none of the rows")
    assert result.exit_code == 0
    for extra in ("rllib", "torchrl", "tianshou"):
        if importlib.util.find_spec(extra if extra != "rllib" else "ray") is None:
            assert f"pip install -e '.[{extra}]'" in result.output.replace("\n", " ").replace("  ", " ")


def test_a_history_is_measured_next_to_tables_without_one(capsys: pytest.CaptureFixture[str]) -> None:
    history_pairs.main(["--game", "gin", "--tables", "64", "--steps", "5", "--history", "4", "--observation", "record"])
    [head, row] = capsys.readouterr().out.splitlines()
    assert head.split()[:3] == ["game", "without", "with"]
    name, without, _, remembering, _, ratio, _ = row.split()
    assert name == "gin"
    assert float(ratio) == pytest.approx(float(remembering) / float(without), abs=0.05)
