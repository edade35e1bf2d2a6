"""`greedy`: what a sensible person plays who reads the pile and wastes nothing.

Draw: take as many cards of the pile as are worth most, by what could be laid down with them; what would stay in the
hand counts against it when another hand is short. Only where that is clearly worse than the hand as it is, draw. Call
for a rummy, and take it, by the same count.
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
from banakil_env.kit.pack52 import NUM_RANKS, bit_of, value_of
from banakil_env.kit.pack54 import JOKER, LAYERS, MAX_CARDS, NATURALS, NUM_FACES
from banakil_env.kit.seen import RUN
from banakil_env.kit.table_state import CHOOSE
from banakil_env.kit.wild_melds import LONGEST, NUM_TAKEN, completing, in_places, melded
from banakil_env.kit.wild_plays import joins, joins_as_wild, takes

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
    if seen.pile_size and not read_bits(mask, S.DISCARD, NUM_FACES) and not seen.must:
        depth = _depth(seen, mask)
        if mask[S.YES]:
            return wide(S.YES) if depth else wide(S.NO)
        return S.TAKE - 1 + depth if depth else wide(S.DRAW)
    opening = _opening(seen, mask)
    if opening >= 0:
        return opening
    adds = read_bits(mask, S.ADD, NUM_TAKEN)
    if adds:
        return S.ADD + lowest(adds)
    discards = read_bits(mask, S.DISCARD, NUM_FACES)
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
def _worth(cards: int, jokers: int, fits: int, total: int, share: int) -> int:
    """Quarters of points: what can be laid down of a hand of this total value, minus a share of what stays."""
    laid = value_of(melded(cards) | cards & fits, SET_VALUES)
    if jokers and (laid or fits >> JOKER & 1 or completing(cards)):
        laid += JOKER_VALUE * jokers
    return 4 * laid - share * (total - laid)


@compiled
def _total(seen: Any) -> int:
    """What the cards of the hand are worth."""
    total = wide(0)
    for face in range(NUM_FACES):
        total += wide(seen.hand[face]) * VALUES[face]
    return total


@compiled
def _depth(seen: Any, mask: Any) -> int:
    """How many cards of the pile to take, or to call for; 0: none."""
    faces = scratch(MAX_CARDS)
    for face in range(NUM_FACES):
        for copy in range(LAYERS):
            if seen.pile[face, copy]:
                faces[seen.pile[face, copy] - 1] = face
    cards, jokers = read_bits(seen.hand, 0, NUM_FACES) & NATURALS, wide(seen.hand[JOKER])
    fits, total, share = read_bits(seen.fits, 0, NUM_FACES), _total(seen), _share_left(seen)
    most = _worth(cards, jokers, fits, total, share) - TAKING
    free = mask[S.DRAW] or mask[S.YES]
    best, alone, wild = wide(0), wide(0), wide(0)
    for i in range(min(wide(seen.pile_size), MAX_TAKE)):
        face = faces[i]
        total += VALUES[face]
        if face == JOKER:
            jokers += 1
            wild += 1
        else:
            cards |= bit_of(face)
            alone |= bit_of(face)
        legal = mask[S.TAKE + i] != 0
        if mask[S.YES]:
            legal = fits >> face & 1 != 0 or (
                joins_as_wild(alone, in_places(alone), wild)
                if face == JOKER
                else joins(face, alone, in_places(alone), wild)
            )
        if legal:
            worth = _worth(cards, jokers, fits, total, share)
            if worth > most or (best == 0 and not free):
                best, most = wide(i) + 1, worth
    return best


@compiled
def _opening(seen: Any, mask: Any) -> int:
    """The legal opening after which most can be laid down; -1: none is legal."""
    cards, jokers = read_bits(seen.hand, 0, NUM_FACES) & NATURALS, wide(seen.hand[JOKER])
    fits, total, best, most = read_bits(seen.fits, 0, NUM_FACES), _total(seen), wide(-1), wide(0)
    for i in range(NUM_OPENINGS):
        if mask[S.OPEN_RUN + i]:
            needs = wide(S.NEEDS[i])
            rest, used = cards & ~needs, 3 - popcount(needs & NATURALS)
            laid = value_of(needs & NATURALS, SET_VALUES) + JOKER_VALUE * used
            fits_then = (fits | takes(wide(S.OPENINGS[i]), wide(LONGEST))) & NATURALS | wide(1) << JOKER
            worth = _worth(rest, jokers - used, fits_then, total - laid, wide(LEFT)) + 4 * laid - JOKER_USED * used
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
