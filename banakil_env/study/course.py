"""The course of a recorded game: a player's expectation for a seat at each step, and the moves that lost much.

The expectation of a rule-based player comes from playouts: the player plays all seats to the end of the round, in deals
that agree with the view of one seat (`search` makes them). The expectation of a trained agent is its value. Both use
only the information that the seat had at that step.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from banakil_env.arena.players import Player, make_player
from banakil_env.core.game import REWARDS, Game
from banakil_env.core.kernels import kernels_of
from banakil_env.core.players import NO_MOVE
from banakil_env.core.playouts import outcomes
from banakil_env.kit.plain import Plain
from banakil_env.kit.table_events import end_of_round
from banakil_env.study.ask import explained
from banakil_env.study.hands import deals_of

DEALS = 96  # number of deals in which a position is played out
# At most, at least: deals in which every legal move is tried; and the most playouts of all moves together.
TRIED, LEAST_TRIED, PLAYOUTS = 16, 4, 400
SURE = 2.0  # a move counts as a loss if it is worse than the best by this number of standard errors


@dataclass(frozen=True)
class Loss:
    """The points that a seat loses by the move that it played, compared with the best move.

    Both moves are tried in the same deals. The best move was chosen in other deals, so the mean is not biased.

    Attributes:
        mean: the mean over the deals, in points.
        error: one standard error, in points.
        best: the best move.
    """

    mean: float
    error: float
    best: int


@dataclass(frozen=True)
class Step:
    """The expectation for a seat at a step of the game.

    Attributes:
        value: the margin in points at the end of the round (in a match, with earlier rounds included); or an agent's
            value.
        error: one standard error; None for an agent's value.
        loss: the loss by the move that the seat makes here; None if it makes no move or no move that clearly loses.
    """

    value: float
    error: float | None = None
    loss: Loss | None = None


class Forecaster(Protocol):
    """A source of expectations.

    Attributes:
        in_points: whether values are margins in points; otherwise they are in the units of the agent's training.
        own_only: whether it gives values only where the seat is to move.
        basis: how the figures are found, in words.
    """

    in_points: bool
    own_only: bool
    basis: str

    def step(self, state: Any, seat: int, played: int | None) -> Step | None:
        """The expectation for a seat in a state; None if no sampled deal agrees with its view.

        Args:
            state: the state.
            seat: the seat.
            played: the move that the seat makes here; None if another seat moves.
        """
        ...


class Playouts:
    """Expectations from playouts: a rule-based player plays all seats to the end of the round, in sampled deals.

    Raises ValueError if there is no such player or the game does not support search.
    """

    in_points, own_only = True, False

    def __init__(self, game: Game, player: str) -> None:
        if player not in game.players:
            raise ValueError(f"{game.title} has no rule-based player {player!r:.60}: it has {', '.join(game.players)}")
        self._game, self._plain, self._player = game, Plain(game), player
        search: Any = make_player("search:1", game)
        self._search, hands = search, search.basis.partition("; ")[0]
        self.basis = f"{hands}; rounds played out by `{player}` in {DEALS} deals"

    def step(self, state: Any, seat: int, played: int | None) -> Step | None:
        """The mean margin of a seat over sampled deals, and its loss by the move `played`; None with too few deals.

        The figures depend only on the view of the seat and on its move. `Forecaster.step` describes the arguments.
        """
        seen = self._plain.observe(state, seat)
        rng = np.random.default_rng(0)
        legal = np.flatnonzero(seen["action_mask"]) if played is not None else np.empty(0, np.int64)
        best = played
        if played is not None and len(legal) > 1:
            tried = deals_of(self._search, self._plain, seen, rng, min(TRIED, max(LEAST_TRIED, PLAYOUTS // len(legal))))
            best = int(legal[self._margins(tried, legal).mean(axis=0).argmax()]) if len(tried) else played
        deals = deals_of(self._search, self._plain, seen, rng, DEALS)
        if len(deals) < LEAST_TRIED:
            return None
        if best == played or best is None or played is None:
            return _estimate(self._margins(deals, np.array([NO_MOVE]))[:, 0])
        found = self._margins(deals, np.array([NO_MOVE, best, played]))
        behind = _estimate(found[:, 1] - found[:, 2])
        assert behind.error is not None
        loses = behind.value > SURE * behind.error
        value = _estimate(found[:, 0])
        return Step(value.value, value.error, Loss(behind.value, behind.error, best) if loses else None)

    def _margins(self, deals: npt.NDArray[Any], moves: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
        """The margin of seat 0 in points, (deals, moves): for each deal and each first move."""
        out = np.zeros((len(deals) * len(moves), self._game.max_seats), np.float32)
        states, first = np.repeat(deals, len(moves)), np.tile(moves, len(deals))
        outcomes(self._game, states, np.arange(len(states)), self._player, "margin", out, moves=first)
        return out[:, 0].reshape(len(deals), len(moves)).astype(float)


class ByValue:
    """Expectations of a trained agent: its value of the view of a seat."""

    in_points, own_only = False, True

    def __init__(self, game: Game, player: Player) -> None:
        self._plain, self._player = Plain(game), player
        self.basis = "the agent's value of what the seat sees, without a standard error; no move is judged by it"

    def step(self, state: Any, seat: int, played: int | None) -> Step | None:
        """The agent's value of the view of a seat; the move `played` is not used.

        Raises ValueError if the player gives no value, and PlayerFailed if it fails.
        """
        seen = self._plain.observe(state, seat)
        found = explained(self._player, self._player.name, seen["observation"], seen["action_mask"], 0)
        if found.value is None:
            raise ValueError(f"{self._player.name} gives no value of a position: choose another player")
        return Step(float(found.value))


def steps_of(count: int, most: int) -> Iterator[int]:
    """At most `most` numbers below `count`, from coarse to fine: the first few are spread over the whole range."""
    stride = 1 << max(0, (count - 1).bit_length())
    seen = 0
    while stride and seen < most:
        for number in range(0, count, stride):
            if (stride << 1) >= (count << 1) or number % (stride << 1):
                yield number
                seen += 1
                if seen == most:
                    return
        stride >>= 1


def results_of(game: Game, states: npt.NDArray[Any], moves: Sequence[tuple[int, int]]) -> dict[int, list[float]]:
    """The margins in points at the end of each round, by seat. The key is the number of moves made until then.

    In a match they are margins of the score so far, as in playouts.

    Args:
        game: the game.
        states: the first state, and the state after each move.
        moves: the seat and the action of each move.
    """
    rounds, found = states["rounds"], {}
    for number, (_, action) in enumerate(moves):
        if rounds[number + 1] == rounds[number] and number + 1 < len(moves):
            continue
        ended = end_of_round(game, states[number], action)
        if ended is not None:
            margins = np.zeros(game.max_seats)
            kernels_of(game).end_one(np.asarray(ended).reshape(1), REWARDS["margin"], margins)
            found[number + 1] = margins.tolist()
    return found


def _estimate(values: npt.NDArray[np.float64]) -> Step:
    """The mean of the values with its standard error."""
    return Step(float(values.mean()), float(values.std(ddof=1) / len(values) ** 0.5))
