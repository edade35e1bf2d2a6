"""Ways to meld the naturals of one rank in one turn: tables made at import, by trying every sequence of plays.

A *book* is the incomplete meld of a rank, (naturals, wild cards), or none; BOOKS numbers them. A pile is complete with
seven cards, and the next cards of the rank open a new meld, with three cards (HF4).
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator

import numpy as np

from banakil_env.games.hand_and_foot.state import PILE

Book = tuple[int, int]

MOST_HELD = 20
MOST_WILDS = 8  # most wild cards with all naturals of a rank: four piles with two each
NOTHING, NATURAL, WILD_CARD = range(3)  # the card that a book takes last


def is_meld(naturals: int, wilds: int) -> bool:
    """Return whether this number of naturals and wild cards is a meld (HF4.1)."""
    return 3 <= naturals + wilds <= PILE and wilds <= (1 if naturals + wilds < 6 else 2)


BOOKS: tuple[Book, ...] = (
    (0, 0),
    *(book for book in itertools.product(range(PILE), range(3)) if is_meld(*book) and sum(book) < PILE),
)
# The number of a book, by its naturals and its wild cards. An upcard alone has the number of no book.
BOOK_AT = np.zeros((PILE, 3), np.int64)
for _number, _book in enumerate(BOOKS):
    BOOK_AT[_book] = _number


def plays(book: Book, held: int) -> Iterator[tuple[int, int, Book, int, int]]:
    """Yield openings and additions: (naturals used, wild cards used, the book after it, clean, dirty).

    `clean` and `dirty` are 1 if the play completes a pile of this kind, else 0.
    """
    for naturals, wilds in ((1, 0), (0, 1)) if sum(book) else ((3, 0), (2, 1)):
        then = book[0] + naturals, book[1] + wilds
        if naturals <= held and is_meld(*then):
            done = sum(then) == PILE
            yield naturals, wilds, (0, 0) if done else then, int(done and not then[1]), int(done and then[1] > 0)


@functools.cache
def placed(book: Book, held: int, wilds: int) -> int:
    """Return how many of `held` naturals can be melded with exactly `wilds` wild cards; -1: no room for the wild
    cards.
    """
    found = [0] if wilds == 0 else []
    for naturals, used, then, _, _ in plays(book, held):
        if used <= wilds and (more := placed(then, held - naturals, wilds - used)) >= 0:
            found.append(naturals + more)
    return max(found, default=-1)


@functools.cache
def ends(book: Book, held: int, last: int) -> frozenset[tuple[int, int, int]]:
    """Return all ways to meld `held` naturals, each as (wild cards used, clean piles completed, dirty piles completed).

    If `last` is NATURAL or WILD_CARD, one more such card is melded afterwards. It is not part of `held`, nor of the
    wild cards used.
    """
    found = set()
    if held == 0 and last == NOTHING:
        found.add((0, 0, 0))
    elif held == 0 and book != BOOKS[0]:
        found |= {(0, done[3], done[4]) for done in plays(book, 1) if done[0] == int(last == NATURAL)}
    for naturals, wilds, then, clean, dirty in plays(book, held):
        more = ends(then, held - naturals, last)
        found |= {(wilds + other[0], clean + other[1], dirty + other[2]) for other in more}
    return frozenset(found)


def _placed_table() -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    table = np.full((len(BOOKS), MOST_HELD + 1, MOST_WILDS + 1), -1, np.int64)
    for (number, book), wilds in itertools.product(enumerate(BOOKS), range(MOST_WILDS + 1)):
        for held in range(MOST_HELD - book[0] + 1):
            table[number, held, wilds] = placed(book, held, wilds)
    return table


def _ends_table() -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    rows = {
        (last, number, held): [
            wilds | clean << 4 | dirty << 6 for wilds, clean, dirty in sorted(ends(book, held, last))
        ]
        for last in (NOTHING, NATURAL, WILD_CARD)
        for number, book in enumerate(BOOKS)
        for held in range(MOST_HELD - book[0] + 1)
    }
    table = np.full((3, len(BOOKS), MOST_HELD + 1, 1 + max(map(len, rows.values()))), -1, np.int64)
    for place, row in rows.items():
        table[place][: len(row)] = row
    return table


# PLACED[book, held, wilds] is the result of `placed`. ENDS[last, book, held] has, for each way of `ends`, wild cards |
# clean << 4 | dirty << 6, then -1.
PLACED, ENDS = _placed_table(), _ends_table()
