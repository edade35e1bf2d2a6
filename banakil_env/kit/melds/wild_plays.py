"""Plays where no suit is twice in a set: laying off, and taking the pile for a card that is used at once.

For games with the fields of `wilds.table`. The cards at hand are a mask of naturals and a number of wild cards; what
melds take is a mask of faces, LOW and HIGH (`wild_melds`).
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
    """The cards that fit a meld; `longest`: the most cards of a run."""
    return run_takes(meld, longest) if is_run(meld) else set_takes(meld)


@compiled
def fits_of(state: Any, longest: int) -> int:
    """The cards that fit some meld on the table."""
    fits = 0
    for slot in range(state.num_melds):
        fits |= takes(state.melds[slot], longest)
    return fits


@compiled
def takers(state: Any, named: int, longest: int) -> int:
    """The melds that take a card (a face, LOW or HIGH), as a mask of their numbers."""
    slots = 0
    for slot in range(state.num_melds):
        slots |= (takes(state.melds[slot], longest) >> named & 1) << slot
    return slots


@inlined
def addable(hand: Any) -> int:
    """The cards of a hand as melds take them: naturals, and a Joker for either end."""
    cards = hand[0]
    return cards & NATURALS | (BOTH_ENDS if cards >> JOKER & 1 else 0)


@compiled
def joins(face: int, cards: int, places: int, wilds: int) -> bool:
    """Whether a run of three, or a set without repeated suits, can be opened with this natural card.

    Args:
        face: the card. cards: it and the other naturals at hand. places: the same as `in_places`. wilds: at hand.
    """
    if wilds >= 2 or popcount(cards & ACES << face % NUM_RANKS) + wilds >= 3:
        return True
    above, below = up(places), down(places)
    near = up(above) | above | below | down(below) if wilds else up(above) & above | above & below | below & down(below)
    return near & PLACES_OF[face] != 0


@compiled
def joins_as_wild(cards: int, places: int, wilds: int) -> bool:
    """Whether a run of three, or a set without repeated suits, can be opened with one of these wild cards."""
    if wilds >= 2:
        return cards != 0
    return pair_ranks(cards) != 0 or places & (up(places) | up(up(places))) != 0


@compiled
def write_takes(state: Any, cards: int, wilds: int, longest: int, mask: Any, first: int, most: int) -> bool:
    """Write 1 for the depths to which the pile can be taken, 0 for the others; returns whether there is one. The
    deepest card taken must be laid off at once, or opened with two of the cards taken with it or at hand.

    Args:
        cards, wilds: the naturals and Jokers at hand. longest: the most cards of a run. mask: a row of bytes; the top
            card is at the index `first`. most: the most cards that can be taken.
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
