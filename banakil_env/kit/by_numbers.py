"""Two players that share their decisions: `greedy` plays by numbers chosen by hand, `expert` by fitted ones.

The module `greedy` of a game declares the numbers (`PARAMETERS`), decides with a row of them (`decide`), and says which
row is for a table (`row_of`). The fitted numbers are in the file expert.toml of the game: `python -m train.fit`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from banakil_env.core.game import Act
from banakil_env.core.jit import bind, compiled
from banakil_env.core.parameters import Parameters


class NumbersModule(Protocol):
    """`greedy.py` of a game whose two players differ in their numbers alone."""

    @property
    def PARAMETERS(self) -> Parameters: ...

    def decide(self, seen: Any, mask: Any, values: Any, /) -> int: ...
    def row_of(self, seen: Any, /) -> int: ...


@dataclass(frozen=True)
class ByNumbers:
    """A player with its numbers, as `assemble` takes it."""

    PARAMETERS: Parameters
    act: Act
    decide: Act


def by_numbers(game: str, module: NumbersModule) -> tuple[ByNumbers, ByNumbers]:
    """The players `greedy` and `expert` of a game.

    Args:
        game: its name, for the names in the machine code.
    """
    parameters, decide = module.PARAMETERS, module.decide
    by_hand = bind(_act, f"{game}_greedy", decide=decide, row_of=only_row, NUMBERS=parameters.starts)
    fitted = bind(_act, f"{game}_expert", decide=decide, row_of=module.row_of, NUMBERS=parameters.values)
    return ByNumbers(parameters, by_hand, decide), ByNumbers(parameters, fitted, decide)


@compiled
def only_row(seen: Any) -> int:
    """Row 0, for games with the same numbers at every table."""
    return 0


@compiled
def two_or_more(seen: Any) -> int:
    """Row 0 for two players, row 1 for more."""
    return 0 if seen.num_players == 2 else 1


# What `_act` is bound to: the functions of a game, and one of its two arrays of numbers.
NUMBERS = np.zeros(0)


def decide(seen: Any, mask: Any, values: Any) -> int:
    """The action of the player whose parameters are `values`."""
    raise NotImplementedError


def row_of(seen: Any) -> int:
    """The row of parameters for this table."""
    raise NotImplementedError


def _act(seen: Any, mask: Any, generator: Any) -> int:
    """The action of the seat to move; deterministic."""
    return decide(seen, mask, NUMBERS[row_of(seen)])
