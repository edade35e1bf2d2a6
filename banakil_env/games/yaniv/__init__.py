"""Yaniv (Jhyap, Dhumbal): discard before you draw, and call with five points or fewer; two to five players.

Source: "Yaniv" in the collection of rummy rules at denexa.com. docs/rules numbers these rules Y1 to Y7 and settles the
questions that they leave open. The most important rulings:

    Y1.2  four and five players use two packs, for the whole game (`packs`)
    Y2.4  a single card, or a discard with equal ends, is taken only by `take last`
    Y2.6  when the last card of the stock is drawn, all discards but the last one are shuffled at once
    Y3.4  a run is laid upwards, with each Joker at its place; only runs have Jokers
    Y3.5  of the orders of a set with the same two ends, only one is legal
    Y4.1  an equal total does not beat the caller (`tie`)
    Y6.4  if a round would eliminate all remaining seats, those with the lowest scores stay in

    switches    packs, call_limit, tie, asaf_zero, penalty, halving, target, first, max_turns, max_rounds
    presets     denexa (the defaults), asaf
    state       one NumPy record (`STATE`): rules, generator, match and round
    actions     one table for all rules and numbers of players (`GAME.actions`); a discard is laid card by card
    observation a record of `OBSERVATION`; comes with the mask of the legal actions
    rewards     at the end of the episode: margin, points or win; the lowest score wins, so rewards change sign

This module is the plain interface, for people, tests and notebooks:

    >>> from banakil_env.games import yaniv
    >>> state = yaniv.new(num_players=2, seed=7)
    >>> yaniv.apply(state, yaniv.legal_actions(state)[-1])
    >>> [yaniv.action_text(action) for action in yaniv.legal_actions(state)][-1]
"""

from __future__ import annotations

from banakil_env.games.yaniv.game import GAME as GAME
from banakil_env.games.yaniv.rules import Rules as Rules
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
