"""Contract Rummy: in every round the first melds must meet a contract; two packs with Jokers, three to five players.

Source: "Contract Rummy" in the collection of rummy rules at denexa.com. docs/rules numbers these rules N1 to N12 and
settles the questions that they leave open. The most important rulings:

    N2.4  after the mover has drawn, each other seat in turn may call "May I?" for the upcard, then for the card under
          it (`calls`)
    N4.2  a set is opened with at most one Joker, a run with at most two (`jokers`)
    N5.1  the contract is met with sets of exactly three and runs of exactly four cards
    N5.5  an opening is legal only if the contract can be met after it, which is computed exactly
    N6.4  a Joker taken from a run must be among the cards that open a new meld in the same turn
    N7    the seventh contract is laid down whole, without a discard
    N9.1  seats with equal lowest totals share the match

    switches    contract, calls, own_discard, jokers, max_turns, max_rounds
    presets     denexa (the defaults)
    state       one NumPy record (`STATE`): rules, generator, match and round
    actions     one table for all rules and numbers of players (`GAME.actions`)
    observation a record of `OBSERVATION`; comes with the mask of the legal actions
    rewards     at the end of the episode: margin, points or win; the lowest total wins

This module is the plain interface, for people, tests and notebooks:

    >>> from banakil_env.games import contract
    >>> state = contract.new(num_players=4, seed=7)
    >>> contract.apply(state, contract.parse_action("draw"))
    >>> [contract.action_text(action) for action in contract.legal_actions(state)]
    ['call', 'pass']
"""

from __future__ import annotations

from banakil_env.games.contract.game import GAME as GAME
from banakil_env.games.contract.rules import Rules as Rules
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
