"""The web application: its addresses, on top of `tables`, `studies` and `protocol`.

| request | answer |
|---|---|
| `GET /`, `/page/FILE`, `/deck.svg` | the page, its modules and style, and all cards |
| `GET /api/games` | the games, with their tables and players |
| `GET /api/rules?game=G&rules=R&seats=N&partners=yes&episode=E` | the rules of such a table in plain words |
| `GET /api/records?first=N&count=M&game=G&order=O&down=yes` | a page of the records in the server's folder |
| `POST /api/tables` | a new table: its keys by seat |
| `GET /api/table?since=N` | the view of the key's seat |
| `GET /api/table/news?version=V&since=N` | the same after every change, a line of JSON each time |
| `POST /api/table/move`, `/undo`, `/stop` | the new version of the table |
| `POST /api/table/why`, `/hint` | why a move is illegal; the adviser's move and evaluation |
| `POST /api/table/pace`, `/step` | at a table of players alone: another pause between moves; one move while it halts |
| `POST /api/table/rematch` | the next game of the same players; the view of the table holds its key |
| `GET /api/table/rules` | the rules of the key's table |
| `GET /api/table/record`, `/page` | when it is over: the game record; the game as one file that needs no server |
| `POST /api/studies` | a new study: its id, its game and the number of its moves |
| `GET /api/studies/ID/AT?seat=S` | the position after AT moves as the seat sees it |
| `GET /api/studies/ID/log`, `/text`, `/page` | all moves; a position as text; the game as one file |
| `POST /api/studies/ID/AT/ask`, `/branch` | a player's move and evaluation; a new table from the position |
| `POST /api/studies/ID/course` | the steps of a game's course made so far; more are made while pages ask |
| `GET /api/studies/ID/AT/beliefs?seat=S` | what a seat can believe of the other hands |

A seat's key comes as `Authorization: Bearer KEY`. Errors are `{"error": text}`.
"""

from __future__ import annotations

import asyncio
import functools
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

import anyio.to_thread
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from banakil_env.games import GAMES, find
from banakil_env.play.session import Session
from banakil_env.render.deck import deck
from banakil_env.text.rules import rules_text, rules_text_of
from banakil_env.web import protocol, views
from banakil_env.web.connections import most_streams
from banakil_env.web.courses import Courses
from banakil_env.web.library import Library
from banakil_env.web.limits import (
    HEARTBEAT,
    MAX_BODY,
    MAX_TABLES,
    MAX_UPLOAD,
    PAUSE_OF_STREAM,
    REQUEST_SECONDS,
)
from banakil_env.web.protocol import FULL, LATE, TOO_LARGE, UNKNOWN, Refused
from banakil_env.web.security import Guard, only_server
from banakil_env.web.shared import shared_page
from banakil_env.web.sitters import Sitters
from banakil_env.web.studies import Studies
from banakil_env.web.table import Table
from banakil_env.web.tables import Tables, find_game
from banakil_env.web.turns import Turns

TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
Answer = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True)
class Settings:
    """The settings of a server.

    Attributes:
        folder: the folder for tables and studies.
        records: a folder of game records to study; None for no records.
        players: names that pages can use in addition to the safe players.
        hosts: host names that are served.
        most_tables: the largest number of tables.
    """

    folder: Path
    records: Path | None = None
    players: Sequence[str] = ()
    hosts: Sequence[str] = ()
    most_tables: int = MAX_TABLES


def make_app(settings: Settings) -> Guard:
    """The application, for an ASGI server.

    Raises:
        OSError: the folder cannot be used.
        ValueError: a listed player plays no game.
    """
    server = _Server(settings)
    routes = [
        ("GET", "/", server.index),
        ("GET", "/page/{name}", server.page),
        ("GET", "/deck.svg", server.deck),
        ("GET", "/api/games", server.games),
        ("GET", "/api/rules", server.rules),
        ("GET", "/api/records", server.records),
        ("POST", "/api/tables", server.new_table),
        ("GET", "/api/table", server.see),
        ("GET", "/api/table/news", server.news),
        ("POST", "/api/table/move", server.move),
        ("POST", "/api/table/undo", server.undo),
        ("POST", "/api/table/why", server.why),
        ("POST", "/api/table/hint", server.hint),
        ("POST", "/api/table/stop", server.stop),
        ("POST", "/api/table/pace", server.pace),
        ("POST", "/api/table/step", server.step),
        ("POST", "/api/table/rematch", server.rematch),
        ("GET", "/api/table/rules", server.table_rules),
        ("GET", "/api/table/record", server.record),
        ("GET", "/api/table/page", server.table_page),
        ("POST", "/api/studies", server.new_study),
        ("GET", "/api/studies/{study}/log", server.study_log),
        ("GET", "/api/studies/{study}/text", server.study_text),
        ("GET", "/api/studies/{study}/page", server.study_page),
        ("GET", "/api/studies/{study}/{at}", server.study),
        ("POST", "/api/studies/{study}/course", server.course),
        ("GET", "/api/studies/{study}/{at}/beliefs", server.beliefs),
        ("POST", "/api/studies/{study}/{at}/ask", server.ask),
        ("POST", "/api/studies/{study}/{at}/branch", server.branch),
    ]
    app = Starlette(
        routes=[Route(path, _checked(answer), methods=[method]) for method, path, answer in routes],
        exception_handlers={404: _nothing_here, 405: _nothing_here, 500: _broken},
    )
    return Guard(app, settings.hosts)


class _Server:
    """The handlers of requests."""

    def __init__(self, settings: Settings) -> None:
        settings.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._lock = only_server(settings.folder)  # held as long as the server runs
        self.turns = Turns()
        self.sitters = Sitters(tuple(settings.players))
        self.tables = Tables(settings.folder, self.sitters, self.turns, settings.most_tables)
        self.studies = Studies(settings.folder, self.turns)
        self.courses = Courses(self.sitters, self.turns)
        self.library = Library(settings.records)
        self.streams = 0  # number of pages that follow a seat

    # Public information ----------------------------------------------------------------------------------------------

    async def index(self, request: Request) -> Response:
        return _file("index.html")

    async def page(self, request: Request) -> Response:
        return _file(request.path_params["name"])

    async def deck(self, request: Request) -> Response:
        four = request.query_params.get("colors") == "four"
        return Response(_deck(four), media_type=TYPES[".svg"], headers={"Cache-Control": "max-age=3600"})

    async def games(self, request: Request) -> Response:
        return JSONResponse(await anyio.to_thread.run_sync(lambda: [self._game(name) for name in GAMES]))

    async def rules(self, request: Request) -> Response:
        wanted = protocol.rules_wanted(request.query_params)
        try:
            text = await anyio.to_thread.run_sync(lambda: rules_text(find_game(wanted.game), **wanted.options))
        except (ValueError, TypeError) as error:
            raise Refused(str(error)) from None
        return JSONResponse({"text": text})

    async def records(self, request: Request) -> Response:
        wanted = protocol.records_wanted(request.query_params)
        return JSONResponse(await self.turns.thread("records", self.library.page, wanted))

    def _game(self, name: str) -> dict[str, Any]:
        game = find(name)
        return views.lobby_view(
            game,
            {count: self.sitters.offers(game, count) for count in game.seats},
            {count: self.sitters.default(game, count, {}) for count in game.seats},
            self.sitters.anywhere(game),
        )

    # Tables ----------------------------------------------------------------------------------------------------------

    async def new_table(self, request: Request) -> Response:
        table = await self.tables.create(protocol.table_wanted(await _body(request)))
        return JSONResponse({"table": table.id, "keys": {str(seat): key for seat, key in table.keys.items()}}, 201)

    async def see(self, request: Request) -> Response:
        table, seat = await self._place(request)
        return JSONResponse(table.view(seat, _number(request, "since", 0)))

    async def news(self, request: Request) -> Response:
        table, seat = await self._place(request)
        return _News(self, table, seat, _number(request, "version", -1, -1), _number(request, "since", 0))

    async def move(self, request: Request) -> Response:
        table, seat = await self._place(request)
        wanted = protocol.move_wanted(await _body(request))
        await table.move(seat, wanted.action, wanted.version)
        return JSONResponse({"version": table.version})

    async def undo(self, request: Request) -> Response:
        table, seat = await self._place(request)
        await table.undo(seat, protocol.version_wanted(await _body(request)))
        return JSONResponse({"version": table.version})

    async def why(self, request: Request) -> Response:
        table, seat = await self._place(request)
        return JSONResponse({"why": table.why(seat, protocol.text_wanted(await _body(request), "text"))})

    async def hint(self, request: Request) -> Response:
        table, seat = await self._place(request)
        await _body(request)
        return JSONResponse(await table.hint(seat))

    async def stop(self, request: Request) -> Response:
        table, seat = await self._place(request)
        await _body(request)
        await table.stop(seat)
        return JSONResponse({"version": table.version})

    async def pace(self, request: Request) -> Response:
        table, seat = await self._place(request)
        await table.set_pace(seat, *protocol.pace_wanted(await _body(request)))
        return JSONResponse({"version": table.version})

    async def step(self, request: Request) -> Response:
        table, seat = await self._place(request)
        await _body(request)
        await table.step(seat)
        return JSONResponse({"version": table.version})

    async def rematch(self, request: Request) -> Response:
        table, seat = await self._place(request)
        await _body(request)
        await self.tables.rematch(table)
        return JSONResponse({"key": table.rematch[seat]}, 201)

    async def table_rules(self, request: Request) -> Response:
        table, _ = await self._place(request)
        return JSONResponse({"text": rules_text_of(table.session.game, table.session.state)})

    async def record(self, request: Request) -> Response:
        table, _ = await self._place(request)
        return _attached(f"{table.session.game.name}-{table.id}.txt", await table.record())

    async def table_page(self, request: Request) -> Response:
        table, _ = await self._place(request)
        session = table.finished()
        return _attached(f"{session.game.name}.html", await self._shared(session), "text/html")

    async def _place(self, request: Request) -> tuple[Table, int]:
        scheme, _, key = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not key:
            raise Refused("the key of a seat is missing: open the link of the seat", 401)
        return await self.tables.find(key.strip())

    # Studies ---------------------------------------------------------------------------------------------------------

    async def new_study(self, request: Request) -> Response:
        wanted = protocol.study_wanted(await _body(request, 2 * MAX_UPLOAD))
        text = wanted.text
        if wanted.file is not None:
            text = await self.turns.thread("records", self.library.text, wanted.file)
        study = await self.studies.open(text or "", wanted.game)
        return JSONResponse({"study": study.id, "moves": len(study.moves), "game": study.game.name}, 201)

    async def study(self, request: Request) -> Response:
        study = await self.studies.find(request.path_params["study"])
        players = self.sitters.offers(study.game, study.seats)
        told = {"players": players, "forecasters": self.courses.offers(study)}
        return JSONResponse(study.view(_at(request), _number(request, "seat", None)) | told)

    async def study_log(self, request: Request) -> Response:
        study = await self.studies.find(request.path_params["study"])
        return JSONResponse(await anyio.to_thread.run_sync(study.log))

    async def study_text(self, request: Request) -> Response:
        """The position after `at` moves as text, for download."""
        study = await self.studies.find(request.path_params["study"])
        at = _number(request, "at", 0) or 0
        return _attached(f"{study.game.name}-position.txt", study.game.texts.to_text(study.session(at).state))

    async def study_page(self, request: Request) -> Response:
        """The game as one HTML file that works without a server."""
        study = await self.studies.find(request.path_params["study"])
        actions = [action for _, action in study.moves]
        session = await self.turns.thread(
            "records", Session.replayed, study.game, study.states[:1], actions, study.names
        )
        return _attached(f"{study.game.name}.html", await self._shared(session), "text/html")

    async def _shared(self, session: Session) -> str:
        try:
            return str(await self.turns.thread("records", shared_page, session))
        except ValueError as error:
            raise Refused(str(error)) from None

    async def course(self, request: Request) -> Response:
        study = await self.studies.find(request.path_params["study"])
        return JSONResponse(await self.courses.look(study, protocol.course_wanted(await _body(request))))

    async def beliefs(self, request: Request) -> Response:
        study = await self.studies.find(request.path_params["study"])
        at, seat = _at(request), _number(request, "seat", 0)
        return JSONResponse(await self.turns.question("studies", study.beliefs, at, seat))

    async def ask(self, request: Request) -> Response:
        study = await self.studies.find(request.path_params["study"])
        name = protocol.text_wanted(await _body(request), "player")
        session = study.session(_at(request))
        seat = session.seat_to_move
        if seat is None:
            raise Refused("there is no decision: the game is over")
        player = await self.turns.thread("reads", self.sitters.find, name, study.game, study.seats, True)
        seen = session.plain.observe(session.state, seat)
        return JSONResponse(await self.turns.advice("studies", player, session, seen, 0))

    async def branch(self, request: Request) -> Response:
        study = await self.studies.find(request.path_params["study"])
        wanted = protocol.branch_wanted(await _body(request))
        state = study.session(_at(request)).state
        table = await self.tables.branch(study.game, state, wanted.seats, wanted.pause)
        return JSONResponse({"table": table.id, "keys": {str(seat): key for seat, key in table.keys.items()}}, 201)


class _News(StreamingResponse):
    """A response that never ends: the view of a seat after every change of the table, each a line of JSON.

    An empty line is sent from time to time. The page counts as following the seat from before the first line until the
    connection ends.
    """

    def __init__(self, server: _Server, table: Table, seat: int, version: int, since: int) -> None:
        super().__init__(self._lines(version, since), media_type="application/x-ndjson")
        self._server, self._table, self._seat = server, table, seat

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            if self._server.streams >= most_streams():
                raise Refused(f"{most_streams()} pages follow tables of this server already: try again later", FULL)
            self._table.follow(self._seat)
        except Refused as refused:
            await _refusal(refused)(scope, receive, send)
            return
        self._server.streams += 1
        try:
            await super().__call__(scope, receive, send)
        finally:
            self._server.streams -= 1
            self._table.unfollow(self._seat)

    async def _lines(self, version: int, since: int) -> AsyncIterator[str]:
        while True:
            if await self._table.news(version, HEARTBEAT):
                async with self._server.turns.slice("views"):
                    said = self._table.view(self._seat, since)
                    version, since = said["version"], said["moves"]
                    line = json.dumps(said, ensure_ascii=False, separators=(",", ":"))
                yield line + "\n"
                await asyncio.sleep(PAUSE_OF_STREAM)
            else:
                yield "\n"


# Requests and answers -----------------------------------------------------------------------------------------------


def _checked(answer: Answer) -> Answer:
    """Wrap a handler: Refused becomes an error response."""

    @functools.wraps(answer)
    async def respond(request: Request) -> Response:
        try:
            return await answer(request)
        except Refused as refused:
            return _refusal(refused)
        except ClientDisconnect:
            return Response(status_code=499)

    return respond


def _refusal(refused: Refused) -> Response:
    return JSONResponse({"error": str(refused)}, refused.status)


async def _body(request: Request, most: int = MAX_BODY) -> dict[str, Any]:
    """The JSON object in the body of a request.

    Raises Refused if the body is too large, is not a JSON object, or does not arrive in time.
    """
    content = bytearray()
    try:
        async with asyncio.timeout(REQUEST_SECONDS):
            async for part in request.stream():
                content += part
                if len(content) > most:
                    raise Refused(f"the request is larger than {most} bytes", TOO_LARGE)
    except TimeoutError:
        raise Refused(f"the request has not arrived within {REQUEST_SECONDS:g} seconds", LATE) from None
    return protocol.parsed(bytes(content))


def _number(request: Request, name: str, default: int | None, low: int = 0) -> Any:
    """An integer in the query of the address; `default` if the query does not have it.

    Raises Refused if it is not an integer or is below `low`.
    """
    text = request.query_params.get(name)
    if text is None or text == "":
        return default
    return protocol.whole(text, name, low)


def _at(request: Request) -> int:
    return protocol.whole(request.path_params["at"], "the number of the move", 0)


def _attached(name: str, text: str, media_type: str = "text/plain") -> Response:
    """A response with a file for download under the name `name`."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(text, media_type=media_type, headers=headers)


def _file(name: str) -> Response:
    """A response with a file of the page. Names of files outside its folder are unknown."""
    files = {path.name: path for path in resources.files("banakil_env.web").joinpath("page").iterdir()}
    if name not in files or Path(name).suffix not in TYPES:
        raise Refused("there is no such page", UNKNOWN)
    return Response(files[name].read_bytes(), media_type=TYPES[Path(name).suffix])


@functools.cache
def _deck(four_colors: bool) -> str:
    return deck(four_colors)


async def _nothing_here(request: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", UNKNOWN)
    return JSONResponse({"error": f"this address does not answer {request.method}"}, status)


async def _broken(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": "an error in the server; the game is not lost"}, 500)
