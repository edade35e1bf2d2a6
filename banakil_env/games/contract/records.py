"""The record types of Contract Rummy, for type checkers. `make docs` generates this file from the fields."""

from __future__ import annotations

from typing import Any, Protocol

import numpy.typing as npt

from banakil_env.kit.table_records import TableObservation, TableState


class Switches(Protocol):
    """The switches in a state or an observation."""

    max_turns: int
    max_rounds: int
    contract: int
    calls: int
    own_discard: int
    jokers: int


class State(TableState, Protocol):
    """The record with the whole state; see `state.py`."""

    melds: npt.NDArray[Any]  # 36
    rules: Switches
    calls: npt.NDArray[Any]  # 5
    contract: int
    active: int
    took: int
    named: int
    first: int
    num_melds: int
    meld_owner: npt.NDArray[Any]  # 36
    owed: int


class Observation(TableObservation, Protocol):
    """The observation of a seat; see `observation.py`."""

    table: npt.NDArray[Any]  # 53
    discards: npt.NDArray[Any]  # 53
    upcards: npt.NDArray[Any]  # 53
    meld_kind: npt.NDArray[Any]  # 36
    meld_owner: npt.NDArray[Any]  # 36
    meld_of: npt.NDArray[Any]  # 36
    meld_cells: npt.NDArray[Any]  # 36×14
    fits: npt.NDArray[Any]  # 52
    exchanges: npt.NDArray[Any]  # 52
    down: npt.NDArray[Any]  # 5
    calls: npt.NDArray[Any]  # 5
    active: npt.NDArray[Any]  # 5
    took: npt.NDArray[Any]  # 5
    contract: int
    named: int
    first: int
    num_players: int
    turns: int
    rounds: int
    rules: Switches
    owed: int
