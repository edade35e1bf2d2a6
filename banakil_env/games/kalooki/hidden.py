"""What could the hidden cards be? As in `kit/contracts/hidden.py`; the mover holds what it still has to lay."""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import wide
from banakil_env.core.jit import compiled, inlined
from banakil_env.core.random import random_below
from banakil_env.games.kalooki import state as S
from banakil_env.games.kalooki.moves import can_go_on, lacking
from banakil_env.kit.contracts import hidden as contract_hidden
from banakil_env.kit.melds import joker_melds as W
from banakil_env.kit.table_state import PLAY


@inlined
def _owed(state: Any) -> int:
    """No Jokers are owed in this game: they never come to a hand."""
    return wide(0)


@compiled
def _want(state: Any, wanted: Any) -> None:
    """Want openings for what the contract still asks of the mover."""
    threes, fours = lacking(state)
    for _ in range(threes):
        contract_hidden.want_row(wanted, random_below(state, wide(W.NUM_SET_ROWS)))
    for _ in range(fours):
        row = W.NUM_SET_ROWS + random_below(state, wide(W.NUM_ROWS - W.NUM_SET_ROWS))
        contract_hidden.want_row(wanted, row)


redeal_hidden, can_suppose = contract_hidden.redealing("kalooki", can_go_on, _owed, _want)


@compiled
def suppose(seen: Any, seed: int, state: Any) -> None:
    """A whole state that agrees with an observation; see `core.game.Search`.

    If no hand is found with which another seat could go on, it is in an ordinary turn instead.
    """
    contract_hidden.suppose_common(seen, seed, state, wide(S.NUM_JOKERS), wide(0))
    state.renewed = seen.renewed
    if not can_suppose(state):
        state.phase, state.first, state.named = PLAY, 0, 0
