"""The record of a whole game (`STATE`), the deal (B1.3, B9.2, B9.4), and the seats and turns.

`STATE` has rules, generator, match and round, without padding, objects or pointers. `state.tobytes()` is the save file.
Unused cells are zero, so that equal games have equal bytes.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.fields import PLAYERS, ROUND, SCALED, TURN, Field, Fields, seen_otherwise
from banakil_env.core.jit import compiled, inlined
from banakil_env.core.random import random_below, shuffle
from banakil_env.core.records import clear_fields
from banakil_env.games.banakil.actions import ACTIONS as ACTIONS
from banakil_env.games.banakil.actions import MAX_MELDS as MAX_MELDS
from banakil_env.games.banakil.actions import MAX_TAKE as MAX_TAKE
from banakil_env.games.banakil.actions import NUM_ACTIONS
from banakil_env.games.banakil.faces import COPIES, NO_FACE, NUM_FACES, PACK_SIZE, TWO
from banakil_env.games.banakil.melds import faces_of
from banakil_env.games.banakil.pack import faces_in_pack, pairs_in_pack
from banakil_env.games.banakil.rules import MOST_BONUS, MOST_ROUNDS, MOST_TURNS, Rules, usual_target
from banakil_env.kit.pack54 import add_card, count_cards
from banakil_env.kit.table_state import (
    CHOOSE,
    DRAW,
    OUT,
    PLAY,
    copies_of,
    count_cards_in,
    count_meld,
    draw_stock,
    fields_of_round,
    fields_of_turn,
    hand_fields,
    heap_fields,
    match_fields,
    next_seat,
    pop_stock,
    push_pile,
)
from banakil_env.kit.table_state import begin_turn as begin_turn_of

SEATS = (2, 3, 4)
MAX_SEATS = SEATS[-1]

NO_BONUS = -1
ACE_IN_HALVES = 3  # the first value of the switch `ace_value`; the second is a half point less

_FACES = (1 << NUM_FACES) - 1
_MELDS = (1 << 29) - 1  # of packed melds (melds.py)
# The most that a side wins or loses in a round, in whole points. All cards of the pack are worth 108, going out 20 or
# 40, a player without a meld loses 20, and a side has at most two players. This is less than the highest bonus of a
# *hand* (B9.8).
MOST_POINTS = MOST_BONUS
MAX_GIVEN_SCORE = 7000  # the highest score with which a match can begin
MAX_SCORE = MAX_GIVEN_SCORE + MOST_ROUNDS * MOST_POINTS  # the most points, won or lost, in a match; fits into 16 bits


STATE_FIELDS = Fields(
    *hand_fields(MAX_SEATS, COPIES, _FACES),  # known cards: B2.6, B5.3
    *seen_otherwise(
        match_fields(
            *(Rules, SEATS),
            max_points=MAX_SCORE,
            max_score=MAX_SCORE,
            phase=CHOOSE,
            ending=OUT,
            signed=True,
            max_turns=MOST_TURNS,
            max_rounds=MOST_ROUNDS,
            count="<i2",
            last_seat=True,
        ),
        "scores turns rounds rules ending",
    ),
    Field(
        *("melds", "the melds in the order of opening, packed as in melds.py", _MELDS, (MAX_MELDS,)),
        dtype="<i4",
        lives=ROUND,
        filled="num_melds",
    ),
    Field("partners", "seats 0 and 2 play against 1 and 3", public=True),
    Field("taken", "the card taken alone in this turn", NO_FACE, lives=TURN, absent=NO_FACE),
    Field(
        "banned",
        "the card taken alone in this turn, if it may not be discarded (B2.4)",
        NO_FACE,
        lives=TURN,
        absent=NO_FACE,
    ),
    Field("played", "something was played to the table in this turn", public=True, lives=TURN, word="played"),
    Field("in_one_turn", "the turn began with nothing melded (B7.2)", public=True),
    Field(
        "circling",
        "turns in a row that took the top card and discarded it (B9.9)",
        MAX_SEATS,
        role=SCALED,
        scale=4,
        public=True,
        lives=ROUND,
        line="circling",
    ),
    Field("had_turn", "seats that have ended a turn since the deal, a mask (B9.3)", 2**MAX_SEATS - 1, lives=ROUND),
    Field(
        "pending", "in phase CHOOSE the action that named the card; else 0", NUM_ACTIONS - 1, dtype="<i2", lives=ROUND
    ),
    Field("named", "in phase CHOOSE the card that waits for its meld", NO_FACE, lives=ROUND, absent=NO_FACE),
    Field("num_melds", "melds on the table", MAX_MELDS, lives=ROUND),
    Field("melds_of", "melds of each seat", MAX_MELDS, (MAX_SEATS,), lives=ROUND, filled=PLAYERS),
    *heap_fields(PACK_SIZE, NUM_FACES - 1, stock=50, pile=20),
)
STATE = STATE_FIELDS.dtype


# Values that depend on the rules --------------------------------------------------------------------------------------


@inlined
def ace_value_of(state: Any) -> int:
    """Return the value of an Ace in half points (B9.7)."""
    return ACE_IN_HALVES - state.rules.ace_value


@inlined
def set_ace_value(state: Any, half_points: int) -> None:
    """Store the value of an Ace, given in half points."""
    state.rules.ace_value = ACE_IN_HALVES - half_points


_usual_target = inlined(usual_target)


@inlined
def target_of(state: Any) -> int:
    """Return the match score to reach (B8.1)."""
    usual = _usual_target(state.num_players, state.partners != 0)
    return state.rules.target if state.rules.target else usual


@compiled
def set_target(state: Any, target: int) -> None:
    """Store the match score to reach; the usual score is stored as an unset switch."""
    state.rules.target = 0 if target == _usual_target(state.num_players, state.partners != 0) else target


# Seats and turns ------------------------------------------------------------------------------------------------------


@inlined
def side_of(state: Any, seat: int) -> int:
    """Return the side of a seat: partners sit opposite each other (B1.2)."""
    return seat & 1 if state.partners else seat


@inlined
def num_sides(state: Any) -> int:
    """Return the number of sides."""
    return 2 if state.partners else state.num_players


@begin_turn_of.fill(STATE)
def begin_turn(state: Any, seat: int, phase: int) -> None:
    """Begin the turn of a seat in this phase."""
    state.seat = seat
    state.phase = phase
    clear_fields(state, fields_of_turn(state))
    state.in_one_turn = state.melds_of[seat] == 0


# The deal -------------------------------------------------------------------------------------------------------------


@compiled
def clear_table(state: Any) -> None:
    """Clear the cards and all fields of the deal; rules, generator, scores and the count of turns stay."""
    turns = state.turns
    clear_fields(state, fields_of_round(state))
    state.turns = turns


@compiled
def _cut(state: Any, cutter: int) -> int:
    """Cut the stock (B9.2): the cutter lifts a part, takes the wild cards at its bottom, and puts it under the rest.

    The lifted part has 11 to 105 cards of the full pack. It has more cards than there are wild cards, so that it always
    shows a natural. For a smaller pack the bounds are computed in the same way. Return the number of wild cards taken.
    """
    pack_size, wilds = state.stock_size, 0
    for i in range(pack_size):
        wilds += state.stock[i] >= TWO
    below = random_below(state, pack_size - wilds - 1) + 1
    bottom = below
    while state.stock[bottom] >= TWO:
        add_card(state.hands[cutter], state.stock[bottom])
        bottom += 1
    for i in range(pack_size):
        state.pile[i] = state.stock[i]
    size = pack_size - (bottom - below)
    for i in range(pack_size - bottom):
        state.stock[i] = state.pile[bottom + i]
    for i in range(below):
        state.stock[pack_size - bottom + i] = state.pile[i]
    for i in range(size, pack_size):
        state.stock[i] = 0
    for i in range(pack_size):
        state.pile[i] = 0
    state.stock_size = size
    return bottom - below


@copies_of.fill(STATE)
def _copies_of(state: Any, face: int) -> int:
    return (faces_in_pack(state) >> face & 1) + (pairs_in_pack(state) >> face & 1)


@count_meld.fill(STATE)
def _count_meld(state: Any, slot: int, counts: Any, step: int) -> None:
    count_cards_in(faces_of(state.melds[slot]), counts, step)


@compiled
def _lay_pack(state: Any) -> None:
    """Do the same as `kit.table_state.lay_pack`, but compute the pack (B1.1, B10) once instead of once per face."""
    one, two = faces_in_pack(state), pairs_in_pack(state)
    size = 0
    for face in range(NUM_FACES):
        for _ in range((one >> face & 1) + (two >> face & 1)):
            state.stock[size] = face
            size += 1
    state.stock_size = size
    shuffle(state, state.stock, size)


@compiled
def deal(state: Any) -> None:
    """Deal the next round of the episode."""
    state.turns = 0
    shuffle_and_deal(state)


@compiled
def shuffle_and_deal(state: Any) -> None:
    """Shuffle and deal (B1.3, B10.3; B9.2, B9.4); the seat after the dealer begins. The count of turns continues
    (B9.9).
    """
    clear_table(state)
    _lay_pack(state)
    first = next_seat(state, state.dealer)
    if state.rules.cutter_takes_wilds:
        _cut(state, (state.dealer if state.dealer else state.num_players) - 1)
    for seat in range(state.num_players):
        size = state.rules.hand_cards + (seat == first and not state.rules.upcard)
        for _ in range(size - count_cards(state.hands[seat])):
            draw_stock(state, seat)
    if state.rules.upcard:
        push_pile(state, pop_stock(state))
    begin_turn(state, first, DRAW if state.rules.upcard else PLAY)
