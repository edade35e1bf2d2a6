"""How does a game stand, and how did it end? The `Outcome` that arena and environments report."""

from __future__ import annotations

from typing import Any

from banakil_env.core.game import Outcome
from banakil_env.kit.table_state import NO_SEAT


def outcome_of(state: Any, text: str, marks: tuple[str, ...] = ()) -> Outcome:
    """The outcome of a state; `text` is how it ended, as positions say it (`out, seat 1`), "" while it goes on."""
    n = int(state.num_players)
    return Outcome(
        ending=text.partition(",")[0],
        winner=None if state.winner == NO_SEAT else int(state.winner),
        text=text,
        points=tuple(int(value) for value in state.points[:n]),
        scores=tuple(int(value) for value in state.scores[:n]),
        turns=int(state.turns),
        rounds=int(state.rounds),
        marks=marks,
    )
