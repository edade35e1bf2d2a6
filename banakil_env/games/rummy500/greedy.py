"""`greedy`: what a sensible person plays who reads the pile and wastes nothing.

Draw: take as many cards of the pile as are worth most, by what could be laid down with them; what would stay in the
hand counts against it when another hand is short. Only where that is clearly worse than the hand as it is, draw. Call
for every rummy.
Play: lay down everything at once, for it scores whatever happens. Open the meld that leaves most to be laid down
behind it, without Jokers if it can be, then lay off; an Ace where it is worth 15.
Discard: what is missed least. That is, keep melds whole; then cards that would let others take the pile for a meld;
then those that many unseen cards would complete to a meld; and of equals the high ones, for cards are there to score.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import lowest, popcount, read_bits, wide
from banakil_env.core.jit import compiled
from banakil_env.core.masks import legal_at
from banakil_env.core.scratch import scratch
from banakil_env.games.rummy500 import state as S
from banakil_env.games.rummy500.state import JOKER_VALUE, MAX_MELDS, MAX_TAKE, SET_VALUES, VALUES, num_packs
from banakil_env.kit.melds.wild_melds import LONGEST, NUM_TAKEN, completing, melded
from banakil_env.kit.melds.wild_plays import takes
from banakil_env.kit.pack52 import NUM_RANKS, bit_of, value_of
from banakil_env.kit.pack54 import JOKER, LAYERS, MAX_CARDS, NATURALS, NUM_FACES
from banakil_env.kit.seen import RUN
from banakil_env.kit.table_state import CHOOSE

# Quarters of points. What taking cards may cost, measured by what can be laid down at once: they go on being useful.
TAKING = 10

# Another hand with fewer cards may end the round soon. The quarters of its value that a card costs that stays in the
# hand, before and then.
SHORT_HAND, LEFT, LEFT_LATE = 5, 0, 3

# What an opening costs for each of its Jokers, in quarters of a point.
JOKER_USED = 20

# What a discard costs: a card that leaves a meld or fits the table, an unseen card that completes a meld no more, a
# card that completes one with the pile or the next seat's known cards; and each point of its value.
BROKEN, OUT, GIVEN, VALUE = 200, 12, 60, 2

NUM_OPENINGS = S.OPENINGS.shape[0]


@compiled
def act(seen: Any, mask: Any, generator: Any) -> int:
    """The action of the seat to move."""
    if seen.phase[CHOOSE]:
        return _choose(seen, mask)
    if mask[S.YES]:
        return wide(S.YES)
    discards = read_bits(mask, S.DISCARD, NUM_FACES)
    if not discards and not seen.must:
        depth = _depth(seen, mask)
        return S.TAKE - 1 + depth if depth else wide(S.DRAW)
    opening = _opening(seen, mask)
    if opening >= 0:
        return opening
    adds = read_bits(mask, S.ADD, NUM_TAKEN)
    if adds:
        return S.ADD + lowest(adds)
    return _discard(seen, discards) if discards else legal_at(mask, wide(0))


@compiled
def _choose(seen: Any, mask: Any) -> int:
    """The Ace anywhere but at the low end of a run, where it is worth 1."""
    for slot in range(MAX_MELDS):
        at_low_end = seen.meld_kind[slot] == RUN and (wide(seen.meld_low[slot]) - 1) % NUM_RANKS == 1
        if mask[S.MELD + slot] and not at_low_end:
            return S.MELD + slot
    return legal_at(mask, wide(0))


@compiled
def _share_left(seen: Any) -> int:
    """What a card in the hand costs, in quarters of its value."""
    for place in range(1, wide(seen.num_players)):
        if seen.hand_size[place] < SHORT_HAND:
            return wide(LEFT_LATE)
    return wide(LEFT)


@compiled
def _worth(cards: int, jokers: int, fits: int, share: int) -> int:
    """Quarters of points: what can be laid down of these cards, minus a share of what stays."""
    laid = melded(cards) | cards & fits
    worth = 4 * value_of(laid, SET_VALUES) - share * value_of(cards & ~laid, SET_VALUES)
    playable = laid != 0 or fits >> JOKER & 1 != 0 or completing(cards) != 0
    return worth + (4 if playable else -share) * JOKER_VALUE * jokers


@compiled
def _depth(seen: Any, mask: Any) -> int:
    """How many cards of the pile to take; 0: draw."""
    faces, depth = scratch(MAX_CARDS), wide(0)
    for face in range(NUM_FACES):
        for copy in range(LAYERS):
            if seen.pile[face, copy]:
                faces[seen.pile[face, copy] - 1] = face
    cards, jokers = read_bits(seen.hand, 0, NUM_FACES) & NATURALS, wide(seen.hand[JOKER])
    fits, share = read_bits(seen.fits, 0, NUM_FACES), _share_left(seen)
    most = _worth(cards, jokers, fits, share) - TAKING
    for i in range(min(wide(seen.pile_size), MAX_TAKE)):
        cards, jokers = cards | bit_of(faces[i]), jokers + (faces[i] == JOKER)
        if mask[S.TAKE + i]:
            worth = _worth(cards, jokers, fits, share)
            if worth > most or (depth == 0 and not mask[S.DRAW]):
                depth, most = wide(i) + 1, worth
    return depth


@compiled
def _opening(seen: Any, mask: Any) -> int:
    """The legal opening after which most can be laid down; -1: none is legal."""
    cards, jokers = read_bits(seen.hand, 0, NUM_FACES) & NATURALS, wide(seen.hand[JOKER])
    fits, best, most = read_bits(seen.fits, 0, NUM_FACES), wide(-1), wide(0)
    for i in range(NUM_OPENINGS):
        if mask[S.OPEN_RUN + i]:
            needs = wide(S.NEEDS[i])
            rest, used = cards & ~needs, 3 - popcount(needs & NATURALS)
            laid = value_of(needs & NATURALS, SET_VALUES) + JOKER_VALUE * used
            fits_then = (fits | takes(wide(S.OPENINGS[i]), wide(LONGEST))) & NATURALS | wide(1) << JOKER
            worth = _worth(rest, jokers - used, fits_then, wide(LEFT)) + 4 * laid - JOKER_USED * used
            if best < 0 or worth > most:
                best, most = wide(S.OPEN_RUN + i), worth
    return best


@compiled
def _discard(seen: Any, discards: int) -> int:
    """The card that is missed least."""
    hand, fits = read_bits(seen.hand, 0, NUM_FACES) & NATURALS, read_bits(seen.fits, 0, NUM_FACES)
    unseen, pile, packs = wide(0), wide(0), num_packs(seen)
    for face in range(JOKER):
        known = wide(seen.hand[face]) + wide(seen.table[face])
        for copy in range(LAYERS):
            known += seen.pile[face, copy] != 0
        unseen |= wide(known < packs) << face
        pile |= wide(seen.pile[face, 0] != 0) << face
    given = completing(pile) | completing(read_bits(seen.known[1], 0, NUM_FACES) & NATURALS)
    makes, best, least = completing(hand), wide(-1), wide(0)
    while discards:
        face = lowest(discards)
        discards &= discards - 1
        card = bit_of(face) if face != JOKER and seen.hand[face] == 1 else wide(0)
        rest = hand & ~card
        cost = BROKEN * (popcount(melded(hand)) - popcount(melded(rest)) + (face == JOKER) + (fits >> face & 1))
        cost += OUT * (popcount(makes & unseen) - popcount(completing(rest) & unseen))
        cost += GIVEN * (given >> face & 1) + VALUE * VALUES[face]
        if best < 0 or cost < least:
            best, least = S.DISCARD + face, cost
    return best
