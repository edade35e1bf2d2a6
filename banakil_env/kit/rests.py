"""Columns for networks about what a move leaves of the hand: every discard, and the card that is offered.

A network of few layers sees which cards are near each other. It hardly learns to count the cards for which a hand
waits, and less how many those are without this card or that (docs/contributing/training.md, *What each discard
leaves*). Where the whole pile can be taken, the melds that a discard gives to others and takes from the hand count as
well (`GIVES`).

Where a card of the pile can be taken, the same numbers tell the hand as it is from the hand with that card (`OFFERS`):
a network has to find a meld of the two and the best discard behind it to know them. Learned agents without these
columns lost in this decision all that they were behind (docs/learning-from-nothing.md).

The columns take long to write, so they stand apart from the others (`core.features.Features.with_rests`,
`with_offers`). Those of discards are zeros where no card is discarded. Those of an offer are zeros where nobody draws
or is asked about a discard, and where the pile is empty; they do not say whether its top can be taken.

Natural cards alone are counted. What wild cards complete is known from how many there are. A group whose meaning
changes gets another name, so that files of agents made for the old one are refused.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from banakil_env.core.bits import lowest, popcount
from banakil_env.core.features import OF_CARDS, Columns
from banakil_env.core.jit import bind, inlined
from banakil_env.kit.melds import runs_and_sets, wild_melds
from banakil_env.kit.melds.deadwood import best_melded, points_in
from banakil_env.kit.pack52 import ALL, NUM_FACES, bit_of

# Groups of columns, each with a column for every natural card, and the number that is a one in them. The rest is the
# hand without the card and without what the table takes; a card is loose if it is in no meld of the rest.
_GROUPS = {
    "rest_loose": ("loose cards of the rest", 10),
    "rest_points": ("points of the loose cards, the Ace 1 and pictures 10", 50),
    "rest_alone": ("faces of loose cards that no other loose card is near", 10),
    "rest_outs": ("unseen cards that fit the rest or the table, and leave no more cards loose than before", 10),
    "rest_gone": ("cards of the pile that fit the rest or the table", 10),
    "rest_near": ("unseen cards near a loose card", 20),
    "rest_to_one": ("unseen cards that fit the rest or the table, and leave at most one card loose", 10),
    "rest_to_two": ("unseen cards that fit the rest or the table, and leave at most two cards loose", 10),
    "discard_gives": ("runs of three, and sets of different suits, that the card makes with two unseen cards", 5),
}
# How many runs of three and sets of different suits the card makes, and with what: those that it gives to others, and
# those that it takes from the hand. Known cards are those of all other hands together.
_GIVEN = {
    "gives_pile": ("such melds that it makes with two cards of the pile", 5),
    "gives_known": ("such melds that it makes with two known cards", 5),
    "gives_pile_unseen": ("such melds that it makes with a card of the pile and an unseen one", 5),
    "gives_known_unseen": ("such melds that it makes with a known and an unseen card", 5),
    "gives_known_pile": ("such melds that it makes with a known card and one of the pile", 5),
    "takes_unseen": ("such melds that it makes with a card of the hand and an unseen one", 5),
    "takes_pile": ("such melds that it makes with a card of the hand and one of the pile", 5),
}


_MOST = 2 * NUM_FACES * 10  # of any of these numbers: the points of two packs of pictures


def _columns(groups: dict[str, tuple[str, int]]) -> tuple[Columns, ...]:
    return tuple(
        Columns(name, f"for each discard: {note}; / {unit}", NUM_FACES, OF_CARDS, highest=_MOST / unit)
        for name, (note, unit) in groups.items()
    )


# Of the hand as it is, and of the hand with the offered card after the best discard: the fewest loose cards, the fewest
# points, and the highest of the other numbers among the rests with the fewest loose cards.
_OFFERED = {
    "loose": ("loose cards", 10),
    "points": ("points of the loose cards, the Ace 1 and pictures 10", 50),
    "outs": ("unseen cards that fit it or the table, and leave no more cards loose", 10),
    "near": ("unseen cards near a loose card", 20),
    "to_one": ("unseen cards that fit it or the table, and leave at most one card loose", 10),
    "to_two": ("unseen cards that fit it or the table, and leave at most two cards loose", 10),
}

RESTS, GIVES = _columns(_GROUPS), _columns(_GIVEN)
OFFERS = tuple(
    Columns(f"{which}_{name}", f"{of}: {note}; / {unit}", 1, highest=_MOST / unit)
    for which, of in (("held", "a card is offered; the hand"), ("taken", "the hand with it, after the best discard"))
    for name, (note, unit) in _OFFERED.items()
)
_SCALES, _GIVEN_SCALES, _OFFERED_SCALES = (
    np.array([1 / unit for _, unit in groups.values()], np.float32) for groups in (_GROUPS, _GIVEN, _OFFERED)
)

_GIVES_FIRST = len(RESTS) * NUM_FACES  # GIVES stand behind RESTS
_HELD = len(_OFFERED)  # OFFERS: the numbers of the hand as it is, which come first

# The functions about cards of one game, which the makers below bind. Those of a hand take the cards that it holds twice
# as well; where no meld has a face twice, they are made from functions of one mask.
melded: Any = None
completing: Any = None
of_cards: Any = None
in_pile: Any = None
cards_of: Any = None
whole_pile = False  # a take brings the whole pile, and not its top alone
naturals = ALL
near: Any = None
thirds: Any = None
look: Any = None
write_rests: Any = None
write_gives: Any = None
write_offers: Any = None


class _Rest(NamedTuple):
    """Numbers of some cards, as the groups of RESTS have them, and the cards that fit them or the table, as a mask."""

    loose: int
    points: int
    alone: int
    outs: int
    near: int
    to_one: int
    to_two: int
    missing: int


def _look(one: int, two: int, fits: int, unseen: int) -> _Rest:
    """The numbers of some cards; see `_write_rests`."""
    loose = one & ~melded(one, two)
    missing = (completing(one, two) | fits) & naturals
    left, coming, outs, to_one, to_two = _count(loose, two), missing & unseen, 0, 0, 0
    while coming:
        card = coming & -coming & ~fits
        coming &= coming - 1
        now, both = one | card, two | one & card
        then = _count(now & ~melded(now, both), both)
        outs += then <= left
        to_one += then <= 1
        to_two += then <= 2
    points = points_in(loose) + points_in(loose & two)
    alone, waiting = popcount(loose & ~near(loose)), popcount(near(loose) & naturals & unseen)
    return _Rest(left, points, alone, outs, waiting, to_one, to_two, missing)


def _write_rests(one: int, two: int, fits: int, unseen: int, pile: int, out: Any, first: int) -> None:
    """Write the columns RESTS.

    Args:
        one, two: the cards of the hand, and those of them that it holds twice, as masks. fits: cards that melds
            on the table take from it. unseen: cards that can be in the stock or unknown in a hand. pile: those of the
            pile.
        out: float32, zeros from `first` on.
    """
    cards, kept = one, naturals & ~fits
    while cards:
        face = lowest(cards)
        cards &= cards - 1
        rest = look(one & ~(bit_of(face) & ~two) & kept, two & ~bit_of(face) & kept, fits, unseen)
        gone, gives = popcount(rest.missing & pile), thirds(face, unseen)
        near_to = rest.near, rest.to_one, rest.to_two
        numbers = rest.loose, rest.points, rest.alone, rest.outs, gone, *near_to, gives
        _put(numbers, _SCALES, face, out, first)


def _write_offers(
    one: int, two: int, offered: int, pairs: int, top: int, fits: int, unseen: int, out: Any, first: int
) -> None:
    """Write the columns OFFERS; see `_write_rests`.

    Args:
        offered, pairs: the natural cards that a take brings, and those of them that it brings twice, as masks. top: the
            one of them that is not discarded again.
    """
    kept = naturals & ~fits
    held = look(one & kept, two & kept, fits, unseen)
    _put_offer((held.loose, held.points, held.outs, held.near, held.to_one, held.to_two), out, first)
    both, one = two | one & offered | pairs, one | offered
    cards, least, points, outs, waiting, to_one, to_two = one & ~(top & ~both), _MOST, _MOST, 0, 0, 0, 0
    while cards:
        bit = cards & -cards
        cards &= cards - 1
        rest, twice = one & ~(bit & ~both) & kept, both & ~bit & kept
        loose = rest & ~melded(rest, twice)
        points = min(points, points_in(loose) + points_in(loose & twice))
        left = _count(loose, twice)
        if left > least:
            continue
        if left < least:
            least, outs, waiting, to_one, to_two = left, 0, 0, 0, 0
        found = look(rest, twice, fits, unseen)
        outs, waiting = max(outs, found.outs), max(waiting, found.near)
        to_one, to_two = max(to_one, found.to_one), max(to_two, found.to_two)
    if points < _MOST:
        _put_offer((least, points, outs, waiting, to_one, to_two), out, first + _HELD)


@inlined
def _put_offer(numbers: Any, out: Any, first: int) -> None:
    for i in range(len(numbers)):
        out[first + i] = np.float32(numbers[i]) * _OFFERED_SCALES[i]


@inlined
def _put(numbers: Any, scales: Any, face: int, out: Any, first: int) -> None:
    """Write the numbers of a card into its columns, one of each group."""
    for i in range(len(numbers)):
        out[first + i * NUM_FACES + face] = np.float32(numbers[i]) * scales[i]


@inlined
def _count(loose: int, twice: int) -> int:
    """How many cards these faces are; the second card of a face in a meld goes with the first."""
    return popcount(loose) + popcount(loose & twice)


def _write_gives(hand: int, unseen: int, pile: int, known: int, out: Any, first: int) -> None:
    """Write the columns GIVES.

    Args:
        hand, unseen, pile, known: natural cards as masks. Of two packs the cards of a face can be in two of them.
        out: float32, zeros from `first` on.
    """
    cards, more, more_of_pile = hand, unseen & ~hand, pile & ~hand
    while cards:
        face = lowest(cards)
        cards &= cards - 1
        numbers = (
            thirds(face, pile),
            thirds(face, known),
            _mixed(face, pile, unseen),
            _mixed(face, known, unseen),
            _mixed(face, known, pile),
            _mixed(face, hand, more),
            _mixed(face, hand, more_of_pile),
        )
        _put(numbers, _GIVEN_SCALES, face, out, first)


def _mixed(face: int, ones: int, others: int) -> int:
    """How many melds of three a card makes with one of `ones` and one of `others`."""
    return thirds(face, ones | others) - thirds(face, ones & ~others) - thirds(face, others & ~ones)


class _Cards(NamedTuple):
    """Natural cards of one or two packs as masks: of the hand, those it holds twice, unseen ones, the pile, known."""

    one: int
    two: int
    unseen: int
    pile: int
    known: int


def _once(one: int, two: int) -> int:
    """`of_cards` for a hand that holds no face twice in a meld."""
    return of_cards(one)


@inlined
def _by_depths(seen: Any, face: int) -> int:
    """The cards of a face in a pile whose depths are seen."""
    return int(seen.pile[face, 0] != 0) + int(seen.pile[face, 1] != 0)


@inlined
def _by_counts(seen: Any, face: int) -> int:
    """The cards of a face in a pile that is seen as `discards`, counts of its faces."""
    return seen.discards[face]


def _cards_of(seen: Any, laid: Any, out_of_play: int, packs: int) -> _Cards:
    """The cards of an observation with counts of faces.

    Args:
        laid: counts of the cards in melds. out_of_play: faces of which one card is in no hand, heap or meld.
    """
    one, two, unseen, pile, known = 0, 0, 0, 0, 0
    for face in range(NUM_FACES):
        held, there, others = seen.hand[face], in_pile(seen, face), 0
        for place in range(1, seen.known.shape[0]):
            others += seen.known[place, face]
        one |= int(held != 0) << face
        two |= int(held > 1) << face
        pile |= int(there != 0) << face
        known |= int(others != 0) << face
        unseen |= int(held + there + others + laid[face] + (out_of_play >> face & 1) < packs) << face
    return _Cards(one, two, unseen, pile, known)


def _write_of_two_packs(seen: Any, laid: Any, out_of_play: int, fits: int, out: Any, first: int) -> None:
    """Write the columns RESTS from an observation of two packs; see `_cards_of`, and for `fits` `_write_rests`."""
    cards = cards_of(seen, laid, out_of_play, 2)
    write_rests(cards.one, cards.two, fits, cards.unseen, cards.pile, out, first)


def _write_with_gives(seen: Any, laid: Any, packs: int, fits: int, out: Any, first: int) -> None:
    """Write the columns RESTS and GIVES from an observation; see `_cards_of`, and for `fits` `_write_rests`."""
    cards = cards_of(seen, laid, 0, packs)
    write_rests(cards.one, cards.two, fits, cards.unseen, cards.pile, out, first)
    write_gives(cards.one, cards.unseen, cards.pile, cards.known, out, first + _GIVES_FIRST)


def _write_offered(seen: Any, laid: Any, out_of_play: int, packs: int, fits: int, out: Any, first: int) -> None:
    """Write the columns OFFERS from an observation; see `_cards_of`, and for `fits` `_write_rests`."""
    cards, top, pairs, empty = cards_of(seen, laid, out_of_play, packs), 0, 0, True
    for face in range(seen.pile.shape[0]):
        if seen.pile[face, 0] == 1 or seen.pile[face, 1] == 1:
            top, empty = bit_of(face), False
        pairs |= int(in_pile(seen, face) > 1) << face
    if empty:
        return
    top &= naturals
    offered, pairs = (cards.pile & naturals, pairs & naturals) if whole_pile else (top, 0)
    write_offers(cards.one, cards.two, offered, pairs, top, fits, cards.unseen, out, first)


class Writers(NamedTuple):
    """Two compiled functions of a game: of RESTS, with GIVES or without, and of OFFERS; None: it has none."""

    rests: Any
    offers: Any


def of_one_pack(name: str) -> Writers:
    """`_write_rests`, `_write_offers` of a game with one pack and low Aces; a card is in one meld at most."""
    return _writers(name, best_melded, runs_and_sets)


def of_high_aces(name: str) -> Writers:
    """`_write_rests`, `_write_offers` of a game with one pack and low and high Aces; a card can be in two melds."""
    return _writers(name, wild_melds.melded, wild_melds)


def of_two_packs(name: str) -> Writers:
    """`_write_of_two_packs`, `_write_offered` of a game with low and high Aces and no suit twice in a set; a card can
    be in two melds.
    """
    rests, offers = _writers(name, wild_melds.melded, wild_melds)
    found = bind(_cards_of, f"{name}_cards_of", in_pile=_by_depths)
    write = bind(_write_of_two_packs, f"{name}_write_rests_of_two_packs", write_rests=rests, cards_of=found)
    return Writers(write, _offered(name, offers, found))


def with_gives(
    name: str, hand: tuple[Any, Any] | None = None, natural: int = ALL, counts: bool = False, whole_pile: bool = False
) -> Writers:
    """`_write_with_gives`, `_write_offered` of a game with one or two packs.

    Melds that are given and taken are runs of three and sets of different suits, whatever the melds of the game are.

    Args:
        hand: where a meld can have both cards of a face, two functions of a hand in the manner of
            `free_sets.melded_freely` and `completing_freely`.
        natural: the cards that are never wild.
        counts: the pile is seen as counts of its faces and not by depths; such a game has no OFFERS.
        whole_pile: a take brings the whole pile, and not its top alone.
    """
    rests, offers = _writers(name, wild_melds.melded, wild_melds, hand, natural)
    mixed = bind(_mixed, f"{name}_mixed", thirds=wild_melds.thirds)
    gives = bind(_write_gives, f"{name}_write_gives", thirds=wild_melds.thirds, _mixed=mixed)
    found = bind(_cards_of, f"{name}_cards_of", in_pile=_by_counts if counts else _by_depths)
    both = {"write_rests": rests, "write_gives": gives, "cards_of": found}
    write = bind(_write_with_gives, f"{name}_write_rests_with_gives", **both)
    return Writers(write, None if counts else _offered(name, offers, found, whole_pile, natural))


def _offered(name: str, offers: Any, cards: Any, whole_pile: bool = False, natural: int = ALL) -> Any:
    """`_write_offered` of a game."""
    given = {"write_offers": offers, "cards_of": cards, "in_pile": _by_depths}
    return bind(_write_offered, f"{name}_write_offered", **given, whole_pile=whole_pile, naturals=natural)


def _writers(name: str, of_one: Any, suits: Any, hand: tuple[Any, Any] | None = None, natural: int = ALL) -> Writers:
    """The writers with functions of a module, but `of_one` for its `melded`; `hand`: see `with_gives`."""
    melded_of, completing_of = hand or (
        bind(_once, f"{name}_melded", of_cards=of_one),
        bind(_once, f"{name}_completing", of_cards=suits.completing),
    )
    cards = {"melded": melded_of, "naturals": natural}
    look_at = bind(_look, f"{name}_look", **cards, completing=completing_of, near=suits.near)
    return Writers(
        bind(_write_rests, f"{name}_write_rests", look=look_at, naturals=natural, thirds=suits.thirds),
        bind(_write_offers, f"{name}_write_offers", look=look_at, **cards),
    )
