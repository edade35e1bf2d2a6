"""Which tables are there, and how do they outlive the server? Each has a journal: a header, then a line for every move.

A journal is written before anybody is told of the move, and read again when somebody asks for the table after the
server has been started anew. Journals hold the seats' keys: the folder is for its owner's eyes alone.
"""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio.to_thread

from banakil_env.arena.ask import PlayerFailed
from banakil_env.core.game import Game, IllegalAction, PositionError
from banakil_env.games import GAMES, find
from banakil_env.play.session import Seat, Session
from banakil_env.web.limits import MAX_TABLES
from banakil_env.web.protocol import FULL, UNKNOWN, Refused, SeatWanted, TableWanted
from banakil_env.web.sitters import Sitters
from banakil_env.web.table import WATCH, Table

FORMAT = "banakil-table-1"
KEY_BYTES = 18  # of chance in a key: 24 characters


class Tables:
    """The tables of a server.

    Args:
        folder: where journals are kept. sitters: who may sit there. most: how many there may be.
    """

    def __init__(self, folder: Path, sitters: Sitters, most: int = MAX_TABLES) -> None:
        self._folder, self._sitters, self._most = folder / "tables", sitters, most
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._open: dict[str, Table] = {}
        self._headers: dict[str, dict[str, Any]] = {}  # of all tables, by their ids
        self._seat_of: dict[str, tuple[str, int]] = {}  # by key
        for path in sorted(self._folder.glob("*.jsonl"), key=lambda path: path.stat().st_mtime):
            header = _header_of(path)
            if header is not None:
                self._know(path.stem, header)

    def __len__(self) -> int:
        return len(self._headers)

    async def create(self, wanted: TableWanted) -> Table:
        """A new table. Refused: it cannot be set up, or there are too many."""
        game = _game(wanted.game)
        seed = secrets.randbits(48) if wanted.seed is None else wanted.seed
        header = self._new_header(game, wanted.seats, wanted.options, wanted.practice, wanted.pause) | {"seed": seed}
        return await self._begin(game, header)

    async def branch(self, game: Game, position: Any, seats: tuple[SeatWanted, ...], pause: int) -> Table:
        """A practice table that goes on from a position. Refused: see `create`."""
        header = self._new_header(game, seats, {}, True, pause) | {"position": game.texts.to_text(position)}
        return await self._begin(game, header)

    async def find(self, key: str) -> tuple[Table, int]:
        """The table and the seat of a key. Refused: there is none such."""
        found = self._seat_of.get(key)
        if found is None:
            raise Refused("there is no such seat: the link is wrong, or the table is gone", UNKNOWN)
        table_id, seat = found
        if table_id not in self._open:
            table = await anyio.to_thread.run_sync(self._read, table_id)
            if table_id not in self._open:  # another page may have asked meanwhile
                self._open[table_id] = table
                table.run_players()
        return self._open[table_id], seat

    # Inside -----------------------------------------------------------------------------------------------------------

    def _new_header(
        self, game: Game, seats: tuple[SeatWanted, ...], options: Any, practice: bool, pause: int
    ) -> dict[str, Any]:
        if len(seats) not in game.seats:
            raise Refused(f"{game.title} is for {', '.join(map(str, game.seats))} players, not for {len(seats)}")
        people = [number for number, seat in enumerate(seats) if seat.player is None]
        for seat in seats:
            if seat.player is not None:
                self._sitters.find(seat.player, game)
        return {
            "format": FORMAT,
            "game": game.name,
            "options": dict(options),
            "players": [seat.player for seat in seats],
            "names": [seat.name for seat in seats],
            "practice": practice,
            "pause": pause,
            "keys": {str(number): secrets.token_urlsafe(KEY_BYTES) for number in people or [WATCH]},
        }

    async def _begin(self, game: Game, header: dict[str, Any]) -> Table:
        self._make_room()
        table_id = secrets.token_hex(8)
        self._know(table_id, header)  # now, so that no more than allowed are made at the same time
        try:
            session = await anyio.to_thread.run_sync(self._session, game, header)
        except (ValueError, TypeError, PlayerFailed) as error:
            self._forget(table_id)
            raise Refused(str(error)) from None
        _write_header(self._path(table_id), header)
        self._open[table_id] = self._table(table_id, header, session)
        self._open[table_id].run_players()
        return self._open[table_id]

    def _session(self, game: Game, header: dict[str, Any]) -> Session:
        """The game at its start, with everything compiled that its first moves need."""
        players = [None if name is None else self._sitters.find(name, game) for name in header["players"]]
        names = [
            name or (f"person {seat}" if players[seat] is None else None) for seat, name in enumerate(header["names"])
        ]
        if "position" in header:
            start = game.texts.from_text(header["position"])
            seats = [Seat(player, name or (player.name if player else "")) for player, name in zip(players, names)]
            session = Session(game, start, seats)
            if len(game.outcome(start[0]).points) != len(seats):
                raise ValueError(
                    f"the position is for {len(game.outcome(start[0]).points)} players, not for {len(seats)}"
                )
        else:
            session = Session.deal(game, players, seed=header["seed"], options=header["options"], names=names)
        session.prepare()
        return session

    def _table(self, table_id: str, header: dict[str, Any], session: Session) -> Table:
        game, count = session.game, len(session.seats)
        adviser = self._sitters.find(self._sitters.default(game, count, header["options"]), game)
        return Table(
            id=table_id,
            keys={int(seat): key for seat, key in header["keys"].items()},
            session=session,
            adviser=adviser,
            practice=header["practice"],
            pause=header["pause"] / 1000,
            note=_journal(self._path(table_id)),
        )

    def _read(self, table_id: str) -> Table:
        """A table from its journal. Refused: the journal cannot be read."""
        header, path = self._headers[table_id], self._path(table_id)
        try:
            game = _game(header["game"])
            table = self._table(table_id, header, self._session(game, header))
            lines = path.read_text(encoding="utf-8").splitlines(keepends=True)[1:]
            for line in lines:
                if not line.endswith("\n"):  # the server was killed while it wrote this
                    break
                done = json.loads(line)
                if "play" in done:
                    table.session.play(done["play"])
                elif "back" in done:
                    table.session.back_to(done["back"])
                elif "stop" in done:
                    table.stopped = True
        except (OSError, ValueError, KeyError, IllegalAction, PositionError, PlayerFailed) as error:
            raise Refused(f"the table cannot be read again: {error}", UNKNOWN) from None
        if lines and not lines[-1].endswith("\n"):
            _cut_last_line(path)
        table.version = len(lines)  # pages that are still open have seen at most this
        return table

    def _make_room(self) -> None:
        """Forget the oldest table that is over, if there are as many as may be. Refused: none is over."""
        if len(self._headers) < self._most:
            return
        over = [table for table in self._open.values() if table.is_over and not any(table.followers.values())]
        if not over:
            raise Refused(f"there are {self._most} tables already, which is the most: try again later", FULL)
        self._forget(min(over, key=lambda table: table.last_used).id)

    def _know(self, table_id: str, header: dict[str, Any]) -> None:
        self._headers[table_id] = header
        for seat, key in header["keys"].items():
            self._seat_of[key] = table_id, int(seat)

    def _forget(self, table_id: str) -> None:
        for key in self._headers.pop(table_id)["keys"].values():
            self._seat_of.pop(key, None)
        self._open.pop(table_id, None)
        self._path(table_id).unlink(missing_ok=True)

    def _path(self, table_id: str) -> Path:
        return self._folder / f"{table_id}.jsonl"


def _game(name: str) -> Game:
    if name not in GAMES:
        raise Refused(f"there is no game {name!r:.60}; there are {', '.join(GAMES)}", UNKNOWN)
    return find(name)


def _header_of(path: Path) -> dict[str, Any] | None:
    """The first line of a journal; None: it is none of this version."""
    try:
        with path.open(encoding="utf-8") as file:
            header = json.loads(file.readline())
        assert header["format"] == FORMAT
        assert all(isinstance(key, str) and int(seat) >= WATCH for seat, key in header["keys"].items())
    except (OSError, ValueError, KeyError, TypeError, AttributeError, AssertionError):
        return None
    return dict(header)


def _write_header(path: Path, header: dict[str, Any]) -> None:
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        file.write(json.dumps(header) + "\n")


def _journal(path: Path) -> Callable[[dict[str, Any]], None]:
    """What writes a line behind the others. What is written is with the system, and outlives the server."""

    def note(done: dict[str, Any]) -> None:
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(done) + "\n")

    return note


def _cut_last_line(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: content.rfind(b"\n") + 1])
