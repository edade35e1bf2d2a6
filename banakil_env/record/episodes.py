"""Writes recorded decisions as a Minari dataset. An episode is one game from one seat of the learner.

The learner is the first named player. Its episodes are those of the game's Gymnasium environment (`rummy/Banakil-v0`),
where `step` makes the moves of the other players. An episode has one more observation (a vector) than actions. The
infos hold `action_mask` and `seat` for each observation; the last mask is empty. The reward comes at the end.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import warnings
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import gymnasium
import minari
import numpy as np
import numpy.typing as npt
from gymnasium.envs.registration import EnvSpec
from minari.data_collector import EpisodeBuffer
from minari.namespace import create_namespace, list_local_namespaces
from minari.storage import get_dataset_path
from minari.utils import parse_dataset_id

from banakil_env.core.game import Game
from banakil_env.core.kernels import kernels_of
from banakil_env.envs.forms import RECORD, observation_space
from banakil_env.games import gymnasium_id
from banakil_env.record import croissant
from banakil_env.record.play import Decisions, Recording, RecordingError

LEARNER = 0
_ROOT = "MINARI_DATASETS_PATH"


def write(
    name: str,
    batches: Iterable[Decisions],
    recording: Recording,
    licence: str = "MIT",
    author: str = "banakil record",
) -> int:
    """Write a dataset into Minari's folder; returns the number of decisions in it.

    Its description in Croissant is written into its folder. If writing fails, no dataset is left.

    Args:
        name: Minari's id of the dataset, such as `banakil/expert-v0`.
        batches: the decisions.
        recording: the recording that they come from.
        licence: the licence of the data.
        author: the author in the metadata.

    Raises:
        RecordingError: the dataset already exists, or the name is invalid; no game is played then.
    """
    try:
        namespace = parse_dataset_id(name)[0]
    except ValueError as error:
        raise RecordingError(f"{name!r} is not an id of a Minari dataset, such as banakil/expert-v0: {error}") from None
    place = Path(get_dataset_path(name))
    if place.exists():
        raise RecordingError(f"the Minari dataset {name} exists already, in {place}: name another, or delete it")
    with tempfile.TemporaryDirectory(dir=get_dataset_path(), prefix=".record-") as root:
        with _datasets_in(root):
            count = _write(name, batches, recording, author)
        _describe(Path(root) / name, recording, licence)
        if namespace is not None and namespace not in list_local_namespaces():
            create_namespace(namespace)
        place.parent.mkdir(parents=True, exist_ok=True)
        (Path(root) / name).rename(place)
    return count


def episodes(batch: Decisions, recording: Recording) -> Iterator[EpisodeBuffer]:
    """Yield the learner's episodes in these decisions, ordered by deal, table and seat."""
    masks = batch.unpacked_masks()
    games = np.unique(batch.games[batch.players == LEARNER])
    firsts = np.searchsorted(batch.games, [games, games + 1])
    for game, first, end in zip(games.tolist(), *firsts.tolist()):
        for seat in range(recording.seats):
            rows = first + np.flatnonzero((batch.seats[first:end] == seat) & (batch.players[first:end] == LEARNER))
            if len(rows):
                yield _episode(recording.found, batch, masks, rows, batch.ends[game : game + 1])


def _episode(
    game: Game,
    batch: Decisions,
    masks: npt.NDArray[np.int8],
    rows: npt.NDArray[np.int64],
    end: npt.NDArray[Any],
) -> EpisodeBuffer:
    seat, count, first = int(batch.seats[rows[0]]), len(rows), int(rows[0])
    last, no_mask = np.zeros(1, game.observation), np.zeros(game.num_actions, np.int8)
    kernels_of(game).observe_one(end, seat, last, no_mask)
    closing = np.zeros(count, bool)
    closing[-1] = True
    return EpisodeBuffer(
        seed=int(batch.seeds[first]),
        options={"deal": int(batch.deals[first]), "table": int(batch.tables[first]), "seat": seat},
        observations=np.vstack([batch.observations[rows], last.view(np.uint8).reshape(1, -1)]),
        actions=batch.actions[rows].astype(np.int64),
        rewards=(batch.margins[rows] * closing).tolist(),
        terminations=closing.tolist(),
        truncations=[False] * count,  # as in the environment, a limit of turns or rounds terminates the episode
        infos={"action_mask": np.vstack([masks[rows], no_mask]), "seat": np.full(count + 1, seat, np.int64)},
    )


def opponents(recording: Recording) -> str | tuple[str, ...] | None:
    """The learner's opponents, in the form that the environment takes.

    Returns None if they differ between tables or are not compiled.
    """
    met = {
        tuple(recording.players[who] for who in (*of_table[seat + 1 :], *of_table[:seat]))
        for of_table in recording.seatings()
        for seat, player in enumerate(of_table)
        if player == LEARNER
    }
    if len(met) > 1 or not all(player in recording.found.kinds for others in met for player in others):
        return None
    (others,) = met
    return others[0] if len(set(others)) == 1 else others


def _spec(recording: Recording) -> EnvSpec | None:
    """The specification of the learner's environment, for `MinariDataset.recover_environment`; None if unknown."""
    others = opponents(recording)
    if others is None:
        return None
    env = gymnasium.make(gymnasium_id(recording.game), opponents=others, observation=RECORD, **recording.options)
    assert env.spec is not None
    return env.spec


def _write(name: str, batches: Iterable[Decisions], recording: Recording, author: str) -> int:
    count, dataset = 0, None
    for batch in batches:
        buffers = list(episodes(batch, recording))
        count += sum(map(len, buffers))
        if dataset is not None:
            dataset.update_dataset_from_buffer(buffers)
            continue
        with warnings.catch_warnings():
            # The warnings are about missing arguments: an address, a link to code.
            warnings.simplefilter("ignore", UserWarning)
            dataset = minari.create_dataset_from_buffers(
                name,
                buffers,
                env=_spec(recording),
                observation_space=observation_space(recording.found, RECORD),
                action_space=gymnasium.spaces.Discrete(recording.found.num_actions),
                algorithm_name=recording.players[LEARNER],
                author=author,
                description=_description(recording),
                requirements=["banakil-env"],
                data_format="hdf5",
            )
    return count


def _describe(folder: Path, recording: Recording, licence: str) -> None:
    """Write the description of a dataset. Croissant loaders read no HDF5, so it describes files and no rows."""
    files = sorted(path for path in (folder / "data").iterdir() if path.suffix == ".hdf5")
    data = croissant.Data(files, "application/x-hdf5", rows="episodes")
    croissant.write(folder / f"{folder.name}{croissant.SUFFIX}", data, recording, licence)


def _description(recording: Recording) -> str:
    others = ", ".join(recording.players[1:]) or "itself"
    table = ", ".join(f"{name}={value}" for name, value in recording.options.items() if value is not None)
    return (
        f"{recording.found.id}, {table}: {recording.players[LEARNER]} at a table with {others}, "
        f"{recording.deals} deals from seeds {recording.seeds}; the legal actions are infos['action_mask']"
    )


@contextlib.contextmanager
def _datasets_in(root: str) -> Iterator[None]:
    """Inside the block, Minari stores its datasets in the folder `root`."""
    before = os.environ.get(_ROOT)
    os.environ[_ROOT] = root
    try:
        yield
    finally:
        if before is None:
            del os.environ[_ROOT]
        else:
            os.environ[_ROOT] = before
