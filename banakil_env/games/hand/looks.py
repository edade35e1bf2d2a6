"""Defines how Hand fills `observation="cards"`: W, the wild card of the deal, has the place of the Joker."""

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.core.bits import lowest
from banakil_env.core.jit import compiled
from banakil_env.games.hand.observation import GROUP, fits_of
from banakil_env.games.hand.state import MAX_MELDS, copies_in_deal
from banakil_env.kit.common import channels as C
from banakil_env.kit.common.channels import ONE
from banakil_env.kit.common.layout import Looks, Ways
from banakil_env.kit.common.melds import lay, lay_run, lay_set, whose
from banakil_env.kit.melds.one_wild_melds import NUM_FACES, WILD
from banakil_env.kit.pack52 import NUM_RANKS, NUM_SUITS


@compiled
def _copies(seen: Any, face: int) -> int:
    return copies_in_deal(seen, face, seen.indicator - 1)


@compiled
def _write_own(seen: Any, left: Any, cards: Any, melds: Any, table: Any) -> None:
    """Write the melds on the table and the cards that they take; see `Looks.write_own`."""
    for slot in range(MAX_MELDS):
        kind, low, wild = seen.meld_kind[slot], seen.meld_low[slot] - 1, seen.meld_wild[slot]
        if kind == 0:
            break
        owned = whose(seen.meld_owner[slot] - 1, seen.partners != 0)
        if wild:
            lay(left, cards, WILD, owned, 1)
        if kind == GROUP:
            suits = seen.meld_suits[slot]
            lay_set(left, cards, melds[slot], owned, low, suits, 0, int(wild > 0), False, False, True)
            for suit in range(NUM_SUITS):
                if wild and not suits >> suit & 1:
                    cards[NUM_RANKS * suit + low, C.EXCHANGES] = ONE
            continue
        places = ((1 << seen.meld_size[slot]) - 1) << low
        wilds = 1 << wild - 1 if wild else 0
        lay_run(left, cards, melds[slot], owned, kind - 1, places, wilds, False, True)
        if wild:
            cards[NUM_RANKS * (kind - 1) + (wild - 1) % NUM_RANKS, C.EXCHANGES] = ONE
    for suit in range(NUM_SUITS):
        if left[NUM_RANKS * suit] < 0:  # a negative number: the Ace was a wild card (H7.4)
            left[WILD] += left[NUM_RANKS * suit]
            left[NUM_RANKS * suit] = 0
    fits = fits_of(seen)
    while fits:
        cards[lowest(fits), C.TAKES] = ONE
        fits &= fits - 1


LOOKS = Looks(
    face_of=np.arange(NUM_FACES),
    copies=_copies,
    write_own=_write_own,
    ways=Ways(ace_high=True),
    wild=1 << WILD,
    own_faces={"JK": "the wild card of the deal, W: a Joker or an Ace by the card that is turned up"},
)
