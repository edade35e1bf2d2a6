"""How does a player play in a process of its own? Behind a pipe, through which it gets what `Player.act` gets.

No state, no seed, no name of another player and no other table is ever in that process. Its answers are read as JSON,
so that nothing it sends is carried out here. When it dies or cannot be interrupted, it loses the tables it was asked
about and is started again.
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import pickle
import signal
import sys
import time
from collections.abc import Iterable
from multiprocessing.connection import Connection
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.arena.ask import PlayerFailed, as_text, ask, only_the_original, prepare, said
from banakil_env.arena.players import CompiledPlayer, Player

LOOK = 0.25  # seconds between two looks at whether the process is alive
GRACE = 5.0  # seconds beyond the budget before the process is ended; within them its own alarm rings
LONGEST_ANSWER = 2**20  # bytes

PROCESS = "banakil-arena"  # the name of every process that the arena starts
NO_GUARD = 91  # the exit status of one that found a program which starts a match when it is imported
CLOSED = 92  # the exit status of one that cannot answer any more


class WorkerError(RuntimeError):
    """A process of the arena failed, not a player."""


class PlayerApart:
    """A player in a process of its own.

    Args:
        name: its name.
        luggage: the player, pickled.
    """

    def __init__(self, name: str, luggage: bytes) -> None:
        self.name, self._luggage = name, luggage
        self._process: Any = None
        self._number = 0  # of the last question

    def prepare(self) -> None:
        """Start the process, if it never was. WorkerError: the player cannot be loaded there."""
        if self._process is None:
            try:
                self._start()
            except PlayerFailed as failure:
                self.end()
                raise WorkerError(
                    f"the player {self.name} cannot be loaded in a process of its own: {failure}"
                ) from None

    def restart(self) -> None:
        """Start the process again if it was ended, before the clock runs. PlayerFailed: the player cannot be loaded."""
        if not self._process.is_alive():
            self._start()

    def ask(
        self,
        observations: npt.NDArray[np.uint8],
        masks: npt.NDArray[np.int8],
        dice: npt.NDArray[np.uint64],
        allowed: float | None,
    ) -> npt.NDArray[np.int64]:
        """See `ask.ask`."""
        self._number += 1
        try:
            self._pipe.send((self._number, observations, masks, dice, allowed))
        except OSError:
            raise self._gone() from None
        reply = self._receive(None if allowed is None else time.monotonic() + allowed + GRACE)
        actions = np.array(reply["actions"], np.int64)
        if actions.shape != dice.shape:
            raise PlayerFailed(f"answered {actions.size} actions for {dice.size} tables")
        return actions

    def end(self) -> None:
        """End the process, whatever it is doing."""
        if self._process is not None:
            self._pipe.close()
            self._process.kill()
            self._process.join()

    def _start(self) -> None:
        """Start the process. PlayerFailed: the player cannot be loaded there."""
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_live, args=(theirs,), name=PROCESS, daemon=True)
        self._process.start()
        theirs.close()
        with contextlib.suppress(OSError):  # it has died, which `_receive` tells
            self._pipe.send_bytes(self._luggage)
        self._number = 0
        self._receive(None)

    def _receive(self, due: float | None) -> dict[str, Any]:
        """The reply to the last question. PlayerFailed: there is none, or it says that the player failed."""
        while True:
            try:
                text = self._pipe.recv_bytes(LONGEST_ANSWER) if self._pipe.poll(LOOK) else None
            except (OSError, EOFError):
                raise self._gone() from None
            if text is not None:
                reply = self._read(text)
                if (reply["process"], reply["number"]) != (self._process.pid, self._number):
                    continue  # of a copy of the player
                if "reason" in reply:
                    raise PlayerFailed(reply["reason"], reply["file"], reply["line"])
                return reply
            if not self._process.is_alive():
                raise self._gone()
            if due is not None and time.monotonic() > due:
                self.end()
                raise PlayerFailed("did not answer in time and could not be interrupted: its process was ended")

    def _read(self, text: bytes) -> dict[str, Any]:
        try:
            return _checked(json.loads(text))
        except Exception as error:
            self.end()
            raise PlayerFailed(f"wrote something else than answers into its pipe: {said(error)}") from None

    def _gone(self) -> PlayerFailed:
        """What is said of a player whose process, or its end of the pipe, is no more."""
        self._process.join(GRACE)
        code = self._process.exitcode
        self.end()
        if code == NO_GUARD:
            raise no_guard() from None
        if code in (None, CLOSED):
            return PlayerFailed("closed the files of its process")
        return PlayerFailed(f"brought down its process (exit code {code})")

    def __reduce__(self) -> tuple[Any, ...]:
        """Sent to other processes as it was before it was started."""
        return type(self), (self.name, self._luggage)


def set_apart(players: Iterable[Player]) -> list[Player | PlayerApart]:
    """The players, each behind a pipe but the rule-based ones. WorkerError: one cannot be sent to another process."""
    return [player if isinstance(player, CompiledPlayer) else _packed(player) for player in players]


def end_all(players: Iterable[Player | PlayerApart]) -> None:
    """End the processes of the players that have one."""
    for player in players:
        if isinstance(player, PlayerApart):
            player.end()


def no_guard() -> WorkerError:
    """What is said of a program that starts a match when it is imported."""
    return WorkerError(
        "every process of the arena imports your program, which starts the match again: put what it does under "
        "`if __name__ == '__main__':`"
    )


def leave_if_imported() -> None:
    """End this process if it is one of the arena's, importing the program that started it without a main guard."""
    process = multiprocessing.current_process()
    if process.name == PROCESS and getattr(process, "_inheriting", False):
        os._exit(NO_GUARD)


def settle() -> None:
    """What each process of the arena does first."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the one who started it decides
    os.environ["OMP_NUM_THREADS"] = "1"  # of libraries that are loaded from here on: the processes share the cores


def _packed(player: Player) -> PlayerApart:
    try:
        return PlayerApart(player.name, pickle.dumps(player))
    except Exception as error:
        raise WorkerError(
            f"the players cannot be sent to other processes ({said(error)}): name them as module:function, or play in "
            f"this one (in Python processes=1 without isolate, as a command --processes 1 --budget 0)"
        ) from None


def _checked(reply: dict[str, Any]) -> dict[str, Any]:
    """A reply, when its values have the types they should have; else any error. Its writer is not to be trusted."""
    reply = {"process": None, "number": None, "actions": []} | reply
    if "reason" in reply:
        if not isinstance(reply["file"], str | None) or not isinstance(reply["line"], int | None):
            raise ValueError("that is no place in a file")
        reply["reason"] = as_text(reply["reason"])
    elif not all(isinstance(action, int) and abs(action) < 2**63 for action in reply["actions"]):
        raise ValueError("those are no whole numbers")
    return reply


def _live(pipe: Connection) -> None:
    """The life of the process: the player comes, pickled, then rows come and actions go."""
    settle()
    process, number = os.getpid(), 0

    def reply(**values: Any) -> None:
        try:
            pipe.send_bytes(json.dumps({"process": process, "number": number, **values}).encode())
        except OSError:  # the player has closed the pipe, perhaps all other files too
            os._exit(CLOSED)

    def failed(failure: PlayerFailed) -> None:
        reply(reason=failure.reason, file=failure.file, line=failure.line)

    try:
        with only_the_original():
            player = pickle.loads(pipe.recv_bytes())
            prepare(player)
            if "torch" in sys.modules:  # perhaps it was loaded before
                sys.modules["torch"].set_num_threads(1)
    except PlayerFailed as failure:
        return failed(failure)
    except BaseException as error:
        return failed(PlayerFailed(f"raised {said(error)}"))
    reply()
    while True:
        try:
            number, observations, masks, dice, allowed = pipe.recv()
        except (EOFError, OSError):
            return
        try:
            reply(actions=ask(player, observations, masks, dice, allowed).tolist())
        except PlayerFailed as failure:
            failed(failure)
