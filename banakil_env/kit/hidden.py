"""Redeals the hidden cards: another deal that looks the same from one seat, in any game of the kit.

The other hands and the stock are dealt again, uniformly among the deals that agree with what everybody has seen. Cards
that are known to be in a hand stay there, and so does a stock whose order is public. A turn that has begun says
something about the hand: cards are dealt until the seat to move can go on. `suppose` makes such a deal from an
observation alone.

Both serve every game whose hands are rows of layers (`pack54`); hooks cover the differences. Games with other cards
fill in `deal`, which `redeal_hidden` calls.
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

# Room for the hands of any game, a row of cells a seat, and for its stock.
HAND_CELLS, STOCK_CELLS = 64, 512
LEFT_CELLS = NUM_FACES + 1  # numbers by face, and one that means nothing: of cards of the pile that cannot be seen


# What a game says of its turn ----------------------------------------------------------------------------------------


@hook
def hold(state: Any, seat: int, cards: Any) -> None:
    """Write into `cards`, a row of zeros by face, the cards that the turn proves to be in a hand, except known ones.
    For example a card that waits for its meld, or one that must be played.
    """
    return


@hook
def arrange(state: Any, cards: Any, size: int) -> None:
    """Change the order of shuffled cards, the lowest of which become the stock, to agree with public knowledge.

    In Banakil, for example, the lowest card can be known to be a natural. By default nothing is known.
    """
    return


@hook
def can_stand(state: Any) -> bool:
    """Whether the seat to move can be at its decision with this hand: usually, whether it has a legal action. It is
    called only for seats other than the observer. By default any hand is accepted.
    """
    return True


@hook
def tries(state: Any) -> int:
    """The number of deals to try for a hand with which `can_stand` is true."""
    return 1000


@hook
def deal(state: Any, seat: int) -> bool:
    """Deal the cards that `seat` cannot see, until `can_stand` is true; False: no such deal was found."""
    return deal_until_possible(state, seat)


# Another deal --------------------------------------------------------------------------------------------------------


@compiled
def collect_unknown(state: Any, seat: int, pool: Any, size: int) -> int:
    """Move the cards that nobody knows from a hand to a pool of `size` cards; returns the new size."""
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
    """Move the cards that `seat` cannot see to a pool, and note the sizes of all hands; returns the pool size."""
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
    """Shuffle a pool, and deal it to the hands that have fewer cards than `sizes` says; the rest is the stock."""
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
    """Deal the stock, and the cards of all hands but one that nobody knows there."""
    pool, sizes = scratch(MAX_CARDS), scratch(MOST_SEATS)
    deal_pool(state, pool, collect_unseen(state, seat, pool, sizes), sizes)


@compiled
def deal_until_possible(state: Any, seat: int) -> bool:
    """The default of `deal`."""
    for _ in range(tries(state)):
        deal_unseen(state, seat)
        if state.seat == seat or state.phase == OVER or can_stand(state):
            return True
    return False


@compiled
def redeal_hidden(state: Any, seat: int, seed: int) -> None:
    """Deal the cards that `seat` cannot see again, in place; see `core/engine.py`. If no deal is found, nothing
    changes.
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
    """Put the stock in another order, unless its order is public; the generator starts from `seed` (uint64)."""
    seed_generator(state, seed)
    if not stock_is_seen(state):
        shuffle(state, state.stock, state.stock_size)
        arrange(state, state.stock, state.stock_size)


@compiled
def note_rows(rows: Any, cells: Any) -> None:
    """Copy rows, such as hands, into an array, one after the other."""
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


# From an observation -------------------------------------------------------------------------------------------------


@hook
def read_turn(state: Any, seen: Any) -> None:
    """Write the state's memory of the turn, and the game's own fields, from an observation. Rules, players, phase,
    scores and the like are already written; cards are not.
    """
    raise NotImplementedError


@hook
def read_table(state: Any, seen: Any) -> None:
    """Write the cards outside hands, stock and pile from an observation: by default a list of melds."""
    read_melds(state, seen)


@hook
def meld_seen(state: Any, seen: Any, slot: int) -> int:
    """The meld that an observation shows in this slot, as the field `melds` has it; 0: none."""
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
    """Write the cards of the pile, whose size is already written, and of a public stock, from an observation.

    A card of the pile that cannot be seen is NUM_FACES; the game puts a card of the stock there after the deal.
    """
    raise NotImplementedError


@hook
def give_up(state: Any) -> None:
    """Called if no deal was found in which `can_stand` is true: put the seat to move in an ordinary turn."""
    return


@compiled
def suppose(seen: Any, seed: int, state: Any) -> None:
    """A whole state that agrees with an observation; see `core.game.Search`. The points of earlier rounds are zero. If
    no hand is found with which another seat could go on, that seat is put in an ordinary turn.
    """
    suppose_common(seen, seed, state)
    if state.seat != 0 and not can_stand(state) and not deal(state, 0):
        give_up(state)


@compiled
def suppose_common(seen: Any, seed: int, state: Any) -> None:
    """Write into `state` a game in which seat 0 sees this observation; the other seats keep their numbers in it.

    Args:
        seen: an observation, of a game that goes on.
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
    """Put visible cards in place; `left` gets the rest of the pack, by face, `sizes` the sizes of the hands."""
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
    """Write the pile from an observation that shows the depths of each face."""
    for face in range(seen.pile.shape[0]):
        for copy in range(seen.pile.shape[1]):
            if seen.pile[face, copy]:
                state.pile[state.pile_size - seen.pile[face, copy]] = face


@compiled
def suppose_turn(seen: Any, state: Any) -> None:
    """Copy the public fields, the turn and the order of seats from an observation; points of earlier rounds are
    zero.
    """
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
