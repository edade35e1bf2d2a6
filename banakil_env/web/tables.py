"""The tables of a server, which survive its restart: each has a journal with a header and a line for every move.

A move is written to the journal before it is made. The journal is read again when a table that is not in memory is
requested: after a restart of the server, or because other tables needed the memory. Journals hold the keys of seats, so
only the owner of the folder can read them.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

import anyio.to_thread

from banakil_env.arena.ask import PlayerFailed
from banakil_env.core.game import Game, IllegalAction, PositionError
from banakil_env.games import GAMES, find
from banakil_env.play.session import Seat, Session
from banakil_env.web.journal import PART, Journal, told
from banakil_env.web.limits import JUST_NOW, MAX_TABLES, TABLES_MEMORY
from banakil_env.web.pace import Pace
from banakil_env.web.protocol import CONFLICT, FULL, UNKNOWN, Refused, SeatWanted, TableWanted
from banakil_env.web.sitters import Locked, Sitters
from banakil_env.web.table import WATCH, Table
from banakil_env.web.turns import Turns

FORMAT = "banakil-table-1"
KEY_BYTES = 18  # random bytes in a key: 24 characters
LAST_LINE = 1000  # bytes; the last line of a journal is at most this long


@dataclass
class _Kept:
    """The entry of a table, in memory or not: its header, and the time when it was last read or written."""

    header: dict[str, Any]
    over: bool
    used: float


class Tables:
    """The tables of a server.

    Args:
        folder: the folder of the journals.
        sitters: the players.
        turns: the threads and queues for slow work.
        most: the largest number of tables.
    """

    def __init__(self, folder: Path, sitters: Sitters, turns: Turns, most: int = MAX_TABLES) -> None:
        self._folder, self._sitters, self._turns, self._most = folder / "tables", sitters, turns, most
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._open: dict[str, Table] = {}
        self._reading: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._kept: dict[str, _Kept] = {}  # all tables, by their ids
        self._seat_of: dict[str, tuple[str, int]] = {}  # table and seat, by key
        for path in self._folder.glob(f".*{PART}"):  # left behind if the server was killed while it wrote a header
            path.unlink(missing_ok=True)
        for path in self._folder.glob("*.jsonl"):
            header = _header_of(path)
            if header is not None:
                self._know(path.stem, _Kept(header, _is_over(path), path.stat().st_mtime))

    def __len__(self) -> int:
        return len(self._kept)

    async def create(self, wanted: TableWanted) -> Table:
        """Create a table. Raises Refused if it cannot be created or there are too many tables."""
        game = find_game(wanted.game)
        seed = secrets.randbits(64) if wanted.seed is None else wanted.seed
        seats, options = wanted.seats, wanted.options
        return await self._begin(game, _new_header(game, seats, options, wanted.practice, wanted.pause, seed=seed))

    async def branch(self, game: Game, position: Any, seats: tuple[SeatWanted, ...], pause: int) -> Table:
        """Create a practice table that continues from a position. Raises Refused as `create`.

        `pause` is the time in milliseconds between two moves of players.
        """
        text = game.texts.to_text(position)
        return await self._begin(game, _new_header(game, seats, {}, True, pause, position=text))

    async def rematch(self, table: Table) -> None:
        """Create the table of the next game of the same players, each one seat further, unless it exists.

        Raises Refused as `create`, and if the game is not over or began from a position.
        """
        if not table.is_over:
            raise Refused("the game goes on: a rematch begins when it is over", CONFLICT)
        header = self._kept[table.id].header
        if "position" in header:
            raise Refused("a table that began from a position has no rematch: create a new one", CONFLICT)
        async with table.lock:
            if table.rematch:
                return
            count = len(header["players"])
            came_from = [(seat - 1) % count for seat in range(count)]  # the earlier seat of each player
            seats = tuple(SeatWanted(header["players"][old], header["names"][old]) for old in came_from)
            game = find_game(header["game"])
            again = _new_header(
                game, seats, header["options"], header["practice"], header["pause"], seed=secrets.randbits(64)
            )
            new = await self._begin(game, again)
            table.note_rematch({seat if seat == WATCH else came_from[seat]: key for seat, key in new.keys.items()})

    async def find(self, key: str) -> tuple[Table, int]:
        """The table and the seat of a key. Raises Refused if there is no such seat or its table cannot be read."""
        table_id, seat = self._seat(key)
        async with self._reading.setdefault(table_id, asyncio.Lock()):  # each journal is read once at a time
            if table_id not in self._open:
                table = await self._turns.thread("reads", self._read, table_id)
                self._seat(key)  # raises Refused if the table was removed meanwhile
                self._open[table_id] = table
                self._put_away(table)
                table.run_players()
        table = self._open[table_id]
        table.ask(seat)
        return table, seat

    # Inside ----------------------------------------------------------------------------------------------------------

    async def _begin(self, game: Game, header: dict[str, Any]) -> Table:
        """Create a table. Its file is written first, and another table is removed last, so a failure loses nothing."""
        self._victim()
        try:
            session, adviser = await anyio.to_thread.run_sync(self._session, game, header)
        except (ValueError, TypeError, PlayerFailed) as error:
            raise Refused(str(error)) from None
        victim = self._victim()  # until the end of this function, no other table can be added
        table_id = secrets.token_hex(8)
        table = self._table(table_id, header, session, adviser, Journal.create(self._path(table_id), header))
        if victim is not None:
            try:
                self._forget(victim)
            except Refused:
                self._path(table_id).unlink(missing_ok=True)
                raise
        self._know(table_id, _Kept(header, table.is_over, table.used))
        self._open[table_id] = table
        self._put_away(table)
        table.run_players()
        return table

    def _session(self, game: Game, header: dict[str, Any]) -> tuple[Session, Locked]:
        """The game that a journal's header describes, at its start, and the player that gives hints.

        All code that the first moves need is compiled.

        Raises ValueError if a position is for another number of players.
        """
        count = len(header["players"])
        players = [None if name is None else self._sitters.find(name, game, count) for name in header["players"]]
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
        adviser = self._sitters.adviser(game, count, header["options"])
        return session, self._sitters.find(adviser, game, count, advises=True)

    def _table(
        self, table_id: str, header: dict[str, Any], session: Session, adviser: Locked, journal: Journal
    ) -> Table:
        return Table(
            id=table_id,
            keys={int(seat): key for seat, key in header["keys"].items()},
            session=session,
            adviser=adviser,
            practice=header["practice"],
            pace=Pace(header["pause"] / 1000),
            journal=journal,
            turns=self._turns,
            grown=self._put_away,
        )

    def _read(self, table_id: str) -> Table:
        """Read a table from its journal. Raises Refused if the journal cannot be read."""
        header = self._kept[table_id].header
        try:
            journal, lines = Journal.read(self._path(table_id))
        except OSError as error:
            raise Refused(f"the table's file cannot be read now ({error.strerror}): try again later", FULL) from None
        except ValueError as error:
            raise Refused(f"the table cannot be read again: {error}", CONFLICT) from None
        try:
            game = find_game(header["game"])
            table = self._table(table_id, header, *self._session(game, header), journal)
            _repeat(table, lines[1:])
        except (ValueError, KeyError, TypeError, PlayerFailed) as error:
            raise Refused(f"the table cannot be read again: {error}", CONFLICT) from None
        table.version = len(lines)  # open pages have seen at most this version
        return table

    # Limits ----------------------------------------------------------------------------------------------------------

    def _victim(self) -> str | None:
        """The table to remove for a new one; None if there is room. Raises Refused if all tables are in use."""
        if len(self._kept) < self._most:
            return None
        free = [table_id for table_id in self._kept if table_id not in self._open or not self._open[table_id].is_in_use]
        if not free:
            raise Refused(
                f"there are {self._most} tables, which is the most, and all of them are in use: a page follows each, "
                f"or a person's page has requested it in the last {JUST_NOW:g} seconds. Close a page of a table that "
                f"is not needed, or try again later",
                FULL,
            )
        return min(free, key=self._place_in_line)

    def _place_in_line(self, table_id: str) -> tuple[bool, float]:
        """A sort key for the removal of tables: finished ones first, then those that were not used for longest."""
        table = self._open.get(table_id)
        if table is None:
            return not self._kept[table_id].over, self._kept[table_id].used
        return not table.is_over, table.used

    def _put_away(self, newest: Table | None = None) -> None:
        """If the states take too much memory, drop those of the tables that were not used for longest.

        The newest table stays, since it was requested just now.
        """
        taken = sum(table.memory for table in self._open.values())
        if taken <= TABLES_MEMORY:
            return
        for table in sorted(self._open.values(), key=lambda table: table.used):
            if taken > TABLES_MEMORY and table is not newest and not table.is_in_use and table.rest():
                taken -= table.memory
                self._close(table)
        if taken > TABLES_MEMORY:
            alone = [table for table in self._open.values() if WATCH in table.keys and not table.is_over]
            for table in sorted(alone, key=lambda table: -table.memory)[:1]:
                table.close("the table is closed: the tables of this server take too much memory")

    def _close(self, table: Table) -> None:
        """Drop a table's game from memory; its journal still holds it."""
        self._kept[table.id].over, self._kept[table.id].used = table.is_over, table.used
        with contextlib.suppress(OSError):
            os.utime(self._path(table.id), (table.used, table.used))
        del self._open[table.id]

    def _know(self, table_id: str, kept: _Kept) -> None:
        self._kept[table_id] = kept
        for seat, key in kept.header["keys"].items():
            self._seat_of[key] = table_id, int(seat)

    def _forget(self, table_id: str) -> None:
        """Remove a table. If its file cannot be removed, raises Refused and keeps the table."""
        with told("the oldest table cannot be removed to make room"):
            self._path(table_id).unlink(missing_ok=True)
        for key in self._kept.pop(table_id).header["keys"].values():
            self._seat_of.pop(key, None)
        if (table := self._open.pop(table_id, None)) is not None:
            table.rest()

    def _seat(self, key: str) -> tuple[str, int]:
        """The table's id and the seat of a key. Raises Refused if there is no such seat."""
        if key not in self._seat_of:
            raise Refused("there is no such seat: the link is wrong, or the table is gone", UNKNOWN)
        return self._seat_of[key]

    def _path(self, table_id: str) -> Path:
        return self._folder / f"{table_id}.jsonl"


def find_game(name: str) -> Game:
    """The game that a request names. Raises Refused if there is no such game."""
    if name not in GAMES:
        raise Refused(f"there is no game {name!r:.60}; there are {', '.join(GAMES)}", UNKNOWN)
    return find(name)


def _new_header(
    game: Game, seats: tuple[SeatWanted, ...], options: Any, practice: bool, pause: int, **start: Any
) -> dict[str, Any]:
    """The first line of a journal; `start` is `seed` or `position`. Raises Refused for an invalid number of players."""
    if len(seats) not in game.seats:
        raise Refused(f"{game.title} is for {', '.join(map(str, game.seats))} players, not for {len(seats)}")
    people = [number for number, seat in enumerate(seats) if seat.player is None]
    return {
        "format": FORMAT,
        "game": game.name,
        "options": dict(options),
        "players": [seat.player for seat in seats],
        "names": [seat.name for seat in seats],
        "practice": practice,
        "pause": pause,
        "keys": {str(number): secrets.token_urlsafe(KEY_BYTES) for number in people or [WATCH]},
        **start,
    }


def _header_of(path: Path) -> dict[str, Any] | None:
    """The first line of a journal; None if the file is not a journal of this version."""
    try:
        with path.open(encoding="utf-8") as file:
            header = json.loads(file.readline())
        assert header["format"] == FORMAT
        assert all(isinstance(key, str) and int(seat) >= WATCH for seat, key in header["keys"].items())
    except (OSError, ValueError, KeyError, TypeError, AttributeError, AssertionError):
        return None
    return dict(header)


def _is_over(path: Path) -> bool:
    """Whether the last line of a journal ends the game."""
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - LAST_LINE))
        last = file.read().rstrip(b"\n").rpartition(b"\n")[2]
    return b'"over"' in last or b'"stop"' in last


def _repeat(table: Table, lines: list[dict[str, Any]]) -> None:
    """Carry out the lines of a journal. Raises ValueError if a line cannot be carried out."""
    for number, done in enumerate(lines, 2):
        try:
            if "play" in done:
                table.session.play(done["play"])
            elif type(done.get("back")) is int and done["back"] >= 0:
                table.session.back_to(done["back"])
            elif type(done.get("pause")) is int and "halted" in done:
                table.pace.change(done["pause"], bool(done["halted"]))
            elif "rematch" in done:
                table.rematch = {int(seat): key for seat, key in done["rematch"].items()}
            elif "stop" in done:
                table.stopped, table.why_stopped = True, done["stop"] if isinstance(done["stop"], str) else ""
            else:
                raise ValueError("neither a move, nor moves taken back, nor a pace, nor the end")
        except (ValueError, IllegalAction, PositionError) as error:
            raise ValueError(f"line {number} of its file: {error}") from None
