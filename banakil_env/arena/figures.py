"""The cost of a player's decisions apart from time: replies, tokens, money, as the player reports them.

A player can have a method `figures(observations) -> list[dict[str, float]]`, one dict per row. The arena calls the
method after each call of `act`, even a failed one. The figures are kept with each table, so a match that was
interrupted and continued has the figures of all its tables.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

MOST_NAMES = 40

# The figures that are shown of a player that talks, in this order: name and meaning.
SHOWN: Mapping[str, str] = {
    "decisions": "decisions that it made; equal observations of a call count once",
    "replies": "replies to these",
    "unreadable": "replies in which no move could be read",
    "illegal": "replies with a move that was not legal",
    "cut_off": "replies cut off by the limit on their length",
    "given_up": "decisions in which the first legal move was made instead",
    "forfeits": "tables lost by failing",
    "tokens": "read and written",
    "tokens_a_decision": "the same, for each decision",
    "cost": "by the prices that were given",
}


def has_figures(player: Any) -> bool:
    """Whether a player reports figures."""
    return callable(getattr(player, "figures", None))


def figures_of(player: Any, observations: npt.NDArray[np.uint8]) -> list[dict[str, float]]:
    """The figures that a player reports for these rows, one dict per row.

    The dicts are empty if the player reports nothing that can be kept.
    """
    nothing: list[dict[str, float]] = [{} for _ in observations]
    if not has_figures(player):
        return nothing
    try:
        said = player.figures(observations)
    except Exception:  # the method is code of other people
        return nothing
    return said if are_figures(said, len(observations)) else nothing


def are_figures(said: Any, rows: int) -> bool:
    """Whether a value is a list of `rows` dicts of nonnegative numbers."""
    return isinstance(said, list) and len(said) == rows and all(is_figures(each) for each in said)


def is_figures(said: Any) -> bool:
    """Whether a value is a dict of nonnegative numbers by name."""
    return (
        isinstance(said, dict)
        and len(said) <= MOST_NAMES
        and all(isinstance(name, str) and name.isidentifier() for name in said)
        and all(type(value) in (int, float) and 0 <= value < 2**53 and math.isfinite(value) for value in said.values())
    )


def added(one: Mapping[str, float], other: Mapping[str, float]) -> dict[str, float]:
    """The sums of two dicts of figures, by name."""
    return {name: one.get(name, 0) + other.get(name, 0) for name in dict.fromkeys([*one, *other])}


def shown(figures: Mapping[str, float], forfeits: int) -> dict[str, float]:
    """The figures of a player, by the names of `SHOWN`.

    Args:
        figures: the sums that the player reported.
        forfeits: the number of tables that the player lost by failing.
    """
    tokens = figures.get("prompt_tokens", 0) + figures.get("completion_tokens", 0)
    derived = {
        "forfeits": forfeits,
        "tokens": tokens,
        "tokens_a_decision": tokens / figures["decisions"] if figures.get("decisions") else 0.0,
    }
    return {name: derived.get(name, figures.get(name, 0)) for name in SHOWN}
