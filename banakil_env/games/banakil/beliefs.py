"""The hands that other players probably hold, inferred from each player's discards.

A player prefers to discard the card that it discarded to every card that it kept, after laying down what could be laid
down. A rule-based player is called with a hypothetical hand and that card. Its move tells whether the hand explains the
discard: a random hand does in one case of ten, a hand of such a player always does. Hands chosen card by card are also
closer together than dealt hands, which no single discard shows; how much closer has been measured.

With both likelihoods a Markov chain walks through the deals that agree with the observation (Metropolis and others,
"Equation of State Calculations by Fast Computing Machines", 1953): a hidden card of a hand is exchanged for a card of
the stock. The exchange stands if the hand is then likelier, and otherwise with a probability that falls with the
likelihood. Only the table and the deal that is changed are read.
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

# Cards of the pile that are read, from the top.
READ = 5
# Likelihood of a hand that does not explain a discard, relative to a hand that does: the last discard; an earlier one,
# after which cards were drawn, and perhaps taken from the pile, so that it may be another player's.
LAST, EARLIER = 0.01, 0.2
# Factors of the likelihood of a hand: for each two naturals that are neighbours in a suit, each two with one rank
# between them, each wild card and each pair of a natural. KEPT: wild cards are kept. PLAYED: partners who do not wait
# for a *hand* play them. With these factors the four numbers come out as in hands of `expert`, and with those of
# BY_GREEDY as in hands of `greedy`, which plays wild cards at every table and keeps pairs.
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
    """Move the hidden hands towards likely ones, in place: `exchanges` exchanges are tried with each hand.

    Args:
        state: a record of STATE; seat 0, the observer, is to move. The generator of the state advances.
        kinds: int64 (MAX_SEATS,), of BASELINES: the player that each seat is taken for.
        likelihoods: float64 (MAX_SEATS,), how likely each hand is; written where it is below 0.
        then, observations, mask, dice: one record of STATE, of OBSERVATION, int8 (NUM_ACTIONS,) and one record of
            GENERATOR to work in.
    """
    bottom = int(state.rules.cutter_takes_wilds != 0)  # B9.2: everybody knows of that card
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
    """Relative likelihood of a hand; 1 for a seat that had no turn yet."""
    if not state.had_turn >> seat & 1:
        return 1.0
    players, out = state.num_players, _closeness(state, seat, kind)
    for depth in range(players - seat, min(READ, state.pile_size) + 1, players):
        if not _explains(state, seat, depth, kind, then, observations, mask, dice):
            # A seat that has taken cards may have taken the discard, and another card lies there.
            sure = depth == 1 and (state.phase == DRAW or state.known[0, 0] == 0)
            out *= LAST if sure else EARLIER
    return out


@compiled
def _closeness(state: Any, seat: int, kind: int) -> float:
    """How likely a hand is by the cards in it alone."""
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
    """Whether the baseline `kind` with this hand would have discarded the card that lies at this depth of the pile."""
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
