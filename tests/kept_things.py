"""Does what an interface gave stay as it was? Everything is kept, with its content written down at once.

kept = Kept()
for _ in range(100):
    kept.keep(*env.step(action))
kept.check()
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np


def content(thing: Any) -> Any:
    """What is in an object: arrays and tensors as bytes, mappings and sequences part by part."""
    if isinstance(thing, np.ndarray) and thing.dtype == object:
        return [content(each) for each in thing]
    if isinstance(thing, np.ndarray):
        return (str(thing.dtype), thing.shape, thing.tobytes())
    if hasattr(thing, "detach"):  # a tensor of PyTorch
        return content(thing.detach().cpu().numpy())
    if isinstance(thing, Mapping) or hasattr(thing, "keys"):
        return {str(key): content(thing[key]) for key in thing.keys()}  # noqa: SIM118 - a TensorDict iterates over rows
    if isinstance(thing, (list, tuple)):
        return [content(each) for each in thing]
    assert thing is None or isinstance(thing, (bool, int, float, str, np.generic)), f"cannot compare {type(thing)}"
    return thing


def changes(before: Any, now: Any, path: str = "") -> list[str]:
    """The places at which two contents differ."""
    if isinstance(before, dict) and isinstance(now, dict) and before.keys() == now.keys():
        return [change for key in before for change in changes(before[key], now[key], f"{path}.{key}")]
    if isinstance(before, list) and isinstance(now, list) and len(before) == len(now):
        return [change for i, pair in enumerate(zip(before, now)) for change in changes(*pair, f"{path}[{i}]")]
    return [] if before == now else [path or "."]


class Kept:
    """What an interface gave, step by step."""

    def __init__(self) -> None:
        self._steps: list[tuple[Any, Any]] = []

    def keep(self, *things: Any) -> None:
        """The results of one step."""
        self._steps.append((things, content(things)))

    def changed(self) -> list[str]:
        """What is no longer as it was, step by step: `3 [0].hand`."""
        steps = enumerate(self._steps)
        return [f"{n} {where}" for n, (things, was) in steps for where in changes(was, content(things))]

    def check(self, least: int) -> None:
        """Nothing has changed. `least` steps or more were kept, and most of them differ from each other."""
        assert len(self._steps) >= least
        assert len({repr(was) for _, was in self._steps}) > least // 2
        assert self.changed() == []


def scribble(thing: Any) -> None:
    """Write over every array, as a caller may do with what is its own."""
    if hasattr(thing, "detach"):
        thing.fill_(1)
    elif isinstance(thing, np.ndarray) and thing.dtype != object:
        if thing.flags.writeable:
            thing[...] = 1
    elif isinstance(thing, (np.ndarray, list, tuple)):
        for each in thing:
            scribble(each)
    elif isinstance(thing, Mapping):
        for each in thing.values():
            scribble(each)
