"""Trains the networks of `kit.beliefs`, which tell hands of real play from hands that were dealt again.

    python -m train.beliefs --game gin

There is a network for each rule-based player, which plays the tables of the game at every seat. At positions of these
games the hand of every other seat is described, once as it is and once after what the seat to move cannot see was dealt
again. A network of one hidden layer learns to tell the two apart; its log odds say how much likelier a hand is in play
than in a uniform deal. Hands dealt at random are rarely likely ones, so the network is not accurate for likely hands.
Therefore a second part is trained with hands that the chain of `kit.beliefs` makes with the first part, and added to
it. The networks are written to `beliefs.json` in the folder of the game, with the settings of their training.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from banakil_env.arena.players import CompiledPlayer
from banakil_env.core.bits import wide
from banakil_env.core.bound import num_seats, redeal_hidden, seat_to_move
from banakil_env.core.game import Game
from banakil_env.core.jit import bind
from banakil_env.envs.vector import Tables
from banakil_env.games import find
from banakil_env.kit.beliefs import HIDDEN, INPUTS, UNITS, Layers, description_of, stacked, walk_of
from banakil_env.kit.bound import describe, walk
from train.config import settled_players

TABLES = 64  # of each kind
STEPS = 7  # of every table between two positions that are used
BATCH, PASSES, RATE, DECAY = 256, 10, 2e-3, 1e-4
EXCHANGES = 120  # with each hand, from a uniform deal to one of the chain
DIGITS = 4


def _describe_both(states: Any, seeds: Any, copies: Any, kinds: Any, likelihoods: Any, exchanges: int, out: Any) -> int:
    """Describe the hands that the seats to move cannot see, as they are and dealt again: two rows of `out` for each.

    Args:
        kinds: int64, the player of each seat. exchanges: number of exchanges tried after the deal.

    Returns:
        The number of rows written.
    """
    size = 0
    for i in range(states.shape[0]):
        observer = seat_to_move(states[i])
        copies[0] = states[i]
        redeal_hidden(copies[0], observer, seeds[i])
        walk(copies[0], observer, kinds, likelihoods, exchanges)
        for seat in range(num_seats(states[i])):
            if seat != observer:
                describe(states[i], observer, wide(seat), out[size])
                describe(copies[0], observer, wide(seat), out[size + 1])
                size += 2
    return size


def collect(
    game: Game, player: str, positions: int, seed: int, layers: Layers | None = None
) -> tuple[np.ndarray, np.ndarray]:
    """Descriptions (rows, INPUTS) of hands in play, and of hands dealt again for the same seats, float32.

    Args:
        player: a deterministic compiled player, which plays the games.
        positions: the least number of positions, shared equally by the tables of the game. seed: of the deals, below
            2**63.
        layers: of a network of the player for the chain, which changes the hands that were dealt again; None: these
            hands do not change.
    """
    engine, seen = game.engine, game.observation_fields
    by = stacked({player: layers} if layers else {}, game.players)
    describe_both = bind(
        _describe_both,
        f"{game.name}_describe_both",
        describe=description_of(game.name, game.state, seen),
        walk=walk_of(game.name, game.state, seen, by),
        redeal_hidden=engine.redeal_hidden,
        seat_to_move=engine.seat_to_move,
        num_seats=engine.num_seats,
    )
    exchanges = EXCHANGES if layers else 0
    rng, found, plays = np.random.default_rng(seed), [], CompiledPlayer(player, game)
    kinds = np.full(game.max_seats, game.kinds[player])
    for table in game.tables:
        tables, dice = Tables(TABLES, game=game, **table.options), np.zeros(TABLES, np.uint64)
        tables.reset(seed)
        out, copies = np.empty((TABLES * 2 * game.max_seats, INPUTS)), np.zeros(1, game.state)
        for _ in range(-(-positions // (TABLES * len(game.tables)))):
            for _ in range(int(rng.integers(1, 2 * STEPS))):
                tables.step(plays.act(tables.observations, tables.masks, dice))
            seeds = rng.integers(0, 2**64, TABLES, np.uint64)
            size = describe_both(tables.states, seeds, copies, kinds, np.empty(game.max_seats), exchanges, out)
            found.append(out[:size].astype(np.float32))
    both = np.concatenate(found)
    return both[::2], both[1::2]


def fit(true: np.ndarray, dealt: np.ndarray, units: int, seed: int) -> Layers:
    """The layers of a network that tells the first rows from the second: (INPUTS + 1, units) and (units + 1,)."""
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    inputs = np.concatenate([true, dealt])
    mean, scale = inputs.mean(0), inputs.std(0) + 1e-3
    rows = torch.from_numpy((inputs - mean) / scale)
    answers = torch.cat([torch.ones(len(true)), torch.zeros(len(dealt))])
    network = torch.nn.Sequential(torch.nn.Linear(INPUTS, units), torch.nn.ReLU(), torch.nn.Linear(units, 1))
    optimizer = torch.optim.AdamW(network.parameters(), RATE, weight_decay=DECAY)
    batches = -(-len(rows) // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=PASSES * batches)
    for _ in range(PASSES):
        for chosen in torch.randperm(len(rows)).split(BATCH):
            loss = torch.nn.functional.binary_cross_entropy_with_logits(
                network(rows[chosen]).squeeze(1), answers[chosen]
            )
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
    weights = [parameter.detach().numpy().astype(float) for parameter in network.parameters()]
    first, last = np.empty((INPUTS + 1, units)), np.empty(units + 1)
    first[:-1] = (weights[0] / scale).T  # the inputs as they are, not scaled
    first[-1] = weights[1] - (weights[0] / scale) @ mean
    last[:-1], last[-1] = weights[2][0], weights[3][0]
    return first.round(DIGITS), last.round(DIGITS)


def log_odds(layers: Layers, rows: np.ndarray) -> np.ndarray:
    """The log odds of each row, as compiled code computes them."""
    first, last = layers
    return np.maximum(rows @ first[:-1] + first[-1], 0) @ last[:-1] + last[-1]


def log_loss(layers: Layers, true: np.ndarray, dealt: np.ndarray) -> float:
    """The loss in nats for each row; a network without information has log 2, which is 0.693."""
    return float(np.mean(np.logaddexp(0, -log_odds(layers, true)) + np.logaddexp(0, log_odds(layers, dealt))) / 2)


def added(first: Layers, second: Layers | None = None) -> Layers:
    """One network of HIDDEN units whose log odds are the sum of two; without a second, that of the first."""
    columns, last = np.zeros((INPUTS + 1, HIDDEN)), np.zeros(HIDDEN + 1)
    columns[:, : UNITS[0]], last[: UNITS[0]], last[-1] = first[0], first[1][:-1], first[1][-1]
    if second is not None:
        columns[:, UNITS[0] :], last[UNITS[0] : -1] = second[0], second[1][:-1]
        last[-1] += second[1][-1]
    return columns, last


def train(game: Game, player: str, positions: int, seed: int) -> dict[str, Any]:
    """The network of a player, and how it was trained. Losses are measured on other deals."""
    first = fit(*collect(game, player, positions, seed), UNITS[0], seed)
    of_chain = collect(game, player, positions // 2, seed + 1, added(first))
    both = added(first, fit(*of_chain, UNITS[1], seed))
    held_out = collect(game, player, positions // 5, seed + 2)
    return {
        "positions": positions,
        "seed": seed,
        "log loss": round(log_loss(both, *held_out), 4),
        "log loss of the first part": round(log_loss(added(first), *held_out), 4),
        "nats of a hand": round(float(log_odds(both, held_out[0]).mean()), 3),
        "first": both[0].tolist(),
        "last": both[1].tolist(),
    }


def path_of(game: Game) -> Path:
    """The file of a game's networks."""
    return Path(str(importlib.import_module(f"banakil_env.games.{game.name}").__file__)).parent / "beliefs.json"


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m train.beliefs", description=__doc__.split("\n\n")[0])
    parser.add_argument("--game", required=True)
    parser.add_argument("--positions", type=int, default=24_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--of", nargs="+", help="compiled players (default: all but random)")
    parser.add_argument("--out", type=Path, help="a file (default: beliefs.json in the folder of the game)")
    options = parser.parse_args(arguments)
    try:
        game = find(options.game)
        if (own := path_of(game).with_suffix(".py")).is_file():
            raise ValueError(f"{game.name} has beliefs of its own, {own}: no network is trained for them")
        players = options.of or settled_players(game)
        if unknown := set(players) - set(settled_players(game)):
            raise ValueError(f"--of takes {', '.join(settled_players(game))}, not {', '.join(unknown)}")
        contents = {player: train(game, player, options.positions, options.seed) for player in players}
    except ValueError as error:
        parser.error(str(error))
    path = options.out or path_of(game)
    path.write_text(json.dumps(contents).replace("], [", "],\n[") + "\n")
    for player, content in contents.items():
        said = f"log loss {content['log loss']} (log 2 is 0.6931), {content['nats of a hand']} nats a hand"
        print(f"{path}, {player}: {said}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
