"""Random games that a referee of `referee_base` plays alone, cases of a rules page, and deals that are refused."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from referee_base import BaseReferee, in_order, lines_of, spaced

# The cases


def named(case: dict[str, Any]) -> str:
    """The name of a case in the list of tests."""
    return next(str(case[key]) for key in ("note", "cards", "meld", "why") if key in case)


def with_stock(referee: type[BaseReferee], text: str) -> str:
    """The text with a stock of the cards that are nowhere."""
    lines = lines_of(text)
    players = 1 + max(int(key.split()[1]) for key in lines if key.startswith("hand "))
    rest = referee.empty(players, "").pack()
    for key, cards in lines.items():
        if key.split()[0] in ("hand", "melds", "pile"):
            rest -= Counter(word[:2] for word in cards.split())
    return f"{text}\nstock: {spaced(in_order(rest.elements()))}\n"


# Random games


def random_rules(referee: type[BaseReferee], dice: random.Random) -> str:
    """A preset and some switches, each at any value; limits of turns and rounds are short."""
    words = [dice.choice(list(referee.PRESETS))]
    for name, (default, allowed) in referee.SWITCHES.items():
        if name == "max_turns":
            words.append(f"{name}={dice.choice((8, 20, 60))}")
        elif name in ("deals", "max_rounds"):
            words.append(f"{name}={dice.choice((1, 2, 3))}")
        elif name == "target":
            words.append(f"{name}={dice.choice((20, 100, 1000))}")
        elif dice.random() < 0.3:
            words.append(f"{name}={dice.choice([default, *allowed[:1000]])}")
    return spaced(words)


def middle_position(
    referee: type[BaseReferee], melds: Iterable[str], dice: random.Random, players: int, rules: str, episode: str
) -> str:
    """A round that has gone on for a while: melds on the table, small hands, a stock of any size."""
    rest, choices = referee.empty(players, rules).pack(), list(melds)
    hands: list[list[str]] = [[] for _ in range(players)]
    rows: list[list[str]] = [[] for _ in range(players)]
    owners = []
    for _ in range(dice.randrange(2 * players + 2)):
        meld, seat = dice.choice(choices), dice.randrange(players)
        cards = [word[:2] for word in meld.split()]
        if Counter(cards) <= rest:
            rest.subtract(cards)
            if dice.random() < 0.2 and not hands[seat]:
                hands[seat] += cards
            else:
                owners.append(seat)
                rows[seat].append(meld)
    left = in_order(rest.elements())
    dice.shuffle(left)
    for hand in hands:
        hand += [left.pop() for _ in range(dice.randint(0 if hand else 1, 2))]
    size = max(1, len(left) - dice.choice((1, 4, dice.randint(1, len(left) - 1))))
    lines = [f"rules: {rules}", f"players: {players}", f"episode: {episode}", f"order: {spaced(owners)}"]
    lines += [f"hand {seat}: {spaced(hand)}" for seat, hand in enumerate(hands)]
    lines += [f"melds {seat}: {' | '.join(row)}" for seat, row in enumerate(rows) if row]
    lines += [f"pile: {spaced(left[:size])}", f"stock: {spaced(left[size:])}"]
    lines += [f"turn: seat {dice.randrange(players)}, draw"]
    return "\n".join(lines)


def choose(dice: random.Random, legal: set[str], eager: float) -> str:
    """A random action: with the probability `eager` a play to the table; seldom one that ends the round."""
    quiet = sorted(action for action in legal if action != "drop" or dice.random() < 0.1)
    plays = [action for action in quiet if action.split()[0] in ("open", "add", "tonk")]
    plays += [action for action in quiet if action.startswith("take ")]
    return dice.choice(plays if plays and dice.random() < eager else quiet)


def play(
    game: BaseReferee,
    dice: random.Random,
    seen: Counter[str],
    watch: Callable[[Any], None],
    choose: Callable[[random.Random, set[str], float], str] = choose,
) -> None:
    """Play to the end by random actions, plays more often than discards; every position is checked.

    `seen` counts the actions by their first word, the phases and the ends.
    """
    eager = dice.choice((0.3, 0.7, 0.95))
    game.dice = dice
    while not game.over:
        text = game.to_text()
        second = game.from_text(text)  # refuses a position without all cards
        legal = game.legal()
        assert second.to_text() == text
        assert second.legal() == legal
        assert legal, text
        action = choose(dice, legal, eager)
        seen.update([action.split()[0], game.phase])
        before = (game.round, game.turns)
        game.apply(action)
        assert not game.faulty_cards(), game.faulty_cards()
        watch(game)
        second.apply(action, game.to_text())  # what chance did in this action is read from the text
        assert second.to_text() == game.to_text()
        if before != (game.round, game.turns):
            seen["turns ended"] += 1
    seen[game.result.split(",")[0]] += 1


def play_many(
    referee: type[BaseReferee],
    melds: Iterable[str],
    games: int,
    watch: Callable[[Any], None] = lambda game: None,
) -> Counter[str]:
    """Random games of random rules, from their deal or from the middle of a round; what was seen in them."""
    melds, seen = list(melds), Counter[str]()
    for seed in range(games):
        dice = random.Random(seed)
        episode, rules = dice.choice(["round", "round", "match"]), random_rules(referee, dice)
        players = dice.choice(list(referee.SEATS))
        try:
            game = referee.new(players, rules, episode, seed)
        except ValueError:
            continue  # too few cards for the hands
        if dice.random() < 0.7:
            game = referee.from_text(middle_position(referee, melds, dice, players, rules, episode))
        play(game, dice, seen, watch)
    return seen


def refuses_other_deals(begin: Callable[[], Any], action: str, after: str, wrong: Iterable[str]) -> None:
    """An action that ends a round leads to `after`, with any generator, and to none of the wrong positions.

    Args:
        begin: makes the position before the action.
    """
    for other in wrong:
        assert other != after
        with pytest.raises(AssertionError):
            begin().apply(action, other)
    table, other = begin(), after.replace("rng: 0", "rng: 77")
    table.apply(action, other)
    assert table.to_text() == other
