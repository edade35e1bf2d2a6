"""What referees read alike: the lines of a position, and a line of rules with its preset and switches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Allowed = Sequence[str] | range  # the values of a switch as texts; a range: whole numbers


def read_lines(text: str) -> dict[str, str]:
    """The lines of a position by their keys. Raises ValueError."""
    lines: dict[str, str] = {}
    for line in text.splitlines():
        line = line.split("#")[0].strip()
        if line:
            key, colon, value = line.partition(":")
            if not colon or key.strip() in lines:
                raise ValueError(f"not a line, or there twice: {line}")
            lines[key.strip()] = value.strip()
    return lines


def parse_rules(text: str, switches: Mapping[str, Allowed], presets: Mapping[str, Mapping[str, str]]) -> dict[str, str]:
    """A line of rules as a text for every switch; without a preset it is the first one. Raises ValueError."""
    words = text.split()
    rules = dict(presets[words.pop(0)] if words and words[0] in presets else next(iter(presets.values())))
    for word in words:
        name, equals, value = word.partition("=")
        if not equals or name not in switches:
            raise ValueError(f"rules: what is {word}?")
        allowed = switches[name]
        if isinstance(allowed, range):
            if not value.isdecimal() or int(value) not in allowed:
                raise ValueError(f"rules: {word} is no value")
            value = str(int(value))
        elif value not in allowed:
            raise ValueError(f"rules: {word} is no value")
        rules[name] = value
    return rules


def write_rules(rules: Mapping[str, str], presets: Mapping[str, Mapping[str, str]]) -> str:
    """The nearest preset, the first of equals, and the switches that differ from it."""

    def differing(preset: str) -> list[str]:
        return [name for name in presets[preset] if rules[name] != presets[preset][name]]

    nearest = min(presets, key=lambda preset: len(differing(preset)))
    return " ".join([nearest, *(f"{name}={rules[name]}" for name in differing(nearest))])
