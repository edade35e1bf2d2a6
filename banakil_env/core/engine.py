"""The functions that play a game: the same for every game, over one record of its state.

Each is called like an ordinary function, from compiled code and from Python, and does what the game of the record does:
most are hooks (`core/hooks.py`). `kit.assembly` fills them in with the functions of the game's modules.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.game import IN_UNITS
from banakil_env.core.hooks import hook
from banakil_env.core.jit import compiled
from banakil_env.core.masks import count_legal
from banakil_env.core.random import seed_generator
from banakil_env.core.scratch import scratch_bytes

EVERYTHING = -1  # of `mark`: the whole mask is wanted, not one action

# An episode -----------------------------------------------------------------------------------------------------------


@compiled
def start(state: Any, seed: int) -> None:
    """Begin an episode from a seed (uint64). The record holds the rules; everything else is written."""
    seed_generator(state, seed)
    start_episode(state)


@hook
def start_episode(state: Any) -> None:
    """Begin the next episode from the generator as it stands."""
    raise NotImplementedError


@hook
def status(state: Any) -> int:
    """RUNNING, TERMINATED or TRUNCATED (`core.game`)."""
    raise NotImplementedError


@hook
def reward(state: Any, seat: int, kind: int) -> float:
    """The reward of a seat, by a kind of `core.game.REWARDS`: 0 until the episode is over; higher is better."""
    raise NotImplementedError


@hook
def unit(state: Any) -> int:
    """`Game.unit`, a constant."""
    raise NotImplementedError


@compiled
def scaled_reward(state: Any, seat: int, kind: int) -> float:
    """The reward of a seat by a kind of `core.game.reward_kind`: in points, or in units of the game."""
    if kind >= IN_UNITS:
        return reward(state, seat, kind - IN_UNITS) / unit(state)
    return reward(state, seat, kind)


# The seats ------------------------------------------------------------------------------------------------------------


@hook
def num_seats(state: Any) -> int:
    """The number of seats that play."""
    raise NotImplementedError


@hook
def seat_to_move(state: Any) -> int:
    """The seat to move, -1 when the episode is over."""
    raise NotImplementedError


@hook
def side_of(state: Any, seat: int) -> int:
    """The side of a seat; seats with the same side are partners. By default everybody plays alone."""
    return seat


# The actions ----------------------------------------------------------------------------------------------------------


@hook
def num_actions(state: Any) -> int:
    """The number of actions of the game, a constant."""
    raise NotImplementedError


@hook
def mark(state: Any, mask: Any, wanted: int) -> None:
    """Write 1 for the legal actions and 0 for the others, as far as they concern the action `wanted`.

    The one source of what is legal. A game whose whole mask is slow to compute can leave out actions that do not
    concern `wanted`; with EVERYTHING it leaves nothing out.
    """
    raise NotImplementedError


@compiled
def legal_mask(state: Any, mask: Any) -> None:
    """Write 1 for the legal actions and 0 for the others (int8, one per action)."""
    mark(state, mask, EVERYTHING)


@hook
def carry_out(state: Any, action: int) -> None:
    """Carry out an action known to be legal, in place."""
    raise NotImplementedError


@compiled
def apply(state: Any, action: int) -> bool:
    """Carry out an action of the seat to move, in place. False: it is not legal, and nothing has changed."""
    mask = scratch_bytes(num_actions(state))
    if not 0 <= action < mask.shape[0]:
        return False
    mark(state, mask, action)
    if not mask[action]:
        return False
    carry_out(state, action)
    return True


@compiled
def count_actions(state: Any) -> int:
    """The number of legal actions."""
    mask = scratch_bytes(num_actions(state))
    legal_mask(state, mask)
    return count_legal(mask)


# What a seat sees -----------------------------------------------------------------------------------------------------


@hook
def observe(state: Any, seat: int, out: Any) -> None:
    """Write the observation of a seat into a record."""
    raise NotImplementedError


@hook
def redeal_hidden(state: Any, seat: int, seed: int) -> None:
    """Deal the cards that a seat cannot see again, in place."""
    raise NotImplementedError


@hook
def check(state: Any) -> int:
    """0, or a place in `Game.faults` plus 1: the fault of a record whose numbers are all within their bounds.

    A state that passes can be played on without an access out of range.
    """
    raise NotImplementedError


# What has happened ----------------------------------------------------------------------------------------------------


@hook
def write_events(before: Any, action: int, after: Any, works: Any, at: int, log: Any) -> None:
    """Add the events of a legal action between two states to a log of `core.history`, an array of int64.

    Args:
        works: records of a state; the one at `at` is work space.
    """
    raise NotImplementedError


@hook
def write_deal(state: Any, log: Any) -> None:
    """Add a deal to a log."""
    raise NotImplementedError


# A search -------------------------------------------------------------------------------------------------------------


@hook
def suppose(seen: Any, seed: int, state: Any) -> None:
    """Write a whole state that agrees with an observation; in it seat 0 is the observer.

    The seed deals the hidden cards and becomes the generator.
    """
    raise NotImplementedError


@hook
def round_of(state: Any) -> None:
    """Change the episode to a single round, to be played to its end."""
    raise NotImplementedError


@hook
def shuffle_hidden(state: Any, seed: int) -> None:
    """Shuffle the cards that nobody knows: the stock."""
    raise NotImplementedError


@hook
def believe(
    state: Any, kinds: Any, likelihoods: Any, exchanges: int, then: Any, observations: Any, mask: Any, dice: Any
) -> None:
    """Change hidden hands towards likely ones by trying this number of exchanges. By default all are equally likely.

    Args:
        kinds: int64, the compiled player that models each other seat. likelihoods: float64, one number per seat, kept
            between calls; -1 at the start of each chain of deals. then, observations, mask, dice: work arrays.
    """
    return
