"""The file of a run, a zip: its claims, every record, and separately the data that differ between machines.

    manifest.json         the task, the player, the deals, the figures, the root over all records
    matches/NAME.jsonl    a line for each deal: the outcome of each table, and its moves as in docs/notation.md
    machine.json          times, machine, versions of libraries: the only member that may differ between two equal runs

The records are leaves of a Merkle tree. Its root stands for all of them: a player who has published the root can show
single records later, but cannot change any.
"""

from __future__ import annotations

import hashlib
import json
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from banakil_env.arena.outcomes import Outcomes
from banakil_env.core.files import check_size, written_whole

FORMAT = "banakil-suite-run 1"
MANIFEST, MACHINE = "manifest.json", "machine.json"
# The keys of a manifest.
SAID = ("format", "task", "definition", "player", "command", "package", "deals", "short", "matches", "root", "figures")
MOST_BYTES = 1 << 28  # bytes of a file; unpacked, four times as many
_EPOCH = (1980, 1, 1, 0, 0, 0)  # time of every member, so that equal content gives an equal file
KEPT = ("points", "ending", "winner", "failed", "moves")  # for a table; its moves give the rest
FAILED = ("player", "seat", "kind", "reason")  # the stored values of a failure; file and line depend on the machine


class RunFileError(ValueError):
    """A file is not a complete run."""


@dataclass
class RunFile:
    """The content of a run's file.

    Attributes:
        manifest: its claims. lines: for each match, a line of JSON for each deal. machine: the data of the machine.
    """

    manifest: dict[str, Any]
    lines: Mapping[str, Sequence[str]]
    machine: dict[str, Any] = field(default_factory=dict)

    def write(self, path: Path) -> None:
        """Write the file, whole or not at all. OSError: it cannot be written."""
        members = {MANIFEST: _text(self.manifest)}
        members |= {_member(name): "".join(line + "\n" for line in lines) for name, lines in self.lines.items()}
        members[MACHINE] = _text(self.machine)
        with written_whole(path) as part, zipfile.ZipFile(part, "w") as packed:
            for name, text in members.items():
                info = zipfile.ZipInfo(name, _EPOCH)
                info.create_system, info.external_attr = 3, 0o644 << 16
                packed.writestr(info, text.encode(), zipfile.ZIP_DEFLATED, 9)


def read_run(path: Path) -> RunFile:
    """Read an untrusted file. RunFileError: it is damaged, or not a run."""
    try:
        check_size(path, MOST_BYTES)
        with zipfile.ZipFile(path) as packed:
            members = _members(packed)
        manifest, machine = _object(members, MANIFEST), _object(members, MACHINE)
        if manifest.get("format") != FORMAT:
            raise ValueError(f"is of format {manifest.get('format')!r:.80}, and {FORMAT!r} is read")
        names = manifest.get("matches")
        if not isinstance(names, dict) or set(members) != {MANIFEST, MACHINE, *map(_member, names)}:
            raise ValueError("does not hold the matches that its manifest names, or holds something else")
        lines = {name: _lines(name, members[_member(name)]) for name in names}
    except OSError as error:
        raise RunFileError(f"{path} cannot be read: {error.strerror or error}") from None
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, NotImplementedError, RecursionError) as error:
        raise RunFileError(f"{path} is damaged, or no file of a run: {error}") from None
    except ValueError as error:
        raise RunFileError(f"{path} {error}") from None
    return RunFile(manifest, lines, machine)


def line_of(deal: int, tables: Outcomes) -> str:
    """A deal as a line: for each table the values that do not follow from others, with moves as texts."""
    kept = []
    for table in tables:
        said = {name: table[name] for name in KEPT}
        if said["failed"]:
            said["failed"] = {name: said["failed"][name] for name in FAILED}
        kept.append(said)
    return json.dumps({"deal": deal, "tables": kept}, separators=(",", ":"), ensure_ascii=True)


def root_of_match(name: str, lines: Sequence[str]) -> str:
    """The root of the Merkle tree over the deals of a match, 64 hexadecimal digits.

    A leaf is SHA-256 of a zero byte, the name of the match, a zero byte and the line; a node is SHA-256 of a one byte
    and its two children. A last node without a neighbour moves up as it is.
    """
    level = [hashlib.sha256(b"\0" + name.encode() + b"\0" + line.encode()).digest() for line in lines]
    while len(level) > 1:
        pairs = [level[i : i + 2] for i in range(0, len(level), 2)]
        level = [hashlib.sha256(b"\1" + b"".join(pair)).digest() if len(pair) == 2 else pair[0] for pair in pairs]
    return (level[0] if level else hashlib.sha256(b"").digest()).hex()


def root_of_all(roots: Mapping[str, str]) -> str:
    """The root over the roots of the matches, in their order."""
    return hashlib.sha256(b"\1" + b"".join(bytes.fromhex(root) for root in roots.values())).hexdigest()


def _member(match: str) -> str:
    return f"matches/{match}.jsonl"


def _text(value: Any) -> str:
    return json.dumps(value, indent=1, allow_nan=False) + "\n"


def _members(packed: zipfile.ZipFile) -> dict[str, bytes]:
    """The content of all members. ValueError: two of one name, or more bytes than are read."""
    infos = packed.infolist()
    if len({info.filename for info in infos}) < len(infos):
        raise ValueError("holds two members of one name")
    left, found = 4 * MOST_BYTES, {}
    for info in infos:
        with packed.open(info) as member:
            found[info.filename] = member.read(left + 1)
        left -= len(found[info.filename])
        if left < 0:
            raise ValueError(f"unpacks to more than {4 * MOST_BYTES:,} bytes, which is the most that is read")
    return found


def _object(members: Mapping[str, bytes], name: str) -> dict[str, Any]:
    if name not in members:
        raise ValueError(f"has no {name}: it is no run of the suite")
    try:
        found = json.loads(members[name].decode(), object_pairs_hook=_once, parse_constant=_no_number)
    except ValueError as error:
        raise ValueError(f"has a damaged {name}: {error}") from None
    if not isinstance(found, dict):
        raise ValueError(f"has a damaged {name}: it is no object")
    return found


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """A JSON object with unique keys, so that every reader takes the same values."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands there twice")
    return found


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is no number of JSON")


def _lines(name: str, content: bytes) -> list[str]:
    try:
        text = content.decode("ascii")
    except UnicodeDecodeError:
        raise ValueError(f"has a damaged match {name}: it is not ASCII") from None
    if text and not text.endswith("\n"):
        raise ValueError(f"has a damaged match {name}: its last line was broken off")
    return text.split("\n")[:-1]


def parse_line(line: str) -> tuple[int, list[dict[str, Any]]]:
    """The deal and the tables of a line, unchecked. ValueError: not such a line."""
    try:
        said = json.loads(line, object_pairs_hook=_once, parse_constant=_no_number)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not isinstance(said, dict) or said.keys() != {"deal", "tables"} or type(said["deal"]) is not int:
        raise ValueError("expected are a deal and its tables")
    tables = said["tables"]
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        raise ValueError("tables is a list of objects")
    for number, table in enumerate(tables):
        if table.keys() != set(KEPT) or not isinstance(table["moves"], str):
            raise ValueError(f"table {number} says {', '.join(KEPT)}, the moves as a text")
    return said["deal"], tables
