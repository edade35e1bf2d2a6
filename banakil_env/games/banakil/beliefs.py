"""Makes redealt hands likely: infers the hands that other players hold from each player's discards.

The assumption is that a player, after laying down what it could, chose its discard over every card that it kept. A
rule-based player is called with a hypothetical hand and the card. If it would make the same discard, the hand explains
the discard. A random hand explains a discard in one case of ten, a hand of such a player always. Hands of players also
have more cards close together than dealt hands. No single discard shows this; `_closeness` uses measured factors.

With both likelihoods a Markov chain walks through the deals that agree with the observation (Metropolis and others,
"Equation of State Calculations by Fast Computing Machines", 1953): a hidden card of a hand is exchanged for a card of
the stock. The exchange is kept if the hand is then likelier, and otherwise with a probability that falls with the
likelihood. The chain reads only public cards and the deal that it changes.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import popcount
from banakil_env.core.engine import legal_mask
from banakil_env.core.jit import compiled
from banakil_env.core.random import random_below
from banakil_env.games.banakil.actions import DISCARD
from banakil_env.games.banakil.baselines import BASELINES, baseline_action
from banakil_env.games.banakil.baselines.reading import above_each
from banakil_env.games.banakil.faces import ALL_NATURALS, NO_FACE
from banakil_env.games.banakil.seen import observe
from banakil_env.games.banakil.state import NO_BONUS, STATE
from banakil_env.kit.held import NO_CARD, form_of
from banakil_env.kit.pack54 import add_card
from banakil_env.kit.table_state import DRAW, PLAY

# The number of cards that are read from the top of the pile.
READ = 5
# Likelihood of a hand that does not explain a discard, relative to a hand that does. LAST is for the last discard.
# EARLIER is for earlier ones: cards were drawn after them, and some may have been taken from the pile, so that the card
# may be another player's discard.
LAST, EARLIER = 0.01, 0.2
# Factors of the likelihood of a hand: for each pair of naturals that are neighbors in a suit, each pair of naturals
# with one rank between them, each wild card, and each natural that the hand holds twice. KEPT is for tables where
# `expert` keeps wild cards. PLAYED is for partners who do not wait for a *hand* and play them. With these factors the
# four counts are the same as in hands of `expert`, and with BY_GREEDY as in hands of `greedy`, which plays wild cards
# at every table and keeps pairs.
KEPT = (1.1, 1.5, 1.2, 0.45)
PLAYED = (1.0, 1.0, 0.27, 1.0)
BY_GREEDY = (1.13, 1.22, 0.28, 2.1)
CHANCES = 1 << 20
GREEDY = BASELINES["greedy"]

hidden_card, exchange = form_of(STATE).hidden_card, form_of(STATE).exchange


@compiled
def believe(
    state: Any, kinds: Any, likelihoods: Any, exchanges: int, then: Any, observations: Any, mask: Any, dice: Any
) -> None:
    """Move the hidden hands towards likely ones, in place.

    Args:
        state: a record of STATE; seat 0, the observer, is to move. The generator of the state advances.
        kinds: int64 (MAX_SEATS,), numbers of BASELINES: the player that each seat is assumed to be.
        likelihoods: float64 (MAX_SEATS,), how likely each hand is. Negative entries are computed here.
        exchanges: the number of exchanges that are tried with each hand.
        then: an array of one record of STATE, to work in.
        observations: an array of one record of OBSERVATION, to work in.
        mask: int8 (NUM_ACTIONS,), to work in.
        dice: an array of one record of GENERATOR, to work in.
    """
    bottom = int(state.rules.cutter_takes_wilds != 0)  # B9.2: the lowest card is known to be a natural, and stays
    if state.stock_size <= bottom:
        return
    for seat in range(1, state.num_players):
        if likelihoods[seat] < 0:
            likelihoods[seat] = _likelihood(state, seat, kinds[seat], then, observations, mask, dice)
    for _ in range(exchanges):
        for seat in range(1, state.num_players):
            card = hidden_card(state, seat)
            place = bottom + random_below(state, state.stock_size - bottom)
            other = state.stock[place]
            if card == NO_CARD or other == card:
                continue
            exchange(state, seat, card, place)
            now = _likelihood(state, seat, kinds[seat], then, observations, mask, dice)
            if random_below(state, CHANCES) * likelihoods[seat] < CHANCES * now:
                likelihoods[seat] = now
            else:
                exchange(state, seat, other, place)


@compiled
def _likelihood(state: Any, seat: int, kind: int, then: Any, observations: Any, mask: Any, dice: Any) -> float:
    """Return the relative likelihood of a seat's hand; 1 for a seat that had no turn yet.

    `kind` is the player that the seat is assumed to be, a number of BASELINES. The arguments after it are records to
    work in; see `believe`.
    """
    if not state.had_turn >> seat & 1:
        return 1.0
    players, out = state.num_players, _closeness(state, seat, kind)
    for depth in range(players - seat, min(READ, state.pile_size) + 1, players):
        if not _explains(state, seat, depth, kind, then, observations, mask, dice):
            # A seat that has taken cards may have taken the discard, and another card is there now.
            sure = depth == 1 and (state.phase == DRAW or state.known[0, 0] == 0)
            out *= LAST if sure else EARLIER
    return out


@compiled
def _closeness(state: Any, seat: int, kind: int) -> float:
    """Return how likely a hand is by its cards alone (neighbors, wild cards, pairs), relative to other hands.

    `kind` is the player that the seat is assumed to be, a number of BASELINES.
    """
    plays_wilds = state.partners and state.rules.hand_bonus[0] == NO_BONUS
    by = BY_GREEDY if kind == GREEDY else PLAYED if plays_wilds else KEPT
    one, both = state.hands[seat, 0], state.hands[seat, 1]
    naturals = one & ALL_NATURALS
    above = above_each(naturals)
    wilds = popcount(one & ~ALL_NATURALS) + popcount(both & ~ALL_NATURALS)
    close = by[0] ** popcount(naturals & above) * by[1] ** popcount(naturals & above_each(above))
    return close * by[2] ** wilds * by[3] ** popcount(both & ALL_NATURALS)


@compiled
def _explains(state: Any, seat: int, depth: int, kind: int, then: Any, observations: Any, mask: Any, dice: Any) -> bool:
    """Return whether a rule-based player with the hand of `seat` would have discarded a certain card of the pile.

    `depth` is the place of the card (1: the top), `kind` the number of the player in BASELINES. The arguments after it
    are records to work in; see `believe`.
    """
    then[0] = state
    before = then[0]
    face = before.pile[before.pile_size - depth]
    before.pile_size -= depth
    before.seat = seat
    before.phase = PLAY
    add_card(before.hands[seat], face)
    before.taken = before.banned = before.named = NO_FACE
    before.pending = before.played = 0
    before.in_one_turn = before.melds_of[seat] == 0
    legal_mask(before, mask)
    observe(before, seat, observations[0])
    return baseline_action(kind, observations[0], mask, dice[0]) == DISCARD + face
