"""Fits a table of figures into a terminal: columns that do not fit are put in another block below; none is cut off.

>>> print(in_columns(["player", "margin", "win %"], [["greedy", "+46.80 ± 0.25", "99.0"]]))
player         margin  win %
greedy  +46.80 ± 0.25   99.0
"""

from __future__ import annotations

import re
from collections.abc import Sequence

WIDTH = 80  # characters of a line if the width is unknown
GAP = "  "
NARROW = 14  # a head can be wrapped to this width if the cells of its column are shorter
LABEL = 26  # largest width of the first column, which every block repeats

Rows = Sequence[Sequence[str]]


def in_columns(heads: Sequence[str], rows: Rows, width: int = WIDTH) -> str:
    """The table as text in blocks. Each has the first column and as many others as fit.

    Args:
        heads: the heads of the columns.
        rows: the cells.
        width: the width of the terminal, 40 or more.
    """
    label, *others = [_Column([head, *cells]) for head, *cells in zip(heads, *rows)]
    label.fold(min(max(label.cells_width, NARROW), LABEL))
    for column in others:
        column.fold(min(max(column.cells_width, NARROW), width - label.width - len(GAP)))
    return "\n\n".join(_block([label, *some]) for some in _shared(others, width - label.width) or [[]])


def turned(heads: Sequence[str], rows: Rows) -> tuple[list[str], list[list[str]]]:
    """The table with rows and columns exchanged."""
    first, *others = [list(line) for line in zip(heads, *rows)]
    return first, others


def fits(heads: Sequence[str], rows: Rows, width: int = WIDTH) -> bool:
    """Whether the table fits into one block without a wrapped cell."""
    widths = [max(map(len, cells)) for cells in zip(heads, *rows)]
    return sum(widths) + len(GAP) * (len(widths) - 1) <= width


def folded(text: str, width: int) -> list[str]:
    """Break a text into lines of at most `width` characters, after spaces and punctuation marks where possible."""
    lines = [""]
    for part in re.findall(r"[^\s/:_.,;-]*[\s/:_.,;-]?", text):
        while len((lines[-1] + part).rstrip()) > width:
            if not lines[-1]:
                lines[-1], part = part[:width], part[width:]
            lines.append("")
        lines[-1] += part
    return [line.rstrip() for line in lines if line.strip()] or [""]


class _Column:
    """A column: its head and its cells, wrapped."""

    def __init__(self, cells: Sequence[str]) -> None:
        self._texts = cells
        self.cells_width = max(map(len, cells[1:]), default=0)
        self.cells: list[list[str]] = []
        self.width = 0

    def fold(self, width: int) -> None:
        self.cells = [folded(text, width) for text in self._texts]
        self.width = max(len(line) for cell in self.cells for line in cell)


def _shared(columns: list[_Column], width: int) -> list[list[_Column]]:
    """The columns in order, grouped into blocks that fit the width."""
    found: list[list[_Column]] = []
    left = 0
    for column in columns:
        needed = len(GAP) + column.width
        if not found or needed > left:
            found.append([])
            left = width
        found[-1].append(column)
        left -= needed
    return found


def _block(columns: list[_Column]) -> str:
    lines = []
    for row in zip(*(column.cells for column in columns)):
        for number in range(max(map(len, row))):
            texts = [cell[number] if number < len(cell) else "" for cell in row]
            first, *others = zip(texts, columns)
            cells = [first[0].ljust(first[1].width), *(text.rjust(column.width) for text, column in others)]
            lines.append(GAP.join(cells).rstrip())
    return "\n".join(lines)
