"""Is the referee of Contract Rummy right? It passes every published example, agrees with plainer searches of its own
plays, and plays random games from which no card is ever lost."""

from __future__ import annotations

import json
import random
from collections import Counter
from functools import lru_cache
from itertools import combinations

import pytest
from contract_rummy_referee import (
    CONTRACTS,
    FACES,
    LAST_CONTRACT,
    OPENINGS,
    PRESETS,
    Cards,
    Referee,
    can_lay_all,
    can_meet,
    can_pay,
    cards_dealt,
    continuous,
    grown,
    in_order,
    kind,
    naturals,
    new_position,
    openings,
    pack,
    read_rules,
    value,
    without,
)
from referee_texts import write_rules
from rule_examples import examples_in

CASES = examples_in("contract")


def named(cases: list[dict]) -> list:
    return [pytest.param(case, id=case.get("note") or case.get("why") or json.dumps(case)) for case in cases]


# The published examples


@pytest.mark.parametrize("case", CASES["deals"], ids=lambda case: str(case["contract"]))
def test_contracts(case):
    assert CONTRACTS[case["contract"]] == (case["sets"], case["runs"])
    assert cards_dealt(case["contract"]) == case["cards"]


@pytest.mark.parametrize("case", CASES["packs"], ids=lambda case: str(case["players"]))
def test_packs(case):
    cards = pack(case["players"])
    assert (len(cards), cards.count("JK")) == (case["cards"], case["jokers"])


def test_values():
    assert {card: value(card) for card in CASES["values"]} == CASES["values"]


@pytest.mark.parametrize("case", CASES["melds"], ids=lambda case: case["cards"])
def test_melds(case):
    assert kind(tuple(case["cards"].split())) == case["kind"]


@pytest.mark.parametrize("case", CASES["continuous"], ids=lambda case: f"{case['one']} and {case['two']}")
def test_continuous_runs(case):
    one, two = tuple(case["one"].split()), tuple(case["two"].split())
    assert continuous(one, two) == continuous(two, one) == case["continuous"]


@pytest.mark.parametrize("case", CASES["taking"], ids=lambda case: case["meld"])
def test_what_a_meld_takes(case):
    meld = tuple(case["meld"].split())
    assert {play: " ".join(grown(meld, play) or ()) for play in case["fits"]} == case["fits"]
    assert [grown(meld, play) for play in case["does_not"]] == [None] * len(case["does_not"])


@pytest.mark.parametrize("case", CASES["rules"], ids=lambda case: json.dumps(case))
def test_rules(case):
    players, episode = case.get("players", 3), case.get("episode", "round")
    if case["ok"]:
        assert write_rules(read_rules(case["rules"], players, episode), PRESETS) == case.get("written", case["rules"])
    else:
        with pytest.raises(ValueError):
            read_rules(case["rules"], players, episode)


def test_the_shortest_form_of_rules():
    text = "denexa max_rounds=21 max_turns=40 calls=none contract=any"
    assert write_rules(read_rules(text, 4, "round"), PRESETS) == "denexa contract=any max_turns=40"


@pytest.mark.parametrize("text", ["kings", "denexa calls=03", "denexa calls=3 calls=3", "denexa max_turns=0"])
def test_rules_refused(text):
    with pytest.raises(ValueError):
        read_rules(text, 3, "round")


# The number of actions


def test_the_openings_are_those_of_the_table():
    kinds = [kind(cards) for cards in OPENINGS]
    assert kinds == ["set"] * 338 + ["run"] * 484
    assert len(set(OPENINGS)) == 822


# Searches without any short cut


@lru_cache(None)
def plays_out(laid: tuple[Cards, ...], hand: Cards) -> bool:
    """Contract 7 by every order of every opening and every addition."""
    if len(laid) < 3:
        return any(
            plays_out(tuple(sorted((*laid, cards))), without(hand, cards))
            for cards in openings(hand)
            if kind(cards) == "run"
        )
    if not hand:
        return not any(continuous(one, two) for one, two in combinations(laid, 2))
    for play in [*(f"add {card}" for card in set(naturals(hand))), "add JK low", "add JK high"]:
        card = play.split()[1]
        for i, meld in enumerate(laid):
            longer = grown(meld, play) if card in hand else None
            if longer and plays_out(tuple(sorted((*laid[:i], longer, *laid[i + 1 :]))), without(hand, [card])):
                return True
    return False


@lru_cache(None)
def pays_by_any_play(owes: int, melds: tuple[Cards, ...], hand: Cards) -> bool:
    """N6.4 with every play there is: all openings, all additions, all exchanges."""
    if owes == 0:
        return True
    for cards in openings(hand):
        left = max(0, owes - cards.count("JK"))
        if pays_by_any_play(left, tuple(sorted((*melds, cards))), without(hand, cards)):
            return True
    plays = [f"{verb} {card}" for verb in ("swap", "add") for card in set(naturals(hand))]
    if hand.count("JK") > owes:
        plays += ["add JK low", "add JK high"]
    for play in plays:
        verb, card = play.split()[:2]
        for i, meld in enumerate(melds):
            longer = grown(meld, play)
            if longer:
                rest = without(hand, [card])
                if verb == "swap":
                    rest = tuple(in_order((*rest, "JK")))
                table = tuple(sorted((*melds[:i], longer, *melds[i + 1 :])))
                if pays_by_any_play(owes + (verb == "swap"), table, rest):
                    return True
    return False


def nearly_three_runs(rng: random.Random) -> list[str]:
    """Runs in few suits, with Jokers, sometimes with a card that spoils them."""
    suits = rng.choice(("c", "cd", "cdh"))
    size = rng.choice((12, 13, 13, 14, 15))
    lengths = [4, 4, 4]
    while sum(lengths) < size:
        lengths[rng.randrange(3)] += 1
    hand = []
    for length in lengths:
        suit, low = rng.choice(suits), rng.randrange(1, 16 - length)
        hand += ["A23456789TJQKA"[low - 1 + i] + suit for i in range(length)]
    for _ in range(rng.randrange(4)):
        hand[rng.randrange(size)] = "JK"
    if rng.random() < 0.4:
        hand[rng.randrange(size)] = rng.choice(FACES)
    return hand


@pytest.mark.parametrize("number", range(3))
def test_three_runs_of_all_cards_as_in_playing_them_out(number):
    rng, found = random.Random(number), Counter()
    while sum(found.values()) < 60:
        hand = tuple(in_order(nearly_three_runs(rng)))
        if Counter(hand) - Counter(pack(5)):
            continue
        answer = can_lay_all((), hand)
        assert answer == plays_out((), hand), hand
        found[answer] += 1
        for laid in rng.sample(openings(hand), min(3, len(openings(hand)))):
            if kind(laid) == "run":
                rest = without(hand, laid)
                assert can_lay_all((laid,), rest) == plays_out((laid,), rest), (laid, rest)
        plays_out.cache_clear()
    assert min(found[True], found[False]) > 5


@pytest.mark.parametrize("number", range(3))
def test_owed_jokers_as_with_every_play(number):
    rng, found = random.Random(number), Counter()
    runs = [cards for cards in OPENINGS if kind(cards) == "run"]
    while sum(found.values()) < 150:
        with_jokers = [run for run in runs if "JK" in run]
        melds = tuple(sorted(rng.sample(with_jokers, rng.randrange(1, 3))))
        on_table = [card for meld in melds for card in meld]
        cards = Counter(pack(5)) - Counter(on_table)
        if on_table.count("JK") > 3:
            continue
        jokers = rng.randrange(1, 5 - on_table.count("JK"))
        del cards["JK"]
        wanted = [card for card in cards if any(grown(meld, f"swap {card}") for meld in melds)]
        near = rng.sample(wanted, min(len(wanted), rng.randrange(3)))
        rest = list((cards - Counter(near)).elements())
        hand = tuple(in_order([*near, *rng.sample(rest, rng.randrange(1, 5)), *["JK"] * jokers]))
        owes = rng.randrange(1, jokers + 1)
        answer = can_pay(owes, melds, hand)
        assert answer == pays_by_any_play(owes, melds, hand), (owes, melds, hand)
        found[answer] += 1
        pays_by_any_play.cache_clear()
    assert min(found[True], found[False]) > 10


def test_a_contract_that_a_continuous_run_spoils():
    hand = ("3c", "4c", "5c", "6c", "7c", "8c", "9c", "Tc")
    assert not can_meet(0, 2, (), hand)
    assert can_meet(0, 2, (), (*hand[:4], "8c", "9c", "Tc", "Jc"))


# Random games


class Player:
    """Chooses at random, in one of several habits, so that rare things come about often."""

    def __init__(self, rng: random.Random):
        self.rng = rng
        self.eager = rng.choice((0.2, 0.9, 0.99))  # to play cards to the table
        self.greedy = rng.choice((0.05, 0.3, 0.9))  # to have the upcard

    def choose(self, legal: set[str]) -> str:
        actions = sorted(legal)
        wants = [action for action in actions if action in ("take", "call")]
        plays = [action for action in actions if action.startswith(("open", "add", "swap"))]
        if wants and self.rng.random() < self.greedy:
            return wants[0]
        swaps = [action for action in plays if action.startswith("swap")]
        if swaps and self.rng.random() < self.eager:
            return self.rng.choice(swaps)
        if plays and self.rng.random() < self.eager:
            return self.rng.choice(plays)
        rest = [action for action in actions if action not in wants and action not in plays]
        return self.rng.choice(rest or actions)


def random_rules(rng: random.Random, episode: str) -> str:
    words = ["denexa"]
    if episode == "round":
        words.append(f"contract={rng.choice(['any', 1, 2, 3, 4, 5, 6, 7])}")
    if rng.random() < 0.5:
        words.append(f"calls={rng.choice(['none', 0, 1, 3, 9])}")
    words.append(f"max_turns={rng.choice([1, 9, 40, 80])}")
    if rng.random() < 0.5:
        words.append(f"max_rounds={rng.choice([1, 2, 5])}")
    return " ".join(words)


def play_game(players: int, rules: str, episode: str, rng: random.Random, limit: int) -> Counter:
    """Play, look at every position, and count what was done."""
    seen: Counter = Counter()
    referee = Referee.from_text(new_position(players, rules, episode, rng.randrange(2**32)))
    player = Player(rng)
    for _ in range(limit):
        text = referee.to_text()
        again = Referee.from_text(text)  # counts the pack
        assert again.to_text() == text
        if referee.over:
            assert not referee.legal()
            seen[referee.ending.split(",")[0]] += 1
            break
        legal = referee.legal()
        assert legal
        assert again.legal() == legal
        action = player.choose(legal)
        before, contract, deals = list(referee.scores), referee.contract, referee.rounds
        referee.apply(action)
        seen[action.split()[0]] += 1
        if referee.over or referee.rounds != deals:
            seen[f"contract {contract}"] += 1
            assert referee.scores == [a + b for a, b in zip(before, referee.points)]
        again.apply(action, referee.to_text())  # chance as the text tells
        assert again.to_text() == referee.to_text()
    return seen


@pytest.mark.parametrize("number", range(12))
def test_random_games(number):
    rng = random.Random(number)
    episode = ("round", "match")[number % 2]
    play_game(3 + number % 3, random_rules(rng, episode), episode, rng, 600)


# Dealing cards that lead somewhere: few cards in hand, melds and Jokers on the table.


def late_position(rng: random.Random) -> str:
    players = rng.randrange(3, 6)
    contract = rng.randrange(1, LAST_CONTRACT)
    while True:
        melds = [
            (seat, meld)
            for seat in range(players)
            if rng.random() < 0.7
            for wanted, number in zip(("set", "run"), CONTRACTS[contract])
            for meld in rng.sample([cards for cards in OPENINGS if kind(cards) == wanted], number)
        ]
        left = Counter(pack(players))
        left.subtract(card for _, meld in melds for card in meld)
        if min(left.values()) >= 0:
            break
    cards = list(left.elements())
    rng.shuffle(cards)
    self = Referee.blank(players, f"denexa calls={rng.choice(['none', 1])} max_turns=30", "round")
    self.contract, self.melds = contract, melds
    self.hands = [[cards.pop() for _ in range(rng.randrange(1, 12))] for _ in range(players)]
    if rng.random() < 0.5:  # next to nothing to draw
        while len(cards) > 5:
            self.hands[-1].append(cards.pop())
    piled = len(cards) if rng.random() < 0.5 else rng.randrange(1, 5)
    self.pile, self.stock = cards[:piled], cards[piled:]
    self.seat = self.mover = rng.randrange(players)
    return self.to_text()


def play_on(text: str, rng: random.Random, limit: int) -> str:
    """Play from a position, every action also with the text after it; returns how the game ended."""
    referee, player = Referee.from_text(text), Player(rng)
    for _ in range(limit):
        if referee.over:
            break
        again = Referee.from_text(referee.to_text())
        assert again.legal() == referee.legal() != set()
        action = player.choose(referee.legal())
        referee.apply(action)
        again.apply(action, referee.to_text())
        assert again.to_text() == referee.to_text()
    return referee.ending.split(",")[0]


@pytest.mark.parametrize("number", range(10))
def test_random_late_positions(number):
    rng = random.Random(number + 1000)
    endings = Counter(play_on(late_position(rng), rng, 60) for _ in range(4))
    assert sum(endings.values()) == 4


def last_contract(rng: random.Random) -> str:
    """The turn before which the mover of the seventh contract holds three runs, or nearly."""
    while True:
        hand = nearly_three_runs(rng)
        if not Counter(hand) - Counter(pack(4)):
            break
    cards = list((Counter(pack(4)) - Counter(hand)).elements())
    rng.shuffle(cards)
    self = Referee.from_text(new_position(4, "denexa max_turns=30", "match", 0))
    self.round, self.contract = 6, 7
    self.seat = self.mover = self.dealer = 3
    self.phase = "play"
    self.hands = [cards[:12], cards[12:24], cards[24:36], hand]
    self.pile, self.stock = cards[36:40], cards[40:]
    return self.to_text()


def test_the_seventh_contract_at_the_end_of_a_match():
    rng = random.Random(7)
    endings = Counter(play_on(last_contract(rng), rng, 40) for _ in range(40))
    assert endings["match"] > 5, endings


# A wrong position after an action is refused


def wrong(text: str, old: str, new: str) -> str:
    assert old in text
    return text.replace(old, new, 1)


def test_wrong_positions_after_an_action_are_refused():
    position = new_position(3, "denexa max_turns=1 max_rounds=3", "match", 5)
    referee = Referee.from_text(position)
    referee.apply("take")
    card = sorted(referee.hands[0])[0]
    start = referee.to_text()
    referee.apply(f"discard {card}")
    right = referee.to_text()
    first_hand = next(line for line in right.splitlines() if line.startswith("hand 0"))
    moved = first_hand.split()[-1]
    for after in (
        wrong(right, "round: 1", "round: 2"),
        wrong(right, "contract: 1", "contract: 2"),
        wrong(right, "turn: seat 0", "turn: seat 1"),
        wrong(right, "contract: 1", "contract: 1\nscores: 1 0 0"),
        wrong(wrong(right, first_hand, first_hand.removesuffix(f" {moved}")), "stock: ", f"stock: {moved} "),
        wrong(right, f"stock: {right.split('stock: ')[1].split()[0]}", "stock:"),
    ):
        with pytest.raises(AssertionError):
            Referee.from_text(start).apply(f"discard {card}", after)
    Referee.from_text(start).apply(f"discard {card}", right)
    shuffled = Referee.from_text(right)
    random.Random(1).shuffle(shuffled.stock)
    shuffled.rng = 77
    Referee.from_text(start).apply(f"discard {card}", shuffled.to_text())  # another shuffle is as good
