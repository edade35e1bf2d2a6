"""The table of a game of contracts: two packs with Jokers, hands, melds, stock and pile, turn, round and match.

A game declares its state as `state_fields(Rules, own fields ...)`; the functions here use these fields by name. Unused
cells are zero, so that equal games have equal bytes. `seat` is the seat to decide, and `active` is the mover, whose
turn it is. They differ while other seats decide about the upcard. The field `first` is set if the mover has laid all
its melds in this turn.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import lowest
from banakil_env.core.fields import HIDDEN, MATCH, ONE_HOT, ROUND, SCALED, SEAT, TURN, Field, Fields
from banakil_env.core.hooks import hook
from banakil_env.core.jit import compiled, inlined
from banakil_env.core.random import random_below
from banakil_env.core.records import clear_fields
from banakil_env.kit import table_state as T
from banakil_env.kit.melds import joker_melds as W
from banakil_env.kit.pack54 import ALL, JOKER, LAYERS, MAX_CARDS, NATURALS, NUM_FACES, count_of
from banakil_env.kit.switches import Rules

SEATS = (3, 4, 5)
MAX_SEATS = SEATS[-1]
COPIES = 2  # copies of each natural card

# Phases in addition to those of `table_state`: another seat decides about the upcard; the mover answers a caller.
CALL, ANSWER = T.CHOOSE + 1, T.CHOOSE + 2
ENDINGS = {T.OUT: "out", T.EXHAUSTED: "exhausted", T.TURNS: "turns", T.MATCH: "match", T.ROUNDS: "rounds"}

# Values of `named`: 1 + the place of an action among those that add and swap. These are places of such actions.
ADD_LOW, ADD_HIGH = JOKER, JOKER + 1
SWAP = JOKER + 2
NUM_NAMED = SWAP + JOKER

# The note of the field `took`, by its word in positions.
_TAKERS = {
    "took": "the seat that took the card before the upcard by a call",
    "caller": "the seat that calls the upcard",
}

MAX_CALLS = 2 * T.MAX_TURNS  # a call takes a card from the pile, and each turn puts one there


def state_fields(
    rules: type[Rules],
    own: tuple[Field, ...] = (),
    *,
    max_points: int,
    contracts: int,
    phase: int = CALL,
    ending: int = T.OUT,
    taker: str = "took",
) -> Fields:
    """The fields of a state.

    Args:
        own: additional fields of the game.
        contracts: the number of contracts in a match.
        taker: the word for the field `took` in a position.
        rules, max_points, phase, ending: see `table_state.match_fields`.
    """
    seat, each = MAX_SEATS - 1, "each (kit/melds/joker_melds.py), in the order of opening"
    melds, num_melds, meld_owner = T.meld_fields(
        Field("melds", each, 2**31 - 1, (W.MAX_MELDS,), dtype="<i4"), MAX_SEATS
    )
    fields = Fields(
        *T.hand_fields(MAX_SEATS, LAYERS, ALL),
        melds,
        *T.match_fields(rules, SEATS, max_points=max_points, phase=phase, ending=ending, turns=50),
        Field(
            *("calls", "calls of each seat in this round", MAX_CALLS, (MAX_SEATS,)),
            role=SCALED,
            scale=4,
            by_seat=True,
            dtype="<i4",
            lives=ROUND,
            line="calls",
        ),
        Field("contract", "of this round", contracts, lowest=1, role=ONE_HOT, public=True, lives=MATCH),
        Field("active", "the mover; 0 when the game is over", seat, code=SEAT, absent_in=T.in_phases(T.OVER)),
        Field(
            *("took", _TAKERS[taker], seat),
            lowest=T.NO_SEAT,
            lives=TURN,
            absent=T.NO_SEAT,
            absent_in=T.but_in_phases(CALL, ANSWER),
            code=SEAT,
            word=taker,
        ),
        Field(
            *("named", "1 + what waits for its meld: a place among adds and swaps; 0: nothing", NUM_NAMED),
            role=HIDDEN,
            public=True,
            lives=TURN,
            absent_in=T.but_in_phases(T.CHOOSE),
        ),
        Field(
            *("first", "the melds of the mover were all laid in this turn"),
            public=True,
            lives=TURN,
            absent_in=T.but_in_phases(T.PLAY, T.CHOOSE),
            word="first",
        ),
        num_melds,
        meld_owner,
        *T.heap_fields(MAX_CARDS, NUM_FACES - 1, stock=50, pile=20),
        *own,
    )
    T.begin_turn.fill(fields.dtype)(_begin_turn)
    T.copies_of.fill(fields.dtype)(copies_in_packs)
    T.count_meld.fill(fields.dtype)(_count_meld)
    return fields


@hook
def num_jokers(state: Any) -> int:
    """The number of Jokers in the pack."""
    return state.num_players - 1


@compiled
def _begin_turn(state: Any, seat: int, phase: int) -> None:
    state.seat, state.active, state.phase = seat, seat, phase
    clear_fields(state, T.fields_of_turn(state))


@compiled
def copies_in_packs(state: Any, face: int) -> int:
    """The number of cards of a face in the game; takes a state or an observation."""
    return num_jokers(state) if face == JOKER else COPIES


@compiled
def _count_meld(state: Any, slot: int, counts: Any, step: int) -> None:
    W.add_faces(state.melds[slot], counts, step)


# Hands ---------------------------------------------------------------------------------------------------------------


@inlined
def held(state: Any, seat: int) -> int:
    """The natural cards that a hand holds, as a mask."""
    return state.hands[seat, 0] & NATURALS


@inlined
def held_twice(state: Any, seat: int) -> int:
    """The natural cards that a hand holds twice, as a mask."""
    return state.hands[seat, 1] & NATURALS


@inlined
def jokers_held(state: Any, seat: int) -> int:
    """The number of Jokers in a hand."""
    return count_of(state.hands[seat], JOKER)


@compiled
def draw_stock(state: Any, seat: int) -> None:
    """Move the next card of the stock to a hand. Makes a new stock first if it is empty; see `can_draw`."""
    if state.stock_size == 0:
        T.shuffle_pile_under(state)
    T.draw_stock(state, seat)


@inlined
def can_draw(state: Any) -> bool:
    """Whether a card can be drawn: the stock has a card, or the pile has cards under the upcard."""
    return state.stock_size != 0 or state.pile_size > 1


# Melds on the table --------------------------------------------------------------------------------------------------


@inlined
def melds_of(state: Any, seat: int, first: int) -> int:
    """The number of melds that a seat owns, from meld number `first` on."""
    count = 0
    for slot in range(first, state.num_melds):
        count += state.meld_owner[slot] == seat
    return count


# Whether a seat has melds; a seat without melds still has to meet its contract.
is_down = T.owns_meld


@inlined
def lays_first(state: Any) -> bool:
    """Whether the mover had no melds when the turn began: its contract is open, or was met in this turn."""
    return state.first != 0 or not is_down(state, state.active)


@compiled
def open_meld(state: Any, seat: int, row: int) -> None:
    """Open a meld with cards of a hand; `row` is a row of `joker_melds.OPENINGS`."""
    once, twice = W.NEED_ONE[row], W.NEED_TWO[row]
    for face in range(JOKER):
        for _ in range((once >> face & 1) + (twice >> face & 1)):
            T.leave_hand(state, seat, face)
    for _ in range(W.NEED_JOKERS[row]):
        T.leave_hand(state, seat, JOKER)
    state.melds[state.num_melds] = W.MELD_MADE[row]
    state.meld_owner[state.num_melds] = seat
    state.num_melds += 1


@compiled
def runs_laid(state: Any, laid: Any) -> int:
    """Write the runs of the mover into `laid`, and 0 into the remaining cells. Returns the number of runs."""
    count = 0
    for slot in range(state.num_melds):
        if state.meld_owner[slot] == state.active and W.is_run(state.melds[slot]) and count < laid.shape[0]:
            laid[count] = state.melds[slot]
            count += 1
    for i in range(count, laid.shape[0]):
        laid[i] = 0
    return count


@compiled
def still_lacks(state: Any, sets: int, runs: int, clash: Any) -> Any:
    """The part of the contract that the mover must still open.

    Args:
        sets: the number of sets in the whole contract.
        runs: the number of runs in the whole contract.
        clash: see `contracts.windows_that_clash`.

    Returns:
        The numbers of sets and runs, and the mask of places where these runs can begin.
    """
    windows = W.ALL_WINDOWS
    for slot in range(state.num_melds):
        if state.first and state.meld_owner[slot] == state.active:
            meld = state.melds[slot]
            run = int(W.is_run(meld))
            sets, runs = sets - 1 + run, runs - run
            if run:
                windows &= ~clash[W.suit_of(meld) * W.NUM_PLACES + lowest(W.occupied(meld))]
    return sets, runs, windows


@compiled
def with_place(meld: int, place: int) -> int:
    """The meld after an addition or exchange, given by its place among these actions; `fits` must be true."""
    if place < JOKER:
        return W.with_natural(meld, place)
    if place < SWAP:
        return W.with_joker(meld, W.LOW if place == ADD_LOW else W.HIGH)
    return W.with_exchange(meld, place - SWAP)


@compiled
def fits(meld: int, place: int) -> bool:
    """Whether an addition or exchange, given by its place among these actions, is possible with this meld."""
    if place < JOKER:
        return W.naturals_taken(meld) >> place & 1 != 0
    if place < SWAP:
        return W.ends_free(meld) & (W.LOW if place == ADD_LOW else W.HIGH) != 0
    return W.jokers_for(meld) >> (place - SWAP) & 1 != 0


@inlined
def face_of(place: int) -> int:
    """The card that leaves the hand in an addition or exchange, given by its place among these actions."""
    return place if place < JOKER else JOKER if place < SWAP else place - SWAP


@compiled
def first_contract(state: Any, switch: int, contracts: int) -> int:
    """The contract of a new episode: 1 + the switch, or a random contract if the switch equals `contracts`."""
    return 1 + (random_below(state, contracts) if switch == contracts else switch)


# "May I?": other seats decide about the upcard -----------------------------------------------------------------------


@compiled
def ask_after(state: Any, seat: int, barred: int) -> bool:
    """Offer the upcard to the next seat in the order of play before the mover.

    Args:
        seat: the last seat that had the offer; at the beginning, the mover.
        barred: the mask of seats that get no offer.

    Returns:
        False if no seat is left, so that the mover continues.
    """
    other = T.next_seat(state, seat)
    while other != state.active:
        if not barred >> other & 1:
            state.seat, state.phase = other, CALL
            return True
        other = T.next_seat(state, other)
    state.seat, state.phase, state.took = state.active, T.PLAY, T.NO_SEAT
    return False


@compiled
def discarder(state: Any) -> int:
    """The seat before the mover, which discarded the upcard, as a mask; 0 in the first turn of the round."""
    if state.turns == 0:
        return 0
    return 1 << (state.active - 1 if state.active else state.num_players - 1)


@compiled
def out_of_calls(state: Any, limit: int) -> int:
    """The seats without calls left, as a mask. A limit below 0 means that calls are unlimited."""
    seats = 0
    for seat in range(state.num_players):
        seats |= int(0 <= limit <= state.calls[seat]) << seat
    return seats


@compiled
def take_call(state: Any) -> None:
    """Take the upcard and a card of the stock as a penalty, for the seat that has the offer."""
    seat = state.seat
    T.take_top(state, seat)
    draw_stock(state, seat)
    state.calls[seat] += 1
