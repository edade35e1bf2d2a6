"""Defines how Hand and Foot fills `observation="cards"`, the layout that all games share."""

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.core.jit import compiled
from banakil_env.games.hand_and_foot.state import JOKERS, PACKS
from banakil_env.kit.books.kinds import ACE, FOUR, NUM_KINDS, TWO
from banakil_env.kit.books.looks import FACE_OF, OWN_FACES, WAYS, WILD, copies_of_kind, write_books
from banakil_env.kit.common import channels as C
from banakil_env.kit.common.channels import CARD
from banakil_env.kit.common.layout import Looks
from banakil_env.kit.common.melds import lay
from banakil_env.kit.two_sides import NUM_SIDES

_FACES = FACE_OF


@compiled
def _copies(seen: Any, face: int) -> int:
    return copies_of_kind(face, PACKS, JOKERS)


@compiled
def _write_own(seen: Any, left: Any, cards: Any, melds: Any, table: Any) -> None:
    """Write the incomplete melds and the complete piles; see `Looks.write_own`."""
    write_books(seen, left, cards, 0)
    for side in range(NUM_SIDES):
        owned = C.OTHERS if side else C.MINE
        for kind in range(NUM_KINDS):
            face, count = _FACES[kind], seen.complete[side, kind]
            lay(left, cards, face, owned, count)
            if FOUR <= kind <= ACE:
                cards[face, C.IN_SET] += np.float32(count) * CARD
            cards[face, C.CLEAN + side] = np.float32(seen.clean[side, kind]) * CARD
            cards[face, C.MIXED + side] = np.float32(seen.dirty[side, kind]) * CARD
        cards[_FACES[TWO], C.MIXED + side] = np.float32(seen.wild[side]) * CARD


LOOKS = Looks(
    face_of=FACE_OF,
    copies=_copies,
    write_own=_write_own,
    ways=WAYS,
    wild=WILD,
    partners=True,
    own_faces=OWN_FACES,
)
