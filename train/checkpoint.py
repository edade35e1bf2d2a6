"""Checkpoints, from which a run continues after it was killed: one safetensors file, written whole or not at all.

It holds the weights, Adam's moments, the generators of PyTorch, NumPy and every table, the past selves, the curve so
far and the configuration. A run that continues deals its tables again from their generators, so only the unfinished
rounds are lost. No state of a game is ever read from a file.

A file can come from an untrusted source: its tensors are compared with those of its configuration before they are read.
"""

from __future__ import annotations

import dataclasses
import json
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
import torch
from safetensors.torch import save
from torch import Tensor, nn

from banakil_env.agents.making import network_with, unbuilt_network
from banakil_env.agents.metadata import COLUMNS, features_said, object_of
from banakil_env.agents.model import Network
from banakil_env.agents.tensors import Layout, check_finite, digest, layout_of_tensors, read_tensors
from banakil_env.core.files import parse_json, write_whole
from banakil_env.envs.vector import Tables
from train.config import MANY, Config, from_dict, made_of
from train.curve import Point
from train.pool import PastSelves

FORMAT = "banakil-checkpoint-4"
FILE = "checkpoint.safetensors"
MOST_BYTES = 1 << 34  # a hundred times the size of the largest network

# The names of the metadata.
_SAID = {"format", "game", "features", COLUMNS, "config", "progress", "past", "digest"}
_MOMENTS = ("exp_avg", "exp_avg_sq", "step")  # the moments of Adam
_NUMPY_KEYS = 624  # integers in the state of its generator


class CheckpointError(ValueError):
    """A file is not a checkpoint, or a run cannot continue from it."""


@dataclasses.dataclass
class Progress:
    """The progress of a run.

    Attributes:
        steps: the number of decisions of the learner.
        seconds: wall time, over all parts of the run.
        cpu_seconds: processor time of all threads.
        points: the learning curve.
    """

    steps: int = 0
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    points: list[Point] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(frozen=True)
class Checkpoint:
    """The content of a checkpoint: the configuration, the progress, and the tensors by name."""

    config: Config
    progress: Progress
    past_steps: list[int]
    tensors: dict[str, Tensor]


class Kept(Protocol):
    """The parts of a run that a checkpoint contains."""

    config: Config
    progress: Progress
    network: Network
    average: Network | None
    optimizer: torch.optim.Optimizer
    past: PastSelves
    tables: Sequence[Tables]


def write(path: Path, run: Kept) -> None:
    """Write a checkpoint in place of the last one.

    If a number is not finite, raise CheckpointError and write nothing.
    """
    past = run.past
    tensors = {f"network.{name}": tensor for name, tensor in run.network.state_dict().items()}
    if run.average:
        tensors |= {f"average.{name}": tensor for name, tensor in run.average.state_dict().items()}
    for step, other in zip(past.steps, past.networks):
        tensors |= {f"past.{step}.{name}": tensor for name, tensor in other.state_dict().items()}
    for number, moments in run.optimizer.state_dict()["state"].items():
        tensors |= {f"adam.{number}.{name}": torch.as_tensor(moment) for name, moment in moments.items()}
    _, keys, position, has_gauss, gauss = np.random.get_state()  # noqa: NPY002 - libraries draw from it
    tensors |= {
        "random.torch": torch.get_rng_state(),
        "random.numpy": torch.from_numpy(np.append(np.asarray(keys, np.int64), [position, has_gauss])),
        "random.gauss": torch.tensor(gauss, dtype=torch.float64),
    }
    for name in ("states", "dice"):
        numbers = np.concatenate([getattr(batch, name)["rng"] for batch in run.tables])
        tensors[f"tables.{name}"] = torch.from_numpy(numbers.view(np.int64).copy())
    tensors = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    said = {
        "format": FORMAT,
        "game": run.config.game.id,
        **features_said(run.config.network.features(run.config.game)),
        "config": json.dumps(dataclasses.asdict(run.config)),
        "progress": json.dumps(dataclasses.asdict(run.progress)),
        "past": json.dumps(past.steps),
    }
    try:
        check_finite(tensors)
    except ValueError as error:
        raise CheckpointError(f"{path} is not written: the run {error}") from None
    write_whole(path, save(tensors, said | {"digest": digest(said, tensors)}))


def read(path: Path) -> Checkpoint:
    """Read a checkpoint. Raises CheckpointError if there is none, or it is damaged or of another version."""
    if not path.is_file():
        raise CheckpointError(f"there is no checkpoint {path} to continue from")
    try:
        said, tensors = read_tensors(path, _layout, MOST_BYTES)
        config, progress, past = _described(said)
        _check_generators(tensors)
    except ValueError as error:
        raise CheckpointError(f"{path} {error}") from error
    return Checkpoint(config, progress, past, tensors)


def _layout(said: dict[str, str], found: Layout) -> Layout:
    """The type and shape of each tensor that a checkpoint must have, computed from its metadata.

    Raises ValueError if this version cannot continue the run.

    Args:
        said: the metadata.
        found: the tensors in the file; some are optional.
    """
    if said.get("format") != FORMAT or said.keys() != _SAID:
        raise ValueError(f"is of format {said.get('format')!r:.80}, and a run continues from {FORMAT!r}")
    config, _, past = _described(said)
    wanted = {"game": config.game.id, **features_said(config.network.features(config.game))}
    told = {name: said[name] for name in wanted}
    if told != wanted:
        raise ValueError(f"has {told!s:.200}, and a run continues from {wanted}")
    network = unbuilt_network(config.game, config.network)
    layout = _named("network", network)
    if config.optimizer.average:
        layout |= _named("average", network)
    for steps in past:
        layout |= _named(f"past.{steps}", network)
    for number, weights in enumerate(network.parameters()):
        if f"adam.{number}.step" in found:  # a parameter that has had no gradient yet has no moments
            shapes = (tuple(weights.shape), tuple(weights.shape), ())
            layout |= {f"adam.{number}.{name}": ("F32", shape) for name, shape in zip(_MOMENTS, shapes)}
    layout["random.torch"] = ("U8", tuple(torch.get_rng_state().shape))
    layout["random.numpy"], layout["random.gauss"] = ("I64", (_NUMPY_KEYS + 2,)), ("F64", ())
    return layout | {f"tables.{name}": ("I64", (config.rollout.tables,)) for name in ("states", "dice")}


def _named(name: str, module: nn.Module) -> Layout:
    return {f"{name}.{inner}": one for inner, one in layout_of_tensors(module.state_dict()).items()}


def _described(said: dict[str, str]) -> tuple[Config, Progress, list[int]]:
    """The configuration, the progress and the steps of the past selves. Raises ValueError if they cannot be read."""
    config = from_dict(object_of(said, "config"))
    progress: Progress = made_of(Progress, object_of(said, "progress"), "progress")
    past: list[int] = made_of(list[int], parse_json(said["past"]), "past")
    times = (progress.seconds, progress.cpu_seconds)
    if not 0 <= progress.steps <= MANY or not all(0 <= seconds < math.inf for seconds in times):
        raise ValueError(f"says that {progress.steps} decisions took {progress.seconds} seconds")
    if past != sorted(set(past)) or len(past) > config.pool.size or not all(0 <= steps <= MANY for steps in past):
        raise ValueError(f"says that past selves were kept after {past!r:.80} decisions")
    return config, progress, past


def _check_generators(tensors: dict[str, Tensor]) -> None:
    """Raise ValueError if the states of the generators of PyTorch or NumPy are invalid."""
    try:
        torch.Generator().set_state(tensors["random.torch"])
    except RuntimeError as error:
        raise ValueError(f"holds no state of PyTorch's generator: {error}") from None
    *keys, position, has_gauss = tensors["random.numpy"].tolist()
    if not (min(keys) >= 0 and max(keys) < 2**32 and 0 <= position <= _NUMPY_KEYS and has_gauss in (0, 1)):
        raise ValueError("holds no state of NumPy's generator")


def restore(checkpoint: Checkpoint, run: Kept) -> None:
    """Restore the whole run; the tables must still be dealt (`Tables.reset()`)."""
    tensors = checkpoint.tensors
    run.network.load_state_dict(_under(tensors, "network."))
    if run.average:
        run.average.load_state_dict(_under(tensors, "average."))
    for step in checkpoint.past_steps:
        run.past.keep(step, network_with(run.config.game, run.network.shape, _under(tensors, f"past.{step}.")))
    state = run.optimizer.state_dict()
    for number, learned in enumerate(run.optimizer.param_groups[0]["params"]):
        moments = _under(tensors, f"adam.{number}.")
        if moments:
            state["state"][number] = {name: _laid_out(moment, learned) for name, moment in moments.items()}
    run.optimizer.load_state_dict(state)
    torch.set_rng_state(tensors["random.torch"])
    *keys, position, has_gauss = tensors["random.numpy"].tolist()
    gauss = float(tensors["random.gauss"])
    np.random.set_state(("MT19937", np.array(keys, np.uint32), position, has_gauss, gauss))  # noqa: NPY002 - libraries draw from it
    first = 0
    for batch in run.tables:
        last = first + batch.num_tables
        cards, dice = (tensors[f"tables.{name}"][first:last].numpy().view(np.uint64) for name in ("states", "dice"))
        batch.set_generators(cards, dice)
        first = last


def _laid_out(moment: Tensor, learned: Tensor) -> Tensor:
    """A moment of Adam with the memory order of its parameter, which the fused Adam of PyTorch needs."""
    return torch.empty_like(learned).copy_(moment) if moment.shape == learned.shape else moment


def _under(tensors: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): tensor for name, tensor in tensors.items() if name.startswith(prefix)}
