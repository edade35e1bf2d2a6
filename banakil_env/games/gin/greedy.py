"""`greedy`: plays like a sensible person who counts cards but does not look ahead.

The upcard: taken if it is in a meld of the best arrangement of the hand, or if a knock is good with it; else the stock.
The knock: with gin always. In the first turns also with any deadwood that is allowed, later with less and less,
because the other seat has had time to make melds. Big gin is preferred to everything.
The discard: the card that leaves the least deadwood, weighed against its chances. A card is kept if many unseen cards
would make a meld with it. It is also kept if it would help the other seat: if it fits cards that the other seat is
known to hold, or if it makes many melds with unseen cards.
Laying: the melds of the arrangement with the least deadwood. Laying off: any card that lowers the player's deadwood.
At the wall: knock if possible.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import lowest, popcount, read_bits
from banakil_env.core.jit import compiled
from banakil_env.core.masks import legal_at
from banakil_env.games.gin.records import Observation
from banakil_env.games.gin.state import A_ADD, A_BIG_GIN, A_DISCARD, A_DRAW, A_KNOCK, A_LAY, A_PASS, A_TAKE, KNOCK
from banakil_env.kit.melds.deadwood import LAYS, NUM_LAYS, best_melded, deadwood
from banakil_env.kit.melds.runs_and_sets import OPENINGS, completing
from banakil_env.kit.one_pack.seen import top_of, unseen_of
from banakil_env.kit.pack52 import ALL, NUM_FACES, NUM_RANKS, VALUES, bit_of
from banakil_env.kit.table_state import PLAY

# The cost of a discard, in hundredths of a point of deadwood. OUT counts for each unseen card that can no longer make a
# meld with it. UNSEEN and KNOWN count for each meld that it would complete in the other hand: with unseen cards alone,
# or with cards known to be in that hand.
OUT, UNSEEN, KNOWN = 120, 15, 300

# The knock: with any deadwood in the first ANY_UNTIL turns, then with one point less after every SLOWER turns.
ANY_UNTIL, SLOWER = 12, 2


@compiled
def act(seen: Observation, mask: Any, generator: Any) -> int:
    """Return the action for the seat to move. The player is deterministic and does not use `generator`."""
    hand = read_bits(seen.hand, 0, NUM_FACES)
    if seen.phase[PLAY] or seen.phase[KNOCK]:
        return _play(seen, mask, hand)
    if mask[A_TAKE]:
        return _draw(seen, mask, hand)
    return settle(mask, hand)


@compiled
def settle(mask: Any, hand: int) -> int:
    """Return the action after a knock: a meld, a lay-off or a pass. In the decision at the wall, knock.

    `hand` is the hand as a mask of faces.
    """
    if mask[A_KNOCK]:
        return A_KNOCK
    if mask[A_PASS]:
        return _lay(mask, hand)
    laying = _lay(mask, hand)
    return laying if mask[laying] else legal_at(mask, 0)


@compiled
def _draw(seen: Observation, mask: Any, hand: int) -> int:
    """Return the action of the draw: take the upcard if it is in a meld or allows a good knock, else draw or pass."""
    top = top_of(seen)
    if best_melded(hand | top) & top and least_after_discard(hand | top, ALL & ~top) < deadwood(hand):
        return A_TAKE
    if _knocks(seen, least_after_discard(hand | top, ALL & ~top)):
        return A_TAKE
    return A_DRAW if mask[A_DRAW] else A_PASS


@compiled
def least_after_discard(hand: int, allowed: int) -> int:
    """Return the least deadwood of a hand after it discards one of the allowed cards, in points."""
    least, left = 1000, hand & allowed
    while left:
        card = left & -left
        left &= left - 1
        least = min(least, deadwood(hand & ~card))
    return least


@compiled
def _knocks(seen: Observation, least: int) -> bool:
    """Return whether to knock with `least` points of deadwood."""
    allowed = seen.limit
    if seen.turns > ANY_UNTIL:
        allowed = min(allowed, 10 - (seen.turns - ANY_UNTIL) // SLOWER)
    return least == 0 or least <= allowed


@compiled
def _play(seen: Observation, mask: Any, hand: int) -> int:
    """Choose big gin, a knock or a discard."""
    if mask[A_BIG_GIN]:
        return A_BIG_GIN
    discards = read_bits(mask, A_DISCARD, NUM_FACES)
    if mask[A_KNOCK] and _knocks(seen, least_after_discard(hand, discards)):
        return A_KNOCK
    return discard(seen, discards, hand)


@compiled
def discard(seen: Observation, discards: int, hand: int) -> int:
    """Return the action that discards the card least useful to this seat and the other.

    In a knock the discard leaves the least deadwood.
    """
    known = read_bits(seen.known[1], 0, NUM_FACES)
    unseen, out = unseen_of(seen, hand), 0 if seen.phase[KNOCK] else 1
    best, least = -1, 0
    while discards:
        face = lowest(discards)
        discards &= discards - 1
        rest = hand & ~bit_of(face)
        cost = 100 * deadwood(rest)
        if out:
            cost -= OUT * popcount(completing(rest & ~best_melded(rest)) & unseen)
            cost += _danger(bit_of(face), unseen, known)
        if best < 0 or cost < least or (cost == least and VALUES[face % NUM_RANKS] > VALUES[best % NUM_RANKS]):
            best, least = face, cost
    return A_DISCARD + best


@compiled
def _danger(card: int, unseen: int, known: int) -> int:
    """Return the worth of a discard to the other seat, counted over the melds of three that it can make with the card.

    `card`, `unseen` and `known` are masks of faces: the discard, the cards not seen yet, and those known in the other
    hand.
    """
    danger = 0
    for i in range(OPENINGS.shape[0]):
        others = OPENINGS[i] & ~card
        if others != OPENINGS[i] and others & ~(unseen | known) == 0:
            danger += KNOWN if others & known else UNSEEN
    return danger


@compiled
def _lay(mask: Any, hand: int) -> int:
    """Return the meld or lay-off that leaves the least deadwood, the largest meld first; a pass if nothing lowers
    it.
    """
    now = deadwood(hand)
    melded = best_melded(hand)
    best, most = A_PASS, 0
    for i in range(NUM_LAYS):
        meld = LAYS[i]
        if mask[A_LAY + i] and meld & ~melded == 0 and popcount(meld) > most and deadwood(hand & ~meld) == now:
            best, most = A_LAY + i, popcount(meld)
    adds = read_bits(mask, A_ADD, NUM_FACES)
    while adds:
        face = lowest(adds)
        adds &= adds - 1
        left = deadwood(hand & ~bit_of(face))
        if left < now:
            best, now = A_ADD + face, left
    return best
