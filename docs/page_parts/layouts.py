"""The columns of the layouts that all games share: cards, table, rules, described actions and histories."""

from __future__ import annotations

import itertools
import textwrap
from collections.abc import Sequence

from banakil_env.core import history
from banakil_env.core.common_layout import Column
from banakil_env.core.markdown import markdown_table
from page_parts import NO_BREAK


def column_table(columns: Sequence[Column]) -> str:
    """A table of columns of the common layout: indices, name, bounds and meaning.

    Neighbors with the same note share a row.
    """
    rows: list[list[object]] = []
    groups = itertools.groupby(enumerate(columns), lambda each: (each[1].note, each[1].lowest, each[1].highest))
    for (note, lowest, highest), group in groups:
        places = list(group)
        first, last = places[0][0], places[-1][0]
        names = f"`{places[0][1].name}`" + (f" .. `{places[-1][1].name}`" if last > first else "")
        where = f"{first}–{last}" if last > first else str(first)
        rows.append([where, names, f"{lowest:g} to {highest:g}", note])
    return markdown_table(["columns", "name", "values", "meaning"], rows)


def history_columns() -> str:
    """A table of the columns of one row of a history."""
    rows = [[i, column.name, column.note, column.highest] for i, column in enumerate(history.COLUMNS)]
    return markdown_table(["column", "name", "meaning", "highest"], rows)


def numbered(names: Sequence[str], first: int) -> str:
    """Names with their numbers, as text wrapped to lines."""
    said = (f"{number} {name or '(none)'}".replace(" ", NO_BREAK) for number, name in enumerate(names, first))
    return textwrap.fill(", ".join(said), 120).replace(NO_BREAK, " ")
