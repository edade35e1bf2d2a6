"""Calls a player once, with a time limit, and turns every error into a `PlayerFailed`.

A player is code of other people. It can raise anything, hang, fork, or return something that is not an action. None
of these may stop the match or change its other results: the player loses the tables of that call.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sysconfig
import threading
import traceback
from collections.abc import Callable, Iterator
from types import FrameType
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.arena.protocol import Player
from banakil_env.core import failures

LONGEST_REASON = 400  # characters
_LIBRARIES = tuple(sysconfig.get_path(name) for name in ("stdlib", "purelib", "platlib"))


class PlayerFailed(RuntimeError):
    """A player raised an error, was late, or returned something that is not an action.

    Attributes:
        reason: what went wrong, in one or a few lines.
        file: the file of the player's code where it failed; None if unknown.
        line: the line in that file; None if unknown.
        kind: one of `core.failures.KINDS`.
    """

    def __init__(
        self, reason: str, file: str | None = None, line: int | None = None, *, kind: str = failures.RAISED
    ) -> None:
        self.reason = printable(reason[:LONGEST_REASON])[:LONGEST_REASON]
        super().__init__(self.reason)
        self.file, self.line, self.kind = None if file is None else printable(file), line, kind

    def stops(self, player: Any) -> bool:
        """Whether the match stops at this failure instead of counting it against the player.

        It stops if the player talks (see `talks`) and gave no reply, since its decision is then unknown.

        Args:
            player: the object that was passed to the match. This object says whether the player talks. Messages of the
                player's process have no influence on it.
        """
        return talks(player) and self.kind not in failures.REPLIES


class MatchStopped(RuntimeError):
    """A match stopped because a player that talks gave no reply. No table counts as lost.

    Attributes:
        kind: one of `core.failures.KINDS`.
        results: the results of the deals that were played before; None if unknown.
    """

    def __init__(self, text: str, kind: str) -> None:
        super().__init__(text, kind)
        self.text, self.kind = text, kind
        self.results: Any = None

    def __str__(self) -> str:
        return self.text


def talks(player: Any) -> bool:
    """Whether a player has its own time limits and can stop a match; see `protocol.Player`."""
    return getattr(player, "seconds_a_decision", None) is not None


class _OutOfTime(BaseException):
    """Raised by the alarm inside a player's code; `except Exception` there does not catch it."""


def ask(
    player: Player,
    observations: npt.NDArray[np.uint8],
    masks: npt.NDArray[np.int8],
    dice: npt.NDArray[np.uint64],
    allowed: float | None,
) -> npt.NDArray[np.int64]:
    """Call a player for some rows and return its actions; see `Player.act`.

    Args:
        allowed: seconds after which Python code is interrupted, on systems with alarms; None for no limit.

    Raises:
        PlayerFailed: the player failed.
        KeyboardInterrupt: the user pressed Ctrl-C, even if the player caught the interrupt.
    """
    k = len(dice)
    with _users_interrupts() as interrupts:
        try:
            with only_the_original(), _alarm(allowed):
                actions, fault = _as_actions(player.act(observations, masks, dice), k)
        except _OutOfTime as error:
            raise PlayerFailed(late(allowed, k), *place_of(error), kind=failures.DEADLINE) from None
        except BaseException as error:
            if interrupts:
                raise KeyboardInterrupt from None
            if isinstance(error, PlayerFailed):  # it already has its reason
                raise
            raise PlayerFailed(f"raised {said(error)}", *place_of(error)) from error
    if interrupts:  # the user pressed Ctrl-C, and the player swallowed the interrupt
        raise KeyboardInterrupt
    if actions is None:
        raise PlayerFailed(fault, kind=failures.MALFORMED)
    return actions


def prepare(player: Player) -> None:
    """Call the method `prepare` of a player, if it has one, to compile or load.

    Raises PlayerFailed if the call fails.
    """
    try:
        with only_the_original():
            getattr(player, "prepare", lambda: None)()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise PlayerFailed(f"{player.name} could not be prepared: it raised {said(error)}", *place_of(error)) from error


def late(allowed: float | None, k: int) -> str:
    """The failure text for a player that exceeded its time limit for `k` tables."""
    tables = "" if k == 1 else f" for {k} tables"
    return f"took longer than its budget of {allowed:g} s{tables}"


def said(error: BaseException) -> str:
    """An error of a player as text: its class, and its message if the error can produce one."""
    try:
        return printable(f"{type(error).__name__}: {error}"[:LONGEST_REASON])
    except BaseException as another:
        return f"{type(error).__name__}, whose text cannot be had: that raises {type(another).__name__}"


def printable(text: str) -> str:
    """The text with escapes for characters that no file can hold or that control a terminal.

    These are halves of surrogate pairs, control characters and direction characters. Line ends and tabs stay.
    """
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() or one in "\n\t" else one.encode("unicode_escape").decode() for one in text)


@contextlib.contextmanager
def only_the_original() -> Iterator[None]:
    """End every copy of this process that a player forks inside the block; a copy would play the same tables again."""
    process = os.getpid()
    try:
        yield
    finally:
        if os.getpid() != process:
            os._exit(0)


def _as_actions(answer: Any, k: int) -> tuple[npt.NDArray[np.int64] | None, str]:
    """Convert the answer of a player to k action indices.

    Returns:
        The actions, int64 (k,), and ""; or None and a description of the invalid answer.
    """
    try:
        actions = np.asarray(answer)
    except Exception as error:
        return None, f"answered something that is not an array: {said(error)}"
    if actions.shape != (k,) or actions.dtype.kind not in "iu":
        return None, (
            f"answered {answer!r:.80}, an array of {actions.dtype} of shape {actions.shape}; "
            f"expected were {k} whole numbers, of shape ({k},)"
        )
    if actions.dtype == np.uint64:  # a number beyond int64 is invalid anyway
        actions = np.minimum(actions, np.uint64(2**62))
    return actions.astype(np.int64), ""


def place_of(error: BaseException) -> tuple[str | None, int | None]:
    """The file and line of an error: the innermost place outside libraries and the arena; (None, None) if unknown."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename != __file__]
    outside = [frame for frame in own if not frame.filename.startswith(("<frozen", *_LIBRARIES))]
    for frame in reversed(outside or own):
        return frame.filename, frame.lineno
    return None, None


def _in_main_thread() -> bool:
    """Whether this thread receives signals and can handle them."""
    return threading.current_thread() is threading.main_thread()


@contextlib.contextmanager
def _users_interrupts() -> Iterator[list[int]]:
    """Collect the user's interrupts (Ctrl-C), since a player can swallow them or raise a KeyboardInterrupt itself."""
    interrupts: list[int] = []
    before = signal.getsignal(signal.SIGINT)
    if not callable(before) or not _in_main_thread():
        yield interrupts
        return

    def ring(number: int, frame: FrameType | None) -> None:
        try:
            before(number, frame)
        except KeyboardInterrupt:
            interrupts.append(number)
            raise

    signal.signal(signal.SIGINT, ring)
    try:
        yield interrupts
    finally:
        signal.signal(signal.SIGINT, before)


@contextlib.contextmanager
def _alarm(seconds: float | None) -> Iterator[None]:
    """Interrupt Python code that runs longer than `seconds`.

    On systems without alarms, lateness is found afterwards.
    """
    if seconds is None or not hasattr(signal, "setitimer") or not _in_main_thread():
        yield
        return

    def ring(number: int, frame: FrameType | None) -> None:
        raise _OutOfTime

    before: Callable[..., Any] | int | None = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
