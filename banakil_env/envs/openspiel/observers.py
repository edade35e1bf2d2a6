"""The observers of every game in OpenSpiel: they write a player's observation, or its memory.

The observation is the same as in every other interface. With perfect recall, there is only a text.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from banakil_env.core.game import Game
from banakil_env.core.kernels import kernels_of


def is_of_a_player(iig_obs_type: Any) -> bool:
    """Whether an observer of this type sees exactly what a player sees; other observers do not exist here."""
    if iig_obs_type is None:
        return True
    return bool(iig_obs_type.public_info) and iig_obs_type.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER


class Recall:
    """Writes the memory of a player as text. There is no tensor: `tensor` is empty."""

    def __init__(self) -> None:
        self.tensor = np.zeros(0, np.float32)
        self.dict: dict[str, Any] = {}

    def set_from(self, state: Any, player: int) -> None:
        """Do nothing: there is no tensor."""

    def string_from(self, state: Any, player: int) -> str:
        """The information state of the player as text."""
        return str(state.information_state_string(player))


class View:
    """Writes the observation of a player: as a tensor, and as hexadecimal text.

    The tensor, float32 with values from 0 to 1, has two parts:

    - player (seats,): one-hot, the seat that observes.
    - observation (bytes,): each byte of the observation divided by its highest possible value.
    """

    def __init__(self, game: Game, params: Any, players: int) -> None:
        if params:
            raise ValueError(f"observers have no parameters; given were {params}")
        self._game, self._kernels = game, kernels_of(game)
        self.tensor = np.zeros(players + game.observation.itemsize, np.float32)
        self.dict = {"player": self.tensor[:players], "observation": self.tensor[players:]}

    def set_from(self, state: Any, player: int) -> None:
        """Write the player's observation of a state into `tensor`."""
        self.dict["player"][:] = 0
        self.dict["player"][player] = 1
        np.divide(
            self._observe(state, player),
            self._game.observation_fields.highest_bytes,
            out=self.dict["observation"],
            casting="same_kind",
        )

    def string_from(self, state: Any, player: int) -> str:
        """The observation of the player as hexadecimal text, for programs."""
        return f"seat {player} | {self._observe(state, player).tobytes().hex()}"

    def _observe(self, state: Any, player: int) -> Any:
        observation, mask = np.empty(1, self._game.observation), np.empty(self._game.num_actions, np.int8)
        self._kernels.observe_one(state.record.reshape(1), player, observation, mask)
        return observation.view(np.uint8)
