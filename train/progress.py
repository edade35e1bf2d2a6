"""Shows the progress of a run: a progress bar with the main figures on a terminal, otherwise plain lines."""

from __future__ import annotations

from types import TracebackType
from typing import TextIO

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from train.curve import Point


class Display:
    """The progress bar of a run, a context manager.

    Args:
        name: the name of the run.
        file: the output; if it is not a terminal, one line is printed per evaluation.
    """

    def __init__(self, name: str, file: TextIO) -> None:
        self._console = Console(file=file)
        if self._console.is_jupyter:  # prints lines, since a bar would need widgets
            self._console = Console(file=file, force_jupyter=False, force_terminal=False)
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=24),
            TextColumn("{task.percentage:>3.0f} %"),
            TimeElapsedColumn(),
            TextColumn("{task.fields[said]}"),
            console=self._console,
            refresh_per_second=4,
            disable=not self._console.is_terminal,
        )
        self._task = self._bar.add_task(name, total=1.0, said="")
        self._mark: tuple[int, float] | None = None
        self._rate = 0.0
        self._point: Point | None = None

    def __enter__(self) -> Display:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def show(self, done: float, steps: int, seconds: float, point: Point | None) -> None:
        """Show the state of the run.

        Args:
            done: the finished share of the run.
            steps: the number of decisions.
            seconds: the training time.
            point: a new evaluation, if there is one.
        """
        if self._mark is None:
            self._mark = (steps, seconds)
        elif seconds > self._mark[1]:
            self._rate = (steps - self._mark[0]) / (seconds - self._mark[1])
        self._point = point or self._point
        said = f"{steps:,} decisions, {self._rate:,.0f}/s{_figures(self._point)}"
        self._bar.update(self._task, completed=min(done, 1.0), said=said)
        if point and not self._console.is_terminal:
            self._console.print(f"{min(done, 1.0):4.0%} {seconds:5.0f} s  {said}", soft_wrap=True, highlight=False)


def _figures(point: Point | None) -> str:
    if point is None:
        return ""
    said = [f"{one.margin:+z.1f} ± {one.half_width:.1f} to {one.opponent}" for one in point.standings]
    if point.entropy is not None:
        said.append(f"entropy {point.entropy:.2f}")
    if point.clip_fraction is not None:
        said.append(f"clipped {point.clip_fraction:.0%}")
    if point.explained_variance is not None:
        said.append(f"explained {point.explained_variance:.2f}")
    return "".join(f" | {text}" for text in said)
