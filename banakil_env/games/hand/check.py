"""Checks that a record is a sound state of Hand, which can be played to a legal end without an access out of range."""

from __future__ import annotations

from banakil_env.core.jit import compiled
from banakil_env.games.hand import state as S
from banakil_env.games.hand.observation import named_cards
from banakil_env.games.hand.records import State
from banakil_env.games.hand.rules import ACES, JOKERS, NEVER
from banakil_env.games.hand.state import HAND_SIZE, NOTHING, STATE
from banakil_env.kit import soundness
from banakil_env.kit import table_state as T
from banakil_env.kit.melds import one_wild_melds as M
from banakil_env.kit.melds.one_wild_melds import WILD
from banakil_env.kit.pack52 import NUM_RANKS
from banakil_env.kit.pack54 import count_cards
from banakil_env.kit.soundness import COMMON, NOTHING_TO_DRAW, PARTNERS, ROUND, WAITS, Faults, checked, fault_of_round

FAULTS = Faults(COMMON)
SIZES = FAULTS.named(
    "a hand has no cards, or more than 14 (in its turn 15), while the round goes on; or has cards, but the seat is out"
)
INDICATOR = FAULTS.named("these rules use no such indicator")
NUMBERS = FAULTS.named(
    "the unscored deals would have ended the round or match, or the need does not agree with the rules"
)
DEAL = FAULTS.named("before the first turn there are melds, a pile or turns, or the seat may not demand a new deal")
TAKEN = FAULTS.named("the card taken is not among the known cards of the hand, or the rules forbid taking it")
WORDS = FAULTS.named(
    "a flag of the turn (in one turn, laid off, down to one, owes wild) does not agree with rules, melds or hand"
)


@compiled
def _fault_of_cards(state: State) -> int:
    if (state.rules.wilds == JOKERS) != (state.indicator == NOTHING) or state.indicator == WILD:
        return INDICATOR
    if state.rules.wilds == ACES and state.indicator % NUM_RANKS == 0:
        return INDICATOR
    return soundness.fault_of_cards(state)


@soundness.is_meld.fill(STATE)
def _is_meld(state: State, slot: int) -> bool:
    return M.is_meld(state.melds[slot])


@compiled
def _fault_of_seats(state: State) -> int:
    players, over = state.num_players, state.phase == T.OVER
    if state.ending == T.MATCH and S.side_of(state, state.winner) != state.winner:
        return ROUND
    if state.partners:
        if players != 4:
            return PARTNERS
        for seat in range(2):
            if state.scores[seat] != state.scores[seat + 2] or state.points[seat] != state.points[seat + 2]:
                return PARTNERS
    for seat in range(players):
        size = count_cards(state.hands[seat])
        first = state.phase == S.REDEAL and seat == T.next_seat(state, state.dealer)
        in_turn = (seat == state.seat and state.phase != T.DRAW) or first
        if not over and (size == 0 or size > HAND_SIZE + in_turn):
            return SIZES
        if state.ending == T.OUT and (size == 0) != (seat == state.winner):
            return SIZES
    if state.need < state.rules.first_meld or (state.need > state.rules.first_meld and not state.rules.rising):
        return NUMBERS
    if state.unscored > state.rules.max_unscored or (state.unscored == state.rules.max_unscored and not over):
        return NUMBERS
    last_round = state.episode == T.MATCH_EPISODE and state.rounds == state.rules.rounds - 1
    if not over and last_round and state.unscored >= state.rules.last_deals:
        return NUMBERS
    return 0


@compiled
def _fault_of_turn(state: State) -> int:
    seat = state.seat
    if state.phase == T.OVER:
        return 0
    if state.stock_size == 0 and state.phase == T.DRAW:
        return NOTHING_TO_DRAW
    if state.phase == S.REDEAL or state.phase == S.DISCARD:
        if state.num_melds or state.pile_size or state.turns or count_cards(state.hands[seat]) < 2:
            return DEAL
        if state.phase == S.REDEAL:
            return 0 if S.may_throw_in(state, seat) else DEAL
        return 0 if seat == T.next_seat(state, state.dealer) else DEAL
    if state.taken != NOTHING:
        if not state.known[seat, 0] >> state.taken & 1:
            return TAKEN
        if state.taken == WILD and state.rules.wild_discard == NEVER:
            return TAKEN
    melded = count_cards(state.hands[seat])
    for slot in range(state.num_melds):
        melded += M.size_of(state.melds[slot]) if state.meld_owner[slot] == seat else 0
    if state.in_one_turn and (not S.has_melded(state, seat) or melded > HAND_SIZE + 1):
        return WORDS
    if (state.laid_off and not state.in_one_turn) or (state.down_to_one and state.rules.add_to_pair):
        return WORDS
    if state.owes_wild and (not state.rules.reuse_wild or state.taken != NOTHING):
        return WORDS
    if state.owes_wild and not state.known[seat, 0] >> WILD & 1:
        return WORDS
    if state.phase == T.CHOOSE and named_cards(state.named) & ~state.hands[seat, 0]:
        return WAITS
    return 0


@compiled
def check(state: State) -> int:
    """Return 0 for a sound state, else 1 + the index of its fault in FAULTS; see `core/engine.py`."""
    fault = fault_of_round(state, S.MAX_POINTS) or _fault_of_cards(state)
    return checked(state, fault or _fault_of_seats(state) or _fault_of_turn(state))
