"""The legal actions and their effects: draw or take the pile (O3), play (O4, O5, O6), choose a meld, end the turn (O7).

For each phase, the functions for its legal actions come first, then the functions for their effects. A hand is
described by three numbers: the masks of its naturals and of those held twice, and the number of its Twos.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import clear_cells, lowest, popcount, write_bits
from banakil_env.core.engine import EVERYTHING
from banakil_env.core.jit import compiled, inlined
from banakil_env.games.oklahoma import melds as K
from banakil_env.games.oklahoma import state as S
from banakil_env.games.oklahoma.melds import NATURALS, NUM_ADDED, NUM_NAMED, QUEEN_NAMED, TWO, TWOS
from banakil_env.games.oklahoma.records import State
from banakil_env.games.oklahoma.scoring import score_round
from banakil_env.games.oklahoma.state import MAX_MELDS, SUIT_BITS
from banakil_env.kit import going_on
from banakil_env.kit import table_state as T
from banakil_env.kit.melds import wild_melds as M
from banakil_env.kit.melds.free_sets import place_in_set, write_free_sets
from banakil_env.kit.melds.wild_plays import joins, joins_as_wild
from banakil_env.kit.pack52 import ACES, NUM_RANKS
from banakil_env.kit.pack54 import ALL
from banakil_env.kit.rounds import add_up, go_on, has_reached_target, no_points
from banakil_env.kit.wilds import table as W

# The draw (O3) -------------------------------------------------------------------------------------------------------


@inlined
def doubles(state: State, hand: Any) -> int:
    """Return the natural cards that a hand holds twice, as a mask; 0 if a set cannot have both (O4.2)."""
    return 0 if S.different_suits(state) else hand[1] & NATURALS


@compiled
def can_take(state: State) -> bool:
    """Return whether the top card of the pile makes a meld with two cards of the hand (O3.2)."""
    if state.pile_size == 0:
        return False
    hand, face = state.hands[state.seat], state.pile[state.pile_size - 1]
    one, two, twos = hand[0] & NATURALS, doubles(state, hand), S.num_twos(hand)
    if TWOS >> face & 1:
        return twos >= 2 or two != 0 or joins_as_wild(one, M.in_places(one), twos + 1)
    rank = ACES << face % NUM_RANKS
    if not S.different_suits(state) and popcount(one & rank) + popcount(two & rank) + twos >= 2:
        return True
    one |= 1 << face
    return joins(face, one, M.in_places(one), twos)


@compiled
def draw(state: State) -> None:
    """Draw the next card of the stock. An empty stock is renewed first (O3.1)."""
    if state.stock_size == 0:
        T.shuffle_pile_under(state)
    T.draw_stock(state, state.seat)
    state.phase = T.PLAY


@compiled
def take(state: State) -> None:
    """Take the top card of the pile. The rest follows when this card is in a meld (O3.3)."""
    state.must = W.take_top(state, state.seat, 1)
    state.phase = T.PLAY


# The play (O4, O5, O6) -----------------------------------------------------------------------------------------------


@compiled
def takers(state: State, named: int) -> int:
    """Return the melds of the seat to move that take a card (a face, LOW or HIGH), as a mask of slots."""
    slots = 0
    for slot in range(state.num_melds):
        if state.meld_owner[slot] == state.seat:
            slots |= (K.takes(state.melds[slot], S.different_suits(state)) >> named & 1) << slot
    return slots


@compiled
def write_plays(state: State, mask: Any, wanted: int) -> None:
    """Write the legal actions of phase PLAY into `mask`. After the pile is taken, only a meld with its top card is
    legal.

    `wanted` is explained in `mark`.
    """
    hand = state.hands[state.seat]
    one, twos, must = hand[0] & NATURALS, S.num_twos(hand), ALL
    if state.must != W.NO_FACE:
        must = 1 << (TWO if TWOS >> state.must & 1 else state.must)
    elif wanted == EVERYTHING or wanted >= S.ADD:
        write_adds_and_ends(state, mask)
    if wanted < S.ADD:  # EVERYTHING too
        M.write_runs(mask, S.OPEN, one, twos, must, K.RUN_ROWS, K.RUN_NEEDS)
        write_free_sets(mask, S.FIRST_SETS, one, doubles(state, hand), twos, must, K.SET_NEEDS)
        mask[S.OPEN_MELD_OF_TWOS] = twos >= 3 and must >> TWO & 1 != 0


@compiled
def write_adds_and_ends(state: State, mask: Any) -> None:
    """Mark additions (O6.2), discards (O7.1), and the end of a turn without a discard (O7.3)."""
    held = state.hands[state.seat, 0]
    naturals, has_two = held & NATURALS, int(held & TWOS != 0)
    fits = state.fits[state.seat]
    ends = (fits >> M.LOW) * has_two
    write_bits(mask, S.ADD, K.named_bits(naturals & fits) | ends << NUM_NAMED, NUM_ADDED)
    shed = K.named_bits(naturals)
    below = shed & (1 << QUEEN_NAMED) - 1
    shed = below | shed >> QUEEN_NAMED + 1 << QUEEN_NAMED | has_two << NUM_NAMED - 1
    write_bits(mask, S.DISCARD, shed, NUM_NAMED)
    mask[S.PASS] = held == 1 << K.QUEEN


@compiled
def open_meld(state: State, opening: int) -> None:
    """Open a meld with three cards (O4.3). If the pile was taken for it, the rest of the pile follows (O3.3)."""
    seat, meld = state.seat, K.MELDS[opening]
    twos, count = 0, 0
    for i in range(3):
        face = K.CARDS[opening, i]
        if face == TWO:
            face = S.lowest_two(state.hands[seat])
            if opening == S.OPEN_MELD_OF_TWOS - S.OPEN:
                meld = M.grown(meld, place_in_set(meld, face), False)
            else:
                twos |= face // NUM_RANKS << SUIT_BITS * count
                count += 1
        T.leave_hand(state, seat, face)
    state.twos[W.open_meld(state, seat, meld)] = twos
    state.fits[seat] |= K.takes(meld, S.different_suits(state))
    if state.must != W.NO_FACE:
        W.take_top(state, seat, state.pile_size)
        state.must = W.NO_FACE
    after_play(state)


@compiled
def add(state: State, place: int) -> None:
    """Add a card (`ADDED[place]`) if only one meld takes it; otherwise it is named and waits for its meld (O6.3)."""
    named = S.ADDED[place]
    slots = takers(state, named)
    state.named = named
    if slots & (slots - 1):
        state.phase = T.CHOOSE
    else:
        choose_meld(state, lowest(slots))


@compiled
def choose_meld(state: State, slot: int) -> None:
    """Add the named card to this meld (O6.2)."""
    meld, face = state.melds[slot], S.named_face(state)
    if state.named >= M.LOW and M.kind_of(meld) != K.MELD_OF_TWOS:
        add_two(state, slot, face // NUM_RANKS)
    else:
        place = M.place_for(meld, face) if M.is_run(meld) else place_in_set(meld, face)
        state.melds[slot] = M.grown(meld, place, False)
    T.leave_hand(state, state.seat, face)
    state.fits[state.seat] = S.fits_of(state, state.seat)
    state.phase = T.PLAY
    state.named = W.NOTHING
    after_play(state)


@compiled
def add_two(state: State, slot: int, suit: int) -> None:
    """Add a Two of this suit to a meld as a wild card. The Twos of a set are sorted by suit."""
    meld, twos = state.melds[slot], state.twos[slot]
    count = popcount(M.wilds_in(meld))
    place, before = M.NO_SUIT + count, count
    if M.is_run(meld):
        place = M.place_for(meld, state.named)
        before = 0 if state.named == M.LOW else count
    else:
        while before and twos >> SUIT_BITS * (before - 1) & 3 > suit:
            before -= 1
    at = SUIT_BITS * before
    state.twos[slot] = twos & (1 << at) - 1 | suit << at | twos >> at << at + SUIT_BITS
    state.melds[slot] = M.grown(meld, place, True)


@compiled
def after_play(state: State) -> None:
    """End the round if the hand is empty: the seat is out without a discard (O7.2)."""
    if state.hands[state.seat, 0] == 0:
        end_round(state, T.OUT)


# The end of a turn (O7) and of a round (O8) --------------------------------------------------------------------------


@compiled
def discard(state: State, place: int) -> None:
    """Discard a natural (`SHED[place]`), and end the turn (O7.1)."""
    T.lay_on_pile(state, state.seat, S.SHED[place])
    end_turn(state)


@compiled
def discard_two(state: State) -> None:
    """Discard the lowest Two, and end the turn (O7.1)."""
    T.lay_on_pile(state, state.seat, S.lowest_two(state.hands[state.seat]))
    end_turn(state)


@compiled
def end_turn(state: State) -> None:
    """End the turn. The ends of a round are checked in the order of O8.4."""
    if state.hands[state.seat, 0] == 0:
        end_round(state, T.OUT)
    elif state.turns + 1 >= state.rules.max_turns:
        end_round(state, T.TURNS)
    elif S.has_run_out(state):
        end_round(state, T.EXHAUSTED)
    else:
        state.turns += 1
        T.begin_turn(state, T.next_seat(state, state.seat), T.DRAW)


@compiled
def end_round(state: State, ending: int) -> None:
    """Score the round that ends in this turn; in a match, deal the next round (O9, O10)."""
    winner = state.seat if ending == T.OUT else T.NO_SEAT
    state.turns += 1
    if ending == T.TURNS:
        no_points(state)
    else:
        score_round(state, winner)
    T.begin_turn(state, 0, T.OVER)
    add_up(state, ending, winner)
    go_on(state, has_reached_target(state))


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
    elif state.phase == T.PLAY:
        write_plays(state, mask, wanted)
    elif state.phase == T.CHOOSE:
        write_bits(mask, S.MELD, takers(state, state.named), MAX_MELDS)


@going_on.can_go_on.fill(S.STATE)
def can_go_on(state: State) -> bool:
    """Return whether the seat to move can go on: it has its named card and a choice of melds, or a legal action."""
    if state.phase == T.CHOOSE and S.named_face(state) == W.NO_FACE:
        return False
    return going_on.has_choice(state)
