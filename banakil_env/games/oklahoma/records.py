"""The record types of Oklahoma Rummy, for type checkers. `make docs` generates this file from the fields."""

from __future__ import annotations

from typing import Any, Protocol

import numpy.typing as npt

from banakil_env.kit.table_records import TableObservation, TableState


class Switches(Protocol):
    """The switches in a state or an observation."""

    target: int
    max_turns: int
    max_rounds: int
    out_bonus: int
    set_suits: int
    stock_out: int
    hand_cards: int


class State(TableState, Protocol):
    """The record with the whole state; see `state.py`."""

    melds: npt.NDArray[Any]  # 34
    rules: Switches
    must: int
    named: int
    num_melds: int
    meld_owner: npt.NDArray[Any]  # 34
    fits: npt.NDArray[Any]  # 8
    twos: npt.NDArray[Any]  # 34


class Observation(TableObservation, Protocol):
    """The observation of a seat; see `observation.py`."""

    table: npt.NDArray[Any]  # 53
    fits: npt.NDArray[Any]  # 53
    meld_kind: npt.NDArray[Any]  # 34
    meld_owner: npt.NDArray[Any]  # 34
    meld_size: npt.NDArray[Any]  # 34
    meld_low: npt.NDArray[Any]  # 34
    meld_cells: npt.NDArray[Any]  # 34×14
    must: int
    named: int
    named_end: int
    num_players: int
    turns: int
    rounds: int
    rules: Switches
