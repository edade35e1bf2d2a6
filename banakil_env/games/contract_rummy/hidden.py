"""What could the hidden cards be? As in `kit/contract_hidden.py`, and a mover in the middle of its turn can go on.

What has been laid says something about the hand: half a contract on the table needs the other half in it. Where a deal
by chance is unlikely to have that, the mover is dealt melds by chance that it still lacks.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import highest, lowest, wide
from banakil_env.core.jit import compiled
from banakil_env.core.random import random_below, random_bits, seed_generator
from banakil_env.core.scratch import scratch
from banakil_env.games.contract_rummy import state as S
from banakil_env.games.contract_rummy.lookahead import LAST_RUNS
from banakil_env.games.contract_rummy.moves import actions_of, lays_first, runs_laid
from banakil_env.kit import contract_hidden
from banakil_env.kit import contract_table as K
from banakil_env.kit import table_state as T
from banakil_env.kit import wild_melds as W
from banakil_env.kit.pack52 import NUM_RANKS
from banakil_env.kit.pack54 import JOKER, LAYERS, MAX_CARDS, count_cards

shuffle_stock = contract_hidden.shuffle_stock

# Deals to try: by chance, and then with melds for the mover.
BY_CHANCE, WITH_MELDS = 300, 20_000
_WANTED, _HANDS = MAX_CARDS + 16, K.MAX_SEATS * LAYERS


@compiled
def _can_go_on(state: Any) -> bool:
    """Whether the seat to decide has a legal action, and a choice where it is to choose a meld."""
    return actions_of(state) > (state.phase == T.CHOOSE)


@compiled
def _want_row(wanted: Any, row: int) -> None:
    for face in range(JOKER):
        for _ in range((W.NEED_ONE[row] >> face & 1) + (W.NEED_TWO[row] >> face & 1)):
            wanted[0] += 1
            wanted[wanted[0]] = face
    for _ in range(W.NEED_JOKERS[row]):
        wanted[0] += 1
        wanted[wanted[0]] = JOKER


@compiled
def _want_melds(state: Any, wanted: Any) -> None:
    """Want what the mover lacks: openings of the contract, and in the seventh the cards that make its runs longer."""
    sets, runs, laid = wide(S.SETS[state.contract]), wide(S.RUNS[state.contract]), scratch(LAST_RUNS)
    begun = runs_laid(state, laid)
    sets -= K.melds_of(state, wide(state.active), wide(0)) - begun
    for _ in range(sets):
        _want_row(wanted, random_below(state, wide(W.NUM_SET_ROWS)))
    for i in range(begun, runs):
        row = W.NUM_SET_ROWS + random_below(state, wide(W.NUM_ROWS - W.NUM_SET_ROWS))
        _want_row(wanted, row)
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


@compiled
def _deal_until_possible(state: Any, seat: int) -> bool:
    """Deal what `seat` cannot see until the mover can go on; False: not found."""
    wanted, owed = scratch(_WANTED), wide(state.owed)
    wanted[0] = 0
    contract_hidden.deal_unseen(state, seat, owed, wanted)
    if state.active == seat or (state.phase != T.PLAY and state.phase != T.CHOOSE):
        return True
    for number in range(BY_CHANCE + WITH_MELDS):
        if _can_go_on(state):
            return True
        wanted[0] = 0
        if number >= BY_CHANCE and lays_first(state):
            _want_melds(state, wanted)
        contract_hidden.deal_unseen(state, seat, owed, wanted)
    return False


@compiled
def redeal_hidden(state: Any, seat: int, seed: int) -> None:
    """Deal what `seat` cannot see anew, in place; see `core.game.Engine`. If no other deal is found, it stays."""
    hands, stock = scratch(_HANDS), scratch(MAX_CARDS)
    for i in range(_HANDS):
        hands[i] = state.hands[i // LAYERS, i % LAYERS]
    for i in range(MAX_CARDS):
        stock[i] = state.stock[i]
    seed_generator(state, seed)
    if not _deal_until_possible(state, seat):
        for i in range(_HANDS):
            state.hands[i // LAYERS, i % LAYERS] = hands[i]
        for i in range(MAX_CARDS):
            state.stock[i] = stock[i]


@compiled
def suppose(seen: Any, seed: int, state: Any) -> None:
    """A whole state that agrees with an observation; see `core.game.Search`.

    If no hand is found with which another seat could go on, it is in an ordinary turn instead.
    """
    jokers = wide(seen.num_players) - 1
    contract_hidden.suppose_common(seen, seed, state, jokers, wide(seen.owed))
    state.owed = seen.owed
    if not _can_go_on(state):
        state.rng = random_bits(state)
        if not _deal_until_possible(state, wide(0)):
            state.phase, state.first, state.owed, state.named = T.PLAY, 0, 0, 0
