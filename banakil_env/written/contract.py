"""The contract of a program: five functions from text to text, and the type of each answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

MOST_MOVES = 5000  # moves in one answer of legal_moves
LONGEST_MOVE = 200  # characters
LONGEST_POSITION = 20_000

CONTRACT = '''\
Write one Python file, for the standard library of Python alone, with these five functions. A position is a text as
described below, and complete: nothing has to be remembered from one call to the next but what `setup` was told.

```python
def setup(table: dict) -> None:
    """Called once, first. `table` has "game", "rules", "num_players", and "text": the rules as told above."""

def legal_moves(position: str) -> list[str]:
    """The legal moves of the seat to move, in any order."""

def apply(position: str, move: str) -> str:
    """The position after a legal move. Lines can be in any order, and those with a default value can be left out."""

def is_over(position: str, move: str) -> bool:
    """Whether the round is over after this legal move."""

def scores(position: str, move: str) -> list[int]:
    """The points of each seat, from seat 0 on, for the round that this legal move ends."""
```

Chance plays no part: the line `stock` has the cards in the order in which they will be drawn, the next one first. No
move is asked about that shuffles cards. The line `rng` is left out, and so are, once the round is over, `points` and
`scores`; they are not compared.
'''


def _is_nothing(answer: Any) -> bool:
    return True


def _are_moves(answer: Any) -> bool:
    texts = isinstance(answer, list) and all(isinstance(each, str) and len(each) <= LONGEST_MOVE for each in answer)
    return texts and len(answer) <= MOST_MOVES


def _is_position(answer: Any) -> bool:
    return isinstance(answer, str) and len(answer) <= LONGEST_POSITION


def _is_truth(answer: Any) -> bool:
    return isinstance(answer, bool)


def _are_points(answer: Any) -> bool:
    return isinstance(answer, list) and len(answer) <= 8 and all(type(each) is int for each in answer)


# The functions, each with the type of its answer: a description, and a check.
FUNCTIONS: Mapping[str, tuple[str, Callable[[Any], bool]]] = {
    "setup": ("anything", _is_nothing),
    "legal_moves": (f"a list of at most {MOST_MOVES} short texts", _are_moves),
    "apply": (f"a text of at most {LONGEST_POSITION} characters", _is_position),
    "is_over": ("True or False", _is_truth),
    "scores": ("a list of whole numbers, one a seat", _are_points),
}
