"""Shows a table in a notebook: `show(...)` of an environment, a state or a text, as the last line of a cell."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from banakil_env.core.game import Game
from banakil_env.games import GAMES, find

PICTURES = (".svg", ".png")  # suffixes of the files in which a table can be saved


class Picture:
    """A drawn table, which notebooks display.

    Attributes:
        svg: the drawing.
        text: the same table as text, for displays without pictures.
    """

    def __init__(self, svg: str, text: str) -> None:
        self.svg, self.text = svg, text

    def _repr_svg_(self) -> str:
        return self.svg

    def __repr__(self) -> str:
        return self.text

    def png(self, zoom: float = 1.0) -> bytes:
        """The table as PNG. Raises ImportError if the extra `render` is not installed."""
        from banakil_env.render.png import png

        return png(self.svg, zoom)

    def save(self, path: str | Path, zoom: float = 2.0) -> None:
        """Write a file, `.svg` or `.png`. Raises ValueError for any other suffix."""
        path = Path(path)
        if path.suffix == ".svg":
            path.write_text(self.svg, encoding="utf-8")
        elif path.suffix == ".png":
            path.write_bytes(self.png(zoom))
        else:
            raise ValueError(f"a picture is saved as {' or '.join(PICTURES)}, not as {path.name!r:.80}")


def show(thing: Any, seat: int | None = None, *, game: str | Game | None = None, table: int = 0, **how: Any) -> Picture:
    """A picture of a table.

    Args:
        thing: an environment of this package, wrapped or not; a state of a game; or a position as text.
        seat: the seat whose view is drawn; None for all hands open.
        game: the game of the state or position. None: a state is recognized by its dtype, a text is read as Banakil.
        table: the number of the table, for an environment with several.
        how: `theme`, `four_colors`, `names` and `size` of `render.svg.draw`.

    Raises:
        TypeError: `thing` has no table.
        ValueError: there is no such seat, table, theme or game.
    """
    from banakil_env.render.scenes import scene_of
    from banakil_env.render.svg import draw
    from banakil_env.render.text import draw as draw_text

    found, state = _table_of(thing, game, table)
    scene = scene_of(found, state, seat)
    return Picture(draw(scene, **how), draw_text(scene))


def _table_of(thing: Any, game: str | Game | None, table: int) -> tuple[Game, Any]:
    """The game and one state of `thing`."""
    if isinstance(thing, str):
        found = find(game or next(iter(GAMES)))
        return found, found.texts.from_text(thing)[0]
    if isinstance(thing, (np.void, np.ndarray)) and thing.dtype.names:
        return (_game_of(thing.dtype) if game is None else find(game)), np.asarray(thing).reshape(-1)[table]
    env = getattr(thing, "unwrapped", thing)
    env = getattr(env, "tables", env)
    if hasattr(env, "states") and hasattr(env, "game"):
        return env.game, _one(env.states, table)
    if hasattr(env, "position") and hasattr(env, "game"):
        return env.game, env.position
    raise TypeError(f"show() draws environments of this package, states and positions, not {type(thing).__name__}")


def _one(states: Any, table: int) -> Any:
    if not 0 <= table < len(states):
        raise ValueError(f"there is no table {table!r}: there are {len(states)}, from 0 on")
    return states[table]


def _game_of(dtype: np.dtype[Any]) -> Game:
    """The game whose states have this dtype. Raises TypeError if there is no such game."""
    for name in GAMES:
        if find(name).state == dtype:
            return find(name)
    raise TypeError("show() draws states of a game; this record is not such a state")
