"""The legal actions and their effects: draw or take (F3), play (F6), choose a meld (F6.4), discard, call (F7).

For each phase, the functions for its legal actions come first, then the functions for their effects. The cards that a
seat can play are a mask of naturals and a number of Jokers. `fits` is the mask of the cards that the melds on the table
take (`kit/melds/wild_melds.py`).
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import clear_cells, lowest, write_bits
from banakil_env.core.engine import EVERYTHING
from banakil_env.core.jit import compiled
from banakil_env.core.scratch import scratch_bytes
from banakil_env.games.rummy500 import state as S
from banakil_env.games.rummy500.records import State
from banakil_env.games.rummy500.rules import NOW
from banakil_env.games.rummy500.scoring import score_round
from banakil_env.games.rummy500.state import MAX_MELDS, MAX_TAKE
from banakil_env.kit import table_state as T
from banakil_env.kit.melds import wild_melds as M
from banakil_env.kit.melds.wild_melds import LONGEST, NUM_TAKEN
from banakil_env.kit.melds.wild_plays import addable, fits_of, takers, write_takes
from banakil_env.kit.pack54 import ALL, JOKER, NATURALS, NUM_FACES, count_of
from banakil_env.kit.rounds import add_up, go_on, has_reached_target, no_points
from banakil_env.kit.wilds import table as W

# The draw (F3) and the call (F7) -------------------------------------------------------------------------------------


@compiled
def write_depths(state: State, cards: int, jokers: int, mask: Any, first: int) -> bool:
    """Write 1 for the depths to which the pile can be taken with these cards (F3.3); return whether there is one.

    The depths start at `mask[first]`. `cards` is a mask of naturals, `jokers` the number of Jokers.
    """
    return write_takes(state, cards, jokers, LONGEST, mask, first, MAX_TAKE)


@compiled
def draw(state: State) -> None:
    """Draw the next card of the stock (F3.1). If it is the last card, the round may end before the turn does (F8.2)."""
    T.draw(state)
    if state.stock_size == 0 and state.rules.stock_out == NOW:
        end_round(state, T.EXHAUSTED)


@compiled
def take(state: State, depth: int) -> None:
    """Take the top `depth + 1` cards of the pile. The next play must contain the deepest of them (F3.2, F3.4)."""
    state.must = W.take_top(state, state.seat, depth + 1)
    state.phase = T.PLAY


@compiled
def holds_rummy(state: State) -> bool:
    """Return whether cards of the pile can be played without any card of a hand (F7.1)."""
    return write_depths(state, 0, 0, scratch_bytes(MAX_TAKE), 0)


@compiled
def answer(state: State, place: int) -> None:
    """Call the rummy (`place` 0), or pass. If no seat calls, the next turn begins (F7.1, F7.3, F7.4)."""
    after = T.next_seat(state, state.seat)
    if S.YES + place == S.YES:
        state.phase = S.TAKE_CALLED
        state.discarder = T.NO_SEAT
    elif after == state.discarder:
        T.begin_turn(state, T.next_seat(state, after), T.DRAW)
    else:
        state.seat = after


# The play (F4, F5, F6) -----------------------------------------------------------------------------------------------


@compiled
def write_plays(state: State, mask: Any, wanted: int) -> None:
    """Write the legal actions of phase PLAY into `mask`. A card that must be played comes first (F3.4).

    `wanted` is explained in `mark`.
    """
    hand, must, added = state.hands[state.seat], ALL, ALL | M.BOTH_ENDS
    if state.must == W.NO_FACE:
        write_bits(mask, S.DISCARD, hand[0], NUM_FACES)
    else:
        must = 1 << state.must
        added = M.BOTH_ENDS if state.must == JOKER else must
    if wanted == EVERYTHING or S.ADD <= wanted < S.DISCARD:
        write_bits(mask, S.ADD, addable(hand) & fits_of(state, LONGEST) & added, NUM_TAKEN)
    if wanted < S.ADD:  # EVERYTHING too
        cards, jokers = hand[0] & NATURALS, count_of(hand, JOKER)
        M.write_runs(mask, S.OPEN_RUN, cards, jokers, must, S.RUN_ROWS, S.RUN_NEEDS)
        M.write_sets(mask, S.OPEN_SET, cards, jokers, must, S.SET_NEEDS)


@compiled
def lay_card(state: State, slot: int, place: int, face: int) -> None:
    """Move a card of the hand to a place of an existing meld."""
    T.leave_hand(state, state.seat, face)
    S.note_card(state, state.seat, slot, place)


@compiled
def open_meld(state: State, opening: int) -> None:
    """Open a meld with three cards, row `opening` of OPENINGS (F4.3)."""
    slot = W.open_meld(state, state.seat, S.OPENINGS[opening])
    places = M.places_in(state.melds[slot])
    while places:
        place = lowest(places)
        places &= places - 1
        lay_card(state, slot, place, W.card_at(state, slot, place))
    after_play(state)


@compiled
def add(state: State, named: int) -> None:
    """Lay a card off if only one meld takes it. Otherwise the card is named and waits for its meld (F6.4)."""
    slots = takers(state, named, LONGEST)
    state.named = named
    if slots & (slots - 1):
        state.phase = T.CHOOSE
    else:
        choose_meld(state, lowest(slots))


@compiled
def choose_meld(state: State, slot: int) -> None:
    """Lay the named card off on this meld (F6.2, F6.3)."""
    meld, named = state.melds[slot], state.named
    place = M.place_for(meld, named)
    state.melds[slot] = M.grown(meld, place, named >= M.LOW)
    lay_card(state, slot, place, min(named, JOKER))
    state.phase = T.PLAY
    after_play(state)


@compiled
def after_play(state: State) -> None:
    """Note that the required card has been played. A seat with an empty hand is out without a discard (F6.6)."""
    state.must = W.NO_FACE
    state.named = W.NOTHING
    if state.hands[state.seat, 0] == 0:
        state.turns += 1
        end_round(state, T.OUT)


# The end of a turn (F6.6) and of a round (F8) ------------------------------------------------------------------------


@compiled
def discard(state: State, face: int) -> None:
    """Discard a card and end the turn. The ends of a round are checked in the order of F8.4."""
    seat = state.seat
    T.lay_on_pile(state, seat, face)
    state.turns += 1
    if state.hands[seat, 0] == 0:
        end_round(state, T.OUT)
    elif state.stock_size == 0:
        end_round(state, T.EXHAUSTED)
    elif state.turns >= state.rules.max_turns:
        end_round(state, T.TURNS)
    else:
        asks = state.rules.calls and state.num_players > 2 and holds_rummy(state)
        T.begin_turn(state, T.next_seat(state, seat), S.CALL if asks else T.DRAW)
        if asks:
            state.discarder = seat


@compiled
def end_round(state: State, ending: int) -> None:
    """Score the round after this ending; in a match, deal the next round (F9, F10)."""
    winner = state.seat if ending == T.OUT else T.NO_SEAT
    if ending == T.TURNS:
        no_points(state)
    else:
        score_round(state)
    T.begin_turn(state, 0, T.OVER)
    add_up(state, ending, winner)
    go_on(state, has_reached_target(state))


# All phases ----------------------------------------------------------------------------------------------------------


@compiled
def mark(state: State, mask: Any, wanted: int) -> None:
    """Write 1 into `mask` for the legal actions and 0 for the others.

    `wanted` is an action, or EVERYTHING. For an action, only the cells of its block are sure to be right.
    """
    clear_cells(mask)
    if state.phase == T.DRAW:
        hand = state.hands[state.seat]
        mask[S.DRAW] = 1
        if wanted != S.DRAW:
            write_depths(state, hand[0] & NATURALS, count_of(hand, JOKER), mask, S.TAKE)
    elif state.phase == T.PLAY:
        write_plays(state, mask, wanted)
    elif state.phase == T.CHOOSE:
        write_bits(mask, S.MELD, takers(state, state.named, LONGEST), MAX_MELDS)
    elif state.phase == S.CALL:
        mask[S.YES] = mask[S.NO] = 1
    elif state.phase == S.TAKE_CALLED:
        write_depths(state, 0, 0, mask, S.TAKE)
