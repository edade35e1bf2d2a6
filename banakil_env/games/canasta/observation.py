"""What does a seat see? Kinds and their numbers, since suits do not matter; and the whole state, for critics."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.bits import clear_record, wide
from banakil_env.core.fields import COUNTS, HIDDEN, ONE_HOT, SCALED, Field, Fields
from banakil_env.core.jit import compiled
from banakil_env.games.canasta.rules import Rules
from banakil_env.games.canasta.state import (
    ANSWER,
    MAX_SCORE,
    MAX_SEATS,
    NO,
    NUM_CARDS,
    NUM_PLACES,
    has_melds,
    minimum,
)
from banakil_env.kit import table_state as T
from banakil_env.kit.books import LOWEST_WILD, NUM_KINDS, RED_THREE, is_red_three, kind_of, size_of
from banakil_env.kit.features import features_of
from banakil_env.kit.seen import relative
from banakil_env.kit.two_sides import NUM_SIDES

_SEATS, _SIDES, _BY_SIDE = (MAX_SEATS,), (NUM_SIDES,), (NUM_SIDES, NUM_KINDS)

# Seats and sides are relative: 0 is the one who sees, 1 the next to play. Kinds: 3 4 .. A 2 JK, the Three black.
OBSERVATION_FIELDS = Fields(
    Field("hand", "the own cards, by kind", 8, (NUM_KINDS,), role=COUNTS),
    Field("known", "cards that everybody knows to be in each hand", 8, (MAX_SEATS, NUM_KINDS), role=COUNTS),
    Field("naturals", "the melds of each side, by kind: natural cards", 8, _BY_SIDE, role=COUNTS),
    Field("twos", "the Twos in each meld", 3, _BY_SIDE, role=COUNTS),
    Field("jokers", "the Jokers in each meld", 3, _BY_SIDE, role=COUNTS),
    Field("pile", "the cards of the pile, without red Threes", 8, (NUM_KINDS,), role=COUNTS),
    Field("pile_reds", "red Threes in the pile", 4, role=SCALED, scale=4),
    Field("top", "1 + the kind of the top card of the pile; 15: a red Three; 0: no pile", 15, role=ONE_HOT),
    Field("frozen", "the pile is frozen: it has a wild card or a red Three, or is so to the side of who sees"),
    Field("red_threes", "red Threes laid down by each side", 4, _SIDES, role=SCALED, scale=4),
    Field("hand_size", "cards in each hand", NUM_CARDS, _SEATS, role=SCALED, scale=11),
    Field("to_move", "the seat is to move; of none when the game is over", shape=_SEATS),
    Field("dealer", "the seat deals", shape=_SEATS),
    Field("phase", "over, draw, play, answer", shape=(ANSWER + 1,)),
    Field("opening", "the first meld of the side to move does not reach its value yet"),
    Field("taking", "the rest of the pile waits for that"),
    Field("concealed", "the melds of the side to move are all of this turn, and reach their value"),
    Field("answer", "of the partner in this turn: 0 not asked, 1 yes, 2 no", NO, role=ONE_HOT),
    Field("last", "the last turn, without a discard"),
    Field("stock_size", "cards in the stock", NUM_CARDS, role=SCALED, scale=60),
    Field("pile_size", "cards in the pile", NUM_CARDS, role=SCALED, scale=20),
    Field("minimum", "what the first meld of each side must reach", 120, _SIDES, lowest=15, role=SCALED, scale=120),
    Field("ending", "how the game ended; 0 while it goes on", T.OUT, role=HIDDEN),
    Field("num_players", "players", MAX_SEATS, lowest=2, role=ONE_HOT),
    Field("episode", "0 a round, 1 a match"),
    Field("scores", "of each side", MAX_SCORE, _SIDES, lowest=-MAX_SCORE, role=SCALED, scale=5000, dtype="<i4"),
    Field("turns", "turns ended in this round", T.MAX_TURNS, role=SCALED, scale=100, dtype="<i4"),
    Field("rounds", "rounds ended in this match", T.MAX_ROUNDS, role=SCALED, scale=10, dtype="<i4"),
    Field("rules", "the switches", record=Rules.fields()),
)
OBSERVATION = OBSERVATION_FIELDS.dtype
FEATURES = features_of(OBSERVATION_FIELDS, "canasta", num_faces=NUM_KINDS)

# The seat to move first; of the stock the next card first, 1 + kind.
FULL_STATE = np.dtype(
    (
        np.record,
        [("observation", OBSERVATION), ("hands", "u1", (MAX_SEATS, NUM_KINDS)), ("stock", "u1", (NUM_CARDS,))],
    )
)


@compiled
def observe(state: Any, seat: int, out: Any) -> None:
    """Write what `seat` sees. Of hands and stock only the own hand, known cards and sizes are read here."""
    clear_record(out)
    other = wide(seat)
    for place in range(wide(state.num_players)):
        size = wide(0)
        for kind in range(NUM_KINDS):
            held = size_of(wide(state.hands[other, kind]))
            size += held
            out.known[place, kind] = size_of(wide(state.known[other, kind]))
            if place == 0:
                out.hand[kind] = held
        out.hand_size[place] = size
        other = other + 1 if other + 1 < state.num_players else wide(0)
    for i in range(NUM_SIDES):
        side = (seat + i) & 1
        for kind in range(NUM_PLACES):
            out.naturals[i, kind] = size_of(wide(state.naturals[side, kind]))
            out.twos[i, kind] = size_of(wide(state.twos[side, kind]))
            out.jokers[i, kind] = state.jokers[side, kind]
        out.red_threes[i] = state.red_threes[side, 0] + state.red_threes[side, 1]
        out.scores[i] = state.scores[side]
        out.minimum[i] = minimum(state, side)
    _write_pile(state, seat, out)
    _write_turn(state, seat, out)


@compiled
def _write_pile(state: Any, seat: int, out: Any) -> None:
    size, frozen = wide(state.pile_size), False
    for i in range(size):
        face = wide(state.pile[i])
        if is_red_three(face):
            out.pile_reds += 1
            frozen = True
        else:
            out.pile[kind_of(face)] += 1
            frozen = frozen or face >= LOWEST_WILD
    if size:
        top = wide(state.pile[size - 1])
        out.top = 1 + (wide(RED_THREE) if is_red_three(top) else kind_of(top))
    frozen = frozen or (state.rules.frozen_before_meld and not has_melds(state, seat & 1))
    out.frozen = frozen
    out.pile_size, out.stock_size = size, state.stock_size


@compiled
def _write_turn(state: Any, seat: int, out: Any) -> None:
    if state.phase != T.OVER:
        out.to_move[relative(state, seat, wide(state.seat))] = 1
    out.dealer[relative(state, seat, wide(state.dealer))] = 1
    out.phase[state.phase] = 1
    out.opening, out.taking, out.concealed = state.opening, state.taking, state.concealed
    out.answer, out.last = state.answer, state.last
    out.ending, out.num_players, out.episode = state.ending, state.num_players, state.episode
    out.turns, out.rounds = state.turns, state.rounds
    out.rules = state.rules


def write_full_state(state: Any) -> npt.NDArray[np.uint8]:
    """The bytes of a FULL_STATE record."""
    full = np.zeros(1, FULL_STATE)
    seat, players = int(state.seat), int(state.num_players)
    observe(state, seat, full[0].observation)
    for place in range(players):
        stacks = state.hands[(seat + place) % players].astype(np.int64)
        full[0].hands[place] = size_of(stacks)
    for i, face in enumerate(state.stock[: state.stock_size][::-1]):
        full[0].stock[i] = 1 + (RED_THREE if is_red_three(int(face)) else kind_of(int(face)))
    return full.view(np.uint8)
