"""The record types of Mille, for type checkers. `make docs` generates this file from the fields."""

from __future__ import annotations

from typing import Any, Protocol

import numpy.typing as npt

from banakil_env.kit.table_records import TableObservation, TableState


class Switches(Protocol):
    """The switches in a state or an observation."""

    target: int
    skunk: int
    max_turns: int
    max_rounds: int
    clean: int
    double_skunk: int


class State(TableState, Protocol):
    """The record with the whole state; see `state.py`."""

    melds: npt.NDArray[Any]  # 2×13
    wild: npt.NDArray[Any]  # 2×12
    rules: Switches
    naturals: npt.NDArray[Any]  # 2
    chapeaux: npt.NDArray[Any]  # 2
    payment: npt.NDArray[Any]  # 2


class Observation(TableObservation, Protocol):
    """The observation of a seat; see `observation.py`."""

    melds: npt.NDArray[Any]  # 2×15
    wild: npt.NDArray[Any]  # 2×12
    top: int
    payment: npt.NDArray[Any]  # 2
    naturals: npt.NDArray[Any]  # 2
    chapeaux: npt.NDArray[Any]  # 2
    turns: int
    rounds: int
    rules: Switches
