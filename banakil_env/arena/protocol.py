"""The interface of a player to the arena: it maps observations, masks and dice to actions.

A player sees no state: it gets rows of observations and masks, and returns an action for each row. Its only randomness
is the random bits that come with each row. The same row therefore always gets the same action, whatever the other rows
are and whichever process calls the player. Results do not depend on batches and processes, and a match that was
interrupted and continued has the same result.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from banakil_env.arena.statistics import Interval
from banakil_env.core.game import Game


@runtime_checkable
class Player(Protocol):
    """A player of the arena: a name, and a method `act` that maps rows to actions.

    All other methods and attributes are optional. The arena calls `prepare()` before the first decision, so that a
    player can compile or load; this time does not count. A player with a true attribute `untimed`, such as a person,
    has no time limit when it plays in the process of the match. Players are pickled when they get a separate process.

    A player that talks, through a server or a function, has its own time limit: the attribute `seconds_a_decision`
    replaces the budget of the match. If such a player gives no reply (any kind of failure except
    `core.failures.REPLIES`), the match stops and no table is lost.

    Results store the identity of each player (`core.identity`). If the code, the pickled values and the files in an
    attribute `plays_by` do not determine the behavior of a player, it needs a method `identity() -> Identity`.

    A player that reports costs of its decisions, such as replies and tokens, has a method `figures` (`arena.figures`).

    A player that can evaluate the legal actions has a method `explain(observation, mask, dice) -> Explanation` for one
    decision. The arguments are uint8 (bytes,), int8 (actions,), and 64 random bits. `banakil ask` shows the
    explanation.

    Attributes:
        name: the name in tables and reports, such as `greedy` or `search:1s`.
    """

    name: str

    def act(
        self,
        observations: npt.NDArray[np.uint8],
        masks: npt.NDArray[np.int8],
        dice: npt.NDArray[np.uint64],
    ) -> npt.NDArray[np.int64]:
        """Choose one legal action for each row.

        Args:
            observations: (k, bytes of the observation) uint8, each of the seat to move at a different table.
            masks: (k, actions) int8, 1 for a legal action.
            dice: (k,) uint64, 64 random bits for each row: the only source of randomness.

        Returns:
            (k,) integers, the index of a legal action in each row.
        """
        ...


@dataclass(frozen=True)
class Explanation:
    """A player's evaluation of one decision. Values that the player cannot give are left out.

    Attributes:
        action: the answer of `act` for the same row.
        probabilities: by legal action, the probability that the policy takes it; the sum is 1.
        margins: by action, the expected margin in points for the side to move. Actions that the player did not try are
            left out.
        value: the expected return, in the units in which the player was trained.
        basis: how the figures were found, in words, such as how hidden hands were inferred; "" if unknown.
    """

    action: int
    probabilities: Mapping[int, float] = field(default_factory=dict)
    margins: Mapping[int, Interval] = field(default_factory=dict)
    value: float | None = None
    basis: str = ""


def check_asked(game: Game, observations: Any, masks: Any, dice: Any) -> None:
    """Check the arguments of `Player.act`, for players that pass the rows to compiled code, which trusts the shapes.

    Raises:
        ValueError: the arrays have other shapes or types.
    """
    count = len(observations)
    for name, array, dtype, shape in (
        ("observations", observations, np.uint8, (count, game.observation.itemsize)),
        ("masks", masks, np.int8, (count, game.num_actions)),
        ("dice", dice, np.uint64, (count,)),
    ):
        if array.shape != shape or array.dtype != dtype:
            hint = '; environments show them with observation="record"' if name == "observations" else ""
            raise ValueError(
                f"{name} must be {dtype.__name__} of shape {shape}, not {array.dtype} of {array.shape}{hint}"
            )
