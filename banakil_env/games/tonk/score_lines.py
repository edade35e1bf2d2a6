"""The payments of a round of Tonk in parts (T9); see `kit.score_lines`."""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import interpreted
from banakil_env.games.tonk import state as S
from banakil_env.games.tonk.scoring import count_of, lowest_count
from banakil_env.kit import table_state as T
from banakil_env.kit.score_lines import Line, some

# What one seat is paid for by every other, and how many stakes it is.
_WINS = {
    T.OUT: ("running out", 1),
    S.TONKED: ("tonking out, twice the stake", 2),
    S.TONK: ("a dealt tonk, twice the stake", 2),
    S.DROP: ("dropping with the lowest count", 1),
    S.LOWEST: ("the lowest count when the stock was empty", 1),
}


def lines(state: Any, seat: int) -> list[Line]:
    """The payments of a seat: positive for the seat that is paid, negative for each seat that pays."""
    ending, winner = int(state.ending), int(state.winner)
    if ending == S.CAUGHT:
        return some(_caught(state, seat, winner))
    if ending not in _WINS:
        return []
    text, stakes = _WINS[ending]
    others = int(state.num_players) - 1
    return some([(text, stakes * int(state.rules.stake) * (others if seat == winner else -1))])


def _caught(state: Any, seat: int, dropper: int) -> list[tuple[str, int]]:
    """After a drop that was caught (T9.5): what the dropper pays to each count as low as its own; the lowest counts."""
    players, stake = int(state.num_players), int(state.rules.stake)
    counts = [int(interpreted(count_of)(state.rules, int(state.hands[each, 0]))) for each in range(players)]
    catchers = [each for each in range(players) if each != dropper and counts[each] <= counts[dropper]]
    lowest = [each for each in range(players) if int(interpreted(lowest_count)(state, dropper)[1]) >> each & 1]
    paid = -len(catchers) if seat == dropper else int(seat in catchers)
    return [
        ("caught in a drop by an equal or lower count", stake * paid),
        ("the lowest count", stake * (players * (seat in lowest) - len(lowest))),
    ]
