"""The referee of Tonk: every case of the rules page, and random games that never break what always holds."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest
from referee_play import named, play, play_many, with_stock
from rule_examples import examples_in
from tonk_referee import OPENINGS, Referee, is_run, is_set, is_spread, longer, unmatched_count

CASES = examples_in("tonk")
MELDS = [action.removeprefix("open ") for action in OPENINGS]


@pytest.mark.parametrize("case", CASES["melds"], ids=named)
def test_melds(case):
    cards = tuple(case["cards"].split())
    assert is_spread(cards) == case["valid"]
    assert (is_set(cards), is_run(cards)) == (case.get("kind") == "set", case.get("kind") == "run")


@pytest.mark.parametrize("case", CASES["adding"], ids=named)
def test_adding(case):
    spread = tuple(case["meld"].split())
    for card, after in case["takes"].items():
        assert " ".join(longer(spread, card)) == after
    for card in case["not"]:
        assert longer(spread, card) is None


@pytest.mark.parametrize("case", CASES["refused"], ids=named)
def test_refused(case):
    if "rules" in case:
        with pytest.raises(ValueError):
            Referee.new(case["players"], case["rules"], "round", 0)
    else:
        with pytest.raises(ValueError, match="too many"):
            Referee.from_text(with_stock(Referee, "\n".join(case["position"])))


def test_all_openings():
    assert len(OPENINGS) == 48 + 52
    assert {"open Qc Kc Ac", "open Ac 2c 3c", "open 7c 7d 7h"} <= OPENINGS.keys()


@pytest.mark.parametrize(
    ("hand", "count"),
    [
        ("2c 2d 2h", 0),
        ("2c 2d 2h 3h 4h", 4),  # without the run, which leaves 4; without the set 7
        ("7c 7d 7h 8h 9h", 14),
        ("Ks Qs As", 0),
        ("As 2s 3s Ks", 10),
        ("As 2s 3s Ks Qs", 5),  # the Ace goes to the King
        ("Kc As 2s", 13),
        ("4c 4d 4h 4s 5s 6s", 0),
    ],
)
def test_the_count_without_spreads(hand, count):
    assert unmatched_count(hand.split()) == count


@pytest.mark.parametrize(
    ("text", "shortest"),
    [
        ("", "denexa"),
        ("denexa slaps=no", "quiet"),
        ("gin slaps=no", "quiet count=unmatched"),
        ("quiet hold=no high_tonk=49", "plain low_tonk=11"),
        ("plain low_tonk=6", "plain low_tonk=6"),
        ("denexa max_turns=40 stake=5 hold=no", "denexa hold=no stake=5 max_turns=40"),
    ],
)
def test_rules_are_written_in_their_shortest_form(text, shortest):
    assert Referee.write_rules(Referee.read_rules(text)) == shortest


def test_several_tonks_are_asked_from_the_seat_after_the_dealer_on():
    """T2.3: seats 2 and 0 have one, and the dealer is seat 1."""
    hands = "hand 0: Tc Td Th Jc Jd\nhand 1: 2c 9d 4h 5h Ks\nhand 2: Ac Ad 2d 2h 3c\nplayers: 3\ndealer: 1\npile: Kc"
    game = Referee.from_text(with_stock(Referee, hands + "\nturn: seat 2, tonk"))
    game.apply("pass")
    assert (game.seat, game.phase) == (0, "tonk")
    game.apply("pass")
    assert (game.seat, game.phase) == (2, "draw")


def test_a_hold_waits_while_the_seat_is_passed_over():
    """T5.5: seat 1 is held, seat 2 slaps, seat 0 is next; then seat 1 has its turn and is held in it."""
    text = "players: 3\nturn: seat 0, play\nhand 0: Qd 4s 9s\nhand 1: 9c 5d\nhand 2: 5h 6h 8h\nmelds 1: 9d Td Jd\n"
    game = Referee.from_text(with_stock(Referee, text + "held: 1\npile: 3c"))
    for action in ("discard Qd", "call", "add Qd", "discard 8h", "draw"):
        game.apply(action)
    game.apply("discard 9s")
    assert (game.seat, game.held) == (1, {1})
    game.apply("take")
    assert game.legal() == {"discard 9c", "discard 5d", "discard 9s"}
    game.apply("discard 9c")
    assert game.held == set()


def test_the_card_of_a_slap_goes_to_a_spread_of_the_table():
    """T6.4: seat 1 could open 8d 9d Td with it, but it lies down at the run; which spread is asked as ever."""
    text = "players: 3\nturn: seat 1, call, after 0\nhand 0: 4s\nhand 1: 8c 7c Ks\nhand 2: 5h\n"
    text += "melds 2: Tc Jc Qc | 9d 9h 9s\npile: 9c"
    game = Referee.from_text(with_stock(Referee, text))
    game.apply("call")
    assert game.legal() == {"add 9c"}
    game.apply("add 9c")
    assert "turn: seat 1, choose add 9c, must 9c\n" in game.to_text()
    assert game.legal() == {"meld 0", "meld 1"}
    game.apply("meld 1")
    assert game.melds[1] == ("9c", "9d", "9h", "9s")
    assert "discard 8c" in game.legal()


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("round: 3", "round: 2"),
        ("dealer: 1", "dealer: 0"),
        ("turn: seat 0, draw", "turn: seat 1, draw"),
        ("scores: 4 -4", "scores: 5 -5"),
        ("points: 2 -2", "points: 1 -1"),
        ("turn:", "turns: 7\nturn:"),
        ("turn:", "held: 0\nturn:"),
        ("2c 9d 4h 6h Ks\npile: Kc", "2c 9d 4h Ks\npile: 6h Kc"),
    ],
)
def test_what_is_read_of_a_new_deal_is_checked(right, wrong):
    start = "players: 2\nepisode: match\nround: 2\ndealer: 0\nscores: 2 -2\nturns: 7\nturn: seat 0, play\nheld: 1\n"
    start = with_stock(Referee, start + "hand 0: Qd\nhand 1: Ks\nmelds 1: 9d Td Jd\npile: 5c")
    after = "players: 2\nepisode: match\nround: 3\ndealer: 1\nscores: 4 -4\npoints: 2 -2\nturn: seat 0, draw\n"
    after += "hand 0: 3c 8d 5h 7h Qs\nhand 1: 2c 9d 4h 6h Ks\npile: Kc"
    game = Referee.from_text(start)
    game.apply("add Qd", with_stock(Referee, after) + "rng: 5")
    assert game.to_text().endswith("rng: 5\n")
    assert right in after
    with pytest.raises(AssertionError):
        Referee.from_text(start).apply("add Qd", with_stock(Referee, after.replace(right, wrong)) + "rng: 5")


def always(game: Referee) -> None:
    """Stakes are paid, not made; all spreads are spreads; few cards are in a hand."""
    assert sum(game.points) == sum(game.scores) == 0
    assert all(map(is_spread, game.melds))
    assert all(len(hand) <= 6 for hand in game.hands)


def test_random_games(amount: Callable[[int, int, int], int]):
    seen = play_many(Referee, MELDS, amount(400, 400, 10_000), always)
    expected = "pass drop draw take call open add discard meld out tonked caught exhausted turns match rounds"
    assert not [what for what in expected.split() if not seen[what]], seen


@pytest.mark.parametrize("preset", Referee.PRESETS)
@pytest.mark.parametrize("players", Referee.SEATS)
def test_presets(preset: str, players: int):
    game = Referee.new(players, f"{preset} deals=3", "match", players)
    assert (len(game.stock), len(game.pile)) == ({2: 41, 3: 36, 4: 31}[players], 1)
    play(game, random.Random(players), Counter(), always)
