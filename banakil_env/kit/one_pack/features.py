"""Features of games with one pack and melds on the table, in addition to the fields: which cards combine."""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import read_bits
from banakil_env.core.features import OF_FACES, Columns, Features
from banakil_env.core.fields import Fields
from banakil_env.core.jit import bind
from banakil_env.kit.features import features_of, write_face_columns
from banakil_env.kit.one_pack.seen import pile_of, top_of, unseen_of
from banakil_env.kit.pack52 import FACE_TABLE, NUM_FACES
from banakil_env.kit.rests import Writers
from banakil_env.kit.table_state import DRAW, PLAY

# Names that `features_for` binds: functions of a game about its melds.
melded: Any = None
completing: Any = None
places: Any = None
rests_of: Any = None
offers_of: Any = None
asked = DRAW  # an additional phase in which the upcard is offered


def features_for(
    name: str, seen: Fields, melds: Any, writers: Writers, *, meld: str = "meld", asked: int = DRAW
) -> Features:
    """The features of an observation with these fields.

    Args:
        name: the name of the game.
        seen: the fields of the observation.
        melds: a module of melds, such as `kit.melds.runs_and_sets`.
        writers: the writers of `kit.rests` for these melds.
        meld: the game's word for a meld.
        asked: a phase in addition to DRAW in which the upcard is offered.
    """
    columns = (
        Columns("melded", f"cards of the hand that form a {meld} among themselves", NUM_FACES, OF_FACES),
        Columns("completing", f"cards that would make a {meld} with the hand", NUM_FACES, OF_FACES),
        Columns("places", f"cards that fit a {meld} on the table", NUM_FACES, OF_FACES),
        Columns("held_places", "the same, and in the hand", NUM_FACES, OF_FACES),
    )
    of_hand = {"melded": melds.melded, "completing": melds.completing}
    return features_of(
        seen,
        name,
        num_faces=NUM_FACES,
        extra=bind(_write_combining, f"{name}_combining", **of_hand, places=melds.places),
        extra_columns=columns,
        rests=bind(_write_rests, f"{name}_rests", rests_of=writers.rests, places=melds.places),
        offers=bind(_write_offers, f"{name}_offers", offers_of=writers.offers, places=melds.places, asked=asked),
        faces=FACE_TABLE,
    )


def _write_combining(seen: Any, out: Any, first: int) -> None:
    hand = read_bits(seen.hand, 0, NUM_FACES)
    fits = places(read_bits(seen.runs, 0, NUM_FACES), read_bits(seen.sets, 0, NUM_FACES))
    write_face_columns((melded(hand), completing(hand), fits, fits & hand), NUM_FACES, out, first)


def _write_rests(seen: Any, out: Any, first: int) -> None:
    if seen.phase[PLAY]:
        hand = read_bits(seen.hand, 0, NUM_FACES)
        runs, sets = read_bits(seen.runs, 0, NUM_FACES), read_bits(seen.sets, 0, NUM_FACES)
        unseen = unseen_of(seen, hand | runs | sets)
        rests_of(hand, 0, places(runs, sets), unseen, pile_of(seen), out, first)


def _write_offers(seen: Any, out: Any, first: int) -> None:
    if seen.phase[DRAW] or seen.phase[asked]:
        hand = read_bits(seen.hand, 0, NUM_FACES)
        runs, sets = read_bits(seen.runs, 0, NUM_FACES), read_bits(seen.sets, 0, NUM_FACES)
        top, unseen = top_of(seen), unseen_of(seen, hand | runs | sets)
        if top:
            offers_of(hand, 0, top, 0, top, places(runs, sets), unseen, out, first)
