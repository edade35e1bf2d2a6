"""The legal actions and their effects: a new deal (H2), draw or take (H3, H7), play (H4-H6), discard (H3, H8).

For each phase, the functions for its legal actions come first, then the functions for their effects. A `play` is one
action on a meld, numbered as the actions from ADD on. If nothing is required before the discard, every play that fits
is legal. Otherwise each play is tried on a copy of the sight (lookahead.py).
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import clear_cells, lowest, write_bits
from banakil_env.core.engine import EVERYTHING
from banakil_env.core.jit import compiled, inlined
from banakil_env.core.records import copy_record
from banakil_env.core.scratch import scratch_record
from banakil_env.games.hand import lookahead as L
from banakil_env.games.hand import state as S
from banakil_env.games.hand.lookahead import SIGHT
from banakil_env.games.hand.records import State
from banakil_env.games.hand.rules import AS_ACE, AS_ACE_OF_GROUP, AS_WILD
from banakil_env.games.hand.scoring import end_turn, first_meld_value
from banakil_env.games.hand.state import MAX_MELDS, NOTHING
from banakil_env.kit import pack54
from banakil_env.kit import table_state as T
from banakil_env.kit.melds import one_wild_melds as M
from banakil_env.kit.melds.one_wild_melds import NUM_FACES, WILD
from banakil_env.kit.rounds import no_points

# Plays on one meld (H6) -----------------------------------------------------------------------------------------------


@compiled
def grown(meld: int, play: int) -> int:
    """Return the meld after a play; 0: the play does not fit."""
    if play < WILD:
        fits = (M.fitting(meld) | M.lacking(meld)) >> play & 1
        return M.with_natural(meld, play) if fits else 0
    if play < S.SWAPS:
        high = play == S.ADD_HIGH
        return M.with_wild(meld, high) if (M.room_above(meld) if high else M.room_below(meld)) else 0
    cards = cards_of_swap(play)
    there = M.replacing(meld) if play < S.PAIR_SWAPS else M.lacking(meld)
    return M.with_swapped(meld, cards) if cards == there else 0


@inlined
def cards_of_swap(play: int) -> int:
    """Return the naturals that an exchange lays down, as a mask."""
    return 1 << play - S.SWAPS if play < S.PAIR_SWAPS else M.PAIRS[play - S.PAIR_SWAPS]


@compiled
def may_play(sight: Any, slot: int, play: int) -> bool:
    """Return whether a play fits a meld and the turn can be ended after it (H5.4, H6)."""
    meld = sight.melds[slot]
    after, new = scratch_record(SIGHT), grown(meld & M.MELD_BITS, play)
    if new == 0:
        return False
    own, swap = meld & L.OWN_MELD, play >= S.SWAPS
    if sight.missing > 0 and (swap or (not own and sight.own_melds == 0)):
        return False
    copy_record(sight, after)
    if swap:
        L.lay(after, cards_of_swap(play))
        after.wilds += 1
    else:
        cards = 1 << min(play, WILD)
        held = sight.wilds != 0 if play >= WILD else cards & sight.one != 0
        if not (held or L.uses_taken(sight, cards, meld)) or L.is_another_ace(sight, cards, meld):
            return False
        L.lay_cards(after, cards, meld)
        if cards & M.lacking(meld & M.MELD_BITS) and not sight.pairs_too:
            after.limit, after.pairs_too = 2, 1
    L.put_meld(after, slot, new)
    if swap and sight.reuse:
        return _can_lay_wild(after)
    if sight.missing > 0 and not own:
        return L.can_go_out(after, 1)
    return L.can_end(after)


@compiled
def may_open(sight: Any, row: int) -> bool:
    """Return whether the turn can be ended after the opening in this row. The hand must have its cards."""
    after = scratch_record(SIGHT)
    copy_record(sight, after)
    L.open_row(after, row)
    return L.can_end(after)


@compiled
def _can_lay_wild(sight: Any) -> bool:
    """Return whether a wild card of the hand can be laid next, and the turn can then be ended (`reuse_wild`)."""
    for row in range(len(M.CARDS)):
        if M.NEEDS_WILD[row] and L.can_open(sight, row, sight.one) and may_open(sight, row):
            return True
    after = scratch_record(SIGHT)
    for slot in range(sight.num_melds):
        for play in (S.ADD_LOW, S.ADD_HIGH):
            new = grown(sight.melds[slot] & M.MELD_BITS, play)
            if new:
                copy_record(sight, after)
                after.wilds -= 1
                L.put_meld(after, slot, new)
                if L.can_end(after):
                    return True
    return False


# The question before the first turn (H2.5, H2.6) ---------------------------------------------------------------------


@compiled
def answer(state: State, place: int) -> None:
    """Keep the hand (`place` 0), or throw all hands in (1)."""
    if S.KEEP + place == S.KEEP:
        first = T.next_seat(state, state.dealer)
        S.ask_from(state, (state.seat - first) % state.num_players + 1)
        return
    state.unscored += 1
    no_points(state)
    S.deal(state)


# The draw (H3.2, H7) -------------------------------------------------------------------------------------------------


@compiled
def can_take(state: State) -> bool:
    """Return whether the turn can be ended after taking the top of the pile (H7.2)."""
    seat, sight = state.seat, scratch_record(SIGHT)
    if state.pile_size == 0:
        return False
    face = state.pile[state.pile_size - 1]
    if face != WILD and not L.may_lay_taken(state, seat, face):
        return False
    L.look(state, seat, sight)
    if face != WILD or state.rules.wild_discard == AS_WILD:
        L.hold_taken(state, seat, sight, face, 0)
        return L.can_end(sight)
    aces, after = S.aces_for_taken(state), scratch_record(SIGHT)
    left = aces
    while left:
        copy_record(sight, after)
        L.hold_taken(state, seat, after, lowest(left), aces)
        if L.can_end(after):
            return True
        left &= left - 1
    return False


draw = T.draw


@compiled
def take(state: State) -> None:
    """Take the top of the pile publicly."""
    state.pile_size -= 1
    state.taken = state.pile[state.pile_size]
    state.pile[state.pile_size] = 0
    pack54.add_card(state.hands[state.seat], state.taken)
    pack54.add_card(state.known[state.seat], state.taken)
    state.phase = T.PLAY


# The play (H4-H7) ----------------------------------------------------------------------------------------------------


@inlined
def is_free(state: State, sight: Any) -> bool:
    """Return whether nothing is required before the discard. Every play that fits is then legal."""
    ready = sight.missing <= 0 and sight.limit == L.MANY
    return ready and sight.taken == NOTHING and not state.owes_wild


@compiled
def legal_openings(state: State, sight: Any, free: bool, mask: Any, wanted: int) -> None:
    """Mark the legal openings in `mask` (H4.6, H5.5, H7.1).

    Args:
        state: the state.
        sight: the situation of the seat to move; changed.
        free: whether nothing is required before the discard; see `is_free`.
        mask: the mask of actions, written.
        wanted: explained in `mark`.
    """
    if L.cards_in(sight) < 3 + sight.keep:
        return
    waits, bit = sight.taken != NOTHING, L.taken_bit(sight)
    if not waits and sight.missing > 0 and sight.own_melds == 0:
        if not L.can_reach(sight) and not L.can_go_out(sight, 0):
            return
    cards, patterns = sight.one | bit, 1
    if sight.wilds or sight.taken == WILD:
        patterns = M.NUM_PATTERNS
    places = M.spread(cards)
    for pattern in range(1 if state.owes_wild else 0, patterns):
        starts = M.starts_of(places, pattern)
        while starts:
            row = M.row_of_start(lowest(starts), pattern)
            starts &= starts - 1
            mask[S.OPEN + row] |= free or _may_open_now(sight, row, waits, wanted)
    ranks = M.ranks_of_groups(cards, 2 if patterns > 1 else 3)
    while ranks:
        rank = lowest(ranks)
        ranks &= ranks - 1
        rows = M.GROUPS_IN[M.suits_of(cards, rank)]
        if patterns == 1:
            rows &= (1 << M.NUM_TRIPLES) - 1
        if state.owes_wild:
            rows = rows >> M.NUM_TRIPLES << M.NUM_TRIPLES
        while rows:
            row = M.NUM_SEQUENCES + M.NUM_PATTERNS_OF_RANK * rank + lowest(rows)
            rows &= rows - 1
            mask[S.OPEN + row] |= free or _may_open_now(sight, row, waits, wanted)


@compiled
def _may_open_now(sight: Any, row: int, waits: bool, wanted: int) -> bool:
    if wanted != EVERYTHING and wanted != S.OPEN + row:
        return False
    if waits and not sight.may_add and not L.uses_taken(sight, L.cards_of_row(row), M.MELDS[row]):
        return False
    return L.can_open(sight, row, sight.one) and may_open(sight, row)


@compiled
def legal_adds(state: State, sight: Any, free: bool, mask: Any, wanted: int) -> None:
    """Mark the legal additions and exchanges in `mask` (H6).

    Args:
        state: the state.
        sight: the situation of the seat to move.
        free: whether nothing is required before the discard; see `is_free`.
        mask: the mask of actions, written.
        wanted: explained in `mark`.
    """
    waits = sight.taken != NOTHING
    if sight.own_melds == 0 or (waits and not sight.may_add):
        return
    sure = free and L.cards_in(sight) > sight.keep
    hand, fits = sight.one | L.taken_bit(sight), 0
    for slot in range(sight.num_melds):
        meld = sight.melds[slot] & M.MELD_BITS
        if sight.wilds or sight.taken == WILD:
            if M.room_below(meld):
                mask[S.ADD + S.ADD_LOW] |= sure or _may_play_now(sight, slot, S.ADD_LOW, wanted)
            if M.room_above(meld):
                mask[S.ADD + S.ADD_HIGH] |= sure or _may_play_now(sight, slot, S.ADD_HIGH, wanted)
        if state.owes_wild:
            continue
        cards, lacks = M.fitting(meld) & hand, M.lacking(meld)
        if sure:
            fits |= cards
            cards = 0
        cards |= lacks & hand
        while cards:
            mask[S.ADD + lowest(cards)] |= _may_play_now(sight, slot, lowest(cards), wanted)
            cards &= cards - 1
        if M.wild_in(meld) and sight.missing <= 0 and not waits:
            swapped = M.replacing(meld) & hand
            if swapped:
                play = S.SWAPS + lowest(swapped)
                mask[S.ADD + play] |= (free and not sight.reuse) or _may_play_now(sight, slot, play, wanted)
            if lacks and lacks & ~hand == 0:
                for play in range(S.PAIR_SWAPS, S.NUM_PLAYS):
                    if M.PAIRS[play - S.PAIR_SWAPS] == lacks:
                        able = (sure and not sight.reuse) or _may_play_now(sight, slot, play, wanted)
                        mask[S.ADD + play] |= able
    while fits:
        mask[S.ADD + lowest(fits)] = 1
        fits &= fits - 1


@compiled
def _may_play_now(sight: Any, slot: int, play: int, wanted: int) -> bool:
    return (wanted == EVERYTHING or wanted == S.ADD + play) and may_play(sight, slot, play)


@compiled
def takers(sight: Any, free: bool, play: int) -> int:
    """Return the melds with which a play is legal (H6.5), as a mask of slots.

    `free` is true if nothing is required before the discard; see `is_free`.
    """
    fit, slots = 0, 0
    for slot in range(sight.num_melds):
        fit |= int(grown(sight.melds[slot] & M.MELD_BITS, play) != 0) << slot
    if fit & (fit - 1) == 0:
        return fit
    while fit:
        slot = lowest(fit)
        fit &= fit - 1
        pair = play < WILD and M.lacking(sight.melds[slot] & M.MELD_BITS) != 0
        sure = free and not pair and not (play >= S.SWAPS and sight.reuse)
        slots |= int(sure or may_play(sight, slot, play)) << slot
    return slots


@compiled
def sights_of(state: State, number: int, sight: Any) -> bool:
    """Fill a sight for the seat to move; return False if there is no sight with this number.

    There is usually one sight, with number 0. If the card taken is a wild card that must become a natural Ace, there is
    one sight for each possible Ace (H7.4).
    """
    as_ace = state.taken == WILD and state.rules.wild_discard != AS_WILD
    if number and not as_ace:
        return False
    L.look(state, state.seat, sight)
    if as_ace:
        aces = S.aces_for_taken(state)
        left = aces
        for _ in range(number):
            left &= left - 1
        if left:
            L.hold_taken(state, state.seat, sight, lowest(left), aces)
        return left != 0
    if state.taken != NOTHING:
        L.hold_taken(state, state.seat, sight, state.taken, 0)
    return True


@compiled
def legal_plays(state: State, mask: Any, wanted: int) -> None:
    """Mark the legal actions of phase PLAY, and in CHOOSE the melds; `wanted` is explained in `mark`."""
    sight, number = scratch_record(SIGHT), 0
    openings = wanted == EVERYTHING or S.OPEN <= wanted < S.ADD
    others = wanted == EVERYTHING or S.ADD <= wanted < S.DROP
    ends = state.taken == NOTHING and not state.owes_wild and (wanted == EVERYTHING or wanted >= S.DROP)
    while sights_of(state, number, sight):
        number += 1
        free = is_free(state, sight)
        if state.phase == T.CHOOSE:
            slots = takers(sight, free, state.named)
            write_bits(mask, S.MELD, slots | _marked(mask), MAX_MELDS)
            continue
        if ends:  # discards come first, because the search for openings changes the sight
            legal_discards(state, sight, mask)
        if openings:
            legal_openings(state, sight, free, mask, wanted)
        if others:
            legal_adds(state, sight, free, mask, wanted)


@compiled
def _marked(mask: Any) -> int:
    slots = 0
    for slot in range(MAX_MELDS):
        slots |= mask[S.MELD + slot] << slot
    return slots


@compiled
def open_meld(state: State, row: int) -> None:
    """Make the opening in this row.

    A taken wild card becomes the Ace that the hand lacks, else the first Ace of the opening (H7.4).
    """
    cards, wild = M.CARDS[row], M.NEEDS_WILD[row] != 0
    if state.taken == WILD and state.rules.wild_discard != AS_WILD:
        aces = cards & S.aces_for_taken(state)
        if state.rules.wild_discard == AS_ACE_OF_GROUP and row < M.NUM_SEQUENCES:
            aces = 0
        if aces:
            lacking = aces & ~state.hands[state.seat, 0]
            cards &= ~(1 << lowest(lacking if lacking else aces))
            _lay_taken(state)
    elif (wild and state.taken == WILD) or (state.taken < WILD and cards >> state.taken & 1):
        state.taken = NOTHING
    while cards:
        T.leave_hand(state, state.seat, lowest(cards))
        cards &= cards - 1
    if wild:
        T.leave_hand(state, state.seat, WILD)
        state.owes_wild = 0
    if not state.in_one_turn and not S.has_melded(state, state.seat):
        state.in_one_turn = 1
    state.melds[state.num_melds] = M.MELDS[row]
    state.meld_owner[state.num_melds] = state.seat
    state.num_melds += 1


@inlined
def _lay_taken(state: State) -> None:
    """Remove the taken card from the hand."""
    T.leave_hand(state, state.seat, state.taken)
    state.taken = NOTHING


@compiled
def play_somewhere(state: State, play: int) -> None:
    """Carry out a play on the meld that takes it. If several melds do, the seat must choose (H6.5)."""
    sight, slots, number = scratch_record(SIGHT), 0, 0
    while sights_of(state, number, sight):
        slots |= takers(sight, is_free(state, sight), play)
        number += 1
    if slots & (slots - 1):
        state.named, state.phase = play, T.CHOOSE
    else:
        play_to(state, lowest(slots), play)


@compiled
def choose_meld(state: State, slot: int) -> None:
    """Carry out the waiting play on the chosen meld."""
    play_to(state, slot, state.named)


@compiled
def play_to(state: State, slot: int, play: int) -> None:
    """Carry out a play on a meld."""
    seat, meld = state.seat, state.melds[slot]
    state.named, state.phase = 0, T.PLAY
    if play >= S.SWAPS:
        cards = cards_of_swap(play)
        while cards:
            T.leave_hand(state, state.seat, lowest(cards))
            cards &= cards - 1
        pack54.add_card(state.hands[seat], WILD)
        pack54.add_card(state.known[seat], WILD)
        state.owes_wild = state.rules.reuse_wild
    elif play >= WILD:
        if state.taken == WILD and state.rules.wild_discard == AS_WILD:
            state.taken = NOTHING
        T.leave_hand(state, state.seat, WILD)
        state.owes_wild = 0
    else:
        _lay_natural(state, meld, play)
    if state.in_one_turn and state.meld_owner[slot] != seat:
        state.laid_off = 1
    state.melds[slot] = grown(meld, play)


@compiled
def _lay_natural(state: State, meld: int, face: int) -> None:
    seat, group = state.seat, M.is_group(meld)
    if M.lacking(meld) and not state.rules.add_to_pair and not L.another_has_one_card(state, seat):
        state.down_to_one = 1
    as_ace = state.taken == WILD and S.aces_for_taken(state) >> face & 1
    if as_ace and (group or state.rules.wild_discard == AS_ACE):
        _lay_taken(state)
        return
    if state.taken == face:
        state.taken = NOTHING
    T.leave_hand(state, state.seat, face)


# The discard (H3.3, H8) ----------------------------------------------------------------------------------------------


@compiled
def legal_discards(state: State, sight: Any, mask: Any) -> None:
    """Mark the legal discards. In the first turn of a deal any card may be discarded."""
    size, first = L.cards_in(sight), state.phase == S.DISCARD
    goes_out = sight.keep == 1
    below = sight.missing > 0 and sight.own_melds != 0 and not first
    if goes_out and sight.wilds_out and sight.own_melds and size == 2 and sight.wilds == 2:
        mask[S.DROP + WILD + 1] = 1
    if size > sight.limit or (size == 1 and not goes_out) or (below and size > 1):
        return
    write_bits(mask, S.DROP, state.hands[state.seat, 0], NUM_FACES)


@compiled
def discard(state: State, face: int) -> None:
    """Discard a face and end the turn; `WILD + 1` discards both wild cards."""
    if state.in_one_turn and state.rules.rising:
        state.need = min(first_meld_value(state, state.seat) + 1, S.MAX_NEED)
    both = face == WILD + 1
    for _ in range(2 if both else 1):
        T.leave_hand(state, state.seat, min(face, WILD))
        state.pile[state.pile_size] = min(face, WILD)
        state.pile_size += 1
    end_turn(state, min(face, WILD), both)


# All phases ----------------------------------------------------------------------------------------------------------


@compiled
def mark(state: State, mask: Any, wanted: int) -> None:
    """Write 1 into `mask` for the legal actions and 0 for the others.

    `wanted` is an action, or EVERYTHING. For an action, only the cells of its block are sure to be right.
    """
    clear_cells(mask)
    if state.phase == T.DRAW:
        mask[S.DRAW] = 1
        mask[S.TAKE] = wanted != S.DRAW and can_take(state)
    elif state.phase == T.PLAY or state.phase == T.CHOOSE:
        legal_plays(state, mask, wanted)
    elif state.phase == S.REDEAL:
        mask[S.KEEP] = mask[S.THROW_IN] = 1
    elif state.phase == S.DISCARD:
        write_bits(mask, S.DROP, state.hands[state.seat, 0], NUM_FACES)
