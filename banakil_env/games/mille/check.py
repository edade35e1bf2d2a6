"""Checks that a record is a sound state, which can be played to a legal end without an access out of range."""

from __future__ import annotations

from banakil_env.core.engine import count_actions
from banakil_env.core.jit import compiled
from banakil_env.core.scratch import scratch
from banakil_env.games.mille import state as S
from banakil_env.games.mille.cards import NUM_RANKS
from banakil_env.games.mille.records import State
from banakil_env.games.mille.scoring import what_is_paid
from banakil_env.kit import table_state as T
from banakil_env.kit.books import soundness as book_soundness
from banakil_env.kit.books.kinds import ALL_SUITS, TWO, size_of, size_of_stacks
from banakil_env.kit.books.soundness import fault_of_places, fault_of_rounds
from banakil_env.kit.soundness import MELD, NO_CARD, NOTHING_TO_DRAW, PACK, Faults
from banakil_env.kit.two_sides import winning_side

FAULTS = Faults(book_soundness.FAULTS)
MARKS = FAULTS.named("a seat has more marks than rounds can bring, or has marks in a single round that goes on")
AHEAD = FAULTS.named("the winner of a match must be the seat that is ahead")
PAYMENT = FAULTS.named("the payment does not agree with the end of the match")

_MOST = 0x03030303  # a stack has at most two cards of a suit


@compiled
def _fault_of_cards(state: State) -> int:
    counts = scratch(NUM_RANKS)
    for rank in range(NUM_RANKS):
        counts[rank] = 0
    fault = fault_of_places(state, counts, _MOST)
    if fault:
        return fault
    for seat in range(S.NUM_SEATS):
        for rank in range(NUM_RANKS):
            natural = state.melds[seat, rank]
            wild = state.wild[seat, rank] if rank < TWO else 0
            if (natural | wild) & ~_MOST:
                return PACK
            if (natural or wild) and (not natural or size_of(natural) + size_of(wild) < 3):
                return MELD
            counts[rank] += natural
            counts[TWO] += wild
    for rank in range(NUM_RANKS):
        if counts[rank] != S.PACKS * (ALL_SUITS // 0xFF):
            return PACK
    return 0


@compiled
def _fault_of_match(state: State) -> int:
    """Return the fault of marks, winner and payment, or 0."""
    for seat in range(S.NUM_SEATS):
        rounds = T.MAX_ROUNDS + state.rounds + (state.episode == T.ROUND_EPISODE)
        if state.naturals[seat] > S.ROUND_NATURALS * rounds or state.chapeaux[seat] > rounds:
            return MARKS
        if (
            state.episode == T.ROUND_EPISODE
            and state.phase != T.OVER
            and (state.naturals[seat] or state.chapeaux[seat])
        ):
            return MARKS
    paid, winner = 0, 0
    if state.ending == T.MATCH:
        winner = winning_side(state)
        if winner == T.NO_SEAT or winner != state.winner:
            return AHEAD
        paid = what_is_paid(state, winner)
    return PAYMENT if state.payment[winner] != paid or state.payment[1 - winner] != -paid else 0


@compiled
def check(state: State) -> int:
    """Return 0 for a sound state, else 1 + the index of its fault in FAULTS; see `core/engine.py`."""
    fault = _fault_of_cards(state) or fault_of_rounds(state, S.MAX_POINTS) or _fault_of_match(state)
    if fault:
        return fault
    if state.phase == T.OVER:
        return 0
    for seat in range(S.NUM_SEATS):
        if size_of_stacks(state.hands[seat]) == 0:
            return NO_CARD
    return 0 if count_actions(state) else NOTHING_TO_DRAW
