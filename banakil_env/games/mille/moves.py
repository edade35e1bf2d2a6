"""The legal actions and their effects: draw or take the pile (M5), meld (M4), discard, end a round (M6, M7).

For each phase, the functions for its legal actions come first, then the functions for their effects. No look-ahead is
needed, because every turn can be ended (M3.4).
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import clear_cells
from banakil_env.core.engine import EVERYTHING
from banakil_env.core.jit import compiled
from banakil_env.core.scratch import scratch, scratch_bytes
from banakil_env.games.mille import state as S
from banakil_env.games.mille.cards import (
    BASE,
    FIRST_SLOT,
    NUM_KINDS,
    NUM_NATURALS,
    NUM_RANKS,
    NUM_SLOTS,
    RANK_OF,
    SPECIALS,
    SUITS_OF,
    THE_TWO,
    can_fill,
    held_of,
)
from banakil_env.games.mille.records import State
from banakil_env.games.mille.scoring import score_round, what_is_paid
from banakil_env.games.mille.state import NUM_ACTIONS
from banakil_env.kit import table_state as T
from banakil_env.kit.books import table as B
from banakil_env.kit.books.kinds import TWO, kind_of, one_card, size_of, size_of_stacks
from banakil_env.kit.two_sides import book_round

# The draw (M3.1) and the pile (M5) -----------------------------------------------------------------------------------


@compiled
def legal_takes(state: State, mask: Any) -> bool:
    """Write the legal ways to take the pile (M5.1) into `mask`; return whether there is one. The cells must be zero."""
    if state.pile_size == 0:
        return False
    rank, hand = kind_of(state.pile[state.pile_size - 1]), state.hands[state.seat]
    if rank == TWO or size_of(hand[rank]) < 2:
        return False
    found = False
    for slot in range(FIRST_SLOT[rank], FIRST_SLOT[rank + 1]):
        if can_fill(slot, 2, held_of(hand, BASE[slot]), held_of(hand, BASE[slot] + 1)):
            mask[S.TAKE + slot] = 1
            found = True
    return found


@compiled
def legal_draws(state: State, mask: Any, wanted: int) -> None:
    """Write the legal actions of phase DRAW into `mask` (M3.1); `wanted` is explained in `mark`."""
    mask[S.DRAW] = state.stock_size > 0
    if wanted != S.DRAW:
        legal_takes(state, mask)


@compiled
def draw(state: State) -> None:
    """Draw a card of the stock."""
    S.draw_card(state, state.seat)
    state.phase = T.PLAY


@compiled
def take(state: State, slot: int) -> None:
    """Meld the top of the pile with two cards of the hand, and take the rest of the pile (M5).

    `slot` determines the two cards; see `cards.slot_cards`.
    """
    seat, face = state.seat, T.pop_pile(state)
    state.melds[seat, kind_of(face)] += one_card(face)
    lay_slot(state, slot, 2)
    for i in range(state.pile_size):
        face = state.pile[i]
        state.hands[seat, kind_of(face)] += one_card(face)
        state.known[seat, kind_of(face)] += one_card(face)
        state.pile[i] = 0
    state.pile_size = 0
    state.phase = T.PLAY
    after_play(state)


# The play (M4) -------------------------------------------------------------------------------------------------------


@compiled
def legal_plays(state: State, mask: Any, wanted: int) -> None:
    """Write the legal actions of phase PLAY into `mask` (M3.2, M3.3); `wanted` is explained in `mark`."""
    hand, melds = state.hands[state.seat], state.melds[state.seat]
    held = scratch(NUM_KINDS)
    for kind in range(NUM_KINDS):
        held[kind] = held_of(hand, kind)
    if wanted < S.ADD:
        legal_openings(held, melds, mask)
    if wanted == EVERYTHING or wanted >= S.ADD:
        legal_additions(held, melds, mask)


@compiled
def legal_openings(held: Any, melds: Any, mask: Any) -> None:
    """Write the legal openings (M3.2).

    Args:
        held: the number of cards of each kind in the hand.
        melds: the melds of the seat, by rank.
        mask: the mask of actions, written.
    """
    twos = held[THE_TWO]
    for slot in range(NUM_SLOTS):
        kind = BASE[slot]
        if not melds[RANK_OF[kind]]:
            mask[S.OPEN + slot] = can_fill(slot, 3, held[kind], held[kind + 1])
            mask[S.OPEN_TWO + slot] = (twos > 0) & can_fill(slot, 2, held[kind], held[kind + 1])
    if twos >= 2:
        for kind in range(NUM_NATURALS):
            mask[S.OPEN_TWOS + kind] = held[kind] > 0 and not melds[RANK_OF[kind]]
        mask[S.TWOS] = twos >= 3 and not melds[TWO]


@compiled
def legal_additions(held: Any, melds: Any, mask: Any) -> None:
    """Write the legal additions and discards (M3.2, M3.3); the arguments are those of `legal_openings`."""
    for kind in range(NUM_NATURALS):
        mask[S.ADD + kind] = (held[kind] > 0) & (melds[RANK_OF[kind]] != 0)
    if held[THE_TWO]:
        for rank in range(NUM_RANKS):
            mask[S.ADD_TWO + rank] = melds[rank] != 0
    for kind in range(NUM_KINDS):
        mask[S.DISCARD + kind] = held[kind] > 0


@compiled
def lay(state: State, kind: int, rank: int) -> None:
    """Move a card of the hand to the meld of a rank, for the seat to move."""
    seat = state.seat
    card = one_card(B.leave_hand_of(state, seat, RANK_OF[kind], SUITS_OF[kind]))
    if RANK_OF[kind] == rank:
        state.melds[seat, rank] += card
    else:
        state.wild[seat, rank] += card


@compiled
def lay_slot(state: State, slot: int, count: int) -> None:
    """Move the `count` natural cards of a slot (`cards.slot_cards`) from the hand to the meld of their rank."""
    for i in range(count):
        lay(state, BASE[slot] + (i < SPECIALS[slot]), RANK_OF[BASE[slot]])


@compiled
def open_meld(state: State, place: int) -> None:
    """Open a meld (M4.4); `place` counts the actions from OPEN on."""
    action = S.OPEN + place
    if action < S.OPEN_TWO:
        lay_slot(state, action - S.OPEN, 3)
    elif action < S.OPEN_TWOS:
        lay_slot(state, action - S.OPEN_TWO, 2)
        lay(state, THE_TWO, RANK_OF[BASE[action - S.OPEN_TWO]])
    else:
        kind = action - S.OPEN_TWOS  # a meld of Twos has the kind of the Two
        for i in range(3):
            lay(state, kind if i == 0 else THE_TWO, RANK_OF[kind])
    after_play(state)


@compiled
def add(state: State, kind: int) -> None:
    """Add a natural to the meld of its rank."""
    lay(state, kind, RANK_OF[kind])
    after_play(state)


@compiled
def add_two(state: State, rank: int) -> None:
    """Add a Two to the meld of a rank."""
    lay(state, THE_TWO, rank)
    after_play(state)


@compiled
def after_play(state: State) -> None:
    """End the round if the seat has no card left: it is out (M6)."""
    if size_of_stacks(state.hands[state.seat]) == 0:
        end_round(state, T.OUT, state.seat)


# The end of a turn and of a round (M5.3, M6, M7) ---------------------------------------------------------------------


@compiled
def discard(state: State, kind: int) -> None:
    """Discard a card. The turn passes to the other seat if cards are left."""
    seat = state.seat
    T.push_pile(state, B.leave_hand_of(state, seat, RANK_OF[kind], SUITS_OF[kind]))
    if size_of_stacks(state.hands[seat]) == 0:
        end_round(state, T.OUT, seat)
        return
    state.turns += 1
    if state.turns >= state.rules.max_turns:
        end_round(state, T.TURNS, T.NO_SEAT)
        return
    state.seat = 1 - seat
    state.phase = T.DRAW
    if state.stock_size == 0:
        if state.pile_size > 1:
            T.shuffle_pile_under(state)
        elif not legal_takes(state, scratch_bytes(NUM_ACTIONS)):
            end_round(state, T.EXHAUSTED, T.NO_SEAT)


@compiled
def end_round(state: State, ending: int, winner: int) -> None:
    """Score the round; in a match, deal the next one, or pay the winner (M7)."""
    score_round(state, ending, winner)
    state.seat, state.phase = 0, T.OVER
    book_round(state, ending, winner)
    if state.ending == T.MATCH:
        paid = what_is_paid(state, state.winner)
        state.payment[state.winner] = paid
        state.payment[1 - state.winner] = -paid


# All phases ----------------------------------------------------------------------------------------------------------


@compiled
def mark(state: State, mask: Any, wanted: int) -> None:
    """Write 1 into `mask` for the legal actions and 0 for the others.

    `wanted` is an action, or EVERYTHING. For an action, only the cells of its block are sure to be right.
    """
    clear_cells(mask)
    if state.phase == T.DRAW:
        legal_draws(state, mask, wanted)
    elif state.phase == T.PLAY:
        legal_plays(state, mask, wanted)
