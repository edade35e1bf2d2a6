"""What may befall a text, a record of state or a value of JSON? Ways to damage each, by chance."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import Any

import numpy as np

from banakil_env.core.game import Game

# Texts ----------------------------------------------------------------------------------------------------------------


def dropped(lines: list[str], dice: random.Random) -> list[str]:
    at = dice.randrange(len(lines))
    return lines[:at] + lines[at + 1 :]


def doubled(lines: list[str], dice: random.Random) -> list[str]:
    at = dice.randrange(len(lines))
    return lines[: at + 1] + lines[at:]


def swapped(lines: list[str], dice: random.Random) -> list[str]:
    one, other = dice.randrange(len(lines)), dice.randrange(len(lines))
    changed = list(lines)
    changed[one], changed[other] = lines[other], lines[one]
    return changed


def truncated(lines: list[str], dice: random.Random) -> list[str]:
    text = "\n".join(lines)
    return text[: dice.randrange(len(text))].split("\n")


def word_changed(lines: list[str], dice: random.Random) -> list[str]:
    """A word becomes one that stands elsewhere: a card, a seat, a number."""
    words = [word for line in lines for word in line.replace(":", " ").replace(";", " ").split()]
    at = dice.choice([number for number, line in enumerate(lines) if line.split()])
    own = re.split(r"(\s+)", lines[at])
    own[dice.randrange(0, len(own), 2)] = dice.choice(
        [*words, "1h", "-1", "99999999999999999999", "nan", "|", ":", "é"]
    )
    return [*lines[:at], "".join(own), *lines[at + 1 :]]


def character_changed(lines: list[str], dice: random.Random) -> list[str]:
    text = "\n".join(lines)
    at = dice.randrange(len(text))
    return (text[:at] + dice.choice("0123456789:;|#-abcdhsJK \n\t\0²١") + text[at + 1 :]).split("\n")


def card_moved(lines: list[str], dice: random.Random) -> list[str]:
    """A word goes from the end of one line to the end of another."""
    source, target = dice.randrange(len(lines)), dice.randrange(len(lines))
    words = lines[source].split(" ")
    changed = list(lines)
    changed[source] = " ".join(words[:-1])
    changed[target] = f"{changed[target]} {words[-1]}"
    return changed


DAMAGES: list[Callable[[list[str], random.Random], list[str]]] = [
    dropped,
    doubled,
    swapped,
    truncated,
    word_changed,
    character_changed,
    card_moved,
]


# Records of state -----------------------------------------------------------------------------------------------------


def corrupted(game: Game, states: Any, dice: random.Random) -> Any:
    """A copy of an array of one state with one to four bytes or numbers changed; often to values within bounds."""
    other = states.copy()
    cells, numbers = other.view(np.uint8), game.state_fields.numbers
    # Where a wrong number does most harm: what other numbers count, and what stands for a card, a meld or a phase.
    likely = [number for number in numbers if number.count <= 16 and number.name != "rng"]
    for _ in range(dice.choice((1, 1, 1, 2, 3, 4))):
        if dice.random() < 0.3:
            place = dice.randrange(len(cells))
            cells[place] = dice.choice((dice.randrange(256), int(cells[place]) ^ 1 << dice.randrange(8)))
            continue
        number = dice.choice(likely if dice.random() < 0.8 else numbers)
        kind, field = number.field.number, number.field
        at = number.offset + kind.itemsize * dice.randrange(number.count)
        value = cells[at : at + kind.itemsize].view(kind)
        if dice.random() < 0.5:
            value[0] = dice.randint(field.lowest, field.highest)
        elif dice.random() < 0.5:
            value[0] = min(max(int(value[0]) + dice.choice((-1, 1)), np.iinfo(kind).min), np.iinfo(kind).max)
        else:
            value[0] ^= kind.type(1) << kind.type(dice.randrange(8 * kind.itemsize - (kind.kind == "i")))
    if dice.random() < 0.2:
        _swap_two(game, cells, dice)
    return other


def _swap_two(game: Game, cells: Any, dice: random.Random) -> None:
    """Swap two numbers of an array, such as two cards, or a card with what is empty: counts stay right."""
    number = dice.choice([number for number in game.state_fields.numbers if number.count > 1])
    kind = number.field.number
    values = cells[number.offset : number.offset + kind.itemsize * number.count].view(kind)
    one, other = dice.randrange(number.count), dice.randrange(number.count)
    values[one], values[other] = int(values[other]), int(values[one])


# JSON -----------------------------------------------------------------------------------------------------------------

ODD: tuple[Any, ...] = (
    None,
    True,
    -1,
    0,
    1,
    2**63,
    10**400,
    0.5,
    -0.0,
    1e308,
    float("nan"),
    float("inf"),
    "",
    "x",
    "é\ud800",
    "a" * 5000,
    [],
    {},
    [[[[[]]]]],
    {"x": None},
)


def json_damaged(value: Any, dice: random.Random) -> Any:
    """The same value with one thing in it changed, taken away, added or exchanged."""
    inner = value if isinstance(value, (dict, list)) and len(value) else None
    if inner is None or dice.random() < 0.15:
        return dice.choice(ODD)
    if isinstance(inner, dict):
        name = dice.choice(list(inner))
        choice = dice.random()
        if choice < 0.1:
            return {key: each for key, each in inner.items() if key != name}
        if choice < 0.2:
            return {**inner, dice.choice((f"{name}_", "", "x")): dice.choice(ODD)}
        return {**inner, name: json_damaged(inner[name], dice)}
    at = dice.randrange(len(inner))
    choice = dice.random()
    if choice < 0.1:
        return inner[:at] + inner[at + 1 :]
    if choice < 0.2:
        return [*inner, inner[at]]
    return [*inner[:at], json_damaged(inner[at], dice), *inner[at + 1 :]]


def bytes_damaged(content: bytes, dice: random.Random) -> bytes:
    """The same bytes with some changed, cut off, doubled or put in."""
    cells = bytearray(content)
    for _ in range(dice.choice((1, 1, 2, 5))):
        at = dice.randrange(max(1, len(cells)))
        choice = dice.randrange(5)
        if choice == 0 or not cells:
            cells[at:at] = dice.randbytes(dice.choice((1, 4, 50)))
        elif choice == 1:
            del cells[at : at + dice.choice((1, 8, len(cells)))]
        elif choice == 2:
            cells[at:at] = cells[at : at + dice.choice((1, 8, 100))]
        else:
            # The beginnings of files hold lengths and names: look there more often.
            at = dice.randrange(min(len(cells), 400)) if dice.random() < 0.6 else at
            cells[at] = dice.randrange(256)
    return bytes(cells)
