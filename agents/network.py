"""How does a trained network sit at the table? `ppo:PATH`: weights from a file that runs no code, asked in batches.

An agent is one safetensors file: the weights, and in its metadata the format, the version of the features, the
network's shape, the configuration of the run that made it, and a digest of all of them. A file that is damaged, of
another version or of other shapes is refused. The player takes the likeliest legal action and throws no dice.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from agents.features import FEATURES_VERSION, Network, Shape, as_tensors, legal_logits
from banakil_env.games.banakil.game import GAME

FORMAT = "banakil-agent-1"
FILE = "agent.safetensors"

# Rows are asked about in blocks of this many, filled up with zeros: matrix products of one size add up in one order, so
# that a row gets the same action whatever is beside it.
BLOCK = 64


class AgentError(ValueError):
    """A file that is no agent, or none that this version can play."""


@dataclass(frozen=True)
class Agent:
    """A network and where it comes from.

    Attributes:
        network: in evaluation mode, on the CPU.
        about: the configuration of the run that made it, and what the run says of itself.
    """

    network: Network
    about: dict[str, Any]


class NetworkPlayer:
    """A network as a player.

    Args:
        network: it is asked as it is at the time.
        name: how tables and reports call it.
    """

    def __init__(self, network: Network, name: str = "ppo") -> None:
        self.name = name
        self._network = network

    def act(
        self, observations: npt.NDArray[np.uint8], masks: npt.NDArray[np.int8], dice: npt.NDArray[np.uint64]
    ) -> npt.NDArray[np.int64]:
        """See `banakil_env.arena.Player.act`."""
        seen, legal = as_tensors(observations, masks)
        actions = np.empty(len(observations), np.int64)
        with torch.inference_mode():
            for first in range(0, len(actions), BLOCK):
                rows = slice(first, first + BLOCK)
                logits = self._network(_filled(seen[rows]))[0][: len(actions[rows])]
                actions[rows] = legal_logits(logits, legal[rows]).argmax(1).numpy()
        return actions

    def prepare(self) -> None:
        """One call, so that the first decision pays for nothing else."""
        self.act(np.zeros((1, GAME.observation.itemsize), np.uint8), np.ones((1, GAME.num_actions), np.int8), _NO_DICE)


_NO_DICE = np.zeros(1, np.uint64)


def _filled(rows: Tensor) -> Tensor:
    return rows if len(rows) == BLOCK else torch.nn.functional.pad(rows, (0, 0, 0, BLOCK - len(rows)))


def make(argument: str) -> NetworkPlayer:
    """The player of `ppo:PATH`: a file, or a folder that holds one. AgentError: it cannot be played, and why."""
    if not argument:
        raise AgentError(f"name the file of the agent: ppo:PATH, such as ppo:demo/{FILE}")
    return NetworkPlayer(load(argument).network, f"ppo:{argument}")


def load(path: str | Path) -> Agent:
    """Read an agent.

    Raises:
        AgentError: there is no such file, or it is damaged, of another version or of other shapes.
    """
    file = Path(path) / FILE if Path(path).is_dir() else Path(path)
    if not file.is_file():
        raise AgentError(f"there is no agent at {path}: neither a file nor a folder with {FILE}")
    try:
        with safe_open(str(file), "pt") as opened:
            said = opened.metadata() or {}
            tensors = {name: opened.get_tensor(name) for name in opened.keys()}  # noqa: SIM118
    except (SafetensorError, OSError) as error:
        raise AgentError(f"{file} is damaged or no safetensors file: {error}") from error
    _check(file, said, tensors)
    network = Network(Shape(hidden=tuple(json.loads(said["shape"])["hidden"])), seed=0)
    _check_shapes(file, network, tensors)
    network.load_state_dict(tensors)
    return Agent(network.eval(), json.loads(said["about"]))


def save_agent(path: str | Path, network: Network, about: Mapping[str, Any]) -> None:
    """Write an agent; whoever reads the path finds the old file or the new one, whole."""
    tensors = {name: tensor.detach().cpu().contiguous() for name, tensor in network.state_dict().items()}
    said = {
        "format": FORMAT,
        "game": GAME.id,
        "features": str(FEATURES_VERSION),
        "shape": json.dumps(asdict(network.shape)),
        "about": json.dumps(about),
    }
    write_whole(Path(path), save(tensors, said | {"digest": digest(said, tensors)}))


def write_whole(path: Path, content: bytes) -> None:
    """Write a file so that a crash at any moment leaves the old one or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.part")
    try:
        with part.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)


def digest(said: Mapping[str, str], tensors: Mapping[str, Tensor]) -> str:
    """SHA-256 of the metadata (but the digest) and of every tensor's name, type, shape and bytes."""
    told = hashlib.sha256(json.dumps({name: said[name] for name in sorted(said) if name != "digest"}).encode())
    for name in sorted(tensors):
        tensor = tensors[name]
        told.update(f"{name} {tensor.dtype} {tuple(tensor.shape)}".encode())
        told.update(tensor.reshape(-1).view(torch.uint8).numpy().tobytes())
    return told.hexdigest()


def _check(file: Path, said: Mapping[str, str], tensors: Mapping[str, Tensor]) -> None:
    """AgentError: it is not an agent of this version, or not as it was written."""
    if said.get("format") != FORMAT:
        raise AgentError(f"{file} is of format {said.get('format')!r}, and {FORMAT!r} can be played")
    if said.get("digest") != digest(said, tensors):
        raise AgentError(f"{file} is not as it was written: its digest does not match its content; get it again")
    if said["game"] != GAME.id:
        raise AgentError(f"{file} plays {said['game']}, not {GAME.id}")
    if said["features"] != str(FEATURES_VERSION):
        raise AgentError(
            f"{file} was trained on version {said['features']} of the features, and this is version "
            f"{FEATURES_VERSION}: train it anew, or play it with the release that made it"
        )


def _check_shapes(file: Path, network: Network, tensors: Mapping[str, Tensor]) -> None:
    """AgentError: other tensors than the network's."""
    wanted = {name: (tuple(tensor.shape), tensor.dtype) for name, tensor in network.state_dict().items()}
    found = {name: (tuple(tensor.shape), tensor.dtype) for name, tensor in tensors.items()}
    for name in sorted(wanted.keys() | found.keys()):
        if wanted.get(name) != found.get(name):
            raise AgentError(
                f"{file} does not fit its own description: {name} is {_shape_text(found.get(name))}, "
                f"and should be {_shape_text(wanted.get(name))}"
            )


def _shape_text(shape: tuple[tuple[int, ...], torch.dtype] | None) -> str:
    return "not there" if shape is None else f"{shape[1]} of shape {shape[0]}"
