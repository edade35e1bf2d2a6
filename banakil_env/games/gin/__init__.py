"""Gin Rummy, for two players with one pack of 52 cards.

Source: the preset `openspiel` is the game `gin_rummy` of OpenSpiel 2.0.2. It has the same decisions, and tests play
both implementations against each other. The preset `common` is the game as most people play it; it follows no single
book. docs/rules numbers the rules G1 to G12. The most important rulings:

    G3    the first upcard is offered to both seats before the first draw
    G4.2  OpenSpiel lets a seat discard the card that it has just taken (`return_taken`)
    G5    a knock shows the hand; then the knocker discards, lays its melds one by one, and passes when it is done
    G6    the other seat lays off on the melds of a knocker that has not gone gin, then lays its melds
    G7    with two cards in the stock OpenSpiel lets a seat knock with the upcard (`wall`)
    G8.3  the knocker is undercut if the other seat has less deadwood, or as much

    switches    knock_card, oklahoma, the bonuses, big_gin, wall, return_taken, repeats, upcard_limit, the match, limits
    presets     openspiel (the defaults), common
    state       one NumPy record (`STATE`): rules, generator, match and round
    actions     one table for all rules (`GAME.actions`)
    observation a record of `OBSERVATION`; comes with the mask of the legal actions
    rewards     at the end of the episode: margin (the returns of OpenSpiel), points or win; the highest score wins

This module is the plain interface, for people, tests and notebooks:

    >>> from banakil_env.games import gin
    >>> state = gin.new(seed=7)
    >>> gin.apply(state, gin.parse_action("pass"))
    >>> [gin.action_text(action) for action in gin.legal_actions(state)]
"""

from __future__ import annotations

from banakil_env.games.gin.game import GAME as GAME
from banakil_env.games.gin.rules import Rules as Rules
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
