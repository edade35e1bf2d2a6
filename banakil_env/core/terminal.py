"""Makes text of other people safe to print: characters that a terminal would obey become escapes.

Names of files and players, metadata, records and messages of errors can hold anything. A control character can clear
the screen, change its colours or write into the clipboard, and a mark of direction can turn a line around. Commands
print such text by `say` and end by `leave`.
"""

from __future__ import annotations

import sys
from typing import Any, NoReturn


def escaped(text: object) -> str:
    r"""A text in which all but printable characters, ends of lines and tabs are escapes, such as `\x1b` or `\u202e`."""
    return _escaped(str(text), "\n\t")


def in_line(text: object) -> str:
    r"""The same as `escaped`, with `\n` and `\t` as escapes too: a name cannot be mistaken for a separate line."""
    return _escaped(str(text), "")


def _escaped(text: str, kept: str) -> str:
    if text.isprintable():
        return text
    return "".join(
        one if one.isprintable() or one in kept else one.encode("unicode_escape").decode("ascii") for one in text
    )


def say(text: object, to: Any = None, *, end: str = "\n", flush: bool = False) -> None:
    """Print a text, escaped.

    Args:
        to: a stream; or a console of `rich`, which neither wraps nor marks up the text; None: standard output.
    """
    if to is None or hasattr(to, "write"):
        print(escaped(text), end=end, file=to, flush=flush)
    else:
        to.print(escaped(text), end=end, markup=False, highlight=False, soft_wrap=True)


def complain(text: object) -> None:
    """Print an error, escaped, to the standard error stream."""
    say(text, sys.stderr, flush=True)


def leave(text: object) -> NoReturn:
    """End the command with exit status 1 and an error, escaped."""
    sys.exit(escaped(text))
