"""Pictures of tables, drawn from the `Scene` that a game describes; this package contains no code of a single game.

>>> from banakil_env.games import rummy
>>> from banakil_env.render import show
>>> show(rummy.new(num_players=3, seed=7), seat=0).save("table.svg")
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.game import Game
from banakil_env.render.show import Picture, show

__all__ = ["Picture", "as_svg", "as_text", "show"]


def as_text(game: Game, state: Any, seat: int | None = None) -> str:
    """The table as text, as one seat sees it.

    With `seat` None, **all hands are shown**: do not give this text to a player.
    """
    from banakil_env.render.text import table  # imported here, so that programs without pictures do not load it

    return table(game, state, seat)


def as_svg(game: Game, state: Any, seat: int | None = None, **how: Any) -> str:
    """The table as SVG; `how` accepts `theme`, `four_colors`, `names` and `size` of `render.svg.draw`."""
    from banakil_env.render.scenes import scene_of
    from banakil_env.render.svg import draw

    return draw(scene_of(game, state, seat), **how)
