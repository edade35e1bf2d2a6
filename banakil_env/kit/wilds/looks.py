"""Writes a game with the fields of `wilds.seen` in the common layout, for the `Looks` of the game."""

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.core.jit import bind
from banakil_env.kit.common import channels as C
from banakil_env.kit.common.layout import Looks, Ways
from banakil_env.kit.common.melds import lay, lay_run, lay_set
from banakil_env.kit.melds.wild_melds import NUM_PLACES, SECOND
from banakil_env.kit.pack52 import NUM_RANKS
from banakil_env.kit.pack54 import JOKER, NUM_FACES
from banakil_env.kit.seen import NO_MELD, RUN

_FACE_OF = np.arange(NUM_FACES)

# Bound for each game: whether cards can be added to every meld, whether sets can have a suit twice, and whether the
# wild cards are Twos. A wild cell of a meld then holds the suit of the Two (2, 4, 6, 8); otherwise it holds 2 for a
# Joker.
shared = free = of_twos = False


def _write_melds(seen: Any, left: Any, cards: Any, melds: Any, table: Any) -> None:
    """Write the melds on the table in the common layout; implements `Looks.write_own`."""
    for slot in range(seen.meld_kind.shape[0]):
        if seen.meld_kind[slot] == NO_MELD:
            break
        owned = C.MINE if seen.meld_owner[slot] == 1 else C.OTHERS
        places, wilds = 0, 0
        for place in range(NUM_PLACES):
            cell = seen.meld_cells[slot, place]
            places |= int(cell != 0) << place
            if cell and cell & 1 == 0:
                wilds |= 1 << place
                lay(left, cards, (cell // 2 - 1) * NUM_RANKS + 1 if of_twos else JOKER, owned, 1)
        low, others = seen.meld_low[slot] - 1, shared or owned != C.MINE
        if seen.meld_kind[slot] == RUN:
            lay_run(left, cards, melds[slot], owned, low // NUM_RANKS, places, wilds, False, others)
            continue
        naturals, count, left_over = places & ~wilds, 0, wilds
        while left_over:
            count += 1
            left_over &= left_over - 1
        one, two = naturals & 15, naturals >> SECOND & 15
        lay_set(left, cards, melds[slot], owned, low % NUM_RANKS, one, two, count, free, False, others)


def looks_of(name: str, copies: Any, ways: Ways, *, wild: int, of_twos: bool = False) -> Looks:
    """The `Looks` of a game.

    Args:
        copies: see `Looks.copies`.
        ways: see `Looks.ways`.
        wild: the mask of the wild faces.
        of_twos: whether its wild cards are Twos.
    """
    write = bind(_write_melds, f"{name}_common_melds", shared=ways.add_to_others, free=ways.twins, of_twos=of_twos)
    return Looks(face_of=_FACE_OF, copies=copies, write_own=write, ways=ways, wild=wild)
