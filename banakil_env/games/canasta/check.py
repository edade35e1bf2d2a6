"""Checks that a record is a sound state, which can be played to a legal end without an access out of range."""

from __future__ import annotations

from banakil_env.core.engine import count_actions
from banakil_env.core.jit import compiled
from banakil_env.core.scratch import scratch
from banakil_env.games.canasta import state as S
from banakil_env.games.canasta.moves import may_ask
from banakil_env.games.canasta.records import State
from banakil_env.kit import table_state as T
from banakil_env.kit.books import soundness as book_soundness
from banakil_env.kit.books.kinds import NUM_KINDS, THREE, size_of, size_of_stacks
from banakil_env.kit.books.melds import value_of_books, wilds_at
from banakil_env.kit.books.soundness import FIRST_MELD, fault_of_cards, fault_of_question, fault_of_rounds
from banakil_env.kit.soundness import MELD, NO_ACTION, NO_CARD, Faults
from banakil_env.kit.two_sides import NUM_SIDES, partner_of, side_to_move

FAULTS = Faults(book_soundness.FAULTS)
THREES = FAULTS.named("black Threes are melded, but the seat is not about to go out in this turn")

_MOST = 0x03030303  # a stack has at most two cards of a suit


@compiled
def _fault_of_melds(state: State) -> int:
    for side in range(NUM_SIDES):
        for kind in range(S.NUM_PLACES):
            natural, wild = size_of(state.naturals[side, kind]), wilds_at(state, side, kind)
            if kind == THREE:
                sound = wild == 0 and natural >= 3
            else:
                sound = natural >= 2 and wild <= S.MAX_WILDS and natural + wild >= 3
            if not sound and natural + wild:
                return MELD
    return 0


@compiled
def _fault_of_turn(state: State) -> int:
    if state.phase == T.OVER:
        return 0
    for seat in range(state.num_players):
        if size_of_stacks(state.hands[seat]) == 0:
            return NO_CARD
    side = side_to_move(state)
    if state.naturals[1 - side, THREE]:
        return THREES
    if state.naturals[side, THREE] and (state.phase != T.PLAY or size_of_stacks(state.hands[state.seat]) > 1):
        return THREES
    if state.opening or state.taking or state.concealed:
        reached = value_of_books(state, side) >= S.minimum(state, side)
        if not S.has_melds(state, side) or state.opening == reached or state.concealed != reached:
            return FIRST_MELD
        if state.taking and (not state.opening or state.last or state.answer):
            return FIRST_MELD
    return fault_of_question(state, state.rules.ask != 0 and state.num_players == 4)


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
    fault = fault_of_cards(state, counts, S.PACKS, S.JOKERS, _MOST) or _fault_of_melds(state)
    fault = fault or fault_of_rounds(state, S.MAX_POINTS) or _fault_of_turn(state)
    if fault:
        return fault
    return NO_ACTION if state.phase != T.OVER and not count_actions(state) else 0
