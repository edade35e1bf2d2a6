"""Calls an untrusted program: in its own process, with a deadline for each call and little memory.

The process has the standard library of Python and no other module. It cannot open files except those of that library,
cannot open sockets and cannot start processes (`written.runner`). It receives positions and moves, never the engine's
results. Its answers are read as JSON. If a call takes too long or the process dies, that answer counts as failed and
the process is started again. The guard uses Python's audit hooks: it stops code written in Python, but not an attack on
the interpreter itself.
"""

from __future__ import annotations

import contextlib
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
from banakil_env.written import runner as runner_module
from banakil_env.written.contract import FUNCTIONS

SECONDS = 2.0  # for a call
LOADING = 20.0  # seconds for running the file and for `setup`
MEMORY = 1 << 30  # bytes
LONGEST_ANSWER = 1 << 20  # bytes
LONGEST_SOURCE = 1 << 20  # characters
MOST_STARTS = 50  # of the process; a program that ends it more often is not called again
GRACE = 5.0  # seconds until a killed process has ended


class ProgramFailed(Exception):
    """A program gave no answer, or one of the wrong kind; the text gives the reason."""


class _Process:
    """A process, as `arena.channel` uses it."""

    def __init__(self, popen: subprocess.Popen[bytes]) -> None:
        self._popen, self.pid = popen, popen.pid

    def is_alive(self) -> bool:
        return self._popen.poll() is None


class Program:
    """A program in its own process; a context manager, which ends the process.

    Args:
        file: the Python file. table: the argument of `setup`.
        seconds: for a call. memory: bytes.
        guarded: False: an ordinary process with all installed modules, for your own programs.

    Attributes:
        name: of the file. identity: with the digest of its content.

    Raises:
        OSError: the file cannot be read. ValueError: it is not a text, or too long.
    """

    def __init__(
        self,
        file: Path | str,
        table: Mapping[str, Any],
        *,
        seconds: float = SECONDS,
        memory: int = MEMORY,
        guarded: bool = True,
    ) -> None:
        path = Path(file)
        with open(path, encoding="utf-8") as text:
            self._source = text.read(LONGEST_SOURCE + 1)
        if len(self._source) > LONGEST_SOURCE:
            raise ValueError(f"{path} has more than {LONGEST_SOURCE} characters")
        self.name = path.name
        self.identity = Identity(path.name, {"file": digest_of_file(path)})
        self._table, self._seconds, self._memory, self._guarded = dict(table), seconds, memory, guarded
        self._channel: Channel | None = None
        self._popen: subprocess.Popen[bytes] | None = None
        self._starts = self._number = 0
        self._broken = ""  # the reason why it is not started again

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *error: object) -> None:
        self.end()

    def ask(self, function: str, *arguments: str) -> Any:
        """The answer of a function of the program. ProgramFailed: no answer, or one of the wrong kind."""
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
        with contextlib.suppress(OSError):
            os.killpg(self._popen.pid, signal.SIGKILL)
        self._popen.kill()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._popen.wait(GRACE)

    # Inside ----------------------------------------------------------------------------------------------------------

    def _start(self) -> None:
        """Start the process and set it up. ProgramFailed: the program cannot be loaded."""
        if self._broken:
            raise ProgramFailed(self._broken)
        if self._starts == MOST_STARTS:
            raise ProgramFailed(f"its process had to be started {MOST_STARTS} times: it is not called again")
        self._starts += 1
        own, theirs = socket.socketpair()
        bare = ["-s", "-S", "-P", "-B"] if self._guarded else []
        said = [
            str(theirs.fileno()),
            channel_module.__file__,
            str(self._memory),
            "guarded" if self._guarded else "open",
        ]
        environment = {"PYTHONHASHSEED": "0"} if self._guarded else os.environ | {"PYTHONHASHSEED": "0"}
        self._popen = subprocess.Popen(
            [sys.executable, *bare, "-X", "utf8", runner_module.__file__, *said],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment,
            pass_fds=(theirs.fileno(),),
            start_new_session=True,
        )
        theirs.close()
        self._channel = Channel(own, _Process(self._popen))
        self._number = 0
        luggage = {"name": self.name, "source": self._source, "functions": list(FUNCTIONS)}
        try:
            self._exchange(luggage, LOADING)
            self._asked("setup", (self._table,), LOADING)
        except ProgramFailed as failure:
            self.end()
            self._broken = f"cannot be loaded: {failure}"
            raise ProgramFailed(self._broken) from None

    def _asked(self, function: str, arguments: tuple[Any, ...], seconds: float) -> Any:
        self._number += 1
        return self._exchange({"number": self._number, "function": function, "arguments": arguments}, seconds)

    def _exchange(self, message: Any, seconds: float) -> Any:
        """Send a message; returns the answer. ProgramFailed: there is no answer, or the answer is an error."""
        assert self._channel is not None
        due = time.monotonic() + seconds
        try:
            self._channel.send(json.dumps(message).encode(), due)
            answer = json.loads(self._channel.receive(LONGEST_ANSWER, due))
            if not isinstance(answer, dict) or answer.get("number") != self._number:
                raise ValueError("that is no answer to the question")
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
        if "reason" in answer:
            raise ProgramFailed(printable(str(answer["reason"])[:400]))
        return answer.get("result")
