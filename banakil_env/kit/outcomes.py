"""How does a game stand, and how did it end? The `Outcome` that arena and environments report."""

from __future__ import annotations

from typing import Any

from banakil_env.core.game import Outcome
from banakil_env.kit.table_state import NO_SEAT


def outcome_of(state: Any, text: str, marks: tuple[str, ...] = ()) -> Outcome:
    """The outcome of a state; `text` is how it ended, as positions say it (`out, seat 1`), "" while it goes on.

    Fields are read as items, in a third of the time of attributes: rounds of some games have few moves, and each ends
    here.
    """
    n, winner = int(state["num_players"]), int(state["winner"])
    return Outcome(
        ending=text.partition(",")[0],
        winner=None if winner == NO_SEAT else winner,
        text=text,
        points=tuple(state["points"][:n].tolist()),
        scores=tuple(state["scores"][:n].tolist()),
        turns=int(state["turns"]),
        rounds=int(state["rounds"]),
        marks=marks,
    )
