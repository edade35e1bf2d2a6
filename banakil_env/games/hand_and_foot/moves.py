"""The legal actions and their effects: draw or take the pile (HF3, HF6), play (HF4, HF5), go out (HF8), end a turn.

For each phase, the functions for its legal actions come first, then the functions for their effects. Look-ahead is in
`lookahead.py`.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import only_if, write_bits
from banakil_env.core.engine import EVERYTHING
from banakil_env.core.jit import compiled
from banakil_env.core.masks import count_legal
from banakil_env.core.scratch import scratch, scratch_bytes, scratch_record
from banakil_env.games.hand_and_foot import lookahead as L
from banakil_env.games.hand_and_foot import state as S
from banakil_env.games.hand_and_foot.lookahead import SIGHT
from banakil_env.games.hand_and_foot.records import State
from banakil_env.games.hand_and_foot.rules import ABLE
from banakil_env.games.hand_and_foot.scoring import book_round, score_round
from banakil_env.games.hand_and_foot.state import NUM_ACTIONS, PILE, W
from banakil_env.kit import table_state as T
from banakil_env.kit.books import plays as P
from banakil_env.kit.books import table as B
from banakil_env.kit.books.kinds import (
    FOUR,
    JOKER,
    NUM_KINDS,
    NUM_PATTERNS,
    THREE,
    TWO,
    VALUES,
    kind_of,
    size_of,
    size_of_stacks,
)
from banakil_env.kit.books.melds import put, wilds_at
from banakil_env.kit.two_sides import NO, NOT_ASKED, YES, answer_partner, ask_partner, side_to_move

PLAYS = P.play_table(S.ACTIONS)


@compiled
def sure_cards(state: State, coming: int, missing: int) -> int:
    """Return the largest number of cards that a play can use such that the turn can certainly be ended.

    Below 0 no play is certain; see `kit.books.plays`. With a foot every play is certain if no value is missing.
    """
    foot = missing <= 0 and S.has_foot(state, state.seat)
    return NUM_KINDS if foot else P.sure_cards(state, coming, missing)


# The draw (HF3.1) and the pile (HF6) ---------------------------------------------------------------------------------


@compiled
def legal_takes(state: State, mask: Any) -> bool:
    """Write the legal ways to take from the pile (HF6, HF5.4) into `mask`; return whether there is one.

    The cells must be zero.
    """
    below = state.pile_size - 1
    if below < 0:
        return False
    side, kind = side_to_move(state), kind_of(state.pile[below])
    held, place = P.held_of(state, kind), min(kind, W)
    if kind == THREE or held == 0 or (held == 1 and kind >= TWO):
        return False
    if size_of(state.naturals[side, place]) + wilds_at(state, side, place) > PILE - 3:
        return False
    missing = S.missing_value(state, side) - VALUES[kind]
    sure = sure_cards(state, below, missing)
    first, number = S.TAKE + NUM_PATTERNS * (kind - FOUR), NUM_PATTERNS
    if kind >= TWO:
        first, number = S.TAKE_WILD + kind - TWO, 1
    return L.mark_takes(state, first, first + number, missing, sure, mask)


@P.legal_draws.fill(S.STATE)
def legal_draws(state: State, mask: Any, wanted: int) -> None:
    """Write the legal actions of phase DRAW into `mask` (HF3.1; without a stock HF9.1).

    `wanted` is explained in `core.engine.mark`.
    """
    takes = (wanted != S.DRAW) and legal_takes(state, mask)
    if state.stock_size:
        mask[S.DRAW] = 1
    elif takes:
        mask[S.PASS] = state.rules.must_take != ABLE


@compiled
def draw(state: State) -> None:
    """Draw two cards, or the last one (HF3.1). The last card can be a red Three (HF9.3)."""
    B.draw_cards(state, state.seat, S.DRAWN)
    state.phase = T.PLAY


@compiled
def take(state: State, place: int) -> None:
    """Meld the top card of the pile with two cards of the hand, and take the cards that come with it (HF6).

    `place` counts the actions from TAKE on.
    """
    side, play = side_to_move(state), PLAYS[S.TAKE + place]
    first = not S.has_melds(state, side)
    state.phase = T.PLAY
    put(state, side, T.pop_pile(state), play.place)
    P.lay_down(state, play)
    if first:
        state.opening = state.taking = 1
    else:
        B.take_up_pile(state, state.seat, S.TAKEN)
    after_play(state, play.place)


# The play (HF4, HF5) -------------------------------------------------------------------------------------------------


@P.legal_plays.fill(S.STATE)
def legal_plays(state: State, mask: Any, wanted: int) -> None:
    """Write the legal actions of phase PLAY into `mask` (HF3.2, HF3.3).

    `wanted` is explained in `core.engine.mark`.
    """
    missing = S.missing_value(state, side_to_move(state))
    if wanted < S.DISCARD or wanted == S.STOP:
        legal_melds(state, missing, mask, EVERYTHING if wanted == S.STOP else wanted)
    if not state.opening and (wanted == EVERYTHING or wanted >= S.DISCARD):
        legal_ends(state, missing, mask)


@compiled
def legal_melds(state: State, missing: int, mask: Any, wanted: int) -> None:
    """Write the legal openings and additions (HF3.2) into `mask`.

    `missing` is the value that the first meld still needs; `wanted` is explained in `core.engine.mark`.
    """
    fits, side = scratch(3), side_to_move(state)
    L.fitting_plays(state, fits)
    twos, jokers = P.held_of(state, TWO), P.held_of(state, JOKER)
    if wilds_at(state, side, W):
        fits[2] |= (int(twos > 0) | int(jokers > 0) << 1) << 2 * (W - FOUR)
    else:
        for number in range(4):
            fits[0] |= int((jokers >= number) & (twos >= 3 - number)) << S.OPEN_WILD - S.OPEN + number
    L.mark_plays(state, fits, missing, sure_cards(state, 0, missing), mask, wanted)


@compiled
def legal_ends(state: State, missing: int, mask: Any) -> None:
    """Write the legal discards, the end of the last turn, and the question to the partner into `mask` (HF3.3, HF9.3).

    `missing` is the value that the first meld still needs.
    """
    left, seat = size_of_stacks(state.hands[state.seat]), state.seat
    if state.last:
        mask[S.STOP] = state.answer != YES
    else:
        may_discard = state.answer != YES if left > 1 or S.has_foot(state, seat) else may_discard_last(state, seat)
        write_bits(mask, S.DISCARD, only_if(may_discard, P.kinds_held(state)), NUM_KINDS)
    mask[S.ASK] = may_ask(state, seat, missing)
    # HF9.4: a turn can have no other end if the foot had ten red Threes.
    if left == 1 and not state.stock_size and state.answer != YES and not count_legal(mask):
        mask[S.STOP] = 1


@compiled
def may_discard_last(state: State, seat: int) -> bool:
    """Return whether a seat can go out with its last card as a discard (HF8)."""
    sight = scratch_record(SIGHT)
    L.look(state, seat, sight)
    return L.may_go_out(state, sight) and L.has_piles(sight)


@compiled
def meld(state: State, place: int) -> None:
    """Open a meld (HF4.6), or add a card to one; `place` counts the actions from OPEN on."""
    play = PLAYS[S.OPEN + place]
    if not S.has_melds(state, side_to_move(state)):
        state.opening = 1
    P.lay_down(state, play)
    after_play(state, play.place)


@compiled
def after_play(state: State, place: int) -> None:
    """Complete a full pile, and take up a waiting pile if the first meld has reached its value (HF5.4).

    `place` is the place of the meld that has changed. An empty hand then takes up the foot (HF7.1) or ends the round.
    """
    side, seat = side_to_move(state), state.seat
    if size_of(state.naturals[side, place]) + wilds_at(state, side, place) == PILE:
        S.complete_pile(state, side, place)
    if state.opening and S.laid_value(state, side) >= S.minimum(state):
        state.opening = 0
        if state.taking:
            state.taking = 0
            B.take_up_pile(state, seat, S.TAKEN)
    if not state.opening and size_of_stacks(state.hands[seat]) == 0:
        if S.has_foot(state, seat):
            S.take_up_foot(state, seat)
        else:
            end_round(state, T.OUT, seat)


@compiled
def may_ask(state: State, seat: int, missing: int) -> bool:
    """Return whether a seat can ask its partner (HF8.3). It can if both answers could be obeyed.

    `missing` is the value that the first meld of the side still needs.
    """
    if not state.rules.ask or state.answer != NOT_ASKED or not L.feet_are_up(state, seat):
        return False
    if size_of_stacks(state.hands[seat]) < 2 and not state.last and state.stock_size:
        return False
    sight = scratch_record(SIGHT)
    L.look(state, seat, sight)
    return L.goes_out(sight, missing, not state.last)


ask = ask_partner


@compiled
def answer(state: State, place: int) -> None:
    """Answer the partner: yes (`place` 0) or no."""
    answer_partner(state, YES if S.SAY_YES + place == S.SAY_YES else NO)


# The end of a turn and of a round (HF8, HF9) -------------------------------------------------------------------------


@compiled
def end_turn(state: State) -> None:
    """End the turn. The ends of a round are checked in the order of HF12.2."""
    state.turns += 1
    if state.turns >= state.rules.max_turns:
        end_round(state, T.TURNS, T.NO_SEAT)
        return
    seat = T.next_seat(state, state.seat)
    T.begin_turn(state, seat, T.DRAW)
    if size_of_stacks(state.hands[seat]) == 0:
        S.take_up_foot(state, seat)  # HF7.2
        if state.last:
            state.phase = T.PLAY
            return
    if state.stock_size == 0 and not legal_takes(state, scratch_bytes(NUM_ACTIONS)):
        end_exhausted(state)


@compiled
def discard(state: State, kind: int) -> None:
    """Discard a card: the seat goes out, or the turn ends, possibly with an empty hand (HF7.2)."""
    seat = state.seat
    T.push_pile(state, B.leave_hand(state, seat, kind))
    if size_of_stacks(state.hands[seat]) == 0 and not S.has_foot(state, seat):
        end_round(state, T.OUT, seat)
    else:
        end_turn(state)


@compiled
def stop(state: State) -> None:
    """End the turn without a discard (HF9.4). The last turn ends the round (HF9.3)."""
    if state.last:
        end_exhausted(state)
    else:
        end_turn(state)


@compiled
def end_exhausted(state: State) -> None:
    """End a round whose stock is empty: the pile has been declined, or the last turn is over (HF9.1, HF9.3)."""
    end_round(state, T.EXHAUSTED, T.NO_SEAT)


@compiled
def end_round(state: State, ending: int, winner: int) -> None:
    """Score the round; in a match, deal the next one (HF10)."""
    score_round(state, ending, winner)
    T.begin_turn(state, 0, T.OVER)
    book_round(state, ending, winner)


# All phases ----------------------------------------------------------------------------------------------------------

mark = P.mark
P.first_answer.fill_number(S.STATE, S.SAY_YES)
