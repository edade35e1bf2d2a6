"""Calls a player once, with a time limit; whatever goes wrong becomes a `PlayerFailed`.

A player is code of other people. It can raise anything, hang, fork, or answer something that is not an action. None
of that must stop the match or change its results: the player loses the tables of that call.
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
    """A player raised, was late, or gave an answer that is not an action.

    Attributes:
        reason: what went wrong, in a line or a few.
        file, line: the place in the player's code, if it is known.
        kind: one of `core.failures.KINDS`.
    """

    def __init__(
        self, reason: str, file: str | None = None, line: int | None = None, *, kind: str = failures.RAISED
    ) -> None:
        self.reason = printable(reason[:LONGEST_REASON])[:LONGEST_REASON]
        super().__init__(self.reason)
        self.file, self.line, self.kind = None if file is None else printable(file), line, kind

    def stops(self, player: Any) -> bool:
        """Whether a match stops instead of counting this failure: a player that talks has given no reply. The object
        that the match was given decides whether a player talks, not the messages of its process.
        """
        return talks(player) and self.kind not in failures.REPLIES


class MatchStopped(RuntimeError):
    """A match that has stopped because a player that talks gives no reply. No table is counted as lost.

    Attributes:
        kind: one of `core.failures.KINDS`.
        results: those of the deals that were played before; None: unknown.
    """

    def __init__(self, text: str, kind: str) -> None:
        super().__init__(text, kind)
        self.text, self.kind = text, kind
        self.results: Any = None

    def __str__(self) -> str:
        return self.text


def talks(player: Any) -> bool:
    """Whether a player has its own limits, and can stop a match; see `protocol.Player`."""
    return getattr(player, "seconds_a_decision", None) is not None


class _OutOfTime(BaseException):
    """Raised by the alarm inside a player's own code, past its `except Exception`."""


def ask(
    player: Player,
    observations: npt.NDArray[np.uint8],
    masks: npt.NDArray[np.int8],
    dice: npt.NDArray[np.uint64],
    allowed: float | None,
) -> npt.NDArray[np.int64]:
    """The actions of a player in some rows; see `Player.act`.

    Args:
        allowed: seconds after which Python code is interrupted, where the system has alarms; None: any time.

    Raises:
        PlayerFailed: the player failed. KeyboardInterrupt: the user has pressed Ctrl-C, even if the player caught it.
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
            if isinstance(error, PlayerFailed):  # which says so itself
                raise
            raise PlayerFailed(f"raised {said(error)}", *place_of(error)) from error
    if interrupts:  # and the player went on as if nothing had happened
        raise KeyboardInterrupt
    if actions is None:
        raise PlayerFailed(fault, kind=failures.MALFORMED)
    return actions


def prepare(player: Player) -> None:
    """Let a player compile or load in advance, if it has a method `prepare`. PlayerFailed: it failed."""
    try:
        with only_the_original():
            getattr(player, "prepare", lambda: None)()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        raise PlayerFailed(f"{player.name} could not be prepared: it raised {said(error)}", *place_of(error)) from error


def late(allowed: float | None, k: int) -> str:
    """The failure text for a player that exceeded its time for `k` tables."""
    tables = "" if k == 1 else f" for {k} tables"
    return f"took longer than its budget of {allowed:g} s{tables}"


def said(error: BaseException) -> str:
    """An error of a player in words: its class, and its text if that can be had."""
    try:
        return printable(f"{type(error).__name__}: {error}"[:LONGEST_REASON])
    except BaseException as another:
        return f"{type(error).__name__}, whose text cannot be had: that raises {type(another).__name__}"


def printable(text: str) -> str:
    """The text with escapes for characters that no file can hold or that control a terminal: half a surrogate pair,
    control characters and direction characters. Ends of lines and tabs stay.
    """
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() or one in "\n\t" else one.encode("unicode_escape").decode() for one in text)


@contextlib.contextmanager
def only_the_original() -> Iterator[None]:
    """End every copy of this process that a player makes inside the block by a fork: a copy would play the same tables
    again.
    """
    process = os.getpid()
    try:
        yield
    finally:
        if os.getpid() != process:
            os._exit(0)


def _as_actions(answer: Any, k: int) -> tuple[npt.NDArray[np.int64] | None, str]:
    """The answer as k whole numbers; or None, and what it is instead."""
    try:
        actions = np.asarray(answer)
    except Exception as error:
        return None, f"answered something that is not an array: {said(error)}"
    if actions.shape != (k,) or actions.dtype.kind not in "iu":
        return None, (
            f"answered {answer!r:.80}, an array of {actions.dtype} of shape {actions.shape}; "
            f"expected were {k} whole numbers, of shape ({k},)"
        )
    if actions.dtype == np.uint64:  # one beyond int64 is not an action either way
        actions = np.minimum(actions, np.uint64(2**62))
    return actions.astype(np.int64), ""


def place_of(error: BaseException) -> tuple[str | None, int | None]:
    """The file and line of an error: the innermost place outside libraries and the arena."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [frame for frame in frames if frame.filename != __file__]
    outside = [frame for frame in own if not frame.filename.startswith(("<frozen", *_LIBRARIES))]
    for frame in reversed(outside or own):
        return frame.filename, frame.lineno
    return None, None


def _in_main_thread() -> bool:
    """Whether signals come here, and can be handled here."""
    return threading.current_thread() is threading.main_thread()


@contextlib.contextmanager
def _users_interrupts() -> Iterator[list[int]]:
    """Collects the user's interrupts: a player can swallow them, or raise a KeyboardInterrupt itself."""
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
    """Interrupt Python code that runs longer than this; where the system has no alarm, it is found late afterwards."""
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
