"""Makes the players `greedy` and `expert` of a game from one decision function with two sets of parameters.

The module `greedy` of the game declares the parameters (`PARAMETERS`), the decision function (`decide`) and the row of
parameters for a table (`row_of`). `greedy` plays with values chosen by hand, `expert` with fitted values from the
game's file expert.toml (`python -m train.fit`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from banakil_env.core.game import Act
from banakil_env.core.jit import bind, compiled
from banakil_env.core.parameters import Parameters


class NumbersModule(Protocol):
    """The module `greedy.py` of a game whose two players differ only in their parameters."""

    @property
    def PARAMETERS(self) -> Parameters: ...

    def decide(self, seen: Any, mask: Any, values: Any, /) -> int: ...
    def row_of(self, seen: Any, /) -> int: ...


@dataclass(frozen=True)
class ByNumbers:
    """A player with its parameters, in the form that `assemble` reads."""

    PARAMETERS: Parameters
    act: Act
    decide: Act


def by_numbers(game: str, module: NumbersModule) -> tuple[ByNumbers, ByNumbers]:
    """Make the players `greedy` and `expert` of a game.

    Args:
        game: the name of the game; it becomes a part of the names of the compiled functions.
    """
    parameters, decide = module.PARAMETERS, module.decide
    by_hand = bind(_act, f"{game}_greedy", decide=decide, row_of=only_row, NUMBERS=parameters.starts)
    fitted = bind(_act, f"{game}_expert", decide=decide, row_of=module.row_of, NUMBERS=parameters.values)
    return ByNumbers(parameters, by_hand, decide), ByNumbers(parameters, fitted, decide)


@compiled
def only_row(seen: Any) -> int:
    """Row 0: the parameters are the same at every table."""
    return 0


@compiled
def two_or_more(seen: Any) -> int:
    """Row 0 for a table of two players, row 1 for a table of more."""
    return 0 if seen.num_players == 2 else 1


# Names that `bind` replaces in `_act`: the functions of a game, and one of its two arrays of parameters.
NUMBERS = np.zeros(0)


def decide(seen: Any, mask: Any, values: Any) -> int:
    """The action of the player with the parameters `values`."""
    raise NotImplementedError


def row_of(seen: Any) -> int:
    """The row of parameters for the table of an observation."""
    raise NotImplementedError


def _act(seen: Any, mask: Any, generator: Any) -> int:
    """The action for an observation; deterministic."""
    return decide(seen, mask, NUMBERS[row_of(seen)])
