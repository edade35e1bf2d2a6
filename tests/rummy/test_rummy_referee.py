"""The referee of basic Rummy: every case of the rules page, and random games that never break what always holds."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

import pytest
from referee_base import PACK
from referee_play import play, with_stock
from rule_examples import examples_in
from rummy_games import choose, middle_position, random_rules
from rummy_referee import OPENINGS, Referee, is_meld

CASES = examples_in("rummy")


def position(lines: list[str]) -> Referee:
    return Referee.from_text("\n".join(lines))


def written(referee: Referee) -> list[str]:
    """The lines of the position without the generator, which does not matter here."""
    return [line for line in referee.to_text().splitlines() if not line.startswith("rng:")]


def add_to(meld: str, card: str) -> Referee:
    """The meld on the table, and in a hand the card with one of no use."""
    laid = meld.split()
    idle = next(other for other in PACK if other not in [*laid, card] and not is_meld([*laid, other]))
    rest = [other for other in PACK if other not in [*laid, card, idle]]
    hands = [f"hand 0: {card} {idle}", f"hand 1: {rest.pop()}", f"pile: {rest.pop()}", "stock: " + " ".join(rest)]
    return position([*hands, f"melds 1: {meld}", "turn: seat 0, play"])


@pytest.mark.parametrize("case", CASES["melds"], ids=lambda case: case["cards"])
def test_melds(case):
    cards = case["cards"].split()
    assert is_meld(cards) == case["valid"]
    if case["valid"]:
        assert ("set" if cards[0][0] == cards[1][0] else "run") == case["kind"]


def test_openings():
    assert len(OPENINGS) == 44 + 52


@pytest.mark.parametrize("case", CASES["adding"], ids=lambda case: case["meld"])
def test_adding(case):
    for card, meld in case["takes"].items():
        referee = add_to(case["meld"], card)
        referee.apply(f"add {card}")
        assert f"melds 1: {meld}" in written(referee)
    for card in case["not"]:
        assert f"add {card}" not in add_to(case["meld"], card).legal()


@pytest.mark.parametrize("case", CASES["refused"], ids=lambda case: case["why"])
def test_refused(case):
    if "rules" in case:
        with pytest.raises(ValueError):
            Referee.new(case["players"], case["rules"], "round", 0)
    else:
        with pytest.raises(ValueError, match=r"has played|too many"):
            Referee.from_text(with_stock(Referee, "\n".join(case["position"])))


@pytest.mark.parametrize(
    ("text", "shortest"),
    [
        ("denexa stock_out=turn", "memory"),
        ("memory melds=any", "memory melds=any"),
        ("free stock_out=turn", "memory melds=any"),
        ("denexa last_card=discard stock_out=end", "block"),
        ("block last_card=any", "denexa stock_out=end"),
        ("block stock_out=shuffle", "denexa last_card=discard"),
        ("denexa max_turns=40 melds=any deals=7", "free deals=7 max_turns=40"),
        ("denexa target=none deals=5", "denexa target=none deals=5"),
    ],
)
def test_rules_are_written_in_their_shortest_form(text, shortest):
    assert Referee.write_rules(Referee.read_rules(text)) == shortest


class Watch:
    """Counts stocks that were renewed, and turns with a second meld, which end the round (R7.2)."""

    def __init__(self, seen: Counter[str], game: Referee) -> None:
        self.seen, self.game = seen, game
        self.turn, self.bound, self.stock = (game.round, game.turns), False, len(game.stock)

    def __call__(self, game: Referee) -> None:
        self.seen["renewed"] += game.phase == "play" and len(game.stock) > self.stock
        if self.turn != (game.round, game.turns):
            self.seen["bound"] += self.bound
            assert not self.bound or any(game.points)  # it went out, with points for it
        self.turn, self.stock = (game.round, game.turns), len(game.stock)
        self.bound = game.rules["melds"] == "one" and game.opened >= 2


def test_random_games(amount: Callable[[int, int, int], int]):
    seen = Counter[str]()
    for seed in range(amount(40, 80, 3000)):
        dice = random.Random(seed)
        episode = dice.choice(["round", "match"])
        rules = random_rules(dice, episode)
        if dice.random() < 0.8:
            game = Referee.from_text(middle_position(dice, rules, episode))
        else:
            game = Referee.new(dice.randint(2, 6), rules, episode, seed)
        play(game, dice, seen, Watch(seen, game), choose)
    assert all(seen[what] for what in ["choose", "bound", "renewed", "out", "turns", "match", "rounds"]), seen


def whole_turns(hand: frozenset, melds: tuple, opened: int, referee: Referee):
    """Every turn from here on as a list of plays, judged by R5.1, R6 and R7.2 only where it ends."""
    discard_last = referee.rules["last_card"] == "discard"
    exception = referee.fresh or referee.rules["melds"] == "any"
    if not hand:
        if not discard_last and (opened <= 1 or exception):
            yield []
        return
    for card in hand - {referee.banned}:
        if opened <= 1 or referee.rules["melds"] == "any" or (exception and len(hand) == 1):
            yield [f"discard {card}"]
    for card in hand:
        for place, meld in enumerate(melds):
            if is_meld(meld | {card}):
                longer = (*melds[:place], meld | {card}, *melds[place + 1 :])
                for rest in whole_turns(hand - {card}, longer, opened, referee):
                    yield [f"add {card}", *rest]
    for action, cards in OPENINGS.items():
        if cards <= hand:
            for rest in whole_turns(hand - cards, (*melds, cards), opened + 1, referee):
                yield [action, *rest]


def test_the_look_ahead_agrees_with_turns_written_out_in_full(long: bool):
    compared = 0
    for seed in range(3000 if long else 200):
        dice = random.Random(seed)
        referee = Referee.from_text(middle_position(dice, random_rules(dice, "round"), "round"))
        while not referee.over and referee.phase != "draw":
            hand = frozenset(referee.hands[referee.seat])
            if referee.phase == "play" and len(hand) <= 7:
                turns = whole_turns(hand, tuple(referee.melds), referee.opened, referee)
                assert {turn[0] for turn in turns} == referee.legal(), referee.to_text()
                compared += 1
            referee.apply(choose(dice, referee.legal()))
    assert compared > 100


SHUFFLED = """
rules: denexa
turn: seat 0, draw
hand 0: 3c 9h Ks
hand 1: Ac 2c 4c 5c 6c 7c Ad 2d 3d 4d 5d 6d Ah 2h 3h 4h 5h 6h As 2s 3s 4s 5s 6s
melds 1: 8c 8d 8h 8s | Tc Td Th Ts | Jc Jd Jh Js | Qc Qd Qh Qs | Kc Kd Kh
pile: 7d 7h 7s 9c 9d 9s
stock:
"""


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("pile: 9s", "pile: 7d"),  # the top of the pile stays
        ("hand 0: 3c 9c 9h Ks", "hand 0: 3c 9h 9s Ks"),  # and cannot be drawn
        ("pile: 9s", "seen: yes\npile: 9s"),
        ("seat 0, play", "seat 0, play, banned 9c"),
        ("hand 0: 3c 9c 9h Ks", "hand 0: 9c 9h Ks"),
    ],
)
def test_what_is_read_of_a_shuffle_is_checked(right, wrong):
    after = SHUFFLED.replace("seat 0, draw", "seat 0, play").replace("3c 9h", "3c 9c 9h").replace("9c 9d 9s", "9s")
    after = after.replace("pile: 7d 7h 7s 9s", "pile: 9s").replace("stock:", "stock: 9d 7s 7d 7h") + "rng: 77"
    referee = Referee.from_text(SHUFFLED)
    referee.apply("draw", after=after)
    assert "stock: 9d 7s 7d 7h" in written(referee)
    assert referee.to_text().endswith("rng: 77\n")
    changed = after.replace(right, wrong)
    if right.startswith("pile") and "seen" not in wrong:
        changed = changed.replace("7s 7d 7h", "7s 9s 7h")
    if wrong == "hand 0: 3c 9h 9s Ks":
        changed = changed.replace("pile: 9s", "pile: 9c")
    assert changed != after
    with pytest.raises(AssertionError):
        Referee.from_text(SHUFFLED).apply("draw", after=changed)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("dealer: 2", "dealer: 1"),
        ("seat 0, draw", "seat 1, draw"),
        ("round: 3", "round: 2"),
        ("scores: 40 0 7", "scores: 10 0 7"),
        ("points: 30 0 0", "points: 60 0 0"),
        ("dealer: 2", "turns: 8"),
        ("seven", "six"),
    ],
)
def test_what_is_read_of_a_new_deal_is_checked(right, wrong):
    start = "episode: match\nround: 2\nturns: 7\nscores: 10 0 7\ndealer: 1\nturn: seat 0, play\n"
    start += "melds 0: 9c Tc Jc\nhand 0: Ks\nhand 1: Ac Td Qh 7s\nhand 2: 2d\npile: 2c\n"
    laid = start.split()
    start += "stock: " + " ".join(card for card in PACK if card not in laid)
    rest = list(reversed(PACK))
    sizes = [7, 7, 7] if wrong != "six" else [7, 7, 6]
    hands = "".join(f"hand {seat}: {' '.join(rest.pop() for _ in range(sizes[seat]))}\n" for seat in range(3))
    after = f"episode: match\nround: 3\nscores: 40 0 7\ndealer: 2\npoints: 30 0 0\nturn: seat 0, draw\n{hands}"
    after += f"pile: {rest.pop()}\nstock: {' '.join(rest)}\nrng: 5\n"
    if wrong != "six":
        referee = Referee.from_text(start)
        referee.apply("discard Ks", after=after)
        assert referee.scores == [40, 0, 7]
    with pytest.raises(AssertionError):
        Referee.from_text(start).apply("discard Ks", after=after.replace(right, wrong))
