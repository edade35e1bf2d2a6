"""Books on the table: the melds of two sides, one per kind, and moving cards from hands to them.

A state has the fields of `meld_fields`: for every book a stack of naturals, a stack of Twos and a number of Jokers. In
games with melds of wild cards only, the place of the Two holds this meld. The game defines which cards form a meld.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any

from banakil_env.core.fields import ROUND, Field
from banakil_env.core.jit import compiled
from banakil_env.kit.books.kinds import (
    JOKER,
    JOKER_FACE,
    NUM_SUITS,
    TWO,
    VALUES,
    faces_of,
    one_card,
    size_of,
    size_of_stacks,
    value_of_stacks,
)
from banakil_env.kit.books.table import leave_hand, stack_field
from banakil_env.kit.two_sides import NUM_SIDES, side_of


def meld_fields(places: int, packs: int, most_jokers: int) -> tuple[Field, ...]:
    """The fields of the books of the kinds 0..places-1, with at most `most_jokers` Jokers in one book."""
    shape = (NUM_SIDES, places)
    return (
        stack_field("naturals", "the melds of each side, by kind: their natural cards", shape, packs),
        stack_field("twos", "the Twos in each meld", shape, packs),
        Field("jokers", "the Jokers in each meld", most_jokers, shape, lives=ROUND),
    )


@compiled
def wilds_at(state: Any, side: int, place: int) -> int:
    """The number of wild cards in a book."""
    return size_of(state.twos[side, place]) + state.jokers[side, place]


@compiled
def put(state: Any, side: int, face: int, place: int) -> None:
    """Add a card to the book of a side at a place, which is the kind of the book."""
    kind = face >> 2
    if kind == JOKER:
        state.jokers[side, place] += 1
    elif kind == TWO:
        state.twos[side, place] += one_card(face)
    else:
        state.naturals[side, place] += one_card(face)


@compiled
def lay(state: Any, kind: int, place: int) -> None:
    """Move a card of a kind from the hand of the seat to move to the book at a place (a kind) of its side."""
    seat = state.seat
    put(state, side_of(state, seat), leave_hand(state, seat, kind), place)


@compiled
def value_of_books(state: Any, side: int) -> int:
    """The total value of the cards in the books of a side."""
    value = value_of_stacks(state.naturals[side]) + VALUES[TWO] * size_of_stacks(state.twos[side])
    for place in range(state.jokers.shape[1]):
        value += VALUES[JOKER] * state.jokers[side, place]
    return value


# Books as faces, for texts and pictures ------------------------------------------------------------------------------


def book_faces(kind: int, naturals: int, twos: int, jokers: int) -> list[int]:
    """The faces in a book of a kind, in the order of texts: naturals, Twos, Jokers."""
    return list(_book_faces(int(kind), int(naturals), int(twos), int(jokers)))


@functools.lru_cache(maxsize=1 << 14)
def _book_faces(kind: int, naturals: int, twos: int, jokers: int) -> tuple[int, ...]:
    """Computes `book_faces`. Cached, since the same books occur again and again."""
    natural = [kind * NUM_SUITS + face for face in faces_of([naturals])]
    return (*natural, *(TWO * NUM_SUITS + face for face in faces_of([twos])), *[JOKER_FACE] * jokers)


def faces_at(state: Any, side: int, place: int) -> list[int]:
    """The faces in the book at a place; [] if there is no book."""
    return book_faces(place, state.naturals[side, place], state.twos[side, place], state.jokers[side, place])


def put_faces(state: Any, side: int, place: int, faces: Iterable[int]) -> None:
    """Add cards, given as faces, to the book at a place."""
    for face in faces:
        if face == JOKER_FACE:
            state.jokers[side, place] += 1
        else:
            stacks = state.twos if face // NUM_SUITS == TWO else state.naturals
            stacks[side, place] += 1 << 8 * (face % NUM_SUITS)
