"""Deals the hidden cards of a game of contracts again: fills in the hooks of `kit/hidden.py`.

The melds laid so far restrict the hand: after half of a contract was laid, the other half must be in the hand. If
random deals do not give it, the mover gets cards that the game names with `want_cards`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.core.bits import highest, lowest
from banakil_env.core.hooks import hook
from banakil_env.core.jit import compiled, inlined
from banakil_env.core.random import random_below
from banakil_env.core.scratch import scratch
from banakil_env.kit import held, hidden
from banakil_env.kit import table_state as T
from banakil_env.kit.contracts import table as K
from banakil_env.kit.contracts.seen import fitting, meld_seen
from banakil_env.kit.contracts.table import MAX_SEATS
from banakil_env.kit.going_on import can_go_on
from banakil_env.kit.melds import joker_melds as W
from banakil_env.kit.pack52 import NUM_RANKS
from banakil_env.kit.pack54 import JOKER, MAX_CARDS, add_card, count_cards

# The number of random deals to try, and then of deals in which the mover gets wanted cards.
BY_CHANCE, WITH_WANTED = 300, 20_000
_WANTED = 2 * MAX_CARDS  # cells of the row of wanted cards


def serve(state: np.dtype[Any]) -> None:
    """Fill in hooks of `kit/hidden.py` and `kit/held.py` for states with this dtype.

    The game itself fills in `hidden.read_turn`. Its function calls `read_common`.
    """
    hidden.hold.fill(state)(_hold)
    hidden.can_stand.fill(state)(_can_stand)
    hidden.deal.fill(state)(_deal)
    hidden.give_up.fill(state)(_give_up)
    hidden.meld_seen.fill(state)(_meld_seen)
    hidden.read_heaps.fill(state)(_read_heaps)
    held.faces_taken.fill(state)(_faces_taken)
    held.has_melded.fill(state)(K.is_down)
    held.turn_of.fill(state)(_turn_of)


@hook
def jokers_owed(state: Any) -> int:
    """The number of Jokers that the mover must play in this turn."""
    return 0


@hook
def want_cards(state: Any, wanted: Any) -> None:
    """Call `want` for random cards with which the mover can continue its turn."""
    raise NotImplementedError


@compiled
def _hold(state: Any, seat: int, cards: Any) -> None:
    if seat == state.active:
        if state.named:
            cards[K.face_of(state.named - 1)] = 1
        cards[JOKER] = max(cards[JOKER], jokers_owed(state))


@compiled
def _faces_taken(state: Any, seat: int) -> int:
    """The cards that fit a meld on the table, if the seat has melded; else 0."""
    return fitting(state) if K.is_down(state, seat) else 0


@inlined
def _turn_of(state: Any) -> int:
    return state.active


@compiled
def _can_stand(state: Any) -> bool:
    return (state.phase != T.PLAY and state.phase != T.CHOOSE) or can_go_on(state)


@compiled
def _give_up(state: Any) -> None:
    state.phase, state.first, state.named = T.PLAY, 0, 0


@compiled
def _deal(state: Any, seat: int) -> bool:
    """Deal the cards hidden from `seat` until the mover can continue: at random at first, then with wanted cards.

    Returns False if no try succeeded.
    """
    pool, sizes, wanted = scratch(MAX_CARDS), scratch(MAX_SEATS), scratch(_WANTED)
    for number in range(BY_CHANCE + WITH_WANTED):
        wanted[0] = 0
        if number >= BY_CHANCE:
            want_cards(state, wanted)
        size = hidden.collect_unseen(state, seat, pool, sizes)
        hidden.deal_pool(state, pool, _give_wanted(state, pool, size, sizes, wanted), sizes)
        if state.active == seat or _can_stand(state):
            return True
    return False


@compiled
def _give_wanted(state: Any, pool: Any, size: int, sizes: Any, wanted: Any) -> int:
    """Give the wanted cards to the mover if the pool has them, up to the number of cards of its hand in `sizes`.

    Returns the new size of the pool.
    """
    for i in range(wanted[0]):
        at = 0
        while at < size and pool[at] != wanted[1 + i]:
            at += 1
        if at < size and count_cards(state.hands[state.active]) < sizes[state.active]:
            size -= 1
            pool[at] = pool[size]
            add_card(state.hands[state.active], wanted[1 + i])
    return size


@compiled
def want(wanted: Any, face: int) -> None:
    """Add a face to the row `wanted`, which holds the number of faces, then the faces."""
    if wanted[0] < MAX_CARDS:
        wanted[0] += 1
        wanted[wanted[0]] = face


@compiled
def want_row(wanted: Any, row: int) -> None:
    """Add the cards of an opening (a row of `joker_melds.OPENINGS`) to the wanted cards."""
    for face in range(JOKER):
        for _ in range((W.NEED_ONE[row] >> face & 1) + (W.NEED_TWO[row] >> face & 1)):
            want(wanted, face)
    for _ in range(W.NEED_JOKERS[row]):
        want(wanted, JOKER)


@compiled
def want_longer(state: Any, wanted: Any, runs: Any) -> None:
    """Add cards at random ends of these runs to the wanted cards, until these are the whole hand of the mover.

    For a mover that must be able to lay all its cards in these runs.
    """
    left, tries = count_cards(state.hands[state.active]) - wanted[0], 4 * MAX_CARDS
    while left > 0 and tries > 0:
        tries -= 1
        i = random_below(state, runs.shape[0])
        ends = W.beside(runs[i])
        if ends:
            place = lowest(ends) if random_below(state, 2) else highest(ends)
            want(wanted, W.suit_of(runs[i]) * NUM_RANKS + place % NUM_RANKS)
            runs[i] |= 1 << place
            left -= 1


# A state from an observation -----------------------------------------------------------------------------------------


@compiled
def read_common(state: Any, seen: Any) -> None:
    """Read the common fields of the turn from an observation; see `hidden.read_turn`."""
    for place in range(MAX_SEATS):
        if seen.active[place]:
            state.active = place
        if seen.took[place]:
            state.took = place


@compiled
def _meld_seen(state: Any, seen: Any, slot: int) -> int:
    return meld_seen(seen, slot)


@compiled
def _read_heaps(state: Any, seen: Any) -> None:
    for i in range(seen.pile_size):
        state.pile[i] = seen.pile[i] - 1
