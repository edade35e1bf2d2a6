"""Rounds and matches of a game of contracts: each scored round has its contract, and the lowest total wins the match.

Seats with the same lowest total share the win; `winner` is the first of them. A round without a score is dealt again by
the same dealer, with the same contract.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banakil_env.core.jit import compiled
from banakil_env.kit import table_state as T
from banakil_env.kit.rounds import add_up, deal_round
from banakil_env.kit.switches import Rules, RulesError


def first_contract(rules: type[Rules], contracts: int) -> Callable[[Any], None]:
    """Make the function `prepare` for `kit.assembly`, for a game with `contracts` contracts and a switch `contract`."""

    def prepare(state: Any) -> None:
        """Write the contract of a single round, or 1 for a match. RulesError: a match with another first contract."""
        switch = rules.read(state.rules).contract  # type: ignore[attr-defined]  # a switch of these games
        if state.episode == T.MATCH_EPISODE and switch != 1:
            raise RulesError(
                f"a match goes through all {contracts} contracts from the first on: contract={switch} is a round"
            )
        state.contract = switch if isinstance(switch, int) else 1

    return prepare


@compiled
def lowest_score(state: Any) -> int:
    """The lowest score of the match."""
    lowest = state.scores[0]
    for seat in range(1, state.num_players):
        lowest = min(lowest, state.scores[seat])
    return lowest


@compiled
def first_with(state: Any, score: int) -> int:
    """The first seat with this score; NO_SEAT if there is no such seat."""
    for seat in range(state.num_players):
        if state.scores[seat] == score:
            return seat
    return T.NO_SEAT


@compiled
def book_round(state: Any, ending: int, winner: int, scored: bool, contracts: int) -> None:
    """Add `points` to the scores after a round, then end the match or deal the next round.

    Args:
        ending: the ending of the round.
        winner: the seat that won the round.
        scored: whether the round counts.
        contracts: the number of contracts in a match.
    """
    T.begin_turn(state, 0, T.OVER)
    add_up(state, ending, winner)
    if state.episode != T.MATCH_EPISODE:
        return
    state.winner = T.NO_SEAT
    if scored and state.contract == contracts:
        state.ending = T.MATCH
        state.winner = first_with(state, lowest_score(state))
    elif state.rounds >= state.rules.max_rounds:
        state.ending = T.ROUNDS
    else:
        if scored:
            state.contract += 1
            state.dealer = T.next_seat(state, state.dealer)
        deal_round(state)
