"""Feature columns about the hand that remains after a move: for every possible discard, and for taking the offered
card.

A network of few layers sees which cards are near each other. But it hardly learns to count the cards that would
complete a meld of the hand, and even less how this count changes without a certain card (docs/contributing/training.md,
*What each discard leaves*). In games where the whole pile can be taken, a discard also gives melds to others and takes
melds from the hand; the columns `GIVES` count these.

The columns `OFFERS` describe the decision whether to take the card on the pile. They compare the hand as it is with the
hand that has this card. To know these numbers, a network would have to find a meld in both hands and the best discard
from the second. For learned agents without these columns, this decision accounted for their whole deficit
(docs/learning-from-nothing.md).

The columns are slow to compute, so they are kept separate (`core.features.Features.with_rests`, `with_offers`). Columns
about discards are zero where no card is discarded. Columns about an offer are zero where no seat draws or decides about
a discard, and where the pile is empty. They do not show whether the top card can be taken.

Only natural cards are counted: the number of wild cards already shows what they can complete. If the meaning of a group
changes, the group gets a new name, so that agent files made for the old meaning are rejected.
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

# Groups of columns, each with one column per natural card: the note, and the number that is scaled to 1. The *rest* is
# the hand without the discard and without the cards that the table accepts. A card is loose if it is in no meld of the
# rest.
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
# The numbers of melds (runs of three, and sets of different suits) that a discard makes with other cards. "gives"
# columns count melds that others could make with it, "takes" columns melds that the hand could make. Known cards are
# the known cards of all other hands together.
_GIVEN = {
    "gives_pile": ("such melds that it makes with two cards of the pile", 5),
    "gives_known": ("such melds that it makes with two known cards", 5),
    "gives_pile_unseen": ("such melds that it makes with a card of the pile and an unseen one", 5),
    "gives_known_unseen": ("such melds that it makes with a known and an unseen card", 5),
    "gives_known_pile": ("such melds that it makes with a known card and one of the pile", 5),
    "takes_unseen": ("such melds that it makes with a card of the hand and an unseen one", 5),
    "takes_pile": ("such melds that it makes with a card of the hand and one of the pile", 5),
}


_MOST = 2 * NUM_FACES * 10  # upper bound of these numbers: the points of two packs if every card counts 10


def _columns(groups: dict[str, tuple[str, int]]) -> tuple[Columns, ...]:
    return tuple(
        Columns(name, f"for each discard: {note}; / {unit}", NUM_FACES, OF_CARDS, highest=_MOST / unit)
        for name, (note, unit) in groups.items()
    )


# Two sets of numbers: for the hand as it is, and for the hand with the offered card after the best discard. They are
# the fewest loose cards, the fewest points, and the highest other numbers among the rests with the fewest loose cards.
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

_GIVES_FIRST = len(RESTS) * NUM_FACES  # the columns GIVES come after RESTS
_HELD = len(_OFFERED)  # number of columns of OFFERS about the hand as it is, which come first

# The functions about cards of one game, which the functions below bind. Functions of a hand also take the mask of the
# cards held twice; in games where no meld has a face twice, they are made from functions of one mask.
melded: Any = None
completing: Any = None
of_cards: Any = None
in_pile: Any = None
cards_of: Any = None
whole_pile = False  # whether taking brings the whole pile
naturals = ALL
near: Any = None
thirds: Any = None
look: Any = None
write_rests: Any = None
write_gives: Any = None
write_offers: Any = None


class _Rest(NamedTuple):
    """Numbers about a rest (a hand without a discard), as in RESTS.

    Attributes:
        missing: the mask of the cards that complete a meld with the rest or fit a meld on the table.
    """

    loose: int
    points: int
    alone: int
    outs: int
    near: int
    to_one: int
    to_two: int
    missing: int


def _look(one: int, two: int, fits: int, unseen: int) -> _Rest:
    """Compute the numbers of a rest, the hand without a discard; see `_write_rests` for the masks."""
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
        one: the cards of the hand; this and the next arguments are masks.
        two: the cards that the hand holds twice.
        fits: the cards that melds on the table accept from the hand.
        unseen: the cards that can be in the stock or unknown in a hand.
        pile: the cards of the pile.
        out: float32, zero from index `first` on.
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
    """Write the columns OFFERS; see `_write_rests` for the other arguments.

    Args:
        offered: the natural cards that taking brings, as a mask.
        pairs: the natural cards that taking brings twice, as a mask.
        top: the top card of the pile as a mask; this card is not discarded again.
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
    """Write numbers about a face, each multiplied by its scale, into its columns: one column in each group."""
    for i in range(len(numbers)):
        out[first + i * NUM_FACES + face] = np.float32(numbers[i]) * scales[i]


@inlined
def _count(loose: int, twice: int) -> int:
    """The number of loose cards. If a face is in a meld, its second copy does not count as loose either."""
    return popcount(loose) + popcount(loose & twice)


def _write_gives(hand: int, unseen: int, pile: int, known: int, out: Any, first: int) -> None:
    """Write the columns GIVES.

    Args:
        hand: the natural cards of the hand, as a mask. With two packs, a face can be in several of these masks.
        unseen: the natural cards that can be in the stock or unknown in a hand.
        pile: the natural cards of the pile.
        known: the natural cards that are known to be in other hands.
        out: float32, zero from index `first` on.
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
    """The number of melds of three that a card makes with one card of `ones` and one card of `others`."""
    return thirds(face, ones | others) - thirds(face, ones & ~others) - thirds(face, others & ~ones)


class _Cards(NamedTuple):
    """Natural cards as masks: of the hand, held twice, unseen, in the pile, and known to be in other hands."""

    one: int
    two: int
    unseen: int
    pile: int
    known: int


def _once(one: int, two: int) -> int:
    """The result of `of_cards` for the mask `one`, in games where no meld has a face twice; `two` is not used."""
    return of_cards(one)


@inlined
def _by_depths(seen: Any, face: int) -> int:
    """The number of cards of a face in the pile, from an observation with the depths of the pile."""
    return int(seen.pile[face, 0] != 0) + int(seen.pile[face, 1] != 0)


@inlined
def _by_counts(seen: Any, face: int) -> int:
    """The number of cards of a face in the pile, from an observation with the counts `discards`."""
    return seen.discards[face]


def _cards_of(seen: Any, laid: Any, out_of_play: int, packs: int) -> _Cards:
    """The natural cards of an observation, as masks.

    Args:
        laid: the number of cards of each face in melds.
        out_of_play: the mask of faces of which one card is in no hand, heap or meld.
        packs: the number of packs.
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
    """Write the columns RESTS from an observation of two packs; see `_cards_of`, and `_write_rests` for `fits`."""
    cards = cards_of(seen, laid, out_of_play, 2)
    write_rests(cards.one, cards.two, fits, cards.unseen, cards.pile, out, first)


def _write_with_gives(seen: Any, laid: Any, packs: int, fits: int, out: Any, first: int) -> None:
    """Write the columns RESTS and GIVES from an observation; see `_cards_of`, and `_write_rests` for `fits`."""
    cards = cards_of(seen, laid, 0, packs)
    write_rests(cards.one, cards.two, fits, cards.unseen, cards.pile, out, first)
    write_gives(cards.one, cards.unseen, cards.pile, cards.known, out, first + _GIVES_FIRST)


def _write_offered(seen: Any, laid: Any, out_of_play: int, packs: int, fits: int, out: Any, first: int) -> None:
    """Write the columns OFFERS from an observation; see `_cards_of`, and `_write_rests` for `fits`."""
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
    """The compiled writers of a game: `rests` for RESTS (with GIVES in some games), `offers` for OFFERS or None."""

    rests: Any
    offers: Any


def of_one_pack(name: str) -> Writers:
    """Compile the writers of RESTS and OFFERS for one pack and low Aces; a card is in at most one meld."""
    return _writers(name, best_melded, runs_and_sets)


def of_high_aces(name: str) -> Writers:
    """Compile the writers of RESTS and OFFERS for one pack and low and high Aces; a card can be in two melds."""
    return _writers(name, wild_melds.melded, wild_melds)


def of_two_packs(name: str) -> Writers:
    """Compile the writers of RESTS and OFFERS for two packs and low and high Aces.

    No suit occurs twice in a set, and a card can be in two melds.
    """
    rests, offers = _writers(name, wild_melds.melded, wild_melds)
    found = bind(_cards_of, f"{name}_cards_of", in_pile=_by_depths)
    write = bind(_write_of_two_packs, f"{name}_write_rests_of_two_packs", write_rests=rests, cards_of=found)
    return Writers(write, _offered(name, offers, found))


def with_gives(
    name: str, hand: tuple[Any, Any] | None = None, natural: int = ALL, counts: bool = False, whole_pile: bool = False
) -> Writers:
    """Compile the writers of RESTS with GIVES, and of OFFERS, for one or two packs.

    The melds that GIVES counts are runs of three and sets of different suits, whatever the melds of the game are.

    Args:
        name: the name of the game.
        hand: for games where a meld can have both cards of a face, two functions of a hand with the arguments of
            `free_sets.melded_freely` and `completing_freely`.
        natural: the mask of the cards that are never wild.
        counts: whether the observation shows the pile as counts by face instead of depths; such a game has no OFFERS.
        whole_pile: whether taking brings the whole pile, not only its top card.
    """
    rests, offers = _writers(name, wild_melds.melded, wild_melds, hand, natural)
    mixed = bind(_mixed, f"{name}_mixed", thirds=wild_melds.thirds)
    gives = bind(_write_gives, f"{name}_write_gives", thirds=wild_melds.thirds, _mixed=mixed)
    found = bind(_cards_of, f"{name}_cards_of", in_pile=_by_counts if counts else _by_depths)
    both = {"write_rests": rests, "write_gives": gives, "cards_of": found}
    write = bind(_write_with_gives, f"{name}_write_rests_with_gives", **both)
    return Writers(write, None if counts else _offered(name, offers, found, whole_pile, natural))


def _offered(name: str, offers: Any, cards: Any, whole_pile: bool = False, natural: int = ALL) -> Any:
    """Compile `_write_offered`, the writer of OFFERS, for a game.

    Args:
        offers: the compiled `_write_offers`.
        cards: the compiled `_cards_of`.
        whole_pile, natural: see `with_gives`.
    """
    given = {"write_offers": offers, "cards_of": cards, "in_pile": _by_depths}
    return bind(_write_offered, f"{name}_write_offered", **given, whole_pile=whole_pile, naturals=natural)


def _writers(name: str, of_one: Any, suits: Any, hand: tuple[Any, Any] | None = None, natural: int = ALL) -> Writers:
    """Compile `_write_rests` and `_write_offers` for a game.

    Args:
        of_one: the function of one mask that returns the cards in melds.
        suits: the module with the functions `completing`, `near` and `thirds`.
        hand: replaces `of_one` and `completing`; see `with_gives`.
    """
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
