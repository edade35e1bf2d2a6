"""The end of a turn, by a discard or the last card played; it can end the round and the match (B2.3, B6, B8)."""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import write_bits
from banakil_env.core.jit import compiled, inlined
from banakil_env.games.banakil.actions import DISCARD
from banakil_env.games.banakil.faces import NO_FACE, NUM_FACES
from banakil_env.games.banakil.scoring import match_winner, score_round
from banakil_env.games.banakil.state import begin_turn, shuffle_and_deal
from banakil_env.kit.rounds import end_or_deal
from banakil_env.kit.table_state import DRAW, EXHAUSTED, NO_SEAT, OUT, OVER, TURNS, lay_on_pile, next_seat


@inlined
def _discardable(state: Any, hand: int) -> int:
    """Return the faces that may be discarded, as a mask: all faces of the hand but the banned one (B2.3, B2.4)."""
    if state.banned == NO_FACE:
        return hand
    return hand & ~(1 << state.banned)


@inlined
def mark_discards(state: Any, hand: int, mask: Any) -> None:
    """Mark the legal discards in `mask`."""
    write_bits(mask, DISCARD, _discardable(state, hand), NUM_FACES)


@inlined
def may_discard(state: Any, action: int) -> bool:
    """Return whether this discard is legal."""
    return _discardable(state, state.hands[state.seat, 0]) >> (action - DISCARD) & 1 != 0


@compiled
def discard(state: Any, face: int) -> None:
    """Discard and end the turn (B2.3). The discard may also end the round (B6) or make the deal void (B9.9)."""
    seat = state.seat
    lay_on_pile(state, seat, face)
    circles = state.rules.discard_taken and state.taken == face and not state.played
    state.circling = state.circling + 1 if circles else 0
    _end_turn(state)
    if state.hands[seat, 0] == 0:
        _end_round(state, OUT)
    elif state.stock_size == 0:
        _end_round(state, EXHAUSTED)
    elif state.turns >= state.rules.max_turns:
        _end_round(state, TURNS)
    elif state.circling == state.num_players:
        shuffle_and_deal(state)
    else:
        begin_turn(state, next_seat(state, seat), DRAW)


@inlined
def after_play(state: Any) -> None:
    """Note that a card has been played to the table. If it was the last card, the player goes out."""
    state.played = 1
    if state.hands[state.seat, 0] == 0:
        _end_turn(state)
        _end_round(state, OUT)


@inlined
def _end_turn(state: Any) -> None:
    state.turns += 1
    state.had_turn |= 1 << state.seat


@compiled
def _end_round(state: Any, ending: int) -> None:
    """Score the round (B7). In a match, deal again (B8.3) unless it is won or the limit of rounds is reached (B8.2)."""
    state.ending = ending
    state.winner = state.seat if ending == OUT else NO_SEAT
    score_round(state)
    state.rounds += 1
    state.phase = OVER
    end_or_deal(state, match_winner(state))
