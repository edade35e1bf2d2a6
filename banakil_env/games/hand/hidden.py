"""What could the hidden cards be? Another deal that looks the same from one seat, and fits what has been done."""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import lowest, wide
from banakil_env.core.jit import compiled
from banakil_env.core.random import seed_generator, shuffle
from banakil_env.core.scratch import scratch
from banakil_env.games.hand import state as S
from banakil_env.games.hand.moves import count_actions
from banakil_env.games.hand.observation import GROUP, named_cards
from banakil_env.games.hand.state import MAX_MELDS, MAX_SEATS, NOTHING, PACK_SIZE
from banakil_env.kit import table_state as T
from banakil_env.kit.melds import one_wild_melds as M
from banakil_env.kit.melds.one_wild_melds import NUM_FACES, WILD
from banakil_env.kit.other_deals import redeal_or_leave, suppose_round
from banakil_env.kit.pack54 import add_card, count_cards, count_of, remove_card

# Deals to try. A hand that must reach a first meld, or go out, is not found soon.
TRIES = 20_000


@compiled
def _is_possible(state: Any) -> bool:
    """Whether the seat to move can be asked what it is asked."""
    if state.phase == S.REDEAL:
        return S.may_throw_in(state, wide(state.seat))
    return state.phase == T.OVER or count_actions(state) > (state.phase == T.CHOOSE)


@compiled
def _deal_anew(state: Any, seat: int) -> None:
    """Deal the stock, and what nobody knows of the other hands; a card that waits for its meld stays."""
    pool, size, missing = scratch(PACK_SIZE), wide(0), scratch(MAX_SEATS)
    for i in range(wide(state.stock_size)):
        pool[size] = state.stock[i]
        size += 1
    for other in range(wide(state.num_players)):
        missing[other] = 0
        if other == seat:
            continue
        named = wide(0)
        if other == state.seat and state.phase == T.CHOOSE:
            named = named_cards(wide(state.named)) & ~wide(state.known[other, 0])
        for face in range(NUM_FACES):
            hidden = count_of(state.hands[other], wide(face)) - count_of(state.known[other], wide(face))
            for _ in range(hidden - (named >> face & 1)):
                remove_card(state.hands[other], wide(face))
                pool[size] = face
                size += 1
                missing[other] += 1
    shuffle(state, pool, size)
    for other in range(wide(state.num_players)):
        for _ in range(missing[other]):
            size -= 1
            add_card(state.hands[other], pool[size])
    for i in range(size):
        state.stock[i] = pool[i]


@compiled
def _deal_until_possible(state: Any, seat: int) -> bool:
    """Deal what a seat cannot see until it fits; False: not found."""
    for _ in range(TRIES):
        _deal_anew(state, seat)
        if _is_possible(state):
            return True
    return False


redeal_hidden = redeal_or_leave("hand", _deal_until_possible)


@compiled
def suppose(seen: Any, seed: int, state: Any) -> None:
    """A whole state that agrees with an observation; see `core.game.Search`. The points of rounds before are zero."""
    seed_generator(state, seed)
    S.clear_table(state)
    S.begin_turn(state, wide(0), wide(0))
    suppose_round(seen, state)
    state.partners, state.unscored = seen.partners, seen.unscored
    state.indicator = seen.indicator - 1 if seen.indicator else NOTHING
    state.taken = seen.taken - 1 if seen.taken else NOTHING
    state.named = seen.named - 1 if seen.named else 0
    state.in_one_turn, state.laid_off = seen.in_one_turn, seen.laid_off
    state.down_to_one, state.owes_wild, state.need = seen.down_to_one, seen.owes_wild, seen.need
    _suppose_cards(seen, state)
    _deal_until_possible(state, wide(0))


@compiled
def _suppose_cards(seen: Any, state: Any) -> None:
    """Put the cards that are seen where they are; the others fill the hands, the stock is what is left."""
    left = scratch(NUM_FACES)
    S.count_pack(state, left)
    for slot in range(MAX_MELDS):
        if seen.meld_owner[slot]:
            state.melds[slot] = _supposed_meld(seen, wide(slot))
            state.meld_owner[slot] = seen.meld_owner[slot] - 1
            state.num_melds = slot + 1
    state.pile_size, state.stock_size = seen.pile_size, seen.stock_size
    for face in range(NUM_FACES):
        left[face] -= seen.laid[face]
        for copy in range(2):
            if seen.pile[face, copy]:
                state.pile[seen.pile_size - seen.pile[face, copy]] = face
                left[face] -= 1
        for place in range(wide(state.num_players)):
            for _ in range(wide(seen.known[place, face])):
                add_card(state.known[place], wide(face))
            for _ in range(wide(seen.known[place, face] if place else seen.hand[face])):
                add_card(state.hands[place], wide(face))
                left[face] -= 1
    if seen.named and not seen.to_move[0]:
        named = named_cards(wide(state.named)) & ~wide(state.known[state.seat, 0])
        while named:
            add_card(state.hands[state.seat], lowest(named))
            left[lowest(named)] -= 1
            named &= named - 1
    for face in range(WILD):  # an Ace too many was a wild card (H7.4)
        left[WILD] += min(left[face], wide(0))
    size, pool = wide(0), scratch(PACK_SIZE)
    for face in range(NUM_FACES):
        for _ in range(left[face]):
            pool[size] = face
            size += 1
    shuffle(state, pool, size)
    for place in range(1, wide(state.num_players)):
        for _ in range(wide(seen.hand_size[place]) - count_cards(state.hands[place])):
            size -= 1
            add_card(state.hands[place], pool[size])
    for i in range(size):
        state.stock[i] = pool[i]


@compiled
def _supposed_meld(seen: Any, slot: int) -> int:
    """The packed meld of an observation."""
    low, size, wild = wide(seen.meld_low[slot]) - 1, wide(seen.meld_size[slot]), wide(seen.meld_wild[slot])
    if seen.meld_kind[slot] == GROUP:
        return M.packed(M.what_of_group(low), wide(seen.meld_suits[slot]), wild)
    return M.packed(wide(seen.meld_kind[slot]) - 1, ((wide(1) << size) - 1) << low, wild)
