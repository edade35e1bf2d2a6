"""Computes exactly whether a turn can still be ended: first melds (C5), dead ends (C3.5) and going out (C7).

`kit.books.plays` describes a `sight` and the use that all games of books make of it. A book is a meld of one rank.

Books of different ranks share nothing but wild cards (C11.3). Every question here is therefore decided by the fewest
wild cards that each rank needs and the most that it takes, summed over the ranks.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import lowest, popcount
from banakil_env.core.jit import compiled, inlined
from banakil_env.core.scratch import scratch_record
from banakil_env.games.canasta.records import State
from banakil_env.games.canasta.rules import USUAL
from banakil_env.games.canasta.scoring import CANASTA as CANASTA
from banakil_env.games.canasta.state import ACTIONS, MAX_WILDS
from banakil_env.kit.books.kinds import ACE, FOUR, JOKER, NO_KIND, NUM_KINDS, THREE, TWO, VALUES, kind_of, size_of
from banakil_env.kit.books.plays import (
    can_end_of,
    lay_in_sight,
    legal_plays_of,
    look_at_cards,
    look_at_pile,
    sight_dtype,
    single_kinds,
)
from banakil_env.kit.two_sides import NO, YES, side_to_move

SIGHT = sight_dtype(("needed", "<i8"))  # canastas needed to go out


@inlined
def needed_canastas(canastas: int, num_players: int) -> int:
    """Return the canastas needed to go out (C7.1), from the number of the switch `canastas` and the number of
    players.
    """
    return canastas - 1 if canastas != USUAL else 2 if num_players == 2 else 1


@compiled
def look(state: State, seat: int, sight: Any) -> None:
    """Fill a sight with the hand of a seat, the books of its side, and the pile that waits for a first meld."""
    look_at_cards(state, seat, sight)
    if state.taking:
        look_at_pile(state, sight, state.pile_size)
    sight.needed = needed_canastas(state.rules.canastas, state.num_players)


@compiled
def look_at_take(state: State, sight: Any) -> None:
    """Fill a sight for the seat to move as if it had taken the pile.

    The top of the pile, a natural card, is then in its book, and the rest of the pile is coming.
    """
    look(state, state.seat, sight)
    below = state.pile_size - 1
    look_at_pile(state, sight, below)
    sight.naturals[kind_of(state.pile[below])] += 1


@compiled
def has_canastas(state: State, seat: int) -> bool:
    """Return whether the side of a seat has the canastas that are needed to go out."""
    sight, count = scratch_record(SIGHT), 0
    look(state, seat, sight)
    for kind in range(FOUR, ACE + 1):
        count += sight.naturals[kind] + sight.wilds[kind] >= CANASTA
    return count >= sight.needed


# Going out -----------------------------------------------------------------------------------------------------------


@compiled
def _all_leave(sight: Any, gone: int, more: int, missing: int) -> bool:
    """Return whether the whole hand but one card of kind `gone` can be melded, with enough canastas and value.

    A rank needs a wild card if two naturals have to be opened, otherwise none. It takes as many wild cards as its book
    has room for. Wild cards that are left complete canastas, first those that lack the fewest: no other choice
    completes more. The rest goes wherever there is room, so it is enough that there is room for all.

    Args:
        gone: the kind of the card to be discarded; NO_KIND: none.
        more: the kind of a card that comes when the hand is empty, and is melded too; NO_KIND: none.
        missing: the value that the cards of the hand have to reach.
    """
    value, needed, room, lack_1, lack_2, lack_3 = 0, 0, 0, 0, 0, 0
    canastas = 0
    for kind in range(FOUR, ACE + 1):
        held, natural = sight.held[kind] - (kind == gone), sight.naturals[kind]
        there = natural + sight.wilds[kind]
        least, most = 0, MAX_WILDS - sight.wilds[kind]
        if natural == 0:
            if held == 0 and kind != more:
                continue
            if held < 2:
                return False
            least = int(held == 2)
        value += held * VALUES[kind]
        needed += least
        room += most
        lacking = CANASTA - there - held - (kind == more) - least
        canastas += lacking <= 0
        if lacking <= most - least:
            lack_1 += lacking == 1
            lack_2 += lacking == 2
            lack_3 += lacking == 3
    threes = sight.held[THREE] - (gone == THREE)
    if sight.naturals[THREE] == 0:
        # C4.5: with all four, the fourth is the one card that may be left after three are laid down.
        if threes == 1 or threes == 2 or (threes == 4 and (gone != NO_KIND or sight.coming)):
            return False
        if more == THREE and threes == 0:
            return False
    twos, jokers = sight.held[TWO] - (gone == TWO), sight.held[JOKER] - (gone == JOKER)
    value += threes * VALUES[THREE] + twos * VALUES[TWO] + jokers * VALUES[JOKER]
    spare = twos + jokers - needed
    if spare < 0 or value < missing:
        return False
    spare += more >= TWO
    if spare + needed > room:
        return False
    canastas += min(lack_1, spare)
    spare = max(spare - lack_1, 0)
    completed = min(lack_2, spare // 2)
    canastas += completed
    spare -= 2 * completed
    canastas += min(lack_3, spare // 3)
    return canastas >= sight.needed


@compiled
def may_be_out(state: State) -> bool:
    """Return False only if the seat to move cannot go out with the cards that it has, without a pile to come.

    This is a quick bound. At most one card is alone of a rank without a book. The canastas are counted as if each rank
    had all wild cards.
    """
    hand, side, alone, canastas = state.hands[state.seat], side_to_move(state), 0, 0
    wilds = size_of(hand[TWO]) + size_of(hand[JOKER])
    for kind in range(FOUR, ACE + 1):
        held, natural = size_of(hand[kind]), size_of(state.naturals[side, kind])
        wild = size_of(state.twos[side, kind]) + state.jokers[side, kind]
        alone += (held == 1) & (natural == 0)
        canastas += held + natural + wild + min(wilds, MAX_WILDS - wild) >= CANASTA
    return alone <= 1 and canastas >= needed_canastas(state.rules.canastas, state.num_players)


@compiled
def goes_out(sight: Any, missing: int, may_discard: bool) -> bool:
    """Return whether every card can leave the hand in this turn, at most one of them as a discard (C7.1).

    `missing` is the value that the first meld still needs. At most one card may be coming with the pile. If no value is
    missing, the card comes at once and must already be in the hand. Otherwise all cards of the hand are melded before
    the card comes: if one could stay, the turn could be ended in another way (`can_end` tests that first).
    """
    if sight.coming and missing > 0:
        return _all_leave(sight, NO_KIND, NO_KIND, missing) or _all_leave(sight, NO_KIND, sight.coming_kind, missing)
    # A card of a rank without a book, alone of its rank, can only be discarded.
    alone = single_kinds(sight) | int((sight.held[THREE] == 1) & (sight.naturals[THREE] == 0)) << THREE
    if popcount(alone) > 1 or (alone and not may_discard):
        return False
    if alone:
        return _all_leave(sight, lowest(alone), NO_KIND, missing)
    if _all_leave(sight, NO_KIND, NO_KIND, missing):
        return True
    if may_discard:
        for kind in range(NUM_KINDS):
            if sight.held[kind] and _all_leave(sight, kind, NO_KIND, missing):
                return True
    return False


# The first meld ------------------------------------------------------------------------------------------------------


@compiled
def most_value(sight: Any) -> int:
    """Return the highest value that can be melded with the hand, without black Threes, in points.

    Every natural counts that has a book, or two others of its rank. A pair needs a wild card and makes room for two
    more. As many pairs are opened as there are wild cards, the highest value first. Jokers are used before Twos.
    """
    value, room, aces, tens, fives = 0, 0, 0, 0, 0
    for kind in range(FOUR, ACE + 1):
        held, worth = sight.held[kind], VALUES[kind]
        melded = (sight.naturals[kind] > 0) | (held >= 3)
        pair = (sight.naturals[kind] == 0) & (held == 2)
        value += melded * held * worth
        room += melded * (MAX_WILDS - sight.wilds[kind])
        aces += pair & (worth == 20)
        tens += pair & (worth == 10)
        fives += pair & (worth == 5)
    wilds = sight.held[TWO] + sight.held[JOKER]
    aces = min(aces, wilds)
    tens = min(tens, wilds - aces)
    fives = min(fives, wilds - aces - tens)
    laid = min(wilds, room + MAX_WILDS * (aces + tens + fives))
    jokers = min(sight.held[JOKER], laid)
    return value + 40 * aces + 20 * tens + 10 * fives + 50 * jokers + 20 * (laid - jokers)


# The end of the turn -------------------------------------------------------------------------------------------------


@compiled
def may_reach(sight: Any, missing: int) -> bool:
    """Return False only if the value `missing` cannot be melded.

    This is a quick bound: black Threes count as if the seat went out.
    """
    return most_value(sight) + VALUES[THREE] * sight.held[THREE] >= missing


@inlined
def may_stay(state: State, sight: Any) -> bool:
    """Return whether the rules allow the turn to end with a card left.

    They do not if the partner has said yes, or if black Threes are melded (C4.5, C7.4).
    """
    return state.answer != YES and sight.naturals[THREE] == 0


@inlined
def may_go_out(state: State, sight: Any) -> bool:
    """Return whether the rules allow going out, apart from the number of canastas (C7.4)."""
    return state.answer != NO


@inlined
def has_room(naturals: int, wilds: int) -> bool:
    """Return whether a book with these numbers of natural and wild cards takes another wild card (C4.1)."""
    return wilds < MAX_WILDS


can_end = can_end_of("canasta", most_value=most_value, may_stay=may_stay, may_go_out=may_go_out, goes_out=goes_out)
mark_takes, fitting_plays, mark_plays = legal_plays_of(
    "canasta",
    ACTIONS,
    sight=SIGHT,
    look=look,
    may_be_out=may_be_out,
    look_at_take=look_at_take,
    look_after=lay_in_sight,
    may_reach=may_reach,
    can_end=can_end,
    has_room=has_room,
)
