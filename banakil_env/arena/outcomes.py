"""Checks the outcome of a table that was read from a file.

The outcomes that `tables.play_tables` returns pass the check. All figures can be computed from outcomes that pass.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from banakil_env.arena.figures import is_figures
from banakil_env.arena.tables import LOST
from banakil_env.core.failures import KINDS, UNKNOWN

Outcomes = list[dict[str, Any]]  # the tables of one deal
MATCH = "match"  # the ending that has a winner in every game


def outcomes_fault(tables: Any, seats: Sequence[tuple[int, ...]]) -> str | None:
    """Describe the first fault in the outcomes of a deal; None if there is none.

    Args:
        tables: the value read from the file, of any type.
        seats: the players at the seats of each table, from the plan.
    """
    if not isinstance(tables, list) or len(tables) != len(seats):
        return f"a deal of this match has {len(seats)} tables"
    for number, (table, own) in enumerate(zip(tables, seats)):
        fault = _table_fault(table, own)
        if fault:
            return f"table {number}: {fault}"
    return None


def _table_fault(table: Any, seats: tuple[int, ...]) -> str | None:
    if not isinstance(table, dict):
        return f"expected an object, not {table!r:.40}"
    count, present = len(seats), len(set(seats))
    checks: dict[str, Callable[[Any], bool]] = {
        "points": lambda value: _all(value, count, _is_number),
        "ending": lambda value: isinstance(value, str) and value.isidentifier() and len(value) <= 40,
        "winner": lambda value: _is_seat(value, count) or (value is None and table.get("ending") != MATCH),
        "marks": lambda value: isinstance(value, list) and all(isinstance(mark, str) for mark in value),
        "turns": _is_count,
        "rounds": _is_count,
        "decisions": lambda value: _all(value, present, _is_count),
        "seconds": lambda value: _all(value, present, lambda each: _is_number(each) and each >= 0),
        "failed": lambda value: _is_failure(value, seats) if table.get("ending") == LOST else value is None,
    }
    if "figures" in table:  # present only if a player reports figures
        checks["figures"] = lambda value: _all(value, present, is_figures)
    if "moves" in table:
        checks["moves"] = lambda value: isinstance(value, list) and all(_is_count(action) for action in value)
    for name, check in checks.items():
        if name not in table:
            return f"{name} is missing"
        if not check(table[name]):
            return f"{name} cannot be {table[name]!r:.40}"
    return None


def _all(values: Any, count: int, check: Callable[[Any], bool]) -> bool:
    return isinstance(values, list) and len(values) == count and all(check(value) for value in values)


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) < 2**53 and not math.isnan(value)


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < 2**53


def _is_seat(value: Any, count: int) -> bool:
    return _is_count(value) and value < count


def _is_failure(value: Any, seats: tuple[int, ...]) -> bool:
    return (
        isinstance(value, dict)
        and {"file", "line"} <= set(value)
        and value.get("kind", UNKNOWN) in (*KINDS,)
        and _is_seat(value.get("seat"), len(seats))
        and seats[value["seat"]] == value.get("player")
        and isinstance(value.get("reason"), str)
        and isinstance(value.get("file"), str | None)
        and (value.get("line") is None or _is_count(value["line"]))
    )
