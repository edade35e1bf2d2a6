"""A window that shows a table and is redrawn after every move, with Tk: `render_mode="human"`."""

from __future__ import annotations

import base64
from typing import Any

from banakil_env.render.png import png


class Window:
    """A window on the screen, opened with the first picture. After the person closes it, it does not open again.

    Raises RuntimeError if this Python has no Tk, or there is no screen.
    """

    def __init__(self, title: str) -> None:
        self._title = title
        self._root: Any = None
        self._label: Any = None
        self._shown: Any = None  # the picture, which Tk itself does not keep alive
        self._closed = False

    def show(self, svg: str) -> None:
        """Show a drawing in place of the last one."""
        if self._closed:
            return
        if self._root is None:
            self._open()
        import tkinter

        try:
            self._shown = tkinter.PhotoImage(master=self._root, data=base64.b64encode(png(svg)))
            self._label.configure(image=self._shown)
            self._root.update()
        except tkinter.TclError:  # the person has closed the window
            self._closed = True

    def close(self) -> None:
        """Close the window."""
        if self._root is not None and not self._closed:
            self._root.destroy()
        self._closed = True

    def _open(self) -> None:
        try:
            import tkinter
        except ImportError as error:
            raise RuntimeError(f"{WHY}: this Python has no Tk (the system's package python3-tk)") from error
        try:
            self._root = tkinter.Tk()
        except tkinter.TclError as error:
            raise RuntimeError(f"{WHY}: {error}") from error
        self._root.title(self._title)
        self._root.protocol("WM_DELETE_WINDOW", self.close)
        self._label = tkinter.Label(self._root, borderwidth=0)
        self._label.pack()


WHY = 'render_mode="human" needs a window, and none can be opened; "rgb_array", "svg" and "ansi" need none'
