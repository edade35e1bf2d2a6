"""Which tests are in the short run (`--short`, `make test`)? Every kind of test at the main table of every game.

A test function runs with its first parameters for each game, and with further ones as far as the time that they took
allows. The times are measured: `pytest --measure` writes them to `seconds.json`. A test that is marked
`second("test_another")` is of the same kind as another of its file, takes seconds, and is not in the short run.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

FILE = Path(__file__).with_name("seconds.json")
BUDGET = 0.1  # seconds for a function and a game, beyond the first parameters
LEAST = 0.02  # seconds: functions that take less are not in the file, and count as this


def function_of(name: str) -> str:
    """The test function of a test's name, with its file."""
    return name.partition("[")[0]


def chosen(names: Iterable[str], game_of: Callable[[str], str], seconds: dict[str, float]) -> set[str]:
    """The names of the tests in the short run.

    Args:
        names: of all tests, in their order: main tables come first. game_of: the game that a test is about, or "".
        seconds: that a test of a function took in the mean.
    """
    taken, found = defaultdict[tuple[str, str], float](float), set[str]()
    for name in names:
        function = function_of(name)
        place = function, game_of(name)
        if not taken[place] or taken[place] + seconds.get(function, LEAST) <= BUDGET:
            taken[place] += max(seconds.get(function, LEAST), LEAST)
            found.add(name)
    return found


def seconds_of_groups(
    names: Iterable[str], group_of: Callable[[str], str], seconds: dict[str, float]
) -> dict[str, float]:
    """How long the tests of each group take."""
    taken = defaultdict[str, float](float)
    for name in names:
        taken[group_of(name)] += seconds.get(function_of(name), LEAST / 4)
    return taken


def read() -> dict[str, float]:
    """The measured times: by function, the mean in seconds."""
    found: dict[str, float] = json.loads(FILE.read_text(encoding="utf-8"))
    return found


class Measure:
    """A plug-in that writes the times of a run: setup, call and teardown of the tests of each function, in the mean."""

    def __init__(self) -> None:
        self._seconds: defaultdict[str, float] = defaultdict(float)
        self._names: defaultdict[str, set[str]] = defaultdict(set)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """With several processes, the first one gets the reports of all."""
        function = function_of(report.nodeid)
        self._seconds[function] += report.duration
        self._names[function].add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        """Write the file. What was not run keeps its time."""
        kept = {name: taken for name, taken in read().items() if name not in self._seconds} if FILE.exists() else {}
        means = {name: self._seconds[name] / len(self._names[name]) for name in self._seconds}
        kept |= {name: round(mean, 2) for name, mean in means.items() if mean > LEAST}
        FILE.write_text(json.dumps(dict(sorted(kept.items())), indent=0) + "\n", encoding="utf-8")
