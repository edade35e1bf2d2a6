"""Declares the rules of a game as a frozen dataclass whose fields are switches.

    @dataclass(frozen=True)
    class Rules(kit.switches.Rules):
        melds: str = choice("one", "any", note="melds that a seat may open in a turn (R5.1)")
        target: int | None = whole(100, 1, 1_000_000, none=True, note="the match score to reach (R10.1)")

From this declaration come the checks, the text (`"denexa melds=any"`), the nested record in the state and the
observation (`Rules.fields()`, `rules.write(record)`, `Rules.read(record)`) and the tables of the documentation. The
first preset has the default value of every switch; in every game it is also called "standard". Rules can also be given
as a dict: `{"preset": "memory", "target": 200}`.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar, cast

import numpy as np

from banakil_env.core.fields import FLAG, ONE_HOT, SCALED, Field, Fields
from banakil_env.core.hints import did_you_mean

_YES_NO = {"yes": True, "no": False, "true": True, "false": False, "1": True, "0": False}
STANDARD = "standard"  # a second name of the first preset, in every game
PRESET = "preset"  # the key of a preset's name in rules that are given as a dict

_LONGEST = 2000  # characters in a text of rules


class RulesError(ValueError):
    """The rules name an unknown preset or switch, or a value that a switch cannot have."""


@dataclass(frozen=True)
class Switch:
    """A switch of the rules: its possible values, their texts, and the field of a record that stores the value."""

    note: str

    def check(self, name: str, value: Any) -> None:
        """Raise RulesError for a value that the switch cannot have."""
        raise NotImplementedError

    def parse(self, text: str) -> Any:
        """The value with this text. ValueError or KeyError: the text is not a value of the switch."""
        raise NotImplementedError

    def text(self, value: Any) -> str:
        """The text of a value."""
        return "none" if value is None else str(value)

    def field(self, name: str) -> Field:
        """The field that stores the value in a record."""
        raise NotImplementedError

    def stored(self, value: Any) -> Any:
        """The number that the field stores for a value."""
        return value

    def loaded(self, stored: Any) -> Any:
        """The value for a stored number."""
        return int(stored)

    @property
    def values(self) -> str:
        """The possible values as text, for messages and documentation."""
        raise NotImplementedError


@dataclass(frozen=True)
class Choice(Switch):
    """A switch with one of several words or numbers. A record stores its index, counted from 0."""

    allowed: tuple[Any, ...]

    def check(self, name: str, value: Any) -> None:
        """Raise RulesError for a value that is not one of `allowed`."""
        if value not in self.allowed or isinstance(value, bool) != isinstance(self.allowed[0], bool):
            raise RulesError(f"{name} must be {_listed(list(map(repr, self.allowed)), ' or ')}, not {value!r:.80}")

    def parse(self, text: str) -> Any:
        """The value with this text, in upper or lower case. KeyError: no such value."""
        return {self.text(each).lower(): each for each in self.allowed}[text.lower()]

    def text(self, value: Any) -> str:
        """The text of a value; numbers are written without trailing zeros."""
        return f"{value:g}" if isinstance(value, float) else str(value)

    def field(self, name: str) -> Field:
        """The field that stores the index of the value: a flag for two values, else one-hot."""
        role = FLAG if len(self.allowed) == 2 else ONE_HOT
        said = ", ".join(f"{i} {self.text(each)}" for i, each in enumerate(self.allowed))
        return Field(name, f"{self.note}: {said}", len(self.allowed) - 1, role=role)

    def stored(self, value: Any) -> int:
        """The index of a value in `allowed`."""
        return self.allowed.index(value)

    def loaded(self, stored: Any) -> Any:
        """The value with this index in `allowed`."""
        return self.allowed[int(stored)]

    @property
    def values(self) -> str:
        """The possible values as text, for messages and documentation; many are shortened."""
        return _listed([f"`{self.text(each)}`" for each in self.allowed], ", ")


@dataclass(frozen=True)
class Flag(Switch):
    """A switch that is on or off; its texts are `yes` and `no`."""

    def check(self, name: str, value: Any) -> None:
        """Raise RulesError for a value that is not True or False."""
        if not isinstance(value, (bool, np.bool_)):
            raise RulesError(f"{name} must be True or False, not {value!r:.80}")

    def parse(self, text: str) -> bool:
        """The value of a text: yes, no, true, false, 1 or 0. KeyError: any other text."""
        return _YES_NO[text.lower()]

    def text(self, value: Any) -> str:
        """`yes` for True, `no` for False."""
        return "yes" if value else "no"

    def field(self, name: str) -> Field:
        """The field that stores the value: 1 for True, 0 for False."""
        return Field(name, self.note)

    def loaded(self, stored: Any) -> bool:
        """The value for a stored number: whether it is not 0."""
        return bool(stored)

    @property
    def values(self) -> str:
        """The two possible values as text, for messages and documentation."""
        return "`yes`, `no`"


@dataclass(frozen=True)
class Whole(Switch):
    """A switch with a whole number from `low` to `high`, or None. A record stores None as `low - 1`."""

    low: int
    high: int
    none: bool = False
    scale: float = 0.0  # divisor of the feature; 0 means the highest value

    def check(self, name: str, value: Any) -> None:
        """Raise RulesError for a value that is neither a whole number within the bounds nor an allowed None."""
        if value is None and self.none:
            return
        if isinstance(value, (bool, np.bool_)) or not hasattr(value, "__index__") or not self.low <= value <= self.high:
            or_none = " or None" if self.none else ""
            raise RulesError(
                f"{name} must be a whole number from {self.low} to {self.high}{or_none}, not {value!r:.80}"
            )

    def parse(self, text: str) -> int | None:
        """The number with this text, or None for `none` if it is allowed. ValueError: any other text."""
        return None if self.none and text.lower() == "none" else whole_number(text)

    def field(self, name: str) -> Field:
        """The field that stores the number; its range has one more value, `low - 1`, if None is allowed."""
        note = f"{self.note}; {self.low - 1}: none" if self.none else self.note
        return Field(name, note, self.high, lowest=self.low - self.none, role=SCALED, scale=self.scale or self.high)

    def stored(self, value: Any) -> int:
        """The stored number for a value: the number itself, or `low - 1` for None."""
        return self.low - 1 if value is None else int(value)

    def loaded(self, stored: Any) -> int | None:
        """The value for a stored number: the number itself, or None for `low - 1`."""
        return None if self.none and stored == self.low - 1 else int(stored)

    @property
    def values(self) -> str:
        """The range of the numbers as text, and `none` if it is allowed, for messages and documentation."""
        return f"{self.low} to {self.high}" + (", `none`" if self.none else "")


@dataclass(frozen=True)
class Pair(Switch):
    """A switch with two whole numbers from `low` to `high` (`51/101`), or None."""

    low: int
    high: int

    def check(self, name: str, value: Any) -> None:
        """Raise RulesError for a value that is neither None nor a tuple of two whole numbers within the bounds."""
        if value is None:
            return
        if not isinstance(value, tuple) or len(value) != 2:
            raise RulesError(f"{name} must be None or two whole numbers, such as (51, 101), not {value!r:.80}")
        for each in value:
            Whole(self.note, self.low, self.high).check(name, each)

    def parse(self, text: str) -> tuple[int, ...] | None:
        """The numbers of a text such as `51/101`, or None for `none`. ValueError: a part is not a whole number."""
        return None if text.lower() == "none" else tuple(whole_number(each) for each in text.split("/"))

    def text(self, value: Any) -> str:
        """The text of a value: `51/101`, or `none` for None."""
        return "none" if value is None else "/".join(str(each) for each in value)

    def field(self, name: str) -> Field:
        """The field that stores both numbers."""
        note = f"{self.note}; {self.low - 1}: none"
        return Field(name, note, self.high, (2,), lowest=self.low - 1, role=SCALED, scale=100)

    def stored(self, value: Any) -> tuple[int, int]:
        """The two stored numbers for a value: the numbers themselves, or twice `low - 1` for None."""
        return (self.low - 1, self.low - 1) if value is None else value

    def loaded(self, stored: Any) -> tuple[int, int] | None:
        """The value for the stored numbers: a tuple of both, or None if the first is `low - 1`."""
        return None if stored[0] == self.low - 1 else (int(stored[0]), int(stored[1]))

    @property
    def values(self) -> str:
        """The range of the numbers as text, for messages and documentation."""
        return f"two numbers of {self.low} to {self.high} (`51/101`), `none`"


@dataclass(frozen=True)
class Numbers(Switch):
    """A switch with several whole numbers (`2/2/1`), each from 0 to its entry in `highest`."""

    highest: tuple[int, ...]

    def check(self, name: str, value: Any) -> None:
        """Raise RulesError for a value that is not a tuple of whole numbers within their bounds."""
        if not isinstance(value, tuple) or len(value) != len(self.highest):
            raise RulesError(f"{name} must be {len(self.highest)} whole numbers, not {value!r:.80}")
        for each, high in zip(value, self.highest):
            Whole(self.note, 0, high).check(name, each)

    def parse(self, text: str) -> tuple[int, ...]:
        """The numbers of a text such as `2/2/1`. ValueError: a part of the text is not a whole number."""
        return tuple(whole_number(each) for each in text.split("/"))

    def text(self, value: Any) -> str:
        """The text of a value: the numbers with `/` between them."""
        return "/".join(str(each) for each in value)

    def field(self, name: str) -> Field:
        """The field that stores the numbers, one cell for each."""
        most = max(self.highest)
        return Field(name, self.note, most, (len(self.highest),), role=SCALED, scale=most)

    def loaded(self, stored: Any) -> tuple[int, ...]:
        """The numbers of a stored row, as a tuple."""
        return tuple(int(each) for each in stored)

    @property
    def values(self) -> str:
        """The range of each number as text, for messages and documentation."""
        return "numbers of " + ", ".join(f"0 to {high}" for high in self.highest) + " with `/` between"


def _listed(texts: list[str], between: str) -> str:
    """The texts joined by `between`; of more than eight, only the first four and the number of all."""
    shown = texts if len(texts) <= 8 else [*texts[:4], f"... ({len(texts)} in all)"]
    return between.join(shown)


def whole_number(text: str) -> int:
    """Read a whole number of at most 18 ASCII digits. ValueError: any other text."""
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 18):
        raise ValueError(f"{text[:40]!r} is not a whole number")
    return int(text)


def choice(*allowed: Any, note: str) -> Any:
    """Declare a switch with one of these words or numbers; the first is the default."""
    return dataclasses.field(default=allowed[0], metadata={"switch": Choice(note, allowed)})


def flag(default: bool = False, *, note: str) -> Any:
    """Declare a switch that is on or off."""
    return dataclasses.field(default=default, metadata={"switch": Flag(note)})


def whole(default: int | None, low: int, high: int, *, none: bool = False, scale: float = 0.0, note: str) -> Any:
    """Declare a switch with a whole number from `low` to `high`, or None if `none` is true.

    `scale` is the divisor of the number for a network; 0 means `high`.
    """
    return dataclasses.field(default=default, metadata={"switch": Whole(note, low, high, none, scale)})


def pair(default: tuple[int, int] | None, low: int, high: int, *, note: str) -> Any:
    """Declare a switch with two whole numbers from `low` to `high`, or None."""
    return dataclasses.field(default=default, metadata={"switch": Pair(note, low, high)})


R = TypeVar("R", bound="Rules")


def numbers(default: tuple[int, ...], highest: tuple[int, ...], *, note: str) -> Any:
    """Declare a switch with several whole numbers, each from 0 to its entry in `highest`."""
    return dataclasses.field(default=default, metadata={"switch": Numbers(note, highest)})


@dataclass(frozen=True)
class Rules:
    """The base class of a game's rules. A subclass declares its switches; its presets are set after the class.

    RulesError: a switch has an invalid value, or values contradict each other (`agree`).
    """

    presets: ClassVar[Mapping[str, Any]] = {}

    def __post_init__(self) -> None:
        for name, switch in self.switches().items():
            switch.check(name, getattr(self, name))
        self.agree()

    def agree(self) -> None:
        """Raise RulesError for switches that contradict each other. Games with such switches override this method."""

    @classmethod
    def switches(cls) -> dict[str, Switch]:
        """The switches by name, in the order of their declaration."""
        return {each.name: each.metadata["switch"] for each in dataclasses.fields(cls)}

    @classmethod
    def resolve(cls: type[R], rules: str | R | dict[str, Any]) -> R:
        """The rules, given as an object, a text, or a dict of switches with the key `preset` for a preset's name."""
        if isinstance(rules, cls):
            return rules
        if isinstance(rules, dict):
            return cls._of_switches(rules)
        if not isinstance(rules, str):
            raise RulesError(
                f"rules must be a text with the name of a preset ({', '.join(cls.preset_names())}), a dict of "
                f"switches or a Rules object, not {rules!r:.80}"
            )
        return cls.parse(rules)

    @classmethod
    def preset_names(cls) -> tuple[str, ...]:
        """The names of the presets that a text or dict of rules can have."""
        return (STANDARD, *cls.presets)

    @classmethod
    def preset_named(cls: type[R], name: Any) -> R:
        """The rules of the preset with this name. RulesError: no such preset."""
        if name == STANDARD:
            name = next(iter(cls.presets))
        if not isinstance(name, str) or name not in cls.presets:
            names = cls.preset_names()
            hint = did_you_mean(name, names) if isinstance(name, str) else ""
            if name in ("partners", "individuals"):
                hint = f"; {name} is an option of a table, partners={name == 'partners'}, not of its rules"
            raise RulesError(
                f"unknown rules {name!r:.80}{hint}: the presets are {', '.join(names)}; switches are name=value"
            )
        return cast(R, cls.presets[name])

    @classmethod
    def _of_switches(cls: type[R], given: dict[str, Any]) -> R:
        """Make rules from a dict. Values are Python values or texts; a list can replace a tuple."""
        preset = cls.preset_named(given.get(PRESET, STANDARD))
        changes = {}
        for name, value in given.items():
            if name == PRESET:
                continue
            switch = cls._switch(name)
            if isinstance(value, str) and not (isinstance(switch, Choice) and value in switch.allowed):
                value = cls._parse_switch(name, value)
            changes[name] = tuple(value) if isinstance(value, list) else value
        return dataclasses.replace(preset, **changes)

    @classmethod
    def parse(cls: type[R], text: str) -> R:
        """Read rules from a text such as `"memory target=200"`: a preset (default: the first), then any switches."""
        if len(text) > _LONGEST:
            raise RulesError(f"a text of rules has at most {_LONGEST} characters, not {len(text)}")
        preset, begin, changes = None, cls.preset_named(STANDARD), {}
        for word in text.split():
            name, equals, value = word.partition("=")
            name = name.lower()
            if not equals:
                begin = cls.preset_named(name)
                if preset is not None:
                    raise RulesError(f"two presets in {text!r:.80}, {preset} and {name}: give one, then switches")
                preset = name
            elif name in changes:
                raise RulesError(f"the switch {name} is given twice in {text!r:.80}")
            else:
                changes[name] = cls._parse_switch(name, value)
        return dataclasses.replace(begin, **changes)

    @classmethod
    def _switch(cls, name: Any) -> Switch:
        switches = cls.switches()
        if name not in switches:
            hint = did_you_mean(name, switches) if isinstance(name, str) else ""
            raise RulesError(f"unknown switch {name!r:.80}{hint}: there are {', '.join(switches)}")
        return switches[name]

    @classmethod
    def _parse_switch(cls, name: str, value: str) -> Any:
        switch = cls._switch(name)
        try:
            return switch.parse(value)
        except (KeyError, ValueError):
            can_be = switch.values.replace("`", "")
            raise RulesError(f"{name}={value:.80} cannot be read: {name} is {can_be}") from None

    def text(self) -> str:
        """The shortest text for these rules: the preset with the fewest differing switches, then these switches."""
        return _text_of(self)

    @classmethod
    def fields(cls) -> Fields:
        """The fields of the nested record with the rules in a state or observation. Wider numbers come first."""
        fields = [switch.field(name) for name, switch in cls.switches().items()]
        return Fields(*sorted(fields, key=lambda field: -field.number.itemsize))

    def write(self, record: Any) -> None:
        """Write the rules into a nested record."""
        for name, switch in self.switches().items():
            record[name] = switch.stored(getattr(self, name))

    @classmethod
    def read(cls: type[R], record: Any) -> R:
        """Read the rules from a nested record."""
        return cast(R, _read(cls, record.dtype, record.tobytes()))  # type: ignore[arg-type]  # to mypy a class is not hashable


@functools.lru_cache(maxsize=256)
def _read(rules: type[Rules], dtype: np.dtype[Any], content: bytes) -> Rules:
    record = np.frombuffer(content, dtype)[0]
    return rules(**{name: switch.loaded(record[name]) for name, switch in rules.switches().items()})


@functools.lru_cache(maxsize=256)
def _text_of(rules: Rules) -> str:
    switches = rules.switches()
    differing = {
        preset: [name for name in switches if getattr(rules, name) != getattr(other, name)]
        for preset, other in rules.presets.items()
    }
    nearest = min(differing, key=lambda preset: len(differing[preset]))
    said = [f"{name}={switches[name].text(getattr(rules, name))}" for name in differing[nearest]]
    return " ".join([nearest, *said])
