"""Deals the hidden cards again: makes another deal that looks the same from one seat, in any game of the kit.

The other hands and the stock are dealt uniformly among the deals that agree with the public information. Cards that are
known to be in a hand stay there, and so does a stock whose order is public. If another seat is to move, the fact that
it can act restricts its hand: cards are dealt until it can continue its turn. `suppose` makes such a deal from an
observation alone.

Both functions work for every game whose hands are rows of layers (`pack54`); hooks cover the differences between games.
Games that store cards differently fill in `deal`, which `redeal_hidden` calls.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import lowest
from banakil_env.core.hooks import hook
from banakil_env.core.jit import compiled
from banakil_env.core.random import seed_generator, shuffle
from banakil_env.core.scratch import scratch
from banakil_env.kit.pack54 import MAX_CARDS, NUM_FACES, add_card, count_cards, count_of, remove_card
from banakil_env.kit.seen import read_public
from banakil_env.kit.table_state import OVER, begin_turn, clear_table, copies_of, count_table, stock_is_seen

MOST_SEATS = 8

# Sizes of work arrays: enough cells for all hands of any game, one row per seat, and for its stock.
HAND_CELLS, STOCK_CELLS = 64, 512
LEFT_CELLS = NUM_FACES + 1  # one cell per face, and an unused one for cards of the pile that cannot be seen


# Hooks about the turn in progress ------------------------------------------------------------------------------------


@hook
def hold(state: Any, seat: int, cards: Any) -> None:
    """Count in `cards` (zeros, by face) the cards that the turn proves to be in the hand of `seat`, except known cards.

    Examples are a card that waits for its meld, and one that must be played.
    """
    return


@hook
def arrange(state: Any, cards: Any, size: int) -> None:
    """Reorder the first `size` cells of `cards`, a shuffled pool, so that they agree with public information.

    Hands are dealt from the end; the cards left become the stock, the lowest first. In Banakil, for example, the lowest
    card of the stock can be known to be a natural. By default the order stays.
    """
    return


@hook
def can_stand(state: Any) -> bool:
    """Whether the seat to move can be in this decision with its hand: usually, whether it has a legal action.

    Called only if the seat to move is not the observer. By default every hand is accepted.
    """
    return True


@hook
def tries(state: Any) -> int:
    """The largest number of deals to try until `can_stand` is true."""
    return 1000


@hook
def deal(state: Any, seat: int) -> bool:
    """Deal the cards hidden from `seat`, repeatedly until `can_stand` is true. Returns False if no try succeeds."""
    return deal_until_possible(state, seat)


# Another deal --------------------------------------------------------------------------------------------------------


@compiled
def collect_unknown(state: Any, seat: int, pool: Any, size: int) -> int:
    """Move the cards of a hand that the other seats do not know to a pool of `size` cards. Returns the new size."""
    kept, faces = scratch(NUM_FACES), state.hands[seat, 0]
    kept[:] = 0
    hold(state, seat, kept)
    while faces:
        face = lowest(faces)
        faces &= faces - 1
        for _ in range(count_of(state.hands[seat], face) - max(count_of(state.known[seat], face), kept[face])):
            remove_card(state.hands[seat], face)
            pool[size] = face
            size += 1
    return size


@compiled
def collect_unseen(state: Any, seat: int, pool: Any, sizes: Any) -> int:
    """Move the cards that `seat` cannot see to `pool`, and write the sizes of all hands. Returns the pool's size."""
    size = 0 if stock_is_seen(state) else state.stock_size
    for i in range(size):
        pool[i] = state.stock[i]
    for other in range(state.num_players):
        sizes[other] = count_cards(state.hands[other])
        if other != seat:
            size = collect_unknown(state, other, pool, size)
    return size


@compiled
def deal_pool(state: Any, pool: Any, size: int, sizes: Any) -> None:
    """Shuffle a pool and fill every hand from it up to its number of cards in `sizes`. The rest becomes the stock."""
    shuffle(state, pool, size)
    arrange(state, pool, size)
    for seat in range(state.num_players):
        for _ in range(sizes[seat] - count_cards(state.hands[seat])):
            size -= 1
            add_card(state.hands[seat], pool[size])
    for i in range(size):
        state.stock[i] = pool[i]


@compiled
def deal_unseen(state: Any, seat: int) -> None:
    """Deal again the stock and the unknown cards of all hands except that of `seat`."""
    pool, sizes = scratch(MAX_CARDS), scratch(MOST_SEATS)
    deal_pool(state, pool, collect_unseen(state, seat, pool, sizes), sizes)


@compiled
def deal_until_possible(state: Any, seat: int) -> bool:
    """The default of `deal`: deal the unseen cards until `can_stand` is true, at most `tries` times."""
    for _ in range(tries(state)):
        deal_unseen(state, seat)
        if state.seat == seat or state.phase == OVER or can_stand(state):
            return True
    return False


@compiled
def redeal_hidden(state: Any, seat: int, seed: int) -> None:
    """Deal the cards hidden from `seat` again, in place; see `core/engine.py`.

    If `deal` finds no possible deal, the hands and the stock stay unchanged. `seed` is uint64.
    """
    hands, stock = scratch(HAND_CELLS), scratch(STOCK_CELLS)
    note_rows(state.hands, hands)
    note_row(state.stock, stock)
    seed_generator(state, seed)
    if not deal(state, seat):
        put_rows_back(state.hands, hands)
        put_row_back(state.stock, stock)


@compiled
def shuffle_stock(state: Any, seed: int) -> None:
    """Shuffle the stock, unless its order is public. The generator of the state starts from `seed` (uint64)."""
    seed_generator(state, seed)
    if not stock_is_seen(state):
        shuffle(state, state.stock, state.stock_size)
        arrange(state, state.stock, state.stock_size)


@compiled
def note_rows(rows: Any, cells: Any) -> None:
    """Copy several rows, such as hands, into an array, one after the other."""
    width = rows.shape[1]
    for i in range(rows.shape[0] * width):
        cells[i] = rows[i // width, i % width]


@compiled
def put_rows_back(rows: Any, cells: Any) -> None:
    """Restore rows from the array of `note_rows`."""
    width = rows.shape[1]
    for i in range(rows.shape[0] * width):
        rows[i // width, i % width] = cells[i]


@compiled
def note_row(row: Any, cells: Any) -> None:
    """Copy a row, such as the stock, into an array."""
    for i in range(row.shape[0]):
        cells[i] = row[i]


@compiled
def put_row_back(row: Any, cells: Any) -> None:
    """Restore a row from the array of `note_row`."""
    for i in range(row.shape[0]):
        row[i] = cells[i]


# A state from an observation -----------------------------------------------------------------------------------------


@hook
def read_turn(state: Any, seen: Any) -> None:
    """Write the fields about the current turn, and the game's additional fields, from an observation.

    Rules, players, phase, scores and the other public fields are already written; cards are not.
    """
    raise NotImplementedError


@hook
def read_table(state: Any, seen: Any) -> None:
    """Write the cards outside hands, stock and pile from an observation. By default these are a list of melds."""
    read_melds(state, seen)


@hook
def meld_seen(state: Any, seen: Any, slot: int) -> int:
    """The meld in this slot of an observation, as a value of the field `melds`; 0 if the slot is empty."""
    raise NotImplementedError


@compiled
def read_melds(state: Any, seen: Any) -> None:
    """Write the list of melds from an observation."""
    for slot in range(state.melds.shape[0]):
        meld = meld_seen(state, seen, slot)
        if meld:
            state.melds[slot], state.meld_owner[slot] = meld, seen.meld_owner[slot] - 1
            state.num_melds = slot + 1


@hook
def read_heaps(state: Any, seen: Any) -> None:
    """Write the cards of the pile, and of a public stock, from an observation. The pile's size is already written.

    A card of the pile that cannot be seen is written as NUM_FACES. The game replaces it by a card of the stock after
    the deal.
    """
    raise NotImplementedError


@hook
def give_up(state: Any) -> None:
    """Put the seat to move at the start of an ordinary turn. Called if no deal makes `can_stand` true."""
    return


@compiled
def suppose(seen: Any, seed: int, state: Any) -> None:
    """Write a whole state that agrees with an observation; see `core.game.Search`. Points of earlier rounds are zero.

    If no hand is found with which another seat could be in its decision, that seat is put in an ordinary turn.
    """
    suppose_common(seen, seed, state)
    if state.seat != 0 and not can_stand(state) and not deal(state, 0):
        give_up(state)


@compiled
def suppose_common(seen: Any, seed: int, state: Any) -> None:
    """Write a state in which seat 0 has this observation. The other seats keep their relative numbers.

    Args:
        seen: an observation of a running game.
        seed: uint64, deals the hidden cards and becomes the generator.
        state: a record of the state; all its fields are written.
    """
    seed_generator(state, seed)
    clear_table(state)
    begin_turn(state, 0, OVER)
    suppose_turn(seen, state)
    read_turn(state, seen)
    left, sizes, pool, size = scratch(LEFT_CELLS), scratch(MOST_SEATS), scratch(MAX_CARDS), 0
    _place_seen(seen, state, left, sizes)
    for face in range(NUM_FACES):
        for _ in range(left[face]):
            pool[size] = face
            size += 1
    deal_pool(state, pool, size, sizes)


@compiled
def _place_seen(seen: Any, state: Any, left: Any, sizes: Any) -> None:
    """Place all visible cards. Writes into `left` the rest of the pack, by face, and into `sizes` the hand sizes."""
    read_heaps(state, seen)
    for face in range(NUM_FACES):
        left[face] = copies_of(state, face)
    for i in range(state.pile_size):
        left[state.pile[i]] -= 1
    for i in range(state.stock_size if stock_is_seen(state) else 0):
        left[state.stock[i]] -= 1
    for seat in range(state.num_players):
        sizes[seat] = seen.hand_size[seat]
        for face in range(seen.hand.shape[0]):
            for _ in range(seen.known[seat, face]):
                add_card(state.known[seat], face)
            for _ in range(seen.known[seat, face] if seat else seen.hand[face]):
                add_card(state.hands[seat], face)
                left[face] -= 1
    read_table(state, seen)
    count_table(state, left, -1)
    kept = scratch(NUM_FACES)
    for seat in range(1, state.num_players):
        kept[:] = 0
        hold(state, seat, kept)
        for face in range(NUM_FACES):
            for _ in range(min(kept[face] - count_of(state.hands[seat], face), left[face])):
                add_card(state.hands[seat], face)
                left[face] -= 1


@compiled
def read_depths(state: Any, seen: Any) -> None:
    """Write the pile from an observation that gives the depths of each face."""
    for face in range(seen.pile.shape[0]):
        for copy in range(seen.pile.shape[1]):
            if seen.pile[face, copy]:
                state.pile[state.pile_size - seen.pile[face, copy]] = face


@compiled
def suppose_turn(seen: Any, state: Any) -> None:
    """Copy the public fields, the turn and the order of seats from an observation. Earlier points become zero."""
    read_public(state, seen)
    state.seat = 0
    for phase in range(seen.phase.shape[0]):
        if seen.phase[phase]:
            state.phase = phase
    for place in range(seen.hand_size.shape[0]):
        state.points[place] = 0
        if seen.to_move[place]:
            state.seat = place
        if seen.dealer[place]:
            state.dealer = place
