"""Checks a record of a game of books: hands, pile and stock, seats, rounds and matches.

A game checks its melds first. Then it calls `fault_of_cards` and `fault_of_rounds` (or `fault_of_seats` and
`fault_of_ending`, if its matches end differently), and last it checks its additional rules.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.hooks import hook
from banakil_env.core.jit import compiled
from banakil_env.kit.books.kinds import JOKER, NUM_KINDS, THREE, TWO, kind_of, one_card, size_of_stacks
from banakil_env.kit.soundness import (
    COMMON,
    KNOWN,
    OUT_WITH_CARDS,
    PACK,
    PARTNERS,
    ROUND,
    SCORES,
    Faults,
    has_ended_so,
    is_counted,
)
from banakil_env.kit.table_state import MATCH, MAX_ROUNDS, NO_SEAT, OUT
from banakil_env.kit.two_sides import ANSWER, NUM_SIDES

FAULTS = Faults(COMMON)
RED = FAULTS.named("a hand or a meld holds a red Three")
FIRST_MELD = FAULTS.named("opening, taking or concealed does not fit the melds of the side")
ASKED = FAULTS.named("the question to the partner, or its answer, is impossible in this turn")
LAST = FAULTS.named("the last turn needs an empty stock")

# The bits of the red suits in a stack, and the highest bit of each byte of a stack.
RED_SUITS, _HIGH = 0x00FFFF00, 0x80808080


@compiled
def fault_of_places(state: Any, counts: Any, most: int) -> int:
    """Check hands, stock and pile, and add their cards to `counts`. Returns PACK or KNOWN for a fault, else 0.

    See `fault_of_cards` for the arguments.
    """
    if state.stock_size + state.pile_size > state.stock.shape[0]:
        return PACK
    for seat in range(state.num_players):
        for kind in range(state.hands.shape[1]):
            hand, known = state.hands[seat, kind], state.known[seat, kind]
            if (hand | known) & ~(0xFF if kind == JOKER else most):
                return PACK
            if ((hand | _HIGH) - known) & _HIGH != _HIGH:
                return KNOWN
            counts[kind] += hand
    for i in range(state.stock_size):
        counts[kind_of(state.stock[i])] += one_card(state.stock[i])
    for i in range(state.pile_size):
        counts[kind_of(state.pile[i])] += one_card(state.pile[i])
    return 0


@compiled
def fault_of_cards(state: Any, counts: Any, packs: int, jokers: int, most: int) -> int:
    """Check all cards. Returns PACK, KNOWN or RED for a fault, else 0.

    Args:
        counts: a row of stacks with the cards in places that only this game has; all other cards are added.
        packs: the number of packs.
        jokers: the number of Jokers in all packs together.
        most: the bits that a stack can have, such as 0x03030303; sums of a hundred such stacks must not overflow.
    """
    fault = fault_of_places(state, counts, most)
    if fault:
        return fault
    for seat in range(state.num_players):
        if state.hands[seat, THREE] & RED_SUITS:
            return RED
    for side in range(NUM_SIDES):
        for place in range(state.naturals.shape[1]):
            naturals, twos = state.naturals[side, place], state.twos[side, place]
            if (naturals | twos) & ~most:
                return PACK
            if place == THREE and naturals & RED_SUITS:
                return RED
            counts[place] += naturals
            counts[TWO] += twos
            counts[JOKER] += state.jokers[side, place]
        counts[THREE] += state.red_threes[side, 0] << 8 | state.red_threes[side, 1] << 16
    for kind in range(NUM_KINDS):
        if counts[kind] != (jokers if kind == JOKER else 0x01010101 * packs):
            return PACK
    return 0


@compiled
def fault_of_seats(state: Any, max_score: int) -> int:
    """Check players and scores. Returns PARTNERS or SCORES for a fault, else 0.

    Args:
        max_score: the highest score that is possible so far.
    """
    if state.num_players == 3:
        return PARTNERS
    for seat in range(state.num_players):
        if state.scores[seat] != state.scores[seat & 1] or state.points[seat] != state.points[seat & 1]:
            return PARTNERS
        if abs(state.scores[seat]) > max_score:
            return SCORES
    return 0


@compiled
def fault_of_ending(state: Any) -> int:
    """Check phase, ending and winner. Returns ROUND or OUT_WITH_CARDS for a fault, else 0."""
    with_winner = state.ending == MATCH or state.ending == OUT
    if not has_ended_so(state) or with_winner != (state.winner != NO_SEAT):
        return ROUND
    if state.ending == MATCH and state.winner >= NUM_SIDES:
        return ROUND
    return OUT_WITH_CARDS if state.ending == OUT and size_of_stacks(state.hands[state.winner]) else 0


@compiled
def fault_of_rounds(state: Any, max_points: int) -> int:
    """Check seats, scores, rounds and ending, in matches of at most `max_rounds` rounds. Returns a fault, else 0.

    Args:
        max_points: the most points that a side can win or lose in a round.
    """
    fault = fault_of_seats(state, max_points * (MAX_ROUNDS + state.rounds)) or fault_of_ending(state)
    return fault or (0 if is_counted(state) else ROUND)


@hook
def can_have_asked(state: Any) -> bool:
    """In phase ANSWER: whether the partner of the seat to move can have asked with its hand."""
    raise NotImplementedError


@compiled
def fault_of_question(state: Any, may_be_asked: bool) -> int:
    """Check the last turn and the question to the partner. Returns LAST or ASKED for a fault, else 0.

    Args:
        may_be_asked: whether the rules allow the question at this table and with these hands.
    """
    if (state.answer or state.phase == ANSWER) and not may_be_asked:
        return ASKED
    if state.last and state.stock_size:
        return LAST
    if state.phase == ANSWER and (state.opening or state.answer or not can_have_asked(state)):
        return ASKED
    return 0
