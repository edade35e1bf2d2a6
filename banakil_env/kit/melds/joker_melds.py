"""Sets and runs of two packs with Jokers: their openings, their packed numbers, and exchanges of Jokers.

A set has three or more cards of one rank, which can be equal. A run has four or more cards of one suit, in the order of
their places: A 2 .. K are the places 0 to 12, and a high Ace is at place 13. A set is opened with three cards and a run
with four, two of them natural; a meld then grows card by card. Every opening is a row of tables that are made at
import. A game can also allow openings with one natural card: their rows come after the others.

A meld is packed into 31 bits; 0 is not a meld:

    run     bits 0-13 the places of its naturals, 14-27 those of its Jokers, 28-29 the suit, bit 30 set
    set     bits 0-7 its naturals, two bits for each suit, bits 8-10 its Jokers, 11-14 the rank

A hand is described by three numbers: the mask of faces held, the mask of faces held twice (52 bits each), and the
number of Jokers. Runs in a hand are found with a place mask, which has 14 bits for each suit, so that an Ace has two
places.
"""

from __future__ import annotations

import itertools
from typing import Any, NamedTuple

import numpy as np

from banakil_env.core.actions import Block
from banakil_env.core.bits import highest, lowest, popcount
from banakil_env.core.jit import compiled, inlined
from banakil_env.kit.cards import SUITS
from banakil_env.kit.melds.places import NUM_PLACES as NUM_PLACES
from banakil_env.kit.melds.places import in_places
from banakil_env.kit.pack52 import NUM_RANKS, NUM_SUITS, ONE_SUIT
from banakil_env.kit.pack54 import FACES, JOKER, NUM_FACES

ONE_RUN = (1 << NUM_PLACES) - 1  # the places of one suit
SET_SIZE, RUN_SIZE = 3, 4
NUM_LOWEST = NUM_PLACES - RUN_SIZE + 1
MAX_MELDS = 2 * (NUM_FACES + 1) // SET_SIZE  # for two packs with four Jokers

LOW, HIGH = 1, 2  # bits for the ends of a run at which a Joker can be added

# The openings -------------------------------------------------------------------------------------------------------

# The patterns: the places of the Jokers in a run of four. The first eight have no adjacent Jokers; the last four have
# one natural card.
JOKERS_AT = (
    *((), (0,), (1,), (2,), (3,), (0, 2), (0, 3), (1, 3), (0, 1), (1, 2), (2, 3)),
    *((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)),
)
ALL_PATTERNS, NUM_PATTERNS, NUM_APART = 15, 11, 8
NUM_LONE = ALL_PATTERNS - NUM_PATTERNS

# The suits of the natural cards of a set: three, or two with a Joker as the third card.
_THREES = [suits for suits in itertools.combinations_with_replacement(range(NUM_SUITS), 3) if len(set(suits)) > 1]
_PAIRS = list(itertools.combinations_with_replacement(range(NUM_SUITS), 2))
NUM_NATURAL_SETS, NUM_SETS = len(_THREES), len(_THREES) + len(_PAIRS)

NUM_SET_ROWS = NUM_RANKS * NUM_SETS
_RUN, _SUIT, _RANK, _SET_JOKERS = 30, 28, 11, 8


class Opening(NamedTuple):
    """One opening: its text, its natural faces, its number of Jokers, its meld, and its pattern of Jokers."""

    text: str
    naturals: tuple[int, ...]
    jokers: int
    meld: int
    pattern: int
    middle: int | None = None  # for a run, the face of its second place, even if a Joker is there


def _sets() -> list[Opening]:
    rows = []
    for rank, suits in itertools.product(range(NUM_RANKS), [*_THREES, *_PAIRS]):
        faces, jokers = tuple(suit * NUM_RANKS + rank for suit in suits), SET_SIZE - len(suits)
        text = FACES.text([*faces, *[JOKER] * jokers])
        meld = rank << _RANK | jokers << _SET_JOKERS | sum(1 << 2 * suit for suit in suits)
        rows.append(Opening(f"open {text}", faces, jokers, meld, jokers))
    return rows


def _lone_sets() -> list[Opening]:
    """The sets of one natural card and two Jokers, in the order of faces."""
    rows = []
    for face in range(JOKER):
        meld = face % NUM_RANKS << _RANK | 2 << _SET_JOKERS | 1 << 2 * (face // NUM_RANKS)
        rows.append(Opening(f"open {FACES.text([face, JOKER, JOKER])}", (face,), 2, meld, 2))
    return rows


def _runs(patterns: range) -> list[Opening]:
    rows = []
    for suit, low, pattern in itertools.product(range(NUM_SUITS), range(NUM_LOWEST), patterns):
        faces = [suit * NUM_RANKS + (low + i) % NUM_RANKS for i in range(RUN_SIZE)]
        jokers = JOKERS_AT[pattern]
        text = FACES.text([JOKER if i in jokers else face for i, face in enumerate(faces)])
        naturals = [i for i in range(RUN_SIZE) if i not in jokers]
        meld = sum(1 << low + i for i in naturals) | sum(1 << NUM_PLACES + low + i for i in jokers)
        meld |= suit << _SUIT | 1 << _RUN
        own = tuple(faces[i] for i in naturals)
        rows.append(Opening(f"open {text}", own, len(jokers), meld, pattern, faces[1]))
    return rows


OPENINGS = (*_sets(), *_runs(range(NUM_PATTERNS)))
NUM_ROWS = len(OPENINGS)
LONE_OPENINGS = (*_lone_sets(), *_runs(range(NUM_PATTERNS, ALL_PATTERNS)))  # with one natural: rows from NUM_ROWS on
LONE_RUN_ROWS = NUM_ROWS + JOKER
_ROWS = (*OPENINGS, *LONE_OPENINGS)

# Columns of the table of rows, for compiled code: faces needed, faces needed twice, Jokers needed, the meld made.
NEED_ONE = np.array([sum(1 << face for face in set(row.naturals)) for row in _ROWS], np.int64)
NEED_TWO = np.array([sum(1 << f for f in set(row.naturals) if row.naturals.count(f) > 1) for row in _ROWS], np.int64)
NEED_JOKERS = np.array([row.jokers for row in _ROWS], np.int64)
MELD_MADE = np.array([row.meld for row in _ROWS], np.int64)

# The sets of a rank that can be opened, by the suits held (4 bits) and the suits held twice (4 bits).
_SETS_FROM = np.zeros((1 << NUM_SUITS, 1 << NUM_SUITS), np.int64)
for _one, _two, _i in itertools.product(range(1 << NUM_SUITS), range(1 << NUM_SUITS), range(NUM_SETS)):
    _suits = OPENINGS[_i].naturals  # these are Aces, whose face is 13 times the suit
    if all((_two if _suits.count(face) > 1 else _one) >> face // NUM_RANKS & 1 for face in _suits):
        _SETS_FROM[_one, _two] |= 1 << _i

# For each pattern: the places of the four that need a natural card. Then the number of its Jokers.
_NATURAL_AT = np.array([sum(1 << i for i in range(RUN_SIZE) if i not in at) for at in JOKERS_AT], np.int64)
PATTERN_JOKERS = np.array([len(at) for at in JOKERS_AT], np.int64)
ALL_WINDOWS = sum(((1 << NUM_LOWEST) - 1) << NUM_PLACES * suit for suit in range(NUM_SUITS))


def set_block(name: str, note: str) -> Block:
    """The block of actions that open a set: by rank, then by the suits of its natural cards."""
    return _block(name, note, OPENINGS[:NUM_SET_ROWS])


def run_block(name: str, note: str, patterns: int = NUM_PATTERNS) -> Block:
    """The block of actions that open a run: by suit, lowest place, and the first `patterns` patterns of Jokers."""
    return _block(name, note, tuple(row for row in OPENINGS[NUM_SET_ROWS:] if row.pattern < patterns))


def lone_blocks(set_name: str, run_name: str) -> tuple[Block, Block]:
    """The blocks of actions that open a set, and a run, with one natural card."""
    return (
        _block(set_name, "open a set with one natural, where `jokers=any`", LONE_OPENINGS[:JOKER], "open_lone"),
        _block(
            run_name, "open a run with one natural: suit, lowest place, its place", LONE_OPENINGS[JOKER:], "open_lone"
        ),
    )


def _block(name: str, note: str, rows: tuple[Opening, ...], effect: str = "open_meld") -> Block:
    texts, cards = tuple(row.text for row in rows), tuple(row.naturals for row in rows)
    middle = tuple(row.middle for row in rows if row.middle is not None)
    return Block(name, note, texts, cards, tuple(row.pattern for row in rows), middle=middle, effect=effect)


_NATURALS = FACES.names[:JOKER]
_EACH = tuple((face,) for face in range(JOKER))
# The effect of actions with one card and a meld: `play_place` gets the number of the action, counted from ADD on.
_PLAY = "play_place"
ADD = Block("add", "add a natural to a meld", tuple(f"add {card}" for card in _NATURALS), _EACH, effect=_PLAY)
ADD_JOKER = Block(
    *("add_joker", "add a Joker at an end; to a set: high", ("add JK low", "add JK high")),
    pattern=(0, 1),
    effect=_PLAY,
)
SWAP = Block("swap", "exchange a natural for a Joker", tuple(f"swap {c}" for c in _NATURALS), _EACH, effect=_PLAY)
MELD = Block(
    "meld",
    "the meld for the card just named",
    tuple(f"meld {k}" for k in range(MAX_MELDS)),
    subject="meld",
    verb="choose",
    effect="choose_meld",
)


@inlined
def row_of_run(window: int, pattern: int) -> int:
    """The row of the run of four that begins at this bit of a place mask, with this pattern of Jokers."""
    place = window // NUM_PLACES * NUM_LOWEST + window % NUM_PLACES
    if pattern < NUM_PATTERNS:
        return NUM_SET_ROWS + place * NUM_PATTERNS + pattern
    return LONE_RUN_ROWS + place * NUM_LONE + pattern - NUM_PATTERNS


@inlined
def window_of(row: int) -> int:
    """The bit of a place mask at which the run of this row begins."""
    low = (row - NUM_SET_ROWS) // NUM_PATTERNS if row < NUM_ROWS else (row - LONE_RUN_ROWS) // NUM_LONE
    return low // NUM_LOWEST * NUM_PLACES + low % NUM_LOWEST


# Hands as masks ------------------------------------------------------------------------------------------------------


@inlined
def first_left(one: int, two: int, need: int, need_two: int) -> int:
    """The faces still held after the faces in `need` have left the hand once, and those in `need_two` twice."""
    return one & ~(need & ~two | need_two)


@inlined
def windows_with(places: int, pattern: int) -> int:
    """The lowest places of all runs of four that these places allow with a pattern, given enough Jokers."""
    windows = ALL_WINDOWS
    for i in range(RUN_SIZE):
        windows &= places >> i | -(~_NATURAL_AT[pattern] >> i & 1)
    return windows


@inlined
def windows_over(cards: int) -> int:
    """The lowest places of all runs of four that contain one of these natural cards."""
    places = in_places(cards)
    return (places | places >> 1 | places >> 2 | places >> 3) & ALL_WINDOWS


@inlined
def sets_with(one: int, two: int, jokers: int, rank: int) -> int:
    """The sets of a rank that a hand can open, as a mask: a bit for each of the 26 openings of a rank, in their order.

    Args:
        one: the faces in the hand, as a mask.
        two: the faces that are in the hand twice, as a mask.
        jokers: the number of Jokers in the hand.
        rank: the rank.
    """
    ones = one >> rank & 1 | one >> rank + 12 & 2 | one >> rank + 24 & 4 | one >> rank + 36 & 8
    twos = two >> rank & 1 | two >> rank + 12 & 2 | two >> rank + 24 & 4 | two >> rank + 36 & 8
    found = _SETS_FROM[ones, twos]
    return found if jokers else found & (1 << NUM_NATURAL_SETS) - 1


@compiled
def numbers_by_rank(one: int, two: int) -> Any:
    """The number of cards of each rank in a hand (0 to 8), as four masks of ranks: the binary digits 1, 2, 4 and 8."""
    ones, twos, fours, eights = 0, 0, 0, 0
    for suit in range(NUM_SUITS):
        for cards in (one, two):
            more = cards >> NUM_RANKS * suit & ONE_SUIT
            carry = ones & more
            ones ^= more
            more, carry = carry, twos & carry
            twos ^= more
            more, carry = carry, fours & carry
            fours ^= more
            eights |= carry
    return ones, twos, fours, eights


# Melds as numbers ----------------------------------------------------------------------------------------------------


@inlined
def new_set(rank: int, naturals: int, jokers: int) -> int:
    """Pack a set into a number; `naturals` has two bits for each suit."""
    return naturals | jokers << _SET_JOKERS | rank << _RANK


@inlined
def new_run(suit: int, naturals: int, jokers: int) -> int:
    """Pack a run into a number, from the places of its natural cards and of its Jokers."""
    return naturals | jokers << NUM_PLACES | suit << _SUIT | 1 << _RUN


@inlined
def is_run(meld: int) -> bool:
    """Whether a meld is a run."""
    return meld >> _RUN & 1 != 0


@inlined
def suit_of(run: int) -> int:
    """The suit of a run."""
    return run >> _SUIT & 3


@inlined
def rank_of(a_set: int) -> int:
    """The rank of a set."""
    return a_set >> _RANK & 15


@inlined
def naturals_at(run: int) -> int:
    """The places of the natural cards of a run, as a mask."""
    return run & ONE_RUN


@inlined
def jokers_at(run: int) -> int:
    """The places of the Jokers of a run, as a mask."""
    return run >> NUM_PLACES & ONE_RUN


@inlined
def occupied(run: int) -> int:
    """The places of all cards of a run, as a mask of consecutive bits."""
    return (run | run >> NUM_PLACES) & ONE_RUN


@inlined
def jokers_in(meld: int) -> int:
    """The number of Jokers in a meld."""
    return popcount(jokers_at(meld)) if is_run(meld) else meld >> _SET_JOKERS & 7


@inlined
def size_of(meld: int) -> int:
    """The number of cards in a meld."""
    pairs = meld & 0xFF
    of_set = popcount(pairs & 0x55) + 2 * popcount(pairs & 0xAA) + (meld >> _SET_JOKERS & 7)
    return popcount(occupied(meld)) if is_run(meld) else of_set


@inlined
def faces_at(run: int, places: int) -> int:
    """The faces at these places of a run, as a mask."""
    return (places & ONE_SUIT | places >> NUM_RANKS) << NUM_RANKS * suit_of(run)


@inlined
def beside(run: int) -> int:
    """The free places next to a run, as a mask."""
    places = occupied(run)
    return (places << 1 | places >> 1) & ~places & ONE_RUN


@compiled
def naturals_taken(meld: int) -> int:
    """The natural cards that can be added to a meld, as a mask: cards of a set's rank, or those next to a run."""
    if is_run(meld):
        return faces_at(meld, beside(meld))
    return (1 | 1 << NUM_RANKS | 1 << 2 * NUM_RANKS | 1 << 3 * NUM_RANKS) << rank_of(meld)


@compiled
def ends_free(meld: int) -> int:
    """The ends at which a Joker can be added: LOW, HIGH, both or 0; for a set always HIGH."""
    places = occupied(meld)
    return LOW * (places & 1 == 0) | HIGH * (places >> NUM_RANKS == 0) if is_run(meld) else HIGH


@inlined
def jokers_for(meld: int) -> int:
    """The faces that the Jokers of a run represent, as a mask; 0 for a set."""
    return faces_at(meld, jokers_at(meld)) if is_run(meld) else 0


@compiled
def with_natural(meld: int, face: int) -> int:
    """The meld with one more natural card, which must fit. An Ace that fits both ends of a run goes to the high end."""
    if not is_run(meld):
        return meld + (1 << 2 * (face // NUM_RANKS))
    free = beside(meld) & (1 << face % NUM_RANKS | (1 << NUM_RANKS if face % NUM_RANKS == 0 else 0))
    return meld | 1 << highest(free)


@compiled
def with_joker(meld: int, end: int) -> int:
    """The meld with one more Joker, at an end that is free."""
    if not is_run(meld):
        return meld + (1 << _SET_JOKERS)
    free = beside(meld)
    place = highest(free) if end == HIGH else lowest(free)
    return meld | 1 << NUM_PLACES + place


@compiled
def with_exchange(meld: int, face: int) -> int:
    """The run after a natural card replaces the Joker that represents it.

    If two Jokers represent the Ace, the high one is replaced.
    """
    rank = face % NUM_RANKS
    place = NUM_RANKS if rank == 0 and jokers_at(meld) >> NUM_RANKS else rank
    return meld & ~(1 << NUM_PLACES + place) | 1 << place


@compiled
def is_meld(meld: int, fewest: int = 2) -> bool:
    """Whether a number is a valid meld on the table.

    Args:
        fewest: the natural cards that a meld needs.
    """
    if is_run(meld):
        places, naturals = occupied(meld), naturals_at(meld)
        if naturals & jokers_at(meld) or popcount(naturals) < fewest or popcount(places) < RUN_SIZE:
            return False
        steps = places >> lowest(places)
        return steps & (steps + 1) == 0
    pairs = meld & 0xFF
    if meld >> _RANK >= NUM_RANKS or pairs & pairs >> 1 & 0x55:
        return False
    return size_of(meld) >= SET_SIZE and size_of(meld) - jokers_in(meld) >= fewest


@compiled
def add_faces(meld: int, counts: Any, step: int) -> None:
    """Add `step` to `counts`, a row of numbers by face, for each card of a meld."""
    counts[JOKER] += step * jokers_in(meld)
    for i in range(NUM_PLACES if is_run(meld) else NUM_SUITS):
        if is_run(meld):
            counts[suit_of(meld) * NUM_RANKS + i % NUM_RANKS] += step * (naturals_at(meld) >> i & 1)
        else:
            counts[i * NUM_RANKS + rank_of(meld)] += step * (meld >> 2 * i & 3)


# Melds as text --------------------------------------------------------------------------------------------------------


def _plain(meld: Any) -> tuple[bool, int, int, int]:
    """Whether a meld is a run; its suit or rank; its natural cards and its Jokers, as packed."""
    meld = int(meld)
    if meld >> _RUN & 1:
        return True, meld >> _SUIT & 3, meld & ONE_RUN, meld >> NUM_PLACES & ONE_RUN
    return False, meld >> _RANK & 15, meld & 0xFF, meld >> _SET_JOKERS & 7


def meld_faces(meld: Any) -> list[int]:
    """The faces of a meld in the order of texts: a run by its places, a set by its faces with the Jokers last."""
    run, which, naturals, jokers = _plain(meld)
    if run:
        suit = which * NUM_RANKS
        there = [i for i in range(NUM_PLACES) if (naturals | jokers) >> i & 1]
        return [JOKER if jokers >> i & 1 else suit + i % NUM_RANKS for i in there]
    suits = [suit for suit in range(NUM_SUITS) for _ in range(naturals >> 2 * suit & 3)]
    return [suit * NUM_RANKS + which for suit in suits] + [JOKER] * jokers


def stands_for(meld: Any) -> tuple[str | None, ...]:
    """For each card of a meld: the text of the card that it represents if it is a Joker in a run, else None."""
    run, suit, naturals, jokers = _plain(meld)
    if not run:
        return (None,) * len(meld_faces(meld))
    there = [i for i in range(NUM_PLACES) if (naturals | jokers) >> i & 1]
    return tuple(FACES.names[suit * NUM_RANKS + i % NUM_RANKS] if jokers >> i & 1 else None for i in there)


def meld_text(meld: Any) -> str:
    """The text of a meld. A set of one natural card that could be read as a run begins with the word `set`."""
    faces = meld_faces(meld)
    lone = len(faces) >= RUN_SIZE and sum(face != JOKER for face in faces) == 1
    return ("set " if lone and not _plain(meld)[0] else "") + FACES.text(faces)


def parse_meld(text: str, fewest: int = 2) -> int:
    """Read a meld from the text of its cards; a run is in the order of its places. ValueError: not a meld, and why.

    Four or more cards of which one is natural are a run, or a set if the text begins with the word `set`. See `is_meld`
    for `fewest`.
    """
    words = text.split()
    is_set = words[:1] == ["set"]
    faces = FACES.parse_all(" ".join(words[is_set:]))
    naturals = [face for face in faces if face != JOKER]
    described = f"{FACES.text(faces):.80}" or "(no cards)"
    if len(naturals) < fewest:
        needed = "two natural cards" if fewest == 2 else "one natural card"
        raise ValueError(f"{described} is not a meld: it has fewer than {needed}")
    lone = len(naturals) == 1 and len(faces) >= RUN_SIZE
    if is_set or (not lone and len({face % NUM_RANKS for face in naturals}) == 1):
        if len({face % NUM_RANKS for face in naturals}) > 1:
            raise ValueError(f"{described} is not a set: it has cards of several ranks")
        return _parse_set(described, naturals, len(faces))
    if len({face // NUM_RANKS for face in naturals}) > 1:
        raise ValueError(f"{described} is not a meld: neither one rank nor one suit")
    return _parse_run(described, faces, naturals[0] // NUM_RANKS)


def _parse_set(described: str, naturals: list[int], size: int) -> int:
    if size < SET_SIZE:
        raise ValueError(f"{described} is not a set: it has fewer than three cards")
    counts = [sum(face // NUM_RANKS == suit for face in naturals) for suit in range(NUM_SUITS)]
    if max(counts) > 2:
        raise ValueError(f"{described} is not a set: there are two cards of each face")
    packed = sum(count << 2 * suit for suit, count in enumerate(counts))
    return naturals[0] % NUM_RANKS << _RANK | (size - len(naturals)) << _SET_JOKERS | packed


def _parse_run(described: str, faces: list[int], suit: int) -> int:
    if not RUN_SIZE <= len(faces) <= NUM_PLACES:
        raise ValueError(f"{described} is not a run: it has four to fourteen cards")
    i, first = next((i, face % NUM_RANKS) for i, face in enumerate(faces) if face != JOKER)
    low = (NUM_RANKS if first == 0 and i else first) - i
    if low < 0 or low + len(faces) > NUM_PLACES:
        raise ValueError(f"{described} is not a run: it goes past an Ace")
    run = suit << _SUIT | 1 << _RUN
    for place, face in enumerate(faces, low):
        if face != JOKER and face % NUM_RANKS != place % NUM_RANKS:
            raise ValueError(f"{described} is not a run: {FACES.names[face]} is not in its place in {SUITS[suit]}")
        run |= 1 << place + (NUM_PLACES if face == JOKER else 0)
    return run
