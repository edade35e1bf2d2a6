"""Measures rates: several runs of a given time, with their median, lowest and highest value."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

# One unit of work. It returns the number of steps and the seconds that count; the choice of moves may be excluded.
Work = Callable[[], tuple[int, float]]


@dataclass(frozen=True)
class Plan:
    """The length of a measurement: the number of runs for each row, and the seconds of a run."""

    runs: int = 5
    seconds: float = 1.0
    quick: bool = False


@dataclass(frozen=True)
class Row:
    """One row of the table.

    Attributes:
        group: the group of the measurement.
        name: the name of the measurement.
        work: one unit of work, in words.
        unit: the unit of the values, such as "/s".
        values: the result of each run.
    """

    group: str
    name: str
    work: str
    unit: str
    values: tuple[float, ...]

    @property
    def median(self) -> float:
        """The median of the runs."""
        return statistics.median(self.values)

    def as_dict(self) -> dict[str, Any]:
        """The row as plain values, for the JSON file."""
        return {**asdict(self), "median": self.median, "min": min(self.values), "max": max(self.values)}


@dataclass(frozen=True)
class Task:
    """A measurement that has not been made; `measure` returns the values of its row."""

    group: str
    name: str
    work: str
    unit: str
    measure: Callable[[Plan], tuple[float, ...]]

    def run(self, plan: Plan) -> Row:
        """Make the measurement, and return its row."""
        return Row(self.group, self.name, self.work, self.unit, self.measure(plan))


def rates(make: Callable[[], Work]) -> Callable[[Plan], tuple[float, ...]]:
    """A measurement of the steps per second of the work that `make` prepares.

    The first unit of work is not counted, since it can compile.
    """

    def measure(plan: Plan) -> tuple[float, ...]:
        work = make()
        work()
        return tuple(_rate(work, plan.seconds) for _ in range(plan.runs))

    return measure


def _rate(work: Work, seconds: float) -> float:
    steps, counted = 0, 0.0
    end = time.perf_counter() + seconds
    while not steps or time.perf_counter() < end:
        done, took = work()
        steps += done
        counted += took
    return steps / counted


def clocked(work: Callable[[], int]) -> Work:
    """Make a `Work` of a function that returns its number of steps; all of its time counts."""

    def timed() -> tuple[int, float]:
        begin = time.perf_counter()
        steps = work()
        return steps, time.perf_counter() - begin

    return timed


def stepped(steps: Iterator[float], count: int = 500) -> Work:
    """Make a `Work` of `count` single steps.

    Args:
        steps: yields the seconds of each step, without end.
        count: the number of steps in a unit of work.
    """

    def work() -> tuple[int, float]:
        return count, sum(next(steps) for _ in range(count))

    return work
