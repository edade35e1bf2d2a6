"""Oklahoma Rummy (Arlington): melds of three and four cards, wild Twos, the pile taken whole; for two to eight players.

Source: "Oklahoma Rummy (Arlington)" in the collection of rummy rules at denexa.com. docs/rules numbers these rules O1
to O12 and settles the questions that they leave open. The most important rulings:

    O2.1  eight players get eleven cards each, all others thirteen
    O3.3  the top card of the pile is melded with two cards of the hand before the rest of the pile is taken
    O4.2  a set may have the same card twice (`set_suits`)
    O4.4  only Twos are added to a meld of Twos
    O5.2  a set or run has at least one natural card; otherwise Twos are free
    O7.3  a hand of only Queens of spades ends the turn without a discard: `pass`
    O8.2  an empty stock is renewed from the pile (`stock_out`)
    O9.3  a Two is worth the card that it represents: the Queen of spades 50 in a run, any Queen 10 in a set

    switches    set_suits, stock_out, hand_cards, out_bonus, target, max_turns, max_rounds
    presets     denexa (the defaults), strict, eleven
    state       one NumPy record (`STATE`): rules, generator, match and round
    actions     one table for all rules and numbers of players (`GAME.actions`)
    observation a record of `OBSERVATION`; comes with the mask of the legal actions
    rewards     at the end of the episode: margin, points or win; the highest score wins

This module is the plain interface, for people, tests and notebooks:

    >>> from banakil_env.games import oklahoma
    >>> state = oklahoma.new(num_players=3, seed=7)
    >>> oklahoma.apply(state, oklahoma.parse_action("draw"))
    >>> [oklahoma.action_text(action) for action in oklahoma.legal_actions(state)][-1]
"""

from __future__ import annotations

from banakil_env.games.oklahoma.game import GAME as GAME
from banakil_env.games.oklahoma.rules import Rules as Rules
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
