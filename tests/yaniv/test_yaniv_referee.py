"""Does the referee of Yaniv agree with the examples of the rules, and does it keep every card in its own games?

The examples are data (`../data/yaniv-cases.json`). In random games two referees play: one shuffles, the other is told
the position after each action, as the engine will tell it.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest
from referee_texts import read_lines, write_rules
from rule_examples import examples_in
from yaniv_referee import (
    FACES,
    PRESETS,
    SWITCHES,
    Referee,
    complete,
    new_position,
    pack_of,
    parse_rules,
    total,
)

CASES = examples_in("yaniv")
ACTIONS = [
    "yaniv",
    *(f"discard {face}" for face in FACES),
    *(f"also {face}" for face in FACES),
    "draw",
    "take first",
    "take last",
]


def at(*lines: str) -> Referee:
    return Referee.from_text(complete("\n".join(lines)))


def play(referee: Referee, *actions: str) -> Referee:
    for action in actions:
        assert action in referee.legal(), (action, referee.legal())
        referee.apply(action)
    return referee


def name(case: dict) -> str:
    return case.get("laid") or f"{case['rule']}: {case['why']}"


# The examples of the rules


@pytest.mark.parametrize("case", CASES["discards"], ids=name)
def test_discards(case):
    """Whether the cards can be laid one by one, in this order, and the turn then be ended."""
    laid = case["laid"].split()
    hand = laid[:5]  # more than five is never in hand; the one such example fails at its fourth card
    referee = at("rules: denexa packs=2", "players: 2", f"hand 0: {' '.join(hand)}", "pile: Kh")
    can_be_laid = True
    for place, face in enumerate(hand):
        action = f"{'also' if place else 'discard'} {face}"
        if action not in referee.legal():
            can_be_laid = False
            break
        referee.apply(action)
    assert (can_be_laid and "draw" in referee.legal() and laid == hand) == case["valid"]


@pytest.mark.parametrize("case", CASES["deals"], ids=lambda case: f"{case['rules']} {case['players']}")
def test_deals(case):
    for episode in ("round", "match"):
        referee = Referee.from_text(new_position(case["players"], case["rules"], episode, seed=1))
        assert len(pack_of(referee.rules, referee.players)) == case["cards"]
        assert [len(hand) for hand in referee.hands] == [case["hand"]] * case["players"]
        assert (len(referee.pile), len(referee.stock)) == (1, case["stock"])
        assert (referee.seat, referee.phase) == (0, "play")


# Texts


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("", "denexa"),
        ("denexa call_limit=7", "denexa call_limit=7"),
        ("denexa call_limit=7 tie=asaf", "denexa call_limit=7 tie=asaf"),  # two differences from either
        ("denexa call_limit=7 tie=asaf asaf_zero=yes", "asaf first=left"),
        ("asaf first=left tie=caller asaf_zero=no", "denexa call_limit=7"),
        ("denexa max_rounds=3 max_turns=9 target=100 packs=1", "denexa packs=1 target=100 max_turns=9 max_rounds=3"),
        ("packs=2 halving=no", "denexa packs=2 halving=no"),
        ("asaf", "asaf"),
    ],
)
def test_rules_are_written_in_their_shortest_form(text, written):
    assert write_rules(parse_rules(text), PRESETS) == written


@pytest.mark.parametrize("text", ["pagat", "denexa target=22", "denexa tie=yes", "denexa call_limit=21", "denexa a=1"])
def test_wrong_rules_are_refused(text):
    with pytest.raises(ValueError):
        parse_rules(text)


@pytest.mark.parametrize(
    "lines",
    [
        ["players: 6"],
        ["hand 0: 3c 3c"],
        ["hand 0: 3c", "known 0: 4c"],
        ["pile: 5h", "last: 2"],
        ["turn: seat 0, draw"],
        ["laid: 3c"],
        ["turn: seat 0, draw", "laid: 3c 4c", "hand 0: 7c"],
        ["episode: match", "players: 3", "out: 0 1"],
        ["episode: match", "players: 3", "out: 0", "turn: seat 0, play"],
        ["turn: seat 2, play", "players: 2"],
        ["turns: 200"],
        ["players: 2", "known 2:"],
        ["melds 0:"],
    ],
    ids=", ".join,
)
def test_impossible_positions_are_refused(lines):
    with pytest.raises(ValueError):
        at(*lines)


def test_the_whole_text():
    referee = at("hand 0: 3c 8d 9d Td Kh", "hand 1: 2c 2d 5c 6c 7c", "pile: 5h", "seed: 9")
    stock = " ".join(referee.stock)
    play(referee, "discard 8d", "also 9d", "also Td", "take last", "discard 2c", "also 2d", "take first", "discard 5h")
    assert referee.to_text().splitlines() == [
        "rules: denexa",
        "players: 2",
        "turns: 2",
        "turn: seat 0, draw",
        "hand 0: 3c Kh",
        "hand 1: 5c 6c 7c 8d",
        "known 1: 8d",
        "pile: 9d Td 2c 2d",
        "last: 2",
        "laid: 5h",
        f"stock: {stock}",
        "rng: 9",
    ]


# Single points, by hand


def test_a_known_card_is_laid_before_an_equal_one():
    start = ("rules: denexa packs=2", "players: 2", "hand 0: 8d 8d 3c", "known 0: 8d", "pile: 5h")
    assert play(at(*start), "discard 8d").known[0] == []
    assert play(at(*start, "known 1:"), "discard 3c", "take last").known[0] == ["8d", "5h"]


def test_a_run_may_be_the_whole_hand():
    referee = play(at("hand 0: 5d 6d JK 8d 9d", "pile: Kh"), "discard 5d", "also 6d", "also JK", "also 8d", "also 9d")
    assert referee.legal() == {"draw", "take last"}
    assert len(referee.apply("take last") or referee.hands[0]) == 1


def test_middle_cards_of_a_set_are_laid_in_order():
    """Y3.5: every pair of ends can be shown in exactly one way."""
    shown = []
    ways = [([], at("hand 0: 8c 8d 8h 8s 2c", "pile: Kh"))]
    while ways:
        laid, referee = ways.pop()
        if "draw" in referee.legal():
            shown.append(tuple(laid))
        for action in referee.legal():
            if action.startswith(("discard 8", "also 8")):
                after = Referee.from_text(referee.to_text())
                ways.append(([*laid, action.split()[1]], play(after, action)))
    assert len(shown) == len(set(shown)) == 4 + 6 + 4 * 3 + 6  # 1, 2, 3, 4 cards: the ends of each choice of cards
    assert all((ends[0], ends[-1]) == tuple(sorted((ends[0], ends[-1]))) for ends in shown)


def test_a_match_goes_on_without_the_seats_that_are_out():
    referee = at("players: 4", "episode: match", "out: 1", "scores: 0 201 0 0", "hand 0: 2c 3c 9c", "pile: Kh")
    assert play(referee, "discard 9c", "draw").seat == 2
    assert (referee.hands[1], referee.scores[1]) == ([], 201)


def test_the_winner_begins_or_the_next_seat_in_the_game():
    rules = "rules: denexa first=winner tie=asaf"
    hands = ("hand 0: 2c 3c", "hand 1: 2d 3d", "hand 2: 5s", "hand 3: Kc", "pile: Kh")
    for scores, out, first, dealer in [
        ("0 0 0 0", [], 1, 0),  # seats 1 and 2 are equally low: the first after the caller
        ("0 199 0 0", [1], 2, 0),
        ("199 199 199 0", [0, 1, 2], None, None),
        ("0 199 199 0", [1, 2], 3, 0),
    ]:
        referee = play(at(rules, "players: 4", "episode: match", f"scores: {scores}", *hands), "yaniv")
        assert referee.out == out
        if first is None:
            assert referee.to_text().count("over: match, seat 3\n") == 1
        else:
            assert (referee.seat, referee.dealer) == (first, dealer)


def test_equal_seats_over_the_target_go_on_alone():
    start = ("players: 3", "episode: match", "scores: 180 211 210", "pile: Kh")
    referee = play(at(*start, "hand 0: Ac 4c", "hand 1: 4d", "hand 2: Kc"), "yaniv")
    assert (referee.scores, referee.out, referee.dealer, referee.seat) == ([215, 215, 220], [2], 0, 1)
    start = ("players: 3", "episode: match", "scores: 215 215 220", "out: 2", "pile: Kh")
    referee = play(at(*start, "hand 0: Ac 4c", "hand 1: Kd"), "yaniv")
    assert (referee.ending, referee.scores, referee.out) == ("match, seat 0", [215, 225, 220], [1, 2])


def test_a_match_that_runs_out_of_rounds():
    start = ("rules: denexa max_rounds=3", "players: 2", "episode: match", "round: 2", "hand 0: Ac", "hand 1: Kd")
    referee = play(at(*start), "yaniv")
    assert read_lines(referee.to_text()).items() >= {"over": "rounds", "round": "3", "turn": "seat 0, over"}.items()
    assert referee.scores == [0, 10]


# Random games


class Player:
    """Chooses at random, in one of several habits, so that rare things come about often."""

    def __init__(self, rng: random.Random):
        self.rng = rng
        self.caller = rng.choice((0.1, 0.5, 0.9))  # to call
        self.long = rng.choice((0.1, 0.9))  # to lay a further card
        self.thrifty = rng.choice((0.1, 0.9))  # to begin a set, else to discard the highest card

    def choose(self, referee: Referee) -> str:
        actions = sorted(referee.legal())
        also = [action for action in actions if action.startswith("also")]
        if "yaniv" in actions and self.rng.random() < self.caller:
            return "yaniv"
        if also and self.rng.random() < self.long:
            return self.rng.choice(also)
        if referee.phase == "play" and self.rng.random() < self.thrifty:
            hand = referee.hands[referee.seat]
            ranks = Counter(card[0] for card in hand if card != "JK")
            pairs = [card for card in hand if ranks[card[0]] > 1]
            return f"discard {min(pairs, key=FACES.index) if pairs else max(hand, key=lambda card: total([card]))}"
        return self.rng.choice(actions)


def any_rules(rng: random.Random, preset: str) -> str:
    """The preset with up to five switches; the limits are often low, so that matches end."""
    names = rng.sample(list(SWITCHES), rng.randrange(6))
    low = {"target": ("20", "40", "100"), "max_turns": ("1", "7", "40"), "max_rounds": ("1", "2", "5")}
    return " ".join([preset, *(f"{name}={rng.choice(low.get(name) or list(SWITCHES[name]))}" for name in names)])


def any_position(rng: random.Random, rules: str, players: int, episode: str) -> str:
    """A new game, or a round that is nearly over, with scores about the target and its half, and seats that are out."""
    if rng.random() < 0.3:
        return new_position(players, rules, episode, rng.randrange(1000))
    switches = parse_rules(rules)
    target, pack = int(switches["target"]), pack_of(switches, players)
    rng.shuffle(pack)
    pack.sort(key=lambda card: total([card]) < rng.randrange(7))  # low cards come to the hands
    out = sorted(rng.sample(range(players), rng.randrange(players - 1))) if episode == "match" else []
    hands = [[] if seat in out else [pack.pop() for _ in range(rng.choice((1, 2, 3)))] for seat in range(players)]
    marks = rng.choice(([target], [target, target // 2, 0]))
    scores = [max(0, rng.choice(marks) - rng.choice((0, 2, total(hand)))) for hand in hands]
    lines = {"rules": rules, "players": players, "episode": episode, "dealer": rng.randrange(players)}
    if episode == "match":
        lines["round"] = rng.randrange(int(switches["max_rounds"]))
        lines["out"] = " ".join(map(str, out))
        lines["scores"] = " ".join(str(target + 5 if seat in out else score) for seat, score in enumerate(scores))
    lines |= {f"hand {seat}": " ".join(hand) for seat, hand in enumerate(hands)}
    if rng.random() < 0.3:
        last = rng.randrange(1, 5)
        lines["stock"], lines["pile"], lines["last"] = " ".join(pack[:last]), " ".join(pack[last:]), last
    return Referee.from_text(complete("\n".join(f"{key}: {value}" for key, value in lines.items()))).to_text()


def walk(rng: random.Random, preset: str, players: int, episode: str, moves: int, seen: Counter) -> None:
    """Play random games until this many actions are done, and count what happened."""
    referee, text = None, ""
    for move in range(moves):
        if referee is None or referee.over or move % 40 == 0:
            text = any_position(rng, any_rules(rng, preset), players, episode)
            referee, told = Referee.from_text(text), Referee.from_text(text)
            assert referee.to_text() == text
            habits = [Player(rng) for _ in range(players)]
        legal = referee.legal()
        assert legal, text
        assert legal <= set(ACTIONS), text
        before, action = referee, habits[referee.seat].choose(referee)
        referee = Referee.from_text(text)
        referee.apply(action)
        text = referee.to_text()
        told.apply(action, after=text)
        assert told.to_text() == Referee.from_text(text).to_text() == text
        check_cards(before, action, referee)
        count(before, action, referee, seen)


def check_cards(before: Referee, action: str, after: Referee) -> None:
    """All cards are there, no hand grows, and cards move as the action says."""
    cards = [card for place in (*after.hands, after.pile, after.laid, after.stock) for card in place]
    assert sorted(cards) == sorted(pack_of(after.rules, after.players))
    held = [len(hand) + (len(after.laid) if seat == after.seat else 0) for seat, hand in enumerate(after.hands)]
    assert max(held) <= 5
    if after.round == before.round and not after.over and action.startswith(("draw", "take")):
        assert after.pile[-after.last :] == before.laid
        assert len(after.hands[before.seat]) == len(before.hands[before.seat]) + 1
        assert after.turns == before.turns + 1


def count(before: Referee, action: str, after: Referee, seen: Counter) -> None:
    seen[action.split()[0] if action != "take first" else action] += 1
    seen[f"over {after.ending.split(',')[0]}"] += after.over
    if after.round == before.round and not after.over:
        seen["new stock"] += len(after.stock) > len(before.stock)
        return
    seen["next deal"] += not after.over
    seen["out"] += before.out != after.out and not after.over
    seen["halved"] += any(new < old + more for new, old, more in zip(after.scores, before.scores, after.points))
    seen["beaten"] += action == "yaniv" and after.points[before.seat] > 0


@pytest.mark.parametrize("players", range(2, 6))
@pytest.mark.parametrize("preset", PRESETS)
def test_random_games(preset, players):
    rng = random.Random(f"{preset} {players}")
    seen: Counter[str] = Counter()
    walk(rng, preset, players, "round", moves=300, seen=seen)
    walk(rng, preset, players, "match", moves=900, seen=seen)
    expected = {"yaniv", "discard", "also", "draw", "take", "take first", "beaten", "halved", "next deal"}
    expected |= {"over yaniv", "over turns", "over match", "over rounds"}
    expected |= {"out"} if players > 2 else set()
    assert not expected - set(+seen), seen


def test_random_games_with_a_stock_that_runs_out():
    rng = random.Random(0)
    seen: Counter[str] = Counter()
    for _ in range(10):
        text = new_position(5, "denexa packs=1 call_limit=0", "match", rng.randrange(1000))
        referee, told = Referee.from_text(text), Referee.from_text(text)
        for _ in range(100):
            before = Referee.from_text(referee.to_text())
            action = rng.choice(sorted(referee.legal() - {"take last", "take first"}))
            referee.apply(action)
            told.apply(action, after=referee.to_text())
            check_cards(before, action, referee)
            count(before, action, referee, seen)
    assert seen["new stock"] > 2


# A wrong position after an action is found


def tampered(lines: dict[str, str], players: int, shuffled: bool) -> list[dict[str, str]]:
    """Positions that are wrong in one thing each; the cards stay complete."""
    wrong = []

    def change(**values: str) -> None:
        wrong.append({**lines, **{key.replace("_", " "): value for key, value in values.items()}})

    change(dealer=str((int(lines.get("dealer", players - 1)) + 1) % players))
    change(round=str(int(lines.get("round", 0)) + 1))
    change(turns=str(int(lines.get("turns", 0)) + 1))
    for key in ("scores", "points"):
        numbers = lines.get(key, "0 " * players).split()
        change(**{key: " ".join([str(int(numbers[0]) + 1), *numbers[1:]])})
    change(rules=lines["rules"] + " penalty=33")
    change(pile=lines["stock"].split()[0] + " " + lines["pile"], stock=" ".join(lines["stock"].split()[1:]))
    if "over" in lines:
        change(over="turns" if lines["over"] != "turns" else "yaniv, seat 0")
    else:
        seat = int(lines["turn"].split(",")[0].split()[1])
        change(turn=lines["turn"].replace(f"seat {seat}", f"seat {(seat + 1) % players}"))
        change(turn=lines["turn"].replace("draw", "play") if "draw" in lines["turn"] else f"seat {seat}, draw")
        hand = lines[f"hand {seat}"].split()
        if hand:
            change(**{f"known {seat}": " ".join([*lines.get(f"known {seat}", "").split(), hand[0]])})
            if not shuffled and hand[0] != lines["stock"].split()[0]:
                rest = lines["stock"].split()
                change(**{f"hand {seat}": " ".join([rest[0], *hand[1:]]), "stock": " ".join([hand[0], *rest[1:]])})
    if not shuffled:
        change(stock=" ".join(reversed(lines["stock"].split())))
    return wrong


def test_wrong_positions_are_found():
    rng = random.Random(1)
    tried = 0
    for _ in range(12):
        players, episode = rng.randrange(2, 6), rng.choice(("round", "match"))
        preset = rng.choice(list(PRESETS))
        text = any_position(rng, f"{preset} target=100 max_turns=30 max_rounds=6", players, episode)
        habits = [Player(rng) for _ in range(players)]
        for _ in range(40):
            referee = Referee.from_text(text)
            if referee.over:
                break
            action = habits[referee.seat].choose(referee)
            rounds, stock = referee.round, len(referee.stock)
            referee.apply(action)
            after = referee.to_text()
            shuffled = referee.round != rounds or len(referee.stock) > stock
            for lines in tampered(read_lines(after), players, shuffled):
                wrong = "\n".join(f"{key}: {value}" for key, value in lines.items())
                with pytest.raises(AssertionError):
                    Referee.from_text(text).apply(action, after=wrong)
                tried += 1
            text = after
    assert tried > 500


def test_a_wrong_deal_and_a_wrong_shuffle_are_found():
    start = complete("players: 2\nepisode: match\nhand 0: Ac\nhand 1: Kd\npile: 9d")
    after = Referee.from_text(start)
    after.apply("yaniv")
    for source, place in (("stock", "hand 0"), ("hand 1", "hand 0"), ("stock", "pile"), ("hand 1", "stock")):
        lines = read_lines(after.to_text())
        card, *rest = lines[source].split()
        lines[source], lines[place] = " ".join(rest), lines[place] + " " + card
        with pytest.raises(AssertionError):
            Referee.from_text(start).apply("yaniv", "\n".join(f"{key}: {value}" for key, value in lines.items()))

    rest = [card for card in pack_of(parse_rules("denexa"), 2) if card not in ("2c", "3c", "4c", "5c", "6c")]
    start = f"players: 2\nhand 0: 2c 3c\nhand 1: 4c 5c\npile: {' '.join(rest)}\nstock: 6c"
    after = Referee.from_text(start)
    play(after, "discard 2c")
    start = after.to_text()
    play(after, "draw")
    lines = read_lines(after.to_text())
    swapped = lines["stock"].split()[0]
    lines["stock"], lines["pile"] = lines["stock"].replace(swapped, "2c", 1), swapped
    with pytest.raises(AssertionError):
        Referee.from_text(start).apply("draw", "\n".join(f"{key}: {value}" for key, value in lines.items()))
    Referee.from_text(start).apply("draw", after.to_text())
