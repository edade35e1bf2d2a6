"""`greedy`: plays like a sensible person who looks at the next draw and no further.

Lay: of all single cards, sets and runs in the hand, the discard after which the hand costs least, together with the
best card that can then be drawn: an end of the previous discard, or an average card of the stock. The cost of a hand is
its total, less most of the points that its best next discard would shed. It is lower still if the hand is low enough
for a call.
Draw: the card with which the hand costs least.
Call: if the expected loss is small. It is the loss if another seat has fewer points, times the probability of this. The
probability comes from the known cards and the sizes of the other hands. Their unknown cards are assumed to be unseen
cards, low rather than high, because players keep low cards.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import lowest, popcount, read_bits
from banakil_env.core.jit import compiled
from banakil_env.core.masks import legal_at
from banakil_env.core.scratch import scratch
from banakil_env.games.yaniv.records import Observation
from banakil_env.games.yaniv.rules import AUTO_PACKS, MAX_CALL, TIE_IS_ASAF
from banakil_env.games.yaniv.state import ALSO, CALL, DISCARD, DRAW_STOCK, HAND_SIZE, TAKE_FIRST, TAKE_LAST
from banakil_env.kit.pack52 import ACES, NUM_RANKS
from banakil_env.kit.pack54 import (
    JOKER,
    LAYERS,
    NUM_FACES,
    VALUES,
    add_card,
    copies_of,
    count_of,
    remove_card,
    total_of,
)

# In tenths of a point: POINT and SHED are the cost of a point in the hand and the gain of a point that the best next
# discard would shed. STOCK is the cost of an average card of the stock, READY the gain of being able to call.
POINT, SHED, STOCK, READY = 10, 7, 45, 60

# Call if the expected loss from asaf, a beaten call, is at most STAKE points. Unknown cards of other hands have the
# weight LEANING less their value, in hundredths of a point. Probabilities are in parts of WHOLE.
STAKE, LEANING, WHOLE = 5, 1200, 10_000

# Discards are listed in rows of HAND_SIZE cells, filled up with NO_CARD. A hand has at most 5 single cards, 2 sets and
# 24 runs (2 cards and 3 Jokers: 8 low ends with 3 lengths each).
NO_CARD = -1
CELLS = HAND_SIZE * (5 + 2 + 24)
_SUMS = MAX_CALL + 1


@compiled
def act(seen: Observation, mask: Any, generator: Any) -> int:
    """Return the action for the seat to move. The player is deterministic and does not use `generator`."""
    hand, row = scratch(LAYERS), scratch(HAND_SIZE)
    read_hand(seen, hand)
    if mask[CALL] and _calls(seen, hand):
        return CALL
    size = seen.laid_size
    if size == 0 or read_bits(mask, ALSO, NUM_FACES):
        for i in range(size):
            add_card(hand, seen.laid[i] - 1)
        _choose_discard(seen, hand, row)  # the same discard is chosen after each of its cards
        laid = lay_next(seen, mask, row)
        if laid >= 0:
            return laid
        read_hand(seen, hand)
    return _draw(seen, hand)


@compiled
def lay_next(seen: Observation, mask: Any, row: Any) -> int:
    """Return the action for the next card of the chosen discard, a row of `list_discards`; -1: a draw is next.

    If the cards laid so far belong to another discard and no draw is legal, return any legal action.
    """
    size = seen.laid_size
    if size == 0:
        return DISCARD + row[0]
    begun = size < HAND_SIZE and row[size] != NO_CARD and row[size - 1] == seen.laid[size - 1] - 1
    if begun and mask[ALSO + row[size]]:
        return ALSO + row[size]
    return (-1) if mask[DRAW_STOCK] else legal_at(mask, 0)


@compiled
def read_hand(seen: Observation, hand: Any) -> None:
    """Write the cards of the observer's hand into `hand`, as layers."""
    for layer in range(LAYERS):
        hand[layer] = 0
    held = read_bits(seen.hand, 0, NUM_FACES)
    while held:
        face = lowest(held)
        held &= held - 1
        for _ in range(seen.hand[face]):
            add_card(hand, face)


@compiled
def list_discards(hand: Any, rows: Any) -> int:
    """Write every discard that a hand allows into `rows`; return the number of rows.

    A row has HAND_SIZE faces, NO_CARD after the last one. A set is listed only with all its cards.
    """
    for i in range(CELLS):
        rows[i] = NO_CARD
    held, jokers, tried, at = hand[0], count_of(hand, JOKER), 0, 0
    while held:
        face = lowest(held)
        held &= held - 1
        rows[at] = face
        at += HAND_SIZE
        if face == JOKER:
            break
        rank = face % NUM_RANKS
        same = hand[0] & ACES << rank
        if lowest(same) == face and popcount(same) + popcount(hand[1] & same) > 1:
            size = 0
            while same:
                for _ in range(count_of(hand, lowest(same))):
                    rows[at + size] = lowest(same)
                    size += 1
                same &= same - 1
            at += HAND_SIZE
        for low in range(face - min(jokers, rank), face + 1):
            for length in range(3, 0 if tried >> low & 1 else min(HAND_SIZE, NUM_RANKS - low % NUM_RANKS) + 1):
                if length - popcount(hand[0] >> low & (1 << length) - 1) <= jokers:
                    for i in range(length):
                        rows[at + i] = low + i if hand[0] >> low + i & 1 else JOKER
                    at += HAND_SIZE
            tried |= 1 << low
    return at // HAND_SIZE


@compiled
def _cost(hand: Any, limit: int) -> int:
    """Return the cost of a hand, in tenths of a point.

    `limit` is the highest total with which a seat can call.
    """
    rows, shed, total = scratch(CELLS), 0, total_of(hand)
    for discard in range(list_discards(hand, rows)):
        points = 0
        for i in range(HAND_SIZE * discard, HAND_SIZE * (discard + 1)):
            points += VALUES[rows[i]] if rows[i] != NO_CARD else 0
        shed = max(shed, points)
    return POINT * total - SHED * shed - (READY if total <= limit else 0)


@compiled
def _cost_with(hand: Any, face: int, limit: int) -> int:
    """Return the cost of the hand with one more card, in tenths of a point; `limit` is explained in `_cost`."""
    more = scratch(LAYERS)
    for layer in range(LAYERS):
        more[layer] = hand[layer]
    add_card(more, face)
    return _cost(more, limit)


@compiled
def _choose_discard(seen: Observation, hand: Any, row: Any) -> None:
    """Write the best discard into `row`: the one after which the hand costs least.

    The cost includes the cheapest draw that follows: from the stock, or an end of the previous discard.
    """
    rows, rest, limit, least = scratch(CELLS), scratch(LAYERS), seen.rules.call_limit, 0
    for discard in range(list_discards(hand, rows)):
        first = HAND_SIZE * discard
        for layer in range(LAYERS):
            rest[layer] = hand[layer]
        for i in range(first, first + HAND_SIZE):
            if rows[i] != NO_CARD:
                remove_card(rest, rows[i])
        cost = _cost(rest, limit) + STOCK
        ends = read_bits(seen.ends, 0, NUM_FACES)
        while ends:
            cost = min(cost, _cost_with(rest, lowest(ends), limit))
            ends &= ends - 1
        if discard == 0 or cost < least:
            least = cost
            for i in range(HAND_SIZE):
                row[i] = rows[first + i]


@compiled
def _draw(seen: Observation, hand: Any) -> int:
    """Return the draw after which the hand costs least: from the stock, or an end of the previous discard."""
    limit = seen.rules.call_limit
    best, least = DRAW_STOCK, _cost(hand, limit) + STOCK
    ends = read_bits(seen.ends, 0, NUM_FACES)
    while ends:
        face = lowest(ends)
        ends &= ends - 1
        cost = _cost_with(hand, face, limit)
        if cost < least:
            best, least = TAKE_LAST if seen.ends[face] == 2 else TAKE_FIRST, cost
    return best


# The call -------------------------------------------------------------------------------------------------------------


@compiled
def _calls(seen: Observation, hand: Any) -> bool:
    total = total_of(hand)
    highest = total if seen.rules.tie == TIE_IS_ASAF else total - 1  # the highest total that beats the call
    safe = chance_of_none(seen, highest, LEANING)
    return (WHOLE - safe) * (total + seen.rules.penalty) <= STAKE * WHOLE


@compiled
def chance_of_none(seen: Observation, highest: int, leaning: int) -> int:
    """Return the probability that no other hand has at most `highest` points, in parts of WHOLE.

    Unknown cards of these hands are drawn from the unseen cards with weights. The weight of an unseen card is `leaning`
    less its value, in hundredths of a point, but at least 1.
    """
    weights, safe = scratch(11), WHOLE
    all_weights = _weigh_unseen(seen, weights, leaning)
    for place in range(1, seen.num_players):
        if not seen.out[place]:
            safe = safe * (WHOLE - _chance_of_less(seen, place, highest, weights, all_weights)) // WHOLE
    return safe


@compiled
def _chance_of_less(seen: Observation, place: int, highest: int, weights: Any, all_weights: int) -> int:
    """Return the probability that the hand of this seat has at most `highest` points, in parts of WHOLE.

    Args:
        seen: the observation.
        place: the relative seat.
        highest: the points.
        weights: the weight of the unseen cards of each value; see `_weigh_unseen`.
        all_weights: the sum of all weights.
    """
    unknown = seen.hand_size[place]
    for face in range(NUM_FACES):
        unknown -= seen.known[place, face]
        highest -= seen.known[place, face] * VALUES[face]
    if highest < 0:
        return 0
    sums, next_sums = scratch(_SUMS), scratch(_SUMS)
    for s in range(_SUMS):
        sums[s] = 0
    sums[0] = WHOLE
    for _ in range(unknown):
        for s in range(highest + 1):
            next_sums[s] = 0
            for value in range(min(s, 10) + 1):
                next_sums[s] += sums[s - value] * weights[value]
        for s in range(highest + 1):
            sums[s] = next_sums[s] // all_weights
    chance = 0
    for s in range(highest + 1):
        chance += sums[s]
    return chance


@compiled
def _weigh_unseen(seen: Observation, weights: Any, leaning: int) -> int:
    """Write the total weight of the unseen cards of each value, 0 to 10, into `weights`; return the sum of all weights.

    `leaning` is explained in `chance_of_none`.
    """
    packs = 1 + (seen.num_players > 3) if seen.rules.packs == AUTO_PACKS else seen.rules.packs
    for value in range(11):
        weights[value] = 0
    total = 0
    for face in range(NUM_FACES):
        left = copies_of(face, packs) - seen.hand[face] - seen.pile[face]
        for place in range(1, seen.num_players):
            left -= seen.known[place, face]
        weight = left * max(1, leaning - 100 * VALUES[face])
        weights[VALUES[face]] += weight
        total += weight
    return max(total, 1)
