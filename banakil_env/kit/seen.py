"""What a seat sees of any table: the words for kinds of melds, relative seats, round and match."""

from __future__ import annotations

import dataclasses
from typing import Any

from banakil_env.core.bits import wide
from banakil_env.core.fields import FLAG, HIDDEN, ONE_HOT, SCALED, Field, Fields
from banakil_env.core.jit import inlined
from banakil_env.core.records import copy_fields
from banakil_env.kit.table_state import OVER

NO_MELD, RUN, SET = range(3)


def seen_as(state: Fields, name: str, note: str = "", role: str = FLAG, scale: float = 1.0) -> Field:
    """A field of the state as one of an observation, with its bounds, shape and dtype; `note`: "" for the same."""
    field = state[name]
    return dataclasses.replace(field, note=note or field.note, role=role, scale=scale, public=False, word="")


def turn_seen(phases: str, seats: int, decides: str = "move") -> tuple[Field, ...]:
    """The seat to move, the dealer and the phase; `phases` are the words for the phases."""
    return (
        Field("to_move", f"the seat is to {decides}; no seat when the game is over", shape=(seats,)),
        Field("dealer", "the seat deals", shape=(seats,)),
        Field("phase", f"one of: {phases}", shape=(1 + phases.count(","),)),
    )


def match_seen(
    state: Fields,
    *,
    stock: float,
    pile: float,
    scores: float,
    turns: float = 100,
    rounds: float = 10,
    of_scores: str = "the match score of each seat",
    of_rounds: str = "",
    of_players: str = "players",
) -> tuple[Field, ...]:
    """The heaps, the match and the rules, as every seat sees them; their bounds are those of the state.

    Args:
        state: the fields of the state.
        stock, pile, scores, turns, rounds: what these numbers are divided by for a network.
        of_scores, of_rounds, of_players: notes of these fields.
    """
    return (
        seen_as(state, "stock_size", role=SCALED, scale=stock),
        seen_as(state, "pile_size", role=SCALED, scale=pile),
        seen_as(state, "ending", "how the game ended; 0 while it goes on", HIDDEN),
        seen_as(state, "num_players", of_players, ONE_HOT),
        seen_as(state, "episode", "0 a round, 1 a match"),
        seen_as(state, "scores", of_scores, SCALED, scores),
        seen_as(state, "turns", role=SCALED, scale=turns),
        seen_as(state, "rounds", of_rounds, SCALED, rounds),
        seen_as(state, "rules"),
    )


@inlined
def relative(state: Any, seat: int, other: int) -> int:
    """The place of `other` in the order of play, from `seat` on."""
    return other - seat + wide(state.num_players) * (other < seat)


@inlined
def write_round(state: Any, seat: int, out: Any) -> None:
    """Write whose turn it is, the phase, how the game stands and the rules. In any game."""
    if state.phase != OVER:
        out.to_move[relative(state, seat, wide(state.seat))] = 1
    out.dealer[relative(state, seat, wide(state.dealer))] = 1
    out.phase[state.phase] = 1
    copy_fields(state, out, "ending episode turns rounds rules")
