"""Writes a game of contracts in the common layout, for the `Looks` of the game."""

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.core.jit import compiled
from banakil_env.kit.common import channels as C
from banakil_env.kit.common.channels import ONE
from banakil_env.kit.common.columns import TABLE_AT
from banakil_env.kit.common.layout import Looks, Ways
from banakil_env.kit.common.melds import lay, lay_run, lay_set
from banakil_env.kit.contracts.seen import JOKER_CELL
from banakil_env.kit.contracts.table import ADD_LOW, SWAP, copies_in_packs
from banakil_env.kit.melds.joker_melds import MAX_MELDS, NUM_PLACES
from banakil_env.kit.pack52 import NUM_SUITS
from banakil_env.kit.pack54 import JOKER, JOKER_BIT, NUM_FACES
from banakil_env.kit.seen import NO_MELD, RUN

_FACE_OF = np.arange(NUM_FACES)
_SWAPPING, _WAITING_LOW = TABLE_AT["swapping"], TABLE_AT["waiting_low"]


@compiled
def _write_own(seen: Any, left: Any, cards: Any, melds: Any, table: Any) -> None:
    """Write the melds and the card that waits for its meld in the common layout; implements `Looks.write_own`."""
    for slot in range(MAX_MELDS):
        if seen.meld_kind[slot] == NO_MELD:
            break
        owned, of = C.MINE if seen.meld_owner[slot] == 1 else C.OTHERS, seen.meld_of[slot]
        cells = seen.meld_cells[slot]
        if seen.meld_kind[slot] == RUN:
            places, wilds = 0, 0
            for place in range(NUM_PLACES):
                places |= int(cells[place] != 0) << place
                wilds |= int(cells[place] == JOKER_CELL) << place
                if cells[place] == JOKER_CELL:
                    lay(left, cards, JOKER, owned, 1)
            lay_run(left, cards, melds[slot], owned, of, places, wilds, False, True)
            continue
        one, two, jokers = 0, 0, cells[NUM_SUITS]
        for suit in range(NUM_SUITS):
            one |= int(cells[suit] > 0) << suit
            two |= int(cells[suit] > 1) << suit
        lay(left, cards, JOKER, owned, jokers)
        lay_set(left, cards, melds[slot], owned, of, one, two, jokers, True, False, True)
    _write_named(seen.named - 1, cards, table)


@compiled
def _write_named(play: int, cards: Any, table: Any) -> None:
    """Write the card that waits for its meld. `play` is its place among the actions that add and swap, or -1."""
    if play < 0:
        return
    if play >= SWAP:
        table[_SWAPPING] = ONE
        cards[play - SWAP, C.NAMED] = ONE
    else:
        cards[min(play, JOKER), C.NAMED] = ONE
        table[_WAITING_LOW] = np.float32(play == ADD_LOW)


LOOKS = Looks(
    face_of=_FACE_OF,
    copies=copies_in_packs,
    write_own=_write_own,
    ways=Ways(twins=True, ace_high=True, add_to_others=True),
    wild=JOKER_BIT,
)
