"""How do recorded decisions become a Parquet file, and vectors again? One row a decision, one row group a batch.

The columns are `SCHEMA`. Observations and masks are plain binary, which every reader takes for what it is, compresses
best and reads fastest; `vectors` makes an array of such a column from whichever library. What was played stands in the
schema's metadata under `banakil`, as JSON (`about`).
"""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from banakil_env import __version__
from banakil_env.core.files import written_whole
from banakil_env.games import GAMES, find
from banakil_env.record.play import Decisions, Recording, RecordingError

# Raised with every change of what the columns mean.
FORMAT = "banakil-decisions-2"
KEY = b"banakil"

# Column, type, what it says: the table of docs/plugins/data.md.
COLUMNS: tuple[tuple[str, pa.DataType, str], ...] = (
    ("deal", pa.int64(), "number of the deal, from 0"),
    ("seed", pa.uint64(), "its seed: `new(seed=...)` of the game deals the same cards"),
    ("table", pa.int32(), "which of the deal's tables: who sits where, `seatings` in the metadata"),
    ("round", pa.int32(), "rounds ended before; above 0 in matches only"),
    ("index", pa.int32(), "decisions before at this table, by all seats"),
    ("seat", pa.uint8(), "who decides"),
    ("player", pa.string(), "the player at that seat"),
    ("observation", pa.binary(), "what the seat sees: the bytes of a record of `OBSERVATION`"),
    ("mask", pa.binary(), "the legal actions as bits: action a is bit a % 8, from the lowest, of byte a // 8"),
    ("action", pa.int16(), "what was done"),
    ("points", pa.list_(pa.int32()), "what the game was worth at its end, by seat; of a match the score"),
    ("margin", pa.float32(), "to the deciding seat, as the reward `margin`: own side's points minus the others' mean"),
    ("win", pa.int8(), "to the deciding seat, as the reward `win`: 1, 0 when tied, or -1"),
    ("ending", pa.string(), "how it ended, in a word of the game"),
)
SCHEMA = pa.schema([(name, kind) for name, kind, _ in COLUMNS])
_VECTORS = ("observation", "mask")


def write(path: Path, batches: Iterable[Decisions], recording: Recording, licence: str = "MIT") -> int:
    """Write a file, whole or not at all; how many decisions are in it.

    Raises:
        RecordingError: there is such a file already; nothing is played then.
    """
    if path.exists():
        raise RecordingError(f"{path} is there already: name another file, or remove it")
    schema = SCHEMA.with_metadata({KEY: json.dumps(_said(recording, licence)).encode()})
    small = [name for name in SCHEMA.names if name not in _VECTORS]
    count = 0
    with (
        written_whole(path) as part,
        pq.ParquetWriter(part, schema, compression="zstd", use_dictionary=small) as writer,
    ):
        for batch in batches:
            writer.write_table(_table(batch, recording, schema), row_group_size=max(1, len(batch)))
            count += len(batch)
    return count


def about(path: Path | str) -> dict[str, Any]:
    """What was played: `format`, `version`, `game`, `recording`, `seatings`, `observation`, `actions`, `licence`.

    Raises:
        RecordingError: the file holds no decisions of this version.
    """
    try:
        said = json.loads((pq.read_schema(path).metadata or {})[KEY])
    except (pa.ArrowInvalid, OSError, KeyError) as error:
        raise RecordingError(f"{path} holds no decisions that `banakil record` has written: {error}") from None
    ids = [find(name).id for name in GAMES]
    if said["format"] != FORMAT or said["game"] not in ids:
        raise RecordingError(
            f"{path} is {said['format']} of {said['game']}, and {FORMAT} of {', '.join(ids)} is read: record it anew"
        )
    return dict(said)


def vectors(column: Iterable[bytes]) -> npt.NDArray[np.uint8]:
    """Observations or masks as uint8 (n, bytes): a list of bytes, a Series of pandas or Polars, Arrow's `to_pylist`."""
    values = list(column)
    if not values:
        return np.zeros((0, 0), np.uint8)
    return np.frombuffer(b"".join(values), np.uint8).reshape(len(values), -1)


def _table(batch: Decisions, recording: Recording, schema: pa.Schema) -> pa.Table:
    columns = {
        "deal": batch.deals,
        "seed": batch.seeds,
        "table": batch.tables,
        "round": batch.rounds,
        "index": batch.indices,
        "seat": batch.seats,
        "player": pa.array(recording.players).take(pa.array(batch.players)),
        "observation": _binary(batch.observations),
        "mask": _binary(batch.masks),
        "action": batch.actions,
        "points": _lists(batch.points),
        "margin": batch.margins,
        "win": batch.wins,
        "ending": pa.array(batch.endings),
    }
    return pa.table(columns, schema=schema)


def _binary(rows: npt.NDArray[np.uint8]) -> pa.Array:
    """Rows of bytes as a column, not copied."""
    rows = np.ascontiguousarray(rows)
    return pa.Array.from_buffers(
        pa.binary(), len(rows), [None, pa.py_buffer(_offsets(len(rows), rows.shape[1])), pa.py_buffer(rows)]
    )


def _lists(rows: npt.NDArray[Any]) -> pa.Array:
    return pa.ListArray.from_arrays(pa.array(_offsets(len(rows), rows.shape[1])), pa.array(rows.reshape(-1)))


def _offsets(count: int, width: int) -> npt.NDArray[np.int32]:
    return np.arange(count + 1, dtype=np.int32) * np.int32(width)


def _said(recording: Recording, licence: str) -> dict[str, Any]:
    game = recording.found
    return {
        "format": FORMAT,
        "version": __version__,
        "game": game.id,
        "recording": dataclasses.asdict(recording),
        "seatings": recording.seatings(),
        "columns": {name: note for name, _, note in COLUMNS},
        "observation": [
            {
                "name": number.name,
                "offset": number.offset,
                "dtype": number.field.number.str,
                "shape": list(number.field.shape),
                "note": number.field.note,
            }
            for number in game.observation_fields.numbers
        ],
        "actions": game.num_actions,
        "licence": licence,
    }
