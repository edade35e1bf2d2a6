"""Computes exactly whether a turn can still be ended: first melds (HF5), dead ends (HF3.5) and going out (HF8).

A `sight` (`kit.books.plays`) has the incomplete melds of the side. Feet and piles are in fields that only this game
has.

Melds of different ranks share nothing but wild cards (HF12.3). For each number of wild cards the tables of `plans.py`
list the possible results of one rank. The functions here divide the wild cards of the hand among the ranks. Cheap tests
come first: before the foot is taken up, a turn can be ended with any hand, and only the value of a first meld counts.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import lowest, popcount
from banakil_env.core.jit import compiled, inlined
from banakil_env.core.scratch import scratch
from banakil_env.games.hand_and_foot import state as S
from banakil_env.games.hand_and_foot.plans import BOOK_AT, ENDS, MOST_WILDS, NATURAL, NOTHING, PLACED, WILD_CARD
from banakil_env.games.hand_and_foot.records import State
from banakil_env.games.hand_and_foot.state import JOKERS, MAX_PILES, NUM_PLACES, PACKS, PILE, W
from banakil_env.kit.books.kinds import ACE, FOUR, JOKER, NO_KIND, NUM_KINDS, THREE, TWO, VALUES, kind_of
from banakil_env.kit.books.plays import (
    can_end_of,
    lay_in_sight,
    legal_plays_of,
    look_at_cards,
    look_at_pile,
    sight_dtype,
    single_kinds,
)
from banakil_env.kit.two_sides import NO, YES, partner_of, side_of

SIGHT = sight_dtype(
    # whether the seat's foot is not taken up; whether both feet of the side are
    *(("foot", "<i8"), ("feet_up", "<i8")),
    *(("clean", "<i8"), ("dirty", "<i8"), ("wild_piles", "<i8")),  # complete piles of the side
    *(("needed_clean", "<i8"), ("needed_dirty", "<i8"), ("needed_wild", "<i8")),  # the complete piles needed to go out
)

WILD_COUNTS = 4 * PACKS + JOKERS + 1  # the possible numbers of wild cards: from 0 to all of the pack


@compiled
def look(state: State, seat: int, sight: Any) -> None:
    """Fill a sight with the hand of a seat, the melds of its side, and the pile that waits for a first meld."""
    look_at_cards(state, seat, sight)
    if state.taking:
        look_at_pile(state, sight, state.pile_size)
    sight.foot = S.has_foot(state, seat)
    sight.feet_up = feet_are_up(state, seat)
    sight.clean = sight.dirty = sight.wild_piles = 0
    piles = state.rules.piles
    sight.needed_clean, sight.needed_dirty, sight.needed_wild = piles[0], piles[1], piles[2]
    if sight.feet_up:
        _count_piles(state, side_of(state, seat), sight)


@compiled
def look_at_take(state: State, sight: Any) -> None:
    """Fill a sight for the seat to move as if it had taken from the pile.

    The top of the pile is then in its meld, and the other cards of the take are coming.
    """
    look(state, state.seat, sight)
    below = state.pile_size - 1
    look_at_pile(state, sight, below)
    kind = kind_of(state.pile[below])
    if kind >= TWO:
        sight.wilds[W] += 1
    else:
        sight.naturals[kind] += 1


@compiled
def feet_are_up(state: State, seat: int) -> bool:
    """Return whether a seat and its partner have taken up their feet."""
    return not S.has_foot(state, seat) and not S.has_foot(state, partner_of(seat))


@compiled
def _count_piles(state: State, side: int, sight: Any) -> None:
    for place in range(FOUR, NUM_PLACES):
        for slot in range(MAX_PILES):
            pile = state.complete[side, place, slot]
            if pile:
                _add_pile(sight, place, S.is_clean(pile))


@inlined
def _add_pile(sight: Any, place: int, clean: bool) -> None:
    """Count one more complete pile in a sight: wild if the place is W, otherwise clean or dirty."""
    if place == W:
        sight.wild_piles += 1
    elif clean:
        sight.clean += 1
    else:
        sight.dirty += 1


# The first meld ------------------------------------------------------------------------------------------------------


@compiled
def _most_in_wild_meld(there: int, spare: int) -> int:
    """Return how many of `spare` wild cards can go to the wild pile, whose incomplete meld has `there` cards."""
    while (there + spare) % PILE == 1 or (there + spare) % PILE == 2:
        spare -= 1
    return spare


@compiled
def most_value(sight: Any) -> int:
    """Return the highest value that can be melded with the hand, in points.

    In the code, `best` has the highest value of naturals by the number of wild cards that go to ranks. A number below 0
    means that there is no room for these wild cards.
    """
    best = scratch(WILD_COUNTS)
    wilds = sight.held[TWO] + sight.held[JOKER]
    best[0] = 0
    for used in range(1, wilds + 1):
        best[used] = -1
    for kind in range(FOUR, ACE + 1):
        held, book = sight.held[kind], BOOK_AT[sight.naturals[kind], sight.wilds[kind]]
        if held + book == 0:
            continue
        for used in range(wilds, -1, -1):
            most = -1
            for there in range(min(used, MOST_WILDS) + 1):
                naturals = PLACED[book, held, there]
                if naturals >= 0 and best[used - there] >= 0:
                    most = max(most, best[used - there] + VALUES[kind] * naturals)
            best[used] = most
    value = 0
    for used in range(wilds + 1):
        if best[used] >= 0:
            laid = used + _most_in_wild_meld(sight.wilds[W], wilds - used)
            jokers = min(sight.held[JOKER], laid)
            value = max(value, best[used] + VALUES[JOKER] * jokers + VALUES[TWO] * (laid - jokers))
    return value


@compiled
def may_reach(sight: Any, missing: int) -> bool:
    """Return whether the value `missing` can be melded, no matter which cards are left."""
    return most_value(sight) >= missing


# Going out -----------------------------------------------------------------------------------------------------------


@compiled
def has_piles(sight: Any) -> bool:
    """Return whether the side has the piles that are needed to go out (HF8.1)."""
    enough = sight.clean >= sight.needed_clean and sight.dirty >= sight.needed_dirty
    return enough and sight.wild_piles >= sight.needed_wild


@compiled
def _may_complete(sight: Any) -> bool:
    """Return False only if there are too few cards for the piles that are needed. This is a bound that looks at
    single melds.
    """
    clean, dirty = sight.clean, sight.dirty
    for kind in range(FOUR, ACE + 1):
        clean += (sight.naturals[kind] + sight.held[kind]) // PILE
        dirty += (sight.naturals[kind] + sight.held[kind]) // (PILE - 2)
    wild = sight.wild_piles + (sight.wilds[W] + sight.held[TWO] + sight.held[JOKER]) // PILE
    return clean >= sight.needed_clean and dirty >= sight.needed_dirty and wild >= sight.needed_wild


@compiled
def _all_leave(sight: Any, missing: int, place: int, last: int) -> bool:
    """Return whether the whole hand can be melded, with enough piles and value.

    In the code, `reach` has a cell for each number of clean and dirty piles completed (at most three of each are
    needed). Its bits are the numbers of wild cards with which this is possible. The other wild cards are melded as a
    wild pile.

    Args:
        sight: the situation.
        missing: the value that the cards of the hand have to reach.
        place: the place of the meld that takes a card which comes when the hand is empty; NO_KIND: no card comes.
        last: NATURAL or WILD_CARD for this card; NOTHING: no card comes.
    """
    if sight.held[THREE]:
        return False
    value = VALUES[TWO] * sight.held[TWO] + VALUES[JOKER] * sight.held[JOKER]
    reach, then = scratch(16), scratch(16)
    for cell in range(16):
        reach[cell] = 0
    reach[0] = 1
    for kind in range(FOUR, ACE + 1):
        held, book = sight.held[kind], BOOK_AT[sight.naturals[kind], sight.wilds[kind]]
        value += VALUES[kind] * held
        if held + book or kind == place:
            for cell in range(16):
                then[cell] = 0
            for cell in range(16):
                if reach[cell]:
                    _share(ENDS[last if kind == place else NOTHING, book, held], cell, reach[cell], then)
            for cell in range(16):
                reach[cell] = then[cell]
    wilds = sight.held[TWO] + sight.held[JOKER]
    if value < missing:
        return False
    for cell in range(16):
        if (cell >> 2) + sight.clean >= sight.needed_clean and (cell & 3) + sight.dirty >= sight.needed_dirty:
            for used in range(wilds + 1):
                there = sight.wilds[W] + wilds - used
                if reach[cell] >> used & 1 and there % PILE != 1 and there % PILE != 2:
                    if place == W:
                        there = there + 1 if there % PILE else 0
                    if sight.wild_piles + there // PILE >= sight.needed_wild and (place != W or there):
                        return True
    return False


@compiled
def _share(ends: Any, cell: int, reached: int, then: Any) -> None:
    """Combine one cell of `reach` in `_all_leave` with each way to meld one more rank, and add the results to `then`.

    Args:
        ends: the ways, a row of ENDS.
        cell: the piles completed so far: 4 * clean + dirty.
        reached: the numbers of wild cards used so far, as bits.
        then: int64 (16,), the cells after this rank.
    """
    for i in range(ends.shape[0]):
        end = ends[i]
        if end < 0:
            return
        clean, dirty = min((cell >> 2) + (end >> 4 & 3), 3), min((cell & 3) + (end >> 6), 3)
        then[4 * clean + dirty] |= reached << (end & 15) & ((1 << WILD_COUNTS) - 1)


@compiled
def goes_out(sight: Any, missing: int, may_discard: bool) -> bool:
    """Return whether every card can leave the hand in this turn, at most one of them as a discard, with enough piles.

    `missing` is the value that the first meld still needs. A card of the pile comes when all cards of the hand are
    melded: if one could stay, the turn could be ended in another way (`can_end` tests that first).
    """
    if sight.coming:
        return _goes_out_with_one_more(sight, missing, may_discard)
    if not _may_complete(sight):
        return False
    # A card of a rank without an incomplete meld, alone of its rank, and a black Three can only be discarded.
    singles = single_kinds(sight)
    alone = sight.held[THREE] + popcount(singles)
    single = lowest(singles) if singles else THREE
    if alone > 1 or (alone and not may_discard):
        return False
    if not alone and _all_leave(sight, missing, NO_KIND, NOTHING):
        return True
    if may_discard:
        for kind in range(NUM_KINDS):
            if sight.held[kind] and (not alone or kind == single):
                sight.held[kind] -= 1
                out = _all_leave(sight, missing, NO_KIND, NOTHING)
                sight.held[kind] += 1
                if out:
                    return True
    return False


@compiled
def _goes_out_with_one_more(sight: Any, missing: int, may_discard: bool) -> bool:
    """Return the same as `goes_out` if one card of the pile comes when the hand is empty."""
    if may_discard and _all_leave(sight, missing, NO_KIND, NOTHING):
        return True
    kind = sight.coming_kind
    if kind < TWO:
        return kind != THREE and _all_leave(sight, missing, kind, NATURAL)
    for place in range(FOUR, NUM_PLACES):
        if _all_leave(sight, missing, place, WILD_CARD):
            return True
    return False


# The end of the turn -------------------------------------------------------------------------------------------------


@inlined
def may_stay(state: State, sight: Any) -> bool:
    """Return whether the rules allow the turn to end with a card left (HF8.3)."""
    return state.answer != YES


@inlined
def may_go_out(state: State, sight: Any) -> bool:
    """Return whether going out is allowed, apart from piles: both feet are taken up, and the partner agrees or is
    not asked.
    """
    return sight.feet_up != 0 and (state.answer == YES or (not state.rules.ask and state.answer != NO))


@inlined
def may_be_out(state: State) -> bool:
    """Return False only if the seat to move cannot go out in this turn. This is a quick bound."""
    return feet_are_up(state, state.seat)


@inlined
def has_room(naturals: int, wilds: int) -> bool:
    """Return whether a meld with these numbers of natural and wild cards takes another wild card (HF4.1)."""
    return wilds < (1 if naturals + wilds < 5 else 2)


_can_end = can_end_of(
    "hand_and_foot", most_value=most_value, may_stay=may_stay, may_go_out=may_go_out, goes_out=goes_out
)


@compiled
def can_end(state: State, sight: Any, missing: int) -> bool:
    """Return whether the turn can be ended legally from a sight, by actions of the seat alone (HF3.5, HF5.3, HF8.3).

    `missing` is the value that the first meld still needs. With 0 or less the first meld is complete, and a waiting
    pile is taken up.
    """
    if missing > 0 and most_value(sight) < missing:
        return False
    # With a foot, the cards left can be discarded, or `stop` is legal; an empty hand takes up the foot.
    return sight.foot != 0 or _can_end(state, sight, missing)


@compiled
def look_after(sight: Any, row: Any, after: Any) -> None:
    """Write into `after` the sight after a play, which can complete a pile; `row` is the play."""
    lay_in_sight(sight, row, after)
    place = row.place
    if after.naturals[place] + after.wilds[place] == PILE:
        _add_pile(after, place, after.wilds[place] == 0)
        after.naturals[place] = after.wilds[place] = 0


mark_takes, fitting_plays, mark_plays = legal_plays_of(
    "hand_and_foot",
    S.ACTIONS,
    sight=SIGHT,
    look=look,
    look_at_take=look_at_take,
    look_after=look_after,
    may_be_out=may_be_out,
    may_reach=may_reach,
    can_end=can_end,
    has_room=has_room,
)
