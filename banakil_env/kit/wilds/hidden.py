"""What could the hidden cards be? Another deal of them that looks the same from one seat.

For games with the fields of `wilds.table`. The other hands and the stock are dealt again, each deal that agrees with
what everybody has seen as likely as the others. Cards that are known to be in a hand stay there. Where a seat has to
play a card that it took, or has named one, deals in which it cannot go on are dealt again. The functions are bound to
what a game says of its cards.
"""

# The names left open, which `bind` fills in.
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banakil_env.core.bits import lowest, wide
from banakil_env.core.jit import bind, compiled
from banakil_env.core.random import random_bits, seed_generator, shuffle
from banakil_env.core.scratch import scratch
from banakil_env.kit.melds.wild_melds import NUM_PLACES, RUN, SET, meld_of, places_in
from banakil_env.kit.other_deals import redeal_or_leave, suppose_round
from banakil_env.kit.pack52 import NUM_RANKS
from banakil_env.kit.pack54 import LAYERS, MAX_CARDS, NUM_FACES, add_card, count_cards, count_of, has_card
from banakil_env.kit.seen import RUN as SEEN_RUN
from banakil_env.kit.table_state import PLAY
from banakil_env.kit.wilds.seen import HIGH_END
from banakil_env.kit.wilds.table import NO_FACE, NOTHING, begin_turn, clear_table

MOST_SEATS = 8

# Deals to try until a seat can play what it has to. With two other cards in its hand, one deal in fifty will do.
TRIES = 1000


def _keep_fixed(state: Any, seat: int) -> None:
    """Leave in a hand what everybody knows there: known cards, and those that have to be played or wait for a meld."""
    for layer in range(LAYERS):
        state.hands[seat, layer] = state.known[seat, layer]
    if seat == state.seat:
        for face in (wide(state.must), named_face(state)):
            if face != NO_FACE and not has_card(state.hands[seat], face):
                add_card(state.hands[seat], face)


@compiled
def _fill_hands(state: Any, pool: Any, size: int, sizes: Any) -> None:
    """Deal cards of the pool to every hand that has fewer than `sizes` says; the rest is the stock."""
    shuffle(state, pool, size)
    for seat in range(wide(state.num_players)):
        for _ in range(sizes[seat] - count_cards(state.hands[seat])):
            size -= 1
            add_card(state.hands[seat], wide(pool[size]))
    for i in range(size):
        state.stock[i] = pool[i]


def _deal_anew(state: Any, seat: int) -> None:
    """Deal the stock, and the cards of all hands but one that nobody knows there."""
    pool, size, sizes, before = scratch(MAX_CARDS), wide(0), scratch(MOST_SEATS), scratch(NUM_FACES)
    for i in range(wide(state.stock_size)):
        pool[size] = state.stock[i]
        size += 1
    for other in range(wide(state.num_players)):
        sizes[other] = count_cards(state.hands[other])
        if other != seat:
            for face in range(NUM_FACES):
                before[face] = count_of(state.hands[other], face)
            keep_fixed(state, other)
            for face in range(NUM_FACES):
                for _ in range(before[face] - count_of(state.hands[other], face)):
                    pool[size] = face
                    size += 1
    _fill_hands(state, pool, size, sizes)


@compiled
def is_bound(state: Any) -> bool:
    """Whether the seat to move has to play a card, or has named one that waits for its meld."""
    return state.must != NO_FACE or state.named != NOTHING


def _deal_until_possible(state: Any, seat: int) -> bool:
    """Deal until the seat to move can go on with what it has to play or has named; False: not found."""
    for _ in range(TRIES):
        deal_anew(state, seat)
        if state.seat == seat or not is_bound(state) or can_go_on(state):
            return True
    return False


def _suppose(seen: Any, seed: int, state: Any) -> None:
    """A whole state that agrees with an observation of a game that goes on; see `core.game.Search`.

    The points of rounds before are zero. If no hand is found with which the seat to move can go on with what it has
    to play or has named, it does not have to.
    """
    seed_generator(state, seed)
    clear_table(state)
    _suppose_turn(seen, state)
    _suppose_melds(seen, state)
    copy_own(seen, state)
    left, sizes = scratch(NUM_FACES), scratch(MOST_SEATS)
    for face in range(NUM_FACES):
        left[face] = copies_of(state, face)
    for slot in range(wide(state.num_melds)):
        places = places_in(wide(state.melds[slot]))
        while places:
            left[card_at(state, slot, lowest(places))] -= 1
            places &= places - 1
    _suppose_cards(seen, state, left)
    pool, size = scratch(MAX_CARDS), wide(0)
    for place in range(wide(state.num_players)):
        sizes[place] = seen.hand_size[place]
        if place:
            keep_fixed(state, place)
            for face in range(NUM_FACES):
                left[face] -= count_of(state.hands[place], face)
    for face in range(NUM_FACES):
        for _ in range(left[face]):
            pool[size] = face
            size += 1
    state.stock_size = seen.stock_size
    _fill_hands(state, pool, size, sizes)
    if state.seat and is_bound(state) and not can_go_on(state) and not deal_until_possible(state, wide(0)):
        begin_turn(state, wide(state.seat), wide(PLAY))
    state.rng = random_bits(state)


@compiled
def _suppose_turn(seen: Any, state: Any) -> None:
    suppose_round(seen, state)
    state.must = seen.must - 1 if seen.must else NO_FACE
    state.named = seen.named - 1 + (seen.named_end == HIGH_END) if seen.named else NOTHING


@compiled
def _suppose_melds(seen: Any, state: Any) -> None:
    for slot in range(seen.meld_kind.shape[0]):
        if seen.meld_kind[slot]:
            places, wilds = wide(0), wide(0)
            for place in range(NUM_PLACES):
                cell = wide(seen.meld_cells[slot, place])
                places |= wide(cell != 0) << place
                wilds |= wide(cell != 0 and cell & 1 == 0) << place
            low = wide(seen.meld_low[slot]) - 1
            kind = RUN + low // NUM_RANKS if seen.meld_kind[slot] == SEEN_RUN else SET + low % NUM_RANKS
            state.melds[slot] = meld_of(kind, places, wilds)
            state.meld_owner[slot] = seen.meld_owner[slot] - 1
            state.num_melds = slot + 1


@compiled
def _suppose_cards(seen: Any, state: Any, left: Any) -> None:
    """The own hand, known cards and the pile; what is not `left` any more."""
    state.pile_size = seen.pile_size
    for face in range(NUM_FACES):
        for _ in range(wide(seen.hand[face])):
            add_card(state.hands[0], wide(face))
            left[face] -= 1
        for place in range(seen.known.shape[0]):
            for _ in range(wide(seen.known[place, face])):
                add_card(state.known[place], wide(face))
        for copy in range(LAYERS):
            if seen.pile[face, copy]:
                state.pile[state.pile_size - seen.pile[face, copy]] = face
                left[face] -= 1


def hidden_of(
    game: str,
    copies_of: Callable[[Any, int], int],
    card_at: Callable[[Any, int, int], int],
    named_face: Callable[[Any], int],
    can_go_on: Callable[[Any], bool],
    copy_own: Callable[[Any, Any], None],
) -> tuple[Callable[[Any, int, int], None], Callable[[Any, int, Any], None]]:
    """The functions `redeal_hidden` (of `Engine`) and `suppose` (of `Search`) of a game, compiled.

    Args:
        copies_of(state, face): how many such cards there are.
        card_at(state, slot, place): the card that lies at a place of a meld.
        named_face(state): the card that waits for its meld; NO_FACE: none, or not one that everybody knows.
        can_go_on(state): whether the seat to move has a legal action, and the card that waits for its meld.
        copy_own(seen, state): write the game's own fields, from an observation, seat 0 the one who sees.
    """
    keep = bind(_keep_fixed, f"{game}_keep_fixed", named_face=named_face)
    anew = bind(_deal_anew, f"{game}_deal_anew", keep_fixed=keep)
    deal = bind(_deal_until_possible, f"{game}_deal_until_possible", deal_anew=anew, can_go_on=can_go_on)
    redeal = redeal_or_leave(game, deal)
    names = {"copies_of": copies_of, "card_at": card_at, "can_go_on": can_go_on, "copy_own": copy_own}
    return redeal, bind(_suppose, f"{game}_suppose", deal_until_possible=deal, keep_fixed=keep, **names)
