"""The record types of Hand and Foot, for type checkers. `make docs` generates this file from the fields."""

from __future__ import annotations

from typing import Any, Protocol

import numpy.typing as npt

from banakil_env.kit.table_records import TableObservation, TableState


class Switches(Protocol):
    """The switches in a state or an observation."""

    max_turns: int
    piles: npt.NDArray[Any]  # 3
    ask: int
    must_take: int
    deal_bonus: int


class State(TableState, Protocol):
    """The record with the whole state; see `state.py`."""

    red_threes: npt.NDArray[Any]  # 2×2
    feet: npt.NDArray[Any]  # 4×14
    naturals: npt.NDArray[Any]  # 2×13
    twos: npt.NDArray[Any]  # 2×13
    jokers: npt.NDArray[Any]  # 2×13
    complete: npt.NDArray[Any]  # 2×13×4
    rules: Switches
    opening: int
    taking: int
    answer: int
    last: int
    deal_bonus: npt.NDArray[Any]  # 4


class Observation(TableObservation, Protocol):
    """The observation of a seat; see `observation.py`."""

    naturals: npt.NDArray[Any]  # 2×14
    twos: npt.NDArray[Any]  # 2×14
    jokers: npt.NDArray[Any]  # 2×14
    top: int
    red_threes: npt.NDArray[Any]  # 2
    opening: int
    taking: int
    answer: int
    last: int
    turns: int
    rounds: int
    rules: Switches
    complete: npt.NDArray[Any]  # 2×14
    clean: npt.NDArray[Any]  # 2×14
    dirty: npt.NDArray[Any]  # 2×14
    wild: npt.NDArray[Any]  # 2
    foot: npt.NDArray[Any]  # 4
    deal_bonus: npt.NDArray[Any]  # 4
    minimum: int
