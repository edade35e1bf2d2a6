"""Measures how well playouts predict: compares forecasts and determinized hands with the true outcomes and hands.

    python -m train.calibration --game gin --positions 2000
    python -m train.calibration --game gin --positions 2000 --of greedy expert zoo:gin-2p

The positions are from games between players (`--of`). The move of the player whose turn it is is played out in
determinized deals, as a search does, and the mean margin is the forecast. The search assumes that the players of the
games take turns at the other seats, since it does not know which player is at which seat. The outcome is the margin in
playouts with the true hands and the true players, averaged over orders of the stock. Forecast and outcome have the same
player at the seats of the observer's side: the strongest rule-based player of the game if there are several. It
also replaces trained players and `random`. The bias is the mean of forecast minus outcome: 0 for correct beliefs. The
log score measures the prediction of the other hands: the logarithm of the probability given to the true number of cards
of each face in a hand, summed over the faces; higher is better. Both are measured with the beliefs of the game and with
uniform deals.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.agents import make_player
from banakil_env.agents.search import SearchPlayer
from banakil_env.agents.supposed_deals import hooks_of
from banakil_env.arena import Player
from banakil_env.arena.options import TableOptions
from banakil_env.arena.statistics import Interval, interval
from banakil_env.core.engine import num_seats, observe
from banakil_env.core.game import Game
from banakil_env.core.jit import compiled
from banakil_env.core.markdown import markdown_table
from banakil_env.core.playouts import outcomes
from banakil_env.core.terminal import escaped
from banakil_env.envs.vector import Tables
from train.table_arguments import add_table_arguments, table_of

TABLES = 64
DEALS = 64  # determinized deals per position
# Exchanges between two deals, enough to make them nearly independent; the score then depends on the beliefs alone.
EXCHANGES = 400
ORDERS = 32  # orders of the stock over which the outcome is averaged
MOST_BETWEEN = 30  # largest number of steps of all tables between two positions
DICE = 1  # combined with the seed: a separate generator for the dice, so that they change no other draw
MOST_COPIES = 9  # numbers of cards of a face in a hand that are distinguished, including 0


@dataclass(frozen=True)
class Calibration:
    """The results of one method of determinizing hands; arrays over positions.

    Attributes:
        forecasts: predicted margins, in points.
        came: true margins, in points.
        scores: the log score of a hand, in nats.
    """

    forecasts: npt.NDArray[np.float64]
    came: npt.NDArray[np.float64]
    scores: npt.NDArray[np.float64]

    @property
    def bias(self) -> Interval:
        """The mean of forecast minus outcome, in points."""
        return interval(self.forecasts - self.came)

    @property
    def error(self) -> float:
        """The root mean square of forecast minus outcome, in points."""
        return float(np.sqrt(np.mean((self.forecasts - self.came) ** 2)))


@compiled
def _count_hands(states: Any, observer: int, observation: Any, out: Any) -> None:
    """Count, for each other seat and face, the states with each number of its cards: out[seat, face, number]."""
    for i in range(states.shape[0]):
        players = num_seats(states[i])
        for place in range(1, players):
            observe(states[i], (observer + place) % players, observation[0])
            for face in range(out.shape[1]):
                out[place, face, min(observation[0].hand[face], out.shape[2] - 1)] += 1


def numbers_held(game: Game, states: npt.NDArray[Any], observer: int) -> npt.NDArray[np.float64]:
    """The share of states in which each other seat holds each number of cards of each face: (seats, faces, numbers)."""
    out = np.zeros((game.max_seats, *game.observation["hand"].shape, MOST_COPIES))
    _count_hands(states, observer, np.zeros(1, game.observation), out)
    return out


def score_of(found: npt.NDArray[np.float64], uniform: npt.NDArray[np.float64], true: npt.NDArray[np.float64]) -> float:
    """The log score of a hand, by its frequency in determinized deals, mixed with a small part of uniform deals.

    Args:
        found: (faces, numbers), the numbers of determinized deals with each number of cards of a face.
        uniform: the same in uniform deals.
        true: the same in the true hand.
    """
    deals, seats = found[1, 0].sum(), int(true[1:, 0].sum())
    doubt = (uniform + 0.1 / MOST_COPIES) / (deals + 0.1)
    given = ((found + doubt) / (deals + 1))[true > 0]
    return float(np.log(given).sum() / seats)


def searches_of(game: Game, player: str, models: Sequence[str]) -> dict[str, SearchPlayer]:
    """A search for each method of determinizing hands: "uniform", and "beliefs" if the game has them."""
    ways = {"uniform": False} | ({"beliefs": True} if hooks_of(game).believes else {})
    return {
        way: SearchPlayer("1", game, player, beliefs=beliefs, models=models, exchanges=EXCHANGES)
        for way, beliefs in ways.items()
    }


def measure(
    table: TableOptions, positions: int, seed: int = 0, deals: int = DEALS, players: Sequence[str] = ()
) -> dict[str, Calibration]:
    """Measure a number of positions, with "uniform" deals and with "beliefs" if the game has them.

    Args:
        table: the table.
        positions: the number of positions.
        seed: the seed of the games.
        deals: the number of determinized deals per position.
        players: the players of the games, any that `make_player` makes. Several players take turns on the seats, from
            table to table. Empty: `greedy`.

    Raises:
        PlayerError: there is no such player.
    """
    game = table.found
    names = tuple(players) or ("greedy",)
    models = tuple(name if name in game.settled_players else game.strongest_player for name in names)
    player = models[0] if len(models) == 1 else game.strongest_player
    at_table, plays = [make_player(name, game) for name in names], np.array([game.kinds[model] for model in models])
    sides = np.array([*table.sides, *[-1] * (game.max_seats - table.seats)])
    searches = searches_of(game, player, models)
    tables = Tables(TABLES, game=game, **table.options)
    rng = np.random.default_rng(seed)
    # Any seed below 2**63. Training and `train.beliefs` draw from the same range, but hardly ever the same seeds.
    tables.reset(int(rng.integers(2**63)))
    dice = np.random.default_rng([seed, DICE])
    came: list[float] = []
    forecasts: dict[str, list[float]] = {way: [] for way in searches}
    scores: dict[str, list[float]] = {way: [] for way in searches}
    worth = np.zeros((TABLES, game.max_seats), np.float32)
    while len(came) < positions:
        for _ in range(int(rng.integers(1, MOST_BETWEEN))):
            tables.step(moves(at_table, tables, dice))
        actions = moves(at_table, tables, dice)
        row = int(rng.integers(TABLES))
        orders = ORDERS, rng.integers(0, 2**63, TABLES).astype(np.uint64)
        observer = int(tables.seats[row])
        kinds = plays[whose(np.arange(TABLES)[:, None], np.arange(game.max_seats), len(names))]
        kinds[row, sides == sides[observer]] = game.kinds[player]
        outcomes(game, tables.states, np.array([row]), kinds, "margin", worth, 1, actions, *orders)
        came.append(float(worth[row, observer]))
        true = numbers_held(game, tables.states[row : row + 1], observer)
        held: dict[str, Any] = {}
        for way, search in searches.items():
            search.suppose(tables.observations[row].view(game.observation), rng)
            forecasts[way].append(float(search.margins(actions[row : row + 1], rng, deals).mean()))
            held[way] = numbers_held(game, search.supposed, 0)
            scores[way].append(score_of(held[way], held["uniform"], true))
    return {way: Calibration(*map(np.array, (forecasts[way], came, scores[way]))) for way in searches}


def moves(players: Sequence[Player], tables: Tables, dice: np.random.Generator) -> npt.NDArray[np.int64]:
    """The actions at all tables, (TABLES,). Players take turns on the seats, and start one seat later at each table.

    Args:
        players: the players.
        tables: the tables.
        dice: the random generator for players such as `random`.
    """
    actions, to_move = np.zeros(TABLES, np.int64), whose(np.arange(TABLES), tables.seats, len(players))
    thrown = dice.integers(2**64, size=TABLES, dtype=np.uint64)
    for number, player in enumerate(players):
        rows = np.flatnonzero(to_move == number)
        if len(rows):
            actions[rows] = player.act(tables.observations[rows], tables.masks[rows], thrown[rows])
    return actions


def whose(tables: Any, seats: Any, players: int) -> Any:
    """The indices of the players at these seats of these tables."""
    return (tables + seats) % players


HEADS = (
    "game",
    "positions",
    "bias, uniform",
    "error",
    "bias, beliefs",
    "error",
    "log score, uniform",
    "gain by beliefs",
)


def cells_of(game: Game, found: dict[str, Calibration]) -> list[str]:
    """A row of the table: the game, the positions, and the bias, error and log score of each method."""
    uniform = found["uniform"]
    cells = [game.name, f"{len(uniform.came):,}", _shown(uniform.bias), f"{uniform.error:.1f}"]
    if "beliefs" in found:
        beliefs = found["beliefs"]
        gain = interval(beliefs.scores - uniform.scores)
        cells += [_shown(beliefs.bias), f"{beliefs.error:.1f}", f"{uniform.scores.mean():.2f}", _shown(gain)]
    return cells


def _shown(found: Interval) -> str:
    return f"{found.mean:+.2f} ± {found.half_width:.2f}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m train.calibration", description=__doc__.split("\n\n")[0])
    add_table_arguments(parser)
    parser.add_argument("--positions", type=int, default=2000)
    parser.add_argument("--deals", type=int, default=DEALS, help="determinized at each position")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--of", nargs="+", default=(), help="players of the games (default: greedy)")
    options = parser.parse_args(arguments)
    try:
        table = table_of(options)
        found = measure(table, options.positions, options.seed, options.deals, options.of)
    except ValueError as error:
        parser.error(escaped(error))
    print(markdown_table(HEADS, [cells_of(table.found, found)]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
