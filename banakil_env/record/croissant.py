"""Writes a description of recorded games in the Croissant format, next to the data.

Croissant is MLCommons' vocabulary for data sets, based on schema.org: JSON-LD that lists the files with their
checksums, and every column with its type and meaning. Search engines for data sets and loaders (`mlcroissant`,
TensorFlow Datasets, Hugging Face) read it. The bytes of an observation are described field by field, as the game
declares them.

    games.parquet  ->  games.parquet.croissant.json
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from banakil_env import __version__
from banakil_env.core.files import write_whole
from banakil_env.record.play import Recording, RecordingError

SPECIFICATION = "http://mlcommons.org/croissant/1.0"
SUFFIX = ".croissant.json"

# Terms of Croissant that its context defines (appendix of the specification).
_TERMS = (
    *(
        "citeAs",
        "column",
        "equivalentProperty",
        "extract",
        "field",
        "fileProperty",
        "fileObject",
        "fileSet",
        "format",
        "includes",
    ),
    *("isLiveDataset", "jsonPath", "key", "md5", "parentField", "path", "recordSet", "references", "regex", "repeated"),
    *("replace", "samplingRate", "separator", "source", "subField", "transform"),
)
CONTEXT: dict[str, Any] = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "sc": "https://schema.org/",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "dct": "http://purl.org/dc/terms/",
    "conformsTo": "dct:conformsTo",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    **{term: f"cr:{term}" for term in _TERMS},
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
}


@dataclass(frozen=True)
class Column:
    """A column of the data.

    Attributes:
        kind: its schema.org type: "Integer", "Float", "Text".
        repeated: whether each row holds a list of such values.
    """

    name: str
    kind: str
    note: str
    repeated: bool = False


@dataclass(frozen=True)
class Data:
    """The files that were written.

    Attributes:
        files: the files of the data.
        encoding: their MIME type.
        columns: the columns of a row, for formats that loaders read by row; empty for other formats.
        rows: the word for rows, in the plural.
        note: describes data that the columns leave out.
    """

    files: Sequence[Path]
    encoding: str
    columns: Sequence[Column] = ()
    rows: str = "decisions"
    note: str = ""


def place_of(out: Path) -> Path:
    """The path of the description of a file. Raises RecordingError if the path already exists."""
    path = out.with_name(out.name + SUFFIX)
    if path.exists():
        raise RecordingError(f"{path} exists already: name another file, or remove it")
    return path


def write(path: Path, data: Data, recording: Recording, licence: str) -> None:
    """Write the description of some recorded games. If writing fails, no file is left."""
    write_whole(path, (json.dumps(described(path, data, recording, licence), indent=1) + "\n").encode())


def described(path: Path, data: Data, recording: Recording, licence: str) -> dict[str, Any]:
    """The description as a dict for JSON. Paths of files in it are relative to `path`, where it will be written."""
    sets = [_record_set(path, data)] if data.columns else []
    return {
        "@context": CONTEXT,
        "@type": "sc:Dataset",
        "name": path.name.removesuffix(SUFFIX),
        "description": _description(data, recording),
        "conformsTo": SPECIFICATION,
        "license": licence,
        "version": __version__,
        "creator": {"@type": "sc:Organization", "name": "the banakil-env authors"},
        "citeAs": f"{path.name.removesuffix(SUFFIX)}, recorded with banakil-env {__version__}",
        "keywords": ["rummy", recording.game, "card game", "imperfect information", "reinforcement learning"],
        "variableMeasured": f"{recording.found.num_actions} actions",
        "distribution": [_file(path, file, data.encoding) for file in data.files],
        "recordSet": [*sets, _observation(recording)],
    }


def _description(data: Data, recording: Recording) -> str:
    table = ", ".join(f"{name} {value}" for name, value in recording.options.items() if value is not None)
    players = " and ".join(recording.players)
    return (
        f"{data.rows.capitalize()} of {players} in {recording.found.title} ({recording.found.id}; {table}): "
        f"{recording.deals} deals from the seeds {recording.seeds} on, each in all seatings of each pair. "
        "Written by `banakil record`, which gives the same files again."
    )


def _file(path: Path, file: Path, encoding: str) -> dict[str, Any]:
    name = file.relative_to(path.parent).as_posix()
    with file.open("rb") as content:
        digest = hashlib.file_digest(content, "sha256").hexdigest()
    return {
        "@type": "cr:FileObject",
        "@id": name,
        "name": name,
        "contentUrl": name,
        "contentSize": f"{file.stat().st_size} B",
        "encodingFormat": encoding,
        "sha256": digest,
    }


def _record_set(path: Path, data: Data) -> dict[str, Any]:
    file = data.files[0].relative_to(path.parent).as_posix()
    return {
        "@type": "cr:RecordSet",
        "@id": data.rows,
        "name": data.rows,
        "description": f"the {data.rows}, a row each{data.note}",
        "field": [
            {
                **_field(data.rows, column),
                **({"repeated": True} if column.repeated else {}),
                "source": {"fileObject": {"@id": file}, "extract": {"column": column.name}},
            }
            for column in data.columns
        ],
    }


_OF_A_FIELD = (
    Column("field", "Text", "name of the field"),
    Column("offset", "Integer", "where it begins, in bytes"),
    Column("dtype", "Text", "of each of its numbers, as NumPy writes it"),
    Column("shape", "Text", "how many numbers in each dimension, `[]` for one"),
    Column("note", "Text", "what it says"),
)


def _observation(recording: Recording) -> dict[str, Any]:
    """The fields of an observation, as rows that are stored in the description itself."""
    rows = [
        {
            "field": number.name,
            "offset": number.offset,
            "dtype": number.field.number.str,
            "shape": json.dumps(number.field.shape),
            "note": number.field.note,
        }
        for number in recording.found.observation_fields.numbers
    ]
    return {
        "@type": "cr:RecordSet",
        "@id": "observation_fields",
        "name": "observation_fields",
        "description": "what the bytes of an observation mean, field by field",
        "field": [_field("observation_fields", column) for column in _OF_A_FIELD],
        "data": [{f"observation_fields/{name}": value for name, value in row.items()} for row in rows],
    }


def _field(owner: str, column: Column) -> dict[str, Any]:
    return {
        "@type": "cr:Field",
        "@id": f"{owner}/{column.name}",
        "name": column.name,
        "description": column.note,
        "dataType": f"sc:{column.kind}",
    }
