"""Is a record of a game of books a sound state? What must hold for hands, pile and stock, seats, rounds and matches.

A game checks its melds, asks `fault_of_cards`, then `fault_of_rounds` (or `fault_of_seats` and `fault_of_ending`, if
its matches end in another way), and then checks its own rules; its faults are FAULTS and its own.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.hooks import hook
from banakil_env.core.jit import compiled
from banakil_env.kit.books.kinds import JOKER, NUM_KINDS, THREE, TWO, kind_of, one_card, size_of_stacks
from banakil_env.kit.table_state import (
    MATCH,
    MATCH_EPISODE,
    MAX_ROUNDS,
    NO_SEAT,
    OUT,
    OVER,
    ROUNDS,
    RUNNING,
)
from banakil_env.kit.two_sides import ANSWER, NUM_SIDES

FAULTS = (
    "the cards of the pack are not each in one place",
    "cells beyond the end of stock, pile or seats are not empty",
    "cards are known to be in a hand that are not",
    "a hand or a meld holds a red Three",
    "the dealer, the seat to move or the winner does not play",
    "partners have different scores or points",
    "turns, rounds, phase, ending and winner contradict each other",
    "impossible scores",
    "a seat holds no card, and the round goes on; or it holds some, and is out",
    "nobody can have asked, or not been told so, in this turn",
    "the last turn needs an empty stock",
)
CARDS, CELLS, KNOWN, RED, SEATS, PARTNERS, ROUND, SCORES, EMPTY, ASKED, LAST = range(1, len(FAULTS) + 1)

# The cards of the red suits in a stack; the highest bit of each of its bytes.
RED_SUITS, _HIGH = 0x00FFFF00, 0x80808080


@compiled
def fault_of_places(state: Any, counts: Any, most: int) -> int:
    """0, or a place in FAULTS plus 1, of hands, stock and pile; `counts` gets their cards (see `fault_of_cards`)."""
    cards = state.stock.shape[0]
    if state.stock_size + state.pile_size > cards:
        return CARDS
    for seat in range(state.hands.shape[0]):
        for kind in range(state.hands.shape[1]):
            hand, known = state.hands[seat, kind], state.known[seat, kind]
            if seat >= state.num_players and (hand or known):
                return CELLS
            if (hand | known) & ~(0xFF if kind == JOKER else most):
                return CARDS
            if ((hand | _HIGH) - known) & _HIGH != _HIGH:
                return KNOWN
            counts[kind] += hand
    for i in range(cards):
        if i < state.stock_size:
            counts[kind_of(state.stock[i])] += one_card(state.stock[i])
        elif state.stock[i]:
            return CELLS
        if i < state.pile_size:
            counts[kind_of(state.pile[i])] += one_card(state.pile[i])
        elif state.pile[i]:
            return CELLS
    return 0


@compiled
def fault_of_cards(state: Any, counts: Any, packs: int, jokers: int, most: int) -> int:
    """0, or a place in FAULTS plus 1.

    Args:
        counts: the cards in places of the game's own, a row of stacks; all others are added.
        packs, jokers: their numbers in the pack.
        most: the bits that a stack can have, such as 0x03030303; sums of a hundred such stacks must not overflow.
    """
    fault = fault_of_places(state, counts, most)
    if fault:
        return fault
    for seat in range(state.hands.shape[0]):
        if state.hands[seat, THREE] & RED_SUITS:
            return RED
    for side in range(NUM_SIDES):
        for place in range(state.naturals.shape[1]):
            naturals, twos = state.naturals[side, place], state.twos[side, place]
            if (naturals | twos) & ~most:
                return CARDS
            if place == THREE and naturals & RED_SUITS:
                return RED
            counts[place] += naturals
            counts[TWO] += twos
            counts[JOKER] += state.jokers[side, place]
        counts[THREE] += state.red_threes[side, 0] << 8 | state.red_threes[side, 1] << 16
    for kind in range(NUM_KINDS):
        if counts[kind] != (jokers if kind == JOKER else 0x01010101 * packs):
            return CARDS
    return 0


@compiled
def fault_of_seats(state: Any, max_score: int) -> int:
    """0, or a place in FAULTS plus 1; `max_score`: the highest score that a side can have so far."""
    players = state.num_players
    if players == 3 or state.dealer >= players or state.seat >= players or state.winner >= players:
        return SEATS
    for seat in range(state.hands.shape[0]):
        score, points = state.scores[seat], state.points[seat]
        if seat >= players and (score or points):
            return CELLS
        if seat < players and (score != state.scores[seat & 1] or points != state.points[seat & 1]):
            return PARTNERS
        if abs(score) > max_score:
            return SCORES
    return 0


@compiled
def fault_of_ending(state: Any) -> int:
    """0, or a place in FAULTS plus 1."""
    over = state.phase == OVER
    if over != (state.ending != RUNNING) or state.turns > state.rules.max_turns:
        return ROUND
    if not over and (state.turns >= state.rules.max_turns or state.winner != NO_SEAT):
        return ROUND
    if over and (state.ending == MATCH or state.ending == OUT) != (state.winner != NO_SEAT):
        return ROUND
    if state.ending == MATCH and state.winner > 1:
        return SEATS
    if state.ending == OUT and size_of_stacks(state.hands[state.winner]):
        return EMPTY
    return 0


@compiled
def fault_of_rounds(state: Any, max_points: int) -> int:
    """0, or a place in FAULTS plus 1; `max_points`: the most that a side can score in a round.

    A match has at most `max_rounds` rounds.
    """
    fault = fault_of_seats(state, max_points * (MAX_ROUNDS + state.rounds))
    if fault:
        return fault
    fault = fault_of_ending(state)
    if fault:
        return fault
    over = state.phase == OVER
    if state.episode == MATCH_EPISODE:
        if state.rounds > state.rules.max_rounds or (not over and state.rounds >= state.rules.max_rounds):
            return ROUND
        if over and state.ending != MATCH and state.ending != ROUNDS:
            return ROUND
    elif state.rounds or state.ending == MATCH or state.ending == ROUNDS:
        return ROUND
    return 0


@hook
def can_have_asked(state: Any) -> bool:
    """Phase ANSWER: whether the partner of the seat to move could ask."""
    raise NotImplementedError


@compiled
def fault_of_question(state: Any, may_be_asked: bool) -> int:
    """0, or a place in FAULTS plus 1: of the last turn, and of a question to the partner.

    `may_be_asked`: whether the rules allow the question, at this table and with these hands.
    """
    if (state.answer or state.phase == ANSWER) and not may_be_asked:
        return ASKED
    if state.last and state.stock_size:
        return LAST
    if state.phase == ANSWER and (state.opening or state.answer or not can_have_asked(state)):
        return ASKED
    return 0
