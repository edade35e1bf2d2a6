"""Suggests known names for an unknown one."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Sequence

LONGEST = 100  # characters; longer texts are cut before the comparison


def nearest(given: str, known: Iterable[str], most: int, nearness: float) -> list[str]:
    """The known names that are most similar to the given one, in order; see `did_you_mean` for the arguments."""
    return difflib.get_close_matches(given[:LONGEST], list(known), n=most, cutoff=nearness)


def did_you_mean(given: str, known: Iterable[str], most: int = 1, nearness: float = 0.8) -> str:
    """Words for an error message that suggest known names: " (did you mean 'greedy'?)", or "" if none is similar.

    Args:
        given: the unknown name.
        known: the names to suggest.
        most: largest number of suggestions.
        nearness: least similarity from 0 to 1 (`difflib`).
    """
    near = nearest(given, known, most, nearness)
    return f" (did you mean {' or '.join(map(repr, near))}?)" if near else ""


def no_argument(function: str, unknown: Sequence[str], known: Iterable[str]) -> str:
    """Words for an error message about arguments that a function does not have, with a suggestion for the first."""
    return f"{function} has no argument {', '.join(map(repr, unknown))}{did_you_mean(unknown[0], known, nearness=0.7)}"
