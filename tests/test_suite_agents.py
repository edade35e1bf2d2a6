"""Are the statistics over training seeds those of the book? Small cases counted by hand, and the command."""

from __future__ import annotations

import dataclasses
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from suite_runs import TASK, short_run

from banakil_env.arena.statistics import interval_of_ratio
from banakil_env.cli import application
from banakil_env.suite import command
from banakil_env.suite.agents import (
    compare_text,
    interquartile_mean,
    probability_of_improvement,
    read_seeds,
    scores_of,
    seeds_text,
    summary_text,
)
from banakil_env.suite.claims import command_of
from banakil_env.suite.deals import PUBLIC
from banakil_env.suite.file import FORMAT, RunFile, read_run, root_of_all
from banakil_env.suite.run import run_task
from banakil_env.suite.tasks import TaskError, find_task

stats = pytest.importorskip("scipy.stats")
SEEDS = Path(__file__).resolve().parents[1] / "suite" / "seeds"


def runs(task: str, *scores: float) -> list[RunFile]:
    """Files of runs that say no more than these statistics need."""
    said: list[dict[str, Any]] = [
        {
            "format": FORMAT,
            "task": task,
            "player": {"name": f"agent {number}", "digest": f"{number:064x}"},
            "figures": {"normalised": {"mean": score}},
        }
        for number, score in enumerate(scores)
    ]
    return [RunFile(manifest, {}) for manifest in said]


def test_the_interquartile_mean_leaves_out_the_best_and_the_worst_quarter() -> None:
    scores = scores_of(runs("a", -9, 1, 2, 3, 4, 5, 6, 99))
    assert interquartile_mean(scores).value == 3.5
    both = scores_of([*runs("a", -9, 1, 2, 3), *runs("b", 4, 5, 6, 99)])
    estimate = interquartile_mean(both)
    assert estimate.value == 3.5
    assert estimate.low < 3.5 < estimate.high


def test_the_bootstrap_draws_seeds_within_a_task() -> None:
    """Tasks whose seeds all agree leave nothing to chance, however far apart the tasks are."""
    estimate = interquartile_mean(scores_of([*runs("a", 1, 1, 1, 1), *runs("b", 2, 2, 2, 2)]))
    assert (estimate.value, estimate.low, estimate.high) == (1.5, 1.5, 1.5)


def test_the_probability_of_improvement() -> None:
    low, high = scores_of(runs("a", 1, 2, 3)), scores_of(runs("a", 4, 5, 6))
    assert probability_of_improvement(high, low).value == 1
    assert probability_of_improvement(low, high).value == 0
    assert probability_of_improvement(low, low).value == 0.5
    assert probability_of_improvement(low, scores_of(runs("a", 2.5))).value == pytest.approx(1 / 3)
    one, other = np.array([1.0, 3, 3, 5]), np.array([3.0, 4])
    counted = stats.mannwhitneyu(one, other).statistic / 8
    assert probability_of_improvement({"a": one}, {"a": other}).value == counted
    with pytest.raises(TaskError, match="only one has a, b"):
        probability_of_improvement(low, scores_of(runs("b", 1)))


def test_each_training_seed_counts_once() -> None:
    with pytest.raises(TaskError, match="occurs twice"):
        scores_of([*runs("a", 1), *runs("a", 1)])
    copied = runs("a", 1, 2)
    for run in copied:
        run.manifest["root"] = "0" * 64
    with pytest.raises(TaskError, match="the records of agent 1 at a occur twice, under two digests"):
        scores_of(copied)
    with pytest.raises(TaskError, match="there are no runs"):
        scores_of([])


def test_what_is_printed() -> None:
    one, other = runs("a", 0.1, 0.2, 0.3), runs("a", 0.4, 0.5, 0.6)
    assert summary_text(one).startswith("a: 3 training seeds, normalised 0.100 to 0.300\ninterquartile mean 0.200 (")
    assert "probability that a run of new is better: 1.000 (1.000 to 1.000)" in compare_text("new", other, "old", one)


def test_the_interval_of_a_ratio_covers_the_truth() -> None:
    """Of 400 pairs of means whose ratio is 2, nineteen of twenty intervals hold it."""
    rng = np.random.default_rng(0)
    held = 0
    for _ in range(400):
        below = rng.normal(10, 4, 200)
        found = interval_of_ratio(2 * below + rng.normal(0, 5, 200), below)
        held += found.low <= 2 <= found.high
    assert 365 <= held <= 395


def test_a_folder_of_agents_is_run_one_after_the_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two files in a folder, a run for each, and what they say together."""
    runner = pytest.importorskip("typer.testing").CliRunner()
    pytest.importorskip("torch")
    zoo = Path(__file__).resolve().parents[1] / "agents" / "zoo" / "gin-2p" / "model.safetensors"
    for name in ("first", "second"):
        (tmp_path / "agents" / name).mkdir(parents=True)
        shutil.copy(zoo, tmp_path / "agents" / name / "model.safetensors")
    words = ["suite", "run", TASK, "--agents", str(tmp_path / "agents"), "--out", str(tmp_path / "out")]
    monkeypatch.setattr(
        command, "run_task", lambda *given: run_task(*given[:-1], dataclasses.replace(given[-1], isolate=False))
    )
    done = runner.invoke(application(), [*words, "--deals", "2", "--without-zoo", "--processes", "1"])
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        f"{TASK}-first-model.zip",
        f"{TASK}-second-model.zip",
    ]
    assert done.exit_code == 1
    assert "occurs twice" in str(done.exception)  # they are the same agent


@pytest.mark.parametrize(
    ("agent", "label"),
    [("one.safetensors", "one"), ("1/agent.safetensors", "1-agent"), ("1/model.safetensors", "1-model")],
)
def test_agents_are_found_as_files_as_runs_and_as_models(tmp_path: Path, agent: str, label: str) -> None:
    for name in (agent, "1/checkpoint.safetensors"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).touch()
    assert command._wanted([TASK], None, tmp_path)[1] == {label: f"net:{tmp_path / agent}"}


def test_the_page_says_each_seed_and_compares_the_algorithms() -> None:
    text = seeds_text({"new": runs("a", 0.4, 0.5, 0.6), "old": [*runs("a", 0.1, 0.2, 0.3), *runs("b", 1)]})
    assert "| `a` | **new** | 0.400, 0.500, 0.600 | 0.500 (" in text
    assert "| `b` | **old** | 1.000 | 1.000 (1.000 to 1.000) |" in text
    assert text.endswith("| `a` | a run of **new** is better than one of **old**: 1.000 (1.000 to 1.000) |")


def test_every_kept_seed_is_a_whole_run_of_an_agent_of_its_own() -> None:
    algorithms = read_seeds(SEEDS)
    assert {name: len(of_one) for name, of_one in algorithms.items()} == {"ppo": 5, "sb3": 5}
    scores_of([run for of_one in algorithms.values() for run in of_one])  # raises if a player occurs twice
    for said in (run.manifest for of_one in algorithms.values() for run in of_one):
        roots = {name: match["root"] for name, match in said["matches"].items()}
        assert said["root"] == root_of_all(roots)
        assert said["command"] == command_of(
            find_task(said["task"]), said["player"]["name"], PUBLIC, None, tuple(roots)
        )


def test_runs_of_players_are_scores(tmp_path: Path) -> None:
    run = read_run(short_run(tmp_path, "expert"))
    assert {task: list(scores) for task, scores in scores_of([run]).items()} == {run.manifest["task"]: [1.0]}
