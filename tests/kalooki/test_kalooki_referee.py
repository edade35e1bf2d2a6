"""Does the referee of Kalooki agree with the cases of its rules, with itself, and with the pack in random games?"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from itertools import permutations

import pytest
from kalooki_melds import (
    CONTRACTS,
    OPENINGS,
    PACK,
    THREES,
    Cards,
    can_end,
    can_meet,
    cards_dealt,
    grown,
    in_order,
    is_four,
    is_three,
    mark_of,
    openings,
    value,
    without,
)
from kalooki_referee import ACTIONS, PRESETS, SWITCHES, Referee, new_position, read_rules
from referee_play import refuses_other_deals
from referee_texts import read_lines, write_rules
from rule_examples import examples_in

CASES = examples_in("kalooki")


# The cases ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES["deals"], ids=lambda case: str(case["contract"]))
def test_deals(case: dict) -> None:
    assert CONTRACTS[case["contract"]] == (case["threes"], case["fours"])
    assert cards_dealt(case["contract"]) == case["cards"]


def test_values() -> None:
    assert {card: value(card) for card in CASES["values"]} == CASES["values"]


@pytest.mark.parametrize("case", CASES["melds"], ids=lambda case: case["cards"])
def test_melds(case: dict) -> None:
    cards = tuple(case["cards"].split())
    assert {"set": is_three(cards), "run": is_four(cards)} == {name: name == case["kind"] for name in ("set", "run")}


@pytest.mark.parametrize("case", CASES["taking"], ids=lambda case: case["meld"])
def test_what_a_meld_takes(case: dict) -> None:
    meld = tuple(case["meld"].split())
    found = {play: grown(meld, play) for play in [*case["fits"], *case["does_not"]]}
    assert {play: " ".join(longer) for play, longer in found.items() if longer} == case["fits"]


@pytest.mark.parametrize("case", CASES["rules"], ids=str)
def test_rules(case: dict) -> None:
    given = case["rules"], case.get("players", 3), case.get("episode", "round")
    if not case["ok"]:
        with pytest.raises(ValueError):
            read_rules(*given)
        return
    written = write_rules(read_rules(*given), PRESETS)
    assert written == case.get("written", case["rules"])


# Texts ----------------------------------------------------------------------------------------------------------------


def test_action_table() -> None:
    assert len(ACTIONS) == len(set(ACTIONS)) == 891
    places = {"call": 2, "allow": 4, "open Ac Ac Ad": 6, "open Ac 2c 3c 4c": 344, "open JK Qs JK As": 693}
    places |= {"add Ac": 696, "add JK low": 748, "swap Ac": 750, "discard Ac": 802, "discard JK": 854, "meld 0": 855}
    assert {action: ACTIONS.index(action) for action in places} == places
    assert all(is_three(cards) == (number < THREES) != is_four(cards) for number, cards in enumerate(OPENINGS))


def position(*lines: str) -> str:
    """The lines; the pile is 9c, and all cards that they do not name are the stock."""
    given = {"players": "3", "turn": "seat 0, play", "pile": "9c"} | read_lines("\n".join(lines))
    named = Counter(card for text in given.values() for card in text.split() if card in PACK)
    given.setdefault("stock", " ".join((Counter(PACK) - named).elements()))
    return "\n".join(f"{key}: {text}" for key, text in given.items())


@pytest.mark.parametrize(
    "lines",
    [
        ["known 0: 7s"],
        ["melds 0: 7c 7d"],
        ["melds 0: 7c 8c JK JK"],
        ["melds 1: 7c 7d 7h", "order: 0"],
        ["stock: 7c"],
        ["hand 5: 7c"],
        ["scores: 5"],
        ["contract: 10"],
        ["turn: seat 3, play"],
        ["turn: seat 0, play, first"],
        ["turn: seat 0, call, active 0"],
        ["turn: seat 0, choose discard 7c"],
        ["turn: seat 0, draw, first"],
        ["turn: seat 0, play"],
        ["hand 0: 7c 7c 7c"],
    ],
    ids=" / ".join,
)
def test_positions_refused(lines: list[str]) -> None:
    with pytest.raises(ValueError):
        Referee.from_text(position(*lines))


# Details that the cases do not show -----------------------------------------------------------------------------------


def test_equal_fours_are_a_choice() -> None:
    table = Referee.from_text(position("hand 0: 7c Kd", "melds 0: 3c 4c 5c 6c", "melds 1: 3c 4c 5c 6c", "contract: 3"))
    assert table.legal() == {"add 7c", "discard 7c", "discard Kd"}
    table.apply("add 7c")
    assert table.legal() == {"meld 0", "meld 1"}


def test_out_in_the_last_turn() -> None:
    table = Referee.from_text(position("turns: 299", "hand 0: Kd", "hand 1: As", "melds 0: 3c 3d 3h", "hand 2: 5c"))
    table.apply("discard Kd")
    assert (table.ending, table.turns, table.points) == ("out, seat 0", 299, [0, 15, 5])


def test_a_call_lets_the_mover_renew_the_stock() -> None:
    hand = " ".join((Counter(PACK) - Counter(["9c", "5d", "6d", "7d", "8d", "Kd", "Ks", "Kh"])).elements())
    text = position(
        f"hand 0: {hand}", "hand 1: Ks", "hand 2: Kh", "pile: 5d 6d 7d 9c", "stock: 8d", "turn: seat 0, draw"
    )
    text = text.replace("hand 2: Kh", "hand 2: Kh Kd")
    table = Referee.from_text(text)
    table.apply("draw")
    table.apply("call")
    before = table.to_text()
    table.apply("allow")
    assert (table.hands[1], table.known[1], table.pile) == (("9c", "8d", "Ks"), ("9c",), ["7d"])
    assert sorted([*(Counter(table.hands[0]) - Counter(hand.split())), *table.stock]) == ["5d", "6d"]
    again = Referee.from_text(before)
    again.apply("allow", table.to_text())
    assert again.to_text() == table.to_text()
    with pytest.raises(AssertionError):
        Referee.from_text(before).apply("allow", table.to_text().replace(f"stock: {table.stock[0]}", "stock: 7d"))


# Looking ahead: all orders --------------------------------------------------------------------------------------------


def can_meet_slowly(threes: int, fours: int, hand: Cards, marks: frozenset, table: list, different: bool) -> bool:
    """As `can_meet`, with nothing left out: every opening of a kind that is lacking, in every order."""
    if threes == fours == 0:
        return can_end(hand, table)
    for number in openings(hand):
        cards, mark, three = OPENINGS[number], mark_of(number, different), number < THREES
        if mark in marks or (threes if three else fours) == 0:
            continue
        lacking = (threes - 1, fours) if three else (threes, fours - 1)
        taken = marks | {mark} if mark else marks
        if can_meet_slowly(*lacking, without(hand, cards), taken, [*table, cards], different):
            return True
    return False


def test_contracts_in_one_order_and_in_all(long: bool) -> None:
    dice, met, tries = random.Random(5), 0, 5000 if long else 600
    for _ in range(tries):
        threes, fours = dice.choice([(1, 0), (2, 0), (0, 1), (1, 1), (0, 2), (1, 2), (3, 0)])
        numbers = [dice.randrange(THREES) for _ in range(threes)]
        numbers += [dice.randrange(THREES, len(OPENINGS)) for _ in range(fours)]
        hand = [card for number in numbers for card in OPENINGS[number]]
        if dice.random() < 0.5:
            hand[dice.randrange(len(hand))] = dice.choice(PACK)
        hand = in_order(hand + dice.sample(PACK, dice.randint(0, 3)))
        table = [OPENINGS[dice.randrange(len(OPENINGS))] for _ in range(dice.choice((0, 0, 1)))]
        different = dice.random() < 0.5
        expected = can_meet_slowly(threes, fours, hand, frozenset(), table, different)
        assert can_meet(threes, fours, hand, frozenset(), tuple(sorted(table)), different) == expected, hand
        met += expected
    assert tries // 20 < met < 19 * tries // 20


def test_jokers_left_over_in_any_order() -> None:
    """Three Jokers on two fours: each order of additions comes to the same."""
    fours = [("9s", "Ts", "Js", "Qs"), ("2h", "3h", "4h", "5h"), ("JK", "Jc", "Qc", "Kc")]
    for table in permutations(fours):
        assert [can_end(("JK",) * number, table) for number in range(1, 5)] == [True, True, True, False]


# Games with random moves ----------------------------------------------------------------------------------------------


def random_rules(dice: random.Random, episode: str) -> str:
    words = [dice.choice(list(PRESETS))]
    if episode == "round":
        words.append(f"contract={dice.choice(list(SWITCHES['contract']))}")
    if dice.random() < 0.5:
        words.append(f"calls={dice.choice(('0', '1', '9', 'none'))}")
    if dice.random() < 0.3:
        words.append(f"max_turns={dice.randint(1, 40)}")
    if dice.random() < 0.5:
        words.append(f"max_rounds={dice.randint(1, 4)}")
    return " ".join(words)


def some_melds(dice: random.Random, rest: Counter, contract: int) -> list[Cards]:
    """Openings of a contract, their cards taken from the rest; fewer where nothing more is found."""
    found: list[Cards] = []
    marks: set[str] = set()
    for three in [True] * CONTRACTS[contract][0] + [False] * CONTRACTS[contract][1]:
        for _ in range(200):
            number = dice.randrange(THREES) if three else dice.randrange(THREES, len(OPENINGS))
            cards, mark = OPENINGS[number], mark_of(number, True)
            if mark not in marks and not Counter(cards) - rest and cards.count("JK") <= dice.choice((0, 0, 1, 2)):
                found.append(cards)
                marks.add(mark)
                rest.subtract(cards)
                break
    return found


def random_start(dice: random.Random, seed: int) -> str:
    """A deal; often late in a round, with contracts in the hands or on the table, and a short stock."""
    players, episode = dice.choice((3, 4, 5)), dice.choice(("round", "match"))
    text = new_position(players, random_rules(dice, episode), episode, seed)
    if dice.random() < 0.2:
        return text
    lines, rest, rows = read_lines(text), Counter(PACK), []
    contract = int(lines["contract"]) if episode == "round" else dice.randint(1, 9)
    hands: list[list[str]] = []
    for _ in range(players):
        melds = some_melds(dice, rest, contract)
        met = len(melds) == sum(CONTRACTS[contract])
        rows.append(melds if met and dice.random() < 0.4 else [])
        hands.append([] if rows[-1] else [card for meld in melds for card in meld])
    cards = list((+rest).elements())
    dice.shuffle(cards)
    for row, hand in zip(rows, hands):
        size = dice.choice((1, 2, 3, 5)) if row else cards_dealt(contract) + dice.choice((0, 0, 2))
        for _ in range(max(0, size - len(hand))):
            hand.append(cards.pop())
    stock = dice.choice((0, 1, 2, 8, max(0, len(cards) - 2)))
    lines |= {f"hand {seat}": " ".join(hand) for seat, hand in enumerate(hands)}
    lines |= {f"melds {seat}": " | ".join(map(" ".join, row)) for seat, row in enumerate(rows)}
    owners = [str(seat) for seat, row in enumerate(rows) for _ in row]
    dice.shuffle(owners)
    lines |= {"contract": str(contract), "order": " ".join(owners), "turns": str(dice.choice((0, 7)))}
    lines |= {
        "stock": " ".join(cards[:stock]),
        "pile": " ".join(cards[stock:]),
        "turn": f"seat {dice.randrange(players)}, draw",
    }
    return "\n".join(f"{key}: {words}" for key, words in lines.items())


def choose(dice: random.Random, legal: set[str], eager: float) -> str:
    """A random action; with the chance `eager` one that builds melds, if there is any."""
    building = sorted(action for action in legal if action.split()[0] in ("open", "add", "swap"))
    others = sorted(legal - set(building) - ({"take", "refuse"} if dice.random() < 0.6 else set()))
    return dice.choice(building if building and (dice.random() < eager or not others) else others)


def play_one(seed: int, seen: Counter) -> None:
    dice = random.Random(seed)
    table, eager = Referee.from_text(random_start(dice, seed)), dice.choice([0.3, 0.9, 1.0])
    for _ in range(600):
        if table.over:
            break
        legal = table.legal()
        assert legal, table.to_text()
        assert legal <= set(ACTIONS)
        text = table.to_text()
        again = Referee.from_text(text)
        assert again.to_text() == text
        action = choose(dice, legal, eager)
        seen[action.split()[0]] += 1
        renewed = table.renewed
        table.apply(action)
        seen["renewed"] += table.renewed > renewed
        assert Counter(table.all_cards()) == Counter(PACK)
        # The same action, a new stock and a new deal read from the position afterwards.
        again.apply(action, table.to_text())
        assert again.to_text() == table.to_text()
    if table.over:
        assert table.legal() == set()
        assert Referee.from_text(table.to_text()).to_text() == table.to_text()
        seen["over " + table.ending.split(",")[0]] += 1


def test_random_games(long: bool, amount: Callable[[int, int, int], int]) -> None:
    seen: Counter = Counter()
    for seed in range(amount(20, 40, 1500)):
        play_one(seed, seen)
    wanted = ["draw", "take", "call", "pass", "allow", "refuse", "open", "add", "discard", "renewed"]
    endings = ["over out", "over exhausted", "over rounds"]
    rare = ["swap", "meld", "over bent", "over turns", "over match"]
    assert all(seen[thing] for thing in wanted + endings + (rare if long else [])), seen


def test_wrong_deals_are_found() -> None:
    end = position("episode: match", "hand 0: Kd", "hand 1: 5c", "hand 2: As 2s", "melds 0: 3c 3d 3h")
    table = Referee.from_text(end)
    table.apply("discard Kd")
    text = table.to_text()
    lines = read_lines(text)
    hand, stock = lines["hand 0"].split(), lines["stock"].split()
    wrong = [
        text.replace("dealer: 0", "dealer: 1"),
        text.replace("round: 1", "round: 2"),
        text.replace("contract: 2", "contract: 3"),
        text.replace("turn: seat 1", "turn: seat 0"),
        text.replace("scores: 0", "scores: 1"),
        text + "turns: 1\n",
        text + "renewed: 1\n",
        text.replace("stock: ", "stock: JK "),
        text.replace("hand 0: " + hand[0], "hand 0:").replace("stock: ", f"stock: {hand[0]} "),
        text.replace("pile: ", f"pile: {stock[0]} ").replace("stock: " + stock[0], "stock:"),
    ]
    refuses_other_deals(lambda: Referee.from_text(end), "discard Kd", text, wrong)
