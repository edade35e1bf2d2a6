"""Functions that use what Python has: each takes nothing and gives what JSON can hold. See test_translation.py."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import itertools
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, ClassVar, NamedTuple

import numpy as np

CARD = re.compile(r"(?<![\w=])(?:JK|(?:10|[2-9TJQKA])[cdhs])(?![\w])")
NAMES = {1: "one", 2: "two", (3, 4): "three and four"}
TABLE = np.arange(12).reshape(3, 4)


class Bad(ValueError):
    """A custom error."""


class Place(NamedTuple):
    """A named tuple."""

    row: int
    column: int


@dataclass(frozen=True)
class Seat:
    """A class with defaults, a property and a hook behind the constructor."""

    number: int
    cards: tuple[str, ...] = ()
    notes: list[str] = field(default_factory=list)
    word: ClassVar[str] = "seat"

    def __post_init__(self) -> None:
        if self.number < 0:
            raise Bad(f"{self.number!r:.3} is not a seat")

    @property
    def size(self) -> int:
        return len(self.cards)

    def told(self, *, short: bool = False) -> str:
        return f"{self.word} {self.number}" + f", {self.size} cards" * (not short)


class Dealer(Seat):
    """A class that extends another one."""

    word: ClassVar[str] = "dealer"

    def told(self, *, short: bool = False) -> str:
        return "the " + super().told(short=short)

    @classmethod
    def first(cls) -> Dealer:
        return cls(0, ("7h",))


def _counted(low: int, *more: int, step: int = 1, **named: Any) -> list[Any]:
    return [low, list(more), step, sorted(named.items())]


def _halves(number: int) -> Iterator[int]:
    while number:
        yield number
        number //= 2
    yield from (-1, -2)


def floats() -> list[Any]:
    low = float("-inf")
    return [low < -1e9, -low > 1e9, -0.5, float("2.5"), max(low, 3)]


def numbers() -> list[Any]:
    mask = (1 << 60) | (1 << 53) | 5
    low = [-7 // 2, -7 % 3, 7 // -2, 7 % -3, divmod(-9, 4), 2**10, abs(-3), ~5, str(~mask), str(-mask)]
    high = [mask & (1 << 60), mask >> 50, mask ^ 1, mask.bit_count(), mask.bit_length(), (mask & -mask).bit_length()]
    return [
        low,
        [str(each) for each in high],
        True + True,
        sum([True, False, True]),
        3 < 4 < 5,
        3 < 4 > 5,
        7 / 2,
        int("12"),
    ]


def sequences() -> list[Any]:
    items = list(range(10))
    items[2:4] = [20, 30, 40]
    del items[-1]
    first, *middle, last = items
    pair = (1, 2) + (3,) * 2
    same = [(1, 2) == (1, 2), [1] == [1], tuple(items) == items, (1, 2) < (1, 3), "ab" < "b"]
    return [items[::-1], items[-3:], items[1:8:3], "abcdef"[-4:-1], first, middle, last, pair, same, [[0] * 2] * 2]


def texts() -> list[Any]:
    value, text = 12345.678, "a, b;c"
    said = [
        f"{value:,.1f}|{7:>4}|{7:04}|{'x':<3}|{'x'!r:>5}|{255:x}|{0.5:g}|{3.0:g}|{1234567:,}",
        f"{None} {True} {[1, 'a']} {(1,)}",
    ]
    parts = [text.split(", "), text.partition(";"), text.rpartition("x"), f" {text}  b ".split(), text.split(",", 1)]
    return [
        said,
        parts,
        "{} and {name}".format(1, name="n"),
        "seat 2".removesuffix(" 2"),
        "x".join("abc"),
        "aXb".lower().capitalize(),
    ]


def patterns() -> list[Any]:
    found = re.search(r"(\w+) to (\d+)", "add 7h to 12")
    assert found is not None
    return [
        CARD.findall("open 7h JK 10s as x7h"),
        found[2],
        found.groups(),
        re.sub(r"(\d)", r"<\1>", "a1b2"),
        re.split("[,;]", "a,b;c"),
    ]


def dictionaries() -> list[Any]:
    made = {**NAMES, 5: "five"} | {1: "uno"}
    made.setdefault(6, "six")
    swapped = {value: key for key, value in made.items() if key != 6}
    made.pop(5)
    return [
        list(made),
        list(made.values()),
        made.get((3, 4)),
        made.get(9, "none"),
        sorted(swapped),
        (3, 4) in made,
        len(made),
    ]


def counters() -> list[Any]:
    one, other = Counter("aabbbc"), Counter(["a", "d", "d"])
    rest = Counter(one)
    rest.subtract(other)
    return [
        *(sorted((one + other).items()), sorted((one - other).items()), sorted((one & other).items())),
        *(
            sorted((one | other).items()),
            list((+rest).elements()),
            sorted((-rest).items()),
            one["z"],
            one.most_common(2),
        ),
    ]


def sets() -> list[Any]:
    left, right = {1, 2, 3}, frozenset([2, 3, 4])
    return [
        sorted(left & right),
        sorted(left | right),
        sorted(left - right),
        left <= {1, 2, 3, 4},
        {(1, 2)} == {(1, 2)},
        2 in left,
    ]


def calls() -> list[Any]:
    some = functools.partial(_counted, 1, step=5)
    rest = {"b": 2, "a": 1}
    return [
        _counted(1),
        _counted(1, 2, 3, step=4),
        _counted(*range(3), **rest),
        some(7),
        some(step=6, z=0),
        (lambda x, y=3: x * y)(2),
    ]


def scopes() -> list[Any]:
    seen: list[int] = []
    total = 0

    def note(value: int, times: int = 2) -> int:
        nonlocal total
        total += value * times
        seen.append(value)
        return total

    made = [note(each) for each in range(3) if (half := each // 2) >= 0]
    return [made, seen, total, half, [each(1) for each in [lambda x, k=k: x + k for k in range(3)]]]


def generators() -> list[Any]:
    lazy = (10 // each for each in (5, 2, 0))
    return [
        list(_halves(9)),
        next(lazy),
        next(lazy),
        any(each > 1 for each in itertools.chain([0, 2], [3])),
        next(iter([]), "none"),
    ]


def classes() -> list[Any]:
    seat, dealer = Seat(1, cards=("7h", "8h")), Dealer.first()
    other = dataclasses.replace(seat, number=2)
    place = Place(1, column=2)
    row, column = place
    return [
        seat.told(),
        dealer.told(short=True),
        other.told(),
        seat == Seat(1, ("7h", "8h")),
        isinstance(dealer, Seat),
        row,
        column,
        place.row,
    ]


def errors() -> list[Any]:
    said = []
    for make in (lambda: Seat(-1), lambda: NAMES[9], lambda: [1][5], lambda: int("x"), lambda: Seat(0).size):
        try:
            said.append(make())
        except Bad as error:
            said.append(str(error))
        except (LookupError, ValueError):
            said.append("other")
        finally:
            said.append("done")
    with contextlib.suppress(KeyError):
        said.append(NAMES[7])
    return said


def choices() -> list[Any]:
    found = []
    for each in (1, "b", None, 7):
        match each:
            case 1 | 2:
                found.append("few")
            case "b":
                found.append("text")
            case None:
                found.append("none")
            case _:
                found.append("other")
    nothing: list[Any] = []
    return [found, nothing or found or found[9], nothing and found[9], "yes" if found else "no", not found]


def orders() -> list[Any]:
    words = ["bb", "a", "ccc", "dd", "e"]
    groups = [(key, list(group)) for key, group in itertools.groupby([1, 1, 2, 1], lambda x: x > 1)]
    by = sorted(words, key=lambda word: (-len(word), word))
    return [
        sorted(words, key=len),
        sorted(words, key=len, reverse=True),
        by,
        min(words, key=len),
        max([3, 1], default=0),
        groups,
    ]


def arrays() -> list[Any]:
    small = np.zeros(3, np.int64)
    small[1:] = 7
    small[0] += 2
    return [
        *(
            TABLE[1].tolist(),
            TABLE[:, 2].tolist(),
            TABLE[1:, ::2].tolist(),
            int(TABLE[2, 3]),
            TABLE.shape,
            small.tolist(),
        ),
        *((TABLE > 9).any().tolist(), TABLE[0].nonzero()[0].tolist(), [int(each) for each in TABLE[0] * 2], len(TABLE)),
    ]


EXAMPLES = [
    *(
        floats,
        numbers,
        sequences,
        texts,
        patterns,
        dictionaries,
        counters,
        sets,
        calls,
        scopes,
        generators,
        classes,
        errors,
    ),
    *(choices, orders, arrays),
]


def untranslatable() -> None:
    """Asynchronous code is not translated."""
    global EXAMPLES
