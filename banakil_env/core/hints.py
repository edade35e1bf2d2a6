"""Finds the known name that an unknown one probably means."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

LONGEST = 100  # characters of a name that are compared: longer texts have no near name


def nearest(given: str, known: Iterable[str], most: int, nearness: float) -> list[str]:
    """The known names that are most like what was given, the nearest first; see `did_you_mean`."""
    return difflib.get_close_matches(given[:LONGEST], list(known), n=most, cutoff=nearness)


def did_you_mean(given: str, known: Iterable[str], most: int = 1, nearness: float = 0.8) -> str:
    """The end of an error that names the nearest known names, such as "; did you mean 'greedy'?"; "" if none is near.

    Args:
        most: largest number of names offered. nearness: 0 to 1, the least similarity (`difflib`).
    """
    near = nearest(given, known, most, nearness)
    return f"; did you mean {' or '.join(map(repr, near))}?" if near else ""
