"""What could the hidden cards be? Another deal of them that looks the same from one seat.

Hands of the others and the stock are dealt anew, uniformly among the deals that agree with what everybody has seen.
Cards that are known to be in a hand stay there. It is what a search must use instead of the state, and what proves
that nothing leaks.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import lowest, wide
from banakil_env.core.jit import compiled
from banakil_env.core.random import random_below, seed_generator, shuffle
from banakil_env.games.banakil.faces import COPIES, NO_FACE, TWO
from banakil_env.games.banakil.state import OVER, count_in_hand, enter_hand, to_move
from banakil_env.kit.table_state import pop_stock


@compiled
def redeal_hidden(state: Any, seat: int, seed: int) -> None:
    """Deal what `seat` cannot see anew, in place; the generator starts from `seed` (uint64)."""
    seed_generator(state, seed)
    stock_size = wide(state.stock_size)
    for other in range(wide(state.num_players)):
        if other != seat:
            _collect_unknown(state, other)
    shuffle(state, state.stock, wide(state.stock_size))
    if state.cutter_takes_wilds and stock_size:
        put_natural_under(state)
    for other in range(wide(state.num_players)):
        if other != seat:
            missing = state.hand_size[other]
            for copy in range(COPIES):
                held = state.hands[other, copy]
                while held:
                    missing -= 1
                    held &= held - 1
            state.hand_size[other] -= missing
            for _ in range(missing):
                enter_hand(state, other, pop_stock(state), False)
    if to_move(state) != seat and state.taken != NO_FACE and state.phase != OVER and not state.discard_taken:
        renew_ban(state)


@compiled
def shuffle_stock(state: Any, seed: int) -> None:
    """Put the stock alone in another order that agrees with what is known of it; the generator starts from `seed`."""
    seed_generator(state, seed)
    shuffle(state, state.stock, wide(state.stock_size))
    if state.cutter_takes_wilds and state.stock_size:
        put_natural_under(state)


@compiled
def _collect_unknown(state: Any, seat: int) -> None:
    """Move the cards of a hand that are not known to be there onto the stock; hand_size keeps what is owed."""
    for copy in range(COPIES - 1, -1, -1):  # the second card of a face before the first, so that both are seen
        held = state.hands[seat, copy]
        while held:
            face = lowest(held)
            held &= held - 1
            if count_in_hand(state, seat, face) > _count_known(state, seat, face):
                bit = wide(1) << face
                state.hands[seat, 1 if state.hands[seat, 1] & bit else 0] &= ~bit
                state.stock[state.stock_size] = face
                state.stock_size += 1


@compiled
def _count_known(state: Any, seat: int, face: int) -> int:
    return (state.known[seat, 0] >> face & 1) + (state.known[seat, 1] >> face & 1)


@compiled
def put_natural_under(state: Any) -> None:
    """B9.2: everybody knows that the lowest card of the stock is no wild card."""
    if state.stock[0] < TWO:
        return
    naturals = wide(0)
    for i in range(wide(state.stock_size)):
        naturals += state.stock[i] < TWO
    if not naturals:
        return
    skip = random_below(state, naturals)
    for i in range(wide(state.stock_size)):
        if state.stock[i] < TWO:
            if skip == 0:
                state.stock[0], state.stock[i] = state.stock[i], state.stock[0]
                return
            skip -= 1


@compiled
def renew_ban(state: Any) -> None:
    """B2.4 for the new hand: the card taken is banned unless the hand held another of its face before."""
    seat, face = to_move(state), wide(state.taken)
    held_before = count_in_hand(state, seat, face) > _count_known(state, seat, face)
    state.banned = NO_FACE if held_before else face
