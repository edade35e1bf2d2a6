"""What could the hidden cards be? As in `kit/contracts/hidden.py`; the mover holds what it still has to lay."""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import wide
from banakil_env.core.jit import compiled, inlined
from banakil_env.core.random import random_below
from banakil_env.core.scratch import scratch
from banakil_env.games.contract import state as S
from banakil_env.games.contract.moves import can_go_on
from banakil_env.kit.contracts import hidden as contract_hidden
from banakil_env.kit.contracts import table as K
from banakil_env.kit.melds import joker_melds as W
from banakil_env.kit.melds.all_in_runs import LAST_RUNS
from banakil_env.kit.table_state import PLAY


@inlined
def _owed(record: Any) -> int:
    """The Jokers that the mover is bound to play, in a state or an observation."""
    return wide(record.owed)


@compiled
def _want(state: Any, wanted: Any) -> None:
    """Want what the mover lacks: openings of the contract, and in the seventh the cards that make its runs longer."""
    if not K.lays_first(state):
        return
    sets, runs, laid = wide(S.SETS[state.contract]), wide(S.RUNS[state.contract]), scratch(LAST_RUNS)
    begun = K.runs_laid(state, laid)
    for _ in range(sets - K.melds_of(state, wide(state.active), wide(0)) + begun):
        contract_hidden.want_row(wanted, random_below(state, wide(W.NUM_SET_ROWS)))
    for i in range(begun, runs):
        row = W.NUM_SET_ROWS + random_below(state, wide(W.NUM_ROWS - W.NUM_SET_ROWS))
        contract_hidden.want_row(wanted, row)
        laid[i] = W.MELD_MADE[row]
    if state.contract == S.ALL_AT_ONCE:
        contract_hidden.want_longer(state, wanted, laid)


redeal_hidden, can_suppose = contract_hidden.redealing("contract", can_go_on, _owed, _want)


@compiled
def suppose(seen: Any, seed: int, state: Any) -> None:
    """A whole state that agrees with an observation; see `core.game.Search`.

    If no hand is found with which another seat could go on, it is in an ordinary turn instead.
    """
    contract_hidden.suppose_common(seen, seed, state, wide(seen.num_players) - 1, _owed(seen))
    state.owed = seen.owed
    if not can_suppose(state):
        state.phase, state.first, state.owed, state.named = PLAY, 0, 0, 0
