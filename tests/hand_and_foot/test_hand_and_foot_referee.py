"""Does the referee of Hand and Foot agree with the cases of its rules, with itself, and with the pack?"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import hand_and_foot_melds as melds_module
import pytest
from hand_and_foot_melds import (
    NATURALS,
    RANKS,
    WILD,
    Look,
    can_go_out,
    can_go_out_by_ranks,
    is_meld,
    ordered,
    pile_kind,
    plays,
)
from hand_and_foot_referee import ACTIONS, MINIMUM, PACK, PRESETS, RED_THREES, SWITCHES, Referee, kind_of, new_position
from referee_play import refuses_other_deals
from referee_texts import parse_rules, read_lines, write_rules
from rule_examples import examples_in

CASES = examples_in("hand_and_foot")


def at(lines: list[str]) -> Referee:
    return Referee.from_text("\n".join(lines))


# The cases ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", CASES["melds"], ids=lambda case: case["cards"])
def test_melds(case: dict) -> None:
    kinds = case["cards"].split()
    assert is_meld(kinds) == case["valid"]
    if "pile" in case:
        assert pile_kind(kinds) == case["pile"]


@pytest.mark.parametrize("case", CASES["takes"], ids=lambda case: case["meld"])
def test_what_a_meld_takes(case: dict) -> None:
    meld = case["meld"].split()
    assert all(is_meld([*meld, kind]) for kind in case["fits"])
    assert not any(is_meld([*meld, kind]) for kind in case["does_not"])


@pytest.mark.parametrize("case", CASES["minimum"], ids=lambda case: str(case["round"]))
def test_minimum(case: dict) -> None:
    assert MINIMUM[case["round"]] == case["value"]


# Texts ----------------------------------------------------------------------------------------------------------------


def test_action_table() -> None:
    assert len(ACTIONS) == len(set(ACTIONS)) == 127
    places = {"take 4 4": 2, "take 2 2": 35, "open 4 4 4": 37, "open 2 2 2": 70, "add 4": 74, "add 2 to 4": 85}
    places |= {"add JK to W": 108, "discard 3": 109, "stop": 123}
    assert {action: ACTIONS.index(action) for action in places} == places


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("denexa", "denexa"),
        ("", "denexa"),
        ("max_turns=9 piles=0/3/2 ask=no", "denexa piles=0/3/2 ask=no max_turns=9"),
        ("denexa deal_bonus=007 must_take=never", "denexa deal_bonus=7"),
    ],
)
def test_rules(text: str, written: str) -> None:
    rules = parse_rules(text, SWITCHES, PRESETS)
    assert write_rules(rules, PRESETS) == written
    assert parse_rules(written, SWITCHES, PRESETS) == rules


@pytest.mark.parametrize("text", ["classic", "denexa piles=2/2", "piles=4/0/0", "max_turns=0", "deal_bonus=101", "ask"])
def test_rules_refused(text: str) -> None:
    with pytest.raises(ValueError):
        parse_rules(text, SWITCHES, PRESETS)


HANDS = ["hand 0: 7h Kc", "hand 1: 4s 5s 6s", "hand 2: 8s 9s Ts", "hand 3: Js Qs", "pile: 5c"]


@pytest.mark.parametrize(
    "lines",
    [
        ["red threes 0: 3d 3d 3d 3d 3d 3d"],
        ["red threes 0: 3c"],
        ["known 0: 7s"],
        ["melds 0: 7c 7d"],
        ["melds 0: 3c 3c 3s"],
        ["melds 0: 7c 7c 7d | 7d 7s 2c"],
        ["stock: 7c"],
        ["players: 2"],
        ["round: 4"],
        ["scores: 5 0 0 0"],
        ["deal bonus: 2 0 0 0"],
        ["turn: seat 0, draw, last"],
        ["turn: seat 0, play, last"],
        ["turn: seat 0, play, opening"],
        ["turn: seat 0, play, taking", "melds 0: 7c 7d 7s"],
        ["turn: seat 0, play, opening", "melds 0: Ac Ad 2c"],
        ["turn: seat 0, play, yes, no"],
        ["turn: seat 0, play, yes"],
        ["turn: seat 4, play"],
        ["over: turns", "turn: seat 0, play"],
        ["hand 0:", "foot 0: 7h Kc"],
        ["hand 1:"],
        ["hand 1: 3d"],
        ["rules: denexa ask=no", "turn: seat 0, answer"],
    ],
    ids=" / ".join,
)
def test_positions_refused(lines: list[str]) -> None:
    changed = {line.partition(":")[0] for line in lines}
    with pytest.raises(ValueError):
        at([*(line for line in HANDS if line.partition(":")[0] not in changed), *lines])


# Details that the cases do not show -----------------------------------------------------------------------------------


def without_stock(*lines: str, seat: int = 3) -> Referee:
    """The lines and an empty stock; all cards that the lines do not name are in the hand of that seat."""
    named = Counter(card for line in lines for card in line.partition(": ")[2].split() if card in PACK)
    rest = [card for card in (Counter(PACK) - named).elements() if card not in RED_THREES]
    return at([*lines, f"hand {seat}: " + " ".join(rest), "stock:"])


FIVE_PILES = (
    "melds 0: 4c 4c 4c 4c 4c 4d 4d | 5c 5c 5c 5c 5d 5d 5d | 6c 6c 6c 6c 6c 2c 2c | 8c 8c 8c 8c 8c 2d 2d | "
    "2h 2h 2h 2h 2h 2s 2s"
)
TEN_REDS = "3d 3d 3d 3d 3d 3h 3h 3h 3h 3h"


def test_a_red_three_and_then_the_last_card() -> None:
    named = ["turn: seat 0, draw", *HANDS[:3], "pile: 5c", "red threes 1: 3d 3d 3d 3d 3h 3h 3h 3h 3h"]
    rest = [card for card in (Counter(PACK) - Counter(" ".join(named).split())).elements() if card not in RED_THREES]
    rest.remove("9c")
    table = at([*named, "hand 3: " + " ".join(rest), "stock: 3d 9c"])
    table.apply("draw")
    lines = read_lines(table.to_text())
    assert (lines["hand 0"], lines["stock"], lines["turn"]) == ("7h 9c Kc", "", "seat 0, play")


def test_one_card_of_a_foot_of_red_threes() -> None:
    """HF9.4, and the turn passes on."""
    lines = ["hand 0: 7h", *HANDS[1:3], "pile: 9c 5c", f"foot 0: {TEN_REDS} Kc", "melds 0: 7c 7c 7d"]
    table = without_stock("turn: seat 0, play", *lines)
    table.apply("add 7")
    assert table.legal() == {"stop"}
    table.apply("stop")
    assert (table.ending, table.turns, table.hands[0]) == ("exhausted", 1, ["Kc"])


def test_one_card_of_a_foot_of_red_threes_and_all_piles() -> None:
    lines = ["hand 0: 7h", *HANDS[1:3], "pile: 9c 5c", f"foot 0: {TEN_REDS} Kc", f"{FIVE_PILES} | 7c 7c 7d"]
    table = without_stock("turn: seat 0, play", *lines)
    table.apply("add 7")
    assert table.legal() == {"ask"}
    for answer, then in (("no", {"stop"}), ("yes", {"discard K"})):
        answered = Referee.from_text(table.to_text())
        answered.apply("ask")
        answered.apply(answer)
        assert answered.legal() == then


def test_last_by_the_foot_of_a_hand_emptied_by_melding_goes_on_without_a_discard() -> None:
    lines = ["hand 0: 7h", *HANDS[1:3], "pile: 9c 5c", f"foot 0: {TEN_REDS[3:]} 7d Kc Kd Kh", "melds 0: 7c 7c 7d"]
    named = Counter(" ".join(lines).split())
    rest = [card for card in (Counter(PACK) - named).elements() if card != "3d"]
    table = at(["turn: seat 0, play", *lines, "hand 3: " + " ".join(rest), "stock: 3d"])
    table.apply("add 7")
    assert table.words == {"last"}
    assert table.legal() == {"add 7", "open K K K", "stop"}


def test_taking_for_the_first_meld_empties_the_hand_and_then_the_foot_comes_after_the_pile() -> None:
    lines = ["turn: seat 0, draw", "hand 0: 7c 7d Kc Kd Kh 4c 4d 4h", *HANDS[1:4], "foot 0: 8c 8d 8h 9c Tc Jc Qc"]
    table = at([*lines, "pile: 5c 7s"])
    for action in ("take 7 7", "open K K K", "open 4 4 4"):
        table.apply(action)
    assert (table.hands[0], table.known[0], len(table.feet[0])) == (["5c"], ["5c"], 7)
    table = at([*lines, "pile: 7s"])
    for action in ("take 7 7", "open K K K", "open 4 4 4"):
        table.apply(action)
    assert (len(table.hands[0]), table.feet[0]) == (7, [])


def test_a_take_that_leaves_one_card() -> None:
    lines = ["turn: seat 0, draw", "hand 0: 7c 7d Kc", *HANDS[1:4], "pile: 7s"]
    assert at([*lines, "melds 0: 9c 9c 9d"]).legal() == {"draw"}
    assert at([*lines, "melds 0: 9c 9c 9d", "foot 0: 8c"]).legal() == {"draw", "take 7 7"}
    assert at([*lines, "melds 0: 9c 9c 9d", "rules: piles=0/0/0 ask=no"]).legal() == {"draw", "take 7 7"}


def test_going_out_without_any_meld() -> None:
    table = at(["rules: denexa piles=0/0/0 ask=no", "turn: seat 0, play", "hand 0: Kc", *HANDS[1:]])
    table.apply("discard K")
    assert (table.ending, table.points[:2]) == ("out, seat 0", [100 - 30, -15 - 20])


def test_turns_end_the_match() -> None:
    table = at(["rules: max_turns=1", "episode: match", "round: 3", "turn: seat 0, play", "scores: 5 9 5 9", *HANDS])
    table.apply("discard 7")
    assert (table.ending, table.turns, table.rounds, table.points) == ("match, seat 1", 1, 4, [0] * 4)


# Looking ahead: two ways ----------------------------------------------------------------------------------------------


def random_look(dice: random.Random) -> Look:
    """A turn with few ranks, so that going out is possible in about every other one."""
    ranks = dice.sample(NATURALS, dice.randint(1, 4))
    pool = [kind_of(card) for card in PACK if card not in RED_THREES]
    pool = [kind for kind in pool if kind in ranks or (kind in WILD and dice.random() < 0.6)]
    hand = dice.sample(pool, min(len(pool), dice.randint(1, 13)))
    melds: list[tuple[str, ...]] = [()] * len(RANKS)
    for place, rank in enumerate(RANKS):
        if (rank in ranks and dice.random() < 0.7) or dice.random() < 0.2:
            meld = [rank] * dice.randint(2, 6) + dice.choices(WILD, k=dice.randint(0, 2))
            meld = dice.choices(WILD, k=dice.randint(3, 6)) if rank == "W" else meld
            if is_meld(meld) and len(meld) < 7:
                melds[place] = ordered(meld)
    piles, needed = (tuple(dice.choice((0, 0, 1)) for _ in range(3)) for _ in range(2))
    return Look(ordered(hand), tuple(melds), piles, (), 0, True, False, False, needed, dice.random() < 0.3)


def test_going_out_all_ways_and_by_ranks(long: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(melds_module, "SMALL_HAND", 99)
    can_go_out.cache_clear()
    dice, outs, tries = random.Random(3), 0, 3000 if long else 200
    for _ in range(tries):
        look = random_look(dice)
        outs += can_go_out(look)
        assert can_go_out(look) == can_go_out_by_ranks(look), look
    can_go_out.cache_clear()
    assert tries // 5 < outs < 4 * tries // 5


# Games with random moves ----------------------------------------------------------------------------------------------


def random_rules(dice: random.Random) -> str:
    words = ["denexa"]
    if dice.random() < 0.7:
        words.append(f"piles={dice.choice((0, 0, 1, 2))}/{dice.choice((0, 0, 1))}/{dice.choice((0, 0, 0, 1))}")
    for name in ("ask", "must_take"):
        if dice.random() < 0.4:
            words.append(f"{name}={dice.choice(list(SWITCHES[name]))}")
    if dice.random() < 0.4:
        words.append(f"deal_bonus={dice.choice((1, 50, 100))}")
    if dice.random() < 0.2:
        words.append(f"max_turns={dice.randint(1, 90)}")
    return " ".join(words)


def random_start(dice: random.Random, seed: int) -> str:
    """A deal; often with melds on the table, small hands, few feet or a short stock, so that the endings are near."""
    lines = read_lines(new_position(random_rules(dice), dice.choice(["round", "match"]), seed))
    if dice.random() < 0.5:
        lines["round"] = str(dice.randrange(4))
    stock, reds = lines["stock"].split(), [[], []]
    for seat in range(4) if dice.random() < 0.7 else ():
        if dice.random() < 0.7:
            stock += lines.pop(f"foot {seat}").split()
        cards, kept = lines[f"hand {seat}"].split(), dice.randint(1, 4)
        stock += cards[kept:]
        lines[f"hand {seat}"] = " ".join(cards[:kept])
    dice.shuffle(stock)
    for side in range(2) if dice.random() < 0.7 else ():
        melds = []
        for rank in dice.sample(RANKS, dice.randint(0, 7)):
            cards = [card for card in stock if kind_of(card) == rank][: dice.randint(3, 7)]
            cards += [card for card in stock if kind_of(card) in WILD][
                : 7 if rank == "W" else dice.choice((0, 0, 1, 2))
            ]
            cards = cards[: dice.choice((6, 7))]
            if is_meld([kind_of(card) for card in cards]):
                melds.append(" ".join(cards))
                stock = list((Counter(stock) - Counter(cards)).elements())
                dice.shuffle(stock)
        lines[f"melds {side}"] = " | ".join(melds)
    if dice.random() < 0.6:  # a short stock: its cards move under the upcard, red Threes to the sides
        keep = dice.randint(0, 12)
        stock, below = stock[:keep], stock[keep:]
        for card in below:
            if card in RED_THREES:
                reds[dice.randrange(2)].append(card)
        lines["pile"] = " ".join([*(card for card in below if card not in RED_THREES), lines["pile"]])
        for side in range(2):
            lines[f"red threes {side}"] = " ".join([*lines.get(f"red threes {side}", "").split(), *reds[side]])
    lines["stock"] = " ".join(stock)
    if not stock:
        lines["turn"] = "seat 0, play"
    return "\n".join(f"{key}: {value}" for key, value in lines.items())


def choose(dice: random.Random, legal: set[str], eager: float) -> str:
    """A random action; with the chance `eager` one that builds melds, if there is any."""
    building = sorted(action for action in legal if action.split()[0] in ("take", "open", "add", "ask", "yes", "no"))
    return dice.choice(building if building and dice.random() < eager else sorted(legal))


def look_after(table: Referee, action: str) -> Look | None:
    """What the look-ahead expects of an action."""
    return table.takes()[action] if action.startswith("take") else plays(table.look()).get(action)


def play_one(seed: int, seen: Counter) -> None:
    dice = random.Random(seed)
    table, eager = Referee.from_text(random_start(dice, seed)), dice.choice([0.0, 0.5, 0.9])
    while not table.over:
        legal = table.legal()
        assert legal, table.to_text()
        assert legal <= set(ACTIONS)
        text = table.to_text()
        again = Referee.from_text(text)
        assert again.to_text() == text
        action = choose(dice, legal, eager)
        seen[action.split()[0]] += 1
        expected, rounds, feet = look_after(table, action), table.rounds, list(map(len, table.feet))
        table.apply(action)
        assert Counter(table.all_cards()) == Counter(PACK)
        if feet != list(map(len, table.feet)):
            seen["foot"] += 1
        elif expected is not None and not table.over and table.rounds == rounds:
            assert table.look() == expected, text
        # The same action, the deal read from the position afterwards.
        again.apply(action, table.to_text())
        assert again.to_text() == table.to_text()
        seen.update(table.words)
    assert table.legal() == set()
    assert Referee.from_text(table.to_text()).to_text() == table.to_text()
    seen["over " + table.ending.split(",")[0]] += 1


def test_random_games(long: bool, amount: Callable[[int, int, int], int]) -> None:
    seen: Counter = Counter()
    for seed in range(amount(8, 20, 1000)):
        play_one(seed, seen)
    wanted = ["draw", "take", "open", "add", "discard", "foot", "opening", "taking", "over exhausted", "over match"]
    rare = ["pass", "stop", "ask", "yes", "no", "last", "over out", "over turns"]
    assert all(seen[thing] for thing in [*wanted, *(rare if long else [])]), seen


def test_wrong_deals_are_found() -> None:
    end = ["episode: match", "rules: ask=no", "hand 0: Kc", *HANDS[1:], FIVE_PILES, "turn: seat 0, play"]
    good = at(end)
    good.apply("discard K")
    text = good.to_text()
    lines = read_lines(text)
    hand, stock = lines["hand 0"].split(), lines["stock"].split()
    wrong = [
        text.replace("dealer: 0", "dealer: 1"),
        text.replace("round: 1", "round: 2"),
        text.replace("turn: seat 1", "turn: seat 2"),
        text.replace("scores: ", "scores: 1"),
        text + "turns: 1\n",
        text + "deal bonus: 1 0 0 0\n",
        text.replace("stock: ", "stock: JK "),
        text.replace("hand 0: " + lines["hand 0"], "hand 0: " + " ".join(hand[1:])).replace(
            "stock: ", f"stock: {hand[0]} "
        ),
        text.replace("pile: ", f"pile: {stock[0]} ").replace("stock: " + stock[0], "stock:"),
    ]
    refuses_other_deals(lambda: at(end), "discard K", text, wrong)
