"""Writes recorded decisions to a Parquet file and reads them: one row per decision, one row group per batch.

The columns are `SCHEMA`. Observations and masks are plain binary: every reader knows this type, and it compresses best
and reads fastest. `vectors` makes an array of such a column, whichever library has read it. The metadata of the schema
describe the recording, as JSON under the key `banakil` (`about`).
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
from banakil_env.core.files import parse_json, written_whole
from banakil_env.games import GAMES, find
from banakil_env.record import croissant
from banakil_env.record.play import Decisions, Recording, RecordingError

# Increase the number with every change in the meaning of the columns.
FORMAT = "banakil-decisions-2"
KEY = b"banakil"
MOST_OF_GROUP = 1 << 30  # bytes of an unpacked row group; row groups of a recording have 35 MB
# The keys of the metadata.
ABOUT = {"format", "version", "game", "recording", "seatings", "columns", "observation", "actions", "licence"}

# Column, type, meaning: also the table of docs/plugins/data.md.
COLUMNS: tuple[tuple[str, pa.DataType, str], ...] = (
    ("deal", pa.int64(), "number of the deal, from 0"),
    ("seed", pa.uint64(), "its seed: `new(seed=...)` of the game deals the same cards"),
    ("table", pa.int32(), "the table of the deal; `seatings` in the metadata gives its players"),
    ("round", pa.int32(), "rounds ended before; above 0 in matches only"),
    ("index", pa.int32(), "decisions before at this table, by all seats"),
    ("seat", pa.uint8(), "the seat that decides"),
    ("player", pa.string(), "the player at that seat"),
    ("observation", pa.binary(), "the observation of the seat: the bytes of a record of `OBSERVATION`"),
    ("mask", pa.binary(), "the legal actions as bits: action a is bit a % 8, from the lowest, of byte a // 8"),
    ("action", pa.int16(), "the action"),
    ("points", pa.list_(pa.int32()), "the points at the end of the game by seat; for a match the score"),
    ("margin", pa.float32(), "the reward `margin` of the deciding seat: its side's points minus the others' mean"),
    ("win", pa.int8(), "the reward `win` of the deciding seat: 1, 0 when tied, or -1"),
    ("ending", pa.string(), "how the game ended, in a word of the game"),
)
SCHEMA = pa.schema([(name, kind) for name, kind, _ in COLUMNS])
_VECTORS = ("observation", "mask")


def write(path: Path, batches: Iterable[Decisions], recording: Recording, licence: str = "MIT") -> int:
    """Write a file and its Croissant description; returns the number of decisions in it.

    If writing fails, no file is left.

    Raises:
        RecordingError: the file already exists; no game is played then.
    """
    if path.exists():
        raise RecordingError(f"{path} exists already: name another file, or remove it")
    description = croissant.place_of(path)
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
    croissant.write(description, croissant.Data([path], "application/x-parquet", _columns()), recording, licence)
    return count


def about(path: Path | str) -> dict[str, Any]:
    """The description of the recording, from the metadata of a file.

    Returns:
        A dict with `format`, `version`, `game`, `recording`, `seatings`, `observation`, `actions` and `licence`.

    Raises:
        RecordingError: the file does not hold decisions of this version.
    """
    try:
        said = parse_json((pq.read_schema(path).metadata or {})[KEY])
        form, game = said["format"], said["game"]
    except (pa.ArrowException, OSError, LookupError, TypeError, ValueError) as error:
        raise RecordingError(f"{path} holds no decisions that `banakil record` has written: {error}") from None
    ids = [find(name).id for name in GAMES]
    if form != FORMAT or game not in ids:
        raise RecordingError(
            f"{path} is {form!s:.80} of {game!s:.80}, and {FORMAT} of {', '.join(ids)} is read: record it again"
        )
    if said.keys() != ABOUT:
        raise RecordingError(f"the metadata of {path} must have exactly {', '.join(sorted(ABOUT))}")
    return dict(said)


def groups(path: Path | str) -> pq.ParquetFile:
    """Open a file of decisions that is to be read by row groups.

    Raises RecordingError if a row group unpacks to more than MOST_OF_GROUP bytes.
    """
    opened = pq.ParquetFile(path)
    for number in range(opened.num_row_groups):
        size = opened.metadata.row_group(number).total_byte_size
        if size > MOST_OF_GROUP:
            raise RecordingError(f"{path} has a row group of {size:,} bytes, and at most {MOST_OF_GROUP:,} are read")
    return opened


def vectors(column: Iterable[bytes]) -> npt.NDArray[np.uint8]:
    """Observations or masks as uint8 (n, bytes).

    Args:
        column: a list of bytes, a Series of pandas or Polars, or the result of Arrow's `to_pylist`.
    """
    values = list(column)
    if not values:
        return np.zeros((0, 0), np.uint8)
    return np.frombuffer(b"".join(values), np.uint8).reshape(len(values), -1)


def _columns() -> list[croissant.Column]:
    """The columns of the file for its Croissant description, which gives columns of bytes the type "Text"."""
    kinds = {"float": "Float", "string": "Text", "binary": "Text"}
    return [
        croissant.Column(name, kinds.get(str(kind), "Integer"), note, pa.types.is_list(kind))
        for name, kind, note in COLUMNS
    ]


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
    """An Arrow column of the rows of an array, without a copy."""
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
