"""Rounds and matches of a game of contracts: a contract for each scored round, and the lowest total wins.

Seats with equal lowest totals share the win; `winner` is the first of them. A round that is not scored is dealt again
by the same dealer for the same contract.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from banakil_env.core.jit import compiled
from banakil_env.kit import table_state as T
from banakil_env.kit.rounds import add_up, deal_round
from banakil_env.kit.switches import Rules, RulesError


def first_contract(rules: type[Rules], contracts: int) -> Callable[[Any], None]:
    """The function `prepare` of `kit.assembly` for a game with this number of contracts and a switch `contract`."""

    def prepare(state: Any) -> None:
        """Write the contract of a single round, or the first of a match. RulesError: the rules name another for it."""
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
    """The first seat with this score; NO_SEAT: none has it."""
    for seat in range(state.num_players):
        if state.scores[seat] == score:
            return seat
    return T.NO_SEAT


@compiled
def book_round(state: Any, ending: int, winner: int, scored: bool, contracts: int) -> None:
    """Add up `points` after a round; then the match ends, or the next round is dealt.

    Args:
        ending, winner: of the round. scored: whether it counts. contracts: their number in the match.
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
