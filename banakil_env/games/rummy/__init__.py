"""Rummy: the basic game with one pack of 52 cards, for two to six players.

Source: "Rummy" in the collection of rummy rules at denexa.com. docs/rules numbers these rules R1 to R12 and settles
the questions that they leave open. The most important rulings:

    R3.4  if the stock is empty, the pile is shuffled to renew it, except its top card (`stock_out`)
    R4.3  a meld is opened with three cards; more are laid off on it, in the same turn or later
    R5.1  a seat opens one meld per turn, unless it goes rummy (`melds`)
    R5.3  if a card fits several melds, `meld k` chooses one
    R6.2  the last card may be discarded, melded or laid off (`last_card`)
    R6.3  a play is illegal if the turn could not be ended after it
    R7.2  a second meld in the first turn is legal only if every card can leave the hand, which is computed exactly
    R9.2  every card in a hand counts, even if it would be part of a meld

    switches    melds, last_card, stock_out, rummy_factor, target, deals, max_turns, max_rounds
    presets     denexa (the defaults), memory, free, block
    state       one NumPy record (`STATE`): rules, generator, match and round
    actions     one table for all rules and numbers of players (`GAME.actions`)
    observation a record of `OBSERVATION`; comes with the mask of the legal actions
    rewards     at the end of the episode: margin, points or win; the highest score wins

This module is the plain interface, for people, tests and notebooks:

    >>> from banakil_env.games import rummy
    >>> state = rummy.new(num_players=2, seed=7)
    >>> rummy.apply(state, rummy.parse_action("draw"))
    >>> [rummy.action_text(action) for action in rummy.legal_actions(state)][-1]
"""

from __future__ import annotations

from banakil_env.games.rummy.game import GAME as GAME
from banakil_env.games.rummy.rules import Rules as Rules
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
