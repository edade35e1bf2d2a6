"""The records of Contract Rummy, for editors and type checkers. `make docs` makes this file of their fields."""

from __future__ import annotations

from typing import Any, Protocol

import numpy.typing as npt


class Switches(Protocol):
    """The switches in a state or an observation."""

    max_turns: int
    max_rounds: int
    contract: int
    calls: int
    own_discard: int
    jokers: int


class State(Protocol):
    """The record that is the whole game; see `state.py`."""

    hands: npt.NDArray[Any]  # 5×4
    known: npt.NDArray[Any]  # 5×4
    melds: npt.NDArray[Any]  # 36
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
    calls: npt.NDArray[Any]  # 5
    contract: int
    active: int
    took: int
    named: int
    first: int
    num_melds: int
    meld_owner: npt.NDArray[Any]  # 36
    stock_size: int
    pile_size: int
    stock: npt.NDArray[Any]  # 108
    pile: npt.NDArray[Any]  # 108
    owed: int


class Observation(Protocol):
    """What a seat sees; see `observation.py`."""

    hand: npt.NDArray[Any]  # 53
    known: npt.NDArray[Any]  # 5×53
    table: npt.NDArray[Any]  # 53
    discards: npt.NDArray[Any]  # 53
    upcards: npt.NDArray[Any]  # 53
    pile: npt.NDArray[Any]  # 108
    meld_kind: npt.NDArray[Any]  # 36
    meld_owner: npt.NDArray[Any]  # 36
    meld_of: npt.NDArray[Any]  # 36
    meld_cells: npt.NDArray[Any]  # 36×14
    fits: npt.NDArray[Any]  # 52
    exchanges: npt.NDArray[Any]  # 52
    hand_size: npt.NDArray[Any]  # 5
    down: npt.NDArray[Any]  # 5
    calls: npt.NDArray[Any]  # 5
    to_move: npt.NDArray[Any]  # 5
    active: npt.NDArray[Any]  # 5
    took: npt.NDArray[Any]  # 5
    dealer: npt.NDArray[Any]  # 5
    phase: npt.NDArray[Any]  # 5
    contract: int
    named: int
    first: int
    stock_size: int
    pile_size: int
    ending: int
    num_players: int
    episode: int
    scores: npt.NDArray[Any]  # 5
    turns: int
    rounds: int
    rules: Switches
    owed: int
