"""Checks a record beyond the bounds of its fields: the count of all cards, sizes, melds, and the turn.

A record that passes can be played on without an access out of range, and so can every state that follows: the
conditions below hold before and after every action, every deal and every redeal of hidden cards. Harmless positions
that no play leads to also pass (a hand of two cards at the first turn), so that tests and users can set them up. The
states that `hidden.suppose` makes from observations pass too.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import highest, lowest, popcount
from banakil_env.core.jit import compiled
from banakil_env.games.banakil.actions import ADD, ADD_JOKER_LOW, ADD_TWO_LOW, DISCARD, SWAP
from banakil_env.games.banakil.faces import ALL_RANKS, ALL_TWOS, JOKER, NO_FACE, NUM_RANKS, NUM_SUITS, TWO
from banakil_env.games.banakil.melds import (
    ACES,
    NOWHERE,
    is_set,
    joker_at,
    joker_of,
    kind_of,
    naturals_of,
    occupied_ranks,
    owner_of,
    two_at,
    two_of,
)
from banakil_env.games.banakil.pack import faces_in_pack, pairs_in_pack
from banakil_env.games.banakil.rules import FIXED
from banakil_env.games.banakil.scoring import match_winner
from banakil_env.games.banakil.state import MAX_SCORE, MAX_SEATS, MAX_TAKE, MOST_POINTS, NO_BONUS, STATE, side_of
from banakil_env.kit import soundness
from banakil_env.kit.soundness import COMMON, DEALT, MELD, NO_CARD, PARTNERS, ROUND, SCORES, WAITS, Faults
from banakil_env.kit.table_state import CHOOSE, DRAW, EXHAUSTED, MATCH, NO_SEAT, OUT, OVER, ROUNDS, RUNNING, TURNS

FAULTS = Faults(COMMON)
CUT = FAULTS.named("the cutter could take more wild cards than a hand has cards (B9.2)")
BONUS = FAULTS.named("one of the two bonuses of a hand is missing (B9.8)")
IDLE_SEAT = FAULTS.named("a seat that does not play has had a turn")
MELDS_OF = FAULTS.named("the number of melds noted for a seat differs from the melds that it owns")
USED_UP = FAULTS.named("the limit of turns or rounds is reached, but the game goes on")
ENDING = FAULTS.named("the ending does not agree with the table or the scores")
DRAWING = FAULTS.named("something is played or melded in a turn that is still at its draw")
TAKEN = FAULTS.named(
    "the card taken, or the card that may not be discarded, does not agree with the phase or the rules (B2.4)"
)
IN_ONE_TURN = FAULTS.named("a seat without melds is said to have melded before this turn")
CIRCLING = FAULTS.named("one card went round for too many turns: the deal should be void (B9.9)")


@compiled
def check(state: Any) -> int:
    """Return 0 for a sound state, else 1 + the index of its fault in FAULTS; see `core/engine.py`.

    Every field must be within its bounds.
    """
    fault = _of_rules(state)
    if not fault:
        fault = _of_seats(state)
    if not fault:
        fault = soundness.fault_of_cards(state)
    if not fault:
        fault = _of_owners(state)
    if not fault:
        fault = _of_ending(state) if state.phase == OVER else _of_going_on(state)
    if not fault:
        fault = _of_turn(state)
    return fault


@compiled
def _of_rules(state: Any) -> int:
    """Return the fault if the switches do not agree with each other, else 0.

    When a state is built, the same faults raise errors with messages; see `setup.py`.
    """
    if state.partners and state.num_players != MAX_SEATS:
        return PARTNERS
    one, two = faces_in_pack(state), pairs_in_pack(state)
    hand_cards = state.rules.hand_cards
    left = popcount(one) + popcount(two) - state.num_players * hand_cards
    if left < 2 or left > MAX_TAKE:
        return DEALT
    if state.rules.cutter_takes_wilds and popcount(one >> TWO) + popcount(two >> TWO) > hand_cards:
        return CUT
    if (state.rules.hand_bonus[0] == NO_BONUS) != (state.rules.hand_bonus[1] == NO_BONUS):
        return BONUS
    return 0


@compiled
def _of_seats(state: Any) -> int:
    """Return the fault if a seat that does not play had a turn, or if partners have different scores; else 0."""
    if state.had_turn >> state.num_players:
        return IDLE_SEAT
    for seat in range(state.num_players):
        if state.scores[seat] != state.scores[side_of(state, seat)]:
            return PARTNERS
    return 0


@soundness.fault_of_melds.fill(STATE)
def _of_melds(state: Any) -> int:
    """Return the fault if a meld is not valid, or its owner is a seat that does not play; else 0."""
    for slot in range(state.num_melds):
        meld = state.melds[slot]
        if owner_of(meld) >= state.num_players or not is_meld(meld, state.rules.wilds == FIXED):
            return MELD
    return 0


@compiled
def _of_owners(state: Any) -> int:
    """Return the fault if the number of melds of a seat is wrong, else 0."""
    for seat in range(state.num_players):
        melds = 0
        for slot in range(state.num_melds):
            melds += owner_of(state.melds[slot]) == seat
        if melds != state.melds_of[seat]:
            return MELDS_OF
    return 0


@compiled
def is_meld(meld: int, fixed: bool) -> bool:
    """Return whether a number is a packed meld that can be on the table (B3, B4, B9.5); melds.py has the packing.

    `fixed` is true under fixed wilds.
    """
    naturals, two, joker = naturals_of(meld), two_of(meld), joker_of(meld)
    size = popcount(naturals) + (two != 0) + joker
    if kind_of(meld) == 0 or kind_of(meld) > ACES or naturals == 0 or two > NUM_SUITS or size < 3:
        return False
    if is_set(meld) or not fixed:
        if two_at(meld) != NOWHERE or joker_at(meld) != NOWHERE:
            return False
        if is_set(meld):
            return two == 0 and size <= NUM_SUITS and naturals >> NUM_SUITS == 0
        if naturals == ALL_RANKS:  # a Two may have stayed as the thirteenth card (B3.3)
            return joker == 0
        return size <= NUM_RANKS and highest(naturals) - lowest(naturals) + 1 <= size
    if two_at(meld) > NOWHERE or joker_at(meld) > NOWHERE or (joker_at(meld) != NOWHERE) != (joker != 0):
        return False
    if two == 0 and two_at(meld) != NOWHERE:
        return False
    ranks = occupied_ranks(meld)
    thirteenth = int(two != 0 and two_at(meld) == NOWHERE)
    if thirteenth and naturals != ALL_RANKS:
        return False
    return popcount(ranks) + thirteenth == size and highest(ranks) - lowest(ranks) + 1 == popcount(ranks)


@compiled
def _of_going_on(state: Any) -> int:
    """Return the fault of a game that goes on, or 0.

    Turns and rounds must be left, and every seat must have cards. The scores must stay within bounds to the end of the
    match.
    """
    if state.ending != RUNNING or state.winner != NO_SEAT:
        return ROUND
    if state.turns >= state.rules.max_turns or state.rounds >= state.rules.max_rounds:
        return USED_UP
    if state.circling >= state.num_players:
        return CIRCLING
    most = MAX_SCORE - MOST_POINTS * (state.rules.max_rounds - state.rounds)
    for seat in range(state.num_players):
        if state.hands[seat, 0] == 0:
            return NO_CARD
        if state.scores[seat] > most or state.scores[seat] < -most:
            return SCORES
    return 0


@compiled
def _of_ending(state: Any) -> int:
    """Return the fault if the ending does not agree with the table and the scores (B6, B8.2), else 0."""
    if state.rounds > state.rules.max_rounds or state.turns > state.rules.max_turns:
        return USED_UP
    if state.circling > state.num_players:
        return CIRCLING
    right = False
    if state.ending == OUT:
        right = not state.episode and state.winner == state.seat and state.hands[state.seat, 0] == 0
    elif state.ending == EXHAUSTED:
        right = not state.episode and state.winner == NO_SEAT and state.stock_size == 0
    elif state.ending == TURNS:
        right = not state.episode and state.winner == NO_SEAT and state.turns == state.rules.max_turns
    elif state.ending == MATCH:
        right = state.episode != 0 and state.winner != NO_SEAT and state.winner == match_winner(state)
    elif state.ending == ROUNDS:
        right = state.episode != 0 and state.winner == NO_SEAT and state.rounds == state.rules.max_rounds
    if not right:
        return ENDING
    for seat in range(state.num_players):
        if state.hands[seat, 0] == 0 and (seat != state.seat or state.ending == EXHAUSTED or state.ending == TURNS):
            return ENDING
    return 0


@compiled
def _of_turn(state: Any) -> int:
    """Return the fault of the turn, or 0.

    The phase, the flags, the card taken and the card that waits for its meld are checked.
    """
    seat, melded = state.seat, state.melds_of[state.seat] != 0
    if state.banned != NO_FACE and (state.banned != state.taken or state.rules.discard_taken):
        return TAKEN
    if not melded and not state.in_one_turn:
        return IN_ONE_TURN
    if state.phase == DRAW:
        if state.taken != NO_FACE:
            return TAKEN
        if state.played or (melded and state.in_one_turn):
            return DRAWING
    if state.phase != CHOOSE:
        return WAITS if state.pending or state.named != NO_FACE else 0
    pending, named = state.pending, state.named
    if pending < ADD or pending >= DISCARD or named == NO_FACE or not melded:
        return WAITS
    if pending >= SWAP:
        said = 1 << (pending - SWAP)
    elif pending >= ADD_JOKER_LOW:
        said = 1 << JOKER
    elif pending >= ADD_TWO_LOW:
        said = ALL_TWOS
    else:
        said = 1 << (pending - ADD)
    return 0 if said & state.known[seat, 0] & 1 << named else WAITS
