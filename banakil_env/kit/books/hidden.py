"""Deals the hidden cards of a game of books again, in a state or from an observation.

An observation has only numbers by kind, so the suits are chosen, the lowest first. In the functions about observations,
`left` is a row of stacks with the cards of the pack that have no place yet.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.engine import count_actions
from banakil_env.core.jit import compiled
from banakil_env.core.random import shuffle
from banakil_env.core.scratch import scratch
from banakil_env.kit.books.kinds import (
    JOKER,
    NUM_KINDS,
    RED_THREE,
    THREE,
    TWO,
    is_red_three,
    kind_of,
    one_card,
    size_of,
)
from banakil_env.kit.books.soundness import can_have_asked
from banakil_env.kit.hidden import suppose_turn
from banakil_env.kit.table_state import OVER, push_pile
from banakil_env.kit.two_sides import ANSWER

# The number of deals to try. A hand that must go out in this turn, or must reach a high value, needs many tries.
TRIES = 5000
# The number for a hand whose player has asked its partner whether it may go out: a search needs a deal in which the
# question is possible. `expert` of Canasta asks even with twelve cards, and only a few deals in 100,000 give it twelve
# cards that can all go out.
TRIES_FOR_ANSWER = 500_000


@compiled
def redeal_unseen(state: Any, seat: int) -> None:
    """Deal the stock and the unknown cards of the other hands again, at random. No hand gets a red Three."""
    pool, size, reds = scratch(512), 0, 0
    missing = scratch(8)
    for other in range(state.num_players):
        missing[other] = 0
        if other != seat:
            for kind in range(NUM_KINDS):
                hidden = state.hands[other, kind] - state.known[other, kind]
                for suit in range(4):
                    for _ in range(hidden >> 8 * suit & 0xFF):
                        pool[size] = 4 * kind + suit
                        size += 1
                        missing[other] += 1
                state.hands[other, kind] = state.known[other, kind]
    for i in range(state.stock_size):
        face = state.stock[i]
        if is_red_three(face):
            reds += 1 << 8 * (face - 1)
        else:
            pool[size] = face
            size += 1
    shuffle(state, pool, size)
    for other in range(state.num_players):
        for _ in range(missing[other]):
            size -= 1
            state.hands[other, kind_of(pool[size])] += one_card(pool[size])
    for red in range(2):
        for _ in range(reds >> 8 * red & 0xFF):
            pool[size] = 1 + red
            size += 1
    for i in range(size):
        state.stock[i] = pool[i]
    shuffle(state, state.stock, size)


@compiled
def fits_question(state: Any) -> bool:
    """In phase ANSWER: whether the partner can have asked with its hand; else True. See `kit.held.can_hold`."""
    return state.phase != ANSWER or can_have_asked(state)


@compiled
def can_stand(state: Any) -> bool:
    """Whether the seat to move has a legal action; in phase ANSWER, whether its partner can have asked.

    See the hook in `kit/hidden.py`.
    """
    if state.phase == OVER:
        return True
    return can_have_asked(state) if state.phase == ANSWER else count_actions(state) != 0


@compiled
def tries_of(state: Any) -> int:
    """The largest number of deals to try."""
    return TRIES_FOR_ANSWER if state.phase == ANSWER else TRIES


@compiled
def deal(state: Any, seat: int) -> bool:
    """Deal the cards hidden from `seat`, repeatedly until `can_stand` is true. Returns False if no try succeeds.

    Implements the hook `deal` of `kit/hidden.py`.
    """
    for _ in range(tries_of(state)):
        redeal_unseen(state, seat)
        if can_stand(state):
            return True
    return False


# A state from an observation -----------------------------------------------------------------------------------------


@compiled
def whole_pack(left: Any, packs: int, jokers: int) -> None:
    """Fill the row of stacks `left` with the whole pack."""
    for kind in range(NUM_KINDS):
        left[kind] = 0x01010101 * packs
    left[JOKER] = jokers


@compiled
def some_of(left: Any, kind: int, count: int) -> int:
    """Remove up to `count` cards of a kind from `left`, the lowest suits first. Returns them as a stack.

    RED_THREE counts as a kind here.
    """
    stack, place = 0, THREE if kind == RED_THREE else kind
    for suit in range(4):
        red = kind == RED_THREE
        if place != THREE or red == is_red_three(suit):
            while count and left[place] >> 8 * suit & 0xFF:
                left[place] -= one_card(suit)
                stack += one_card(suit)
                count -= 1
    return stack


@compiled
def suppose_round(seen: Any, state: Any) -> None:
    """Copy rules, turn, round and match from an observation.

    Stock and pile become empty, and the points of earlier rounds zero.
    """
    suppose_turn(seen, state)
    state.stock_size = state.pile_size = 0
    for place in range(seen.hand_size.shape[0]):
        state.scores[place] = seen.scores[place & 1] if place < state.num_players else 0


@compiled
def suppose_melds(seen: Any, state: Any, left: Any) -> None:
    """Write the books on the table from an observation, and remove their cards from `left`."""
    for side in range(2):
        for place in range(state.naturals.shape[1]):
            state.naturals[side, place] = some_of(left, place, seen.naturals[side, place])
            state.twos[side, place] = some_of(left, TWO, seen.twos[side, place])
            state.jokers[side, place] = seen.jokers[side, place]
            left[JOKER] -= seen.jokers[side, place]


@compiled
def pile_on(state: Any, left: Any, kind: int, count: int) -> None:
    """Put `count` cards of a kind from `left` on the pile."""
    stack, base = some_of(left, kind, count), 0 if kind == RED_THREE else 4 * kind
    for suit in range(4):
        for _ in range(stack >> 8 * suit & 0xFF):
            push_pile(state, base + suit)


@compiled
def suppose_places(seen: Any, state: Any, left: Any, pile_reds: int) -> None:
    """Put the cards of `left` into hands, red Threes, pile and stock, as an observation shows them; seat 0 observes.

    Unknown cards are put in no particular order; the caller then calls `redeal_unseen`.

    Args:
        pile_reds: the number of red Threes in the pile.
    """
    for side in range(2):
        reds = some_of(left, RED_THREE, seen.red_threes[side])
        state.red_threes[side, 0], state.red_threes[side, 1] = reds >> 8 & 0xFF, reds >> 16 & 0xFF
    for kind in range(NUM_KINDS):
        known = seen.known[0, kind]
        state.known[0, kind] = some_of(left, kind, known)
        state.hands[0, kind] = state.known[0, kind] + some_of(left, kind, seen.hand[kind] - known)
        for place in range(1, state.num_players):
            state.known[place, kind] = some_of(left, kind, seen.known[place, kind])
            state.hands[place, kind] = state.known[place, kind]
    top = seen.top - 1
    for kind in range(NUM_KINDS):
        pile_on(state, left, kind, seen.pile[kind] - (kind == top))
    pile_on(state, left, RED_THREE, pile_reds - (top == RED_THREE))
    if top >= 0:
        pile_on(state, left, top, 1)
    # The remaining cards in any order: hands are filled up, and the rest is the stock. All of this is dealt again
    # later.
    for place in range(1, state.num_players):
        missing, kind = seen.hand_size[place], 0
        for i in range(NUM_KINDS):
            missing -= size_of(state.hands[place, i])
        while missing and kind < NUM_KINDS:
            card = some_of(left, kind, 1)
            state.hands[place, kind] += card
            missing -= card != 0
            kind += card == 0
    for kind in range(NUM_KINDS):
        for suit in range(4):
            for _ in range(left[kind] >> 8 * suit & 0xFF):
                state.stock[state.stock_size] = 4 * kind + suit
                state.stock_size += 1
