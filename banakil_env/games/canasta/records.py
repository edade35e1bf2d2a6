"""The records of Canasta, for editors and type checkers. `make docs` makes this file of their fields."""

from __future__ import annotations

from typing import Any, Protocol

import numpy.typing as npt


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


class State(Protocol):
    """The record that is the whole game; see `state.py`."""

    hands: npt.NDArray[Any]  # 4×14
    known: npt.NDArray[Any]  # 4×14
    red_threes: npt.NDArray[Any]  # 2×2
    stock_size: int
    pile_size: int
    stock: npt.NDArray[Any]  # 108
    pile: npt.NDArray[Any]  # 108
    naturals: npt.NDArray[Any]  # 2×12
    twos: npt.NDArray[Any]  # 2×12
    jokers: npt.NDArray[Any]  # 2×12
    rng: int
    scores: npt.NDArray[Any]  # 4
    points: npt.NDArray[Any]  # 4
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
    opening: int
    taking: int
    answer: int
    last: int
    concealed: int


class Observation(Protocol):
    """What a seat sees; see `observation.py`."""

    hand: npt.NDArray[Any]  # 14
    known: npt.NDArray[Any]  # 4×14
    naturals: npt.NDArray[Any]  # 2×14
    twos: npt.NDArray[Any]  # 2×14
    jokers: npt.NDArray[Any]  # 2×14
    pile: npt.NDArray[Any]  # 14
    top: int
    red_threes: npt.NDArray[Any]  # 2
    hand_size: npt.NDArray[Any]  # 4
    to_move: npt.NDArray[Any]  # 4
    dealer: npt.NDArray[Any]  # 4
    phase: npt.NDArray[Any]  # 4
    opening: int
    taking: int
    answer: int
    last: int
    stock_size: int
    pile_size: int
    ending: int
    episode: int
    scores: npt.NDArray[Any]  # 2
    turns: int
    rounds: int
    rules: Switches
    pile_reds: int
    frozen: int
    concealed: int
    minimum: npt.NDArray[Any]  # 2
    num_players: int
