"""Banakil: the Levantine rummy with 106 cards, wild Twos and Jokers, for two to four players.

Source: the rules published at pagat.com (John McLeod, from Sultan Ratrout), numbered B1 to B9 in docs/rules.md, where
what they leave open is settled; presets PAGAT, JAWAKER and GAMEFARM for the variants. Nothing is approximated.

    state       one NumPy record (`STATE`, 576 bytes): rules, generator, match and round
    actions     799, one table for all presets and numbers of players (docs/notation.md)
    observation 1000 bytes, a record of `OBSERVATION`; the mask of the legal actions beside it
    packs       106 cards, or smaller ones (B10); presets SINGLE and MINI
    rewards     at the end of the episode: margin, points or win

This module is the plain interface, for people, tests and notebooks:

    >>> from banakil_env.games import banakil
    >>> state = banakil.new(num_players=2, seed=7)
    >>> banakil.apply(state, banakil.parse_action("draw"))
    >>> [banakil.action_text(action) for action in banakil.legal_actions(state)][-1]
"""

from __future__ import annotations

import secrets
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.game import IllegalAction
from banakil_env.core.kernels import ILLEGAL
from banakil_env.core.random import check_seed, seed_word
from banakil_env.games.banakil import notation
from banakil_env.games.banakil.actions import NUM_ACTIONS, UnknownAction, action_text, parse_action
from banakil_env.games.banakil.faces import FACES
from banakil_env.games.banakil.game import GAME, KERNELS, explain, legal_list
from banakil_env.games.banakil.notation import PositionError, to_text
from banakil_env.games.banakil.observation import OBSERVATION
from banakil_env.games.banakil.records import Recorder, RecordError, replay, replay_states
from banakil_env.games.banakil.rules import GAMEFARM, JAWAKER, MINI, PAGAT, PRESETS, SINGLE, Rules, RulesError
from banakil_env.games.banakil.scoring import score_list
from banakil_env.games.banakil.setup import blank_state, rules_of
from banakil_env.games.banakil.state import OVER, STATE, TRUNCATIONS

__all__ = [
    "FACES",
    "GAME",
    "GAMEFARM",
    "JAWAKER",
    "MINI",
    "NUM_ACTIONS",
    "OBSERVATION",
    "PAGAT",
    "PRESETS",
    "SINGLE",
    "STATE",
    "IllegalAction",
    "PositionError",
    "RecordError",
    "Recorder",
    "Rules",
    "RulesError",
    "UnknownAction",
    "action_text",
    "apply",
    "fields",
    "from_text",
    "is_over",
    "is_truncated",
    "legal_actions",
    "new",
    "observe",
    "parse_action",
    "redeal_hidden",
    "replay",
    "replay_states",
    "rules_of",
    "scores",
    "seat_to_move",
    "to_text",
]


def new(
    num_players: int = 2,
    partners: bool | None = None,
    rules: str | Rules = "pagat",
    episode: str = "round",
    max_turns: int | None = None,
    seed: int | None = None,
) -> Any:
    """A game just dealt: one record of `STATE`.

    Args:
        num_players: 2, 3 or 4 (B1.2).
        partners: whether four play as partners; None means that they do.
        rules: a preset's name, switches behind it if wanted (`"pagat wilds=fixed"`), or a `Rules`.
        episode: "round" or "match".
        max_turns: turns after which a round ends unscored (B6.3), instead of the rules' own number.
        seed: 0..2**64 - 1; the same seed gives the same game on every machine and in every interface. None: by chance.

    Raises:
        RulesError: options that do not exist or do not fit together. ValueError: a seed that is none.
    """
    states = blank_state(num_players, partners, rules, episode, max_turns)
    KERNELS.start_one(states, seed_word(secrets.randbits(64) if seed is None else check_seed(seed)))
    return states[0]


def legal_actions(state: Any) -> list[int]:
    """The legal actions of the seat to move, ascending; empty only when the game is over."""
    _row(state)
    return legal_list(state)


def apply(state: Any, action: int) -> None:
    """Carry out an action of the seat to move, in place. IllegalAction: it is not legal; nothing has changed."""
    row = _row(state)
    if isinstance(action, bool) or not hasattr(action, "__index__") or not 0 <= action < NUM_ACTIONS:
        raise IllegalAction(explain(state, action))
    if KERNELS.apply_one(row, int(action)) == ILLEGAL:
        raise IllegalAction(explain(state, action))


def observe(state: Any, seat: int) -> dict[str, npt.NDArray[Any]]:
    """What a seat sees: `observation` (uint8, 1000) and `action_mask` (int8, 799; zero unless the seat is to move)."""
    row = _row(state)
    if not 0 <= seat < state["num_players"]:
        raise ValueError(f"there is no seat {seat!r}: {state['num_players']} play, seats from 0 on")
    observation = np.empty(1, OBSERVATION)
    mask = np.empty(NUM_ACTIONS, np.int8)
    KERNELS.observe_one(row, seat, observation, mask)
    return {"observation": observation.view(np.uint8), "action_mask": mask}


def fields(observation: npt.NDArray[np.uint8]) -> Any:
    """An observation as a record with its fields by name.

    A view, no copy. For a batch (n, 1000), an array of n records.
    """
    if observation.dtype != np.uint8 or observation.shape[-1:] != (OBSERVATION.itemsize,):
        raise ValueError(
            f"an observation is uint8 of length {OBSERVATION.itemsize}, "
            f"not {observation.dtype} of shape {observation.shape}"
        )
    records = observation.view(OBSERVATION)[..., 0]
    return records if observation.ndim > 1 else records[()]


def is_over(state: Any) -> bool:
    """Whether the round or match has ended, by the rules or for want of turns."""
    _row(state)
    return bool(state["phase"] == OVER)


def is_truncated(state: Any) -> bool:
    """Whether it has ended for want of turns or rounds (B6.3)."""
    _row(state)
    return bool(state["ending"] in TRUNCATIONS)


def seat_to_move(state: Any) -> int | None:
    """The seat to move; None when the game is over."""
    return None if is_over(state) else int(state["seat"])


def scores(state: Any) -> list[int]:
    """Whole points by seat (B7.4): of the round when it is over (zeros until then), in a match the score so far."""
    _row(state)
    return score_list(state)


def from_text(text: str) -> Any:
    """The position that a text describes, one record of `STATE`. PositionError: the line at fault, and why."""
    return notation.from_text(text)[0]


def redeal_hidden(state: Any, seat: int, seed: int) -> Any:
    """Another state that looks the same from this seat: what it cannot see is dealt anew, from `seed`."""
    other = _row(state).copy()
    if not 0 <= seat < state["num_players"]:
        raise ValueError(f"there is no seat {seat!r}: {state['num_players']} play, seats from 0 on")
    KERNELS.redeal_hidden_one(other, seat, seed_word(check_seed(seed)))
    return other[0]


def _row(state: Any) -> npt.NDArray[Any]:
    """The record as an array of one, sharing its memory."""
    row = np.asarray(state)
    if row.dtype != STATE or row.size != 1:
        raise TypeError(
            f"a state is one record of {STATE.itemsize} bytes, as new() and from_text() give it; "
            f"not {type(state).__name__} of dtype {row.dtype if row.dtype.names is None else 'with other fields'}, "
            f"size {row.size}"
        )
    return row.reshape(1)
