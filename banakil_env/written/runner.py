"""The process in which a program runs: it receives the program's text, then answers questions.

This file is started by its path, in an interpreter that has only the standard library, so it imports nothing of this
package. The file with the code of the channel is an argument.

    python -s -S -P -B runner.py SOCKET CHANNEL_FILE MEMORY
"""

from __future__ import annotations

import base64
import contextlib
import ctypes
import errno
import importlib.util
import json
import os
import socket
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from typing import Any

LONGEST_REASON = 300  # characters
PACKAGES = ("site-packages", "dist-packages")  # folders of installed packages
MOST_FILES = 64  # files that can be open at the same time
FAILED = 3  # exit status of a process that could not be isolated

_SET_NO_NEW_PRIVS, _SET_SECCOMP, _FILTER = 38, 22, 2  # arguments of prctl


def main() -> None:
    """Answer questions until the socket is closed."""
    own = socket.socket(fileno=int(sys.argv[1]))
    channel = _loaded(sys.argv[2])
    luggage = json.loads(channel.receive_message(own))
    _limit(int(sys.argv[3]))
    if luggage["isolation"] is not None:
        try:
            _isolate(luggage["isolation"])
        except Exception as error:
            sys.stderr.write(f"{error}\n")  # `program.py` prints this text, with escapes
            sys.stderr.flush()
            os._exit(FAILED)
    found: dict[str, Any] = {"__name__": "program", "__builtins__": __builtins__}

    def answer(number: int, work: Any) -> None:
        channel.send_message(own, _answered(number, work, luggage["name"]))

    def load() -> None:
        exec(compile(luggage["source"], luggage["name"], "exec"), found)
        if missing := [name for name in luggage["functions"] if not callable(found.get(name))]:
            raise NameError(f"the program has no function {', '.join(missing)}")

    answer(0, load)
    while True:
        try:
            question = json.loads(channel.receive_message(own))
        except (EOFError, OSError):
            return
        answer(question["number"], lambda asked=question: found[asked["function"]](*asked["arguments"]))


def _answered(number: int, work: Any, name: str) -> bytes:
    """The reply to a call as JSON: its result or its error, and the packages that are loaded."""
    try:
        result = work()
        return json.dumps({"number": number, "imported": _imported(), "result": result}).encode()
    except BaseException as error:  # a program can raise any exception
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == name]
        where = f" in line {lines[-1]}" if lines else ""
        text = "whose text cannot be had"
        with contextlib.suppress(BaseException):
            text = str(error)[:LONGEST_REASON]
        why = f"raised {type(error).__name__}{where}: {text}"
        return json.dumps({"number": number, "imported": _imported(), "reason": why}).encode()


def _imported() -> list[str]:
    """The loaded packages that do not belong to the standard library."""
    names = {name.partition(".")[0] for name in list(sys.modules) if isinstance(name, str)}
    return sorted(names - set(sys.stdlib_module_names) - {"__main__"})


def _loaded(path: str) -> Any:
    """Load the module in a file."""
    spec = importlib.util.spec_from_file_location("channel", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _limit(memory: int) -> None:
    """Limit the memory to `memory` bytes, and forbid writing to files. Systems without such limits run without them."""
    with contextlib.suppress(ImportError):
        import resource

        for name, most in (("RLIMIT_AS", memory), ("RLIMIT_FSIZE", 0), ("RLIMIT_CORE", 0)):
            with contextlib.suppress(ValueError, OSError, AttributeError):
                resource.setrlimit(getattr(resource, name), (most, most))


def _isolate(isolation: Mapping[str, Any]) -> None:
    """Give up root, load the filter of system calls, and check both. Raises OSError or RuntimeError if that fails."""
    library = ctypes.CDLL(None, use_errno=True)
    user = isolation["user"]
    if os.getuid() == 0:
        os.setgroups([])
        os.setresgid(user, user, user)
        os.setresuid(user, user, user)
    _forbid_processes()
    content = base64.b64decode(isolation["filter"])
    instructions = ctypes.create_string_buffer(content, len(content))
    program = _Program(len(content) // 8, ctypes.cast(instructions, ctypes.c_void_p))
    for option, value, pointer in ((_SET_NO_NEW_PRIVS, 1, None), (_SET_SECCOMP, _FILTER, ctypes.byref(program))):
        if library.prctl(option, ctypes.c_ulong(value), pointer, ctypes.c_ulong(0), ctypes.c_ulong(0)) != 0:
            number = ctypes.get_errno()
            raise OSError(number, f"prctl({option}): {os.strerror(number)}")
    _check(isolation["absent"])


class _Program(ctypes.Structure):
    """The kernel's struct `sock_fprog`."""

    _fields_ = (("count", ctypes.c_ushort), ("instructions", ctypes.c_void_p))


def _check(absent: Sequence[str]) -> None:
    """Raise RuntimeError if a file in `absent` can be seen, or if a forbidden system call succeeds."""
    if os.getuid() == 0 or os.getgid() == 0:
        raise RuntimeError("the process is still root")
    for path in absent:
        if os.path.exists(path):
            raise RuntimeError(f"{path} can be seen")
    tries: dict[str, Callable[[], object]] = {"socket": socket.socket, "fork": _fork, "open": _create}
    for name, call in tries.items():
        try:
            call()
        except OSError as error:
            if error.errno == errno.EPERM:
                continue
            raise
        raise RuntimeError(f"{name} is not refused")


def _fork() -> None:
    if os.fork() == 0:
        os._exit(0)


def _create() -> None:
    os.close(os.open("/banakil/file", os.O_WRONLY | os.O_CREAT))


def _forbid_processes() -> None:
    import resource

    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
    resource.setrlimit(resource.RLIMIT_NOFILE, (MOST_FILES, MOST_FILES))


if __name__ == "__main__":
    main()
