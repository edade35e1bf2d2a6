"""Do the columns about the contract say what a hand lacks, which cards bring it nearer, and what the upcard brings?"""

from __future__ import annotations

import random
from collections import Counter

import numpy as np
import pytest
from contract_rummy_tables import table as contract
from kalooki_tables import table as kalooki
from rests_seen import numbers_at, rests_at

from banakil_env.games import find
from banakil_env.kit.contracts.distance import lacking
from banakil_env.kit.pack52 import FACES, NUM_FACES, NUM_RANKS, NUM_SUITS

SET_AND_RUN, TWO_RUNS = "rules: denexa contract=2", "rules: denexa contract=3"
CONTRACT, KALOOKI = find("contract"), find("kalooki")


# A plain count, from the description in `kit/contracts/distance.py` -----------------------------------------------


def plain_lacks(held: Counter[int], hidden: set[int], sets: int, runs: int, apart: bool) -> int:
    """The cards that a hand lacks: runs with the most cards first, then the ranks with the most cards."""
    left, lacks, suits = Counter(held), 0, set(range(NUM_SUITS))
    alive = held.keys() | hidden
    for _ in range(runs):
        windows = [
            (suit, [NUM_RANKS * suit + (low + i) % NUM_RANKS for i in range(4)])
            for suit in range(NUM_SUITS)
            for low in range(NUM_RANKS - 2)
        ]
        windows = [(suit, cards) for suit, cards in windows if suit in suits and alive.issuperset(cards)]
        suit, best = max(windows, key=lambda window: sum(left[card] > 0 for card in window[1]), default=(0, []))
        found = [card for card in best if left[card] > 0]
        lacks += 4 - len(found)
        left.subtract(found)
        if apart and found:
            suits.discard(suit)
    begun = []
    for rank in range(NUM_RANKS):
        count = sum(left[face] for face in range(rank, NUM_FACES, NUM_RANKS))
        waits = any(face % NUM_RANKS == rank for face in hidden)
        begun += [3] * (count // 3) + ([count % 3] if waits else [])
    return lacks + sum(3 - most for most in sorted([*begun, *[0] * sets], reverse=True)[:sets])


def dealt(dice: random.Random) -> tuple[Counter[int], set[int]]:
    """A hand from two packs, and the faces of which a card is hidden."""
    pack = [*range(NUM_FACES), *range(NUM_FACES)]
    dice.shuffle(pack)
    hand, seen = dice.randint(0, 16), dice.choice((0, 20, 60))
    return Counter(pack[:hand]), set(pack[hand + seen :])


def masks(held: Counter[int], hidden: set[int]) -> tuple[np.int64, np.int64, np.int64]:
    one, two = (np.int64(sum(1 << face for face in held if held[face] >= copies)) for copies in (1, 2))
    return one, two, np.int64(sum(1 << face for face in hidden))


def counted(held: Counter[int], hidden: set[int], sets: int, runs: int, apart: bool = False) -> tuple[int, set[int]]:
    lacks, nearer = lacking(*masks(held, hidden), np.int64(sets), np.int64(runs), apart)
    return int(lacks), {face for face in range(NUM_FACES) if int(nearer) >> face & 1}


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize(("sets", "runs"), [(2, 0), (3, 0), (4, 0), (0, 1), (0, 2), (1, 1), (2, 1), (1, 2), (0, 4)])
def test_a_hand_lacks_what_a_plain_count_says(sets, runs, apart):
    dice = random.Random(sets * 8 + runs)
    for _ in range(150):
        held, hidden = dealt(dice)
        assert counted(held, hidden, sets, runs, apart)[0] == plain_lacks(held, hidden, sets, runs, apart)


@pytest.mark.parametrize(("sets", "runs"), [(2, 0), (3, 0), (4, 0), (0, 1)])
def test_exactly_the_cards_bring_it_nearer_with_which_it_lacks_fewer(sets, runs):
    dice = random.Random(sets * 8 + runs)
    for _ in range(60):
        held, hidden = dealt(dice)
        lacks, nearer = counted(held, hidden, sets, runs)
        fewer = {face for face in hidden if plain_lacks(held + Counter([face]), hidden, sets, runs, False) < lacks}
        assert nearer == fewer


def test_what_is_met_lacks_nothing_and_waits_for_nothing():
    held = Counter(FACES.parse_all("7c 7d 7h 9c 9c 9s"))
    assert counted(held, set(range(NUM_FACES)), 2, 0) == (0, set())
    assert counted(held, set(range(NUM_FACES)), 0, 0) == (0, set())


def test_a_pair_whose_rank_is_gone_is_no_beginning():
    held = Counter(FACES.parse_all("7c 7d"))
    gone = set(range(NUM_FACES)) - {face for face in range(NUM_FACES) if FACES.names[face][0] == "7"}
    assert counted(held, set(range(NUM_FACES)), 1, 0)[0] == 1
    assert counted(held, gone, 1, 0)[0] == 3


def test_runs_of_one_suit_do_not_go_together_where_suits_must_differ():
    held = Counter(FACES.parse_all("3c 4c 5c 6c 8c 9c Tc Jc"))
    assert counted(held, set(range(NUM_FACES)), 0, 2, False)[0] == 0
    assert counted(held, set(range(NUM_FACES)), 0, 2, True)[0] == 4


# What a network sees ----------------------------------------------------------------------------------------------


DRAW, DOWN = "turn: seat 0, draw", "melds 0: 7c 7d 7h | 8c 8d 8h"


def test_what_each_discard_leaves_of_the_way_to_the_contract():
    """Two sets are asked: a pair with a third card and a pair lack one; without 7c two pairs lack two."""
    numbers = rests_at(CONTRACT, contract("hand 0: 7c 7d 7h 9c 9d Kh 2s"))
    assert {card: numbers["rest_lacks"][card] for card in ("Kh", "9c", "7c")} == {"Kh": 1, "9c": 2, "7c": 2}
    assert numbers["rest_nearer"]["Kh"] == 4  # 9c, 9d, 9h and 9s
    assert numbers["rest_nearer"]["7c"] == 8


def test_a_run_is_nothing_where_sets_are_asked():
    hand = "hand 0: 3h 4h 5h 6h 9c 9d Kh"
    assert rests_at(CONTRACT, contract(hand))["rest_loose"]["Kh"] == 2
    assert rests_at(CONTRACT, contract(hand))["rest_lacks"]["Kh"] == 3
    assert rests_at(CONTRACT, contract(TWO_RUNS, hand))["rest_lacks"]["Kh"] == 3
    assert rests_at(CONTRACT, contract(SET_AND_RUN, hand))["rest_lacks"]["Kh"] == 1


def test_a_seat_with_melds_lacks_nothing():
    numbers = rests_at(CONTRACT, contract("hand 0: 9c 9d Kh", DOWN))
    assert not any(numbers["rest_lacks"].values())
    assert not any(numbers["rest_nearer"].values())


@pytest.mark.parametrize(
    ("upcard", "lacks", "helps"),
    [("9h", 0, 1), ("Kc", 1, 0), ("7s", 1, 1), ("JK", 1, 1)],
)
def test_what_the_upcard_brings(upcard, lacks, helps):
    """A third nine meets the contract, a king brings nothing, and a fourth seven is in the set."""
    found = numbers_at(CONTRACT, contract(DRAW, "hand 0: 7c 7d 7h 9c 9d Kh 2s", f"pile: 4d {upcard}"))
    assert (found["hand_lacks"], found["with_upcard_lacks"], found["upcard_helps"]) == (1, lacks, helps)
    assert (found["hand_loose"], found["hand_points"]) == (4, 9 + 9 + 10 + 2)


def test_the_upcard_fits_a_meld_once_the_seat_is_down():
    fits = numbers_at(CONTRACT, contract(DRAW, "hand 0: 9c Kh", DOWN, "pile: 4d 7s"))
    other = numbers_at(CONTRACT, contract(DRAW, "hand 0: 9c Kh", DOWN, "pile: 4d Qs"))
    assert (fits["upcard_helps"], fits["with_upcard_loose"]) == (1, 2)
    assert (other["upcard_helps"], other["with_upcard_loose"]) == (0, 3)


def test_nothing_is_said_of_the_upcard_where_nobody_is_asked():
    found = numbers_at(CONTRACT, contract("hand 0: 7c 7d 7h 9c 9d Kh 2s", "pile: 4d 9h"))
    assert found["hand_lacks"] == 1
    assert not any(number for name, number in found.items() if "upcard" in name)


def test_kalooki_asks_for_three_threes():
    found = numbers_at(KALOOKI, kalooki(DRAW, "hand 0: 7c 7d 7h 9c 9d Kh 2s 5c 4d", "pile: Kd"))
    assert (found["hand_lacks"], found["with_upcard_lacks"], found["upcard_helps"]) == (3, 2, 1)
