"""Which deals did a run play? The first view of each episode, and what two runs of neighbouring seeds must be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

# One player's cards are enough to know a deal by: in gin each seat has ten of 52.
GIN: dict[str, Any] = {"game": "gin", "rules": "common max_turns=12"}


def legal_actions(masks: npt.NDArray[Any], dice: np.random.Generator) -> npt.NDArray[np.int64]:
    """A random legal action of each row; 0 in a row without any."""
    return np.array([dice.choice(np.flatnonzero(mask)) if mask.any() else 0 for mask in masks], np.int64)


def views(rows: Any, chosen: Any = slice(None)) -> set[bytes]:
    """Some rows of an array of observations, as a set."""
    return {row.tobytes() for row in np.asarray(rows)[chosen]}


def check_seeds(first_views: Callable[[int], set[bytes]], least: int) -> None:
    """Runs of neighbouring seeds share no deal, and the same seed gives the same deals.

    Args:
        first_views: plays a run of this seed; returns the first view of each of its episodes.
        least: the number of episodes that a run must have.
    """
    runs = {seed: first_views(seed) for seed in (0, 1, 2)}
    assert min(map(len, runs.values())) >= least
    for one, other in ((0, 1), (1, 2), (0, 2)):
        assert not runs[one] & runs[other], f"seeds {one} and {other} share {len(runs[one] & runs[other])} deals"
    assert first_views(1) == runs[1]
