"""What could the hidden cards be in a game of contracts? Another deal of them, and one made up from an observation.

Cards that everybody knows to be in a hand stay there: known ones, the card that waits for its meld, and Jokers that the
mover is bound to play. What has been laid says something about the hand: half a contract on the table needs the other
half in it. So cards are dealt until the mover can go on, and where chance is unlikely to do that, the mover is dealt
cards that the game wants for it. `redealing` binds the functions to a game.
"""

# The names left open, which `bind` fills in.
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banakil_env.core.bits import highest, lowest, wide
from banakil_env.core.jit import bind, compiled
from banakil_env.core.random import random_below, random_bits, seed_generator, shuffle
from banakil_env.core.scratch import scratch
from banakil_env.kit import table_state as T
from banakil_env.kit.contracts import table as K
from banakil_env.kit.contracts.seen import meld_seen
from banakil_env.kit.contracts.table import MAX_SEATS
from banakil_env.kit.melds import joker_melds as W
from banakil_env.kit.other_deals import redeal_or_leave, suppose_round
from banakil_env.kit.pack52 import NUM_RANKS
from banakil_env.kit.pack54 import JOKER, LAYERS, MAX_CARDS, NUM_FACES, add_card, count_cards, count_of

# Deals to try: by chance, and then with cards wanted for the mover.
BY_CHANCE, WITH_WANTED = 300, 20_000
_WANTED = 2 * MAX_CARDS  # cells


@compiled
def _keep_fixed(state: Any, seat: int, jokers: int) -> None:
    """Leave in a hand only what everybody knows there; the mover is bound to play so many Jokers."""
    for layer in range(LAYERS):
        state.hands[seat, layer] = state.known[seat, layer]
    if seat == state.active:
        if state.named:
            face = K.face_of(wide(state.named) - 1)
            if count_of(state.hands[seat], face) == 0:
                add_card(state.hands[seat], face)
        for _ in range(jokers - count_of(state.hands[seat], wide(JOKER))):
            add_card(state.hands[seat], wide(JOKER))


@compiled
def _deal_pool(state: Any, pool: Any, size: int, sizes: Any, wanted: Any) -> None:
    """Deal a pool to hands that have fewer cards than `sizes` says, what is wanted to the mover; the rest: stock."""
    for i in range(wanted[0]):
        at = wide(0)
        while at < size and pool[at] != wanted[1 + i]:
            at += 1
        if at < size and count_cards(state.hands[state.active]) < sizes[state.active]:
            size -= 1
            pool[at] = pool[size]
            add_card(state.hands[state.active], wide(wanted[1 + i]))
    shuffle(state, pool, size)
    for seat in range(wide(state.num_players)):
        for _ in range(sizes[seat] - count_cards(state.hands[seat])):
            size -= 1
            add_card(state.hands[seat], wide(pool[size]))
    for i in range(size):
        state.stock[i] = pool[i]


@compiled
def deal_unseen(state: Any, seat: int, jokers: int, wanted: Any) -> None:
    """Deal the stock again, and the cards of all hands but one that nobody knows there.

    Args:
        seat: whose hand stays.
        jokers: that the mover is bound to play.
        wanted: a row of numbers: how many cards the mover should get, as far as they are there, and their faces.
    """
    pool, size, sizes = scratch(MAX_CARDS), wide(0), scratch(MAX_SEATS)
    for i in range(wide(state.stock_size)):
        pool[size] = state.stock[i]
        size += 1
    before = scratch(NUM_FACES)
    for other in range(wide(state.num_players)):
        sizes[other] = count_cards(state.hands[other])
        if other != seat:
            for face in range(NUM_FACES):
                before[face] = count_of(state.hands[other], wide(face))
            _keep_fixed(state, wide(other), jokers)
            for face in range(NUM_FACES):
                for _ in range(before[face] - count_of(state.hands[other], wide(face))):
                    pool[size] = face
                    size += 1
    _deal_pool(state, pool, size, sizes, wanted)


@compiled
def want(wanted: Any, face: int) -> None:
    """One card more is wanted; see `deal_unseen`."""
    if wanted[0] < MAX_CARDS:
        wanted[0] += 1
        wanted[wanted[0]] = face


@compiled
def want_row(wanted: Any, row: int) -> None:
    """The cards of an opening are wanted: a row of `joker_melds.OPENINGS`."""
    for face in range(JOKER):
        for _ in range((W.NEED_ONE[row] >> face & 1) + (W.NEED_TWO[row] >> face & 1)):
            want(wanted, wide(face))
    for _ in range(W.NEED_JOKERS[row]):
        want(wanted, wide(JOKER))


@compiled
def want_longer(state: Any, wanted: Any, runs: Any) -> None:
    """The mover should be able to lay all cards in these runs: want cards at their ends until it has no others."""
    left, tries = count_cards(state.hands[state.active]) - wanted[0], 4 * MAX_CARDS
    while left > 0 and tries > 0:
        tries -= 1
        i = random_below(state, wide(runs.shape[0]))
        ends = W.beside(runs[i])
        if ends:
            place = lowest(ends) if random_below(state, wide(2)) else highest(ends)
            want(wanted, W.suit_of(runs[i]) * NUM_RANKS + place % NUM_RANKS)
            runs[i] |= wide(1) << place
            left -= 1


def _deal_until_possible(state: Any, seat: int) -> bool:
    """Deal what `seat` cannot see until the mover can go on; False: not found."""
    wanted = scratch(_WANTED)
    for number in range(BY_CHANCE + WITH_WANTED):
        wanted[0] = 0
        if number >= BY_CHANCE:
            want_cards(state, wanted)
        deal_unseen(state, seat, owed(state), wanted)
        if state.active == seat or (state.phase != T.PLAY and state.phase != T.CHOOSE):
            return True
        if can_go_on(state):
            return True
    return False


def _can_suppose(state: Any) -> bool:
    """Whether the seat to decide can go on in a state that `suppose_common` has made, if need be with other cards."""
    if can_go_on(state):
        return True
    state.rng = random_bits(state)
    return deal_until_possible(state, wide(0))


def redealing(
    game: str,
    can_go_on: Callable[[Any], bool],
    owed: Callable[[Any], int],
    want_cards: Callable[[Any, Any], None],
) -> tuple[Callable[[Any, int, int], None], Callable[[Any], bool]]:
    """The functions `redeal_hidden(state, seat, seed)` and `can_suppose(state)` of a game.

    Args:
        can_go_on(state): as `kit.by_mask` makes it. owed(state): the Jokers that the mover is bound to play.
        want_cards(state, wanted): `want` cards by chance with which the mover may go on.
    """
    names = {"can_go_on": can_go_on, "owed": owed, "want_cards": want_cards}
    deal = bind(_deal_until_possible, f"{game}_deal_until_possible", **names)
    redeal_hidden = redeal_or_leave(game, deal)
    return redeal_hidden, bind(_can_suppose, f"{game}_can_suppose", can_go_on=can_go_on, deal_until_possible=deal)


@compiled
def suppose_common(seen: Any, seed: int, state: Any, num_jokers: int, jokers: int) -> None:
    """Write into `state` a game in which seat 0 sees this observation; the others sit as it numbers them.

    The points of rounds before are zero. A game's own fields are left to the game.

    Args:
        seen: an observation, of a game that goes on. seed: uint64, deals the hidden cards and becomes the generator.
        num_jokers: of the pack. jokers: that the mover is bound to play.
    """
    seed_generator(state, seed)
    K.clear_table(state)
    suppose_round(seen, state)
    state.contract, state.named, state.first, state.took = seen.contract, seen.named, seen.first, T.NO_SEAT
    for place in range(MAX_SEATS):
        state.calls[place] = seen.calls[place]
        if seen.active[place]:
            state.active = place
        if seen.took[place]:
            state.took = place
    _suppose_cards(seen, state, num_jokers, jokers)


@compiled
def _suppose_cards(seen: Any, state: Any, num_jokers: int, jokers: int) -> None:
    left, sizes, nothing = scratch(NUM_FACES), scratch(MAX_SEATS), scratch(1)
    nothing[0] = 0
    for slot in range(W.MAX_MELDS):
        meld = meld_seen(seen, slot)
        if meld:
            state.melds[slot], state.meld_owner[slot] = meld, seen.meld_owner[slot] - 1
            state.num_melds = slot + 1
    state.pile_size, state.stock_size = seen.pile_size, seen.stock_size
    for i in range(wide(seen.pile_size)):
        state.pile[i] = seen.pile[i] - 1
    for face in range(NUM_FACES):
        there = num_jokers if face == JOKER else wide(K.COPIES)
        left[face] = there - wide(seen.table[face]) - wide(seen.discards[face])
    for place in range(wide(state.num_players)):
        sizes[place] = seen.hand_size[place]
        for face in range(NUM_FACES):
            for _ in range(wide(seen.known[place, face])):
                add_card(state.known[place], wide(face))
        if place:
            _keep_fixed(state, wide(place), jokers)
        for face in range(NUM_FACES):
            for _ in range(wide(seen.hand[face]) if place == 0 else wide(0)):
                add_card(state.hands[0], wide(face))
            left[face] -= count_of(state.hands[place], wide(face))
    pool, size = scratch(MAX_CARDS), wide(0)
    for face in range(NUM_FACES):
        for _ in range(left[face]):
            pool[size] = face
            size += 1
    _deal_pool(state, pool, size, sizes, nothing)
