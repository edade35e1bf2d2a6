"""Checks that a record is a sound state, which can be played to a legal end without an access out of range."""

from __future__ import annotations

from typing import Any

from banakil_env.core.engine import count_actions
from banakil_env.core.jit import compiled
from banakil_env.core.scratch import scratch
from banakil_env.games.hand_and_foot import state as S
from banakil_env.games.hand_and_foot.lookahead import feet_are_up
from banakil_env.games.hand_and_foot.moves import may_ask
from banakil_env.games.hand_and_foot.plans import is_meld
from banakil_env.games.hand_and_foot.records import State
from banakil_env.kit import table_state as T
from banakil_env.kit.books import soundness as book_soundness
from banakil_env.kit.books.kinds import FOUR, JOKER, NUM_KINDS, RED_FACES, TWO, size_of, size_of_stacks
from banakil_env.kit.books.melds import wilds_at
from banakil_env.kit.books.soundness import (
    FIRST_MELD,
    fault_of_cards,
    fault_of_ending,
    fault_of_question,
    fault_of_seats,
)
from banakil_env.kit.soundness import MELD, NO_ACTION, NO_CARD, PACK, ROUND, Faults
from banakil_env.kit.two_sides import NUM_SIDES, partner_of, side_to_move, winning_side

FAULTS = Faults(book_soundness.FAULTS)
FOOT = FAULTS.named("a foot that has not been taken up must have eleven cards")
BONUS = FAULTS.named("a seat has the bonus of the deal, but the rules have no such bonus")
RED_PILE = FAULTS.named("the pile has a red Three")

_MOST = 0x07070707  # a stack has at most five cards of a suit
_is_meld = compiled(is_meld)


@compiled
def _fault_of_melds(state: State, counts: Any) -> int:
    """Return the fault of melds and piles, or 0; add the cards of the piles to `counts`."""
    number = 0
    for side in range(NUM_SIDES):
        for place in range(S.NUM_PLACES):
            natural, wild = size_of(state.naturals[side, place]), wilds_at(state, side, place)
            if place == S.W:
                sound = natural == 0 and (wild == 0 or 3 <= wild < S.PILE)
            else:
                sound = natural + wild == 0 or (place >= FOUR and natural > 0 and _is_meld(natural, wild))
            if not sound or natural + wild == S.PILE:
                return MELD
            for slot in range(S.MAX_PILES):
                pile = state.complete[side, place, slot]
                if pile == 0:
                    continue
                natural, jokers = size_of(S.naturals_of(pile)), S.jokers_of(pile)
                if place < FOUR or pile != S.packed(S.naturals_of(pile), S.twos_of(pile)) or jokers < 0:
                    return MELD
                if natural != 0 if place == S.W else natural < S.PILE - 2:
                    return MELD
                if slot and not state.complete[side, place, slot - 1]:
                    return MELD
                number += 1
                counts[place] += S.naturals_of(pile)
                counts[TWO] += S.twos_of(pile)
                counts[JOKER] += jokers
    # The number of piles is limited, so that the sums of a suit cannot overflow.
    return PACK if number * S.PILE > S.NUM_CARDS else 0


@compiled
def _fault_of_feet(state: State, counts: Any) -> int:
    for seat in range(S.MAX_SEATS):
        for kind in range(NUM_KINDS):
            if kind != JOKER and state.feet[seat, kind] & ~_MOST:
                return PACK
            counts[kind] += state.feet[seat, kind]
        size = size_of_stacks(state.feet[seat])
        if (size and size != S.FOOT_SIZE) or state.feet[seat, JOKER] > S.JOKERS:
            return FOOT
        if state.deal_bonus[seat] and not state.rules.deal_bonus:
            return BONUS
    return 0


@compiled
def _fault_of_pile(state: State) -> int:
    """Return the fault of a red Three on the pile, or 0 (HF2.5).

    Such a card would never be taken up, and plays that count on it would have no end.
    """
    for i in range(state.pile_size):
        if state.pile[i] in RED_FACES:
            return RED_PILE
    return 0


@compiled
def _fault_of_rounds(state: State) -> int:
    """Return the fault of the seats, the ending, the rounds or the winner, or 0.

    A match ends after exactly four rounds.
    """
    fault = fault_of_seats(state, S.MAX_POINTS * (S.NUM_ROUNDS + state.rounds))
    if fault:
        return fault
    fault = fault_of_ending(state)
    if fault:
        return fault
    ended = state.ending == T.MATCH or state.ending == S.DRAWN_MATCH
    finished = state.episode == T.MATCH_EPISODE and state.phase == T.OVER
    if ended != finished or (state.rounds == S.NUM_ROUNDS) != finished:
        return ROUND
    if finished and state.winner != winning_side(state):
        return ROUND
    return 0


@compiled
def _fault_of_turn(state: State) -> int:
    if state.phase == T.OVER:
        return 0
    for seat in range(S.MAX_SEATS):
        if size_of_stacks(state.hands[seat]) == 0 and (seat == state.seat or not S.has_foot(state, seat)):
            return NO_CARD
    side = side_to_move(state)
    if state.opening and (not S.has_melds(state, side) or S.laid_value(state, side) >= S.minimum(state)):
        return FIRST_MELD
    if state.taking and (not state.opening or state.last or state.answer):
        return FIRST_MELD
    return fault_of_question(state, state.rules.ask != 0 and feet_are_up(state, side))


@book_soundness.can_have_asked.fill(S.STATE)
def can_have_asked(state: State) -> bool:
    """Return whether the partner of the seat to move could have asked it for permission (phase ANSWER)."""
    return may_ask(state, partner_of(state.seat), S.missing_value(state, side_to_move(state)))


@compiled
def check(state: State) -> int:
    """Return 0 for a sound state, else 1 + the index of its fault in FAULTS; see `core/engine.py`."""
    counts = scratch(NUM_KINDS)
    for kind in range(NUM_KINDS):
        counts[kind] = 0
    fault = _fault_of_feet(state, counts) or _fault_of_melds(state, counts)
    fault = fault or fault_of_cards(state, counts, S.PACKS, S.JOKERS, _MOST)
    fault = fault or _fault_of_pile(state) or _fault_of_rounds(state) or _fault_of_turn(state)
    if fault:
        return fault
    return NO_ACTION if state.phase != T.OVER and not count_actions(state) else 0
