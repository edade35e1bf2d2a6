"""Messages over a socket to a process that is not trusted: whole messages, each with a deadline.

A message is its length in eight bytes, followed by its bytes. The arena's side of the socket never blocks. A process
that stops reading, sends half a message, sends without end or leaves the socket open in a copy of itself therefore
costs the arena no more time than the deadline allows.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import socket
import struct
import time
from typing import Any

LOOK = 0.25  # seconds between two checks of whether the process is alive
_LENGTH = struct.Struct(">Q")
_PART = 1 << 16  # bytes


class Late(Exception):
    """The deadline has passed."""


class Closed(Exception):
    """The other side has closed the socket, or its process has died."""


class TooLong(ValueError):
    """A message is longer than allowed."""


class Channel:
    """The arena's side of a socket.

    Args:
        own: the socket; it is closed with the channel.
        process: the process at the other side, a `multiprocessing.Process`.
    """

    def __init__(self, own: socket.socket, process: Any) -> None:
        self._socket, self._process = own, process
        self._received = bytearray()
        own.setblocking(False)
        self._ready = selectors.DefaultSelector()
        self._ready.register(own, selectors.EVENT_READ)

    def send(self, message: bytes, due: float | None) -> None:
        """Send a message.

        Args:
            message: the bytes of the message.
            due: the deadline by `time.monotonic`; None for no deadline.

        Raises:
            Late: the other side has not read the whole message before the deadline.
            Closed: the other side is closed.
        """
        rest = memoryview(_LENGTH.pack(len(message)) + message)
        while rest:
            try:
                rest = rest[self._socket.send(rest) :]
            except BlockingIOError:
                self._wait(selectors.EVENT_WRITE, due)
            except OSError as error:
                raise Closed from error

    def receive(self, most: int, due: float | None) -> bytes:
        """Wait for the next message and return it.

        Args:
            most: the largest allowed size in bytes.
            due: the deadline by `time.monotonic`; None for no deadline.

        Raises:
            Late: the whole message has not arrived before the deadline.
            Closed: the other side is closed.
            TooLong: the message is longer than `most`.
        """
        _check(due)
        while (message := self._whole(most)) is None:
            _check(due)
            try:
                part = self._socket.recv(_PART)
            except BlockingIOError:
                self._wait(selectors.EVENT_READ, due)
                continue
            except OSError as error:
                raise Closed from error
            if not part:
                raise Closed
            self._received += part
        return message

    def close(self) -> None:
        """Close the socket. Further calls do nothing."""
        with contextlib.suppress(KeyError, RuntimeError):
            self._ready.unregister(self._socket)
        self._ready.close()
        self._socket.close()

    def _whole(self, most: int) -> bytes | None:
        """Remove the first received message and return it; None if it is not complete yet.

        Raises TooLong if the message is longer than `most` bytes.
        """
        if len(self._received) < _LENGTH.size:
            return None
        (length,) = _LENGTH.unpack_from(self._received)
        if length > most:
            raise TooLong(f"a message of {length:,} bytes, and at most {most:,} are read")
        end = _LENGTH.size + length
        if len(self._received) < end:
            return None
        message = bytes(self._received[_LENGTH.size : end])
        del self._received[:end]
        return message

    def _wait(self, event: int, due: float | None) -> None:
        """Wait until the socket is ready to be read or written, as `event` says, but at most LOOK seconds.

        Raises Late if the deadline `due` has passed, and Closed if the socket is not ready and the process has ended.
        """
        _check(due)
        self._ready.modify(self._socket, event)
        left = LOOK if due is None else min(LOOK, max(0.0, due - time.monotonic()))
        if not self._ready.select(left) and has_ended(self._process):
            raise Closed


def has_ended(process: Any, seconds: float = 0.0) -> bool:
    """Whether a process has ended, or ends within `seconds`.

    The operating system is queried, since the process can close its `sentinel` file, and copies of the process can keep
    that file open. The process is not joined, so the system does not give its number to another process.
    """
    end = time.monotonic() + seconds
    while not _has_ended(process):
        if time.monotonic() >= end:
            return False
        time.sleep(0.01)
    return True


def join(process: Any, seconds: float) -> None:
    """Join a process that was killed, as soon as it has ended; give up after `seconds`.

    `Process.join` alone waits for the `sentinel` of the process. A copy of the process in another session keeps the
    sentinel open, so every question to such a player would take all these seconds.
    """
    if has_ended(process, seconds) and process.exitcode is not None:  # according to the system, not to the sentinel
        process.join(0)


def _has_ended(process: Any) -> bool:
    if not hasattr(os, "waitid"):
        return not process.is_alive()
    try:
        return os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    except ChildProcessError:  # it has already been joined
        return True


def _check(due: float | None) -> None:
    if due is not None and time.monotonic() > due:
        raise Late


# The other side, which can block -------------------------------------------------------------------------------------


def send_message(own: socket.socket, message: bytes) -> None:
    """Send a message from the player's process. Raises OSError if the arena has closed the socket."""
    own.sendall(_LENGTH.pack(len(message)) + message)


def receive_message(own: socket.socket) -> bytes:
    """The next message of the arena. Raises EOFError or OSError if the arena has closed the socket."""
    (length,) = _LENGTH.unpack(_exactly(own, _LENGTH.size))
    return _exactly(own, length)


def _exactly(own: socket.socket, count: int) -> bytes:
    received = bytearray()
    while len(received) < count:
        part = own.recv(min(_PART, count - len(received)))
        if not part:
            raise EOFError
        received += part
    return bytes(received)
