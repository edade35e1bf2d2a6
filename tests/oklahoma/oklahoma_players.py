"""Simple players of Oklahoma Rummy, to measure `greedy` against.

They play the first meld or card that can be played, and shed the card that is worth most; they differ in the draw and
in what they do with Twos.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import lowest, read_bits
from banakil_env.core.jit import compiled
from banakil_env.core.masks import legal_at
from banakil_env.games.oklahoma.melds import CARDS, HELD, NUM_ADDED, NUM_NAMED, TWO
from banakil_env.games.oklahoma.state import ADD, DISCARD, DRAW, MELD, OPEN, SHED, TAKE

NUM_OPENINGS = ADD - OPEN


@compiled
def _twos_in(opening: int) -> int:
    """How many Twos a meld has."""
    count = 0
    for card in range(CARDS.shape[1]):
        count += CARDS[opening, card] == TWO
    return count


@compiled
def _play(mask: Any, twos: int) -> int:
    """Open the first meld with a limited number of Twos, else add a card, else discard the one with most points."""
    first = legal_at(mask, 0)
    if first >= MELD:
        return first
    for i in range(NUM_OPENINGS):
        if mask[OPEN + i] and _twos_in(i) <= twos:
            return OPEN + i
    adds = read_bits(mask, ADD, NUM_ADDED)
    if adds:
        return ADD + lowest(adds)
    discards, best = read_bits(mask, DISCARD, NUM_NAMED), -1
    while discards:
        i = lowest(discards)
        discards &= discards - 1
        if best < 0 or (i < NUM_NAMED - 1 and (best == NUM_NAMED - 1 or HELD[SHED[i]] > HELD[SHED[best]])):
            best = i
    return DISCARD + best if best >= 0 else first


@compiled
def from_stock(seen: Any, mask: Any, generator: Any) -> int:
    """Never takes the pile; opens every meld."""
    return DRAW if mask[DRAW] else _play(mask, 3)


@compiled
def taking(seen: Any, mask: Any, generator: Any) -> int:
    """Takes the pile whenever it may; opens every meld."""
    return TAKE if mask[TAKE] else DRAW if mask[DRAW] else _play(mask, 3)


@compiled
def saving(seen: Any, mask: Any, generator: Any) -> int:
    """Takes the pile whenever it may; opens no meld with two Twos unless it has to."""
    return TAKE if mask[TAKE] else DRAW if mask[DRAW] else _play(mask, 3 if seen.must else 1)


SIMPLE = {"from_stock": from_stock, "taking": taking, "saving": saving}
