"""Lists many moves as short text: moves with the same first word share a line, with `|` between the other words."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence

from banakil_env.core.game import Game


def shared_note(listed: str) -> str:
    """A note on how to read a list from `moves_text`, with an example from it; "" if no moves share a line."""
    line = next((line for line in listed.splitlines() if "|" in line), None)
    if line is None:
        return ""
    verb, rests = line.split(" ", 1)
    first, second = rests.split(" | ")[:2]
    both = f"`{verb} {first}` or `{verb} {second}`"
    return f"`|` separates what may follow the first word: `{verb} {first} | {second}` is {both}."


def moves_text(game: Game, legal: Sequence[int]) -> str:
    """Legal moves as text, one line per first word: `discard 7h | 9d | Kc`; consecutive numbers as `take 1 to 12`."""
    texts = [game.actions.text(action) for action in legal]
    lines = []
    for verb, group in itertools.groupby(sorted(texts, key=_verb_in_order(texts)), key=lambda text: text.split()[0]):
        rests = [text[len(verb) :].strip() for text in group]
        lines.append(" ".join(filter(None, [verb, _joined(rests)])))
    return "\n".join(lines)


def _verb_in_order(texts: Sequence[str]) -> Callable[[str], int]:
    """A sort key that groups moves by their first word, in the order in which the words first occur."""
    order = {verb: place for place, verb in enumerate(dict.fromkeys(text.split()[0] for text in texts))}
    return lambda text: order[text.split()[0]]


def _joined(rests: Sequence[str]) -> str:
    """Join the words after the first word; consecutive numbers become `1 to 12`."""
    numbers = [int(rest) for rest in rests if rest.isdigit()]
    if len(numbers) == len(rests) > 2 and numbers == list(range(numbers[0], numbers[-1] + 1)):
        return f"{numbers[0]} to {numbers[-1]}"
    return " | ".join(rests)
