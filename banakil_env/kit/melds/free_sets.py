"""Sets without restrictions on suits: with two packs a set can have a card twice, and wild cards represent only a rank.

A set is a packed number as in `wild_melds`. It has places for the suits, for second cards of the suits, and for wild
cards without a suit. It is opened with three cards, at least one of them natural. Every opening is a row of tables that
are made at import.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from banakil_env.core.bits import lowest
from banakil_env.core.jit import compiled, inlined, interpreted
from banakil_env.kit.melds.runs_and_sets import pair_ranks, set_ranks
from banakil_env.kit.melds.wild_melds import NO_SUIT, SECOND, SET, Opening, completing, meld_of, melded, places_in
from banakil_env.kit.pack52 import ALL, NUM_RANKS, NUM_SUITS, cards_of, ranks_in
from banakil_env.kit.pack54 import FACES

_meld_of = interpreted(meld_of)

# The suits of the three, two or one natural cards in an opening, each suit at most twice; the other cards are wild.
_GROUPS = (itertools.combinations_with_replacement(range(NUM_SUITS), naturals) for naturals in (3, 2, 1))
SUITS = [suits for group in _GROUPS for suits in group if all(suits.count(suit) <= 2 for suit in suits)]
SETS_A_RANK = len(SUITS)


def _set_of(wild: str, rank: int, suits: tuple[int, ...]) -> Opening:
    """The opening of a set with natural cards of these suits. Its pattern is the number of wild cards."""
    naturals = tuple(NUM_RANKS * suit + rank for suit in suits)
    wilds = 3 - len(suits)
    texts = [*FACES.names_of(naturals), *[f"{wild}={FACES.names[rank][0]}"] * wilds]
    return Opening(f"open {' '.join(texts)}", naturals, wilds, set_number(SET + rank, naturals, wilds))


def set_number(kind: int, naturals: tuple[int, ...], wilds: int) -> int:
    """The packed number of a set with these faces, each at most twice, and this number of wild cards."""
    places = [face // NUM_RANKS + SECOND * naturals[:i].count(face) for i, face in enumerate(naturals)]
    behind = sum(1 << NO_SUIT + i for i in range(wilds))
    return int(_meld_of(kind, sum(1 << place for place in places) | behind, behind))


def all_free_sets(wild: str, ranks: list[int]) -> list[Opening]:
    """Every opening of a set of three with these ranks; `wild` is the text of a wild card, and the rank follows it."""
    return [_set_of(wild, rank, suits) for rank in ranks for suits in SUITS]


def _sets_with() -> Any:
    """The table of the sets of a rank that can be opened, as bits, int64 (3, 16, 16).

    The indices are the number of wild cards (2 for more), the suits held, and the suits held twice.
    """
    held = np.array([[suits >> suit & 1 for suit in range(NUM_SUITS)] for suits in range(1 << NUM_SUITS)])
    needs = np.array([[suits.count(suit) for suit in range(NUM_SUITS)] for suits in SUITS])
    there = (needs <= (held[:, None] + held)[:, :, None]).all(axis=-1)
    enough = needs.sum(axis=1) + np.arange(3)[:, None] >= 3
    return (there & enough[:, None, None]) @ (1 << np.arange(SETS_A_RANK))


_SETS_WITH = _sets_with()


@inlined
def _suits_of(cards: int, rank: int) -> int:
    """The suits of the cards of this rank, as four bits."""
    own = cards >> rank
    return own & 1 | own >> NUM_RANKS - 1 & 2 | own >> 2 * NUM_RANKS - 2 & 4 | own >> 3 * NUM_RANKS - 3 & 8


@inlined
def tripled(one: int, two: int) -> int:
    """The ranks with three or more cards; the faces in `two` count twice."""
    return set_ranks(one) | pair_ranks(one) & ranks_in(two)


@compiled
def write_free_sets(mask: Any, first: Any, one: int, two: int, wilds: int, wanted: int, needs: Any) -> None:
    """Write 1 for the sets that can be opened; other cells stay unchanged.

    Args:
        mask: a row of bytes with a cell for each action.
        first: the index of the first set of each rank.
        one: the natural cards available, as a mask.
        two: the natural cards of which two copies are available, as a mask.
        wilds: the number of wild cards available.
        wanted: write only sets with a card of these faces; the bit of the Joker means any wild card.
        needs: the cards of the sets of all ranks (`Opening.needs`), beginning with the set at `first[0]`.
    """
    ranks = tripled(one, two) if wilds == 0 else pair_ranks(one) | ranks_in(two) if wilds == 1 else ranks_in(one)
    while ranks:
        rank = lowest(ranks)
        ranks &= ranks - 1
        found = _SETS_WITH[min(wilds, 2), _suits_of(one, rank), _suits_of(two, rank)]
        while found:
            row = first[rank] + lowest(found)
            found &= found - 1
            mask[row] = needs[row - first[0]] & wanted != 0


@inlined
def place_in_set(meld: int, face: int) -> int:
    """The place at which a card of the rank is added to a set."""
    suit = face // NUM_RANKS
    return suit + SECOND * (places_in(meld) >> suit & 1)


@inlined
def is_free_set(places: int, wilds: int) -> bool:
    """Whether places and wild cards form a valid set: second cards only after first ones, and wild cards last."""
    behind, second = places >> NO_SUIT, places >> SECOND & 15
    return behind & (behind + 1) == 0 and second & ~places == 0 and wilds == behind << NO_SUIT


@compiled
def melded_freely(one: int, two: int) -> int:
    """The cards of the mask `one` that are in a run or a set; `two` has the cards held twice."""
    return melded(one) | one & cards_of(pair_ranks(one) & ranks_in(two))


@compiled
def completing_freely(one: int, two: int) -> int:
    """The other natural cards that complete a run or a set with two of these."""
    return (completing(one) | cards_of(ranks_in(two))) & ALL & ~one
