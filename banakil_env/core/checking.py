"""May this record be played on? What comes from outside is checked once, before compiled code sees it.

Compiled code computes addresses from what a state holds. So every way in asks first: is every number within the bounds
that the game declares, and is the whole a position of the game (`Engine.check`)? `check_records` asks this, before a
step of the plain interface. `check_states` asks of what comes to be played on (positions, snapshots, copies that were
pickled) too whether its rules agree with each other and there is a legal action.
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
from banakil_env.core.game import RUNNING, BadState, Game
from banakil_env.core.jit import bind, interpreted
from banakil_env.core.kernels import legal_actions

SOUND = -1
_FAULTS = 1 << 16  # more than a game has


def _first_fault(states: Any, cells: Any) -> int:
    """The first of these states that is none: its row * _FAULTS + what `check` says, 0 for a number out of its bounds.

    SOUND: all are. `cells` are the bytes of all, one by one.
    """
    size = lowest.shape[0]
    for row in range(states.shape[0]):
        own = cells[row * size : (row + 1) * size]
        if first_out_of_range(own, lowest, span, wide) >= 0:
            return row * _FAULTS
        fault = check(states[row])
        if fault:
            return row * _FAULTS + fault
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


def fault_of(game: Game, states: npt.NDArray[Any]) -> str | None:
    """Why the record in an array of one is no position of the game to play on, in words; None: it is one."""
    found = _first_fault_of(game)(states, states.view(np.uint8))
    if found != SOUND:
        return _text(game, states, found)
    return _stuck(game, states[0])


def check_records(game: Game, states: npt.NDArray[Any]) -> None:
    """BadState: one of these records (of the game's dtype, contiguous, in one dimension) is no position of the game.

    Whether there is a legal action is not asked.
    """
    found = _first_fault_of(game)(states, states.view(np.uint8))
    if found != SOUND:
        raise _refused(game, states, found // _FAULTS, _text(game, states, found))


def check_states(game: Game, states: npt.NDArray[Any]) -> None:
    """The same; and its rules must agree with each other, and a game that goes on must have a legal action."""
    check_records(game, states)
    for row, state in enumerate(states):
        stuck = _stuck(game, state)
        if stuck is not None:
            raise _refused(game, states, row, stuck)


def _stuck(game: Game, state: Any) -> str | None:
    """Why a sound record cannot be played on; None: it can, or is over."""
    try:
        game.rules_of(state)
    except ValueError as error:
        return f"its rules contradict each other: {error}"
    status = interpreted(game.engine.status)
    if int(status(state)) != RUNNING or legal_actions(game, state):
        return None
    return f"{game.texts.explain(state)}, and has no legal action"


def _text(game: Game, states: npt.NDArray[Any], found: int) -> str:
    """What `_first_fault` found, in words."""
    row, kind = divmod(int(found), _FAULTS)
    return game.faults[kind - 1] if kind else str(game.state_fields.out_of_range(states[row]))


def _refused(game: Game, states: npt.NDArray[Any], row: int, why: str) -> BadState:
    where = f"record {row} of {len(states)}" if len(states) > 1 else "the record"
    return BadState(
        f"{where} is no position of {game.title}: {why}; new(), from_text() and reset() make positions that are"
    )
