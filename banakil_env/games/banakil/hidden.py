"""What could the whole game be, seen from one seat? A full state made from an observation alone.

The hidden cards are dealt uniformly at random among the deals that agree with the observation; everything else is read
from the observation, so that the seat sees the same bytes in the new state. A search starts here: it never reads the
real state. `beliefs.py` makes such a deal a likely one.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import wide
from banakil_env.core.jit import compiled, inlined
from banakil_env.core.random import seed_generator
from banakil_env.core.records import copy_fields
from banakil_env.core.scratch import scratch
from banakil_env.games.banakil.actions import ADD, ADD_JOKER_LOW, ADD_TWO_LOW, SWAP
from banakil_env.games.banakil.baselines.reading import meld_of
from banakil_env.games.banakil.faces import COPIES, JOKER, NO_FACE, NUM_FACES, TWO
from banakil_env.games.banakil.melds import owner_of
from banakil_env.games.banakil.pack import read_pack
from banakil_env.games.banakil.redeal import fill_hands, mix_stock, redeal_hidden, renew_ban, shuffle_stock
from banakil_env.games.banakil.rules import FIXED, FREE, SUM, WINNER
from banakil_env.games.banakil.seen import CHOOSE_CELL, PHASE_IN, SHARED_SWITCHES
from banakil_env.games.banakil.state import (
    MAX_MELDS,
    MAX_SEATS,
    MAX_TAKE,
    NO_BONUS,
    clear_table,
    set_ace_value,
    set_target,
)
from banakil_env.kit.hidden import read_depths, suppose_turn
from banakil_env.kit.pack54 import add_card
from banakil_env.kit.table_state import RUNNING, copies_of, count_cards_in, count_table, pop_stock

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
    suppose_turn(observation, state)
    _read_rules(observation, state)
    _read_turn(observation, state)
    _read_cards(observation, state)
    _read_melds(observation, state)
    _deal_hidden(observation, state)
    if state.seat != 0:
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
    for seat in range(MAX_SEATS):
        state.scores[seat] = observation.scores[seat]
    state.phase = PHASE_IN[state.phase]  # `suppose_turn` has written the cell
    state.taken = _face_or_none(wide(observation.taken))
    state.banned = _face_or_none(wide(observation.banned))
    state.named = _face_or_none(wide(observation.named))
    state.pending = _pending_action(observation)
    state.ending = RUNNING


@compiled
def _read_cards(observation: Any, state: Any) -> None:
    """The own hand, what is known of the others', and the pile."""
    for face in range(NUM_FACES):
        for _ in range(observation.hand[face]):
            add_card(state.hands[0], wide(face))
        for seat in range(wide(state.num_players)):
            for _ in range(observation.known[seat, face]):
                add_card(state.known[seat], wide(face))
                if seat:
                    add_card(state.hands[seat], wide(face))
    read_depths(state, observation)


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
    count_table(state, counts, wide(-1))
    for seat in range(wide(state.num_players)):
        for copy in range(COPIES):
            count_cards_in(wide(state.hands[seat, copy]), counts, wide(-1))


@compiled
def _deal_hidden(observation: Any, state: Any) -> None:
    """Deal what cannot be seen to the other hands and the stock."""
    counts, size = scratch(NUM_FACES), wide(0)
    for face in range(NUM_FACES):
        counts[face] = copies_of(state, wide(face))
    _count_out(state, counts)
    for face in range(NUM_FACES):
        for _ in range(counts[face]):
            state.stock[size] = face
            size += 1
    state.stock_size = size
    mix_stock(state, wide(observation.stock_size))
    for i in range(_deeper(state)):
        state.pile[i] = pop_stock(state)
    fill_hands(state, observation.hand_size)
