"""Redeals the hidden cards, as in `kit/contracts/hidden.py`. The mover gets the cards that it still has to lay down."""

from __future__ import annotations

from typing import Any

from banakil_env.core.random import random_below
from banakil_env.core.scratch import scratch
from banakil_env.games.contract import state as S
from banakil_env.games.contract.records import Observation, State
from banakil_env.kit import held, hidden
from banakil_env.kit.contracts import hidden as contracts
from banakil_env.kit.contracts import table as K
from banakil_env.kit.melds import joker_melds as W
from banakil_env.kit.melds.all_in_runs import LAST_RUNS

contracts.serve(S.STATE)
redeal_hidden, suppose = hidden.redeal_hidden, hidden.suppose


@contracts.want_cards.fill(S.STATE)
def want_cards(state: State, wanted: Any) -> None:
    """Add to `wanted` the cards of random openings that the mover's contract still needs.

    In the seventh contract, also add cards that make its runs longer.
    """
    if not K.lays_first(state):
        return
    sets, runs, laid = S.SETS[state.contract], S.RUNS[state.contract], scratch(LAST_RUNS)
    begun = K.runs_laid(state, laid)
    for _ in range(sets - K.melds_of(state, state.active, 0) + begun):
        contracts.want_row(wanted, random_below(state, W.NUM_SET_ROWS))
    for i in range(begun, runs):
        row = W.NUM_SET_ROWS + random_below(state, W.NUM_ROWS - W.NUM_SET_ROWS)
        contracts.want_row(wanted, row)
        laid[i] = W.MELD_MADE[row]
    if state.contract == S.ALL_AT_ONCE:
        contracts.want_longer(state, wanted, laid)


@held.to_be_met.fill(S.STATE)
def to_be_met(state: State) -> tuple[int, int]:
    """Return the contract of the round: the numbers of sets and runs."""
    return S.SETS[state.contract], S.RUNS[state.contract]


@hidden.read_turn.fill(S.STATE)
def read_turn(state: State, seen: Observation) -> None:
    """Read the fields of the turn from an observation into `state`."""
    contracts.read_common(state, seen)


@contracts.jokers_owed.fill(S.STATE)
def jokers_owed(state: State) -> int:
    """Return the number of Jokers that the mover must play (N6.4)."""
    return state.owed
