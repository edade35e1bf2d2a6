"""What does a run need to go on after it was killed? One safetensors file, written whole or not at all.

It holds the weights, Adam's moments, the generators of PyTorch and NumPy, every table with its own generator, the past
selves, the curve so far and the configuration. A run that goes on deals its tables anew from their generators, so that
only the rounds under way are lost.
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor, nn

from agents.features import FEATURES_VERSION
from agents.model import Network, make_network
from agents.network import digest, write_whole
from banakil_env.envs.vector import Tables
from banakil_env.games.banakil.game import GAME
from train.config import Config, from_dict
from train.curve import Point, points_of
from train.pool import PastSelves

FORMAT = "banakil-checkpoint-2"
FILE = "checkpoint.safetensors"


# Of each batch of tables: what it is dealt anew from.
_KEPT = ("states", "controls", "dice")


class CheckpointError(ValueError):
    """A file that is no checkpoint, or none that this run can go on from."""


@dataclasses.dataclass
class Progress:
    """How far a run is.

    Attributes:
        steps: decisions of the learner. seconds: of wall time, over all its parts.
        points: the learning curve.
        entropy_bonus: what PPO's bonus for entropy has come to, where it is steered (`PPO.entropy_target`).
    """

    steps: int = 0
    seconds: float = 0.0
    points: list[Point] = dataclasses.field(default_factory=list)
    entropy_bonus: float | None = None


@dataclasses.dataclass(frozen=True)
class Checkpoint:
    """What `read` found: the configuration, the progress, and the tensors by name."""

    config: Config
    progress: Progress
    past_steps: list[int]
    tensors: dict[str, Tensor]


class Kept(Protocol):
    """What a checkpoint keeps of a run."""

    config: Config
    progress: Progress
    network: Network
    average: Network | None
    critic: nn.Module | None
    optimizer: torch.optim.Optimizer
    past: PastSelves
    tables: Sequence[Tables]


def write(path: Path, run: Kept) -> None:
    """Write a checkpoint in place of the last one."""
    past = run.past
    tensors = {f"network.{name}": tensor for name, tensor in run.network.state_dict().items()}
    for name, beside in (("average", run.average), ("critic", run.critic)):
        if beside:
            tensors |= {f"{name}.{inner}": tensor for inner, tensor in beside.state_dict().items()}
    for step, other in zip(past.steps, past.networks):
        tensors |= {f"past.{step}.{name}": tensor for name, tensor in other.state_dict().items()}
    for number, moments in run.optimizer.state_dict()["state"].items():
        tensors |= {f"adam.{number}.{name}": torch.as_tensor(moment) for name, moment in moments.items()}
    _, keys, position, has_gauss, gauss = np.random.get_state()  # noqa: NPY002
    tensors |= {
        "random.torch": torch.get_rng_state(),
        "random.numpy": torch.from_numpy(np.append(np.asarray(keys, np.int64), [position, has_gauss])),
        "random.gauss": torch.tensor(gauss, dtype=torch.float64),
    }
    for number, batch in enumerate(run.tables):
        for name in _KEPT:
            array = getattr(batch, name)
            tensors[f"tables.{number}.{name}"] = torch.from_numpy(np.frombuffer(array.tobytes(), np.uint8).copy())
    tensors = {name: tensor.detach().cpu().contiguous() for name, tensor in tensors.items()}
    said = {
        "format": FORMAT,
        "game": GAME.id,
        "features": str(FEATURES_VERSION),
        "config": json.dumps(dataclasses.asdict(run.config)),
        "progress": json.dumps(dataclasses.asdict(run.progress)),
        "past": json.dumps(past.steps),
    }
    write_whole(path, save(tensors, said | {"digest": digest(said, tensors)}))


def read(path: Path) -> Checkpoint:
    """Read a checkpoint. CheckpointError: there is none, or it is damaged or of another version."""
    if not path.is_file():
        raise CheckpointError(f"there is no checkpoint {path} to go on from")
    try:
        with safe_open(str(path), "pt") as opened:
            said = opened.metadata() or {}
            tensors = {name: opened.get_tensor(name) for name in opened.keys()}  # noqa: SIM118
    except (SafetensorError, OSError) as error:
        raise CheckpointError(f"{path} is damaged or no safetensors file: {error}") from error
    wanted = {"format": FORMAT, "game": GAME.id, "features": str(FEATURES_VERSION)}
    found = {name: said.get(name) for name in wanted}
    if found != wanted:
        raise CheckpointError(f"{path} says {found}, and a run goes on from {wanted}")
    if said.get("digest") != digest(said, tensors):
        raise CheckpointError(f"{path} is not as it was written: its digest does not match its content")
    config = from_dict(json.loads(said["config"]))
    progress = json.loads(said["progress"])
    points = points_of(progress.pop("points"))
    return Checkpoint(config, Progress(**progress, points=points), json.loads(said["past"]), tensors)


def restore(checkpoint: Checkpoint, run: Kept) -> None:
    """Put everything back as it was; the tables still have to be dealt (`Tables.reset()`)."""
    tensors = checkpoint.tensors
    run.network.load_state_dict(_under(tensors, "network."))
    for name, beside in (("average", run.average), ("critic", run.critic)):
        if beside:
            beside.load_state_dict(_under(tensors, f"{name}."))
    for step in checkpoint.past_steps:
        other = make_network(run.network.shape, 0)
        other.load_state_dict(_under(tensors, f"past.{step}."))
        run.past.keep(step, other)
    state = run.optimizer.state_dict()
    for number, learned in enumerate(run.optimizer.param_groups[0]["params"]):
        moments = _under(tensors, f"adam.{number}.")
        if moments:
            state["state"][number] = {name: _laid_out(moment, learned) for name, moment in moments.items()}
    run.optimizer.load_state_dict(state)
    torch.set_rng_state(tensors["random.torch"])
    *keys, position, has_gauss = tensors["random.numpy"].tolist()
    gauss = float(tensors["random.gauss"])
    np.random.set_state(("MT19937", np.array(keys, np.uint32), position, has_gauss, gauss))  # noqa: NPY002
    for number, batch in enumerate(run.tables):
        for name in _KEPT:
            array: Any = getattr(batch, name)
            array[:] = np.frombuffer(tensors[f"tables.{number}.{name}"].numpy().tobytes(), array.dtype)


def _laid_out(moment: Tensor, learned: Tensor) -> Tensor:
    """A moment in memory in the order of what is learned: Adam, fused, goes through both as they lie."""
    return torch.empty_like(learned).copy_(moment) if moment.shape == learned.shape else moment


def _under(tensors: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): tensor for name, tensor in tensors.items() if name.startswith(prefix)}
