"""Hand and Foot: Canasta with five packs and ten Jokers, and a second hand for each player, which lies face down.

Source: "Hand and Foot" in the collection of rummy rules at denexa.com. docs/rules numbers these rules HF1 to HF12 and
settles the questions that they leave open. The most important rulings:

    HF3.5  a play is illegal if the turn could not be ended after it, which is computed exactly; unknown cards
           of a foot and a future answer of the partner do not count
    HF4.5  a wild pile is a separate kind, and does not count as a clean pile
    HF5.3  a foot does not help a first meld
    HF6.3  taking from the pile needs a pair of the hand, even if the top card would fit a meld
    HF7.1  a foot is taken up automatically
    HF9.1  without a stock a player may decline the pile, which ends the round (`must_take`)
    HF10.1 a foot that has not been taken up counts as held at the end

    switches    piles, ask, must_take, deal_bonus, max_turns
    presets     denexa (the defaults)
    state       one NumPy record (`STATE`): rules, generator, match and round
    actions     one table for all rules (`GAME.actions`)
    observation a record of `OBSERVATION`; comes with the mask of the legal actions
    rewards     at the end of the episode: margin, points or win; the highest score wins, partners together

This module is the plain interface, for people, tests and notebooks:

    >>> from banakil_env.games import hand_and_foot
    >>> state = hand_and_foot.new(seed=7)
    >>> hand_and_foot.apply(state, hand_and_foot.parse_action("draw"))
    >>> [hand_and_foot.action_text(action) for action in hand_and_foot.legal_actions(state)][-1]
"""

from __future__ import annotations

from banakil_env.games.hand_and_foot.game import GAME as GAME
from banakil_env.games.hand_and_foot.rules import Rules as Rules
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
