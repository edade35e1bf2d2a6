"""The records of Yaniv, for editors and type checkers. `make docs` makes this file of their fields."""

from __future__ import annotations

from typing import Any, Protocol

import numpy.typing as npt


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


class State(Protocol):
    """The record that is the whole game; see `state.py`."""

    hands: npt.NDArray[Any]  # 5×4
    known: npt.NDArray[Any]  # 5×4
    rng: int
    scores: npt.NDArray[Any]  # 5
    points: npt.NDArray[Any]  # 5
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
    out: int
    last: int
    laid_size: int
    laid: npt.NDArray[Any]  # 5
    stock_size: int
    pile_size: int
    stock: npt.NDArray[Any]  # 108
    pile: npt.NDArray[Any]  # 108


class Observation(Protocol):
    """What a seat sees; see `observation.py`."""

    hand: npt.NDArray[Any]  # 53
    known: npt.NDArray[Any]  # 5×53
    pile: npt.NDArray[Any]  # 53
    ends: npt.NDArray[Any]  # 53
    last: npt.NDArray[Any]  # 5
    laid: npt.NDArray[Any]  # 5
    last_size: int
    laid_size: int
    hand_size: npt.NDArray[Any]  # 5
    out: npt.NDArray[Any]  # 5
    to_move: npt.NDArray[Any]  # 5
    dealer: npt.NDArray[Any]  # 5
    phase: npt.NDArray[Any]  # 3
    stock_size: int
    pile_size: int
    ending: int
    num_players: int
    episode: int
    scores: npt.NDArray[Any]  # 5
    turns: int
    rounds: int
    rules: Switches
