"""Is a record a sound state? What must hold for the common fields of `table_state`, in any game that has them.

A game's `check` asks `fault_of_table` first, and then for what its own rules add; its faults are FAULTS and its own. A
game with other cards asks `fault_of_round` alone; its faults are ROUND_FAULTS and its own. What passes plays on without
an access out of range.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banakil_env.core.bits import popcount, wide
from banakil_env.core.jit import bind, compiled
from banakil_env.kit.melds.runs_and_sets import MAX_MELDS, is_meld
from banakil_env.kit.pack52 import ALL, NUM_FACES, bit_of
from banakil_env.kit.table_state import (
    CHOOSE,
    DRAW,
    MATCH,
    MATCH_EPISODE,
    MAX_ROUNDS,
    NO_SEAT,
    OUT,
    OVER,
    ROUNDS,
    RUNNING,
    has_played,
)

CARD_FAULTS = (
    "the 52 cards are not each in one place",
    "cells beyond the end of stock, pile, melds or seats are not empty",
    "a meld is neither a run nor a set, or its seat does not play",
    "cards are known to be in a hand that are not",
    "a seat with a meld is not among those that have played, or one that does not play is",
    "dealer, seat to move or winner is no seat that plays",
    "in one turn is said of a seat that has not played, or whose melds were not all opened in this turn",
    "more melds were opened in this turn than the seat has, or earlier ones by a seat that had not played",
)


@compiled
def count_heaps(state: Any, step: int, counts: Any) -> bool:
    """Count the cards of stock and pile by face, `step` for each. False: cells beyond their end are not empty."""
    for i in range(state.stock.shape[0]):
        if i < state.stock_size:
            counts[state.stock[i]] += step
        elif state.stock[i]:
            return False
        if i < state.pile_size:
            counts[state.pile[i]] += step
        elif state.pile[i]:
            return False
    return True


@compiled
def _fault_of_cards(state: Any, high_ace: bool) -> int:
    """0, or a place in CARD_FAULTS plus 1: what is wrong with the cards, the melds and the seats."""
    players = wide(state.num_players)
    seen, count = wide(0), wide(0)
    for seat in range(state.hands.shape[0]):
        hand, known = wide(state.hands[seat]), wide(state.known[seat])
        if seat >= players and (hand or known or state.scores[seat] or state.points[seat]):
            return 2
        if known & ~hand:
            return 4
        seen |= hand
        count += popcount(hand)
    owners, own = wide(0), wide(0)
    for slot in range(MAX_MELDS):
        meld = wide(state.melds[slot])
        if slot >= state.num_melds:
            if meld or state.meld_owner[slot]:
                return 2
            continue
        if not is_meld(meld, high_ace) or state.meld_owner[slot] >= players:
            return 3
        seen |= meld
        count += popcount(meld)
        owners |= wide(1) << wide(state.meld_owner[slot])
        own += state.meld_owner[slot] == state.seat
    if count + state.stock_size + state.pile_size != NUM_FACES:
        return 1
    for i in range(NUM_FACES):
        if i < state.stock_size:
            seen |= bit_of(wide(state.stock[i]))
        elif state.stock[i]:
            return 2
        if i < state.pile_size:
            seen |= bit_of(wide(state.pile[i]))
        elif state.pile[i]:
            return 2
    if seen != ALL:
        return 1
    if owners & ~wide(state.played) or state.played >> players:
        return 5
    if state.dealer >= players or state.seat >= players or state.winner >= players:
        return 6
    if state.in_one_turn and (not has_played(state, state.seat) or state.opened != own):
        return 7
    if state.opened > own or (state.opened and not has_played(state, state.seat)):
        return 8
    return 0


ROUND_FAULTS = (
    "turns, rounds, phase, ending and winner do not go together",
    "scores that no rounds can bring",
)


@compiled
def fault_of_round(state: Any, max_points: int, drawn: int = RUNNING) -> int:
    """0, or a place in ROUND_FAULTS plus 1.

    Args:
        max_points: the most that a seat can score, or lose, in a round.
        drawn: an ending of the game's own that names no winner; RUNNING: there is none.
    """
    over = state.phase == OVER
    if over != (state.ending != RUNNING) or state.turns > state.rules.max_turns:
        return 1
    if not over and (state.turns >= state.rules.max_turns or state.winner != NO_SEAT):
        return 1
    # Room for the rounds to come: as many as a match can have never lead out of the range of the scores.
    for seat in range(wide(state.num_players)):
        if abs(wide(state.scores[seat])) > max_points * (MAX_ROUNDS + wide(state.rounds)):
            return 2
    if state.episode == MATCH_EPISODE:
        if state.rounds > state.rules.max_rounds or (not over and state.rounds >= state.rules.max_rounds):
            return 1
        if over and state.ending != MATCH and state.ending != ROUNDS:
            return 1
    elif state.rounds or state.ending == MATCH or state.ending == ROUNDS:
        return 1
    with_winner = state.ending == MATCH or (state.ending >= OUT and state.ending != drawn)
    if over and with_winner != (state.winner != NO_SEAT):
        return 1
    return 0


TURN_FAULTS = (
    "a game that is over is in the middle of a turn",
    "a seat holds no card, and the round goes on",
    "the card banned from the discard has not just been taken: it is neither in the hand nor on the table",
    "a card waits for its meld that is not in the hand, or none waits in the phase in which one does",
    "before the draw nothing is banned, named or melded in the turn",
)


@compiled
def _fault_of_turn(state: Any, may_be_empty: int) -> int:
    """0, or a place in TURN_FAULTS plus 1: what is wrong with the turn; `may_be_empty`: see `fault_of_table`."""
    hand, banned, named = wide(state.hands[state.seat]), bit_of(wide(state.banned)), bit_of(wide(state.named))
    began = banned or named or state.opened or state.in_one_turn
    if state.phase == OVER:
        return wide(1) if state.seat or began else wide(0)
    for seat in range(wide(state.num_players)):
        if state.hands[seat] == 0 and not may_be_empty >> seat & 1:
            return wide(2)
    there = hand
    for slot in range(wide(state.num_melds)):
        there |= wide(state.melds[slot])
    if banned & ~there:
        return wide(3)
    if (state.phase == CHOOSE) != (named != 0) or named & ~hand:
        return wide(4)
    return wide(5) if state.phase == DRAW and began else wide(0)


FAULTS = CARD_FAULTS + ROUND_FAULTS + TURN_FAULTS


@compiled
def fault_of_table(state: Any, max_points: int, may_be_empty: int, high_ace: bool = False, drawn: int = RUNNING) -> int:
    """0, or a place in FAULTS plus 1.

    Args:
        may_be_empty: the seats (a mask) that may hold no card while the round goes on: in most games none.
        high_ace: the Ace may lie high in a run, too.
        max_points, drawn: see `fault_of_round`.
    """
    fault = _fault_of_cards(state, high_ace)
    if fault:
        return fault
    fault = fault_of_round(state, max_points, drawn)
    if fault:
        return fault + len(CARD_FAULTS)
    fault = _fault_of_turn(state, may_be_empty)
    return fault + len(CARD_FAULTS) + len(ROUND_FAULTS) if fault else wide(0)


def _check(state: Any) -> int:
    """0, or a place in FAULTS plus 1; see `core.game.Engine`."""
    fault = fault_of_state(state)  # type: ignore[name-defined]  # noqa: F821 (bound below, as the other names)
    if fault or state.phase == OVER or can_go_on(state):  # type: ignore[name-defined]  # noqa: F821
        return fault
    return wide(few_takers) if state.phase == CHOOSE else wide(no_action)  # type: ignore[name-defined]  # noqa: F821


def check_of(
    game: str,
    fault_of_state: Callable[[Any], int],
    can_go_on: Callable[[Any], bool],
    few_takers: int,
    no_action: int,
) -> Callable[[Any], int]:
    """The function `check` of a game: what `fault_of_state` finds, and then what only the legal actions can tell.

    Args:
        can_go_on: as `kit.by_mask` makes it.
        few_takers, no_action: places in FAULTS plus 1: no choice where there has to be one; nothing is legal.
    """
    names = {"fault_of_state": fault_of_state, "can_go_on": can_go_on}
    return bind(_check, f"{game}_check", few_takers=few_takers, no_action=no_action, **names)
