"""What may be done, and what it does: draw or take (R3), play (R4, R5, R7), choose a meld (R5.3), discard (R6).

Each phase has what is legal in it beside what happens in it. Legal openings, lay-offs and discards are masks of bits,
written into the mask of actions in one stroke.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import clear_cells, lowest, popcount, wide, write_bits
from banakil_env.core.jit import compiled, inlined
from banakil_env.games.rummy.rules import ANY_LAST, DISCARD_LAST, END, ONE_MELD, SHUFFLE
from banakil_env.games.rummy.scoring import score_round
from banakil_env.games.rummy.state import (
    ADD,
    DISCARD,
    DRAW_STOCK,
    FEW_TAKERS,
    MELD,
    NO_END,
    OPEN,
    OPEN_SETS,
    RUMMY,
    TAKE,
    deal,
    fault_of_state,
)
from banakil_env.kit.going_out import can_be_emptied
from banakil_env.kit.pack52 import NO_FACE, NUM_FACES, bit_of
from banakil_env.kit.rounds import book_round
from banakil_env.kit.runs_and_sets import (
    MAX_MELDS,
    NUM_RUNS,
    NUM_SETS,
    OPENINGS,
    is_run,
    places,
    run_openings,
    set_openings,
    takes,
)
from banakil_env.kit.table_state import (
    CHOOSE,
    DRAW,
    EXHAUSTED,
    NO_SEAT,
    OUT,
    OVER,
    PLAY,
    TURNS,
    begin_turn,
    cards_in_runs,
    cards_in_sets,
    draw_stock,
    has_played,
    lay_off,
    lay_on_pile,
    next_seat,
    open_meld,
    shuffle_pile_under,
    take_top,
    turn_pile_over,
)

# The draw (R3) -------------------------------------------------------------------------------------------------------


@inlined
def can_draw(state: Any) -> bool:
    """R3.1, R3.4: the stock has a card, or can be renewed: by a shuffle with two cards on the pile, turned with one."""
    needed = wide(2) if state.rules.stock_out == SHUFFLE else wide(1)
    return state.stock_size != 0 or (state.rules.stock_out != END and state.pile_size >= needed)


@compiled
def apply_draw(state: Any, action: int) -> None:
    """Draw from the stock, renewed where it is empty (R3.4), or take the top of the pile, which is banned (R3.3)."""
    seat = wide(state.seat)
    if action == TAKE:
        state.banned = take_top(state, seat)
    else:
        if state.stock_size == 0:
            if state.rules.stock_out == SHUFFLE:
                shuffle_pile_under(state)
            else:
                turn_pile_over(state)
        draw_stock(state, seat)
    state.phase = PLAY


# The play (R5, R7) ---------------------------------------------------------------------------------------------------


@inlined
def is_going_rummy(state: Any) -> bool:
    """R7.2: a second meld was opened in this turn, and the seat has to get rid of every card."""
    return state.rules.melds == ONE_MELD and state.opened >= 2


@inlined
def may_open(state: Any) -> bool:
    """R5.1, R7.2: one meld a turn, more for a seat that had put nothing on the table before it."""
    return state.rules.melds != ONE_MELD or state.opened == 0 or state.in_one_turn != 0


@compiled
def may_be_left(state: Any, hand: int, runs: int, sets: int, empties: bool) -> bool:
    """Whether a turn can still be ended when a play leaves this hand and these runs and sets (R6.2, R6.3, R7.2).

    If it need not be emptied (`empties`), a hand with a card that is not banned ends the turn by discarding it. So
    only two hands are in doubt: the empty one, and the banned card alone, which has to fit a meld; a single card opens
    none.
    """
    banned = bit_of(wide(state.banned))
    if empties:
        return can_be_emptied(hand, runs, sets, banned, state.rules.last_card == DISCARD_LAST)
    if hand == 0:
        return state.rules.last_card == ANY_LAST
    if hand == banned:
        return state.rules.last_card == ANY_LAST and hand & places(runs, sets) != 0
    return True


@compiled
def _may_open_with(state: Any, hand: int, cards: int, runs: int, sets: int) -> bool:
    empties = state.rules.melds == ONE_MELD and state.opened >= 1
    if is_run(cards):
        return may_be_left(state, hand & ~cards, runs | cards, sets, empties)
    return may_be_left(state, hand & ~cards, runs, sets | cards, empties)


@compiled
def _keep_allowed(state: Any, hand: int, openings: int, first: int, runs: int, sets: int) -> int:
    """Those of some openings (bits from the index `first` in OPENINGS on) after which the turn can be ended."""
    kept = wide(0)
    while openings:
        i = lowest(openings)
        openings &= openings - 1
        kept |= wide(_may_open_with(state, hand, wide(OPENINGS[first + i]), runs, sets)) << i
    return kept


@inlined
def _in_doubt(state: Any, left: int) -> bool:
    """Whether `may_be_left` can refuse a hand of so many cards."""
    return left <= 1 or (state.rules.melds == ONE_MELD and state.opened >= 1)


@compiled
def legal_runs(state: Any, runs: int, sets: int) -> int:
    """The runs that may be opened, a bit for each action; `runs` and `sets` are the cards on the table."""
    hand = wide(state.hands[state.seat])
    openings = run_openings(hand) if may_open(state) else wide(0)
    if openings and _in_doubt(state, popcount(hand) - 3):
        return _keep_allowed(state, hand, openings, wide(0), runs, sets)
    return openings


@compiled
def legal_sets(state: Any, runs: int, sets: int) -> int:
    """The sets that may be opened, a bit for each action."""
    hand = wide(state.hands[state.seat])
    openings = set_openings(hand) if may_open(state) else wide(0)
    if openings and _in_doubt(state, popcount(hand) - 3):
        return _keep_allowed(state, hand, openings, wide(NUM_RUNS), runs, sets)
    return openings


@compiled
def _may_add(state: Any, slot: int, card: int, runs: int, sets: int) -> bool:
    """Whether a card that fits this meld may go there (R5.3)."""
    left = wide(state.hands[state.seat]) & ~card
    if is_run(wide(state.melds[slot])):
        return may_be_left(state, left, runs | card, sets, is_going_rummy(state))
    return may_be_left(state, left, runs, sets | card, is_going_rummy(state))


@compiled
def takers(state: Any, face: int) -> int:
    """The melds to which a card of the hand may be laid off, as a mask of their numbers."""
    runs, sets, card = cards_in_runs(state), cards_in_sets(state), bit_of(face)
    slots = wide(0)
    for slot in range(wide(state.num_melds)):
        if takes(wide(state.melds[slot])) & card and _may_add(state, slot, card, runs, sets):
            slots |= wide(1) << slot
    return slots


@compiled
def legal_adds(state: Any, runs: int, sets: int) -> int:
    """The cards that may be laid off."""
    hand = wide(state.hands[state.seat])
    cards = hand & places(runs, sets)
    if cards == 0 or (popcount(hand) > 2 and not is_going_rummy(state)):
        return cards
    kept, rest = wide(0), cards
    while rest:
        face = lowest(rest)
        rest &= rest - 1
        kept |= wide(takers(state, face) != 0) << face
    return kept


@compiled
def legal_discards(state: Any) -> int:
    """R6.1; when going rummy only the last card."""
    hand = wide(state.hands[state.seat])
    if is_going_rummy(state) and hand & (hand - 1):
        return wide(0)
    return hand & ~bit_of(wide(state.banned))


@compiled
def apply_open(state: Any, action: int) -> None:
    """Open a meld (R4.3)."""
    open_meld(state, wide(state.seat), wide(OPENINGS[action - OPEN]))
    _after_play(state)


@compiled
def apply_add(state: Any, face: int) -> None:
    """Lay a card off where one meld takes it; else it is named and waits for its meld (R5.3)."""
    slots = takers(state, face)
    if slots & (slots - 1):
        state.named = face
        state.phase = CHOOSE
    else:
        lay_off(state, wide(state.seat), lowest(slots), face)
        _after_play(state)


@compiled
def apply_choose(state: Any, slot: int) -> None:
    """Lay the card that waits to the meld chosen."""
    lay_off(state, wide(state.seat), slot, wide(state.named))
    state.named = NO_FACE
    state.phase = PLAY
    _after_play(state)


@inlined
def _after_play(state: Any) -> None:
    if state.hands[state.seat] == 0:
        go_out(state)


# The end of a turn (R6) and of a round (R8) --------------------------------------------------------------------------


@compiled
def apply_discard(state: Any, face: int) -> None:
    """Discard, and end the turn; the checks in the order of R8.4."""
    seat = wide(state.seat)
    lay_on_pile(state, seat, face)
    if state.hands[seat] == 0:
        go_out(state)
        return
    state.turns += 1
    if state.turns >= state.rules.max_turns:
        end_round(state, wide(TURNS), wide(NO_SEAT))
    elif state.stock_size == 0 and state.rules.stock_out == END:
        end_round(state, wide(EXHAUSTED), wide(NO_SEAT))
    else:
        begin_turn(state, next_seat(state, seat), wide(DRAW))


@compiled
def go_out(state: Any) -> None:
    """The seat to move has no card left (R8.1): it has gone rummy if all of them left in this turn (R7.1)."""
    seat = wide(state.seat)
    rummy = state.in_one_turn != 0 or not has_played(state, seat)
    state.turns += 1
    end_round(state, wide(RUMMY) if rummy else wide(OUT), seat)


@compiled
def end_round(state: Any, ending: int, winner: int) -> None:
    """Score the round; in a match deal the next one (R10)."""
    score_round(state, ending, winner)
    if book_round(state, ending, winner):
        deal(state)


# All together --------------------------------------------------------------------------------------------------------


@compiled
def legal_mask(state: Any, mask: Any) -> None:
    """Write 1 for the legal actions and 0 for the others."""
    clear_cells(mask)
    if state.phase == DRAW:
        mask[DRAW_STOCK] = can_draw(state)
        mask[TAKE] = state.pile_size != 0
    elif state.phase == PLAY:
        runs, sets = cards_in_runs(state), cards_in_sets(state)
        write_bits(mask, OPEN, legal_runs(state, runs, sets), NUM_RUNS)
        write_bits(mask, OPEN_SETS, legal_sets(state, runs, sets), NUM_SETS)
        write_bits(mask, ADD, legal_adds(state, runs, sets), NUM_FACES)
        write_bits(mask, DISCARD, legal_discards(state), NUM_FACES)
    elif state.phase == CHOOSE:
        write_bits(mask, MELD, takers(state, wide(state.named)), MAX_MELDS)


@compiled
def is_legal(state: Any, action: int) -> bool:
    """Whether one action is legal: the bit of it that `legal_mask` writes."""
    if state.phase == DRAW:
        return can_draw(state) if action == DRAW_STOCK else action == TAKE and state.pile_size != 0
    if state.phase == CHOOSE:
        return MELD <= action < MELD + MAX_MELDS and takers(state, wide(state.named)) >> (action - MELD) & 1 != 0
    if state.phase == OVER or not OPEN <= action < MELD:
        return False
    if action >= DISCARD:
        return legal_discards(state) >> (action - DISCARD) & 1 != 0
    runs, sets = cards_in_runs(state), cards_in_sets(state)
    if action >= ADD:
        return legal_adds(state, runs, sets) >> (action - ADD) & 1 != 0
    if action >= OPEN_SETS:
        return legal_sets(state, runs, sets) >> (action - OPEN_SETS) & 1 != 0
    return legal_runs(state, runs, sets) >> (action - OPEN) & 1 != 0


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
    if action < OPEN:
        apply_draw(state, action)
    elif action < ADD:
        apply_open(state, action)
    elif action < DISCARD:
        apply_add(state, action - ADD)
    elif action < MELD:
        apply_discard(state, action - DISCARD)
    else:
        apply_choose(state, action - MELD)


@compiled
def check(state: Any) -> int:
    """0, or a place in FAULTS plus 1; see `core.game.Engine`."""
    fault = fault_of_state(state)
    if fault or state.phase == OVER or state.phase == DRAW:
        return fault
    if state.phase == CHOOSE:
        slots = takers(state, wide(state.named))
        return wide(0) if slots & (slots - 1) else wide(FEW_TAKERS)
    runs, sets = cards_in_runs(state), cards_in_sets(state)
    if legal_discards(state) or legal_adds(state, runs, sets):
        return wide(0)
    return wide(0) if legal_runs(state, runs, sets) or legal_sets(state, runs, sets) else wide(NO_END)
