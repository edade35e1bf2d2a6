"""The record types of Banakil, for type checkers. `make docs` generates this file from the fields."""

from __future__ import annotations

from typing import Any, Protocol

import numpy.typing as npt

from banakil_env.kit.table_records import TableObservation, TableState


class Switches(Protocol):
    """The switches in a state or an observation."""

    hand_bonus: npt.NDArray[Any]  # 2
    target: int
    max_turns: int
    partner_scoring: int
    cutter_takes_wilds: int
    unplayed_score_zero: int
    upcard: int
    wilds: int
    ace_value: int
    discard_taken: int
    set_joker_exchange: int
    score_exhausted: int
    max_rounds: int
    ranks: int
    suits: int
    copies: int
    twos: int
    jokers: int
    hand_cards: int


class State(TableState, Protocol):
    """The record with the whole state; see `state.py`."""

    rules: Switches
    melds: npt.NDArray[Any]  # 35
    partners: int
    taken: int
    banned: int
    played: int
    in_one_turn: int
    circling: int
    had_turn: int
    pending: int
    named: int
    num_melds: int
    melds_of: npt.NDArray[Any]  # 4


class Observation(TableObservation, Protocol):
    """The observation of a seat; see `observation.py`."""

    meld_owner: npt.NDArray[Any]  # 35
    meld_kind: npt.NDArray[Any]  # 35
    meld_two: npt.NDArray[Any]  # 35
    meld_joker: npt.NDArray[Any]  # 35
    meld_cards: npt.NDArray[Any]  # 35×12
    melded: npt.NDArray[Any]  # 4
    had_turn: npt.NDArray[Any]  # 4
    taken: int
    banned: int
    named: int
    swapping: int
    waiting_low: int
    played: int
    in_one_turn: int
    circling: int
    num_players: int
    partners: int
    partner_sum: int
    cutter_takes_wilds: int
    unplayed_score_zero: int
    upcard: int
    fixed_wilds: int
    ace_value: int
    has_hand_bonus: int
    hand_bonus: npt.NDArray[Any]  # 2
    discard_taken: int
    set_joker_exchange: int
    score_exhausted: int
    fewer_ranks: npt.NDArray[Any]  # 2
    fewer_suits: int
    fewer_copies: int
    fewer_dealt: int
    target: int
    turns_left: int
    rounds_left: int
