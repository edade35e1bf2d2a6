"""What may be done, and what happens then? The legal moves of every phase beside what each of them does (B2 to B6).

`legal_mask` marks what is legal, `apply` checks one action by the same conditions and carries it out. B2.5 (a play that
leaves its player unable to end the turn is illegal) matters only when every card left would be the banned one; that is
looked into last.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.core.bits import clear_cells, lowest, only_if, popcount, wide, write_bits
from banakil_env.core.jit import compiled, fused, inlined
from banakil_env.core.masks import list_legal
from banakil_env.core.scratch import scratch
from banakil_env.games.banakil.actions import (
    ADD,
    ADD_JOKER_LOW,
    ADD_TWO_LOW,
    ADDITIONS,
    CHOOSE_MELD,
    DISCARD,
    DRAW_STOCK,
    NUM_ACTIONS,
    NUM_NATURAL_SETS,
    NUM_PATTERNS,
    NUM_SET_PATTERNS,
    OPEN_SEQUENCE,
    OPEN_SET,
    PATTERN_JOKER,
    PATTERN_TWO,
    SET_SUITS,
    SWAP,
    TAKE,
    open_sequence_action,
    open_sequence_parts,
    open_set_parts,
)
from banakil_env.games.banakil.faces import (
    ACE,
    ALL_TWOS,
    JOKER,
    NO_FACE,
    NUM_FACES,
    NUM_NATURALS,
    NUM_RANKS,
    NUM_SUITS,
    TWO,
)
from banakil_env.games.banakil.melds import (
    ACES,
    HIGH,
    LOW,
    NOWHERE,
    THREES,
    ends_for_joker,
    ends_for_two,
    naturals_for_joker,
    naturals_that_fit,
    new_meld,
    owner_of,
    with_exchange,
    with_joker,
    with_natural,
    with_two,
)
from banakil_env.games.banakil.scoring import match_winner, score_round
from banakil_env.games.banakil.state import (
    CHOOSE,
    DRAW,
    EXHAUSTED,
    MATCH,
    MATCH_EPISODE,
    MAX_MELDS,
    MAX_TAKE,
    NO_SEAT,
    OUT,
    OVER,
    PLAY,
    ROUNDS,
    RUNNING,
    TURNS,
    begin_turn,
    count_in_hand,
    deal,
    draw_stock,
    enter_hand,
    gain,
    leave_hand,
    meld_in,
    next_seat,
    push_pile,
    side_of,
    start_round,
    to_move,
)

LAST_LOWEST = NUM_RANKS - 3  # the lowest rank of Q K A
MASK_WORDS = -(-NUM_ACTIONS // 8)  # of eight bytes each
SET_RANKS = sum(1 << suit * NUM_RANKS for suit in range(NUM_SUITS))  # the Threes; shifted by ACE, the Aces


# What may be done ---------------------------------------------------------------------------------------------------


@compiled
def legal_mask(state: Any, mask: Any) -> None:
    """Write 1 for the legal actions and 0 for all others into `mask` (a row of bytes, NUM_ACTIONS long).

    There is one while the game goes on (B2.5), and none when it is over.
    """
    clear_cells(mask)
    if state.phase == DRAW:
        mark_draw(state, mask)
    elif state.phase == PLAY:
        mark_play(state, mask)
    elif state.phase == CHOOSE:
        mark_choose(state, mask)


@compiled
def legal(state: Any, out: Any) -> int:
    """List the legal actions in `out` (int16, NUM_ACTIONS long), ascending; how many there are."""
    mask = scratch(MASK_WORDS).view(np.int8)[:NUM_ACTIONS]
    legal_mask(state, mask)
    return list_legal(mask, out)


@inlined
def mark_draw(state: Any, mask: Any) -> None:
    """B2.1: the top of the stock, or any number of cards from the top of the pile."""
    mask[DRAW_STOCK] = state.stock_size > 0
    pile_size = wide(state.pile_size)
    for k in range(MAX_TAKE):  # all of them, which goes in vectors
        mask[TAKE + k] = k < pile_size


@compiled
def mark_play(state: Any, mask: Any) -> None:
    """B2.2 and B2.3: open melds, add, exchange, or discard."""
    seat = to_move(state)
    hand = state.hands[seat, 0]
    _mark_openings(state, hand, mask)
    if state.melds_of[seat]:
        _mark_lay_offs(state, hand, mask)
    if state.banned != NO_FACE and state.hand_size[seat] <= 5:
        _clear_dead_ends(state, mask)
    write_bits(mask, wide(DISCARD), _discardable(state, hand), NUM_FACES)


@inlined
def mark_choose(state: Any, mask: Any) -> None:
    """B5.4: the melds that take the card just named."""
    write_bits(mask, wide(CHOOSE_MELD), _takers(state, wide(state.pending)), MAX_MELDS)


@compiled
def is_legal(state: Any, action: int) -> bool:
    """Whether this one action is among the legal ones."""
    if action < 0 or action >= NUM_ACTIONS:
        return False
    if state.phase == DRAW:
        if action == DRAW_STOCK:
            return state.stock_size > 0
        return action >= TAKE and action < OPEN_SEQUENCE and action - TAKE < state.pile_size
    if state.phase == CHOOSE:
        slot = action - CHOOSE_MELD
        return slot >= 0 and slot < MAX_MELDS and _takers(state, wide(state.pending)) >> slot & 1 != 0
    if state.phase != PLAY or action < OPEN_SEQUENCE or action >= CHOOSE_MELD:
        return False
    hand = state.hands[state.seat, 0]
    if action >= DISCARD:
        return _discardable(state, hand) >> (action - DISCARD) & 1 != 0
    if action >= ADD:
        return state.melds_of[state.seat] > 0 and _holds_named(hand, action) and _takers(state, action) != 0
    return _may_open(state, hand, action) and not _opens_dead_end(state, action)


@inlined
def _discardable(state: Any, hand: int) -> int:
    """The faces that may be discarded: any but the banned one (B2.3, B2.4)."""
    if state.banned == NO_FACE:
        return hand
    return hand & ~(wide(1) << state.banned)


# Opening ------------------------------------------------------------------------------------------------------------


# All four suits at once: rank masks side by side, as a hand holds them, and of each suit the ranks 3..Q at which a
# sequence of three begins. Shifted by one or two, they stay within their suit.
LOWEST_RANKS = sum(((1 << LAST_LOWEST + 1) - 1) << suit * NUM_RANKS for suit in range(NUM_SUITS))
LAST_LOWEST_RANKS = sum(1 << LAST_LOWEST + suit * NUM_RANKS for suit in range(NUM_SUITS))


@inlined
def _openable(hand: int, pattern: int, fixed: bool) -> int:
    """The lowest cards, as a mask of faces, of the sequences of three that a hand makes with this wild pattern.

    Under free wilds one pattern stands for all that use the same cards: the wild in the gap, else as high as there is
    room, the Two before the Joker.
    """
    two, joker = PATTERN_TWO[pattern], PATTERN_JOKER[pattern]
    lows = wide(LOWEST_RANKS)
    if two != 1 and joker != 1:
        lows &= hand
    if two != 2 and joker != 2:
        lows &= hand >> 1
    if two != 3 and joker != 3:
        lows &= hand >> 2
    if fixed:
        return lows
    if two and joker:
        if two > joker:
            return wide(0)
        return lows if two == 2 else lows & LAST_LOWEST_RANKS
    return lows & LAST_LOWEST_RANKS if two + joker == 1 else lows


@inlined
def _has_wilds_of(hand: int, pattern: int) -> bool:
    """Whether the hand has the Two and the Joker that a pattern asks for."""
    if PATTERN_TWO[pattern] and not hand & ALL_TWOS:
        return False
    return PATTERN_JOKER[pattern] == 0 or hand >> JOKER & 1 != 0


@compiled
def _set_suits_in(hand: int, rank: int) -> int:
    """The suits in which the hand has this rank."""
    suits = 0
    for suit in range(NUM_SUITS):
        suits |= (hand >> (suit * NUM_RANKS + rank) & 1) << suit
    return suits


@compiled
def _mark_openings(state: Any, hand: int, mask: Any) -> None:
    fixed = state.fixed_wilds != 0
    for pattern in range(NUM_PATTERNS):
        if not _has_wilds_of(hand, pattern):
            continue
        lows = _openable(hand, pattern, fixed)
        while lows:
            low = lowest(lows)
            mask[open_sequence_action(low // NUM_RANKS, low % NUM_RANKS, wide(pattern))] = 1
            lows &= lows - 1
    joker = hand >> JOKER & 1
    for aces in range(2):
        if popcount(hand & (SET_RANKS << ACE * aces)) + joker < 3:
            continue
        suits = _set_suits_in(hand, ACE * aces)
        for pattern in range(NUM_SET_PATTERNS if joker else NUM_NATURAL_SETS):
            mask[OPEN_SET + aces * NUM_SET_PATTERNS + pattern] = suits & SET_SUITS[pattern] == SET_SUITS[pattern]


@compiled
def _may_open(state: Any, hand: int, action: int) -> bool:
    """Whether the cards of this opening are in the hand and the opening is on offer."""
    if action >= OPEN_SET:
        aces, pattern = open_set_parts(action)
        if pattern >= NUM_NATURAL_SETS and not hand >> JOKER & 1:
            return False
        return _set_suits_in(hand, ACE * aces) & SET_SUITS[pattern] == SET_SUITS[pattern]
    suit, lowest_rank, pattern = open_sequence_parts(action)
    low = suit * NUM_RANKS + lowest_rank
    return _has_wilds_of(hand, pattern) and _openable(hand, pattern, state.fixed_wilds != 0) >> low & 1 != 0


@compiled
def _opened_meld(state: Any, action: int, two: int) -> int:
    """The meld that an opening makes; `two` is the face of the Two it would use."""
    if action >= OPEN_SET:
        aces, pattern = open_set_parts(action)
        joker = int(pattern >= NUM_NATURAL_SETS)
        return new_meld(ACES if aces else THREES, to_move(state), SET_SUITS[pattern], 0, joker, NOWHERE, NOWHERE)
    suit, lowest_rank, pattern = open_sequence_parts(action)
    naturals = 7 << lowest_rank
    two_suit, joker, two_place, joker_place = 0, 0, NOWHERE, NOWHERE
    if PATTERN_TWO[pattern]:
        place = lowest_rank + PATTERN_TWO[pattern] - 1
        naturals &= ~(1 << place)
        two_suit = 1 + two - TWO
        if state.fixed_wilds:
            two_place = place
    if PATTERN_JOKER[pattern]:
        place = lowest_rank + PATTERN_JOKER[pattern] - 1
        naturals &= ~(1 << place)
        joker = 1
        if state.fixed_wilds:
            joker_place = place
    return new_meld(1 + suit, to_move(state), naturals, two_suit, joker, two_place, joker_place)


@compiled
def _opening_naturals(action: int) -> int:
    """The naturals that an opening uses, as a mask of faces."""
    if action >= OPEN_SET:
        aces, pattern = open_set_parts(action)
        faces = 0
        for suit in range(NUM_SUITS):
            faces |= (SET_SUITS[pattern] >> suit & 1) << (suit * NUM_RANKS + ACE * aces)
        return faces
    suit, lowest_rank, pattern = open_sequence_parts(action)
    ranks = 7
    if PATTERN_TWO[pattern]:
        ranks &= ~(1 << (PATTERN_TWO[pattern] - 1))
    if PATTERN_JOKER[pattern]:
        ranks &= ~(1 << (PATTERN_JOKER[pattern] - 1))
    return ranks << (suit * NUM_RANKS + lowest_rank)


@inlined
def _opening_uses_two(action: int) -> bool:
    return action < OPEN_SET and PATTERN_TWO[open_sequence_parts(action)[2]] != 0


@inlined
def _opening_uses_joker(action: int) -> bool:
    if action >= OPEN_SET:
        return open_set_parts(action)[1] >= NUM_NATURAL_SETS
    return PATTERN_JOKER[open_sequence_parts(action)[2]] != 0


@inlined
def _two_to_play(state: Any) -> int:
    """Which Two of the hand is played: the one that may not be discarded, then the lowest suit."""
    twos = state.hands[state.seat, 0] & ALL_TWOS
    if state.banned != NO_FACE and twos >> wide(state.banned) & 1:
        return wide(state.banned)
    return lowest(twos)


# Adding and exchanging ----------------------------------------------------------------------------------------------


@inlined
def _is_swap(action: int) -> bool:
    return action >= SWAP


@inlined
def _holds_named(hand: int, action: int) -> bool:
    """Whether the hand has the card that this addition or exchange names."""
    if action >= SWAP:
        return hand >> (action - SWAP) & 1 != 0
    if action < ADD_TWO_LOW:
        return hand >> (action - ADD) & 1 != 0
    if action < ADD_JOKER_LOW:
        return hand & ALL_TWOS != 0
    return hand >> JOKER & 1 != 0


@inlined
def _named_card(state: Any, action: int) -> int:
    """The card that an addition or exchange would lay down."""
    if action >= SWAP:
        return action - SWAP
    if action < ADD_TWO_LOW:
        return action - ADD
    return _two_to_play(state) if action < ADD_JOKER_LOW else JOKER


@compiled
def _own_melds(state: Any) -> int:
    """The melds of the own side, as a mask of slots."""
    side = side_of(state, to_move(state))
    own = wide(0)
    for slot in range(wide(state.num_melds)):
        own |= wide(side_of(state, owner_of(meld_in(state, slot))) == side) << slot
    return own


@compiled
def _mark_lay_offs(state: Any, hand: int, mask: Any) -> None:
    """B5: additions and exchanges that at least one meld of the own side takes."""
    fixed = state.fixed_wilds != 0
    fits, exchanges, two_ends, joker_ends = 0, 0, 0, 0
    own = _own_melds(state)
    while own:
        meld = meld_in(state, lowest(own))
        own &= own - 1
        fits |= naturals_that_fit(meld, fixed)
        exchanges |= naturals_for_joker(meld, fixed, state.set_joker_exchange != 0)
        two_ends |= ends_for_two(meld, fixed)
        joker_ends |= ends_for_joker(meld, fixed)
    additions = fits & hand
    additions |= only_if(hand & ALL_TWOS != 0, two_ends << (ADD_TWO_LOW - ADD))
    additions |= only_if(hand >> JOKER & 1 != 0, joker_ends << (ADD_JOKER_LOW - ADD))
    write_bits(mask, wide(ADD), additions, ADDITIONS)
    write_bits(mask, wide(SWAP), exchanges & hand, NUM_NATURALS)


@compiled
def _takers(state: Any, action: int) -> int:
    """The melds to which this addition or exchange may be played, B2.5 included, as a mask of slots."""
    takers = wide(0)
    own = _own_melds(state)
    while own:
        slot = lowest(own)
        takers |= wide(_fits(state, action, meld_in(state, slot))) << slot
        own &= own - 1
    if state.banned != NO_FACE:
        for slot in range(wide(state.num_melds)):
            if takers >> slot & 1 and _lays_dead_end(state, action, slot):
                takers ^= wide(1) << slot
    return takers


@fused
def _fits(state: Any, action: int, meld: int) -> int:
    """Whether a meld takes the card of this addition or exchange, 0 or 1."""
    fixed = state.fixed_wilds != 0
    if action >= SWAP:
        return naturals_for_joker(meld, fixed, state.set_joker_exchange != 0) >> (action - SWAP) & 1
    if action < ADD_TWO_LOW:
        return naturals_that_fit(meld, fixed) >> (action - ADD) & 1
    if action < ADD_JOKER_LOW:
        return ends_for_two(meld, fixed) >> (action - ADD_TWO_LOW) & 1
    return ends_for_joker(meld, fixed) >> (action - ADD_JOKER_LOW) & 1


@compiled
def _meld_after(state: Any, action: int, meld: int, card: int) -> int:
    """The meld once this addition or exchange, with this card, has been played to it."""
    fixed = state.fixed_wilds != 0
    if action >= SWAP:
        return with_exchange(meld, card)
    if action < ADD_TWO_LOW:
        return with_natural(meld, card, fixed)
    if action < ADD_JOKER_LOW:
        return with_two(meld, card - TWO, LOW if action == ADD_TWO_LOW else HIGH, fixed)
    return with_joker(meld, LOW if action == ADD_JOKER_LOW else HIGH, fixed)


# Dead ends (B2.5) -----------------------------------------------------------------------------------------------------


@compiled
def _cannot_end(state: Any, left: int, slot: int, meld: int) -> bool:
    """Whether a hand that is only `left` banned cards can neither be discarded from nor laid off.

    `meld` is what the play makes of the meld in `slot` (or a new one, at the end). The cards left go where one of them
    fits; a banned natural exchanged for a Joker leaves the Joker to discard.
    """
    fixed = state.fixed_wilds != 0
    side = side_of(state, to_move(state))
    face = state.banned
    takers = 0
    for i in range(max(wide(state.num_melds), slot + 1)):
        other = meld if i == slot else meld_in(state, i)
        if side_of(state, owner_of(other)) != side:
            continue
        if face == JOKER:
            takers += ends_for_joker(other, fixed) != 0
        elif face >= TWO:
            takers += ends_for_two(other, fixed) != 0
        else:
            fits = naturals_that_fit(other, fixed)
            fits |= naturals_for_joker(other, fixed, state.set_joker_exchange != 0)
            takers += fits >> face & 1
    return takers < left


@compiled
def _opens_dead_end(state: Any, action: int) -> bool:
    """Whether an opening would leave only banned cards, and no place for them."""
    if state.banned == NO_FACE:
        return False
    left = wide(state.hand_size[state.seat]) - 3
    banned = count_in_hand(state, state.seat, state.banned)
    if _opening_naturals(action) >> wide(state.banned) & 1:
        banned -= 1
    if _opening_uses_joker(action) and state.banned == JOKER:
        banned -= 1
    uses_two = _opening_uses_two(action)
    two = _two_to_play(state) if uses_two else NO_FACE
    if two == state.banned:
        banned -= 1
    if left == 0 or banned < left:
        return False
    return _cannot_end(state, left, wide(state.num_melds), _opened_meld(state, action, two))


@compiled
def _lays_dead_end(state: Any, action: int, slot: int) -> bool:
    """Whether an addition or exchange to this meld would leave only banned cards, and no place for them."""
    if state.banned == NO_FACE:
        return False
    card = wide(state.named) if state.phase == CHOOSE else _named_card(state, action)
    left = wide(state.hand_size[state.seat]) - 1
    banned = count_in_hand(state, state.seat, state.banned) - (card == state.banned)
    if _is_swap(action):
        left += 1
        banned += state.banned == JOKER
    if left == 0 or banned < left:
        return False
    return _cannot_end(state, left, slot, _meld_after(state, action, meld_in(state, slot), card))


@compiled
def _clear_dead_ends(state: Any, mask: Any) -> None:
    """Take the plays that B2.5 forbids out of a mask of openings, additions and exchanges."""
    for action in range(OPEN_SEQUENCE, DISCARD):
        if mask[action]:
            mask[action] = _takers(state, action) != 0 if action >= ADD else not _opens_dead_end(state, action)


# What happens then ----------------------------------------------------------------------------------------------------


@compiled
def apply(state: Any, action: int) -> bool:
    """Carry out an action of the seat to move, in place. False: it is not legal, and nothing has changed."""
    if not is_legal(state, action):
        return False
    carry_out(state, action)
    return True


@compiled
def carry_out(state: Any, action: int) -> None:
    """Carry out an action known to be legal."""
    if state.phase == DRAW:
        apply_draw(state, action)
    elif state.phase == CHOOSE:
        apply_choose(state, action - CHOOSE_MELD)
    elif action >= DISCARD:
        apply_discard(state, action - DISCARD)
    elif action >= ADD:
        apply_lay_off(state, action)
    else:
        apply_open(state, action)


@compiled
def apply_draw(state: Any, action: int) -> None:
    """Draw or take (B2.1), and note the card that may not be discarded (B2.4)."""
    seat = to_move(state)
    state.phase = PLAY
    if action == DRAW_STOCK:
        enter_hand(state, seat, draw_stock(state), False)
        return
    count = action - TAKE + 1
    if count == 1:
        face = wide(state.pile[state.pile_size - 1])
        state.taken = face
        if not state.discard_taken and not count_in_hand(state, seat, face):
            state.banned = face
    for _ in range(count):
        state.pile_size -= 1
        enter_hand(state, seat, wide(state.pile[state.pile_size]), True)
        state.pile[state.pile_size] = 0


@compiled
def apply_open(state: Any, action: int) -> None:
    """Lay a new meld into the own area (B3, B4)."""
    seat = to_move(state)
    two = _two_to_play(state) if _opening_uses_two(action) else NO_FACE
    state.melds[state.num_melds] = _opened_meld(state, action, two)
    state.num_melds += 1
    state.melds_of[seat] += 1
    naturals = _opening_naturals(action)
    while naturals:
        leave_hand(state, seat, lowest(naturals))
        naturals &= naturals - 1
    if two != NO_FACE:
        leave_hand(state, seat, two)
    if _opening_uses_joker(action):
        leave_hand(state, seat, wide(JOKER))
    _after_play(state)


@compiled
def apply_lay_off(state: Any, action: int) -> None:
    """Add or exchange (B5) where only one meld takes the card; else it is named and waits for its meld (B5.4)."""
    takers = _takers(state, action)
    if popcount(takers) == 1:
        _lay(state, action, lowest(takers), _named_card(state, action))
        return
    seat = to_move(state)
    card = _named_card(state, action)
    state.pending = action
    state.named = card
    state.phase = CHOOSE
    if not state.known[seat, 0] >> card & 1:
        gain(state.known, seat, card)


@inlined
def apply_choose(state: Any, slot: int) -> None:
    """Play the card that waits to the meld chosen."""
    action, card = wide(state.pending), wide(state.named)
    state.pending = 0
    state.named = NO_FACE
    state.phase = PLAY
    _lay(state, action, slot, card)


@compiled
def _lay(state: Any, action: int, slot: int, card: int) -> None:
    state.melds[slot] = _meld_after(state, action, meld_in(state, slot), card)
    leave_hand(state, to_move(state), card)
    if _is_swap(action):
        enter_hand(state, to_move(state), wide(JOKER), True)
    _after_play(state)


@inlined
def _after_play(state: Any) -> None:
    state.played = 1
    if state.hand_size[state.seat] == 0:
        _end_turn(state)
        _end_round(state, wide(OUT))


@compiled
def apply_discard(state: Any, face: int) -> None:
    """Discard and end the turn (B2.3), and with it perhaps the round (B6) or the deal (B9.9)."""
    seat = to_move(state)
    leave_hand(state, seat, face)
    push_pile(state, face)
    circles = state.discard_taken and state.taken == face and not state.played
    state.circling = state.circling + 1 if circles else 0
    _end_turn(state)
    if state.hand_size[seat] == 0:
        _end_round(state, wide(OUT))
    elif state.stock_size == 0:
        _end_round(state, wide(EXHAUSTED))
    elif state.turns >= state.max_turns:
        _end_round(state, wide(TURNS))
    elif state.circling == state.num_players:
        deal(state)
    else:
        begin_turn(state, next_seat(state, seat), DRAW)


@inlined
def _end_turn(state: Any) -> None:
    state.turns += 1
    state.had_turn |= 1 << state.seat


@compiled
def _end_round(state: Any, ending: int) -> None:
    """Score the round (B7); in a match go on to the next deal (B8.3) unless it is won or out of rounds (B8.2)."""
    state.ending = ending
    state.winner = state.seat if ending == OUT else NO_SEAT
    score_round(state)
    state.rounds += 1
    state.phase = OVER
    if state.episode != MATCH_EPISODE:
        return
    winner = match_winner(state)
    if winner != NO_SEAT:
        state.ending = MATCH
        state.winner = winner
    elif state.rounds >= state.max_rounds:
        state.ending = ROUNDS
        state.winner = NO_SEAT
    else:
        state.ending = RUNNING
        state.winner = NO_SEAT
        state.dealer = next_seat(state, wide(state.dealer))
        start_round(state)
