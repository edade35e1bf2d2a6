"""Is the least deadwood the least? Against a search that tries every way to put cards into melds, card by card."""

from __future__ import annotations

import functools
import random

import numpy as np
import pytest
from card_masks import mask_of_text

from banakil_env.kit.melds.deadwood import (
    LAYS,
    NUM_LAYS,
    best_melded,
    best_sets,
    deadwood,
    deadwood_of_ten,
    discards_within,
    lays_within,
    points_in,
)
from banakil_env.kit.melds.runs_and_sets import is_meld
from banakil_env.kit.pack52 import FACES, faces_of, mask_of


def value(face: int) -> int:
    return min(face % 13 + 1, 10)


def melds_with(card: int, cards: frozenset[int]) -> list[frozenset[int]]:
    """Every meld, of any length, of these cards that has the card in it."""
    same = [face for face in range(card % 13, 52, 13) if face in cards and face != card]
    found = [frozenset(same) | {card}] if len(same) >= 2 else []
    found += [frozenset(same) - {face} | {card} for face in same] if len(same) == 3 else []
    first = last = card
    while first % 13 > 0 and first - 1 in cards:
        first -= 1
    while last % 13 < 12 and last + 1 in cards:
        last += 1
    for low in range(first, card + 1):
        found += [frozenset(range(low, high + 1)) for high in range(max(card, low + 2), last + 1)]
    return found


@functools.cache
def slow_deadwood(cards: frozenset[int]) -> int:
    """The lowest card is in no meld, or in one of those that it can be in."""
    if not cards:
        return 0
    card = min(cards)
    least = value(card) + slow_deadwood(cards - {card})
    return min([least, *(slow_deadwood(cards - meld) for meld in melds_with(card, cards))])


def some_hand(dice: random.Random, size: int) -> frozenset[int]:
    """A hand; of few ranks or of neighbours, so that its melds get in each other's way."""
    ranks = dice.sample(range(13), dice.choice([4, 5, 13]))
    if dice.random() < 0.5:
        low = dice.randrange(9)
        ranks = list(range(low, low + dice.randint(4, 5)))
    pool = [13 * suit + rank for suit in range(4) for rank in ranks]
    return frozenset(dice.sample(pool, min(size, len(pool))))


def mask(cards: frozenset[int]) -> np.int64:
    return np.int64(mask_of(cards))


def test_twenty_thousand_hands(long):
    dice = random.Random(5)
    for number in range(200_000 if long else 20_000):
        hand = some_hand(dice, dice.choice([3, 7, 10, 11]))
        assert deadwood(mask(hand)) == slow_deadwood(hand), FACES.text(sorted(hand))
        if number % 5000 == 0:
            slow_deadwood.cache_clear()


def test_what_is_melded_can_be_laid():
    """Sets of three or four, and runs; the rest is the deadwood."""
    dice = random.Random(6)
    for _ in range(3000):
        hand = mask(some_hand(dice, 11))
        sets, melded = int(best_sets(hand)), int(best_melded(hand))
        assert sets & ~melded == 0
        assert melded & ~int(hand) == 0
        assert all(sum(face % 13 == rank for face in faces_of(sets)) in (0, 3, 4) for rank in range(13))
        runs = melded & ~sets
        for face in faces_of(runs):
            assert any(melds_with(face, frozenset(faces_of(runs)))), FACES.text(faces_of(hand))
        assert points_in(hand & ~np.int64(melded)) == deadwood(hand)


def test_discards_within_a_limit():
    dice = random.Random(7)
    for _ in range(3000):
        hand, limit = some_hand(dice, 11), dice.randrange(11)
        allowed = mask(frozenset(face for face in hand if dice.random() < 0.8))
        wanted = [f for f in sorted(hand) if int(allowed) >> f & 1 and slow_deadwood(hand - {f}) <= limit]
        assert faces_of(discards_within(mask(hand), np.int64(limit), allowed)) == wanted
    slow_deadwood.cache_clear()


def test_lays_within_a_limit():
    assert NUM_LAYS == 4 * (11 + 10 + 9) + 13 * 5
    assert all(is_meld(meld) for meld in LAYS)
    dice, out = random.Random(8), np.zeros(NUM_LAYS + 2, np.int8)
    for _ in range(1000):
        hand, limit = some_hand(dice, 10), dice.randrange(30)
        out[:] = 0
        lays_within(mask(hand), np.int64(limit), out, np.int64(2))
        melds = [frozenset(faces_of(int(meld))) for meld in LAYS]
        assert out[2:].tolist() == [meld <= hand and slow_deadwood(hand - meld) <= limit for meld in melds]
    slow_deadwood.cache_clear()


@pytest.mark.parametrize(
    ("hand", "points"),
    [
        ("", 0),
        ("Ah 2h 3h", 0),
        ("Qs Ks As", 21),
        ("7c 7d 7h 7s 8s 9s", 0),
        ("5h 5c 5s 4h 6h Kd", 20),
        ("4c 4d 4h 5h 6h", 8),
        ("3c 3d 3h 3s 4s 5s 4d 5d 6d Kh", 10),
    ],
)
def test_hands_that_a_person_can_check(hand, points):
    assert deadwood(mask_of_text(hand)) == points


def test_an_arrangement_may_hide_a_better_discard():
    """Two sets or two runs leave 16; the runs leave the six over, the sets a five."""
    hand = mask_of_text("4s 5s 6s 4c 6c 3d Ah 2h 4h 5h 6h")
    assert deadwood(hand) == 16
    assert deadwood_of_ten(hand) == 11
    assert discards_within(hand, np.int64(10), hand) == mask_of_text("6c")


def test_more_cards_than_a_hand_can_hold_take_no_time():
    """An observation that nobody dealt can hold them; each further rank would take six times as long."""
    whole = frozenset(range(52))
    assert best_melded(mask(whole)) == mask(whole)
    assert deadwood(mask(whole)) == 0
    dice = random.Random(9)
    for size in (20, 30, 40, 51):
        cards = frozenset(dice.sample(range(52), size))
        melds = [frozenset(faces_of(int(meld))) for meld in LAYS]
        laid = frozenset(faces_of(best_melded(mask(cards))))
        assert laid <= cards
        assert all(any(card in meld and meld <= laid for meld in melds) for card in laid), (
            "each lies in a meld of these"
        )
