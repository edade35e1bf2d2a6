"""What is on the table? The record that is the whole game, the deal (B1.3, B9.2, B9.4), and cards changing hands.

`STATE` holds rules, generator, match and round; no padding, no object, no pointer. `state.tobytes()` is the save file.
Cells that hold nothing are zero, so that equal games have equal bytes.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import wide
from banakil_env.core.fields import Field, Fields
from banakil_env.core.jit import compiled, inlined
from banakil_env.core.random import random_below, seed_generator, shuffle
from banakil_env.games.banakil.faces import COPIES, NO_FACE, NUM_FACES, NUM_RANKS, NUM_SUITS, PACK_SIZE, TWO
from banakil_env.games.banakil.pack import faces_in_pack, pairs_in_pack
from banakil_env.games.banakil.rules import HIGHEST_TARGET, MOST_BONUS, MOST_ROUNDS, MOST_TURNS
from banakil_env.kit.table_state import pop_stock, push_pile

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

ROUND_EPISODE, MATCH_EPISODE = range(2)

NO_SEAT = -1
NO_BONUS = -1

_FACES = (1 << NUM_FACES) - 1
_MELDS = (1 << 29) - 1  # of packed melds (melds.py)
# The most that a side wins or loses in a round, whole points. All cards of the pack are 108, going out is 20 or 40, a
# player without a meld loses 20, and a side is two players at most: less than what the bonus of a hand may be (B9.8).
MOST_POINTS = MOST_BONUS
MAX_GIVEN_SCORE = 7000  # that a match may begin with
MAX_SCORE = MAX_GIVEN_SCORE + MOST_ROUNDS * MOST_POINTS  # in a match, whole points either way; 16 bits hold it
_LAST_ACTION = 798  # of the table (actions.py, which is made from this file)


def _seats(name: str, note: str, highest: int, lowest: int = 0, dtype: str | None = None) -> Field:
    return Field(name, note, highest, (MAX_SEATS,), lowest, dtype=dtype)


STATE_FIELDS = Fields(
    Field("hands", "the cards of each seat as two masks of faces: at least one; both", _FACES, (MAX_SEATS, COPIES)),
    Field("known", "those that everybody knows to be there (B2.6, B5.3)", _FACES, (MAX_SEATS, COPIES)),
    Field("rng", "the generator (core.random)", 2**64 - 1),
    Field("melds", "in the order of opening, packed as melds.py says", _MELDS, (MAX_MELDS,), dtype="<i4"),
    _seats("scores", "the match score, whole points by seat", MAX_SCORE, -MAX_SCORE, "<i4"),
    _seats("points", "of the last finished round, whole points by seat", MAX_SCORE, -MAX_SCORE, "<i4"),
    # The rules (rules.py).
    Field("target", "the match score to reach", HIGHEST_TARGET, lowest=1, dtype="<i2"),
    Field(
        "hand_bonus",
        "if another side has melded, if none has; NO_BONUS: B7.2",
        MOST_BONUS,
        (2,),
        NO_BONUS,
    ),
    Field("max_turns", "turns after which a round ends unscored", MOST_TURNS, lowest=1, dtype="<i2"),
    Field("max_rounds", "rounds after which a match ends", MOST_ROUNDS, lowest=1, dtype="<i2"),
    # Counters of the round and the match.
    Field("turns", "turns ended in this round", MOST_TURNS, dtype="<i2"),
    Field("rounds", "rounds ended in this match", MOST_ROUNDS, dtype="<i2"),
    Field("num_players", "2..4", MAX_SEATS, lowest=2, dtype="i1"),
    Field("partners", "partners play", dtype="i1"),
    Field("episode", "ROUND_EPISODE, MATCH_EPISODE", dtype="i1"),
    Field("partner_sum", "B9.1", dtype="i1"),
    Field("cutter_takes_wilds", "B9.2", dtype="i1"),
    Field("unplayed_score_zero", "B9.3", dtype="i1"),
    Field("upcard", "B9.4", dtype="i1"),
    Field("fixed_wilds", "B9.5", dtype="i1"),
    Field("ace_value", "half points", 3, lowest=2, dtype="i1"),
    Field("discard_taken", "B9.9", dtype="i1"),
    Field("set_joker_exchange", "B9.10", dtype="i1"),
    Field("score_exhausted", "B9.11", dtype="i1"),
    Field("dealer", "a seat", MAX_SEATS - 1, dtype="i1"),
    Field("seat", "to move; when over, the last to move", MAX_SEATS - 1, dtype="i1"),
    Field("phase", "DRAW, PLAY, CHOOSE, OVER", OVER, dtype="i1"),
    Field("ending", "how the last round, or the game, ended", ROUNDS, dtype="i1"),
    Field(
        "winner",
        "the seat that went out, or the first seat of the side that won the match; NO_SEAT",
        MAX_SEATS - 1,
        lowest=NO_SEAT,
        dtype="i1",
    ),
    Field("taken", "the card taken alone in this turn, or NO_FACE", NO_FACE, dtype="i1"),
    Field("banned", "the same if it may not be discarded (B2.4), or NO_FACE", NO_FACE, dtype="i1"),
    Field("played", "something was played to the table in this turn", dtype="i1"),
    Field("in_one_turn", "the turn began with nothing melded (B7.2)", dtype="i1"),
    Field("circling", "turns in a row that took the top card and discarded it (B9.9)", MAX_SEATS, dtype="i1"),
    Field("had_turn", "seats that have ended a turn since the deal, a mask (B9.3)", 2**MAX_SEATS - 1, dtype="i1"),
    Field("pending", "CHOOSE: the action that named the card; else 0", _LAST_ACTION, dtype="<i2"),
    Field("named", "CHOOSE: the card named, or NO_FACE", NO_FACE, dtype="i1"),
    Field("num_melds", "melds on the table", MAX_MELDS, dtype="i1"),
    _seats("melds_of", "melds of each seat", MAX_MELDS, dtype="i1"),
    _seats("hand_size", "cards in each hand", PACK_SIZE, dtype="i1"),
    Field("stock_size", "cards in the stock", PACK_SIZE, dtype="i1"),
    Field("pile_size", "cards in the pile", PACK_SIZE, dtype="i1"),
    Field("stock", "the next card is stock[stock_size - 1]", NUM_FACES - 1, (PACK_SIZE,), dtype="i1"),
    Field("pile", "the top card is pile[pile_size - 1]", NUM_FACES - 1, (PACK_SIZE,), dtype="i1"),
    # What the pack leaves out (pack.py); all zero for the full one. They end at a multiple of 8 bytes: rows of a batch
    # stay aligned.
    Field("fewer_ranks", "ranks below the lowest, above the highest of the pack", NUM_RANKS - 3, (2,), dtype="i1"),
    Field("fewer_suits", "from spades down", NUM_SUITS - 1, dtype="i1"),
    Field("fewer_copies", "ONE_OF_EACH + NO_TWOS + JOKER_LESS for every Joker left out", 11, dtype="i1"),
    Field("fewer_dealt", "cards fewer than 18 that everybody is dealt", HAND_SIZE - 1, dtype="i1"),
)
STATE = STATE_FIELDS.dtype


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
            enter_hand(state, seat, pop_stock(state), False)
    if state.upcard:
        push_pile(state, pop_stock(state))
    begin_turn(state, first, DRAW if state.upcard else PLAY)


@inlined
def start_round(state: Any) -> None:
    """Deal the next round of the episode."""
    state.turns = 0
    deal(state)


@inlined
def round_of(state: Any) -> None:
    """Make it an episode of one round, which ends where this one does."""
    state.episode = ROUND_EPISODE


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
