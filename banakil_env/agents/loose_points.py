"""The points of the loose cards of a hand: how far it is from being melded, as the first guess of a value in training.

A policy that waits for a rare prize learns nothing while nobody wins it: values stay at zero, and no decision looks
better than another. A learner can begin its values at a guess instead, here that loose cards cost points. To add a
function of the state to the values is the same as to shape the rewards by its differences (Wiewiora, arXiv 1106.5267),
which changes no optimal policy (Ng, Harada and Russell, ICML 1999).
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from banakil_env.agents.sparse import Sparse
from banakil_env.core.features import Features, first_of
from banakil_env.core.game import Game

_NO_DISCARD = -1


class LoosePoints:
    """The points of the loose cards that the last discard left in each hand, by table and seat; 0 before the first.

    A discard without columns, such as that of a wild card, changes nothing. In a match the points of a hand stay until
    the first discard of the next.

    Attributes:
        weight: what 50 of these points cost, as a part of a return. points: float32 (tables, seats), in units of 50.
    """

    def __init__(self, game: Game, layout: Features, tables: int, weight: float) -> None:
        """layout: the columns with rests (`Features.with_rests`), or others if the weight is 0.

        ValueError: these columns do not show what a discard leaves.
        """
        self.weight, self.points = weight, np.zeros((tables, game.max_seats), np.float32)
        self._column = np.full(game.num_actions, _NO_DISCARD, np.int64)  # of each discard, the column of its rest
        if not weight:
            return
        rest = next((group for group in layout.columns if group.name == "rest_points"), None)
        if rest is None:
            raise ValueError(
                f"potential {weight:g} needs columns of what a discard leaves: a game that has them, and rests"
            )
        [discards] = [block for block in game.actions.blocks if block.name == "discard"]
        column = first_of(layout.columns)[rest.name]
        for action, faces in enumerate(discards.cards, game.actions.first(discards.name)):
            if len(faces) == 1 and faces[0] < rest.count:
                self._column[action] = column + faces[0]

    def guess(self, seats: npt.NDArray[np.int64]) -> npt.NDArray[np.float32]:
        """The guessed return of a seat at every table, float32 (tables,)."""
        return -self.weight * self.points[np.arange(len(seats)), seats]

    def follow(self, features: Sparse, seats: npt.NDArray[np.int64], actions: npt.NDArray[np.int64]) -> None:
        """Take note of an action at every table, from what its seat saw before it."""
        if not self.weight:  # every guess is zero
            return
        tables = np.flatnonzero(self._column[actions] != _NO_DISCARD)
        rows = features.rows[tables]
        found = features.columns[rows] == self._column[actions[tables], None]
        found &= np.arange(features.room) < features.lengths[rows, None]
        self.points[tables, seats[tables]] = (features.values[rows] * found).sum(1)
