"""The legal actions and their effects: draw or take (R3), play (R4, R5, R7), choose a meld (R5.3), discard (R6).

For each phase, the functions for its legal actions come first, then the functions for their effects. Legal openings,
lay-offs and discards are computed as masks of bits and written into the mask of actions in one step. `runs` and `sets`
are masks of the cards in runs and in sets on the table; `hand` is the mask of a hand.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import clear_cells, lowest, popcount, write_bits
from banakil_env.core.jit import compiled, inlined
from banakil_env.games.rummy import state as S
from banakil_env.games.rummy.records import State
from banakil_env.games.rummy.rules import ANY_LAST, DISCARD_LAST, END, ONE_MELD, SHUFFLE
from banakil_env.games.rummy.scoring import score_round
from banakil_env.kit import table_state as T
from banakil_env.kit.melds.going_out import can_be_emptied
from banakil_env.kit.melds.runs_and_sets import (
    MAX_MELDS,
    NUM_RUNS,
    NUM_SETS,
    OPENINGS,
    is_run,
    places,
    run_openings,
    set_openings,
    takes,
)
from banakil_env.kit.one_pack import table as O
from banakil_env.kit.pack52 import NO_FACE, NUM_FACES, bit_of
from banakil_env.kit.rounds import book_round

# The draw (R3) -------------------------------------------------------------------------------------------------------


@inlined
def can_draw(state: State) -> bool:
    """Return whether the stock has a card or can be renewed (R3.1, R3.4).

    A shuffle needs two cards on the pile, turning the pile over needs one.
    """
    needed = 2 if state.rules.stock_out == SHUFFLE else 1
    return state.stock_size != 0 or (state.rules.stock_out != END and state.pile_size >= needed)


@compiled
def draw(state: State) -> None:
    """Draw the next card of the stock. An empty stock is renewed first (R3.1, R3.4)."""
    if state.stock_size == 0 and state.rules.stock_out == SHUFFLE:
        T.shuffle_pile_under(state)
    elif state.stock_size == 0:
        O.turn_pile_over(state)
    T.draw(state)


@compiled
def take(state: State) -> None:
    """Take the top of the pile, which may not be discarded in this turn (R3.2, R3.3)."""
    state.banned = T.take(state)


# The play (R5, R7) ---------------------------------------------------------------------------------------------------


@inlined
def goes_rummy(state: State, opened: int) -> bool:
    """Return whether a seat that has opened this number of melds in one turn must empty its hand (R7.2)."""
    return state.rules.melds == ONE_MELD and opened >= 2


@compiled
def may_be_left(state: State, hand: int, runs: int, sets: int, rummy: bool) -> bool:
    """Return whether the turn can still be ended if a play leaves this hand and these melds (R6.2, R6.3, R7.2).

    If the hand need not be emptied to go rummy, discarding any card that is not banned ends the turn. Only two hands
    need a check: the empty hand, and the banned card alone. That card has to fit a meld, because one card cannot open
    one.

    Args:
        hand: the cards that are left in the hand, as a mask.
        runs: the cards in runs on the table after the play, as a mask.
        sets: the cards in sets on the table after the play, as a mask.
        rummy: whether the seat has to empty its hand.
    """
    banned = bit_of(state.banned)
    if rummy:
        return can_be_emptied(hand, runs, sets, banned, state.rules.last_card == DISCARD_LAST)
    if hand == 0:
        return state.rules.last_card == ANY_LAST
    return hand != banned or (state.rules.last_card == ANY_LAST and hand & places(runs, sets) != 0)


@compiled
def legal_openings(state: State, openings: int, first: int, runs: int, sets: int) -> int:
    """Return the legal ones among `openings` (R5.1, R7.2).

    `openings`, and the result, have a bit for each row of OPENINGS from row `first` on, all of them runs or all sets.
    """
    rummy = goes_rummy(state, state.opened + 1)
    if openings == 0 or (rummy and not state.in_one_turn):
        return 0
    hand = state.hands[state.seat, 0]
    if popcount(hand) > 4 and not rummy:  # two cards or more are left, so the turn can be ended
        return openings
    legal = 0
    while openings:
        i = lowest(openings)
        openings &= openings - 1
        cards = OPENINGS[first + i]
        runs_then, sets_then = (runs | cards, sets) if is_run(cards) else (runs, sets | cards)
        legal |= int(may_be_left(state, hand & ~cards, runs_then, sets_then, rummy)) << i
    return legal


@compiled
def takers(state: State, face: int, runs: int, sets: int) -> int:
    """Return the melds on which a card of the hand may be laid off (R5.3), as a mask of meld numbers.

    `runs` and `sets` are the masks of the cards in runs and in sets on the table.
    """
    card = bit_of(face)
    left, rummy = state.hands[state.seat, 0] & ~card, goes_rummy(state, state.opened)
    to_run, to_set = (
        may_be_left(state, left, runs | card, sets, rummy),
        may_be_left(state, left, runs, sets | card, rummy),
    )
    slots = 0
    for slot in range(state.num_melds):
        meld = state.melds[slot]
        slots |= int(takes(meld) & card != 0 and (to_run if is_run(meld) else to_set)) << slot
    return slots


@compiled
def legal_adds(state: State, runs: int, sets: int) -> int:
    """Return the cards of the hand that may be laid off (R5.2), as a mask.

    `runs` and `sets` are the masks of the cards in runs and in sets on the table.
    """
    hand = state.hands[state.seat, 0]
    cards = hand & places(runs, sets)
    if popcount(hand) > 2 and not goes_rummy(state, state.opened):  # two cards or more are left
        return cards
    legal = 0
    while cards:
        face = lowest(cards)
        cards &= cards - 1
        legal |= int(takers(state, face, runs, sets) != 0) << face
    return legal


@compiled
def open_meld(state: State, opening: int) -> None:
    """Open a meld with three cards, row `opening` of OPENINGS (R4.3)."""
    O.open_meld(state, state.seat, OPENINGS[opening])
    _after_play(state)


@compiled
def add(state: State, face: int) -> None:
    """Lay a card off if only one meld takes it. Otherwise the card is named and waits for the choice of a meld
    (R5.3).
    """
    slots = takers(state, face, O.cards_in_runs(state), O.cards_in_sets(state))
    if slots & (slots - 1):
        state.named = face
        state.phase = T.CHOOSE
    else:
        O.lay_off(state, state.seat, lowest(slots), face)
        _after_play(state)


@compiled
def choose_meld(state: State, slot: int) -> None:
    """Lay the waiting card off on the chosen meld."""
    O.lay_off(state, state.seat, slot, state.named)
    state.named = NO_FACE
    state.phase = T.PLAY
    _after_play(state)


@inlined
def _after_play(state: State) -> None:
    if state.hands[state.seat, 0] == 0:
        go_out(state)


# The end of a turn (R6) and of a round (R8) --------------------------------------------------------------------------


@compiled
def legal_discards(state: State) -> int:
    """Return the cards that may be discarded (R6.1), as a mask. A seat that goes rummy may discard only its last card
    (R7.2).
    """
    hand = state.hands[state.seat, 0]
    if goes_rummy(state, state.opened) and hand & (hand - 1):
        return 0
    return hand & ~bit_of(state.banned)


@compiled
def discard(state: State, face: int) -> None:
    """Discard a card and end the turn. The ends of a round are checked in the order of R8.4."""
    seat = state.seat
    T.lay_on_pile(state, seat, face)
    if state.hands[seat, 0] == 0:
        go_out(state)
        return
    state.turns += 1
    if state.turns >= state.rules.max_turns:
        end_round(state, T.TURNS, T.NO_SEAT)
    elif state.stock_size == 0 and state.rules.stock_out == END:
        end_round(state, T.EXHAUSTED, T.NO_SEAT)
    else:
        T.begin_turn(state, T.next_seat(state, seat), T.DRAW)


@compiled
def go_out(state: State) -> None:
    """End the round because the hand of the seat to move is empty (R8.1).

    The seat goes rummy if all its cards left the hand in this turn (R7.1).
    """
    seat = state.seat
    rummy = state.in_one_turn != 0 or not state.played[seat]
    state.turns += 1
    end_round(state, S.RUMMY if rummy else T.OUT, seat)


@compiled
def end_round(state: State, ending: int, winner: int) -> None:
    """Score the round; in a match, deal the next round (R10)."""
    score_round(state, ending, winner)
    book_round(state, ending, winner)


# All phases ----------------------------------------------------------------------------------------------------------


@compiled
def mark(state: State, mask: Any, wanted: int) -> None:
    """Write 1 into `mask` for the legal actions and 0 for the others; `wanted` is not used."""
    clear_cells(mask)
    runs, sets, hand = O.cards_in_runs(state), O.cards_in_sets(state), state.hands[state.seat, 0]
    if state.phase == T.DRAW:
        mask[S.DRAW] = can_draw(state)
        mask[S.TAKE] = state.pile_size != 0
    elif state.phase == T.PLAY:
        write_bits(mask, S.OPEN_RUN, legal_openings(state, run_openings(hand), 0, runs, sets), NUM_RUNS)
        write_bits(mask, S.OPEN_SET, legal_openings(state, set_openings(hand), NUM_RUNS, runs, sets), NUM_SETS)
        write_bits(mask, S.ADD, legal_adds(state, runs, sets), NUM_FACES)
        write_bits(mask, S.DISCARD, legal_discards(state), NUM_FACES)
    elif state.phase == T.CHOOSE:
        write_bits(mask, S.MELD, takers(state, state.named, runs, sets), MAX_MELDS)
