"""The legal actions and their effects: the upcard (G3), draw and discard (G4), knock (G5), lay off (G6), the wall (G7).

For each phase, the functions for its legal actions come first, then the functions for their effects.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import clear_cells, write_bits
from banakil_env.core.jit import compiled, inlined
from banakil_env.games.gin import state as S
from banakil_env.games.gin.records import State
from banakil_env.games.gin.rules import BEST_COUNT, KNOCK_AT_WALL, TWO_LAY_OFFS
from banakil_env.games.gin.scoring import add_bonuses, is_big_gin, score_knock
from banakil_env.kit import table_state as T
from banakil_env.kit.melds.deadwood import (
    LAYS,
    NO_LIMIT,
    deadwood,
    deadwood_of_ten,
    discards_within,
    lays_within,
    points_in,
)
from banakil_env.kit.melds.runs_and_sets import is_run, places, takes
from banakil_env.kit.one_pack import table as O
from banakil_env.kit.pack52 import ALL, NUM_FACES, above, below, bit_of
from banakil_env.kit.rounds import book_round

# The upcard and the draw (G3, G4.1) ----------------------------------------------------------------------------------


@compiled
def pass_upcard(state: State) -> None:
    """Leave the first upcard. It is offered to the other seat; if both have left it, the first seat draws (G3)."""
    seat = state.seat
    if seat == state.dealer:
        T.begin_turn(state, 1 - seat, T.DRAW)
    else:
        T.begin_turn(state, 1 - seat, S.UPCARD)


draw = T.draw


@compiled
def take(state: State) -> None:
    """Take the top card of the pile. If the limit of upcards is exceeded, the hand ends instead (G7.3)."""
    if state.rules.upcard_limit and state.upcards >= state.rules.upcard_limit and state.phase == T.DRAW:
        end_round(state, T.EXHAUSTED, T.NO_SEAT)
        return
    face = T.take(state)
    state.taken = 1 + face
    if not state.rules.return_taken:
        state.banned = face
    state.upcards += 1


# The discard (G4.2) and the ends without a knock (G7) ----------------------------------------------------------------


@inlined
def may_leave(state: State) -> int:
    """Return the cards that may be discarded in this turn, as a mask."""
    return ALL & ~bit_of(state.banned)


@compiled
def discard(state: State, face: int) -> None:
    """Discard a card and end the turn. The ends of a round are checked in the order of G7.5.

    In a knock, the knocker lays its melds next (G5.2).
    """
    if state.phase == S.KNOCK:
        discard_knocking(state, face)
        return
    seat = state.seat
    again = state.taken == 1 + face
    T.lay_on_pile(state, seat, face)
    state.turns += 1
    twice = state.rules.repeats and state.repeated and again
    state.repeated = again
    if state.stock_size <= S.WALL and state.rules.wall == KNOCK_AT_WALL and state.turns < state.rules.max_turns:
        T.begin_turn(state, 1 - seat, S.AT_WALL)
    elif state.stock_size <= S.WALL or twice:
        end_round(state, T.EXHAUSTED, T.NO_SEAT)
    elif state.turns >= state.rules.max_turns:
        end_round(state, T.TURNS, T.NO_SEAT)
    else:
        T.begin_turn(state, 1 - seat, T.DRAW)


@compiled
def knocks_with(state: State, hand: int, allowed: int) -> bool:
    """Return whether a seat can knock with these eleven cards (G5.1, G5.3).

    `allowed` is the mask of the cards that it may discard.
    """
    limit = state.limit
    if discards_within(hand, limit, allowed) == 0:
        return False
    return state.rules.knock_count == BEST_COUNT or deadwood_of_ten(hand) <= limit


@compiled
def can_knock_at_wall(state: State) -> bool:
    """Return whether the seat could knock if it took the upcard (G7.1)."""
    top = bit_of(state.pile[state.pile_size - 1])
    allowed = ALL if state.rules.return_taken else ALL & ~top
    return knocks_with(state, state.hands[state.seat, 0] | top, allowed)


# The knock (G5) ------------------------------------------------------------------------------------------------------


@compiled
def can_knock(state: State) -> bool:
    """Return whether some discard leaves no more deadwood than the limit of a knock (G5.1)."""
    return knocks_with(state, state.hands[state.seat, 0], may_leave(state))


@compiled
def knock(state: State) -> None:
    """Show the hand. At the wall the upcard is taken first (G5.4, G7.1)."""
    if state.phase == S.AT_WALL:
        take(state)
    state.known[state.seat, 0] = state.hands[state.seat, 0]
    state.phase = S.KNOCK


@compiled
def big_gin(state: State) -> None:
    """Go out with eleven cards in melds (G5.6)."""
    state.known[state.seat, 0] = state.hands[state.seat, 0]
    T.begin_turn(state, state.seat, S.LAY)


@compiled
def discard_knocking(state: State, face: int) -> None:
    """Discard the card of a knock; the knocker lays its melds next."""
    T.lay_on_pile(state, state.seat, face)
    T.begin_turn(state, state.seat, S.LAY)


@inlined
def limit_of_laying(state: State) -> int:
    """Return the most deadwood that the knocker can have after it has laid its melds, in points."""
    return 0 if is_big_gin(state, state.seat) else state.limit


@compiled
def lay(state: State, i: int) -> None:
    """Lay row `i` of LAYS as a meld of the knocker or of the defender."""
    O.open_meld(state, state.seat, LAYS[i])


@compiled
def pass_laying(state: State) -> None:
    """End the laying of the knocker. The other seat can lay off, unless the knocker went gin (G6.1)."""
    seat = state.seat
    T.begin_turn(state, 1 - seat, S.LAY_OFF if state.hands[seat, 0] else S.DEFEND)


# Laying off and the defender's melds (G6) ----------------------------------------------------------------------------


@inlined
def legal_adds(state: State) -> int:
    """Return the cards of the defender that fit a meld of the knocker (G6.2, G6.3), as a mask."""
    runs, sets, laid_off = O.cards_in_runs(state), O.cards_in_sets(state), state.laid_off
    fits = places(runs, sets)
    if state.rules.lay_offs == TWO_LAY_OFFS:
        laid = runs & ~laid_off
        beside = above(laid) | below(laid)
        fits &= places(0, sets) | beside | above(above(laid) & laid_off) | below(below(laid) & laid_off)
    return state.hands[state.seat, 0] & fits


@compiled
def add(state: State, face: int) -> None:
    """Lay a card off. If it fits a run and a set, it joins the run (G6.2)."""
    chosen = -1
    for slot in range(state.num_melds):
        meld = state.melds[slot]
        if takes(meld) & bit_of(face) and (chosen < 0 or is_run(meld)):
            chosen = slot
    O.lay_off(state, state.seat, chosen, face)
    state.laid_off |= bit_of(face)


@compiled
def end_knock(state: State) -> None:
    """Score and end the round after the defender has laid its melds (G8)."""
    defender = state.seat
    state.turns += 1
    ending = score_knock(state, 1 - defender)
    if ending == T.EXHAUSTED:
        end_round(state, ending, T.NO_SEAT)
    else:
        end_round(state, ending, defender if ending == S.UNDERCUT else 1 - defender)


@compiled
def end_round(state: State, ending: int, winner: int) -> None:
    """End a round; in a match, deal the next round (G9).

    The caller has written the points of the round; without a winner they become 0.
    """
    if winner == T.NO_SEAT:
        state.points[0] = state.points[1] = 0
    elif state.episode == T.MATCH_EPISODE:
        state.boxes[winner] += 1
    book_round(state, ending, winner)
    if state.ending == T.MATCH:
        add_bonuses(state)


# All phases ----------------------------------------------------------------------------------------------------------


@compiled
def mark(state: State, mask: Any, wanted: int) -> None:
    """Write 1 into `mask` for the legal actions and 0 for the others; `wanted` is not used."""
    clear_cells(mask)
    phase, hand = state.phase, state.hands[state.seat, 0]
    if phase == S.UPCARD:
        mask[S.A_TAKE] = mask[S.A_PASS] = 1
    elif phase == T.DRAW:
        mask[S.A_DRAW] = 1
        mask[S.A_TAKE] = state.turns != 0  # in the first turn both have left the upcard (G3.3)
    elif phase == T.PLAY:
        write_bits(mask, S.A_DISCARD, hand & may_leave(state), NUM_FACES)
        mask[S.A_KNOCK] = can_knock(state)
        mask[S.A_BIG_GIN] = state.rules.big_gin >= 0 and deadwood(hand) == 0
    elif phase == S.KNOCK:
        write_bits(mask, S.A_DISCARD, discards_within(hand, state.limit, may_leave(state)), NUM_FACES)
    elif phase == S.LAY:
        limit = limit_of_laying(state)
        lays_within(hand, limit, mask, S.A_LAY)
        mask[S.A_PASS] = points_in(hand) <= limit
    elif phase == S.LAY_OFF:
        write_bits(mask, S.A_ADD, legal_adds(state), NUM_FACES)
        mask[S.A_PASS] = 1
    elif phase == S.DEFEND:
        lays_within(hand, NO_LIMIT, mask, S.A_LAY)
        mask[S.A_PASS] = 1
    elif phase == S.AT_WALL:
        mask[S.A_KNOCK] = can_knock_at_wall(state)
        mask[S.A_PASS] = 1


@compiled
def do_pass(state: State) -> None:
    """Pass, in any phase that allows it."""
    if state.phase == S.UPCARD:
        pass_upcard(state)
    elif state.phase == S.LAY:
        pass_laying(state)
    elif state.phase == S.LAY_OFF:
        T.begin_turn(state, state.seat, S.DEFEND)
    elif state.phase == S.DEFEND:
        end_knock(state)
    else:
        end_round(state, T.EXHAUSTED, T.NO_SEAT)
