"""What could the hidden cards be? Another deal of them that looks the same from one seat."""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import read_bits, wide
from banakil_env.core.jit import compiled
from banakil_env.core.random import seed_generator, shuffle
from banakil_env.core.scratch import scratch
from banakil_env.games.yaniv.observation import hands_are_open
from banakil_env.games.yaniv.state import HAND_SIZE, MAX_SEATS, begin_turn, can_go_on, num_packs
from banakil_env.kit.other_deals import suppose_round
from banakil_env.kit.pack54 import LAYERS, MAX_CARDS, NUM_FACES, add_card, copies_of, count_cards, count_of

# Deals to try until the seat to move can go on from what it has laid. A card that it needs comes in every hundredth.
TRIES = 100_000


@compiled
def redeal_hidden(state: Any, seat: int, seed: int) -> None:
    """Deal what `seat` cannot see anew, in place; the generator starts from `seed` (uint64)."""
    seed_generator(state, seed)
    if hands_are_open(state):
        shuffle(state, state.stock, wide(state.stock_size))
        return
    for _ in range(TRIES):
        _deal_anew(state, seat)
        if can_go_on(state):
            return


@compiled
def _deal_anew(state: Any, seat: int) -> None:
    """Deal the stock, and the cards of all hands but one that nobody knows there."""
    pool, size, sizes = scratch(MAX_CARDS), wide(0), scratch(MAX_SEATS)
    for i in range(wide(state.stock_size)):
        pool[size] = state.stock[i]
        size += 1
    for other in range(wide(state.num_players)):
        sizes[other] = count_cards(state.hands[other])
        if other != seat:
            for face in range(NUM_FACES):
                for _ in range(count_of(state.hands[other], face) - count_of(state.known[other], face)):
                    pool[size] = face
                    size += 1
            for layer in range(LAYERS):
                state.hands[other, layer] = state.known[other, layer]
    shuffle(state, pool, size)
    _fill_hands(state, pool, size, sizes)


@compiled
def _fill_hands(state: Any, pool: Any, size: int, sizes: Any) -> None:
    """Deal cards of the pool to every hand that has fewer than `sizes` says; the rest is the stock."""
    for seat in range(wide(state.num_players)):
        for _ in range(sizes[seat] - count_cards(state.hands[seat])):
            size -= 1
            add_card(state.hands[seat], wide(pool[size]))
    for i in range(size):
        state.stock[i] = pool[i]


@compiled
def suppose(seen: Any, seed: int, state: Any) -> None:
    """Write a game in which seat 0 sees this observation; see `core.game.Search`. The game goes on.

    The points of the round before are zero. Discards below the last one lie in the order of their faces.
    """
    seed_generator(state, seed)
    begin_turn(state, wide(0))
    suppose_round(seen, state)
    state.out = read_bits(seen.out, 0, MAX_SEATS)
    state.laid_size, state.last = seen.laid_size, seen.last_size
    for i in range(wide(seen.laid_size)):
        state.laid[i] = seen.laid[i] - 1
    _suppose_cards(seen, state)
    for _ in range(TRIES):
        if can_go_on(state):
            return
        _deal_anew(state, wide(0))


@compiled
def _suppose_cards(seen: Any, state: Any) -> None:
    left, sizes = scratch(NUM_FACES), scratch(MAX_SEATS)
    for i in range(MAX_CARDS):
        state.stock[i] = state.pile[i] = 0
    for seat in range(MAX_SEATS):
        sizes[seat] = seen.hand_size[seat]
        for layer in range(LAYERS):
            state.hands[seat, layer] = state.known[seat, layer] = 0
    for face in range(NUM_FACES):
        left[face] = copies_of(face, num_packs(state))
        for _ in range(wide(seen.hand[face])):
            add_card(state.hands[0], face)
            left[face] -= 1
        for seat in range(MAX_SEATS):
            for _ in range(wide(seen.known[seat, face])):
                add_card(state.known[seat], face)
                if seat:
                    add_card(state.hands[seat], face)
                    left[face] -= 1
    for i in range(HAND_SIZE):
        if seen.laid[i]:
            left[seen.laid[i] - 1] -= 1
    below, top = scratch(NUM_FACES), wide(seen.pile_size) - wide(seen.last_size)
    for face in range(NUM_FACES):
        below[face] = seen.pile[face]
        left[face] -= below[face]
    for i in range(wide(seen.last_size)):
        state.pile[top + i] = seen.last[i] - 1
        below[seen.last[i] - 1] -= 1
    pool, size, at = scratch(MAX_CARDS), wide(0), wide(0)
    for face in range(NUM_FACES):
        for _ in range(below[face]):
            state.pile[at] = face
            at += 1
        for _ in range(left[face]):
            pool[size] = face
            size += 1
    state.pile_size, state.stock_size = seen.pile_size, seen.stock_size
    shuffle(state, pool, size)
    _fill_hands(state, pool, size, sizes)
