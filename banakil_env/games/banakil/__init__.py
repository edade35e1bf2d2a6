"""Banakil: the Levantine rummy with 106 cards, wild Twos and Jokers, for two to four players.

Source: the rules published at pagat.com (John McLeod, from Sultan Ratrout). docs/rules/banakil.md numbers them B1 to B9
and settles the questions that they leave open. The presets `pagat`, `jawaker` and `gamefarm` are the variants.
No rule is approximated.

    state       one NumPy record (`STATE`, 572 bytes): rules, generator, match and round
    actions     799, one table for all presets and numbers of players (docs/notation.md)
    observation 1000 bytes, a record of `OBSERVATION`; comes with the mask of the legal actions
    packs       106 cards, or smaller ones (B10); presets `single` and `mini`
    rewards     at the end of the episode: margin, points or win

This module is the plain interface, for people, tests and notebooks:

    >>> from banakil_env.games import banakil
    >>> state = banakil.new(num_players=2, seed=7)
    >>> banakil.apply(state, banakil.parse_action("draw"))
    >>> [banakil.action_text(action) for action in banakil.legal_actions(state)][-1]
"""

from __future__ import annotations

from banakil_env.games.banakil.actions import NUM_ACTIONS as NUM_ACTIONS
from banakil_env.games.banakil.faces import FACES as FACES
from banakil_env.games.banakil.game import GAME as GAME
from banakil_env.games.banakil.rules import Rules as Rules
from banakil_env.kit.errors import *
from banakil_env.kit.plain import Plain

STATE, OBSERVATION = GAME.state, GAME.observation

_plain = Plain(GAME)
new, from_text, from_bytes, to_text = _plain.new, _plain.from_text, _plain.from_bytes, _plain.to_text
legal_actions, apply = _plain.legal_actions, _plain.apply
action_text, parse_action = _plain.action_text, _plain.parse_action
observe, fields, redeal_hidden, check = _plain.observe, _plain.fields, _plain.redeal_hidden, _plain.check
is_over, is_truncated, seat_to_move, scores = _plain.is_over, _plain.is_truncated, _plain.seat_to_move, _plain.scores
rules_of, Recorder, replay = _plain.rules_of, _plain.recorder, _plain.replay
replay_states, replay_moves = _plain.replay_states, _plain.replay_moves
