"""Trains the networks of `kit.beliefs`, which distinguish true deals from other deals that were possible.

    python -m train.beliefs --game gin

There is a network for each rule-based player, which plays the tables of the game at every seat. At positions of these
games the hands of the other seats are described, once as they are and again in three other deals of the cards that the
seat to move cannot see. A network learns to find the true deal among them, by the sum of its log odds over the hands.
Only deals of one position are compared, so the network need not learn how likely the position is (Ma and Collins, EMNLP
2018, the ranking loss).

Hands dealt at random are rarely likely, so this first network is not accurate for likely hands. Therefore the final
network also learns from a second sample, of deals that the Markov chain of `kit.beliefs` makes with the first network.
The networks are written to `beliefs.json` in the folder of the game, with the settings of their training.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from banakil_env.arena.options import TableOptions
from banakil_env.arena.players import CompiledPlayer
from banakil_env.core.engine import num_seats, redeal_hidden, seat_to_move
from banakil_env.core.files import write_whole
from banakil_env.core.game import Game
from banakil_env.core.jit import INT, Library, read, written
from banakil_env.core.scratch import scratch
from banakil_env.core.terminal import escaped
from banakil_env.envs.vector import Tables
from banakil_env.games import find
from banakil_env.kit.beliefs import INPUTS, MASKS_SEEN, UNITS, Network, description_of, reading_of, stacked, walk_of
from banakil_env.kit.bound import describe, read_seen, walk
from train.table_arguments import settled_player

TABLES = 64  # tables that are played at once
STEPS = 7  # steps of every table between two positions that are used
BATCH, PASSES, RATE, DECAY = 512, 5, 4e-3, 1e-4
HELD_OUT = 50_000  # hands that are held out for measuring
OTHERS = 3  # other deals per position
EXCHANGES = 400  # exchanges per hand with which the chain turns a uniform deal into one of its own
# Each further deal follows after 1/FURTHER of these exchanges; deals that are too similar make a network overconfident.
FURTHER = 4
DIGITS = 4


class Sample(NamedTuple):
    """Descriptions of hands in play, and of the same seats' hands in other deals possible at the position.

    Attributes:
        hands: float32 (hands, 1 + OTHERS, INPUTS): each hand as it is, then in the other deals.
        positions: int64 (hands,), ascending: hands with the same number belong to the same position.
        of: the network whose chain made the other deals; None if the hidden cards were dealt at random.
    """

    hands: npt.NDArray[np.float32]
    positions: npt.NDArray[np.int64]
    of: Network | None = None

    @property
    def starts(self) -> npt.NDArray[np.int64]:
        """The first hand of each position, int64 (positions,)."""
        return np.flatnonzero(np.diff(self.positions, prepend=-1))


def _describe_deals(
    states: Any, seeds: Any, copies: Any, kinds: Any, likelihoods: Any, exchanges: int, out: Any, positions: Any
) -> int:
    """Describe the hands that the seats to move cannot see, as they are and in other deals; one row per hand.

    Args:
        states: the positions.
        seeds: uint64 (states, OTHERS), the seeds of the uniform deals.
        copies: buffer for a state.
        kinds: int64, the player at each seat.
        likelihoods: the beliefs that the chain uses.
        exchanges: exchanges per hand after a uniform deal; a part of them precedes each further deal of the chain. With
            0 the other deals are uniform.
        out: receives `Sample.hands`.
        positions: receives `Sample.positions`, counted from 0.

    Returns:
        The number of rows written.
    """
    size, seen = 0, scratch(MASKS_SEEN)
    for i in range(states.shape[0]):
        observer, hidden = seat_to_move(states[i]), num_seats(states[i]) - 1
        if exchanges and states[i].stock_size == 0:
            continue  # the chain has nothing to exchange
        read_seen(states[i], seen)
        copies[0] = states[i]
        for deal in range(out.shape[1]):
            if deal == 1 or (deal and not exchanges):
                redeal_hidden(copies[0], observer, seeds[i, deal - 1])
            if deal and exchanges:
                walk(copies[0], observer, kinds, likelihoods, exchanges if deal == 1 else exchanges // FURTHER)
            for place in range(hidden):
                seat = (observer + 1 + place) % (hidden + 1)
                describe(copies[0], observer, seat, seen, out[size + place, deal])
                positions[size + place] = i
        size += hidden
    return size


def tables_of(game: Game) -> list[dict[str, Any]]:
    """The options of the tables to sample from: the standing tables, and the tables at which `expert` was fitted."""
    standing = [table.options for table in game.tables]
    rows = [row.options for fitted in game.fitted.values() for row in fitted.parameters.rows]
    return [table.options for table in dict.fromkeys(TableOptions(game=game.name, **each) for each in standing + rows)]


def collect(
    game: Game,
    player: str,
    hands: int,
    rng: np.random.Generator,
    network: Network | None = None,
    exchanges: int = EXCHANGES,
) -> Sample:
    """Collect true hands of the other seats at positions of games of a player, and hands of other possible deals.

    Args:
        game: the game.
        player: a deterministic rule-based player, which plays the games.
        hands: the smallest number of true hands, shared equally by the tables of `tables_of`.
        rng: the random generator for the deals and everything else.
        network: the player's network for the Markov chain of `kit.beliefs`, which makes the other deals; None: these
            are uniformly random.
        exchanges: the number of exchanges per hand in that chain.
    """
    among = tables_of(game)
    describe_deals = _describer(game, player, network, exchanges if network else 0)
    found = [_collect_at(game, options, player, hands / len(among), rng, describe_deals) for options in among]
    firsts = np.cumsum([0] + [positions[-1] + 1 for _, positions in found[:-1]])
    positions = np.concatenate([at + first for (_, at), first in zip(found, firsts)])
    return Sample(np.concatenate([hands_there for hands_there, _ in found]), positions, network)


def _describer(game: Game, player: str, network: Network | None, exchanges: int) -> Callable[..., int]:
    """`_describe_deals` for a game in which all seats have this player, with the chain of a network."""
    seen = game.observation_fields
    by = stacked({player: network} if network else {}, game.players)
    declared = {
        "states": read(game.state, "tables"),
        "seeds": read("u8", "tables", "others"),
        "copies": written(game.state, 1),
        "kinds": read("i8", game.max_seats),
        "likelihoods": read("f8", game.max_seats),
        "exchanges": INT,
        "out": written("f8", "rows", "deals", INPUTS),
        "positions": written("i8", "rows"),
    }
    describe_deals = Library(f"{game.name}_described_deals").entry(
        _describe_deals,
        declared,
        result=True,
        describe=description_of(game.name, game.state, seen),
        walk=walk_of(game.name, game.state, seen, by),
        read_seen=reading_of(game.name, game.state, seen),
    )
    work = np.zeros(1, game.state), np.full(game.max_seats, game.kinds[player]), np.empty(game.max_seats), exchanges
    return lambda states, seeds, out, positions: int(describe_deals(states, seeds, *work, out, positions))


def _collect_at(
    game: Game,
    options: dict[str, Any],
    player: str,
    hands: float,
    rng: np.random.Generator,
    describe_deals: Callable[..., int],
) -> tuple[npt.NDArray[np.float32], npt.NDArray[np.int64]]:
    """Collect at least `hands` hands at a table with these options, and the numbers of their positions from 0."""
    tables, dice = Tables(TABLES, game=game, **options), np.zeros(TABLES, np.uint64)
    plays = CompiledPlayer(player, game)
    tables.reset(int(rng.integers(2**63)))
    rows = TABLES * (game.max_seats - 1)
    out, at = np.empty((rows, 1 + OTHERS, INPUTS)), np.empty(rows, np.int64)
    found: list[npt.NDArray[np.float32]] = []
    positions: list[npt.NDArray[np.int64]] = []
    size = 0
    while size < hands:
        for _ in range(int(rng.integers(1, 2 * STEPS))):
            tables.step(plays.act(tables.observations, tables.masks, dice))
        more = describe_deals(tables.states, rng.integers(0, 2**64, (TABLES, OTHERS), np.uint64), out, at)
        positions.append(at[:more] + TABLES * len(found))
        found.append(out[:more].astype(np.float32))
        size += more
    return np.concatenate(found), np.concatenate(positions)


def _joined(samples: Sequence[Sample]) -> tuple[npt.NDArray[np.float32], torch.Tensor, npt.NDArray[np.int64]]:
    """Join samples: all hands, the log odds with which their deals were made, and the first hand of each position.

    The last entry of the third array is the number of hands.
    """
    hands = np.concatenate([sample.hands for sample in samples])
    known = torch.zeros(hands.shape[:2])
    starts, first = [], 0
    for sample in samples:
        if sample.of:
            known[first : first + len(sample.hands)] = torch.from_numpy(sample.of.log_odds(sample.hands))
        starts.append(first + sample.starts)
        first += len(sample.hands)
    return hands, known, np.concatenate([*starts, [first]])


def fit(samples: Sequence[Sample], seed: int) -> Network:
    """Fit the network that distinguishes deals in play from other deals of the same positions.

    Other deals can come from the chain of an earlier network, and are then as likely as that network says. The loss
    therefore uses the new log odds minus those of the earlier network, summed over all hands.
    """
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    hands, known, starts = _joined(samples)
    # In float64, since sums of millions are not exact in 32 bits.
    mean = hands.mean((0, 1), np.float64).astype(np.float32)
    scale = hands.std((0, 1), np.float64).astype(np.float32) + np.float32(1e-3)
    rows = torch.from_numpy(hands)
    scaling = torch.from_numpy(mean), torch.from_numpy(scale)
    layers = torch.nn.Linear(INPUTS, UNITS), torch.nn.Linear(UNITS, UNITS), torch.nn.Linear(UNITS, 1)
    relu = torch.nn.ReLU()
    network = torch.nn.Sequential(layers[0], relu, layers[1], relu, layers[2])
    optimizer = torch.optim.AdamW(network.parameters(), RATE, weight_decay=DECAY)
    hands_at = np.diff(starts)
    size = max(1, round(BATCH / hands_at.mean()))  # number of positions in a batch
    batches = -(-len(hands_at) // size)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=PASSES * batches)
    for _ in range(PASSES):
        for chosen in torch.randperm(len(hands_at)).split(size):
            counts = hands_at[chosen]
            firsts, position = starts[chosen] - counts.cumsum() + counts, np.repeat(np.arange(len(chosen)), counts)
            numbers = torch.from_numpy(firsts[position] + np.arange(len(position)))
            odds = network((rows[numbers] - scaling[0]) / scaling[1]).squeeze(2) - known[numbers]
            of_deals = torch.zeros(len(chosen), odds.shape[1]).index_add_(0, torch.from_numpy(position), odds)
            loss = -torch.log_softmax(of_deals, 1)[:, 0].mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
    first, second, last = (
        np.vstack([layer.weight.detach().numpy().T, layer.bias.detach().numpy()]).astype(float) for layer in layers
    )
    first[:-1] /= scale[:, None]  # undo the scaling, so that the network takes unscaled inputs
    # These inputs never varied, so nothing is known about other values.
    first[:-1][hands.min((0, 1)) == hands.max((0, 1))] = 0
    first[-1] -= mean @ first[:-1]
    return Network(*(layer.round(DIGITS).astype(np.float32) for layer in (first, second, last[:, 0])))


def log_loss(network: Network, sample: Sample) -> float:
    """The loss in nats of distinguishing a deal in play from one other deal; without information it is log 2, 0.693."""
    odds = np.add.reduceat(network.log_odds(sample.hands), sample.starts)
    return float(np.mean(np.logaddexp(0, odds[:, 1:] - odds[:, :1])))


def train(game: Game, player: str, hands: int, seed: int, exchanges: int = EXCHANGES) -> dict[str, Any]:
    """Train the network of a player; returns it with the settings of its training.

    Losses are measured on other deals.
    """
    first_deals, second_deals, other_deals = np.random.default_rng(seed).spawn(3)
    dealt = collect(game, player, hands, first_deals)
    first = fit([dealt], seed)
    network = fit([dealt, collect(game, player, hands // 3, second_deals, first, exchanges)], seed)
    held_out = collect(game, player, HELD_OUT, other_deals)
    return {
        "hands": hands,
        "seed": seed,
        "exchanges": exchanges,
        "log loss": round(log_loss(network, held_out), 4),
    } | {name: layer.astype(float).round(DIGITS).tolist() for name, layer in network._asdict().items()}


def path_of(game: Game) -> Path:
    """The file of a game's networks."""
    return Path(str(importlib.import_module(f"banakil_env.games.{game.name}").__file__)).parent / "beliefs.json"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m train.beliefs", description=__doc__.split("\n\n")[0])
    parser.add_argument("--game", required=True)
    parser.add_argument("--hands", type=int, default=1_200_000, help="in play, for each player")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--exchanges",
        type=int,
        default=EXCHANGES,
        help="with each hand of the second sample; with too few they stay like dealt ones (default: %(default)s)",
    )
    parser.add_argument("--of", nargs="+", help="compiled players (default: all but random)")
    parser.add_argument("--out", type=Path, help="a file (default: beliefs.json in the folder of the game)")
    options = parser.parse_args(arguments)
    try:
        game = find(options.game)
        if (own := path_of(game).with_suffix(".py")).is_file():
            raise ValueError(f"{game.name} has beliefs of its own, {own}: no network is trained for them")
        players = [settled_player(game, player, "--of") for player in options.of or game.settled_players]
        how = options.hands, options.seed, options.exchanges
        trained = {player: train(game, player, *how) for player in players}
    except ValueError as error:
        parser.error(escaped(error))
    path = options.out or path_of(game)
    known = (json.loads(path.read_text()) if path.is_file() else {}) | trained  # keep the networks of other players
    contents = {player: known[player] for player in game.players if player in known}
    write_whole(path, (json.dumps(contents).replace("], [", "],\n[") + "\n").encode())
    for player, content in trained.items():
        print(f"{path}, {player}: log loss {content['log loss']} (log 2 is 0.6931)")
    return 0


if __name__ == "__main__":
    sys.exit(main())
