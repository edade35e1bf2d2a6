"""The referee of 500 Rummy: every case of the rules page, and random games that never break what always holds."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest
from referee_base import FACES
from referee_play import named, play, play_many, with_stock
from rule_examples import examples_in
from rummy500_melds import OPENINGS, is_meld, is_set, longer, run_start, values
from rummy500_referee import Referee

CASES = examples_in("rummy500")
MELDS = [action.removeprefix("open ") for action in OPENINGS]


@pytest.mark.parametrize("case", CASES["melds"], ids=named)
def test_melds(case):
    words = tuple(case["cards"].split())
    assert is_meld(words) == case["valid"]
    assert (is_set(words), run_start(words) is not None) == (case.get("kind") == "set", case.get("kind") == "run")
    assert not case["valid"] or sum(values(words)) == case["value"]


@pytest.mark.parametrize("case", CASES["adding"], ids=named)
def test_adding(case):
    meld = tuple(case["meld"].split())
    for card, after in case["takes"].items():
        assert " ".join(longer(meld, *card.split())) == after
    for card in case["not"]:
        assert longer(meld, *card.split()) is None


@pytest.mark.parametrize("case", CASES["refused"], ids=named)
def test_refused(case):
    if "rules" in case:
        with pytest.raises(ValueError):
            Referee.new(case["players"], case["rules"], "round", 0)
    else:
        with pytest.raises(ValueError, match="too many"):
            Referee.from_text(with_stock(Referee, "\n".join(case["position"])))


def test_all_openings():
    assert sum(is_set(words) for words in OPENINGS.values()) == 364
    assert sum(run_start(words) is not None for words in OPENINGS.values()) == 336
    assert len(OPENINGS) == 700


@pytest.mark.parametrize(
    ("text", "shortest"),
    [
        ("", "denexa"),
        ("denexa calls=no", "quiet"),
        ("turn calls=no", "quiet stock_out=turn"),
        ("plain jokers=1", "plain jokers=1"),
        ("plain stock_out=now", "quiet jokers=0"),
        ("denexa max_turns=40 target=5 hand_cards=13", "denexa hand_cards=13 target=5 max_turns=40"),
    ],
)
def test_rules_are_written_in_their_shortest_form(text, shortest):
    assert Referee.write_rules(Referee.read_rules(text)) == shortest


def position(*lines: str) -> Referee:
    return Referee.from_text(with_stock(Referee, "\n".join(lines)))


def test_a_joker_is_taken_with_any_use():
    """F3.3, F3.4: the Joker of the pile may be opened with, or laid off at either end."""
    game = position("hand 0: 5h 6h Ks", "hand 1: 2c", "melds 1: 9d Td Jd", "pile: 3c JK 8s")
    assert game.legal() == {"draw", "take 2"}
    game.apply("take 2")
    assert "turn: seat 0, play, must JK\n" in game.to_text()
    assert game.legal() == {"add JK low", "add JK high", "open JK 5h 6h", "open 5h 6h JK"}
    game.apply("open 5h 6h JK")
    assert game.legal() == {"discard 8s", "discard Ks"}


def test_a_run_that_takes_the_ace_at_both_ends():
    """F4.5: the Ace goes high; a Joker has the choice, and is worth 15 at either end."""
    run = "2c 3c 4c 5c 6c 7c 8c 9c Tc Jc Qc Kc"
    game = position("turn: seat 0, play", "hand 0: Ac JK 9h", "hand 1: 2d", f"melds 1: {run}", "pile: 3d")
    assert {"add Ac", "add JK low", "add JK high"} <= game.legal()
    game.apply("add JK low")
    assert f"melds 1: JK@0 {run}\n" in game.to_text()
    assert game.legal() == {"discard Ac", "discard 9h"}


def test_whoever_called_may_play_the_card_with_the_hand():
    """F7.4: the Queen was taken because she fits the run; she may go with two Queens of the hand."""
    lines = ["players: 3", "turn: seat 2, call, after 0", "hand 0: 2h", "hand 1: 4c", "hand 2: Qc Qh 5s"]
    game = position(*lines, "melds 0: 9d Td Jd", "pile: 7c Qd")
    game.apply("call")
    assert game.legal() == {"take 1"}
    game.apply("take 1")
    assert game.legal() == {"add Qd", "open Qc Qd Qh"}
    game.apply("open Qc Qd Qh")
    game.apply("discard 5s")
    assert game.result == "out, seat 2"
    assert game.points == [29 - 2, -4, 30]


def test_the_question_comes_again_after_each_discard():
    """F7.1: the run 7c 8c 9c lies in the pile, under other cards."""
    lines = ["players: 3", "turn: seat 0, play", "hand 0: 2h Ks", "hand 1: 4c Jd", "hand 2: 4h 5s"]
    game = position(*lines, "pile: 7c 8c 9c")
    for action in ("discard Ks", "pass", "pass", "draw", "discard Jd"):
        game.apply(action)
    assert "turn: seat 2, call, after 1\n" in game.to_text()
    game.apply("call")
    assert game.legal() == {"take 5"}


def test_known_copies_go_first():
    """Two packs: of two equal cards the one that was taken leaves the hand."""
    lines = [f"hand {seat}: {card}" for seat, card in enumerate(["5c 5c 5h Ks", "4c", "4d", "4h", "4s"])]
    game = position("turn: seat 0, play", *lines, "known 0: 5c Ks", "pile: 9c")
    game.apply("discard 5c")
    assert "known 0: Ks\n" in game.to_text()


def always(game: Referee) -> None:
    assert all(map(is_meld, game.melds))
    assert not game.must or game.phase in ("play", "choose")
    if game.over and game.result.startswith("out"):
        assert sum(not hand for hand in game.hands) == 1


def test_random_games(amount: Callable[[int, int, int], int]):
    seen = play_many(Referee, MELDS, amount(30, 60, 3000), always)
    expected = "pass draw take call open add discard meld out exhausted turns match rounds"
    assert not [what for what in expected.split() if not seen[what]], seen


@pytest.mark.parametrize("preset", Referee.PRESETS)
@pytest.mark.parametrize("players", Referee.SEATS)
def test_presets(preset: str, players: int):
    game = Referee.new(players, preset, "round", players)
    jokers = (0 if preset == "plain" else 2) * (1 if players < 5 else 2)
    stock = (52 if players < 5 else 104) + jokers - 7 * players - 1
    assert (len(game.stock), len(game.pile)) == (stock, 1)
    assert game.stock.count("JK") <= jokers
    assert set(game.stock) <= set(FACES)
    play(game, random.Random(players), Counter(), always)
