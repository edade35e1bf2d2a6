"""Measures the load that a server on one core can carry: scripted clients play at many tables at once.

    python -m banakil_env.web.load --tables 200

Each client follows its seat as a page does, and waits for a second on average before each move. The strongest
rule-based player plays the other seats, without a pause. The program measures the time from a move to its response.
`--think 0` shows the largest number of moves per second that the server can carry out.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import socket
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from banakil_env.games import GAMES, find

LONGEST_LINE = 2**20
STATUS = Path("/proc/{}/status")  # on Linux; on other systems the memory is unknown


@dataclass
class Measured:
    """The seconds from each move to its response, and the errors."""

    seconds: list[float] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    rounds: int = 0

    def share(self, part: float) -> float:
        """The time in milliseconds within which the share `part` of the responses arrived."""
        ordered = sorted(self.seconds)
        return 1000 * ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else float("nan")


class Client:
    """A simulated page of a person: one connection that follows the seat, and one for moves."""

    def __init__(self, port: int, game: str, think: float, measured: Measured, seed: int) -> None:
        self._port, self._game, self._think, self._measured = port, game, think, measured
        self._random = random.Random(seed)
        self._seed = seed

    async def play(self, begin: asyncio.Event, end: float) -> None:
        """Create a table, wait for `begin`, and play round after round until the time `end`, by `time.monotonic`."""
        reader, writer = await self._connect()
        key = await self._new_table(reader, writer)
        await begin.wait()
        while time.monotonic() < end:
            await self._round(key, reader, writer, end)
            self._measured.rounds += 1
            if time.monotonic() < end:
                key = await self._new_table(reader, writer)

    async def _round(self, key: str, reader: Any, writer: Any, end: float) -> None:
        news, follow = await self._connect()
        follow.write(_request("GET", "/api/table/news?version=-1", key))
        try:
            while time.monotonic() < end:
                line = await news.readline()
                if not line.startswith(b"{"):  # not headers or chunk sizes
                    continue
                view = json.loads(line)
                if view["over"]:
                    return
                if view["actions"]:
                    await asyncio.sleep(self._random.uniform(0, 2 * self._think))
                    action = self._random.choice(view["actions"])["id"]
                    begun = time.perf_counter()
                    status, said = await self._post(
                        reader, writer, "/api/table/move", {"action": action, "version": view["version"]}, key
                    )
                    self._measured.seconds.append(time.perf_counter() - begun)
                    if status != 200:
                        self._measured.faults.append(str(said))
        finally:
            follow.close()

    async def _new_table(self, reader: Any, writer: Any) -> str:
        game = find(self._game)
        self._seed += 1000
        seats: list[Any] = [{"name": "script"}, *[{"player": game.strongest_player}] * (game.seats[0] - 1)]
        wanted = {"game": self._game, "seats": seats, "pause": 0, "seed": self._seed}
        status, said = await self._post(reader, writer, "/api/tables", wanted, None)
        if status != 201:
            raise RuntimeError(f"no table: {said}")
        return str(said["keys"]["0"])

    async def _connect(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        return await asyncio.open_connection("127.0.0.1", self._port, limit=LONGEST_LINE)

    async def _post(self, reader: Any, writer: Any, path: str, body: Any, key: str | None) -> tuple[int, Any]:
        writer.write(_request("POST", path, key, json.dumps(body).encode()))
        status = int((await reader.readline()).split()[1])
        length = 0
        while (line := await reader.readline()).strip():
            if line.lower().startswith(b"content-length:"):
                length = int(line.split(b":")[1])
        return status, json.loads(await reader.readexactly(length))


def _request(method: str, path: str, key: str | None, body: bytes = b"") -> bytes:
    lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/json"]
    lines += [f"Content-Length: {len(body)}", *([f"Authorization: Bearer {key}"] if key else [])]
    return "\r\n".join([*lines, "", ""]).encode() + body


async def measure(port: int, games: list[str], tables: int, think: float, seconds: float) -> Measured:
    """Play at a number of tables for some seconds.

    Args:
        port: the port of the server.
        games: the games of the tables, used in turn.
        tables: the number of tables.
        think: the mean seconds before a move.
        seconds: the length of the measurement.
    """
    measured = Measured()
    begin, end = asyncio.Event(), time.monotonic() + 3600
    clients = [Client(port, games[number % len(games)], think, measured, number) for number in range(tables)]
    for game in games:  # these games are compiled before the measurement
        await Client(port, game, 0, Measured(), 10**6)._new_table(*await clients[0]._connect())
    end = time.monotonic() + seconds + 5
    playing = [asyncio.create_task(client.play(begin, end)) for client in clients]
    await asyncio.sleep(5)  # seconds; by then all tables have been created
    begin.set()
    await asyncio.gather(*playing)
    return measured


def memory(process: int) -> float:
    """Resident memory of a process in MB; NaN if unknown."""
    try:
        text = Path(str(STATUS).format(process)).read_text(encoding="utf-8")
        return int(text.split("VmRSS:")[1].split()[0]) / 1000
    except (OSError, IndexError):
        return float("nan")


def processor_seconds(process: int) -> float:
    """Seconds of processor time of a process; NaN if unknown."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except (OSError, IndexError):
        return float("nan")


def main() -> None:
    """Run the command: start a server on one core, play, print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0] if __doc__ else None)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--think", type=float, default=1.0, help="seconds before a move, on average")
    parser.add_argument("--seconds", type=float, default=30.0)
    parser.add_argument("--game", action="append", choices=list(GAMES), help="which games; all of them by default")
    wanted = parser.parse_args()
    with socket.socket() as free, tempfile.TemporaryDirectory() as folder:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
        free.close()
        most = str(20 * wanted.tables)
        command = [sys.executable, "-m", "banakil_env.cli", "serve", "--port", str(port), "--folder", folder]
        server = subprocess.Popen([*command, "--tables", most], stdout=subprocess.DEVNULL)
        cores = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
        if len(cores) > 1:
            os.sched_setaffinity(server.pid, {cores[0]})
            os.sched_setaffinity(0, set(cores[1:]))
        try:
            _wait(port)
            games = wanted.game or list(GAMES)
            for game in games:
                asyncio.run(measure(port, [game], 1, 0, 0.1))
            before, used = memory(server.pid), processor_seconds(server.pid)
            measured = asyncio.run(measure(port, games, wanted.tables, wanted.think, wanted.seconds))
            used = processor_seconds(server.pid) - used
            after, kept = memory(server.pid), len(list(Path(folder).glob("tables/*.jsonl")))
        finally:
            server.kill()
            server.wait()
    print(f"{wanted.tables} tables of {', '.join(games)}; {wanted.think:g} s before a move; {wanted.seconds:g} s")
    rate = len(measured.seconds) / wanted.seconds
    print(
        f"moves {len(measured.seconds)} ({rate:.0f} a second), rounds {measured.rounds}, faults {len(measured.faults)}"
    )
    print(
        f"answer to a move: median {measured.share(0.5):.1f} ms, 99th percentile {measured.share(0.99):.1f} ms, "
        f"longest {measured.share(1):.1f} ms"
    )
    print(
        f"processor: {1000 * used / max(1, len(measured.seconds)):.2f} ms a move, with the other players and new tables"
    )
    print(f"memory: {(after - before) / kept * 1000:.0f} kB a table ({kept} kept), {after:.0f} MB in all")
    for fault in measured.faults[:3]:
        print(f"fault: {fault}")


def _wait(port: int) -> None:
    for _ in range(600):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise RuntimeError("the server does not answer")


if __name__ == "__main__":
    main()
