"""Is a record a sound state? What must hold for the common fields of `wilds.table`, in any game that has them.

A game's `check` asks `fault_of_table` first, and then for what its own rules add; its faults are FAULTS and its own.
"""

# The names left open, which `bind` fills in.
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banakil_env.core.bits import lowest, wide
from banakil_env.core.jit import bind
from banakil_env.core.scratch import scratch
from banakil_env.kit.melds.wild_melds import places_in
from banakil_env.kit.pack54 import LAYERS, NUM_FACES, count_cards, has_card, is_layered, is_part
from banakil_env.kit.soundness import ROUND_FAULTS, count_heaps, fault_of_round
from banakil_env.kit.table_state import CHOOSE, MAX_ROUNDS, OVER, PLAY
from banakil_env.kit.wilds.table import NO_FACE, NOTHING

CARD_FAULTS = (
    "the cards are not those of the packs, each in one place",
    "cells beyond the end of stock, pile, melds or seats are not empty",
    "a hand is no hand: its layers do not go together",
    "cards are known to be in a hand that are not",
    "a meld is neither a run nor a set, or its seat does not play",
    "dealer, seat to move or winner is no seat that plays",
)
_PACKS, _CELLS, _LAYERS, _KNOWN, _MELDS, _SEATS = range(1, len(CARD_FAULTS) + 1)

TURN_FAULTS = (
    "a game that is over is in the middle of a turn",
    "a seat holds no card, and the round goes on",
    "a card has to be played that is not in the hand, or is not the next to be played",
    "a card waits for its meld that is not in the hand, or none waits in the phase in which one does",
    "scores that no rounds can bring",
)
FAULTS = CARD_FAULTS + ROUND_FAULTS + TURN_FAULTS


def _fault_of_cards(state: Any) -> int:
    """0, or a place in CARD_FAULTS plus 1."""
    players, counts = wide(state.num_players), scratch(NUM_FACES)
    if state.dealer >= players or state.seat >= players or state.winner >= players:
        return wide(_SEATS)
    for face in range(NUM_FACES):
        counts[face] = copies_of(state, face)
    for seat in range(state.hands.shape[0]):
        if not is_layered(state.hands[seat]) or not is_layered(state.known[seat]):
            return wide(_LAYERS)
        if not is_part(state.known[seat], state.hands[seat]):
            return wide(_KNOWN)
        if seat >= players and (state.hands[seat, 0] or state.scores[seat] or state.points[seat]):
            return wide(_CELLS)
        for layer in range(LAYERS):
            cards = wide(state.hands[seat, layer])
            while cards:
                counts[lowest(cards)] -= 1
                cards &= cards - 1
    for slot in range(state.melds.shape[0]):
        meld = wide(state.melds[slot])
        if slot >= state.num_melds:
            if meld or state.meld_owner[slot]:
                return wide(_CELLS)
            continue
        if not is_meld(meld) or state.meld_owner[slot] >= players:
            return wide(_MELDS)
        places = places_in(meld)
        while places:
            counts[card_at(state, slot, lowest(places))] -= 1
            places &= places - 1
    if not count_heaps(state, wide(-1), counts):
        return wide(_CELLS)
    for face in range(NUM_FACES):
        if counts[face]:
            return wide(_PACKS)
    return wide(0)


def _fault_of_turn(state: Any, max_points: int) -> int:
    """0, or a place in TURN_FAULTS plus 1."""
    hand, under_way = state.hands[state.seat], state.must != NO_FACE or state.named != NOTHING
    for seat in range(wide(state.num_players)):  # room for the rounds to come, as `fault_of_round` has it upwards
        if state.scores[seat] < -max_points * (MAX_ROUNDS + wide(state.rounds)):
            return wide(5)
    if state.phase == OVER:
        return wide(1) if state.seat or under_way else wide(0)
    for seat in range(wide(state.num_players)):
        if count_cards(state.hands[seat]) == 0:
            return wide(2)
    face, must = named_face(state), wide(state.must)
    plays = state.phase == PLAY or (state.phase == CHOOSE and face == must)
    if must != NO_FACE and not (plays and has_card(hand, must)):
        return wide(3)
    if (state.phase == CHOOSE) != (state.named != NOTHING):
        return wide(4)
    return wide(4) if state.named != NOTHING and (face == NO_FACE or not has_card(hand, face)) else wide(0)


def _fault_of_table(state: Any, max_points: int) -> int:
    """0, or a place in FAULTS plus 1; `max_points`: the most that a seat can win or lose in a round."""
    fault = fault_of_cards(state)
    if fault:
        return fault
    fault = fault_of_round(state, max_points)
    if fault:
        return fault + len(CARD_FAULTS)
    fault = fault_of_turn(state, max_points)
    return fault + len(CARD_FAULTS) + len(ROUND_FAULTS) if fault else wide(0)


def fault_of_table(
    game: str,
    copies_of: Callable[[Any, int], int],
    card_at: Callable[[Any, int, int], int],
    is_meld: Callable[[int], bool],
    named_face: Callable[[Any], int],
) -> Callable[[Any, int], int]:
    """The function `(state, max_points) -> fault` of a game: 0, or a place in FAULTS plus 1.

    Args:
        copies_of(state, face): how many such cards there are.
        card_at(state, slot, place): the card that lies at a place of a meld.
        is_meld(meld): whether a number is a meld.
        named_face(state): the card that waits for its meld; NO_FACE.
    """
    names = {"copies_of": copies_of, "card_at": card_at, "is_meld": is_meld}
    cards = bind(_fault_of_cards, f"{game}_fault_of_cards", **names)
    turn = bind(_fault_of_turn, f"{game}_fault_of_turn", named_face=named_face)
    return bind(_fault_of_table, f"{game}_fault_of_table", fault_of_cards=cards, fault_of_turn=turn)
