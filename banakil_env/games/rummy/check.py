"""Checks that a record is a sound state of Rummy, which can be played to a legal end without an access out of range."""

from __future__ import annotations

from banakil_env.core.jit import compiled
from banakil_env.games.rummy.records import State
from banakil_env.games.rummy.rules import END, ONE_MELD, TURN_OVER
from banakil_env.games.rummy.state import MAX_POINTS, RUMMY, STATE
from banakil_env.kit import soundness as kit_soundness
from banakil_env.kit import table_state as T
from banakil_env.kit.one_pack import soundness
from banakil_env.kit.soundness import NOTHING_TO_DRAW, OUT_WITH_CARDS, Faults

FAULTS = Faults(soundness.FAULTS)
NEVER_SEEN = FAULTS.named("the order of the stock is public, but these rules never turn the pile over")
SECOND_MELD = FAULTS.named("a second meld was opened in this turn by a seat that had played before")


kit_soundness.is_meld.fill(STATE)(soundness.is_meld)


@compiled
def fault_of_state(state: State) -> int:
    """Return the first fault, or 0 for none. `check` adds the faults that only the legal actions show."""
    fault = soundness.fault_of_table(state, MAX_POINTS, 0)
    if fault:
        return fault
    if state.seen and state.rules.stock_out != TURN_OVER:
        return NEVER_SEEN
    if (state.ending == T.OUT or state.ending == RUMMY) and state.hands[state.winner, 0]:
        return OUT_WITH_CARDS
    if state.rules.melds == ONE_MELD and state.opened >= 2 and not state.in_one_turn:
        return SECOND_MELD
    if state.phase == T.DRAW and state.stock_size == 0 and (state.pile_size == 0 or state.rules.stock_out == END):
        return NOTHING_TO_DRAW
    return 0


@compiled
def check(state: State) -> int:
    """Return 0 for a sound state, else 1 + the index of its fault in FAULTS; see `core/engine.py`."""
    return kit_soundness.checked(state, fault_of_state(state))
