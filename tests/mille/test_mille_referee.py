"""Does the referee of Mille agree with the cases of its rules, with itself, and with the pack in random games?"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest
from mille_referee import (
    ACTIONS,
    KINDS,
    PACK,
    PRESETS,
    RANKS,
    STOCK_SIZE,
    SWITCHES,
    Referee,
    is_meld,
    new_position,
    parse_melds,
    payment,
    score,
)
from referee_play import refuses_other_deals
from referee_texts import parse_rules, read_lines, write_rules
from rule_examples import examples_in

CASES = examples_in("mille")


def at(lines: list[str]) -> Referee:
    return Referee.from_text("\n".join(lines))


# The cases ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES["melds"], ids=lambda case: case["cards"])
def test_melds(case: dict) -> None:
    assert is_meld(case["cards"].split()) == case["valid"]


@pytest.mark.parametrize("case", CASES["scoring"], ids=lambda case: f"{case['melds']}, {case['hand']}")
def test_scoring(case: dict) -> None:
    assert score(parse_melds(case["melds"]), case["hand"].split()) == (case["points"], case["naturals"])


@pytest.mark.parametrize("case", CASES["payments"], ids=lambda case: case["scores"])
def test_payments(case: dict) -> None:
    scores, naturals, chapeaux = (
        [int(word) for word in case[key].split()] for key in ("scores", "naturals", "chapeaux")
    )
    assert payment(scores, naturals, chapeaux, 600) == case["pays"]
    assert scores[case.get("winner", 0)] == max(scores)


# Texts ----------------------------------------------------------------------------------------------------------------


def test_action_table() -> None:
    assert len(ACTIONS) == len(set(ACTIONS)) == 106
    places = {"take 3 3": 1, "open 3 3 3": 17, "open 3 3 2": 33, "open 3 2 2": 49, "open 2 2 2": 63, "add 3": 64}
    places |= {"add 2 to 3": 78, "add 2 to 2": 90, "discard 3": 91, "discard 2": 105}
    assert {action: ACTIONS.index(action) for action in places} == places
    assert [action for action in ACTIONS if action.startswith("take J")] == ["take J J", "take J Jd", "take Jd Jd"]
    three_queens = ["open Q Q Q", "open Q Q Qs", "open Q Qs Qs"]
    assert [action for action in ACTIONS if action.startswith("open Q") and "2" not in action] == three_queens


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("denexa", "denexa"),
        ("", "denexa"),
        ("max_turns=9 skunk=0 clean=out", "denexa clean=out skunk=0 max_turns=9"),
        ("denexa target=01200", "denexa"),
    ],
)
def test_rules(text: str, written: str) -> None:
    rules = parse_rules(text, SWITCHES, PRESETS)
    assert write_rules(rules, PRESETS) == written
    assert parse_rules(written, SWITCHES, PRESETS) == rules


@pytest.mark.parametrize("text", ["classic", "denexa target=0", "skunk=-1", "max_rounds=0", "clean=yes", "clean"])
def test_rules_refused(text: str) -> None:
    with pytest.raises(ValueError):
        parse_rules(text, SWITCHES, PRESETS)


HANDS = ["hand 0: 7h Kc", "hand 1: 4s 5s 6s", "pile: 5c"]


@pytest.mark.parametrize(
    "line",
    [
        "known 0: 7s",
        "melds 0: 7c 7d",
        "melds 0: 7c 7c 7d | 7d 7s 2c",
        "melds 0: 2c 2c 2d | 2d 2h 2h",
        "melds 0: 7c 8c 9c",
        "stock: 7c",
        "hand 2: 7c",
        "players: 4",
        "scores: 5",
        "turn: seat 2, play",
        "turn: seat 0, answer",
        "melds 0: 7h 7h 7s",
    ],
)
def test_positions_refused(line: str) -> None:
    with pytest.raises(ValueError):
        at([*HANDS, line])


# Details that the cases do not show -----------------------------------------------------------------------------------


def without_stock(*lines: str) -> Referee:
    """The lines and an empty stock; all cards that the lines do not name are in the hand of seat 1."""
    named = Counter(card for line in lines for card in line.partition(": ")[2].split() if card in PACK)
    return at([*lines, "hand 1: " + " ".join((Counter(PACK) - named).elements()), "stock:"])


def test_no_stock_and_one_card_in_the_pile() -> None:
    """M5.3; in play this does not come about."""
    table = without_stock("turn: seat 0, play", "hand 0: 7h 2c", "melds 0: 7c 7c 7d 7d 7h 7s 7s", "pile:")
    table.apply("discard 7")
    assert (table.ending, table.turns, table.naturals) == ("exhausted", 1, [1, 0])
    assert table.points[0] == 70 - 20
    table = without_stock("turn: seat 0, play", "hand 0: 7h 2c", "pile:")
    table.apply("discard 7")
    assert table.legal() == {"take 7 7"}


def test_turns_before_the_shuffle() -> None:
    table = without_stock("rules: max_turns=1", "turn: seat 0, play", "hand 0: 7h 2c", "pile: 5c 5d")
    table.apply("discard 7")
    assert (table.ending, table.stock, table.pile) == ("turns", [], ["5c", "5d", "7h"])


def test_a_shuffle_is_read_and_checked() -> None:
    table = without_stock("turn: seat 0, play", "hand 0: 7h 2c", "pile: 5c 5d 9h 9s")
    text = table.to_text()
    table.apply("discard 7")
    after = table.to_text()
    assert sorted(table.stock) == ["5c", "5d", "9h", "9s"]
    shuffled = after.replace("stock: " + " ".join(table.stock), "stock: 9s 5d 9h 5c")
    again = Referee.from_text(text)
    again.apply("discard 7", shuffled)
    assert again.to_text() == shuffled
    with pytest.raises(AssertionError):
        Referee.from_text(text).apply("discard 7", after.replace(" ".join(table.stock), "9s 5d 9h 7h"))


def test_match_out_of_rounds_pays_nothing() -> None:
    table = at(["episode: match", "rules: max_rounds=1", "turn: seat 0, play", "hand 0: 7h", *HANDS[1:]])
    table.apply("discard 7")
    assert (table.ending, table.rounds, table.scores, table.payment) == ("rounds", 1, [0, -15], [0, 0])


# Games with random moves ----------------------------------------------------------------------------------------------


def random_rules(dice: random.Random) -> str:
    words = ["denexa"]
    if dice.random() < 0.5:
        words.append("clean=out")
    for name, values in {"target": (1, 100, 400), "skunk": (0, 50, 900), "max_rounds": (1, 2, 5)}.items():
        if dice.random() < 0.6:
            words.append(f"{name}={dice.choice(values)}")
    if dice.random() < 0.3:
        words.append(f"max_turns={dice.randint(1, 60)}")
    return " ".join(words)


def choose(dice: random.Random, legal: set[str], eager: float) -> str:
    """A random action; with the chance `eager` one that builds melds, if there is any."""
    building = sorted(action for action in legal if action.split()[0] in ("take", "open", "add"))
    others = sorted(legal - set(building))
    return dice.choice(building if building and (dice.random() < eager or not others) else others)


def play_one(seed: int, seen: Counter) -> None:
    dice = random.Random(seed)
    text = new_position(random_rules(dice), dice.choice(["round", "match"]), seed)
    table, eager = Referee.from_text(text), dice.choice([0.0, 0.3, 0.9])
    while not table.over:
        legal = table.legal()
        assert legal, table.to_text()
        assert legal <= set(ACTIONS)
        text = table.to_text()
        again = Referee.from_text(text)
        assert again.to_text() == text
        action, stock, rounds = choose(dice, legal, eager), len(table.stock), table.rounds
        table.apply(action)
        assert Counter(table.all_cards()) == Counter(PACK)
        seen[action.split()[0]] += 1
        seen["shuffle"] += stock == 0 < len(table.stock) and table.rounds == rounds
        # The same action, shuffle and deal read from the position afterwards.
        again.apply(action, table.to_text())
        assert again.to_text() == table.to_text()
    assert table.legal() == set()
    assert Referee.from_text(table.to_text()).to_text() == table.to_text()
    seen["over " + table.ending.split(",")[0]] += 1
    seen["paid"] += table.payment != [0, 0]
    seen["natural"] += any(table.naturals)


def test_random_games(amount: Callable[[int, int, int], int]) -> None:
    seen: Counter = Counter()
    for seed in range(amount(12, 24, 2000)):
        play_one(seed, seen)
    wanted = ["draw", "take", "open", "add", "discard", "shuffle", "paid", "natural"]
    endings = ["over out", "over turns", "over match", "over rounds"]
    assert all(seen[thing] for thing in wanted + endings), seen


def test_wrong_deals_are_found() -> None:
    end = ["episode: match", "turn: seat 0, play", "hand 0: 7h", *HANDS[1:], "melds 0: 7c 7d 7s"]
    table = at(end)
    table.apply("add 7")
    text = table.to_text()
    lines = read_lines(text)
    hand, stock = lines["hand 0"].split(), lines["stock"].split()
    assert len(stock) == STOCK_SIZE
    wrong = [
        text.replace("dealer: 0", "dealer: 1"),
        text.replace("round: 1", "round: 2"),
        text.replace("turn: seat 1", "turn: seat 0"),
        text.replace("scores: ", "scores: 1"),
        text.replace("naturals: 1", "naturals: 0"),
        text + "turns: 1\n",
        text.replace("stock: ", "stock: 7h "),
        text.replace("hand 0: " + hand[0], "hand 0:").replace("stock: ", f"stock: {hand[0]} "),
        text.replace("pile: ", f"pile: {stock[0]} ").replace("stock: " + stock[0], "stock:"),
    ]
    refuses_other_deals(lambda: at(end), "add 7", text, wrong)


def test_kinds_are_in_the_order_of_the_contract() -> None:
    assert (len(RANKS), " ".join(KINDS)) == (13, "3 4 5 6 7 8 9 T J Jd Q Qs K A 2")
