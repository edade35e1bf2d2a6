"""Laying off (B5): a card is added to a meld of the side or exchanged for its Joker. Also the choice of the meld
(B5.4).
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import lowest, only_if, popcount, write_bits
from banakil_env.core.jit import compiled, fused, inlined
from banakil_env.games.banakil.actions import ADD, ADD_JOKER_LOW, ADD_TWO_LOW, ADDITIONS, CHOOSE_MELD, SWAP
from banakil_env.games.banakil.faces import ALL_TWOS, JOKER, NO_FACE, NUM_NATURALS, TWO
from banakil_env.games.banakil.melds import (
    HIGH,
    LOW,
    ends_for_joker,
    ends_for_two,
    naturals_for_joker,
    naturals_that_fit,
    owner_of,
    with_exchange,
    with_joker,
    with_natural,
    with_two,
)
from banakil_env.games.banakil.moves.dead_ends import cannot_end
from banakil_env.games.banakil.moves.discard import after_play
from banakil_env.games.banakil.moves.opening import twos_to_play
from banakil_env.games.banakil.rules import FIXED
from banakil_env.games.banakil.state import MAX_MELDS, side_of
from banakil_env.kit.pack54 import add_card, count_cards, count_of
from banakil_env.kit.table_state import CHOOSE, PLAY, come_to_hand, leave_hand


@inlined
def _holds_named(hand: int, action: int) -> bool:
    """Return whether the hand has the card that this addition or exchange names."""
    if action >= SWAP:
        return hand >> (action - SWAP) & 1 != 0
    if action < ADD_TWO_LOW:
        return hand >> (action - ADD) & 1 != 0
    if action < ADD_JOKER_LOW:
        return hand & ALL_TWOS != 0
    return hand >> JOKER & 1 != 0


@inlined
def card_of(action: int, twos: int) -> int:
    """Return the face that an addition or exchange lays down; of the Twos in the mask `twos` the lowest is played."""
    if action >= SWAP:
        return action - SWAP
    if action < ADD_TWO_LOW:
        return action - ADD
    return lowest(twos) if action < ADD_JOKER_LOW else JOKER


@compiled
def _own_melds(state: Any) -> int:
    """Return the melds of the side to move, as a mask of slots."""
    side = side_of(state, state.seat)
    own = 0
    for slot in range(state.num_melds):
        own |= int(side_of(state, owner_of(state.melds[slot])) == side) << slot
    return own


@compiled
def mark_lay_offs(state: Any, hand: int, mask: Any) -> None:
    """Mark the additions and exchanges that at least one meld of the side takes."""
    fixed = state.rules.wilds == FIXED
    fits, exchanges, two_ends, joker_ends = 0, 0, 0, 0
    own = _own_melds(state)
    while own:
        meld = state.melds[lowest(own)]
        own &= own - 1
        fits |= naturals_that_fit(meld, fixed)
        exchanges |= naturals_for_joker(meld, fixed, state.rules.set_joker_exchange != 0)
        two_ends |= ends_for_two(meld, fixed)
        joker_ends |= ends_for_joker(meld, fixed)
    additions = fits & hand
    additions |= only_if(hand & ALL_TWOS != 0, two_ends << (ADD_TWO_LOW - ADD))
    additions |= only_if(hand >> JOKER & 1 != 0, joker_ends << (ADD_JOKER_LOW - ADD))
    write_bits(mask, ADD, additions, ADDITIONS)
    write_bits(mask, SWAP, exchanges & hand, NUM_NATURALS)


@inlined
def may_lay_off(state: Any, action: int) -> bool:
    """Return whether this addition or exchange is legal."""
    hand = state.hands[state.seat, 0]
    return state.melds_of[state.seat] > 0 and _holds_named(hand, action) and takers_of(state, action) != 0


@compiled
def takers_of(state: Any, action: int) -> int:
    """Return the melds to which this addition or exchange may be played (B5, B2.5), as a mask of slots."""
    takers = 0
    fixed, sets_too = state.rules.wilds == FIXED, state.rules.set_joker_exchange != 0
    own = _own_melds(state)
    while own:
        slot = lowest(own)
        takers |= takes(state.melds[slot], action, fixed, sets_too) << slot
        own &= own - 1
    if state.banned != NO_FACE:
        for slot in range(state.num_melds):
            if takers >> slot & 1 and _lays_dead_end(state, action, slot):
                takers ^= 1 << slot
    return takers


@fused
def takes(meld: int, action: int, fixed: bool, sets_too: bool) -> int:
    """Return 1 if a meld takes the card of this addition or exchange, else 0.

    `fixed` is true under fixed wilds (B9.5), `sets_too` if a Joker may be exchanged out of a set (B9.10).
    """
    if action >= SWAP:
        return naturals_for_joker(meld, fixed, sets_too) >> (action - SWAP) & 1
    if action < ADD_TWO_LOW:
        return naturals_that_fit(meld, fixed) >> (action - ADD) & 1
    if action < ADD_JOKER_LOW:
        return ends_for_two(meld, fixed) >> (action - ADD_TWO_LOW) & 1
    return ends_for_joker(meld, fixed) >> (action - ADD_JOKER_LOW) & 1


@compiled
def meld_after(meld: int, action: int, card: int, fixed: bool) -> int:
    """Return the meld after this addition or exchange has been played to it with the face `card`."""
    if action >= SWAP:
        return with_exchange(meld, card)
    if action < ADD_TWO_LOW:
        return with_natural(meld, card, fixed)
    if action < ADD_JOKER_LOW:
        return with_two(meld, card - TWO, LOW if action == ADD_TWO_LOW else HIGH, fixed)
    return with_joker(meld, LOW if action == ADD_JOKER_LOW else HIGH, fixed)


@inlined
def _meld_after(state: Any, action: int, slot: int, card: int) -> int:
    return meld_after(state.melds[slot], action, card, state.rules.wilds == FIXED)


@compiled
def _lays_dead_end(state: Any, action: int, slot: int) -> bool:
    """Return whether this play to the meld in `slot` would leave only banned cards that no meld takes.

    The module `dead_ends` explains this case.
    """
    if state.banned == NO_FACE:
        return False
    card = state.named if state.phase == CHOOSE else card_of(action, twos_to_play(state))
    left = count_cards(state.hands[state.seat]) - 1
    banned = count_of(state.hands[state.seat], state.banned) - (card == state.banned)
    if action >= SWAP:
        left += 1
        banned += state.banned == JOKER
    if left == 0 or banned < left:
        return False
    return cannot_end(state, left, slot, _meld_after(state, action, slot, card))


@compiled
def add(state: Any, place: int) -> None:
    """Add or exchange a card (B5) if only one meld takes it; otherwise the card is named and waits for its meld (B5.4).

    `place` counts the actions from ADD on.
    """
    action = ADD + place
    takers = takers_of(state, action)
    if popcount(takers) == 1:
        _lay(state, action, lowest(takers), card_of(action, twos_to_play(state)))
        return
    seat = state.seat
    card = card_of(action, twos_to_play(state))
    state.pending = action
    state.named = card
    state.phase = CHOOSE
    if not state.known[seat, 0] >> card & 1:
        add_card(state.known[seat], card)


@inlined
def mark_choices(state: Any, mask: Any) -> None:
    """Mark the melds that take the card just named (B5.4)."""
    write_bits(mask, CHOOSE_MELD, takers_of(state, state.pending), MAX_MELDS)


@inlined
def may_choose(state: Any, action: int) -> bool:
    """Return whether this meld may be chosen."""
    slot = action - CHOOSE_MELD
    return slot >= 0 and slot < MAX_MELDS and takers_of(state, state.pending) >> slot & 1 != 0


@compiled
def choose_meld(state: Any, slot: int) -> None:
    """Play the waiting card to the chosen meld."""
    said, card = state.pending, state.named
    state.pending = 0
    state.named = NO_FACE
    state.phase = PLAY
    _lay(state, said, slot, card)


@compiled
def _lay(state: Any, action: int, slot: int, card: int) -> None:
    state.melds[slot] = _meld_after(state, action, slot, card)
    leave_hand(state, state.seat, card)
    if action >= SWAP:
        come_to_hand(state, state.seat, JOKER)
    after_play(state)
