"""What does a table look like? Pictures of the `Scene` that a game describes; they know no game."""

from __future__ import annotations

from typing import Any

from banakil_env.core.game import Game


def as_text(game: Game, state: Any, seat: int | None = None) -> str:
    """The table as text, as one seat sees it, or with all hands open (None)."""
    from banakil_env.render.text import table  # late: who draws nothing loads nothing

    return table(game, state, seat)
