"""Sequences and groups with the Ace at either end, and with at most one wild card, which keeps its place in the meld.

A meld is opened with three cards and grows card by card. It is packed into the low 23 bits of an integer; 0 is not a
meld.

    bits 0-13   a sequence: its places, from the Ace below the Two (0) to the Ace above the King (13), including the
                wild card's; a group: the suits of its naturals (bits 0-3)
    bits 14-17  the wild card: 0 none; 1 + its place in a sequence; 1 in a group
    bits 18-22  the kind of meld: 0-3 a sequence of that suit, 4 + rank a group

A group of two natural cards and a wild card lacks two suits. Only some rules allow one natural card to be added to it
(`lacking`); both together can be exchanged for the wild card. Faces are those of `pack52`; the wild card is the next
one.
"""

from __future__ import annotations

import itertools

import numpy as np

from banakil_env.core.actions import Block
from banakil_env.core.bits import highest, lowest, popcount
from banakil_env.core.features import NOWHERE, FaceTable
from banakil_env.core.jit import compiled, inlined
from banakil_env.kit import pack52
from banakil_env.kit.cards import Faces
from banakil_env.kit.pack52 import ACES, NUM_RANKS, NUM_SUITS

WILD = pack52.NUM_FACES
NUM_FACES = WILD + 1
FACES = Faces([*pack52.FACES.names, "W"], copies=2)
FACE_TABLE = FaceTable(NUM_SUITS, NUM_RANKS, (*range(WILD), NOWHERE), (*(NOWHERE for _ in range(WILD)), 0))

NUM_PLACES = NUM_RANKS + 1
TWO_PLACE, KING_PLACE, HIGH_ACE = 1, NUM_RANKS - 1, NUM_RANKS

_PLACES, _WILD_AT, _WHAT, _GROUP = (1 << NUM_PLACES) - 1, 14, 18, 4
_NO_WILD = ~(15 << _WILD_AT)
_ALL_RANKS = (1 << NUM_RANKS) - 1
_LOW_ACES = sum(1 << NUM_PLACES * suit for suit in range(NUM_SUITS))
MELD_BITS = (1 << 23) - 1

# The values of the ranks in a group; then, for each place of a sequence, the total value of the places below it, with
# both Aces worth 11.
ACE_VALUE = 11
VALUES = np.array([ACE_VALUE, *(min(rank + 1, 10) for rank in range(1, NUM_RANKS))], np.int64)
_VALUES_BELOW = np.array([0, *itertools.accumulate([*VALUES, ACE_VALUE])], np.int64)
_DIGITS = [sum(1 << face for face in range(WILD) if int(VALUES[face % NUM_RANKS]) >> k & 1) for k in range(4)]
_ONES, _TWOS, _FOURS, _EIGHTS = _DIGITS


@inlined
def packed(what: int, places: int, wild: int) -> int:
    """Pack a meld into a number, from its kind (`what_of`), its places, and its wild card (`wild_in`)."""
    return places | wild << _WILD_AT | what << _WHAT


@inlined
def what_of(meld: int) -> int:
    """The kind of a meld: 0-3 for a sequence of that suit, 4 + rank for a group."""
    return meld >> _WHAT & 31


@inlined
def what_of_group(face: int) -> int:
    """The kind (`what_of`) of the groups with a card's rank."""
    return _GROUP + face % NUM_RANKS


@inlined
def is_group(meld: int) -> bool:
    """Whether a meld is a group."""
    return meld >> _WHAT & 31 >= _GROUP


@inlined
def places_of(meld: int) -> int:
    """The places of a sequence, or the suits of the natural cards of a group, as a mask."""
    return meld & _PLACES


@inlined
def wild_in(meld: int) -> int:
    """The wild card of a meld: 0 for none; 1 + its place in a sequence; 1 in a group."""
    return meld >> _WILD_AT & 15


@inlined
def size_of(meld: int) -> int:
    """The number of cards in a meld."""
    return popcount(meld & _PLACES) + (is_group(meld) and wild_in(meld) != 0)


@inlined
def suits_bits(suits: int, rank: int) -> int:
    """The mask of the faces with this rank and these suits."""
    return (suits & 1 | (suits & 2) << 12 | (suits & 4) << 24 | (suits & 8) << 36) << rank


@inlined
def suits_of(cards: int, rank: int) -> int:
    """The suits of the cards of this rank, as four bits."""
    row = cards >> rank
    return row & 1 | row >> 12 & 2 | row >> 24 & 4 | row >> 36 & 8


@compiled
def naturals_of(meld: int) -> int:
    """The natural cards of a meld, as a mask of faces; a meld has no face twice."""
    if is_group(meld):
        return suits_bits(places_of(meld), what_of(meld) - _GROUP)
    places = places_of(meld)
    if wild_in(meld):
        places &= ~(1 << wild_in(meld) - 1)
    return ((places | places >> HIGH_ACE) & _ALL_RANKS) << NUM_RANKS * what_of(meld)


@compiled
def value_of_meld(meld: int, ace_low: int, ace_high: int) -> int:
    """The value of a meld, in which a wild card counts as the card that it represents.

    Args:
        ace_low: the value of an Ace at the low end of a sequence.
        ace_high: the value of an Ace at the high end of a sequence.
    """
    places = places_of(meld)
    if is_group(meld):
        return VALUES[what_of(meld) - _GROUP] * (popcount(places) + (wild_in(meld) != 0))
    value = _VALUES_BELOW[highest(places) + 1] - _VALUES_BELOW[lowest(places)]
    return value + (places & 1) * (ace_low - ACE_VALUE) + (places >> HIGH_ACE) * (ace_high - ACE_VALUE)


@compiled
def value_of(cards: int) -> int:
    """The total value of the faces in a mask."""
    low = popcount(cards & _ONES) + 2 * popcount(cards & _TWOS)
    return low + 4 * popcount(cards & _FOURS) + 8 * popcount(cards & _EIGHTS)


# The cards that melds accept -----------------------------------------------------------------------------------------


@inlined
def _is_open_below(places: int) -> bool:
    """Whether a sequence can grow below. It can have the Ace at one end only."""
    return places & 1 == 0 and (places & 1 << TWO_PLACE == 0 or places >> HIGH_ACE == 0)


@inlined
def _is_open_above(places: int) -> bool:
    """Whether a sequence can grow above. If it goes from Two to King, the Ace goes below it."""
    low = places & 3  # an Ace or a Two at its beginning
    return places >> HIGH_ACE == 0 and (places >> KING_PLACE == 0 or low == 0)


@inlined
def _face_at(suit: int, place: int) -> int:
    """The face at a place of a suit; both places 0 and 13 are the Ace."""
    return NUM_RANKS * suit + (0 if place == HIGH_ACE else place)


@compiled
def fitting(meld: int) -> int:
    """The natural cards that can be added to a meld, as a mask: at an end of a sequence, or fourth in a group."""
    places = places_of(meld)
    if is_group(meld):
        lacks = suits_bits(~places & 15, what_of(meld) - _GROUP)
        return lacks if popcount(places) == 3 and wild_in(meld) == 0 else 0
    fits, suit = 0, what_of(meld)
    if _is_open_below(places):
        fits |= 1 << _face_at(suit, lowest(places) - 1)
    if _is_open_above(places):
        fits |= 1 << _face_at(suit, highest(places) + 1)
    return fits


@compiled
def lacking(meld: int) -> int:
    """The two faces that a group of two natural cards and a wild card lacks, as a mask; 0 for any other meld."""
    places = places_of(meld)
    if is_group(meld) and popcount(places) == 2:
        return suits_bits(~places & 15, what_of(meld) - _GROUP)
    return 0


@compiled
def replacing(meld: int) -> int:
    """The face that can replace the wild card of a sequence, or of a group with three natural cards, as a mask."""
    if wild_in(meld) == 0:
        return 0
    if is_group(meld):
        lacks = suits_bits(~places_of(meld) & 15, what_of(meld) - _GROUP)
        return lacks if popcount(places_of(meld)) == 3 else 0
    return 1 << _face_at(what_of(meld), wild_in(meld) - 1)


@inlined
def room_below(meld: int) -> bool:
    """Whether a wild card can be added at the low end of a sequence."""
    return not is_group(meld) and wild_in(meld) == 0 and _is_open_below(places_of(meld))


@inlined
def room_above(meld: int) -> bool:
    """Whether a wild card can be added at the high end of a sequence, or to a group of three natural cards."""
    if wild_in(meld):
        return False
    return popcount(places_of(meld)) == 3 if is_group(meld) else _is_open_above(places_of(meld))


@compiled
def with_natural(meld: int, face: int) -> int:
    """The meld with one more natural card, which must be in `fitting` or `lacking`."""
    if is_group(meld):
        return meld | 1 << face // NUM_RANKS
    place = face % NUM_RANKS
    if place == 0 and meld & 1 << TWO_PLACE == 0:
        place = HIGH_ACE
    return meld | 1 << place


@compiled
def with_wild(meld: int, high: bool) -> int:
    """The meld with a wild card at an end that can grow."""
    if is_group(meld):
        return meld | 1 << _WILD_AT
    place = highest(places_of(meld)) + 1 if high else lowest(places_of(meld)) - 1
    return meld | 1 << place | (place + 1) << _WILD_AT


@compiled
def with_swapped(meld: int, cards: int) -> int:
    """The meld after these natural cards have replaced its wild card."""
    if is_group(meld):
        meld |= suits_of(cards, what_of(meld) - _GROUP)
    return meld & _NO_WILD


@compiled
def extended(meld: int, place: int, wild_at: int) -> int:
    """A sequence with all places up to `place`; `wild_at` is the place of its wild card, or -1 for none."""
    places = places_of(meld) | 1 << place
    filled = (2 << highest(places)) - (1 << lowest(places))
    return meld | filled | (wild_at + 1) << _WILD_AT


# Openings: three cards, of which one can be wild --------------------------------------------------------------------

NUM_LOWEST = NUM_PLACES - 2
NUM_PATTERNS = 4  # of a sequence: no wild card, or the wild card at the first, second or third place
NUM_SEQUENCES = NUM_SUITS * NUM_LOWEST * NUM_PATTERNS
_TRIPLES = tuple(itertools.combinations(range(NUM_SUITS), 3))
_PAIRS = tuple(itertools.combinations(range(NUM_SUITS), 2))
NUM_TRIPLES, NUM_PAIRS = len(_TRIPLES), len(_PAIRS)
NUM_PATTERNS_OF_RANK = NUM_TRIPLES + NUM_PAIRS


def _sequence(suit: int, low: int, pattern: int) -> tuple[str, tuple[int, ...], int]:
    """The text, the natural cards and the packed meld of the opening of a sequence."""
    faces = [NUM_RANKS * suit + (low + i) % NUM_RANKS for i in range(3)]
    text = " ".join("W" if i + 1 == pattern else FACES.names[face] for i, face in enumerate(faces))
    wild = (low + pattern if pattern else 0) << _WILD_AT
    naturals = tuple(face for i, face in enumerate(faces) if i + 1 != pattern)
    return text, naturals, 7 << low | wild | suit << _WHAT


def _group(rank: int, suits: tuple[int, ...]) -> tuple[str, tuple[int, ...], int]:
    faces = tuple(NUM_RANKS * suit + rank for suit in suits)
    wild = len(suits) == 2
    packed = sum(1 << suit for suit in suits) | wild << _WILD_AT | (_GROUP + rank) << _WHAT
    return FACES.text([*faces, *[WILD] * wild]), faces, packed


_SEQUENCES = [_sequence(*row) for row in itertools.product(range(NUM_SUITS), range(NUM_LOWEST), range(NUM_PATTERNS))]
_GROUPS = [_group(rank, suits) for rank in range(NUM_RANKS) for suits in (*_TRIPLES, *_PAIRS)]

OPEN_SEQUENCE = Block(
    "open_sequence",
    "open a sequence of three: suit, lowest place, place of the wild card",
    tuple(f"open {text}" for text, _, _ in _SEQUENCES),
    tuple(faces for _, faces, _ in _SEQUENCES),
    pattern=tuple(range(NUM_PATTERNS)) * (NUM_SUITS * NUM_LOWEST),
    middle=tuple(
        NUM_RANKS * suit + (low + 1) % NUM_RANKS
        for suit, low, _ in itertools.product(range(NUM_SUITS), range(NUM_LOWEST), range(NUM_PATTERNS))
    ),
    effect="open_meld",
)
OPEN_GROUP = Block(
    "open_group",
    "open a group of three: rank, three suits, or two and a wild card",
    tuple(f"open {text}" for text, _, _ in _GROUPS),
    tuple(faces for _, faces, _ in _GROUPS),
    pattern=tuple(int(len(faces) == 2) for _, faces, _ in _GROUPS),
    effect="open_meld",
)
# For each group of two natural cards, by rank: the faces of both missing suits.
PAIR_FACES = tuple(tuple(NUM_RANKS * suit + rank for suit in suits) for rank in range(NUM_RANKS) for suits in _PAIRS)

# The rows of all openings, sequences first: the natural cards as a mask, whether a wild card is needed, and the meld.
CARDS = np.array([sum(1 << face for face in faces) for _, faces, _ in _SEQUENCES + _GROUPS], np.int64)
NEEDS_WILD = np.array([int(len(faces) == 2) for _, faces, _ in _SEQUENCES + _GROUPS], np.int64)
MELDS = np.array([packed for _, _, packed in _SEQUENCES + _GROUPS], np.int64)
PAIRS = np.array([sum(1 << face for face in pair) for pair in PAIR_FACES], np.int64)

# For each set of suits: the groups of a rank that can be opened from it, as bits.
GROUPS_IN = np.array(
    [
        sum(1 << i for i, suits in enumerate((*_TRIPLES, *_PAIRS)) if all(held >> suit & 1 for suit in suits))
        for held in range(1 << NUM_SUITS)
    ],
    np.int64,
)
_STARTS = sum(((1 << NUM_LOWEST) - 1) << NUM_PLACES * suit for suit in range(NUM_SUITS))


@inlined
def spread(cards: int) -> int:
    """Convert faces to places of sequences: 14 bits per suit, with each Ace at both ends."""
    apart = (
        cards & _ALL_RANKS
        | (cards & _ALL_RANKS << NUM_RANKS) << 1
        | (cards & _ALL_RANKS << 2 * NUM_RANKS) << 2
        | (cards & _ALL_RANKS << 3 * NUM_RANKS) << 3
    )
    return apart | (apart & _LOW_ACES) << HIGH_ACE


@inlined
def gathered(places: int) -> int:
    """Convert places of sequences to faces, as a mask."""
    low = places | (places >> HIGH_ACE & _LOW_ACES)
    return (
        low & _ALL_RANKS
        | (low >> 1 & _ALL_RANKS << NUM_RANKS)
        | (low >> 2 & _ALL_RANKS << 2 * NUM_RANKS)
        | (low >> 3 & _ALL_RANKS << 3 * NUM_RANKS)
    )


@inlined
def starts_of(places: int, pattern: int) -> int:
    """The lowest places of the sequences of three that these places allow with a pattern of the wild card."""
    one = places if pattern != 1 else _STARTS
    two = places >> 1 if pattern != 2 else _STARTS
    three = places >> 2 if pattern != 3 else _STARTS
    return one & two & three & _STARTS


@inlined
def ranks_of_groups(cards: int, suits: int) -> int:
    """The ranks of which these cards have at least `suits` suits (2 or 3), as a mask."""
    clubs, diamonds, hearts, spades = cards, cards >> NUM_RANKS, cards >> 2 * NUM_RANKS, cards >> 3 * NUM_RANKS
    ranks = clubs & diamonds & (hearts | spades) | hearts & spades & (clubs | diamonds)
    if suits == 2:
        ranks = clubs & diamonds | hearts & spades | (clubs | diamonds) & (hearts | spades)
    return ranks & _ALL_RANKS


@compiled
def in_openings(cards: int) -> int:
    """The cards of the mask that form sequences or groups of three or more without wild cards."""
    starts = starts_of(spread(cards), 0)
    return gathered(starts | starts << 1 | starts << 2) | cards & ranks_of_groups(cards, 3) * ACES


@inlined
def row_of_start(start: int, pattern: int) -> int:
    """The row of the opening for the sequence that begins at a place of `spread`, with this pattern."""
    return (NUM_LOWEST * (start // NUM_PLACES) + start % NUM_PLACES) * NUM_PATTERNS + pattern


# Melds as text -------------------------------------------------------------------------------------------------------


def meld_faces(meld: int) -> list[int]:
    """The faces of a meld: a sequence by its places, a group by its suits with the wild card last."""
    meld = int(meld)
    what, places, wild = meld >> _WHAT & 31, meld & _PLACES, meld >> _WILD_AT & 15
    held = [i for i in range(NUM_PLACES) if places >> i & 1]
    if what >= _GROUP:
        return [NUM_RANKS * suit + what - _GROUP for suit in held] + [WILD] * bool(wild)
    return [WILD if place + 1 == wild else NUM_RANKS * what + place % NUM_RANKS for place in held]


def parse_meld(text: str) -> int:
    """Read a packed meld from its text. ValueError: not a meld."""
    faces = FACES.parse_all(text)
    naturals = [face for face in faces if face != WILD]
    wilds = len(faces) - len(naturals)
    if len(faces) >= 3 and wilds <= 1:
        suits, ranks = {face // NUM_RANKS for face in naturals}, {face % NUM_RANKS for face in naturals}
        if len(ranks) == 1 and len(suits) == len(naturals) and len(faces) <= NUM_SUITS:
            return sum(1 << suit for suit in suits) | wilds << _WILD_AT | (_GROUP + ranks.pop()) << _WHAT
        if len(suits) == 1 and len(faces) <= NUM_RANKS:
            for low in range(NUM_PLACES - len(faces) + 1):
                if all(face in (WILD, 13 * min(suits) + (low + i) % NUM_RANKS) for i, face in enumerate(faces)):
                    wild = low + faces.index(WILD) + 1 if wilds else 0
                    return ((1 << len(faces)) - 1) << low | wild << _WILD_AT | min(suits) << _WHAT
    raise ValueError(
        f"{text!r:.80} is not a meld: three or more cards of one suit in the order of the ranks, the Ace at an end, "
        f"or three or four of one rank and of different suits; at most one of them is W"
    )


@compiled
def is_meld(meld: int) -> bool:
    """Whether a packed number is a valid meld."""
    places, wild, what = places_of(meld), wild_in(meld), what_of(meld)
    if meld & ~MELD_BITS or places == 0:
        return False
    if is_group(meld):
        return what < _GROUP + NUM_RANKS and places < 16 and wild <= 1 and 3 <= popcount(places) + wild <= NUM_SUITS
    row = places >> lowest(places)
    unbroken = row & (row + 1) == 0 and 3 <= popcount(places) <= NUM_RANKS
    return unbroken and (wild == 0 or places >> wild - 1 & 1 != 0)
