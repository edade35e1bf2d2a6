"""What does a loop over the tables of one game call? The functions of the game, declared here under their names.

A loop that serves every game is a plain function that imports these names; `jit.bind` makes the loop of one game, in
which the names mean the functions of that game. Nothing calls the functions here. Shared code that receives a state
calls a hook of the game instead (`core/hooks.py`), which needs no binding.
"""

from __future__ import annotations

from typing import Any

# Of `core.game.Engine` ------------------------------------------------------------------------------------------------


def start(state: Any, seed: int) -> None:
    """Begin an episode from a seed (uint64)."""
    raise NotImplementedError


def start_episode(state: Any) -> None:
    """Begin an episode from the generator as it stands."""
    raise NotImplementedError


def legal_mask(state: Any, mask: Any) -> None:
    """Write 1 for the legal actions and 0 for the others (int8)."""
    raise NotImplementedError


def apply(state: Any, action: int) -> bool:
    """Carry out an action, in place. False: it is not legal, and nothing has changed."""
    raise NotImplementedError


def carry_out(state: Any, action: int) -> None:
    """Carry out an action known to be legal, in place."""
    raise NotImplementedError


def observe(state: Any, seat: int, out: Any) -> None:
    """Write what a seat sees into a record of the observation."""
    raise NotImplementedError


def seat_to_move(state: Any) -> int:
    """The seat to move, -1 when the episode is over."""
    raise NotImplementedError


def num_seats(state: Any) -> int:
    """How many seats play."""
    raise NotImplementedError


def side_of(state: Any, seat: int) -> int:
    """The side of a seat."""
    raise NotImplementedError


def status(state: Any) -> int:
    """RUNNING, TERMINATED or TRUNCATED."""
    raise NotImplementedError


def reward(state: Any, seat: int, kind: int) -> float:
    """The reward of a seat at the end of an episode, by a kind of reward."""
    raise NotImplementedError


def redeal_hidden(state: Any, seat: int, seed: int) -> None:
    """Deal again, in place, what a seat cannot see."""
    raise NotImplementedError


def check(state: Any) -> int:
    """0, or a place in the game's faults plus 1."""
    raise NotImplementedError


# Of `core.game.Past` --------------------------------------------------------------------------------------------------


def write_events(before: Any, action: int, after: Any, works: Any, at: int, log: Any) -> None:
    """Add what an action did between two states to a log; `works[at]` is work space."""
    raise NotImplementedError


def write_deal(state: Any, log: Any) -> None:
    """Add a deal to a log."""
    raise NotImplementedError


# Of `core.game.Search` and `core.features.Features` -------------------------------------------------------------------


def suppose(seen: Any, seed: int, state: Any) -> None:
    """Write a whole state that agrees with an observation."""
    raise NotImplementedError


def round_of(state: Any) -> None:
    """Make it an episode of one round."""
    raise NotImplementedError


def shuffle_hidden(state: Any, seed: int) -> None:
    """Put what nobody knows in another order: the stock."""
    raise NotImplementedError


def believe(
    state: Any, kinds: Any, likelihoods: Any, exchanges: int, then: Any, observations: Any, mask: Any, dice: Any
) -> None:
    """Change hidden hands towards likely ones."""
    raise NotImplementedError


def write(seen: Any, cells: Any, out: Any, depths: Any) -> None:
    """Write the features of an observation, and the faces of the pile by depth."""
    raise NotImplementedError


# Of compiled players --------------------------------------------------------------------------------------------------


def act(observation: Any, mask: Any, generator: Any) -> int:
    """The action of a compiled player."""
    raise NotImplementedError


def action_of(kind: int, observation: Any, mask: Any, generator: Any) -> int:
    """The action of the compiled player of this kind; -1: there is no such player."""
    raise NotImplementedError


def play_out(state: Any, kind: int, observation: Any, mask: Any, dice: Any) -> None:
    """Let a compiled player move at every seat until the episode is over."""
    raise NotImplementedError
