"""How does a trained network sit at the table? `ppo:PATH`: weights from a file that runs no code, asked in batches.

An agent is one safetensors file: the weights, and in its metadata the format, the version of the features, the
network's shape, the configuration of the run that made it, and a digest of all of them. A file that is damaged, of
another version or of other shapes is refused. The player takes the likeliest legal action and throws no dice.

Weights may be stored in float16, in half the bytes; they are made float32 when they are read.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from agents.blocks import blocks, filled
from agents.features import FEATURES_VERSION
from agents.model import Network, Shape, make_network
from banakil_env.core.files import written_whole
from banakil_env.games.banakil.game import GAME

FORMAT = "banakil-agent-2"
FILE = "agent.safetensors"  # of a run
MODEL = "model.safetensors"  # the same in the layout of the Hugging Face Hub, and so in agents/zoo

STORED = (torch.float32, torch.float16)  # what weights may be stored in


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
        actions = np.empty(len(observations), np.int64)
        advice = self._network.advice(observations, masks)
        with torch.inference_mode(), _one_thread():
            for rows in blocks(len(actions)):
                advised = None if advice is None else torch.from_numpy(filled(advice.numpy()[rows]))
                seen = filled(observations[rows]), filled(masks[rows])
                moves, logits, _ = self._network.legal_of_rows(*seen, advised)
                likeliest = logits.argmax(1, keepdim=True).cpu().numpy()
                actions[rows] = np.take_along_axis(moves, likeliest, 1)[: len(actions[rows]), 0]
        return actions

    def prepare(self) -> None:
        """One call, so that the first decision pays for nothing else."""
        self.act(np.zeros((1, GAME.observation.itemsize), np.uint8), np.ones((1, GAME.num_actions), np.int8), _NO_DICE)


_NO_DICE = np.zeros(1, np.uint64)


@contextlib.contextmanager
def _one_thread() -> Iterator[None]:
    """Products add up in one order, too, whichever process asks and whatever threads it has (`blocks.py`)."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


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
    file = file_of(path)
    try:
        with safe_open(str(file), "pt") as opened:
            said = opened.metadata() or {}
            tensors = {name: opened.get_tensor(name) for name in opened.keys()}  # noqa: SIM118 - no dictionary
    except (SafetensorError, OSError) as error:
        raise AgentError(f"{file} is damaged or no safetensors file: {error}") from error
    _check(file, said, tensors)
    shape = json.loads(said["shape"])
    network = make_network(Shape(tuple(shape["hidden"]), shape["advice"], shape.get("channels")), seed=0)
    _check_shapes(file, network, tensors)
    network.load_state_dict({name: tensor.float() for name, tensor in tensors.items()})
    return Agent(network.eval(), json.loads(said["about"]))


def file_of(path: str | Path) -> Path:
    """The file of an agent: the path itself, or what is in a folder. AgentError: there is none."""
    path = Path(path)
    files = [path / FILE, path / MODEL] if path.is_dir() else [path]
    for file in files:
        if file.is_file():
            return file
    raise AgentError(f"there is no agent at {path}: neither a file nor a folder with {FILE} or {MODEL}")


def save_agent(
    path: str | Path, network: Network, about: Mapping[str, Any], stored: torch.dtype = torch.float32
) -> None:
    """Write an agent; whoever reads the path finds the old file or the new one, whole.

    Args:
        stored: one of STORED, the type of the weights in the file.
    """
    tensors = {name: tensor.detach().cpu().to(stored).contiguous() for name, tensor in network.state_dict().items()}
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
    with written_whole(path) as part:
        part.write_bytes(content)


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
    stored = next((tensor.dtype for tensor in tensors.values() if tensor.dtype in STORED), torch.float32)
    wanted = {name: (tuple(tensor.shape), stored) for name, tensor in network.state_dict().items()}
    found = {name: (tuple(tensor.shape), tensor.dtype) for name, tensor in tensors.items()}
    for name in sorted(wanted.keys() | found.keys()):
        if wanted.get(name) != found.get(name):
            raise AgentError(
                f"{file} does not fit its own description: {name} is {_shape_text(found.get(name))}, "
                f"and should be {_shape_text(wanted.get(name))}"
            )


def _shape_text(shape: tuple[tuple[int, ...], torch.dtype] | None) -> str:
    return "not there" if shape is None else f"{shape[1]} of shape {shape[0]}"
