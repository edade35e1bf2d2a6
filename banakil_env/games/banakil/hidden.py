"""What could the hidden cards be? Another deal that looks the same from one seat, and a state from an observation.

The hands of the others and the stock are dealt again, uniformly among the deals that agree with what everybody has
seen. Cards that are known to be in a hand stay there. `suppose` makes such a deal from an observation alone: a search
starts there and never reads the real state. `beliefs.py` makes such a deal a likely one.

`kit/hidden.py` does the same in other games. Here two rules stand in its way: the ban on the card taken is renewed for
the new hand (B2.4), and a natural lies under a cut stock (B9.2).
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import lowest, read_bits
from banakil_env.core.jit import compiled, inlined
from banakil_env.core.random import random_below, seed_generator, shuffle
from banakil_env.core.records import copy_fields
from banakil_env.core.scratch import scratch
from banakil_env.games.banakil.actions import ADD, ADD_JOKER_LOW, ADD_TWO_LOW, SWAP
from banakil_env.games.banakil.baselines.reading import meld_of
from banakil_env.games.banakil.faces import COPIES, JOKER, NO_FACE, NUM_FACES, TWO
from banakil_env.games.banakil.melds import owner_of
from banakil_env.games.banakil.moves.dead_ends import cannot_end
from banakil_env.games.banakil.moves.lay_off import takers_of
from banakil_env.games.banakil.pack import read_pack
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
from banakil_env.kit.pack54 import add_card, count_cards, count_of, remove_card
from banakil_env.kit.table_state import (
    CHOOSE,
    OVER,
    RUNNING,
    copies_of,
    count_cards_in,
    count_table,
    draw_stock,
    pop_stock,
)


@compiled
def redeal_hidden(state: Any, seat: int, seed: int) -> None:
    """Deal again, in place, what `seat` cannot see; the generator starts from `seed` (uint64)."""
    seed_generator(state, seed)
    sizes, stock_size = scratch(MAX_SEATS), state.stock_size
    for other in range(state.num_players):
        sizes[other] = count_cards(state.hands[other])
        if other != seat:
            _collect_unknown(state, other)
    _mix_stock(state, stock_size)
    _fill_hands(state, sizes)
    if state.seat != seat:
        _renew_ban(state)


@compiled
def shuffle_stock(state: Any, seed: int) -> None:
    """Put the stock in another order that agrees with what is known of the stock; the generator starts from `seed`."""
    seed_generator(state, seed)
    _mix_stock(state, state.stock_size)


@compiled
def _mix_stock(state: Any, size: int) -> None:
    """Shuffle the cards of the stock; `size` of them stay in it, and the others are dealt next."""
    shuffle(state, state.stock, state.stock_size)
    if state.rules.cutter_takes_wilds and size:
        _put_natural_under(state)


@compiled
def _fill_hands(state: Any, sizes: Any) -> None:
    """Deal cards of the stock to the hands until they have these sizes."""
    for seat in range(state.num_players):
        for _ in range(sizes[seat] - count_cards(state.hands[seat])):
            draw_stock(state, seat)


@compiled
def _collect_unknown(state: Any, seat: int) -> None:
    """Move the cards of a hand that are not known to be there onto the stock."""
    for copy in range(COPIES - 1, -1, -1):  # the second card of a face before the first, so that both are seen
        held = state.hands[seat, copy]
        while held:
            face = lowest(held)
            held &= held - 1
            if count_of(state.hands[seat], face) > count_of(state.known[seat], face):
                remove_card(state.hands[seat], face)
                state.stock[state.stock_size] = face
                state.stock_size += 1


@compiled
def _put_natural_under(state: Any) -> None:
    """B9.2: everybody knows that the lowest card of the stock is no wild card."""
    if state.stock[0] < TWO:
        return
    naturals = 0
    for i in range(state.stock_size):
        naturals += state.stock[i] < TWO
    if not naturals:
        return
    skip = random_below(state, naturals)
    for i in range(state.stock_size):
        if state.stock[i] < TWO:
            if skip == 0:
                state.stock[0], state.stock[i] = state.stock[i], state.stock[0]
                return
            skip -= 1


@compiled
def _renew_ban(state: Any) -> None:
    """B2.4 for the new hand: the card taken is banned unless the hand held another of its face before.

    If both cards of the face are known to be in the hand, it held another: only one was taken. The second Joker may
    have come by an exchange in this turn. If the public cards leave only a ban with which the turn could not be ended
    (B2.5), no card is banned: a card of the face that was held before has been played in this turn.
    """
    if state.taken == NO_FACE or state.phase == OVER or state.rules.discard_taken:
        return
    seat, face = state.seat, state.taken
    known = count_of(state.known[seat], face)
    held_before = count_of(state.hands[seat], face) > known
    held_before |= known == COPIES and not (face == JOKER and state.played)
    state.banned = NO_FACE if held_before else face
    if not held_before and _is_stuck(state):
        state.banned = NO_FACE


@compiled
def _is_stuck(state: Any) -> bool:
    """Whether the ban leaves the seat to move no action: neither the cards left nor the named card can be laid."""
    if state.phase == CHOOSE:
        return takers_of(state, state.pending) == 0
    seat = state.seat
    if state.hands[seat, 0] & ~(1 << state.banned):
        return False
    return not state.melds_of[seat] or cannot_end(state, count_cards(state.hands[seat]), 0, state.melds[0])


# From an observation -------------------------------------------------------------------------------------------------


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
        _renew_ban(state)


@compiled
def _read_rules(observation: Any, state: Any) -> None:
    copy_fields(observation, state.rules, SHARED_SWITCHES)
    state.rules.partner_scoring = SUM if observation.partner_sum else WINNER
    state.rules.wilds = FIXED if observation.fixed_wilds else FREE
    set_ace_value(state, observation.ace_value)
    for i in range(2):
        state.rules.hand_bonus[i] = observation.hand_bonus[i] if observation.has_hand_bonus else NO_BONUS
    set_target(state, observation.target)
    read_pack(observation, state)
    state.turns = 0
    state.rounds = 0
    state.rules.max_turns = observation.turns_left
    state.rules.max_rounds = observation.rounds_left


@compiled
def _pending_action(observation: Any) -> int:
    """The addition or exchange whose card waits for its meld; 0: none waits."""
    if not observation.phase[CHOOSE_CELL]:
        return 0
    face = observation.named - 1
    if observation.swapping:
        return SWAP + face
    if face < TWO:
        return ADD + face
    return (ADD_TWO_LOW if face < JOKER else ADD_JOKER_LOW) + int(observation.waiting_low == 0)


@compiled
def _face_or_none(said: int) -> int:
    """A face that is written as 1 + the face, 0 for none."""
    return said - 1 if said else NO_FACE


@compiled
def _read_turn(observation: Any, state: Any) -> None:
    state.had_turn = read_bits(observation.had_turn, 0, MAX_SEATS)
    for seat in range(MAX_SEATS):
        state.scores[seat] = observation.scores[seat]
    state.phase = PHASE_IN[state.phase]  # `suppose_turn` has written the cell
    state.taken = _face_or_none(observation.taken)
    state.banned = _face_or_none(observation.banned)
    state.named = _face_or_none(observation.named)
    state.pending = _pending_action(observation)
    state.ending = RUNNING


@compiled
def _read_cards(observation: Any, state: Any) -> None:
    """The own hand, what is known of the others', and the pile."""
    for face in range(NUM_FACES):
        for _ in range(observation.hand[face]):
            add_card(state.hands[0], face)
        for seat in range(state.num_players):
            for _ in range(observation.known[seat, face]):
                add_card(state.known[seat], face)
                if seat:
                    add_card(state.hands[seat], face)
    read_depths(state, observation)


@compiled
def _read_melds(observation: Any, state: Any) -> None:
    count = 0
    for slot in range(MAX_MELDS):
        if observation.meld_owner[slot] == 0:
            break
        meld = meld_of(observation, slot)
        state.melds[slot] = meld
        state.melds_of[owner_of(meld)] += 1
        count += 1
    state.num_melds = count


@inlined
def _deeper(state: Any) -> int:
    """Number of cards of the pile below the depth that can be taken and seen; only in positions set up by hand."""
    return max(state.pile_size - MAX_TAKE, 0)


@compiled
def _count_out(state: Any, counts: Any) -> None:
    """Subtract the visible cards from the counts of the pack (int64, a face each)."""
    for i in range(_deeper(state), state.pile_size):
        counts[state.pile[i]] -= 1
    count_table(state, counts, -1)
    for seat in range(state.num_players):
        for copy in range(COPIES):
            count_cards_in(state.hands[seat, copy], counts, -1)


@compiled
def _deal_hidden(observation: Any, state: Any) -> None:
    """Deal what cannot be seen to the other hands and the stock."""
    counts, size = scratch(NUM_FACES), 0
    for face in range(NUM_FACES):
        counts[face] = copies_of(state, face)
    _count_out(state, counts)
    for face in range(NUM_FACES):
        for _ in range(counts[face]):
            state.stock[size] = face
            size += 1
    state.stock_size = size
    _mix_stock(state, observation.stock_size)
    for i in range(_deeper(state)):
        state.pile[i] = pop_stock(state)
    _fill_hands(state, observation.hand_size)
