"""A page of rules after reading, and its text for one table. The parts of a page are plain tuples (see `reading`)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from banakil_env.kit.rules_pages.words import counted, number

# Expressions and parts of a text are tuples, whose first entry is a word for their kind.
Expression = tuple[Any, ...]
Text = tuple[Any, ...]


@dataclass(frozen=True)
class TableFacts:
    """The options of a table apart from its rules: number of players, partners or not, a match or a single round."""

    players: int
    partners: bool
    match: bool


@dataclass(frozen=True)
class Paragraph:
    """A paragraph; with `item`, an entry of a list."""

    item: bool
    text: Text


@dataclass(frozen=True)
class Section:
    """A section of a page, for tables where its condition is true."""

    title: str
    condition: Expression
    paragraphs: tuple[Paragraph, ...]


@dataclass(frozen=True)
class Page:
    """The rules of all variants of a game.

    Attributes:
        names: the switches and properties of `Rules` that the page uses.
        lets: the names that the page defines, each with its expression, in order.
        sections: the sections in order.
    """

    names: tuple[str, ...]
    lets: tuple[tuple[str, Expression], ...]
    sections: tuple[Section, ...]

    def sections_for(self, rules: Any, table: TableFacts) -> list[str]:
        """The sections of the rules for one table. Each is a text with a heading and one line per paragraph."""
        facts: dict[str, Any] = {name: getattr(rules, name) for name in self.names}
        facts["players"], facts["partners"], facts["match"] = table.players, table.partners, table.match
        for name, expression in self.lets:
            facts[name] = value_of(expression, facts)
        return [_section(each, facts) for each in self.sections if value_of(each.condition, facts)]


def _section(section: Section, facts: Mapping[str, Any]) -> str:
    lines = [f"## {section.title}"]
    for each in section.paragraphs:
        text = _tidy(text_of(each.text, facts))
        if text:
            lines.append(f"- {text}" if each.item else text)
    return "\n".join(lines)


def _tidy(text: str) -> str:
    """Reduce blanks to one, and remove those before punctuation, where a part was left out."""
    return re.sub(r" (?=[,;:]|\.(?!\.))", "", " ".join(text.split()))


def text_of(text: Text, facts: Mapping[str, Any]) -> str:
    """The text for a table whose switches, properties and names are `facts`."""
    return "".join([_words(each, facts) for each in text])


def _words(part: Any, facts: Mapping[str, Any]) -> str:
    if isinstance(part, str):
        return part
    kind = part[0]
    if kind == "choice":  # part[1]: pairs of a condition and a text
        return next((text_of(text, facts) for condition, text in part[1] if value_of(condition, facts)), "")
    if kind == "join":  # part[1]: the word between the texts; part[2]: the texts
        return _joined(part[1], [text_of(text, facts).strip() for text in part[2]])
    value = value_of(part[1], facts)
    if kind == "number":
        return str(value)
    return number(value) if kind == "words" else counted(value, part[2], part[3])


def _joined(word: str, texts: Sequence[str]) -> str:
    """Join the texts that are not empty: `one clean pile, two dirty piles and one wild pile`."""
    said = [each for each in texts if each]
    if word == ";":
        return "; ".join(said)
    return f" {word} ".join([", ".join(said[:-1]), said[-1]]) if len(said) > 1 else "".join(said)


def value_of(expression: Expression, facts: Mapping[str, Any]) -> Any:
    """The value of an expression for a table whose switches, properties and names are `facts`."""
    kind, first = expression[0], expression[1]
    if kind == "value":
        return first
    if kind == "name":
        return facts[first]
    left = value_of(first, facts)
    if kind == "not":
        return not left
    if kind == "and":
        return left and value_of(expression[2], facts)
    if kind == "or":
        return left or value_of(expression[2], facts)
    if kind == "if":  # the condition, the value if it is true, and the value if it is false
        return value_of(expression[2] if left else expression[3], facts)
    return _computed(kind, left, value_of(expression[2], facts))


def _computed(kind: str, left: Any, right: Any) -> Any:
    match kind:
        case "==":
            return left == right
        case "!=":
            return left != right
        case "<":
            return left < right
        case ">":
            return left > right
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "//":
            return left // right
    return left[right]
