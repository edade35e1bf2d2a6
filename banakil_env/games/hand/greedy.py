"""`greedy`: what a sensible person plays who counts cards but does not look ahead.

New deal: only without a wild card. Draw: the pile whenever it can be taken, for it opens a meld.
Play: the first meld as soon as it can be laid, since a hand without melds costs 100. Of openings the dearest without a
wild card comes first, then naturals are added wherever they fit, then wild cards of the table are exchanged, for they
can be laid again. Only then wild cards of the hand are laid: with two others; alone when the hand is short or when
another seat is about to go out.
Discard: what is missed least. Melds are kept whole, then what many unseen cards would complete to a meld. Before the
first meld high cards are kept, since they make up its value, and later the high ones go.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import lowest, popcount, read_bits, wide
from banakil_env.core.jit import compiled
from banakil_env.core.masks import legal_at
from banakil_env.games.hand import state as S
from banakil_env.kit.melds import one_wild_melds as M
from banakil_env.kit.melds.one_wild_melds import NUM_FACES, WILD
from banakil_env.kit.pack52 import NUM_RANKS
from banakil_env.kit.table_state import CHOOSE, DRAW

# Wild cards are laid alone when so few cards are held, or another seat holds so few.
SHORT, DANGER = 4, 3

# What a discard costs: a card that leaves a meld, an unseen card that completes one no more, a card that fits a meld on
# the table; and for each point of its value, before the first meld and after it.
BROKEN, OUT, FITS, DEAR, SAVED = 100, 8, 12, 2, 3


@compiled
def act(seen: Any, mask: Any, generator: Any) -> int:
    """The action of the seat to move."""
    if mask[S.KEEP]:
        return wide(S.KEEP) if seen.hand[WILD] else wide(S.THROW_IN)
    if seen.phase[DRAW]:
        return wide(S.TAKE) if mask[S.TAKE] else wide(S.DRAW)
    if seen.phase[CHOOSE]:
        return legal_at(mask, wide(0))
    if mask[S.DROP + NUM_FACES]:
        return wide(S.DROP + NUM_FACES)
    action = _opening(mask, False)
    if action >= 0:
        return action
    naturals = read_bits(mask, S.ADD, WILD)
    if naturals:
        return S.ADD + lowest(naturals)
    for play in range(S.SWAP, S.DROP):
        if mask[play]:
            return wide(play)
    action = _opening(mask, True)
    if action >= 0:
        return action
    drops = read_bits(mask, S.DROP, NUM_FACES)
    high = wide(S.ADD + S.ADD_HIGH) if mask[S.ADD + S.ADD_HIGH] else wide(S.ADD + S.ADD_LOW)
    if mask[high] and (drops == 0 or _hurries(seen)):
        return high
    return _discard(seen, drops) if drops else legal_at(mask, wide(0))


@compiled
def _opening(mask: Any, wild: bool) -> int:
    """The dearest legal opening, with a wild card or without; -1: there is none."""
    best, most = wide(-1), wide(-1)
    for row in range(S.ADD - S.OPEN):
        if mask[S.OPEN + row] and (M.NEEDS_WILD[row] != 0) == wild:
            value = M.value_of_meld(wide(M.MELDS[row]), wide(M.ACE_VALUE), wide(M.ACE_VALUE))
            if value > most:
                best, most = wide(S.OPEN + row), value
    return best


@compiled
def _hurries(seen: Any) -> bool:
    """Whether wild cards are better laid than kept."""
    short = seen.hand_size[0] <= SHORT
    for place in range(1, wide(seen.num_players)):
        short |= seen.hand_size[place] <= DANGER
    return short


@compiled
def _completing(cards: int) -> int:
    """The cards that make a meld with two of these."""
    row = M.spread(cards)
    up, down = row << 1, row >> 1
    makes = M.gathered(up & down | up & row << 2 | down & row >> 2)
    for rank in range(NUM_RANKS):
        suits = M.suits_of(cards, wide(rank))
        if suits & (suits - 1):
            makes |= M.suits_bits(~suits & 15, wide(rank))
    return makes


@compiled
def _discard(seen: Any, drops: int) -> int:
    """The card that is missed least; a wild card last of all."""
    hand, unseen, fits = wide(0), wide(0), wide(0)
    for face in range(WILD):
        left = 2 - seen.hand[face] - seen.laid[face] - (seen.pile[face, 0] != 0) - (seen.pile[face, 1] != 0)
        hand |= wide(seen.hand[face] != 0) << face
        unseen |= wide(left > 0) << face
    for slot in range(S.MAX_MELDS):
        if seen.meld_owner[slot] and seen.meld_kind[slot] < 5:
            low, size = wide(seen.meld_low[slot]) - 1, wide(seen.meld_size[slot])
            fits |= M.fitting(M.packed(wide(seen.meld_kind[slot]) - 1, ((wide(1) << size) - 1) << low, wide(0)))
    whole, makes = M.in_openings(hand), _completing(hand)
    best, least = wide(S.DROP + WILD), wide(1 << 30)
    drops &= ~(wide(1) << WILD)
    while drops:
        face = lowest(drops)
        drops &= drops - 1
        rest = hand if seen.hand[face] > 1 else hand & ~(wide(1) << face)
        cost = BROKEN * (popcount(whole) - popcount(M.in_openings(rest)))
        cost += OUT * (popcount(makes & unseen) - popcount(_completing(rest) & unseen)) + FITS * (fits >> face & 1)
        cost += M.VALUES[face % NUM_RANKS] * (-SAVED if seen.melded[0] else DEAR)
        if cost < least:
            best, least = wide(S.DROP) + face, cost
    return best
