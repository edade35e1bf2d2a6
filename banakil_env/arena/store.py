"""Stores a match while it is played: a file with one line per deal, from which an interrupted match continues.

The first line describes the match and the identity of each player; a file of another match raises an error. Lines are
only appended, whole, in the order in which deals end. An incomplete last line is dropped; any other line that this
match cannot have written raises an error. Results are computed from the deals alone, not from their order in the file.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import IO, Any

from banakil_env.arena.identities import difference, heading
from banakil_env.arena.outcomes import Outcomes, outcomes_fault
from banakil_env.arena.plan import Plan
from banakil_env.core.files import lines_within, parse_json
from banakil_env.core.identity import Identity

FILE = "deals.jsonl"
RECORDS = "records"
# Limits for reading a file.
MOST_LINES = 1 << 24
LONGEST_LINE = 1 << 26  # bytes for one deal; a match of many tables, with its moves, needs a hundredth of this


class StoreError(ValueError):
    """A file of results that is damaged, belongs to another match, or cannot be read or written."""


class Store:
    """The deals of a match in a folder.

    Args:
        folder: created if it does not exist.
        plan: the match.
        identities: the identities of its players, in their order.

    Raises:
        StoreError: the folder holds another match, results of a player that has changed since, or a file damaged before
            its last line; or the folder cannot be written.
    """

    def __init__(self, folder: Path, plan: Plan, identities: Sequence[Identity]) -> None:
        self._folder = folder
        self._path = folder / FILE
        self._heading = heading(plan, identities)
        self._seats = [table.seats for table in plan.tables([0])]
        self.deals: dict[int, Outcomes] = {}
        with self._told():
            folder.mkdir(parents=True, exist_ok=True)
            if self._path.exists():
                self._load()
            self._write("" if self._path.exists() and self._path.stat().st_size else json.dumps(self._heading) + "\n")

    def add(self, deals: Sequence[int], outcomes: Sequence[Outcomes]) -> None:
        """Write the outcomes of some deals; they are on disk when this returns. Raises StoreError if this fails."""
        lines = []
        with self._told():
            for deal, tables in zip(deals, outcomes):
                for number, table in enumerate(tables):
                    self._keep_record(deal, number, table)
                self.deals[deal] = tables
                lines.append(json.dumps({"deal": deal, "tables": tables}, separators=(",", ":")) + "\n")
            self._write("".join(lines))

    def _keep_record(self, deal: int, number: int, table: dict[str, Any]) -> None:
        text = table.pop("record", None)
        if text is not None:
            (self._folder / RECORDS).mkdir(exist_ok=True)
            (self._folder / RECORDS / f"deal-{deal}-table-{number}.txt").write_text(text, encoding="utf-8")

    def _write(self, text: str) -> None:
        with open(self._path, "a", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())

    @contextlib.contextmanager
    def _told(self) -> Iterator[None]:
        """Turn errors of the operating system into a StoreError of one line."""
        try:
            yield
        except OSError as error:
            reason = error.strerror or str(error)
            raise StoreError(f"{error.filename or self._path} cannot be used for results: {reason}") from None
        except MemoryError:
            raise StoreError(
                f"{self._path} does not fit into memory: name another folder, or remove that file"
            ) from None

    def _load(self) -> None:
        end, places = 0, dict[int, int]()
        with open(self._path, "rb") as file:
            for number, line in enumerate(self._lines(file), 1):
                if not line.endswith(b"\n"):  # an incomplete last line
                    if number == 1 and not json.dumps(self._heading).encode().startswith(line):
                        raise StoreError(
                            f"{self._path} does not hold results: name another folder, or remove that file"
                        )
                    break
                end += len(line)
                if number == 1:
                    self._check(self._parse(number, line))
                else:
                    self._take(number, line, places)
        if end < self._path.stat().st_size:
            with open(self._path, "r+b") as file:
                file.truncate(end)

    def _lines(self, file: IO[bytes]) -> Iterator[bytes]:
        try:
            yield from lines_within(file, MOST_LINES, LONGEST_LINE)
        except ValueError as error:
            raise StoreError(f"{self._path} {error}: name another folder, or remove that file") from None

    def _take(self, number: int, line: bytes, places: dict[int, int]) -> None:
        """Store the deal on line `number` of the file. Raises StoreError if an earlier line has another outcome of it.

        `places` maps each deal to the number of its first line; the deal is added.
        """
        deal, tables = self._entry(number, line)
        if _what_happened(self.deals.setdefault(deal, tables)) != _what_happened(tables):
            raise StoreError(
                f"{self._path}, lines {places[deal]} and {number} hold different outcomes of deal {deal}: "
                f"remove the wrong one, or both"
            )
        places.setdefault(deal, number)

    def _entry(self, number: int, line: bytes) -> tuple[int, Outcomes]:
        """The number of the deal on a line, and the outcomes of its tables.

        Raises StoreError if the line is damaged or is not a deal of this match.
        """
        entry = self._parse(number, line)
        deal: Any = entry.get("deal")
        tables: Any = entry.get("tables")
        if type(deal) is not int or deal < 0:
            fault: str | None = f"deal is a number from 0 on, not {deal!r:.40}"
        else:
            fault = outcomes_fault(tables, self._seats)
        if fault:
            raise StoreError(
                f"{self._path}, line {number} is not a deal of this match: {fault}; remove the line or the file"
            )
        return deal, tables

    def _parse(self, number: int, line: bytes) -> dict[str, Any]:
        try:
            entry = parse_json(line)
        except ValueError as error:
            raise StoreError(f"{self._path}, line {number} is damaged ({error}): remove the line or the file") from None
        if not isinstance(entry, dict):
            raise StoreError(f"{self._path}, line {number}: expected an object, not {line[:40]!r}")
        return entry

    def _check(self, found: dict[str, Any]) -> None:
        """Raise StoreError if the first line belongs to another match."""
        details = difference(found, self._heading)
        if details:
            raise StoreError(
                f"{self._path} is of another match: {details:.1000}. Name another folder for this match (--out, in "
                f"Python folder=), or remove the old folder"
            )


def _what_happened(tables: Outcomes) -> Outcomes:
    """The outcomes without times: the values that two runs of the same deal have in common."""
    return [{name: value for name, value in table.items() if name not in ("seconds", "figures")} for table in tables]
