"""Players for the tests of the arena, in a module of their own so that other processes can load them."""

from __future__ import annotations

import gc
import itertools
import os
import signal
import socket
import time
from pathlib import Path

import numpy as np
from leaping_clock import note_attack

from banakil_env.arena import CompiledPlayer
from banakil_env.arena.channel import send_message
from banakil_env.games import find


class Noisy:
    """Greedy, but for one decision in `every`, which is made by the random player: two of them differ by their dice."""

    def __init__(self, every: int = 4, name: str = "noisy") -> None:
        self.name, self._every = name, every
        self._players = CompiledPlayer("greedy"), CompiledPlayer("random")

    def act(self, observations, masks, dice):
        greedy, random = (player.act(observations, masks, dice) for player in self._players)
        return np.where(dice % np.uint64(self._every) == 0, random, greedy)


class Failing:
    """The first legal action; but when its dice say so (one decision in twenty), it does `what`.

    Args:
        note: a file in which it notes what holds up the arena; see `leaping_clock`.
    """

    def __init__(self, what: str, note: Path | None = None) -> None:
        self.name, self._what, self._note = what, what, note
        self.woke = False  # whether it slept to its end

    def act(self, observations, masks, dice):
        actions = np.argmax(masks, 1)
        for row in np.flatnonzero(dice % np.uint64(20) == 0):
            if self._what == "raises":
                raise RuntimeError("no idea")
            if self._note is not None:
                note_attack(self._note)
            if self._what == "hangs":
                time.sleep(60)
                self.woke = True
            if self._what == "sticks":
                signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])  # as native code does
                time.sleep(3600)
            if self._what == "loops":
                sum(itertools.repeat(0))  # in native code, for ever: no signal is looked at
            if self._what == "exits":
                raise SystemExit(3)
            if self._what == "crashes":
                os._exit(3)
            if self._what == "illegal":
                actions[row] = np.argmin(masks[row])
            if self._what == "out of the table":
                actions[row] = -1
            if self._what == "fractions":
                return actions + 0.5
            if self._what == "too few":
                return actions[:-1]
        return actions


class OneThread:
    """The first legal action, if PyTorch would compute it in a single thread."""

    name = "one thread"

    def act(self, observations, masks, dice):
        import torch

        if torch.get_num_threads() != 1:
            raise RuntimeError(f"{torch.get_num_threads()} threads")
        return np.argmax(masks, 1)


def first_legal(observation, mask):
    """The first legal action."""
    return int(np.argmax(mask))


def a_player_with_a_name_that_no_column_would_hold(observation, mask):
    """The first legal action."""
    return int(np.argmax(mask))


def brings_down(observation, mask):
    """Nothing: its process ends."""
    os._exit(3)


def any_legal(observation, mask, rng):
    """A legal action by chance."""
    return int(rng.choice(np.flatnonzero(mask)))


class Unreadable(Exception):
    """An error whose text cannot be had."""

    def __str__(self) -> str:
        raise RuntimeError("no text")


class Hostile:
    """The first legal action; but when its dice say so (one decision in twenty), it does `what` to the match."""

    def __init__(self, what: str) -> None:
        self.name, self._what = what, what

    def act(self, observations, masks, dice):
        if (dice % np.uint64(20) == 0).any():
            if self._what == "interrupts":
                raise KeyboardInterrupt
            if self._what == "leaves":
                raise GeneratorExit
            if self._what == "base":
                raise BaseException("anything")
            if self._what == "unreadable":
                raise Unreadable
            if self._what == "surrogate":
                raise RuntimeError("half a pair: \ud800")
            if self._what == "closes":
                os.closerange(0, 256)
            if self._what == "writes":
                for pipe in [each for each in gc.get_objects() if isinstance(each, socket.socket)]:
                    send_message(pipe, b"[" * 100_000)
        return np.argmax(masks, 1)


class Forking:
    """The first legal action, of which its copy answers with the last, and goes on as if it were the original."""

    name = "forking"

    def act(self, observations, masks, dice):
        if os.fork():
            return np.argmax(masks, 1)
        if dice[0] % np.uint64(2):
            raise RuntimeError("raised by a copy")
        return masks.shape[1] - 1 - np.argmax(masks[:, ::-1], 1)


class Original:
    """What `Forking` does, without the copies."""

    name = "forking"

    def act(self, observations, masks, dice):
        return np.argmax(masks, 1)


class Searching:
    """The first legal action, unless a state of the game or another player is to be found in its process."""

    name = "searching"
    _searched = False

    def act(self, observations, masks, dice):
        if not self._searched:
            self._searched = True
            for found in gc.get_referents(*gc.get_objects()):
                if isinstance(found, np.ndarray) and found.dtype == find("banakil").state:
                    raise RuntimeError("a state")
                if isinstance(found, Noisy):
                    raise RuntimeError("another player")
        return np.argmax(masks, 1)


class Slow:
    """The first legal action after a while, with no clock, as a person."""

    name, untimed = "slow", True

    def act(self, observations, masks, dice):
        time.sleep(0.02)
        return np.argmax(masks, 1)


class Broken:
    """A class that cannot be made."""

    def __init__(self) -> None:
        raise RuntimeError("no weights")
