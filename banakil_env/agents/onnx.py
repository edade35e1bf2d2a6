"""Trained networks without PyTorch: `onnx:FILE`, an ONNX file that ONNX Runtime evaluates.

    python -m banakil_env.agents.onnx demo demo/agent.onnx
    banakil arena onnx:demo/agent.onnx net:demo greedy

The file contains the whole computation from features to actions: network, mask and choice, for any number of rows. The
player here computes the features (`Game.features`). For a network with an adviser (`agents.model.Shape`), the advised
actions are a further input, which the player computes.

The metadata are those of the original agent, and a digest of the file. The player makes the agent's moves: if logits
are equal, it chooses the first action, as PyTorch does.

Format, digest and weights are checked before ONNX Runtime reads the file. Unlike a safetensors file, an ONNX file is a
program. The digest shows that the file is unchanged, not who wrote it: only play files of people you trust.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import logging
import re
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.agents.blocks import blocks, filled
from banakil_env.agents.encoding import depths_of_actions, encode
from banakil_env.agents.metadata import COLUMNS, checked_game, features_said, features_seen, object_of
from banakil_env.agents.onnx_file import MOST_BYTES, check_weights, metadata_of
from banakil_env.arena.players import CompiledPlayer, adviser_parts, check_asked
from banakil_env.core.features import Features
from banakil_env.core.files import read_within, write_whole
from banakil_env.core.game import Game
from banakil_env.core.identity import Identity
from banakil_env.core.install import install_line
from banakil_env.core.terminal import complain, say

FORMAT = "banakil-onnx-2"
OPSET = 18

# The names of the metadata.
_SAID = {"format", "game", "features", COLUMNS, "about", "advice", "digest"}
_NO_DIGEST = "0" * 64  # placeholder for the digest while the digest is computed
_NUMPY = {"tensor(float)": np.float32, "tensor(uint8)": np.uint8, "tensor(int8)": np.int8}


def inputs_of(game: Game, features: Features) -> dict[str, tuple[str, int]]:
    """The inputs of a network except advice: by name, the ONNX type and the number of values per row."""
    depths = (depths_of_actions(game) < features.max_depth).any()
    return {
        "features": ("tensor(float)", features.width),
        **({"depths": ("tensor(uint8)", features.max_depth)} if depths else {}),
        "masks": ("tensor(int8)", len(game.actions)),
    }


class OnnxError(ValueError):
    """A file that is not an agent or cannot be played, or an agent that cannot be exported."""


class OnnxPlayer:
    """An exported network as a player.

    Args:
        path: the file.
        game: the game that it must play; None: any game.
        digest: the digest that the file must have; None: any.

    Raises:
        OnnxError: the file cannot be played; the message gives the reason.
    """

    def __init__(self, path: str | Path, game: Game | None = None, digest: str | None = None) -> None:
        self.name = f"onnx:{path}"
        self._path = path
        self._session, said = _open(Path(path), game)
        if digest not in (None, said.digest):
            raise OnnxError(f"{path} was written again after the player was made of it: make the player again")
        self.game, self.about, self._digest = said.game, said.about, said.digest
        self._adviser = CompiledPlayer(said.advice, said.game) if said.advice else None
        self._features, self._names = said.features, inputs_of(said.game, said.features)

    def act(
        self, observations: npt.NDArray[np.uint8], masks: npt.NDArray[np.int8], dice: npt.NDArray[np.uint64]
    ) -> npt.NDArray[np.int64]:
        """See `banakil_env.arena.Player.act`."""
        check_asked(self.game, observations, masks, dice)
        actions = np.empty(len(observations), np.int64)
        features, depths = encode(self.game, observations, features=self._features)
        given: dict[str, Any] = {"features": features, "depths": depths, "masks": masks}
        advice = None if self._adviser is None else self._adviser.act(observations, masks, np.zeros_like(dice))
        for rows in blocks(len(actions)):
            asked = {name: filled(given[name][rows]) for name in self._names}
            if advice is not None:
                asked["advice"] = filled(advice[rows])
            actions[rows] = self._session.run(["actions"], asked)[0][: len(actions[rows])]
        return actions

    def prepare(self) -> None:
        """Make one call in advance, so that the first decision takes no longer than others."""
        observations = np.zeros((1, self.game.observation.itemsize), np.uint8)
        masks = np.ones((1, self.game.num_actions), np.int8)
        self.act(observations, masks, np.zeros(1, np.uint64))

    def identity(self) -> Identity:
        """The player's identity: digests of the file, and of the adviser if there is one."""
        own = {Path(self._path).name: self._digest}
        return Identity(self.name, own | adviser_parts(self._adviser.name if self._adviser else None, self.game))

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the player as the path of its file and the digest that the file must have."""
        return type(self), (self._path, None, self._digest)


def make(argument: str, game: Game) -> OnnxPlayer:
    """The player of `onnx:FILE`.

    Raises:
        OnnxError: the file cannot be played; the message gives the reason.
    """
    if not argument:
        raise OnnxError("name the file: onnx:FILE, such as onnx:demo/agent.onnx")
    return OnnxPlayer(argument, game)


def export(agent: str | Path, path: str | Path) -> None:
    """Write an agent as ONNX, atomically: a reader finds either the old file or the complete new file.

    Args:
        agent: its file or folder, as in `net:PATH`.
        path: the file to write.

    Raises:
        OnnxError: torch, onnx or onnxscript is missing.
        banakil_env.agents.network.AgentError: there is no such agent.
    """
    from banakil_env.agents.network import load

    loaded = load(agent)
    game = loaded.network.game
    model = _exported(loaded.network)
    said = {
        "format": FORMAT,
        "game": game.id,
        **features_said(loaded.network.features),
        "about": json.dumps(loaded.about),
        "advice": loaded.network.shape.advice or "",
        "digest": _NO_DIGEST,
    }
    for name, text in said.items():
        model.metadata_props.add(key=name, value=text)
    content = model.SerializeToString()
    write_whole(Path(path), content.replace(_NO_DIGEST.encode(), _digest(content).encode()))


def _exported(network: Any) -> Any:
    """The network from features to actions, as an `onnx.ModelProto`."""
    import torch

    try:
        import onnx  # noqa: F401 - PyTorch needs both, but reports this late
        import onnxscript  # noqa: F401 - likewise
    except ImportError as error:
        raise OnnxError(f"the export needs {error.name}: {install_line('onnx')}") from None
    from banakil_env.agents.model import legal_logits

    inputs = inputs_of(network.game, network.features)
    names = [*inputs, *(["advice"] if network.shape.advice else [])]

    class Deciding(torch.nn.Module):
        """Maps features, masks, optional depths and optional advice to actions, masked logits and values."""

        def __init__(self) -> None:
            super().__init__()
            self.network = network

        def forward(self, *given: Any) -> Any:
            said = dict(zip(names, given))
            logits, values = self.network(said["features"], said.get("depths"), said.get("advice"))
            logits = legal_logits(logits, said["masks"] != 0)
            return logits.argmax(1), logits, values

    rows = torch.export.Dim("rows", min=1)
    # Five rows: a number that is not the size of any layer, so that the exporter does not take it for a constant.
    example: tuple[Any, ...] = tuple(
        torch.zeros(5, width, dtype=getattr(torch, np.dtype(_NUMPY[kind]).name)) for kind, width in inputs.values()
    )
    if network.shape.advice:
        example = (*example, torch.zeros(5, dtype=torch.int64))
    with _quiet():
        program = torch.onnx.export(
            Deciding().eval(),
            example,
            input_names=names,
            output_names=["actions", "logits", "values"],
            dynamic_shapes=(tuple({0: rows} for _ in names),),
            opset_version=OPSET,
            dynamo=True,
            verbose=False,
        )
    assert program is not None
    model = program.model_proto
    fixed = [one.name for one in model.graph.input if one.type.tensor_type.shape.dim[0].HasField("dim_value")]
    if fixed:
        raise OnnxError(
            f"the network takes {', '.join(fixed)} of {len(example[0])} rows only: what it computes must take the "
            "number of rows from `shape`, not from len()"
        )
    return model


@dataclass(frozen=True)
class Said:
    """The metadata of a file.

    Attributes:
        game: the game that it plays.
        features: the columns that it sees.
        about: the configuration of its agent.
        advice: the name of its adviser; "": it has none.
        digest: the digest of the file.
    """

    game: Game
    features: Features
    about: dict[str, Any]
    advice: str
    digest: str


def _open(path: Path, game: Game | None) -> tuple[Any, Said]:
    """The ONNX Runtime session of a file, and its metadata.

    Raises:
        OnnxError: the file cannot be played.
    """
    if not path.is_file():
        raise OnnxError(f"there is no file {path}")
    try:
        content, said = _checked(path)
    except ValueError as error:
        raise OnnxError(f"{path} {error}") from error
    if game is not None and said.game is not game:
        raise OnnxError(f"{path} plays {said.game.id}, not {game.id}")
    try:
        import onnxruntime
    except ImportError:
        raise OnnxError(f"onnx:FILE needs onnxruntime: {install_line('onnx')}") from None
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1  # the arena uses processes for parallel work
    try:
        session = onnxruntime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
    except Exception as error:  # onnxruntime's exceptions have no common base class
        raise OnnxError(f"{path} is damaged or no ONNX file: {error}") from error
    wanted = {name: (kind, [width]) for name, (kind, width) in inputs_of(said.game, said.features).items()}
    wanted |= {"advice": ("tensor(int64)", [])} if said.advice else {}
    found = {one.name: (one.type, list(one.shape[1:])) for one in session.get_inputs()}
    if found != wanted:
        raise OnnxError(f"{path} has the inputs {found}, but an observation needs {wanted}")
    if "actions" not in [one.name for one in session.get_outputs()]:
        raise OnnxError(f"{path} has no output named actions")
    return session, said


def _checked(path: Path) -> tuple[bytes, Said]:
    """The content of a file, and its metadata.

    Raises:
        ValueError: the file cannot be played.
    """
    content = read_within(path, MOST_BYTES)
    said = metadata_of(content)
    game = checked_game(said, FORMAT, _SAID)
    if not re.fullmatch("[0-9a-f]{64}", said["digest"]):
        raise ValueError(f"has an invalid digest: {said['digest']!r:.80}")
    if said["digest"] != _digest(content.replace(said["digest"].encode(), _NO_DIGEST.encode())):
        raise ValueError("is not as it was written: its digest does not match its content; get it again")
    if said["advice"] and said["advice"] not in game.kinds:
        raise ValueError(f"is advised by {said['advice']!r:.80}; there are {', '.join(game.kinds)}")
    check_weights(content)
    return content, Said(game, features_seen(said, game), object_of(said, "about"), said["advice"], said["digest"])


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@contextlib.contextmanager
def _quiet() -> Iterator[None]:
    """Silence the exporter's messages about optional packages and its own deprecations."""
    logger = logging.getLogger("torch.onnx")
    level = logger.level
    logger.setLevel(logging.ERROR)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        logger.setLevel(level)


def main(arguments: list[str] | None = None) -> int:
    """Run the command `python -m banakil_env.agents.onnx`."""
    parser = argparse.ArgumentParser(prog="python -m banakil_env.agents.onnx", description="Export an agent to ONNX.")
    parser.add_argument("agent", help="its file or folder, as net:PATH takes it")
    parser.add_argument("file", type=Path, help="to be written, such as demo/agent.onnx")
    options = parser.parse_args(arguments)
    try:
        export(options.agent, options.file)
    except (ValueError, OSError) as error:
        complain(f"agents.onnx: {error}")
        return 1
    from banakil_env.agents.network import load

    say(f"let it play: {load(options.agent).table.match_command(f'onnx:{options.file}', 'greedy')}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
