"""The results of an environment's `render()`: all render modes are defined here.

| mode | `render()` returns |
|---|---|
| `"ansi"` | the table as text |
| `"svg"` | the table as SVG text |
| `"rgb_array"` | the drawing in pixels, uint8 (840, 1120, 3), for video recorders (extra `render`) |
| `"human"` | None: a window is redrawn after every `reset` and `step` (extra `render`, Tk) |

All hands are face up, unless `render_seat` names a view: a seat, or "agent" for the agent to move (in Gymnasium, the
learner). A player that is given a picture with all hands face up sees the hands of its opponents.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from banakil_env.core.game import Game
from banakil_env.envs.arguments import checked_seat
from banakil_env.render import as_svg, as_text

if TYPE_CHECKING:
    from banakil_env.envs.vector import Tables
    from banakil_env.render.window import Window

RENDER_MODES = ("ansi", "rgb_array", "human", "svg")
RENDER_FPS = 2  # frames per second of a video: half a second is enough to read a move
AGENT = "agent"  # names the view of the agent to move
FRAME = (1120, 840)  # width and height of every frame; video formats require even numbers


def check_render_mode(mode: str | None) -> str | None:
    """Return the mode if it exists.

    Raises:
        ValueError: there is no such mode.
    """
    if mode is not None and mode not in RENDER_MODES:
        raise ValueError(f"render_mode must be {' or '.join(map(repr, [*RENDER_MODES, None]))}, not {mode!r:.80}")
    return mode


def check_render_seat(seat: int | str | None, num_seats: int) -> int | str | None:
    """The view that is drawn: a seat, AGENT, or None for all hands face up.

    Raises:
        ValueError: there is no such seat.
    """
    return seat if seat is None or seat == AGENT else checked_seat(seat, num_seats)


def picture(game: Game, state: Any, mode: str, seat: int | None = None) -> Any:
    """The table as a seat sees it (None: with all hands face up), in any mode of RENDER_MODES except "human".

    Raises:
        ImportError: "rgb_array" needs the extra `render`.
    """
    if mode == "ansi":
        return as_text(game, state, seat)
    if mode == "svg":
        return as_svg(game, state, seat)
    assert mode == "rgb_array"
    from banakil_env.render.png import pixels  # here, because it needs the extra

    return pixels(as_svg(game, state, seat, size=FRAME))


def viewer_of(tables: Tables, row: int, seat: int | str | None) -> int | None:
    """The seat whose view of a table in a batch is drawn; for AGENT the learner's seat; None: all hands face up."""
    return int(tables.learners[row]) if isinstance(seat, str) else seat


class Screen:
    """The window of one environment. It belongs to the process: copies and unpickled environments open their own
    windows.
    """

    def __init__(self) -> None:
        self._window: Window | None = None

    def show(self, game: Game, state: Any, seat: int | None = None) -> None:
        """Draw the table; the first call opens the window.

        Raises:
            RuntimeError: no window can be opened.
        """
        if self._window is None:
            from banakil_env.render.window import Window  # here, because it needs the extra

            self._window = Window(game.title)
        self._window.show(as_svg(game, state, seat, size=FRAME))

    def close(self) -> None:
        """Close the window if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), ()
