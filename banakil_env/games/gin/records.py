"""The records of Gin Rummy, for editors and type checkers. `make docs` makes this file of their fields."""

from __future__ import annotations

from typing import Any, Protocol

import numpy.typing as npt


class Switches(Protocol):
    """The switches in a state or an observation."""

    target: int
    max_turns: int
    max_rounds: int
    upcard_limit: int
    deals: int
    game_bonus: int
    knock_card: int
    oklahoma: int
    knock_count: int
    gin_bonus: int
    undercut_bonus: int
    tie: int
    big_gin: int
    wall: int
    lay_offs: int
    return_taken: int
    repeats: int
    shutout: int
    line_bonus: int


class State(Protocol):
    """The record that is the whole game; see `state.py`."""

    hands: npt.NDArray[Any]  # 2×1
    known: npt.NDArray[Any]  # 2×1
    melds: npt.NDArray[Any]  # 17
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
    banned: int
    named: int
    opened: int
    in_one_turn: int
    played: npt.NDArray[Any]  # 2
    seen: int
    num_melds: int
    meld_owner: npt.NDArray[Any]  # 17
    stock_size: int
    pile_size: int
    stock: npt.NDArray[Any]  # 52
    pile: npt.NDArray[Any]  # 52
    taken: int
    repeated: int
    upcards: int
    limit: int
    doubled: int
    laid_off: int
    boxes: npt.NDArray[Any]  # 2


class Observation(Protocol):
    """What a seat sees; see `observation.py`."""

    hand: npt.NDArray[Any]  # 52
    known: npt.NDArray[Any]  # 2×52
    runs: npt.NDArray[Any]  # 52
    sets: npt.NDArray[Any]  # 52
    pile: npt.NDArray[Any]  # 52
    stock: npt.NDArray[Any]  # 52
    meld_kind: npt.NDArray[Any]  # 17
    meld_owner: npt.NDArray[Any]  # 17
    meld_low: npt.NDArray[Any]  # 17
    meld_size: npt.NDArray[Any]  # 17
    hand_size: npt.NDArray[Any]  # 2
    played: npt.NDArray[Any]  # 2
    to_move: npt.NDArray[Any]  # 2
    dealer: npt.NDArray[Any]  # 2
    phase: npt.NDArray[Any]  # 10
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
    scores: npt.NDArray[Any]  # 2
    turns: int
    rounds: int
    rules: Switches
    taken: int
    repeated: int
    upcards: int
    limit: int
    doubled: int
    laid_off: npt.NDArray[Any]  # 52
    boxes: npt.NDArray[Any]  # 2
