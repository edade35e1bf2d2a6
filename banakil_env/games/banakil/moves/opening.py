"""Opening a meld (B3, B4) with three cards of the hand. Each opening is a row of the tables in openings.py."""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import lowest, popcount
from banakil_env.core.jit import compiled, inlined
from banakil_env.games.banakil.actions import OPEN_SEQUENCE, OPEN_SET
from banakil_env.games.banakil.faces import ACE, ALL_TWOS, JOKER, NO_FACE, NUM_RANKS, NUM_SUITS, TWO
from banakil_env.games.banakil.moves.dead_ends import cannot_end
from banakil_env.games.banakil.moves.discard import after_play
from banakil_env.games.banakil.openings import (
    CARDS,
    FIRST_ROW,
    LOWEST_CARDS,
    NUM_NATURAL_SETS,
    NUM_PATTERNS,
    NUM_SEQUENCES,
    NUM_SET_PATTERNS,
    ON_OFFER,
    PATTERN_JOKER,
    PATTERN_TWO,
    USES_TWO,
    meld_opened,
)
from banakil_env.games.banakil.rules import FIXED
from banakil_env.kit.pack54 import count_cards, count_of
from banakil_env.kit.table_state import leave_hand

SET_RANKS = sum(1 << suit * NUM_RANKS for suit in range(NUM_SUITS))  # mask of the Threes; shifted by ACE, of the Aces


@inlined
def _has_wilds_of(hand: int, pattern: int) -> bool:
    """Return whether the hand has the Two and the Joker that a pattern needs."""
    if PATTERN_TWO[pattern] and not hand & ALL_TWOS:
        return False
    return PATTERN_JOKER[pattern] == 0 or hand >> JOKER & 1 != 0


@inlined
def _openable(hand: int, pattern: int, fixed: bool) -> int:
    """Return the lowest cards of the sequences of three that a hand makes with this wild pattern, as a mask of faces.

    The mask `hand` has the ranks of the four suits next to each other. It is shifted by one or two ranks. No card
    crosses into the next suit, because a sequence begins only at a card that has two higher ranks.
    """
    two, joker = PATTERN_TWO[pattern], PATTERN_JOKER[pattern]
    lows = LOWEST_CARDS[pattern, 1 if fixed else 0]
    if two != 1 and joker != 1:
        lows &= hand
    if two != 2 and joker != 2:
        lows &= hand >> 1
    if two != 3 and joker != 3:
        lows &= hand >> 2
    return lows


@compiled
def mark_openings(state: Any, hand: int, mask: Any) -> None:
    """Mark the openings for which the hand has the cards."""
    fixed = state.rules.wilds == FIXED
    for pattern in range(NUM_PATTERNS):
        if not _has_wilds_of(hand, pattern):
            continue
        lows = _openable(hand, pattern, fixed)
        while lows:
            mask[OPEN_SEQUENCE + FIRST_ROW[lowest(lows)] + pattern] = 1
            lows &= lows - 1
    joker = hand >> JOKER & 1
    for aces in range(2):
        if popcount(hand & (SET_RANKS << ACE * aces)) + joker < 3:
            continue
        for pattern in range(NUM_SET_PATTERNS if joker else NUM_NATURAL_SETS):
            place = aces * NUM_SET_PATTERNS + pattern
            mask[OPEN_SET + place] = CARDS[NUM_SEQUENCES + place] & ~hand == 0


@compiled
def may_open(state: Any, action: int) -> bool:
    """Return whether this opening is legal."""
    hand, row = state.hands[state.seat, 0], action - OPEN_SEQUENCE
    if CARDS[row] & ~hand or (USES_TWO[row] and not hand & ALL_TWOS):
        return False
    return ON_OFFER[row, 1 if state.rules.wilds == FIXED else 0] and not opens_dead_end(state, action)


@inlined
def twos_to_play(state: Any) -> int:
    """Return the Twos of the hand that may be played, as a mask; of these the lowest is played.

    If one of them may not be discarded, only that one is in the mask.
    """
    twos = state.hands[state.seat, 0] & ALL_TWOS
    if state.banned != NO_FACE and twos >> state.banned & 1:
        return 1 << state.banned
    return twos


@inlined
def _two_of(state: Any, row: int) -> int:
    """Return the face of the Two that the opening in this row plays, or NO_FACE."""
    return lowest(twos_to_play(state)) if USES_TWO[row] else NO_FACE


@inlined
def _opened(state: Any, row: int, two: int) -> int:
    """Return the meld that the opening in this row makes; `two` is the face of its Two or NO_FACE."""
    return meld_opened(row, state.rules.wilds == FIXED, state.seat, 0 if two == NO_FACE else two - TWO + 1)


@compiled
def opens_dead_end(state: Any, action: int) -> bool:
    """Return whether an opening would leave only banned cards, which no meld takes (dead_ends.py)."""
    if state.banned == NO_FACE:
        return False
    row = action - OPEN_SEQUENCE
    two = _two_of(state, row)
    left = count_cards(state.hands[state.seat]) - 3
    banned = count_of(state.hands[state.seat], state.banned)
    banned -= (CARDS[row] >> state.banned & 1) + (two == state.banned)
    if left == 0 or banned < left:
        return False
    return cannot_end(state, left, state.num_melds, _opened(state, row, two))


@compiled
def open_meld(state: Any, row: int) -> None:
    """Lay down a new meld of the seat to move: the opening in this row of the tables."""
    seat = state.seat
    two = _two_of(state, row)
    state.melds[state.num_melds] = _opened(state, row, two)
    state.num_melds += 1
    state.melds_of[seat] += 1
    cards = CARDS[row]
    if two != NO_FACE:
        cards |= 1 << two
    while cards:
        leave_hand(state, seat, lowest(cards))
        cards &= cards - 1
    after_play(state)
