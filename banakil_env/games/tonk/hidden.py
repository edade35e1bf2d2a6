"""Redeals the hidden cards, as in `kit/hidden.py`, with a rule for dealt tonks (T2.3).

While seats decide about their tonks, those that have decided must have a tonk, and those that were passed over must not
have one. All deals that agree with this have equal probability. Tonks are drawn for the seats that have to have one,
each uniformly from all tonks, until no two have a card in common. Then the rest is dealt. All of this is repeated if
another seat has a tonk.
"""

from __future__ import annotations

from banakil_env.core.bits import lowest, popcount
from banakil_env.core.jit import compiled
from banakil_env.core.random import random_below
from banakil_env.core.records import copy_fields
from banakil_env.core.scratch import scratch
from banakil_env.games.tonk import state as S
from banakil_env.games.tonk.observation import has_passed
from banakil_env.games.tonk.records import Observation, State
from banakil_env.kit import held, hidden
from banakil_env.kit import table_state as T
from banakil_env.kit.one_pack import hidden as one_pack
from banakil_env.kit.pack52 import NUM_FACES, bit_of

one_pack.serve(S.STATE)
redeal_hidden = hidden.redeal_hidden

# The number of hands to draw to find one tonk (about one hand in 300 is a tonk), and of deals to try.
HANDS, TRIES = 20_000, 200


@compiled
def _asked(state: State, seat: int) -> int:
    """Return the seats other than `seat` that were offered to show a tonk, including the seat to move, as a mask."""
    seats = 1 << state.seat
    for other in range(state.num_players):
        seats |= int(has_passed(state, other)) << other
    return seats & ~(1 << seat)


@compiled
def _random_tonk(state: State, cards: int) -> int:
    """Return five random cards of the mask `cards` that are a tonk; 0: none was found."""
    pool, size = scratch(NUM_FACES), 0
    while cards:
        pool[size] = lowest(cards)
        size += 1
        cards &= cards - 1
    for _ in range(HANDS):
        hand = 0
        for i in range(S.HAND_SIZE):
            j = i + random_below(state, size - i)
            pool[i], pool[j] = pool[j], pool[i]
            hand |= bit_of(pool[i])
        if S.is_tonk(state.rules, hand):
            return hand
    return 0


@compiled
def _deal_tonks(state: State, seat: int, asked: int) -> bool:
    """Deal the cards that `seat` cannot see, such that up to the seat to move exactly the seats of `asked` have a tonk.

    Return False if no such deal was found; the cards are then in no particular order.
    """
    unseen = 0
    for other in range(state.num_players):
        unseen |= state.hands[other, 0] if other != seat else 0
    for i in range(state.stock_size):
        unseen |= bit_of(state.stock[i])
    for _ in range(TRIES):
        together, count = 0, 0
        for other in range(state.num_players):
            state.known[other, 0] = _random_tonk(state, unseen) if asked >> other & 1 else 0
            together |= state.known[other, 0]
            count += popcount(state.known[other, 0])
        found = popcount(together) == count == S.HAND_SIZE * popcount(asked)
        if found:
            _settle(state, seat, asked, unseen & ~together)
        for other in range(state.num_players):
            state.known[other, 0] = 0
        if found and _asked_as_before(state, seat, asked):
            return True
    return False


@compiled
def _settle(state: State, seat: int, asked: int, rest: int) -> None:
    """Give the seats in the mask `asked` the tonks drawn for them, which are in `state.known`.

    The cards of the mask `rest` are dealt to the other hands and the stock.
    """
    size = 0
    for other in range(state.num_players):
        if asked >> other & 1:
            state.hands[other, 0] = state.known[other, 0]
        elif other != seat:
            state.hands[other, 0] = 0
            for _ in range(S.HAND_SIZE):
                state.hands[other, 0] |= rest & -rest
                rest &= rest - 1
    while rest:
        state.stock[size] = lowest(rest)
        size += 1
        rest &= rest - 1
    hidden.deal_unseen(state, seat)


@compiled
def _asked_as_before(state: State, seat: int, asked: int) -> bool:
    """Return whether, among the hidden hands up to the seat to move, exactly those of `asked` are tonks."""
    for other in range(state.num_players):
        before = S.place_of(state, other) <= S.place_of(state, state.seat)
        if before and other != seat and S.is_tonk(state.rules, state.hands[other, 0]) != (asked >> other & 1):
            return False
    return True


@hidden.deal.fill(S.STATE)
def deal(state: State, seat: int) -> bool:
    """Deal the cards that `seat` cannot see; return False if no deal was found. See `kit/hidden.py`."""
    if state.phase != S.ASK_TONK:
        return hidden.deal_until_possible(state, seat)
    return _deal_tonks(state, seat, _asked(state, seat))


@hidden.read_turn.fill(S.STATE)
def read_turn(state: State, seen: Observation) -> None:
    """Read the fields of the turn from an observation into `state`."""
    one_pack.read_common(state, seen)
    copy_fields(seen, state, "must")
    for place in range(state.num_players):
        state.after = place + 1 if seen.after[place] else state.after


@held.faces_taken.fill(S.STATE)
def faces_taken(state: State, seat: int) -> int:
    """Return the cards that fit any spread, as a mask (T5.1)."""
    return S.fitting(state)


@held.turn_of.fill(S.STATE)
def turn_of(state: State) -> int:
    """Return the seat whose turn it is. While seats may call a discard, it is the seat after the discarder (T6)."""
    return T.next_seat(state, state.after - 1) if state.after else state.seat


@compiled
def suppose(seen: Observation, seed: int, state: State) -> None:
    """Write a whole state that agrees with an observation into `state`; see `core.game.Search`.

    If no hands with the required tonks are found, the state is one in which play has begun.
    """
    hidden.suppose_common(seen, seed, state)
    asked = 0
    for place in range(1, state.num_players):
        asked |= (seen.passed[place] or seen.to_move[place]) << place
    if state.phase == S.ASK_TONK and not _deal_tonks(state, 0, asked):
        state.phase, state.seat = T.DRAW, T.next_seat(state, state.dealer)
