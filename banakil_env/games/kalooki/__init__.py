"""Kalooki (Jamaica): Contract Rummy with calls that the mover can refuse and Jokers that move; three to five players.

Source: "Kalooki" in the collection of rummy rules at denexa.com. docs/rules numbers these rules K1 to K12 and settles
the questions that they leave open. The most important rulings:

    K1.3  the fourth contract is three fours, the ninth four fours
    K2.4  when the mover wants to draw from the stock, the other seats may call one by one; one call per turn
    K2.8  the stock is renewed once per round; the second time the round is over, and nobody scores
    K5.1  the contract is met with threes of three and fours of four cards
    K5.3  an opening is legal only if the contract can be met after it and the turn ended, which is computed exactly
    K6.3  a Joker that makes room goes to the end of its four, but not in a four of fourteen cards
    K9.1  seats with equal lowest totals share the match

    switches    contract, calls, own_discard, threes, max_turns, max_rounds
    presets     denexa (the defaults), super
    state       one NumPy record (`STATE`): rules, generator, match and round
    actions     one table for all rules and numbers of players (`GAME.actions`)
    observation a record of `OBSERVATION`; comes with the mask of the legal actions
    rewards     at the end of the episode: margin, points or win; the lowest total wins

This module is the plain interface, for people, tests and notebooks:

    >>> from banakil_env.games import kalooki
    >>> state = kalooki.new(num_players=4, seed=7)
    >>> kalooki.apply(state, kalooki.parse_action("draw"))
    >>> [kalooki.action_text(action) for action in kalooki.legal_actions(state)]
    ['call', 'pass']
"""

from __future__ import annotations

from banakil_env.games.kalooki.game import GAME as GAME
from banakil_env.games.kalooki.rules import Rules as Rules
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
