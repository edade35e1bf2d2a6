"""The file of a run, a zip file: its claims, every record, and separately the data that differ between machines.

    manifest.json         the task, the player, the deals, the figures, the root over all records
    matches/NAME.jsonl    a line per deal: the outcome of each table, and its moves as in docs/notation.md
    machine.json          times, machine, versions of libraries: the only member that can differ between two equal runs

The records are leaves of a Merkle tree. Its root identifies all of them: a player who has published the root can show
single records later, but cannot change any.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import itertools
import json
import os
import struct
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast, overload

from banakil_env.arena.outcomes import Outcomes
from banakil_env.core.files import check_size, lines_within, parse_json, written_whole

FORMAT = "banakil-suite-run 1"
MANIFEST, MACHINE = "manifest.json", "machine.json"
# Limits for reading a file. The largest task has 2,000 deals, and the moves of a deal take up to 300 kB.
MOST_BYTES = 1 << 28
MOST_UNPACKED = 1 << 30
MOST_TIMES = 200  # unpacked bytes per byte of the file; moves reach 20, equal lines reach a thousand
MOST_DEALS = 10_000  # in a match
LONGEST_LINE = 1 << 22  # bytes for one deal
MOST_OF_OBJECT = 1 << 20  # bytes of the manifest, and of the data about the machine
MOST_MEMBERS = 16
MOST_OF_DIRECTORY = 1 << 14  # bytes of the list of members; one member takes about a hundred
# Errors that `zipfile` raises for damaged files.
_DAMAGES = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, RuntimeError, NotImplementedError, OverflowError),
    MemoryError,
)
_EPOCH = (1980, 1, 1, 0, 0, 0)  # the time of every member, so that equal content gives an equal file
# Stored for each table; all other values follow from its moves.
KEPT = ("points", "ending", "winner", "failed", "moves")
# Stored for a failure; file and line are left out, since they depend on the machine.
FAILED = ("player", "seat", "kind", "reason")


class RunFileError(ValueError):
    """A file is not a complete run."""


@dataclass
class RunFile:
    """The content of the file of a run.

    Attributes:
        manifest: the claims of the run.
        lines: for each match, one line of JSON per deal.
        machine: the data about the machine.
    """

    manifest: dict[str, Any]
    lines: Mapping[str, Sequence[str]]
    machine: dict[str, Any] = field(default_factory=dict)

    def write(self, path: Path) -> None:
        """Write the file. Raises OSError if it cannot be written; no partial file is left."""
        members = {MANIFEST: _text(self.manifest)}
        members |= {_member(name): "".join(line + "\n" for line in lines) for name, lines in self.lines.items()}
        members[MACHINE] = _text(self.machine)
        with written_whole(path) as part, zipfile.ZipFile(part, "w") as packed:
            for name, text in members.items():
                info = zipfile.ZipInfo(name, _EPOCH)
                info.create_system, info.external_attr = 3, 0o644 << 16
                packed.writestr(info, text.encode(), zipfile.ZIP_DEFLATED, 9)


class Deals(Sequence[str]):
    """The lines of a match in a file, one per deal. They are read when they are used, and not kept in memory.

    Attributes:
        path: the path of the file.
        match: the name of the match.
    """

    def __init__(self, path: Path, match: str, count: int) -> None:
        self.path, self.match, self._count = path, match, count

    def __len__(self) -> int:
        return self._count

    def __iter__(self) -> Iterator[str]:
        with _opened(self.path) as packed:
            for line in _raw_lines(packed, self.match, self._count):
                yield line.decode("ascii").removesuffix("\n")

    @overload
    def __getitem__(self, deal: int) -> str: ...

    @overload
    def __getitem__(self, deal: slice) -> list[str]: ...

    def __getitem__(self, deal: int | slice) -> str | list[str]:
        if isinstance(deal, slice):
            return list(self)[deal]
        return next(itertools.islice(self, range(self._count)[deal], None))


def read_run(path: Path) -> RunFile:
    """Read a file that is not trusted. Raises RunFileError if it is damaged or not a run.

    Each match is unpacked once here, which finds all damage, but its lines do not stay in memory.
    """
    try:
        check_size(path, MOST_BYTES)
        with _opened(path) as packed:
            sizes = _sizes(path, packed)
            manifest, machine = _object(packed, sizes, MANIFEST), _object(packed, sizes, MACHINE)
            if manifest.get("format") != FORMAT:
                raise ValueError(f"is of format {manifest.get('format')!r:.80}, and {FORMAT!r} is read")
            names = manifest.get("matches")
            if not isinstance(names, dict) or set(sizes) != {MANIFEST, MACHINE, *map(_member, names)}:
                raise ValueError("does not hold the matches that its manifest names, or holds something else")
            lines = {name: Deals(path, name, _count(packed, name)) for name in names}
    except RunFileError:
        raise
    except OSError as error:
        raise RunFileError(f"{path} cannot be read: {error.strerror or error}") from None
    except ValueError as error:
        raise RunFileError(f"{path} {error}") from None
    return RunFile(manifest, lines, machine)


def line_of(deal: int, tables: Outcomes) -> str:
    """The line of a deal: for each table the values that do not follow from others, with moves as text."""
    kept = []
    for table in tables:
        said = {name: table[name] for name in KEPT}
        if said["failed"]:
            said["failed"] = {name: said["failed"][name] for name in FAILED}
        kept.append(said)
    return _written({"deal": deal, "tables": kept})


def _written(said: dict[str, Any]) -> str:
    return json.dumps(said, separators=(",", ":"), ensure_ascii=True)


def root_of_match(name: str, lines: Sequence[str]) -> str:
    """The root of the Merkle tree over the deals of a match, 64 hexadecimal digits.

    A leaf is SHA-256 of a zero byte, the name of the match, a zero byte and the line. A node is SHA-256 of a one byte
    and its two children. A last node without a neighbor moves up unchanged.
    """
    level = [hashlib.sha256(b"\0" + name.encode() + b"\0" + line.encode()).digest() for line in lines]
    while len(level) > 1:
        pairs = [level[i : i + 2] for i in range(0, len(level), 2)]
        level = [hashlib.sha256(b"\1" + b"".join(pair)).digest() if len(pair) == 2 else pair[0] for pair in pairs]
    return (level[0] if level else hashlib.sha256(b"").digest()).hex()


def root_of_all(roots: Mapping[str, str]) -> str:
    """The root over the roots of the matches, in order."""
    return hashlib.sha256(b"\1" + b"".join(bytes.fromhex(root) for root in roots.values())).hexdigest()


def _member(match: str) -> str:
    return f"matches/{match}.jsonl"


def _text(value: Any) -> str:
    return json.dumps(value, indent=1, allow_nan=False) + "\n"


@contextlib.contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile]:
    """Open a zip file for reading. Raises RunFileError for damage found now or inside the block."""
    try:
        _check_directory(path)
        with zipfile.ZipFile(path) as packed:
            yield packed
    except _DAMAGES as error:
        raise RunFileError(f"{path} is damaged, or no file of a run: {error}") from None


def _check_directory(path: Path) -> None:
    """Raise BadZipFile if the list of members is larger than in any run.

    `zipfile` reads the whole list when it opens a file.

    The size is in the record at the end of the file: `RunFile.write` writes no comment behind this record, and no ZIP64
    record before it.
    """
    end, larger = struct.Struct("<4s8xL6x"), 20  # bytes of the record; bytes of the pointer to a ZIP64 record
    with path.open("rb") as file:
        file.seek(-min(path.stat().st_size, end.size + larger), os.SEEK_END)
        last = file.read(end.size + larger)
    signature, size = end.unpack(last[-end.size :])
    if signature != b"PK\5\6" or last.startswith(b"PK\6\7"):
        raise zipfile.BadZipFile("its list of members is not where a run has it")
    if size > MOST_OF_DIRECTORY:
        raise zipfile.BadZipFile(f"its list of members has {size:,} bytes, and at most {MOST_OF_DIRECTORY:,} are read")


def _sizes(path: Path, packed: zipfile.ZipFile) -> dict[str, int]:
    """The unpacked size of every member in bytes.

    Raises ValueError if the sizes exceed the limits, or if a member does not belong in a run.
    """
    infos = packed.infolist()
    sizes = {info.filename: info.file_size for info in infos}
    if len(infos) > MOST_MEMBERS:
        raise ValueError(f"holds {len(infos):,} members, and a run has at most {MOST_MEMBERS}")
    if len(sizes) < len(infos):
        raise ValueError("holds two members of one name")
    for info in infos:
        if info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise ValueError(f"holds a member {info.filename!r:.80} that is packed in another way than by deflate")
    most = min(MOST_UNPACKED, MOST_OF_OBJECT + MOST_TIMES * path.stat().st_size)
    if (unpacked := sum(sizes.values())) > most:
        raise ValueError(f"unpacks to {unpacked:,} bytes, and of a file of its size at most {most:,} are read")
    return sizes


def _object(packed: zipfile.ZipFile, sizes: Mapping[str, int], name: str) -> dict[str, Any]:
    """A member that is a JSON object. Raises ValueError if it is missing, too large or damaged."""
    if name not in sizes:
        raise ValueError(f"has no {name}: it is not a run of the suite")
    if sizes[name] > MOST_OF_OBJECT:
        raise ValueError(f"has a {name} of {sizes[name]:,} bytes, and at most {MOST_OF_OBJECT:,} are read")
    try:
        found = parse_json(packed.read(name).decode())
    except ValueError as error:
        raise ValueError(f"has a damaged {name}: {error}") from None
    if not isinstance(found, dict):
        raise ValueError(f"has a damaged {name}: it is not an object")
    return found


def _raw_lines(packed: zipfile.ZipFile, match: str, most: int) -> Iterator[bytes]:
    """The lines of a match with their line ends, unpacked one after the other.

    Raises ValueError if there are more than `most` lines, or a line is too long.
    """
    with packed.open(_member(match)) as member:
        yield from lines_within(io.BufferedReader(cast(io.RawIOBase, member)), most, LONGEST_LINE)


def _count(packed: zipfile.ZipFile, match: str) -> int:
    """The number of deals of a match. Raises ValueError if the match is damaged or exceeds the limits."""
    count, line = 0, b"\n"
    try:
        for line in _raw_lines(packed, match, MOST_DEALS):
            if not line.isascii():
                raise ValueError("is not ASCII")
            count += 1
    except ValueError as error:
        raise ValueError(f"has a match {match!r:.40} that {error}") from None
    if not line.endswith(b"\n"):
        raise ValueError(f"has a match {match!r:.40} whose last line was broken off")
    return count


def parse_line(line: str) -> tuple[int, list[dict[str, Any]]]:
    """The number of the deal and the tables of a line, unchecked.

    Raises ValueError if the line is invalid or not written exactly as `line_of` writes it: a deal has only one valid
    line, and so one place in the tree.
    """
    said = parse_json(line)
    if not isinstance(said, dict) or said.keys() != {"deal", "tables"} or type(said["deal"]) is not int:
        raise ValueError("expected a deal and its tables")
    tables = said["tables"]
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise ValueError("tables is a list of objects")
    for number, table in enumerate(tables):
        if table.keys() != set(KEPT) or not isinstance(table["moves"], str):
            raise ValueError(f"table {number} must have {', '.join(KEPT)}, the moves as a text")
        failed = table["failed"]
        if failed is not None and not (isinstance(failed, dict) and {*FAILED} - {"kind"} <= failed.keys() <= {*FAILED}):
            raise ValueError(f"table {number} must have no failure, or one with {', '.join(FAILED)}")
        known = [name for name in FAILED if failed and name in failed]
        if tuple(table) != KEPT or (failed and list(failed) != known):
            raise ValueError(f"table {number} has its values in another order")
    if _written(said) != line:
        raise ValueError("the same values are written in another way: spaces, escapes or digits")
    return said["deal"], tables
