"""Checks records that users pass in, before compiled code uses them.

Compiled code computes addresses from the contents of a state. So every function that takes a record checks it first: is
every number allowed by its field (`core/bounds.py`), and is the whole a position of the game (`engine.check`)?
`check_records` does this before a step of the plain interface. For states from which play continues (positions,
snapshots, unpickled copies), `check_states` also checks that the rules do not contradict each other and that there is a
legal action.
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
    """Describe why a record cannot be played on; None if it can. `states` is an array with this one record."""
    states = writable(states)
    found = kernels_of(game).first_fault(states, _cells(states))
    if found != SOUND:
        return _text(game, states, found)
    return _stuck(game, states[0])


def _cells(states: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
    """The bytes of states, uint8 (n, bytes per state)."""
    return states.view(np.uint8).reshape(len(states), states.itemsize)


def check_records(game: Game, states: npt.NDArray[Any]) -> None:
    """Raise BadState if one of these records is not a position of the game. A legal action is not required.

    Args:
        game: the game.
        states: contiguous records of the game's dtype, one-dimensional.
    """
    states = writable(states)
    found = kernels_of(game).first_fault(states, _cells(states))
    if found != SOUND:
        raise _refused(game, states, found // FAULTS, _text(game, states, found))


def check_states(game: Game, states: npt.NDArray[Any]) -> None:
    """Like `check_records`, and also check each state's rules and legal actions.

    Raises:
        BadState: a record is not a position, its rules contradict each other, or its game is not over but has no legal
            action.
    """
    check_records(game, states)
    for row, state in enumerate(states):
        stuck = _stuck(game, state)
        if stuck is not None:
            raise _refused(game, states, row, stuck)


def check_blanks(game: Game, states: npt.NDArray[Any]) -> None:
    """Check records before the deal, which hold only the rules and the number of players.

    Raises:
        BadState: a number is not allowed by its field, the game is not for this number of players, or the rules
            contradict each other.
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
    """A copy of a blank record in which each field that is still 0 has its lowest allowed number."""
    cells = np.asarray(state).reshape(1).view(np.uint8).copy()
    for number in game.state_fields.numbers:
        if number.field.lowest > 0:
            kind = number.field.number
            values = np.frombuffer(cells, kind, number.count, number.offset)
            values[values == 0] = number.field.lowest
    return cells.view(game.state)[0]


def _stuck(game: Game, state: Any) -> str | None:
    """Describe why a record without other faults cannot be played on; None if it can, or if the episode is over."""
    try:
        game.rules_of(state)
    except ValueError as error:
        return f"its rules contradict each other: {error}"
    status = interpreted(engine.status)
    if int(status(state)) != RUNNING or legal_actions(game, state):
        return None
    return f"{game.texts.explain(state)}, and has no legal action"


def _text(game: Game, states: npt.NDArray[Any], found: int) -> str:
    """Describe the fault that `first_fault` has found."""
    row, kind = divmod(int(found), FAULTS)
    return game.faults[kind - 1] if kind else str(out_of_bounds(game.state_fields, states[row]))


def _refused(game: Game, states: npt.NDArray[Any], row: int, why: str) -> BadState:
    where = f"record {row} of {len(states)}" if len(states) > 1 else "the record"
    return BadState(
        f"{where} is not a position of {game.title}: {why}; valid positions come from new(), from_text() and reset()"
    )
