"""What is kept of a match while it is played? A file with a line a deal, so that a run broken off goes on where it was.

The first line says what is played; a file of another match is refused. Lines are only ever added, whole, in the order
in which deals end; a last line that was broken off is dropped. What is computed from the file depends on the deals
alone, not on their order.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

Outcomes = list[dict[str, Any]]  # the tables of one deal

FILE = "deals.jsonl"
RECORDS = "records"


class StoreError(ValueError):
    """A file of results that is damaged, or of another match."""


class Store:
    """The deals of a match in a folder.

    Args:
        folder: is made if it is not there.
        identity: what is played, as `Plan.identity` says it.

    Raises:
        StoreError: the folder holds another match, or the file is damaged before its last line.
    """

    def __init__(self, folder: Path, identity: dict[str, Any]) -> None:
        self._folder = folder
        self._path = folder / FILE
        self.deals: dict[int, Outcomes] = {}
        folder.mkdir(parents=True, exist_ok=True)
        if self._path.exists():
            self._load(identity)
        if not self._path.exists() or not self._path.stat().st_size:
            self._write(json.dumps(identity) + "\n")

    def add(self, deals: Sequence[int], outcomes: Sequence[Outcomes]) -> None:
        """Keep the outcomes of some deals; they are on disk when this returns."""
        lines = []
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

    def _load(self, identity: dict[str, Any]) -> None:
        text = self._path.read_text(encoding="utf-8", errors="replace")
        whole = text[: text.rfind("\n") + 1]
        if len(whole) < len(text):  # broken off in the middle of a line
            with open(self._path, "r+b") as file:
                file.truncate(len(whole.encode()))
        lines = whole.splitlines()
        if not lines:
            return
        self._check(self._parse(1, lines[0]), identity)
        for number, line in enumerate(lines[1:], 2):
            entry = self._parse(number, line)
            if not isinstance(entry.get("deal"), int) or not isinstance(entry.get("tables"), list):
                raise StoreError(
                    f"{self._path}, line {number}: expected is a deal and its tables; remove the line or the file"
                )
            self.deals[entry["deal"]] = entry["tables"]

    def _parse(self, number: int, line: str) -> dict[str, Any]:
        try:
            entry = json.loads(line)
        except json.JSONDecodeError as error:
            raise StoreError(f"{self._path}, line {number} is damaged ({error}): remove the line or the file") from None
        if not isinstance(entry, dict):
            raise StoreError(f"{self._path}, line {number}: expected is an object, not {line[:40]!r}")
        return entry

    def _check(self, found: dict[str, Any], identity: dict[str, Any]) -> None:
        different = [name for name in identity | found if found.get(name) != identity.get(name)]
        if different:
            details = "; ".join(
                f"{name} is {found.get(name)!r} there, {identity.get(name)!r} here" for name in different
            )
            raise StoreError(f"{self._path} is of another match: {details}. Name another folder, or remove that one")
