"""Checks records that come from outside, once, before compiled code sees them.

Compiled code computes addresses from what a state holds. So every way in tests first: is every number what its field
allows (`core/bounds.py`), and is the whole a position of the game (`engine.check`)? `check_records` tests this before a
step of the plain interface. For states that are to be played on (positions, snapshots, unpickled copies),
`check_states` also tests whether the rules agree with each other and whether there is a legal action.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core import engine
from banakil_env.core.bounds import bounds_of, out_of_bounds
from banakil_env.core.game import RUNNING, BadState, Game
from banakil_env.core.jit import interpreted
from banakil_env.core.kernels import FAULTS, SOUND, kernels_of, legal_actions, writable


def fault_of(game: Game, states: npt.NDArray[Any]) -> str | None:
    """Why the record in an array of one is not a position to play on, in words; None: it is a position."""
    states = writable(states)
    found = kernels_of(game).first_fault(states, _cells(states))
    if found != SOUND:
        return _text(game, states, found)
    return _stuck(game, states[0])


def _cells(states: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """The bytes of states, a row each."""
    return states.view(np.uint8).reshape(len(states), states.itemsize)


def check_records(game: Game, states: npt.NDArray[Any]) -> None:
    """Raise BadState if one of these records (of the game's dtype, contiguous, in one dimension) is not a position. A
    legal action is not required.
    """
    states = writable(states)
    found = kernels_of(game).first_fault(states, _cells(states))
    if found != SOUND:
        raise _refused(game, states, found // FAULTS, _text(game, states, found))


def check_states(game: Game, states: npt.NDArray[Any]) -> None:
    """Like `check_records`; in addition the rules must agree with each other, and a running game needs a legal
    action.
    """
    check_records(game, states)
    for row, state in enumerate(states):
        stuck = _stuck(game, state)
        if stuck is not None:
            raise _refused(game, states, row, stuck)


def check_blanks(game: Game, states: npt.NDArray[Any]) -> None:
    """Raise BadState for an unsound record of rules before the deal, or for rules and players without a
    possible deal.
    """
    bounds = bounds_of(game.state_fields)
    for row, state in enumerate(states):
        fault = out_of_bounds(game.state_fields, _filled(game, state), alone=True, bounds=bounds)
        players = int(interpreted(engine.num_seats)(state))
        if fault is None and players not in game.seats:
            fault = f"it is for {players} players"
        if fault is None:
            try:
                game.rules_of(state)
            except ValueError as error:
                fault = f"its rules contradict each other: {error}"
        if fault is not None:
            raise BadState(f"row {row} cannot be dealt: {fault}")


def _filled(game: Game, state: Any) -> Any:
    """A copy of a blank record with the lowest number wherever none has been set yet."""
    cells = np.asarray(state).reshape(1).view(np.uint8).copy()
    for number in game.state_fields.numbers:
        if number.field.lowest > 0:
            kind = number.field.number
            values = np.frombuffer(cells, kind, number.count, number.offset)
            values[values == 0] = number.field.lowest
    return cells.view(game.state)[0]


def _stuck(game: Game, state: Any) -> str | None:
    """Why a sound record cannot be played on; None: it can, or the episode is over."""
    try:
        game.rules_of(state)
    except ValueError as error:
        return f"its rules contradict each other: {error}"
    status = interpreted(engine.status)
    if int(status(state)) != RUNNING or legal_actions(game, state):
        return None
    return f"{game.texts.explain(state)}, and has no legal action"


def _text(game: Game, states: npt.NDArray[Any], found: int) -> str:
    """The result of `first_fault`, in words."""
    row, kind = divmod(int(found), FAULTS)
    return game.faults[kind - 1] if kind else str(out_of_bounds(game.state_fields, states[row]))


def _refused(game: Game, states: npt.NDArray[Any], row: int, why: str) -> BadState:
    where = f"record {row} of {len(states)}" if len(states) > 1 else "the record"
    return BadState(
        f"{where} is not a position of {game.title}: {why}; new(), from_text() and reset() make positions that are"
    )
