"""How does a game stand, and how did it end? The `Outcome` that arena and environments report."""

from __future__ import annotations

from typing import Any

from banakil_env.core.fields import read_numbers
from banakil_env.core.game import Outcome
from banakil_env.kit.table_state import NO_SEAT

_NUMBERS = ("num_players", "winner", "points", "scores", "turns", "rounds")


def outcome_of(state: Any, text: str, marks: tuple[str, ...] = ()) -> Outcome:
    """The outcome of a state; `text` is how it ended, as positions say it (`out, seat 1`), "" while it goes on."""
    n, winner, points, scores, turns, rounds = read_numbers(state, _NUMBERS)
    return Outcome(
        ending=text.partition(",")[0],
        winner=None if winner == NO_SEAT else winner,
        text=text,
        points=points[:n],
        scores=scores[:n],
        turns=turns,
        rounds=rounds,
        marks=marks,
    )
