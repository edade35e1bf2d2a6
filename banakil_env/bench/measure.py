"""Measures rates: several runs of a given time, with their median, lowest and highest value."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

# One round of work returns its number of steps and the seconds that count (without the choice of the moves, if that is
# not measured).
Work = Callable[[], tuple[int, float]]


@dataclass(frozen=True)
class Plan:
    """The length of a measurement: runs of each row, and seconds of a run."""

    runs: int = 5
    seconds: float = 1.0
    quick: bool = False


@dataclass(frozen=True)
class Row:
    """One line of the table.

    Attributes:
        group, name: of the measurement.
        work: one unit of work, in words.
        unit: of the values, such as "/s".
        values: one for each run.
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
        """For the JSON file."""
        return {**asdict(self), "median": self.median, "min": min(self.values), "max": max(self.values)}


@dataclass(frozen=True)
class Task:
    """One measurement that is still to be made; `measure` gives the values of its row."""

    group: str
    name: str
    work: str
    unit: str
    measure: Callable[[Plan], tuple[float, ...]]

    def run(self, plan: Plan) -> Row:
        """Measure."""
        return Row(self.group, self.name, self.work, self.unit, self.measure(plan))


def rates(make: Callable[[], Work]) -> Callable[[Plan], tuple[float, ...]]:
    """Steps per second of the work that `make` prepares; the first round, which can compile, is not counted."""

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
    """Work whose entire time counts."""

    def timed() -> tuple[int, float]:
        begin = time.perf_counter()
        steps = work()
        return steps, time.perf_counter() - begin

    return timed


def stepped(steps: Iterator[float], count: int = 500) -> Work:
    """Work of single steps: `steps` yields the seconds of each step, without end."""

    def work() -> tuple[int, float]:
        return count, sum(next(steps) for _ in range(count))

    return work
