"""A server of the page for tests: a process of its own, and requests to it as a browser would send them."""

from __future__ import annotations

import http.client
import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
DEADLINE = 120.0  # seconds for what takes much less: only an error reaches it, not a busy machine


class Answered(Exception):
    """An answer that is an error: its status and what it says."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(f"{status}: {text}")
        self.status, self.text = status, text


class Served:
    """`banakil serve` as a process.

    Args:
        folder: where it keeps tables. options: further ones of the command.
    """

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder, self.options = folder, options
        self.port = 0  # the system chooses a free one; after a restart the server has the same one
        self.process: subprocess.Popen[bytes] | None = None
        self.start()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        command = [sys.executable, "-m", "banakil_env.cli", "serve", "--port", str(self.port)]
        self.process = subprocess.Popen(
            [*command, "--folder", str(self.folder), *self.options],
            cwd=ROOT,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.PIPE,
        )
        told = self.process.stdout
        assert told is not None
        assert select.select([told], [], [], DEADLINE)[0], "the server does not start"
        found = re.match(rb"http://127\.0\.0\.1:(\d+)/ ", told.readline())
        assert found, "the server has ended"
        self.port = int(found[1])

    def kill(self) -> None:
        """As the system kills it: without a word."""
        assert self.process is not None
        assert self.process.stdout is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stdout.close()

    def request(
        self, method: str, path: str, body: Any = None, key: str | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, bytes]:
        """The status and the content of an answer; `body` is JSON, or bytes as they are."""
        content = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        said = {"Content-Type": "application/json"} if body is not None else {}
        said |= {"Authorization": f"Bearer {key}"} if key else {}
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=DEADLINE)
        try:
            connection.request(method, path, content, {**said, **(headers or {})})
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()

    def get(self, path: str, key: str | None = None) -> Any:
        return self._json(*self.request("GET", path, key=key))

    def post(self, path: str, body: Any, key: str | None = None) -> Any:
        return self._json(*self.request("POST", path, body, key))

    def _json(self, status: int, content: bytes) -> Any:
        if status >= 400:
            raise Answered(status, json.loads(content)["error"])
        return json.loads(content)

    def table(self, game: str, players: list[str | None], **wanted: Any) -> dict[int, str]:
        """A new table; the keys of its seats."""
        seats = [
            {"name": f"Person {seat}"} if player is None else {"player": player} for seat, player in enumerate(players)
        ]
        made = self.post("/api/tables", {"game": game, "seats": seats, "pause": 0, **wanted})
        return {int(seat): key for seat, key in made["keys"].items()}

    def wait(self, key: str, seconds: float = DEADLINE) -> Any:
        """What a seat sees, as soon as a person is to move or the game is over."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            view = self.get("/api/table", key)
            if view["toMove"] in view["people"] or view["over"]:
                return view
            time.sleep(0.01)
        raise AssertionError("nobody moves")

    def play(self, keys: dict[int, str], moves: int) -> None:
        """Play the first legal move of the seat to move, `moves` times; then wait until a person is to move."""
        first = next(iter(keys.values()))
        for _ in range(moves):
            seat = self.wait(first)["toMove"]
            if seat is None:
                return
            view = self.get("/api/table", keys[seat])
            body = {"action": view["actions"][0]["id"], "version": view["version"]}
            self.post("/api/table/move", body, keys[seat])
        self.wait(first)

    def news(self, key: str) -> Iterator[Any]:
        """What is sent to a page that follows a seat, line by line, as bytes."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=DEADLINE)
        connection.request("GET", "/api/table/news?version=-1", headers={"Authorization": f"Bearer {key}"})
        answer = connection.getresponse()
        try:
            while line := answer.readline():
                if line.strip():
                    yield line
        finally:
            connection.close()
