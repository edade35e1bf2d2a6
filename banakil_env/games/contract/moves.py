"""The legal actions and their effects: draw or take (N2), "May I", play (N5, N6, N7), choose a meld, discard (N8).

For each phase, the functions for its legal actions come first, then the functions for their effects. `place` is the
index of an action among additions and exchanges: a natural, a Joker low, a Joker high, then the naturals exchanged.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.core.bits import clear_cells, lowest, write_bits
from banakil_env.core.jit import compiled, inlined
from banakil_env.core.scratch import scratch
from banakil_env.games.contract import state as S
from banakil_env.games.contract.records import State
from banakil_env.games.contract.scoring import end_round
from banakil_env.kit import table_state as T
from banakil_env.kit.contracts import table as K
from banakil_env.kit.contracts.table import lays_first
from banakil_env.kit.melds import joker_melds as W
from banakil_env.kit.melds.all_in_runs import LAST_RUNS, can_finish
from banakil_env.kit.melds.contracts import ANY_RANKS, continuous, meeting, windows_that_clash
from banakil_env.kit.melds.joker_melds import MAX_MELDS
from banakil_env.kit.melds.jokers_owed import can_use_owed
from banakil_env.kit.pack52 import ACES
from banakil_env.kit.pack54 import JOKER, NUM_FACES

CLASH = windows_that_clash(continuous)  # N5.2
MEETING = meeting("contract", S.OPEN_SET, S.OPEN_RUN, CLASH, open_lone=S.OPEN_LONE_SET)
can_meet, row_of, write_sets, write_runs, write_meeting, best_opening = MEETING
EVERY_RANK = np.int64(ANY_RANKS)


@inlined
def fewest(record: Any) -> int:
    """Return the fewest naturals of an opening (N4.2), by the rules in a state or an observation."""
    return 2 - record.rules.jokers


# The draw (N2.1 to N2.3) and "May I?" (N2.4 to N2.7) ------------------------------------------------------------------


@compiled
def draw(state: State) -> None:
    """Draw for the mover, or end the round if that is impossible. Then the upcard is offered to the other seats."""
    if not K.can_draw(state):
        end_round(state, T.EXHAUSTED, T.NO_SEAT)
        return
    K.draw_stock(state, state.seat)
    K.ask_after(state, state.active, barred(state))


@compiled
def take(state: State) -> None:
    """Take the upcard for the mover; it is then not offered to other seats (N2.2)."""
    T.take_top(state, state.seat)
    state.phase = T.PLAY


@compiled
def barred(state: State) -> int:
    """Return the seats to which the upcard is not offered, as a mask (N2.6, N2.7)."""
    if state.pile_size == 0 or (state.stock_size == 0 and state.pile_size < 3):
        return 2**K.MAX_SEATS - 1
    before = 0
    if state.took != T.NO_SEAT:
        before = 1 << state.took
    elif not state.rules.own_discard:
        before = K.discarder(state)
    return before | K.out_of_calls(state, state.rules.calls)


@compiled
def call(state: State) -> None:
    """Take the upcard for the seat that has the offer; then the card under it is offered (N2.4, N2.5)."""
    K.take_call(state)
    state.took = state.seat
    K.ask_after(state, state.active, barred(state))


@compiled
def leave(state: State) -> None:
    """Leave the upcard; it is then offered to the next seat (N2.4)."""
    K.ask_after(state, state.seat, barred(state))


# Jokers that are owed (N6.4) ------------------------------------------------------------------------------------------


@compiled
def owed_can_open(state: State, slot: int, meld: int, one: int, two: int, jokers: int, owed: int) -> bool:
    """Return whether the Jokers owed can still open melds after the meld in `slot` has become `meld` (N6.4).

    Args:
        state: the state before the play.
        slot: the slot of the meld; `state.num_melds` for a new one.
        meld: the meld after the play.
        one: mask of the naturals that the hand then has at least once.
        two: mask of the naturals that it then has twice.
        jokers: the number of its Jokers.
        owed: the number of Jokers that must still open a meld.
    """
    if owed == 0:
        return True
    swaps, swaps_two = 0, 0
    for other in range(max(state.num_melds, slot + 1)):
        each = meld if other == slot else state.melds[other]
        faces = W.jokers_for(each)
        both_ends = W.jokers_at(each) & (1 | 1 << W.NUM_PLACES - 1) == (1 | 1 << W.NUM_PLACES - 1)
        swaps_two |= swaps & faces | (faces & ACES if both_ends and W.is_run(each) else 0)
        swaps |= faces
    return can_use_owed(one, two, jokers, owed, swaps, swaps_two, fewest(state))


# The first melds (N5.1 to N5.3) and the seventh contract (N7) ---------------------------------------------------------


@compiled
def write_contract(state: State, mask: Any) -> None:
    """Mark the openings of the first melds, and the discards if the turn can end."""
    seat = state.active
    asked, asked_runs = S.SETS[state.contract], S.RUNS[state.contract]
    sets, runs, windows = K.still_lacks(state, asked, asked_runs, CLASH)
    if sets + runs:
        one, two, jokers = K.held(state, seat), K.held_twice(state, seat), K.jokers_held(state, seat)
        write_meeting(mask, one, two, jokers, sets, runs, windows, EVERY_RANK, fewest(state))
    if not state.first or sets + runs == 0:
        write_bits(mask, S.DISCARD, state.hands[seat, 0], NUM_FACES)


@compiled
def write_all_at_once(state: State, mask: Any) -> None:
    """Mark openings and additions after which all cards can be laid down (N7), and the discards before the first
    of them.
    """
    seat, laid = state.active, scratch(LAST_RUNS)
    one, two, jokers = K.held(state, seat), K.held_twice(state, seat), K.jokers_held(state, seat)
    begun = K.runs_laid(state, laid)
    if begun == LAST_RUNS:
        for place in range(K.SWAP):
            mask[S.ADD + place] = takers(state, place) != 0
    elif can_finish(laid, one, two, jokers, fewest(state)):
        write_runs(mask, one, jokers, W.ALL_WINDOWS, fewest(state))
        for action in S.OPEN_RUNS:
            if mask[action]:
                row = row_of(action)
                left, left_two = W.first_left(one, two, W.NEED_ONE[row], 0), two & ~W.NEED_ONE[row]
                laid[begun] = W.MELD_MADE[row]
                mask[action] = can_finish(laid, left, left_two, jokers - W.NEED_JOKERS[row], fewest(state))
    if begun == 0:
        write_bits(mask, S.DISCARD, state.hands[seat, 0], NUM_FACES)


# Later turns (N5.4, N6) ----------------------------------------------------------------------------------------------


@compiled
def write_later(state: State, mask: Any) -> None:
    """Mark openings, additions, exchanges and discards of a seat that was down before this turn."""
    seat, owed = state.active, state.owed
    one, two, jokers = K.held(state, seat), K.held_twice(state, seat), K.jokers_held(state, seat)
    write_sets(mask, one, two, jokers, EVERY_RANK, fewest(state))
    write_runs(mask, one, jokers, W.ALL_WINDOWS, fewest(state))
    fits, exchanged, ends = 0, 0, 0
    for slot in range(state.num_melds):
        meld = state.melds[slot]
        fits |= W.naturals_taken(meld)
        exchanged |= W.jokers_for(meld)
        ends |= W.ends_free(meld)
    if owed == 0:
        write_bits(mask, S.ADD, one & fits, JOKER)
        mask[S.ADD_JOKER], mask[S.ADD_JOKER + 1] = jokers > 0 and ends & W.LOW != 0, jokers > 0 and ends & W.HIGH != 0
        write_bits(mask, S.DISCARD, state.hands[seat, 0], NUM_FACES)
    else:
        _keep_owed(state, mask, one, two, jokers)
        for place in range(K.SWAP):
            mask[S.ADD + place] = takers(state, place) != 0
    exchanged &= one
    while exchanged:
        face = lowest(exchanged)
        exchanged &= exchanged - 1
        mask[S.SWAP + face] = takers(state, K.SWAP + face) != 0


@compiled
def _keep_owed(state: State, mask: Any, one: int, two: int, jokers: int) -> None:
    """Set openings in the mask to 0 if a Joker that is owed could open no meld after them (N6.4).

    The hand is given by `one` and `two`, the masks of the naturals held at least once and twice, and its number of
    Jokers.
    """
    owed, slot = state.owed, state.num_melds
    for action in S.OPENINGS:
        if mask[action]:
            row = row_of(action)
            used, left = W.NEED_JOKERS[row], W.first_left(one, two, W.NEED_ONE[row], W.NEED_TWO[row])
            left_two, left_owed = two & ~W.NEED_ONE[row], max(owed - used, 0)
            mask[action] = owed_can_open(state, slot, W.MELD_MADE[row], left, left_two, jokers - used, left_owed)


@compiled
def takers(state: State, place: int) -> int:
    """Return the melds that take this play, as a mask of slots; of the sets only the first one (N6.5)."""
    seat, slots, set_seen = state.active, 0, False
    one, two, jokers = K.held(state, seat), K.held_twice(state, seat), K.jokers_held(state, seat)
    owed = state.owed
    if place == K.ADD_LOW or place == K.ADD_HIGH:
        jokers -= 1
        if jokers < owed:
            return 0
    else:
        card = 1 << (place if place < JOKER else place - K.SWAP)
        if not one & card:
            return 0
        one, two = W.first_left(one, two, card, 0), two & ~card
        jokers, owed = jokers + (place >= K.SWAP), owed + (place >= K.SWAP)
    for slot in range(state.num_melds):
        meld = state.melds[slot]
        if (W.is_run(meld) or not set_seen) and K.fits(meld, place):
            set_seen = set_seen or not W.is_run(meld)
            then = K.with_place(meld, place)
            if lays_first(state):
                able = _all_laid(state, slot, then, one, two, jokers)
            else:
                able = owed_can_open(state, slot, then, one, two, jokers, owed)
            slots |= int(able) << slot
    return slots


@compiled
def _all_laid(state: State, slot: int, meld: int, one: int, two: int, jokers: int) -> bool:
    """Return whether the seventh contract can be laid down whole after the run in `slot` has become `meld` (N7.2).

    The hand is given by `one` and `two`, the masks of the naturals held at least once and twice, and its number of
    Jokers.
    """
    laid, count = scratch(LAST_RUNS), 0
    if K.runs_laid(state, laid) < LAST_RUNS or state.meld_owner[slot] != state.active:
        return False
    for other in range(slot):
        count += state.meld_owner[other] == state.active
    laid[count] = meld
    return can_finish(laid, one, two, jokers, fewest(state))


@compiled
def open_meld(state: State, place: int) -> None:
    """Open a meld with two or three naturals: the opening action with this index."""
    _open_row(state, row_of(S.OPEN_SET + place))


@compiled
def open_lone(state: State, place: int) -> None:
    """Open a meld with one natural: the opening action of this kind with this index (N4.2)."""
    _open_row(state, row_of(S.OPEN_LONE_SET + place))


@compiled
def _open_row(state: State, row: int) -> None:
    """Open the meld of a row in the table of openings. Jokers that are owed are used first (N6.4)."""
    if lays_first(state):
        state.first = 1
    K.open_meld(state, state.active, row)
    state.owed -= min(state.owed, W.NEED_JOKERS[row])
    _after_play(state)


@compiled
def play_place(state: State, place: int) -> None:
    """Add or exchange if only one meld takes the card. Otherwise the card is named and waits for its meld (N6.5)."""
    slots = takers(state, place)
    if slots & (slots - 1):
        state.named, state.phase = 1 + place, T.CHOOSE
    else:
        play_at(state, place, lowest(slots))


@compiled
def choose_meld(state: State, slot: int) -> None:
    """Play the waiting card to the chosen meld."""
    play_at(state, state.named - 1, slot)


@compiled
def play_at(state: State, place: int, slot: int) -> None:
    """Add a card to this meld, or exchange it for a Joker of the meld."""
    seat = state.active
    state.named, state.phase = 0, T.PLAY
    T.leave_hand(state, seat, place if place < JOKER else JOKER if place < K.SWAP else place - K.SWAP)
    state.melds[slot] = K.with_place(state.melds[slot], place)
    if place >= K.SWAP:
        T.come_to_hand(state, seat, JOKER)
        state.owed += 1
    _after_play(state)


@inlined
def _after_play(state: State) -> None:
    if state.hands[state.active, 0] == 0:
        end_round(state, T.OUT, state.active)


@compiled
def discard(state: State, face: int) -> None:
    """Discard a card and end the turn (N8.1, N8.3)."""
    seat = state.active
    T.lay_on_pile(state, seat, face)
    if state.hands[seat, 0] == 0:
        end_round(state, T.OUT, seat)
        return
    state.turns += 1
    if state.turns >= state.rules.max_turns:
        end_round(state, T.TURNS, T.NO_SEAT)
    else:
        T.begin_turn(state, T.next_seat(state, seat), T.DRAW)


# All phases ----------------------------------------------------------------------------------------------------------


@compiled
def mark(state: State, mask: Any, wanted: int) -> None:
    """Write 1 into `mask` for the legal actions and 0 for the others; `wanted` is not used."""
    clear_cells(mask)
    if state.phase == T.DRAW:
        mask[S.DRAW], mask[S.TAKE] = 1, state.pile_size != 0
    elif state.phase == K.CALL:
        mask[S.CALL] = mask[S.PASS] = 1
    elif state.phase == T.PLAY:
        if not lays_first(state):
            write_later(state, mask)
        elif state.contract == S.ALL_AT_ONCE:
            write_all_at_once(state, mask)
        else:
            write_contract(state, mask)
    elif state.phase == T.CHOOSE:
        write_bits(mask, S.MELD, takers(state, state.named - 1), MAX_MELDS)
