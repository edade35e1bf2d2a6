"""The network that plays every game, as a player: `zoo:rummy-family` and `net:PATH`, at every table of every game.

The file of such an agent is a safetensors file like that of any other agent (`network.py`), but names no game. Its
metadata name the columns of the common layout and of described actions that it was trained on. The player chooses the
likeliest legal action and uses no random bits.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save

from banakil_env.agents.blocks import BLOCK, filled
from banakil_env.agents.family_network import FamilyNetwork, FamilyShape, seen_of
from banakil_env.agents.metadata import object_of
from banakil_env.agents.tensors import TYPES, Layout, check_finite, digest, layout_of_tensors, read_tensors
from banakil_env.agents.threads import one_thread
from banakil_env.arena.protocol import Explanation
from banakil_env.core.files import write_whole
from banakil_env.core.game import Game
from banakil_env.core.identity import Identity
from banakil_env.core.views import encode_cards
from banakil_env.games import GAMES, find, to_pickle
from banakil_env.kit.common.family_moves import Faces, MoveLister, Moves
from banakil_env.kit.common.layout import VERSION

FORMAT = "banakil-family-1"
LAYOUT, COLUMNS = "layout", "columns"
_SAID = {"format", LAYOUT, COLUMNS, "shape", "about", "digest"}
MOVES_AT_ONCE = 512


class FamilyAgent(NamedTuple):
    """A network in evaluation mode, and the configuration of the run that trained it."""

    network: FamilyNetwork
    about: dict[str, Any]


class FamilyPlayer:
    """The network as a player of one game.

    Args:
        network: the network; later changes of its weights take effect.
        game: the game to play.
        name: the player's name in tables and reports.
        about: see `FamilyAgent`.
    """

    def __init__(
        self, network: FamilyNetwork, game: Game, name: str = "family", about: Mapping[str, Any] | None = None
    ) -> None:
        self.name, self.about = name, dict(about or {})
        self._network, self._game, self._lister = network, game, MoveLister([game])

    def act(
        self, observations: npt.NDArray[np.uint8], masks: npt.NDArray[np.int8], dice: npt.NDArray[np.uint64]
    ) -> npt.NDArray[np.int64]:
        """See `banakil_env.arena.Player.act`."""
        actions = np.empty(len(observations), np.int64)
        with torch.inference_mode(), one_thread():
            for first in range(0, len(actions), BLOCK):
                rows = slice(first, first + BLOCK)
                moves, logits = self._logits(observations[rows], masks[rows])
                # If logits are equal, the first action.
                best = np.lexsort((moves.columns, -logits, moves.rows))
                chosen = best[np.unique(moves.rows[best], return_index=True)[1]]
                actions[rows] = moves.actions[chosen]
        return actions

    def prepare(self) -> None:
        """Make one call in advance, so that the first decision takes no longer than others."""
        self.act(
            np.zeros((1, self._game.observation.itemsize), np.uint8),
            np.ones((1, self._game.num_actions), np.int8),
            np.zeros(1, np.uint64),
        )

    def explain(self, observation: npt.NDArray[np.uint8], mask: npt.NDArray[np.int8], dice: int) -> Explanation:
        """The chosen action and the probability of each legal action; see `banakil_env.arena.Player`."""
        with torch.inference_mode(), one_thread():
            moves, logits = self._logits(observation[None], mask[None])
            chances = torch.from_numpy(logits).softmax(0).tolist()
        return Explanation(int(moves.actions[int(logits.argmax())]), dict(zip(moves.actions.tolist(), chances)))

    def _logits(self, observations: Any, masks: Any) -> tuple[Moves, npt.NDArray[np.float32]]:
        """The legal moves of at most BLOCK rows, and their logits.

        Matrix products have fixed sizes, so that an action does not depend on the other rows (`blocks.py`).
        """
        arrays = encode_cards(self._game, filled(np.ascontiguousarray(observations)))
        moves = self._lister.legal(masks, arrays["cards"], arrays["melds"])
        faces, table = self._network.read(seen_of(arrays, moves))
        logits = np.empty(len(moves.rows), np.float32)
        for first in range(0, len(logits), MOVES_AT_ONCE):
            part = _part(moves, first)
            logits[first : first + MOVES_AT_ONCE] = self._network.score(faces, table, part)[: len(logits) - first]
        return moves, logits

    def identity(self) -> Identity:
        """The player's identity: a digest of the current weights and the shape of the network."""
        return Identity(self.name, {"network": digest(_said(self._network.shape), _weights(self._network))})

    def __getstate__(self) -> dict[str, Any]:
        kept = {name: value for name, value in self.__dict__.items() if name != "_lister"}
        return kept | {"_game": to_pickle(self._game)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        game = find(state["_game"])
        self.__dict__.update(state | {"_game": game, "_lister": MoveLister([game])})


def _part(moves: Moves, first: int) -> Moves:
    """MOVES_AT_ONCE moves, from number `first` on. If fewer are left, moves of row 0 that name no cards are added."""
    last = min(first + MOVES_AT_ONCE, len(moves.rows))
    more = MOVES_AT_ONCE - (last - first)

    def padded(array: Any) -> Any:
        return np.pad(array[first:last], ((0, more), *[(0, 0)] * (array.ndim - 1)))

    def faces(of: Faces) -> Faces:
        begin = int(of.begins[first])
        end = int(of.begins[last]) if last < len(of.begins) else len(of.numbers)
        begins = np.pad(of.begins[first:last] - begin, (0, more), constant_values=end - begin)
        return Faces(of.numbers[begin:end], of.counts[begin:end], begins)

    return Moves(
        padded(moves.rows),
        padded(moves.actions),
        padded(moves.columns),
        padded(moves.plain),
        padded(moves.melds),
        faces(moves.cards),
        faces(moves.stands_for),
    )


def digest_of_layout() -> str:
    """A digest of the columns of the common layout and of described actions, in order: 16 hexadecimal digits."""
    layout = find(next(iter(GAMES))).cards
    arrays = [
        f"{array.name} {array.rows} {' '.join(column.name for column in array.columns)}" for array in layout.arrays
    ]
    named = "; ".join([*arrays, " ".join(column.name for column in layout.action_columns)])
    return hashlib.sha256(named.encode()).hexdigest()[:16]


def _said(shape: FamilyShape) -> dict[str, str]:
    """The metadata of the file of a network with this shape, without its description and digest."""
    return {
        "format": FORMAT,
        LAYOUT: str(VERSION),
        COLUMNS: digest_of_layout(),
        "shape": json.dumps(asdict(shape)),
    }


def _weights(network: FamilyNetwork) -> dict[str, torch.Tensor]:
    return {name: tensor.detach().cpu().contiguous() for name, tensor in network.state_dict().items()}


def is_family(file: Path) -> bool:
    """Whether the metadata of a file are those of an agent for all games."""
    try:
        with safe_open(str(file), "pt") as opened:
            said = opened.metadata() or {}
    except (SafetensorError, OSError, RuntimeError):
        return False
    return str(said.get("format", "")).startswith("banakil-family-")


def save_family(
    path: str | Path, network: FamilyNetwork, about: Mapping[str, Any], stored: torch.dtype = torch.float32
) -> None:
    """Write an agent atomically.

    Args:
        path: the file.
        network: the network.
        about: the configuration of the run that trained it.
        stored: the type of the weights in the file.

    Raises:
        ValueError: a weight is not finite in the stored type; nothing is written.
    """
    tensors = {name: tensor.to(stored) for name, tensor in _weights(network).items()}
    check_finite(tensors)
    said = _said(network.shape) | {"about": json.dumps(about)}
    write_whole(Path(path), save(tensors, said | {"digest": digest(said, tensors)}))


def load_family(file: str | Path) -> FamilyAgent:
    """Read an agent.

    Raises:
        ValueError: the file is damaged, has other columns or shapes, or has weights that are not finite; the message
            names the file.
    """
    try:
        said, tensors = read_tensors(Path(file), _layout)
        network, about = FamilyNetwork(_shape_of(said)), object_of(said, "about")
    except ValueError as error:
        raise ValueError(f"{file} {error}") from error
    network.load_state_dict({name: tensor.float() for name, tensor in tensors.items()})
    return FamilyAgent(network.eval(), about)


def _layout(said: Mapping[str, str], found: Layout) -> Layout:
    """The types and shapes that the tensors of a file must have, from its metadata.

    `found`, the layout in the file's header, only decides whether the weights are float16 or float32.

    Raises:
        ValueError: the metadata are not those of an agent that this version can play.
    """
    if said.get("format") != FORMAT:
        raise ValueError(f"is of format {said.get('format')!r}, and {FORMAT!r} can be played")
    if said.keys() != _SAID:
        raise ValueError(f"says {', '.join(sorted(said))} in its metadata; an agent has {', '.join(sorted(_SAID))}")
    here = _said(_shape_of(said))
    for name in (LAYOUT, COLUMNS):
        if said[name] != here[name]:
            raise ValueError(
                f"was trained on the {name} {said[name]:.20} of cards, and this is {here[name]}: train it again, or "
                "play it with the release that made it"
            )
    with torch.device("meta"):
        wanted = layout_of_tensors(FamilyNetwork(_shape_of(said)).state_dict())
    stored = next((kind for kind, _ in found.values() if kind == TYPES[torch.float16]), TYPES[torch.float32])
    return {name: (stored, shape) for name, (_, shape) in wanted.items()}


def _shape_of(said: Mapping[str, str]) -> FamilyShape:
    values = object_of(said, "shape")
    if values.keys() != set(FamilyShape.__dataclass_fields__):
        raise ValueError(f"has an invalid shape: {values!r:.80}")
    try:
        return FamilyShape(**values)
    except ValueError as error:
        raise ValueError(f"has an impossible shape: {error}") from None
