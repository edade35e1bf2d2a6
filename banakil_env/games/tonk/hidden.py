"""Redeals the hidden cards, as in `kit/hidden.py`; and while seats are asked for their tonks, the seats that were
asked have one, and the seats that were passed over have none (T2.3).

Every such deal has equal probability: tonks are drawn for the seats that were asked, each uniformly from all tonks,
until no two have a card in common; then the rest is dealt. The whole is repeated if another seat has a tonk.
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

# Hands to draw for one tonk (about one hand in 300 is a tonk), and deals to try.
HANDS, TRIES = 20_000, 200


@compiled
def _asked(state: State, seat: int) -> int:
    """The seats that were asked for their tonk, the one to move included and `seat` not, a mask."""
    seats = 1 << state.seat
    for other in range(state.num_players):
        seats |= int(has_passed(state, other)) << other
    return seats & ~(1 << seat)


@compiled
def _random_tonk(state: State, cards: int) -> int:
    """Five random cards of these that are a tonk; 0: not found."""
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
    """Deal what `seat` cannot see, so that among the seats up to the seat to move those that were asked have a tonk.

    False: not found, and the cards are in no particular order.
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
    """The tonks drawn become the hands, as if known; the rest is dealt to the others and the stock."""
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
    """Whether, among the hidden hands up to the seat to move, exactly those of `asked` are tonks."""
    for other in range(state.num_players):
        before = S.place_of(state, other) <= S.place_of(state, state.seat)
        if before and other != seat and S.is_tonk(state.rules, state.hands[other, 0]) != (asked >> other & 1):
            return False
    return True


@hidden.deal.fill(S.STATE)
def deal(state: State, seat: int) -> bool:
    """Deal the cards that `seat` cannot see; see `kit/hidden.py`."""
    if state.phase != S.ASK_TONK:
        return hidden.deal_until_possible(state, seat)
    return _deal_tonks(state, seat, _asked(state, seat))


@hidden.read_turn.fill(S.STATE)
def read_turn(state: State, seen: Observation) -> None:
    """The fields of the turn, from an observation."""
    one_pack.read_common(state, seen)
    copy_fields(seen, state, "must")
    for place in range(state.num_players):
        state.after = place + 1 if seen.after[place] else state.after


@held.faces_taken.fill(S.STATE)
def faces_taken(state: State, seat: int) -> int:
    """The cards that fit any spread (T5.1)."""
    return S.fitting(state)


@held.turn_of.fill(S.STATE)
def turn_of(state: State) -> int:
    """The seat to move; while a discard may be called, the seat after its owner (T6)."""
    return T.next_seat(state, state.after - 1) if state.after else state.seat


@compiled
def suppose(seen: Observation, seed: int, state: State) -> None:
    """A whole state that agrees with an observation; see `core.game.Search`.

    If no hands with the required tonks are found, the state is one in which play has begun.
    """
    hidden.suppose_common(seen, seed, state)
    asked = 0
    for place in range(1, state.num_players):
        asked |= (seen.passed[place] or seen.to_move[place]) << place
    if state.phase == S.ASK_TONK and not _deal_tonks(state, 0, asked):
        state.phase, state.seat = T.DRAW, T.next_seat(state, state.dealer)
