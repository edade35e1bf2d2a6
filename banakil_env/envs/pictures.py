"""What does `render()` of an environment give? The one place that knows the render modes.

| mode | `render()` gives |
|---|---|
| `"ansi"` | the table as text |
| `"svg"` | the table as SVG text |
| `"rgb_array"` | the same in pixels, uint8 (840, 1120, 3): what video recorders take (extra `render`) |
| `"human"` | None: a window is redrawn after every `reset` and `step` (extra `render`, Tk) |

All hands are open.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from banakil_env.core.game import Game
from banakil_env.render import as_svg, as_text

if TYPE_CHECKING:
    from banakil_env.render.window import Window

RENDER_MODES = ("ansi", "rgb_array", "human", "svg")
RENDER_FPS = 2  # frames a second of a video: a move is read in half a second
FRAME = (1120, 840)  # width and height of every frame, even numbers as video formats want


def check_render_mode(mode: str | None) -> str | None:
    """The mode. ValueError: there is none such."""
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"render_mode must be {' or '.join(map(repr, [*RENDER_MODES, None]))}, not {mode!r:.80}")
    return mode


def picture(game: Game, state: Any, mode: str) -> Any:
    """The table in a mode of RENDER_MODES other than "human". ImportError: "rgb_array" needs the extra `render`."""
    if mode == "ansi":
        return as_text(game, state)
    if mode == "svg":
        return as_svg(game, state)
    assert mode == "rgb_array"
    from banakil_env.render.png import pixels  # late: it needs the extra

    return pixels(as_svg(game, state, size=FRAME))


class Screen:
    """The window of one environment. It belongs to the process: copies and pickles open one of their own."""

    def __init__(self) -> None:
        self._window: Window | None = None

    def show(self, game: Game, state: Any) -> None:
        """Draw the table; the window opens with the first picture. RuntimeError: none can be opened."""
        if self._window is None:
            from banakil_env.render.window import Window  # late: it needs the extra

            self._window = Window(game.title)
        self._window.show(as_svg(game, state, size=FRAME))

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), ()
