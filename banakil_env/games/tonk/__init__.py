"""Tonk: a quick game with five cards each, for stakes, for two to four players.

Source: "Tonk" in the collection of rummy rules at denexa.com. docs/rules numbers these rules T1 to T12 and settles the
questions that they leave open. The most important rulings:

    T2.3  each seat with a dealt tonk decides in turn whether it shows it; no other seat decides
    T2.5  if several seats have a tonk, the round is a draw as soon as one seat shows it
    T3.5  the card taken may be discarded again, so that no look-ahead is needed
    T5.4  a seat whose spread another hits neither spreads nor hits in its next turn (`hold`)
    T6.1  a discard that fits a spread on the table may be slapped: the other seats decide one by one (`slaps`)
    T9.2  every card in a hand counts, even if it would be part of a spread (`count`)
    T9.5  a seat that drops and is caught pays, and is never paid

    switches    slaps, hold, count, high_tonk, low_tonk, stake, deals, max_turns, max_rounds
    presets     denexa (the defaults), quiet, gin, plain
    state       one NumPy record (`STATE`): rules, generator, match and round
    actions     one table for all rules and numbers of players (`GAME.actions`)
    observation a record of `OBSERVATION`; comes with the mask of the legal actions
    rewards     at the end of the episode: margin, points or win; points are stakes, and the highest score wins

This module is the plain interface, for people, tests and notebooks:

    >>> from banakil_env.games import tonk
    >>> state = tonk.new(num_players=2, seed=7)
    >>> tonk.apply(state, tonk.parse_action("draw"))
    >>> [tonk.action_text(action) for action in tonk.legal_actions(state)][-1]
"""

from __future__ import annotations

from banakil_env.games.tonk.game import GAME as GAME
from banakil_env.games.tonk.rules import Rules as Rules
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
