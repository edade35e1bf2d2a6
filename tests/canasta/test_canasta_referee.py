"""Does the referee of Canasta agree with the cases of its rules, with itself, and with the pack in random games?"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import canasta_referee as canasta
import pytest
from canasta_referee import (
    ACTIONS,
    PACK,
    PRESETS,
    SWITCHES,
    Look,
    Referee,
    can_go_out_by_ranks,
    new_position,
    plays,
)
from referee_play import refuses_other_deals
from referee_texts import parse_rules, read_lines, write_rules
from rule_examples import examples_in

CASES = examples_in("canasta")


def at(lines: list[str]) -> Referee:
    return Referee.from_text("\n".join(lines))


# The cases ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES["melds"], ids=lambda case: case["cards"])
def test_melds(case: dict) -> None:
    kinds = case["cards"].split()
    assert canasta.is_meld(kinds) == case["valid"]
    if "canasta" in case:
        assert canasta.canasta(kinds) == case["canasta"]


@pytest.mark.parametrize("case", CASES["takes"], ids=lambda case: case["meld"])
def test_what_a_meld_takes(case: dict) -> None:
    meld = case["meld"].split()
    assert all(canasta.fits(meld, kind) for kind in case["fits"])
    assert not any(canasta.fits(meld, kind) for kind in case["does_not"])


@pytest.mark.parametrize("case", CASES["minimum"], ids=lambda case: str(case["score"]))
def test_minimum(case: dict) -> None:
    assert canasta.minimum(case["score"]) == case["value"]


# Texts ----------------------------------------------------------------------------------------------------------------


def test_action_table() -> None:
    assert len(ACTIONS) == len(set(ACTIONS)) == 122
    places = {"take 4 4": 3, "open 4 4 4": 36, "open 3 3 3": 69, "add 3": 81, "add 2 to 4": 82, "discard 3": 104}
    assert {action: ACTIONS.index(action) for action in places} == places
    assert ACTIONS[118:] == ("stop", "ask", "yes", "no")


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("denexa", "denexa"),
        ("", "denexa"),
        ("classic lone_take=yes", "classic lone_take=yes"),
        ("classic lone_take=yes red_threes_against=no", "denexa must_take=fits frozen_before_meld=yes"),
        ("denexa max_rounds=3 canastas=1 ask=no", "denexa canastas=1 ask=no max_rounds=3"),
        ("classic must_take=never", "classic must_take=never"),
        (
            "denexa red_threes_against=yes lone_take=no frozen_before_meld=yes",
            "classic must_take=able",
        ),
    ],
)
def test_rules(text: str, written: str) -> None:
    rules = parse_rules(text, SWITCHES, PRESETS)
    assert write_rules(rules, PRESETS) == written
    assert parse_rules(written, SWITCHES, PRESETS) == rules


@pytest.mark.parametrize("text", ["french", "denexa canastas=4", "denexa target=0", "denexa wilds=5", "classic ask"])
def test_rules_refused(text: str) -> None:
    with pytest.raises(ValueError):
        parse_rules(text, SWITCHES, PRESETS)


HANDS = ["hand 0: 7h Kc", "hand 1: 4s 5s 6s", "hand 2: 8s 9s Ts", "hand 3: Js Qs", "pile: 5c"]


@pytest.mark.parametrize(
    "lines",
    [
        ["red threes 0: 3d 3d 3d"],
        ["known 0: 7s"],
        ["melds 0: 7c 7d"],
        ["melds 0: 3d 3d 3h"],
        ["melds 0: 7c 7c 7d | 7d 7s 2c"],
        ["stock: 7c"],
        ["turn: seat 0, draw, last"],
        ["turn: seat 0, play, last"],
        ["turn: seat 0, play, opening"],
        ["turn: seat 0, play, taking", "melds 0: 7c 7d 7s"],
        ["turn: seat 0, play, opening", "melds 0: Ac Ad 2c"],
        ["turn: seat 0, play, concealed", "melds 0: 7c 7d 7s"],
        ["turn: seat 0, play, yes, no"],
        ["turn: seat 0, play, yes"],
        ["turn: seat 4, play"],
    ],
    ids=" / ".join,
)
def test_positions_refused(lines: list[str]) -> None:
    with pytest.raises(ValueError):
        at([*HANDS, *lines])


# Details that the cases do not show -----------------------------------------------------------------------------------


def full_stock_in_hand(seat: int, lines: list[str]) -> list[str]:
    """The lines and an empty stock; all cards that the lines do not name are in the hand of that seat."""
    named = Counter(card for line in lines for card in line.partition(": ")[2].split() if card in PACK)
    rest = (Counter(PACK) - named).elements()
    return [*lines, f"hand {seat}: " + " ".join(rest), "stock:"]


REDS = "red threes 1: 3d 3h 3h"


def test_two_players_red_three_then_the_last_card() -> None:
    lines = ["players: 2", "turn: seat 0, draw", "hand 0: 7h Kc", REDS, "pile: 5c", "melds 0:"]
    named = [*lines, "x: 3d 9c"]
    table = at([*full_stock_in_hand(1, named)[: len(lines)], full_stock_in_hand(1, named)[-2], "stock: 3d 9c"])
    table.apply("draw")
    after = read_lines(table.to_text())
    assert (after["hand 0"], after["stock"], after["turn"]) == ("7h 9c Kc", "", "seat 0, play")


def test_two_players_the_last_card_is_a_red_three() -> None:
    lines = ["players: 2", "turn: seat 0, draw", "hand 0: 7h Kc", REDS, "pile: 5c"]
    named = [*lines, "x: 9c 3d"]
    table = at([*lines, full_stock_in_hand(1, named)[-2], "stock: 9c 3d"])
    table.apply("draw")
    after = read_lines(table.to_text())
    assert (after["hand 0"], after["stock"], after["turn"]) == ("7h 9c Kc", "", "seat 0, play, last")


def test_taking_a_pile_of_one_card_for_the_first_meld() -> None:
    table = at(["turn: seat 0, draw", "hand 0: 7c 7d Kc Kd Kh 4c 4d 4h 5s 9d Tc", *HANDS[1:4], "pile: 7s"])
    table.apply("take 7 7")
    lines = read_lines(table.to_text())
    assert lines["turn"] == "seat 0, play, opening, taking"
    assert lines["pile"] == ""
    table.apply("open K K K")
    table.apply("open 4 4 4")
    assert read_lines(table.to_text())["turn"] == "seat 0, play, concealed"


def test_four_black_threes_and_another_card() -> None:
    """C4.5 to the letter: two cards would be left."""
    table = at(["turn: seat 0, play", "hand 0: 3c 3c 3s 3s Kc", *HANDS[1:], "melds 0: Qc Qc Qd Qd Qh Qh Qs"])
    assert table.legal() == {"discard 3", "discard K"}


def test_black_threes_in_the_last_turn() -> None:
    lines = ["turn: seat 0, play, last", "hand 0: 3c 3s 3s 7h", *HANDS[1:3], "red threes 0: 3d 3d 3h 3h", "pile: 5c"]
    table = at(full_stock_in_hand(3, [*lines, "melds 0: 7c 7d 7s | Qc Qc Qd Qd Qh Qh Qs"]))
    assert table.legal() == {"open 3 3 3", "add 7", "stop", "ask"}
    table.apply("open 3 3 3")
    assert table.legal() == {"add 7"}
    table.apply("add 7")
    assert table.ending == "out, seat 0"


def test_question_in_the_last_turn_keeps_the_words() -> None:
    lines = ["turn: seat 0, play, last", "hand 0: 7h", *HANDS[1:3], "red threes 0: 3d 3d 3h 3h", "pile: 5c"]
    table = at(full_stock_in_hand(3, [*lines, "melds 0: Qc Qc Qd Qd Qh Qh Qs | 7c 7d 7s"]))
    table.apply("ask")
    assert read_lines(table.to_text())["turn"] == "seat 2, answer, last"
    table.apply("yes")
    assert read_lines(table.to_text())["turn"] == "seat 0, play, yes, last"
    assert table.legal() == {"add 7"}


def test_going_out_on_the_taken_pile() -> None:
    """The hand is empty for a moment only; then the King of the pile is discarded."""
    lines = ["rules: denexa canastas=0", "turn: seat 0, draw", "hand 0: Ac Ad", *HANDS[1:4]]
    table = at([*lines, "pile: Kc Ah"])
    table.apply("take A A")
    assert table.legal() == {"discard K"}
    table.apply("discard K")
    assert table.points == [60 + 200 - 30, -35] * 2


def test_declining_the_pile_ends_the_round() -> None:
    lines = ["rules: denexa must_take=never", "turn: seat 0, draw", "turns: 5", *HANDS[:3], REDS, "red threes 0: 3d"]
    table = at(full_stock_in_hand(3, [*lines, "melds 0: 5c 5d 5h", "pile: Qs 5s"]))
    assert table.legal() == {"take add", "pass"}
    table.apply("pass")
    held = 15 + 30 + canasta.value_of(table.hands[3])
    assert (table.ending, table.turns) == ("exhausted", 5)
    assert table.points[:2] == [15 - 15 - 30 + 100, 300 + 15 + 15 - held]


def test_turns_before_exhausted_and_the_match_goes_on() -> None:
    lines = ["rules: denexa max_turns=1", "episode: match", "turn: seat 0, play", *HANDS[:3], HANDS[4], REDS]
    table = at(full_stock_in_hand(3, [*lines, "red threes 0: 3d"]))
    table.apply("discard K")
    after = read_lines(table.to_text())
    assert (after["round"], after["dealer"], after["turn"]) == ("1", "0", "seat 1, draw")
    assert "points" not in after
    assert "turns" not in after


# Looking ahead: two ways ----------------------------------------------------------------------------------------------


def random_look(rng: random.Random) -> Look:
    """A turn with few ranks, so that going out is possible in about every other one."""
    ranks = rng.sample(canasta.RANKS, rng.randint(1, 5))
    pool = [canasta.kind_of(card) for card in PACK if card not in canasta.RED_THREES]
    pool = [kind for kind in pool if kind in ranks or kind in canasta.WILD]
    hand = rng.sample(pool, min(len(pool), rng.randint(1, 12)))
    if "3" not in ranks:
        hand += ["3"] * rng.choice([0, 0, 0, 1, 3, 4])
    melds: list[tuple[str, ...]] = [()] * len(canasta.RANKS)
    for rank in rng.sample(canasta.NATURALS, rng.randint(0, 4)):
        meld = [rank] * rng.randint(2, 8) + rng.choices(canasta.WILD, k=rng.randint(0, 3))
        if canasta.is_meld(meld):
            melds[canasta.RANKS.index(rank)] = canasta.ordered(meld)
    return Look(canasta.ordered(hand), tuple(melds), (), 0, rng.randint(0, 2), rng.random() < 0.3)


def test_going_out_all_ways_and_by_ranks(long: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(canasta, "SMALL_HAND", 99)
    canasta.can_go_out.cache_clear()
    rng, outs, tries = random.Random(3), 0, 3000 if long else 150
    for _ in range(tries):
        look = random_look(rng)
        outs += canasta.can_go_out(look)
        assert canasta.can_go_out(look) == can_go_out_by_ranks(look), look
    canasta.can_go_out.cache_clear()
    assert tries // 5 < outs < 4 * tries // 5


# Games with random moves ----------------------------------------------------------------------------------------------


def random_rules(rng: random.Random) -> str:
    words = [rng.choice(["denexa", "classic"])]
    for name, allowed in SWITCHES.items():
        if not isinstance(allowed, range) and rng.random() < 0.4:
            words.append(f"{name}={rng.choice(allowed)}")
    if rng.random() < 0.5:
        words.append(f"target={rng.choice([1, 300, 1500])}")
    if rng.random() < 0.2:
        words.append(f"max_turns={rng.randint(1, 90)}")
    return " ".join([*words, f"max_rounds={rng.randint(1, 4)}"])


def random_start(rng: random.Random, seed: int) -> str:
    """A deal; often with other scores, melds on the table or a short stock, so that the endings are near."""
    players = rng.choice([2, 4])
    lines = read_lines(new_position(players, random_rules(rng), rng.choice(["round", "match"]), seed))
    if rng.random() < 0.6:
        lines["scores"] = " ".join([str(rng.choice([-200, 0, 1500, 3000])) for _ in range(2)] * (players // 2))
    stock = lines["stock"].split()
    for side in range(2) if rng.random() < 0.6 else ():
        melds = []
        for rank in rng.sample(canasta.NATURALS, rng.randint(0, 4)):
            cards = [card for card in stock if canasta.kind_of(card) == rank][: rng.randint(3, 7)]
            cards += [card for card in stock if canasta.is_wild(card)][: rng.randint(0, 2)]
            if canasta.is_meld([canasta.kind_of(card) for card in cards]):
                melds.append(" ".join(cards))
                stock = list((Counter(stock) - Counter(cards)).elements())
                rng.shuffle(stock)
        lines[f"melds {side}"] = " | ".join(melds)
    if rng.random() < 0.6:
        # Some cards move from the stock to below the upcard; often only such as do not freeze the pile.
        below = stock[rng.randint(1, 12) :]
        if rng.random() < 0.7:
            below = [card for card in below if not canasta.is_wild(card) and card not in canasta.RED_THREES]
        stock = list((Counter(stock) - Counter(below)).elements())
        rng.shuffle(stock)
        lines["pile"] = " ".join([*below, lines["pile"]])
    lines["stock"] = " ".join(stock)
    return "\n".join(f"{key}: {value}" for key, value in lines.items())


def choose(rng: random.Random, legal: set[str], eager: float) -> str:
    """A random action; with the chance `eager` one that builds melds, if there is any."""
    actions = sorted(legal)
    if "pass" in legal and rng.random() < 0.5:
        return "pass"
    building = [action for action in actions if action.split()[0] in ("take", "open", "add", "ask", "yes", "no")]
    return rng.choice(building if building and rng.random() < eager else actions)


def look_after(table: Referee, action: str) -> Look | None:
    """What the look-ahead expects of an action."""
    if action.startswith("take"):
        return table._takes()[action]
    return plays(table.look()).get(action)


def play_one(seed: int, seen: Counter) -> None:
    rng = random.Random(seed)
    table, eager = Referee.from_text(random_start(rng, seed)), rng.choice([0.0, 0.5, 0.9])
    while not table.over:
        legal = table.legal()
        assert legal, table.to_text()
        assert legal <= set(ACTIONS)
        text = table.to_text()
        again = Referee.from_text(text)
        assert again.to_text() == text
        if table.phase == "play":
            look = table.look()
            if look.first == 0 and len(look.hand) <= canasta.SMALL_HAND:
                assert canasta.can_go_out(look) == can_go_out_by_ranks(look), text
        action = choose(rng, legal, eager)
        seen[action.split()[0]] += 1
        expected, rounds = look_after(table, action), table.rounds
        table.apply(action)
        assert Counter(table.all_cards()) == Counter(PACK)
        assert sum(map(len, table.hands)) > 0
        if expected is not None and not table.over and table.rounds == rounds:
            assert table.look() == expected, text
        # The same action, the deal read from the position afterwards.
        again.apply(action, table.to_text())
        assert again.to_text() == table.to_text()
        for word in table.words:
            seen[word] += 1
    assert table.legal() == set()
    assert Referee.from_text(table.to_text()).to_text() == table.to_text()
    seen["over " + table.ending.split(",")[0]] += 1


def test_random_games(long: bool, amount: Callable[[int, int, int], int]) -> None:
    seen: Counter = Counter()
    for seed in range(amount(20, 40, 2000)):
        play_one(seed, seen)
    for thing in ("draw", "take", "open", "add", "discard", "stop", "ask", "yes", "no", *(["pass"] if long else [])):
        assert seen[thing], seen
    for thing in ("opening", "taking", "concealed", "last", "over out", "over exhausted", "over match", "over rounds"):
        assert seen[thing], seen


def test_wrong_deals_are_found() -> None:
    end = ["episode: match", "hand 0: 7h Kc", *HANDS[1:], "melds 0: 7c 7c 7d 7d 7s 7s", "turn: seat 0, play"]
    table = at(end)
    table.apply("add 7")
    start = table.to_text()
    table.apply("discard K")
    text = table.to_text()
    lines = read_lines(text)
    first, second = lines["hand 0"].split()[0], lines["stock"].split()
    swapped = text.replace("hand 0: " + lines["hand 0"], "hand 0: " + " ".join(lines["hand 0"].split()[1:]))
    wrong = [
        text.replace("dealer: 0", "dealer: 1"),
        text.replace("round: 1", "round: 2"),
        text.replace("turn: seat 1", "turn: seat 2"),
        text.replace("scores: 605", "scores: 600"),
        text + "turns: 1\n",
        text.replace("stock: ", "stock: JK "),
        swapped.replace("stock: ", f"stock: {first} "),
        text.replace("pile: ", f"pile: {second[0]} {second[1]} ").replace(
            "stock: " + " ".join(second), "stock: " + " ".join(second[2:])
        ),
    ]
    refuses_other_deals(lambda: Referee.from_text(start), "discard K", text, wrong)
