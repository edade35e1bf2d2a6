"""The record types of Canasta, for type checkers. `make docs` generates this file from the fields."""

from __future__ import annotations

from typing import Any, Protocol

import numpy.typing as npt

from banakil_env.kit.table_records import TableObservation, TableState


class Switches(Protocol):
    """The switches in a state or an observation."""

    target: int
    max_turns: int
    max_rounds: int
    canastas: int
    ask: int
    must_take: int
    frozen_before_meld: int
    lone_take: int
    red_threes_against: int


class State(TableState, Protocol):
    """The record with the whole state; see `state.py`."""

    red_threes: npt.NDArray[Any]  # 2×2
    naturals: npt.NDArray[Any]  # 2×12
    twos: npt.NDArray[Any]  # 2×12
    jokers: npt.NDArray[Any]  # 2×12
    rules: Switches
    opening: int
    taking: int
    answer: int
    last: int
    concealed: int


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
    pile_reds: int
    frozen: int
    concealed: int
    minimum: npt.NDArray[Any]  # 2
    num_players: int
