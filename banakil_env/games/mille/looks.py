"""Defines how Mille fills `observation="cards"`: a kind has the place of its card of clubs. Jd and Qs have the
places of these cards.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.core.jit import compiled
from banakil_env.games.mille.cards import KINDS, NUM_KINDS, SPECIAL, THE_TWO
from banakil_env.games.mille.state import NUM_SEATS, PACKS
from banakil_env.kit.books.kinds import NUM_SUITS, TWO
from banakil_env.kit.common import channels as C
from banakil_env.kit.common.channels import CARD, DEPTHS_UNIT, ONE
from banakil_env.kit.common.faces import kinds_named
from banakil_env.kit.common.layout import Looks, Ways
from banakil_env.kit.common.melds import lay

FACE_OF = kinds_named(KINDS)
_SPECIAL = [kind[0] for kind in KINDS if len(kind) == 2]
_SUITS = np.array([1 if len(kind) == 2 else NUM_SUITS - (kind in _SPECIAL) for kind in KINDS], np.int64)
_KIND_OF_RANK = np.array([kind for kind in range(NUM_KINDS) if not SPECIAL[kind]], np.int64)
_TOP_DEPTH = np.float32(1 / DEPTHS_UNIT)
_TWO = int(FACE_OF[THE_TWO])


@compiled
def _copies(seen: Any, face: int) -> int:
    return PACKS * _SUITS[face]


@compiled
def _write_own(seen: Any, left: Any, cards: Any, melds: Any, table: Any) -> None:
    """Write the melds on the table and the top of the pile; see `Looks.write_own`."""
    for seat in range(NUM_SEATS):
        owned = C.OTHERS if seat else C.MINE
        channel = C.WOULD_BE_TAKEN if seat else C.TAKES
        for kind in range(NUM_KINDS):
            count = seen.melds[seat, kind]
            if count:
                lay(left, cards, FACE_OF[kind], owned, count)
                cards[FACE_OF[kind], C.IN_SET] += np.float32(count) * CARD
                cards[FACE_OF[kind], channel] = ONE
                cards[_TWO, channel] = ONE
        for rank in range(TWO):
            count = seen.wild[seat, rank]
            if count:
                lay(left, cards, _TWO, owned, count)
                cards[FACE_OF[_KIND_OF_RANK[rank]], C.WILD_IN + owned] += np.float32(count) * CARD
    if seen.top:
        cards[FACE_OF[seen.top - 1], C.PILE_NEAR] = ONE
        cards[FACE_OF[seen.top - 1], C.PILE_DEPTH] = _TOP_DEPTH


LOOKS = Looks(
    face_of=FACE_OF,
    copies=_copies,
    write_own=_write_own,
    ways=Ways(runs=False, books=True, twins=True, ace_low=False, add_to_others=False, take_top=False, take_all=True),
    wild=1 << _TWO,
    own_faces={
        "Kc": "a King of any suit; the other ranks likewise",
        "Jc": "a Jack of clubs, hearts or spades",
        "Qc": "a Queen of clubs, diamonds or hearts",
        "2c": "a Two of any suit",
    },
)
