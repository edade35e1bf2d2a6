"""The melds of 500 Rummy for its referee: what is one, what it takes, what it is worth: F4, F5, F9.

A meld is a tuple of words as a position writes them: `5h`; `JK` in a run; `JK=5h` in a set; `Th@1` where seat 1 laid
the card off on another's meld.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations

from referee_base import PLACES, RANKS, SUITS, Meld, spaced


def bare(words: Meld) -> Meld:
    """Without who laid what."""
    return tuple(word.partition("@")[0] for word in words)


def stands_for(words: Meld) -> Meld:
    """The cards of a set, a Joker as the card that is named (F5.3)."""
    return tuple(word.removeprefix("JK=") for word in bare(words))


@cache
def is_set(words: Meld) -> bool:
    """F4.1, F5.3, F5.4: by suit, no suit twice."""
    cards = stands_for(words)
    in_suits = [suit for suit in SUITS for card in cards if card[1] == suit]
    return (
        3 <= len(cards) <= 4
        and len({card[0] for card in cards}) == 1
        and "JK" not in cards
        and in_suits == [card[1] for card in cards]
        and len(set(in_suits)) == len(cards)
        and any("=" not in word for word in words)
    )


@cache
def run_start(words: Meld) -> int | None:
    """F4.2, F5.2, F5.4: the place at which a run begins, 0 for a low Ace; None if the words are not a run."""
    cards = bare(words)
    if 3 <= len(cards) <= 13 and set(cards) != {"JK"}:
        for suit in SUITS:
            for start in range(len(PLACES) - len(cards) + 1):
                if all(card in ("JK", PLACES[start + i] + suit) for i, card in enumerate(cards)):
                    return start
    return None


def is_meld(words: Meld) -> bool:
    return is_set(words) or run_start(words) is not None


@cache
def longer(meld: Meld, card: str, end: str = "", mark: str = "") -> Meld | None:
    """F6.2: the meld with one more card, None if the card does not fit.

    Args:
        end: of a Joker, `low` or `high`.
        mark: `@S` where seat S lays off on another's meld (F6.3).
    """
    if is_set(meld):
        rank, taken = stands_for(meld)[0][0], stands_for(meld)
        if card == "JK":  # F5.3: no choice
            missing = [rank + suit for suit in SUITS if rank + suit not in taken]
            if len(missing) != 1 or end != "high":
                return None
            card = f"JK={missing[0]}"
        words = sorted([*meld, card + mark], key=lambda word: SUITS.find(stands_for((word,))[0][1]))
        return tuple(words) if is_set(tuple(words)) else None
    ends = [end] if card == "JK" else ["high", "low"]  # an Ace that fits both goes high: F4.5
    for each in ends:
        words = [*meld, card + mark] if each == "high" else [card + mark, *meld]
        if run_start(tuple(words)) is not None:
            return tuple(words)
    return None


def hand_value(card: str) -> int:
    """F9.2."""
    return 15 if card in ("JK", "Ac", "Ad", "Ah", "As") else min(RANKS.index(card[0]) + 1, 10)


def values(meld: Meld) -> list[int]:
    """F9.2: of each card of a meld."""
    found = [hand_value(word[:2]) for word in meld]
    if run_start(meld) == 0 and meld[0][0] == "A":
        found[0] = 1
    return found


def all_openings() -> dict[str, Meld]:
    """F4.3, F5: every meld of three, by the text of its action."""
    found = []
    for jokers in ((), (0,), (1,), (2,), (0, 1), (0, 2), (1, 2)):
        for suit in SUITS:
            for start in range(12):
                found.append(tuple("JK" if i in jokers else PLACES[start + i] + suit for i in range(3)))
        for rank in RANKS:
            for suits in combinations(SUITS, 3):
                found.append(tuple(("JK=" if i in jokers else "") + rank + suits[i] for i in range(3)))
    return {"open " + spaced(words): words for words in found}


OPENINGS = all_openings()
