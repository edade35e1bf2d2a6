"""What may be done, and what it does: draw or take from the pile (HF3, HF6), play (HF4, HF5), go out (HF8), end a turn.

Each phase has what is legal in it beside what happens in it. Look-ahead is in `lookahead.py`.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import clear_cells, wide
from banakil_env.core.jit import compiled
from banakil_env.core.masks import count_legal
from banakil_env.core.scratch import scratch, scratch_bytes
from banakil_env.games.hand_and_foot import lookahead as L
from banakil_env.games.hand_and_foot import state as S
from banakil_env.games.hand_and_foot.lookahead import SIGHT
from banakil_env.games.hand_and_foot.rules import ABLE
from banakil_env.games.hand_and_foot.scoring import book_round, score_round
from banakil_env.games.hand_and_foot.state import NUM_ACTIONS, PILE, W
from banakil_env.kit import table_state as T
from banakil_env.kit.books import table as B
from banakil_env.kit.books.kinds import (
    ACE,
    FOUR,
    JOKER,
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
from banakil_env.kit.books.melds import lay, put, wilds_at
from banakil_env.kit.by_mask import apply_by_mask, number_of_actions
from banakil_env.kit.two_sides import ANSWER, NO, NOT_ASKED, YES, answer_partner, ask_partner, side_to_move

# The draw (HF3.1) and the pile (HF6) ---------------------------------------------------------------------------------


@compiled
def legal_takes(state: Any, seat: int, mask: Any) -> bool:
    """Write the legal ways to take from the pile (HF6, HF5.4); whether there is one. Their cells are zero before."""
    below = wide(state.pile_size) - 1
    if below < 0:
        return False
    kind = kind_of(wide(state.pile[below]))
    held, place = size_of(wide(state.hands[seat, kind])), min(kind, wide(W))
    if kind == THREE or held == 0 or (held == 1 and kind >= TWO):
        return False
    sight = scratch(SIGHT)
    L.look(state, seat, sight)
    if sight[L.NATURALS + place] + sight[L.WILDS + place] > PILE - 3:
        return False
    L.look_at_pile(state, sight, below)
    missing = wide(0) if S.has_melds(state, seat & 1) else S.minimum(state) - VALUES[kind]
    if kind >= TWO:
        sight[L.WILDS + W] += 1
        action = S.TAKE_WILD + kind - TWO
        mask[action] = L.play_can_end(state, sight, place, wide(0), 2 * (kind == TWO), 2 * (kind == JOKER), missing)
        return mask[action] != 0
    sight[L.NATURALS + kind] += 1
    found = False
    for pattern in range(NUM_PATTERNS):
        wild = wild_of(pattern)
        naturals = wide(2) if wild == NO_KIND else wide(1)
        if held >= naturals and (wild == NO_KIND or sight[L.HELD + wild]):
            able = L.play_can_end(state, sight, kind, naturals, wide(wild == TWO), wide(wild == JOKER), missing)
            mask[S.TAKE + NUM_PATTERNS * (kind - FOUR) + pattern] = able
            found = found or able
    return found


@compiled
def legal_draws(state: Any, mask: Any) -> None:
    """HF3.1; without stock HF9.1."""
    takes = legal_takes(state, wide(state.seat), mask)
    if state.stock_size:
        mask[S.DRAW] = 1
    elif takes:
        mask[S.PASS] = state.rules.must_take != ABLE


@compiled
def draw(state: Any) -> None:
    """Draw two cards, or the one that there is; the last may be a red Three (HF9.3)."""
    B.draw_cards(state, wide(state.seat), wide(S.DRAWN))
    state.phase = T.PLAY


@compiled
def take(state: Any, other: int) -> None:
    """Meld the top card of the pile with one of its kind and one of kind `other`, and take what comes with it."""
    side = side_to_move(state)
    first = not S.has_melds(state, side)
    face = B.pop_pile(state)
    kind = kind_of(face)
    place = min(kind, wide(W))
    state.phase = T.PLAY
    put(state, side, face, place)
    lay(state, kind, place)
    lay(state, other, place)
    if first:
        state.opening = state.taking = 1
    else:
        B.take_up_pile(state, wide(state.seat), wide(S.TAKEN))
    after_play(state, place)


# The play (HF4, HF5) -------------------------------------------------------------------------------------------------


@compiled
def legal_plays(state: Any, mask: Any) -> None:
    """HF3.2, HF3.3: everything in the phase of play."""
    seat, side = wide(state.seat), side_to_move(state)
    sight = scratch(SIGHT)
    L.look(state, seat, sight)
    missing = wide(0)
    if state.opening:
        missing = S.minimum(state) - S.laid_value(state, side)
        if state.taking:
            L.look_at_pile(state, sight, wide(state.pile_size))
    elif not S.has_melds(state, side):
        missing = S.minimum(state)
    left = L.cards_held(sight)
    if missing <= 0 or L.most_value(sight) >= missing:
        # Plays that leave two cards are in no doubt, where nothing is missing and nobody has said yes.
        sure = left - 2 if missing <= 0 and state.answer != YES else wide(0)
        _legal_melds(state, sight, missing, sure, mask)
        _legal_joker_melds(state, sight, missing, sure, mask)
    if state.opening:
        return
    if not state.last:
        if left > 1 or sight[L.FOOT]:
            may_discard = state.answer != YES
        else:
            may_discard = L.may_go_out(state, sight) and L.has_piles(sight)
        if may_discard:
            for kind in range(NUM_KINDS):
                mask[S.DISCARD + kind] = sight[L.HELD + kind] != 0
    elif state.answer != YES:
        mask[S.STOP] = 1
    mask[S.ASK] = may_ask(state, sight, missing)
    # HF9.4: ten red Threes were in the foot.
    if left == 1 and not state.stock_size and state.answer != YES and not count_legal(mask):
        mask[S.STOP] = 1


@compiled
def _legal_melds(state: Any, sight: Any, missing: int, sure: int, mask: Any) -> None:
    """Openings and additions of 4 to A. Plays of at most `sure` cards are in no doubt."""
    for kind in range(FOUR, ACE + 1):
        held, there = sight[L.HELD + kind], sight[L.NATURALS + kind]
        for pattern in range(NUM_PATTERNS):
            wild = wild_of(pattern)
            if wild != NO_KIND and not sight[L.HELD + wild]:
                continue
            twos, jokers = wide(wild == TWO), wide(wild == JOKER)
            if there == 0:
                naturals = wide(3) if wild == NO_KIND else wide(2)
                if held >= naturals:
                    mask[S.OPEN + NUM_PATTERNS * (kind - FOUR) + pattern] = sure >= 3 or L.play_can_end(
                        state, sight, wide(kind), naturals, twos, jokers, missing
                    )
            elif wild == NO_KIND:
                if held:
                    mask[S.ADD + kind - FOUR] = sure >= 1 or L.play_can_end(
                        state, sight, wide(kind), wide(1), twos, jokers, missing
                    )
            elif sight[L.WILDS + kind] < (1 if there + sight[L.WILDS + kind] < 5 else 2):  # HF4.1
                mask[S.WILD + 2 * (kind - FOUR) + pattern - 1] = sure >= 1 or L.play_can_end(
                    state, sight, wide(kind), wide(0), twos, jokers, missing
                )


@compiled
def _legal_joker_melds(state: Any, sight: Any, missing: int, sure: int, mask: Any) -> None:
    """The same for wild cards."""
    twos, jokers = sight[L.HELD + TWO], sight[L.HELD + JOKER]
    if sight[L.WILDS + W]:
        if twos:
            mask[S.WILD + 2 * (W - FOUR)] = sure >= 1 or L.play_can_end(
                state, sight, wide(W), wide(0), wide(1), wide(0), missing
            )
        if jokers:
            mask[S.WILD + 2 * (W - FOUR) + 1] = sure >= 1 or L.play_can_end(
                state, sight, wide(W), wide(0), wide(0), wide(1), missing
            )
        return
    for number in range(4):
        if jokers >= number and twos >= 3 - number:
            mask[S.OPEN_WILD + number] = sure >= 3 or L.play_can_end(
                state, sight, wide(W), wide(0), 3 - number, wide(number), missing
            )


@compiled
def open_meld(state: Any, place: int, one: int, two: int, three: int) -> None:
    """Open a meld with three cards of these kinds (HF4.6)."""
    if not S.has_melds(state, side_to_move(state)):
        state.opening = 1
    lay(state, one, place)
    lay(state, two, place)
    lay(state, three, place)
    after_play(state, place)


@compiled
def add(state: Any, action: int) -> None:
    """Add a card to a meld."""
    if action < S.WILD:
        kind = place = FOUR + action - S.ADD
    else:
        kind, place = TWO + (action - S.WILD) % 2, FOUR + (action - S.WILD) // 2
    lay(state, kind, place)
    after_play(state, place)


@compiled
def after_play(state: Any, place: int) -> None:
    """A pile may be complete; a first meld may have reached its value, whereupon a waiting pile comes up (HF5.4).

    A hand that is empty then brings the foot (HF7.1), or the end.
    """
    side, seat = side_to_move(state), wide(state.seat)
    if size_of(wide(state.naturals[side, place])) + wilds_at(state, side, place) == PILE:
        S.complete_pile(state, side, place)
    if state.opening and S.laid_value(state, side) >= S.minimum(state):
        state.opening = 0
        if state.taking:
            state.taking = 0
            B.take_up_pile(state, seat, wide(S.TAKEN))
    if not state.opening and size_of_stacks(state.hands[seat]) == 0:
        if S.has_foot(state, seat):
            S.take_up_foot(state, seat)
        else:
            end_round(state, wide(T.OUT), seat)


@compiled
def may_ask(state: Any, sight: Any, missing: int) -> bool:
    """Whether the seat that a sight shows may ask its partner: both answers can be obeyed (HF8.3).

    `missing`: the value of the first meld, where the side has none.
    """
    if not state.rules.ask or state.answer != NOT_ASKED or not sight[L.FEET_UP]:
        return False
    if L.cards_held(sight) < 2 and not state.last and state.stock_size:
        return False
    return L.goes_out(sight, missing, not state.last)


# The end of a turn and of a round (HF8, HF9) -------------------------------------------------------------------------


@compiled
def end_turn(state: Any) -> None:
    """The turn passes on; the checks in the order of HF12.2."""
    state.turns += 1
    if state.turns >= state.rules.max_turns:
        end_round(state, wide(T.TURNS), wide(T.NO_SEAT))
        return
    seat = T.next_seat(state, wide(state.seat))
    B.begin_turn(state, seat, wide(T.DRAW))
    if size_of_stacks(state.hands[seat]) == 0:
        S.take_up_foot(state, seat)  # HF7.2
        if state.last:
            state.phase = T.PLAY
            return
    if state.stock_size == 0 and not can_take(state):
        end_round(state, wide(T.EXHAUSTED), wide(T.NO_SEAT))


@compiled
def can_take(state: Any) -> bool:
    """Whether the seat to move has a legal way to take from the pile."""
    return legal_takes(state, wide(state.seat), scratch_bytes(NUM_ACTIONS))


@compiled
def discard(state: Any, kind: int) -> None:
    """Discard: the seat is out, or the turn ends, perhaps with an empty hand (HF7.2)."""
    seat = wide(state.seat)
    B.push_pile(state, B.leave_hand(state, seat, kind))
    if size_of_stacks(state.hands[seat]) == 0 and not S.has_foot(state, seat):
        end_round(state, wide(T.OUT), seat)
    else:
        end_turn(state)


@compiled
def end_round(state: Any, ending: int, winner: int) -> None:
    """Score the round; in a match deal the next one (HF10)."""
    score_round(state, ending, winner)
    B.begin_turn(state, wide(0), wide(T.OVER))
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
    elif action == S.PASS or (action == S.STOP and state.last):
        end_round(state, wide(T.EXHAUSTED), wide(T.NO_SEAT))
    elif action < S.TAKE_WILD:
        wild = wild_of((action - S.TAKE) % NUM_PATTERNS)
        take(state, FOUR + (action - S.TAKE) // NUM_PATTERNS if wild == NO_KIND else wild)
    elif action < S.OPEN:
        take(state, TWO + action - S.TAKE_WILD)
    elif action < S.OPEN_WILD:
        kind, wild = FOUR + (action - S.OPEN) // NUM_PATTERNS, wild_of((action - S.OPEN) % NUM_PATTERNS)
        open_meld(state, kind, kind, kind, kind if wild == NO_KIND else wild)
    elif action < S.ADD:
        jokers = action - S.OPEN_WILD
        open_meld(state, wide(W), TWO + (jokers > 2), TWO + (jokers > 1), TWO + (jokers > 0))
    elif action < S.DISCARD:
        add(state, action)
    elif action < S.STOP:
        discard(state, action - S.DISCARD)
    elif action == S.STOP:
        end_turn(state)
    elif action == S.ASK:
        ask_partner(state)
    else:
        answer_partner(state, wide(YES) if action == S.SAY_YES else wide(NO))


apply = apply_by_mask("hand_and_foot", legal_mask, carry_out, NUM_ACTIONS)
count_actions = number_of_actions("hand_and_foot", legal_mask, NUM_ACTIONS)
