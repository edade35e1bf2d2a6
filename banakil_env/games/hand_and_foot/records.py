"""The records of Hand and Foot, for editors and type checkers. `make docs` makes this file of their fields."""

from __future__ import annotations

from typing import Any, Protocol

import numpy.typing as npt


class Switches(Protocol):
    """The switches in a state or an observation."""

    max_turns: int
    piles: npt.NDArray[Any]  # 3
    ask: int
    must_take: int
    deal_bonus: int


class State(Protocol):
    """The record that is the whole game; see `state.py`."""

    hands: npt.NDArray[Any]  # 4×14
    known: npt.NDArray[Any]  # 4×14
    red_threes: npt.NDArray[Any]  # 2×2
    stock_size: int
    pile_size: int
    stock: npt.NDArray[Any]  # 270
    pile: npt.NDArray[Any]  # 270
    feet: npt.NDArray[Any]  # 4×14
    naturals: npt.NDArray[Any]  # 2×13
    twos: npt.NDArray[Any]  # 2×13
    jokers: npt.NDArray[Any]  # 2×13
    complete: npt.NDArray[Any]  # 2×13×4
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
    deal_bonus: npt.NDArray[Any]  # 4


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
    complete: npt.NDArray[Any]  # 2×14
    clean: npt.NDArray[Any]  # 2×14
    dirty: npt.NDArray[Any]  # 2×14
    wild: npt.NDArray[Any]  # 2
    foot: npt.NDArray[Any]  # 4
    deal_bonus: npt.NDArray[Any]  # 4
    minimum: int
