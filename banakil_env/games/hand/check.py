"""Is a record a sound state of Hand? A state that passes plays on to a legal end without an access out of range."""

from __future__ import annotations

from typing import Any

from banakil_env.core.engine import count_actions
from banakil_env.core.jit import compiled
from banakil_env.games.hand import state as S
from banakil_env.games.hand.observation import named_cards
from banakil_env.games.hand.rules import ACES, JOKERS, NEVER
from banakil_env.games.hand.state import HAND_SIZE, NOTHING, STATE
from banakil_env.kit import soundness
from banakil_env.kit import table_state as T
from banakil_env.kit.melds import one_wild_melds as M
from banakil_env.kit.melds.one_wild_melds import WILD
from banakil_env.kit.pack52 import NUM_RANKS
from banakil_env.kit.pack54 import count_cards
from banakil_env.kit.soundness import ROUND_FAULTS, fault_of_round

OWN_FAULTS = (
    "these rules use no such indicator",
    "the cards are not those of the packs without the indicator, each in one place",
    "cells beyond the end of stock, pile, melds or seats are not empty",
    "inconsistent card layers in a hand",
    "cards are known to be in a hand that are not",
    "an invalid meld, or a meld of a seat that does not play",
    "dealer, seat to move or winner does not play, or the winner of a match is not the first of its side",
    "partners do not play with four, or have different scores or points",
    "a seat holds no card, or more than 14 (in its turn 15), and the round goes on; or it holds some, and is out",
    "unscored deals that end the round or the match, or a need that the rules do not have",
    "a game that is over, or a turn before its draw, is in the middle of a turn; or the stock is empty",
    "the deal is not over: there are melds, a pile or turns, or the seat that is asked may not demand another",
    "the card taken is not known in the hand, or cannot be taken",
    "in one turn, laid off, down to one or owes wild does not fit the rules, the melds and the hand",
    "no card waits for its meld, it is not in the hand, or has less than two melds to choose from",
    "there is no action that would lead to a legal end of the turn",
)
FAULTS = ROUND_FAULTS + OWN_FAULTS
_FIRST = len(ROUND_FAULTS) + 1
_INDICATOR, _CARDS, _CELLS, _LAYERS, _KNOWN, _MELD, _SEATS, _PARTNERS = range(_FIRST, _FIRST + 8)
_SIZES, _NUMBERS, _BEGUN, _DEAL, _TAKEN, _WORDS, _NAMED, _NO_END = range(_FIRST + 8, _FIRST + len(OWN_FAULTS))


@compiled
def _fault_of_cards(state: Any) -> int:
    if (state.rules.wilds == JOKERS) != (state.indicator == NOTHING) or state.indicator == WILD:
        return _INDICATOR
    if state.rules.wilds == ACES and state.indicator % NUM_RANKS == 0:
        return _INDICATOR
    fault = soundness.fault_of_cards(state)
    return fault + _CARDS - 1 if fault else 0


@soundness.is_meld.fill(STATE)
def _is_meld(state: Any, slot: int) -> bool:
    return M.is_meld(state.melds[slot])


@compiled
def _fault_of_seats(state: Any) -> int:
    players, over = state.num_players, state.phase == T.OVER
    if state.dealer >= players or state.seat >= players or state.winner >= players:
        return _SEATS
    if state.ending == T.MATCH and S.side_of(state, state.winner) != state.winner:
        return _SEATS
    if state.partners:
        if players != 4:
            return _PARTNERS
        for seat in range(2):
            if state.scores[seat] != state.scores[seat + 2] or state.points[seat] != state.points[seat + 2]:
                return _PARTNERS
    for seat in range(players):
        size = count_cards(state.hands[seat])
        first = state.phase == S.REDEAL and seat == T.next_seat(state, state.dealer)
        in_turn = (seat == state.seat and state.phase != T.DRAW) or first
        if not over and (size == 0 or size > HAND_SIZE + in_turn):
            return _SIZES
        if state.ending == T.OUT and (size == 0) != (seat == state.winner):
            return _SIZES
    if state.need < state.rules.first_meld or (state.need > state.rules.first_meld and not state.rules.rising):
        return _NUMBERS
    if state.unscored > state.rules.max_unscored or (state.unscored == state.rules.max_unscored and not over):
        return _NUMBERS
    last_round = state.episode == T.MATCH_EPISODE and state.rounds == state.rules.rounds - 1
    if not over and last_round and state.unscored >= state.rules.last_deals:
        return _NUMBERS
    return 0


@compiled
def _fault_of_turn(state: Any) -> int:
    words = state.in_one_turn or state.laid_off or state.down_to_one or state.owes_wild
    playing = state.phase == T.PLAY or state.phase == T.CHOOSE
    seat = state.seat
    if not playing and (words or state.taken != NOTHING):
        return _BEGUN
    if state.named != 0 and state.phase != T.CHOOSE:
        return _NAMED
    if state.phase == T.OVER:
        return 0
    if state.stock_size == 0 and state.phase == T.DRAW:
        return _BEGUN
    if state.phase == S.REDEAL or state.phase == S.DISCARD:
        if state.num_melds or state.pile_size or state.turns or count_cards(state.hands[seat]) < 2:
            return _DEAL
        if state.phase == S.REDEAL:
            return 0 if S.may_throw_in(state, seat) else _DEAL
        return 0 if seat == T.next_seat(state, state.dealer) else _DEAL
    if state.taken != NOTHING:
        if not state.known[seat, 0] >> state.taken & 1:
            return _TAKEN
        if state.taken == WILD and state.rules.wild_discard == NEVER:
            return _TAKEN
    melded = count_cards(state.hands[seat])
    for slot in range(state.num_melds):
        melded += M.size_of(state.melds[slot]) if state.meld_owner[slot] == seat else 0
    if state.in_one_turn and (not S.has_melded(state, seat) or melded > HAND_SIZE + 1):
        return _WORDS
    if (state.laid_off and not state.in_one_turn) or (state.down_to_one and state.rules.add_to_pair):
        return _WORDS
    if state.owes_wild and (not state.rules.reuse_wild or state.taken != NOTHING):
        return _WORDS
    if state.owes_wild and not state.known[seat, 0] >> WILD & 1:
        return _WORDS
    if state.phase == T.CHOOSE and named_cards(state.named) & ~state.hands[seat, 0]:
        return _NAMED
    return 0


@compiled
def check(state: Any) -> int:
    """0, or a place in FAULTS plus 1; see `core/engine.py`."""
    fault = fault_of_round(state, S.MAX_POINTS) or _fault_of_cards(state)
    fault = fault or _fault_of_seats(state) or _fault_of_turn(state)
    if fault or state.phase == T.OVER:
        return fault
    count = count_actions(state)
    if state.phase == T.CHOOSE and count < 2:
        return _NAMED
    return 0 if count else _NO_END
