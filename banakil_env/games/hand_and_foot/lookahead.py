"""Can a turn still be ended? Exact answers for the value of a first meld (HF5), dead ends (HF3.5) and going out (HF8).

A `sight` is a small table of numbers: the hand of the seat to move and the incomplete melds of its side, by kind, what
of the pile is still to come into the hand, feet and piles. An action is tried on a copy of it.

Melds of different ranks share nothing but wild cards (HF12.3). What can become of one rank with so many wild cards is
in the tables of `plans.py`; the questions here share the wild cards of the hand out among the ranks. They ask first
what is cheap: while the own foot lies there, every hand can be ended with, and only the value of a first meld counts.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import wide
from banakil_env.core.jit import compiled
from banakil_env.core.scratch import scratch
from banakil_env.games.hand_and_foot import state as S
from banakil_env.games.hand_and_foot.plans import (
    BOOK_AT,
    ENDS,
    MOST_WILDS,
    NATURAL,
    NOTHING,
    PLACED,
    WILD_CARD,
)
from banakil_env.games.hand_and_foot.state import JOKERS, MAX_PILES, NUM_PLACES, PACKS, PILE, W
from banakil_env.kit.books.kinds import ACE, FOUR, JOKER, NO_KIND, NUM_KINDS, THREE, TWO, VALUES, kind_of, size_of
from banakil_env.kit.books.melds import wilds_at
from banakil_env.kit.two_sides import NO, YES, partner_of

# Cells of a sight: the hand by kind; natural and wild cards of the side's incomplete melds by kind; how many cards of
# the waiting pile will come into the hand, and the kind of one of them; whether the own foot lies there, and whether
# both feet of the side are taken up; piles of the side, and piles needed: clean, dirty, wild.
HELD, NATURALS, WILDS = 0, NUM_KINDS, NUM_KINDS + NUM_PLACES
COMING = WILDS + NUM_PLACES
COMING_KIND, FOOT, FEET_UP = COMING + 1, COMING + 2, COMING + 3
CLEAN, DIRTY, WILD_PILES, NEEDED = COMING + 4, COMING + 5, COMING + 6, COMING + 7
SIGHT = NEEDED + 3

WILD_COUNTS = 4 * PACKS + JOKERS + 1  # 0 to all wild cards of the pack


@compiled
def look(state: Any, seat: int, sight: Any) -> None:
    """Fill a sight with the hand of a seat and the melds of its side; nothing is coming."""
    side = seat & 1
    for kind in range(NUM_KINDS):
        sight[HELD + kind] = size_of(wide(state.hands[seat, kind]))
    for place in range(NUM_PLACES):
        sight[NATURALS + place] = size_of(wide(state.naturals[side, place]))
        sight[WILDS + place] = wilds_at(state, side, wide(place))
    sight[COMING], sight[COMING_KIND] = 0, NO_KIND
    sight[FOOT] = S.has_foot(state, seat)
    sight[FEET_UP] = not sight[FOOT] and not S.has_foot(state, partner_of(seat))
    sight[CLEAN] = sight[DIRTY] = sight[WILD_PILES] = 0
    for i in range(3):
        sight[NEEDED + i] = state.rules.piles[i]
    if sight[FEET_UP]:
        _count_piles(state, side, sight)


@compiled
def _count_piles(state: Any, side: int, sight: Any) -> None:
    for place in range(FOUR, NUM_PLACES):
        for slot in range(MAX_PILES):
            pile = wide(state.complete[side, place, slot])
            if pile:
                sight[WILD_PILES if place == W else CLEAN if S.is_clean(pile) else DIRTY] += 1


@compiled
def look_at_pile(state: Any, sight: Any, size: int) -> None:
    """Note what comes of a pile of so many cards (HF6.1)."""
    sight[COMING] = min(size, wide(S.TAKEN))
    if size:
        sight[COMING_KIND] = kind_of(wide(state.pile[size - 1]))


@compiled
def cards_held(sight: Any) -> int:
    """How many cards the hand has."""
    count = wide(0)
    for kind in range(NUM_KINDS):
        count += sight[HELD + kind]
    return count


# The first meld ------------------------------------------------------------------------------------------------------


@compiled
def _most_in_wild_meld(there: int, spare: int) -> int:
    """How many of the spare wild cards can be melded as such, with so many in the incomplete meld of them."""
    while (there + spare) % PILE == 1 or (there + spare) % PILE == 2:
        spare -= 1
    return spare


@compiled
def most_value(sight: Any) -> int:
    """The highest value that can be melded with the hand.

    `best`: by the wild cards that go to ranks, the highest value of naturals; below 0: so many have no place there.
    """
    best = scratch(WILD_COUNTS)
    wilds = sight[HELD + TWO] + sight[HELD + JOKER]
    best[0] = 0
    for used in range(1, wilds + 1):
        best[used] = -1
    for kind in range(FOUR, ACE + 1):
        held, book = sight[HELD + kind], BOOK_AT[sight[NATURALS + kind], sight[WILDS + kind]]
        if held + book == 0:
            continue
        for used in range(wilds, -1, -1):
            most = wide(-1)
            for there in range(min(used, MOST_WILDS) + 1):
                naturals = PLACED[book, held, there]
                if naturals >= 0 and best[used - there] >= 0:
                    most = max(most, best[used - there] + VALUES[kind] * naturals)
            best[used] = most
    value = wide(0)
    for used in range(wilds + 1):
        if best[used] >= 0:
            laid = used + _most_in_wild_meld(sight[WILDS + W], wilds - used)
            jokers = min(sight[HELD + JOKER], laid)
            value = max(value, best[used] + VALUES[JOKER] * jokers + VALUES[TWO] * (laid - jokers))
    return value


@compiled
def can_reach(sight: Any, missing: int, keep: int) -> bool:
    """Whether a value can be melded with the hand so that `keep` cards of it (at most two) are left.

    That is so if the hand without some so many cards reaches it. Only positions set up by hand ask that: in a game a
    side without melds has its feet yet.
    """
    if keep == 0:
        return most_value(sight) >= missing
    if keep == 1:
        return _reaches_without_one(sight, missing)
    for kind in range(NUM_KINDS):
        if sight[HELD + kind]:
            sight[HELD + kind] -= 1
            reached = _reaches_without_one(sight, missing)
            sight[HELD + kind] += 1
            if reached:
                return True
    return False


@compiled
def _reaches_without_one(sight: Any, missing: int) -> bool:
    for kind in range(NUM_KINDS):
        if sight[HELD + kind]:
            sight[HELD + kind] -= 1
            reached = most_value(sight) >= missing
            sight[HELD + kind] += 1
            if reached:
                return True
    return False


# Going out -----------------------------------------------------------------------------------------------------------


@compiled
def has_piles(sight: Any) -> bool:
    """Whether the side has the piles that are needed (HF8.1)."""
    for i in range(3):
        if sight[CLEAN + i] < sight[NEEDED + i]:
            return False
    return True


@compiled
def _may_complete(sight: Any) -> bool:
    """Whether there are cards enough for the piles that are needed: a bound, one meld at a time."""
    clean, dirty = sight[CLEAN], sight[DIRTY]
    for kind in range(FOUR, ACE + 1):
        clean += (sight[NATURALS + kind] + sight[HELD + kind]) // PILE
        dirty += (sight[NATURALS + kind] + sight[HELD + kind]) // (PILE - 2)
    wild = sight[WILD_PILES] + (sight[WILDS + W] + sight[HELD + TWO] + sight[HELD + JOKER]) // PILE
    return clean >= sight[NEEDED] and dirty >= sight[NEEDED + 1] and wild >= sight[NEEDED + 2]


@compiled
def _all_leave(sight: Any, missing: int, place: int, last: int) -> bool:
    """Whether the whole hand can be melded, with enough piles and value.

    Args:
        missing: the value that the cards of the hand have to reach.
        place, last: the place of the meld that takes a card which comes when the hand is empty, and NATURAL or
            WILD_CARD; NO_KIND, NOTHING: none comes.

    `reach`: by clean and dirty piles completed (three of each at the most are needed), the numbers of wild cards with
    which that can be, a bit each. The other wild cards are melded as such.
    """
    if sight[HELD + THREE]:
        return False
    value = VALUES[TWO] * sight[HELD + TWO] + VALUES[JOKER] * sight[HELD + JOKER]
    reach, then = scratch(16), scratch(16)
    for cell in range(16):
        reach[cell] = 0
    reach[0] = 1
    for kind in range(FOUR, ACE + 1):
        held, book = sight[HELD + kind], BOOK_AT[sight[NATURALS + kind], sight[WILDS + kind]]
        value += VALUES[kind] * held
        if held + book or kind == place:
            for cell in range(16):
                then[cell] = 0
            for cell in range(16):
                if reach[cell]:
                    _share(ENDS[last if kind == place else NOTHING, book, held], cell, reach[cell], then)
            for cell in range(16):
                reach[cell] = then[cell]
    wilds = sight[HELD + TWO] + sight[HELD + JOKER]
    if value < missing:
        return False
    for cell in range(16):
        if (cell >> 2) + sight[CLEAN] >= sight[NEEDED] and (cell & 3) + sight[DIRTY] >= sight[NEEDED + 1]:
            for used in range(wilds + 1):
                there = sight[WILDS + W] + wilds - used
                if reach[cell] >> used & 1 and there % PILE != 1 and there % PILE != 2:
                    if place == W:
                        there = there + 1 if there % PILE else wide(0)
                    if sight[WILD_PILES] + there // PILE >= sight[NEEDED + 2] and (place != W or there):
                        return True
    return False


@compiled
def _share(ends: Any, cell: int, reached: int, then: Any) -> None:
    """What becomes of the wild cards and piles of a cell when another rank is melded in one of these ways."""
    for i in range(ends.shape[0]):
        end = ends[i]
        if end < 0:
            return
        clean, dirty = min((cell >> 2) + (end >> 4 & 3), wide(3)), min((cell & 3) + (end >> 6), wide(3))
        then[4 * clean + dirty] |= reached << (end & 15) & ((wide(1) << WILD_COUNTS) - 1)


@compiled
def goes_out(sight: Any, missing: int, may_discard: bool) -> bool:
    """Whether every card can leave the hand in this turn, at the most one of them as a discard, with enough piles.

    A card that is coming comes when all cards of the hand are melded: if one could stay, the turn could be ended
    otherwise (`can_end` asks that first).
    """
    if sight[COMING]:
        return _goes_out_with_one_more(sight, missing, may_discard)
    if not _may_complete(sight):
        return False
    # A card of a rank without an incomplete meld, alone of its rank, and a black Three can only be discarded.
    alone, single = sight[HELD + THREE], wide(THREE)
    for kind in range(FOUR, ACE + 1):
        if sight[HELD + kind] == 1 and sight[NATURALS + kind] == 0:
            alone += 1
            single = wide(kind)
    if alone > 1 or (alone and not may_discard):
        return False
    if not alone and _all_leave(sight, missing, wide(NO_KIND), wide(NOTHING)):
        return True
    if may_discard:
        for kind in range(NUM_KINDS):
            if sight[HELD + kind] and (not alone or kind == single):
                sight[HELD + kind] -= 1
                out = _all_leave(sight, missing, wide(NO_KIND), wide(NOTHING))
                sight[HELD + kind] += 1
                if out:
                    return True
    return False


@compiled
def _goes_out_with_one_more(sight: Any, missing: int, may_discard: bool) -> bool:
    """The same where one card of the pile comes when the hand is empty."""
    if may_discard and _all_leave(sight, missing, wide(NO_KIND), wide(NOTHING)):
        return True
    kind = sight[COMING_KIND]
    if kind < TWO:
        return kind != THREE and _all_leave(sight, missing, kind, wide(NATURAL))
    for place in range(FOUR, NUM_PLACES):
        if _all_leave(sight, missing, wide(place), wide(WILD_CARD)):
            return True
    return False


# The end of the turn -------------------------------------------------------------------------------------------------


@compiled
def can_end(state: Any, sight: Any, missing: int) -> bool:
    """Whether the turn can be ended legally from what a sight shows, by own actions alone (HF3.5, HF5.3, HF8.3).

    Args:
        missing: the value that the first meld still lacks; 0 or less: none, and the pile comes up.
    """
    if missing > 0 and most_value(sight) < missing:
        return False
    if sight[FOOT]:
        return True  # what is left can be discarded, or `stop` is there; with nothing left the foot comes up
    coming = sight[COMING]
    if state.answer != YES:
        # A discard that leaves a card needs two cards, `stop` in the last turn one.
        keep = max((wide(1) if state.last else wide(2)) - coming, wide(0))
        if cards_held(sight) >= keep if missing <= 0 else can_reach(sight, missing, keep):
            return True
    if coming > 1 or not may_go_out(state, sight):
        return False
    if missing <= 0 and coming:
        kind = sight[COMING_KIND]
        sight[HELD + kind] += 1
        sight[COMING] = 0
        out = goes_out(sight, missing, not state.last)
        sight[HELD + kind] -= 1
        sight[COMING] = coming
        return out
    return goes_out(sight, missing, not state.last)


@compiled
def may_go_out(state: Any, sight: Any) -> bool:
    """Whether going out is allowed, piles apart: both feet are taken up, and the partner agrees or is not asked."""
    return sight[FEET_UP] != 0 and (state.answer == YES or (not state.rules.ask and state.answer != NO))


@compiled
def play_can_end(state: Any, sight: Any, place: int, naturals: int, twos: int, jokers: int, missing: int) -> bool:
    """Whether the turn can still be ended after so many cards of the hand have gone to a meld; `missing`: before it."""
    after = scratch(SIGHT)
    for cell in range(SIGHT):
        after[cell] = sight[cell]
    lay(after, place, naturals, twos, jokers)
    value = naturals * VALUES[place] + twos * VALUES[TWO] + jokers * VALUES[JOKER]
    return can_end(state, after, missing - value)


@compiled
def lay(sight: Any, place: int, naturals: int, twos: int, jokers: int) -> None:
    """So many cards of the hand go to a meld, which may become a pile."""
    if naturals:
        sight[HELD + place] -= naturals
        sight[NATURALS + place] += naturals
    sight[HELD + TWO] -= twos
    sight[HELD + JOKER] -= jokers
    sight[WILDS + place] += twos + jokers
    if sight[NATURALS + place] + sight[WILDS + place] == PILE:
        sight[WILD_PILES if place == W else DIRTY if sight[WILDS + place] else CLEAN] += 1
        sight[NATURALS + place] = sight[WILDS + place] = 0
