"""Can a turn still be ended? Exact answers for the value of a first meld (C5), dead ends (C3.5) and going out (C7).

A `sight` is a small table of numbers: the hand of the seat to move and the books of its side, by kind, and what of the
pile is still to come into the hand. An action is tried by changing it, and changing it back.

Books of different ranks share nothing but wild cards (C11.3). So every question here is about how many wild cards each
rank needs at the least and takes at the most, and sums of that decide it.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import wide
from banakil_env.core.jit import compiled, inlined
from banakil_env.games.canasta import state as S
from banakil_env.games.canasta.rules import USUAL
from banakil_env.kit.books.kinds import (
    ACE,
    FOUR,
    JOKER,
    NO_KIND,
    NUM_KINDS,
    THREE,
    TWO,
    VALUES,
    is_red_three,
    kind_of,
    size_of,
)
from banakil_env.kit.two_sides import NO, YES

# Cells of a sight: the hand by kind; natural and wild cards of the side's books by kind; how many cards of the waiting
# pile will come into the hand (no red Threes), and the kind of one of them; canastas needed to go out.
HELD, NATURAL, WILD = 0, NUM_KINDS, NUM_KINDS + S.NUM_PLACES
COMING = WILD + S.NUM_PLACES
COMING_KIND, NEEDED = COMING + 1, COMING + 2
SIGHT = NEEDED + 1

CANASTA = 7


@compiled
def look(state: Any, seat: int, sight: Any) -> None:
    """Fill a sight with the hand of a seat and the books of its side; nothing is coming."""
    side = seat & 1
    for kind in range(NUM_KINDS):
        sight[HELD + kind] = size_of(wide(state.hands[seat, kind]))
    for kind in range(S.NUM_PLACES):
        sight[NATURAL + kind] = size_of(wide(state.naturals[side, kind]))
        sight[WILD + kind] = size_of(wide(state.twos[side, kind])) + state.jokers[side, kind]
    sight[COMING], sight[COMING_KIND] = 0, NO_KIND
    canastas = wide(state.rules.canastas)
    sight[NEEDED] = canastas - 1 if canastas != USUAL else wide(2) if state.num_players == 2 else wide(1)


@compiled
def look_at_pile(state: Any, sight: Any, below: int) -> None:
    """Note what the lowest `below` cards of the pile will bring into the hand."""
    for i in range(below):
        face = wide(state.pile[i])
        if not is_red_three(face):
            sight[COMING] += 1
            sight[COMING_KIND] = kind_of(face)


@compiled
def cards_held(sight: Any) -> int:
    """How many cards the hand has."""
    count = wide(0)
    for kind in range(NUM_KINDS):
        count += sight[HELD + kind]
    return count


@compiled
def canastas_in(sight: Any) -> int:
    """How many books have seven cards or more. Black Threes are four at the most."""
    count = wide(0)
    for kind in range(FOUR, ACE + 1):
        count += sight[NATURAL + kind] + sight[WILD + kind] >= CANASTA
    return count


# Going out -----------------------------------------------------------------------------------------------------------


@compiled
def _all_leave(sight: Any, gone: int, more: int, missing: int) -> bool:
    """Whether the whole hand but one card of kind `gone` can be melded, with enough canastas and value.

    Args:
        gone: the kind of the card to be discarded; NO_KIND: none.
        more: the kind of a card that comes when the hand is empty, and is melded too; NO_KIND: none.
        missing: the value that the cards of the hand have to reach.

    A rank needs a wild card if two naturals are to be opened, else none, and takes what its book has room for. Wild
    cards that are not needed so complete canastas, first where the fewest are lacking: no other choice completes more.
    The rest goes wherever there is room, so it is enough that there is room for all.
    """
    value, needed, room, lack_1, lack_2, lack_3 = wide(0), wide(0), wide(0), wide(0), wide(0), wide(0)
    canastas = wide(0)
    for kind in range(FOUR, ACE + 1):
        held, natural = sight[HELD + kind] - (kind == gone), sight[NATURAL + kind]
        there = natural + sight[WILD + kind]
        least, most = wide(0), S.MAX_WILDS - sight[WILD + kind]
        if natural == 0:
            if held == 0 and kind != more:
                continue
            if held < 2:
                return False
            least = wide(held == 2)
        value += held * VALUES[kind]
        needed += least
        room += most
        lacking = CANASTA - there - held - (kind == more) - least
        canastas += lacking <= 0
        if lacking <= most - least:
            lack_1 += lacking == 1
            lack_2 += lacking == 2
            lack_3 += lacking == 3
    threes = sight[HELD + THREE] - (gone == THREE)
    if sight[NATURAL + THREE] == 0:
        # C4.5: with all four, the fourth is the one card that may be left when three are laid down.
        if threes == 1 or threes == 2 or (threes == 4 and (gone != NO_KIND or sight[COMING])):
            return False
        if more == THREE and threes == 0:
            return False
    twos, jokers = sight[HELD + TWO] - (gone == TWO), sight[HELD + JOKER] - (gone == JOKER)
    value += threes * VALUES[THREE] + twos * VALUES[TWO] + jokers * VALUES[JOKER]
    spare = twos + jokers - needed
    if spare < 0 or value < missing:
        return False
    spare += more >= TWO
    if spare + needed > room:
        return False
    canastas += min(lack_1, spare)
    spare = max(spare - lack_1, wide(0))
    completed = min(lack_2, spare // 2)
    canastas += completed
    spare -= 2 * completed
    canastas += min(lack_3, spare // 3)
    return canastas >= sight[NEEDED]


@compiled
def goes_out(sight: Any, missing: int, may_discard: bool) -> bool:
    """Whether every card can leave the hand in this turn, at the most one of them as a discard (C7.1).

    At most one card may be coming with the pile. It comes at once if nothing is missing, and has to be in the hand then
    already. Else all cards of the hand are melded before it comes: if one could stay, the turn could be ended otherwise
    (`can_end` asks that first).
    """
    if sight[COMING] and missing > 0:
        return _all_leave(sight, wide(NO_KIND), wide(NO_KIND), missing) or _all_leave(
            sight, wide(NO_KIND), wide(sight[COMING_KIND]), missing
        )
    # A card of a rank without book, alone of its rank, can only be discarded.
    alone, single = wide(0), wide(NO_KIND)
    for kind in range(ACE + 1):
        if sight[HELD + kind] == 1 and sight[NATURAL + kind] == 0:
            alone += 1
            single = wide(kind)
    if alone > 1 or (alone and not may_discard):
        return False
    if alone:
        return _all_leave(sight, single, wide(NO_KIND), missing)
    if _all_leave(sight, wide(NO_KIND), wide(NO_KIND), missing):
        return True
    if may_discard:
        for kind in range(NUM_KINDS):
            if sight[HELD + kind] and _all_leave(sight, wide(kind), wide(NO_KIND), missing):
                return True
    return False


# The first meld ------------------------------------------------------------------------------------------------------


@compiled
def most_value(sight: Any) -> int:
    """The highest value that can be melded with the hand, black Threes apart: 128 times it, plus the cards it takes.

    Every natural counts that has a book, or two others with it. A pair needs a wild card and makes room for two more,
    so as many pairs are opened as there are wild cards, the dearest first. Of wild cards the Jokers go first.
    A hand has at most 104 cards (108 without the red Threes).
    """
    value, used, room, aces, tens, fives = wide(0), wide(0), wide(0), wide(0), wide(0), wide(0)
    for kind in range(FOUR, ACE + 1):
        held = sight[HELD + kind]
        if sight[NATURAL + kind] or held >= 3:
            value += held * VALUES[kind]
            used += held
            room += S.MAX_WILDS - sight[WILD + kind]
        elif held == 2:
            aces += VALUES[kind] == 20
            tens += VALUES[kind] == 10
            fives += VALUES[kind] == 5
    wilds = sight[HELD + TWO] + sight[HELD + JOKER]
    aces = min(aces, wilds)
    tens = min(tens, wilds - aces)
    fives = min(fives, wilds - aces - tens)
    pairs = aces + tens + fives
    laid = min(wilds, room + S.MAX_WILDS * pairs)
    jokers = min(sight[HELD + JOKER], laid)
    value += 40 * aces + 20 * tens + 10 * fives + 50 * jokers + 20 * (laid - jokers)
    return value << 7 | (used + 2 * pairs + laid)


@compiled
def can_reach(sight: Any, missing: int, keep: int) -> bool:
    """Whether a value can be melded with the hand so that `keep` cards of it (at most two) are left.

    That is so if the hand without some two of its cards reaches it; which two is tried only where the best meld of all
    leaves too few.
    """
    found = most_value(sight)
    if found >> 7 < missing:
        return False
    if cards_held(sight) - (found & 127) >= keep:
        return True
    if keep > 2:
        return False
    for one in range(NUM_KINDS):
        if sight[HELD + one]:
            sight[HELD + one] -= 1
            reached = most_value(sight) >> 7 >= missing
            if reached and keep == 2:
                reached = False
                for other in range(one, NUM_KINDS):
                    if sight[HELD + other] and not reached:
                        sight[HELD + other] -= 1
                        reached = most_value(sight) >> 7 >= missing
                        sight[HELD + other] += 1
            sight[HELD + one] += 1
            if reached:
                return True
    return False


@compiled
def can_end(state: Any, sight: Any, missing: int) -> bool:
    """Whether the turn can be ended legally from what a sight shows, by own actions alone (C3.5, C5.3, C7.4).

    Args:
        missing: the value that the first meld still lacks; 0 or less: none, and the pile comes up.
    """
    coming = sight[COMING]
    if state.answer != YES and not sight[NATURAL + THREE]:
        # A discard that leaves a card needs two cards, `stop` in the last turn one.
        keep = max((wide(1) if state.last else wide(2)) - coming, wide(0))
        if missing <= 0:
            if cards_held(sight) >= keep:
                return True
        elif can_reach(sight, missing, keep):
            return True
    if state.answer == NO or coming > 1:
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


@inlined
def play(sight: Any, kind: int, naturals: int, wild: int, back: int) -> None:
    """Cards of the hand go to a book: so many naturals, and a wild card of kind `wild` or NO_KIND; `back` -1 undoes."""
    sight[HELD + kind] -= naturals * back
    sight[NATURAL + kind] += naturals * back
    if wild != NO_KIND:
        sight[HELD + wild] -= back
        sight[WILD + kind] += back


@compiled
def play_can_end(state: Any, sight: Any, kind: int, naturals: int, wild: int, missing: int) -> bool:
    """Whether the turn can still be ended after such a play; `missing` is before it."""
    play(sight, kind, naturals, wild, wide(1))
    value = naturals * VALUES[kind]
    if wild != NO_KIND:
        value += VALUES[wild]
    able = can_end(state, sight, missing - value)
    play(sight, kind, naturals, wild, wide(-1))
    return able
