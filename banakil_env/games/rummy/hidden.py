"""What could the hidden cards be? As in `kit/hidden.py`, and a seat that goes rummy can get rid of its hand (R7.2)."""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import wide
from banakil_env.core.jit import compiled
from banakil_env.core.random import random_bits, seed_generator, shuffle
from banakil_env.core.scratch import scratch
from banakil_env.games.rummy.moves import can_go_on, goes_rummy
from banakil_env.games.rummy.state import MAX_SEATS
from banakil_env.kit import hidden
from banakil_env.kit.pack52 import NUM_FACES

# Deals to try. With more than a few cards to get rid of, few deals are possible ones.
TRIES = 1000


@compiled
def _deal_until_possible(state: Any, seat: int, seed: int) -> bool:
    """Deal what `seat` cannot see until the seat to move has a legal action; False: not found."""
    hidden.redeal_hidden(state, seat, seed)
    if state.seat == seat or not goes_rummy(state, wide(state.opened)):
        return True
    for _ in range(TRIES):
        if can_go_on(state):
            return True
        hidden.redeal_hidden(state, seat, random_bits(state))
    return False


@compiled
def redeal_hidden(state: Any, seat: int, seed: int) -> None:
    """Deal what `seat` cannot see anew, in place; see `core.game.Engine`. If no other deal is found, it stays."""
    hands, stock = scratch(MAX_SEATS), scratch(NUM_FACES)
    hidden.note_cards(state, hands, stock)
    if not _deal_until_possible(state, seat, seed):
        hidden.put_back(state, hands, stock)


@compiled
def shuffle_stock(state: Any, seed: int) -> None:
    """Put the stock in another order unless that is public (R3.4); the generator starts from `seed` (uint64)."""
    seed_generator(state, seed)
    if not state.seen:
        shuffle(state, state.stock, wide(state.stock_size))


@compiled
def suppose(seen: Any, seed: int, state: Any) -> None:
    """A whole state that agrees with an observation; see `core.game.Search`.

    If another seat goes rummy and no hand is found with which it can, it is in an ordinary turn instead.
    """
    hidden.suppose_common(seen, seed, state)
    if not _deal_until_possible(state, wide(0), random_bits(state)):
        state.opened, state.in_one_turn = 1, 0
