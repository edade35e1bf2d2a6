"""Does the hand solver find the best? Brute force by the referee's reading of the rules, and cases by hand."""

from __future__ import annotations

import random
from collections import Counter
from functools import lru_cache
from itertools import combinations

import numpy as np
import pytest
from positions import _random_meld
from referee import NATURALS, PACK, SUITS, exchange, grow, is_sequence, is_set, is_thirteen, is_two, is_wild

from banakil_env.core.game import PositionError
from banakil_env.games import banakil
from banakil_env.games.banakil.faces import FACES
from banakil_env.games.banakil.layouts.bound import cards_left_at_least
from banakil_env.games.banakil.layouts.layout import best_layout
from banakil_env.games.banakil.layouts.sequences import NONE, TABLE_SIZE, Suit, entry, solve_suit
from banakil_env.games.banakil.layouts.weights import BY_CARDS, BY_VALUE, laid_cards, packed, weights_of
from banakil_env.games.banakil.solver import solve

VALUES = {**dict.fromkeys("3456", 1), **dict.fromkeys("789TJQK", 2), "A": 3, "2": 4, "J": 8}


def value(card: str) -> int:
    """Half points of a card (B1.5)."""
    return 8 if card == "JK" else 2 if card[0] == "J" else VALUES[card[0]]


# Brute force -----


@lru_cache(None)
def melds_with_first(cards: tuple[str, ...]) -> list[tuple[str, ...]]:
    """Every meld that the first of these cards, a natural, makes with the others."""
    first, rest = cards[0], sorted(set(cards[1:]))
    found = []
    if first[0] in "3A":
        others = [card for card in rest if card == "JK" or (card[0] == first[0] and card != first)]
        found += [(first, *more) for n in (2, 3) for more in combinations(others, n) if is_set((first, *more))]
    suit = [card for card in rest if not is_wild(card) and card[1] == first[1] and card != first]
    twos, jokers = [card for card in rest if is_two(card)], [card for card in rest if card == "JK"]
    wilds = [(*two, *joker) for two in [(), *((t,) for t in twos[:1])] for joker in [(), *((j,) for j in jokers)]]
    for n in range(len(suit) + 1):
        for more in combinations(suit, n):
            for wild in wilds:
                meld = tuple(sorted((first, *more, *wild)))
                if len(meld) >= 3 and (is_sequence(meld) or is_thirteen(meld)):
                    found.append(meld)
    return list(dict.fromkeys(found))


@lru_cache(None)
def best_new(cards: tuple[str, ...], by: int) -> int:
    """The most that new melds lay down of these cards, naturals first."""
    if not cards or is_wild(cards[0]):
        return 0
    best = best_new(cards[1:], by)
    for meld in melds_with_first(cards):
        rest = list(cards)
        for card in meld:
            rest.remove(card)
        best = max(best, packed(sum(map(value, meld)), len(meld), by) + best_new(tuple(rest), by))
    return best


def in_order(cards: Counter) -> tuple[str, ...]:
    return tuple(sorted(cards.elements(), key=lambda card: (is_wild(card), card)))


def laid_off(hand: list[str], melds: list[tuple[str, ...]], fixed: bool, sets_too: bool) -> set[tuple]:
    """What laying off in every order comes to: the value that is laid, and the cards that are left."""
    start = (in_order(Counter(hand)), tuple(sorted(melds)))
    seen, waiting, found = {start}, [start], set()
    before = sum(map(value, sum(melds, ())))
    while waiting:
        cards, table = waiting.pop()
        found.add((sum(map(value, sum(table, ()))) - before, cards))
        for after in lay_offs(cards, table, fixed, sets_too):
            if after not in seen:
                seen.add(after)
                waiting.append(after)
    return found


def best_by_force(found: set[tuple], size: int, by: int) -> int:
    """Of a hand of `size` cards: the best new melds of what is left, each time."""
    return max(packed(laid, size - len(cards), by) + best_new(cards, by) for laid, cards in found)


def lay_offs(cards, table, fixed, sets_too):
    for place, card in enumerate(cards):
        if card in cards[:place]:
            continue
        rest = cards[:place] + cards[place + 1 :]
        for i, meld in enumerate(table):
            others = table[:i] + table[i + 1 :]
            for end in ("low", "high") if is_wild(card) else ("",):
                if grown := grow(meld, card, end, fixed):
                    yield rest, tuple(sorted((*others, grown)))
            if (sets_too or not is_set(meld)) and (changed := exchange(meld, card, fixed)):
                yield (*rest, "JK"), tuple(sorted((*others, changed)))  # a Joker is the last of `in_order`


# The solver -----


def masks(cards) -> tuple[int, int]:
    counts = Counter(FACES.parse(card) for card in cards)
    return sum(1 << f for f in counts), sum(1 << f for f, n in counts.items() if n == 2)


def packed_melds(melds: list[tuple[str, ...]], rules: str):
    """The melds as the engine packs them."""
    out = np.zeros(35, np.int64)
    if melds:
        table = " | ".join(" ".join(meld) for meld in melds)
        state = banakil.from_text(f"rules: {rules}\nmelds 0: {table}\npile:\nturn: seat 0, draw")
        out[: len(melds)] = state.melds[: len(melds)]
    return out


def solved(hand, melds, rules="pagat", ace_value=3) -> dict[int, int]:
    """What the solver finds, by each of the aims."""
    one, both = masks(hand)
    fixed, sets_too, table = "fixed" in rules, "set_joker_exchange=no" not in rules, packed_melds(melds, rules)
    return {
        by: best_layout(one, both, table, len(melds), by, fixed, sets_too, ace_value) for by in (BY_VALUE, BY_CARDS)
    }


def random_hand(rng: random.Random, pack: list[str], size: int) -> list[str]:
    """Cards that have much to do with each other: of few suits, near in rank, with wilds, or Threes and Aces."""
    kind = rng.randrange(5)
    suits = rng.sample(SUITS, rng.choice((1, 1, 2, 2, 4)))
    low = rng.randrange(12)
    near = [r + s for s in suits for i, r in enumerate("3456789TJQKA") if low - 4 <= i <= low + 4]
    wanted = {
        0: pack,
        1: [*near, "JK", "2c", "2d"],
        2: [c for c in NATURALS if c[0] in "3A"] + near + ["JK"],
        3: [c for c in NATURALS if c[1] in suits] + ["2h", "2s", "JK"],
        4: [*near, "2c", "2d", "2h", "2s", "JK"],
    }[kind]
    chosen = [card for card in pack if card in wanted]
    return rng.sample(chosen, min(size, len(chosen)))


def test_without_melds_it_equals_brute_force(amount):
    rng = random.Random(1)
    for i in range(amount(3_000, 9_000, 100_000)):
        hand = random_hand(rng, PACK, rng.randrange(1, 13))
        for by, best in solved(hand, []).items():
            assert best == best_new(in_order(Counter(hand)), by), (hand, by)
        if i % 100 == 0:
            best_new.cache_clear()
            melds_with_first.cache_clear()


@pytest.mark.parametrize("rules", ["pagat", "pagat wilds=fixed", "pagat set_joker_exchange=no"])
def test_with_melds_on_the_table_it_equals_brute_force(rules, amount):
    rng = random.Random(2)
    fixed, sets_too = "fixed" in rules, "set_joker_exchange=no" not in rules
    for i in range(amount(1_000, 4_000, 40_000)):
        pack = rng.sample(PACK, len(PACK))
        melds = []
        for _ in range(rng.choice((1, 1, 2, 2, 3))):
            meld = _random_meld(rng, pack, fixed)
            if meld:
                melds.append(meld)
                for card in meld:
                    pack.remove(card)
        size = rng.randrange(1, max(2, 13 - sum(map(len, melds)) // 3))
        hand = random_hand(rng, pack, size)
        found = laid_off(hand, melds, fixed, sets_too)
        for by, best in solved(hand, melds, rules).items():
            assert best == best_by_force(found, len(hand), by), (hand, melds, by)
        if i % 100 == 0:
            best_new.cache_clear()
            melds_with_first.cache_clear()


@pytest.mark.parametrize("rules", ["pagat", "pagat wilds=fixed"])
def test_the_bound_is_never_above_the_cards_that_stay(rules, amount):
    rng = random.Random(3)
    fixed, tight, rounds = "fixed" in rules, 0, amount(1_500, 6_000, 60_000)
    for _ in range(rounds):
        pack = rng.sample(PACK, len(PACK))
        melds = []
        for _ in range(rng.choice((0, 0, 1, 2, 4))):
            meld = _random_meld(rng, pack, fixed)
            if meld:
                melds.append(meld)
                for card in meld:
                    pack.remove(card)
        hand = random_hand(rng, pack, rng.randrange(1, 14 if melds else 19))
        one, both = masks(hand)
        table = packed_melds(melds, rules)
        bound = cards_left_at_least(one, both, table, len(melds), fixed)
        answer = best_layout(one, both, table, len(melds), BY_CARDS, fixed, True, 3)
        assert bound <= len(hand) - laid_cards(answer, BY_CARDS), (hand, melds)
        tight += bound == len(hand) - laid_cards(answer, BY_CARDS)
    assert tight > rounds / 4  # and it is of use


# Cases -----


def test_the_example_that_explains_the_sequences():
    """5c 6c 8c and one Two: nothing without the Two, four cards with it (`layouts/sequences.py`)."""
    clubs = sum(1 << "3456789TJQKA".index(rank) for rank in "568")
    suit = Suit(clubs, 0, 1, 0, 0, 0, 0, False, False, weights_of(BY_CARDS, 3))
    table = np.full(TABLE_SIZE, NONE, np.int64)
    solve_suit(suit, table)
    found = {i: laid_cards(int(total), BY_CARDS) for i, total in enumerate(table) if total != NONE}
    assert found == {entry(0, 0, 0, 0): 0, entry(0, 0, 1, 0): 4}


@pytest.mark.parametrize(
    ("hand", "melds", "value", "left"),
    [
        ("5h 2c 7h", "", 3.5, ""),  # a Two in the gap
        ("Tc JK 2h", "", 7, ""),  # one natural, a Two and a Joker (B3.1)
        ("3c 3h 2s", "", 0, "3c 3h 2s"),  # no Two in a set (B4.2)
        ("Ah As JK", "", 7, ""),
        ("3c 3h 3h", "", 0, "3c 3h 3h"),  # different suits (B4.1)
        ("3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks As 2d", "", 12.5, ""),  # the thirteenth card (B3.3)
        ("3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks As JK", "", 14.5, ""),  # ten in one, and A-K with the Joker
        ("2d", "3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks As", 0, "2d"),  # a Two is never added to twelve naturals
        ("6h 3c 3d", "5h JK 7h", 1.5, ""),  # the Joker comes out and makes a set
        ("5c 6c 7c 7d 8d 9d 7h 2h", "", 5.0, "7h 2h"),
        ("3c 4c 5c 3d 3h 3c", "", 3.0, ""),  # both Threes of clubs, one in each kind of meld
    ],
)
def test_cases_by_hand(hand, melds, value, left):
    layout = solve(hand, melds, by="value")
    if "7h 2h" in left:
        assert layout.value >= value  # the Two lengthens one of the two
    else:
        assert (layout.value, " ".join(layout.left)) == (value, left)


def test_the_way_it_names_is_legal_and_gives_what_it_says():
    layout = solve("3c 4c 5c 2h Kd", melds="7h 8h 9h")
    state = banakil.from_text("turn: seat 0, play\nhand 0: 3c 4c 5c 2h Kd\nmelds 0: 7h 8h 9h\npile:")
    for action in layout.actions:
        banakil.apply(state, banakil.parse_action(action))
    assert [FACES.names[action - 711] for action in banakil.legal_actions(state)] == ["Kd"] == list(layout.left)
    assert (layout.away, layout.points) == (0, 20 + 3 + 1.5 + 2)


def test_points_prefer_a_hand_then_what_is_on_the_table_then_nothing_at_all():
    assert solve("3c 4c 5c Kd").points == 40
    assert solve("3c 4c 5c Kd", rules="jawaker").points == 101
    assert solve("7h Kd", melds="3c 4c 5c").points == 1.5 - 2
    poor = solve("3c 4c 5c 2h 2d JK JK As Kd Kc Qd Tc Ts")  # all that can be laid down is laid down
    assert poor.points > -20
    assert poor.actions
    assert solve("3c 5d 7h 9s").points == -20


def test_the_partners_melds_are_added_to_after_one_of_ones_own():
    alone = solve("8c 9c Kd", partner_melds="5c 6c 7c", by="cards")
    assert alone.actions == ()
    opened = solve("8c 9c 3d 3h 3s Kd", partner_melds="5c 6c 7c", by="cards")
    assert (opened.actions[0], opened.left) == ("open 3d 3h 3s", ("Kd",))


def test_an_unknown_aim_is_refused():
    with pytest.raises(ValueError, match="by must be 'value', 'cards', 'points', not 'luck'"):
        solve("3c", by="luck")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"hand": "3c 4x"}, "^hand: no card is called '4x'"),
        ({"hand": "3c", "melds": "7h 8h"}, "^melds: 7h 8h is not a meld"),
        ({"hand": "3c", "partner_melds": "7h 8h"}, "^melds of the partner: 7h 8h is not a meld"),
        ({"hand": "3c", "rules": "nope"}, "^rules: unknown rules 'nope'"),
    ],
)
def test_an_error_names_the_argument_and_no_line(arguments: dict[str, str], message: str) -> None:
    with pytest.raises(PositionError, match=message):
        solve(**arguments)
