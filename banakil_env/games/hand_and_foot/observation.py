"""The observation of a seat: numbers of cards by kind, because suits do not matter. Also the full state, for
critics.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.fields import COUNTS, SCALED, Field
from banakil_env.core.jit import compiled
from banakil_env.games.hand_and_foot import state as S
from banakil_env.games.hand_and_foot.records import State
from banakil_env.kit.books.kinds import FACE_TABLE, FOUR, JOKER, NUM_KINDS, RED_SUITS, RED_THREE, THREE, TWO, size_of
from banakil_env.kit.books.seen import count_kinds, seen_fields, write_hidden, write_seen
from banakil_env.kit.features import features_of
from banakil_env.kit.full_state import full_dtype, full_state_writer
from banakil_env.kit.seen import relative
from banakil_env.kit.two_sides import NUM_SIDES

_BY_SIDE, _SEATS = (NUM_SIDES, NUM_KINDS), (S.MAX_SEATS,)

# `naturals`, `twos` and `jokers` are the incomplete melds. The meld of wild cards has the place of the Two.
OBSERVATION_FIELDS = seen_fields(
    S.STATE_FIELDS,
    (
        Field("complete", "all cards in the piles of seven of each side, by kind", 20, _BY_SIDE, role=COUNTS),
        Field("clean", "clean piles of each side, by kind", 2, _BY_SIDE, role=COUNTS),
        Field("dirty", "dirty piles of each side, by kind", S.MAX_PILES, _BY_SIDE, role=COUNTS),
        Field("wild", "wild piles of each side", S.MAX_PILES, (NUM_SIDES,), role=SCALED, scale=2),
        Field("foot", "the foot of the seat has not been taken up", shape=_SEATS),
        *S.STATE_FIELDS.shown("deal_bonus"),
        Field("minimum", "points that a first meld needs", 150, lowest=50, role=SCALED, scale=150),
    ),
    packs=S.PACKS,
    wilds=S.PILE - 1,
    phases="over, draw, play, answer",
)
OBSERVATION = OBSERVATION_FIELDS.dtype
FEATURES = features_of(OBSERVATION_FIELDS, "hand_and_foot", num_faces=NUM_KINDS, faces=FACE_TABLE)


@compiled
def observe(state: State, seat: int, out: Any) -> None:
    """Write the observation of `seat` into `out`. Of the feet it reads only whether they are taken up."""
    write_seen(state, seat, out)
    for other in range(S.MAX_SEATS):
        out.foot[relative(state, seat, other)] = S.has_foot(state, other)
    for i in range(NUM_SIDES):
        side = (seat + i) & 1
        for place in range(FOUR, S.NUM_PLACES):
            for slot in range(S.MAX_PILES):
                pile = state.complete[side, place, slot]
                if pile == 0:
                    break
                out.complete[i, place] += size_of(S.naturals_of(pile))
                out.complete[i, TWO] += size_of(S.twos_of(pile))
                out.complete[i, JOKER] += S.jokers_of(pile)
                if place == S.W:
                    out.wild[i] += 1
                elif S.is_clean(pile):
                    out.clean[i, place] += 1
                else:
                    out.dirty[i, place] += 1
    out.minimum = S.minimum(state)


@compiled
def _write_hidden(state: State, seat: int, full: Any) -> None:
    """Write hands, stock and feet into the full state. Red Threes in a foot have the place after the kinds."""
    write_hidden(state, seat, full)
    count_kinds(state.feet, seat, S.MAX_SEATS, full.feet)
    for place in range(S.MAX_SEATS):
        red = size_of(state.feet[(seat + place) % S.MAX_SEATS, THREE] & RED_SUITS)
        full.feet[place, THREE] -= red
        full.feet[place, RED_THREE] = red


FULL_STATE = full_dtype(
    OBSERVATION, S.MAX_SEATS, ("feet", "u1", (S.MAX_SEATS, NUM_KINDS + 1)), faces=NUM_KINDS, cards=S.NUM_CARDS
)
write_full_state = full_state_writer("hand_and_foot", observe, _write_hidden)
