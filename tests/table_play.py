"""How is a batch of tables played at random in tests, the same in every process?"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.kernels import GENERATOR
from banakil_env.envs.vector import Tables


def play(tables: Tables, steps: int, seed: int = 1, seeds: Any = None) -> list[npt.NDArray[np.int64]]:
    """Random legal steps; the actions taken. `seeds`: a number for each row, of its choices; None: made from `seed`."""
    generators = np.zeros(tables.num_tables, GENERATOR)
    generators["rng"] = np.arange(tables.num_tables) + 1000 * seed if seeds is None else seeds
    taken = []
    for _ in range(steps):
        taken.append(tables.random_actions(generators).copy())
        tables.step(taken[-1])
    return taken


def content(array: Any) -> bytes:
    """The bytes of an array without those between the fields of its records, which a copy leaves as they are."""
    names = array.dtype.names
    return b"".join(array[name].tobytes() for name in names) if names else array.tobytes()
