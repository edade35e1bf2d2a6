"""`greedy`: plays like a sensible person who counts cards but does not look ahead.

New deal: only if the hand has no wild card. Draw: the pile whenever it can be taken, because the card opens a meld.
Play: the first meld as soon as it can be laid down, because a hand without melds costs 100. The opening of the highest
value without a wild card comes first. Then naturals are added where they fit, and wild cards of the table are
exchanged, because they can be used again. Wild cards of the hand come last: with two naturals, or alone if the hand is
short or another seat is about to go out.
Discard: the least useful card. Melds are kept whole, then cards that many unseen cards would complete to a meld. Before
the first meld high cards are kept, because they make up its value. After it high cards are discarded.

The numbers of `PARAMETERS` were chosen by hand; `expert` plays the same way with fitted numbers.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from banakil_env.core.bits import lowest, popcount, read_bits
from banakil_env.core.jit import compiled
from banakil_env.core.masks import legal_at
from banakil_env.core.parameters import Parameter, Parameters, Row
from banakil_env.games.hand import state as S
from banakil_env.games.hand.records import Observation
from banakil_env.kit.melds import one_wild_melds as M
from banakil_env.kit.melds.one_wild_melds import NUM_FACES, WILD
from banakil_env.kit.pack52 import NUM_RANKS
from banakil_env.kit.seen import smallest_other_hand
from banakil_env.kit.table_state import CHOOSE, DRAW

PARAMETERS = Parameters(
    Path(__file__).with_name("expert.toml"),
    (
        Row("two", {"num_players": 2}),
        Row("more", {"num_players": 4}),
        Row("partners", {"num_players": 4, "partners": True}),
    ),
    Parameter("keep_melded", 20, 0, 20, "least number of cards in melds with which a hand without a wild card is kept"),
    Parameter("own_short", 4, 0, 15, "most cards in the hand with which wild cards are laid alone"),
    Parameter("danger", 3, 0, 15, "most cards in another hand with which the round may end soon"),
    Parameter(
        "hold_loose", 0, 0, 14, "most loose cards with which the first meld waits until the whole hand can be laid down"
    ),
    Parameter("hold_size", 8, 1, 15, "the first meld does not wait if the smallest other hand has fewer cards"),
    Parameter("broken", 1000, 0, 5000, "cost of each card that a discard takes out of melds, in tenths of a point"),
    Parameter("out", 80, 0, 600, "cost of a discard, for each unseen card that no longer completes a meld"),
    Parameter("fits", 120, -400, 1000, "cost of a discard that fits a meld on the table"),
    Parameter("value", 20, -100, 200, "cost of each point of a discard before the first meld"),
    Parameter("value_melded", -30, -200, 100, "cost of each point of a discard after the first meld"),
    Parameter("value_danger", 0, -200, 100, "added to both if the round may end soon"),
    Parameter("gives_known", 0, 0, 2000, "cost of a discard that completes a meld with cards known in the next hand"),
    Parameter("gives_unseen", 0, 0, 200, "cost of a discard, for each unseen card that could form a meld with it"),
    Parameter("passed", 0, -600, 600, "saving of a discard if the other card of its face is in the pile"),
    Parameter("twice", 0, -600, 600, "cost of a discard if the hand has both cards of its face"),
)
ROW_TWO, ROW_MORE, ROW_PARTNERS = range(3)


@compiled
def row_of(seen: Observation) -> int:
    """Return the row of fitted numbers for this number of players, with or without partners."""
    return ROW_PARTNERS if seen.partners else ROW_TWO if seen.num_players == 2 else ROW_MORE


@compiled
def decide(seen: Observation, mask: Any, values: Any) -> int:
    """Choose the action of the player that has the parameters `values`, a record of PARAMETERS."""
    if mask[S.KEEP]:
        keeps = seen.hand[WILD] or popcount(M.in_openings(_naturals_in(seen.hand))) >= values.keep_melded
        return S.KEEP if keeps else S.THROW_IN
    if seen.phase[DRAW]:
        return S.TAKE if mask[S.TAKE] else S.DRAW
    if seen.phase[CHOOSE]:
        return legal_at(mask, 0)
    if mask[S.DROP + NUM_FACES]:
        return S.DROP + NUM_FACES
    drops = read_bits(mask, S.DROP, NUM_FACES)
    if drops and _holds(seen, values):
        return _discard(seen, drops, values)
    action = _opening(mask, False)
    if action >= 0:
        return action
    naturals = read_bits(mask, S.ADD, WILD)
    if naturals:
        return S.ADD + lowest(naturals)
    for play in range(S.SWAP, S.DROP):
        if mask[play]:
            return play
    action = _opening(mask, True)
    if action >= 0:
        return action
    high = (S.ADD + S.ADD_HIGH) if mask[S.ADD + S.ADD_HIGH] else (S.ADD + S.ADD_LOW)
    if mask[high] and (drops == 0 or _hurries(seen, values)):
        return high
    return _discard(seen, drops, values) if drops else legal_at(mask, 0)


@compiled
def _opening(mask: Any, wild: bool) -> int:
    """Return the legal opening of the highest value, with or without a wild card; -1: there is none."""
    best, most = -1, -1
    for row in range(S.ADD - S.OPEN):
        if mask[S.OPEN + row] and (M.NEEDS_WILD[row] != 0) == wild:
            value = M.value_of_meld(M.MELDS[row], M.ACE_VALUE, M.ACE_VALUE)
            if value > most:
                best, most = S.OPEN + row, value
    return best


@compiled
def _naturals_in(row: Any) -> int:
    """Return the naturals in a row of faces, as a mask."""
    return read_bits(row, 0, WILD)


@compiled
def _may_end(seen: Observation, values: Any) -> bool:
    """Return whether another hand is so short that the round may end soon."""
    return smallest_other_hand(seen) <= values.danger


@compiled
def _hurries(seen: Observation, values: Any) -> bool:
    """Return whether wild cards should be laid down rather than kept."""
    return seen.hand_size[0] <= values.own_short or _may_end(seen, values)


@compiled
def _holds(seen: Observation, values: Any) -> bool:
    """Return whether the first meld waits until the whole hand can be laid down."""
    if values.hold_loose <= 1 or seen.melded[0] or seen.in_one_turn or seen.taken:
        return False
    if smallest_other_hand(seen) < values.hold_size:
        return False
    hand = _naturals_in(seen.hand)
    loose = popcount(hand & ~M.in_openings(hand))
    return 1 < loose <= values.hold_loose


@compiled
def _completing(cards: int) -> int:
    """Return the cards that make a meld with two of these cards, as a mask."""
    row = M.spread(cards)
    up, down = row << 1, row >> 1
    makes = M.gathered(up & down | up & row << 2 | down & row >> 2)
    for rank in range(NUM_RANKS):
        suits = M.suits_of(cards, rank)
        if suits & (suits - 1):
            makes |= M.suits_bits(~suits & 15, rank)
    return makes


@compiled
def _goes_with(face: int) -> int:
    """Return the cards of the same rank, and those one or two ranks away in the same suit, as a mask."""
    row = M.spread(1 << face)
    suit = ((1 << NUM_RANKS) - 1) << face // NUM_RANKS * NUM_RANKS
    return M.gathered(row << 1 | row << 2 | row >> 1 | row >> 2) & suit | M.suits_bits(15, face % NUM_RANKS)


@compiled
def _on_table(seen: Observation) -> int:
    """Return the naturals that fit a sequence on the table, as a mask."""
    fits = 0
    for slot in range(S.MAX_MELDS):
        if seen.meld_owner[slot] and seen.meld_kind[slot] < 5:
            low, size = seen.meld_low[slot] - 1, seen.meld_size[slot]
            fits |= M.fitting(M.packed(seen.meld_kind[slot] - 1, ((1 << size) - 1) << low, 0))
    return fits


@compiled
def _value(seen: Observation, values: Any) -> int:
    """Return the cost of a discard for each point of its value, in tenths of a point."""
    value = values.value_melded if seen.melded[0] else values.value
    return value + (values.value_danger if _may_end(seen, values) else 0)


@compiled
def _discard(seen: Observation, drops: int, values: Any) -> int:
    """Return the action that discards the least useful card; a wild card is discarded last.

    `drops` is the mask of the legal discards.
    """
    hand, unseen, fits, value = _naturals_in(seen.hand), 0, _on_table(seen), _value(seen, values)
    for face in range(WILD):
        left = 2 - seen.hand[face] - seen.laid[face] - (seen.pile[face, 0] != 0) - (seen.pile[face, 1] != 0)
        unseen |= int(left > 0) << face
    whole, makes = M.in_openings(hand), _completing(hand)
    taken = _completing(_naturals_in(seen.known[1])) if values.gives_known else 0
    best, least = S.DROP + WILD, 1 << 30
    drops &= ~(1 << WILD)
    while drops:
        face = lowest(drops)
        drops &= drops - 1
        rest = hand if seen.hand[face] > 1 else hand & ~(1 << face)
        cost = values.broken * (popcount(whole) - popcount(M.in_openings(rest)))
        cost += values.out * (popcount(makes & unseen) - popcount(_completing(rest) & unseen))
        cost += values.fits * (fits >> face & 1) + value * M.VALUES[face % NUM_RANKS]
        cost += values.gives_known * (taken >> face & 1) + values.twice * (seen.hand[face] > 1)
        if values.gives_unseen:
            cost += values.gives_unseen * popcount(_goes_with(face) & unseen)
        cost -= values.passed * (seen.pile[face, 0] != 0)
        if cost < least:
            best, least = S.DROP + face, cost
    return best
