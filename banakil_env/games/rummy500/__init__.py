"""500 Rummy: cards score for the seat that lays them down; one pack with Jokers or two, for two to eight players.

Source: "500 Rummy" in the collection of rummy rules at denexa.com. docs/rules numbers these rules F1 to F12 and settles
the questions that they leave open. The most important rulings:

    F3.4  after `take k` the next play must contain the deepest card taken; other cards of the pile may be used with it
    F4.5  an Ace that fits both ends of a run is added at the high end
    F5.3  a Joker in a set is given a suit, and no suit is there twice
    F5.4  a meld is opened with at least one natural card; otherwise Jokers are free
    F6.3  a card laid off on another seat's meld scores for the seat that laid it off
    F7.1  after a discard every other seat, the next one first, may call "Rummy!"
    F7.4  the caller takes the cards, has to play the deepest, and may use its hand for that play
    F8.2  the round ends at once when the last card of the stock has been drawn (`stock_out`)

    switches    calls, stock_out, jokers, hand_cards, target, max_turns, max_rounds
    presets     denexa (the defaults), quiet, turn, plain
    state       one NumPy record (`STATE`): rules, generator, match and round
    actions     one table for all rules and numbers of players (`GAME.actions`)
    observation a record of `OBSERVATION`; comes with the mask of the legal actions
    rewards     at the end of the episode: margin, points or win; the highest score wins

This module is the plain interface, for people, tests and notebooks:

    >>> from banakil_env.games import rummy500
    >>> state = rummy500.new(num_players=3, seed=7)
    >>> rummy500.apply(state, rummy500.parse_action("draw"))
    >>> [rummy500.action_text(action) for action in rummy500.legal_actions(state)][-1]
"""

from __future__ import annotations

from banakil_env.games.rummy500.game import GAME as GAME
from banakil_env.games.rummy500.rules import Rules as Rules
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
