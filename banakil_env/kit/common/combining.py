"""Finds runs and sets among the natural cards of a hand, given as masks of common faces, for any game.

Wild cards and special rules of a game are ignored, so that the results mean the same in every game.
"""

from __future__ import annotations

from banakil_env.core.jit import compiled, inlined
from banakil_env.kit.melds import runs_and_sets as M
from banakil_env.kit.pack52 import ACES, ALL, KINGS, above, below, cards_of, ranks_in


@inlined
def _turned(cards: int) -> int:
    """The cards with each rank one place lower, and the Aces above the Kings."""
    return (cards & ~ACES) >> 1 | (cards & ACES) << 12


@inlined
def _turned_back(cards: int) -> int:
    return (cards & ~KINGS) << 1 | (cards & KINGS) >> 12


@inlined
def _third_of_run(cards: int) -> int:
    up, down = above(cards), below(cards)
    return up & down | up & above(up) | down & below(down)


@compiled
def completing_run(cards: int, ace_low: bool, ace_high: bool) -> int:
    """The cards that complete a run of three with two of these cards."""
    found = 0
    if ace_low:
        found |= _third_of_run(cards)
    if ace_high:
        found |= _turned_back(_third_of_run(_turned(cards)))
    return found


@compiled
def in_runs(cards: int, ace_low: bool, ace_high: bool) -> int:
    """The cards of the mask that are in a run of three or more of its cards."""
    found = 0
    if ace_low:
        found |= M.in_runs(cards)
    if ace_high:
        found |= _turned_back(M.in_runs(_turned(cards)))
    return found


@compiled
def completing_set(one: int, two: int) -> int:
    """The cards that complete three of a rank with two of these; `two` has the cards that are held twice."""
    return cards_of(M.pair_ranks(one) | ranks_in(two)) & ALL


@compiled
def in_sets(one: int, two: int, three: int) -> int:
    """The cards of ranks held at least three times; `two` and `three` have the cards held twice and three times."""
    ranks = M.set_ranks(one) | M.pair_ranks(one) & ranks_in(two) | (ranks_in(three) if two else 0)
    return one & cards_of(ranks)
