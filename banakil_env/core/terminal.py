"""Makes texts from other people safe to print: escapes the characters that control a terminal.

Names of files and players, metadata, records and error messages can contain any character. A control character can
clear the screen, change its colors or write to the clipboard, and a direction mark can reverse a line. Commands print
such texts with `say` and exit with `leave`.
"""

from __future__ import annotations

import sys
from typing import Any, NoReturn


def escaped(text: object) -> str:
    r"""The text with every character escaped that is neither printable nor a newline or tab, as `\x1b` or `\u202e`."""
    return _escaped(str(text), "\n\t")


def in_line(text: object) -> str:
    r"""Like `escaped`, with `\n` and `\t` escaped too, so that a name cannot look like a separate line."""
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
        text: the text.
        to: a stream, or a `rich` console (used without wrapping or markup); None: standard output.
        end: text to add at the end.
        flush: whether to flush the stream.
    """
    if to is None or hasattr(to, "write"):
        print(escaped(text), end=end, file=to, flush=flush)
    else:
        to.print(escaped(text), end=end, markup=False, highlight=False, soft_wrap=True)


def complain(text: object) -> None:
    """Print an error message, escaped, to the standard error stream."""
    say(text, sys.stderr, flush=True)


def leave(text: object) -> NoReturn:
    """Exit with status 1 and an error message, escaped."""
    sys.exit(escaped(text))
