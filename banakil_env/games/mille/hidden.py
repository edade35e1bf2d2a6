"""Redeals the hidden cards, such that the new deal looks the same from one seat. All deals are possible (M3.4)."""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import compiled
from banakil_env.core.random import seed_generator, shuffle
from banakil_env.core.scratch import scratch
from banakil_env.games.mille import state as S
from banakil_env.games.mille.cards import KINDS, NUM_KINDS, NUM_RANKS, RANK_OF, SUITS_OF, THE_TWO, held_of
from banakil_env.games.mille.records import Observation, State
from banakil_env.games.mille.scoring import wild_twos
from banakil_env.kit import held
from banakil_env.kit.books.kinds import ALL_SUITS, NUM_SUITS, TWO, one_card, size_of_stacks
from banakil_env.kit.hidden import suppose_turn
from banakil_env.kit.table_state import clear_table, push_pile

DIAMOND_JACK, SPADE_QUEEN = KINDS.index("Jd"), KINDS.index("Qs")


@held.dear_cards.fill(S.STATE)
def dear_cards(state: State, seat: int) -> tuple[int, int]:
    """Return the numbers of Jd and of Qs in a hand (M1.3)."""
    return held_of(state.hands[seat], DIAMOND_JACK), held_of(state.hands[seat], SPADE_QUEEN)


@held.no_wild_melded.fill(S.STATE)
def no_wild_melded(state: State, seat: int) -> bool:
    """Return whether a seat has no melded wild Two: its melds are then paid twice (M6.3).

    This is true before the first meld too, unlike `scoring.is_clean`.
    """
    return wild_twos(state, seat) == 0


@compiled
def _to_stock(state: State, rank: int, stack: int) -> None:
    """Put the cards of a stack on the stock."""
    for suit in range(NUM_SUITS):
        for _ in range(stack >> 8 * suit & 0xFF):
            state.stock[state.stock_size] = NUM_SUITS * rank + suit
            state.stock_size += 1


@compiled
def _deal_from_stock(state: State, seat: int, count: int) -> None:
    """Shuffle the stock, and deal `count` of its cards to a hand."""
    shuffle(state, state.stock, state.stock_size)
    for _ in range(count):
        S.draw_card(state, seat)


@compiled
def redeal_hidden(state: State, seat: int, seed: int) -> None:
    """Redeal the cards that `seat` cannot see, in place; see `core/engine.py`."""
    seed_generator(state, seed)
    other = 1 - seat
    count = size_of_stacks(state.hands[other]) - size_of_stacks(state.known[other])
    for rank in range(NUM_RANKS):
        _to_stock(state, rank, state.hands[other, rank] - state.known[other, rank])
        state.hands[other, rank] = state.known[other, rank]
    _deal_from_stock(state, other, count)


# From an observation -------------------------------------------------------------------------------------------------


@compiled
def _some_of(left: Any, kind: int, count: int) -> int:
    """Take `count` cards of a kind out of `left`, the lowest suits first; return them as a stack."""
    stack = 0
    for suit in range(NUM_SUITS):
        while count and (left[RANK_OF[kind]] & SUITS_OF[kind]) >> 8 * suit & 0xFF:
            left[RANK_OF[kind]] -= one_card(suit)
            stack += one_card(suit)
            count -= 1
    return stack


@compiled
def _pile_on(state: State, left: Any, kind: int, count: int) -> None:
    """Put `count` cards of a kind from `left` on the pile."""
    stack = _some_of(left, kind, count)
    for suit in range(NUM_SUITS):
        for _ in range(stack >> 8 * suit & 0xFF):
            push_pile(state, NUM_SUITS * RANK_OF[kind] + suit)


@compiled
def suppose(seen: Observation, seed: int, state: State) -> None:
    """Write a whole state that agrees with an observation into `state`; see `core.game.Search`.

    An observation has no suits; the state gets the lowest suits first.
    """
    seed_generator(state, seed)
    clear_table(state)
    suppose_turn(seen, state)
    state.num_players = S.NUM_SEATS
    state.stock_size = state.pile_size = 0
    left = scratch(NUM_RANKS)
    for rank in range(NUM_RANKS):
        left[rank] = S.PACKS * (ALL_SUITS // 0xFF)
    top = seen.top - 1
    for kind in range(NUM_KINDS):
        rank = RANK_OF[kind]
        for seat in range(S.NUM_SEATS):
            state.melds[seat, rank] += _some_of(left, kind, seen.melds[seat, kind])
            state.known[seat, rank] += _some_of(left, kind, seen.known[seat, kind])
        state.hands[0, rank] += _some_of(left, kind, seen.hand[kind] - seen.known[0, kind])
        _pile_on(state, left, kind, seen.pile[kind] - (kind == top))
    if top >= 0:
        _pile_on(state, left, top, 1)
    for seat in range(S.NUM_SEATS):
        for rank in range(TWO):
            state.wild[seat, rank] = _some_of(left, THE_TWO, seen.wild[seat, rank])
        for rank in range(NUM_RANKS):
            state.hands[seat, rank] += state.known[seat, rank]
    for rank in range(NUM_RANKS):
        _to_stock(state, rank, left[rank])
    _deal_from_stock(state, 1, seen.hand_size[1] - size_of_stacks(state.hands[1]))
