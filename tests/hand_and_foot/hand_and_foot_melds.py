"""Melds of Hand and Foot for the referee, and what a turn can still come to: HF1, HF4, HF5, HF8.

Cards are kinds here, without suits. A `Look` is a turn in phase `play`; its continuations are tried one by one. Only
whether a large hand can go out is decided rank by rank; the tests show that both ways agree.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

KINDS = ("3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A", "2", "JK")  # HF1.5; "3" is a black Three
NATURALS = KINDS[1:12]  # 4 to A
WILD = ("2", "JK")
RANKS = (*NATURALS, "W")  # what a meld can be of (HF4.1, HF4.2)
VALUES = dict(zip(KINDS, (5, 5, 5, 5, 5, 10, 10, 10, 10, 10, 10, 20, 20, 50)))  # HF1.3
PILE_KINDS = ("clean", "dirty", "wild")
PILE_BONUS = {"clean": 500, "dirty": 300, "wild": 1500}  # HF10.2
SIZE_OF_PILE = 7


# Melds, as lists of kinds -------------------------------------------------------------------------------------------


def rank_of(kinds: Iterable[str]) -> str:
    """The rank of a meld; W: of wild cards only."""
    return next((kind for kind in kinds if kind not in WILD), "W")


def is_meld(kinds: list[str]) -> bool:
    """HF4.1 to HF4.3."""
    naturals = [kind for kind in kinds if kind not in WILD]
    wilds = len(kinds) - len(naturals)
    if not 3 <= len(kinds) <= SIZE_OF_PILE:
        return False
    if not naturals:
        return True
    one_rank = len(set(naturals)) == 1 and naturals[0] != "3"
    return one_rank and wilds <= (1 if len(kinds) <= 5 else 2)


def pile_kind(kinds: list[str]) -> str | None:
    """HF4.5: `clean`, `dirty`, `wild`, or no pile."""
    if len(kinds) < SIZE_OF_PILE:
        return None
    if rank_of(kinds) == "W":
        return "wild"
    return "dirty" if any(kind in WILD for kind in kinds) else "clean"


def openings_of(rank: str) -> list[list[str]]:
    """HF4.6: the ways to open a meld of a rank."""
    if rank == "W":
        return [["2"] * (3 - jokers) + ["JK"] * jokers for jokers in range(4)]
    return [[rank, rank, other] for other in (rank, *WILD)]


def takes_of(upcard: str) -> list[list[str]]:
    """HF6.2: the two cards of the hand with which an upcard can be taken."""
    if upcard == "3":
        return []
    if upcard in WILD:
        return [[upcard, upcard]]
    return [[upcard, other] for other in (upcard, *WILD)]


# A turn -------------------------------------------------------------------------------------------------------------


class Look(NamedTuple):
    """A turn in phase `play`, as far as it matters to how the turn can go on. Tuples of kinds are in order."""

    hand: tuple[str, ...]
    melds: tuple[tuple[str, ...], ...]  # the incomplete meld of each of RANKS, empty where there is none
    piles: tuple[int, ...]  # of PILE_KINDS
    waiting: tuple[str, ...]  # what comes into the hand when the first meld reaches its value (HF5.4)
    missing: int  # of the value of the first meld; 0 once it has been reached
    begun: bool  # whether something has been melded, in this turn or before
    foot: bool  # the player's own still lies there
    partner_foot: bool  # the partner's still lies there
    needed: tuple[int, ...]  # of PILE_KINDS, to go out
    last: bool  # HF9.3

    @property
    def opening(self) -> bool:
        return self.begun and self.missing > 0

    @property
    def may_go_out(self) -> bool:
        """HF8.1, permission aside: whether an empty hand would be going out."""
        feet_up = not self.foot and not self.partner_foot
        enough = all(piles >= needed for piles, needed in zip(self.piles, self.needed))
        return feet_up and enough and not self.opening

    @property
    def hopeless(self) -> bool:
        """Whether all cards of the hand together are too few for the first meld: this saves trying them."""
        return self.opening and sum(VALUES[kind] for kind in self.hand) < self.missing


def ordered(kinds: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(kinds, key=KINDS.index))


def has(cards: tuple[str, ...], wanted: list[str]) -> bool:
    return all(cards.count(kind) >= wanted.count(kind) for kind in wanted)


def laid(look: Look, rank: str, from_hand: list[str], upcard: list[str] | None = None) -> Look | None:
    """These cards in the incomplete meld of that rank, or in a new one (HF4.4, HF6.3); None if they make no meld."""
    cards = [*from_hand, *(upcard or [])]
    place = RANKS.index(rank)
    meld = [*look.melds[place], *cards]
    if not has(look.hand, from_hand) or not is_meld(meld):
        return None
    hand, melds, piles, waiting = list(look.hand), list(look.melds), list(look.piles), look.waiting
    for kind in from_hand:
        hand.remove(kind)
    melds[place] = ordered(meld)
    kind_of_pile = pile_kind(meld)
    if kind_of_pile:
        melds[place] = ()
        piles[PILE_KINDS.index(kind_of_pile)] += 1
    missing = max(0, look.missing - sum(VALUES[kind] for kind in cards))  # HF5.2
    if missing == 0:
        hand, waiting = hand + list(waiting), ()  # HF5.4
    return look._replace(
        hand=ordered(hand), melds=tuple(melds), piles=tuple(piles), waiting=waiting, missing=missing, begun=True
    )


@lru_cache(maxsize=1 << 17)
def plays(look: Look) -> dict[str, Look]:
    """All openings and additions that the melds allow (HF4), whatever may become of the turn afterwards."""
    found = {}
    for rank, meld in zip(RANKS, look.melds):
        if not meld:
            ways = {"open " + " ".join(cards): cards for cards in openings_of(rank)}
        else:
            ways = {} if rank == "W" else {f"add {rank}": [rank]}
            ways |= {f"add {wild} to {rank}": [wild] for wild in WILD}
        for action, cards in ways.items():
            after = laid(look, rank, cards)
            if after is not None:
                found[action] = after
    return found


@lru_cache(maxsize=1 << 18)
def can_stay_in(look: Look) -> bool:
    """HF3.5: whether the turn can be ended without going out: a discard, `stop` in the last turn, or the foot."""
    if look.hopeless:
        return False
    if not look.opening:
        if not look.hand:
            return look.foot  # HF7.1
        if look.last or look.foot or len(look.hand) >= 2:  # HF9.3, HF7.2, HF3.4
            return True
    return any(can_stay_in(after) for after in plays(look).values())


# Up to this size of hand, going out is decided by trying the continuations one by one.
SMALL_HAND = 8


@lru_cache(maxsize=1 << 18)
def can_go_out(look: Look) -> bool:
    """HF8.1: whether the player can go out in this turn, given the permission. What a foot holds is not known."""
    if look.foot or look.partner_foot or look.hopeless:
        return False
    if not look.opening:
        if len(look.hand) > SMALL_HAND:
            return can_go_out_by_ranks(look)
        if not look.hand:
            return look.may_go_out
        if len(look.hand) == 1 and not look.last and look.may_go_out:
            return True  # the discard
    return any(can_go_out(after) for after in plays(look).values())


# Going out, rank by rank --------------------------------------------------------------------------------------------


def can_go_out_by_ranks(look: Look) -> bool:
    """The same as `can_go_out` when nothing is `opening`: which card is left for the discard, if any, and then all
    ways to share the wild cards among the ranks (HF12.3)."""
    if look.foot or look.partner_foot:
        return False
    needed = tuple(max(0, needed - piles) for needed, piles in zip(look.needed, look.piles))
    for left in [None] if look.last else [None, *sorted(set(look.hand))]:
        hand = list(look.hand)
        if left is not None:
            hand.remove(left)
        if "3" not in hand:
            naturals = tuple(hand.count(rank) for rank in NATURALS)
            lying = tuple((len(meld), sum(kind in WILD for kind in meld)) for meld in look.melds)
            if share_out(naturals, lying, sum(kind in WILD for kind in hand), needed):
                return True
    return False


@lru_cache(maxsize=1 << 17)
def share_out(
    naturals: tuple[int, ...], lying: tuple[tuple[int, int], ...], wilds: int, needed: tuple[int, ...]
) -> bool:
    """Whether all these naturals and wild cards can be melded so that the piles needed come about.

    Args:
        naturals: cards in hand of each rank.
        lying: the size of the incomplete meld of each rank and the wild cards in it; the wild meld last.
        wilds: wild cards in hand.
        needed: piles still missing, of PILE_KINDS.
    """
    clean, dirty, wild = needed
    size, wilds_lying = lying[0]
    if not naturals:  # what is left goes to the wild melds
        return any(piles >= wild for piles in wild_ends(size, wilds)) and clean <= 0 and dirty <= 0
    for used in range(wilds + 1):
        for more_clean, more_dirty in rank_ends(size - wilds_lying, wilds_lying, naturals[0], used):
            still = (max(0, clean - more_clean), max(0, dirty - more_dirty), wild)
            if share_out(naturals[1:], lying[1:], wilds - used, still):
                return True
    return False


@lru_cache(maxsize=1 << 16)
def rank_ends(naturals: int, wilds: int, more: int, more_wilds: int) -> frozenset[tuple[int, int]]:
    """Clean and dirty piles that are possible by laying exactly these cards more in one rank, card by card.

    Args:
        naturals, wilds: of the incomplete meld, zeros if there is none.
        more, more_wilds: to be laid.
    """
    if more == more_wilds == 0:
        return frozenset([(0, 0)])
    steps = [(1, 0), (0, 1)] if naturals else [(3, 0), (2, 1)]
    found: set[tuple[int, int]] = set()
    for step, step_wilds in steps:
        meld = ["4"] * (naturals + step) + ["2"] * (wilds + step_wilds)
        if step > more or step_wilds > more_wilds or not is_meld(meld):
            continue
        kind = pile_kind(meld)
        lying = (0, 0) if kind else (naturals + step, wilds + step_wilds)
        for clean, dirty in rank_ends(*lying, more - step, more_wilds - step_wilds):
            found.add((clean + (kind == "clean"), dirty + (kind == "dirty")))
    return frozenset(found)


@lru_cache(maxsize=1 << 12)
def wild_ends(size: int, more: int) -> frozenset[int]:
    """The same for wild melds: numbers of piles."""
    if more == 0:
        return frozenset([0])
    step = 1 if size else 3
    if step > more:
        return frozenset()
    full = size + step == SIZE_OF_PILE
    return frozenset(piles + full for piles in wild_ends(0 if full else size + step, more - step))
