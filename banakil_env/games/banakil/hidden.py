"""What could the whole game be, seen from one seat? A full state made from an observation alone.

The hidden cards are dealt uniformly at random among the deals that agree with the observation; everything else is read
from the observation, so that the seat sees the same bytes in the new state. A search starts here: it never reads the
real state. `beliefs.py` makes such a deal a likely one.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import lowest, wide
from banakil_env.core.jit import compiled, inlined
from banakil_env.core.random import seed_generator, shuffle
from banakil_env.core.records import copy_fields
from banakil_env.core.scratch import scratch
from banakil_env.games.banakil.actions import ADD, ADD_JOKER_LOW, ADD_TWO_LOW, SWAP
from banakil_env.games.banakil.baselines.reading import meld_of
from banakil_env.games.banakil.faces import ACE, COPIES, JOKER, NO_FACE, NUM_FACES, NUM_RANKS, TWO
from banakil_env.games.banakil.melds import THREES, joker_of, kind_of, naturals_of, owner_of, two_of
from banakil_env.games.banakil.pack import faces_in_pack, pairs_in_pack, read_pack
from banakil_env.games.banakil.redeal import put_natural_under, redeal_hidden, renew_ban, shuffle_stock
from banakil_env.games.banakil.rules import FIXED, FREE, SUM, WINNER
from banakil_env.games.banakil.seen import CHOOSE_CELL, PHASE_IN, SHARED_SWITCHES
from banakil_env.games.banakil.state import (
    MAX_MELDS,
    MAX_SEATS,
    MAX_TAKE,
    NO_BONUS,
    clear_table,
    enter_hand,
    set_ace_value,
    set_target,
)
from banakil_env.kit.pack54 import add_card
from banakil_env.kit.seen import read_public
from banakil_env.kit.table_state import NO_SEAT, OVER, RUNNING, pop_stock

__all__ = ["redeal_hidden", "shuffle_stock", "suppose"]


@compiled
def suppose(observation: Any, seed: int, state: Any) -> None:
    """Write into `state` a game in which seat 0 sees this observation; the others sit as it numbers them.

    Turns and rounds are counted from here on (`turns_left`, `rounds_left`). The points of earlier rounds, which the
    observation does not show, are zero.

    Args:
        observation: a record of OBSERVATION, of a game that goes on.
        seed: uint64, deals the hidden cards and becomes the generator.
        state: a record of STATE; all of it is written.
    """
    seed_generator(state, seed)
    clear_table(state)
    read_public(state, observation)
    _read_rules(observation, state)
    _read_turn(observation, state)
    _read_cards(observation, state)
    _read_melds(observation, state)
    _deal_hidden(observation, state)
    if state.seat != 0 and state.taken != NO_FACE and state.phase != OVER and not state.rules.discard_taken:
        renew_ban(state)


@compiled
def _read_rules(observation: Any, state: Any) -> None:
    copy_fields(observation, state.rules, SHARED_SWITCHES)
    state.rules.partner_scoring = SUM if observation.partner_sum else WINNER
    state.rules.wilds = FIXED if observation.fixed_wilds else FREE
    set_ace_value(state, wide(observation.ace_value))
    for i in range(2):
        state.rules.hand_bonus[i] = wide(observation.hand_bonus[i]) if observation.has_hand_bonus else NO_BONUS
    set_target(state, wide(observation.target))
    read_pack(observation, state)
    state.turns = 0
    state.rounds = 0
    state.rules.max_turns = observation.turns_left
    state.rules.max_rounds = observation.rounds_left


@compiled
def _pending_action(observation: Any) -> int:
    """The addition or exchange whose card waits for its meld; 0: none waits."""
    if not observation.phase[CHOOSE_CELL]:
        return wide(0)
    face = wide(observation.named) - 1
    if observation.swapping:
        return SWAP + face
    if face < TWO:
        return ADD + face
    return (ADD_TWO_LOW if face < JOKER else ADD_JOKER_LOW) + wide(observation.waiting_low == 0)


@compiled
def _face_or_none(said: int) -> int:
    """A face that is written as 1 + the face, 0 for none."""
    return said - 1 if said else wide(NO_FACE)


@compiled
def _read_turn(observation: Any, state: Any) -> None:
    state.had_turn = 0
    state.seat = 0
    for seat in range(MAX_SEATS):
        state.points[seat] = 0
        state.scores[seat] = observation.scores[seat]
        state.melds_of[seat] = 0
        if observation.to_move[seat]:
            state.seat = seat
        if observation.dealer[seat]:
            state.dealer = seat
        if observation.had_turn[seat]:
            state.had_turn |= 1 << seat
    for cell in range(observation.phase.shape[0]):
        if observation.phase[cell]:
            state.phase = PHASE_IN[cell]
    state.taken = _face_or_none(wide(observation.taken))
    state.banned = _face_or_none(wide(observation.banned))
    state.named = _face_or_none(wide(observation.named))
    state.pending = _pending_action(observation)
    state.ending = RUNNING
    state.winner = NO_SEAT


@compiled
def _read_cards(observation: Any, state: Any) -> None:
    """The own hand, what is known of the others', and the pile."""
    for face in range(NUM_FACES):
        for _ in range(observation.hand[face]):
            enter_hand(state, wide(0), wide(face), False)
        for _ in range(observation.known[0, face]):
            add_card(state.known[0], wide(face))
        for seat in range(1, wide(observation.num_players)):
            for _ in range(observation.known[seat, face]):
                enter_hand(state, wide(seat), wide(face), True)
    size = wide(observation.pile_size)
    state.pile_size = size
    for face in range(NUM_FACES):
        for copy in range(COPIES):
            depth = wide(observation.pile[face, copy])
            if depth:
                state.pile[size - depth] = face


@compiled
def _read_melds(observation: Any, state: Any) -> None:
    count = wide(0)
    for slot in range(MAX_MELDS):
        if observation.meld_owner[slot] == 0:
            break
        meld = meld_of(observation, wide(slot))
        state.melds[slot] = meld
        state.melds_of[owner_of(meld)] += 1
        count += 1
    state.num_melds = count


@inlined
def _deeper(state: Any) -> int:
    """Number of cards of the pile below the depth that can be taken and seen; only in positions set up by hand."""
    return max(wide(state.pile_size) - MAX_TAKE, 0)


@compiled
def _count_out(state: Any, counts: Any) -> None:
    """Subtract the visible cards from the counts of the pack (int64, a face each)."""
    for i in range(_deeper(state), wide(state.pile_size)):
        counts[state.pile[i]] -= 1
    for slot in range(wide(state.num_melds)):
        meld = wide(state.melds[slot])
        kind, naturals = kind_of(meld), naturals_of(meld)
        while naturals:
            place = lowest(naturals)
            naturals &= naturals - 1
            if kind < THREES:
                counts[(kind - 1) * NUM_RANKS + place] -= 1
            else:
                counts[place * NUM_RANKS + (ACE if kind > THREES else 0)] -= 1
        if two_of(meld):
            counts[TWO + two_of(meld) - 1] -= 1
        counts[JOKER] -= joker_of(meld)
    for seat in range(wide(state.num_players)):
        for copy in range(COPIES):
            held = wide(state.hands[seat, copy])
            while held:
                counts[lowest(held)] -= 1
                held &= held - 1


@compiled
def _deal_hidden(observation: Any, state: Any) -> None:
    """Deal what cannot be seen to the other hands and the stock."""
    counts = scratch(NUM_FACES)
    one, two = faces_in_pack(state), pairs_in_pack(state)
    for face in range(NUM_FACES):
        counts[face] = (one >> face & 1) + (two >> face & 1)
    _count_out(state, counts)
    size = wide(0)
    for face in range(NUM_FACES):
        for _ in range(counts[face]):
            state.stock[size] = face
            size += 1
    state.stock_size = size
    shuffle(state, state.stock, size)
    if state.rules.cutter_takes_wilds and observation.stock_size:
        put_natural_under(state)
    for i in range(_deeper(state)):
        state.pile[i] = pop_stock(state)
    for seat in range(1, wide(state.num_players)):
        while state.hand_size[seat] < observation.hand_size[seat]:
            enter_hand(state, wide(seat), pop_stock(state), False)
