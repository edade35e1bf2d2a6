"""Simple players of Tonk, to measure `greedy` against: they lay down and hit all that goes, and discard high cards."""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import lowest, popcount, read_bits
from banakil_env.core.jit import compiled
from banakil_env.core.masks import legal_at
from banakil_env.games.tonk.state import (
    A_CALL,
    A_DISCARD,
    A_DRAW,
    A_DROP,
    A_OPEN_RUN,
    A_TAKE,
    A_TONK,
)
from banakil_env.kit.melds.deadwood import points_in
from banakil_env.kit.melds.high_ace import completing, melded, places
from banakil_env.kit.pack52 import NUM_FACES, NUM_RANKS, VALUES, bit_of

LOW = 15  # a hand of at most this number of points is dropped


@compiled
def _play(mask: Any, hand: int) -> int:
    """The first of all that can be laid down; then the highest card in no spread, one that pairs with none first."""
    for action in range(A_OPEN_RUN, A_DISCARD):
        if mask[action]:
            return action
    discards, best, most = read_bits(mask, A_DISCARD, NUM_FACES), -1, -1
    if discards == 0:
        return legal_at(mask, 0)
    while discards:
        face = lowest(discards)
        discards &= discards - 1
        rest = hand & ~bit_of(face)
        worth = VALUES[face % NUM_RANKS] - 100 * popcount(melded(hand) & ~melded(rest)) + popcount(completing(rest))
        if best < 0 or worth > most:
            best, most = face, worth
    return A_DISCARD + best


@compiled
def _answer(mask: Any) -> int:
    """A tonk is shown and a discard called; -1: nothing is asked."""
    if mask[A_TONK]:
        return A_TONK
    return A_CALL if mask[A_CALL] else (-1)


@compiled
def _goes(seen: Any, hand: int) -> bool:
    """Whether the top of the pile makes a spread with the hand, or fits one on the table."""
    fits = places(read_bits(seen.runs, 0, NUM_FACES), read_bits(seen.sets, 0, NUM_FACES)) | completing(hand)
    for face in range(NUM_FACES):
        if seen.pile[face] == 1:
            return fits >> face & 1 != 0
    return False


@compiled
def at_once(seen: Any, mask: Any, generator: Any) -> int:
    """Drops in its first turn."""
    answer = _answer(mask)
    if answer >= 0:
        return answer
    return A_DROP if mask[A_DROP] else _play(mask, read_bits(seen.hand, 0, NUM_FACES))


@compiled
def never(seen: Any, mask: Any, generator: Any) -> int:
    """Never drops; takes what goes."""
    hand, answer = read_bits(seen.hand, 0, NUM_FACES), _answer(mask)
    if answer >= 0:
        return answer
    if mask[A_DRAW]:
        return A_TAKE if _goes(seen, hand) else A_DRAW
    return _play(mask, hand)


@compiled
def from_stock(seen: Any, mask: Any, generator: Any) -> int:
    """Drops a low hand; always draws from the stock."""
    hand, answer = read_bits(seen.hand, 0, NUM_FACES), _answer(mask)
    if answer >= 0:
        return answer
    if mask[A_DRAW]:
        return A_DROP if points_in(hand) <= LOW else A_DRAW
    return _play(mask, hand)


@compiled
def low(seen: Any, mask: Any, generator: Any) -> int:
    """Drops a low hand; takes what goes."""
    hand, answer = read_bits(seen.hand, 0, NUM_FACES), _answer(mask)
    if answer >= 0:
        return answer
    if mask[A_DRAW]:
        if points_in(hand) <= LOW:
            return A_DROP
        return A_TAKE if _goes(seen, hand) else A_DRAW
    return _play(mask, hand)


SIMPLE = {"at_once": at_once, "never": never, "from_stock": from_stock, "low": low}
