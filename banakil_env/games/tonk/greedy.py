"""`greedy`: what a sensible person plays who counts points and cards but does not look ahead.

A tonk is shown and a slap is called, always. A turn begins with the question whether to drop. The points in every other
hand are guessed: the known cards, and for each unknown one the mean of the unseen cards, less a share for every turn
played, since high cards are discarded first. That gives the chance that the own count is the lowest, and what a drop
is worth. If that is enough, drop. Else take the top of the pile if the turn ends better with it than, on the mean, with
a card of the stock. In the turn lay down and hit all that goes, the opening first that leaves the fewest points, on
spreads of others rather than on the own ones, which holds their owners. Discard what leaves the best hand: few points,
and many unseen cards that would complete a spread.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.core.bits import lowest, popcount, read_bits, wide
from banakil_env.core.jit import compiled
from banakil_env.core.masks import legal_at
from banakil_env.games.tonk.scoring import count_of
from banakil_env.games.tonk.state import (
    A_ADD,
    A_CALL,
    A_DISCARD,
    A_DRAW,
    A_DROP,
    A_MELD,
    A_OPEN_RUN,
    A_TAKE,
    A_TONK,
)
from banakil_env.kit.melds.deadwood import points_in
from banakil_env.kit.melds.high_ace import NUM_RUNS, OPENINGS, completing, melded, places
from banakil_env.kit.melds.runs_and_sets import MAX_MELDS
from banakil_env.kit.pack52 import ALL, NUM_FACES, bit_of

# The drop: the share by which a turn of every seat lowers the guess, the spread of one unknown card's points, what
# being caught costs, in stakes, and the stakes that a drop has to be worth.
FADE, SPREAD, CAUGHT_COST, GAIN = 0.05, 3.2, 2.3, 0.2

# What a hand is worth after the turn, in tenths of a point: an unseen card that completes a spread, and going out.
OUT, GONE = 12, -1000


@compiled
def act(seen: Any, mask: Any, generator: Any) -> int:
    """The action of the seat to move."""
    if mask[A_TONK]:
        return wide(A_TONK)
    if mask[A_CALL]:
        return wide(A_CALL)
    hand = read_bits(seen.hand, 0, NUM_FACES)
    runs, sets = read_bits(seen.runs, 0, NUM_FACES), read_bits(seen.sets, 0, NUM_FACES)
    top, unseen = _top_and_unseen(seen, hand | runs | sets)
    if mask[A_DRAW]:
        return _begin(seen, hand, places(runs, sets), top, unseen)
    opening = _opening(mask, hand, runs, sets)
    if opening >= 0:
        return opening
    adds = read_bits(mask, A_ADD, NUM_FACES)
    if adds:
        return A_ADD + lowest(adds)
    discards = read_bits(mask, A_DISCARD, NUM_FACES)
    return A_DISCARD + _discard(seen, discards, unseen) if discards else _choose(seen, mask)


@compiled
def _top_and_unseen(seen: Any, gone: int) -> tuple[int, int]:
    """The top card of the pile, and the cards that are nowhere to be seen, as masks."""
    top = wide(0)
    for face in range(NUM_FACES):
        if seen.pile[face]:
            gone |= bit_of(wide(face))
            top = bit_of(wide(face)) if seen.pile[face] == 1 else top
    for place in range(1, wide(seen.num_players)):
        gone |= read_bits(seen.known[place], 0, NUM_FACES)
    return top, ALL & ~gone


@compiled
def _begin(seen: Any, hand: int, fits: int, top: int, unseen: int) -> int:
    """Drop, take or draw."""
    if _worth_of_drop(seen, count_of(seen.rules, hand), unseen) > GAIN:
        return wide(A_DROP)
    fits = wide(0) if seen.held[0] else fits
    with_top, with_stock, left = _after_turn(seen, hand | top, fits, unseen), wide(0), unseen
    while left:
        with_stock += _after_turn(seen, hand | left & -left, fits, unseen)
        left &= left - 1
    return wide(A_TAKE) if with_top * popcount(unseen) <= with_stock else wide(A_DRAW)


@compiled
def _worth_of_drop(seen: Any, own: int, unseen: int) -> float:
    """The stakes that a drop with this count brings, on the mean."""
    players = wide(seen.num_players)
    mean = points_in(unseen) / popcount(unseen) * max(0.0, 1 - FADE * seen.turns / players)
    chance = 1.0
    for place in range(1, players):
        known = read_bits(seen.known[place], 0, NUM_FACES)
        unknown = wide(seen.hand_size[place]) - popcount(known)
        ahead = points_in(known) + unknown * mean - own - 0.5
        if unknown == 0:
            chance *= 1.0 if ahead > 0 else 0.0
        else:
            chance /= 1 + np.exp(-1.7 * ahead / (SPREAD * np.sqrt(unknown)))
    return chance * (players - 1) - (1 - chance) * CAUGHT_COST


@compiled
def _after_turn(seen: Any, hand: int, fits: int, unseen: int) -> int:
    """How good the hand is after a turn with these six cards, less is better; GONE: out."""
    left = hand if seen.held[0] else hand & ~(melded(hand) | fits)
    if left & (left - 1) == 0:
        return wide(GONE)
    return _worth(seen, left & ~bit_of(_discard(seen, left, unseen)), unseen)


@compiled
def _worth(seen: Any, hand: int, unseen: int) -> int:
    """Ten times the points, less what unseen cards would complete; less is better."""
    return 10 * count_of(seen.rules, hand) - OUT * popcount(completing(hand) & unseen)


@compiled
def _discard(seen: Any, cards: int, unseen: int) -> int:
    """The card whose discard leaves the best hand."""
    hand, best, least = cards, wide(-1), wide(0)
    while cards:
        face = lowest(cards)
        cards &= cards - 1
        worth = _worth(seen, hand & ~bit_of(face), unseen)
        if best < 0 or worth < least:
            best, least = face, worth
    return best


@compiled
def _opening(mask: Any, hand: int, runs: int, sets: int) -> int:
    """The legal opening after which the fewest points stay in the hand; -1: none is legal."""
    best, least = wide(-1), wide(0)
    if melded(hand) == 0:
        return best
    for i in range(OPENINGS.shape[0]):
        if mask[A_OPEN_RUN + i]:
            cards = wide(OPENINGS[i])
            rest = hand & ~cards
            fits = places(runs | cards, sets) if i < NUM_RUNS else places(runs, sets | cards)
            points = points_in(rest & ~melded(rest) & ~fits)
            if best < 0 or points < least:
                best, least = wide(A_OPEN_RUN + i), points
    return best


@compiled
def _choose(seen: Any, mask: Any) -> int:
    """A spread of another seat, which is held then."""
    for slot in range(MAX_MELDS):
        if mask[A_MELD + slot] and seen.meld_owner[slot] != 1:
            return wide(A_MELD + slot)
    return legal_at(mask, wide(0))
