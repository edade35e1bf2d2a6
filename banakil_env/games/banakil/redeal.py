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
from banakil_env.core.scratch import scratch
from banakil_env.games.banakil.faces import COPIES, JOKER, NO_FACE, TWO
from banakil_env.games.banakil.moves.dead_ends import cannot_end
from banakil_env.games.banakil.moves.lay_off import takers_of
from banakil_env.games.banakil.state import MAX_SEATS
from banakil_env.kit.pack54 import count_cards, count_of, remove_card
from banakil_env.kit.table_state import CHOOSE, OVER, draw_stock


@compiled
def redeal_hidden(state: Any, seat: int, seed: int) -> None:
    """Deal again, in place, what `seat` cannot see; the generator starts from `seed` (uint64)."""
    seed_generator(state, seed)
    sizes, stock_size = scratch(MAX_SEATS), wide(state.stock_size)
    for other in range(wide(state.num_players)):
        sizes[other] = count_cards(state.hands[other])
        if other != seat:
            _collect_unknown(state, wide(other))
    mix_stock(state, stock_size)
    fill_hands(state, sizes)
    if state.seat != seat:
        renew_ban(state)


@compiled
def shuffle_stock(state: Any, seed: int) -> None:
    """Put the stock in another order that agrees with what is known of the stock; the generator starts from `seed`."""
    seed_generator(state, seed)
    mix_stock(state, wide(state.stock_size))


@compiled
def mix_stock(state: Any, size: int) -> None:
    """Shuffle the cards of the stock; `size` of them stay in it, and the others are dealt next."""
    shuffle(state, state.stock, wide(state.stock_size))
    if state.rules.cutter_takes_wilds and size:
        _put_natural_under(state)


@compiled
def fill_hands(state: Any, sizes: Any) -> None:
    """Deal cards of the stock to the hands until they have these sizes."""
    for seat in range(wide(state.num_players)):
        for _ in range(sizes[seat] - count_cards(state.hands[seat])):
            draw_stock(state, wide(seat))


@compiled
def _collect_unknown(state: Any, seat: int) -> None:
    """Move the cards of a hand that are not known to be there onto the stock."""
    for copy in range(COPIES - 1, -1, -1):  # the second card of a face before the first, so that both are seen
        held = wide(state.hands[seat, copy])
        while held:
            face = lowest(held)
            held &= held - 1
            if count_of(state.hands[seat], face) > count_of(state.known[seat], face):
                remove_card(state.hands[seat], face)
                state.stock[state.stock_size] = face
                state.stock_size += 1


@compiled
def _put_natural_under(state: Any) -> None:
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
    if state.taken == NO_FACE or state.phase == OVER or state.rules.discard_taken:
        return
    seat, face = wide(state.seat), wide(state.taken)
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
    seat = wide(state.seat)
    if state.hands[seat, 0] & ~(wide(1) << state.banned):
        return False
    return not state.melds_of[seat] or cannot_end(state, count_cards(state.hands[seat]), wide(0), wide(state.melds[0]))
