"""The fields that observations of all games of books have, and the function that writes them.

Seats and sides are relative: 0 is the observer, 1 the next in the order of play. Cards are given as numbers by kind,
since suits do not matter. A game declares `seen_fields(STATE_FIELDS, ...)`, calls `write_seen` and then writes its
additional fields. Of hands and stock, this module reads only the observer's hand, known cards and sizes. It is the only
place where an observation could reveal hidden cards.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import clear_record
from banakil_env.core.fields import COUNTS, ONE_HOT, SCALED, Field, Fields
from banakil_env.core.jit import compiled
from banakil_env.kit.books.kinds import NUM_KINDS, NUM_SUITS, RED_THREE, is_red_three, kind_of, size_of
from banakil_env.kit.seen import turn_seen, write_numbers, write_round
from banakil_env.kit.two_sides import NUM_SIDES


def seen_fields(state: Fields, own: tuple[Field, ...], *, packs: int, wilds: int, phases: str) -> Fields:
    """The fields of an observation.

    Args:
        state: the fields of the state.
        own: additional fields of the game's observation.
        packs: the number of packs of 52 cards.
        wilds: the most wild cards of one kind in a meld.
        phases: the words for the phases, separated by commas.
    """
    [seats], cards, score = state["scores"].shape, state["stock_size"].highest, state["scores"].highest
    copies = max(NUM_SUITS * packs, cards - 52 * packs)
    by_seat, by_side = (seats, NUM_KINDS), (NUM_SIDES, NUM_KINDS)
    sides = (NUM_SIDES,)
    return Fields(
        Field(
            "hand", "the observer's cards, by kind: 3 4 .. A 2 JK, the Three black", copies, (NUM_KINDS,), role=COUNTS
        ),
        Field("known", "cards that everybody knows to be in each hand", copies, by_seat, role=COUNTS),
        Field("naturals", "the melds of each side, by kind: natural cards", copies, by_side, role=COUNTS),
        Field("twos", "the Twos in each meld", wilds, by_side, role=COUNTS),
        Field("jokers", "the Jokers in each meld", wilds, by_side, role=COUNTS),
        Field("pile", "the cards of the pile, without red Threes", copies, (NUM_KINDS,), role=COUNTS),
        Field("top", "1 + the kind of the top card of the pile; 15: a red Three; 0: no pile", 15, role=ONE_HOT),
        Field("red_threes", "red Threes laid down by each side", 2 * packs, sides, role=SCALED, scale=2 * packs),
        Field("hand_size", "cards in each hand", cards, (seats,), role=SCALED, scale=11),
        *turn_seen(phases, seats),
        *state.shown("opening taking answer last stock_size pile_size ending episode"),
        Field("scores", "of each side", score, sides, lowest=-score, role=SCALED, scale=5000, dtype="<i4"),
        *state.shown("turns rounds rules"),
        *own,
    )


@compiled
def write_seen(state: Any, seat: int, out: Any) -> None:
    """Write the common fields of the observation of `seat`; all other bytes of `out` become zero."""
    clear_record(out)
    _write_hands(state, seat, out)
    for i in range(NUM_SIDES):
        side = (seat + i) & 1
        for place in range(state.naturals.shape[1]):
            out.naturals[i, place] = size_of(state.naturals[side, place])
            out.twos[i, place] = size_of(state.twos[side, place])
            out.jokers[i, place] = state.jokers[side, place]
        out.red_threes[i] = state.red_threes[side, 0] + state.red_threes[side, 1]
        out.scores[i] = state.scores[side]
    _write_pile(state, out)
    write_round(state, seat, out)


@compiled
def _write_hands(state: Any, seat: int, out: Any) -> None:
    other = seat
    for place in range(state.num_players):
        size = 0
        for kind in range(NUM_KINDS):
            held = size_of(state.hands[other, kind])
            size += held
            out.known[place, kind] = size_of(state.known[other, kind])
            if place == 0:
                out.hand[kind] = held
        out.hand_size[place] = size
        write_numbers(state, other, out, place)
        other = other + 1 if other + 1 < state.num_players else 0


@compiled
def _write_pile(state: Any, out: Any) -> None:
    size = state.pile_size
    for i in range(size):
        face = state.pile[i]
        if not is_red_three(face):
            out.pile[kind_of(face)] += 1
    if size:
        top = state.pile[size - 1]
        out.top = 1 + (RED_THREE if is_red_three(top) else kind_of(top))


# The full state -----------------------------------------------------------------------------------------------------


@compiled
def count_kinds(rows: Any, seat: int, players: int, counts: Any) -> None:
    """Write rows of stacks, such as hands, as numbers by kind, in the order of play from `seat` on."""
    for place in range(players):
        for kind in range(NUM_KINDS):
            counts[place, kind] = size_of(rows[(seat + place) % players, kind])


@compiled
def write_hidden(state: Any, seat: int, full: Any) -> None:
    """Write hands and stock of the full state (kit/full_state.py): hands as numbers by kind, the stock as kinds."""
    count_kinds(state.hands, seat, state.num_players, full.hands)
    size = state.stock_size
    for i in range(size):
        face = state.stock[size - 1 - i]
        full.stock[i] = 1 + (RED_THREE if is_red_three(face) else kind_of(face))
