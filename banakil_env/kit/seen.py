"""Writes the parts of observations that all games share: relative seats, the turn, hands, and public fields.

It also has functions that players use to read an observation of any game.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.fields import Field
from banakil_env.core.hooks import hook
from banakil_env.core.jit import compiled, fused, inlined
from banakil_env.core.records import copy_fields, copy_places
from banakil_env.kit.pack54 import count_cards, write_faces
from banakil_env.kit.table_state import OVER, next_seat

NO_MELD, RUN, SET = range(3)

# The public fields about heaps and match, in the order that the observations of most games have.
MATCH_SEEN = "stock_size pile_size ending num_players episode scores turns rounds rules"


def turn_seen(phases: str, seats: int, decides: str = "move") -> tuple[Field, ...]:
    """The fields about the turn: the seat to move, the dealer and the phase.

    Args:
        phases: the words for the phases, separated by commas.
        seats: the largest number of players.
        decides: what the seat to move does, for the note.
    """
    return (
        Field("to_move", f"the seat is to {decides}; no seat when the game is over", shape=(seats,)),
        Field("dealer", "the seat deals", shape=(seats,)),
        Field("phase", f"one of: {phases}", shape=(1 + phases.count(","),)),
    )


@inlined
def relative(state: Any, seat: int, other: int) -> int:
    """The relative seat of `other`: its distance from `seat` in the order of play."""
    return other - seat + state.num_players * (other < seat)


@inlined
def write_seats(state: Any, seat: int, mask: int, cells: Any) -> None:
    """Write a mask of seats into a row of flags, in the order of play from `seat` on."""
    players = state.num_players
    turned = (mask >> seat | mask << players - seat) & (1 << players) - 1
    for place in range(cells.shape[0]):
        cells[place] = turned >> place & 1


@hook
def public_fields(state: Any) -> str:
    """The names of the fields that an observation copies unchanged (`Fields.public`). Filled in by `kit.assembly`."""
    raise NotImplementedError


@hook
def fields_by_seat(state: Any) -> str:
    """The names of the public fields with a number for each seat (`Fields.by_seat`). Filled in by `kit.assembly`."""
    raise NotImplementedError


@inlined
def write_numbers(state: Any, other: int, out: Any, place: int) -> None:
    """Write the public numbers of the seat `other` (`Fields.by_seat`) into an observation.

    `place` is the relative seat of `other`.
    """
    copy_places(state, out, fields_by_seat(state), other, place)


@fused
def write_hands(state: Any, seat: int, out: Any) -> None:
    """Write the observer's hand, and for each seat its known cards, hand size and public numbers.

    For games whose hands are rows of layers.
    """
    write_faces(out.hand, state.hands[seat])
    other = seat
    for place in range(state.num_players):
        if state.known[other, 0]:
            write_faces(out.known[place], state.known[other])
        out.hand_size[place] = count_cards(state.hands[other])
        write_numbers(state, other, out, place)
        other = next_seat(state, other)


@inlined
def write_public(state: Any, out: Any) -> None:
    """Write all public fields of the state, except the numbers by seat. Works for any game."""
    copy_fields(state, out, public_fields(state))


@compiled
def read_public(state: Any, seen: Any) -> None:
    """Write all public fields of the state from an observation. Works for any game."""
    copy_fields(seen, state, public_fields(state))
    for place in range(seen.hand_size.shape[0]):
        copy_places(seen, state, fields_by_seat(state), place, place)


@inlined
def write_turn(state: Any, seat: int, phase: int, mover: int, out: Any) -> None:
    """Write the phase, the seat to move and the dealer."""
    if phase != OVER:
        out.to_move[relative(state, seat, mover)] = 1
    out.dealer[relative(state, seat, state.dealer)] = 1
    out.phase[phase] = 1


@inlined
def write_round(state: Any, seat: int, out: Any) -> None:
    """Write the turn, and all public fields of the state except the numbers by seat."""
    write_turn(state, seat, state.phase, state.seat, out)
    write_public(state, out)


@compiled
def smallest_other_hand(seen: Any) -> int:
    """The number of cards in the smallest hand of the other seats, including partners."""
    fewest = seen.hand_size[1]
    for place in range(2, seen.num_players):
        fewest = min(fewest, seen.hand_size[place])
    return fewest
