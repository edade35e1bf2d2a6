"""Writes the observation of a seat; no other module does.

An observation has only the public information and the seat's hand. Seats are relative: 0 is the observer, 1 the next
seat to play. Only this module hides information. A test deals the hidden cards again and expects the same bytes.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.core.bits import clear_record, write_bits, write_counts
from banakil_env.core.fields import COUNTS, DEPTHS, FACE, HIDDEN, MELD_CELLS, SCALED, Field, Fields
from banakil_env.core.jit import compiled
from banakil_env.core.records import copy_fields
from banakil_env.games.banakil.actions import ADD_JOKER_LOW, ADD_TWO_LOW, SWAP
from banakil_env.games.banakil.faces import COPIES, NO_FACE, NUM_FACES, NUM_RANKS, NUM_SUITS, PACK_SIZE
from banakil_env.games.banakil.melds import NOWHERE, joker_at, joker_of, kind_of, naturals_of, owner_of, two_at, two_of
from banakil_env.games.banakil.pack import JOKER_LESS, NO_TWOS, ONE_OF_EACH, write_pack
from banakil_env.games.banakil.rules import FIXED, HAND_SIZE, HIGHEST_TARGET, MOST_BONUS, MOST_ROUNDS, MOST_TURNS, SUM
from banakil_env.games.banakil.state import (
    MAX_MELDS,
    MAX_SCORE,
    MAX_SEATS,
    MAX_TAKE,
    NO_BONUS,
    STATE_FIELDS,
    ace_value_of,
    target_of,
)
from banakil_env.kit.pack54 import count_cards
from banakil_env.kit.seen import relative, turn_seen, write_public
from banakil_env.kit.table_state import (
    CHOOSE,
    DRAW,
    EXHAUSTED,
    MATCH,
    OUT,
    OVER,
    PLAY,
    ROUNDS,
    RUNNING,
    TURNS,
    next_seat,
)

# An observation has its numbers for phases and endings, because networks and recorded games rely on them.
PHASES_SEEN = (DRAW, PLAY, CHOOSE, OVER)
ENDINGS_SEEN = (RUNNING, OUT, EXHAUSTED, TURNS, MATCH, ROUNDS)
DRAW_CELL, PLAY_CELL, CHOOSE_CELL, OVER_CELL = range(4)
PHASE_IN, _CELL_OF = np.array(PHASES_SEEN), np.argsort(PHASES_SEEN)  # the phase of each cell; the cell of each phase
_ENDING_SEEN = np.argsort(ENDINGS_SEEN)

# Values of the cells of `meld_cards`.
NATURAL_CELL, TWO_CELL, JOKER_CELL = 1, 2, 3

OBSERVATION_FIELDS = Fields(
    Field("hand", "cards of each face in the observer's hand", COPIES, (NUM_FACES,), role=COUNTS),
    Field(
        "known",
        "cards of each face that everybody knows to be in each hand: taken from the pile or exchanged",
        COPIES,
        (MAX_SEATS, NUM_FACES),
        role=COUNTS,
    ),
    Field(
        "pile",
        "the number of cards to take to get the first and the second card of each face from the pile; 0: not there",
        MAX_TAKE,
        (NUM_FACES, COPIES),
        role=DEPTHS,
    ),
    Field("meld_owner", "1 + the seat that owns the meld; 0: no such meld", MAX_SEATS, (MAX_MELDS,), role=MELD_CELLS),
    Field(
        "meld_kind",
        "1-4 a sequence of clubs, diamonds, hearts, spades; 5 a set of Threes, 6 of Aces; 0: no such meld",
        6,
        (MAX_MELDS,),
        role=MELD_CELLS,
    ),
    Field("meld_two", "1 + the suit of the Two in the meld; 0: none", 4, (MAX_MELDS,), role=MELD_CELLS),
    Field("meld_joker", "a Joker is in the meld", 1, (MAX_MELDS,), role=MELD_CELLS),
    Field(
        "meld_cards",
        "by rank, or by suit in a set: 1 a natural; under fixed wilds 2 the Two, 3 the Joker, at its place",
        JOKER_CELL,
        (MAX_MELDS, NUM_RANKS),
        role=MELD_CELLS,
    ),
    Field("hand_size", "cards in each hand", PACK_SIZE, (MAX_SEATS,), role=SCALED, scale=13),
    Field("melded", "the seat has opened a meld", shape=(MAX_SEATS,)),
    Field("had_turn", "the seat has ended a turn since the deal", shape=(MAX_SEATS,)),
    *turn_seen("draw, play, choose a meld, over", MAX_SEATS),
    Field("taken", "1 + the face taken alone from the pile in this turn; 0: none", NUM_FACES, role=FACE),
    Field("banned", "1 + the face that may not be discarded, shown to the seat to move; 0: none", NUM_FACES, role=FACE),
    Field("named", "1 + the face that waits for its meld; 0: none", NUM_FACES, role=FACE),
    Field("swapping", "the card that waits will be exchanged for a Joker"),
    Field("waiting_low", "the wild card that waits will be added at the low end"),
    *STATE_FIELDS.shown("played in_one_turn circling stock_size pile_size"),
    Field(
        "ending",
        "0 the game goes on; 1 out, 2 exhausted, 3 limit of turns, 4 match won, 5 limit of rounds",
        5,
        role=HIDDEN,
    ),
    *STATE_FIELDS.shown("num_players partners episode"),
    Field("partner_sum", "rule B9.1: each side adds the points of both its players"),
    Field("cutter_takes_wilds", "rule B9.2: the cutter takes wild cards off the lifted part"),
    Field("unplayed_score_zero", "rule B9.3: a player without a turn scores 0"),
    Field("upcard", "rule B9.4: a card is turned up"),
    Field("fixed_wilds", "rule B9.5: wild cards are fixed at their place"),
    Field("ace_value", "rule B9.7: points of an Ace, in half points", 3, role=SCALED, scale=3),
    Field("has_hand_bonus", "rule B9.8 is on"),
    Field(
        "hand_bonus",
        "rule B9.8: points of a *hand* if another side has melded, and if no side has",
        MOST_BONUS,
        (2,),
        role=SCALED,
        scale=100,
    ),
    Field("discard_taken", "rule B9.9: the card taken alone may be discarded"),
    Field("set_joker_exchange", "rule B9.10: a Joker may be exchanged out of a set"),
    Field("score_exhausted", "rule B9.11: a round that ends with the stock exhausted is scored"),
    Field(
        "fewer_ranks", "rule B10.1: ranks that the pack leaves out, below and above", NUM_RANKS - 3, (2,), role=HIDDEN
    ),
    Field("fewer_suits", "rule B10.1: suits that the pack leaves out, from spades down", NUM_SUITS - 1, role=HIDDEN),
    Field(
        "fewer_copies",
        "rule B10.1: 1 if there is one of each natural and Two; plus 2 without Twos; plus 4 per missing Joker",
        ONE_OF_EACH + NO_TWOS + JOKER_LESS * COPIES,
        role=HIDDEN,
    ),
    Field("fewer_dealt", "rule B10.1: 18 minus the cards dealt to each player", HAND_SIZE - 1, role=HIDDEN),
    Field(
        "scores",
        "the match score of each seat, whole points",
        MAX_SCORE,
        (MAX_SEATS,),
        lowest=-MAX_SCORE,
        role=SCALED,
        scale=100,
        dtype="<i2",
    ),
    Field("target", "the match score to reach", HIGHEST_TARGET, lowest=1, role=SCALED, scale=100, dtype="<i2"),
    Field("turns_left", "turns until the round ends unscored", MOST_TURNS, role=SCALED, scale=100, dtype="<u2"),
    Field("rounds_left", "rounds until the match ends undecided", MOST_ROUNDS, role=SCALED, scale=10, dtype="<u2"),
)
OBSERVATION = OBSERVATION_FIELDS.dtype


# Switches that have the same values in the observation and the rules.
SHARED_SWITCHES = "cutter_takes_wilds unplayed_score_zero upcard discard_taken set_joker_exchange score_exhausted"


@compiled
def observe(state: Any, seat: int, out: Any) -> None:
    """Write the observation of `seat` into `out`, a record of OBSERVATION."""
    clear_record(out)
    _write_cards(state, seat, out)
    _write_melds(state, seat, out)
    _write_seats(state, seat, out)
    _write_turn(state, seat, out)
    _write_rules(state, out)


@compiled
def _write_cards(state: Any, seat: int, out: Any) -> None:
    # `kit.seen.write_hands` would also look for further copies of the Joker, which takes longer.
    write_counts(out.hand, 0, state.hands[seat, 0], state.hands[seat, 1], NUM_FACES)
    other = seat
    for place in range(state.num_players):
        write_counts(out.known[place], 0, state.known[other, 0], state.known[other, 1], NUM_FACES)
        other = next_seat(state, other)
    pile, size = out.pile, state.pile_size
    for depth in range(1, min(size, MAX_TAKE) + 1):
        face = state.pile[size - depth]
        pile[face, 0 if pile[face, 0] == 0 else 1] = depth


@compiled
def _write_melds(state: Any, seat: int, out: Any) -> None:
    owners, kinds, twos, jokers, cards = (
        out.meld_owner,
        out.meld_kind,
        out.meld_two,
        out.meld_joker,
        out.meld_cards,
    )
    players = state.num_players
    # One loop without a branch, which the compiler vectorizes. Slots without a meld are written like the others, so the
    # loop reads only melds.
    for slot in range(MAX_MELDS):
        meld = state.melds[slot]
        owner = owner_of(meld)
        owners[slot] = (1 + owner - seat + players * (owner < seat)) * (kind_of(meld) != 0)
        kinds[slot] = kind_of(meld)
        twos[slot] = two_of(meld)
        jokers[slot] = joker_of(meld)
    for slot in range(state.num_melds):
        meld = state.melds[slot]
        write_bits(cards[slot], 0, naturals_of(meld), NUM_RANKS)
        if state.rules.wilds == FIXED:
            if two_of(meld) and two_at(meld) != NOWHERE:
                cards[slot, two_at(meld)] = TWO_CELL
            if joker_of(meld) and joker_at(meld) != NOWHERE:
                cards[slot, joker_at(meld)] = JOKER_CELL


@compiled
def _write_seats(state: Any, seat: int, out: Any) -> None:
    other = seat
    for place in range(state.num_players):
        out.hand_size[place] = count_cards(state.hands[other])
        out.melded[place] = state.melds_of[other] != 0
        out.had_turn[place] = state.had_turn >> other & 1
        out.scores[place] = state.scores[other]
        other = next_seat(state, other)


@compiled
def _one_more(face: int) -> int:
    """Return 1 + the face, or 0 for no face."""
    return 0 if face == NO_FACE else face + 1


@compiled
def _write_turn(state: Any, seat: int, out: Any) -> None:
    write_public(state, out)
    if state.phase != OVER:
        out.to_move[relative(state, seat, state.seat)] = 1
    out.dealer[relative(state, seat, state.dealer)] = 1
    out.phase[_CELL_OF[state.phase]] = 1
    out.taken = _one_more(state.taken)
    # A ban reveals that the player did not hold another card of the face. Only the player may know this.
    out.banned = _one_more(state.banned) if state.seat == seat else 0
    out.named = _one_more(state.named)
    out.swapping = state.phase == CHOOSE and state.pending >= SWAP
    out.waiting_low = state.phase == CHOOSE and (state.pending == ADD_TWO_LOW or state.pending == ADD_JOKER_LOW)
    out.ending = _ENDING_SEEN[state.ending]
    out.turns_left = state.rules.max_turns - state.turns
    out.rounds_left = state.rules.max_rounds - state.rounds


@compiled
def _write_rules(state: Any, out: Any) -> None:
    """Write the switches into separate fields; networks rely on this order."""
    rules = state.rules
    out.partner_sum = rules.partner_scoring == SUM
    out.fixed_wilds = rules.wilds == FIXED
    out.ace_value = ace_value_of(state)
    out.has_hand_bonus = rules.hand_bonus[0] != NO_BONUS
    for i in range(2):
        out.hand_bonus[i] = max(rules.hand_bonus[i], 0)
    copy_fields(rules, out, SHARED_SWITCHES)
    out.target = target_of(state)
    write_pack(state, out)
