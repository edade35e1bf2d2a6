"""Returns the scene of a state for a seat, after a check of the seat's number."""

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.core.game import Game
from banakil_env.core.scene import Scene


def scene_of(game: Game, state: Any, seat: int | None) -> Scene:
    """The table as a seat sees it; None for all hands open. Raises ValueError if there is no such seat.

    `state` can come from `numpy.load`, whose records have no attributes.
    """
    state = np.asarray(state).reshape(1).view(game.state)[0]
    players = len(game.outcome(state).points)
    if seat is not None and not 0 <= seat < players:
        raise ValueError(f"there is no seat {seat!r}: {players} play, seats from 0 on")
    return game.scene(state, seat)
