"""Can a turn be ended? The slow answer: every play is tried, one after the other, down to a discard.

It shares with the engine what one meld takes (kit/melds/one_wild_melds.py) and nothing of the look-ahead.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from banakil_env.core.jit import interpreted
from banakil_env.kit.melds import one_wild_melds as M
from banakil_env.kit.melds.one_wild_melds import WILD
from banakil_env.kit.pack52 import faces_of

fitting, lacking, replacing = interpreted(M.fitting), interpreted(M.lacking), interpreted(M.replacing)
with_natural, with_wild = interpreted(M.with_natural), interpreted(M.with_wild)
with_swapped, value_of_meld = interpreted(M.with_swapped), interpreted(M.value_of_meld)
room_below, room_above = interpreted(M.room_below), interpreted(M.room_above)
ROWS = [(tuple(faces_of(M.CARDS[i])) + (WILD,) * int(M.NEEDS_WILD[i]), int(M.MELDS[i])) for i in range(len(M.CARDS))]


@dataclass(frozen=True)
class Turn:
    """A turn in its middle: the hand (faces in order), the melds as (packed, own), and what is to be done."""

    hand: tuple[int, ...]
    melds: tuple[tuple[int, bool], ...]
    missing: int = 0  # what the first meld lacks
    keep: int = 1  # cards before the discard at the least: 2 where going out is barred
    free_pairs: bool = False  # a third natural may be added to two and a wild card without a promise
    promise: bool = False
    goes_out: bool = False  # it has to go out
    taken: int | None = None  # the card that must be laid, in an opening if `strict`
    strict: bool = True
    reuse: bool = False
    owes: bool = False

    def without(self, cards: tuple[int, ...]) -> tuple[int, ...] | None:
        """The hand without these cards; None: it does not hold them."""
        left = list(self.hand)
        for card in cards:
            if card not in left:
                return None
            left.remove(card)
        return tuple(left)

    def can_stop(self) -> bool:
        """Whether a discard ends the turn now."""
        left = len(self.hand) - 1
        if self.taken is not None or self.owes or left + 1 < self.keep:
            return False
        return left == 0 or (self.missing <= 0 and not self.goes_out and left <= (1 if self.promise else 99))

    def plays(self) -> Iterator[Turn]:
        """What every play leads to."""
        for cards, meld in ROWS:
            if (self.taken is None or not self.strict or self.taken in cards) and (not self.owes or WILD in cards):
                yield from self._to(None, meld, cards, True, False)
        if self.taken is not None and self.strict:
            return
        for slot, (meld, own) in enumerate(self.melds):
            if self.missing > 0 and not own and not any(own for _, own in self.melds):
                continue
            for face in set(self.hand) - {WILD} if not self.owes else ():
                if (fitting(meld) | lacking(meld)) >> face & 1:
                    pair = lacking(meld) != 0 and not self.free_pairs
                    yield from self._to(slot, with_natural(meld, face), (face,), own, pair)
            for room, high in ((room_below, False), (room_above, True)):
                if room(meld):
                    yield from self._to(slot, with_wild(meld, high), (WILD,), own, False)
            if self.missing <= 0 and self.taken is None and not self.owes:
                for given in (replacing(meld), lacking(meld)):
                    if given:
                        for turn in self._to(slot, with_swapped(meld, given), tuple(faces_of(given)), own, False):
                            yield replace(turn, hand=tuple(sorted((*turn.hand, WILD))), owes=self.reuse)

    def _to(self, slot: int | None, meld: int, cards: tuple[int, ...], own: bool, pair: bool) -> Iterator[Turn]:
        left = self.without(cards)
        if left is None:
            return
        melds = list(self.melds)
        missing = self.missing
        if own and missing > 0:
            missing -= value_of_meld(meld, 11, 11) - (value_of_meld(melds[slot][0], 11, 11) if slot is not None else 0)
        if slot is None:
            melds.append((int(meld), True))
        else:
            melds[slot] = (int(meld), own)
        yield replace(
            self,
            hand=left,
            melds=tuple(sorted(melds)),
            missing=missing,
            promise=self.promise or pair,
            goes_out=self.goes_out or (self.missing > 0 and not own),
            taken=None if self.taken in cards else self.taken,
            owes=self.owes and WILD not in cards,
        )


def can_end(turn: Turn, known: dict[Turn, bool] | None = None) -> bool:
    """Whether the turn can be ended."""
    known = {} if known is None else known
    if turn not in known:
        known[turn] = False  # plays never lead back but by exchanges, which a shorter way does without
        known[turn] = turn.can_stop() or any(can_end(after, known) for after in turn.plays())
    return known[turn]
