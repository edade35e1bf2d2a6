"""Computes exactly whether a turn can still be ended, given all that must be done before its discard (H3.4).

Before the discard the first meld must reach its value, or the hand must go out (H5). The card taken must be laid down
(H7), and a promise must be kept (H6.3). A `sight` is a record of the situation of the seat to move. Plays are tried on
copies of the sight.

The search goes card by card, not play by play. The lowest undecided card either stays in the hand or is laid down,
together with the cards that have to be laid before it: as part of an opening, or added to a meld after a row of other
cards. The cards laid down do not depend on the order. There are three stages, in this order:

    OWN     the first meld is below its value: only melds of the seat, and no wild card is exchanged (H5.4)
    ALL     the same with all melds, for a hand that goes out (H5.5), or while a taken card waits (`take_to_add`)
    TRADE   all melds, and wild cards may be exchanged. Exchanging first never hurts
"""

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.core.bits import highest, lowest, popcount
from banakil_env.core.jit import compiled, inlined
from banakil_env.core.record_type import record_dtype
from banakil_env.core.records import copy_record
from banakil_env.core.scratch import scratch_record
from banakil_env.games.hand import state as S
from banakil_env.games.hand.records import State
from banakil_env.games.hand.rules import AS_ACE_OF_GROUP
from banakil_env.games.hand.state import MAX_MELDS, NOTHING
from banakil_env.kit import pack54
from banakil_env.kit.melds import one_wild_melds as M
from banakil_env.kit.melds.one_wild_melds import WILD
from banakil_env.kit.pack52 import ACES as ACES_OF_SUITS
from banakil_env.kit.pack52 import ALL as NATURALS
from banakil_env.kit.pack52 import NUM_RANKS, NUM_SUITS

SIGHT = record_dtype(
    # The hand without the taken card: masks of the naturals held at least once and twice; the number of wild cards.
    *(("one", "<i8"), ("two", "<i8"), ("wilds", "<i8")),
    # The value that the first meld still needs (0 or less: none); the values of a low and a high Ace; the number of the
    # seat's melds.
    *(("missing", "<i8"), ("ace_low", "<i8"), ("ace_high", "<i8"), ("own_melds", "<i8")),
    # The most and the fewest cards that may be held before the discard; whether two wild cards may go out; the stage.
    *(("limit", "<i8"), ("keep", "<i8"), ("wilds_out", "<i8"), ("stage", "<i8")),
    ("pairs_too", "<i8"),  # whether a natural may be added to two naturals and a wild card
    # The taken card: its face; whether it may be added; whether it may only be part of a group; the Aces that it can
    # become.
    *(("taken", "<i8"), ("may_add", "<i8"), ("in_group", "<i8"), ("aces", "<i8")),
    # Whether exchanged wild cards must go back to the table; how many wild cards may be held at the end.
    *(("reuse", "<i8"), ("may_hold", "<i8")),
    # Bounds for a first meld: the cards that can reach a meld without a wild card; the most that one wild card adds.
    *(("useful", "<i8"), ("gain", "<i8")),
    ("num_melds", "<i8"),
    ("melds", "<i8", (MAX_MELDS + 1,)),  # with room for one more opening; melds of the seat have the bit OWN_MELD
    align=True,
)

OWN, ALL, TRADE = range(3)
MANY = 1000
OWN_MELD = M.MELD_BITS + 1

# For each natural, the rows of the openings that have it, then -1.
_ROWS_OF = [[row for row in range(len(M.CARDS)) if int(M.CARDS[row]) >> face & 1] for face in range(WILD)]
_MOST_ROWS = max(map(len, _ROWS_OF))
ROWS_OF = np.array([rows + [-1] * (_MOST_ROWS + 1 - len(rows)) for rows in _ROWS_OF], np.int64)


@compiled
def look(state: State, seat: int, sight: Any) -> None:
    """Fill a sight with the situation of a seat in its turn, except for the taken card; see `hold_taken`."""
    hand, taken = state.hands[seat], state.taken
    sight.one, sight.two = hand[0] & NATURALS, hand[1] & NATURALS
    sight.wilds = pack54.count_of(hand, WILD) - (taken == WILD)
    if taken < WILD:
        lay(sight, 1 << taken)
    sight.ace_low, sight.ace_high = 11 - 10 * (state.rules.ace_low != 0), 11 - (state.rules.ace_high != 0)
    value, own_melds, num = 0, 0, state.num_melds
    for slot in range(num):
        meld, own = state.melds[slot], state.meld_owner[slot] == seat
        if own:
            own_melds += 1
            if state.in_one_turn:
                value += M.value_of_meld(meld, sight.ace_low, sight.ace_high)
        sight.melds[slot] = meld | own * OWN_MELD
    first = state.in_one_turn or own_melds == 0
    sight.missing = max(state.need, 1) - value if first else 0
    sight.limit = 2 if state.down_to_one else MANY
    sight.keep = 1 if state.turns >= state.num_players or state.rules.win_first_turn else 2
    sight.stage, sight.taken, sight.may_add, sight.in_group, sight.aces = OWN, NOTHING, 0, 0, 0
    sight.pairs_too = state.rules.add_to_pair or state.down_to_one or another_has_one_card(state, seat)
    sight.reuse, sight.may_hold = state.rules.reuse_wild, 2
    sight.wilds_out = first and state.rules.two_wilds_out and not state.laid_off
    sight.own_melds, sight.num_melds = own_melds, num


@compiled
def another_has_one_card(state: State, seat: int) -> bool:
    """Return whether another seat holds exactly one card (H6.3)."""
    for other in range(state.num_players):
        if other != seat and pack54.count_cards(state.hands[other]) == 1:
            return True
    return False


@compiled
def hold_taken(state: State, seat: int, sight: Any, face: int, aces: int) -> None:
    """Put a card taken from the pile into a sight.

    Args:
        state: the state before the card is taken, or in the turn in which it was taken.
        seat: the seat that takes it.
        sight: the record that is changed.
        face: the face of the card; for a wild card that must become a natural Ace (H7.4), the face of this Ace.
        aces: mask of the natural Aces that a taken wild card can become; 0 for other cards.
    """
    before = seat - 1 if seat else state.num_players - 1
    sight.taken, sight.aces = face, aces
    sight.may_add = state.rules.take_to_add and S.has_melded(state, before)
    sight.in_group = aces != 0 and state.rules.wild_discard == AS_ACE_OF_GROUP


@compiled
def cards_in(sight: Any) -> int:
    """Return the number of cards that the seat holds."""
    return popcount(sight.one) + popcount(sight.two) + sight.wilds + (sight.taken != NOTHING)


@compiled
def taken_bit(sight: Any) -> int:
    """Return the taken card as a mask if it is a natural, else 0."""
    return (1 << sight.taken) & NATURALS


# Plays on a sight ----------------------------------------------------------------------------------------------------


@compiled
def lay(sight: Any, cards: int) -> None:
    """Remove naturals from the hand, one card of each face in the mask `cards`."""
    once = cards & ~sight.two
    sight.two &= ~cards
    sight.one &= ~once


@compiled
def put_meld(sight: Any, slot: int, meld: int) -> None:
    """Store in the sight a meld that was opened or changed; update the missing value and the useful cards.

    `slot` is `sight.num_melds` for a new meld. A new wild card in the meld can make more cards useful.
    """
    old = sight.melds[slot]
    if slot == sight.num_melds:
        old = OWN_MELD
        sight.num_melds += 1
        sight.own_melds += 1
    if old & OWN_MELD:
        sight.missing -= M.value_of_meld(meld, sight.ace_low, sight.ace_high)
        if old != OWN_MELD:
            sight.missing += M.value_of_meld(old, sight.ace_low, sight.ace_high)
    else:
        sight.wilds_out = 0
    if M.wild_in(meld) and not M.wild_in(old):
        sight.useful |= _in_reach(sight.one, M.fitting(meld) | M.lacking(meld))
    sight.melds[slot] = meld | old & OWN_MELD


@compiled
def is_another_ace(sight: Any, cards: int, meld: int) -> bool:
    """Return whether a play of these cards makes the taken wild card a different Ace than the sight assumes (H7.4).

    The wild card becomes the Ace that the hand lacks, otherwise the first Ace of the play.
    """
    aces = cards & sight.aces
    if sight.taken == NOTHING or not aces or (sight.in_group and not M.is_group(meld)):
        return False
    lacked = aces & ~sight.one
    return lowest(lacked if lacked else aces) != sight.taken


@compiled
def uses_taken(sight: Any, cards: int, meld: int) -> bool:
    """Return whether a play of these cards to a meld uses the taken card (H7.3)."""
    return cards >> sight.taken & 1 != 0 and (sight.in_group == 0 or M.is_group(meld))


@compiled
def lay_cards(sight: Any, cards: int, meld: int) -> None:
    """Remove cards, including W, from the hand for a meld; the taken card is used first."""
    if uses_taken(sight, cards, meld):
        cards &= ~(1 << sight.taken)
        sight.taken = NOTHING
    lay(sight, cards & NATURALS)
    sight.wilds -= cards >> WILD & 1


@inlined
def cards_of_row(row: int) -> int:
    """Return the cards of an opening, including W, as a mask."""
    return M.CARDS[row] | M.NEEDS_WILD[row] << WILD


@compiled
def can_open(sight: Any, row: int, cards: int) -> bool:
    """Return whether an opening can be made of the naturals `cards`, the taken card and the wild cards of the hand.

    `row` is the row of the opening in the tables of `kit.melds.one_wild_melds`.
    """
    if M.NEEDS_WILD[row] and not sight.wilds and sight.taken != WILD:
        return False
    there = cards | (taken_bit(sight) if row >= M.NUM_SEQUENCES or not sight.in_group else 0)
    return M.CARDS[row] & ~there == 0 and not is_another_ace(sight, M.CARDS[row], M.MELDS[row])


@compiled
def open_row(sight: Any, row: int) -> None:
    """Open the meld of this row."""
    lay_cards(sight, cards_of_row(row), M.MELDS[row])
    put_meld(sight, sight.num_melds, M.MELDS[row])


# The search ----------------------------------------------------------------------------------------------------------


@compiled
def search(sight: Any, face: int) -> bool:
    """Return whether the turn can be ended from this sight.

    Args:
        sight: the situation of the seat; not changed.
        face: the lowest undecided natural; all lower naturals stay in the hand. A number below 0 is for an earlier
            step: in stage OWN the taken card, in stage TRADE the exchange of a wild card, in meld `-1 - face` first.
    """
    size, stage, met = cards_in(sight), sight.stage, sight.missing <= 0
    if size < sight.keep:
        return False
    after = scratch_record(SIGHT)
    waits = sight.taken != NOTHING
    if not waits and _is_ended(sight, size, met):
        return True
    if met and (stage == OWN or (stage == ALL and not waits)):
        copy_record(sight, after)
        after.stage = ALL if waits else TRADE
        return search(after, 0 if waits else -sight.num_melds)
    while stage == TRADE and face < 0:
        slot = -1 - face
        face += 1
        cards = exchangeable(sight, slot)
        if cards:
            copy_record(sight, after)
            lay(after, cards)
            after.wilds += 1
            put_meld(after, slot, M.with_swapped(sight.melds[slot], cards))
            if search(after, face):
                return True
    first = waits and (stage == ALL or face < 0)
    face = max(face, 0)
    while True:
        cards = sight.one if first else sight.one & -(1 << face)
        card = sight.taken if first else lowest(cards) if cards else WILD
        if not first:
            if not cards and not sight.wilds:
                return False
            if stage == OWN:
                if sight.missing > most_value(sight, cards):
                    return False
            elif size - sight.wilds - popcount(cards) - popcount(sight.two & cards) - waits > sight.limit:
                return False
        i = 0
        while cards and (card != WILD or i < len(M.CARDS)):
            row = i if card == WILD else ROWS_OF[card, i]
            i += 1
            if row < 0:
                break
            if not can_open(sight, row, cards) or (card == WILD and not M.NEEDS_WILD[row]):
                continue
            if first and not uses_taken(sight, cards_of_row(row), M.MELDS[row]):
                continue
            copy_record(sight, after)
            open_row(after, row)
            if search(after, face):
                return True
        for slot in range(sight.num_melds if not first or sight.may_add else 0):
            meld = sight.melds[slot]
            if (stage == OWN and not meld & OWN_MELD) or not _may_take(sight, meld & M.MELD_BITS, card, first):
                continue
            way = 0
            while way >= 0:
                copy_record(sight, after)
                way = add_behind(after, slot, card, cards, way)
                if way >= 0 and search(after, face):
                    return True
        if first:
            if stage != OWN or not sight.may_add:
                return False
            first = False
        elif card == WILD:
            return False
        else:
            face = card + 1


@compiled
def _may_take(sight: Any, meld: int, card: int, first: bool) -> bool:
    """Return False if a card surely cannot be added to a meld. This is a quick necessary test.

    `first` is true if the card is the taken card.
    """
    if card == WILD:
        return M.wild_in(meld) == 0
    if sight.aces and is_another_ace(sight, 1 << card, meld):
        return False
    if M.is_group(meld):
        return M.what_of(meld) == M.what_of_group(card)
    return M.what_of(meld) == card // NUM_RANKS and not (first and sight.in_group)


@compiled
def _is_ended(sight: Any, size: int, met: bool) -> bool:
    """Return whether no more cards have to be laid down."""
    if size <= sight.limit and sight.wilds <= sight.may_hold and (met or (sight.stage != OWN and sight.own_melds != 0)):
        return True
    return size == 2 and sight.wilds == 2 and sight.wilds_out != 0 and sight.stage != OWN and sight.own_melds != 0


@compiled
def exchangeable(sight: Any, slot: int) -> int:
    """Return the naturals of the hand that can be exchanged for the wild card of the meld in `slot`, as a mask.

    0: the hand lacks a card that the exchange needs, or the meld allows no exchange.
    """
    meld = sight.melds[slot] & M.MELD_BITS
    cards = M.replacing(meld) | M.lacking(meld)
    return cards if cards & ~sight.one == 0 else 0


@compiled
def add_behind(sight: Any, slot: int, card: int, cards: int, way: int) -> int:
    """Add a card to a meld, after the cards that have to be between them, in the first possible way from number `way`
    on.

    The ways differ in the place of a wild card among the cards between. Return the number of the next way; -1: no such
    way.

    Args:
        sight: changed if a way is found.
        slot: the meld.
        card: the face that is added, or WILD.
        cards: mask of the naturals that may be used between.
        way: the number of the first way to try.
    """
    meld = sight.melds[slot] & M.MELD_BITS
    if M.is_group(meld):
        wild = card == WILD
        if way or not (M.room_above(meld) if wild else _group_takes(sight, meld, card)):
            return -1
        lay_cards(sight, 1 << card, meld)
        put_meld(sight, slot, M.with_wild(meld, wild) if wild else M.with_natural(meld, card))
        return 1
    if card == WILD:
        return _add_wild_behind(sight, slot, meld, cards, way)
    # Ways 0-15 lead to the place of the card (of an Ace: the low place), 16-31 to the place of an Ace above a King.
    places, rank = M.places_of(meld), card % NUM_RANKS
    while way < 32:
        place = rank if way < 16 else M.HIGH_ACE
        between = _between(places, place)
        if between < 0 or (way >= 16 and rank):
            if way >= 16:
                return -1
            way = 16
            continue
        wild_at = (way & 15) - 1
        way += 1
        if wild_at >= 0:
            if not between or not sight.wilds or M.wild_in(meld):
                way = (way | 15) + 1
                continue
            if not between >> wild_at & 1:
                continue
            between &= ~(1 << wild_at)
        row = _row_of(between, M.what_of(meld))
        if row & ~cards == 0:
            lay_cards(sight, row | 1 << card | int(wild_at >= 0) << WILD, meld)
            put_meld(sight, slot, _extended(meld, place, wild_at))
            return way
    return -1


@compiled
def _group_takes(sight: Any, meld: int, card: int) -> bool:
    return (M.fitting(meld) | (M.lacking(meld) if sight.pairs_too else 0)) >> card & 1 != 0


@compiled
def _extended(meld: int, place: int, wild_at: int) -> int:
    return M.extended(meld, place, wild_at) if wild_at >= 0 else M.extended(meld, place, M.wild_in(meld) - 1)


@compiled
def _between(places: int, place: int) -> int:
    """Return the places between a sequence and a place beyond one of its ends, as a mask; -1: it may not grow there."""
    if place > highest(places):
        if place == M.HIGH_ACE and places & 3:  # the sequence has a low Ace, or a Two: then the Ace is added below
            return -1
        return (1 << place) - (2 << highest(places))
    if place < lowest(places):
        if place == 0 and places >> M.HIGH_ACE:
            return -1
        return (1 << lowest(places)) - (2 << place)
    return -1


@compiled
def _row_of(places: int, suit: int) -> int:
    """Return the naturals of a suit at these places, as a mask; the places must not include an Ace."""
    return places << NUM_RANKS * suit


@compiled
def _add_wild_behind(sight: Any, slot: int, meld: int, cards: int, way: int) -> int:
    """Add a wild card to a sequence, after 0, 1, 2, ... naturals below it, then above it.

    Arguments and result are those of `add_behind`; the wild card is the card that is added.
    """
    if M.wild_in(meld):
        return -1
    places = M.places_of(meld)
    while way < 32:
        place = lowest(places) - 1 - way if way < 16 else highest(places) + 1 + way - 16
        between = _between(places, place) if 0 <= place <= M.HIGH_ACE else (-1)
        row = _row_of(between, M.what_of(meld))
        if between < 0 or row & ~cards:
            if way >= 16:
                return -1
            way = 16
            continue
        lay_cards(sight, row | 1 << WILD, meld)
        put_meld(sight, slot, M.extended(meld, place, place))
        return way + 1
    return -1


# Bounds --------------------------------------------------------------------------------------------------------------


@compiled
def most_value(sight: Any, cards: int) -> int:
    """Return an upper bound on the value that these cards and the wild cards can add to the first meld, in points."""
    cards &= sight.useful
    return M.value_of(cards) + M.value_of(cards & sight.two) + sight.wilds * sight.gain


@compiled
def _in_reach(cards: int, fits: int) -> int:
    """Return the cards that fit melds, and cards that might follow them in a sequence. The result may include too
    many cards.
    """
    more = 0
    while more != fits:
        more, row = fits, M.spread(cards & fits)
        fits |= M.gathered(row << 1 | row >> 1)
    return fits


@compiled
def find_useful(sight: Any, own_only: int) -> None:
    """Store in the sight the cards that can reach a meld without a wild card of the hand.

    `own_only` is 1 if only melds of the seat count.
    """
    cards, fits = sight.one | taken_bit(sight), 0
    for slot in range(sight.num_melds if sight.own_melds or not own_only else 0):
        meld = sight.melds[slot]
        if meld & OWN_MELD or not own_only:
            meld &= M.MELD_BITS
            fits |= M.fitting(meld) | M.lacking(meld) | M.replacing(meld)
    sight.useful = M.in_openings(cards) | _in_reach(cards, fits)


@compiled
def find_gain(sight: Any, in_cards: int) -> int:
    """Return the most that one wild card can add: itself, and cards that are useful only with it.

    Such cards are at most two on each side of the wild card, because three in a row are useful without it, or two of
    its rank. The result is a value in points, or a number of cards if `in_cards` is 1.
    """
    cards, most = sight.one | taken_bit(sight), 0 if in_cards else M.ACE_VALUE
    loose = cards & ~sight.useful
    if not loose:
        return most
    row, alone = M.spread(cards), M.spread(loose)
    places = alone << 1 | alone << 2 | alone >> 1 | alone >> 2
    for suit in range(NUM_SUITS):
        held, new, there = _of_suit(row, suit), _of_suit(alone, suit), _of_suit(places, suit)
        while there:
            place = lowest(there)
            there &= there - 1
            reach = held & (2 << place)
            reach |= held & reach << 1
            below = held & (1 << place) >> 1
            reach = (reach | below | held & below >> 1) & new
            gain = popcount(reach) if in_cards else M.VALUES[place % NUM_RANKS]
            while reach and not in_cards:
                gain += M.VALUES[lowest(reach) % NUM_RANKS]
                reach &= reach - 1
            most = max(most, gain)
    for rank in range(NUM_RANKS):
        suits = M.suits_of(cards, rank)
        if suits & (suits - 1):
            new = popcount(M.suits_of(loose, rank))
            most = max(most, new if in_cards else M.VALUES[rank] * (1 + new))
    return most


@compiled
def _of_suit(row: int, suit: int) -> int:
    return row >> M.NUM_PLACES * suit & (1 << M.NUM_PLACES) - 1


@compiled
def is_stuck(sight: Any, trade: int) -> bool:
    """Return True if too many cards surely stay in the hand, so that the turn cannot be ended. This is a quick test.

    `trade` is 1 if wild cards of the table may be exchanged.
    """
    find_useful(sight, 0)
    loose = ~sight.useful
    left = popcount(sight.one & loose) + popcount(sight.two & loose) - sight.limit
    if left <= 0:
        return False
    wilds = sight.wilds + (sight.taken == WILD)
    for slot in range(sight.num_melds if trade else 0):
        wilds += exchangeable(sight, slot) != 0
    return wilds == 0 or left > wilds * find_gain(sight, 1)


# The results ----------------------------------------------------------------------------------------------------------


@compiled
def can_end(sight: Any) -> bool:
    """Return whether the turn can be ended (H3.4). Like the functions below, this changes the sight."""
    if sight.taken < WILD and not sight.may_add and not _opens_taken(sight):
        return False
    if sight.reuse:
        sight.may_hold = sight.wilds
    if sight.missing > 0:
        return can_reach(sight) or can_go_out(sight, 0)
    if sight.taken == NOTHING and cards_in(sight) <= sight.limit:
        return cards_in(sight) >= sight.keep
    if sight.limit < MANY and is_stuck(sight, 1):
        return False
    sight.stage = ALL
    if search(sight, 0):
        return True
    if sight.taken == NOTHING or not sight.may_add or sight.pairs_too:
        return False
    sight.limit, sight.pairs_too = 2, 1  # the taken card joins two naturals and a wild card, with a promise (H6.3)
    return search(sight, 0)


@compiled
def _opens_taken(sight: Any) -> bool:
    """Return whether the taken natural can be part of an opening. Most cannot."""
    if not is_in_opening(sight.taken, sight.one, sight.wilds):
        return False
    if not sight.aces:
        return True
    for i in range(_MOST_ROWS):
        row = ROWS_OF[sight.taken, i]
        if row >= 0 and can_open(sight, row, sight.one):
            return True
    return False


@compiled
def is_in_opening(face: int, cards: int, wilds: int) -> bool:
    """Return whether a natural is part of any opening together with other naturals and wild cards.

    `cards` is the mask of the other naturals, `wilds` the number of wild cards.
    """
    card = 1 << face
    rank_fellows = popcount((cards | card) & (ACES_OF_SUITS << face % NUM_RANKS))
    if rank_fellows + (wilds != 0) >= 3:
        return True
    place, places = M.spread(card), M.spread(cards | card)
    # where a sequence begins if the card is at its low, middle or high place
    low, middle, high = place, place >> 1, place >> 2
    if M.starts_of(places, 0) & (low | middle | high):
        return True
    if not wilds:
        return False
    first, second = M.starts_of(places, 1) & (middle | high), M.starts_of(places, 2) & (low | high)
    return (first | second | M.starts_of(places, 3) & (low | middle)) != 0


@compiled
def may_lay_taken(state: State, seat: int, face: int) -> bool:
    """Return False if a natural surely could not be laid down after it is taken (H7.1). This is a quick necessary
    test.
    """
    if state.rules.take_to_add:
        return True
    hand = state.hands[seat]
    return is_in_opening(face, hand[0] & NATURALS, pack54.count_of(hand, WILD))


@compiled
def can_reach(sight: Any) -> bool:
    """Return whether the first meld can reach its value and the turn can then be ended."""
    find_useful(sight, 1)
    sight.gain = find_gain(sight, 0) if sight.wilds or sight.taken == WILD else 0
    cards = sight.one | taken_bit(sight)
    if sight.missing > most_value(sight, cards) + (sight.taken == WILD) * sight.gain + (
        M.value_of(taken_bit(sight) & sight.one)
    ):
        return False
    limit, useful, stage = sight.limit, sight.useful, sight.stage
    sight.stage = OWN
    found = search(sight, -1)
    if not found and not sight.pairs_too and _has_pair_to_fill(sight):
        sight.limit, sight.pairs_too = 2, 1  # with a promise (H6.3)
        found = search(sight, -1)
        sight.limit, sight.pairs_too = limit, 0
    sight.stage, sight.useful = stage, useful
    return found


@compiled
def _has_pair_to_fill(sight: Any) -> bool:
    """Return whether a natural of the hand could join two naturals and a wild card.

    In a meld of the seat any natural counts, for the value of the first meld. In other melds only the taken card
    counts.
    """
    taken = taken_bit(sight)
    own, others = sight.one | taken, taken if sight.may_add else 0
    for slot in range(sight.num_melds):
        meld = sight.melds[slot]
        if M.lacking(meld & M.MELD_BITS) & (own if meld & OWN_MELD else others):
            return True
    return False


@compiled
def can_go_out(sight: Any, reaches: int) -> bool:
    """Return whether the hand can go out in this turn while the first meld is below its value (H5.5).

    Args:
        sight: see `can_end`.
        reaches: 1 if the first meld may reach its value on the way; from then on wild cards may be exchanged.
    """
    if sight.keep != 1:
        return False
    limit, pairs = sight.limit, sight.pairs_too
    sight.limit, sight.pairs_too = 1, 1
    found = False
    if not is_stuck(sight, reaches):
        sight.stage = ALL
        found = search(sight, 0) or (reaches != 0 and can_reach(sight))
    sight.limit, sight.pairs_too = limit, pairs
    return found
