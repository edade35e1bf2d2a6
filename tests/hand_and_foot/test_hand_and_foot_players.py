"""When does each compiled player lay its naturals down?"""

from __future__ import annotations

import pytest
from choices import choice_of
from hand_and_foot_tables import FOOT, at, left_but

from banakil_env.games import hand_and_foot

OWN = "melds 0: 4c 4d 4h 4s", "hand 0: 8c 8d 8h Kc 5d 9s", f"foot 0: {FOOT}"
FEET = "foot 1: 4c 5c 6c 9c Tc Qc Ac 4d 6d 9d Td", "foot 3: 4s 5s 6s 9s Ts Qs As 4h 6h 9h Th"
RED = " ".join(5 * ["3d", "3h"])  # no pile may have them
# All that lies elsewhere, with what `at` deals to the others: the pile has the rest.
NAMED = *(line.partition(":")[2].replace("|", "") for line in (*OWN, *FEET)), "Jd Jh Js", RED
LAST = f"stock: {RED}", f"pile: {' '.join(left_but(*NAMED))}"


def choice(player: str, *lines: str) -> str:
    """What a player does at a position where seat 0 plays."""
    return choice_of(hand_and_foot, player, at("turn: seat 0, play", *OWN, *lines))


@pytest.mark.parametrize(
    ("player", "lines", "expected"),
    [
        ("greedy", FEET, "open"),
        ("expert", FEET, "discard"),  # three Eights can take the pile
        ("expert", FEET[:1], "open"),  # seat 3 has one card left
        ("expert", (*FEET, *LAST), "open"),  # the round ends with the stock
    ],
)
def test_naturals_are_held_back_while_opponents_and_stock_have_many_cards(
    player: str, lines: tuple[str, ...], expected: str
) -> None:
    assert choice(player, *lines).split()[0] == expected


@pytest.mark.parametrize(
    ("player", "hand", "expected"),
    [
        ("greedy", "Kc Kd 9s 5d 2c", "discard"),
        ("expert", "Kc Kd 9s 5d 2c", "open K K 2"),
        ("expert", "Kc Kd 9s 5d 7h Jc Tc Qh 2c", "discard"),  # neither the hand is short nor the stock low
    ],
)
def test_expert_opens_a_pair_with_a_wild_card_when_its_hand_is_short(player: str, hand: str, expected: str) -> None:
    state = at("turn: seat 0, play", "melds 0: 4c 4d 4h 4s", f"hand 0: {hand}", f"foot 0: {FOOT}", *FEET)
    assert choice_of(hand_and_foot, player, state).startswith(expected)
