"""Behavior cloning: a network learns the decisions of players from recorded games.

    banakil record expert greedy --deals 10000 build/games.parquet
    python -m train.plugins.clone build/games.parquet --player expert --out build/clone
    banakil arena net:build/clone greedy random

The file is read by row groups. The groups, and the decisions in each group, are shuffled, so the file can have any
size. The network learns the action, among the legal ones, and the margin of the game as the value.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.compute as pc
import torch

from banakil_env.agents.model import Network, Shape, legal_logits
from banakil_env.agents.network import FILE, save_agent
from banakil_env.arena.options import TableOptions
from banakil_env.core.game import Game
from banakil_env.core.terminal import complain
from banakil_env.games import find, find_id
from banakil_env.record.parquet import about, groups, vectors
from banakil_env.record.play import RecordingError, unpack

VALUE_SCALE = 1 / 50  # factor applied to the margin; brings values to roughly [-1, 1]


@dataclass(frozen=True)
class Options:
    """The settings of the training.

    Attributes:
        player: the player whose decisions are learned; None for all players.
        epochs: the number of passes over the file.
        batch: the number of decisions in a gradient step.
        learning_rate: the learning rate of Adam at the start; it falls linearly to 0.
        value: the weight of the value loss relative to the action loss.
    """

    player: str | None = None
    epochs: int = 1
    batch: int = 512
    learning_rate: float = 1e-3
    value: float = 0.25
    hidden: tuple[int, ...] = (256, 256)
    seed: int = 0


@dataclass(frozen=True)
class Batch:
    """Some decisions.

    Attributes:
        observations: NumPy array, uint8 (n, bytes of the observation).
        masks: bool (n, actions).
        actions: int64 (n,).
        values: float32 (n,).
    """

    observations: np.ndarray
    masks: torch.Tensor
    actions: torch.Tensor
    values: torch.Tensor


def batches(file: Path, options: Options, rng: np.random.Generator) -> Iterator[Batch]:
    """Yield batches of the decisions in a file, shuffled by group and within each group.

    Each decision occurs once; a group's last few decisions are left out if they do not fill a batch.
    """
    parquet, game = groups(file), find_id(about(file)["game"])
    for group in rng.permutation(parquet.num_row_groups):
        table = parquet.read_row_group(group, columns=["player", "observation", "mask", "action", "margin"])
        if options.player is not None:
            table = table.filter(pc.equal(table["player"], options.player))
        order = rng.permutation(len(table))
        observations = vectors(table["observation"].to_pylist())[order]
        masks = vectors(table["mask"].to_pylist())[order]
        actions = table["action"].to_numpy()[order].astype(np.int64)
        _check(game, observations, masks, actions, file)
        values = table["margin"].to_numpy()[order] * np.float32(VALUE_SCALE)
        for first in range(0, len(order) - options.batch + 1, options.batch):
            rows = slice(first, first + options.batch)
            legal = torch.from_numpy(unpack(masks[rows], game.num_actions).view(np.bool_))
            yield Batch(observations[rows], legal, torch.from_numpy(actions[rows]), torch.from_numpy(values[rows]))


def _check(game: Game, observations: Any, masks: Any, actions: Any, file: Path) -> None:
    """Raise RecordingError if the arrays are not decisions of the game."""
    count, widths = len(actions), (game.observation.itemsize, -(-game.num_actions // 8))
    shapes = (observations.shape, masks.shape)
    if count and (shapes != ((count, widths[0]), (count, widths[1])) or not _are_actions(actions, game)):
        raise RecordingError(f"{file} holds rows that are not decisions of {game.id}: record it again")


def _are_actions(actions: Any, game: Game) -> bool:
    return bool(((actions >= 0) & (actions < game.num_actions)).all())


def losses(network: Network, batch: Batch) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """The cross-entropy of the actions, the squared error of the values, and the accuracy of the likeliest actions."""
    logits, values = network.of_rows(batch.observations)
    logits = legal_logits(logits, batch.masks)
    agree = (logits.argmax(1) == batch.actions).float().mean()
    return torch.nn.functional.cross_entropy(logits, batch.actions), (values - batch.values).square().mean(), agree


def clone(file: Path, options: Options, report: Any = None) -> tuple[Network, float]:
    """Train a network on a file of `banakil record`.

    Args:
        file: the file.
        options: the settings.
        report: called at intervals with the finished share of the decisions, and the recent agreement with the player.

    Returns:
        The network, and the share of decisions where its likeliest action was the player's, over the last tenth of the
        steps.

    Raises:
        banakil_env.record.RecordingError: the file does not hold decisions.
        ValueError: the player is not in the file, or has too few decisions there.
    """
    recording = about(file)["recording"]
    players = recording["players"]
    if options.player is not None and options.player not in players:
        raise ValueError(f"{options.player!r} did not play in {file}: there are {', '.join(players)}")
    rng = np.random.default_rng(options.seed)
    network = Network(find(recording["game"]), Shape(options.hidden), options.seed)
    optimizer = torch.optim.Adam(network.parameters(), lr=options.learning_rate)
    steps = _steps(file, options)
    if not steps:
        raise ValueError(f"{file} holds too few decisions for a batch of {options.batch}: record more, or take fewer")
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: 1 - step / steps)
    agreed: list[float] = []
    for _ in range(options.epochs):
        for batch in batches(file, options, rng):
            action, value, agree = losses(network, batch)
            optimizer.zero_grad()
            (action + options.value * value).backward()
            optimizer.step()
            schedule.step()
            agreed.append(float(agree))
            if report and len(agreed) % 100 == 0:
                report(len(agreed) / steps, float(np.mean(agreed[-100:])))
    return network.eval(), float(np.mean(agreed[-max(1, steps // 10) :]))


def table_of(file: Path) -> TableOptions:
    """The table at which the games of a file were played."""
    recording = about(file)["recording"]
    return TableOptions(**{each.name: recording[each.name] for each in fields(TableOptions) if each.name in recording})


def _steps(file: Path, options: Options) -> int:
    """The number of batches of all epochs."""
    parquet = groups(file)
    count = 0
    for group in range(parquet.num_row_groups):
        players = parquet.read_row_group(group, columns=["player"])["player"]
        kept = len(players) if options.player is None else pc.sum(pc.equal(players, options.player)).as_py()
        count += (kept or 0) // options.batch
    return options.epochs * count


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command."""
    options = _parser().parse_args(arguments)
    chosen = Options(
        options.player,
        options.epochs,
        options.batch,
        options.learning_rate,
        hidden=tuple(options.hidden),
        seed=options.seed,
    )
    begun = time.monotonic()

    def report(done: float, agree: float) -> None:
        print(f"{done:6.1%}  {time.monotonic() - begun:6.0f} s  same action {agree:.1%}", flush=True)

    try:
        network, agree = clone(options.file, chosen, report)
        said = {"made": "cloned", "from": about(options.file)["recording"], "agreement": round(agree, 4)}
        save_agent(options.out / FILE, network, said | {"options": vars(chosen)})
    except (ValueError, OSError) as error:
        complain(f"train.plugins.clone: {error}")
        return 1
    print(f"let it play: {table_of(options.file).match_command(f'net:{options.out}', 'greedy', 'random')}")
    return 0


def _parser() -> argparse.ArgumentParser:
    defaults = Options()
    parser = argparse.ArgumentParser(prog="python -m train.plugins.clone", description="Learn from recorded games.")
    parser.add_argument("file", type=Path, help="of `banakil record`")
    parser.add_argument("--out", type=Path, required=True, help="folder for the agent")
    parser.add_argument("--player", help="learn from this player's decisions only")
    parser.add_argument("--epochs", type=int, default=defaults.epochs)
    parser.add_argument("--batch", type=int, default=defaults.batch)
    parser.add_argument("--learning-rate", type=float, default=defaults.learning_rate)
    parser.add_argument("--hidden", type=int, nargs="+", default=list(defaults.hidden))
    parser.add_argument("--seed", type=int, default=defaults.seed)
    return parser


if __name__ == "__main__":
    sys.exit(main())
