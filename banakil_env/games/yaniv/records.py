"""The record types of Yaniv, for type checkers. `make docs` generates this file from the fields."""

from __future__ import annotations

from typing import Any, Protocol

import numpy.typing as npt

from banakil_env.kit.table_records import TableObservation, TableState


class Switches(Protocol):
    """The switches in a state or an observation."""

    target: int
    max_turns: int
    max_rounds: int
    packs: int
    call_limit: int
    tie: int
    asaf_zero: int
    penalty: int
    halving: int
    first: int


class State(TableState, Protocol):
    """The record with the whole state; see `state.py`."""

    rules: Switches
    out: int
    last: int
    laid_size: int
    laid: npt.NDArray[Any]  # 5


class Observation(TableObservation, Protocol):
    """The observation of a seat; see `observation.py`."""

    ends: npt.NDArray[Any]  # 53
    last: npt.NDArray[Any]  # 5
    laid: npt.NDArray[Any]  # 5
    last_size: int
    laid_size: int
    out: npt.NDArray[Any]  # 5
    num_players: int
    turns: int
    rounds: int
    rules: Switches
