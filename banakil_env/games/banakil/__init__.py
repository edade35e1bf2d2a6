"""Banakil: the Levantine rummy with 106 cards, wild Twos and Jokers, for two to four players.

Source: the rules published at pagat.com (John McLeod, from Sultan Ratrout), numbered B1 to B9 in docs/rules/banakil.md,
which settles the questions that they leave open; presets PAGAT, JAWAKER and GAMEFARM for the variants. Nothing is
approximated.

    state       one NumPy record (`STATE`, 575 bytes): rules, generator, match and round
    actions     799, one table for all presets and numbers of players (docs/notation.md)
    observation 1000 bytes, a record of `OBSERVATION`; comes with the mask of the legal actions
    packs       106 cards, or smaller ones (B10); presets SINGLE and MINI
    rewards     at the end of the episode: margin, points or win

This module is the plain interface, for people, tests and notebooks:

    >>> from banakil_env.games import banakil
    >>> state = banakil.new(num_players=2, seed=7)
    >>> banakil.apply(state, banakil.parse_action("draw"))
    >>> [banakil.action_text(action) for action in banakil.legal_actions(state)][-1]
"""

from __future__ import annotations

from banakil_env.core.actions import UnknownAction
from banakil_env.core.game import BadState, IllegalAction, PositionError
from banakil_env.games.banakil.actions import NUM_ACTIONS
from banakil_env.games.banakil.faces import FACES
from banakil_env.games.banakil.game import GAME
from banakil_env.games.banakil.observation import OBSERVATION
from banakil_env.games.banakil.rules import GAMEFARM, JAWAKER, MINI, PAGAT, PRESETS, SINGLE, Rules
from banakil_env.games.banakil.state import STATE
from banakil_env.kit.plain import Plain
from banakil_env.kit.records import RecordError
from banakil_env.kit.switches import RulesError

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
    "BadState",
    "IllegalAction",
    "PositionError",
    "RecordError",
    "Recorder",
    "Rules",
    "RulesError",
    "UnknownAction",
    "action_text",
    "apply",
    "check",
    "fields",
    "from_bytes",
    "from_text",
    "is_over",
    "is_truncated",
    "legal_actions",
    "new",
    "observe",
    "parse_action",
    "redeal_hidden",
    "replay",
    "replay_moves",
    "replay_states",
    "rules_of",
    "scores",
    "seat_to_move",
    "to_text",
]

_plain = Plain(GAME)
new, from_text, from_bytes, to_text = _plain.new, _plain.from_text, _plain.from_bytes, _plain.to_text
legal_actions, apply, action_text, parse_action = (
    _plain.legal_actions,
    _plain.apply,
    _plain.action_text,
    _plain.parse_action,
)
observe, fields, redeal_hidden, check = _plain.observe, _plain.fields, _plain.redeal_hidden, _plain.check
is_over, is_truncated, seat_to_move, scores = _plain.is_over, _plain.is_truncated, _plain.seat_to_move, _plain.scores
rules_of, Recorder, replay, replay_states, replay_moves = (
    _plain.rules_of,
    _plain.recorder,
    _plain.replay,
    _plain.replay_states,
    _plain.replay_moves,
)
