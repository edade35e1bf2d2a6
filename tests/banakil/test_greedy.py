"""Does the greedy player do what its ideas say, and is it much better than chance?"""

from __future__ import annotations

import pytest

from banakil_env.agents import CompiledPlayer, choose, make_player
from banakil_env.arena import play_match
from banakil_env.games import banakil
from banakil_env.games.banakil.actions import DISCARD

TABLES = [
    {"num_players": 2},
    {"num_players": 3},
    {"num_players": 4, "partners": True},
    {"num_players": 4, "partners": False},
    {"num_players": 4, "rules": "jawaker"},
    {"num_players": 2, "rules": "gamefarm"},
]


def move(text: str) -> str:
    """What the greedy player does at a table."""
    state = banakil.from_text(text)
    return banakil.action_text(choose(make_player("greedy"), banakil.observe(state, banakil.seat_to_move(state))))


def turn(text: str) -> list[str]:
    """What it does until its turn ends."""
    state = banakil.from_text(text)
    seat, said = banakil.seat_to_move(state), []
    while banakil.seat_to_move(state) == seat:
        action = choose(make_player("greedy"), banakil.observe(state, seat))
        banakil.apply(state, action)
        said.append(banakil.action_text(action))
    return said


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_beats_random_clearly(table):
    results = play_match([CompiledPlayer("greedy"), CompiledPlayer("random")], deals=150, **table)
    assert results.margin("greedy", "random").low > 25
    assert results.player("greedy")["out"].mean > 0.95
    assert not results.failures()


def test_takes_the_card_that_completes_a_sequence():
    assert move("hand 0: 4c 5c 9d Kh\npile: 6c\nturn: seat 0, draw") == "take 1"


def test_takes_down_to_the_card_it_wants():
    assert move("hand 0: 4c 5c 9d Kh\npile: Ts 6c 9h\nturn: seat 0, draw") == "take 2"


def test_draws_when_the_pile_holds_nothing_for_it():
    assert move("hand 0: 4c 5c 9d Kh\npile: Ts 8h\nturn: seat 0, draw") == "draw"


def test_draws_when_too_many_dead_cards_lie_above():
    assert move("hand 0: 4c 5c 9d Kh\npile: 6c Ts 8h 3s Qd Qc 5h 7s 9h\nturn: seat 0, draw") == "draw"


def test_takes_what_fits_its_own_meld_and_not_an_opponents():
    assert move("hand 0: 9d Kh\nmelds 0: 5s 6s 7s\npile: 8s\nturn: seat 0, draw") == "take 1"
    assert move("hand 0: 9d Kh\nmelds 1: 5s 6s 7s\npile: 8s\nturn: seat 0, draw") == "draw"


def test_takes_a_joker():
    assert move("hand 0: 4c 5c 9d Kh\npile: 3d JK\nturn: seat 0, draw") == "take 1"


def test_melds_what_it_has_and_throws_a_dead_card():
    assert turn("hand 0: 5h 6h 7h 8h 9d Td Ks 4s\nhand 1: 3c 4c 6d 8d Qs\nturn: seat 0, play") == [
        "open 5h 6h 7h",
        "add 8h",
        "discard Ks",
    ]


def test_keeps_a_wild_card_rather_than_a_natural():
    said = turn("hand 0: 2c JK 9d 4s 7h Jc Kd\nhand 1: 3c 4c 6d 8d Qs\nturn: seat 0, play")
    assert said == ["discard Jc"]


def test_opens_with_one_wild_and_two_naturals():
    assert move("hand 0: 2c 9d Jd 4s 7h 8c Kc\nhand 1: 3c 4c 6d 8d Qs\nturn: seat 0, play") == "open 9d 2 Jd"


def test_goes_out_when_it_can():
    assert turn("hand 0: 8s JK Kd\nmelds 0: 5s 6s 7s\nhand 1: 3c 4c\nturn: seat 0, play") == [
        "add 8s",
        "add JK high",
        "discard Kd",
    ]


def test_exchanges_for_a_joker_that_opens_another_meld():
    table = "rules: pagat wilds=fixed\nmelds 0: 5s JK 7s\nhand 1: 3c 4c 6d 8d Qs\nturn: seat 0, play\nhand 0: "
    assert turn(table + "6s Th Jh 3d Kc Qd 9c") == ["swap 6s", "open JK Th Jh", "discard 9c"]
    assert turn(table + "6s Th 3d Kc Qd 9c 7h") == ["discard 9c"]


def test_throws_a_wild_only_when_there_is_nothing_else():
    action = choose(
        make_player("greedy"), banakil.observe(banakil.from_text("hand 0: 2c JK\nhand 1: 3c 4c\nturn: seat 0, play"), 0)
    )
    assert action >= DISCARD
    assert banakil.action_text(action) == "discard 2c"
