"""The game records that can be studied: those in the server's folder of records, sorted and listed in pages.

The list needs the first and the last lines of each record. They are read again only if the file has changed.
"""

from __future__ import annotations

import itertools
import os
import re
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePosixPath
from typing import Any

from banakil_env.kit.records import names_in, one_line
from banakil_env.web.limits import MAX_RECORDS, MAX_UPLOAD
from banakil_env.web.protocol import TOO_LARGE, UNKNOWN, RecordsWanted, Refused

SUFFIXES = (".txt", ".record")
LISTED_SECONDS = 5.0  # seconds after which the folder is read again
MAX_RESULT = 120  # characters of a result
ENDS = 4096  # bytes that are read for the list, at the start and at the end of a record

_GAME = re.compile(r"^game: *([^\s#]{1,60})", re.MULTILINE)
_END = re.compile(r"^end: *([^\n]*)$", re.MULTILINE)
_DIGITS = re.compile(r"([0-9]+)")


@dataclass(frozen=True)
class Listed:
    """The entry of a record in the list: its name, game, players and result.

    All but the name come from the first and last lines of the record, which are not checked.

    Attributes:
        written: the time of the file's last change, in nanoseconds since 1970.
        size: the bytes of the file.
    """

    name: str
    game: str
    players: tuple[str, ...]
    result: str
    written: int
    size: int

    def key(self, order: str) -> Any:
        """The sort key of the entry for the order `order`."""
        if order == "date":
            return self.written
        words = {"name": self.name, "game": self.game, "players": ", ".join(self.players), "result": self.result}
        return _by_number(words[order].casefold() if order != "name" else self.name)

    def view(self) -> dict[str, Any]:
        """The entry as JSON; the date is that of the file, in UTC."""
        date = datetime.fromtimestamp(self.written / 1e9, UTC).isoformat(timespec="minutes")
        players = list(self.players)
        return {"name": self.name, "game": self.game, "players": players, "date": date, "result": self.result}


class Library:
    """The records in a folder.

    Args:
        folder: such as a folder of the arena's records; None if there are no records.
    """

    def __init__(self, folder: Path | None) -> None:
        self._root = None if folder is None else folder.resolve()
        self._records: dict[str, Listed] = {}
        self._listed = float("-inf")

    def page(self, wanted: RecordsWanted) -> dict[str, Any]:
        """One page of the list of records.

        Each of `records` has its game, players, date and result. `total` is the number of records of the requested
        game. `games` holds the games of all records in the folder.
        """
        if time.monotonic() - self._listed > LISTED_SECONDS:
            found = sorted(itertools.islice(self._found(), MAX_RECORDS), key=_by_number)
            self._records = {name: each for name in found if (each := self._read(name)) is not None}
            self._listed = time.monotonic()
        every = list(self._records.values())
        of_game = [each for each in every if wanted.game in ("", each.game)]
        if (wanted.order, wanted.down) != ("name", False):
            of_game.sort(key=lambda each: each.key(wanted.order), reverse=wanted.down)
        shown = [each.view() for each in of_game[wanted.first : wanted.first + wanted.count]]
        games = sorted({each.game for each in every if each.game})
        return {"total": len(of_game), "first": wanted.first, "records": shown, "games": games}

    def text(self, name: str) -> str:
        """The text of a record. Raises Refused if there is no such record or it is too large."""
        path = self._path(name)
        if path is None:
            raise Refused(f"there is no record {name!r:.80} in the folder of this server", UNKNOWN)
        try:
            with path.open("rb") as file:
                content = file.read(MAX_UPLOAD + 1)
        except OSError as error:
            raise Refused(f"the record {name!r:.80} cannot be read: {error.strerror}", UNKNOWN) from None
        if len(content) > MAX_UPLOAD:
            raise Refused(f"a record has at most {MAX_UPLOAD} bytes", TOO_LARGE)
        return content.decode("utf-8", "replace")

    def _found(self) -> Iterator[str]:
        """Yield the names of the records, relative to the folder. Names that cannot be shown are left out."""
        if self._root is None:
            return
        for folder, _, files in os.walk(self._root):
            inside = Path(folder).relative_to(self._root)
            for file in files:
                name = (inside / file).as_posix()
                if name.isprintable() and self._path(name) is not None:
                    yield name

    def _path(self, name: str) -> Path | None:
        """The path of a record; None if there is no such record or it is outside the folder."""
        parts = PurePosixPath(name).parts
        if self._root is None or not name.isprintable() or not name.endswith(SUFFIXES):
            return None
        if not {"..", "/"}.isdisjoint(parts):
            return None
        path = self._root / name
        try:
            if path.is_symlink() or any(self._root.joinpath(*parts[:end]).is_symlink() for end in range(1, len(parts))):
                path = path.resolve()
            return path if path.is_relative_to(self._root) and path.is_file() else None
        except (OSError, RuntimeError, ValueError):  # a circle of links, an impossible name
            return None

    def _read(self, name: str) -> Listed | None:
        """The entry of a record; None if it no longer exists. An unreadable file is listed by its name."""
        path = self._path(name)
        if path is None:
            return None
        try:
            with path.open("rb") as file:
                about, known = os.fstat(file.fileno()), self._records.get(name)
                if known is not None and (known.written, known.size) == (about.st_mtime_ns, about.st_size):
                    return known
                head = file.read(ENDS).decode("utf-8", "replace")
                file.seek(max(0, about.st_size - ENDS))
                tail = file.read(ENDS).decode("utf-8", "replace")
        except OSError:
            return Listed(name, "", (), "", 0, -1)
        game, ends = _GAME.search(head), _END.findall(tail)
        result = one_line(ends[-1].partition("; check")[0])[:MAX_RESULT] if ends else ""
        return Listed(name, game[1] if game else "", names_in(head), result, about.st_mtime_ns, about.st_size)


def _by_number(name: str) -> list[list[tuple[int, int, str]]]:
    """A key that sorts `deal-2` before `deal-10`, folder by folder."""
    return [
        [(0, int(part), part) if number % 2 else (1, 0, part) for number, part in enumerate(_DIGITS.split(folder))]
        for folder in name.split("/")
    ]
