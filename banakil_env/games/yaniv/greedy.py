"""`greedy`: what a sensible person plays who looks at the next draw and no further.

Lay: of every single card, set and run in the hand, the one after which the hand is cheapest, with the best card that
can then be drawn: the ends of the discard before, or an average card of the stock. A hand costs its total, less most of
what its best next discard would shed; and less again if it could be called with.
Draw: by the same cost of the hand.
Call: if what is lost when another seat has less, times the chance of that, is small. The chance comes from the known
cards and the sizes of the other hands; their unknown cards are taken for unseen ones, rather low ones, for players keep
those.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import lowest, popcount, read_bits, wide
from banakil_env.core.jit import compiled
from banakil_env.core.masks import legal_at
from banakil_env.core.scratch import scratch
from banakil_env.games.yaniv.rules import AUTO_PACKS, MAX_CALL, TIE_IS_ASAF
from banakil_env.games.yaniv.state import ALSO, CALL, DISCARD, DRAW_STOCK, HAND_SIZE, TAKE_FIRST, TAKE_LAST
from banakil_env.kit.pack52 import ACES, NUM_RANKS
from banakil_env.kit.pack54 import JOKER, NATURALS, NUM_FACES, VALUES, copies_of, value_of

# In tenths of a point: a point in the hand, and one that the best next discard would shed; an average card of the
# stock; being able to call.
POINT, SHED, STOCK, READY = 10, 7, 45, 60

# Call if the loss expected from asaf is at most so many points. Unknown cards of other hands are weighted by
# LEANING - value. Chances are in parts of WHOLE.
STAKE, LEANING, WHOLE = 5, 12, 10_000

# Discards by number: single faces, then sets by rank, then runs by low end and length.
_SETS = NUM_FACES
_RUNS = _SETS + NUM_RANKS
_MOST = 8  # more than the longest run
_SUMS = MAX_CALL + 1


@compiled
def act(seen: Any, mask: Any, generator: Any) -> int:
    """The action of the seat to move."""
    hand = scratch(3)
    _read_hand(seen, hand)
    if mask[CALL] and _calls(seen, hand):
        return wide(CALL)
    if mask[DRAW_STOCK] == 0 or _more_to_lay(seen, mask):
        row = scratch(HAND_SIZE)
        size = _write_row(_best_discard(seen, hand), hand, row)
        if seen.laid_size == 0:
            return DISCARD + row[0]
        if seen.laid_size < size and mask[ALSO + row[seen.laid_size]] and _begins_with(row, seen):
            return ALSO + row[seen.laid_size]
        if mask[DRAW_STOCK] == 0:
            return legal_at(mask, wide(0))
    return _draw(seen, mask)


@compiled
def _read_hand(seen: Any, hand: Any) -> None:
    """The hand with what is laid: the cards there once or more, those there twice, the number of Jokers."""
    one, two, jokers = wide(0), wide(0), wide(seen.hand[JOKER])
    held = read_bits(seen.hand, 0, NUM_FACES) & NATURALS
    one = held
    while held:
        face = lowest(held)
        held &= held - 1
        two |= wide(seen.hand[face] > 1) << face
    for i in range(wide(seen.laid_size)):
        face = wide(seen.laid[i]) - 1
        if face == JOKER:
            jokers += 1
        else:
            two |= one & wide(1) << face
            one |= wide(1) << face
    hand[0], hand[1], hand[2] = one, two, jokers


@compiled
def _more_to_lay(seen: Any, mask: Any) -> bool:
    """Whether a further card may be laid."""
    return seen.laid_size > 0 and read_bits(mask, ALSO, NUM_FACES) != 0


@compiled
def _begins_with(row: Any, seen: Any) -> bool:
    for i in range(wide(seen.laid_size)):
        if row[i] != seen.laid[i] - 1:
            return False
    return True


# Discards -------------------------------------------------------------------------------------------------------------


@compiled
def _without(discard: int, hand: Any, rest: Any) -> None:
    """Write what is left of a hand."""
    one, two, jokers = wide(hand[0]), wide(hand[1]), wide(hand[2])
    gone = wide(0)
    if discard == JOKER:
        jokers -= 1
    elif discard < _SETS:
        gone = wide(1) << discard
    elif discard < _RUNS:
        both = ACES << discard - _SETS
        one, two = one & ~both, two & ~both
    else:
        low, size = (discard - _RUNS) // _MOST, (discard - _RUNS) % _MOST
        gone = one & ((wide(1) << size) - 1) << low
        jokers -= size - popcount(gone)
    rest[0], rest[1], rest[2] = one & ~gone | two & gone, two & ~gone, jokers


@compiled
def _write_row(discard: int, hand: Any, row: Any) -> int:
    """Write the cards of a discard in the order in which they are laid; how many they are."""
    if discard < _SETS:
        row[0] = discard
        return wide(1)
    size = wide(0)
    if discard < _RUNS:
        both = wide(hand[0]) & ACES << discard - _SETS
        while both:
            face = lowest(both)
            both &= both - 1
            for _ in range(1 + (wide(hand[1]) >> face & 1)):
                row[size] = face
                size += 1
        return size
    low, length = (discard - _RUNS) // _MOST, (discard - _RUNS) % _MOST
    for face in range(low, low + length):
        row[size] = face if wide(hand[0]) >> face & 1 else wide(JOKER)
        size += 1
    return size


@compiled
def _list_discards(hand: Any, out: Any) -> int:
    """Write the number of every discard of a hand, whole sets only; how many they are."""
    one, two, jokers = wide(hand[0]), wide(hand[1]), wide(hand[2])
    count = wide(0)
    if jokers:
        out[count] = JOKER
        count += 1
    ranks, held, tried = wide(0), one, wide(0)
    while held:
        face = lowest(held)
        held &= held - 1
        out[count] = face
        count += 1
        rank = face % NUM_RANKS
        both = ACES << rank
        if not ranks >> rank & 1 and popcount(one & both) + popcount(two & both) > 1:
            ranks |= wide(1) << rank
            out[count] = _SETS + rank
            count += 1
        for low in range(face - min(jokers, rank), face + 1):
            if tried >> low & 1:
                continue
            tried |= wide(1) << low
            for length in range(3, min(wide(HAND_SIZE), NUM_RANKS - low % NUM_RANKS) + 1):
                if length - popcount(one & ((wide(1) << length) - 1) << low) <= jokers:
                    out[count] = _RUNS + low * _MOST + length
                    count += 1
    return count


@compiled
def _cost(hand: Any, limit: int) -> int:
    """What a hand costs, in tenths of a point."""
    total, shed = value_of(wide(hand[0])) + value_of(wide(hand[1])), wide(0)
    discards, rest = scratch(64), scratch(3)
    for i in range(_list_discards(hand, discards)):
        _without(wide(discards[i]), hand, rest)
        shed = max(shed, total - value_of(wide(rest[0])) - value_of(wide(rest[1])))
    return POINT * total - SHED * shed - (READY if total <= limit else 0)


@compiled
def _with(hand: Any, face: int, more: Any) -> None:
    more[0], more[1], more[2] = hand[0], hand[1], hand[2]
    if face == JOKER:
        more[2] += 1
    else:
        more[1] |= more[0] & wide(1) << face
        more[0] |= wide(1) << face


@compiled
def _best_discard(seen: Any, hand: Any) -> int:
    discards, rest, more = scratch(64), scratch(3), scratch(3)
    limit, best, least = wide(seen.rules.call_limit), wide(-1), wide(0)
    for i in range(_list_discards(hand, discards)):
        _without(wide(discards[i]), hand, rest)
        cost = _cost(rest, limit) + STOCK
        for face in range(NUM_FACES):
            if seen.ends[face]:
                _with(rest, wide(face), more)
                cost = min(cost, _cost(more, limit))
        if best < 0 or cost < least:
            best, least = wide(discards[i]), cost
    return best


@compiled
def _draw(seen: Any, mask: Any) -> int:
    """The stock, or the end of the discard before that makes the cheaper hand."""
    hand, more, limit = scratch(3), scratch(3), wide(seen.rules.call_limit)
    hand[0], hand[1] = read_bits(seen.hand, 0, NUM_FACES) & NATURALS, 0
    for face in range(JOKER):
        hand[1] |= wide(seen.hand[face] > 1) << face
    hand[2] = seen.hand[JOKER]
    best, least = wide(DRAW_STOCK), _cost(hand, limit) + STOCK
    for face in range(NUM_FACES):
        if seen.ends[face]:
            _with(hand, wide(face), more)
            cost = _cost(more, limit)
            if cost < least:
                best, least = wide(TAKE_LAST) if seen.ends[face] == 2 else wide(TAKE_FIRST), cost
    return best


# The call -------------------------------------------------------------------------------------------------------------


@compiled
def _calls(seen: Any, hand: Any) -> bool:
    total = value_of(wide(hand[0])) + value_of(wide(hand[1]))
    highest = total if seen.rules.tie == TIE_IS_ASAF else total - 1  # that beats the call
    safe = wide(WHOLE)
    for place in range(1, wide(seen.num_players)):
        if not seen.out[place]:
            safe = safe * (WHOLE - _chance_of_less(seen, place, highest)) // WHOLE
    return (WHOLE - safe) * (total + seen.rules.penalty) <= STAKE * WHOLE


@compiled
def _chance_of_less(seen: Any, place: int, highest: int) -> int:
    """How likely a hand has at most so many points, in parts of WHOLE."""
    unknown = wide(seen.hand_size[place])
    for face in range(NUM_FACES):
        unknown -= seen.known[place, face]
        highest -= seen.known[place, face] * VALUES[face]
    if highest < 0:
        return wide(0)
    weights, sums, next_sums = scratch(11), scratch(_SUMS), scratch(_SUMS)
    all_weights = _weigh_unseen(seen, weights)
    for s in range(_SUMS):
        sums[s] = 0
    sums[0] = WHOLE
    for _ in range(unknown):
        for s in range(highest + 1):
            next_sums[s] = 0
            for value in range(min(s, wide(10)) + 1):
                next_sums[s] += sums[s - value] * weights[value]
        for s in range(highest + 1):
            sums[s] = next_sums[s] // all_weights
    chance = wide(0)
    for s in range(highest + 1):
        chance += sums[s]
    return chance


@compiled
def _weigh_unseen(seen: Any, weights: Any) -> int:
    """The weight of the unseen cards of each value, 0 to 10; the weight of all."""
    packs = 1 + (seen.num_players > 3) if seen.rules.packs == AUTO_PACKS else wide(seen.rules.packs)
    for value in range(11):
        weights[value] = 0
    total = wide(0)
    for face in range(NUM_FACES):
        left = copies_of(face, packs) - seen.hand[face] - seen.pile[face]
        for place in range(1, wide(seen.num_players)):
            left -= seen.known[place, face]
        weight = left * (LEANING - VALUES[face])
        weights[VALUES[face]] += weight
        total += weight
    return max(total, wide(1))
