"""The records of 500 Rummy, for editors and type checkers. `make docs` makes this file of their fields."""

from __future__ import annotations

from typing import Any, Protocol

import numpy.typing as npt


class Switches(Protocol):
    """The switches in a state or an observation."""

    target: int
    max_turns: int
    max_rounds: int
    calls: int
    stock_out: int
    jokers: int
    hand_cards: int


class State(Protocol):
    """The record that is the whole game; see `state.py`."""

    hands: npt.NDArray[Any]  # 8×4
    known: npt.NDArray[Any]  # 8×4
    melds: npt.NDArray[Any]  # 36
    rng: int
    scores: npt.NDArray[Any]  # 8
    points: npt.NDArray[Any]  # 8
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
    must: int
    named: int
    num_melds: int
    meld_owner: npt.NDArray[Any]  # 36
    stock_size: int
    pile_size: int
    stock: npt.NDArray[Any]  # 108
    pile: npt.NDArray[Any]  # 108
    laid_off: npt.NDArray[Any]  # 36
    laid: npt.NDArray[Any]  # 8
    discarder: int


class Observation(Protocol):
    """What a seat sees; see `observation.py`."""

    hand: npt.NDArray[Any]  # 53
    known: npt.NDArray[Any]  # 8×53
    table: npt.NDArray[Any]  # 53
    fits: npt.NDArray[Any]  # 53
    pile: npt.NDArray[Any]  # 53×4
    meld_kind: npt.NDArray[Any]  # 36
    meld_owner: npt.NDArray[Any]  # 36
    meld_size: npt.NDArray[Any]  # 36
    meld_low: npt.NDArray[Any]  # 36
    meld_cells: npt.NDArray[Any]  # 36×14
    hand_size: npt.NDArray[Any]  # 8
    to_move: npt.NDArray[Any]  # 8
    dealer: npt.NDArray[Any]  # 8
    phase: npt.NDArray[Any]  # 6
    must: int
    named: int
    named_end: int
    stock_size: int
    pile_size: int
    ending: int
    num_players: int
    episode: int
    scores: npt.NDArray[Any]  # 8
    turns: int
    rounds: int
    rules: Switches
    laid: npt.NDArray[Any]  # 8
    discarder: npt.NDArray[Any]  # 8
