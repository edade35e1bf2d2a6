"""Trains the networks of `kit.beliefs`, which tell hands of real play from hands that were dealt again.

    python -m train.beliefs --game gin

There is a network for each rule-based player, which plays the tables of the game at every seat. At positions of these
games the hand of every other seat is described, once as it is and once after what the seat to move cannot see was dealt
again. A network learns to tell the two apart; its log odds say how much likelier a hand is in play than in a uniform
deal. Hands dealt at random are rarely likely ones, so this network is not accurate for likely hands. Therefore the
final network learns from a second sample too, hands that the chain of `kit.beliefs` makes with the first. The networks
are written to `beliefs.json` in the folder of the game, with the settings of their training.
"""

from __future__ import annotations

import argparse
import importlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch

from banakil_env.arena.players import CompiledPlayer
from banakil_env.core.bits import wide
from banakil_env.core.bound import num_seats, redeal_hidden, seat_to_move
from banakil_env.core.game import Game
from banakil_env.core.jit import bind
from banakil_env.core.scratch import scratch
from banakil_env.envs.vector import Tables
from banakil_env.games import find
from banakil_env.kit.beliefs import INPUTS, MASKS_SEEN, UNITS, Network, description_of, reading_of, stacked, walk_of
from banakil_env.kit.bound import describe, read_seen, walk

TABLES = 64  # of each kind
STEPS = 7  # of every table between two positions that are used
BATCH, PASSES, RATE, DECAY = 512, 5, 4e-3, 1e-4
HELD_OUT = 50_000  # hands
EXCHANGES = 200  # with each hand, from a uniform deal to one of the chain; likely hands of gin and Rummy need more
DIGITS = 4


class Sample(NamedTuple):
    """Descriptions of hands in play, and of as many other hands that were possible at the same positions.

    Attributes:
        true, others: float32 (rows, INPUTS). of: the network whose chain made the others; None: they were dealt again.
    """

    true: npt.NDArray[np.float32]
    others: npt.NDArray[np.float32]
    of: Network | None = None


def _describe_both(states: Any, seeds: Any, copies: Any, kinds: Any, likelihoods: Any, exchanges: int, out: Any) -> int:
    """Describe the hands that the seats to move cannot see, as they are and dealt again: two rows of `out` for each.

    Args:
        kinds: int64, the player of each seat. exchanges: number of exchanges tried after the deal.

    Returns:
        The number of rows written.
    """
    size, seen = 0, scratch(MASKS_SEEN)
    for i in range(states.shape[0]):
        observer = seat_to_move(states[i])
        copies[0] = states[i]
        redeal_hidden(copies[0], observer, seeds[i])
        walk(copies[0], observer, kinds, likelihoods, exchanges)
        read_seen(states[i], seen)
        for seat in range(num_seats(states[i])):
            if seat != observer:
                describe(states[i], observer, wide(seat), seen, out[size])
                describe(copies[0], observer, wide(seat), seen, out[size + 1])
                size += 2
    return size


def collect(
    game: Game,
    player: str,
    hands: int,
    rng: np.random.Generator,
    network: Network | None = None,
    exchanges: int = EXCHANGES,
) -> Sample:
    """Hands in play and other hands of the same seats, at positions of games of a player.

    Args:
        player: a deterministic compiled player, which plays the games.
        hands: the least number of hands in play, shared equally by the tables of the game. rng: for the deals and all
            other luck.
        network: of the player, for the chain, which changes the hands that were dealt again; None: these hands do not
            change. exchanges: of the chain, tried with each hand.
    """
    engine, seen = game.engine, game.observation_fields
    by = stacked({player: network} if network else {}, game.players)
    describe_both = bind(
        _describe_both,
        f"{game.name}_describe_both",
        describe=description_of(game.name, game.state, seen),
        walk=walk_of(game.name, game.state, seen, by),
        read_seen=reading_of(game.name, game.state, seen),
        redeal_hidden=engine.redeal_hidden,
        seat_to_move=engine.seat_to_move,
        num_seats=engine.num_seats,
    )
    exchanges = exchanges if network else 0
    found, plays = [], CompiledPlayer(player, game)
    kinds = np.full(game.max_seats, game.kinds[player])
    for table in game.tables:
        tables, dice = Tables(TABLES, game=game, **table.options), np.zeros(TABLES, np.uint64)
        tables.reset(int(rng.integers(2**63)))
        out, copies = np.empty((TABLES * 2 * game.max_seats, INPUTS)), np.zeros(1, game.state)
        wanted = sum(map(len, found)) + 2 * hands / len(game.tables)
        while sum(map(len, found)) < wanted:
            for _ in range(int(rng.integers(1, 2 * STEPS))):
                tables.step(plays.act(tables.observations, tables.masks, dice))
            seeds = rng.integers(0, 2**64, TABLES, np.uint64)
            size = describe_both(tables.states, seeds, copies, kinds, np.empty(game.max_seats), exchanges, out)
            found.append(out[:size].astype(np.float32))
    both = np.concatenate(found)
    return Sample(both[::2], both[1::2], network)


def _joined(samples: Sequence[Sample]) -> tuple[npt.NDArray[np.float32], torch.Tensor, torch.Tensor]:
    """All rows, whether each is a hand in play (1 or 0), and the log odds by which its sample was made."""
    rows, answers, known = [], [], []
    for sample in samples:
        for part, answer in ((sample.true, 1.0), (sample.others, 0.0)):
            rows.append(part)
            answers.append(np.full(len(part), answer, np.float32))
            known.append(sample.of.log_odds(part).astype(np.float32) if sample.of else np.zeros_like(answers[-1]))
    return np.concatenate(rows), torch.from_numpy(np.concatenate(answers)), torch.from_numpy(np.concatenate(known))


def fit(samples: Sequence[Sample], seed: int) -> Network:
    """The network that tells hands in play from all others.

    A hand that the chain of a network made is as likely as that network says. So what tells it from a hand in play are
    the new log odds less those of that network.
    """
    torch.manual_seed(seed)
    torch.set_num_threads(1)
    inputs, answers, known = _joined(samples)
    mean, scale = inputs.mean(0), inputs.std(0) + 1e-3
    rows = torch.from_numpy(inputs)
    scaling = torch.from_numpy(mean), torch.from_numpy(scale)
    layers = torch.nn.Linear(INPUTS, UNITS), torch.nn.Linear(UNITS, UNITS), torch.nn.Linear(UNITS, 1)
    relu = torch.nn.ReLU()
    network = torch.nn.Sequential(layers[0], relu, layers[1], relu, layers[2])
    optimizer = torch.optim.AdamW(network.parameters(), RATE, weight_decay=DECAY)
    batches = -(-len(rows) // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=PASSES * batches)
    for _ in range(PASSES):
        for chosen in torch.randperm(len(rows)).split(BATCH):
            loss = torch.nn.functional.binary_cross_entropy_with_logits(
                network((rows[chosen] - scaling[0]) / scaling[1]).squeeze(1) - known[chosen], answers[chosen]
            )
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
    first, second, last = (
        np.vstack([layer.weight.detach().numpy().T, layer.bias.detach().numpy()]).astype(float) for layer in layers
    )
    first[:-1] /= scale[:, None]  # the inputs as they are, not scaled
    first[:-1][inputs.min(0) == inputs.max(0)] = 0  # these never varied: nothing is known about other values
    first[-1] -= mean @ first[:-1]
    return Network(*(layer.round(DIGITS).astype(np.float32) for layer in (first, second, last[:, 0])))


def log_loss(network: Network, sample: Sample) -> float:
    """The loss in nats for each row of hands dealt again; a network without information has log 2, which is 0.693."""
    true, others = network.log_odds(sample.true), network.log_odds(sample.others)
    return float(np.mean(np.logaddexp(0, -true) + np.logaddexp(0, others)) / 2)


def train(game: Game, player: str, hands: int, seed: int, exchanges: int = EXCHANGES) -> dict[str, Any]:
    """The network of a player, and how it was trained. Losses are measured on other deals."""
    first_deals, second_deals, other_deals = np.random.default_rng(seed).spawn(3)
    dealt = collect(game, player, hands, first_deals)
    first = fit([dealt], seed)
    network = fit([dealt, collect(game, player, hands // 2, second_deals, first, exchanges)], seed)
    held_out = collect(game, player, HELD_OUT, other_deals)
    return {
        "hands": hands,
        "seed": seed,
        "exchanges": exchanges,
        "log loss": round(log_loss(network, held_out), 4),
        "nats of a hand": round(float(network.log_odds(held_out.true).mean()), 3),
    } | {name: layer.astype(float).round(DIGITS).tolist() for name, layer in network._asdict().items()}


def path_of(game: Game) -> Path:
    """The file of a game's networks."""
    return Path(str(importlib.import_module(f"banakil_env.games.{game.name}").__file__)).parent / "beliefs.json"


def main(arguments: Sequence[str] | None = None) -> int:
    """The command; the exit status."""
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
        players = options.of or game.settled_players
        if unknown := set(players) - set(game.settled_players):
            raise ValueError(f"--of takes {', '.join(game.settled_players)}, not {', '.join(unknown)}")
        how = options.hands, options.seed, options.exchanges
        trained = {player: train(game, player, *how) for player in players}
    except ValueError as error:
        parser.error(str(error))
    path = options.out or path_of(game)
    known = (json.loads(path.read_text()) if path.is_file() else {}) | trained  # and the networks of other players
    contents = {player: known[player] for player in game.players if player in known}
    path.write_text(json.dumps(contents).replace("], [", "],\n[") + "\n")
    for player, content in trained.items():
        said = f"log loss {content['log loss']} (log 2 is 0.6931), {content['nats of a hand']} nats a hand"
        print(f"{path}, {player}: {said}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
