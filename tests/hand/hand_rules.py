"""The rules of Hand as text, and the pack of a deal, for the referee: H1, H2, H11, H12."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

SUITS = "cdhs"
RANKS = "A23456789TJQK"
NATURALS = tuple(rank + suit for suit in SUITS for rank in RANKS)
FACES = (*NATURALS, "W")


# Rules as text

CHOICES: dict[str, tuple[Any, ...]] = {  # the first is the default
    "wilds": ("turned", "jokers", "aces", "aces_single"),
    "deal": ("worst", "turn"),
    "ace_hand": (11, 10),
    "ace_low": (11, 1),
    "ace_high": (11, 10),
    "first_meld": (51, *range(121)),
    "rising": (False, True),
    "take_to_add": (False, True),
    "wild_discard": ("ace", "group", "never", "wild"),
    "reuse_wild": (False, True),
    "add_to_pair": (False, True),
    "stock_end": ("players", "empty", "reshuffle"),
    "win_first_turn": (False, True),
    "wild_out": (False, True),
    "one_colour": (False, True),
    "one_suit": (False, True),
    "two_wilds_out": (False, True),
    "rounds": (7, *range(1, 101)),
    "last_deals": (3, *range(1, 21)),
    "max_turns": (300, *range(1, 10001)),
    "max_rounds": (100, *range(1, 1001)),
    "max_unscored": (20, *range(1, 1001)),
}
PAGAT = {name: values[0] for name, values in CHOICES.items()}
PRESETS = {
    "pagat": PAGAT,
    "egypt": {**PAGAT, "wild_out": True, "one_colour": True, "one_suit": True, "two_wilds_out": True},
    "jokers": {**PAGAT, "wilds": "jokers", "deal": "turn"},
    "loose": {
        **PAGAT,
        "take_to_add": True,
        "wild_discard": "wild",
        "add_to_pair": True,
        "stock_end": "reshuffle",
        "win_first_turn": True,
    },
    "strict": {
        **PAGAT,
        "wilds": "aces",
        "ace_hand": 10,
        "ace_low": 1,
        "ace_high": 10,
        "first_meld": 61,
        "rising": True,
        "wild_discard": "never",
        "reuse_wild": True,
        "stock_end": "empty",
    },
}


def value_text(value: object) -> str:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


MEANINGS = {name: {value_text(value): value for value in values} for name, values in CHOICES.items()}


def read_rules(text: str, players: int) -> tuple[dict[str, Any], bool]:
    """The switches, and whether four play as partners."""
    words = text.split() or ["pagat"]
    if "=" in words[0] or words[0] in ("partners", "individuals"):
        words = ["pagat", *words]
    if words[0] not in PRESETS:
        raise ValueError(f"no preset {words[0]}")
    rules = dict(PRESETS[words[0]])
    partners = False
    for word in words[1:]:
        name, equals, given = word.partition("=")
        if not equals:
            if word not in ("partners", "individuals") or players != 4:
                raise ValueError(f"{word} with {players} players")
            partners = word == "partners"
            continue
        if given not in MEANINGS.get(name, ()):
            raise ValueError(f"no switch {word}")
        rules[name] = MEANINGS[name][given]
    if rules["last_deals"] > rules["max_unscored"] or rules["rounds"] > rules["max_rounds"]:
        raise ValueError(f"limits too low: {text}")
    return rules, partners


def write_rules(rules: dict[str, Any], partners: bool) -> str:
    """The preset with fewest differences, the first of equals, and these."""

    def differences(preset: str) -> list[str]:
        return [f"{name}={value_text(rules[name])}" for name in CHOICES if rules[name] != PRESETS[preset][name]]

    preset = min(PRESETS, key=lambda name: len(differences(name)))  # min takes the first of equals
    return " ".join([preset, *(["partners"] if partners else []), *differences(preset)])


# The pack


def in_order(cards: Iterable[str]) -> list[str]:
    return sorted(cards, key=FACES.index)


def natural_name(printed: str, wilds: str, indicator: str) -> str:
    """H1.3: what a printed card is called in a deal with this indicator."""
    aces_are_wild = wilds != "jokers" and not (wilds == "turned" and indicator[0] == "A")
    if not aces_are_wild:
        return "W" if printed == "JK" else printed
    if printed == "JK":
        return "A" + indicator[1]
    return "W" if printed == "A" + indicator[1] else printed


def printed_pack(wilds: str) -> list[str]:
    """H1.1, H11."""
    return list(NATURALS) * 2 + ([] if wilds in ("aces", "aces_single") else ["JK", "JK"])


def may_indicate(printed: str, wilds: str) -> bool:
    """H2.2, H11: other cards go back into the stock."""
    return printed in NATURALS and not (wilds == "aces" and printed[0] == "A")


def pack_of(wilds: str, indicator: str) -> Counter[str]:
    """The cards of a deal by their names, less the indicator."""
    cards = printed_pack(wilds)
    if wilds != "jokers":
        cards.remove(indicator)
    return Counter(natural_name(card, wilds, indicator) for card in cards)


def ace_suits(wilds: str, indicator: str) -> str:
    """H7.4: the suits of which a wild taken from the pile can be the natural Ace."""
    jokers_are_wild = natural_name("JK", wilds, indicator or "2c") == "W"
    return SUITS if jokers_are_wild else indicator[1]


def may_demand_redeal(hand: Iterable[str]) -> bool:
    """H2.4."""
    count = Counter(hand)
    return count["W"] + sum(number // 2 for face, number in count.items() if face != "W") >= 4


def hand_value(hand: Iterable[str], rules: dict[str, Any]) -> int:
    """H1.5."""
    values = {"W": 15, "A": rules["ace_hand"]}
    return sum(values.get(card[0], min(10, RANKS.find(card[0]) + 1)) for card in hand)
