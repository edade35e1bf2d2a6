"""Two sets of the arrays that a batch fills take turns, so that what the last step returned outlives the next step.

Environments for Gymnasium and Stable-Baselines3 copy what they return. With `copy=False` they hand out the arrays of
the batch itself, which saves the copies: then the arrays of one step are overwritten by the step after the next.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.envs.vector import Tables

SWAPPED = ("observations", "masks", "features", "cards", "melds", "table", "rules", "history")


class TwoSets:
    """The second set of arrays of a batch; `swap` lets the batch fill the set that it did not fill last."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        specs = tables.buffer_specs()
        self._spare = {name: getattr(tables, name) for name in SWAPPED if name in specs}
        tables.write_into(**{name: np.zeros(*specs[name]) for name in self._spare})  # checked once

    def swap(self, some_rows: bool = False) -> None:
        """Before a step or a reset; `some_rows`: the other rows are not written, and keep what they show."""
        now: dict[str, Any] = {name: getattr(self._tables, name) for name in self._spare}
        if some_rows:
            for name, array in now.items():
                np.copyto(self._spare[name], array)
        self._tables.switch_to(self._spare)
        self._spare = now
