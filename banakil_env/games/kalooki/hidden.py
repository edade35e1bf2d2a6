"""Redeals the hidden cards, as in `kit/contracts/hidden.py`. The mover gets the cards that it still has to lay down."""

from __future__ import annotations

from typing import Any

from banakil_env.core.random import random_below
from banakil_env.games.kalooki import state as S
from banakil_env.games.kalooki.moves import lacking
from banakil_env.games.kalooki.records import Observation, State
from banakil_env.kit import held, hidden
from banakil_env.kit.contracts import hidden as contracts
from banakil_env.kit.melds import joker_melds as W

contracts.serve(S.STATE)
redeal_hidden, suppose = hidden.redeal_hidden, hidden.suppose


@contracts.want_cards.fill(S.STATE)
def want_cards(state: State, wanted: Any) -> None:
    """Add to `wanted` the cards of random openings that the mover's contract still needs."""
    threes, fours = lacking(state)
    for _ in range(threes):
        contracts.want_row(wanted, random_below(state, W.NUM_SET_ROWS))
    for _ in range(fours):
        row = W.NUM_SET_ROWS + random_below(state, W.NUM_ROWS - W.NUM_SET_ROWS)
        contracts.want_row(wanted, row)


@held.to_be_met.fill(S.STATE)
def to_be_met(state: State) -> tuple[int, int]:
    """Return the contract of the round: the numbers of threes and fours."""
    return S.THREES[state.contract], S.FOURS[state.contract]


@hidden.read_turn.fill(S.STATE)
def read_turn(state: State, seen: Observation) -> None:
    """Read the fields of the turn from an observation into `state`."""
    contracts.read_common(state, seen)
