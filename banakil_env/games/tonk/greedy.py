"""`greedy`: plays like a sensible person who counts points and cards but does not look ahead.

The player always shows a tonk and always calls a slap. It first decides whether to drop. The points in every other hand
are estimated: the known cards, and for each unknown card the mean of the unseen cards. A share is subtracted for every
turn played, because high cards are discarded first. The estimate gives the probability that the player's count is the
lowest, and from it the worth of a drop. If the worth is high enough, drop. Otherwise take the top of the pile if the
turn ends better with it than, on average, with a card of the stock. Then lay down and hit every card that fits. The
opening that leaves the fewest points comes first. Hits go to spreads of others rather than to the player's spreads,
because a hit holds the owner. Discard the card that leaves the best hand: few points, and many unseen cards that would
complete a spread.

The numbers of `PARAMETERS` were chosen by hand; `expert` plays the same way with fitted numbers.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from banakil_env.core.bits import lowest, popcount, read_bits
from banakil_env.core.jit import compiled
from banakil_env.core.masks import legal_at
from banakil_env.core.parameters import Parameter, Parameters, Row
from banakil_env.games.tonk.records import Observation
from banakil_env.games.tonk.scoring import count_of
from banakil_env.games.tonk.state import A_ADD, A_CALL, A_DISCARD, A_DRAW, A_DROP, A_MELD, A_OPEN_RUN, A_TAKE, A_TONK
from banakil_env.kit.by_numbers import two_or_more
from banakil_env.kit.melds.deadwood import points_in
from banakil_env.kit.melds.high_ace import NUM_RUNS, OPENINGS, completing, melded, places
from banakil_env.kit.melds.runs_and_sets import MAX_MELDS
from banakil_env.kit.one_pack.seen import top_of, unseen_of
from banakil_env.kit.pack52 import ACES, NUM_FACES, NUM_RANKS, bit_of

PARAMETERS = Parameters(
    Path(__file__).with_name("expert.toml"),
    (Row("two", {"num_players": 2}), Row("more", {"num_players": 4})),
    Parameter(
        "fade", 50, 0, 400, "share by which each turn of every seat lowers the estimate of a hand, in thousandths"
    ),
    Parameter("spread", 320, 50, 1000, "standard deviation of the points of one unknown card, in hundredths"),
    Parameter("ahead", 50, -500, 800, "points by which an estimate must exceed the player's count, in hundredths"),
    Parameter("caught", 230, 0, 1000, "cost of being caught, in hundredths of a stake"),
    Parameter("gain", 20, -100, 200, "least worth of a drop, in hundredths of a stake"),
    Parameter("taken", 0, -100, 100, "handicap of the top of the pile against the stock, in tenths of a point"),
    Parameter("out", 12, 0, 100, "value of an unseen card that completes a spread, in tenths of a point"),
    Parameter("loose", 0, -50, 50, "cost of each card of the hand in addition to its points"),
    Parameter("gives_fit", 0, -100, 300, "cost of a discard that fits a spread on the table"),
    Parameter(
        "gives_known", 0, -50, 300, "cost of a discard that completes a spread with cards known in the next hand"
    ),
    Parameter("gives_unseen", 0, -20, 50, "cost of a discard, for each unseen card of its rank"),
)
row_of = two_or_more
GONE = -1000  # the cost of a hand that is out or down to its last discard


@compiled
def decide(seen: Observation, mask: Any, values: Any) -> int:
    """Choose the action of the player that has the parameters `values`, a record of PARAMETERS."""
    if mask[A_TONK]:
        return A_TONK
    if mask[A_CALL]:
        return A_CALL
    hand = read_bits(seen.hand, 0, NUM_FACES)
    runs, sets = read_bits(seen.runs, 0, NUM_FACES), read_bits(seen.sets, 0, NUM_FACES)
    top, unseen = top_of(seen), unseen_of(seen, hand | runs | sets)
    if mask[A_DRAW]:
        return _begin(seen, hand, places(runs, sets), top, unseen, values)
    opening = _opening(mask, hand, runs, sets)
    if opening >= 0:
        return opening
    adds = read_bits(mask, A_ADD, NUM_FACES)
    if adds:
        return A_ADD + lowest(adds)
    discards = read_bits(mask, A_DISCARD, NUM_FACES)
    return A_DISCARD + _discard(seen, discards, unseen, values)[0] if discards else _choose(seen, mask)


@compiled
def _begin(seen: Observation, hand: int, fits: int, top: int, unseen: int, values: Any) -> int:
    """Choose between a drop, the top of the pile and the stock.

    `hand`, `fits`, `top` and `unseen` are masks: the hand, the cards that fit spreads on the table, the top of the
    pile, and the cards not seen yet.
    """
    if _worth_of_drop(seen, count_of(seen.rules, hand), unseen, values) > values.gain / 100.0:
        return A_DROP
    fits = 0 if seen.held[0] else fits
    with_top, with_stock, left = _after_turn(seen, hand | top, fits, unseen, values), 0, unseen
    while left:
        with_stock += _after_turn(seen, hand | left & -left, fits, unseen, values)
        left &= left - 1
    return A_TAKE if (with_top - values.taken) * popcount(unseen) <= with_stock else A_DRAW


@compiled
def _worth_of_drop(seen: Observation, own: int, unseen: int, values: Any) -> float:
    """Return the expected stakes of a drop with the count `own`."""
    players = seen.num_players
    mean = points_in(unseen) / popcount(unseen) * max(0.0, 1 - values.fade / 1000.0 * seen.turns / players)
    chance = 1.0
    for place in range(1, players):
        known = read_bits(seen.known[place], 0, NUM_FACES)
        unknown = seen.hand_size[place] - popcount(known)
        ahead = points_in(known) + unknown * mean - own - values.ahead / 100.0
        if unknown == 0:
            chance *= 1.0 if ahead > 0 else 0.0
        else:
            chance /= 1 + np.exp(-1.7 * ahead / (values.spread / 100.0 * np.sqrt(unknown)))
    return chance * (players - 1) - (1 - chance) * (values.caught / 100.0)


@compiled
def _after_turn(seen: Observation, hand: int, fits: int, unseen: int, values: Any) -> int:
    """Return the cost of the hand after a turn with these six cards; lower is better. GONE: the seat goes out.

    `hand`, `fits` and `unseen` are masks: the six cards, the cards that fit spreads on the table, and those not seen
    yet.
    """
    left = hand if seen.held[0] else hand & ~(melded(hand) | fits)
    if left & (left - 1) == 0:
        return GONE
    return _discard(seen, left, unseen, values)[1]


@compiled
def _worth(seen: Observation, hand: int, unseen: int, values: Any) -> int:
    """Return the cost of a hand: ten times its points, less the chances of unseen cards; lower is better.

    `hand` and `unseen` are masks of faces.
    """
    points = 10 * count_of(seen.rules, hand) + values.loose * popcount(hand)
    return points - values.out * popcount(completing(hand) & unseen)


@compiled
def _discard(seen: Observation, cards: int, unseen: int, values: Any) -> tuple[int, int]:
    """Return the card whose discard leaves the best hand, and the cost of that hand.

    `cards`, the hand, and `unseen`, the cards not seen yet, are masks of faces.
    """
    hand, best, least, left = cards, -1, 0, 0
    fits, known = 0, 0
    gives = values.gives_fit != 0 or values.gives_known != 0 or values.gives_unseen != 0
    if gives:
        fits = places(read_bits(seen.runs, 0, NUM_FACES), read_bits(seen.sets, 0, NUM_FACES))
        known = completing(read_bits(seen.known[1], 0, NUM_FACES))
    while cards:
        face = lowest(cards)
        cards &= cards - 1
        cost = worth = _worth(seen, hand & ~bit_of(face), unseen, values)
        if gives:
            cost += values.gives_fit * (fits >> face & 1) + values.gives_known * (known >> face & 1)
            cost += values.gives_unseen * popcount(ACES << face % NUM_RANKS & unseen)
        if best < 0 or cost < least:
            best, least, left = face, cost, worth
    return best, left


@compiled
def _opening(mask: Any, hand: int, runs: int, sets: int) -> int:
    """Return the legal opening after which the fewest points stay in the hand; -1: none is legal.

    `hand`, `runs` and `sets` are masks: the hand, and the cards in runs and in sets on the table.
    """
    best, least = -1, 0
    if melded(hand) == 0:
        return best
    for i in range(OPENINGS.shape[0]):
        if mask[A_OPEN_RUN + i]:
            cards = OPENINGS[i]
            rest = hand & ~cards
            fits = places(runs | cards, sets) if i < NUM_RUNS else places(runs, sets | cards)
            points = points_in(rest & ~melded(rest) & ~fits)
            if best < 0 or points < least:
                best, least = A_OPEN_RUN + i, points
    return best


@compiled
def _choose(seen: Observation, mask: Any) -> int:
    """Choose a spread of another seat if possible, because the hit then bars this seat from its next spreads and
    hits.
    """
    for slot in range(MAX_MELDS):
        if mask[A_MELD + slot] and seen.meld_owner[slot] != 1:
            return A_MELD + slot
    return legal_at(mask, 0)
