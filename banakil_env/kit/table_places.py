"""Numbers the places of cards on the table other than pile and stock: melds, and a few areas.

Numbers below AREAS are melds: the slot of the meld, or in games of books 16 * owner + kind. Numbers from AREAS on are
areas. The functions about places are hooks. `fill_places` fills them in, depending on the fields of a state. A game
whose melds are packed numbers fills in `count_meld`, which counts their cards.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.core import history as H
from banakil_env.core.hooks import hook
from banakil_env.core.jit import compiled, inlined
from banakil_env.kit import table_state as T
from banakil_env.kit.books.kinds import JOKER, JOKER_FACE, TWO

FACES = 64  # cells in a row of numbers by face
ALL_FACES = (1 << FACES - 2) - 1  # the mask of all possible faces; no game has more than 62, and a mask is not negative
KINDS = 16  # numbers of places for the books of one owner
AREAS = 64
LAID, INDICATOR, REDS = AREAS, AREAS + 1, AREAS + 8
FEET = REDS + 8
MOST_CHANGED = 32  # the most places that one action changes

_STACK = 0x07070707  # mask of the natural cards in a packed pile of seven (`hand_and_foot.state.packed`)


@hook
def changed_places(before: Any, after: Any, places: Any) -> int:
    """Write the numbers of the places whose cards differ between two states, in the order of scenes.

    Args:
        places: int64 (MOST_CHANGED,), overwritten.

    Returns:
        The number of changed places.
    """
    raise NotImplementedError


@hook
def count_place(state: Any, place: int, counts: Any, step: int) -> None:
    """Add `step` to `counts` (int64, FACES cells by face) for each card at a place."""
    raise NotImplementedError


@hook
def is_new_meld(before: Any, place: int) -> bool:
    """Whether cards that come to the place of a meld form a new meld, because the place was empty."""
    raise NotImplementedError


@hook
def name_of_place(state: Any, place: int) -> int:
    """The number of a place in a history; see `core.history`."""
    raise NotImplementedError


@hook
def dealt_places(state: Any, places: Any) -> int:
    """Write the numbers of the areas other than the pile that can have cards after a deal.

    Args:
        places: int64 (MOST_CHANGED,), overwritten.

    Returns:
        The number of such areas; 0 by default.
    """
    return 0


@hook
def common_face(state: Any, face: int) -> int:
    """The number of a card in every game, 13 * suit + rank; see `kit.cards.common_face_of`."""
    raise NotImplementedError


@hook
def same_meld(before: Any, after: Any, slot: int) -> bool:
    """Whether the meld in a slot has the same cards in both states. Both states have a meld there."""
    return before.melds[slot] == after.melds[slot]


@hook
def held(state: Any, seat: int, face: int) -> int:
    """The number of cards of this face in a hand."""
    raise NotImplementedError


@hook
def held_publicly(state: Any, seat: int, face: int) -> int:
    """The number of cards of this face that everybody knows to be in a hand."""
    raise NotImplementedError


@hook
def faces_changed(before: Any, after: Any, seat: int) -> int:
    """The mask of faces whose number in a hand has changed, and possibly of others; 0 if the hand is the same."""
    raise NotImplementedError


@hook
def faces_learned(before: Any, after: Any, seat: int) -> int:
    """As `faces_changed`, for the cards of a hand that everybody knows."""
    raise NotImplementedError


# Numbered melds and areas --------------------------------------------------------------------------------------------


@compiled
def _changed_melds(before: Any, after: Any, places: Any) -> int:
    found = 0
    for slot in range(after.num_melds):
        if slot >= before.num_melds or not same_meld(before, after, slot):
            places[found] = slot
            found += 1
    return found


@compiled
def _count_numbered(state: Any, place: int, counts: Any, step: int) -> None:
    if place < state.num_melds:
        T.count_meld(state, place, counts, step)


@compiled
def _numbered(state: Any, place: int) -> int:
    return place + H.MELD


@compiled
def _count_with_indicator(state: Any, place: int, counts: Any, step: int) -> None:
    if place != INDICATOR:
        _count_numbered(state, place, counts, step)
    elif state.indicator <= JOKER_FACE:
        counts[state.indicator] += step


@compiled
def _numbered_or_indicator(state: Any, place: int) -> int:
    return H.IN_INDICATOR if place == INDICATOR else place + H.MELD


@compiled
def _dealt_indicator(state: Any, places: Any) -> int:
    places[0] = INDICATOR
    return 1


@compiled
def _is_new_number(before: Any, place: int) -> bool:
    return place >= before.num_melds


@compiled
def _changed_laid(before: Any, after: Any, places: Any) -> int:
    places[0] = LAID
    differ = before.laid_size ^ after.laid_size
    for i in range(before.laid.shape[0]):
        differ |= before.laid[i] ^ after.laid[i]
    return 1 if differ else 0


@compiled
def _count_laid(state: Any, place: int, counts: Any, step: int) -> None:
    for i in range(state.laid_size):
        counts[state.laid[i]] += step


@compiled
def _never_new(before: Any, place: int) -> bool:
    return False


@compiled
def _called_laid(state: Any, place: int) -> int:
    return H.IN_LAID


# Books ---------------------------------------------------------------------------------------------------------------


@compiled
def _add_stack(stack: int, kind: int, counts: Any, step: int) -> None:
    """Add the cards of a stack, which has one byte per suit, to counts by face."""
    for suit in range(4):
        counts[4 * kind + suit] += step * (stack >> 8 * suit & 0xFF)


@compiled
def _changed_books(before: Any, after: Any, places: Any) -> int:
    found, some = 0, 0
    for side in range(after.naturals.shape[0]):  # most actions change no book, and this loop has no branches
        for kind in range(after.naturals.shape[1]):
            some |= before.naturals[side, kind] ^ after.naturals[side, kind]
            some |= before.twos[side, kind] ^ after.twos[side, kind]
            some |= before.jokers[side, kind] ^ after.jokers[side, kind]
    for side in range(after.naturals.shape[0] if some else 0):
        for kind in range(after.naturals.shape[1]):
            differ = before.naturals[side, kind] ^ after.naturals[side, kind]
            differ |= before.twos[side, kind] ^ after.twos[side, kind]
            if differ | (before.jokers[side, kind] ^ after.jokers[side, kind]):
                places[found] = KINDS * side + kind
                found += 1
    for side in range(after.red_threes.shape[0]):
        if before.red_threes[side, 0] != after.red_threes[side, 0] or (
            before.red_threes[side, 1] != after.red_threes[side, 1]
        ):
            places[found] = REDS + side
            found += 1
    return found


@compiled
def _count_book(state: Any, place: int, counts: Any, step: int) -> None:
    if place >= REDS:
        for color in range(2):
            counts[1 + color] += step * state.red_threes[place - REDS, color]
        return
    side, kind = place // KINDS, place % KINDS
    _add_stack(state.naturals[side, kind], kind, counts, step)
    _add_stack(state.twos[side, kind], TWO, counts, step)
    counts[JOKER_FACE] += step * state.jokers[side, kind]


@compiled
def _dealt_reds(state: Any, places: Any) -> int:
    for side in range(state.red_threes.shape[0]):
        places[side] = REDS + side
    return state.red_threes.shape[0]


@compiled
def _dealt_reds_and_feet(state: Any, places: Any) -> int:
    found = _dealt_reds(state, places)
    for seat in range(state.feet.shape[0]):
        places[found + seat] = FEET + seat
    return found + state.feet.shape[0]


@compiled
def _is_new_book(before: Any, place: int) -> bool:
    side, kind = place // KINDS, place % KINDS
    cards = before.naturals[side, kind] | before.twos[side, kind]
    return cards | before.jokers[side, kind] == 0


@compiled
def _named_book(state: Any, place: int) -> int:
    return H.IN_REDS if place >= REDS else H.RANK + place % KINDS


@compiled
def _changed_piles(before: Any, after: Any, places: Any) -> int:
    """Write the changed places of books with complete piles, and of feet. Returns their number."""
    found = _changed_books(before, after, places)
    for seat in range(after.feet.shape[0]):
        differ = 0
        for kind in range(after.feet.shape[1]):
            differ |= before.feet[seat, kind] ^ after.feet[seat, kind]
        if differ:
            places[found] = FEET + seat
            found += 1
    return found


@compiled
def _count_piles(state: Any, place: int, counts: Any, step: int) -> None:
    if place >= FEET:
        for kind in range(state.feet.shape[1]):
            _add_stack(state.feet[place - FEET, kind], kind, counts, step)
        return
    _count_book(state, place, counts, step)
    if place < REDS:
        side, kind = place // KINDS, place % KINDS
        for slot in range(state.complete.shape[2]):
            pile = state.complete[side, kind, slot]
            if pile:
                naturals, twos = pile & _STACK, pile >> 3 & _STACK
                _add_stack(naturals, kind, counts, step)
                _add_stack(twos, TWO, counts, step)
                counts[JOKER_FACE] += step * (7 - _size_of(naturals) - _size_of(twos))


@compiled
def _size_of(stack: int) -> int:
    return stack * 0x01010101 >> 24 & 0xFF


@compiled
def _named_pile(state: Any, place: int) -> int:
    if place >= FEET:
        return H.IN_FOOT
    if place >= REDS:
        return H.IN_REDS
    side, kind = place // KINDS, place % KINDS
    return H.RANK + (JOKER if kind == TWO and _is_of_jokers(state, side, kind) else kind)


@compiled
def _is_of_jokers(state: Any, side: int, kind: int) -> bool:
    """Whether the last pile of a kind, complete or not, holds Jokers only."""
    if _is_new_book(state, KINDS * side + kind):
        last = 0
        for slot in range(state.complete.shape[2]):
            last = slot if state.complete[side, kind, slot] else last
        return state.complete[side, kind, last] >> 3 & _STACK == 0
    return state.twos[side, kind] == 0


@compiled
def _changed_of_seats(before: Any, after: Any, places: Any) -> int:
    found = 0
    for seat in range(after.melds.shape[0]):
        for rank in range(after.melds.shape[1]):
            differ = before.melds[seat, rank] ^ after.melds[seat, rank]
            if rank < TWO:
                differ |= before.wild[seat, rank] ^ after.wild[seat, rank]
            if differ:
                places[found] = KINDS * seat + rank
                found += 1
    return found


@compiled
def _count_of_seat(state: Any, place: int, counts: Any, step: int) -> None:
    seat, rank = place // KINDS, place % KINDS
    _add_stack(state.melds[seat, rank], rank, counts, step)
    if rank < TWO:
        _add_stack(state.wild[seat, rank], TWO, counts, step)


@compiled
def _is_new_of_seat(before: Any, place: int) -> bool:
    seat, rank = place // KINDS, place % KINDS
    cards = before.melds[seat, rank]
    return cards | (before.wild[seat, rank] if rank < TWO else 0) == 0


@compiled
def _ranked(state: Any, place: int) -> int:
    return H.RANK + place % KINDS


# Hands: rows of masks, or rows of stacks -----------------------------------------------------------------------------


@compiled
def _held_in_layers(state: Any, seat: int, face: int) -> int:
    count = 0
    for layer in range(state.hands.shape[1]):
        count += state.hands[seat, layer] >> face & 1
    return count


@compiled
def _known_in_layers(state: Any, seat: int, face: int) -> int:
    count = 0
    for layer in range(state.known.shape[1]):
        count += state.known[seat, layer] >> face & 1
    return count


@compiled
def _changed_in_layers(before: Any, after: Any, seat: int) -> int:
    faces = 0
    for layer in range(after.hands.shape[1]):
        faces |= before.hands[seat, layer] ^ after.hands[seat, layer]
    return faces


@compiled
def _learned_in_layers(before: Any, after: Any, seat: int) -> int:
    faces = 0
    for layer in range(after.known.shape[1]):
        faces |= before.known[seat, layer] ^ after.known[seat, layer]
    return faces


@compiled
def _held_in_stacks(state: Any, seat: int, face: int) -> int:
    return state.hands[seat, face >> 2] >> 8 * (face & 3) & 0xFF if face >> 2 < state.hands.shape[1] else 0


@compiled
def _known_in_stacks(state: Any, seat: int, face: int) -> int:
    return state.known[seat, face >> 2] >> 8 * (face & 3) & 0xFF if face >> 2 < state.known.shape[1] else 0


@inlined
def _stacks_changed(before: Any, after: Any) -> int:
    """The mask of faces whose number differs between two rows of stacks."""
    some = 0
    for kind in range(after.shape[0]):  # most hands are unchanged, and this loop has no branches
        some |= before[kind] ^ after[kind]
    faces = 0
    for kind in range(after.shape[0] if some else 0):
        differ = (before[kind] ^ after[kind]) & 0xFFFFFFFF
        differ = (differ & 0x7F7F7F7F) + 0x7F7F7F7F | differ  # sets the highest bit of each byte that is not 0
        suits = differ >> 7 & 1 | differ >> 14 & 2 | differ >> 21 & 4 | differ >> 28 & 8
        faces |= suits << 4 * kind
    return faces & (1 << JOKER_FACE + 1) - 1


@compiled
def _changed_in_stacks(before: Any, after: Any, seat: int) -> int:
    return _stacks_changed(before.hands[seat], after.hands[seat])


@compiled
def _learned_in_stacks(before: Any, after: Any, seat: int) -> int:
    return _stacks_changed(before.known[seat], after.known[seat])


def fill_places(state: np.dtype[Any]) -> None:
    """Fill in the hooks of this module for states with this dtype."""
    names = state.names or ()
    layered = state["hands"].base.kind == "i"
    held.fill(state)(_held_in_layers if layered else _held_in_stacks)
    held_publicly.fill(state)(_known_in_layers if layered else _known_in_stacks)
    faces_changed.fill(state)(_changed_in_layers if layered else _changed_in_stacks)
    faces_learned.fill(state)(_learned_in_layers if layered else _learned_in_stacks)
    if "num_melds" in names:
        changed, count, new, called = _changed_melds, _count_numbered, _is_new_number, _numbered
    elif "feet" in names:
        changed, count, new, called = _changed_piles, _count_piles, _is_new_book, _named_pile
    elif "naturals" in names and "twos" in names:
        changed, count, new, called = _changed_books, _count_book, _is_new_book, _named_book
    elif "melds" in names:
        changed, count, new, called = _changed_of_seats, _count_of_seat, _is_new_of_seat, _ranked
    else:
        changed, count, new, called = _changed_laid, _count_laid, _never_new, _called_laid
    if "indicator" in names:
        count, called = _count_with_indicator, _numbered_or_indicator
        dealt_places.fill(state)(_dealt_indicator)
    elif "red_threes" in names:
        dealt_places.fill(state)(_dealt_reds_and_feet if "feet" in names else _dealt_reds)
    changed_places.fill(state)(changed)
    count_place.fill(state)(count)
    is_new_meld.fill(state)(new)
    name_of_place.fill(state)(called)
