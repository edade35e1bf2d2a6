"""Measures a training algorithm over all its training seeds, with the statistics of Agarwal et al. (2021).

The score of a run is its normalized score. The interquartile mean over all runs leaves out the best and the worst
quarter; its interval is a bootstrap that resamples training seeds within each task (stratified). The probability of
improvement is the probability that a run of one algorithm beats a run of the other at a random task: the Mann-Whitney
statistic divided by the number of pairs, as a mean over tasks.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.install import install_line
from banakil_env.core.markdown import markdown_table
from banakil_env.suite.confirm import read_manifest
from banakil_env.suite.deals import PUBLIC
from banakil_env.suite.file import RunFile
from banakil_env.suite.tasks import TaskError
from banakil_env.suite.verify import reported

LEVEL = 0.95
RESAMPLES = 5_000
SEED = 0
Scores = Mapping[str, npt.NDArray[np.float64]]  # by task: one score for each training seed


@dataclass(frozen=True)
class Estimate:
    """A value with the ends of its 95 % bootstrap interval."""

    value: float
    low: float
    high: float

    def __str__(self) -> str:
        return f"{self.value:.3f} ({self.low:.3f} to {self.high:.3f})"


def read_runs(*folders: Path) -> list[list[RunFile]]:
    """Read the runs in each of several folders that are to be compared.

    Raises:
        RunFileError: a file is damaged.
        VerifyError: a run is not *reported*.
        TaskError: two runs are not on the same deals, or only one of them is a short run.
    """
    runs = [{path: reported(path) for path in sorted(folder.glob("*.zip"))} for folder in folders]
    check_deals({path: run for of_folder in runs for path, run in of_folder.items()})
    return [list(of_folder.values()) for of_folder in runs]


def check_deals(runs: Mapping[Path, RunFile]) -> None:
    """Raise TaskError if two runs that are to be compared are on different deals or of different length."""
    first: tuple[Path, str] | None = None
    for path, run in runs.items():
        deals, short = run.manifest["deals"], run.manifest["short"]
        said = f"{'a short run' if short else 'a whole run'} on {deals['part']} deals, key {deals['key_sha256'][:12]}"
        first = first or (path, said)
        if said != first[1]:
            raise TaskError(f"{first[0]} is {first[1]}, and {path} is {said}: compare runs on the same deals")


def scores_of(runs: Sequence[RunFile]) -> dict[str, npt.NDArray[np.float64]]:
    """The normalized scores of runs, by task.

    Raises TaskError if there are no runs, or if a player or its records occur twice.
    """
    found: dict[str, dict[str, float]] = {}
    records: set[tuple[str, str]] = set()
    for run in runs:
        task, who = str(run.manifest["task"]), run.manifest["player"]
        score = run.manifest["figures"]["normalised"]["mean"]
        of_task = found.setdefault(task, {})
        if who["digest"] in of_task:
            raise TaskError(f"the player {who['name']} occurs twice at {task}: each training seed counts once")
        root = str(run.manifest.get("root", who["digest"]))
        if (task, root) in records:
            raise TaskError(
                f"the records of {who['name']} at {task} occur twice, under two digests: a copy, or two players "
                "that make the same moves; each training seed counts once"
            )
        records.add((task, root))
        if score is None:
            raise TaskError(f"the run of {who['name']} at {task} has too few deals for a normalised score")
        of_task[who["digest"]] = float(score)
    if not found:
        raise TaskError("there are no runs: name a folder of files that `banakil suite run` wrote")
    return {task: np.array(list(scores.values())) for task, scores in sorted(found.items())}


def interquartile_mean(scores: Scores) -> Estimate:
    """The mean of the middle half of all runs. Raises ImportError if SciPy is not installed."""
    stats = _scipy_stats()
    return _bootstrap([scores], lambda of: float(stats.trim_mean(np.concatenate(list(of[0].values())), 0.25)))


def probability_of_improvement(one: Scores, other: Scores) -> Estimate:
    """The probability that a run of `one` is better than a run of `other`. Raises TaskError if their tasks differ."""
    if one.keys() != other.keys():
        apart = sorted(set(one) ^ set(other))
        raise TaskError(f"both have to be of the same tasks; only one has {', '.join(apart)}")
    return _bootstrap([one, other], lambda of: float(np.mean([_share(of[0][task], of[1][task]) for task in of[0]])))


def _share(scores: npt.NDArray[np.float64], others: npt.NDArray[np.float64]) -> float:
    """The share of all pairs in which the first score is larger; a tie counts half.

    It equals the Mann-Whitney statistic U divided by the number of pairs.
    """
    ahead = scores[:, None] - others[None, :]
    return float(((ahead > 0) + (ahead == 0) / 2).mean())


def _bootstrap(groups: Sequence[Scores], statistic: Callable[[Sequence[Scores]], float]) -> Estimate:
    """A statistic of groups of scores with its percentile interval. Seeds are resampled within each task."""
    rng = np.random.default_rng(SEED)
    drawn = [
        statistic([{task: rng.choice(s, len(s)) for task, s in group.items()} for group in groups])
        for _ in range(RESAMPLES)
    ]
    low, high = np.quantile(drawn, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return Estimate(statistic(groups), float(low), float(high))


def _scipy_stats() -> Any:
    try:
        from scipy import stats
    except ImportError:
        raise ImportError(f"several training seeds need SciPy: {install_line('suite')}") from None
    return stats


def summary_text(runs: Sequence[RunFile]) -> str:
    """A summary of the training seeds of one algorithm, in a few lines."""
    scores = scores_of(runs)
    lines = [
        f"{task}: {len(s)} training seeds, normalised {s.min():.3f} to {s.max():.3f}" for task, s in scores.items()
    ]
    return "\n".join([*lines, f"interquartile mean {interquartile_mean(scores)}, 95 % by stratified bootstrap"])


def compare_text(name: str, runs: Sequence[RunFile], other: str, others: Sequence[RunFile]) -> str:
    """A comparison of two algorithms, in a few lines."""
    one, two = scores_of(runs), scores_of(others)
    better = probability_of_improvement(one, two)
    return "\n".join(
        [
            f"{name}: interquartile mean {interquartile_mean(one)}",
            f"{other}: interquartile mean {interquartile_mean(two)}",
            f"probability that a run of {name} is better: {better}",
        ]
    )


def read_seeds(folder: Path) -> dict[str, list[RunFile]]:
    """The runs of each algorithm in a folder: `ALGORITHM/TASK-SEED.json`, manifests without records.

    Raises TaskError if a file is not the manifest of a whole run on the public deals.
    """
    return {
        own.name: [RunFile(dict(read_manifest(path, PUBLIC)), {}) for path in sorted(own.glob("*.json"))]
        for own in sorted(folder.iterdir())
        if own.is_dir()
    }


def seeds_text(algorithms: Mapping[str, Sequence[RunFile]]) -> str:
    """Tables in Markdown: the scores of each algorithm, and each pair of algorithms compared."""
    head = ["task", "algorithm", "normalised score of each training seed", "interquartile mean, 95 %"]
    rows, against = [], []
    scores = {name: scores_of(runs) for name, runs in algorithms.items()}
    for task in sorted({task for of_one in scores.values() for task in of_one}):
        here = {name: {task: of_one[task]} for name, of_one in scores.items() if task in of_one}
        short = f"`{task.partition('+')[0]}`"
        for name, of_one in here.items():
            each = ", ".join(f"{score:.3f}" for score in of_one[task])
            rows.append([short, f"**{name}**", each, str(interquartile_mean(of_one))])
        for one, other in itertools.combinations(here, 2):
            better = probability_of_improvement(here[one], here[other])
            against.append([short, f"a run of **{one}** is better than one of **{other}**: {better}"])
    both = (head, rows), (["task", "probability of improvement, 95 %"], against)
    return "\n\n".join(markdown_table(*each) for each in both)
