"""The state of a game of runs and sets with wild cards and one or two packs: hands, melds, stock, pile and turn.

Hands are layers of masks (`pack54`), melds are packed numbers (`wild_melds`). A game declares its state as
`state_fields(Rules, own fields ...)`; the functions here use the common fields by name.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import lowest
from banakil_env.core.fields import CARD, TURN, Field, Fields
from banakil_env.core.hooks import hook
from banakil_env.core.jit import compiled
from banakil_env.kit import table_state as T
from banakil_env.kit.melds.wild_melds import MAX_MELD, NUM_TAKEN, face_at, places_in, wilds_in
from banakil_env.kit.pack54 import ALL, JOKER, LAYERS, MAX_CARDS, NUM_FACES
from banakil_env.kit.switches import Rules

NO_FACE = NUM_FACES
NOTHING = NUM_TAKEN  # the value of `named` if no card waits for its meld


def state_fields(
    rules: type[Rules],
    seats: tuple[int, ...],
    melds: int,
    own: tuple[Field, ...] = (),
    *,
    max_points: int,
    phase: int,
    ending: int,
) -> Fields:
    """The fields of a state.

    Args:
        melds: the most melds on the table.
        own: additional fields of the game.
        rules, seats, max_points, phase, ending: see `table_state.match_fields`.
    """
    numbers, num_melds, meld_owner = T.meld_fields(
        Field("melds", "each meld, a number (kit/melds/wild_melds.py), in the order of opening", MAX_MELD, (melds,)),
        seats[-1],
        "the seat that opened each meld",
    )
    fields = Fields(
        *T.hand_fields(seats[-1], LAYERS, ALL),
        numbers,
        *T.match_fields(rules, seats, max_points=max_points, phase=phase, ending=ending, signed=True, scores=500),
        Field(
            *("must", "the card that the next play must contain", NO_FACE),
            lives=TURN,
            absent=NO_FACE,
            absent_in=T.but_in_phases(T.PLAY, T.CHOOSE),
            code=CARD,
            word="must",
        ),
        Field(
            *("named", "what waits for its meld, a face or a wild card LOW or HIGH", NOTHING),
            lives=TURN,
            absent=NOTHING,
            absent_in=T.but_in_phases(T.CHOOSE),
        ),
        num_melds,
        meld_owner,
        *T.heap_fields(MAX_CARDS, NUM_FACES - 1, stock=50, pile=50),
        *own,
    )
    T.count_meld.fill(fields.dtype)(_count_meld)
    return fields


@compiled
def _count_meld(state: Any, slot: int, counts: Any, step: int) -> None:
    places = places_in(state.melds[slot])
    while places:
        counts[card_at(state, slot, lowest(places))] += step
        places &= places - 1


@compiled
def take_top(state: Any, seat: int, count: int) -> int:
    """Move the top `count` cards of the pile to a hand. Returns the face of the deepest one."""
    face = NO_FACE
    for _ in range(count):
        face = T.take_top(state, seat)
    return face


@compiled
def open_meld(state: Any, seat: int, meld: int) -> int:
    """Add a new meld to the table. Returns its slot. The cards have already left the hand."""
    slot = state.num_melds
    state.melds[slot] = meld
    state.meld_owner[slot] = seat
    state.num_melds += 1
    return slot


# Hooks about the melds of a game. By default the wild cards are Jokers -----------------------------------------------


@hook
def named_face(state: Any) -> int:
    """The face of the card that waits for its meld; NO_FACE if no card waits."""
    return NO_FACE if state.named == NOTHING else min(state.named, JOKER)


@hook
def card_at(state: Any, slot: int, place: int) -> int:
    """The face of the card at a place of a meld."""
    meld = state.melds[slot]
    return JOKER if wilds_in(meld) >> place & 1 else face_at(meld, place)
