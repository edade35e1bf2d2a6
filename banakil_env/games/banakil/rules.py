"""Which rules? The switches of B9, the pack of B10, the presets, and the two limits that end every episode (B6.3)."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from banakil_env.games.banakil.faces import NUM_SUITS, RANKS
from banakil_env.kit.switches import RulesError

_YES_NO = {"yes": True, "no": False, "true": True, "false": False, "1": True, "0": False}


def _one_of(name: str, value: Any, allowed: tuple[Any, ...]) -> None:
    if value not in allowed or isinstance(value, bool) != isinstance(allowed[0], bool):
        raise RulesError(f"{name} must be {' or '.join(repr(a) for a in allowed)}, not {value!r}")


def _whole(name: str, value: Any, low: int, high: int) -> None:
    if isinstance(value, bool) or not hasattr(value, "__index__") or not low <= value <= high:
        raise RulesError(f"{name} must be a whole number from {low} to {high}, not {value!r}")


@dataclass(frozen=True)
class Rules:
    """One set of rules. Every switch is off by default (PAGAT) and free to combine with the others.

    Attributes:
        partner_scoring: "winner" (B7.3) or "sum", each side adds both its players' points (B9.1).
        cutter_takes_wilds: the cutter takes wild cards off the lifted part (B9.2).
        unplayed_score_zero: who has had no turn scores 0 when another goes out at once (B9.3).
        upcard: a card is turned up; without it the first player has 19 cards and does not draw (B9.4).
        wilds: "free" (B3.2) or "fixed" at the place where they were melded (B9.5, B9.6).
        ace_value: 1.5 or 1 point (B9.7).
        hand_bonus: None, or what a *hand* scores if another side has melded, and if none has (B9.8); 0..250 each.
        discard_taken: the card taken alone may be discarded; going round with one card voids the deal (B9.9).
        set_joker_exchange: a Joker may be exchanged out of a set (off: B9.10).
        score_exhausted: with the stock exhausted the round is scored (B9.11).
        target: the match score to reach; None is 150, 203 or 303 by the players (B8.1); 1..10000.
        max_turns: turns after which a round ends unscored, a truncation to learners (B6.3); 1..30000. The default
            is above what sensible play ever takes: the stock lasts for at most 69 turns that draw from it.
        max_rounds: rounds after which a match ends, likewise a truncation; 1..100.

    The pack (B10), the full one by default:
        ranks: the lowest and the highest rank of the naturals, "3-A" for all of them; three ranks or more.
        suits: how many suits, from clubs on; 1..4.
        copies: how many cards of each natural and of each Two; 1 or 2.
        twos: the Twos of these suits are in the pack.
        jokers: how many Jokers; 0..2.
        hand_cards: how many cards everybody is dealt; 1..18.
    """

    partner_scoring: str = "winner"
    cutter_takes_wilds: bool = False
    unplayed_score_zero: bool = False
    upcard: bool = True
    wilds: str = "free"
    ace_value: float = 1.5
    hand_bonus: tuple[int, int] | None = None
    discard_taken: bool = False
    set_joker_exchange: bool = True
    score_exhausted: bool = False
    target: int | None = None
    max_turns: int = 300
    max_rounds: int = 100
    ranks: str = "3-A"
    suits: int = 4
    copies: int = 2
    twos: bool = True
    jokers: int = 2
    hand_cards: int = 18

    def __post_init__(self) -> None:
        _one_of("partner_scoring", self.partner_scoring, ("winner", "sum"))
        _one_of("wilds", self.wilds, ("free", "fixed"))
        _one_of("ace_value", self.ace_value, (1.5, 1))
        for name in BOOLEAN_SWITCHES:
            _one_of(name, getattr(self, name), (True, False))
        _whole("max_turns", self.max_turns, 1, 30000)
        _whole("max_rounds", self.max_rounds, 1, 100)
        _whole("suits", self.suits, 1, NUM_SUITS)
        _whole("copies", self.copies, 1, 2)
        _whole("jokers", self.jokers, 0, 2)
        _whole("hand_cards", self.hand_cards, 1, 18)
        if not isinstance(self.ranks, str) or self.ranks not in RANK_RUNS:
            raise RulesError(
                f"ranks must be the lowest and the highest of three or more of {' '.join(RANKS)}, such as '3-A' or "
                f"'5-9', not {self.ranks!r}"
            )
        if self.target is not None:
            _whole("target", self.target, 1, 10000)
        if self.hand_bonus is not None:
            if not isinstance(self.hand_bonus, tuple) or len(self.hand_bonus) != 2:
                raise RulesError(
                    f"hand_bonus must be None or two numbers, such as (51, 101): what a hand scores if "
                    f"another side has melded, and if none has; not {self.hand_bonus!r}"
                )
            for bonus in self.hand_bonus:
                _whole("hand_bonus", bonus, 0, 250)

    def target_for(self, num_players: int, partners: bool) -> int:
        """The match score to reach (B8.1)."""
        if self.target is not None:
            return self.target
        return 303 if partners else {2: 150, 3: 203, 4: 203}[num_players]

    @property
    def num_wilds(self) -> int:
        """How many Twos and Jokers are in the pack."""
        return self.jokers + (self.suits * self.copies if self.twos else 0)

    @property
    def pack_size(self) -> int:
        """How many cards are in the pack."""
        low, high = RANK_RUNS[self.ranks]
        return (high - low + 1) * self.suits * self.copies + self.num_wilds


# Where the ranks of a pack may begin and end, counted from the Three.
RANK_RUNS = {
    f"{RANKS[low]}-{RANKS[high]}": (low, high) for low in range(len(RANKS)) for high in range(low + 2, len(RANKS))
}

BOOLEAN_SWITCHES = tuple(field.name for field in dataclasses.fields(Rules) if field.type == "bool")
SWITCHES = tuple(field.name for field in dataclasses.fields(Rules))

PAGAT = Rules()
JAWAKER = Rules(upcard=False, wilds="fixed", ace_value=1, hand_bonus=(51, 101), target=222)
GAMEFARM = Rules(discard_taken=True, set_joker_exchange=False, score_exhausted=True)
# Smaller packs (B10): one of 52 cards and two Jokers; and one whose whole tree a program can walk.
SINGLE = Rules(copies=1, hand_cards=9)
MINI = Rules(ranks="3-7", suits=1, copies=1, twos=False, jokers=1, hand_cards=2, upcard=False, max_turns=4)
PRESETS = {"pagat": PAGAT, "jawaker": JAWAKER, "gamefarm": GAMEFARM, "single": SINGLE, "mini": MINI}


def resolve_rules(rules: str | Rules) -> Rules:
    """The rules given as themselves or as text (`"jawaker"`, `"pagat wilds=fixed target=200"`). RulesError: unknown."""
    if isinstance(rules, Rules):
        return rules
    if not isinstance(rules, str):
        raise RulesError(f"rules must be a preset's name ({', '.join(PRESETS)}) or a Rules object, not {rules!r}")
    parsed, partners = parse_rules(rules)
    if partners is not None:
        raise RulesError(f"{rules!r}: partners or individuals is said by the argument partners, not by the rules")
    return parsed


def resolve_table(num_players: int, partners: bool | None) -> bool:
    """Whether the table plays as partners (B1.2); four do unless told otherwise. RulesError: no such table."""
    _whole("num_players", num_players, 2, 4)
    if partners is None:
        return num_players == 4
    if partners not in (True, False):
        raise RulesError(f"partners must be True, False or None, not {partners!r}")
    if partners and num_players != 4:
        raise RulesError(f"partners need four players, not {num_players}; leave partners out or set it to False")
    return bool(partners)


def parse_rules(text: str) -> tuple[Rules, bool | None]:
    """`"jawaker individuals target=200"` to the rules and whether the table plays as partners (None: not said)."""
    preset, partners, changes = None, None, {}
    for word in text.split():
        name, equals, value = word.partition("=")
        name = name.lower()
        if equals:
            if name in changes:
                raise RulesError(f"the switch {name} is given twice in {text!r}")
            changes[name] = _parse_switch(name, value)
        elif name in ("partners", "individuals"):
            if partners is not None:
                raise RulesError(f"{text!r} says partners or individuals twice")
            partners = name == "partners"
        elif name in PRESETS:
            if preset is not None:
                raise RulesError(f"two presets in {text!r}, {preset} and {name}: give one, then switches")
            preset = name
        else:
            raise RulesError(f"unknown rules {word!r}: the presets are {', '.join(PRESETS)}; switches are name=value")
    return dataclasses.replace(PRESETS[preset or "pagat"], **changes), partners


def rules_text(rules: Rules) -> str:
    """The shortest text that gives these rules: the nearest preset and the switches that differ from it."""
    differing = {
        name: [s for s in SWITCHES if getattr(rules, s) != getattr(preset, s)] for name, preset in PRESETS.items()
    }
    nearest = min(differing, key=lambda name: len(differing[name]))
    return " ".join([nearest, *(f"{s}={_switch_text(getattr(rules, s))}" for s in differing[nearest])])


def _parse_switch(name: str, value: str) -> Any:
    if name not in SWITCHES:
        raise RulesError(f"unknown switch {name!r}: there are {', '.join(SWITCHES)}")
    try:
        if name in BOOLEAN_SWITCHES:
            return _YES_NO[value.lower()]
        if value.lower() == "none" and name in ("hand_bonus", "target"):
            return None
        if name == "hand_bonus":
            return tuple(int(number) for number in value.split("/"))
        if name == "ace_value":
            return float(value)
        if name == "ranks":
            return value.upper()
        return value if name in ("partner_scoring", "wilds") else int(value)
    except (KeyError, ValueError):
        raise RulesError(
            f"{name}={value} cannot be read: the default is {name}={_switch_text(getattr(PAGAT, name))}"
        ) from None


def _switch_text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return "/".join(str(number) for number in value)
    if isinstance(value, float):
        return f"{value:g}"
    return "none" if value is None else str(value)
