"""The referee of Oklahoma Rummy: every case of the rules page, and random games that never break what always holds."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest
from oklahoma_melds import OPENINGS, TWOS, filled, is_meld, is_set, is_twos, longer, run_start, value
from oklahoma_referee import Referee
from referee_play import named, play, play_many, with_stock
from rule_examples import examples_in

CASES = examples_in("oklahoma")
# Melds as a position writes them, with various Twos; valid with `set_suits=different` too.
MELDS = [
    " ".join(filled(words, twos))
    for words in OPENINGS.values()
    for twos in (["2c", "2d", "2h"], ["2h", "2s", "2s"])
    if not is_set(filled(words, twos)) or is_set(filled(words, twos), "different")
]


def suits_of(case: dict) -> str:
    return Referee.read_rules(case.get("rules", ""))["set_suits"]


@pytest.mark.parametrize("case", CASES["melds"], ids=named)
def test_melds(case):
    words = tuple(case["cards"].split())
    assert is_meld(words, suits_of(case)) == case["valid"]
    if case["valid"]:
        kinds = {"set": is_set(words), "run": run_start(words) is not None, "twos": is_twos(words)}
        assert [kind for kind, it_is in kinds.items() if it_is] == [case["kind"]]
        assert value(words) == case["value"]


@pytest.mark.parametrize("case", CASES["adding"], ids=named)
def test_adding(case):
    meld = tuple(case["meld"].split())
    for card, after in case["takes"].items():
        card, _, end = card.partition(" ")
        assert " ".join(longer(meld, card, end, suits_of(case))) == after
    for card in case["not"]:
        card, _, end = card.partition(" ")
        assert longer(meld, card, end, suits_of(case)) is None


def test_adding_a_two_like_the_one_that_lies_there():
    assert longer(("2c", "5d", "6d"), "2c", "high") == ("2c", "5d", "6d", "2c")
    assert longer(("2c", "5d", "6d"), "2c", "low") == ("2c", "2c", "5d", "6d")


@pytest.mark.parametrize("case", CASES["refused"], ids=named)
def test_refused(case):
    with pytest.raises(ValueError):
        Referee.new(case["players"], case["rules"], "round", 0)


def test_all_openings():
    melds = [filled(words, [*TWOS]) for words in OPENINGS.values()]
    assert all(map(is_meld, melds))
    counts = [sum(map(is_set, melds)), sum(map(is_twos, melds)), sum(run_start(meld) is not None for meld in melds)]
    assert counts == [360, 1, 298]


@pytest.mark.parametrize(
    ("text", "shortest"),
    [
        ("", "denexa"),
        ("denexa hand_cards=11", "eleven"),
        ("strict hand_cards=11", "strict hand_cards=11"),
        ("strict set_suits=any", "denexa stock_out=end"),
        ("eleven set_suits=different stock_out=end", "strict hand_cards=11"),
        ("eleven hand_cards=usual out_bonus=0", "denexa out_bonus=0"),
        ("denexa max_turns=40 target=5 stock_out=end", "denexa stock_out=end target=5 max_turns=40"),
    ],
)
def test_rules_are_written_in_their_shortest_form(text, shortest):
    assert Referee.write_rules(Referee.read_rules(text)) == shortest


def position(*lines: str) -> Referee:
    return Referee.from_text(with_stock(Referee, "\n".join(lines)))


def test_a_two_of_the_pile_is_melded_as_any_two():
    """O3.3, O5.3: the Two of hearts has to be played; the Two of clubs, of a lower suit, is the one that lies there."""
    game = position("hand 0: 2c 9d Jd Ks", "hand 1: 4c 5d", "pile: 7c 2h")
    game.apply("take all")
    assert "turn: seat 0, play, must 2h\n" in game.to_text()
    runs = {"open 9d 2 Jd", "open 9d 2 2", "open 2 9d 2", "open 2 2 9d", "open 2 2 Jd", "open 2 Jd 2", "open Jd 2 2"}
    assert game.legal() == runs | {f"open {card} 2={card[0]} 2={card[0]}" for card in ("9d", "Jd", "Ks")}
    game.apply("open 9d 2 Jd")
    text = game.to_text()
    assert "melds 0: 9d 2c Jd\n" in text
    assert "hand 0: 7c 2h Ks\n" in text
    assert "known 0: 7c 2h\n" in text
    assert "pile:\n" in text


def test_the_queen_of_spades_by_a_two():
    """O5.4: with a Two at her place the run takes no other, at neither end."""
    game = position("turn: seat 0, play", "hand 0: 2c 2d Js Ks 9h", "hand 1: 4c", "pile: 5c")
    assert "open Js 2 Ks" in game.legal()
    assert not {"open 2 Js 2", "open Js 2 2", "open 2 2 Ks", "open 2 Ks 2"} & game.legal()
    game.apply("open Js 2 Ks")
    assert game.legal() == {"discard 2", "discard 9h"}


def test_the_last_card_is_the_queen_of_spades():
    """O7.3: everything else is melded; the turn ends without a discard and the next one goes on."""
    game = position("turn: seat 0, play", "hand 0: 5h 6h 7h Qs", "hand 1: 4c Qs", "pile: 5c")
    game.apply("open 5h 6h 7h")
    assert game.legal() == {"pass"}
    game.apply("pass")
    assert (game.turns, game.seat, game.hands[0], game.pile) == (1, 1, ["Qs"], ["5c"])


SHUFFLED = ["hand 0: 3c 9h", "hand 1: Ks", "pile: 7d 2h 7s 9c"]


def shuffled() -> str:
    """The stock is empty; all that is not in SHUFFLED is in the hand of seat 2."""
    rest = with_stock(Referee, "\n".join([*SHUFFLED, "hand 2: 4c"])).partition("stock: ")[2].strip()
    return "\n".join([*SHUFFLED, f"hand 2: 4c {rest}", "stock:"])


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("pile: 9c", "pile: 7d"),  # the top card of the pile stays
        ("hand 0: 3c 7s 9h", "hand 0: 3c 9c 9h"),  # and cannot be drawn
        ("seat 0, play", "seat 1, draw"),
        ("hand 0", "known 0: 7s\nhand 0"),
        ("hand 0", "turns: 1\nhand 0"),
    ],
)
def test_what_is_read_of_a_shuffle_is_checked(right, wrong):
    after = shuffled().replace("3c 9h", "3c 7s 9h").replace("7d 2h 7s 9c", "9c").replace("stock:", "stock: 2h 7d")
    after += "\nturn: seat 0, play\nrng: 5"
    game = Referee.from_text(shuffled())
    game.apply("draw", after)
    assert game.stock == ["2h", "7d"]
    assert right in after
    changed = after.replace(right, wrong)
    if wrong == "pile: 7d":
        changed = changed.replace("stock: 2h 7d", "stock: 2h 9c")
    if "9c 9h" in wrong:
        changed = changed.replace("pile: 9c", "pile: 7s")
    with pytest.raises(AssertionError):
        Referee.from_text(shuffled()).apply("draw", changed)


def test_a_turn_begins_without_a_stock():
    """O8.2: with one card on the pile the round is over."""
    lines = ["turn: seat 0, play", "hand 0: 3c 9h", "hand 1: Ks"]
    text = with_stock(Referee, "\n".join([*lines, "pile:"]))
    rest = text.partition("stock: ")[2].strip()
    over = Referee.from_text("\n".join([*lines[:2], f"hand 1: Ks {rest}", "pile:", "stock:"]))
    over.apply("discard 9h")
    assert over.result == "exhausted"
    assert over.points[0] == -5
    goes_on = Referee.from_text("\n".join([*lines, f"pile: {rest}", "stock:"]))
    goes_on.apply("discard 9h")
    assert "draw" in goes_on.legal()
    strict = Referee.from_text("\n".join(["rules: strict", *lines, f"pile: {rest}", "stock:"]))
    strict.apply("discard 9h")
    assert strict.result == "exhausted"


def always(game: Referee) -> None:
    assert all(is_meld(meld, game.rules["set_suits"]) for meld in game.melds)
    assert not game.must or game.phase == "play"


def from_the_deal(game: Referee) -> None:
    always(game)
    assert "Qs" not in game.pile[1:]  # she may be turned up


def test_random_games(amount: Callable[[int, int, int], int]):
    seen = play_many(Referee, MELDS, amount(30, 60, 3000), always)
    expected = "draw take open add discard meld out exhausted turns match rounds"
    assert not [what for what in expected.split() if not seen[what]], seen


@pytest.mark.parametrize("preset", Referee.PRESETS)
@pytest.mark.parametrize("players", Referee.SEATS)
def test_presets(preset: str, players: int):
    game = Referee.new(players, preset, "round", players)
    stock = {2: 77, 3: 64, 4: 51, 5: 38, 6: 25, 7: 12, 8: 15}
    assert (len(game.stock), len(game.pile)) == (103 - 11 * players if preset == "eleven" else stock[players], 1)
    play(game, random.Random(players), Counter(), from_the_deal)
