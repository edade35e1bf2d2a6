"""Which address leads where? The web application, over `tables`, `studies` and `protocol`.

| request | answer |
|---|---|
| `GET /`, `/page/FILE`, `/deck.svg` | the page, its modules and style, and all cards |
| `GET /api/games`, `/api/records` | what can be played, and the records in the folder given |
| `POST /api/tables` | a new table: its keys by seat |
| `GET /api/table?since=N` | what the seat of the key sees |
| `GET /api/table/news?version=V&since=N` | the same whenever it changes, a line of JSON each time |
| `POST /api/table/move`, `/undo`, `/why`, `/hint`, `/stop` | |
| `GET /api/table/record` | the game record, when it is over |
| `POST /api/studies`, `GET /api/studies/ID/AT?seat=S`, `/api/studies/ID/log`, `/api/studies/ID/text` | |
| `POST /api/studies/ID/AT/ask`, `/branch` | |

A seat's key comes as `Authorization: Bearer KEY`. Errors are `{"error": text}`.
"""

from __future__ import annotations

import functools
import json
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from importlib import resources
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, PlainTextResponse, Response, StreamingResponse
from starlette.routing import Route

from banakil_env.games import GAMES, find
from banakil_env.render.deck import deck
from banakil_env.web import protocol
from banakil_env.web.limits import HEARTBEAT, MAX_BODY, MAX_STREAMS, MAX_TABLES, MAX_UPLOAD
from banakil_env.web.protocol import FULL, TOO_LARGE, UNKNOWN, Refused
from banakil_env.web.security import Guard
from banakil_env.web.sitters import Sitters
from banakil_env.web.studies import Studies
from banakil_env.web.table import Table, advice
from banakil_env.web.tables import Tables

TYPES = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml"}
Answer = Callable[[Request], Awaitable[Response]]


@dataclass(frozen=True)
class Settings:
    """What a server is started with.

    Attributes:
        folder: where tables and studies are kept. records: a folder of game records to be studied; None: none.
        players: names that pages may use besides those that are safe. hosts: names that are served.
        most_tables: how many there may be.
    """

    folder: Path
    records: Path | None = None
    players: Sequence[str] = ()
    hosts: Sequence[str] = ()
    most_tables: int = MAX_TABLES


def make_app(settings: Settings) -> Guard:
    """The application, for an ASGI server."""
    server = _Server(settings)
    routes = [
        ("GET", "/", server.index),
        ("GET", "/page/{name}", server.page),
        ("GET", "/deck.svg", server.deck),
        ("GET", "/api/games", server.games),
        ("GET", "/api/records", server.records),
        ("POST", "/api/tables", server.new_table),
        ("GET", "/api/table", server.see),
        ("GET", "/api/table/news", server.news),
        ("POST", "/api/table/move", server.move),
        ("POST", "/api/table/undo", server.undo),
        ("POST", "/api/table/why", server.why),
        ("POST", "/api/table/hint", server.hint),
        ("POST", "/api/table/stop", server.stop),
        ("GET", "/api/table/record", server.record),
        ("POST", "/api/studies", server.new_study),
        ("GET", "/api/studies/{study}/log", server.study_log),
        ("GET", "/api/studies/{study}/text", server.study_text),
        ("GET", "/api/studies/{study}/{at}", server.study),
        ("POST", "/api/studies/{study}/{at}/ask", server.ask),
        ("POST", "/api/studies/{study}/{at}/branch", server.branch),
    ]
    app = Starlette(
        routes=[Route(path, _checked(answer), methods=[method]) for method, path, answer in routes],
        exception_handlers={404: _nothing_here, 405: _nothing_here, 500: _broken},
    )
    return Guard(app, settings.hosts)


class _Server:
    """What answers."""

    def __init__(self, settings: Settings) -> None:
        self.sitters = Sitters(tuple(settings.players))
        self.tables = Tables(settings.folder, self.sitters, settings.most_tables)
        self.studies = Studies(settings.folder, settings.records)

    # What everybody may see -------------------------------------------------------------------------------------------

    async def index(self, request: Request) -> Response:
        return _file("index.html")

    async def page(self, request: Request) -> Response:
        return _file(request.path_params["name"])

    async def deck(self, request: Request) -> Response:
        four = request.query_params.get("colours") == "four"
        return Response(_deck(four), media_type=TYPES[".svg"], headers={"Cache-Control": "max-age=3600"})

    async def games(self, request: Request) -> Response:
        return JSONResponse([self._game(name) for name in GAMES])

    async def records(self, request: Request) -> Response:
        return JSONResponse(self.studies.files())

    def _game(self, name: str) -> dict[str, Any]:
        game = find(name)
        return {
            "name": name,
            "title": game.title,
            "seats": list(game.seats),
            "presets": list(game.rules.presets),
            "partners": "partners" in game.option_names,
            "players": self.sitters.names(game),
            "defaults": {str(count): self.sitters.default(game, count, {}) for count in game.seats},
        }

    # Tables -----------------------------------------------------------------------------------------------------------

    async def new_table(self, request: Request) -> Response:
        table = await self.tables.create(protocol.table_wanted(await _body(request)))
        return JSONResponse({"table": table.id, "keys": {str(seat): key for seat, key in table.keys.items()}}, 201)

    async def see(self, request: Request) -> Response:
        table, seat = await self._place(request)
        return JSONResponse(table.view(seat, _number(request, "since", 0)))

    async def news(self, request: Request) -> Response:
        table, seat = await self._place(request)
        if table.followers.get(seat, 0) >= MAX_STREAMS:
            raise Refused(f"{MAX_STREAMS} pages follow this seat already: close one", FULL)
        lines = _stream(table, seat, _number(request, "version", -1), _number(request, "since", 0))
        return StreamingResponse(lines, media_type="application/x-ndjson")

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

    async def record(self, request: Request) -> Response:
        table, _ = await self._place(request)
        name = f"{table.session.game.name}-{table.id}.txt"
        headers = {"Content-Disposition": f'attachment; filename="{name}"'}
        return PlainTextResponse(table.record(), headers=headers)

    async def _place(self, request: Request) -> tuple[Table, int]:
        scheme, _, key = request.headers.get("authorization", "").partition(" ")
        if scheme.lower() != "bearer" or not key:
            raise Refused("the key of a seat is missing: open the link of the seat", 401)
        return await self.tables.find(key.strip())

    # Studies ----------------------------------------------------------------------------------------------------------

    async def new_study(self, request: Request) -> Response:
        study = await self.studies.open(protocol.study_wanted(await _body(request, 2 * MAX_UPLOAD)))
        return JSONResponse({"study": study.id, "moves": len(study.moves), "game": study.game.name}, 201)

    async def study(self, request: Request) -> Response:
        study = await self.studies.find(request.path_params["study"])
        seat = _number(request, "seat", None)
        return JSONResponse(study.view(_at(request), seat) | {"players": self.sitters.names(study.game)})

    async def study_log(self, request: Request) -> Response:
        study = await self.studies.find(request.path_params["study"])
        return JSONResponse(study.log())

    async def study_text(self, request: Request) -> Response:
        """The position after so many moves as text, to be kept as a file."""
        study = await self.studies.find(request.path_params["study"])
        at = _number(request, "at", 0) or 0
        text = study.game.texts.to_text(study.session(at).state)
        headers = {"Content-Disposition": f'attachment; filename="{study.game.name}-position.txt"'}
        return PlainTextResponse(text, headers=headers)

    async def ask(self, request: Request) -> Response:
        study = await self.studies.find(request.path_params["study"])
        name = protocol.text_wanted(await _body(request), "player")
        session = study.session(_at(request))
        seat = session.seat_to_move
        if seat is None:
            raise Refused("nothing is to be decided: the game is over")
        player = self.sitters.find(name, study.game)
        return JSONResponse(await advice(player, session, session.plain.observe(session.state, seat), 0))

    async def branch(self, request: Request) -> Response:
        study = await self.studies.find(request.path_params["study"])
        wanted = protocol.branch_wanted(await _body(request))
        state = study.session(_at(request)).state
        table = await self.tables.branch(study.game, state, wanted.seats, wanted.pause)
        return JSONResponse({"table": table.id, "keys": {str(seat): key for seat, key in table.keys.items()}}, 201)


async def _stream(table: Table, seat: int, version: int, since: int) -> AsyncIterator[str]:
    """A line of JSON whenever the table has changed, an empty one from time to time."""
    table.follow(seat, +1)
    try:
        while True:
            if await table.news(version, HEARTBEAT):
                said = table.view(seat, since)
                version, since = said["version"], said["moves"]
                yield json.dumps(said, ensure_ascii=False, separators=(",", ":")) + "\n"
            else:
                yield "\n"
    finally:
        table.follow(seat, -1)


# Requests and answers -------------------------------------------------------------------------------------------------


def _checked(answer: Answer) -> Answer:
    """The same, with what is refused as an answer."""

    @functools.wraps(answer)
    async def respond(request: Request) -> Response:
        try:
            return await answer(request)
        except Refused as refused:
            return JSONResponse({"error": str(refused)}, refused.status)
        except ClientDisconnect:
            return Response(status_code=499)

    return respond


async def _body(request: Request, most: int = MAX_BODY) -> dict[str, Any]:
    """The JSON object of a request. Refused: it is larger than may be, or none."""
    content = b""
    async for part in request.stream():
        content += part
        if len(content) > most:
            raise Refused(f"the request is larger than {most} bytes", TOO_LARGE)
    return protocol.parsed(content)


def _number(request: Request, name: str, default: int | None) -> Any:
    """A whole number of the address. Refused: it is none."""
    text = request.query_params.get(name)
    if text is None or text == "":
        return default
    return _whole(text, name)


def _at(request: Request) -> int:
    return _whole(request.path_params["at"], "the number of the move")


def _whole(text: str, name: str) -> int:
    if not (text.lstrip("-").isascii() and text.removeprefix("-").isdigit() and len(text) < 10):
        raise Refused(f"{name} must be a whole number, not {text!r:.40}")
    return int(text)


def _file(name: str) -> Response:
    """A file of the page; nothing outside its folder has a name here."""
    files = {path.name: path for path in resources.files("banakil_env.web").joinpath("page").iterdir()}
    if name not in files or Path(name).suffix not in TYPES:
        raise Refused("there is no such page", UNKNOWN)
    return Response(files[name].read_bytes(), media_type=TYPES[Path(name).suffix])


@functools.cache
def _deck(four_colours: bool) -> str:
    return deck(four_colours)


async def _nothing_here(request: Request, error: Exception) -> Response:
    status = getattr(error, "status_code", UNKNOWN)
    return JSONResponse({"error": f"nothing answers {request.method} here"}, status)


async def _broken(request: Request, error: Exception) -> Response:
    return JSONResponse({"error": "the server made a mistake; nothing of the game is lost"}, 500)
