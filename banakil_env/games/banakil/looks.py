"""Defines how Banakil fills `observation="cards"`: its ranks go from the Three to the Ace, and Twos are wild."""

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.core.jit import compiled
from banakil_env.games.banakil.faces import FACES, JOKER, NUM_RANKS
from banakil_env.games.banakil.pack import faces_seen, pairs_seen
from banakil_env.games.banakil.seen import JOKER_CELL, NATURAL_CELL
from banakil_env.games.banakil.state import MAX_MELDS
from banakil_env.kit.common import channels as C
from banakil_env.kit.common.channels import ONE
from banakil_env.kit.common.faces import JOKER as COMMON_JOKER
from banakil_env.kit.common.faces import NUM_RANKS as COMMON_RANKS
from banakil_env.kit.common.faces import NUM_SUITS, faces_named
from banakil_env.kit.common.layout import Looks, Ways
from banakil_env.kit.common.melds import lay, lay_run, lay_set, whose

FACE_OF = faces_named(FACES.names)
_SET_RANKS = np.array([2, 0], np.int64)  # the common ranks of sets of Threes and of Aces
_SEQUENCES = NUM_SUITS


@compiled
def _copies(seen: Any, face: int) -> int:
    return (faces_seen(seen) >> face & 1) + (pairs_seen(seen) >> face & 1)


@compiled
def _write_own(seen: Any, left: Any, cards: Any, melds: Any, table: Any) -> None:
    """Write the melds on the table; see `Looks.write_own`."""
    for slot in range(MAX_MELDS):
        owner, kind = seen.meld_owner[slot] - 1, seen.meld_kind[slot] - 1
        if owner < 0:
            break
        owned = whose(owner, seen.partners != 0)
        own, wild = owned != C.OTHERS, 0
        if seen.meld_two[slot]:
            lay(left, cards, COMMON_RANKS * (seen.meld_two[slot] - 1) + 1, owned, 1)
            wild += 1
        if seen.meld_joker[slot]:
            lay(left, cards, COMMON_JOKER, owned, 1)
            wild += 1
        places, wilds = 0, 0
        for cell in range(NUM_RANKS):
            places |= int(seen.meld_cards[slot, cell] != 0) << cell
            wilds |= int(seen.meld_cards[slot, cell] > NATURAL_CELL) << cell
        if kind >= _SEQUENCES:
            rank = _SET_RANKS[kind - _SEQUENCES]
            lay_set(left, cards, melds[slot], owned, rank, places & 15, 0, wild, False, own, not own)
            continue
        # The lowest rank is the Three, at the third place of the common runs, and the Ace is high.
        lay_run(left, cards, melds[slot], owned, kind, places << 2, wilds << 2, own, not own)
        melds[slot, C.WILDS_AT] = np.float32(wild) * C.CARD
        if seen.meld_joker[slot]:
            for cell in range(NUM_RANKS):
                if seen.meld_cards[slot, cell] == JOKER_CELL:
                    cards[COMMON_RANKS * kind + (cell + 2) % COMMON_RANKS, C.EXCHANGES] = ONE


LOOKS = Looks(
    face_of=FACE_OF,
    copies=_copies,
    write_own=_write_own,
    ways=Ways(sets=False, ace_low=False, ace_high=True, add_to_others=False, take_some=True),
    wild=sum(1 << int(face) for face in FACE_OF[JOKER - NUM_SUITS :]),
)
