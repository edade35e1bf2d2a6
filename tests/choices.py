"""What does a compiled player do at a position?"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import numpy as np

from banakil_env.core.kernels import GENERATOR


def choice_of(game: ModuleType, player: str, state: Any) -> str:
    """The text of the action of a player without dice, for the seat to move.

    Args:
        game: a module such as `banakil_env.games.gin`.
    """
    seen = game.observe(state, game.seat_to_move(state))
    act = game.GAME.players[player]
    return game.action_text(act(game.fields(seen["observation"]), seen["action_mask"], np.zeros(1, GENERATOR)[0]))
