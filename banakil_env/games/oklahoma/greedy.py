"""`greedy`: plays like a sensible person who wants the pile, lays down early, and saves Twos for good melds.

Draw: take the pile whenever it may be taken, because more cards make more melds. (`expert` weighs the gain.)
Play: open the meld after which most can be laid down, then add the cards that fit, because they score in any case. A
Two makes a meld of two cards if that brings enough points. It does so above all for the Queen of spades, which costs
100 in the hand. Twos are added to melds if this hand or another may soon be empty.
Discard: the least useful card. Keep melds, cards that fit melds of the seat, and cards with which many unseen cards
would make a meld. Discard high cards first. If the pile has many cards, prefer a card with which few unseen cards make
a meld, because the next seat can then hardly take the pile.

The numbers of `PARAMETERS` were chosen by hand; `expert` plays the same way with fitted numbers. Only `expert` counts
the Twos that taking the pile costs, keeps Twos for pairs, and keeps cards in a short hand that it could add: the
parameters of `greedy` for these are 0.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from banakil_env.core.bits import lowest, popcount, read_bits
from banakil_env.core.jit import compiled
from banakil_env.core.masks import legal_at
from banakil_env.core.parameters import Parameter, Parameters, Row
from banakil_env.games.oklahoma import state as S
from banakil_env.games.oklahoma.melds import (
    CARDS,
    HELD,
    NATURALS,
    NUM_ADDED,
    NUM_NAMED,
    OPENINGS,
    QUEEN,
    TWO,
    TWOS,
    VALUES_AT,
)
from banakil_env.games.oklahoma.observation import held_twice
from banakil_env.games.oklahoma.records import Observation
from banakil_env.games.oklahoma.rules import DIFFERENT
from banakil_env.kit.by_numbers import two_or_more
from banakil_env.kit.melds.free_sets import completing_freely
from banakil_env.kit.melds.runs_and_sets import pair_ranks
from banakil_env.kit.melds.wild_melds import PLACES_OF, Opening, down, in_faces, melded, places_of, up
from banakil_env.kit.pack52 import ACES, NUM_RANKS, bit_of, cards_of, ranks_in, value_of
from banakil_env.kit.pack54 import JOKER, NUM_FACES
from banakil_env.kit.seen import smallest_other_hand

PARAMETERS = Parameters(
    Path(__file__).with_name("expert.toml"),
    (Row("two", {"num_players": 2}), Row("more", {"num_players": 4})),
    Parameter("take_laid", 0, 0, 400, "worth of the pile for each point that can be laid down with it, in hundredths"),
    Parameter("take_two", 0, 0, 150, "worth of the pile for each Two in it, in points"),
    Parameter("take_card", 0, 0, 40, "cost of the pile for each card in it, in points"),
    Parameter(
        "take_used", 0, 0, 150, "cost of the pile for each Two of the hand in the meld with its top card, in points"
    ),
    Parameter("short_hand", 4, 0, 13, "the round may end soon if another hand has fewer cards"),
    Parameter("own_short", 1, 0, 13, "or if this hand has at most this many cards other than Twos"),
    Parameter("two_used", 18, -20, 150, "points that each Two of an opening has to bring"),
    Parameter("two_used_late", 0, -60, 150, "the same if the round may end soon"),
    Parameter("two_more", 0, -60, 200, "additional points that each Two of an opening after the first has to bring"),
    Parameter("hold_hand", 0, 0, 13, "largest hand that keeps the cards that it could add"),
    Parameter("paired", 0, -50, 150, "points for each Two that an opening leaves together with a pair"),
    Parameter("left", 0, -100, 200, "cost of each point that an opening leaves in the hand, in hundredths"),
    Parameter("lost", 400, 0, 3000, "cost of a discard for each point that can no longer be laid down, in tenths"),
    Parameter("two_lost", 4000, 0, 10_000, "cost of a Two as a discard"),
    Parameter("out", 600, 0, 4000, "cost of a discard, for each unseen card that no longer makes a meld"),
    Parameter("value", -10, -300, 300, "cost of each point of a discard"),
    Parameter("value_late", -10, -500, 300, "the same if the round may end soon"),
    Parameter("queen", 0, -4000, 4000, "additional cost of the Queen of spades"),
    Parameter(
        "given", 10, 0, 200, "cost of a discard, for each card of the pile times each unseen card near the discard"
    ),
    Parameter(
        "given_few", 0, -100, 1000, "cost of a discard for each unseen card near it, whatever the size of the pile"
    ),
    Parameter("given_known", 0, 0, 8000, "cost of a discard that completes a meld with cards known in the next hand"),
    Parameter("passed", 0, -3000, 3000, "saving of a discard if the other card of its face is in the pile"),
)
row_of = two_or_more


def _brings(opening: Opening) -> int:
    """Return the value of an opening, plus the cost of a Queen of spades in the hand if the opening uses it."""
    places = [place for place, *_ in places_of(opening.meld)] or [0, 0, 0]
    return int(VALUES_AT[opening.meld & 31, places].sum() + HELD[QUEEN] * opening.naturals.count(QUEEN))


def _naturals(opening: Opening, copies: int) -> int:
    """Return the naturals of which an opening takes at least `copies` cards, as a mask."""
    return sum(1 << face for face in set(opening.naturals) if opening.naturals.count(face) >= copies)


# For every opening: its gain, the number of its Twos, and the masks of its naturals and of those that it takes twice.
BRINGS = np.array([_brings(each) for each in OPENINGS])
TWOS_TAKEN = (CARDS == TWO).sum(axis=1)
ONCE, TWICE = (np.array([_naturals(each, copies) for each in OPENINGS]) for copies in (1, 2))
NUM_OPENINGS = len(BRINGS)

VALUES = HELD[:NUM_RANKS].copy()  # of naturals, by rank


@compiled
def decide(seen: Observation, mask: Any, values: Any) -> int:
    """Choose the action of the player that has the parameters `values`, a record of PARAMETERS."""
    if mask[S.DRAW]:
        return S.TAKE if mask[S.TAKE] and _wants_pile(seen, values) else S.DRAW
    opening = _opening(seen, mask, values)
    if opening >= 0:
        return opening
    added = read_bits(mask, S.ADD, NUM_ADDED)
    if added and not _holds_back(seen, added, values):
        if added & (1 << NUM_NAMED) - 1 or _ends_soon(seen, values):
            return S.ADD + lowest(added)
    discards = read_bits(mask, S.DISCARD, NUM_NAMED)
    return _discard(seen, discards, values) if discards else legal_at(mask, 0)


@compiled
def _held(seen: Observation) -> tuple[int, int, int]:
    """Return three masks: the naturals of the hand, those held twice, and those that fit the melds of the seat."""
    return read_bits(seen.hand, 0, NUM_FACES) & NATURALS, held_twice(seen), read_bits(seen.fits, 0, NUM_FACES)


@compiled
def _wants_pile(seen: Observation, values: Any) -> bool:
    """Return whether the pile is worth its cost, by its Twos and the points that can then be laid down."""
    one, two, fits = _held(seen)
    once, twice, twos = one, two, 0
    for face in range(JOKER):
        for copy in range(2):  # the two packs
            if seen.pile[face, copy]:
                card = bit_of(face)
                twos += card & TWOS != 0
                if seen.rules.set_suits != DIFFERENT:
                    twice |= once & card & NATURALS
                once |= card & NATURALS
    gain = values.take_two * twos - values.take_card * seen.pile_size
    if values.take_used:
        gain -= values.take_used * _twos_to_take(seen)
    return bool(100 * gain + values.take_laid * (_laid(once, twice, fits) - _laid(one, two, fits)) >= 0)


@compiled
def _twos_to_take(seen: Observation) -> int:
    """Return the fewest Twos of the hand that go into a meld with the top card of the pile."""
    one, two, _ = _held(seen)
    twos = _num_twos(seen)
    top = 0
    for face in range(JOKER):
        if seen.pile[face, 0] == 1:
            top = bit_of(face)
    is_two = int(top & TWOS != 0)
    if not is_two:
        if seen.rules.set_suits != DIFFERENT:
            two |= one & top
        one |= top
    fewest = 3
    for i in range(NUM_OPENINGS):
        has_top = TWOS_TAKEN[i] > 0 if is_two else ONCE[i] & top != 0
        if has_top and not (ONCE[i] & ~one or TWICE[i] & ~two) and TWOS_TAKEN[i] - is_two <= twos:
            fewest = min(fewest, TWOS_TAKEN[i] - is_two)
    return fewest


@compiled
def _holds_back(seen: Observation, added: int, values: Any) -> bool:
    """Return whether to keep the cards that could be added, because taking the pile needs two cards of the hand.

    `added` is the mask of the legal additions, by the place of the action.
    """
    if seen.hand_size[0] > values.hold_hand or seen.pile_size == 0:
        return False
    ends = popcount(added >> NUM_NAMED)  # one Two can fit at both ends of a run
    fitting = popcount(added & (1 << NUM_NAMED) - 1) + min(ends, _num_twos(seen))
    return seen.hand_size[0] - fitting > 1  # a last card goes out as the discard


@compiled
def _ends_soon(seen: Observation, values: Any) -> bool:
    """Return whether another hand is short, or this hand has few cards other than Twos."""
    own_short = _num_twos(seen) + values.own_short >= seen.hand_size[0]
    return smallest_other_hand(seen) < values.short_hand or own_short


@compiled
def _num_twos(seen: Observation) -> int:
    """Return the number of Twos in the hand."""
    twos = 0
    for face in range(1, JOKER, NUM_RANKS):
        twos += seen.hand[face]
    return twos


@compiled
def _laid(one: int, two: int, fits: int) -> int:
    """Return the points of the naturals that could be laid down at once.

    Args:
        one: mask of the naturals that the hand has at least once.
        two: mask of the naturals that the hand has twice.
        fits: mask of the naturals that fit melds of the seat.
    """
    pairs = cards_of(pair_ranks(one) & ranks_in(two))
    return value_of(melded(one) | one & (fits | pairs), VALUES) + value_of(two & (fits | pairs), VALUES)


@compiled
def _opening(seen: Observation, mask: Any, values: Any) -> int:
    """Return the legal opening after which most points can be laid down; -1: none is worth its Twos."""
    one, two, fits = _held(seen)
    twos = _num_twos(seen)
    price = values.two_used_late if _ends_soon(seen, values) else values.two_used
    best, most, as_it_is = -1, 0, _laid(one, two, fits)
    for i in range(NUM_OPENINGS):
        if mask[S.OPEN + i]:
            left = one & ~(ONCE[i] & ~two) & ~TWICE[i]
            laid = _laid(left, two & ~ONCE[i], fits)
            worth = BRINGS[i] - price * TWOS_TAKEN[i] - values.two_more * max(TWOS_TAKEN[i] - 1, 0) + laid
            if values.paired:
                pairs = (pair_ranks(left) | ranks_in(two & ~ONCE[i])) & ~ranks_in(melded(left))
                worth += values.paired * min(twos - TWOS_TAKEN[i], popcount(pairs))
            if values.left:
                worth -= values.left * (value_of(left, VALUES) + value_of(two & ~ONCE[i], VALUES) - laid) // 100
            is_worth_it = TWOS_TAKEN[i] == 0 or worth > as_it_is or seen.must != 0
            if is_worth_it and (best < 0 or worth > most):
                best, most = S.OPEN + i, worth
    return best


@compiled
def _discard(seen: Observation, discards: int, values: Any) -> int:
    """Return the action that discards the least useful card."""
    one, two, fits = _held(seen)
    unseen, twice = 0, 0
    for face in range(JOKER):
        known = seen.hand[face] + seen.table[face] + int(seen.pile[face, 0] != 0) + int(seen.pile[face, 1] != 0)
        unseen |= int(known < 2) << face
        twice |= int(known == 0) << face
    unseen, twice = unseen & NATURALS, twice & NATURALS
    laid, makes, late = _laid(one, two, fits), completing_freely(one, two), _ends_soon(seen, values)
    known = completing_freely(read_bits(seen.known[1], 0, NUM_FACES) & NATURALS, 0)
    given = values.given * seen.pile_size + values.given_few
    best, least = -1, 0
    while discards:
        i = lowest(discards)
        discards &= discards - 1
        cost = values.two_lost
        if i < NUM_NAMED - 1:
            face = S.SHED[i]
            card = bit_of(face)
            left, left_two = one & ~(card & ~two), two & ~card
            makes_then = completing_freely(left, left_two)
            cost = values.lost * (laid - _laid(left, left_two, fits)) + values.queen * (face == QUEEN)
            cost += (values.value_late if late else values.value) * HELD[face]
            cost += values.out * (_count(makes, unseen, twice) - _count(makes_then, unseen, twice))
            near = up(PLACES_OF[face]) | down(PLACES_OF[face])
            goes_with = in_faces(near | up(near) | down(near)) | ACES << face % NUM_RANKS
            cost += given * _count(goes_with, unseen, twice) + values.given_known * (known >> face & 1)
            cost -= values.passed * (seen.pile[face, 0] != 0)
        if best < 0 or cost < least:
            best, least = S.DISCARD + i, cost
    return best


@compiled
def _count(cards: int, unseen: int, twice: int) -> int:
    """Return the number of unseen cards of these faces; `twice` has the faces of which both cards are unseen."""
    return popcount(cards & unseen) + popcount(cards & twice)
