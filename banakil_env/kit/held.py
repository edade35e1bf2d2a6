"""Exchanges a hidden card of a hand with a card of the stock, for both ways in which states store hands.

* *Layers*: a row of masks per seat; mask k has the faces with more than k copies in the hand (`kit.pack54`). Games with
  one pack have one layer.
* *Stacks*: a row of four-byte numbers per seat, one per rank, in games where only ranks matter (`kit.books.kinds`).

Cards have the numbers that they have in the stock of the state. `form_of` returns the functions for a game.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from banakil_env.core.bits import lowest, popcount
from banakil_env.core.hooks import hook
from banakil_env.core.jit import compiled, inlined
from banakil_env.core.random import random_below
from banakil_env.kit.books.kinds import is_red_three, kind_of, one_card, size_of
from banakil_env.kit.pack52 import ALL, NO_FACE, NUM_RANKS
from banakil_env.kit.pack54 import JOKER, add_card, remove_card

NO_CARD = -1
RANK_CELLS = 14  # cells of card counts by rank: thirteen ranks, then the Joker


@hook
def faces_taken(state: Any, seat: int) -> int:
    """The faces that melds on the table accept from this seat, as a mask. By default 0."""
    return 0


@hook
def has_melded(state: Any, seat: int) -> bool:
    """Whether the seat has melded in this round, in games where suits matter. By default False."""
    return False


@hook
def never_let_go(state: Any) -> int:
    """The faces that must not be discarded, as a mask: hands get stuck with them. By default 0."""
    return 0


@hook
def to_be_met(state: Any) -> tuple[int, int]:
    """The numbers of sets and of runs in the contract of the round. By default 0, 0."""
    return 0, 0


@hook
def in_partnership(state: Any) -> bool:
    """Whether the table plays in partnerships, in a game that can be played either way. By default False."""
    return False


@hook
def dear_cards(state: Any, seat: int) -> tuple[int, int]:
    """How many cards of the hand are worth more than others of their rank, as two counts for two groups of such cards.

    By default 0, 0.
    """
    return 0, 0


@hook
def no_wild_melded(state: Any, seat: int) -> bool:
    """Whether the seat has melded no wild card, in a game where the first wild card has a cost. By default False."""
    return False


@hook
def turn_of(state: Any) -> int:
    """The seat whose turn it is, also while another seat decides in between. By default the seat to move."""
    return state.seat


@hook
def can_hold(state: Any) -> bool:
    """Whether the hands agree with declarations in the turn, such as a question to the partner. By default True."""
    return True


@compiled
def _nth_of(cards: int, skip: int) -> int:
    """The card of a mask that has `skip` lower cards below it in the mask."""
    for _ in range(skip):
        cards &= cards - 1
    return lowest(cards)


@inlined
def _none(state: Any, seat: int) -> int:
    return 0


# Hands stored as layers --------------------------------------------------------------------------------------


@compiled
def _hidden_in_layers(state: Any, seat: int) -> int:
    total = 0
    for layer in range(state.hands.shape[1]):
        total += popcount(state.hands[seat, layer] & ~state.known[seat, layer])
    if total == 0:
        return NO_CARD
    skip = random_below(state, total)
    for layer in range(state.hands.shape[1]):
        hidden = state.hands[seat, layer] & ~state.known[seat, layer]
        count = popcount(hidden)
        if skip < count:
            return _nth_of(hidden, skip)
        skip -= count
    return NO_CARD


@compiled
def _exchange_in_layers(state: Any, seat: int, card: int, place: int) -> None:
    other = state.stock[place]
    remove_card(state.hands[seat], card)
    add_card(state.hands[seat], other)
    state.stock[place] = card


@compiled
def _read_layers(state: Any, seat: int, ranks: Any) -> None:
    _count_ranks(state.hands[seat, 0] & ALL, ranks)
    for layer in range(state.hands.shape[1]):
        ranks[NUM_RANKS] += state.hands[seat, layer] >> JOKER & 1
    _count_ranks(_twice_in_layers(state, seat), ranks)


@inlined
def _once_in_layers(state: Any, seat: int) -> int:
    return state.hands[seat, 0] & ALL


@inlined
def _twice_in_layers(state: Any, seat: int) -> int:
    return state.hands[seat, 1] & ALL if state.hands.shape[1] > 1 else 0


@inlined
def _known_in_layers(state: Any, seat: int) -> int:
    return state.known[seat, 0] & ALL


@compiled
def _count_ranks(cards: int, ranks: Any) -> None:
    while cards:
        ranks[lowest(cards) % NUM_RANKS] += 1
        cards &= cards - 1


# Hands stored as stacks --------------------------------------------------------------------------------------


@compiled
def _hidden_in_stacks(state: Any, seat: int) -> int:
    total = 0
    for rank in range(state.hands.shape[1]):
        total += size_of(state.hands[seat, rank] - state.known[seat, rank])
    if total == 0:
        return NO_CARD
    skip = random_below(state, total)
    for rank in range(state.hands.shape[1]):
        hidden = state.hands[seat, rank] - state.known[seat, rank]
        for suit in range(4):
            count = hidden >> 8 * suit & 0xFF
            if skip < count:
                return 4 * rank + suit
            skip -= count
    return NO_CARD


@compiled
def _exchange_in_stacks(state: Any, seat: int, card: int, place: int) -> None:
    other = state.stock[place]
    state.hands[seat, kind_of(card)] -= one_card(card)
    state.hands[seat, kind_of(other)] += one_card(other)
    state.stock[place] = card


@compiled
def _read_stacks(state: Any, seat: int, ranks: Any) -> None:
    for rank in range(state.hands.shape[1]):
        ranks[rank] += size_of(state.hands[seat, rank])


@inlined
def _has_meld_of_seat(state: Any, seat: int, rank: int) -> bool:
    return rank < state.melds.shape[1] and state.melds[seat, rank] != 0


@inlined
def _has_meld_of_side(state: Any, seat: int, rank: int) -> bool:
    return rank < state.naturals.shape[1] and state.naturals[seat & 1, rank] != 0


@inlined
def _no_meld(state: Any, seat: int, rank: int) -> bool:
    return False


@inlined
def _same(card: int) -> int:
    return card


@inlined
def _no_face(card: int) -> int:
    return NO_FACE


@inlined
def _rank_of_face(card: int) -> int:
    return card % NUM_RANKS if card < JOKER else NUM_RANKS


@inlined
def _holdable(card: int) -> bool:
    return True


@inlined
def _no_red_three(card: int) -> bool:
    return not is_red_three(card)


@inlined
def _never_public(state: Any) -> bool:
    return False


@inlined
def _public_if_seen(state: Any) -> bool:
    return state.seen != 0


@dataclass(frozen=True)
class Form:
    """The compiled functions that read and change the hands of a game's states.

    Attributes:
        hidden_card(state, seat): a card of the hand that no other seat knows, each equally likely; NO_CARD if there is
            no such card.
        exchange(state, seat, card, place): swaps a card of the hand with the card at this place of the stock.
        count_ranks(state, seat, ranks): adds the number of cards of each rank to RANK_CELLS cells.
        once(state, seat): the mask of the faces in the hand; 0 if suits do not matter.
        twice(state, seat): the mask of the faces that the hand holds twice; likewise.
        known(state, seat): the mask of the faces that everybody knows to be in the hand; likewise.
        face_of(card): the face of a card; NO_FACE or more if it has no face in masks.
        rank_of(card): the rank of a card.
        holdable(card): whether a hand can hold the card.
        public_stock(state): whether the order of the stock is public.
        has_meld(state, seat, rank): whether the seat or its side has a meld of the rank, where only ranks matter.
        suits: whether suits matter.
    """

    hidden_card: Callable[[Any, int], int]
    exchange: Callable[[Any, int, int, int], None]
    count_ranks: Callable[[Any, int, Any], None]
    once: Callable[[Any, int], int]
    twice: Callable[[Any, int], int]
    known: Callable[[Any, int], int]
    face_of: Callable[[int], int]
    rank_of: Callable[[int], int]
    holdable: Callable[[int], bool]
    public_stock: Callable[[Any], bool]
    has_meld: Callable[[Any, int, int], bool]
    suits: bool


def form_of(state: np.dtype[Any]) -> Form:
    """The functions for the hands in state records of this dtype."""
    assert state.names is not None
    hands, public = state["hands"], _public_if_seen if "seen" in state.names else _never_public
    if hands.base.kind == "i":
        return Form(
            hidden_card=_hidden_in_layers,
            exchange=_exchange_in_layers,
            count_ranks=_read_layers,
            once=_once_in_layers,
            twice=_twice_in_layers,
            known=_known_in_layers,
            face_of=_same,
            rank_of=_rank_of_face,
            holdable=_holdable,
            public_stock=public,
            has_meld=_no_meld,
            suits=True,
        )
    return Form(
        hidden_card=_hidden_in_stacks,
        exchange=_exchange_in_stacks,
        count_ranks=_read_stacks,
        once=_none,
        twice=_none,
        known=_none,
        face_of=_no_face,
        rank_of=kind_of,
        holdable=_no_red_three if "red_threes" in state.names else _holdable,
        public_stock=public,
        has_meld=_has_meld_of_side if "naturals" in state.names and "twos" in state.names else _has_meld_of_seat,
        suits=False,
    )
