"""Defines how Canasta fills `observation="cards"`, the layout that all games share."""

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.core.jit import compiled
from banakil_env.games.canasta.state import JOKERS, PACKS
from banakil_env.kit.books.kinds import RED_THREE
from banakil_env.kit.books.looks import FACE_OF, OWN_FACES, WAYS, WILD, copies_of_kind, write_books
from banakil_env.kit.common import channels as C
from banakil_env.kit.common.channels import CARD
from banakil_env.kit.common.layout import Looks

CANASTA = 7
_RED = int(FACE_OF[RED_THREE])


@compiled
def _copies(seen: Any, face: int) -> int:
    return copies_of_kind(face, PACKS, JOKERS)


@compiled
def _write_own(seen: Any, left: Any, cards: Any, melds: Any, table: Any) -> None:
    """Write the melds on the table and the red Threes of the pile; see `Looks.write_own`."""
    write_books(seen, left, cards, CANASTA)
    reds = seen.pile_reds
    left[_RED] -= reds
    cards[_RED, C.PILE] = np.float32(reds) * CARD


LOOKS = Looks(
    face_of=FACE_OF,
    copies=_copies,
    write_own=_write_own,
    ways=WAYS,
    wild=WILD,
    partners=True,
    own_faces=OWN_FACES,
)
