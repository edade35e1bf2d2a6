"""Melds as numbers, and bit arithmetic on their masks of ranks (B3, B4, B5).

A meld is packed into the low 29 bits of an integer and is a value: adding a card gives another number.

    bits 0-2    kind: 0 none; 1-4 a sequence of clubs, diamonds, hearts, spades; 5 a set of Threes, 6 of Aces
    bits 3-4    the seat that owns it
    bits 5-16   its naturals: ranks of a sequence (bit 0 the Three, bit 11 the Ace), suits of a set
    bits 17-19  its Two: 0 none, else 1 + suit
    bit  20     its Joker: 0 none, 1 a Joker
    bits 21-24  the rank that the Two represents; NOWHERE for the thirteenth card and under free wilds
    bits 25-28  the rank that the Joker represents, in the same way

With free wilds (B3.2) no place is stored. A sequence is valid if it has no more gaps than wilds and at most twelve
cards, and the span of its naturals alone determines the cards that may be added. With fixed wilds (B9.5) the occupied
ranks are consecutive. The argument `fixed` of the functions is true with fixed wilds.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

from banakil_env.core.bits import highest, lowest, only_if, popcount
from banakil_env.core.jit import compiled, fused, inlined
from banakil_env.games.banakil.faces import (
    ACE,
    ALL_RANKS,
    JOKER,
    JOKER_VALUE,
    LOW_RANKS,
    LOW_VALUE,
    MIDDLE_RANKS,
    MIDDLE_VALUE,
    NUM_RANKS,
    NUM_SUITS,
    TWO,
    TWO_VALUE,
)

THREES, ACES = 5, 6
NOWHERE = NUM_RANKS
LOW, HIGH = 1, 2  # the ends at which a wild may be added, as a set of bits

_OWNER, _NATURALS, _TWO, _JOKER, _TWO_AT, _JOKER_AT = 3, 5, 17, 20, 21, 25

_SHIFTS = (0, _OWNER, _NATURALS, _TWO, _JOKER, _TWO_AT, _JOKER_AT)


@inlined
def new_meld(kind: int, owner: int, naturals: int, two: int, joker: int, two_at: int, joker_at: int) -> int:
    """Pack a meld into a number.

    Args:
        kind: 1-4 for a sequence of a suit, THREES or ACES.
        owner: the seat that owns it.
        naturals: mask of the ranks of a sequence, or of the suits of a set.
        two: 0 without a Two, else 1 + its suit.
        joker: 0 or 1.
        two_at: the rank that the Two represents, or NOWHERE.
        joker_at: the rank that the Joker represents, or NOWHERE.
    """
    return (
        kind
        | owner << _OWNER
        | naturals << _NATURALS
        | two << _TWO
        | joker << _JOKER
        | two_at << _TWO_AT
        | joker_at << _JOKER_AT
    )


class Meld(NamedTuple):
    """The parts of a meld, for plain Python; `pack` makes the number."""

    kind: int  # 1-4 for a sequence of a suit, THREES or ACES
    owner: int  # the seat that owns the meld
    naturals: int  # ranks of a sequence, suits of a set, as a mask
    two: int = 0  # 0 without a Two, else 1 + its suit
    joker: int = 0
    two_at: int = NOWHERE  # the rank that the Two represents
    joker_at: int = NOWHERE

    @property
    def is_set(self) -> bool:
        """Whether the meld is a set of Threes or Aces, not a sequence."""
        return self.kind >= THREES

    def pack(self) -> int:
        """Return the meld as the number that a state holds."""
        return sum(value << shift for value, shift in zip(self, _SHIFTS, strict=True))

    @classmethod
    def unpack(cls, meld: int) -> Meld:
        """Return the parts of the number that a state holds."""
        return _unpacked(int(meld))


@functools.lru_cache(maxsize=4096)  # most melds are the same from one position to the next
def _unpacked(meld: int) -> Meld:
    ends = (*_SHIFTS[1:], 29)
    return Meld(*(meld >> shift & (1 << end - shift) - 1 for shift, end in zip(_SHIFTS, ends, strict=True)))


@inlined
def kind_of(meld: int) -> int:
    """Return the kind of a meld: 0 for none, 1-4 for a sequence of a suit, THREES or ACES."""
    return meld & 7


@inlined
def owner_of(meld: int) -> int:
    """Return the seat that owns a meld."""
    return meld >> _OWNER & 3


@inlined
def naturals_of(meld: int) -> int:
    """Return the ranks of a sequence or the suits of a set, as a mask."""
    return meld >> _NATURALS & ALL_RANKS


@inlined
def two_of(meld: int) -> int:
    """Return 0 for a meld without a Two, else 1 + the suit of its Two."""
    return meld >> _TWO & 7


@inlined
def joker_of(meld: int) -> int:
    """Return 1 if a meld has a Joker, else 0."""
    return meld >> _JOKER & 1


@inlined
def two_at(meld: int) -> int:
    """Return the rank that the Two of a meld represents, or NOWHERE."""
    return meld >> _TWO_AT & 15


@inlined
def joker_at(meld: int) -> int:
    """Return the rank that the Joker of a meld represents, or NOWHERE."""
    return meld >> _JOKER_AT & 15


@inlined
def owned_by(meld: int, owner: int) -> int:
    """Return a meld that was packed with owner 0, owned by this seat."""
    return meld | owner << _OWNER


@inlined
def with_two_of(meld: int, two: int) -> int:
    """Return a meld with a Two at the place reserved for it; the meld has no Two yet.

    `two` is 0 (add none) or 1 + the suit of the Two.
    """
    return meld | two << _TWO


@inlined
def is_set(meld: int) -> bool:
    """Return whether a meld is a set of Threes or Aces, not a sequence."""
    return kind_of(meld) >= THREES


@fused
def occupied_ranks(meld: int) -> int:
    """Return the ranks that a sequence covers, as a mask: naturals and, under fixed wilds, the places of its wilds."""
    ranks = naturals_of(meld)
    if two_of(meld) and two_at(meld) != NOWHERE:
        ranks |= 1 << two_at(meld)
    if joker_of(meld) and joker_at(meld) != NOWHERE:
        ranks |= 1 << joker_at(meld)
    return ranks


@inlined
def _spare_wilds(ranks: int, wilds: int) -> int:
    """Return the number of wilds of a free sequence that fill no gap between its naturals; negative if there are too
    few.
    """
    gaps = highest(ranks) - lowest(ranks) + 1 - popcount(ranks)
    return wilds - gaps


@fused
def _ranks_within(ranks: int, reach: int) -> int:
    """Return the ranks missing from the mask `ranks`, between its ends and up to `reach` beyond them, as a mask."""
    reach = max(reach, 0)  # for a set the result is not used, but Python cannot shift by a negative number
    below = ((1 << lowest(ranks)) - 1) >> reach
    up_to = (2 << highest(ranks) + reach) - 1
    return up_to & ~(below | ranks) & ALL_RANKS


@fused
def _ranks_that_fit(meld: int, fixed: bool) -> int:
    """Return the ranks that may be added to a sequence, as a mask (B3.3, B5.1; B9.5 and B9.6 with fixed wilds)."""
    two, joker = two_of(meld), joker_of(meld)
    if not fixed:
        ranks = naturals_of(meld)
        wilds = (two != 0) + joker
        size = popcount(ranks) + wilds
        next_to_it = only_if(size < NUM_RANKS, _ranks_within(ranks, _spare_wilds(ranks, wilds) + 1))
        thirteenth = only_if((size == NUM_RANKS) & (two != 0) & (joker == 0), ALL_RANKS & ~ranks)
        return next_to_it | thirteenth
    ranks = occupied_ranks(meld)
    fits = _ranks_within(ranks, 1)
    if two and two_at(meld) != NOWHERE and (ranks != ALL_RANKS or not joker):
        fits |= 1 << two_at(meld)
    return fits


@inlined
def _faces_of_ranks(meld: int, ranks: int) -> int:
    return ranks << (kind_of(meld) - 1) * NUM_RANKS


# The multiplication copies each of the four bits to the lowest rank of its suit.
_APART = sum(1 << suit * (NUM_RANKS - 1) for suit in range(NUM_SUITS))
_FIRST_OF_SUITS = sum(1 << suit * NUM_RANKS for suit in range(NUM_SUITS))


@inlined
def _faces_of_suits(meld: int, suits: int) -> int:
    return (suits * _APART & _FIRST_OF_SUITS) << only_if(kind_of(meld) == ACES, ACE)


@inlined
def faces_of(meld: int) -> int:
    """Return the cards of a meld, as a mask of faces. No face is in a meld twice."""
    naturals = naturals_of(meld)
    faces = _faces_of_suits(meld, naturals) if is_set(meld) else _faces_of_ranks(meld, naturals)
    if two_of(meld):
        faces |= 1 << (TWO + two_of(meld) - 1)
    return faces | joker_of(meld) << JOKER


@fused
def naturals_that_fit(meld: int, fixed: bool) -> int:
    """Return the naturals that may be added to the meld, as a mask of faces."""
    suits = naturals_of(meld)
    of_set = only_if(popcount(suits) + joker_of(meld) < NUM_SUITS, _faces_of_suits(meld, ~suits & 0xF))
    of_sequence = _faces_of_ranks(meld, _ranks_that_fit(meld, fixed))
    return of_set if is_set(meld) else of_sequence


@fused
def naturals_for_joker(meld: int, fixed: bool, sets_too: bool) -> int:
    """Return the naturals that may be exchanged for the meld's Joker, as a mask of faces (B5.3; `sets_too`: B9.10)."""
    naturals = naturals_of(meld)
    of_set = only_if(sets_too, _faces_of_suits(meld, ~naturals & 0xF))
    if fixed:
        ranks = 1 << joker_at(meld)
    else:
        ranks = _ranks_within(naturals, _spare_wilds(naturals, (two_of(meld) != 0) + 1))
    of_sequence = _faces_of_ranks(meld, ranks)
    return only_if(joker_of(meld) != 0, of_set if is_set(meld) else of_sequence)


@fused
def _ends_with_room(meld: int, fixed: bool) -> int:
    """Return the ends at which one more wild may be added, as a mask of LOW and HIGH.

    Under free wilds it is only one end, HIGH if there is room above the naturals and else LOW.
    """
    if fixed:
        ranks = occupied_ranks(meld)
        return LOW * (ranks & 1 == 0) | HIGH * (ranks >> ACE == 0)
    ranks = naturals_of(meld)
    size = popcount(ranks) + (two_of(meld) != 0) + joker_of(meld)
    return only_if(size < NUM_RANKS, LOW if ranks >> ACE else HIGH)


@fused
def ends_for_two(meld: int, fixed: bool) -> int:
    """Return the ends at which a Two may be added, as a mask of LOW and HIGH.

    Only a sequence without a Two takes it (B3.1); a set never does (B4.2).
    """
    return only_if((not is_set(meld)) & (two_of(meld) == 0), _ends_with_room(meld, fixed))


@fused
def ends_for_joker(meld: int, fixed: bool) -> int:
    """Return the ends at which a Joker may be added, as a mask of LOW and HIGH; HIGH for a set that takes it."""
    of_set = only_if(popcount(naturals_of(meld)) < NUM_SUITS, HIGH)
    of_sequence = _ends_with_room(meld, fixed)
    return only_if(joker_of(meld) == 0, of_set if is_set(meld) else of_sequence)


@compiled
def with_natural(meld: int, face: int, fixed: bool) -> int:
    """Return the meld after a natural that fits is added.

    Under fixed wilds a Two in the place of the natural makes room for it (B9.6).
    """
    if is_set(meld):
        return meld | 1 << (_NATURALS + face // NUM_RANKS)
    rank = face % NUM_RANKS
    if fixed and two_of(meld) and two_at(meld) == rank:
        ranks = occupied_ranks(meld)
        place = NOWHERE
        if not ranks & 1:
            place = lowest(ranks) - 1
        elif not ranks >> ACE:
            place = highest(ranks) + 1
        meld = meld & ~(15 << _TWO_AT) | place << _TWO_AT
    return meld | 1 << (_NATURALS + rank)


@compiled
def _end_place(meld: int, end: int, fixed: bool) -> int:
    if not fixed or is_set(meld):
        return NOWHERE
    ranks = occupied_ranks(meld)
    return lowest(ranks) - 1 if end == LOW else highest(ranks) + 1


@compiled
def with_two(meld: int, suit: int, end: int, fixed: bool) -> int:
    """Return the meld with a Two of this suit added at an end that has room."""
    place = _end_place(meld, end, fixed)
    return meld & ~(15 << _TWO_AT) | (1 + suit) << _TWO | place << _TWO_AT


@compiled
def with_joker(meld: int, end: int, fixed: bool) -> int:
    """Return the meld with a Joker added at an end that has room."""
    place = _end_place(meld, end, fixed)
    return meld & ~(15 << _JOKER_AT) | 1 << _JOKER | place << _JOKER_AT


@inlined
def with_exchange(meld: int, face: int) -> int:
    """Return the meld with a natural in place of its Joker."""
    rank = face // NUM_RANKS if is_set(meld) else face % NUM_RANKS
    return meld & ~(1 << _JOKER | 15 << _JOKER_AT) | NOWHERE << _JOKER_AT | 1 << (_NATURALS + rank)


@compiled
def value_of_ranks(ranks: int, ace_value: int) -> int:
    """Return the half points of naturals of these ranks (B1.5); `ace_value` is in half points."""
    return (
        LOW_VALUE * popcount(ranks & LOW_RANKS)
        + MIDDLE_VALUE * popcount(ranks & MIDDLE_RANKS)
        + ace_value * (ranks >> ACE & 1)
    )


@compiled
def value_of(meld: int, ace_value: int) -> int:
    """Return the half points of the meld's cards."""
    value = TWO_VALUE * (two_of(meld) != 0) + JOKER_VALUE * joker_of(meld)
    naturals = naturals_of(meld)
    if kind_of(meld) == THREES:
        return value + LOW_VALUE * popcount(naturals)
    if kind_of(meld) == ACES:
        return value + ace_value * popcount(naturals)
    return value + value_of_ranks(naturals, ace_value)
