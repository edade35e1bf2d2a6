"""The legal actions and their effects: draw, take and call (K2), play (K4 to K6), choose a meld, discard (K7).

For each phase, the functions for its legal actions come first, then the functions for their effects. `place` is the
index of an action among additions and exchanges: a natural, a Joker low, a Joker high, then the naturals exchanged.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import clear_cells, lowest, popcount, write_bits
from banakil_env.core.jit import compiled
from banakil_env.games.kalooki import state as S
from banakil_env.games.kalooki.records import State
from banakil_env.games.kalooki.rules import DIFFERENT
from banakil_env.games.kalooki.scoring import end_round
from banakil_env.kit import table_state as T
from banakil_env.kit.contracts import table as K
from banakil_env.kit.contracts.table import lays_first
from banakil_env.kit.melds import joker_melds as W
from banakil_env.kit.melds import moving_jokers as M
from banakil_env.kit.melds.contracts import ANY_RANKS, REPEATED, meeting, same_suit, windows_that_clash
from banakil_env.kit.melds.joker_melds import MAX_MELDS
from banakil_env.kit.pack54 import JOKER, NUM_FACES, has_card

CLASH = windows_that_clash(same_suit)  # K3.4
MEETING = meeting("kalooki", S.OPEN_THREE, S.OPEN_FOUR, CLASH, W.NUM_APART)
can_meet, row_of, write_threes, write_fours, write_meeting, best_opening = MEETING

# The draw and calls (K2) ---------------------------------------------------------------------------------------------


@compiled
def renew(state: State) -> bool:
    """Renew an empty stock and return True. If that is impossible, end the round and return False (K2.8)."""
    if state.stock_size:
        return True
    if state.renewed or state.pile_size < 2:
        end_round(state, T.EXHAUSTED, T.NO_SEAT)
        return False
    T.shuffle_pile_under(state)
    state.renewed = 1
    return True


@compiled
def not_asked(state: State) -> int:
    """Return the seats to which the upcard is not offered, as a mask (K2.4)."""
    seats = K.out_of_calls(state, state.rules.calls)
    if not state.rules.own_discard:
        seats |= K.discarder(state)
    for slot in range(state.num_melds):
        seats |= 1 << state.meld_owner[slot]
    return seats if state.pile_size else (2**K.MAX_SEATS - 1)


@compiled
def draw(state: State) -> None:
    """Choose the stock for the mover; the upcard is first offered to the other seats (K2.3, K2.4)."""
    if renew(state):
        ask_next(state, state.active)


@compiled
def leave(state: State) -> None:
    """Leave the upcard; it is then offered to the next seat (K2.4)."""
    ask_next(state, state.seat)


@compiled
def ask_next(state: State, seat: int) -> None:
    """Offer the upcard to the next seat after this one. If no seat is left, the mover draws (K2.7)."""
    if not K.ask_after(state, seat, not_asked(state)):
        draw_card(state)


@compiled
def draw_card(state: State) -> None:
    """Draw the top card of the stock for the mover, or end the round if there is none."""
    if renew(state):
        state.seat, state.phase, state.took = state.active, T.PLAY, T.NO_SEAT
        K.draw_stock(state, state.active)


@compiled
def take(state: State) -> None:
    """Take the upcard for the mover: before it is offered, or instead of the caller (K2.2, K2.5)."""
    state.phase, state.took = T.PLAY, T.NO_SEAT
    T.take_top(state, state.active)


@compiled
def call(state: State) -> None:
    """Call the upcard for the seat that has the offer. A mover that is down cannot refuse (K2.5, K2.6)."""
    if K.is_down(state, state.active):
        allow(state)
    else:
        state.took, state.seat, state.phase = state.seat, state.active, K.ANSWER


@compiled
def allow(state: State) -> None:
    """Give the upcard and a card of the stock to the caller; then the mover draws (K2.5)."""
    if state.phase == K.ANSWER:
        state.seat = state.took
    K.take_call(state)
    draw_card(state)


# Openings -------------------------------------------------------------------------------------------------------------


@compiled
def lacking(state: State) -> Any:
    """Return the numbers of threes and fours that the mover still needs for the contract; 0 and 0 if it is met."""
    threes, fours, _ = K.still_lacks(state, S.THREES[state.contract], S.FOURS[state.contract], CLASH)
    if threes < 0 or fours < 0 or not lays_first(state):
        return 0, 0
    return threes, fours


@compiled
def may_open(state: State) -> Any:
    """Return two masks: the places at which fours of the mover can begin, and the ranks of its threes (K3.4, K3.5).

    `kit/melds/contracts.py` explains the masks.
    """
    windows, ranks = W.ALL_WINDOWS, ANY_RANKS
    if state.rules.threes == DIFFERENT:
        ranks -= REPEATED
    for slot in range(state.num_melds):
        if state.meld_owner[slot] == state.active:
            meld = state.melds[slot]
            if W.is_run(meld):
                windows &= ~CLASH[W.suit_of(meld) * W.NUM_PLACES]
            elif state.rules.threes == DIFFERENT:
                ranks &= ~(1 << W.rank_of(meld))
    return windows, ranks


# The end of the turn (K5.3) -------------------------------------------------------------------------------------------
#
# If the contract is met, a natural in the hand can be discarded. If the hand has only Jokers, all of them must find
# room on the table; a three has room for all. Before the contract is met, a way to meet it is enough. Suppose that only
# Jokers are left after it. Then the contract required only fours. If a four still to be opened has fewer than two
# Jokers, it can take one more, which frees a natural for the discard. If there is no such four, a single four is still
# to be opened, with two of the Jokers, and one or two Jokers are left. Then at least as many of the other fours were
# opened without a Joker, and each of them has room for one.


@compiled
def keep_ends(state: State, mask: Any, naturals: int, jokers: int) -> None:
    """Clear the openings in a mask that leave Jokers without room, if they meet the contract or come after it.

    `naturals` and `jokers` are the numbers of these cards in the hand.
    """
    room = M.room_on(state)
    for action in range(S.OPEN_THREE, S.ADD):
        if mask[action]:
            row = row_of(action)
            left = naturals - popcount(W.NEED_ONE[row]) - popcount(W.NEED_TWO[row])
            mask[action] = M.can_end(left, jokers - W.NEED_JOKERS[row], room + M.room_in(W.MELD_MADE[row]))


# The play (K5, K6) ---------------------------------------------------------------------------------------------------


@compiled
def write_play(state: State, mask: Any) -> None:
    """Mark the legal openings, additions, exchanges and discards in `mask`."""
    seat = state.active
    one, two, jokers = K.held(state, seat), K.held_twice(state, seat), K.jokers_held(state, seat)
    naturals = popcount(one) + popcount(two)
    threes, fours = lacking(state)
    windows, ranks = may_open(state)
    if threes + fours:
        write_meeting(mask, one, two, jokers, threes, fours, windows, ranks)
    else:
        write_threes(mask, one, two, jokers, ranks)
        write_fours(mask, one, jokers, windows)
        write_additions(state, mask, one, jokers, naturals)
    if jokers and naturals <= W.RUN_SIZE and threes + fours < 2:
        keep_ends(state, mask, naturals, jokers)
    if not state.first or threes + fours == 0:
        write_bits(mask, S.DISCARD, one, NUM_FACES)
        if naturals == 0:  # K7.2
            mask[S.DISCARD + JOKER] = jokers > (0 if threes + fours else M.room_on(state))


@compiled
def write_additions(state: State, mask: Any, one: int, jokers: int, naturals: int) -> None:
    """Mark the legal additions and exchanges in `mask`.

    `one` is the mask of the naturals in the hand; `naturals` and `jokers` are the numbers of these cards.
    """
    fits, exchanged, ends = 0, 0, 0
    for slot in range(state.num_melds):
        meld = state.melds[slot]
        fits |= M.naturals_taken(meld)
        exchanged |= M.exchanged(meld)
        ends |= M.joker_end(meld)
    write_bits(mask, S.ADD, one & fits, JOKER)
    write_bits(mask, S.SWAP, one & exchanged, JOKER)
    if jokers:
        mask[S.ADD_JOKER], mask[S.ADD_JOKER + 1] = ends & W.LOW != 0, ends & W.HIGH != 0
        if naturals < 2:
            for place in range(K.NUM_NAMED):
                if mask[S.ADD + place]:
                    mask[S.ADD + place] = takers(state, place) != 0


@compiled
def takers(state: State, place: int) -> int:
    """Return the melds that take this play, as a mask of slots; of the threes only the first one (K6.5, K6.6)."""
    seat, slots, three_seen, room = state.active, 0, False, M.room_on(state)
    is_joker = place == K.ADD_LOW or place == K.ADD_HIGH
    if not has_card(state.hands[seat], K.face_of(place)):
        return 0
    naturals = popcount(K.held(state, seat)) + popcount(K.held_twice(state, seat)) - (not is_joker)
    jokers = K.jokers_held(state, seat) - is_joker
    for slot in range(state.num_melds):
        meld = state.melds[slot]
        if (W.is_run(meld) or not three_seen) and M.fits(meld, place):
            three_seen = three_seen or not W.is_run(meld)
            then = room - M.room_in(meld) + M.room_in(M.with_place(meld, place))
            slots |= int(M.can_end(naturals, jokers, then)) << slot
    return slots


@compiled
def open_meld(state: State, place: int) -> None:
    """Open the meld of the opening action with this index."""
    if lays_first(state):
        state.first = 1
    K.open_meld(state, state.active, row_of(S.OPEN_THREE + place))
    end_if_out(state)


@compiled
def play_place(state: State, place: int) -> None:
    """Add or exchange if only one meld takes the card. Otherwise the card is named and waits for its meld (K6.5)."""
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
    state.named, state.phase = 0, T.PLAY
    T.leave_hand(state, state.active, K.face_of(place))
    state.melds[slot] = M.with_place(state.melds[slot], place)
    end_if_out(state)


@compiled
def end_if_out(state: State) -> bool:
    """End the round if the hand of the mover is empty; return whether it is (K7.3)."""
    if state.hands[state.active, 0]:
        return False
    end_round(state, S.BENT if state.first else T.OUT, state.active)
    return True


@compiled
def discard(state: State, face: int) -> None:
    """Discard a card and end the turn (K7.1, K7.4)."""
    T.lay_on_pile(state, state.active, face)
    if end_if_out(state):
        return
    state.turns += 1
    if state.turns >= state.rules.max_turns:
        end_round(state, T.TURNS, T.NO_SEAT)
    else:
        T.begin_turn(state, T.next_seat(state, state.active), T.DRAW)


# All phases ----------------------------------------------------------------------------------------------------------


@compiled
def mark(state: State, mask: Any, wanted: int) -> None:
    """Write 1 into `mask` for the legal actions and 0 for the others; `wanted` is not used."""
    clear_cells(mask)
    if state.phase == T.DRAW:
        mask[S.DRAW], mask[S.TAKE] = 1, state.pile_size != 0 and not K.is_down(state, state.seat)
    elif state.phase == K.CALL:
        mask[S.CALL] = mask[S.PASS] = 1
    elif state.phase == K.ANSWER:
        mask[S.ALLOW] = mask[S.REFUSE] = 1
    elif state.phase == T.PLAY:
        write_play(state, mask)
    elif state.phase == T.CHOOSE:
        write_bits(mask, S.MELD, takers(state, state.named - 1), MAX_MELDS)
