"""The legal actions and their effects: draw or take the pile (C3, C6), play (C4, C5), go out (C7), end a turn (C8).

For each phase, the functions for its legal actions come first, then the functions for their effects. Look-ahead is in
`lookahead.py`.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import only_if, write_bits
from banakil_env.core.engine import EVERYTHING
from banakil_env.core.jit import compiled
from banakil_env.core.scratch import scratch, scratch_bytes, scratch_record
from banakil_env.games.canasta import lookahead as L
from banakil_env.games.canasta import state as S
from banakil_env.games.canasta.lookahead import SIGHT
from banakil_env.games.canasta.records import State
from banakil_env.games.canasta.rules import ABLE, FITS
from banakil_env.games.canasta.scoring import score_round
from banakil_env.games.canasta.state import NUM_ACTIONS
from banakil_env.kit import table_state as T
from banakil_env.kit.books import plays as P
from banakil_env.kit.books import table as B
from banakil_env.kit.books.kinds import (
    FOUR,
    LOWEST_WILD,
    NUM_KINDS,
    NUM_PATTERNS,
    THREE,
    VALUES,
    kind_of,
    size_of,
    size_of_stacks,
)
from banakil_env.kit.books.melds import put, value_of_books
from banakil_env.kit.two_sides import NO, NOT_ASKED, YES, answer_partner, ask_partner, book_round, side_of, side_to_move

PLAYS = P.play_table(S.ACTIONS)

# The draw (C3.1) and the pile (C6) -----------------------------------------------------------------------------------


@compiled
def legal_takes(state: State, mask: Any) -> bool:
    """Write the legal ways to take the pile (C6, C5.4) into `mask`; return whether there is one. The cells must
    be zero.
    """
    below = state.pile_size - 1
    if below < 0:
        return False
    seat, side, top = state.seat, side_to_move(state), state.pile[below]
    kind = kind_of(top)
    if kind == THREE or top >= LOWEST_WILD:
        return False
    held, fits = size_of(state.hands[seat, kind]), state.naturals[side, kind] != 0
    if held == 0 and not fits:
        return False
    frozen = B.is_frozen(state) or (state.rules.frozen_before_meld and not S.has_melds(state, side))
    if frozen and held < 2:
        return False
    missing = S.missing_value(state, side) - VALUES[kind]
    sure = P.sure_cards(state, below - B.red_threes_in(state), missing)
    if fits and not frozen:
        lone = below == 0 and size_of_stacks(state.hands[seat]) == 1 and not state.rules.lone_take
        mask[S.TAKE_ADD] = not lone and (sure >= 0 or take_can_end(state, missing))
        return mask[S.TAKE_ADD] != 0
    first = S.TAKE + NUM_PATTERNS * (kind - FOUR)
    return L.mark_takes(state, first, first + (1 if frozen else NUM_PATTERNS), missing, sure, mask)


@compiled
def take_can_end(state: State, missing: int) -> bool:
    """Return whether the turn can be ended if the pile is taken without a card of the hand.

    `missing` is the value that the first meld still needs.
    """
    sight = scratch_record(SIGHT)
    L.look_at_take(state, sight)
    return L.can_end(state, sight, missing)


@P.legal_draws.fill(S.STATE)
def legal_draws(state: State, mask: Any, wanted: int) -> None:
    """Write the legal actions of phase DRAW into `mask` (C3.1; without a stock C8.1).

    `wanted` is explained in `core.engine.mark`.
    """
    takes = (wanted != S.DRAW) and legal_takes(state, mask)
    if state.stock_size:
        mask[S.DRAW] = 1
    elif takes and state.rules.must_take != ABLE:
        mask[S.PASS] = state.rules.must_take != FITS or not mask[S.TAKE_ADD]


@compiled
def draw(state: State) -> None:
    """Draw the usual number of cards, or as many as there are (C3.1). The last one may be a red Three (C8.3)."""
    B.draw_cards(state, state.seat, S.DRAWN[state.num_players])
    state.phase = T.PLAY


@compiled
def take(state: State, place: int) -> None:
    """Take the pile with two cards of the hand, or with none (C6); `place` counts the actions from TAKE_ADD on."""
    side = side_to_move(state)
    first = not S.has_melds(state, side)
    face = T.pop_pile(state)
    state.phase = T.PLAY
    put(state, side, face, kind_of(face))
    P.lay_down(state, PLAYS[S.TAKE_ADD + place])
    if first:
        state.opening = state.taking = 1
    else:
        B.take_up_pile(state, state.seat, state.pile_size)
    after_play(state)


# The play (C4, C5) ---------------------------------------------------------------------------------------------------


@P.legal_plays.fill(S.STATE)
def legal_plays(state: State, mask: Any, wanted: int) -> None:
    """Write the legal actions of phase PLAY into `mask` (C3.2, C3.3).

    `wanted` is explained in `core.engine.mark`.
    """
    missing = S.missing_value(state, side_to_move(state))
    if wanted < S.DISCARD:
        legal_melds(state, missing, mask, wanted)
    if not state.opening and (wanted == EVERYTHING or wanted >= S.DISCARD):
        legal_ends(state, missing, mask)


@compiled
def legal_melds(state: State, missing: int, mask: Any, wanted: int) -> None:
    """Write the legal openings and additions (C3.2) into `mask`.

    `missing` is the value that the first meld still needs; `wanted` is explained in `core.engine.mark`.
    """
    fits = scratch(3)
    L.fitting_plays(state, fits)
    threes = P.held_of(state, THREE)
    if state.naturals[side_to_move(state), THREE]:
        fits[1] |= int(threes > 0) << S.ADD_THREE - S.ADD
    elif threes >= 3 and size_of_stacks(state.hands[state.seat]) - 3 <= 1:
        fits[0] |= 1 << S.OPEN_THREES - S.OPEN
    L.mark_plays(state, fits, missing, P.sure_cards(state, 0, missing), mask, wanted)


@compiled
def legal_ends(state: State, missing: int, mask: Any) -> None:
    """Write the legal discards, the end of the last turn, and the question to the partner into `mask` (C3.3, C8.3).

    `missing` is the value that the first meld still needs.
    """
    left, seat = size_of_stacks(state.hands[state.seat]), state.seat
    if state.last:
        mask[S.STOP] = state.answer != YES and not state.naturals[side_to_move(state), THREE]
    else:
        may_discard = state.answer != YES if left > 1 else state.answer != NO and L.has_canastas(state, seat)
        write_bits(mask, S.DISCARD, only_if(may_discard, P.kinds_held(state)), NUM_KINDS)
    mask[S.ASK] = L.may_be_out(state) and may_ask(state, seat, missing)


@compiled
def meld(state: State, place: int) -> None:
    """Open a meld (C4.3), or add a card to one; `place` counts the actions from OPEN on."""
    if not S.has_melds(state, side_to_move(state)):
        state.opening = 1
    P.lay_down(state, PLAYS[S.OPEN + place])
    after_play(state)


@compiled
def after_play(state: State) -> None:
    """Take up a waiting pile if the first meld has reached its value (C5.4). A seat with an empty hand goes out."""
    side, seat = side_to_move(state), state.seat
    if state.opening and value_of_books(state, side) >= S.minimum(state, side):
        state.opening, state.concealed = 0, 1
        if state.taking:
            state.taking = 0
            B.take_up_pile(state, seat, state.pile_size)
    if not state.opening and size_of_stacks(state.hands[seat]) == 0:
        go_out(state)


# Asking the partner (C7.4) --------------------------------------------------------------------------------------------


@compiled
def may_ask(state: State, seat: int, missing: int) -> bool:
    """Return whether a seat can ask its partner. It can if both answers could be obeyed.

    `missing` is the value that the first meld of the side still needs.
    """
    threes_lie = state.naturals[side_of(state, seat), THREE] != 0
    if not state.rules.ask or state.num_players != 4 or state.answer != NOT_ASKED or threes_lie:
        return False
    if size_of_stacks(state.hands[seat]) < 2 and not state.last:
        return False
    sight = scratch_record(SIGHT)
    L.look(state, seat, sight)
    return L.goes_out(sight, missing, not state.last)


ask = ask_partner


@compiled
def answer(state: State, place: int) -> None:
    """Answer the partner: yes (`place` 0) or no."""
    answer_partner(state, YES if S.SAY_YES + place == S.SAY_YES else NO)


# The end of a turn and of a round (C7, C8) ---------------------------------------------------------------------------


@compiled
def discard(state: State, kind: int) -> None:
    """Discard a card and end the turn. The ends of a round are checked in the order of C11.2."""
    seat = state.seat
    T.push_pile(state, B.leave_hand(state, seat, kind))
    if size_of_stacks(state.hands[seat]) == 0:
        go_out(state)
        return
    state.turns += 1
    if state.turns >= state.rules.max_turns:
        end_round(state, T.TURNS, T.NO_SEAT)
        return
    T.begin_turn(state, T.next_seat(state, seat), T.DRAW)
    if state.stock_size == 0 and not legal_takes(state, scratch_bytes(NUM_ACTIONS)):
        end_exhausted(state)


@compiled
def end_exhausted(state: State) -> None:
    """End a round whose stock is empty: the pile has been declined, or the last turn is over (C8.1, C8.3)."""
    end_round(state, T.EXHAUSTED, T.NO_SEAT)


@compiled
def go_out(state: State) -> None:
    """End the round because the seat to move has no card left."""
    end_round(state, T.OUT, state.seat)


@compiled
def end_round(state: State, ending: int, winner: int) -> None:
    """Score the round; in a match, deal the next one (C9)."""
    score_round(state, ending, winner)
    T.begin_turn(state, 0, T.OVER)
    book_round(state, ending, winner)


# All phases ----------------------------------------------------------------------------------------------------------

mark = P.mark
P.first_answer.fill_number(S.STATE, S.SAY_YES)
