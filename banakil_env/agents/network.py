"""Trained networks as players, `net:PATH`: loads weights from a file that runs no code, and decides in batches.

An agent is one safetensors file. It contains the weights. Its metadata contain the format, the game, the version of the
game's features and a digest of their columns, the network's shape, the configuration of the run that trained it, and a
digest of all of this. Before a network is built, a file is refused if it is damaged, is for another game or version,
was trained on other columns, has other shapes or shapes beyond the bounds of `agents.model.Shape`, or has weights that
are not finite. The player chooses the likeliest legal action and uses no random bits.

Weights can be stored in float16, which halves the file; they are converted to float32 when they are read.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from safetensors.torch import save

from banakil_env.agents.blocks import blocks, filled
from banakil_env.agents.family import FamilyPlayer, is_family, load_family
from banakil_env.agents.making import network_with, unbuilt_network
from banakil_env.agents.metadata import COLUMNS, check_columns, checked_game, features_said, game_of, object_of
from banakil_env.agents.model import UNSAID, Network, Shape
from banakil_env.agents.tensors import TYPES, Layout, check_finite, digest, layout_of_tensors, read_tensors
from banakil_env.agents.threads import one_thread
from banakil_env.arena.generations import MODEL
from banakil_env.arena.options import TableOptions
from banakil_env.arena.players import Explanation, adviser_parts, make_player
from banakil_env.core.files import write_whole
from banakil_env.core.game import Game
from banakil_env.core.identity import Identity

FORMAT = "banakil-agent-3"
FILE = "agent.safetensors"  # the name of the file in the folder of a run

# The types in which weights can be stored: PyTorch's dtype and its name in the file.
STORED = {kind: TYPES[kind] for kind in (torch.float32, torch.float16)}

# The names of the metadata.
_SAID = {"format", "game", "features", COLUMNS, "shape", "about", "digest"}


class AgentError(ValueError):
    """A file that is not an agent, or not one that this version can play."""


@dataclass(frozen=True)
class Agent:
    """A network and its origin.

    Attributes:
        network: the network in evaluation mode, on the CPU.
        about: the configuration of the run that trained it, and the results that the run reports.
    """

    network: Network
    about: dict[str, Any]

    @property
    def table(self) -> TableOptions:
        """The table that the agent was trained at, or the game's default table if the agent does not name one.

        Raises:
            AgentError: there is no such table.
        """
        game, config = self.network.game, self.about.get("config")
        try:
            said = config.get("table", {}) if isinstance(config, dict) else {}
            table = TableOptions(**{"game": game.name, **said})
            if table.found is not game:
                raise ValueError(f"a table of {table.game}, but the agent plays {game.name}")
        except (TypeError, ValueError) as error:
            raise AgentError(f"the agent was trained at an impossible table: {error}") from error
        return table


class NetworkPlayer:
    """A network as a player.

    Args:
        network: the network; later changes of its weights take effect.
        name: the player's name in tables and reports.
        about: see `Agent`.
        advised: whether the network gets the move of its adviser, if it has one; False measures the network alone.
    """

    def __init__(
        self, network: Network, name: str = "net", about: Mapping[str, Any] | None = None, advised: bool = True
    ) -> None:
        self.name, self.about = name, dict(about or {})
        self._network, self._adviser = network, network.shape.advice if advised else None

    def act(
        self, observations: npt.NDArray[np.uint8], masks: npt.NDArray[np.int8], dice: npt.NDArray[np.uint64]
    ) -> npt.NDArray[np.int64]:
        """See `banakil_env.arena.Player.act`."""
        actions = np.empty(len(observations), np.int64)
        advice = self.advice(observations, masks)
        with torch.inference_mode(), one_thread():
            for rows in blocks(len(actions)):
                advised = None if advice is None else torch.from_numpy(filled(advice.numpy()[rows]))
                seen = filled(observations[rows]), filled(masks[rows])
                moves, logits, _ = self._network.legal_of_rows(*seen, advised)
                likeliest = logits.argmax(1, keepdim=True).cpu().numpy()
                actions[rows] = np.take_along_axis(moves, likeliest, 1)[: len(actions[rows]), 0]
        return actions

    def prepare(self) -> None:
        """Make one call in advance, so that the first decision takes no longer than others."""
        game = self._network.game
        self.act(np.zeros((1, game.observation.itemsize), np.uint8), np.ones((1, game.num_actions), np.int8), _NO_DICE)

    def explain(self, observation: npt.NDArray[np.uint8], mask: npt.NDArray[np.int8], dice: int) -> Explanation:
        """The chosen action, the probability of each legal action and the value; see `banakil_env.arena.Player`."""
        advice = self.advice(observation[None], mask[None])
        advised = None if advice is None else torch.from_numpy(filled(advice.numpy()))
        with torch.inference_mode(), one_thread():
            moves, logits, values = self._network.legal_of_rows(filled(observation[None]), filled(mask[None]), advised)
            legal = moves[0] >= 0
            chances = logits[0, torch.from_numpy(legal)].softmax(0).tolist()
        probabilities = dict(zip(moves[0][legal].tolist(), chances))
        likeliest = max(probabilities, key=lambda action: probabilities[action])
        return Explanation(likeliest, probabilities, value=float(values[0]))

    def advice(self, observations: npt.NDArray[np.uint8], masks: npt.NDArray[np.int8]) -> torch.Tensor | None:
        """The moves of its adviser, int64 (n,); None if it has no adviser."""
        return self._network.advice(observations, masks) if self._adviser else None

    @property
    def network(self) -> Network:
        """The network that decides."""
        return self._network

    def unadvised(self, name: str) -> NetworkPlayer:
        """The same network under another name, without its adviser.

        Raises:
            AgentError: the network has no adviser.
        """
        if self._adviser is None:
            raise AgentError(f"{self.name} has no adviser that could be taken away: name the agent itself")
        return NetworkPlayer(self._network, name, self.about, advised=False)

    def identity(self) -> Identity:
        """The player's identity: digests of the current weights and the shape, and of the adviser if there is one."""
        network = self._network
        said = {"game": network.game.id, "features": str(network.game.features.version), "shape": repr(network.shape)}
        weights = {name: tensor.detach().cpu().contiguous() for name, tensor in network.state_dict().items()}
        parts = {"network": digest(said, weights)}
        return Identity(self.name, parts | adviser_parts(self._adviser, network.game))


_NO_DICE = np.zeros(1, np.uint64)


def make(argument: str, game: Game) -> NetworkPlayer | FamilyPlayer:
    """The player of `net:PATH`: a file, or a folder that contains one.

    Raises:
        AgentError: the agent cannot be played; the message gives the reason.
    """
    if not argument:
        raise AgentError(f"name the file of the agent: net:PATH, such as net:demo/{FILE}")
    return player_of(file_of(argument), game, f"net:{argument}")


def player_of(file: Path, game: Game, name: str) -> NetworkPlayer | FamilyPlayer:
    """The player of an agent's file; the agent can be for one game or for all games.

    Raises:
        AgentError: the agent cannot be played; the message gives the reason.
    """
    if is_family(file):
        try:
            family = load_family(file)
        except ValueError as error:
            raise AgentError(str(error)) from error
        return FamilyPlayer(family.network, game, name, family.about)
    agent = load(file, game)
    return NetworkPlayer(agent.network, name, agent.about)


def make_unadvised(argument: str, game: Game) -> NetworkPlayer:
    """The player of `unadvised:NAME`: an agent without the adviser that it was trained with.

    Raises:
        AgentError: there is no such agent, or it has no adviser.
    """
    advised = make_player(argument, game)
    if not isinstance(advised, NetworkPlayer):
        raise AgentError(f"unadvised:NAME takes a trained network, such as unadvised:zoo:gin-2p, not {argument!r:.80}")
    return advised.unadvised(f"unadvised:{argument}")


def load(path: str | Path, game: Game | None = None) -> Agent:
    """Read an agent.

    Args:
        path: the file, or a folder that contains it.
        game: the game that it must play; None: any game.

    Raises:
        AgentError: there is no such file, or it is damaged, is for another game or version, has other shapes, or has
            weights that are not finite.
    """
    file = file_of(path)
    try:
        said, tensors = read_tensors(file, _layout)
        about, own = object_of(said, "about"), game_of(said)
        shape = shape_said(said, own)
    except ValueError as error:
        raise AgentError(f"{file} {error}") from error
    if game is not None and own is not game:
        raise AgentError(f"{file} plays {own.id}, not {game.id}")
    return Agent(network_with(own, shape, tensors).eval(), about)


def file_of(path: str | Path) -> Path:
    """The file of an agent: the path itself, or the file in this folder.

    Raises:
        AgentError: there is no such file.
    """
    path = Path(path)
    files = [path / FILE, path / MODEL] if path.is_dir() else [path]
    for file in files:
        if file.is_file():
            return file
    raise AgentError(f"there is no agent at {path}: neither a file nor a folder with {FILE} or {MODEL}")


def save_agent(
    path: str | Path, network: Network, about: Mapping[str, Any], stored: torch.dtype = torch.float32
) -> None:
    """Write an agent atomically: a reader finds either the old file or the complete new file.

    Args:
        path: the file.
        network: the network.
        about: the configuration of the run that trained it.
        stored: the type of the weights in the file, one of STORED.

    Raises:
        AgentError: a weight is not finite in the stored type; nothing is written.
    """
    tensors = {name: tensor.detach().cpu().to(stored).contiguous() for name, tensor in network.state_dict().items()}
    try:
        check_finite(tensors)
    except ValueError as error:
        raise AgentError(f"{path} is not written: the network {error}") from None
    said = {
        "format": FORMAT,
        "game": network.game.id,
        **features_said(network.features),
        "shape": json.dumps(
            {name: value for name, value in asdict(network.shape).items() if value or name not in UNSAID}
        ),
        "about": json.dumps(about),
    }
    write_whole(Path(path), save(tensors, said | {"digest": digest(said, tensors)}))


def _layout(said: Mapping[str, str], found: Layout) -> Layout:
    """The types and shapes that the tensors of a file must have, from its metadata.

    `found`, the layout in the file's header, only decides in which of the types in STORED the weights are.

    Raises:
        ValueError: the metadata are not those of an agent that this version can play.
    """
    game = checked_game(said, FORMAT, _SAID)
    stored = next((kind for kind, _ in found.values() if kind in STORED.values()), "F32")
    shape = shape_said(said, game)
    check_columns(said, game, shape.features(game))
    wanted = layout_of_tensors(unbuilt_network(game, shape).state_dict())
    return {name: (stored, shape) for name, (_, shape) in wanted.items()}


def shape_said(said: Mapping[str, str], game: Game) -> Shape:
    """The network's shape in the metadata.

    Raises:
        ValueError: the shape is invalid.
    """
    values = object_of(said, "shape")
    names = {one.name for one in fields(Shape)}
    if not values.keys() <= names or not isinstance(values.get("hidden"), list):
        raise ValueError(f"has an invalid shape: {values!r:.80}")
    try:
        shape = Shape(**{**values, "hidden": tuple(values["hidden"])})
        shape.check(game)
    except ValueError as error:
        raise ValueError(f"has an impossible shape: {error}") from None
    return shape
