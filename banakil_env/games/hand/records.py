"""The record types of Hand, for type checkers. `make docs` generates this file from the fields."""

from __future__ import annotations

from typing import Any, Protocol

import numpy.typing as npt

from banakil_env.kit.table_records import TableObservation, TableState


class Switches(Protocol):
    """The switches in a state or an observation."""

    max_turns: int
    max_rounds: int
    max_unscored: int
    wilds: int
    deal: int
    ace_hand: int
    ace_low: int
    ace_high: int
    first_meld: int
    rising: int
    take_to_add: int
    wild_discard: int
    reuse_wild: int
    add_to_pair: int
    stock_end: int
    win_first_turn: int
    wild_out: int
    one_colour: int
    one_suit: int
    two_wilds_out: int
    rounds: int
    last_deals: int


class State(TableState, Protocol):
    """The record with the whole state; see `state.py`."""

    rules: Switches
    melds: npt.NDArray[Any]  # 35
    unscored: int
    partners: int
    indicator: int
    need: int
    taken: int
    named: int
    in_one_turn: int
    laid_off: int
    down_to_one: int
    owes_wild: int
    num_melds: int
    meld_owner: npt.NDArray[Any]  # 35


class Observation(TableObservation, Protocol):
    """The observation of a seat; see `observation.py`."""

    laid: npt.NDArray[Any]  # 53
    meld_owner: npt.NDArray[Any]  # 35
    meld_kind: npt.NDArray[Any]  # 35
    meld_low: npt.NDArray[Any]  # 35
    meld_size: npt.NDArray[Any]  # 35
    meld_wild: npt.NDArray[Any]  # 35
    meld_suits: npt.NDArray[Any]  # 35
    melded: npt.NDArray[Any]  # 4
    indicator: int
    taken: int
    named: int
    named_card: int
    swapping: int
    in_one_turn: int
    laid_off: int
    down_to_one: int
    owes_wild: int
    need: int
    num_players: int
    partners: int
    turns: int
    rounds: int
    unscored: int
    rules: Switches
