"""Checks the fields of `table_state` in a record, for any game that has them.

Checks that follow from the declaration of a field are done before (`core/bounds.py`): its range, the phases in which it
is absent, unused cells, and seats without a player. The function `check` of a game calls `fault_of_round` and
`fault_of_cards`, then checks its additional rules, and calls `checked` last. A state that passes can be played on
without an access out of range.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, overload

from banakil_env.core.bits import lowest
from banakil_env.core.hooks import hook
from banakil_env.core.jit import compiled
from banakil_env.core.scratch import scratch
from banakil_env.kit.going_on import can_go_on
from banakil_env.kit.pack54 import NUM_FACES, is_layered, is_part
from banakil_env.kit.table_state import (
    CHOOSE,
    MATCH,
    MATCH_EPISODE,
    MAX_ROUNDS,
    NO_SEAT,
    OUT,
    OVER,
    ROUNDS,
    RUNNING,
    copies_of,
    count_table,
)


class Faults(Sequence[str]):
    """The reasons why a record can be unsound, in words. `check` returns the number of such a fault.

    The faults of the kit come first and have the same numbers in all games.
    """

    def __init__(self, known: Sequence[str] = ()) -> None:
        self._said = list(known)

    def named(self, said: str) -> int:
        """Add a fault. Returns its number, which `check` returns."""
        self._said.append(said)
        return len(self._said)

    @overload
    def __getitem__(self, place: int) -> str: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[str]: ...
    def __getitem__(self, place: int | slice) -> str | Sequence[str]:
        return self._said[place]

    def __len__(self) -> int:
        return len(self._said)


COMMON = Faults()
PACK = COMMON.named("the cards in all places together are not those of the packs")
LAYERS = COMMON.named("a hand has the second card of a face without the first")
KNOWN = COMMON.named("cards are marked as known in a hand that does not hold them")
MELD = COMMON.named("the cards of a meld on the table do not form a meld")
ROUND = COMMON.named("turns, rounds, phase, ending and winner contradict each other")
SCORES = COMMON.named("impossible scores")
PARTNERS = COMMON.named("partners without four players, or with different scores or points")
NO_CARD = COMMON.named("a seat holds no card, and the round goes on")
OUT_WITH_CARDS = COMMON.named("the seat that is out holds cards")
DEALT = COMMON.named("there are too few cards for this number of hands")
WAITS = COMMON.named("the card that waits for its meld is not in the hand, or no card waits in the phase CHOOSE")
ASKED = COMMON.named("a seat is asked that cannot be asked now")
CONTRACT = COMMON.named("the first melds of the mover are not part of the contract")
NOTHING_TO_DRAW = COMMON.named("there is nothing to draw and nothing to take, or the turn could not begin")
FEW_TAKERS = COMMON.named("the card that waits for its meld fits fewer than two melds")
NO_ACTION = COMMON.named("there is no action that would lead to a legal end of the turn")


@hook
def is_meld(state: Any, slot: int) -> bool:
    """Whether the value in this slot of the field `melds` is a meld."""
    raise NotImplementedError


@hook
def fault_of_melds(state: Any) -> int:
    """Check the cards outside hands, stock and pile. Returns MELD if they are not melds, else 0."""
    for slot in range(state.num_melds):
        if not is_meld(state, slot):
            return MELD
    return 0


@compiled
def fault_of_cards(state: Any) -> int:
    """Check all cards. Returns PACK, LAYERS, KNOWN or MELD for a fault, else 0."""
    counts = scratch(NUM_FACES)
    for face in range(NUM_FACES):
        counts[face] = copies_of(state, face)
    for seat in range(state.num_players):
        hand = state.hands[seat]
        if not is_layered(hand) or not is_layered(state.known[seat]):
            return LAYERS
        if not is_part(state.known[seat], hand):
            return KNOWN
        for layer in range(hand.shape[0]):
            cards = hand[layer]
            while cards:
                counts[lowest(cards)] -= 1
                cards &= cards - 1
    fault = fault_of_melds(state)
    if fault:
        return fault
    for i in range(state.stock_size):
        counts[state.stock[i]] -= 1
    for i in range(state.pile_size):
        counts[state.pile[i]] -= 1
    count_table(state, counts, -1)
    for face in range(NUM_FACES):
        if counts[face]:
            return PACK
    return 0


@compiled
def fault_of_round(state: Any, max_points: int, drawn: int = RUNNING) -> int:
    """Check round, match and scores. Returns ROUND or SCORES for a fault, else 0.

    Args:
        max_points: the most points that a seat can win or lose in a round.
        drawn: an ending of the game that has no winner; RUNNING if there is no such ending.
    """
    # Scores leave room for the rounds to come: no match of the longest length can leave the range of the field.
    for seat in range(state.num_players):
        if abs(state.scores[seat]) > max_points * (MAX_ROUNDS + state.rounds):
            return SCORES
    with_winner = state.ending == MATCH or (state.ending >= OUT and state.ending != drawn)
    return ROUND if not is_counted(state) or with_winner != (state.winner != NO_SEAT) else 0


@compiled
def is_counted(state: Any) -> bool:
    """Whether turns, rounds, phase and ending agree, in a match of at most `max_rounds` rounds."""
    over, by_match = state.phase == OVER, state.ending == MATCH or state.ending == ROUNDS
    if not has_ended_so(state) or by_match != (over and state.episode == MATCH_EPISODE):
        return False
    return state.rounds < state.rules.max_rounds + over if state.episode == MATCH_EPISODE else state.rounds == 0


@compiled
def has_ended_so(state: Any) -> bool:
    """Whether the phase is OVER exactly if there is an ending, and turns are left if there is none."""
    over = state.phase == OVER
    return over == (state.ending != RUNNING) and state.turns < state.rules.max_turns + over


@compiled
def checked(state: Any, fault: int) -> int:
    """Return the fault found so far, else check the legal actions; 0 means no fault. `check` calls this last."""
    if fault or state.phase == OVER or can_go_on(state):
        return fault
    return FEW_TAKERS if state.phase == CHOOSE else NO_ACTION
