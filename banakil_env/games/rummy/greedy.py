"""`greedy`: plays like a sensible person who counts cards but does not look ahead.

Draw: the top of the pile if it makes a meld with the hand, or can be laid off; otherwise from the stock.
Play: if every card can leave the hand in this turn, go out. Otherwise, if going rummy scores more, hold everything back
until another hand is short. Otherwise open the meld that leaves most of the hand useful, and lay off every card that
fits.
Discard: the least useful card. Keep, in this order: whole melds; cards that many unseen cards would complete to a meld;
cards that the next seat can lay off; cards that the next seat seems to collect, judged by its known cards. Among equal
cards discard the highest.

The numbers were chosen by hand.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import lowest, popcount, read_bits
from banakil_env.core.jit import compiled
from banakil_env.core.masks import legal_at
from banakil_env.games.rummy.records import Observation
from banakil_env.games.rummy.rules import DISCARD_LAST, ONE_MELD
from banakil_env.games.rummy.state import ADD, DISCARD, DRAW, MELD, OPEN_RUN, TAKE
from banakil_env.kit.melds.going_out import can_be_emptied
from banakil_env.kit.melds.runs_and_sets import MAX_MELDS, OPENINGS, completing, is_run, melded, places
from banakil_env.kit.one_pack.seen import pile_of, top_of
from banakil_env.kit.pack52 import ALL, NUM_FACES, NUM_RANKS, VALUES, bit_of
from banakil_env.kit.seen import RUN, smallest_other_hand
from banakil_env.kit.table_state import CHOOSE

# The cost of a discard is a sum of these parts.
BROKEN = 100  # for each card of the hand that is no longer in a meld
OUT = 8  # for each unseen card that no longer completes a meld
LAID_OFF = 30  # if the next seat can lay the card off
COLLECTED = 10  # if the card completes a meld with cards known in the next hand
SAVED = 16  # subtracted for each point of the card; divided by the square of the number of players

# Nothing is held back if the smallest other hand has fewer cards.
SHORT_HAND = 4


@compiled
def act(seen: Observation, mask: Any, generator: Any) -> int:
    """Return the action for the seat to move. The player is deterministic and does not use `generator`."""
    hand = read_bits(seen.hand, 0, NUM_FACES)
    runs, sets = read_bits(seen.runs, 0, NUM_FACES), read_bits(seen.sets, 0, NUM_FACES)
    if mask[DRAW] or mask[TAKE]:
        return _draw(seen, mask, hand, runs, sets)
    if seen.phase[CHOOSE]:
        return choose(seen, mask)
    going = way_out(seen, mask, hand, runs, sets)
    if going >= 0:
        return going
    laid = (-1) if _holds(seen) else laid_down(mask, hand)
    if laid >= 0:
        return laid
    discards = read_bits(mask, DISCARD, NUM_FACES)
    if discards:
        return _discard(seen, discards, hand, runs, sets)
    return legal_at(mask, 0)


@compiled
def _draw(seen: Observation, mask: Any, hand: int, runs: int, sets: int) -> int:
    """Return the action of the draw: take the top of the pile if it makes a meld or can be laid off, otherwise draw.

    `hand`, `runs` and `sets` are masks: the hand, and the cards in runs and in sets on the table.
    """
    if not mask[DRAW]:
        return TAKE
    if not mask[TAKE]:
        return DRAW
    top = top_of(seen)
    makes = popcount(melded(hand | top)) > popcount(melded(hand))
    return TAKE if makes or top & places(runs, sets) else DRAW


@compiled
def choose(seen: Observation, mask: Any) -> int:
    """Choose the meld for the waiting card: a run rather than a set, because the set is complete with the card."""
    for slot in range(MAX_MELDS):
        if mask[MELD + slot] and seen.meld_kind[slot] == RUN:
            return MELD + slot
    return legal_at(mask, 0)


@compiled
def way_out(seen: Observation, mask: Any, hand: int, runs: int, sets: int) -> int:
    """Return an opening or lay-off after which every card can leave the hand in this turn; -1: there is no such action.

    `hand`, `runs` and `sets` are masks: the hand, and the cards in runs and in sets on the table.
    """
    if seen.rules.melds == ONE_MELD and seen.played[0] and not seen.in_one_turn:
        return -1
    banned = bit_of(seen.banned - 1) if seen.banned else 0
    must_discard = seen.rules.last_card == DISCARD_LAST
    if not can_be_emptied(hand, runs, sets, banned, must_discard):
        return -1
    for i in range(OPENINGS.shape[0]):
        if mask[OPEN_RUN + i]:
            cards = OPENINGS[i]
            now_runs, now_sets = runs | (cards if is_run(cards) else 0), sets | (0 if is_run(cards) else cards)
            if can_be_emptied(hand & ~cards, now_runs, now_sets, banned, must_discard):
                return OPEN_RUN + i
    for face in range(NUM_FACES):
        if mask[ADD + face]:
            card = bit_of(face)
            if can_be_emptied(hand & ~card, runs | card, sets, banned, must_discard):
                return ADD + face
    return -1


@compiled
def _holds(seen: Observation) -> bool:
    """Return whether to lay nothing down in this turn, to go rummy later."""
    return not seen.played[0] and seen.rules.rummy_factor >= 2 and smallest_other_hand(seen) >= SHORT_HAND


@compiled
def laid_down(mask: Any, hand: int) -> int:
    """Return the opening that leaves most cards of the hand useful, or else a lay-off; -1: neither is legal."""
    opening, adds = _opening_of(mask, hand), read_bits(mask, ADD, NUM_FACES)
    if opening >= 0 or not adds:
        return opening
    return ADD + lowest(adds)


@compiled
def _opening_of(mask: Any, hand: int) -> int:
    """Return the legal opening that leaves most cards of the hand useful; -1: none is legal."""
    best, most = -1, -1
    for i in range(OPENINGS.shape[0]):
        if mask[OPEN_RUN + i]:
            rest = hand & ~OPENINGS[i]
            useful = popcount(melded(rest)) * NUM_FACES + popcount(completing(rest))
            if useful > most:
                best, most = OPEN_RUN + i, useful
    return best


@compiled
def _discard(seen: Observation, discards: int, hand: int, runs: int, sets: int) -> int:
    """Return the action that discards the least useful card.

    `discards`, `hand`, `runs` and `sets` are masks: the legal discards, the hand, and the cards in runs and in sets on
    the table.
    """
    # `unseen` includes the cards that are known to be in other hands.
    unseen, fits = ALL & ~(pile_of(seen) | hand | runs | sets), places(runs, sets)
    collected = completing(read_bits(seen.known[1], 0, NUM_FACES))
    makes, players = completing(hand), seen.num_players
    best, least = -1, 0
    while discards:
        face = lowest(discards)
        discards &= discards - 1
        card = bit_of(face)
        rest = hand & ~card
        cost = BROKEN * (popcount(melded(hand)) - popcount(melded(rest)))
        cost += OUT * (popcount(makes & unseen) - popcount(completing(rest) & unseen))
        cost += LAID_OFF * (card & fits != 0) + COLLECTED * (card & collected != 0)
        cost -= SAVED * VALUES[face % NUM_RANKS] // (players * players)
        if best < 0 or cost < least:
            best, least = DISCARD + face, cost
    return best
