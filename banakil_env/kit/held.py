"""Exchanges a hidden card of a hand with a card of the stock, in both forms in which states hold hands.

* a row of masks a seat, layer k: at least k + 1 copies (`kit.pack54`); one layer for one pack;
* a row of stacks per seat, four bytes per rank: games where only ranks matter (`kit.books.kinds`).

A card is named as in the stock of the state. `form_of` says which form a game has.
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
RANK_CELLS = 14  # of a description: thirteen ranks, and the Joker


@hook
def faces_taken(state: Any, seat: int) -> int:
    """The faces that melds take from this seat, as a mask; by default 0, without effect on the description of a
    hand.
    """
    return 0


@hook
def has_melded(state: Any, seat: int) -> bool:
    """Whether the seat has melded in this round, where suits matter; by default False, without effect."""
    return False


@hook
def never_let_go(state: Any) -> int:
    """The faces that may not be discarded, as a mask: hands get stuck with them. By default 0, without effect."""
    return 0


@hook
def to_be_met(state: Any) -> tuple[int, int]:
    """The numbers of sets and runs in the contract of the round; by default 0."""
    return 0, 0


@hook
def in_partnership(state: Any) -> bool:
    """Whether the table plays in partnerships, in a game with both forms; by default False."""
    return False


@hook
def dear_cards(state: Any, seat: int) -> tuple[int, int]:
    """The numbers of cards of the hand, for each of two kinds, that are worth more than others of their rank; by
    default 0.
    """
    return 0, 0


@hook
def no_wild_melded(state: Any, seat: int) -> bool:
    """Whether the seat has melded no wild card, in a game where the first wild card has a cost; by default False,
    without effect.
    """
    return False


@hook
def turn_of(state: Any) -> int:
    """The seat whose turn it is, or that is next after others have decided; by default the seat to move."""
    return state.seat


@hook
def can_hold(state: Any) -> bool:
    """Whether the hands agree with the words of the turn, such as a question to the partner; by default True."""
    return True


@compiled
def _nth_of(cards: int, skip: int) -> int:
    """The card of a mask that has `skip` lower cards in it."""
    for _ in range(skip):
        cards &= cards - 1
    return lowest(cards)


@inlined
def _none(state: Any, seat: int) -> int:
    return 0


# Layers a seat -----------------------------------------------------------------------------------------------


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


# Stacks a seat -----------------------------------------------------------------------------------------------


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
    """How the states of a game hold hands: compiled functions.

    Attributes:
        hidden_card(state, seat) -> card: a card that nobody else knows there, each with equal probability; NO_CARD: no
            such card.
        exchange(state, seat, card, place): the card goes to this place of the stock, the card there to the hand.
        count_ranks(state, seat, ranks): add the cards of the hand to RANK_CELLS cells.
        once, twice, known(state, seat) -> mask: faces held, held twice, and known to be held; 0 if suits do not
            matter.
        face_of(card), rank_of(card): of a card; from NO_FACE on: the card has no face of a mask.
        holdable(card): a hand can hold the card.
        public_stock(state): the order of the stock is public.
        has_meld(state, seat, rank): the seat or its side has a meld of the rank, where only ranks matter.
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
    """The form of the hands in records of this dtype."""
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
