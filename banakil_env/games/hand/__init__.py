"""Hand: the rummy game of Jordan, Lebanon and Palestine, with two packs, two Jokers and wild cards that change.

Source: "Hand" at pagat.com (John McLeod, from information by Sultan Ratrout). docs/rules numbers these rules H1 to H12
and settles the questions that they leave open. The most important rulings:

    H1.3  texts, actions and observations name a card by its role in this deal: `W` is a wild card
    H2.5  a seat that may demand a new deal decides about it; nobody else sees the question
    H3.4  a play is illegal if the turn could not be ended after it, which is computed exactly
    H4.6  a meld is opened with three cards and grows by additions
    H5.5  a seat that gets rid of its whole hand in the turn needs no 51 points
    H6.3  a seat that adds a third natural to two and a wild card promises to end the turn with one card
    H7.1  the card taken from the pile is laid down first, in an opening
    H7.4  a wild card taken from the pile is a natural Ace from then on
    H10.4 the seventh round is dealt at most three times

    switches    wilds, deal, ace_hand, ace_low, ace_high, first_meld, rising, take_to_add, wild_discard, reuse_wild,
                add_to_pair, stock_end, win_first_turn, wild_out, one_colour, one_suit, two_wilds_out, rounds,
                last_deals, max_turns, max_rounds, max_unscored
    presets     pagat (the defaults), egypt, jokers, loose, strict
    tables      two, three or four players, each alone; four as partners (`partners=True`)
    state       one NumPy record (`STATE`): rules, generator, match and round
    actions     one table for all rules and numbers of players (`GAME.actions`)
    observation a record of `OBSERVATION`; comes with the mask of the legal actions
    rewards     at the end of the episode: margin, points or win; the fewest points win, so rewards change sign

This module is the plain interface, for people, tests and notebooks:

    >>> from banakil_env.games import hand
    >>> state = hand.new(num_players=2, seed=7)
    >>> hand.apply(state, hand.parse_action("discard Kc"))
    >>> [hand.action_text(action) for action in hand.legal_actions(state)]
"""

from __future__ import annotations

from banakil_env.games.hand.game import GAME as GAME
from banakil_env.games.hand.rules import Rules as Rules
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
