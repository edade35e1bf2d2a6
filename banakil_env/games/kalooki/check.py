"""Checks a record of Kalooki: the conditions of `kit/contracts/soundness.py`, melds, calls, and that the turn can
go on.
"""

from __future__ import annotations

from banakil_env.core.jit import compiled
from banakil_env.games.kalooki import state as S
from banakil_env.games.kalooki.moves import CLASH, lacking, not_asked
from banakil_env.games.kalooki.records import State
from banakil_env.games.kalooki.rules import CONTRACTS, DIFFERENT
from banakil_env.kit import soundness as kit_soundness
from banakil_env.kit import table_state as T
from banakil_env.kit.contracts import soundness
from banakil_env.kit.contracts import table as K
from banakil_env.kit.melds import joker_melds as W
from banakil_env.kit.melds.moving_jokers import has_neighbors
from banakil_env.kit.soundness import ASKED, CONTRACT, FEW_TAKERS, Faults

FAULTS = Faults(soundness.FAULTS)
SIDE = FAULTS.named("two Jokers are next to each other in a four")
TWICE = FAULTS.named("a seat has two fours of one suit, or two threes of one rank although they must be different")


@kit_soundness.is_meld.fill(S.STATE)
def _is_meld(state: State, slot: int) -> bool:
    return W.is_meld(state.melds[slot])


@compiled
def fault_of_melds(state: State) -> int:
    """Return the fault of the melds on the table, or 0 if they follow K3.4, K3.5 and K4.2."""
    for slot in range(state.num_melds):
        meld = state.melds[slot]
        if has_neighbors(meld):
            return SIDE
        for other in range(slot):
            if state.meld_owner[other] == state.meld_owner[slot]:
                second = state.melds[other]
                fours, threes = W.is_run(meld) and W.is_run(second), not W.is_run(meld) and not W.is_run(second)
                if fours and W.suit_of(meld) == W.suit_of(second):
                    return TWICE
                if threes and state.rules.threes == DIFFERENT and W.rank_of(meld) == W.rank_of(second):
                    return TWICE
    return 0


@compiled
def is_part(state: State) -> bool:
    """Return whether the melds of the mover in this turn are the whole contract or a part of it (K5.1, K5.2)."""
    asked, asked_fours = S.THREES[state.contract], S.FOURS[state.contract]
    threes, fours, _ = K.still_lacks(state, asked, asked_fours, CLASH)
    return (threes <= 0 and fours <= 0) or (threes >= 0 and fours >= 0 and not soundness.has_grown(state))


@compiled
def fault_of_state(state: State) -> int:
    """Return the first fault, or 0 for none. `check` adds the faults that only the legal actions show."""
    fault = soundness.fault_of_table(state, S.MAX_POINTS, CONTRACTS) or fault_of_melds(state)
    if fault:
        return fault
    if state.phase == K.CALL or state.phase == K.ANSWER:
        caller = state.seat if state.phase == K.CALL else state.took
        if not_asked(state) >> caller & 1 or state.stock_size == 0 or (state.phase == K.CALL and state.took >= 0):
            return ASKED
        if state.phase == K.ANSWER and K.is_down(state, state.active):
            return ASKED
    if state.first and not is_part(state):
        return CONTRACT
    if state.phase == T.CHOOSE:
        threes, fours = lacking(state)
        return FEW_TAKERS if threes + fours else 0
    return 0


@compiled
def check(state: State) -> int:
    """Return 0 for a sound state, else 1 + the index of its fault in FAULTS; see `core/engine.py`."""
    return kit_soundness.checked(state, fault_of_state(state))
