"""Canasta: the partnership game for four, and its form for two, with two packs and four Jokers.

Source: "Canasta" and "Canasta for two players" in the collection of rummy rules at denexa.com. docs/rules numbers these
rules C1 to C11 and settles the questions that they leave open. The most important rulings:

    C1.4  suits are stored, but actions do not name them
    C3.5  a play is illegal if the turn could not be ended after it, which is computed exactly
    C4.5  black Threes are laid down last, by the seat that goes out
    C5.4  only the upcard of the pile counts for a first meld; the rest is taken when the value is reached
    C6.3  if the upcard fits a meld of the side, it can only be taken for that meld
    C7.4  if a seat asks its partner before going out, the answer is binding
    C8.1  without a stock, a seat that can take the pile must take it (`must_take`)
    C9.3  red Threes also count for a side without melds (`red_threes_against`)

    switches    canastas, ask, must_take, frozen_before_meld, lone_take, red_threes_against, target, max_turns,
                max_rounds
    presets     denexa (the defaults), classic
    state       one NumPy record (`STATE`): rules, generator, match and round
    actions     one table for all rules and numbers of players (`GAME.actions`)
    observation a record of `OBSERVATION`; comes with the mask of the legal actions
    rewards     at the end of the episode: margin, points or win; the highest score wins, partners together

This module is the plain interface, for people, tests and notebooks:

    >>> from banakil_env.games import canasta
    >>> state = canasta.new(num_players=4, seed=7)
    >>> canasta.apply(state, canasta.parse_action("draw"))
    >>> [canasta.action_text(action) for action in canasta.legal_actions(state)][-1]
"""

from __future__ import annotations

from banakil_env.games.canasta.game import GAME as GAME
from banakil_env.games.canasta.rules import Rules as Rules
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
