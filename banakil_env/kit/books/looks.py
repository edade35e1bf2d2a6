"""Writes a game of books in the common layout, for the `Looks` of the game.

A kind is represented by the card of clubs of its rank, and a red Three by the Three of diamonds.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.core.jit import compiled
from banakil_env.kit.books.kinds import ACE, FOUR, JOKER, KINDS, NUM_KINDS, RED_THREE, THREE, TWO
from banakil_env.kit.common import channels as C
from banakil_env.kit.common.channels import CARD, DEPTHS_UNIT, ONE
from banakil_env.kit.common.faces import kinds_named
from banakil_env.kit.common.layout import Ways
from banakil_env.kit.common.melds import lay
from banakil_env.kit.two_sides import NUM_SIDES

FACE_OF = kinds_named([*KINDS, "3d"])  # the red Three comes after the kinds
WILD = 1 << int(FACE_OF[TWO]) | 1 << int(FACE_OF[JOKER])
WAYS = Ways(runs=False, books=True, twins=True, ace_low=False, add_to_others=False, take_top=False, take_all=True)
OWN_FACES = {
    "Kc": "a King of any suit; the other ranks likewise",
    "3c": "a black Three",
    "3d": "a red Three",
    "2c": "a Two of any suit",
}
_TOP_DEPTH = np.float32(1 / DEPTHS_UNIT)
_FACES = FACE_OF


@compiled
def write_books(seen: Any, left: Any, cards: Any, closed: int) -> None:
    """Write the melds of both sides, the red Threes and the top of the pile into the arrays of the common layout.

    Args:
        left, cards: see `Looks.write_own`.
        closed: the number of cards that completes a book; 0 if the game writes complete books itself.
    """
    for side in range(NUM_SIDES):
        owned = C.OTHERS if side else C.MINE
        for kind in range(NUM_KINDS):
            face = _FACES[kind]
            naturals, twos, jokers = (
                seen.naturals[side, kind],
                seen.twos[side, kind],
                seen.jokers[side, kind],
            )
            if naturals + twos + jokers == 0:
                continue
            lay(left, cards, face, owned, naturals)
            lay(left, cards, _FACES[TWO], owned, twos)
            lay(left, cards, _FACES[JOKER], owned, jokers)
            cards[face, C.IN_SET] += np.float32(naturals) * CARD
            cards[face, C.WILD_IN + owned] += np.float32(twos + jokers) * CARD
            if closed and naturals + twos + jokers >= closed:
                cards[face, (C.MIXED if twos + jokers else C.CLEAN) + side] = CARD
            if kind <= ACE and kind >= FOUR:
                channel = C.WOULD_BE_TAKEN if side else C.TAKES
                cards[face, channel] = ONE
                cards[_FACES[TWO], channel] = ONE
                cards[_FACES[JOKER], channel] = ONE
        lay(left, cards, _FACES[RED_THREE], owned, seen.red_threes[side])
    if seen.top:
        cards[_FACES[seen.top - 1], C.PILE_NEAR] = ONE
        cards[_FACES[seen.top - 1], C.PILE_DEPTH] = _TOP_DEPTH


@compiled
def copies_of_kind(face: int, packs: int, jokers: int) -> int:
    """The number of cards of a kind, or of red Threes, in all packs together."""
    if face == JOKER:
        return jokers
    return 2 * packs if face in (THREE, RED_THREE) else 4 * packs
