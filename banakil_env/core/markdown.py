"""Writes tables in Markdown, for pages, cards and reports."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def markdown_table(heads: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    """A table in Markdown: a header line, a delimiter line and a line for each row. Bars in cells are escaped."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in lines)
