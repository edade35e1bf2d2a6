"""The points of a round (Y4), their effect on the scores (Y5, Y6), and the reward of an episode."""

from __future__ import annotations

from typing import Any

from banakil_env.core.game import WIN
from banakil_env.core.jit import compiled, interpreted
from banakil_env.core.scratch import scratch
from banakil_env.games.yaniv.rules import TIE_IS_ASAF, WINNER_BEGINS
from banakil_env.games.yaniv.state import MAX_SCORE, YANIV, deal, is_out, next_in_game, seats_in_game
from banakil_env.kit import rounds
from banakil_env.kit.pack54 import total_of
from banakil_env.kit.score_lines import Line, lines_of, sum_of
from banakil_env.kit.table_state import MATCH, MATCH_EPISODE, NO_SEAT, OVER, ROUNDS

PARTS = ("cards in the hand", "the call was the lowest", "the call was beaten", "lowest hand")
NUM_PARTS = len(PARTS)
HELD, CALLED, BEATEN, LOWEST = range(NUM_PARTS)


@compiled
def winner_of_call(state: Any, caller: int) -> int:
    """Return the seat that wins the round: the caller, or the first seat after it that has beaten the call (Y4.1,
    Y4.2).
    """
    lowest, best = MAX_SCORE, caller
    seat = next_in_game(state, caller)
    while seat != caller:  # the other seats in order of play: the first of equal seats wins
        held = total_of(state.hands[seat])
        if held < lowest:
            lowest, best = held, seat
        seat = next_in_game(state, seat)
    own = total_of(state.hands[caller])
    return caller if own < lowest or (own == lowest and state.rules.tie != TIE_IS_ASAF) else best


@compiled
def write_parts(state: Any, seat: int, caller: int, winner: int, parts: Any) -> None:
    """Write the points of a seat in the match into `parts`, one number for each of PARTS (Y4).

    `winner` is the result of `winner_of_call`.
    """
    held = total_of(state.hands[seat])
    beaten = winner != caller
    parts[HELD] = held
    parts[CALLED] = -held if seat == winner and not beaten else 0
    parts[BEATEN] = state.rules.penalty if seat == caller and beaten else 0
    lowest = beaten and seat != caller and held == total_of(state.hands[winner])
    parts[LOWEST] = -held if lowest and state.rules.asaf_zero else 0


@compiled
def score_call(state: Any, caller: int) -> int:
    """Write the points of a round that ends with this call; return the winner of the round."""
    winner, parts = winner_of_call(state, caller), scratch(NUM_PARTS)
    for seat in range(state.num_players):
        state.points[seat] = 0
        if not is_out(state, seat):
            write_parts(state, seat, caller, winner, parts)
            state.points[seat] = sum_of(parts)
    return winner


@compiled
def end_round(state: Any, ending: int, caller: int, winner: int) -> None:
    """Add up `points` after a round, and deal the next round of a match that goes on.

    Args:
        ending: YANIV or TURNS.
        caller: the seat that called, or NO_SEAT.
        winner: the seat that won the round, or NO_SEAT.
    """
    for seat in range(state.num_players):
        if not is_out(state, seat):
            state.scores[seat] += state.points[seat]
            if ending == YANIV and state.rules.halving:
                state.scores[seat] = _halved(state.scores[seat], state.rules.target)
    state.phase, state.ending, state.winner = OVER, ending, caller
    if state.episode != MATCH_EPISODE:
        return
    state.rounds += 1
    _put_out(state)
    state.winner = NO_SEAT
    if seats_in_game(state) == 1:
        state.ending, state.winner = MATCH, next_in_game(state, 0)
    elif state.rounds >= state.rules.max_rounds:
        state.ending = ROUNDS
    else:
        if state.rules.first == WINNER_BEGINS and winner != NO_SEAT:
            first = next_in_game(state, winner) if is_out(state, winner) else winner
            state.dealer = _before(state, first)
        else:
            state.dealer = next_in_game(state, state.dealer)
        deal(state)


@compiled
def _halved(score: int, target: int) -> int:
    """Return the score after halving (Y5.1): exactly the target, or exactly its half, is halved."""
    return score // 2 if score == target or 2 * score == target else score


@compiled
def _put_out(state: Any) -> None:
    """Put seats with more than the target out of the match; the seats with the lowest score always stay (Y6.1,
    Y6.4).
    """
    lowest = MAX_SCORE
    for seat in range(state.num_players):
        if not is_out(state, seat):
            lowest = min(lowest, state.scores[seat])
    limit = max(lowest, state.rules.target)
    for seat in range(state.num_players):
        if state.scores[seat] > limit:
            state.out |= 1 << seat


@compiled
def _before(state: Any, seat: int) -> int:
    """Return the seat before this one, among the seats still in the match."""
    other = seat
    while next_in_game(state, other) != seat:
        other = next_in_game(state, other)
    return other


@compiled
def reward(state: Any, seat: int, kind: int) -> float:
    """Return the reward of a seat at the end of an episode; 0 before the end.

    For `kind` WIN it is 1 with fewer points than every other seat in the match, 0 if tied for the fewest, else -1. A
    seat that is out has lost.
    """
    if kind != WIN or state.phase != OVER:
        return rounds.reward(state, seat, kind)
    if is_out(state, seat):
        return -1.0
    tied = False
    for other in range(state.num_players):
        if other != seat and not is_out(state, other):
            if state.scores[other] < state.scores[seat]:
                return -1.0
            tied |= state.scores[other] == state.scores[seat]
    return 0.0 if tied else 1.0


# The score sheet ------------------------------------------------------------------------------------------------------


def lines(state: Any, seat: int) -> list[Line]:
    """Return the lines of the score sheet: the cards in the hand, and the effects of the call."""
    caller = int(state.winner)
    return lines_of(PARTS, write_parts, state, seat, caller, interpreted(winner_of_call)(state, caller))
