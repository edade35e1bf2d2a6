"""What does a table look like? Pictures of a state as text, for people; which one, the game's name decides."""

from __future__ import annotations

import importlib
from typing import Any

from banakil_env.core.game import Game

# Where the function `table(state, seat)` of a game is; imported when it is used.
TABLES = {"banakil": "banakil_env.render.text"}


def as_text(game: Game, state: Any, seat: int | None = None) -> str:
    """The table as one seat sees it, or all hands open (None). A game without a picture is given in its notation."""
    if game.name not in TABLES:
        if seat is not None:
            raise ValueError(f"there is no picture of {game.name} from one seat")
        return game.describe(state)
    text: str = importlib.import_module(TABLES[game.name]).table(state, seat)
    return text
