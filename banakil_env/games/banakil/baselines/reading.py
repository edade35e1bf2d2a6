"""Decodes observations for the rule-based players: hands as masks, packed melds, and the cards that fit them."""

from __future__ import annotations

from typing import Any, NamedTuple

from banakil_env.core.bits import popcount
from banakil_env.core.jit import compiled
from banakil_env.games.banakil.actions import ADD, ADD_JOKER_LOW, ADD_TWO_LOW, SWAP
from banakil_env.games.banakil.faces import (
    ACE,
    ALL_NATURALS,
    ALL_RANKS,
    JOKER,
    NUM_FACES,
    NUM_RANKS,
    NUM_SUITS,
    THREE,
    TWO,
)
from banakil_env.games.banakil.melds import NOWHERE, THREES, kind_of, naturals_of, naturals_that_fit, new_meld
from banakil_env.games.banakil.pack import faces_seen, pairs_seen
from banakil_env.games.banakil.seen import JOKER_CELL, NATURAL_CELL, TWO_CELL
from banakil_env.games.banakil.state import MAX_MELDS

LOWEST_OF_SUITS = sum(1 << suit * NUM_RANKS for suit in range(NUM_SUITS))
HIGHEST_OF_SUITS = LOWEST_OF_SUITS << NUM_RANKS - 1


class View(NamedTuple):
    """The facts of an observation, decoded once.

    Attributes:
        one: mask of the faces of which the player's hand has at least one card.
        both: mask of the faces of which the player's hand has two cards.
        melds: the melds of the player's side, int64, packed as in melds.py.
        slots: the slot of each of these melds on the table, int64.
        num_melds: the number of these melds.
        theirs: mask of the naturals that fit an opponent's meld.
        live: mask of the faces of which a card can still come.
        ace_value: the value of an Ace, in half points.
    """

    one: int
    both: int
    melds: Any
    slots: Any
    num_melds: int
    theirs: int
    live: int
    ace_value: int


@compiled
def read_view(observation: Any, masks: Any, melds: Any, slots: Any) -> View:
    """Decode an observation into a `View`.

    The caller provides three arrays, which are overwritten: int64 `masks` (2,), `melds` (MAX_MELDS,) and `slots`
    (MAX_MELDS,). The view keeps `melds` and `slots`.
    """
    read_hand(observation, masks)
    one, both = masks[0], masks[1]
    read_table(observation, masks)
    count = read_melds(observation, melds, slots)
    return View(one, both, melds, slots, count, masks[0], masks[1], observation.ace_value)


@compiled
def faces_of_naturals(kind: int, naturals: int) -> int:
    """Return the faces of a meld's naturals, as a mask; `kind` and `naturals` are those of a packed meld."""
    if kind < THREES:
        return naturals << (kind - 1) * NUM_RANKS
    faces = 0
    for suit in range(NUM_SUITS):
        faces |= (naturals >> suit & 1) << suit * NUM_RANKS + ACE * (kind - THREES)
    return faces


@compiled
def read_hand(observation: Any, masks: Any) -> None:
    """Write the masks of the faces held at least once and of those held twice into `masks`, int64 (2,)."""
    one, both = 0, 0
    for face in range(NUM_FACES):
        count = observation.hand[face]
        one |= int(count > 0) << face
        both |= int(count > 1) << face
    masks[0], masks[1] = one, both


@compiled
def meld_of(observation: Any, slot: int) -> int:
    """Return the meld in a slot, packed as in melds.py. Its owner is the seat relative to the observer."""
    naturals, two_at, joker_at = 0, NOWHERE, NOWHERE
    for rank in range(NUM_RANKS):
        cell = observation.meld_cards[slot, rank]
        naturals |= int(cell == NATURAL_CELL) << rank
        if cell == TWO_CELL:
            two_at = rank
        elif cell == JOKER_CELL:
            joker_at = rank
    return new_meld(
        observation.meld_kind[slot],
        observation.meld_owner[slot] - 1,
        naturals,
        observation.meld_two[slot],
        observation.meld_joker[slot],
        two_at,
        joker_at,
    )


@compiled
def pending_of(observation: Any) -> int:
    """Return the action (an addition or exchange) whose card waits for its meld. Such a card must exist."""
    named = observation.named - 1
    if observation.swapping:
        return SWAP + named
    if named < TWO:
        return ADD + named
    return (ADD_TWO_LOW if named < JOKER else ADD_JOKER_LOW) + (0 if observation.waiting_low else 1)


@compiled
def is_own_side(observation: Any, seat: int) -> bool:
    """Return whether a relative seat is the observer or its partner."""
    return seat == 0 or (observation.partners != 0 and seat == 2)


@compiled
def read_melds(observation: Any, melds: Any, slots: Any) -> int:
    """Write the melds of the player's side and their slots, both int64 (MAX_MELDS,); return their number."""
    count = 0
    for slot in range(MAX_MELDS):
        owner = observation.meld_owner[slot] - 1
        if owner < 0:
            break
        if is_own_side(observation, owner):
            melds[count] = meld_of(observation, slot)
            slots[count] = slot
            count += 1
    return count


@compiled
def fitting(melds: Any, count: int, fixed: bool) -> int:
    """Return the naturals that fit one of the first `count` melds, as a mask of faces.

    `fixed` is true under fixed wilds (B9.5).
    """
    fits = 0
    for i in range(count):
        fits |= naturals_that_fit(melds[i], fixed)
    return fits


@compiled
def read_table(observation: Any, masks: Any) -> None:
    """Write two masks into `masks`, int64 (2,): the naturals that fit an opponent's meld, and the faces that can still
    come.

    A card can still come if it is not in the player's hand, in a meld, or known to be in another player's hand.
    """
    theirs, gone_one, gone_both = 0, 0, 0
    for slot in range(MAX_MELDS):
        owner = observation.meld_owner[slot] - 1
        if owner < 0:
            break
        meld = meld_of(observation, slot)
        if not is_own_side(observation, owner):
            theirs |= naturals_that_fit(meld, observation.fixed_wilds != 0)
        faces = faces_of_naturals(kind_of(meld), naturals_of(meld))
        gone_both |= gone_one & faces
        gone_one |= faces
    one, two = faces_seen(observation), pairs_seen(observation)
    for face in range(NUM_FACES):
        count = observation.hand[face]
        for seat in range(1, observation.num_players):
            count += observation.known[seat, face]
        count += (gone_one >> face & 1) + (gone_both >> face & 1)
        gone_both |= int(count >= (one >> face & 1) + (two >> face & 1)) << face
    masks[0] = theirs
    masks[1] = ((1 << NUM_FACES) - 1) & ~gone_both


@compiled
def in_natural_melds(held: int) -> int:
    """Return the naturals of a hand that are part of a natural sequence or set, as a mask of faces."""
    found = 0
    threes, aces = 0, 0
    for suit in range(NUM_SUITS):
        ranks = held >> suit * NUM_RANKS & ALL_RANKS
        runs = ranks & ranks >> 1 & ranks >> 2
        found |= (runs | runs << 1 | runs << 2) << suit * NUM_RANKS
        threes |= (ranks >> THREE & 1) << suit * NUM_RANKS + THREE
        aces |= (ranks >> ACE & 1) << suit * NUM_RANKS + ACE
    if popcount(threes) >= 3:
        found |= threes
    if popcount(aces) >= 3:
        found |= aces
    return found


@compiled
def above_each(cards: int) -> int:
    """Return the naturals one rank above those of a mask, in the same suits."""
    return cards << 1 & ALL_NATURALS & ~LOWEST_OF_SUITS


@compiled
def below_each(cards: int) -> int:
    """Return the naturals one rank below those of a mask, in the same suits."""
    return cards >> 1 & ~HIGHEST_OF_SUITS


@compiled
def fitting_own(observation: Any) -> int:
    """Return the naturals that fit melds of the player's side, as a mask of faces."""
    fits = 0
    for slot in range(MAX_MELDS):
        owner = observation.meld_owner[slot] - 1
        if owner < 0:
            break
        if is_own_side(observation, owner):
            fits |= naturals_that_fit(meld_of(observation, slot), observation.fixed_wilds != 0)
    return fits
