"""Mille: two players, two packs, melds of one rank, wild Twos, and a match to 1200 points.

Source: "Mille" in the collection of rummy rules at denexa.com. docs/rules numbers these rules M1 to M9 and settles the
questions that they leave open. The most important rulings:

    M1.4  actions name kinds: Jd and Qs, which are worth more than other jacks and queens, are separate kinds
    M4.1  one natural card and two Twos are a meld
    M5.2  a Two on top of the pile is never taken
    M5.3  an empty stock is renewed from the pile after the discard of that turn
    M6.3  both players can have a clean natural (`clean`)
    M7.3  a double skunk: the match score of the loser is below zero (`double_skunk`)

    switches    clean, target, skunk, double_skunk, max_turns, max_rounds
    presets     denexa (the defaults)
    state       one NumPy record (`STATE`): rules, generator, match and round
    actions     one table for all rules (`GAME.actions`)
    observation a record of `OBSERVATION`; comes with the mask of the legal actions
    rewards     at the end of the episode: margin, points or win; the highest score wins; `payment` is in the state

This module is the plain interface, for people, tests and notebooks:

    >>> from banakil_env.games import mille
    >>> state = mille.new(seed=7)
    >>> mille.apply(state, mille.parse_action("draw"))
    >>> [mille.action_text(action) for action in mille.legal_actions(state)][-1]
"""

from __future__ import annotations

from banakil_env.games.mille.game import GAME as GAME
from banakil_env.games.mille.rules import Rules as Rules
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
