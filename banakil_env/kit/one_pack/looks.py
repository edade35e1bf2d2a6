"""Writes a game with one pack of 52 cards in the common layout, for the `Looks` of the game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from banakil_env.core.bits import read_bits
from banakil_env.core.jit import bind, compiled
from banakil_env.kit.common import channels as C
from banakil_env.kit.common.layout import Looks, Ways
from banakil_env.kit.common.melds import lay_run, lay_set
from banakil_env.kit.melds.runs_and_sets import MAX_MELDS
from banakil_env.kit.pack52 import NUM_FACES, NUM_RANKS
from banakil_env.kit.seen import NO_MELD, RUN

_FACE_OF = np.arange(NUM_FACES)

# Bound for each game: whether cards can be added to every meld on the table.
shared = False


@compiled
def _one_of_each(seen: Any, face: int) -> int:
    return 1


def _write_melds(seen: Any, left: Any, cards: Any, melds: Any, table: Any) -> None:
    """Write the melds on the table in the common layout; implements `Looks.write_own`."""
    in_sets = read_bits(seen.sets, 0, NUM_FACES)
    for slot in range(MAX_MELDS):
        if seen.meld_kind[slot] == NO_MELD:
            break
        owned = C.MINE if seen.meld_owner[slot] == 1 else C.OTHERS
        low, for_me = seen.meld_low[slot] - 1, shared or owned != C.MINE
        suit, rank = low // NUM_RANKS, low % NUM_RANKS
        if seen.meld_kind[slot] == RUN:
            places = ((1 << seen.meld_size[slot]) - 1) << rank
            lay_run(left, cards, melds[slot], owned, suit, places, 0, for_me, shared)
            continue
        suits = 0
        for each in range(4):
            suits |= (in_sets >> NUM_RANKS * each + rank & 1) << each
        lay_set(left, cards, melds[slot], owned, rank, suits, 0, 0, False, for_me, shared)


def looks_of(name: str, ways: Ways) -> Looks:
    """The `Looks` of a game with one pack. `ways.add_to_others`: whether cards can be added to melds of other seats."""
    write: Callable[..., None] = bind(_write_melds, f"{name}_common_melds", shared=ways.add_to_others)
    return Looks(face_of=_FACE_OF, copies=_one_of_each, write_own=write, ways=ways)
