"""The record types of the table, for type checkers. `make docs` generates this file from the fields."""

from __future__ import annotations

from typing import Any, Protocol

import numpy.typing as npt


class TableState(Protocol):
    """The fields that the state record has in every game."""

    hands: npt.NDArray[Any]
    known: npt.NDArray[Any]
    rng: int
    scores: npt.NDArray[Any]
    points: npt.NDArray[Any]
    turns: int
    rounds: int
    num_players: int
    episode: int
    dealer: int
    seat: int
    phase: int
    ending: int
    winner: int
    stock_size: int
    pile_size: int
    stock: npt.NDArray[Any]
    pile: npt.NDArray[Any]


class TableObservation(Protocol):
    """The fields that the observation record has in every game."""

    hand: npt.NDArray[Any]
    known: npt.NDArray[Any]
    pile: npt.NDArray[Any]
    hand_size: npt.NDArray[Any]
    to_move: npt.NDArray[Any]
    dealer: npt.NDArray[Any]
    phase: npt.NDArray[Any]
    stock_size: int
    pile_size: int
    ending: int
    episode: int
    scores: npt.NDArray[Any]
