"""Redeals the hidden cards, as in `kit/hidden.py`, with two additional rules of Banakil.

The lowest card of a cut stock is a natural (B9.2), and the ban on the card taken is decided again for the new hand
(B2.4). `beliefs.py` makes the deal a likely one.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import read_bits
from banakil_env.core.jit import compiled
from banakil_env.core.random import random_below
from banakil_env.core.records import clear_fields, copy_fields
from banakil_env.games.banakil.baselines.reading import meld_of, pending_of
from banakil_env.games.banakil.faces import COPIES, JOKER, NO_FACE, TWO
from banakil_env.games.banakil.melds import owner_of
from banakil_env.games.banakil.moves.dead_ends import cannot_end
from banakil_env.games.banakil.moves.lay_off import takers_of
from banakil_env.games.banakil.pack import read_pack
from banakil_env.games.banakil.rules import FIXED, FREE, SUM, WINNER
from banakil_env.games.banakil.seen import CHOOSE_CELL, PHASE_IN, SHARED_SWITCHES
from banakil_env.games.banakil.state import MAX_MELDS, MAX_SEATS, MAX_TAKE, NO_BONUS, STATE, set_ace_value, set_target
from banakil_env.kit import hidden
from banakil_env.kit.hidden import deal_unseen, read_depths, suppose_common
from banakil_env.kit.pack54 import count_cards, count_of
from banakil_env.kit.table_state import CHOOSE, OVER, RUNNING

redeal_hidden = hidden.redeal_hidden


@hidden.arrange.fill(STATE)
def _put_natural_under(state: Any, cards: Any, size: int) -> None:
    """Move a random natural to the bottom of a cut stock: everybody knows that its lowest card is not wild (B9.2).

    The first `size` of `cards` are the shuffled cards to be dealt; `cards[0]` becomes the bottom of the stock.
    """
    if not state.rules.cutter_takes_wilds or state.stock_size == 0 or cards[0] < TWO:
        return
    naturals = 0
    for i in range(size):
        naturals += cards[i] < TWO
    if not naturals:
        return
    skip = random_below(state, naturals)
    for i in range(size):
        if cards[i] < TWO:
            if skip == 0:
                cards[0], cards[i] = cards[i], cards[0]
                return
            skip -= 1


@hidden.deal.fill(STATE)
def _deal(state: Any, seat: int) -> bool:
    deal_unseen(state, seat)
    _renew_ban(state, seat)
    return True


@compiled
def _renew_ban(state: Any, observer: int) -> None:
    """Decide for the redealt hand of the seat to move whether the card that it took is banned (B2.4).

    The card is banned unless the hand held another card of its face before. If both cards of the face are known to be
    in the hand, it held another, because only one was taken. The exception is a second Joker that may have come by an
    exchange in this turn. If the public cards leave only a ban with which the turn could not be ended (B2.5), no card
    is banned: a card of the face that was held before has been played in this turn.
    """
    if state.seat == observer or state.taken == NO_FACE or state.phase == OVER or state.rules.discard_taken:
        return
    seat, face = state.seat, state.taken
    known = count_of(state.known[seat], face)
    held_before = count_of(state.hands[seat], face) > known
    held_before |= known == COPIES and not (face == JOKER and state.played)
    state.banned = NO_FACE if held_before else face
    if not held_before and _is_stuck(state):
        state.banned = NO_FACE


@compiled
def _is_stuck(state: Any) -> bool:
    """Return whether the ban leaves the seat to move no action: no card of the hand, and no named card, can be
    played.
    """
    if state.phase == CHOOSE:
        return takers_of(state, state.pending) == 0
    seat = state.seat
    if state.hands[seat, 0] & ~(1 << state.banned):
        return False
    return not state.melds_of[seat] or cannot_end(state, count_cards(state.hands[seat]), 0, state.melds[0])


# From an observation -------------------------------------------------------------------------------------------------


@compiled
def suppose(seen: Any, seed: int, state: Any) -> None:
    """Write a whole state that agrees with an observation into `state`; see `kit.hidden.suppose_common`.

    The state counts turns and rounds from 0 up to the observed `turns_left` and `rounds_left`.
    """
    suppose_common(seen, seed, state)
    for i in range(_unseen_in_pile(state)):
        top = state.stock_size + i
        state.pile[i], state.stock[top] = state.stock[top], 0
    _renew_ban(state, 0)


@hidden.read_turn.fill(STATE)
def _read_turn(state: Any, seen: Any) -> None:
    _read_rules(state, seen)
    state.had_turn = read_bits(seen.had_turn, 0, MAX_SEATS)
    for seat in range(MAX_SEATS):
        state.scores[seat] = seen.scores[seat]
    state.phase = PHASE_IN[state.phase]  # the common code read the index of the cell
    state.taken = _face_or_none(seen.taken)
    state.banned = _face_or_none(seen.banned)
    state.named = _face_or_none(seen.named)
    state.pending = pending_of(seen) if seen.phase[CHOOSE_CELL] else 0
    state.ending = RUNNING


@compiled
def _read_rules(state: Any, seen: Any) -> None:
    copy_fields(seen, state.rules, SHARED_SWITCHES)
    state.rules.partner_scoring = SUM if seen.partner_sum else WINNER
    state.rules.wilds = FIXED if seen.fixed_wilds else FREE
    set_ace_value(state, seen.ace_value)
    for i in range(2):
        state.rules.hand_bonus[i] = seen.hand_bonus[i] if seen.has_hand_bonus else NO_BONUS
    set_target(state, seen.target)
    read_pack(seen, state)
    state.turns = 0
    state.rounds = 0
    state.rules.max_turns = seen.turns_left
    state.rules.max_rounds = seen.rounds_left


@compiled
def _face_or_none(said: int) -> int:
    """Convert the code of a face in an observation, 1 + the face or 0 for none, to a face or NO_FACE."""
    return said - 1 if said else NO_FACE


@hidden.read_heaps.fill(STATE)
def _read_pile(state: Any, seen: Any) -> None:
    for i in range(_unseen_in_pile(state)):
        state.pile[i] = NO_FACE
    read_depths(state, seen)


@compiled
def _unseen_in_pile(state: Any) -> int:
    """Return the number of cards of the pile that are too deep to be taken; observations do not show these cards.

    It is above 0 only in positions set up by hand.
    """
    return max(state.pile_size - MAX_TAKE, 0)


@hidden.read_table.fill(STATE)
def _read_melds(state: Any, seen: Any) -> None:
    clear_fields(state, "melds_of")
    for slot in range(MAX_MELDS):
        if seen.meld_owner[slot] == 0:
            break
        meld = meld_of(seen, slot)
        state.melds[slot] = meld
        state.melds_of[owner_of(meld)] += 1
        state.num_melds = slot + 1
