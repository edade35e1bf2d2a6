"""What could the hidden cards be? As `kit/contract_hidden.py` says; the mover has what it needs for its first melds."""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import highest, lowest, wide
from banakil_env.core.jit import compiled
from banakil_env.core.random import random_below, random_bits
from banakil_env.core.scratch import scratch
from banakil_env.games.contract_rummy import state as S
from banakil_env.games.contract_rummy.lookahead import LAST_RUNS
from banakil_env.games.contract_rummy.moves import actions_of, runs_laid
from banakil_env.kit import contract_hidden
from banakil_env.kit import contract_table as K
from banakil_env.kit import table_state as T
from banakil_env.kit import wild_melds as W
from banakil_env.kit.contract_hidden import redealing, want_row
from banakil_env.kit.pack52 import NUM_RANKS
from banakil_env.kit.pack54 import count_cards

shuffle_stock = contract_hidden.shuffle_stock


@compiled
def _want_melds(state: Any, wanted: Any) -> None:
    """Want what the mover lacks: openings of the contract, and in the seventh the cards that make its runs longer."""
    sets, runs, laid = wide(S.SETS[state.contract]), wide(S.RUNS[state.contract]), scratch(LAST_RUNS)
    begun = runs_laid(state, laid)
    sets -= K.melds_of(state, wide(state.active), wide(0)) - begun
    for _ in range(sets):
        want_row(wanted, random_below(state, wide(W.NUM_SET_ROWS)))
    for i in range(begun, runs):
        row = W.NUM_SET_ROWS + random_below(state, wide(W.NUM_ROWS - W.NUM_SET_ROWS))
        want_row(wanted, row)
        if i < LAST_RUNS:
            laid[i] = W.MELD_MADE[row]
    if state.contract != S.ALL_AT_ONCE:
        return
    left = count_cards(state.hands[state.active]) - wanted[0]
    for _ in range(4 * left):
        i = random_below(state, wide(LAST_RUNS))
        ends = W.beside(laid[i])
        if left > 0 and ends:
            place = lowest(ends) if random_below(state, wide(2)) else highest(ends)
            wanted[0] += 1
            wanted[wanted[0]] = W.suit_of(laid[i]) * NUM_RANKS + place % NUM_RANKS
            laid[i] |= wide(1) << place
            left -= 1


REDEALING = redealing("contract_rummy", actions_of, _want_melds)
can_go_on, deal_until_possible, redeal = REDEALING.can_go_on, REDEALING.deal_until_possible, REDEALING.redeal


@compiled
def redeal_hidden(state: Any, seat: int, seed: int) -> None:
    """Deal what `seat` cannot see anew, in place; see `core.game.Engine`. If no other deal is found, it stays."""
    redeal(state, seat, seed, wide(state.owed))


@compiled
def suppose(seen: Any, seed: int, state: Any) -> None:
    """A whole state that agrees with an observation; see `core.game.Search`.

    If no hand is found with which another seat could go on, it is in an ordinary turn instead.
    """
    jokers = wide(seen.num_players) - 1
    contract_hidden.suppose_common(seen, seed, state, jokers, wide(seen.owed))
    state.owed = seen.owed
    if not can_go_on(state):
        state.rng = random_bits(state)
        if not deal_until_possible(state, wide(0), wide(state.owed)):
            state.phase, state.first, state.owed, state.named = T.PLAY, 0, 0, 0
