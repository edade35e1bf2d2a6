"""Is a record a position of Banakil? What the bounds of its fields do not say: cards counted, sizes, melds, the turn.

A record that passes can be played on without an access out of range, and so can every state that follows: the
conditions below hold before and after every action, every deal and every hidden deal. Harmless positions that no play
leads to also pass (a hand of two cards at the first turn), so that tests and users can set them up. The states that
`hidden.suppose` makes from observations pass too.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import highest, lowest, popcount, wide
from banakil_env.core.jit import compiled, inlined
from banakil_env.core.scratch import scratch
from banakil_env.games.banakil.actions import ADD, ADD_JOKER_LOW, ADD_TWO_LOW, DISCARD, SWAP
from banakil_env.games.banakil.faces import (
    ALL_RANKS,
    ALL_TWOS,
    COPIES,
    JOKER,
    NO_FACE,
    NUM_RANKS,
    NUM_SUITS,
    PACK_SIZE,
    TWO,
)
from banakil_env.games.banakil.melds import (
    ACES,
    NOWHERE,
    faces_of,
    is_set,
    joker_at,
    joker_of,
    kind_of,
    naturals_of,
    occupied_ranks,
    owner_of,
    two_at,
    two_of,
)
from banakil_env.games.banakil.pack import faces_in_pack, pairs_in_pack
from banakil_env.games.banakil.rules import FIXED
from banakil_env.games.banakil.scoring import match_winner
from banakil_env.games.banakil.state import (
    MAX_MELDS,
    MAX_SCORE,
    MAX_SEATS,
    MAX_TAKE,
    MOST_POINTS,
    NO_BONUS,
    meld_in,
    side_of,
)
from banakil_env.kit.table_state import CHOOSE, DRAW, EXHAUSTED, MATCH, NO_SEAT, OUT, OVER, ROUNDS, RUNNING, TURNS

FAULTS = (
    "partners are four",
    "the pack is too small or too large for these hands (B10.4)",
    "the cutter could take more wild cards than a hand has (B9.2)",
    "one of the two bonuses of a hand is missing (B9.8)",
    "dealer, seat to move or winner is a seat that does not play",
    "a seat that does not play has cards, melds, points or a turn",
    "a hand size is not the number of cards in the hand",
    "cards that are known to be in a hand are not there",
    "a cell of hands, melds, pile or stock that should be empty is not",
    "a meld is not valid",
    "the number of melds of a seat is not that of the melds it owns",
    "the cards are not those of the pack",
    "a hand is empty, and the round goes on",
    "the round or the match has an ending or a winner, and goes on",
    "the turns or the rounds are used up, and the game goes on",
    "it has not ended in the way that it says",
    "a turn that begins with the draw has no past",
    "the card taken, or the one that may not be discarded, does not agree with the phase or the rules (B2.4)",
    "a seat without melds has melded nothing before this turn",
    "a card is named, or an addition or exchange waits, in another phase than choose",
    "what waits for its meld is no addition or exchange of the card named, or that card is not known to be in the hand",
    "the deal is void after this number of turns in which one card goes round (B9.9)",
    "two partners have different scores",
    "the scores could leave their range before the match is out of rounds",
)
(
    PARTNERS, DEALT, CUT, BONUS, SEATS, IDLE_SEAT, HAND_SIZES, KNOWN, NOT_EMPTY, MELD, MELDS_OF, CARDS,
    EMPTY_HAND, GOES_ON, USED_UP, ENDING, DRAWING, TAKEN, IN_ONE_TURN, NAMED, WAITING, CIRCLING, PARTNER_SCORES, SCORES,
) = range(1, len(FAULTS) + 1)  # fmt: skip

LAYERS = COPIES + 1  # of cards counted: one of a face, two, more than there are


@compiled
def check(state: Any) -> int:
    """0, or a place in FAULTS plus 1; every field is within its bounds. See `core.game.Engine`."""
    fault = _of_rules(state)
    if not fault:
        fault = _of_seats(state)
    if not fault:
        fault = _of_cards(state)
    if not fault:
        fault = _of_ending(state) if state.phase == OVER else _of_going_on(state)
    if not fault:
        fault = _of_turn(state)
    return fault


@compiled
def _of_rules(state: Any) -> int:
    """Switches that do not fit together (`setup.blank_state` refuses them with a message)."""
    if state.partners and state.num_players != MAX_SEATS:
        return PARTNERS
    one, two = faces_in_pack(state), pairs_in_pack(state)
    hand_cards = wide(state.rules.hand_cards)
    left = popcount(one) + popcount(two) - state.num_players * hand_cards
    if left < 2 or left > MAX_TAKE:
        return DEALT
    if state.rules.cutter_takes_wilds and popcount(one >> TWO) + popcount(two >> TWO) > hand_cards:
        return CUT
    if (state.rules.hand_bonus[0] == NO_BONUS) != (state.rules.hand_bonus[1] == NO_BONUS):
        return BONUS
    return 0


@compiled
def _of_seats(state: Any) -> int:
    """Hands, what is known of them, and nothing at seats that do not play."""
    players = wide(state.num_players)
    if state.dealer >= players or state.seat >= players or state.winner >= players:
        return SEATS
    if state.had_turn >> players:
        return IDLE_SEAT
    for seat in range(MAX_SEATS):
        one, two = wide(state.hands[seat, 0]), wide(state.hands[seat, 1])
        if two & ~one or popcount(one) + popcount(two) != state.hand_size[seat]:
            return HAND_SIZES
        if wide(state.known[seat, 0]) & ~one or wide(state.known[seat, 1]) & ~(two & wide(state.known[seat, 0])):
            return KNOWN
        if seat >= players and (one or state.melds_of[seat] or state.scores[seat] or state.points[seat]):
            return IDLE_SEAT
        if state.scores[seat] != state.scores[side_of(state, wide(seat))]:
            return PARTNER_SCORES
    return 0


@inlined
def _count(counts: Any, faces: int) -> None:
    """Count one card of each face of a mask: `counts[k]` is the mask of those seen more than k times."""
    counts[2] |= counts[1] & faces
    counts[1] |= counts[0] & faces
    counts[0] |= faces


@compiled
def _of_cards(state: Any) -> int:
    """Every card of the pack lies somewhere, every meld is one, and cells that hold nothing are zero."""
    counts = scratch(LAYERS)
    for i in range(LAYERS):
        counts[i] = 0
    for seat in range(wide(state.num_players)):
        _count(counts, wide(state.hands[seat, 0]))
        _count(counts, wide(state.hands[seat, 1]))
    num_melds, owners = wide(state.num_melds), wide(0)  # of owners, how many melds: eight bits a seat
    for slot in range(MAX_MELDS):
        meld = meld_in(state, slot)
        if slot >= num_melds:
            if meld:
                return NOT_EMPTY
        elif owner_of(meld) >= state.num_players or not is_meld(meld, state.rules.wilds == FIXED):
            return MELD
        else:
            owners += wide(1) << 8 * owner_of(meld)
            _count(counts, faces_of(meld))
    for seat in range(MAX_SEATS):
        if owners >> 8 * seat & 0xFF != state.melds_of[seat]:
            return MELDS_OF
    pile_size, stock_size = wide(state.pile_size), wide(state.stock_size)
    beyond = wide(0)
    for i in range(pile_size):
        _count(counts, wide(1) << state.pile[i])
    for i in range(pile_size, PACK_SIZE):
        beyond |= state.pile[i]
    for i in range(stock_size):
        _count(counts, wide(1) << state.stock[i])
    for i in range(stock_size, PACK_SIZE):
        beyond |= state.stock[i]
    if beyond:
        return NOT_EMPTY
    same = counts[0] == faces_in_pack(state) and counts[1] == pairs_in_pack(state) and counts[2] == 0
    return 0 if same else CARDS


@compiled
def is_meld(meld: int, fixed: bool) -> bool:
    """Whether a number is a meld that can lie on the table (B3, B4, B9.5; the packing is that of melds.py)."""
    naturals, two, joker = naturals_of(meld), two_of(meld), joker_of(meld)
    size = popcount(naturals) + (two != 0) + joker
    if kind_of(meld) == 0 or kind_of(meld) > ACES or naturals == 0 or two > NUM_SUITS or size < 3:
        return False
    if is_set(meld) or not fixed:
        if two_at(meld) != NOWHERE or joker_at(meld) != NOWHERE:
            return False
        if is_set(meld):
            return two == 0 and size <= NUM_SUITS and naturals >> NUM_SUITS == 0
        if naturals == ALL_RANKS:  # a Two may have stayed as the thirteenth card (B3.3)
            return joker == 0
        return size <= NUM_RANKS and highest(naturals) - lowest(naturals) + 1 <= size
    if two_at(meld) > NOWHERE or joker_at(meld) > NOWHERE or (joker_at(meld) != NOWHERE) != (joker != 0):
        return False
    if two == 0 and two_at(meld) != NOWHERE:
        return False
    ranks = occupied_ranks(meld)
    thirteenth = wide(two != 0 and two_at(meld) == NOWHERE)
    if thirteenth and naturals != ALL_RANKS:
        return False
    return popcount(ranks) + thirteenth == size and highest(ranks) - lowest(ranks) + 1 == popcount(ranks)


@compiled
def _of_going_on(state: Any) -> int:
    """Turns and rounds are left, every seat has cards, and the scores stay within bounds to the end of the match."""
    if state.ending != RUNNING or state.winner != NO_SEAT:
        return GOES_ON
    if state.turns >= state.rules.max_turns or state.rounds >= state.rules.max_rounds:
        return USED_UP
    if state.circling >= state.num_players:
        return CIRCLING
    most = MAX_SCORE - MOST_POINTS * (wide(state.rules.max_rounds) - wide(state.rounds))
    for seat in range(wide(state.num_players)):
        if state.hand_size[seat] == 0:
            return EMPTY_HAND
        if state.scores[seat] > most or state.scores[seat] < -most:
            return SCORES
    return 0


@compiled
def _of_ending(state: Any) -> int:
    """The ending agrees with the table and the scores (B6, B8.2)."""
    if state.rounds > state.rules.max_rounds or state.turns > state.rules.max_turns:
        return USED_UP
    if state.circling > state.num_players:
        return CIRCLING
    right = False
    if state.ending == OUT:
        right = not state.episode and state.winner == state.seat and state.hand_size[state.seat] == 0
    elif state.ending == EXHAUSTED:
        right = not state.episode and state.winner == NO_SEAT and state.stock_size == 0
    elif state.ending == TURNS:
        right = not state.episode and state.winner == NO_SEAT and state.turns == state.rules.max_turns
    elif state.ending == MATCH:
        right = state.episode != 0 and state.winner != NO_SEAT and state.winner == match_winner(state)
    elif state.ending == ROUNDS:
        right = state.episode != 0 and state.winner == NO_SEAT and state.rounds == state.rules.max_rounds
    if not right:
        return ENDING
    for seat in range(wide(state.num_players)):
        if state.hand_size[seat] == 0 and (seat != state.seat or state.ending == EXHAUSTED or state.ending == TURNS):
            return ENDING
    return 0


@compiled
def _of_turn(state: Any) -> int:
    """Phase, the card taken, the card that waits for its meld, and what was melded before."""
    seat, melded = wide(state.seat), state.melds_of[state.seat] != 0
    if state.banned != NO_FACE and (state.banned != state.taken or state.rules.discard_taken):
        return TAKEN
    if not melded and not state.in_one_turn:
        return IN_ONE_TURN
    if state.phase == DRAW:
        if state.taken != NO_FACE:
            return TAKEN
        if state.played or (melded and state.in_one_turn):
            return DRAWING
    if state.phase != CHOOSE:
        return NAMED if state.pending or state.named != NO_FACE else 0
    pending, named = wide(state.pending), wide(state.named)
    if pending < ADD or pending >= DISCARD or named == NO_FACE or not melded:
        return WAITING
    if pending >= SWAP:
        said = wide(1) << (pending - SWAP)
    elif pending >= ADD_JOKER_LOW:
        said = wide(1) << JOKER
    elif pending >= ADD_TWO_LOW:
        said = wide(ALL_TWOS)
    else:
        said = wide(1) << (pending - ADD)
    return 0 if said & wide(state.known[seat, 0]) & wide(1) << named else WAITING
