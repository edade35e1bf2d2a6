"""Models of Stable-Baselines3 as players, `sb3:FILE`: plays the file that `model.save(FILE)` wrote.

    model = MaskablePPO("MlpPolicy", TablesVecEnv(64, observation="features"))
    model.learn(100_000)
    model.save("model.zip")

    banakil arena sb3:model.zip greedy

Supported are `MaskablePPO` of sb3-contrib, and `PPO` and `A2C` of Stable-Baselines3. The last two train without masks;
the player chooses their likeliest legal action too. The model can use any form of the observations, and a custom policy
or features extractor, whose modules are imported from the folder in which the command runs.

The file is a pickle, and loading a pickle can run any code. Only play files of people you trust.
"""

from __future__ import annotations

import hashlib
import io
import os
import sys
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from banakil_env.agents.blocks import blocks, filled
from banakil_env.agents.threads import one_thread
from banakil_env.arena.players import Explanation, check_asked
from banakil_env.core.digests import digest_of
from banakil_env.core.files import read_within
from banakil_env.core.game import Game
from banakil_env.core.identity import Identity
from banakil_env.core.install import install_line
from banakil_env.envs.forms import form_of, in_form

MOST_BYTES = 1 << 31  # limit for a file, and for its unpacked content


class SB3Error(ValueError):
    """A file that is not a model of Stable-Baselines3, or cannot play the game."""


class SB3Player:
    """A saved model as a player. It chooses the likeliest legal action and uses no random bits.

    Args:
        path: the file, with or without `.zip`.
        game: the game to play.
        digest: the SHA-256 digest that the file must have; None: any.

    Raises:
        SB3Error: the file cannot be played; the message gives the reason.
    """

    def __init__(self, path: str | Path, game: Game, digest: str | None = None) -> None:
        self.name = f"sb3:{path}"
        self.game = game
        self._path = path
        self._file = _file_of(path)
        content = _content_of(self._file)
        self._digest = hashlib.sha256(content).hexdigest()
        if digest not in (None, self._digest):
            raise SB3Error(f"{self._file} was written again after the player was made of it: make the player again")
        self._policy = _policy_of(self._file, content)
        self._form = self._form_of_policy()

    def _form_of_policy(self) -> str:
        try:
            form = form_of(self.game, self._policy.observation_space)
        except ValueError as error:
            raise SB3Error(f"{self._path} does not play {self.game.id}: {error}") from None
        actions = getattr(self._policy.action_space, "n", None)
        if actions != self.game.num_actions:
            raise SB3Error(
                f"{self._path} does not play {self.game.id}, which has {self.game.num_actions} actions: "
                f"its actions are {self._policy.action_space}"
            )
        return form

    def act(
        self, observations: npt.NDArray[np.uint8], masks: npt.NDArray[np.int8], dice: npt.NDArray[np.uint64]
    ) -> npt.NDArray[np.int64]:
        """See `banakil_env.arena.Player.act`."""
        check_asked(self.game, observations, masks, dice)
        actions = np.empty(len(observations), np.int64)
        with torch.inference_mode(), one_thread():
            for rows in blocks(len(actions)):
                logits, _ = self._judged(filled(observations[rows]))
                legal = np.where(filled(masks[rows]), logits, -np.inf)
                actions[rows] = legal.argmax(1)[: len(actions[rows])]
        return actions

    def explain(self, observation: npt.NDArray[np.uint8], mask: npt.NDArray[np.int8], dice: int) -> Explanation:
        """The chosen action, the probability of each legal action and the value; see `banakil_env.arena.Player`."""
        with torch.inference_mode(), one_thread():
            logits, value = self._judged(filled(observation[None]))
        legal = np.flatnonzero(mask)
        weights = np.exp(logits[0, legal] - logits[0, legal].max())
        probabilities = dict(zip(legal.tolist(), (weights / weights.sum()).tolist()))
        return Explanation(int(legal[weights.argmax()]), probabilities, value=value)

    def prepare(self) -> None:
        """Make one call in advance, so that the first decision takes no longer than others."""
        observations = np.zeros((1, self.game.observation.itemsize), np.uint8)
        self.act(observations, np.ones((1, self.game.num_actions), np.int8), np.zeros(1, np.uint64))

    def _judged(self, observations: npt.NDArray[np.uint8]) -> tuple[npt.NDArray[np.float64], float]:
        """The logits of all actions in each row, and the value of the first row."""
        seen, _ = self._policy.obs_to_tensor(in_form(self.game, self._form, observations))
        logits = self._policy.get_distribution(seen).distribution.logits
        return logits.double().numpy(), float(self._policy.predict_values(seen)[0])

    def identity(self) -> Identity:
        """The player's identity: digests of the file, and of the user's policy and features extractor that it names."""
        code = type(self._policy), getattr(self._policy, "features_extractor_class", None)
        return Identity(self.name, {self._file.name: self._digest, "code": digest_of(code)})

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle the player as the path of its file, the game, and the digest that the file must have."""
        return _reloaded, (self._path, self.game.name, self._digest)


def _reloaded(path: str | Path, game: str, digest: str) -> SB3Player:
    from banakil_env.games import find

    return SB3Player(path, find(game), digest)


def make(argument: str, game: Game) -> SB3Player:
    """The player of `sb3:FILE`.

    Raises:
        SB3Error: the file cannot be played; the message gives the reason.
    """
    if not argument:
        raise SB3Error("name the file that model.save() wrote: sb3:FILE, such as sb3:model.zip")
    return SB3Player(argument, game)


def _file_of(path: str | Path) -> Path:
    """The file at this path, or the path with `.zip`, which `model.save` adds.

    Raises:
        SB3Error: there is no such file, or it is not an archive.
    """
    for file in (Path(path), Path(f"{path}.zip")):
        if file.is_file():
            if not zipfile.is_zipfile(file):
                raise SB3Error(f"{file} is not a file of Stable-Baselines3: model.save() writes a zip archive")
            return file
    raise SB3Error(f"there is no file {path}")


def _content_of(file: Path) -> bytes:
    """The content of an archive.

    Raises:
        SB3Error: the archive, or its unpacked content, is larger than MOST_BYTES.
    """
    try:
        content = read_within(file, MOST_BYTES)
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            unpacked = sum(entry.file_size for entry in archive.infolist())
    except (ValueError, zipfile.BadZipFile) as error:
        raise SB3Error(f"{file} {error}") from error
    if unpacked > MOST_BYTES:
        raise SB3Error(f"{file} has {unpacked:,} bytes when it is unpacked, and at most {MOST_BYTES:,} are read")
    return content


def _policy_of(file: Path, content: bytes) -> Any:
    """The policy of a saved model, in evaluation mode on the CPU.

    Raises:
        SB3Error: the policy cannot be loaded or used.
    """
    try:
        from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
        from stable_baselines3.common.policies import ActorCriticPolicy
        from stable_baselines3.common.save_util import load_from_zip_file
    except ImportError as error:
        raise SB3Error(f"to play {file} needs {error.name}: {install_line('train')}") from None
    if (folder := os.getcwd()) not in sys.path:  # the folder of the user's modules
        sys.path.append(folder)
    try:
        loaded: Any = load_from_zip_file(io.BytesIO(content), device="cpu")
        data, parameters, _ = loaded
        kind = (data or {})["policy_class"]
        if not isinstance(kind, type) or not issubclass(kind, (MaskableActorCriticPolicy, ActorCriticPolicy)):
            raise TypeError(f"it has a {getattr(kind, '__name__', kind)}, and MaskablePPO, PPO and A2C can be played")
        made = kind(data["observation_space"], data["action_space"], lambda _: 0.0, **data.get("policy_kwargs") or {})
        made.load_state_dict(parameters["policy"])
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # a pickle can raise anything
        raise SB3Error(f"{file} cannot be loaded: {type(error).__name__}: {error!s:.300}") from error
    made.set_training_mode(False)
    return made
