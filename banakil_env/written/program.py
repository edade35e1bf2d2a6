"""Calls a program that is not trusted: in an isolated process, with a deadline for each call and a memory limit.

The process sees the standard library of Python and no other file, has no network, and cannot start processes
(`written.isolation`). It receives positions and moves, never the engine's results. Its answers are read as JSON. If a
call takes too long or the process dies, this answer counts as failed and the process is started again. On a machine
that cannot isolate, no program is run unless the caller declares it trusted.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from banakil_env.arena import channel as channel_module
from banakil_env.arena.ask import printable
from banakil_env.arena.channel import Channel, Closed, Late, TooLong
from banakil_env.core.identity import Identity, digest_of_file
from banakil_env.written import isolation
from banakil_env.written import runner as runner_module
from banakil_env.written.contract import FUNCTIONS
from banakil_env.written.isolation import CannotIsolate

SECONDS, MOST_SECONDS = 2.0, 3600.0  # seconds for one call: default, largest value
LOADING = 20.0  # seconds for executing the file and for `setup`
MEMORY = 1 << 30  # bytes
LONGEST_ANSWER = 1 << 20  # bytes
LONGEST_SOURCE = 1 << 20  # characters
MOST_STARTS = 50  # starts of the process; a program that ends its process more often is not called again
GRACE = 5.0  # seconds to wait for a killed process to end
MOST_NAMES = 1000  # imported packages in one answer
ENGINE = "banakil_env"  # if a program has imported this package, its answers do not count


class ProgramFailed(Exception):
    """A program gave no answer, or an answer of the wrong type; the text gives the reason."""


class _Process:
    """A process in the form that `arena.channel` uses."""

    def __init__(self, popen: subprocess.Popen[bytes]) -> None:
        self._popen, self.pid = popen, popen.pid

    def is_alive(self) -> bool:
        return self._popen.poll() is None


class Program:
    """A program in a separate process. It is a context manager, which ends the process.

    Args:
        file: the Python file.
        table: the argument of `setup`.
        seconds: time limit of a call.
        memory: memory limit in bytes.
        trusted: run it in an ordinary process with your rights and all installed modules. Use this only for programs
            that you have read.

    Attributes:
        name: the name of the file.
        identity: the identity, with the digest of the file's content.
        trusted: as in the arguments.
        imported: packages outside the standard library that the process reports as loaded.

    Raises:
        CannotIsolate: this machine cannot isolate a program; nothing was run.
        OSError: the file cannot be read.
        ValueError: the file is not text or is too long, or `seconds` is invalid.
    """

    def __init__(
        self,
        file: Path | str,
        table: Mapping[str, Any],
        *,
        seconds: float = SECONDS,
        memory: int = MEMORY,
        trusted: bool = False,
    ) -> None:
        if not 0 < seconds <= MOST_SECONDS:  # also false for NaN
            raise ValueError(f"seconds for a call must be above 0, and at most {MOST_SECONDS:g}, not {seconds}")
        path = Path(file)
        with open(path, encoding="utf-8") as text:
            self._source = text.read(LONGEST_SOURCE + 1)
        if len(self._source) > LONGEST_SOURCE:
            raise ValueError(f"{path} has more than {LONGEST_SOURCE} characters")
        if not trusted:
            check_isolation()
        self.name, self.trusted = path.name, trusted
        self.imported: set[str] = set()
        self.identity = Identity(path.name, {"file": digest_of_file(path)})
        self._table, self._seconds, self._memory = dict(table), seconds, memory
        self._channel: Channel | None = None
        self._popen: subprocess.Popen[bytes] | None = None
        self._starts = self._number = 0
        self._broken = ""  # why the process is not started again

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *error: object) -> None:
        self.end()

    def ask(self, function: str, *arguments: str) -> Any:
        """Call a function of the program. Raises ProgramFailed if there is no answer or an answer of the wrong type."""
        if self._channel is None:
            self._start()
        answer = self._asked(function, arguments, self._seconds)
        wanted, fits = FUNCTIONS[function]
        if not fits(answer):
            raise ProgramFailed(f"{function} returns {wanted}, not {printable(repr(answer)[:80])}")
        return answer

    def end(self) -> None:
        """Kill the process and all processes of its session."""
        if self._channel is None or self._popen is None:
            return
        self._channel.close()
        self._channel = None
        _kill(self._popen)

    # Inside ----------------------------------------------------------------------------------------------------------

    def _start(self) -> None:
        """Start the process and call `setup`. Raises ProgramFailed if the program cannot be loaded."""
        if self._broken:
            raise ProgramFailed(self._broken)
        if self._starts == MOST_STARTS:
            raise ProgramFailed(f"its process had to be started {MOST_STARTS} times: it is not called again")
        self._starts += 1
        self._channel, self._popen = _started(self._memory, self.trusted)
        self._number = 0
        try:
            self._exchange(_luggage(self.name, self._source, self.trusted), LOADING)
            self._asked("setup", (self._table,), LOADING)
        except ProgramFailed as failure:
            self.end()
            self._broken = f"cannot be loaded: {failure}"
            raise ProgramFailed(self._broken) from None

    def _asked(self, function: str, arguments: tuple[Any, ...], seconds: float) -> Any:
        self._number += 1
        return self._exchange({"number": self._number, "function": function, "arguments": arguments}, seconds)

    def _exchange(self, message: Any, seconds: float) -> Any:
        """Send a message and return the answer.

        Raises ProgramFailed if there is no answer or the answer is an error.
        """
        assert self._channel is not None
        due = time.monotonic() + seconds
        try:
            self._channel.send(json.dumps(message).encode(), due)
            answer = json.loads(self._channel.receive(LONGEST_ANSWER, due))
            if not isinstance(answer, dict) or answer.get("number") != self._number:
                raise ValueError("that is not an answer to the question")
        except Late:
            self.end()
            raise ProgramFailed(f"took longer than {seconds:g} s") from None
        except Closed:
            self.end()
            raise ProgramFailed("brought down its process") from None
        except TooLong as error:
            self.end()
            raise ProgramFailed(f"answered too much: {error}") from None
        except (ValueError, RecursionError) as error:
            self.end()
            raise ProgramFailed(f"wrote something else than answers: {printable(str(error)[:200])}") from None
        imported = answer.get("imported")
        if isinstance(imported, list):
            self.imported.update(str(name)[:80] for name in imported[:MOST_NAMES])
        if ENGINE in self.imported:
            raise ProgramFailed(f"imported {ENGINE}, with which it is compared: its answers do not count")
        if "reason" in answer:
            raise ProgramFailed(printable(str(answer["reason"])[:400]))
        return answer.get("result")


@functools.cache
def check_isolation() -> None:
    """Start an empty program in isolation, once per process. Raises CannotIsolate, with the reason, if that fails."""
    channel, popen = _started(MEMORY, trusted=False, errors=subprocess.PIPE)
    try:
        empty = "".join(f"def {name}(*arguments): pass\n" for name in FUNCTIONS)
        channel.send(json.dumps(_luggage("empty", empty, trusted=False)).encode(), None)
        channel.receive(LONGEST_ANSWER, time.monotonic() + LOADING)
    except (Closed, Late):
        _kill(popen)
        assert popen.stderr is not None
        said = " ".join(popen.stderr.read(2000).decode(errors="replace").split())
        raise CannotIsolate(printable(said) or f"the process does not answer within {LOADING:g} s") from None
    finally:
        channel.close()
        _kill(popen)
        popen.communicate()


def _luggage(name: str, source: str, trusted: bool) -> dict[str, Any]:
    """The first message to the process: the program and what the runner needs."""
    isolated = None if trusted else isolation.luggage()
    return {"name": name, "source": source, "functions": list(FUNCTIONS), "isolation": isolated}


def _started(memory: int, trusted: bool, errors: int = subprocess.DEVNULL) -> tuple[Channel, subprocess.Popen[bytes]]:
    """Start a process that waits for its first message. Raises CannotIsolate if a layer of isolation is missing."""
    own, theirs = socket.socketpair()
    try:
        words = [str(theirs.fileno()), str(memory)]
        ordinary = [sys.executable, "-X", "utf8", runner_module.__file__, words[0], channel_module.__file__, words[1]]
        popen = subprocess.Popen(
            ordinary if trusted else isolation.command(words),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
            env=os.environ | {"PYTHONHASHSEED": "0"},
            pass_fds=(theirs.fileno(),),
            start_new_session=True,
        )
    except BaseException:
        own.close()
        raise
    finally:
        theirs.close()
    return Channel(own, _Process(popen)), popen


def _kill(popen: subprocess.Popen[bytes]) -> None:
    """Kill a process and all processes of its session."""
    with contextlib.suppress(OSError):
        os.killpg(popen.pid, signal.SIGKILL)
    popen.kill()
    with contextlib.suppress(subprocess.TimeoutExpired):
        popen.wait(GRACE)
