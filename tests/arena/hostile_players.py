"""Players that try to hold up the arena, for its tests; in a module of their own so that other processes load them."""

from __future__ import annotations

import gc
import json
import os
import signal
import socket
import struct
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from leaping_clock import note_attack


def _pipe() -> socket.socket:
    """The socket through which this process is asked."""
    return next(each for each in gc.get_objects() if isinstance(each, socket.socket))


def _frame(message: bytes) -> bytes:
    return struct.pack(">Q", len(message)) + message


def _for_ever() -> None:
    while True:
        time.sleep(3600)


def _deaf() -> None:
    """Take no notice of any signal that can be ignored."""
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGALRM):
        signal.signal(number, signal.SIG_IGN)


def closes_and_sleeps() -> None:
    _deaf()
    os.closerange(0, 256)
    _for_ever()


def half_a_frame() -> None:
    _pipe().sendall(_frame(b'{"actions": [1, 2')[:-4])
    _deaf()
    _for_ever()


def half_a_length() -> None:
    _pipe().sendall(b"\0\0\0")
    _deaf()
    _for_ever()


def other_numbers() -> None:
    """Well-formed answers to another question, without end."""
    _deaf()
    answer, pipe = _frame(json.dumps({"process": os.getpid(), "number": 10**6, "actions": [0]}).encode()), _pipe()
    while True:
        pipe.sendall(answer)
        time.sleep(0.001)


def drips() -> None:
    """An answer, byte by byte, too slowly ever to be whole."""
    _deaf()
    pipe = _pipe()
    for byte in _frame(b" " * 10_000):
        pipe.sendall(bytes([byte]))
        time.sleep(0.05)
    _for_ever()


def stops() -> None:
    os.kill(os.getpid(), signal.SIGSTOP)


def a_gigabyte() -> None:
    _pipe().sendall(struct.pack(">Q", 10**9))
    part = bytes(10**6)
    for _ in range(1000):
        _pipe().sendall(part)
    _for_ever()


def dies_in_an_answer() -> None:
    _pipe().sendall(_frame(b'{"actions": [1]}')[:-4])
    os._exit(7)


def leaves_a_copy() -> None:
    """The process ends, and a copy keeps its files open."""
    if os.fork():
        os._exit(7)
    _deaf()
    _for_ever()


def leaves_a_session() -> None:
    """The process ends; a copy of it in a session of its own keeps its files open, for a while."""
    if os.fork():
        os._exit(7)
    os.setsid()
    time.sleep(10)
    os._exit(0)


def copies_itself() -> None:
    for _ in range(20):
        if not os.fork():
            break
    _deaf()
    _for_ever()


def is_deaf() -> None:
    _deaf()
    _for_ever()


def odd_texts() -> None:
    """A failure in words that no file can hold, or that a terminal would obey."""
    odd = "\ud800\x1b[2J\u202e"
    number = json.dumps({"process": os.getpid(), "number": 1, "reason": odd, "file": odd, "line": 10**30})
    _pipe().sendall(_frame(number.encode()))
    _for_ever()


ATTACKS: dict[str, Callable[[], None]] = {
    attack.__name__: attack
    for attack in (
        closes_and_sleeps, half_a_frame, half_a_length, other_numbers, drips, stops, a_gigabyte, dies_in_an_answer,
        leaves_a_copy, leaves_a_session, copies_itself, is_deaf, odd_texts,
    )
}  # fmt: skip


class Once:
    """The first legal action; but at its first decision of all it attacks, once for each `place`.

    Args:
        attack: a key of ATTACKS. place: a folder, in which it notes the numbers of its processes.
    """

    def __init__(self, attack: str, place: Path) -> None:
        self.name, self._place = attack, place

    def act(self, observations, masks, dice):
        note = self._place / "attacked"
        if not note.exists():
            note.write_text(str(os.getpid()))
            note_attack(self._place / "attacks")
            ATTACKS[self.name]()
        return np.argmax(masks, 1)


class TellsProcess:
    """The first legal action; it notes the number of its process.

    Args:
        place: the folder with the note.
    """

    name = "tells its process"

    def __init__(self, place: Path) -> None:
        self._place = place

    def act(self, observations, masks, dice):
        (self._place / "process").write_text(str(os.getpid()))
        return np.argmax(masks, 1)


class NeverLoads:
    """A player that is never ready."""

    name = "never loads"

    def __init__(self, place: Path) -> None:
        self._place = place

    def prepare(self):
        if (self._place / "loads").exists():
            _for_ever()
        (self._place / "loads").touch()

    def act(self, observations, masks, dice):
        os._exit(3)
