"""The observations and memories of a player in OpenSpiel: the observers of every game.

The observation is that of every other interface. With perfect recall there is a text.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from banakil_env.core.game import Game
from banakil_env.core.kernels import kernels_of


def is_of_a_player(iig_obs_type: Any) -> bool:
    """Whether an observer of this type sees what a player sees, no more and no less. There are no others here."""
    if iig_obs_type is None:
        return True
    return bool(iig_obs_type.public_info) and iig_obs_type.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER


class Recall:
    """Writes what a player remembers, as a text. There is no tensor of it: `tensor` has no numbers."""

    def __init__(self) -> None:
        self.tensor = np.zeros(0, np.float32)
        self.dict: dict[str, Any] = {}

    def set_from(self, state: Any, player: int) -> None:
        """Nothing is to be written."""

    def string_from(self, state: Any, player: int) -> str:
        """All that the player remembers."""
        return str(state.information_state_string(player))


class View:
    """Writes what a player sees: as a tensor, and as hexadecimal text.

    Tensors, float32, all within 0..1:
        player (seats): which seat looks on.
        observation (bytes of it): the bytes of the observation, each over the highest that it can be.
    """

    def __init__(self, game: Game, params: Any, players: int) -> None:
        if params:
            raise ValueError(f"observers have no parameters; given were {params}")
        self._game, self._kernels = game, kernels_of(game)
        self.tensor = np.zeros(players + game.observation.itemsize, np.float32)
        self.dict = {"player": self.tensor[:players], "observation": self.tensor[players:]}

    def set_from(self, state: Any, player: int) -> None:
        """Write into `tensor` what the player sees in a state."""
        self.dict["player"][:] = 0
        self.dict["player"][player] = 1
        np.divide(
            self._observe(state, player),
            self._game.observation_fields.highest_bytes,
            out=self.dict["observation"],
            casting="same_kind",
        )

    def string_from(self, state: Any, player: int) -> str:
        """The observation of the player, for programs."""
        return f"seat {player} | {self._observe(state, player).tobytes().hex()}"

    def _observe(self, state: Any, player: int) -> Any:
        observation, mask = np.empty(1, self._game.observation), np.empty(self._game.num_actions, np.int8)
        self._kernels.observe_one(state.record.reshape(1), player, observation, mask)
        return observation.view(np.uint8)
