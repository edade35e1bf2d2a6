"""Reads a page of rules into sections, paragraphs and text parts. The package's docstring describes the notation."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from banakil_env.core.hints import did_you_mean
from banakil_env.kit.rules_pages.expressions import ExpressionError, Names
from banakil_env.kit.rules_pages.page import Expression, Page, Paragraph, Section, Text
from banakil_env.kit.switches import Rules

SHARED = Path(__file__).with_name("shared.md")
TABLE = ("players", "partners", "match")
ALWAYS: Expression = ("value", True)
# Switches that shared paragraphs use although some games do not have them.
_MAY_LACK = ("contract", "deals", "max_rounds", "target")

_LET = re.compile(r"let (\w+) = (.*)")
_HEADING = re.compile(r"## (?:\[([^]]*)\] )?(.+)")
_GUARD = re.compile(r"\[([^]?|:]*)\](.*)")
_TOKEN = re.compile(r"[\[\]|]|\{[^{}]*\}|[^\[\]|{}]+|[{}]")
_CONDITION = re.compile(r"([^?]*)\?")
_JOIN = re.compile(r"\s*(and|or|;):")
_NUMBER = re.compile(r"\{(.+?)(?:( in words)|: *([^|]+?) *\| *([^|]+?))? *\}", re.DOTALL)

Lines = list[tuple[str, str]]  # for each line its place (file and line number, for messages) and its text


class RulesPageError(ValueError):
    """A mistake in a page of rules. The message names the file and the line."""


def read_page(file: Path, rules: type[Rules]) -> Page:
    """Read the page of a game. RulesPageError: an unreadable line, an unknown name or an invalid value."""
    return _Reader(rules).page(_lines_of(file))


def _lines_of(file: Path) -> Lines:
    texts = file.read_text(encoding="utf-8").splitlines()
    return [(f"{file.parent.name}/{file.name}, line {number}", text) for number, text in enumerate(texts, 1)]


@functools.lru_cache(maxsize=1)
def _shared() -> dict[str, list[Lines]]:
    """The paragraphs of `shared.md`, by the title above them."""
    _, *sections = _parted(_lines_of(SHARED), lambda text: text.startswith("## "))
    return {lines[0][1].removeprefix("## "): _paragraphs_of(lines[1:]) for lines in sections}


def _parted(lines: Lines, begins: Callable[[str], bool]) -> list[Lines]:
    """Split lines into parts. Each line for which `begins` is true begins a new part."""
    parts: list[Lines] = [[]]
    for line in lines:
        if begins(line[1]):
            parts.append([])
        parts[-1].append(line)
    return parts


def _paragraphs_of(lines: Lines) -> list[Lines]:
    parts = _parted(lines, lambda text: not text.strip() or text.startswith(("- ", "@")))
    return [said for part in parts if (said := [line for line in part if line[1].strip()])]


class _Reader:
    """Reads the page of one game."""

    def __init__(self, rules: type[Rules]) -> None:
        properties = [name for name in dir(rules) if isinstance(getattr(rules, name), property)]
        self._own = {*rules.switches(), *properties}
        self._names = Names(rules.switches(), [*properties, *TABLE], _MAY_LACK)

    def page(self, lines: Lines) -> Page:
        """Read the whole page."""
        head, *sections = _parted(lines, lambda text: text.startswith("#"))
        lets = tuple(self._let(place, text) for place, text in head if text.strip())
        made = tuple(self._section(each) for each in sections)
        return Page(tuple(sorted(self._names.used & self._own)), lets, made)

    def _let(self, place: str, text: str) -> tuple[str, Expression]:
        found = _LET.fullmatch(text)
        if found is None:
            raise RulesPageError(f"{place}: only `let NAME = NUMBER` can precede the sections, not {text!r:.60}")
        made = self.expression(place, found[2])
        self._names.others.append(found[1])
        return found[1], made

    def _section(self, lines: Lines) -> Section:
        (place, heading), *rest = lines
        found = _HEADING.fullmatch(heading)
        if found is None:
            raise RulesPageError(f"{place}: a title is `## Title` or `## [condition] Title`, not {heading!r:.60}")
        condition = ALWAYS if found[1] is None else self.expression(place, found[1])
        paragraphs = [each for part in _paragraphs_of(rest) for each in self._paragraphs(part)]
        return Section(found[2], condition, tuple(paragraphs))

    def _paragraphs(self, lines: Lines) -> Iterator[Paragraph]:
        """Read a paragraph, or the shared paragraphs that it names."""
        place, text = lines[0]
        if not text.startswith("@"):
            yield self._paragraph(lines)
            return
        shared, name = _shared(), text[1:].strip()
        if name not in shared or len(lines) > 1:
            there = ", ".join(f"@{each}" for each in shared)
            raise RulesPageError(f"{place}: no shared paragraph {text!r:.60}{did_you_mean(name, shared)}: {there}")
        yield from map(self._paragraph, shared[name])

    def _paragraph(self, lines: Lines) -> Paragraph:
        place, text = lines[0]
        item = text.startswith("- ")
        if item:
            lines = [(place, text[2:]), *lines[1:]]
        alone = _GUARD.fullmatch(lines[0][1])
        if alone is None or alone[2].strip():
            return Paragraph(item, self._pieces(lines))
        return Paragraph(item, _if(self.expression(place, alone[1]), self._pieces(lines[1:])))

    def _pieces(self, lines: Lines) -> Text:
        """The text of some lines. A condition before a line also applies to the indented lines that follow."""
        pieces: list[tuple[Expression, Lines]] = [(ALWAYS, [])]
        for place, text in lines:
            guard = _GUARD.fullmatch(text)
            if guard is not None:
                pieces.append((self.expression(place, guard[1]), []))
            elif pieces[-1][0] is not ALWAYS and not text.startswith(" "):
                pieces.append((ALWAYS, []))
            pieces[-1][1].append((place, text if guard is None else guard[2]))
        made: list[Text] = [_if(condition, _Parts(self, said).all()) for condition, said in pieces]
        return tuple(part for text in made for part in (*text, " "))

    def expression(self, place: str, text: str) -> Expression:
        """Read an expression. RulesPageError: it is invalid; see `Names.expression`."""
        try:
            return self._names.expression(text)
        except ExpressionError as error:
            raise RulesPageError(f"{place}: {error}") from None


def _if(condition: Expression, text: Text) -> Text:
    """A text that appears only if the condition is true."""
    return text if condition is ALWAYS else (("choice", ((condition, text),)),)


class _Parts:
    """Reads the parts of a text: words, numbers in braces, choices and lists in brackets."""

    def __init__(self, reader: _Reader, lines: Lines) -> None:
        self._reader, self._places = reader, [place for place, _ in lines]
        text = "\n".join(said for _, said in lines)
        self._tokens = [(each[0], text.count("\n", 0, each.start())) for each in _TOKEN.finditer(text)]
        self._at = 0

    def all(self) -> Text:
        """Read the whole text."""
        made = self._text()
        if self._at < len(self._tokens):
            raise self._error(f"{self._tokens[self._at][0]!r} without a bracket before it")
        return made

    def _text(self) -> Text:
        """Read the text up to a `|` or `]` of the bracket around it."""
        made: list[Any] = []
        while self._at < len(self._tokens) and self._tokens[self._at][0] not in "|]":
            token = self._tokens[self._at][0]
            if token == "[":
                made.append(self._bracket())
                continue
            made.append(self._number(token) if token[0] in "{}" else token)
            self._at += 1
        return tuple(made)

    def _number(self, token: str) -> Text:
        found = _NUMBER.fullmatch(token)
        if found is None:
            raise self._error(f"{token!r:.60} is not a number: {{NAME}}, {{NAME in words}} or {{NAME: one | many}}")
        value = self._expression(found[1])
        return ("count", value, found[3], found[4]) if found[3] else ("words" if found[2] else "number", value)

    def _bracket(self) -> Text:
        """Read a choice or a list, from its `[` to its `]`."""
        opened = self._at
        self._at += 1
        join = self._cut(_JOIN)
        conditions: list[Expression | None] = []
        texts: list[Text] = []
        while True:
            said = None if join else self._cut(_CONDITION)
            conditions.append(None if said is None else self._expression(said))
            texts.append(self._text())
            if self._at == len(self._tokens):
                self._at = opened
                raise self._error("a bracket that is not closed")
            self._at += 1
            if self._tokens[self._at - 1][0] == "]":
                break
        if join:
            return ("join", join, tuple(texts))
        if conditions[0] is None or None in conditions[:-1]:
            self._at = opened
            raise self._error("[condition? words | other words]: only the last words can lack a condition")
        return ("choice", tuple((ALWAYS if each is None else each, text) for each, text in zip(conditions, texts)))

    def _cut(self, pattern: re.Pattern[str]) -> str | None:
        """If the rest of the text begins with a pattern, remove the match and return its first group; else None."""
        token, line = self._tokens[self._at] if self._at < len(self._tokens) else ("", 0)
        found = pattern.match(token)
        if found is None:
            return None
        rest = token[found.end() :]
        self._tokens[self._at] = (rest.lstrip() or " ", line)
        return found[1]

    def _expression(self, text: str) -> Expression:
        return self._reader.expression(self._place(), text)

    def _place(self) -> str:
        return self._places[self._tokens[min(self._at, len(self._tokens) - 1)][1]]

    def _error(self, text: str) -> RulesPageError:
        return RulesPageError(f"{self._place()}: {text}")
