"""The functions that play a game, the same for every game. Each takes a record of the game's state.

They can be called from compiled code and from Python. Most are hooks (`core/hooks.py`): the dtype of the record selects
the game's implementation. `kit.assembly` fills the hooks with functions from the game's modules.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.game import IN_UNITS
from banakil_env.core.hooks import hook
from banakil_env.core.jit import compiled
from banakil_env.core.masks import count_legal
from banakil_env.core.random import seed_generator
from banakil_env.core.scratch import scratch_bytes

EVERYTHING = -1  # value of `wanted` in `mark` that requests the whole mask

# An episode -----------------------------------------------------------------------------------------------------------


@compiled
def start(state: Any, seed: int) -> None:
    """Begin an episode from a seed (uint64). The record must hold the rules; all other fields are overwritten."""
    seed_generator(state, seed)
    start_episode(state)


@hook
def start_episode(state: Any) -> None:
    """Begin the next episode: deal with the state's random generator as it is now, without a new seed."""
    raise NotImplementedError


@hook
def status(state: Any) -> int:
    """Whether the episode is RUNNING, TERMINATED or TRUNCATED (`core.game`)."""
    raise NotImplementedError


@hook
def reward(state: Any, seat: int, kind: int) -> float:
    """The reward of a seat; `kind` is a value of `core.game.REWARDS`. 0 until the episode is over; higher is better."""
    raise NotImplementedError


@hook
def unit(state: Any) -> int:
    """The value of `Game.unit`, a constant."""
    raise NotImplementedError


@compiled
def scaled_reward(state: Any, seat: int, kind: int) -> float:
    """The reward of a seat in points or in units of the game; `kind` is a result of `core.game.reward_kind`."""
    if kind >= IN_UNITS:
        return reward(state, seat, kind - IN_UNITS) / unit(state)
    return reward(state, seat, kind)


# The seats ------------------------------------------------------------------------------------------------------------


@hook
def num_seats(state: Any) -> int:
    """The number of seats in play."""
    raise NotImplementedError


@hook
def seat_to_move(state: Any) -> int:
    """The seat to move; -1 when the episode is over."""
    raise NotImplementedError


@hook
def side_of(state: Any, seat: int) -> int:
    """The side of a seat. Seats with the same side are partners; by default each seat plays alone."""
    return seat


# The actions ----------------------------------------------------------------------------------------------------------


@hook
def num_actions(state: Any) -> int:
    """The number of actions of the game, a constant."""
    raise NotImplementedError


@hook
def mark(state: Any, mask: Any, wanted: int) -> None:
    """Write 1 for legal actions and 0 for the others; only the entry of the action `wanted` must be correct.

    This is the only place where a game decides what is legal. If the whole mask is slow to compute, a game can leave
    out actions that do not affect the entry of `wanted`. With EVERYTHING, all entries are correct.
    """
    raise NotImplementedError


@compiled
def legal_mask(state: Any, mask: Any) -> None:
    """Write 1 for the legal actions and 0 for the others into `mask`, int8 (actions,)."""
    mark(state, mask, EVERYTHING)


@hook
def carry_out(state: Any, action: int) -> None:
    """Carry out a legal action in place, without checking it."""
    raise NotImplementedError


@compiled
def apply(state: Any, action: int) -> bool:
    """Carry out an action of the seat to move, in place.

    Returns:
        False if the action is illegal; then nothing has changed.
    """
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
    """Write the observation of a seat into the record `out`."""
    raise NotImplementedError


@hook
def redeal_hidden(state: Any, seat: int, seed: int) -> None:
    """Redeal the cards that a seat cannot see at random, in place."""
    raise NotImplementedError


@hook
def check(state: Any) -> int:
    """The fault of a record whose numbers are within their bounds: 0 if there is none, else its index in `Game.faults`
    plus 1.

    Playing on from a state without a fault never accesses memory out of range.
    """
    raise NotImplementedError


# What has happened ----------------------------------------------------------------------------------------------------


@hook
def write_events(before: Any, action: int, after: Any, works: Any, at: int, log: Any) -> None:
    """Add the events of a legal action to a log of `core.history`.

    Args:
        before, after: the states before and after the action.
        action: the action.
        works: state records; the one at index `at` is work space.
        at: an index of `works`.
        log: int64, one row of logs.
    """
    raise NotImplementedError


@hook
def write_deal(state: Any, log: Any) -> None:
    """Add the event of a deal to a log of `core.history` (int64)."""
    raise NotImplementedError


# A search -------------------------------------------------------------------------------------------------------------


@hook
def suppose(seen: Any, seed: int, state: Any) -> None:
    """Write into `state` a complete state that agrees with the observation `seen`; in it seat 0 is the observer.

    The seed deals the hidden cards and then seeds the state's generator.
    """
    raise NotImplementedError


@hook
def round_of(state: Any) -> None:
    """Change the episode so that it ends with the current round."""
    raise NotImplementedError


@hook
def shuffle_hidden(state: Any, seed: int) -> None:
    """Shuffle the cards that no seat knows: the stock."""
    raise NotImplementedError


@hook
def believe(
    state: Any, kinds: Any, likelihoods: Any, exchanges: int, then: Any, observations: Any, mask: Any, dice: Any
) -> None:
    """Change hidden hands to likely ones, by trying exchanges of cards. By default all hands are equally likely.

    Args:
        state: a state with supposed hands, changed in place.
        kinds: int64 (seats,), the compiled player that models each other seat.
        likelihoods: float64 (seats,), the likelihood of each hand, kept between calls; -1 at the start of each chain of
            deals.
        exchanges: number of exchanges to try.
        then, observations, mask, dice: work arrays.
    """
    return
