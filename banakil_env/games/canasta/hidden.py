"""What could the hidden cards be? Another deal that looks the same from one seat, and fits what has been said."""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import wide
from banakil_env.core.jit import compiled
from banakil_env.core.random import seed_generator, shuffle
from banakil_env.core.scratch import scratch
from banakil_env.games.canasta import state as S
from banakil_env.games.canasta.check import can_have_asked
from banakil_env.games.canasta.moves import count_actions
from banakil_env.games.canasta.state import NUM_CARDS
from banakil_env.kit import book_table as B
from banakil_env.kit import table_state as T
from banakil_env.kit.books import NUM_KINDS, RED_THREE, THREE, is_red_three, one_card, size_of

# Deals to try. A hand that has to go out in this turn, or to reach a high value, is not found soon.
TRIES = 5000

_HELD = S.MAX_SEATS * NUM_KINDS


@compiled
def _is_possible(state: Any) -> bool:
    """Whether the seat to move has a legal action, and its partner may have asked it."""
    if state.phase == T.OVER:
        return True
    if state.phase == S.ANSWER:
        return can_have_asked(state)
    return count_actions(state) != 0


@compiled
def _deal_until_possible(state: Any, seat: int) -> bool:
    """Deal what `seat` cannot see until it fits; False: not found."""
    for _ in range(TRIES):
        B.redeal_unseen(state, seat)
        if _is_possible(state):
            return True
    return False


@compiled
def redeal_hidden(state: Any, seat: int, seed: int) -> None:
    """Deal what `seat` cannot see anew, in place; see `core.game.Engine`. If no other deal is found, it stays."""
    seed_generator(state, seed)
    hands, stock = scratch(_HELD), scratch(NUM_CARDS)
    for i in range(_HELD):
        hands[i] = state.hands[i // NUM_KINDS, i % NUM_KINDS]
    for i in range(NUM_CARDS):
        stock[i] = state.stock[i]
    if not _deal_until_possible(state, seat):
        for i in range(_HELD):
            state.hands[i // NUM_KINDS, i % NUM_KINDS] = hands[i]
        for i in range(NUM_CARDS):
            state.stock[i] = stock[i]


@compiled
def shuffle_stock(state: Any, seed: int) -> None:
    """Put the stock in another order; the generator starts from `seed` (uint64)."""
    seed_generator(state, seed)
    shuffle(state, state.stock, wide(state.stock_size))


@compiled
def _some(left: Any, kind: int, count: int) -> int:
    """Take so many cards of a kind from what is left of the pack, the lowest suits; the stack. RED_THREE is a kind."""
    stack, place = wide(0), wide(THREE) if kind == RED_THREE else kind
    for suit in range(4):
        red = kind == RED_THREE
        if place != THREE or red == is_red_three(wide(suit)):
            while count and left[place] >> 8 * suit & 0xFF:
                left[place] -= one_card(wide(suit))
                stack += one_card(wide(suit))
                count -= 1
    return stack


@compiled
def _pile_on(state: Any, left: Any, kind: int, count: int) -> None:
    """Put so many cards of a kind on the pile."""
    stack, base = _some(left, kind, count), wide(0) if kind == RED_THREE else 4 * kind
    for suit in range(4):
        for _ in range(stack >> 8 * suit & 0xFF):
            B.push_pile(state, base + suit)


@compiled
def suppose(seen: Any, seed: int, state: Any) -> None:
    """A whole state that agrees with an observation; see `core.game.Search`. The points of rounds before are zero.

    If no hands are found that fit what has been said in the turn, nothing has been said, and all melds are old.
    """
    seed_generator(state, seed)
    S.clear_table(state)
    state.rules = seen.rules
    state.num_players, state.episode, state.ending = seen.num_players, seen.episode, seen.ending
    state.turns, state.rounds = seen.turns, seen.rounds
    state.opening, state.taking, state.concealed = seen.opening, seen.taking, seen.concealed
    state.answer, state.last, state.winner = seen.answer, seen.last, T.NO_SEAT
    state.seat = 0
    for phase in range(seen.phase.shape[0]):
        if seen.phase[phase]:
            state.phase = phase
    for place in range(S.MAX_SEATS):
        state.points[place] = 0
        state.scores[place] = seen.scores[place & 1] if place < seen.num_players else 0
        if seen.to_move[place]:
            state.seat = place
        if seen.dealer[place]:
            state.dealer = place
    _suppose_cards(seen, state)
    if not _deal_until_possible(state, wide(0)) and state.phase != T.DRAW:
        state.phase = T.PLAY
        state.opening = state.taking = state.concealed = state.answer = 0


@compiled
def _suppose_cards(seen: Any, state: Any) -> None:
    left = scratch(NUM_KINDS)
    for kind in range(NUM_KINDS):
        left[kind] = 0x01010101 * S.PACKS
    left[NUM_KINDS - 1] = S.JOKERS
    for side in range(2):
        for kind in range(S.NUM_PLACES):
            state.naturals[side, kind] = _some(left, wide(kind), wide(seen.naturals[side, kind]))
            state.twos[side, kind] = _some(left, wide(NUM_KINDS - 2), wide(seen.twos[side, kind]))
            state.jokers[side, kind] = seen.jokers[side, kind]
            left[NUM_KINDS - 1] -= seen.jokers[side, kind]
        reds = _some(left, wide(RED_THREE), wide(seen.red_threes[side]))
        state.red_threes[side, 0], state.red_threes[side, 1] = reds >> 8 & 0xFF, reds >> 16 & 0xFF
    for kind in range(NUM_KINDS):
        known = wide(seen.known[0, kind])
        state.known[0, kind] = _some(left, wide(kind), known)
        state.hands[0, kind] = state.known[0, kind] + _some(left, wide(kind), wide(seen.hand[kind]) - known)
        for place in range(1, wide(state.num_players)):
            state.known[place, kind] = _some(left, wide(kind), wide(seen.known[place, kind]))
            state.hands[place, kind] = state.known[place, kind]
    top = wide(seen.top) - 1
    for kind in range(NUM_KINDS):
        _pile_on(state, left, wide(kind), wide(seen.pile[kind]) - (kind == top))
    _pile_on(state, left, wide(RED_THREE), wide(seen.pile_reds) - (top == RED_THREE))
    if top >= 0:
        _pile_on(state, left, top, wide(1))
    # The rest, in any order: hands are filled up, then it is all dealt again.
    for place in range(1, wide(state.num_players)):
        missing, kind = wide(seen.hand_size[place]), wide(0)
        for i in range(NUM_KINDS):
            missing -= size_of(wide(state.hands[place, i]))
        while missing and kind < NUM_KINDS:
            card = _some(left, kind, wide(1))
            state.hands[place, kind] += card
            missing -= card != 0
            kind += card == 0
    for kind in range(NUM_KINDS):
        for suit in range(4):
            for _ in range(left[kind] >> 8 * suit & 0xFF):
                state.stock[state.stock_size] = 4 * kind + suit
                state.stock_size += 1
