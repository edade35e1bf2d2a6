"""Alternates between two sets of arrays that a batch writes, so that the result of a step survives the next step.

Environments for Gymnasium and Stable-Baselines3 copy the arrays that they return. With `copy=False`, they return the
arrays of the batch itself, which saves the copies: the arrays of a step are then overwritten by the step after the
next.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.envs.vector import Tables

SWAPPED = ("observations", "masks", "features", "cards", "melds", "table", "rules", "history")


class TwoSets:
    """The second set of arrays of a batch; `swap` makes the batch write into the set that it did not write last."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        specs = tables.buffer_specs()
        self._spare = {name: getattr(tables, name) for name in SWAPPED if name in specs}
        tables.write_into(**{name: np.zeros(*specs[name]) for name in self._spare})  # checks the arrays once

    def swap(self, some_rows: bool = False) -> None:
        """Exchange the two sets of arrays, before a step or a reset.

        `some_rows` is true if only some rows will be written: the other rows then keep their contents.
        """
        now: dict[str, Any] = {name: getattr(self._tables, name) for name in self._spare}
        if some_rows:
            for name, array in now.items():
                np.copyto(self._spare[name], array)
        self._tables.switch_to(self._spare)
        self._spare = now
