"""What could the hidden cards be? Another deal of them that looks the same from one seat, with one pack of 52 cards.

The other hands and the stock are dealt again, each deal that agrees with what everybody has seen as likely as the
others. Cards that are known to be in a hand stay there; so does a stock whose order is public. `suppose` makes such a
deal from an observation alone.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import lowest, popcount, read_bits, wide
from banakil_env.core.jit import compiled
from banakil_env.core.random import seed_generator, shuffle
from banakil_env.core.scratch import scratch
from banakil_env.kit.melds.runs_and_sets import MAX_MELDS, run_from
from banakil_env.kit.other_deals import note_row, put_row_back, suppose_round
from banakil_env.kit.pack52 import ACES, ALL, NO_FACE, NUM_FACES, NUM_RANKS, bit_of
from banakil_env.kit.seen import RUN
from banakil_env.kit.table_state import clear_table


@compiled
def _fixed_in(state: Any, seat: int) -> int:
    """The cards of a hand that everybody has seen there: known ones, and the card that waits for its meld."""
    fixed = wide(state.known[seat])
    if seat == state.seat:
        fixed |= bit_of(wide(state.banned)) | bit_of(wide(state.named))
    return fixed & wide(state.hands[seat])


@compiled
def redeal_hidden(state: Any, seat: int, seed: int) -> None:
    """Deal what `seat` cannot see anew, in place; the generator starts from `seed` (uint64)."""
    seed_generator(state, seed)
    pool, size = scratch(NUM_FACES), wide(0)
    for other in range(wide(state.num_players)):
        hidden = wide(state.hands[other]) & ~_fixed_in(state, other) if other != seat else wide(0)
        while hidden:
            pool[size] = lowest(hidden)
            size += 1
            hidden &= hidden - 1
    for i in range(wide(0) if state.seen else wide(state.stock_size)):
        pool[size] = state.stock[i]
        size += 1
    shuffle(state, pool, size)
    for other in range(wide(state.num_players)):
        if other != seat:
            fixed = _fixed_in(state, other)
            missing = popcount(wide(state.hands[other])) - popcount(fixed)
            state.hands[other] = fixed
            for _ in range(missing):
                size -= 1
                state.hands[other] |= bit_of(pool[size])
    for i in range(size):  # what is left, if the stock was among them
        state.stock[i] = pool[i]


@compiled
def note_cards(state: Any, hands: Any, stock: Any) -> None:
    """Write hands and stock into two arrays, before other deals are tried."""
    note_row(state.hands, hands)
    note_row(state.stock, stock)


@compiled
def put_back(state: Any, hands: Any, stock: Any) -> None:
    """The hands and the stock are again as they were noted."""
    put_row_back(state.hands, hands)
    put_row_back(state.stock, stock)


@compiled
def suppose_common(seen: Any, seed: int, state: Any) -> None:
    """Write into `state` a game in which seat 0 sees this observation; the others sit as it numbers them.

    The points of rounds before are zero. A game's own fields are left to the game.

    Args:
        seen: an observation, of a game that goes on.
        seed: uint64, deals the hidden cards and becomes the generator.
        state: a record of the state; all its common fields are written.
    """
    seed_generator(state, seed)
    clear_table(state)
    suppose_round(seen, state)
    state.opened, state.in_one_turn, state.seen = seen.opened, seen.in_one_turn, seen.seen
    state.banned = seen.banned - 1 if seen.banned else NO_FACE
    state.named = seen.named - 1 if seen.named else NO_FACE
    for place in range(seen.hand_size.shape[0]):
        if seen.played[place]:
            state.played |= 1 << place
    _suppose_cards(seen, state)


@compiled
def _suppose_cards(seen: Any, state: Any) -> None:
    hand, runs, sets = (
        read_bits(seen.hand, 0, NUM_FACES),
        read_bits(seen.runs, 0, NUM_FACES),
        read_bits(seen.sets, 0, NUM_FACES),
    )
    for slot in range(MAX_MELDS):
        if seen.meld_kind[slot]:
            low = wide(seen.meld_low[slot]) - 1
            run = run_from(low, wide(seen.meld_size[slot]))
            state.melds[slot] = run if seen.meld_kind[slot] == RUN else sets & ACES << low % NUM_RANKS
            state.meld_owner[slot] = seen.meld_owner[slot] - 1
            state.num_melds = slot + 1
    left = ALL & ~(hand | runs | sets)
    state.pile_size, state.stock_size = seen.pile_size, seen.stock_size
    for face in range(NUM_FACES):
        if seen.pile[face]:
            state.pile[state.pile_size - seen.pile[face]] = face
            left &= ~bit_of(wide(face))
        if seen.stock[face]:
            state.stock[state.stock_size - seen.stock[face]] = face
            left &= ~bit_of(wide(face))
    state.hands[0] = hand
    for place in range(wide(state.num_players)):
        state.known[place] = read_bits(seen.known[place], 0, NUM_FACES)
        if place:
            state.hands[place] = state.known[place]
            if place == state.seat:
                state.hands[place] |= (bit_of(wide(state.banned)) | bit_of(wide(state.named))) & left
        left &= ~wide(state.hands[place])
    pool, size = scratch(NUM_FACES), wide(0)
    while left:
        pool[size] = lowest(left)
        size += 1
        left &= left - 1
    shuffle(state, pool, size)
    for place in range(1, wide(state.num_players)):
        for _ in range(wide(seen.hand_size[place]) - popcount(wide(state.hands[place]))):
            size -= 1
            state.hands[place] |= bit_of(pool[size])
    for i in range(size):
        state.stock[i] = pool[i]
