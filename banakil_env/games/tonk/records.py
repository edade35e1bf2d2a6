"""The records of Tonk, for editors and type checkers. `make docs` makes this file of their fields."""

from __future__ import annotations

from typing import Any, Protocol

import numpy.typing as npt


class Switches(Protocol):
    """The switches in a state or an observation."""

    max_turns: int
    max_rounds: int
    stake: int
    deals: int
    slaps: int
    hold: int
    count: int
    high_tonk: int
    low_tonk: int


class State(Protocol):
    """The record that is the whole game; see `state.py`."""

    hands: npt.NDArray[Any]  # 4×1
    known: npt.NDArray[Any]  # 4×1
    melds: npt.NDArray[Any]  # 17
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
    banned: int
    named: int
    opened: int
    in_one_turn: int
    played: npt.NDArray[Any]  # 4
    seen: int
    num_melds: int
    meld_owner: npt.NDArray[Any]  # 17
    stock_size: int
    pile_size: int
    stock: npt.NDArray[Any]  # 52
    pile: npt.NDArray[Any]  # 52
    held: npt.NDArray[Any]  # 4
    must: int
    after: int


class Observation(Protocol):
    """What a seat sees; see `observation.py`."""

    hand: npt.NDArray[Any]  # 52
    known: npt.NDArray[Any]  # 4×52
    runs: npt.NDArray[Any]  # 52
    sets: npt.NDArray[Any]  # 52
    pile: npt.NDArray[Any]  # 52
    stock: npt.NDArray[Any]  # 52
    meld_kind: npt.NDArray[Any]  # 17
    meld_owner: npt.NDArray[Any]  # 17
    meld_low: npt.NDArray[Any]  # 17
    meld_size: npt.NDArray[Any]  # 17
    hand_size: npt.NDArray[Any]  # 4
    played: npt.NDArray[Any]  # 4
    to_move: npt.NDArray[Any]  # 4
    dealer: npt.NDArray[Any]  # 4
    phase: npt.NDArray[Any]  # 6
    banned: int
    named: int
    opened: int
    in_one_turn: int
    seen: int
    stock_size: int
    pile_size: int
    ending: int
    num_players: int
    episode: int
    scores: npt.NDArray[Any]  # 4
    turns: int
    rounds: int
    rules: Switches
    held: npt.NDArray[Any]  # 4
    after: npt.NDArray[Any]  # 4
    passed: npt.NDArray[Any]  # 4
    must: int
