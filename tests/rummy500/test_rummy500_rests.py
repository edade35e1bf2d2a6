"""What do networks of 500 Rummy see of each discard: what it leaves, what it gives, and what it takes from the hand?"""

from __future__ import annotations

import itertools
from collections.abc import Set

import numpy as np
import pytest
from rests_seen import rests_at
from rummy500_tables import at, random_states

from banakil_env.games import find
from banakil_env.kit.pack52 import FACES, NUM_FACES, NUM_RANKS
from banakil_env.kit.plain import Plain
from banakil_env.kit.table_state import PLAY

GAME = find("rummy500")

_SETS = [
    NUM_RANKS * np.array(suits) + rank for rank in range(NUM_RANKS) for suits in itertools.combinations(range(4), 3)
]
_RUNS = [NUM_RANKS * suit + np.arange(low, low + 3) % NUM_RANKS for suit in range(4) for low in range(NUM_RANKS - 1)]
MELDS = [frozenset(meld.tolist()) for meld in _SETS + _RUNS]


def of_card(card: str, *lines: str, players: int = 2) -> dict[str, int]:
    """By group, the number of one card that seat 0 may discard."""
    table = at(f"players: {players}", "turn: seat 0, play", *lines)
    return {group: numbers[card] for group, numbers in rests_at(GAME, table).items()}


def test_the_pile_gives_two_cards_of_a_meld_or_one():
    """8h makes a set with 8c and 8s. With one of them and the unseen 8d it makes two, with 7h and 6h or 9h two runs."""
    gives = of_card("8h", "hand 0: 8h Kc 2d", "hand 1: 4c 5s 9d", "pile: 8c 8s 7h")
    assert (gives["gives_pile"], gives["gives_pile_unseen"]) == (1, 4)


def test_known_cards_of_other_hands():
    """6h and 7h are known there: a run with both; with 7h and the unseen 9h another one."""
    gives = of_card("8h", "hand 0: 8h Kc 2d", "hand 1: 6h 7h 9d", "known 1: 6h 7h", "pile: 4c")
    assert (gives["gives_known"], gives["gives_known_unseen"]) == (1, 1)


def test_known_cards_of_the_own_hand_are_not_given():
    gives = of_card("8h", "hand 0: 8h 7h 6h Kc", "known 0: 7h 6h", "hand 1: 4c 5s 9d", "pile: 4d")
    assert (gives["gives_known"], gives["gives_known_unseen"]) == (0, 0)


def test_a_known_card_and_one_of_the_pile():
    gives = of_card("8h", "hand 0: 8h Kc 2d", "hand 1: 7h 9d", "known 1: 7h", "pile: 9h")
    assert (gives["gives_known_pile"], gives["gives_pile"], gives["gives_known"]) == (1, 0, 0)


def test_what_a_discard_takes_from_the_hand():
    """With 8c it waits for 8d and 8s, and 9h of the pile lies between 8h and Th."""
    takes = of_card("8h", "hand 0: 8h 8c Th Kc", "hand 1: 4c 5s 9d", "pile: 9h")
    assert (takes["takes_unseen"], takes["takes_pile"]) == (2, 1)


def test_an_ace_ends_a_run_at_either_end():
    gives = of_card("Ah", "hand 0: Ah Kc 2d", "hand 1: 4c 5s 9d", "pile: 2h 3h Kh")
    assert (gives["gives_pile"], gives["gives_pile_unseen"]) == (1, 1)


def test_of_one_pack_a_card_in_the_pile_or_on_the_table_is_not_unseen():
    hands = "hand 0: 8h Kc 2d", "hand 1: 4c 5s 9d"
    assert of_card("8h", *hands, "pile: 4d")["discard_gives"] == 6
    assert of_card("8h", *hands, "pile: 7h")["discard_gives"] == 4
    assert of_card("8h", *hands, "melds 1: 8c 8d 8s")["discard_gives"] == 3


def test_of_two_packs_the_other_card_of_a_face_is_unseen():
    others = "hand 1: 4c 5s", "hand 2: 4d 5d", "hand 3: 4h 5h", "hand 4: 4s 5c"
    gives = of_card("8h", "hand 0: 8h Kc 2d", *others, "pile: 8c", players=5)
    assert (gives["gives_pile"], gives["gives_pile_unseen"], gives["discard_gives"]) == (0, 2, 6)
    gives = of_card("8h", "hand 0: 8h 7h 2d", *others, "pile: 7h 6h", players=5)
    assert (gives["gives_pile"], gives["gives_pile_unseen"], gives["takes_pile"]) == (1, 2, 1)


def test_a_card_that_the_table_takes_is_not_loose():
    hands = "hand 0: Qd Kc 2d", "hand 1: 4c 5s 9c"
    assert of_card("Kc", *hands)["rest_loose"] == 2
    assert of_card("Kc", *hands, "melds 1: 9d Td Jd")["rest_loose"] == 1


def melds_with(face: int, ones: Set[int], others: Set[int]) -> int:
    """How many melds of three the card makes with one of `ones` and one of `others`."""
    count = 0
    for meld in MELDS:
        if face in meld:
            first, second = meld - {face}
            count += (first in ones and second in others) or (second in ones and first in others)
    return count


@pytest.mark.parametrize("players", [2, 4, 6])
def test_the_columns_agree_with_a_count_of_all_melds(players):
    packs, some = 1 + (players > 4), 0
    for state in random_states(60, players, num_players=players):
        seen = Plain(GAME).observe(state, 0)["observation"].view(GAME.observation)[0]
        if not seen["phase"][PLAY]:
            continue
        held, known, table = seen["hand"][:NUM_FACES], seen["known"][1:, :NUM_FACES].sum(axis=0), seen["table"]
        there = (seen["pile"][:NUM_FACES] > 0).sum(axis=1)
        faces = [set(np.flatnonzero(cells).tolist()) for cells in (held, known, there)]
        hand, shown, pile = faces
        unseen = set(np.flatnonzero(held + known + there + table[:NUM_FACES] < packs).tolist())
        found = rests_at(GAME, state)
        for face in hand:
            expected = {
                "discard_gives": melds_with(face, unseen, unseen),
                "gives_pile": melds_with(face, pile, pile),
                "gives_known": melds_with(face, shown, shown),
                "gives_pile_unseen": melds_with(face, pile, unseen),
                "gives_known_unseen": melds_with(face, shown, unseen),
                "gives_known_pile": melds_with(face, shown, pile),
                "takes_unseen": melds_with(face, hand, unseen - hand),
                "takes_pile": melds_with(face, hand, pile - hand),
            }
            assert {group: found[group][FACES.names[face]] for group in expected} == expected
            some += 1
    assert some > 50
