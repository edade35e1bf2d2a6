"""Cards, melds, openings and switches of basic Rummy, and how they are read from text: for its referee."""

from __future__ import annotations

import re

RANKS = "A23456789TJQK"
SUITS = "cdhs"
PACK = [rank + suit for suit in SUITS for rank in RANKS]
HAND_SIZE = {2: 10, 3: 7, 4: 7, 5: 6, 6: 6}

# R11, in its order: the defaults, the values that are words, and the largest of those that are numbers from 1.
SWITCHES = "melds=one last_card=any stock_out=shuffle rummy_factor=2 target=100 deals=none max_turns=300 max_rounds=100"
DEFAULTS = dict(switch.split("=") for switch in SWITCHES.split())
WORDS = {
    "melds": ["one", "any"],
    "last_card": ["any", "discard"],
    "stock_out": ["shuffle", "turn", "end"],
    "target": ["none"],
    "deals": ["none"],
}
LARGEST = {"rummy_factor": 10, "target": 1000000, "deals": 1000, "max_turns": 100000, "max_rounds": 100000}
PRESETS = {
    "denexa": {},
    "memory": {"stock_out": "turn"},
    "free": {"melds": "any"},
    "block": {"stock_out": "end", "last_card": "discard"},
}


def value(card: str) -> int:
    """R1.3."""
    return min(RANKS.index(card[0]) + 1, 10)


def in_order(cards) -> list[str]:
    return sorted(cards, key=PACK.index)


def is_meld(cards) -> bool:
    """R4.1. The cards are different ones, for there is one pack."""
    if len(cards) < 3:
        return False
    if len({card[0] for card in cards}) == 1:
        return True
    ranks = sorted(RANKS.index(card[0]) for card in cards)
    return len({card[1] for card in cards}) == 1 and ranks == list(range(ranks[0], ranks[0] + len(ranks)))


def all_openings() -> dict[str, frozenset[str]]:
    """The 44 runs and 52 sets of three cards, by the text of the action."""
    found = {}
    for first in range(len(PACK)):
        for second in range(first + 1, len(PACK)):
            for third in range(second + 1, len(PACK)):
                cards = [PACK[first], PACK[second], PACK[third]]
                if is_meld(cards):
                    found["open " + " ".join(cards)] = frozenset(cards)
    return found


OPENINGS = all_openings()


# Texts


def require(condition: object, complaint: str) -> None:
    if not condition:
        raise ValueError(complaint)


def number(text: str, low: int, high: int) -> int:
    require(re.fullmatch("[0-9]+", text) and low <= int(text) <= high, f"no number from {low} to {high}: {text}")
    return int(text)


def numbers(text: str, count: int) -> list[int]:
    words = text.split()
    require(
        len(words) == count and all(re.fullmatch("-?[0-9]+", word) for word in words), f"not {count} numbers: {text}"
    )
    return [int(word) for word in words]


def read_cards(text: str) -> list[str]:
    for card in text.split():
        require(card in PACK, f"no card: {card}")
    return text.split()


def read_rules(text: str) -> dict[str, str]:
    """R11: a preset, then switches."""
    words = text.split()
    rules = dict(DEFAULTS)
    if words and "=" not in words[0]:
        require(words[0] in PRESETS, f"no preset: {words[0]}")
        rules.update(PRESETS[words.pop(0)])
    named = []
    for word in words:
        name, _, chosen = word.partition("=")
        require(name in DEFAULTS and name not in named, f"no switch, or named twice: {word}")
        named.append(name)
        if chosen not in WORDS.get(name, []):
            require(name in LARGEST, f"no such value: {word}")
            chosen = str(number(chosen, 1, LARGEST[name]))
        rules[name] = chosen
    require(rules["target"] != "none" or rules["deals"] != "none", "such a match has no end (R11.1)")
    return rules


def write_rules(rules: dict[str, str]) -> str:
    """The preset that leaves fewest switches, the first of equals."""
    forms = []
    for preset, changes in PRESETS.items():
        base = {**DEFAULTS, **changes}
        forms.append([preset] + [f"{name}={rules[name]}" for name in DEFAULTS if rules[name] != base[name]])
    return " ".join(min(forms, key=len))
