"""Checks a record of Contract Rummy: the conditions of `kit/contracts/soundness.py`, and that the turn can go on."""

from __future__ import annotations

from banakil_env.core.jit import compiled
from banakil_env.games.contract import state as S
from banakil_env.games.contract.moves import CLASH, barred, fewest
from banakil_env.games.contract.records import State
from banakil_env.games.contract.rules import CONTRACTS
from banakil_env.kit import soundness as kit_soundness
from banakil_env.kit.contracts import soundness
from banakil_env.kit.contracts import table as K
from banakil_env.kit.melds import joker_melds as W
from banakil_env.kit.soundness import ASKED, CONTRACT, Faults

FAULTS = Faults(soundness.FAULTS)
OWED = FAULTS.named("more Jokers are owed than the hand has, or the seat cannot owe any")


@kit_soundness.is_meld.fill(S.STATE)
def _is_meld(state: State, slot: int) -> bool:
    """Return whether the number in this slot is a meld with the number of naturals that the rules require (N4.2)."""
    return W.is_meld(state.melds[slot], fewest(state))


@compiled
def fault_of_state(state: State) -> int:
    """Return the first fault, or 0 for none. `check` adds the faults that only the legal actions show."""
    fault = soundness.fault_of_table(state, S.MAX_POINTS, CONTRACTS)
    if fault:
        return fault
    if state.owed:
        if state.first or not K.is_down(state, state.active):
            return OWED
        if state.owed > K.jokers_held(state, state.active):
            return OWED
    if state.phase == K.CALL and barred(state) >> state.seat & 1:
        return ASKED
    sets, runs, _ = K.still_lacks(state, S.SETS[state.contract], S.RUNS[state.contract], CLASH)
    grown = state.first and soundness.has_grown(state) and (state.contract != S.ALL_AT_ONCE or runs)
    return CONTRACT if sets < 0 or runs < 0 or grown else 0


@compiled
def check(state: State) -> int:
    """Return 0 for a sound state, else 1 + the index of its fault in FAULTS; see `core/engine.py`."""
    return kit_soundness.checked(state, fault_of_state(state))
