"""The record types of 500 Rummy, for type checkers. `make docs` generates this file from the fields."""

from __future__ import annotations

from typing import Any, Protocol

import numpy.typing as npt

from banakil_env.kit.table_records import TableObservation, TableState


class Switches(Protocol):
    """The switches in a state or an observation."""

    target: int
    max_turns: int
    max_rounds: int
    calls: int
    stock_out: int
    jokers: int
    hand_cards: int


class State(TableState, Protocol):
    """The record with the whole state; see `state.py`."""

    melds: npt.NDArray[Any]  # 36
    rules: Switches
    must: int
    named: int
    num_melds: int
    meld_owner: npt.NDArray[Any]  # 36
    laid_off: npt.NDArray[Any]  # 36
    laid: npt.NDArray[Any]  # 8
    discarder: int


class Observation(TableObservation, Protocol):
    """The observation of a seat; see `observation.py`."""

    table: npt.NDArray[Any]  # 53
    fits: npt.NDArray[Any]  # 53
    meld_kind: npt.NDArray[Any]  # 36
    meld_owner: npt.NDArray[Any]  # 36
    meld_size: npt.NDArray[Any]  # 36
    meld_low: npt.NDArray[Any]  # 36
    meld_cells: npt.NDArray[Any]  # 36×14
    must: int
    named: int
    named_end: int
    num_players: int
    turns: int
    rounds: int
    rules: Switches
    laid: npt.NDArray[Any]  # 8
    discarder: npt.NDArray[Any]  # 8
