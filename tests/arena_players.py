"""Players for the tests of the arena, in a module of their own so that other processes can load them."""

from __future__ import annotations

import itertools
import os
import signal
import time

import numpy as np

from banakil_env.arena import CompiledPlayer


class Noisy:
    """Greedy, but for one decision in `every`, which is made by the random player: two of them differ by their dice."""

    def __init__(self, every: int = 4, name: str = "noisy") -> None:
        self.name, self._every = name, every
        self._players = CompiledPlayer("greedy"), CompiledPlayer("random")

    def act(self, observations, masks, dice):
        greedy, random = (player.act(observations, masks, dice) for player in self._players)
        return np.where(dice % np.uint64(self._every) == 0, random, greedy)


class Failing:
    """The first legal action; but when its dice say so (one decision in twenty), it does `what`."""

    def __init__(self, what: str) -> None:
        self.name, self._what = what, what

    def act(self, observations, masks, dice):
        actions = np.argmax(masks, 1)
        for row in np.flatnonzero(dice % np.uint64(20) == 0):
            if self._what == "raises":
                raise RuntimeError("no idea")
            if self._what == "hangs":
                time.sleep(60)
            if self._what == "sticks":
                signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGALRM])  # as native code does
                time.sleep(60)
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


def brings_down(observation, mask):
    """Nothing: its process ends."""
    os._exit(3)


def any_legal(observation, mask, rng):
    """A legal action by chance."""
    return int(rng.choice(np.flatnonzero(mask)))
