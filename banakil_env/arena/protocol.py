"""The interface of a player to the arena: it maps observations, masks and dice to actions.

A player sees no state: it gets rows of observations and masks, and returns an action for each row. Its only randomness
is the random bits that come with each row, so the same row always gets the same action, whatever the other rows are and
whichever process calls it. Results therefore do not depend on batches and processes, and a match that was broken off
and continued has the same result.
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
    """Anything that can sit at a table.

    It can also have a method `prepare()`, which the arena calls before the first decision, to compile or to load: this
    does not count as time to think. A player with a true attribute `untimed`, such as a person, has no clock when it
    plays in the process of the match. Players are pickled when they get a process of their own.

    A player that talks, through a server or a function, keeps limits of its own. It has an attribute
    `seconds_a_decision`: the longest time of a decision, which holds instead of the budget of the match. If it gives no
    reply (any kind of failure but `core.failures.REPLIES`), the match stops, and no table is lost.

    What a player plays by is kept with results (`core.identity`). A player whose code, pickled values and files named
    by an attribute `plays_by` do not say it, has a method `identity() -> Identity`.

    A player whose decisions take more than time has a method `figures` (`arena.figures`): replies, tokens, cost.

    A player that can say what it thinks of the legal actions has a method `explain(observation, mask, dice) ->
    Explanation`, about one decision: uint8 (bytes,), int8 (actions,), and 64 random bits. `banakil ask` shows it.

    Attributes:
        name: how tables and reports call it, such as `greedy` or `search:1s`.
    """

    name: str

    def act(
        self,
        observations: npt.NDArray[np.uint8],
        masks: npt.NDArray[np.int8],
        dice: npt.NDArray[np.uint64],
    ) -> npt.NDArray[np.int64]:
        """One legal action for each row.

        Args:
            observations: (k, bytes of the observation) uint8, each of the seat to move at a different table.
            masks: (k, actions) int8, 1 for a legal action.
            dice: (k,) uint64, 64 random bits for each row: the only source of chance.

        Returns:
            (k,) whole numbers, the index of a legal action in each row.
        """
        ...


@dataclass(frozen=True)
class Explanation:
    """A player's view of one decision. It leaves out what the player cannot give.

    Attributes:
        action: what `act` would answer, given the same row.
        probabilities: by legal action, how likely its policy takes the action; the sum is 1.
        margins: by action, the margin in points that it expects for the side to move. Actions that it did not try are
            left out.
        value: the return that it expects, in the units in which it was trained.
        basis: what the figures rest on, in words, such as how hidden hands were inferred; "": it does not say.
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
