"""`expert`: weighs every discard with the draw after it, the cards left to the next seat, and the moment of the call.

The cost of a hand is its points, less the points that its best next discard would shed. It is lower still if the hand
is low enough for a call; this bonus grows as the hand gets lower.
Lay and draw: the discard and draw that leave the hand with the lowest cost, with a price for the low cards that the
discard offers to the next seat. The price is higher if the card fits cards that this seat is known to hold.
Call: if the expected loss is small. It is the loss if another seat has fewer points, times the probability of this. The
probability comes from the known cards and the sizes of the other hands. Their unknown cards are assumed to be low
rather than high, more so the longer the round lasts.

The values of `PARAMETERS` are in expert.toml, fitted by `python -m train.fit --game yaniv`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from banakil_env.core.bits import lowest, read_bits
from banakil_env.core.jit import compiled
from banakil_env.core.parameters import Parameter, Parameters, Row
from banakil_env.core.scratch import scratch
from banakil_env.games.yaniv.greedy import CELLS, NO_CARD, WHOLE, chance_of_none, lay_next, list_discards, read_hand
from banakil_env.games.yaniv.records import Observation
from banakil_env.games.yaniv.rules import TIE_IS_ASAF
from banakil_env.games.yaniv.state import ALSO, CALL, DRAW_STOCK, HAND_SIZE, TAKE_FIRST, TAKE_LAST
from banakil_env.kit.pack52 import NUM_RANKS
from banakil_env.kit.pack54 import JOKER, LAYERS, NUM_FACES, VALUES, add_card, remove_card, total_of

PARAMETERS = Parameters(
    Path(__file__).with_suffix(".toml"),
    (Row("two", {"num_players": 2}), Row("more", {"num_players": 4})),
    Parameter("point", 100, 50, 200, "cost of a point in the hand, in hundredths"),
    Parameter("shed", 70, 0, 150, "reduction of the cost for each point that the best next discard would shed"),
    Parameter("stock", 450, 0, 1000, "cost of an average card of the stock"),
    Parameter("ready", 600, 0, 3000, "reduction of the cost if the hand can be called with"),
    Parameter("ready_low", 0, -100, 400, "further reduction for each point below the limit of the call"),
    Parameter("offer", 0, 0, 200, "cost of a card offered to the next seat, for each point below `offer_from`"),
    Parameter("offer_from", 6, 0, 10, "an offered card of this value or more costs nothing"),
    Parameter("offer_near", 0, 0, 600, "cost of an offered card that fits a card known in the next hand"),
    Parameter("stake", 500, 0, 3000, "call if the expected loss is at most this, in hundredths of a point"),
    Parameter("stake_later", 0, -200, 200, "increase of this limit with each turn of every seat"),
    Parameter("leaning", 1200, 1050, 4000, "unknown cards have this weight less their value, in hundredths"),
    Parameter("leaning_later", 0, -300, 100, "increase of this weight with each turn of every seat"),
)
VALUES_OF = PARAMETERS.values
TWO, MORE = range(2)

# The number of turns of every seat after which the weights stay constant.
LAST_ROUND = 8


@compiled
def act(seen: Observation, mask: Any, generator: Any) -> int:
    """Return the action for the seat to move. The player is deterministic and does not use `generator`."""
    return decide(seen, mask, VALUES_OF[TWO if _players(seen) == 2 else MORE])


@compiled
def decide(seen: Observation, mask: Any, values: Any) -> int:
    """Choose the action of the expert that has the parameters `values`, a record of PARAMETERS."""
    hand, row = scratch(LAYERS), scratch(HAND_SIZE)
    read_hand(seen, hand)
    if mask[CALL] and _calls(seen, hand, values):
        return CALL
    size = seen.laid_size
    if size == 0 or read_bits(mask, ALSO, NUM_FACES):
        for i in range(size):
            add_card(hand, seen.laid[i] - 1)
        _choose_discard(seen, hand, row, values)  # the same discard is chosen after each of its cards
        laid = lay_next(seen, mask, row)
        if laid >= 0:
            return laid
        read_hand(seen, hand)
    return _draw(seen, hand, values)


@compiled
def _players(seen: Observation) -> int:
    """Return the number of seats that are still in the match."""
    count = 0
    for place in range(seen.num_players):
        count += not seen.out[place]
    return count


@compiled
def _round(seen: Observation) -> int:
    """Return the number of turns that every seat has had, at most LAST_ROUND."""
    return min(seen.turns // max(_players(seen), 1), LAST_ROUND)


# The discard and the draw --------------------------------------------------------------------------------------------


@compiled
def _cost(hand: Any, limit: int, values: Any) -> int:
    """Return the cost of a hand, in hundredths of a point.

    `limit` is the highest total with which a seat can call.
    """
    rows, shed, total = scratch(CELLS), 0, total_of(hand)
    for discard in range(list_discards(hand, rows)):
        points = 0
        for i in range(HAND_SIZE * discard, HAND_SIZE * (discard + 1)):
            points += VALUES[rows[i]] if rows[i] != NO_CARD else 0
        shed = max(shed, points)
    ready = values.ready + values.ready_low * (limit - total) if total <= limit else 0
    return values.point * total - values.shed * shed - ready


@compiled
def _cost_with(hand: Any, face: int, limit: int, values: Any) -> int:
    """Return the cost of the hand with one more card, in hundredths of a point; `limit` is explained in `_cost`."""
    more = scratch(LAYERS)
    for layer in range(LAYERS):
        more[layer] = hand[layer]
    add_card(more, face)
    return _cost(more, limit, values)


@compiled
def _goes_with(face: int, other: int) -> bool:
    """Return whether two cards have one rank, or are near each other in a suit. A Joker goes with every card."""
    if face == JOKER or other == JOKER:
        return True
    if face % NUM_RANKS == other % NUM_RANKS:
        return True
    return face // NUM_RANKS == other // NUM_RANKS and -3 < face - other < 3


@compiled
def _offer(seen: Observation, face: int, values: Any) -> int:
    """Return the cost of offering a card to the next seat, in hundredths of a point."""
    cost = values.offer * max(0, values.offer_from - VALUES[face])
    place = 1
    while seen.out[place]:
        place += 1
    known = read_bits(seen.known[place], 0, NUM_FACES)
    while known:
        if _goes_with(face, lowest(known)):
            return cost + values.offer_near
        known &= known - 1
    return cost


@compiled
def _choose_discard(seen: Observation, hand: Any, row: Any, values: Any) -> None:
    """Write the best discard into `row`: the one after which the hand costs least.

    The cost includes the cheapest draw that follows, and the price of the cards that the next seat can take.
    """
    rows, rest, limit, least = scratch(CELLS), scratch(LAYERS), seen.rules.call_limit, 0
    for discard in range(list_discards(hand, rows)):
        first, size = HAND_SIZE * discard, 0
        for layer in range(LAYERS):
            rest[layer] = hand[layer]
        while size < HAND_SIZE and rows[first + size] != NO_CARD:
            remove_card(rest, rows[first + size])
            size += 1
        cost = _cost(rest, limit, values) + values.stock
        ends = read_bits(seen.ends, 0, NUM_FACES)
        while ends:
            cost = min(cost, _cost_with(rest, lowest(ends), limit, values))
            ends &= ends - 1
        last = rows[first + size - 1]
        cost += max(_offer(seen, rows[first], values), _offer(seen, last, values))
        if discard == 0 or cost < least:
            least = cost
            for i in range(HAND_SIZE):
                row[i] = rows[first + i]


@compiled
def _draw(seen: Observation, hand: Any, values: Any) -> int:
    """Return the draw after which the hand costs least: from the stock, or an end of the previous discard."""
    limit = seen.rules.call_limit
    best, least = DRAW_STOCK, _cost(hand, limit, values) + values.stock
    ends = read_bits(seen.ends, 0, NUM_FACES)
    while ends:
        face = lowest(ends)
        ends &= ends - 1
        cost = _cost_with(hand, face, limit, values)
        if cost < least:
            best, least = TAKE_LAST if seen.ends[face] == 2 else TAKE_FIRST, cost
    return best


# The call -------------------------------------------------------------------------------------------------------------


@compiled
def _calls(seen: Observation, hand: Any, values: Any) -> bool:
    """Return whether the expected loss from asaf, a beaten call, is small enough."""
    total = total_of(hand)
    highest = total if seen.rules.tie == TIE_IS_ASAF else total - 1  # the highest total that beats the call
    turns = _round(seen)
    safe = chance_of_none(seen, highest, values.leaning + values.leaning_later * turns)
    stake = values.stake + values.stake_later * turns
    return 100 * (WHOLE - safe) * (total + seen.rules.penalty) <= stake * WHOLE
