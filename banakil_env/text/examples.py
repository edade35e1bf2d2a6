"""The example of a reply in the prompt: a turn that was played at a table with the same rules.

The turn comes from play with a fixed seed, so each of its moves was legal when it was made, and every table with the
same rules and options has the same example. It gives no information about the cards of the table in the prompt.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.game import Game
from banakil_env.core.kernels import OVER, kernels_of, legal_actions
from banakil_env.kit.plain import Plain
from banakil_env.text.events import REVEALING

_DEALS, _MOVES = 4, 60  # number of deals that are searched for an example; number of moves of each deal
_MOST = 4  # moves of an example
_FIRST = {"open": 3, "take": 2, "add": 2, "draw": 0}  # preference of moves by verb; 1 for all other verbs


@dataclass(frozen=True)
class Example:
    """Consecutive moves of one seat that a single reply can name.

    Attributes:
        state: the state before the first move, as bytes.
        actions: the moves.
        text: the same moves as text, with `;` between them.
    """

    state: bytes
    actions: tuple[int, ...]
    text: str


def example_for(game: Game, state: Any) -> Example:
    """The example for the table of a state. It depends only on the rules and the options of the table."""
    return _example(game, _dealt(game, state, 0).tobytes())


@functools.lru_cache(maxsize=256)
def _example(game: Game, table: bytes) -> Example:
    """The first turn of several moves that opens a meld; without such a turn, the first of the longest turns."""
    has_melds = any(text.startswith("open ") for text in game.actions.texts)
    best, worth = Example(table, (), ""), (False, 0)
    for turn in _turns(game, table):
        found = "open " in turn.text, len(turn.actions)
        if found > worth:
            best, worth = turn, found
        if len(best.actions) > 1 and worth[0] == has_melds:
            break
    return best


def _turns(game: Game, table: bytes) -> Iterator[Example]:
    """Yield turns of random play that prefers melds. A turn is cut off where hidden cards are revealed."""
    for seed in range(_DEALS):
        dice = random.Random(f"example {seed}")
        states = _dealt(game, np.frombuffer(table, game.state)[0], seed)
        seat = Plain(game).seat_to_move(states[0])
        before, said = states.copy(), list[int]()
        for _ in range(_MOVES):
            action = max(legal_actions(game, states[0]), key=lambda each: (_preference(game, each), dice.random()))
            after = states.copy()
            next_seat = kernels_of(game).apply_one(after, action)
            said.append(action)
            revealed = any(event.kind in REVEALING for event in game.events(states[0], action, after[0]))
            states = after
            if revealed or next_seat != seat or len(said) == _MOST:
                yield Example(before.tobytes(), tuple(said), "; ".join(map(game.actions.text, said)))
                before, said, seat = states.copy(), [], next_seat
            if next_seat == OVER:
                break


def _preference(game: Game, action: int) -> int:
    return _FIRST.get(game.actions[action].verb, 1)


def _dealt(game: Game, state: Any, seed: int) -> npt.NDArray[Any]:
    """A new deal at the table of a state, as an array of one state."""
    states = np.asarray(state).reshape(1).copy()
    kernels_of(game).start_one(states, seed)
    return states
