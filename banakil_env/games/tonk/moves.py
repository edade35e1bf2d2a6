"""The legal actions and their effects: the dealt tonk (T2), draw, take or drop (T3), spreads and hits (T4, T5), the
choice of a spread (T5.2), the discard (T7) and the calls after it (T6).

For each phase, the functions for its legal actions come first, then the functions for their effects. No look-ahead is
needed (T3.5).
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import clear_cells, lowest, write_bits
from banakil_env.core.jit import compiled, inlined
from banakil_env.games.tonk import state as S
from banakil_env.games.tonk.records import State
from banakil_env.games.tonk.scoring import ending_of_drop, lowest_seat, score_round
from banakil_env.kit import table_state as T
from banakil_env.kit.melds.high_ace import NUM_RUNS, OPENINGS, run_openings, takes
from banakil_env.kit.melds.runs_and_sets import MAX_MELDS, NUM_SETS, set_openings
from banakil_env.kit.one_pack import table as O
from banakil_env.kit.pack52 import NO_FACE, NUM_FACES, bit_of
from banakil_env.kit.rounds import add_up, go_on

# The dealt tonk (T2) -------------------------------------------------------------------------------------------------


@compiled
def show_tonk(state: State) -> None:
    """Show the tonk and end the round: with a win, or with a draw if another seat has a tonk too (T2.4, T2.5)."""
    seat = state.seat
    for other in range(state.num_players):
        if other != seat and S.is_tonk(state.rules, state.hands[other, 0]):
            end_round(state, S.DRAWN, T.NO_SEAT)
            return
    end_round(state, S.TONK, seat)


@compiled
def pass_tonk(state: State) -> None:
    """Do not show the tonk. The next seat with a tonk decides, or play begins (T2.6)."""
    asked = S.next_with_tonk(state, S.place_of(state, state.seat) + 1)
    if asked != T.NO_SEAT:
        T.begin_turn(state, asked, S.ASK_TONK)
    else:
        T.begin_turn(state, T.next_seat(state, state.dealer), T.DRAW)


# The start of a turn (T3) ---------------------------------------------------------------------------------------------


draw, take = T.draw, T.take


@compiled
def drop(state: State) -> None:
    """End the round with a drop; the counts of the hands decide (T9.4, T9.5)."""
    seat = state.seat
    end_round(state, ending_of_drop(state, seat), seat)


# Spreads and hits (T4, T5) -------------------------------------------------------------------------------------------


@inlined
def is_held(state: State) -> bool:
    """Return whether the seat to move can neither spread nor hit in this turn (T5.4)."""
    return state.held[state.seat] != 0


@compiled
def takers(state: State, face: int) -> int:
    """Return the spreads that take a card, as a mask of slots."""
    slots = 0
    for slot in range(state.num_melds):
        slots |= int(takes(state.melds[slot]) & bit_of(face) != 0) << slot
    return slots


@compiled
def open_meld(state: State, opening: int) -> None:
    """Lay down a spread of three cards, row `opening` of OPENINGS (T4.2)."""
    seat = state.seat
    O.put_down(state, seat, OPENINGS[opening])
    state.played[seat] = 1
    _after_play(state)


@compiled
def add(state: State, face: int) -> None:
    """Hit a spread if only one takes the card. Otherwise the card is named and waits for its spread (T5.2)."""
    slots = takers(state, face)
    if slots & (slots - 1):
        state.named = face
        state.phase = T.CHOOSE
    else:
        _hit(state, lowest(slots), face)


@compiled
def choose_meld(state: State, slot: int) -> None:
    """Add the waiting card to the chosen spread."""
    face = state.named
    state.named = NO_FACE
    state.phase = T.PLAY
    _hit(state, slot, face)


@compiled
def _hit(state: State, slot: int, face: int) -> None:
    """Add a card to a spread. Another seat that owns the spread can then neither spread nor hit in its next turn
    (T5.4).
    """
    seat, owner = state.seat, state.meld_owner[slot]
    O.put_on(state, seat, slot, face)
    state.must = 0
    if owner != seat and state.rules.hold:
        state.held[owner] = 1
    _after_play(state)


@compiled
def _after_play(state: State) -> None:
    """End the round if the hand is empty: the seat has tonked out (T8.1)."""
    seat = state.seat
    if state.hands[seat, 0] == 0:
        state.turns += 1
        end_round(state, S.TONKED, seat)


# The discard (T7), and the calls after it (T6) -----------------------------------------------------------------------


@compiled
def discard(state: State, face: int) -> None:
    """Discard a card and end the turn. The ends of a round are checked in the order of T8.5."""
    seat = state.seat
    T.lay_on_pile(state, seat, face)
    state.turns += 1
    state.held[seat] = 0
    if state.hands[seat, 0] == 0:
        end_round(state, T.OUT, seat)
    elif state.stock_size == 0:
        winner = lowest_seat(state)
        end_round(state, T.EXHAUSTED if winner == T.NO_SEAT else S.LOWEST, winner)
    elif state.turns >= state.rules.max_turns:
        end_round(state, T.TURNS, T.NO_SEAT)
    else:
        state.after = 1 + seat
        if S.is_called(state):
            ask_next(state, seat)
        else:
            next_turn(state)


@compiled
def ask_next(state: State, seat: int) -> None:
    """Let the next seat after this one that can call decide. If there is none, the next turn begins."""
    asked = S.next_caller(state, seat)
    if asked != T.NO_SEAT:
        T.begin_turn(state, asked, S.ASK_CALL)
    else:
        next_turn(state)


@compiled
def next_turn(state: State) -> None:
    """Begin the turn of the seat after the one that has discarded."""
    discarder = state.after - 1
    state.after = 0
    T.begin_turn(state, T.next_seat(state, discarder), T.DRAW)


@compiled
def call(state: State) -> None:
    """Take the discard, which must be played at once; the turn passes to the caller (T6.4, T6.5)."""
    state.must = 1 + T.take_top(state, state.seat)
    state.after = 0
    state.phase = T.PLAY


@compiled
def pass_question(state: State) -> None:
    """Pass: do not show the tonk, or do not call the discard."""
    if state.phase == S.ASK_TONK:
        pass_tonk(state)
    else:
        ask_next(state, state.seat)


# The end of a round (T8, T10) ----------------------------------------------------------------------------------------


@compiled
def end_round(state: State, ending: int, winner: int) -> None:
    """Write and book the payments; in a match, deal the next round. `winner` is explained in `write_parts`."""
    score_round(state, ending, winner)
    T.begin_turn(state, 0, T.OVER)
    add_up(state, ending, winner)
    go_on(state, state.rounds >= state.rules.deals)


# All phases ----------------------------------------------------------------------------------------------------------


@compiled
def mark(state: State, mask: Any, wanted: int) -> None:
    """Write 1 into `mask` for the legal actions and 0 for the others; `wanted` is not used."""
    clear_cells(mask)
    if state.phase == T.PLAY:
        _legal_plays(state, mask)
    elif state.phase == T.DRAW:
        mask[S.A_DROP] = mask[S.A_DRAW] = mask[S.A_TAKE] = 1
    elif state.phase == T.CHOOSE:
        write_bits(mask, S.A_MELD, takers(state, state.named), MAX_MELDS)
    elif state.phase == S.ASK_TONK:
        mask[S.A_TONK] = mask[S.A_PASS] = 1
    elif state.phase == S.ASK_CALL:
        mask[S.A_CALL] = mask[S.A_PASS] = 1


@compiled
def _legal_plays(state: State, mask: Any) -> None:
    """Mark the legal actions of phase PLAY.

    A card that was called comes first (T6.4). A seat that is held can only discard (T5.4).
    """
    hand = state.hands[state.seat, 0]
    if not is_held(state):
        hits = hand & S.fitting(state)
        if state.must:
            write_bits(mask, S.A_ADD, hits & bit_of(state.must - 1), NUM_FACES)
            return
        write_bits(mask, S.A_OPEN_RUN, run_openings(hand), NUM_RUNS)
        write_bits(mask, S.A_OPEN_SET, set_openings(hand), NUM_SETS)
        write_bits(mask, S.A_ADD, hits, NUM_FACES)
    write_bits(mask, S.A_DISCARD, hand, NUM_FACES)
