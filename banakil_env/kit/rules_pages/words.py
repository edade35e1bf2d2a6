"""Writes numbers as words, for sentences."""

from __future__ import annotations

_NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def number(count: int) -> str:
    """The number as a word up to twelve, as digits above."""
    return _NUMBERS[count] if 0 <= count < len(_NUMBERS) else str(count)


def counted(count: int, noun: str, plural: str = "") -> str:
    """A number with its noun: `one card`, `three cards`."""
    return f"{number(count)} {noun if count == 1 else plural or noun + 's'}"
