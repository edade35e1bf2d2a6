"""What is on the table? The record that is the whole game, the deal (B1.3, B9.2, B9.4), and cards changing hands.

`STATE` holds rules, generator, match and round; no padding, no object, no pointer. `state.tobytes()` is the save file.
Cells that hold nothing are zero, so that equal games have equal bytes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.core.bits import wide
from banakil_env.core.jit import compiled, inlined
from banakil_env.core.random import random_below, seed_generator, shuffle
from banakil_env.games.banakil.faces import COPIES, NO_FACE, NUM_FACES, PACK_SIZE, TWO
from banakil_env.games.banakil.pack import faces_in_pack, pairs_in_pack

MAX_SEATS = 4
HAND_SIZE = 18  # of the full game; less `fewer_dealt`

# Every meld has three cards or more: 106 // 3.
MAX_MELDS = PACK_SIZE // 3

# A player's hand and melds never have fewer than 18 cards between turns, so pile and stock never more than 106 - 2 *
# 18. Packs and hands of other sizes are refused when they could give more (B10.4).
MAX_TAKE = PACK_SIZE - 2 * HAND_SIZE

# Phases. In CHOOSE a card has been named and waits for its meld.
DRAW, PLAY, CHOOSE, OVER = range(4)

# How the last round, or the game, ended. TURNS and ROUNDS are truncations (B6.3).
RUNNING, OUT, EXHAUSTED, TURNS, MATCH, ROUNDS = range(6)
TRUNCATIONS = (TURNS, ROUNDS)

ROUND_EPISODE, MATCH_EPISODE = range(2)

NO_SEAT = -1
NO_BONUS = -1

_FIELDS: list[Any] = [
    # The cards of each seat as two masks of faces: bit f of the first, at least one; of the second, both.
    ("hands", "<i8", (MAX_SEATS, COPIES)),
    ("known", "<i8", (MAX_SEATS, COPIES)),  # those that everybody knows to be there (B2.6, B5.3)
    ("rng", "<u8"),  # the generator (core.random)
    ("melds", "<i4", MAX_MELDS),  # in the order of opening, packed as melds.py says
    ("scores", "<i4", MAX_SEATS),  # the match score, whole points by seat
    ("points", "<i4", MAX_SEATS),  # of the last finished round, whole points by seat
    # The rules (rules.py).
    ("target", "<i2"),
    ("hand_bonus", "<i2", 2),  # if another side has melded, if none has; NO_BONUS: B7.2
    ("max_turns", "<i2"),
    ("max_rounds", "<i2"),
    # Counters of the round and the match.
    ("turns", "<i2"),  # turns ended in this round
    ("rounds", "<i2"),  # rounds ended in this match
    ("num_players", "i1"),  # 2..4
    ("partners", "i1"),
    ("episode", "i1"),  # ROUND_EPISODE, MATCH_EPISODE
    ("partner_sum", "i1"),
    ("cutter_takes_wilds", "i1"),
    ("unplayed_score_zero", "i1"),
    ("upcard", "i1"),
    ("fixed_wilds", "i1"),
    ("ace_value", "i1"),  # half points
    ("discard_taken", "i1"),
    ("set_joker_exchange", "i1"),
    ("score_exhausted", "i1"),
    ("dealer", "i1"),
    ("seat", "i1"),  # to move; when over, the last to move
    ("phase", "i1"),
    ("ending", "i1"),
    ("winner", "i1"),  # the seat that went out, or the first seat of the side that won the match; NO_SEAT
    ("taken", "i1"),  # the card taken alone in this turn, or NO_FACE
    ("banned", "i1"),  # the same if it may not be discarded (B2.4), or NO_FACE
    ("played", "i1"),  # something was played to the table in this turn
    ("in_one_turn", "i1"),  # the turn began with nothing melded (B7.2)
    ("circling", "i1"),  # turns in a row that took the top card and discarded it (B9.9)
    ("had_turn", "i1"),  # seats that have ended a turn since the deal, a mask (B9.3)
    ("pending", "<i2"),  # CHOOSE: the action that named the card; else 0
    ("named", "i1"),  # CHOOSE: the card named, or NO_FACE
    ("num_melds", "i1"),
    ("melds_of", "i1", MAX_SEATS),
    ("hand_size", "i1", MAX_SEATS),
    ("stock_size", "i1"),
    ("pile_size", "i1"),
    ("stock", "i1", PACK_SIZE),  # the next card is stock[stock_size - 1]
    ("pile", "i1", PACK_SIZE),  # the top card is pile[pile_size - 1]
    # What the pack leaves out (pack.py); all zero for the full one. They end at a multiple of 8 bytes: rows of a batch
    # stay aligned.
    ("fewer_ranks", "i1", 2),  # ranks below the lowest, above the highest of the pack
    ("fewer_suits", "i1"),  # from spades down
    ("fewer_copies", "i1"),  # ONE_OF_EACH + NO_TWOS + JOKER_LESS for every Joker left out
    ("fewer_dealt", "i1"),  # cards fewer than 18 that everybody is dealt
]
STATE = np.dtype((np.record, _FIELDS))  # np.record: fields are attributes in the interpreter too


@inlined
def to_move(state: Any) -> int:
    """The seat to move; when over, the last to move."""
    return wide(state.seat)


@inlined
def meld_in(state: Any, slot: int) -> int:
    """The meld in this place of the order of opening."""
    return wide(state.melds[slot])


@inlined
def side_of(state: Any, seat: int) -> int:
    """The side a seat plays for: partners sit opposite (B1.2)."""
    return seat & 1 if state.partners else seat


@inlined
def num_sides(state: Any) -> int:
    """How many sides there are."""
    return 2 if state.partners else state.num_players


@inlined
def next_seat(state: Any, seat: int) -> int:
    """The seat that plays after this one."""
    return seat + 1 if seat + 1 < state.num_players else wide(0)


@compiled
def gain(cards: Any, seat: int, face: int) -> None:
    """Put a card into one seat's masks, `hands` or `known`."""
    bit = wide(1) << face
    if cards[seat, 0] & bit:
        cards[seat, 1] |= bit
    else:
        cards[seat, 0] |= bit


@compiled
def lose(cards: Any, seat: int, face: int) -> None:
    """Take a card out of one seat's masks; nothing happens when it is not there."""
    bit = wide(1) << face
    if cards[seat, 1] & bit:
        cards[seat, 1] &= ~bit
    else:
        cards[seat, 0] &= ~bit


@compiled
def leave_hand(state: Any, seat: int, face: int) -> None:
    """A card leaves a hand for table or pile, before everybody's eyes."""
    lose(state.hands, seat, face)
    lose(state.known, seat, face)
    state.hand_size[seat] -= 1


@compiled
def enter_hand(state: Any, seat: int, face: int, seen: bool) -> None:
    """A card comes into a hand; `seen`: everybody knows which."""
    gain(state.hands, seat, face)
    if seen:
        gain(state.known, seat, face)
    state.hand_size[seat] += 1


@inlined
def draw_stock(state: Any) -> int:
    """Take the next card off the stock, which must not be empty."""
    state.stock_size -= 1
    face = wide(state.stock[state.stock_size])
    state.stock[state.stock_size] = 0
    return face


@inlined
def push_pile(state: Any, face: int) -> None:
    """Lay a card on the pile."""
    state.pile[state.pile_size] = face
    state.pile_size += 1


@inlined
def begin_turn(state: Any, seat: int, phase: int) -> None:
    """It is this seat's turn."""
    state.seat = seat
    state.phase = phase
    state.taken = NO_FACE
    state.banned = NO_FACE
    state.played = 0
    state.in_one_turn = state.melds_of[seat] == 0


@compiled
def clear_table(state: Any) -> None:
    """Take away all cards and what the deal has seen; rules, generator, scores and the count of turns stay."""
    for seat in range(MAX_SEATS):
        for copy in range(COPIES):
            state.hands[seat, copy] = 0
            state.known[seat, copy] = 0
        state.hand_size[seat] = 0
        state.melds_of[seat] = 0
    for i in range(MAX_MELDS):
        state.melds[i] = 0
    for i in range(PACK_SIZE):
        state.stock[i] = 0
        state.pile[i] = 0
    state.stock_size = 0
    state.pile_size = 0
    state.num_melds = 0
    state.circling = 0
    state.had_turn = 0
    state.pending = 0
    state.named = NO_FACE


@compiled
def _cut(state: Any, cutter: int) -> int:
    """B9.2: the cutter lifts a part, takes the wilds from its bottom, and it goes under. How many were taken.

    The lifted part is of 11 to 105 cards, one more than there are wilds, so that a natural always shows; of a smaller
    pack likewise.
    """
    pack_size, wilds = wide(state.stock_size), wide(0)
    for i in range(pack_size):
        wilds += state.stock[i] >= TWO
    below = random_below(state, pack_size - wilds - 1) + 1
    bottom = below
    while state.stock[bottom] >= TWO:
        enter_hand(state, cutter, wide(state.stock[bottom]), False)
        bottom += 1
    for i in range(pack_size):
        state.pile[i] = state.stock[i]
    size = pack_size - (bottom - below)
    for i in range(pack_size - bottom):
        state.stock[i] = state.pile[bottom + i]
    for i in range(below):
        state.stock[pack_size - bottom + i] = state.pile[i]
    for i in range(size, pack_size):
        state.stock[i] = 0
    for i in range(pack_size):
        state.pile[i] = 0
    state.stock_size = size
    return bottom - below


@compiled
def lay_pack(state: Any) -> None:
    """Make the stock of a cleared table the whole pack (B1.1, B10), in the order of its faces."""
    one, two = faces_in_pack(state), pairs_in_pack(state)
    size = wide(0)
    for face in range(NUM_FACES):
        for _ in range((one >> face & 1) + (two >> face & 1)):
            state.stock[size] = face
            size += 1
    state.stock_size = size


@compiled
def deal(state: Any) -> None:
    """Shuffle and deal (B1.3, B10.3; B9.2, B9.4); the seat after the dealer begins."""
    clear_table(state)
    lay_pack(state)
    shuffle(state, state.stock, wide(state.stock_size))
    deal_out(state)


@compiled
def deal_out(state: Any) -> None:
    """Give everybody their cards off the stock, seat by seat, and turn one up."""
    first = next_seat(state, wide(state.dealer))
    if state.cutter_takes_wilds:
        _cut(state, (state.dealer if state.dealer else state.num_players) - wide(1))
    for seat in range(wide(state.num_players)):
        size = HAND_SIZE - state.fewer_dealt + (seat == first and not state.upcard)
        while state.hand_size[seat] < size:
            enter_hand(state, seat, draw_stock(state), False)
    if state.upcard:
        push_pile(state, draw_stock(state))
    begin_turn(state, first, DRAW if state.upcard else PLAY)


@inlined
def start_round(state: Any) -> None:
    """Deal the next round of the episode."""
    state.turns = 0
    deal(state)


@compiled
def start_episode(state: Any) -> None:
    """A new round or match with the same rules, from the generator as it stands; seat 0 begins."""
    for seat in range(MAX_SEATS):
        state.scores[seat] = 0
        state.points[seat] = 0
    state.rounds = 0
    state.ending = RUNNING
    state.winner = NO_SEAT
    state.dealer = state.num_players - 1
    start_round(state)


@compiled
def start(state: Any, seed: int) -> None:
    """A new round or match from `seed` (uint64)."""
    seed_generator(state, seed)
    start_episode(state)


@inlined
def count_in_hand(state: Any, seat: int, face: int) -> int:
    """How many cards of a face the seat holds."""
    return (state.hands[seat, 0] >> face & 1) + (state.hands[seat, 1] >> face & 1)
