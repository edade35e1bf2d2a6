"""Does the referee of Hand follow the rules? The examples of the rules, and random games that it plays alone."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hand_melds import OPENINGS, exchanged, is_meld, meld_value, tidy, wanted, with_natural, with_wild
from hand_positions import faulty_cards, fill, late_position, new_position, random_rules
from hand_referee import Referee
from hand_rules import NATURALS, PRESETS, may_demand_redeal, natural_name, read_rules, write_rules
from referee_texts import read_lines
from rule_examples import examples_in

CASES = examples_in("hand")


def meld(text: str) -> tuple[str, ...]:
    return tidy(text.split())


# The examples


@pytest.mark.parametrize("case", CASES["names"])
def test_names(case: dict) -> None:
    wilds = case.get("wilds", "turned")
    names = [natural_name(card, wilds, case["indicator"] or "") for card in case["printed"].split()]
    assert " ".join(names) == case["names"]


@pytest.mark.parametrize("case", CASES["melds"], ids=lambda case: case["cards"])
def test_melds(case: dict) -> None:
    assert is_meld(tuple(case["cards"].split())) == case["valid"]


@pytest.mark.parametrize("case", CASES["first_meld_values"], ids=lambda case: case["melds"])
def test_first_meld_values(case: dict) -> None:
    rules, _ = read_rules(case.get("rules", "pagat"), 2)
    assert sum(meld_value(meld(text), rules) for text in case["melds"].split("|")) == case["value"]


@pytest.mark.parametrize("case", CASES["adding"], ids=lambda case: case["meld"])
def test_adding(case: dict) -> None:
    """`under_H6_3`: the cards that fit a pair and a wild."""
    lies = meld(case["meld"])
    found = {f"add {face}": with_natural(lies, face) for face in NATURALS}
    found.update({f"add W {end}": with_wild(lies, end) for end in ("low", "high")})
    expected = {**case["adds"], **case.get("under_H6_3", {})}
    assert {action: " ".join(more) for action, more in found.items() if more} == expected


@pytest.mark.parametrize("case", CASES["exchanging"], ids=lambda case: case["meld"])
def test_exchanging(case: dict) -> None:
    lies = meld(case["meld"])
    if case["swap"] is None:
        assert wanted(lies) == ()
    else:
        assert "swap " + " ".join(wanted(lies)) == case["swap"]
        assert " ".join(exchanged(lies)) == case["becomes"]


@pytest.mark.parametrize("case", CASES["redeal"], ids=lambda case: case["hand"])
def test_redeal(case: dict) -> None:
    assert may_demand_redeal(case["hand"].split()) == case["may"]


@pytest.mark.parametrize("case", CASES["deals"])
def test_deals(case: dict) -> None:
    game = Referee.from_text(new_position(case["players"], case["rules"], "round", 1))
    assert [len(hand) for hand in game.hands] == case["hands"]
    assert len(game.stock) == case["stock"]
    assert len(game.stock) + sum(case["hands"]) == case["cards"]
    assert not faulty_cards(game)


# What the page leaves open, as the referee reads it

TABLE = """
players: 2
turns: 8
indicator: 8c
melds 1: 4s 5s 6s
"""
OPEN_POINTS = [
    (
        "H7.1: a taken wild added to three naturals, with take_to_add and wild_discard=wild",
        "rules: loose\nturn: seat 0, play, taken W\nhand 0: 2c Qd 7h W\nmelds 0: 9c 9d 9h",
        "add W low, add W high",
    ),
    (
        "H7.4: a taken wild added as a natural Ace",
        "rules: pagat take_to_add=yes\nturn: seat 0, play, taken W\nhand 0: Jh Qd 7h W\nmelds 0: 2c 3c 4c | 9c 9d 9h",
        "add Ac",
    ),
    (
        "H7.4: with wild_discard=group it is not added to a sequence",
        "rules: pagat take_to_add=yes wild_discard=group\nturn: seat 0, play, taken W\n"
        "hand 0: Jh Qd 7h W\nmelds 0: 2c 3c 4c | Ad Ah As",
        "add Ac",
    ),
    (
        "H7.4: with wild_discard=group a group of Aces may hold a wild",
        "rules: pagat wild_discard=group\nturn: seat 0, play, taken W\nhand 0: Ad Qd 7h W W\nmelds 0: 2s 3s 4s",
        "open Ac Ad W",
    ),
    (
        "H2.6: in the last deal the question has one answer",
        "rules: pagat max_unscored=3\nturns: 0\nunscored: 2\nturn: seat 1, redeal\nmelds 1:",
        "keep",
    ),
    (
        "H6.5: of two equal melds one is chosen too",
        "turn: seat 0, choose add Td\nhand 0: Td 2c Kh\nmelds 0: 7d 8d 9d | 7d 8d 9d",
        "meld 0, meld 1",
    ),
    (
        "H5.4: with 51 melded the turn may end at once",
        "turn: seat 0, play, in one turn\nhand 0: 7s 8s Kd\nmelds 0: 2c 3c 4c | Jd Qd Kd | 4d 4h 4s",
        "discard 7s, discard 8s, discard Kd, add 7s",
    ),
    (
        "H5.5: below 51 nobody stops with two cards",
        "turn: seat 0, play, in one turn\nhand 0: 7s 8s Kd\nmelds 0: 2c 3c 4c | 2d 3d 4d",
        "add 7s",
    ),
    (
        "H8.2: and in the first turn nobody goes out either, so that the seat must reach 51",
        "turns: 1\nturn: seat 0, play, in one turn\nhand 0: 7s 8s Kd 5d 6d 7d 8d 9d\nmelds 0: 2c 3c 4c | 2d 3d 4d",
        "add 5d, open 5d 6d 7d, open 6d 7d 8d, open 7d 8d 9d",
    ),
]


@pytest.mark.parametrize(("why", "lines", "legal"), OPEN_POINTS, ids=lambda text: text[:4])
def test_open_points(why: str, lines: str, legal: str) -> None:
    given = {**read_lines(TABLE), **read_lines(lines)}
    game = Referee.from_text(fill("\n".join(f"{key}: {value}" for key, value in given.items())))
    assert game.legal() == set(legal.split(", ")), why


def test_the_taken_wild_is_the_ace_that_the_hand_lacks() -> None:
    game = Referee.from_text(fill("rules: jokers\nturns: 8\nhand 0: Ac Ah Kd\nmelds 0: 9d 9h 9c\npile: W\nplayers: 2"))
    for action in ("take", "open Ac Ad Ah"):
        game.apply(action)
    lines = read_lines(game.to_text())
    assert (lines["hand 0"], lines["melds 0"]) == ("Kd", "9c 9d 9h | Ac Ad Ah")
    assert not faulty_cards(game)


# Texts


def test_there_are_322_openings() -> None:
    assert len(OPENINGS) == len(set(OPENINGS)) == 192 + 130
    assert all(is_meld(cards) and cards == tidy(cards) for cards in OPENINGS)


@pytest.mark.parametrize(
    ("given", "players", "written"),
    [
        ("pagat", 2, "pagat"),
        ("pagat individuals", 4, "pagat"),
        ("strict partners", 4, "strict partners"),
        ("pagat wilds=jokers deal=turn", 3, "jokers"),
        ("pagat deal=turn ace_hand=10 wilds=aces", 2, "jokers wilds=aces ace_hand=10"),
        ("pagat ace_hand=10 wilds=aces", 2, "pagat wilds=aces ace_hand=10"),
        ("egypt wild_out=no one_colour=no", 2, "pagat one_suit=yes two_wilds_out=yes"),
        ("pagat max_turns=9 rising=yes", 2, "pagat rising=yes max_turns=9"),
        ("rising=yes", 2, "pagat rising=yes"),
    ],
)
def test_rules_are_written_with_fewest_words(given: str, players: int, written: str) -> None:
    assert write_rules(*read_rules(given, players)) == written


@pytest.mark.parametrize(
    ("text", "players"),
    [("pagat partners", 3), ("pagat last_deals=5 max_unscored=4", 2), ("pagat rounds=9 max_rounds=8", 2)]
    + [(f"pagat {word}", 2) for word in ("rising=maybe", "first_meld=121", "rounds=0", "colour=yes", "wilds=yes")],
)
def test_rules_that_are_refused(text: str, players: int) -> None:
    with pytest.raises(ValueError):
        read_rules(text, players)


# Chance, read from the text after the action


def test_a_new_deal_is_read_and_checked() -> None:
    text = fill("players: 2\nturn: seat 1, redeal\nindicator: 7c\nhand 1: 5c 5c 7d 7d Jd Jd Ac Ac 2h 4h 9h Ks 8s Qc")
    engine, referee = Referee.from_text(text), Referee.from_text(text)
    engine.apply("redeal")
    engine.rng = "17"
    after = engine.to_text()
    referee.apply("redeal", after)
    assert referee.to_text() == after
    for wrong in ("unscored: 2\ndealer: 0", "unscored: 1\ndealer: 0", "unscored: 1\nscores: 0 5"):
        with pytest.raises(AssertionError):
            Referee.from_text(text).apply("redeal", after.replace("unscored: 1", wrong))


def test_a_shuffled_pile_is_read_and_checked() -> None:
    [case] = [case for case in CASES["actions"] if case["why"] == "reshuffle: all but the top"]
    game = Referee.from_text(fill("\n".join(case["position"])))
    game.apply("draw")
    text = game.to_text()
    game.apply("discard 6d")
    after = game.to_text()
    referee = Referee.from_text(text)
    referee.apply("discard 6d", after)
    assert referee.to_text() == after
    lines = read_lines(after)
    card = lines["stock"].split()[0]
    swapped = after.replace(f"stock: {card}", "stock: 6d").replace("pile: 6d\n", f"pile: {card}\n")
    with pytest.raises(AssertionError):
        Referee.from_text(text).apply("discard 6d", swapped)


# Random games


def choose(rng: random.Random, legal: set[str], eager: float) -> str:
    """A random action, one that takes or melds with the probability `eager`."""
    active = sorted(action for action in legal if action.split()[0] in ("take", "open", "add", "swap", "redeal"))
    passive = sorted(legal - set(active))
    return rng.choice(active if active and (rng.random() < eager or not passive) else passive)


def play(players: int, rules: str, episode: str, seed: int, seen: Counter) -> None:
    rng = random.Random(seed)
    eager = rng.choice((0.5, 0.9, 0.99))
    play_on(Referee.from_text(new_position(players, rules, episode, seed)), rng, eager, seen)


def play_on(game: Referee, rng: random.Random, eager: float, seen: Counter) -> None:
    game.random = rng
    for _ in range(1500):
        text = game.to_text()
        read = Referee.from_text(text)
        assert read.to_text() == text
        assert not faulty_cards(game), faulty_cards(game)
        legal = game.legal()
        assert read.legal() == legal, text
        assert bool(legal) != game.over, text
        if game.over:
            seen[game.ended.split(",")[0]] += 1
            return
        action = choose(rng, legal, eager)
        seen[action.split()[0]] += 1
        game.apply(action)
        read.apply(action, game.to_text())
        assert read.to_text() == game.to_text()


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_random_games(preset: str, players: int, long: bool) -> None:
    seen: Counter = Counter()
    for seed in range(20 if long else 1):
        play(players, preset, "round", 10 * seed + players, seen)
    assert seen["draw"]


@pytest.mark.parametrize("seed", range(8))
def test_random_matches_of_random_rules(seed: int, long: bool) -> None:
    seen: Counter = Counter()
    for number in range(seed, 200 if long else 8, 8):
        rng = random.Random(number)
        players = rng.choice((2, 3, 4))
        play(players, random_rules(rng, players), rng.choice(("round", "match")), number, seen)
    assert seen["discard"]


@pytest.mark.parametrize("seed", range(8))
def test_late_positions_of_random_rules(seed: int, long: bool) -> None:
    """Many plays are possible in them, and rounds end soon."""
    seen: Counter = Counter()
    for number in range(seed, 1000 if long else 24, 8):
        rng = random.Random(number)
        players = rng.choice((2, 3, 4))
        rules = random_rules(rng, players)
        text = late_position(rng, players, rules, "round")
        play_on(Referee.from_text(text), rng, rng.choice((0.5, 0.9, 0.99)), seen)
    assert seen["open"]
