"""What could the hidden cards be? As `kit/contract_hidden.py` says; the mover has what it needs for its first melds."""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import wide
from banakil_env.core.jit import compiled
from banakil_env.core.random import random_below, random_bits
from banakil_env.games.kalooki import state as S
from banakil_env.games.kalooki.moves import actions_of, lacking
from banakil_env.kit import contract_hidden
from banakil_env.kit import table_state as T
from banakil_env.kit import wild_melds as W
from banakil_env.kit.contract_hidden import redealing, want_row

shuffle_stock = contract_hidden.shuffle_stock


@compiled
def _want_melds(state: Any, wanted: Any) -> None:
    """Want openings for what the contract still asks of the mover."""
    threes, fours = lacking(state)
    for _ in range(threes):
        want_row(wanted, random_below(state, wide(W.NUM_SET_ROWS)))
    for _ in range(fours):
        want_row(wanted, W.NUM_SET_ROWS + random_below(state, wide(W.NUM_ROWS - W.NUM_SET_ROWS)))


REDEALING = redealing("kalooki", actions_of, _want_melds)
can_go_on, deal_until_possible, redeal = REDEALING.can_go_on, REDEALING.deal_until_possible, REDEALING.redeal


@compiled
def redeal_hidden(state: Any, seat: int, seed: int) -> None:
    """Deal what `seat` cannot see anew, in place; see `core.game.Engine`. If no other deal is found, it stays."""
    redeal(state, seat, seed, wide(0))


@compiled
def suppose(seen: Any, seed: int, state: Any) -> None:
    """A whole state that agrees with an observation; see `core.game.Search`.

    If no hand is found with which another seat could go on, it is in an ordinary turn instead.
    """
    contract_hidden.suppose_common(seen, seed, state, wide(S.NUM_JOKERS), wide(0))
    state.renewed = seen.renewed
    if not can_go_on(state):
        state.rng = random_bits(state)
        if not deal_until_possible(state, wide(0), wide(0)):
            state.phase, state.first, state.named = T.PLAY, 0, 0
