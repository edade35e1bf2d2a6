"""Plays in games whose sets have no suit twice: laying off, and taking the pile for a card that is used at once.

For games with the fields of `wilds.table`. The available cards are a mask of natural cards and a number of wild cards.
The cards that melds accept are a mask of faces, LOW and HIGH (`wild_melds`).
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import popcount
from banakil_env.core.jit import compiled, inlined
from banakil_env.kit.melds.runs_and_sets import pair_ranks
from banakil_env.kit.melds.wild_melds import BOTH_ENDS, PLACES_OF, down, in_places, is_run, run_takes, set_takes, up
from banakil_env.kit.pack52 import ACES, NUM_RANKS
from banakil_env.kit.pack54 import JOKER, NATURALS


@inlined
def takes(meld: int, longest: int) -> int:
    """The cards that fit a meld, as a mask; `longest` is the most cards of a run."""
    return run_takes(meld, longest) if is_run(meld) else set_takes(meld)


@compiled
def fits_of(state: Any, longest: int) -> int:
    """The cards that fit some meld on the table, as a mask."""
    fits = 0
    for slot in range(state.num_melds):
        fits |= takes(state.melds[slot], longest)
    return fits


@compiled
def takers(state: Any, named: int, longest: int) -> int:
    """The melds that a card (a face, LOW or HIGH) fits, as a mask of their slots."""
    slots = 0
    for slot in range(state.num_melds):
        slots |= (takes(state.melds[slot], longest) >> named & 1) << slot
    return slots


@inlined
def addable(hand: Any) -> int:
    """The cards of a hand in the form of `takes`: natural cards, and both ends for a Joker."""
    cards = hand[0]
    return cards & NATURALS | (BOTH_ENDS if cards >> JOKER & 1 else 0)


@compiled
def joins(face: int, cards: int, places: int, wilds: int) -> bool:
    """Whether a run of three, or a set without repeated suits, can be opened with this natural card.

    Args:
        face: the card.
        cards: this card and the other natural cards available, as a mask.
        places: the same cards as a place mask (`in_places`).
        wilds: the number of wild cards available.
    """
    if wilds >= 2 or popcount(cards & ACES << face % NUM_RANKS) + wilds >= 3:
        return True
    above, below = up(places), down(places)
    near = up(above) | above | below | down(below) if wilds else up(above) & above | above & below | below & down(below)
    return near & PLACES_OF[face] != 0


@compiled
def joins_as_wild(cards: int, places: int, wilds: int) -> bool:
    """Whether a run of three, or a set without repeated suits, can be opened with one of the wild cards."""
    if wilds >= 2:
        return cards != 0
    return pair_ranks(cards) != 0 or places & (up(places) | up(up(places))) != 0


@compiled
def write_takes(state: Any, cards: int, wilds: int, longest: int, mask: Any, first: int, most: int) -> bool:
    """Write 1 for the depths to which the pile can be taken, and 0 for the others. Returns whether there is such a
    depth.

    The deepest card taken must be used at once: laid off, or opened with two cards taken with it or already available.

    Args:
        cards: the natural cards available, as a mask.
        wilds: the number of Jokers available.
        longest: the most cards of a run.
        mask: a row of bytes with a cell for each action.
        first: the index of the action that takes the top card alone.
        most: the most cards that can be taken.
    """
    fits, places, found = fits_of(state, longest), in_places(cards), False
    for depth in range(min(state.pile_size, most)):
        face = state.pile[state.pile_size - 1 - depth]
        if face == JOKER:
            wilds += 1
            legal = fits & BOTH_ENDS != 0 or joins_as_wild(cards, places, wilds)
        else:
            cards |= 1 << face
            places |= PLACES_OF[face]
            legal = fits >> face & 1 != 0 or joins(face, cards, places, wilds)
        mask[first + depth] = legal
        found |= legal
    return found
