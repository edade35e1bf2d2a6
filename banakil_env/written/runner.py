"""The process in which a program runs: it receives the program's text, then answers questions.

This file is started by its path, in an interpreter that has only the standard library, so it imports nothing of this
package. The file with the channel is an argument.

    python -s -S -P -B runner.py SOCKET CHANNEL_FILE MEMORY GUARDED
"""

from __future__ import annotations

import contextlib
import importlib.util
import json
import os
import socket
import sys
import traceback
from typing import Any

LONGEST_REASON = 300  # characters

# The events of sys.addaudithook that a program may cause. All others are refused: files, sockets, processes, threads,
# foreign code.
ALLOWED = frozenset(
    (
        *("import", "compile", "exec", "marshal.load", "marshal.loads", "code.__new__", "function.__new__"),
        *("object.__getattr__", "object.__setattr__", "object.__delattr__", "builtins.id", "array.__new__"),
        *("sys._getframe", "sys._getframemodulename", "sys.unraisablehook", "sys.excepthook", "time.sleep"),
    )
)
READING = ("open", "os.listdir", "os.scandir")  # allowed in the folder of the standard library
_LIBRARY = os.path.dirname(os.path.realpath(os.__file__)) + os.sep
_PACKAGES = ("site-packages", "dist-packages")  # may be installed in that folder


def main() -> None:
    """Answer until the socket is closed."""
    own = socket.socket(fileno=int(sys.argv[1]))
    channel = _loaded(sys.argv[2])
    _limit(int(sys.argv[3]))
    guarded = sys.argv[4] == "guarded"
    luggage = json.loads(channel.receive_message(own))
    found: dict[str, Any] = {"__name__": "program", "__builtins__": __builtins__}

    def answer(number: int, work: Any) -> None:
        channel.send_message(own, _answered(number, work, luggage["name"]))

    def load() -> None:
        exec(compile(luggage["source"], luggage["name"], "exec"), found)
        if missing := [name for name in luggage["functions"] if not callable(found.get(name))]:
            raise NameError(f"the program has no function {', '.join(missing)}")

    if guarded:
        sys.addaudithook(_refuse)
    answer(0, load)
    while True:
        try:
            question = json.loads(channel.receive_message(own))
        except (EOFError, OSError):
            return
        answer(question["number"], lambda asked=question: found[asked["function"]](*asked["arguments"]))


def _answered(number: int, work: Any, name: str) -> bytes:
    """The result of a call, or its error, as JSON."""
    try:
        return json.dumps({"number": number, "result": work()}).encode()
    except BaseException as error:  # a program may raise any exception
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == name]
        where = f" in line {lines[-1]}" if lines else ""
        said = "whose text cannot be had"
        with contextlib.suppress(BaseException):
            said = str(error)[:LONGEST_REASON]
        return json.dumps({"number": number, "reason": f"raised {type(error).__name__}{where}: {said}"}).encode()


def _loaded(path: str) -> Any:
    """The module of a file."""
    spec = importlib.util.spec_from_file_location("channel", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _limit(memory: int) -> None:
    """Limit the memory, in bytes, and forbid files to grow. A system without such limits runs without them."""
    with contextlib.suppress(ImportError):
        import resource

        for name, most in (("RLIMIT_AS", memory), ("RLIMIT_FSIZE", 0), ("RLIMIT_CORE", 0)):
            with contextlib.suppress(ValueError, OSError, AttributeError):
                resource.setrlimit(getattr(resource, name), (most, most))


def _refuse(event: str, arguments: tuple[Any, ...]) -> None:
    """PermissionError: the program must not do this."""
    if event in ALLOWED:
        return
    if event in READING and isinstance(arguments[0], str):
        path = os.path.realpath(arguments[0])
        writes = event == "open" and isinstance(arguments[1], str) and set(arguments[1]) & set("wax+")
        inside = (path + os.sep).startswith(_LIBRARY) and not any(f"{os.sep}{each}" in path for each in _PACKAGES)
        if inside and not writes:
            return
    raise PermissionError(f"a program may not use {event}")


if __name__ == "__main__":
    main()
