"""The examples of the rules pages, `tests/data/<game>-cases.json`: a position, what is legal, and what actions lead to.

Examples about single melds and points have tests of their own in the folders of the games.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from banakil_env.core.game import Outcome

FOLDER = Path(__file__).parent / "data"
# The lists with positions: each game's page was written by another hand.
LISTS = ("positions", "legal", "moves", "actions", "after", "ends")


def examples_in(name: str) -> dict[str, Any]:
    """All examples of a game, by list."""
    found: dict[str, Any] = json.loads((FOLDER / f"{name}-cases.json").read_text(encoding="utf-8"))
    return found


class Example(NamedTuple):
    """A position, and what is true of it.

    Attributes:
        position: its text. It is whole in some games; in others cards that no line names are the stock.
        legal: all legal actions, None where the example does not say.
        actions: what is played, one after the other.
        after: lines of the position after them. None or "": the line is not there.
        whole_after: that position whole, "" where the example does not say.
        ends: the game is over then, and `after` says how.
    """

    note: str
    position: str
    legal: list[str] | None
    actions: list[str]
    after: dict[str, str | None]
    whole_after: str
    ends: bool


def examples_of(name: str) -> list[Example]:
    """The examples of a game that begin with a position."""
    found = examples_in(name)
    return [_example(f"{part} {i}", case) for part in LISTS for i, case in enumerate(found.get(part, []))]


def _example(place: str, case: dict[str, Any]) -> Example:
    after, whole = case.get("after", case.get("after_has", {})), case.get("then", "")
    if isinstance(after, str):
        after, whole = {}, after
    if "over" in case:
        scores = case.get("scores", case["points"])
        after = {"over": case["over"], "points": _numbers(case["points"]), "scores": _numbers(scores)}
    actions = case.get("actions", case.get("do", []))
    note = f"{place}: {case.get('note') or case.get('why', '')}"
    position, legal = _text(case["position"]), case.get("legal")
    return Example(note, position, legal, actions, after, _text(whole), "over" in case)


def _numbers(numbers: Sequence[int]) -> str:
    """As a position writes them: zeros are left out."""
    return " ".join(map(str, numbers)) if any(numbers) else ""


def _text(lines: str | list[str]) -> str:
    return lines if isinstance(lines, str) else "\n".join(lines)


def without_generator(text: str) -> list[str]:
    """The lines of a position but for the generator: how it shuffles is no rule."""
    return [line.strip() for line in text.splitlines() if not line.startswith("rng:")]


def check_after(example: Example, text: str) -> None:
    """Compare the position after the actions of an example with what the example says of it."""
    lines = {key: value.strip() for key, _, value in (line.partition(":") for line in text.splitlines())}
    for key, value in example.after.items():
        if key == "stock as a set":
            assert sorted(lines["stock"].split()) == sorted((value or "").split())
        else:
            assert lines.get(key, "") == (value or ""), f"{key}: {lines.get(key)}, not {value}"
    if example.whole_after:
        assert without_generator(text) == without_generator(example.whole_after), text


def check_outcome(example: Example, outcome: Outcome) -> None:
    """The same of how the game ended."""
    told = {"over": outcome.text, "points": _numbers(outcome.points), "scores": _numbers(outcome.scores)}
    assert told == example.after, told
