"""Hand and Foot: Canasta with five packs and ten Jokers, and a second hand for everybody, which lies face down.

Source: "Hand and Foot" in the collection of rummy rules at denexa.com, numbered HF1 to HF12 in docs/rules. Questions
that it leaves open are settled there. The most important rulings:

    HF3.5  a play after which the turn could not be ended is illegal, which is computed exactly; unknown cards
           of a foot and an answer of the partner that is still to come do not count
    HF4.5  a wild pile is a separate kind, and not a clean pile as well
    HF5.3  a foot does not help a first meld
    HF6.3  a pair of the hand is needed to take from the pile, also where the top card would fit a meld
    HF7.1  a foot is taken up without being asked for
    HF9.1  without a stock a player may decline the pile, which ends the round (`must_take`)
    HF10.1 a foot that lies there at the end counts as held

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
