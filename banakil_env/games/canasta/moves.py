"""What may be done, and what it does: draw or take the pile (C3, C6), play (C4, C5), go out (C7), end a turn (C8).

Each phase has what is legal in it beside what happens in it. Look-ahead is in `lookahead.py`.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import clear_cells, wide
from banakil_env.core.jit import compiled
from banakil_env.core.scratch import scratch, scratch_bytes
from banakil_env.games.canasta import lookahead as L
from banakil_env.games.canasta import state as S
from banakil_env.games.canasta.lookahead import SIGHT
from banakil_env.games.canasta.rules import ABLE, FITS
from banakil_env.games.canasta.scoring import score_round
from banakil_env.games.canasta.state import NUM_ACTIONS
from banakil_env.kit import table_state as T
from banakil_env.kit.books import table as B
from banakil_env.kit.books.kinds import (
    ACE,
    FOUR,
    LOWEST_WILD,
    NO_KIND,
    NUM_KINDS,
    NUM_PATTERNS,
    THREE,
    TWO,
    VALUES,
    kind_of,
    size_of,
    size_of_stacks,
    wild_of,
)
from banakil_env.kit.books.melds import lay, put, value_of_books
from banakil_env.kit.by_mask import apply_by_mask, number_of_actions
from banakil_env.kit.two_sides import ANSWER, NO, NOT_ASKED, YES, answer_partner, ask_partner, book_round, side_to_move

# The draw (C3.1) and the pile (C6) -----------------------------------------------------------------------------------


@compiled
def legal_takes(state: Any, seat: int, mask: Any) -> bool:
    """Write the legal ways to take the pile (C6, C5.4); whether there is one. Their cells are zero before."""
    below = wide(state.pile_size) - 1
    if below < 0:
        return False
    top = wide(state.pile[below])
    kind = kind_of(top)
    if kind == THREE or top >= LOWEST_WILD:
        return False
    held, side = size_of(wide(state.hands[seat, kind])), seat & 1
    if held == 0 and not state.naturals[side, kind]:
        return False
    frozen = B.is_frozen(state)
    melded = S.has_melds(state, side)
    if state.rules.frozen_before_meld and not melded:
        frozen = True
    if frozen and held < 2:
        return False
    sight = scratch(SIGHT)
    L.look(state, seat, sight)
    L.look_at_pile(state, sight, below)
    missing = wide(0) if melded else S.minimum(state, side) - VALUES[kind]
    sight[L.NATURAL + kind] += 1
    if not frozen and state.naturals[side, kind]:
        lone = below == 0 and L.cards_held(sight) == 1 and not state.rules.lone_take
        mask[S.TAKE_ADD] = not lone and L.can_end(state, sight, missing)
        return mask[S.TAKE_ADD] != 0
    found = False
    for pattern in range(wide(1) if frozen else wide(NUM_PATTERNS)):
        wild = wild_of(pattern)
        naturals = wide(2) if wild == NO_KIND else wide(1)
        if held >= naturals and (wild == NO_KIND or sight[L.HELD + wild]):
            able = L.play_can_end(state, sight, kind, naturals, wild, missing)
            mask[S.TAKE + NUM_PATTERNS * (kind - FOUR) + pattern] = able
            found = found or able
    return found


@compiled
def legal_draws(state: Any, mask: Any) -> None:
    """C3.1; without stock C8.1."""
    takes = legal_takes(state, wide(state.seat), mask)
    if state.stock_size:
        mask[S.DRAW] = 1
    elif takes and state.rules.must_take != ABLE:
        mask[S.PASS] = state.rules.must_take != FITS or not mask[S.TAKE_ADD]


@compiled
def draw(state: Any) -> None:
    """Draw as many cards as the game is played with, or as there are; the last one may be a red Three (C8.3)."""
    B.draw_cards(state, wide(state.seat), S.DRAWN[state.num_players])
    state.phase = T.PLAY


@compiled
def take(state: Any, pattern: int) -> None:
    """Take the pile with two cards of the hand, or with none: `pattern` -1 (C6)."""
    side = side_to_move(state)
    first = not S.has_melds(state, side)
    face = B.pop_pile(state)
    state.phase = T.PLAY
    put(state, side, face, kind_of(face))
    if pattern >= 0:
        lay(state, kind_of(face), kind_of(face))
        wild = wild_of(pattern)
        lay(state, kind_of(face) if wild == NO_KIND else wild, kind_of(face))
    if first:
        state.opening = state.taking = 1
    else:
        B.take_up_pile(state, wide(state.seat), wide(state.pile_size))
    after_play(state)


# The play (C4, C5) ---------------------------------------------------------------------------------------------------


@compiled
def legal_plays(state: Any, mask: Any) -> None:
    """C3.2, C3.3: everything in the phase of play."""
    seat, side = wide(state.seat), side_to_move(state)
    sight = scratch(SIGHT)
    L.look(state, seat, sight)
    melded = S.has_melds(state, side)
    missing = wide(0) if melded else S.minimum(state, side)
    if state.opening:
        missing = S.minimum(state, side) - value_of_books(state, side)
        if state.taking:
            L.look_at_pile(state, sight, wide(state.pile_size))
    left = L.cards_held(sight)
    threes_lie = sight[L.NATURAL + THREE] != 0
    # Plays that leave two cards are in no doubt, where nothing is missing and nobody has said yes.
    sure = missing <= 0 and state.answer != YES
    # What is laid in going out counts, and black Threes only there: a bound for both ways.
    if missing <= (L.most_value(sight) >> 7) + VALUES[THREE] * sight[L.HELD + THREE]:
        _legal_melds(state, sight, missing, left - 2 if sure else wide(0), mask)
        if sight[L.HELD + THREE] >= 3 and not threes_lie and left - 3 + sight[L.COMING] <= 1:
            mask[S.OPEN_THREES] = L.play_can_end(state, sight, wide(THREE), wide(3), wide(NO_KIND), missing)
        if sight[L.HELD + THREE] and threes_lie:
            mask[S.ADD_THREE] = L.play_can_end(state, sight, wide(THREE), wide(1), wide(NO_KIND), missing)
    if state.opening:
        return
    if not state.last:
        if left > 1:
            may_discard = state.answer != YES
        else:
            may_discard = state.answer != NO and L.canastas_in(sight) >= sight[L.NEEDED]
        if may_discard:
            for kind in range(NUM_KINDS):
                mask[S.DISCARD + kind] = sight[L.HELD + kind] != 0
    elif state.answer != YES and not threes_lie:
        mask[S.STOP] = 1
    mask[S.ASK] = may_ask(state, sight, missing)


@compiled
def _legal_melds(state: Any, sight: Any, missing: int, sure: int, mask: Any) -> None:
    """Openings and additions of 4 to A. Plays of at most `sure` cards are in no doubt."""
    for kind in range(FOUR, ACE + 1):
        held = sight[L.HELD + kind]
        for pattern in range(NUM_PATTERNS):
            wild = wild_of(pattern)
            if wild != NO_KIND and not sight[L.HELD + wild]:
                continue
            if sight[L.NATURAL + kind] == 0:
                naturals = wide(3) if wild == NO_KIND else wide(2)
                if held >= naturals:
                    mask[S.OPEN + NUM_PATTERNS * (kind - FOUR) + pattern] = sure >= 3 or L.play_can_end(
                        state, sight, wide(kind), naturals, wild, missing
                    )
            elif wild == NO_KIND:
                if held:
                    mask[S.ADD + kind - FOUR] = sure >= 1 or L.play_can_end(
                        state, sight, wide(kind), wide(1), wild, missing
                    )
            elif sight[L.WILD + kind] < S.MAX_WILDS:
                mask[S.WILD + 2 * (kind - FOUR) + pattern - 1] = sure >= 1 or L.play_can_end(
                    state, sight, wide(kind), wide(0), wild, missing
                )


@compiled
def open_meld(state: Any, kind: int, wild: int) -> None:
    """Open a meld with three naturals, or with two and a wild card (C4.3)."""
    if not S.has_melds(state, side_to_move(state)):
        state.opening = 1
    lay(state, kind, kind)
    lay(state, kind, kind)
    lay(state, kind if wild == NO_KIND else wild, kind)
    after_play(state)


@compiled
def after_play(state: Any) -> None:
    """The first meld may have reached its value, whereupon a waiting pile comes up (C5.4); the hand may be empty."""
    side, seat = side_to_move(state), wide(state.seat)
    if state.opening and value_of_books(state, side) >= S.minimum(state, side):
        state.opening, state.concealed = 0, 1
        if state.taking:
            state.taking = 0
            B.take_up_pile(state, seat, wide(state.pile_size))
    if not state.opening and size_of_stacks(state.hands[seat]) == 0:
        go_out(state)


# Asking (C7.4) -------------------------------------------------------------------------------------------------------


@compiled
def may_ask(state: Any, sight: Any, missing: int) -> bool:
    """Whether the seat that a sight shows may ask its partner: both answers can be obeyed.

    `missing`: the value of the first meld, where the side has none.
    """
    if not state.rules.ask or state.num_players != 4 or state.answer != NOT_ASKED or sight[L.NATURAL + THREE]:
        return False
    if L.cards_held(sight) < 2 and not state.last:
        return False
    return L.goes_out(sight, missing, not state.last)


# The end of a turn and of a round (C7, C8) ---------------------------------------------------------------------------


@compiled
def discard(state: Any, kind: int) -> None:
    """Discard, and end the turn; the checks in the order of C11.2."""
    seat = wide(state.seat)
    B.push_pile(state, B.leave_hand(state, seat, kind))
    if size_of_stacks(state.hands[seat]) == 0:
        go_out(state)
        return
    state.turns += 1
    if state.turns >= state.rules.max_turns:
        end_round(state, wide(T.TURNS), wide(T.NO_SEAT))
        return
    S.begin_turn(state, T.next_seat(state, seat), wide(T.DRAW))
    if state.stock_size == 0 and not can_take(state):
        end_round(state, wide(T.EXHAUSTED), wide(T.NO_SEAT))


@compiled
def can_take(state: Any) -> bool:
    """Whether the seat to move has a legal way to take the pile."""
    return legal_takes(state, wide(state.seat), scratch_bytes(NUM_ACTIONS))


@compiled
def go_out(state: Any) -> None:
    """The seat to move has no card left."""
    end_round(state, wide(T.OUT), wide(state.seat))


@compiled
def end_round(state: Any, ending: int, winner: int) -> None:
    """Score the round; in a match deal the next one (C9)."""
    score_round(state, ending, winner)
    S.begin_turn(state, wide(0), wide(T.OVER))
    if book_round(state, ending, winner):
        S.deal(state)


# All together --------------------------------------------------------------------------------------------------------


@compiled
def legal_mask(state: Any, mask: Any) -> None:
    """Write 1 for the legal actions and 0 for the others."""
    clear_cells(mask)
    if state.phase == T.DRAW:
        legal_draws(state, mask)
    elif state.phase == T.PLAY:
        legal_plays(state, mask)
    elif state.phase == ANSWER:
        mask[S.SAY_YES] = mask[S.SAY_NO] = 1


@compiled
def carry_out(state: Any, action: int) -> None:
    """Carry out an action known to be legal."""
    if action == S.DRAW:
        draw(state)
    elif action == S.PASS or action == S.STOP:
        end_round(state, wide(T.EXHAUSTED), wide(T.NO_SEAT))
    elif action == S.TAKE_ADD:
        take(state, wide(-1))
    elif action < S.OPEN:
        take(state, (action - S.TAKE) % NUM_PATTERNS)
    elif action < S.OPEN_THREES:
        open_meld(state, FOUR + (action - S.OPEN) // NUM_PATTERNS, wild_of((action - S.OPEN) % NUM_PATTERNS))
    elif action == S.OPEN_THREES:
        open_meld(state, wide(THREE), wide(NO_KIND))
    elif action < S.DISCARD:
        add(state, action)
    elif action < S.STOP:
        discard(state, action - S.DISCARD)
    elif action == S.ASK:
        ask_partner(state)
    else:
        answer_partner(state, wide(YES) if action == S.SAY_YES else wide(NO))


@compiled
def add(state: Any, action: int) -> None:
    """Add a card to a meld."""
    if action < S.ADD_THREE:
        lay(state, FOUR + action - S.ADD, FOUR + action - S.ADD)
    elif action == S.ADD_THREE:
        lay(state, wide(THREE), wide(THREE))
    else:
        lay(state, TWO + (action - S.WILD) % 2, FOUR + (action - S.WILD) // 2)
    after_play(state)


apply = apply_by_mask("canasta", legal_mask, carry_out, S.NUM_ACTIONS)
count_actions = number_of_actions("canasta", legal_mask, S.NUM_ACTIONS)
