"""Redeals the hidden cards: the new deal looks the same from one seat and agrees with the answers of partners."""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import compiled
from banakil_env.core.random import seed_generator, shuffle
from banakil_env.core.scratch import scratch
from banakil_env.games.hand_and_foot import state as S
from banakil_env.games.hand_and_foot.records import Observation, State
from banakil_env.games.hand_and_foot.state import NUM_CARDS
from banakil_env.kit import held
from banakil_env.kit import table_state as T
from banakil_env.kit.books.hidden import (
    can_stand,
    fits_question,
    redeal_unseen,
    some_of,
    suppose_melds,
    suppose_places,
    suppose_round,
    tries_of,
    whole_pack,
)
from banakil_env.kit.books.kinds import FOUR, JOKER, NUM_KINDS, TWO, size_of
from banakil_env.kit.hidden import note_row, note_rows, put_row_back, put_rows_back
from banakil_env.kit.two_sides import NUM_SIDES

_HELD = S.MAX_SEATS * NUM_KINDS

held.can_hold.fill(S.STATE)(fits_question)


@compiled
def _put_feet_on_stock(state: State) -> int:
    """Put the feet on top of the stock; return the seats that had one, as a mask."""
    feet = 0
    for other in range(S.MAX_SEATS):
        feet |= int(S.has_foot(state, other)) << other
        for kind in range(NUM_KINDS):
            stack = state.feet[other, kind]
            state.feet[other, kind] = 0
            for suit in range(4):
                for _ in range(stack >> 8 * suit & 0xFF):
                    state.stock[state.stock_size] = 4 * kind + suit
                    state.stock_size += 1
    return feet


@compiled
def _deal_feet(state: State, feet: int) -> None:
    """Deal a foot from the stock to each seat of the mask `feet`."""
    for seat in range(S.MAX_SEATS):
        if feet >> seat & 1:
            S.deal_foot(state, seat)


@compiled
def _redeal(state: State, seat: int) -> None:
    """Redeal the cards that `seat` cannot see. Feet are mixed with the stock, and dealt from it after the hands."""
    feet = _put_feet_on_stock(state)
    redeal_unseen(state, seat)
    _deal_feet(state, feet)


@compiled
def shuffle_unseen(state: State, seed: int) -> None:
    """Shuffle feet and stock, which nobody has seen; see `core.engine.shuffle_hidden`."""
    seed_generator(state, seed)
    feet = _put_feet_on_stock(state)
    shuffle(state, state.stock, state.stock_size)
    _deal_feet(state, feet)


@compiled
def _deal_until_possible(state: State, seat: int) -> bool:
    """Redeal the cards that `seat` cannot see until they agree with the answers given; return False if no deal is
    found.
    """
    for _ in range(tries_of(state)):
        _redeal(state, seat)
        if can_stand(state):
            return True
    return False


@compiled
def redeal_hidden(state: State, seat: int, seed: int) -> None:
    """Redeal the cards that `seat` cannot see, in place; see `core/engine.py`.

    If no other deal is found, nothing changes.
    """
    seed_generator(state, seed)
    hands, feet, stock = scratch(_HELD), scratch(_HELD), scratch(NUM_CARDS)
    note_rows(state.hands, hands)
    note_rows(state.feet, feet)
    note_row(state.stock, stock)
    if not _deal_until_possible(state, seat):
        put_rows_back(state.hands, hands)
        put_rows_back(state.feet, feet)
        put_row_back(state.stock, stock)


@compiled
def suppose(seen: Observation, seed: int, state: State) -> None:
    """Write a whole state that agrees with an observation into `state`; see `core.game.Search`.

    The points of earlier rounds are zero. If no hands agree with the flags of the turn, the state has none of these
    flags, and all melds are of earlier turns.
    """
    seed_generator(state, seed)
    T.clear_table(state)
    state.num_players = S.MAX_SEATS
    suppose_round(seen, state)
    left = scratch(NUM_KINDS)
    whole_pack(left, S.PACKS, S.JOKERS)
    suppose_melds(seen, state, left)
    for side in range(NUM_SIDES):
        _suppose_piles(seen, state, side, left)
    suppose_places(seen, state, left, 0)
    for seat in range(S.MAX_SEATS):
        if seen.foot[seat]:
            S.deal_foot(state, seat)
    if not _deal_until_possible(state, 0) and state.phase != T.DRAW:
        state.phase = T.PLAY
        state.opening = state.taking = state.answer = 0


@compiled
def _suppose_piles(seen: Observation, state: State, side: int, left: Any) -> None:
    """Write the piles of a side, clean ones first. Their wild cards are Twos as long as there are Twos left."""
    twos = seen.complete[side, TWO]
    for place in range(FOUR, S.NUM_PLACES):
        clean, dirty = seen.clean[side, place], seen.dirty[side, place]
        # the wild cards of the dirty piles: one or two in each
        wilds = S.PILE * (clean + dirty) - seen.complete[side, place]
        if place == S.W:
            dirty, wilds = seen.wild[side], S.PILE * seen.wild[side]
        for slot in range(clean + dirty):
            here = 0 if slot < clean else S.PILE if place == S.W else (1 + (wilds > dirty))
            if slot >= clean and place != S.W:
                dirty, wilds = dirty - 1, wilds - here
            naturals = some_of(left, place, S.PILE - here) if here < S.PILE else 0
            stack = some_of(left, TWO, min(here, twos))
            twos -= size_of(stack)
            left[JOKER] -= here - size_of(stack)
            state.complete[side, place, slot] = S.packed(naturals, stack)
