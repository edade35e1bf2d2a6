"""Is a record a sound state? What it lets pass plays on to a legal end, without an access out of range."""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import wide
from banakil_env.core.jit import compiled
from banakil_env.core.scratch import scratch
from banakil_env.games.canasta import lookahead as L
from banakil_env.games.canasta import state as S
from banakil_env.games.canasta.lookahead import SIGHT
from banakil_env.games.canasta.moves import count_actions, may_ask
from banakil_env.games.canasta.scoring import laid_value
from banakil_env.kit import table_state as T
from banakil_env.kit.books import JOKER, NUM_KINDS, THREE, TWO, kind_of, one_card, size_of, size_of_stacks
from banakil_env.kit.two_sides import NUM_SIDES, partner_of

FAULTS = (
    "the 108 cards are not each in one place",
    "cells beyond the end of stock, pile or seats are not empty",
    "cards are known to be in a hand that are not",
    "a hand or a meld holds a red Three",
    "a meld is none",
    "dealer, seat to move or winner is no seat that plays",
    "partners have different scores or points",
    "turns, rounds, phase, ending and winner do not go together",
    "scores that no rounds can bring",
    "a game that is over, or a turn before its draw, is in the middle of a turn",
    "opening, taking and concealed do not fit the melds of the side",
    "nobody can have asked, or not been told so, in this turn",
    "the last turn needs an empty stock, and begins with a draw",
    "black Threes are melded by who goes out in the same turn, and at the end",
    "a seat holds no card, and the round goes on; or it holds some, and is out",
    "there is no action that would lead to a legal end of the turn",
)
(
    CARDS,
    CELLS,
    KNOWN,
    RED,
    MELD,
    SEATS,
    PARTNERS,
    ROUND,
    SCORES,
    BEGUN,
    FIRST_MELD,
    ASKED,
    LAST,
    THREES,
    EMPTY,
    NO_END,
) = range(1, len(FAULTS) + 1)

_RED_SUITS, _HIGH, _UP_TO_THREE = 0x00FFFF00, 0x80808080, 0x03030303


@compiled
def _fault_of_cards(state: Any) -> int:
    counts = scratch(NUM_KINDS)
    for kind in range(NUM_KINDS):
        counts[kind] = 0
    if state.stock_size + state.pile_size > S.NUM_CARDS:
        return CARDS
    for seat in range(S.MAX_SEATS):
        for kind in range(NUM_KINDS):
            hand, known = wide(state.hands[seat, kind]), wide(state.known[seat, kind])
            if seat >= state.num_players and (hand or known):
                return CELLS
            if (hand | known) & ~(wide(7) if kind == JOKER else wide(_UP_TO_THREE)):
                return CARDS
            if ((hand | _HIGH) - known) & _HIGH != _HIGH:
                return KNOWN
            counts[kind] += hand
        if (state.hands[seat, THREE]) & _RED_SUITS:
            return RED
    for side in range(NUM_SIDES):
        for kind in range(S.NUM_PLACES):
            naturals, twos = wide(state.naturals[side, kind]), wide(state.twos[side, kind])
            if (naturals | twos) & ~_UP_TO_THREE:
                return CARDS
            if kind == THREE and naturals & _RED_SUITS:
                return RED
            natural, wild = size_of(naturals), size_of(twos) + state.jokers[side, kind]
            if kind == THREE:
                sound = wild == 0 and natural >= 3
            else:
                sound = natural >= 2 and wild <= L.MAX_WILDS and natural + wild >= 3
            if not sound and natural + wild:
                return MELD
            counts[kind] += naturals
            counts[TWO] += twos
            counts[JOKER] += state.jokers[side, kind]
        counts[THREE] += wide(state.red_threes[side, 0]) << 8 | wide(state.red_threes[side, 1]) << 16
    for i in range(S.NUM_CARDS):
        if i < state.stock_size:
            counts[kind_of(wide(state.stock[i]))] += one_card(wide(state.stock[i]))
        elif state.stock[i]:
            return CELLS
        if i < state.pile_size:
            counts[kind_of(wide(state.pile[i]))] += one_card(wide(state.pile[i]))
        elif state.pile[i]:
            return CELLS
    for kind in range(NUM_KINDS):
        if counts[kind] != (S.JOKERS if kind == JOKER else 0x01010101 * S.PACKS):
            return CARDS
    return 0


@compiled
def _fault_of_round(state: Any) -> int:
    over, players = state.phase == T.OVER, wide(state.num_players)
    if players == 3 or state.dealer >= players or state.seat >= players or state.winner >= players:
        return SEATS
    for seat in range(S.MAX_SEATS):
        score, points = wide(state.scores[seat]), wide(state.points[seat])
        if seat >= players and (score or points):
            return CELLS
        if seat < players and (score != state.scores[seat & 1] or points != state.points[seat & 1]):
            return PARTNERS
        if abs(score) > S.MAX_POINTS * (T.MAX_ROUNDS + wide(state.rounds)):
            return SCORES
    if over != (state.ending != T.RUNNING) or state.turns > state.rules.max_turns:
        return ROUND
    if not over and (state.turns >= state.rules.max_turns or state.winner != T.NO_SEAT):
        return ROUND
    if state.episode == T.MATCH_EPISODE:
        if state.rounds > state.rules.max_rounds or (not over and state.rounds >= state.rules.max_rounds):
            return ROUND
        if over and state.ending != T.MATCH and state.ending != T.ROUNDS:
            return ROUND
    elif state.rounds or state.ending == T.MATCH or state.ending == T.ROUNDS:
        return ROUND
    if over and (state.ending == T.MATCH or state.ending == T.OUT) != (state.winner != T.NO_SEAT):
        return ROUND
    if state.ending == T.MATCH and state.winner > 1:
        return SEATS
    if state.ending == T.OUT and size_of_stacks(state.hands[state.winner]):
        return EMPTY
    return 0


@compiled
def _fault_of_turn(state: Any) -> int:
    first_meld = state.opening or state.taking or state.concealed
    if state.phase == T.OVER or state.phase == T.DRAW:
        if first_meld or state.answer or state.last or (state.seat and state.phase == T.OVER):
            return BEGUN
        if state.phase == T.OVER:
            return 0
    for seat in range(wide(state.num_players)):
        if size_of_stacks(state.hands[seat]) == 0:
            return EMPTY
    side = S.side_to_move(state)
    if state.naturals[1 - side, THREE]:
        return THREES
    if state.naturals[side, THREE] and (state.phase != T.PLAY or size_of_stacks(state.hands[state.seat]) > 1):
        return THREES
    if first_meld:
        reached = laid_value(state, side) >= S.minimum(state, side)
        if not S.has_melds(state, side) or state.opening == reached or state.concealed != reached:
            return FIRST_MELD
        if state.taking and (not state.opening or state.last or state.answer):
            return FIRST_MELD
    if (state.answer or state.phase == S.ANSWER) and (not state.rules.ask or state.num_players != 4):
        return ASKED
    if state.last and state.stock_size:
        return LAST
    if state.phase == S.ANSWER and (state.opening or state.answer or not can_have_asked(state)):
        return ASKED
    return 0


@compiled
def can_have_asked(state: Any) -> bool:
    """Phase ANSWER: whether the partner of the seat to move may have asked."""
    asker, sight = partner_of(wide(state.seat)), scratch(SIGHT)
    L.look(state, asker, sight)
    side = S.side_to_move(state)
    return may_ask(state, sight, wide(0) if S.has_melds(state, side) else S.minimum(state, side))


@compiled
def check(state: Any) -> int:
    """0, or a place in FAULTS plus 1; see `core.game.Engine`."""
    fault = _fault_of_cards(state)
    if fault:
        return wide(fault)
    fault = _fault_of_round(state)
    if fault:
        return wide(fault)
    fault = _fault_of_turn(state)
    if fault:
        return wide(fault)
    return wide(NO_END) if state.phase != T.OVER and not count_actions(state) else wide(0)
