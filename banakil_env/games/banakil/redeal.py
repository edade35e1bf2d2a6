"""What could the hidden cards be? Another deal of them that looks the same from one seat.

The hands of the others and the stock are dealt again, uniformly among the deals that agree with what everybody has
seen. Cards that are known to be in a hand stay there. A search must use such a deal instead of the state, and tests use
it to prove that nothing leaks.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import lowest, wide
from banakil_env.core.jit import compiled
from banakil_env.core.random import random_below, seed_generator, shuffle
from banakil_env.games.banakil.faces import COPIES, JOKER, NO_FACE, TWO
from banakil_env.games.banakil.moves.dead_ends import cannot_end
from banakil_env.games.banakil.moves.lay_off import takers_of
from banakil_env.games.banakil.state import enter_hand, meld_in, to_move
from banakil_env.kit.pack54 import count_of
from banakil_env.kit.table_state import CHOOSE, OVER, pop_stock


@compiled
def redeal_hidden(state: Any, seat: int, seed: int) -> None:
    """Deal again, in place, what `seat` cannot see; the generator starts from `seed` (uint64)."""
    seed_generator(state, seed)
    stock_size = wide(state.stock_size)
    for other in range(wide(state.num_players)):
        if other != seat:
            _collect_unknown(state, other)
    shuffle(state, state.stock, wide(state.stock_size))
    if state.rules.cutter_takes_wilds and stock_size:
        put_natural_under(state)
    for other in range(wide(state.num_players)):
        if other != seat:
            missing = wide(state.hand_size[other])
            for copy in range(COPIES):
                held = wide(state.hands[other, copy])
                while held:
                    missing -= 1
                    held &= held - 1
            state.hand_size[other] -= missing
            for _ in range(missing):
                enter_hand(state, other, pop_stock(state), False)
    if to_move(state) != seat and state.taken != NO_FACE and state.phase != OVER and not state.rules.discard_taken:
        renew_ban(state)


@compiled
def shuffle_stock(state: Any, seed: int) -> None:
    """Put the stock in another order that agrees with what is known of the stock; the generator starts from `seed`."""
    seed_generator(state, seed)
    shuffle(state, state.stock, wide(state.stock_size))
    if state.rules.cutter_takes_wilds and state.stock_size:
        put_natural_under(state)


@compiled
def _collect_unknown(state: Any, seat: int) -> None:
    """Move the cards of a hand that are not known to be there onto the stock; hand_size keeps the number to deal."""
    for copy in range(COPIES - 1, -1, -1):  # the second card of a face before the first, so that both are seen
        held = state.hands[seat, copy]
        while held:
            face = lowest(held)
            held &= held - 1
            if count_of(state.hands[seat], face) > count_of(state.known[seat], face):
                bit = wide(1) << face
                state.hands[seat, 1 if state.hands[seat, 1] & bit else 0] &= ~bit
                state.stock[state.stock_size] = face
                state.stock_size += 1


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
    """B2.4 for the new hand: the card taken is banned unless the hand held another of its face before.

    If both cards of the face are known to be in the hand, it held another: only one was taken. The second Joker may
    have come by an exchange in this turn. If the public cards leave only a ban with which the turn could not be ended
    (B2.5), no card is banned: a card of the face that was held before has been played in this turn.
    """
    seat, face = to_move(state), wide(state.taken)
    known = count_of(state.known[seat], face)
    held_before = count_of(state.hands[seat], face) > known
    held_before |= known == COPIES and not (face == JOKER and state.played)
    state.banned = NO_FACE if held_before else face
    if not held_before and _is_stuck(state):
        state.banned = NO_FACE


@compiled
def _is_stuck(state: Any) -> bool:
    """Whether the ban leaves the seat to move no action: neither the cards left nor the named card can be laid."""
    if state.phase == CHOOSE:
        return takers_of(state, wide(state.pending)) == 0
    seat = to_move(state)
    if state.hands[seat, 0] & ~(wide(1) << state.banned):
        return False
    return not state.melds_of[seat] or cannot_end(state, wide(state.hand_size[seat]), wide(0), meld_in(state, wide(0)))
