"""What does a seat see? The one writer of observations.

Everything that the rules make public and the seat's own hand, nothing else. Seats are relative: 0 is oneself, 1 the
next to play. What a seat may not see is hidden here and nowhere else; a test deals the hidden cards anew and finds
the same bytes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.core.bits import clear_record, wide, write_bits, write_counts
from banakil_env.core.jit import compiled, inlined
from banakil_env.games.banakil.actions import ADD_JOKER_LOW, ADD_TWO_LOW, SWAP
from banakil_env.games.banakil.faces import COPIES, NO_FACE, NUM_FACES, NUM_RANKS, NUM_SUITS, PACK_SIZE
from banakil_env.games.banakil.melds import (
    NOWHERE,
    joker_at,
    joker_of,
    kind_of,
    naturals_of,
    owner_of,
    two_at,
    two_of,
)
from banakil_env.games.banakil.pack import JOKER_LESS, NO_TWOS, ONE_OF_EACH
from banakil_env.games.banakil.state import (
    CHOOSE,
    HAND_SIZE,
    MAX_MELDS,
    MAX_SEATS,
    MAX_TAKE,
    OVER,
)

NUM_PHASES = OVER + 1

# Cells of `meld_cards`.
NATURAL_CELL, TWO_CELL, JOKER_CELL = 1, 2, 3

_FIELDS: list[Any] = [
    # name, type, shape, the highest value, what it says
    ("hand", "u1", (NUM_FACES,), COPIES, "how many cards of each face are in the own hand"),
    (
        "known",
        "u1",
        (MAX_SEATS, NUM_FACES),
        COPIES,
        "how many cards of each face everybody knows to be in each hand: taken from the pile or exchanged",
    ),
    (
        "pile",
        "u1",
        (NUM_FACES, COPIES),
        MAX_TAKE,
        "how many cards to take to get the first and the second card of each face from the pile; 0: not there",
    ),
    ("meld_owner", "u1", (MAX_MELDS,), MAX_SEATS, "1 + the seat that owns the meld; 0: no such meld"),
    ("meld_kind", "u1", (MAX_MELDS,), 6, "1-4 a sequence of clubs, diamonds, hearts, spades; 5 Threes, 6 Aces"),
    ("meld_two", "u1", (MAX_MELDS,), 4, "1 + the suit of the Two in the meld; 0: none"),
    ("meld_joker", "u1", (MAX_MELDS,), 1, "a Joker is in the meld"),
    (
        "meld_cards",
        "u1",
        (MAX_MELDS, NUM_RANKS),
        JOKER_CELL,
        "by rank (of a set: by suit) 1 a natural; under fixed wilds 2 the Two, 3 the Joker at its place",
    ),
    ("hand_size", "u1", (MAX_SEATS,), PACK_SIZE, "cards in each hand"),
    ("melded", "u1", (MAX_SEATS,), 1, "the seat has opened a meld"),
    ("had_turn", "u1", (MAX_SEATS,), 1, "the seat has ended a turn since the deal"),
    ("to_move", "u1", (MAX_SEATS,), 1, "the seat is to move; of none when the game is over"),
    ("dealer", "u1", (MAX_SEATS,), 1, "the seat deals"),
    ("phase", "u1", (NUM_PHASES,), 1, "draw, play, choose a meld, over"),
    ("taken", "u1", (), NUM_FACES, "1 + the face taken alone from the pile in this turn; 0: none"),
    ("banned", "u1", (), NUM_FACES, "1 + the face that may not be discarded, to the seat to move only; 0: none"),
    ("named", "u1", (), NUM_FACES, "1 + the face that waits for its meld; 0: none"),
    ("swapping", "u1", (), 1, "the card that waits is to be exchanged for a Joker"),
    ("waiting_low", "u1", (), 1, "the wild that waits is to be added at the low end"),
    ("played", "u1", (), 1, "something was played to the table in this turn"),
    ("in_one_turn", "u1", (), 1, "the turn began with nothing melded"),
    ("circling", "u1", (), MAX_SEATS, "turns in a row that took the top card and discarded it"),
    ("stock_size", "u1", (), PACK_SIZE, "cards in the stock"),
    ("pile_size", "u1", (), PACK_SIZE, "cards in the pile"),
    ("ending", "u1", (), 5, "0 running; 1 out, 2 exhausted, 3 out of turns, 4 match won, 5 match out of rounds"),
    ("num_players", "u1", (), MAX_SEATS, "players"),
    ("partners", "u1", (), 1, "partners play"),
    ("episode", "u1", (), 1, "0 a round, 1 a match"),
    ("partner_sum", "u1", (), 1, "rule B9.1"),
    ("cutter_takes_wilds", "u1", (), 1, "rule B9.2"),
    ("unplayed_score_zero", "u1", (), 1, "rule B9.3"),
    ("upcard", "u1", (), 1, "rule B9.4: 1 a card is turned up"),
    ("fixed_wilds", "u1", (), 1, "rule B9.5"),
    ("ace_value", "u1", (), 3, "rule B9.7, in half points"),
    ("has_hand_bonus", "u1", (), 1, "rule B9.8 is on"),
    ("hand_bonus", "u1", (2,), 250, "rule B9.8: what a hand scores if another side has melded, and if none has"),
    ("discard_taken", "u1", (), 1, "rule B9.9"),
    ("set_joker_exchange", "u1", (), 1, "rule B9.10: 1 a Joker may be exchanged out of a set"),
    ("score_exhausted", "u1", (), 1, "rule B9.11"),
    # They take five bytes: an observation is 1000, and the numbers wider than a byte that follow are aligned.
    ("fewer_ranks", "u1", (2,), NUM_RANKS - 3, "rule B10.1: ranks that the pack leaves out, below and above"),
    ("fewer_suits", "u1", (), NUM_SUITS - 1, "rule B10.1: suits that the pack leaves out, from spades down"),
    (
        "fewer_copies",
        "u1",
        (),
        ONE_OF_EACH + NO_TWOS + JOKER_LESS * COPIES,
        "rule B10.1: 1 with one of each natural and Two; 2 more without Twos; 4 more for each Joker left out",
    ),
    ("fewer_dealt", "u1", (), HAND_SIZE - 1, "rule B10.1: cards fewer than 18 that everybody is dealt"),
    ("scores", "<i2", (MAX_SEATS,), None, "the match score of each seat, whole points"),
    ("target", "<i2", (), None, "the match score to reach"),
    ("turns_left", "<u2", (), None, "turns until the round ends unscored"),
    ("rounds_left", "<u2", (), None, "rounds until the match ends undecided"),
]

OBSERVATION = np.dtype((np.record, [(name, kind, shape) for name, kind, shape, _, _ in _FIELDS]))
FIELD_NOTES = {name: note for name, _, _, _, note in _FIELDS}


def _highest_bytes() -> Any:
    """The highest value of every byte of an observation, uint8; 255 for the bytes of numbers wider than one."""
    bounds = [
        np.full(np.dtype((kind, shape)).itemsize, 255 if high is None else high, np.uint8)
        for _, kind, shape, high, _ in _FIELDS
    ]
    return np.concatenate(bounds)


HIGHEST = _highest_bytes()


@compiled
def observe(state: Any, seat: int, out: Any) -> None:
    """Write what `seat` sees into `out`, a record of OBSERVATION."""
    clear_record(out)
    _write_cards(state, seat, out)
    _write_melds(state, seat, out)
    _write_seats(state, seat, out)
    _write_turn(state, seat, out)
    _write_rules(state, out)


@compiled
def _write_cards(state: Any, seat: int, out: Any) -> None:
    write_counts(out.hand, 0, state.hands[seat, 0], state.hands[seat, 1], NUM_FACES)
    other = seat
    for relative in range(state.num_players):
        write_counts(out.known[relative], 0, state.known[other, 0], state.known[other, 1], NUM_FACES)
        other = other + 1 if other + 1 < state.num_players else 0
    pile = out.pile
    size = state.pile_size
    for depth in range(1, min(size, MAX_TAKE) + 1):
        face = state.pile[size - depth]
        pile[face, 0 if pile[face, 0] == 0 else 1] = depth
    out.stock_size = state.stock_size
    out.pile_size = size


@inlined
def _relative(players: int, seat: int, other: int) -> int:
    """The place of `other` in the order of play, from `seat` on."""
    return other - seat + players * (other < seat)


@compiled
def _write_melds(state: Any, seat: int, out: Any) -> None:
    owners, kinds, twos, jokers, cards = (
        out.meld_owner,
        out.meld_kind,
        out.meld_two,
        out.meld_joker,
        out.meld_cards,
    )
    players = wide(state.num_players)
    # One loop without a branch, which the compiler makes vectors of: slots without a meld are written like the others.
    for slot in range(MAX_MELDS):
        meld = state.melds[slot]
        owners[slot] = (1 + _relative(players, seat, owner_of(meld))) * (kind_of(meld) != 0)
        kinds[slot] = kind_of(meld)
        twos[slot] = two_of(meld)
        jokers[slot] = joker_of(meld)
    for slot in range(wide(state.num_melds)):
        meld = wide(state.melds[slot])
        write_bits(cards[slot], 0, naturals_of(meld), NUM_RANKS)
        if state.fixed_wilds:
            if two_of(meld) and two_at(meld) != NOWHERE:
                cards[slot, two_at(meld)] = TWO_CELL
            if joker_of(meld) and joker_at(meld) != NOWHERE:
                cards[slot, joker_at(meld)] = JOKER_CELL


@compiled
def _write_seats(state: Any, seat: int, out: Any) -> None:
    other = seat
    for relative in range(state.num_players):
        out.hand_size[relative] = state.hand_size[other]
        out.melded[relative] = state.melds_of[other] != 0
        out.had_turn[relative] = state.had_turn >> other & 1
        out.scores[relative] = state.scores[other]
        other = other + 1 if other + 1 < state.num_players else 0
    if state.phase != OVER:
        out.to_move[_relative(wide(state.num_players), seat, wide(state.seat))] = 1
    out.dealer[_relative(wide(state.num_players), seat, wide(state.dealer))] = 1


@compiled
def _one_more(face: int) -> int:
    """1 + the face, 0 for none."""
    return 0 if face == NO_FACE else face + 1


@compiled
def _write_turn(state: Any, seat: int, out: Any) -> None:
    out.phase[state.phase] = 1
    out.taken = _one_more(state.taken)
    # Whether the card taken may be discarded tells whether its player held another: that is for the player alone.
    out.banned = _one_more(state.banned) if state.seat == seat else 0
    out.named = _one_more(state.named)
    out.swapping = state.phase == CHOOSE and state.pending >= SWAP
    out.waiting_low = state.phase == CHOOSE and (state.pending == ADD_TWO_LOW or state.pending == ADD_JOKER_LOW)
    out.played = state.played
    out.in_one_turn = state.in_one_turn
    out.circling = state.circling
    out.ending = state.ending
    out.turns_left = state.max_turns - state.turns
    out.rounds_left = state.max_rounds - state.rounds


@compiled
def _write_rules(state: Any, out: Any) -> None:
    out.num_players = state.num_players
    out.partners = state.partners
    out.episode = state.episode
    out.partner_sum = state.partner_sum
    out.cutter_takes_wilds = state.cutter_takes_wilds
    out.unplayed_score_zero = state.unplayed_score_zero
    out.upcard = state.upcard
    out.fixed_wilds = state.fixed_wilds
    out.ace_value = state.ace_value
    out.has_hand_bonus = state.hand_bonus[0] >= 0
    for i in range(2):
        out.hand_bonus[i] = max(state.hand_bonus[i], 0)
    out.discard_taken = state.discard_taken
    out.set_joker_exchange = state.set_joker_exchange
    out.score_exhausted = state.score_exhausted
    out.target = state.target
    for i in range(2):
        out.fewer_ranks[i] = state.fewer_ranks[i]
    out.fewer_suits = state.fewer_suits
    out.fewer_copies = state.fewer_copies
    out.fewer_dealt = state.fewer_dealt


# The full state, for central critics --------------------------------------------------------------------------------

# What the seat to move sees, and behind it what it does not: every hand, and the stock from the next card on, 1 + face.
FULL_STATE = np.dtype(
    (
        np.record,
        [
            ("observation", OBSERVATION),
            ("hands", "u1", (MAX_SEATS, NUM_FACES)),
            ("stock", "u1", (PACK_SIZE,)),
        ],
    )
)


@compiled
def observe_hidden(state: Any, seat: int, hands: Any, stock: Any) -> None:
    """Write every hand, from `seat` on, and the stock in its order; both arrays are zero before."""
    other = seat
    for relative in range(state.num_players):
        write_counts(hands[relative], 0, state.hands[other, 0], state.hands[other, 1], NUM_FACES)
        other = other + 1 if other + 1 < state.num_players else 0
    for i in range(state.stock_size):
        stock[i] = 1 + state.stock[state.stock_size - 1 - i]
