"""The melds of Oklahoma Rummy for its referee: what is one, what it takes, what it is worth: O4, O5, O9.

A meld is a tuple of words as a position writes them: `5h`; `2c`, a Two in a run or in a meld of Twos; `2c=7`, a Two in
a set of Sevens.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement

from referee_base import PLACES, RANKS, SUITS, Meld, in_order, spaced

TWOS = tuple("2" + suit for suit in SUITS)
QUEEN = PLACES.index("Q")


@cache
def is_twos(words: Meld) -> bool:
    """O4.4: by suit."""
    return 3 <= len(words) <= 4 and set(words) <= set(TWOS) and words == tuple(sorted(words))


@cache
def is_set(words: Meld, suits: str = "any") -> bool:
    """O4.1, O4.2, O5.2: by suit, then the Twos by suit. `suits` is the switch `set_suits`."""
    naturals = tuple(word for word in words if word[0] != "2")
    if not 3 <= len(words) <= 4 or not naturals:
        return False
    rank = naturals[0][0]
    twos = tuple(sorted(word for word in words if word[0] == "2"))
    return (
        {word[0] for word in naturals} == {rank}
        and all(two in [f"{each}={rank}" for each in TWOS] for two in twos)
        and words == (*in_order(naturals), *twos)
        and (suits == "any" or len(set(naturals)) == len(naturals))
    )


@cache
def run_start(words: Meld) -> int | None:
    """O4.1, O5.1, O5.2: the place at which a run begins, 0 for a low Ace; None if the words are not a run."""
    if 3 <= len(words) <= 4 and not set(words) <= set(TWOS):
        for suit in SUITS:
            for start in range(len(PLACES) - len(words) + 1):
                fits = all(word in TWOS or word == PLACES[start + i] + suit for i, word in enumerate(words))
                if fits and not (suit == "s" and _queen_by_one_of_several(words, start)):
                    return start
    return None


def _queen_by_one_of_several(words: Meld, start: int) -> bool:
    """O5.4, of a run of spades: a Two stands for the Queen and is not the only Two."""
    place = QUEEN - start
    return 0 <= place < len(words) and words[place] in TWOS and sum(word in TWOS for word in words) > 1


def is_meld(words: Meld, suits: str = "any") -> bool:
    return is_twos(words) or is_set(words, suits) or run_start(words) is not None


@cache
def longer(meld: Meld, card: str, end: str = "", suits: str = "any") -> Meld | None:
    """O6.2: the meld with one more card, None if the card does not fit. `end` is `low` or `high` for a Two."""
    if is_twos(meld):
        words = tuple(sorted([*meld, card]))
        return words if end == "high" and is_twos(words) else None
    if run_start(meld) is not None:
        for each, words in (("low", (card, *meld)), ("high", (*meld, card))):
            if end in ("", each) and run_start(words) is not None:
                return words
        return None
    naturals, twos = [word for word in meld if word[0] != "2"], [word for word in meld if word[0] == "2"]
    if card in TWOS:
        twos = sorted([*twos, f"{card}={naturals[0][0]}"])
    else:
        naturals = in_order([*naturals, card])
    words = (*naturals, *twos)
    return words if end != "low" and is_set(words, suits) else None


# O9


def rank_value(rank: str) -> int:
    """O9.1, and O9.3: the row of the low cards goes on."""
    return 20 if rank == "A" else 5 if rank in "234567" else 10


def value(meld: Meld) -> int:
    """O9.1 to O9.3."""
    if is_twos(meld):
        return 25 * len(meld)
    start = run_start(meld)
    if start is None:
        return sum(50 if word == "Qs" else rank_value(meld[0][0]) for word in meld)
    is_spades = any(word[1] == "s" for word in meld if word not in TWOS)
    places = range(start, start + len(meld))
    return sum(50 if is_spades and place == QUEEN else rank_value(PLACES[place]) for place in places)


def hand_value(card: str) -> int:
    """O9.4."""
    return 100 if card == "Qs" else 20 if card in TWOS else rank_value(card[0])


# Openings


def all_openings() -> dict[str, Meld]:
    """O4.3: every meld of three, by the text of its action; a Two is `2` or `2=7`."""
    found: list[Meld] = [("2", "2", "2")]
    for twos in ((), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2)):
        for suit in SUITS:
            for start in range(12):
                words = tuple("2" if i in twos else PLACES[start + i] + suit for i in range(3))
                if "2" + suit not in words and is_meld(filled(words, [*TWOS])):  # O1.3
                    found.append(words)
    for rank in RANKS.replace("2", ""):
        for count in (3, 2, 1):
            for suits in combinations_with_replacement(SUITS, count):
                if max(map(suits.count, suits)) <= 2:
                    found.append((*(rank + suit for suit in suits), *[f"2={rank}"] * (3 - count)))
    return {"open " + spaced(words): words for words in found}


def filled(words: Meld, twos: list[str]) -> Meld:
    """O5.3: an opening with these Twos, from the left."""
    rest = iter(sorted(twos))
    return tuple(next(rest) + word[1:] if word[0] == "2" else word for word in words)


OPENINGS = all_openings()
