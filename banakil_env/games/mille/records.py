"""The records of Mille, for editors and type checkers. `make docs` makes this file of their fields."""

from __future__ import annotations

from typing import Any, Protocol

import numpy.typing as npt


class Switches(Protocol):
    """The switches in a state or an observation."""

    target: int
    skunk: int
    max_turns: int
    max_rounds: int
    clean: int
    double_skunk: int


class State(Protocol):
    """The record that is the whole game; see `state.py`."""

    hands: npt.NDArray[Any]  # 2×13
    known: npt.NDArray[Any]  # 2×13
    melds: npt.NDArray[Any]  # 2×13
    wild: npt.NDArray[Any]  # 2×12
    rng: int
    scores: npt.NDArray[Any]  # 2
    points: npt.NDArray[Any]  # 2
    turns: int
    rounds: int
    rules: Switches
    num_players: int
    episode: int
    dealer: int
    seat: int
    phase: int
    ending: int
    winner: int
    naturals: npt.NDArray[Any]  # 2
    chapeaux: npt.NDArray[Any]  # 2
    payment: npt.NDArray[Any]  # 2
    stock_size: int
    pile_size: int
    stock: npt.NDArray[Any]  # 104
    pile: npt.NDArray[Any]  # 104


class Observation(Protocol):
    """What a seat sees; see `observation.py`."""

    hand: npt.NDArray[Any]  # 15
    known: npt.NDArray[Any]  # 2×15
    melds: npt.NDArray[Any]  # 2×15
    wild: npt.NDArray[Any]  # 2×12
    pile: npt.NDArray[Any]  # 15
    top: int
    hand_size: npt.NDArray[Any]  # 2
    to_move: npt.NDArray[Any]  # 2
    dealer: npt.NDArray[Any]  # 2
    phase: npt.NDArray[Any]  # 3
    stock_size: int
    pile_size: int
    ending: int
    payment: npt.NDArray[Any]  # 2
    episode: int
    scores: npt.NDArray[Any]  # 2
    naturals: npt.NDArray[Any]  # 2
    chapeaux: npt.NDArray[Any]  # 2
    turns: int
    rounds: int
    rules: Switches
