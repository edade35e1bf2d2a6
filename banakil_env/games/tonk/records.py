"""The record types of Tonk, for type checkers. `make docs` generates this file from the fields."""

from __future__ import annotations

from typing import Any, Protocol

import numpy.typing as npt

from banakil_env.kit.table_records import TableObservation, TableState


class Switches(Protocol):
    """The switches in a state or an observation."""

    max_turns: int
    max_rounds: int
    stake: int
    deals: int
    slaps: int
    hold: int
    count: int
    high_tonk: int
    low_tonk: int


class State(TableState, Protocol):
    """The record with the whole state; see `state.py`."""

    melds: npt.NDArray[Any]  # 17
    rules: Switches
    banned: int
    named: int
    opened: int
    in_one_turn: int
    played: npt.NDArray[Any]  # 4
    seen: int
    num_melds: int
    meld_owner: npt.NDArray[Any]  # 17
    held: npt.NDArray[Any]  # 4
    must: int
    after: int


class Observation(TableObservation, Protocol):
    """The observation of a seat; see `observation.py`."""

    runs: npt.NDArray[Any]  # 52
    sets: npt.NDArray[Any]  # 52
    stock: npt.NDArray[Any]  # 52
    meld_kind: npt.NDArray[Any]  # 17
    meld_owner: npt.NDArray[Any]  # 17
    meld_low: npt.NDArray[Any]  # 17
    meld_size: npt.NDArray[Any]  # 17
    played: npt.NDArray[Any]  # 4
    banned: int
    named: int
    opened: int
    in_one_turn: int
    seen: int
    num_players: int
    turns: int
    rounds: int
    rules: Switches
    held: npt.NDArray[Any]  # 4
    after: npt.NDArray[Any]  # 4
    passed: npt.NDArray[Any]  # 4
    must: int
