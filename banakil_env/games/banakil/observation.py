"""The features of Banakil, and the full state; `seen.py` writes the observation.

The features are the observation as float columns, written in one compiled pass. Cards are planes over suits and ranks,
melds are summed up by owner, and numbers are scaled to about 1. The features contain only information of the
observation. The planes in which cards combine (`reach`, `fits`) follow from the rules of melds and give no advice.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from banakil_env.core.bits import lowest, popcount
from banakil_env.core.features import NOWHERE, OF_CARDS, OF_FACES, OF_SUITS, Columns, FaceTable, Features, first_of
from banakil_env.core.fields import FACE, FLAG, SCALED
from banakil_env.core.jit import compiled
from banakil_env.core.scratch import scratch
from banakil_env.games.banakil.baselines.reading import (
    above_each,
    below_each,
    fitting_own,
    in_natural_melds,
    is_own_side,
    read_hand,
    read_table,
)
from banakil_env.games.banakil.faces import (
    ACE,
    ALL_NATURALS,
    COPIES,
    JOKER,
    NUM_FACES,
    NUM_NATURALS,
    NUM_RANKS,
    NUM_SUITS,
    PACK_SIZE,
    THREE,
    TWO,
)
from banakil_env.games.banakil.scoring import value_of_cards
from banakil_env.games.banakil.seen import DRAW_CELL, NATURAL_CELL, PLAY_CELL
from banakil_env.games.banakil.seen import OBSERVATION as OBSERVATION
from banakil_env.games.banakil.seen import OBSERVATION_FIELDS as OBSERVATION_FIELDS
from banakil_env.games.banakil.seen import observe as observe
from banakil_env.games.banakil.state import MAX_MELDS, MAX_SEATS, MAX_TAKE
from banakil_env.kit.features import write_face_columns
from banakil_env.kit.full_state import full_dtype, full_state_writer, write_layers

FULL_STATE = full_dtype(OBSERVATION, MAX_SEATS, cards=PACK_SIZE)
write_full_state = full_state_writer("banakil", observe, write_layers)

_NUMBERS = {role: [n for n in OBSERVATION_FIELDS.numbers if n.field.role == role] for role in (SCALED, FLAG, FACE)}


def _count(role: str) -> int:
    return sum(number.count for number in _NUMBERS[role])


def _bounds(role: str, which: str) -> tuple[float, ...]:
    """Return the bound of each number with this role in an observation, divided by the scale of the number.

    `which` is `lowest` or `highest`.
    """
    bounds = [(np.float32(getattr(n.field, which)) / np.float32(n.field.scale), n.count) for n in _NUMBERS[role]]
    return tuple(float(bound) for bound, count in bounds for _ in range(count))


COLUMNS = (
    Columns("hand", "a card of the face is in the hand; then: both cards are in the hand", 2 * NUM_FACES, OF_FACES),
    Columns("reach", "the natural makes a sequence of three with two cards of the hand", NUM_NATURALS, OF_CARDS),
    Columns("ready", "the same, for a natural in the hand", NUM_NATURALS, OF_CARDS),
    Columns("fits", "the natural is next to a natural in a sequence of the observer's side", NUM_NATURALS, OF_CARDS),
    Columns("fits_others", "the same, in a sequence of another side", NUM_NATURALS, OF_CARDS),
    Columns(
        "pile_useful", "in the pile, and makes a sequence or fits one of the observer's side", NUM_NATURALS, OF_CARDS
    ),
    Columns(
        *(
            "pile",
            "in the pile: a card of the face; both cards; 1 / depth and depth / 20 of the upper card",
            4 * NUM_FACES,
            OF_FACES,
        ),
        highest=(1.0,) * 3 * NUM_FACES + (MAX_TAKE / 20,) * NUM_FACES,
    ),
    Columns("known", "cards known to be in each hand, / 2", MAX_SEATS * NUM_FACES, OF_FACES),
    Columns("table", "naturals in sequences of each seat", MAX_SEATS * NUM_NATURALS, OF_CARDS, highest=COPIES),
    Columns(
        *("sets", "naturals in sets of Threes and of Aces of each seat", MAX_SEATS * 2 * NUM_SUITS, OF_SUITS),
        highest=COPIES,
    ),
    Columns("melds", "sequences of each seat and suit", MAX_SEATS * NUM_SUITS, OF_SUITS, highest=MAX_MELDS),
    Columns("twos", "sequences with a Two, by seat and suit", MAX_SEATS * NUM_SUITS, OF_SUITS, highest=MAX_MELDS),
    Columns("jokers", "sequences with a Joker, by seat and suit", MAX_SEATS * NUM_SUITS, OF_SUITS, highest=MAX_MELDS),
    Columns("set_melds", "sets of Threes and of Aces of each seat", MAX_SEATS * 2, highest=MAX_MELDS),
    Columns("set_twos", "sets with a Two: always 0", MAX_SEATS * 2),
    Columns("set_jokers", "sets with a Joker", MAX_SEATS * 2, highest=MAX_MELDS),
    Columns("slots", "for each `meld k`: it belongs to the observer's side; then: it is a sequence", 2 * MAX_MELDS),
    Columns("faces", "one-hot: the cards taken, banned and named", _count(FACE) * NUM_FACES, OF_FACES),
    Columns("flags", "fields that are yes or no", _count(FLAG)),
    Columns("players", "one-hot: two, three or four players", MAX_SEATS - 1),
    Columns(
        *("scaled", "numbers, divided by their scale", _count(SCALED)),
        lowest=_bounds(SCALED, "lowest"),
        highest=_bounds(SCALED, "highest"),
    ),
)
FEATURES_VERSION = 2

# What each discard of a natural leaves and gives away, for networks that use it. The rest is the hand without the card.
# A natural of the rest is loose if it is in no natural meld of the rest and fits no meld of the observer's side. A card
# can still come if it is not in the hand, in a meld, or known to be in another hand.
_LOOSE, _POINTS, _OUTS, _GIVES = np.float32(1 / 10), np.float32(1 / 40), np.float32(1 / 20), np.float32(1 / 3)
RESTS = tuple(
    Columns(name, note, NUM_NATURALS, OF_CARDS, highest=highest)
    for name, note, highest in (
        ("rest_loose", "for each discard: loose naturals of the rest, / 10", 2 * NUM_NATURALS / 10),
        ("rest_points", "for each discard: half points of the loose naturals, / 40", 2.0 * NUM_NATURALS),
        (
            "rest_outs",
            "for each discard: faces to come that fit a meld, or make one with two cards of the rest, / 20",
            NUM_NATURALS / 20,
        ),
        ("rest_near", "for each discard: faces to come that are next to a loose natural, / 20", NUM_NATURALS / 20),
        ("discard_gives", "for each discard: sequences of three that the card makes with two faces to come, / 3", 1.0),
    )
)

# What the pile brings if it is taken down to the upper card of a face, for networks that use it.
_GAINED, _MELDED, _DEAD, _WILD = np.float32(1 / 40), np.float32(1 / 10), np.float32(1 / 10), np.float32(1 / 4)
_NO_MORE = float(MAX_TAKE)
OFFERS = (
    Columns(
        *(
            "take_gained",
            "half points of the naturals that can be melded only if the pile is taken down to this card, / 40",
        ),
        *(NUM_NATURALS, OF_CARDS),
        highest=_NO_MORE,
    ),
    Columns("take_melded", "number of these naturals, / 10", NUM_NATURALS, OF_CARDS, highest=NUM_NATURALS / 10),
    Columns("take_dead", "other naturals in the take, / 10", NUM_NATURALS, OF_CARDS, highest=_NO_MORE / 10),
    Columns("take_wild", "wild cards in the take, / 4", NUM_NATURALS, OF_CARDS, highest=_NO_MORE / 4),
)


def _places(role: str) -> Any:
    """Return where each number with this role is in an observation, as int64 (n, 3).

    A row has the offset in bytes, the size in bytes, and whether the number is signed.
    """
    rows = [
        (
            number.offset + number.field.number.itemsize * i,
            number.field.number.itemsize,
            number.field.number.kind == "i",
        )
        for number in _NUMBERS[role]
        for i in range(number.count)
    ]
    return np.array(rows, np.int64)


FLAG_PLACES, NAMED_PLACES = _places(FLAG)[:, 0].copy(), _places(FACE)[:, 0].copy()
SCALED_PLACES = _places(SCALED)
SCALES = np.concatenate([np.full(number.count, number.field.scale) for number in _NUMBERS[SCALED]]).astype(np.float32)
_THREES, _ACES = (sum(1 << suit * NUM_RANKS + rank for suit in range(NUM_SUITS)) for rank in (THREE, ACE))
ONE, HALF = np.float32(1), np.float32(1 / COPIES)

_FIRST = first_of(COLUMNS)
HAND, REACH, PILE, KNOWN, TABLE, SETS, MELDS, SET_MELDS, SLOTS, FACES, FLAGS_AT, PLAYERS, SCALED_AT = (
    _FIRST[name]
    for name in (
        *("hand", "reach", "pile", "known", "table", "sets", "melds", "set_melds", "slots"),
        *("faces", "flags", "players", "scaled"),
    )
)


@compiled
def _write_melds(seen: Any, out: Any, laid: Any) -> None:
    """Write the columns of all melds, by owner and kind.

    `laid` (int64, 2) becomes the masks of the naturals in sequences of the observer's side and of the others.
    """
    laid[0] = laid[1] = 0
    for slot in range(MAX_MELDS):
        owner, kind = seen.meld_owner[slot] - 1, seen.meld_kind[slot] - 1
        if owner < 0:
            break
        own = is_own_side(seen, owner)
        sequence = kind < NUM_SUITS
        place = MELDS + owner * NUM_SUITS + kind if sequence else SET_MELDS + owner * 2 + kind - NUM_SUITS
        step = MAX_SEATS * (NUM_SUITS if sequence else 2)
        out[place] += ONE
        out[place + step] += np.float32(seen.meld_two[slot] != 0)
        out[place + 2 * step] += np.float32(seen.meld_joker[slot])
        out[SLOTS + slot] = np.float32(own)
        out[SLOTS + MAX_MELDS + slot] = np.float32(sequence)
        naturals = 0
        for rank in range(NUM_RANKS):
            naturals |= int(seen.meld_cards[slot, rank] == NATURAL_CELL) << rank
        first = SETS + (owner * 2 + kind - NUM_SUITS) * NUM_SUITS
        if sequence:
            first = TABLE + (owner * NUM_SUITS + kind) * NUM_RANKS
            laid[0 if own else 1] |= naturals << kind * NUM_RANKS
        while naturals:
            out[first + lowest(naturals)] += ONE
            naturals &= naturals - 1


@compiled
def _write_numbers(seen: Any, row: Any, out: Any) -> None:
    for i in range(NAMED_PLACES.shape[0]):
        named = int(row[NAMED_PLACES[i]])
        if named:
            out[FACES + i * NUM_FACES + named - 1] = ONE
    for i in range(FLAG_PLACES.shape[0]):
        out[FLAGS_AT + i] = np.float32(row[FLAG_PLACES[i]])
    out[PLAYERS + seen.num_players - 2] = ONE
    for i in range(SCALED_PLACES.shape[0]):
        at, size, signed = SCALED_PLACES[i]
        number = int(row[at])
        if size == 2:
            number += int(row[at + 1]) << 8
            if signed and number >= 1 << 15:
                number -= 1 << 16
        out[SCALED_AT + i] = np.float32(number) / SCALES[i]


@compiled
def _write_pile(seen: Any, out: Any, depths: Any) -> int:
    """Write the pile's columns into `out` and the face at each depth into `depths`.

    Return the naturals in the pile, as a mask.
    """
    there = 0
    for face in range(NUM_FACES):
        depth, second = seen.pile[face, 0], seen.pile[face, 1]
        if depth:
            there |= 1 << face
            out[PILE + face] = ONE
            out[PILE + 2 * NUM_FACES + face] = ONE / np.float32(depth)
            out[PILE + 3 * NUM_FACES + face] = np.float32(depth) / np.float32(20)
            depths[depth - 1] = face
        if second:
            out[PILE + NUM_FACES + face] = ONE
            depths[second - 1] = face
    return there & ALL_NATURALS


@compiled
def _reached(held: int) -> int:
    """Return the naturals that make a sequence of three with two naturals of a mask."""
    above, below = above_each(held), below_each(held)
    return (above & below) | (above & above_each(above)) | (below & below_each(below))


@compiled
def write_features(seen: Any, row: Any, out: Any, depths: Any) -> None:
    """Write the features of one observation; see `core.features.Features.write`."""
    out[:] = 0
    depths[:] = NUM_FACES
    hand, laid = scratch(2), scratch(2)
    read_hand(seen, hand)
    write_face_columns((hand[0], hand[1]), NUM_FACES, out, HAND)
    for face in range(NUM_FACES):
        for seat in range(MAX_SEATS):
            if seen.known[seat, face]:
                out[KNOWN + seat * NUM_FACES + face] = np.float32(seen.known[seat, face]) * HALF
    held = hand[0] & ALL_NATURALS
    reach = _reached(held)
    _write_melds(seen, out, laid)
    fits, fits_others = above_each(laid[0]) | below_each(laid[0]), above_each(laid[1]) | below_each(laid[1])
    useful = _write_pile(seen, out, depths) & (reach | fits)
    write_face_columns((reach, held & reach, fits, fits_others, useful), NUM_NATURALS, out, REACH)
    _write_numbers(seen, row, out)


FACE_TABLE = FaceTable(
    NUM_SUITS,
    NUM_RANKS,
    cells=tuple(face if face < NUM_NATURALS else NOWHERE for face in range(NUM_FACES)),
    kinds=tuple(NOWHERE if face < TWO else int(face == JOKER) for face in range(NUM_FACES)),
)
_RESTS_FIRST = sum(group.count for group in COLUMNS)
_OFFERS_FIRST = _RESTS_FIRST + sum(group.count for group in RESTS)


@compiled
def write_with_rests(seen: Any, row: Any, out: Any, depths: Any) -> None:
    """Write the features of one observation, followed by RESTS; see `core.features.Features.write`."""
    write_features(seen, row, out, depths)
    if seen.phase[PLAY_CELL]:
        hand, table = scratch(2), scratch(2)
        read_hand(seen, hand)
        read_table(seen, table)
        _write_rests(hand[0] & ALL_NATURALS, hand[1], fitting_own(seen), table[1], seen.ace_value, out)


@compiled
def _write_rests(held: int, twice: int, fits: int, coming: int, ace_value: int, out: Any) -> None:
    """Write RESTS, the columns about the hand that is left after the discard of each natural.

    Args:
        held: mask of the naturals in the hand.
        twice: mask of the faces that the hand has twice.
        fits: mask of the naturals that fit a meld of the observer's side.
        coming: mask of the faces that can still come.
        ace_value: the value of an Ace, in half points.
        out: the features, written.
    """
    cards = held
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        bit = 1 << card
        rest, again = held & ~bit | twice & bit, twice & ~bit & ALL_NATURALS & ~fits
        loose = rest & ~in_natural_melds(rest) & ~fits
        near = above_each(loose) | below_each(loose)
        points = value_of_cards(loose, ace_value) + value_of_cards(again, ace_value)
        place = _RESTS_FIRST + card
        out[place] = np.float32(popcount(loose) + popcount(again)) * _LOOSE
        out[place + NUM_NATURALS] = np.float32(points) * _POINTS
        out[place + 2 * NUM_NATURALS] = np.float32(popcount((_completing(rest) | fits) & coming)) * _OUTS
        out[place + 3 * NUM_NATURALS] = np.float32(popcount(near & coming)) * _OUTS
        out[place + 4 * NUM_NATURALS] = np.float32(_sequences(bit, coming)) * _GIVES


@compiled
def _completing(held: int) -> int:
    """Return the naturals that make a sequence or a set of three with two naturals of a mask."""
    threes, aces = held & _THREES, held & _ACES
    found = _reached(held)
    if popcount(threes) >= 2:
        found |= _THREES
    if popcount(aces) >= 2:
        found |= _ACES
    return found


@compiled
def _sequences(card: int, others: int) -> int:
    """Return the number of sequences of three that a card makes with two cards of the mask `others`.

    `card` is a mask of one bit.
    """
    above, below = above_each(card), below_each(card)
    two_above, two_below = above_each(above) & others, below_each(below) & others
    above, below = above & others, below & others
    return int(above > 0 and two_above > 0) + int(above > 0 and below > 0) + int(below > 0 and two_below > 0)


@compiled
def write_with_offers(seen: Any, row: Any, out: Any, depths: Any) -> None:
    """Write the features of one observation, followed by RESTS and OFFERS; see `core.features.Features.write`."""
    write_with_rests(seen, row, out, depths)
    if seen.phase[DRAW_CELL]:
        hand = scratch(2)
        read_hand(seen, hand)
        _write_offers(hand[0], fitting_own(seen), seen.ace_value, depths, out)


@compiled
def _write_offers(held: int, fits: int, ace_value: int, depths: Any, out: Any) -> None:
    """Write OFFERS, the columns about taking the pile.

    Args:
        held: mask of the faces in the hand.
        fits: mask of the naturals that fit melds of the observer's side.
        ace_value: the value of an Ace, in half points.
        depths: the face at each depth of the pile, NUM_FACES below the last one.
        out: the features, written.
    """
    before = in_natural_melds(held) | fits & held
    taken, again, wild = 0, 0, 0
    for depth in range(depths.shape[0]):
        face = int(depths[depth])
        if face == NUM_FACES:
            break
        upper = not taken >> face & 1
        again += int(face < NUM_NATURALS and (not upper or held >> face & 1))
        wild += int(face >= NUM_NATURALS)
        taken |= 1 << face
        if face >= NUM_NATURALS or not upper:
            continue
        gained = (in_natural_melds(held | taken) | fits & (held | taken)) & ~before & ALL_NATURALS
        first, dead = _OFFERS_FIRST + face, popcount(taken & ~held & ~gained & ALL_NATURALS) + again
        out[first] = np.float32(value_of_cards(gained, ace_value)) * _GAINED
        out[first + NUM_NATURALS] = np.float32(popcount(gained)) * _MELDED
        out[first + 2 * NUM_NATURALS] = np.float32(dead) * _DEAD
        out[first + 3 * NUM_NATURALS] = np.float32(wild) * _WILD


_PLAIN = Features(FEATURES_VERSION, COLUMNS, write_features, NUM_FACES, MAX_TAKE, FACE_TABLE)
FEATURES = replace(
    _PLAIN,
    with_rests=replace(_PLAIN, columns=(*COLUMNS, *RESTS), write=write_with_rests),
    with_offers=replace(_PLAIN, columns=(*COLUMNS, *RESTS, *OFFERS), write=write_with_offers),
)
