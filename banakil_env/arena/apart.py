"""Runs a player in a separate process, behind a pipe that carries the arguments of `Player.act`.

The process of the player never holds a state, a seed, the name of another player or another table. The arena reads
the player's answers as JSON, so it executes nothing that the process sends. The process cannot hold up the arena:
each message to it and from it has a deadline (`arena.channel`). When a deadline passes, the arena kills the process,
the player loses the tables of that call, and the process is started again.
"""

from __future__ import annotations

import contextlib
import json
import multiprocessing
import os
import pickle
import signal
import socket
import sys
import time
from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.arena.ask import PlayerFailed, ask, only_the_original, prepare, printable, said
from banakil_env.arena.channel import Channel, Closed, Late, TooLong, has_ended, join, receive_message, send_message
from banakil_env.arena.figures import are_figures, figures_of, has_figures
from banakil_env.arena.players import CompiledPlayer, Player
from banakil_env.core import failures

GRACE = 5.0  # seconds beyond the budget before the process is killed; within them the alarm of the process itself rings
DYING = 60.0  # seconds to wait for a killed process to end; long enough for a very busy machine
LOADING = 600.0  # seconds that a player can take to load and prepare
LONGEST_ANSWER = 2**20  # bytes
MOST_STRAY = 1000  # replies to other questions that are accepted before the process is ended

PROCESS = "banakil-arena"  # the name of every process that the arena starts
NO_GUARD = 91  # exit status of a process that imported a program which starts a match when it is imported
CLOSED = 92  # exit status of a process that can no longer reply


class WorkerError(RuntimeError):
    """A process that plays for another process failed; no player is at fault."""


class PlayerApart:
    """A player in a separate process.

    Args:
        name: the player's name.
        luggage: the player, pickled.
        figures: whether the player reports figures of its decisions (`arena.figures`).
        seconds_a_decision: the time limit of a player that talks, see `protocol.Player`; None for any other player.
    """

    def __init__(
        self, name: str, luggage: bytes, figures: bool = False, seconds_a_decision: float | None = None
    ) -> None:
        self.name, self._luggage, self._tells = name, luggage, figures
        if seconds_a_decision is not None:
            self.seconds_a_decision = seconds_a_decision
        if figures:
            self.figures = self._figures_of
        self._told: list[dict[str, float]] = []  # figures that came with the last reply
        self._process: Any = None
        self._ended = False
        self._given_up: PlayerFailed | None = None  # the reason why the process is not started again
        self._number = 0  # number of the last question

    def prepare(self) -> None:
        """Start the process if it has not been started. Raises WorkerError if the process cannot load the player."""
        if self._process is None:
            try:
                self._start()
            except PlayerFailed as failure:
                self.end()
                raise WorkerError(f"the player {self.name} cannot be loaded in a separate process: {failure}") from None

    def restart(self) -> None:
        """Start the process again if it has ended, before the time of a decision runs.

        Raises PlayerFailed if the process cannot load the player.
        """
        if self._given_up:
            raise self._given_up
        if self._ended or has_ended(self._process):
            self.end()
            try:
                self._start()
            except PlayerFailed as failure:
                self.end()
                said = f"could not be loaded again: {failure}"
                self._given_up = PlayerFailed(said, failure.file, failure.line, kind=failure.kind)
                raise self._given_up from None

    def ask(
        self,
        observations: npt.NDArray[np.uint8],
        masks: npt.NDArray[np.int8],
        dice: npt.NDArray[np.uint64],
        allowed: float | None,
    ) -> npt.NDArray[np.int64]:
        """Let the player in its process choose an action for each row; arguments, result and errors as in `ask.ask`."""
        self._number += 1
        self._told = []
        due = None if allowed is None else time.monotonic() + allowed + GRACE
        reply = self._answer(pickle.dumps((self._number, observations, masks, dice, allowed)), due)
        actions = np.array(reply["actions"], np.int64)
        if actions.shape != dice.shape:
            said = f"answered {actions.size} actions for {dice.size} tables"
            raise PlayerFailed(said, kind=failures.MALFORMED)
        return actions

    def _figures_of(self, observations: npt.NDArray[np.uint8]) -> list[dict[str, float]]:
        """The player's figures for the rows of the last question; empty dicts if it gave no answer."""
        return self._told if are_figures(self._told, len(observations)) else [{} for _ in observations]

    def end(self) -> None:
        """End the process and all processes of its session, whatever they are doing."""
        if self._process is None or self._ended:
            return
        self._ended = True
        self._channel.close()
        # End the group first: until the process is joined, no other process can get its number.
        # The process has no separate group yet, or the system has no groups.
        with contextlib.suppress(OSError, AttributeError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.kill()
        join(self._process, DYING)

    def _start(self) -> None:
        """Start the process. Raises PlayerFailed if the process cannot load the player."""
        context = multiprocessing.get_context("spawn")
        own, theirs = socket.socketpair()
        self._process = context.Process(target=_live, args=(theirs,), name=PROCESS, daemon=True)
        self._process.start()
        self._ended = False
        theirs.close()
        self._channel = Channel(own, self._process)
        self._number = 0
        self._answer(self._luggage, time.monotonic() + LOADING)

    def _answer(self, question: bytes, due: float | None) -> dict[str, Any]:
        """The reply to a question. Raises PlayerFailed if no reply comes, or if the reply reports a failure."""
        try:
            self._channel.send(question, due)
            for _ in range(MOST_STRAY):
                reply = self._read(self._channel.receive(LONGEST_ANSWER, due))
                # A copy of the process, made by the player, can reply too: its replies are ignored.
                if (reply["process"], reply["number"]) == (self._process.pid, self._number):
                    break
            else:
                raise self._meddled(f"{MOST_STRAY} answers to other questions")
        except Late:
            self.end()
            said = "did not answer in time and could not be interrupted: its process was ended"
            raise PlayerFailed(said, kind=failures.DEADLINE) from None
        except Closed:
            raise self._gone() from None
        except TooLong as error:
            raise self._meddled(str(error)) from None
        self._told = reply["figures"]
        if "reason" in reply:
            raise PlayerFailed(reply["reason"], reply["file"], reply["line"], kind=reply["kind"])
        return reply

    def _read(self, text: bytes) -> dict[str, Any]:
        try:
            return _checked(json.loads(text))
        except Exception as error:
            raise self._meddled(said(error)) from None

    def _meddled(self, what: str) -> PlayerFailed:
        """End the process of a player that wrote into its pipe, with `what` as reason; returns the player's failure."""
        self.end()
        return PlayerFailed(f"wrote something else than answers into its pipe: {what}", kind=failures.MALFORMED)

    def _gone(self) -> PlayerFailed:
        """The failure of a player whose process has ended or has closed its end of the pipe."""
        died = has_ended(self._process, GRACE)
        self.end()
        code = self._process.exitcode if died else None
        if code == NO_GUARD:
            raise no_guard() from None
        if code in (None, CLOSED):
            return PlayerFailed("closed the files of its process", kind=failures.CRASHED)
        return PlayerFailed(f"brought down its process (exit code {code})", kind=failures.CRASHED)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the player without its running process."""
        return type(self), (self.name, self._luggage, self._tells, getattr(self, "seconds_a_decision", None))


def set_apart(players: Iterable[Player]) -> list[Player | PlayerApart]:
    """Put each player into a separate process behind a pipe; rule-based players are returned as they are.

    Raises WorkerError if a player cannot be sent to another process.
    """
    return [player if isinstance(player, CompiledPlayer) else _packed(player) for player in players]


def end_all(players: Iterable[Player | PlayerApart]) -> None:
    """End the processes of those players that have one."""
    for player in players:
        if isinstance(player, PlayerApart):
            player.end()


def no_guard() -> WorkerError:
    """The error about a program that starts a match when it is imported."""
    return WorkerError(
        "every process of the arena imports your program, which starts the match again: put what it does under "
        "`if __name__ == '__main__':`"
    )


def leave_if_imported() -> None:
    """End this process if the arena started it and it is importing a program without a main guard."""
    process = multiprocessing.current_process()
    if process.name == PROCESS and getattr(process, "_inheriting", False):
        os._exit(NO_GUARD)


def settle() -> None:
    """Set up signals and threads of a process that plays for another process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # only the process that started this one reacts to Ctrl-C
    os.environ["OMP_NUM_THREADS"] = "1"  # for libraries that are loaded from here on: the processes share the cores


def _packed(player: Player) -> PlayerApart:
    try:
        seconds = getattr(player, "seconds_a_decision", None)
        return PlayerApart(player.name, pickle.dumps(player), has_figures(player), seconds)
    except Exception as error:
        raise WorkerError(
            f"the players cannot be sent to other processes ({said(error)}): name them as module:function, or play in "
            f"this one (in Python processes=1 without isolate, as a command --processes 1 --budget 0)"
        ) from None


def _checked(reply: dict[str, Any]) -> dict[str, Any]:
    """A reply, checked: all its values have the expected types. Any error means an invalid reply.

    The process that wrote the reply is not trusted.
    """
    reply = {"process": None, "number": None, "actions": [], "figures": [], "kind": failures.RAISED} | reply
    if "reason" in reply:
        if not isinstance(reply["file"], str | None) or not isinstance(reply["line"], int | None):
            raise ValueError("that is not a place in a file")
        if reply["kind"] not in (*failures.KINDS,):
            raise ValueError("that is not a kind of failure")
        reply["reason"] = printable(reply["reason"])
    elif not all(isinstance(action, int) and abs(action) < 2**63 for action in reply["actions"]):
        raise ValueError("those are not whole numbers")
    return reply


def _told(failure: PlayerFailed) -> dict[str, Any]:
    """A failure as a dict of values for JSON."""
    return {"reason": failure.reason, "file": failure.file, "line": failure.line, "kind": failure.kind}


def _live(pipe: socket.socket) -> None:
    """The main loop of the player's process: it receives the pickled player, then receives rows and sends actions."""
    settle()
    with contextlib.suppress(AttributeError):  # a system without sessions
        os.setsid()  # the arena can then end copies of this process with it
    process, number = os.getpid(), 0

    def reply(**values: Any) -> None:
        try:
            send_message(pipe, json.dumps({"process": process, "number": number, **values}).encode())
        except OSError:  # the player has closed the pipe, and perhaps all other files too
            os._exit(CLOSED)

    def failed(failure: PlayerFailed) -> None:
        reply(**_told(failure))

    try:
        with only_the_original():
            player = pickle.loads(receive_message(pipe))
            prepare(player)
            if "torch" in sys.modules:  # the thread setting above came too late if PyTorch was loaded before
                sys.modules["torch"].set_num_threads(1)
    except PlayerFailed as failure:
        return failed(failure)
    except BaseException as error:
        return failed(PlayerFailed(f"raised {said(error)}"))
    reply()
    while True:
        try:
            number, observations, masks, dice, allowed = pickle.loads(receive_message(pipe))
        except (EOFError, OSError):
            return
        try:
            answer: dict[str, Any] = {"actions": ask(player, observations, masks, dice, allowed).tolist()}
        except PlayerFailed as failure:
            answer = _told(failure)
        told = figures_of(player, observations) if has_figures(player) else []
        reply(**answer, figures=told)
