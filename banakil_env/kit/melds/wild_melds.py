"""Runs and sets of one or two packs with wild cards that represent named cards: their openings, and how they grow.

A meld is one packed number:

    bits 0-4    kind: 0 none; 1-4 a run of clubs, diamonds, hearts, spades; 5-17 a set of Aces, Twos, .. Kings
    bits 5-18   its places: for a run the ranks A 2 3 .. K A, with a low Ace at place 0 and a high one at 13; for a set
                the suits, and in some games second cards of the suits and wild cards without a suit
    bits 19-32  the places with a wild card

The cards that a meld accepts are also a mask: naturals by their faces, then a wild card at the low end and one at the
high end (`LOW`, `HIGH`). A meld is opened with three cards, at least one of them natural. Every opening is a row of
tables that are made at import; legality, effects, texts and players use them.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from banakil_env.core.actions import Block
from banakil_env.core.bits import highest, lowest, only_if, popcount
from banakil_env.core.jit import compiled, inlined
from banakil_env.kit.melds.places import NUM_PLACES as NUM_PLACES
from banakil_env.kit.melds.places import in_places as in_places
from banakil_env.kit.melds.runs_and_sets import pair_ranks, set_ranks
from banakil_env.kit.pack52 import FACES, NUM_RANKS, NUM_SUITS, ONE_SUIT, cards_of, ranks_in
from banakil_env.kit.pack54 import JOKER_BIT

MAX_MELD = 2**33 - 1
LONGEST = NUM_RANKS  # most cards of a run: an Ace is at one end of it only

RUN, SET = 1, 1 + NUM_SUITS  # the first kind of runs, and of sets
LAST_KIND = SET + NUM_RANKS - 1
SECOND, NO_SUIT = NUM_SUITS, 2 * NUM_SUITS  # first places in a set for second cards, and for wild cards without a suit

LOW, HIGH = NUM_RANKS * NUM_SUITS, NUM_RANKS * NUM_SUITS + 1  # bits for a wild card, in a mask of cards that fit
NUM_TAKEN = HIGH + 1
MAX_TAKEN = 2**NUM_TAKEN - 1
BOTH_ENDS = 1 << LOW | 1 << HIGH

_PLACES, _WILDS = 5, 19
_ALL_PLACES = (1 << NUM_PLACES) - 1
_ALL_SUITS = (1 << NUM_SUITS) - 1


@inlined
def meld_of(kind: int, places: int, wilds: int) -> int:
    """Pack a meld into a number."""
    return kind | places << _PLACES | wilds << _WILDS


@inlined
def kind_of(meld: int) -> int:
    """The kind of a meld: 0 for none, 1-4 for a run of a suit, 5-17 for a set of a rank."""
    return meld & 31


@inlined
def places_in(meld: int) -> int:
    """The places of a meld, as a mask."""
    return meld >> _PLACES & _ALL_PLACES


@inlined
def wilds_in(meld: int) -> int:
    """The places of a meld that have a wild card, as a mask."""
    return meld >> _WILDS


@inlined
def is_run(meld: int) -> bool:
    """Whether a meld is a run."""
    return kind_of(meld) < SET


@inlined
def face_at(meld: int, place: int) -> int:
    """The natural card of a place, even if a wild card represents it there."""
    kind = kind_of(meld)
    return NUM_RANKS * (kind - RUN) + place % NUM_RANKS if kind < SET else NUM_RANKS * (place & SECOND - 1) + kind - SET


# For each mask of suits, the mask of their Aces.
_ACES_OF = np.array(
    [sum(1 << NUM_RANKS * suit for suit in range(NUM_SUITS) if suits >> suit & 1) for suits in range(1 << NUM_SUITS)],
    np.int64,
)


@inlined
def naturals_in(meld: int) -> int:
    """The faces of the natural cards of a meld, as a mask."""
    places = places_in(meld) & ~wilds_in(meld)
    ranks = (places | places >> NUM_RANKS) & ONE_SUIT
    kind = kind_of(meld)
    return ranks << NUM_RANKS * (kind - RUN) if kind < SET else _ACES_OF[places & _ALL_SUITS] << (kind - SET)


@inlined
def doubled_in(meld: int) -> int:
    """The natural cards that a set has twice, as a mask of faces."""
    kind = kind_of(meld)
    return 0 if kind < SET else _ACES_OF[places_in(meld) >> SECOND & _ALL_SUITS] << (kind - SET)


@inlined
def grown(meld: int, place: int, is_wild: bool) -> int:
    """The meld with one more card, at a place."""
    return meld | 1 << (_PLACES + place) | int(is_wild) << (_WILDS + place)


@compiled
def run_takes(meld: int, longest: int) -> int:
    """The cards that fit a run of at most `longest` cards: those next to its ends."""
    places, first = places_in(meld), NUM_RANKS * (kind_of(meld) - RUN)
    low, high = lowest(places), highest(places)
    room = high - low + 1 < longest
    below = 1 << (first + max(low - 1, 0)) | 1 << LOW
    above = 1 << (first + (high + 1) % NUM_RANKS) | 1 << HIGH
    return only_if(room and low > 0, below) | only_if(room and high < NUM_PLACES - 1, above)


@compiled
def set_takes(meld: int) -> int:
    """The cards that fit a set without repeated suits: the card of the missing suit, or a wild card for it."""
    missing = _ALL_SUITS & ~places_in(meld)
    if missing == 0:
        return 0
    return 1 << (NUM_RANKS * lowest(missing) + kind_of(meld) - SET) | 1 << HIGH


@compiled
def place_for(meld: int, taken: int) -> int:
    """The place at which a fitting card (a face, LOW or HIGH) is added to a meld.

    An Ace that fits both ends of a run goes to the high end.
    """
    places = places_in(meld)
    if not is_run(meld):
        return lowest(_ALL_SUITS & ~places)
    above = highest(places) + 1
    goes_high = taken == HIGH or (taken < LOW and above < NUM_PLACES and above % NUM_RANKS == taken % NUM_RANKS)
    return above if goes_high else lowest(places) - 1


# Hands as places of runs ---------------------------------------------------------------------------------------------

# A run of three begins at one of these places of each suit: from the low Ace to the Queen.
_STARTS = sum(((1 << NUM_PLACES - 2) - 1) << NUM_PLACES * suit for suit in range(NUM_SUITS))
_BOTTOM = sum(1 << NUM_PLACES * suit for suit in range(NUM_SUITS))
_TOP = _BOTTOM << NUM_PLACES - 1

# For each face, its places in a run, as a mask over all suits; an Ace has two places.
PLACES_OF = np.array(
    [
        sum(1 << NUM_PLACES * suit + place for place in ((0, NUM_RANKS) if rank == 0 else (rank,)))
        for suit in range(NUM_SUITS)
        for rank in range(NUM_RANKS)
    ]
    + [0],
    np.int64,
)


@inlined
def up(places: int) -> int:
    """The places above these, as a mask."""
    return (places & ~_TOP) << 1


@inlined
def down(places: int) -> int:
    """The places below these, as a mask."""
    return (places & ~_BOTTOM) >> 1


@compiled
def in_faces(places: int) -> int:
    """The natural cards at these places, as a mask of faces."""
    cards = 0
    for suit in range(NUM_SUITS):
        own = places >> NUM_PLACES * suit
        cards |= (own & ONE_SUIT | own >> NUM_RANKS & 1) << NUM_RANKS * suit
    return cards


@compiled
def run_starts(cards: int) -> int:
    """The lowest places of all runs of three among these natural cards."""
    places = in_places(cards)
    return places & places >> 1 & places >> 2 & _STARTS


@compiled
def melded(cards: int) -> int:
    """The cards of the mask that are in a run, or in a set without repeated suits."""
    starts = run_starts(cards)
    return in_faces(starts | starts << 1 | starts << 2) | cards & cards_of(set_ranks(cards))


@compiled
def completing(cards: int) -> int:
    """The mask of other natural cards that complete a run, or a set without repeated suits, with two of these."""
    places = in_places(cards)
    above, below = up(places), down(places)
    runs = in_faces(above & below | above & up(above) | below & down(below))
    return (runs | cards_of(pair_ranks(cards))) & ~cards


@compiled
def near(cards: int) -> int:
    """The natural cards near these: cards of ranks held twice, and cards at most two places from one in their suit."""
    places = in_places(cards)
    above, below = up(places), down(places)
    return in_faces(above | up(above) | below | down(below)) | cards_of(pair_ranks(cards))


@compiled
def thirds(face: int, cards: int) -> int:
    """The number of melds of three that a natural card forms with two of these cards.

    Counted are runs, and sets without repeated suits.
    """
    card = 1 << face
    others = cards & ~card
    same = popcount(cards_of(ranks_in(card)) & others)
    return popcount(run_starts(others | card)) - popcount(run_starts(others)) + same * (same - 1) // 2


# Openings ------------------------------------------------------------------------------------------------------------

# Patterns: masks of the cards of an opening that are wild. Then the number of patterns by number of wild cards in hand.
PATTERNS = (0b000, 0b001, 0b010, 0b100, 0b011, 0b101, 0b110)
NUM_PATTERNS = len(PATTERNS)
_PATTERNS, _PATTERNS_WITH = np.array(PATTERNS, np.int64), np.array([1, 4, 7], np.int64)


class Opening(NamedTuple):
    """One opening: its text, the faces of its natural cards, its pattern of wild cards, and the meld that it makes."""

    text: str
    naturals: tuple[int, ...]
    pattern: int  # an index of PATTERNS
    meld: int
    middle: int = -1  # for a run, the face of its middle place

    @property
    def needs(self) -> int:
        """The natural faces as a mask, with the bit of the Joker if the opening has wild cards."""
        return sum(1 << face for face in set(self.naturals)) | (JOKER_BIT if self.pattern else 0)


def _opening(kind: int, places: Sequence[int], pattern: int, wild_texts: Sequence[str]) -> Opening:
    """The opening with these places, of which those in the pattern have wild cards.

    `wild_texts` has the text of a wild card for each place.
    """
    taken = sum(1 << place for place in places)
    wilds = sum(1 << place for i, place in enumerate(places) if PATTERNS[pattern] >> i & 1)
    meld = kind | taken << _PLACES | wilds << _WILDS
    faces = [
        NUM_RANKS * (kind - RUN) + place % NUM_RANKS if kind < SET else NUM_RANKS * place + kind - SET
        for place in places
    ]
    texts = [wild_texts[i] if wilds >> place & 1 else FACES.names[faces[i]] for i, place in enumerate(places)]
    naturals = tuple(face for face, place in zip(faces, places, strict=True) if not wilds >> place & 1)
    return Opening(f"open {' '.join(texts)}", naturals, pattern, meld, faces[1] if kind < SET else -1)


def all_runs(wild: str) -> list[Opening]:
    """Every opening of a run of three, by suit, lowest rank A..Q and pattern; `wild` is the text of a wild card."""
    return [
        _opening(RUN + suit, range(low, low + 3), pattern, (wild,) * 3)
        for suit in range(NUM_SUITS)
        for low in range(NUM_PLACES - 2)
        for pattern in range(NUM_PATTERNS)
    ]


def all_sets(wild: str) -> list[Opening]:
    """Every opening of a set of three suits, by rank, suits and pattern; wild cards are written as `JK=5h`."""
    return [
        _opening(SET + rank, suits, pattern, [f"{wild}={FACES.names[NUM_RANKS * suit + rank]}" for suit in suits])
        for rank in range(NUM_RANKS)
        for suits in itertools.combinations(range(NUM_SUITS), 3)
        for pattern in range(NUM_PATTERNS)
    ]


def opening_block(name: str, note: str, openings: Sequence[Opening]) -> Block:
    """The block of actions for these openings."""
    return Block(
        name,
        note,
        tuple(each.text for each in openings),
        tuple(each.naturals for each in openings),
        tuple(each.pattern for each in openings),
        middle=tuple(each.middle for each in openings if each.middle >= 0),
        effect="open_meld",
    )


def take_block(most: int) -> Block:
    """The block of actions that take the top 1 to `most` cards of the pile."""
    return Block(
        "take", "take the top k cards of the pile", tuple(f"take {k}" for k in range(1, most + 1)), subject="depth"
    )


def add_block() -> Block:
    """The block of actions that add a natural card to a meld."""
    return Block("add", "add a natural", tuple(f"add {card}" for card in FACES.names), tuple((f,) for f in range(LOW)))


def add_wild_block(wild: str, face: int) -> Block:
    """The block of actions that add a wild card at the low or the high end of a meld; it follows `add_block`.

    Args:
        wild: the text of a wild card.
        face: the face of a wild card.
    """
    texts, note = (f"add {wild} low", f"add {wild} high"), "add a wild card at the low or the high end; to a set: high"
    return Block("add_wild", note, texts, ((face,),) * 2, (0, 1), effect="add")


def meld_block(melds: int) -> Block:
    """The block of actions that choose a meld for the card that was just named."""
    texts = tuple(f"meld {k}" for k in range(melds))
    note = "the meld for the card just named"
    return Block("meld", note, texts, subject="meld", verb="choose", effect="choose_meld")


def rows_of_runs(openings: Sequence[Opening]) -> Any:
    """An array of indices into `openings`: for each first place of a run and each pattern, the opening of that run.

    The first index is `NUM_PLACES * suit + place`, the second a pattern of `PATTERNS`; -1: no such opening.
    """
    rows = np.full((NUM_SUITS * NUM_PLACES, NUM_PATTERNS), -1, np.int64)
    for row, each in enumerate(openings):
        start = lowest(each.meld >> _PLACES & _ALL_PLACES)
        rows[NUM_PLACES * ((each.meld & 31) - RUN) + start, each.pattern] = row
    return rows


SETS_A_RANK = 4 * NUM_PATTERNS

# The sets of a rank that can be opened, as bits in the order of `all_sets`, by number of wild cards (0, 1, 2 or more)
# and by the suits of the natural cards.
_SETS_WITH = np.array(
    [
        [
            sum(
                1 << row
                for row, each in enumerate(all_sets("")[:SETS_A_RANK])
                if PATTERNS[each.pattern].bit_count() <= wilds
                and all(suits >> face // NUM_RANKS & 1 for face in each.naturals)
            )
            for suits in range(1 << NUM_SUITS)
        ]
        for wilds in range(3)
    ],
    np.int64,
)


@compiled
def write_runs(mask: Any, first: int, cards: int, wilds: int, wanted: int, rows: Any, needs: Any) -> None:
    """Write 1 for the runs that can be opened; other cells stay unchanged.

    Args:
        mask: a row of bytes with a cell for each action.
        first: the index of the first run.
        cards: the natural cards available, as a mask.
        wilds: the number of wild cards available.
        wanted: write only runs with a card of these faces; the bit of the Joker means any wild card.
        rows: the result of `rows_of_runs`.
        needs: `Opening.needs` of each run.
    """
    places = in_places(cards)
    for pattern in range(_PATTERNS_WITH[min(wilds, 2)]):
        starts = _STARTS
        for i in range(3):
            starts &= places >> i | -(_PATTERNS[pattern] >> i & 1)
        while starts:
            row = rows[lowest(starts), pattern]
            starts &= starts - 1
            if row >= 0:
                mask[first + row] = needs[row] & wanted != 0


@compiled
def write_sets(mask: Any, first: int, cards: int, wilds: int, wanted: int, needs: Any) -> None:
    """As `write_runs`, for the sets of `all_sets`."""
    ranks = set_ranks(cards) if wilds == 0 else pair_ranks(cards) if wilds == 1 else ranks_in(cards)
    while ranks:
        rank = lowest(ranks)
        ranks &= ranks - 1
        suits = 0
        for suit in range(NUM_SUITS):
            suits |= (cards >> (NUM_RANKS * suit + rank) & 1) << suit
        found = _SETS_WITH[min(wilds, 2), suits]
        while found:
            row = SETS_A_RANK * rank + lowest(found)
            found &= found - 1
            mask[first + row] = needs[row] & wanted != 0


# Texts ---------------------------------------------------------------------------------------------------------------


def places_of(meld: int) -> list[tuple[int, int, bool]]:
    """For each card of a meld, in order: its place, the face of this place, and whether it is a wild card.

    Runs are ordered from low to high, sets by suits with wild cards without a suit last.
    """
    meld = int(meld)
    kind, places, wilds = meld & 31, meld >> _PLACES & _ALL_PLACES, meld >> _WILDS
    taken = [place for place in range(NUM_PLACES) if places >> place & 1]
    if kind < SET:
        return [(place, NUM_RANKS * (kind - RUN) + place % NUM_RANKS, bool(wilds >> place & 1)) for place in taken]
    taken.sort(key=lambda place: (place >= NO_SUIT, place % NUM_SUITS))
    return [(place, NUM_RANKS * (place % NUM_SUITS) + kind - SET, bool(wilds >> place & 1)) for place in taken]


@compiled
def is_sound(meld: int, longest: int) -> bool:
    """Whether a number is a valid meld: a run of at most `longest` cards, or a set without repeated suits."""
    kind, places, wilds = kind_of(meld), places_in(meld), wilds_in(meld)
    if kind == 0 or kind > LAST_KIND or wilds & ~places or places == wilds or popcount(places) < 3:
        return False
    if not is_run(meld):
        return places <= _ALL_SUITS
    steps = places >> lowest(places)
    return steps & (steps + 1) == 0 and popcount(places) <= longest
