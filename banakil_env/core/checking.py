"""May this record be played on? What comes from outside is checked once, before compiled code sees it.

Compiled code computes addresses from what a state holds. So every way in (plain interface, positions, snapshots,
copies that were pickled) asks `check_states` first: is every number within the bounds that the game declares, and is
the whole a position of the game (`Engine.check`)?
"""

# The names left open, which `bind` fills in.
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.fields import first_out_of_range
from banakil_env.core.game import BadState, Game
from banakil_env.core.jit import bind

SOUND = -1


def _first_fault(states: Any, cells: Any) -> int:
    """The first of these states that is none: its row; SOUND: all are. `cells` are the bytes of all, one by one."""
    size = lowest.shape[0]
    for row in range(states.shape[0]):
        own = cells[row * size : (row + 1) * size]
        if first_out_of_range(own, lowest, span, wide) >= 0 or check(states[row]):
            return row
    return SOUND


@functools.cache
def _first_fault_of(game: Game) -> Any:
    ranges = game.state_fields.ranges
    return bind(
        _first_fault,
        f"{game.name}_first_fault",
        check=game.engine.check,
        lowest=ranges.lowest,
        span=ranges.span,
        wide=ranges.wide,
    )


def fault_of(game: Game, state: Any) -> str | None:
    """Why a record is no position of the game, in words; None: it is one."""
    found = game.state_fields.out_of_range(state)
    if found is not None:
        return found
    kind = int(getattr(game.engine.check, "py_func", game.engine.check)(np.asarray(state).reshape(1)[0]))
    return game.faults[kind - 1] if kind else None


def check_states(game: Game, states: npt.NDArray[Any]) -> None:
    """BadState: one of these records (of the game's dtype, contiguous, in one dimension) is no position of the game."""
    row = _first_fault_of(game)(states, states.view(np.uint8))
    if row != SOUND:
        where = f"record {row} of {len(states)}" if len(states) > 1 else "the record"
        raise BadState(
            f"{where} is no position of {game.title}: {fault_of(game, states[row])}; "
            f"new(), from_text() and reset() make positions that are"
        )
