"""The parts of each seat's points in a round, in words. The parts add up to the points."""

from __future__ import annotations

import importlib
from typing import Any

from banakil_env.core.game import Game
from banakil_env.kit.score_lines import Line


def score_lines(game: Game, state: Any) -> tuple[tuple[Line, ...], ...]:
    """The parts of each seat's points, at the end of a round and before the next deal.

    () if the round did not count, or the game has no module `scoring`.

    Args:
        game: the game.
        state: one record, in which a round is over.
    """
    points = game.outcome(state).points
    module = _module_of(game)
    if module is None or not any(points):
        return ()
    return tuple(tuple(module.lines(state, seat)) for seat in range(len(points)))


def first_meld(game: Game, state: Any) -> tuple[int, int] | None:
    """The value that the first meld of the seat to move needs, and the value laid so far.

    None if no value is needed now.

    Games that require a value for the first meld have a function `first_meld(state)` in their module `scoring`.
    """
    found = getattr(_module_of(game), "first_meld", None)
    said: tuple[int, int] | None = None if found is None else found(state)
    return said


def _module_of(game: Game) -> Any:
    """The module `scoring` in the folder of the game's rules; None if the game has no such module."""
    name = f"{game.rules.__module__.rpartition('.')[0]}.scoring"
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if error.name != name:
            raise
        return None
