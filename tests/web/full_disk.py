"""A server whose disk is full, for `test_web_journal`: run where a file system may be mounted. The folder is given."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from served import Answered, Served

PARTS = ("seats", "areas", "melds", "log", "moves", "toMove", "actions", "stopped")


def main() -> None:
    folder = Path(sys.argv[1])
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(folder)], check=False).returncode:
        print("cannot mount")
        return
    server = Served(folder)
    try:
        keys = server.table("rummy", [None, None], seed=8, practice=True, episode="match")
        server.play(keys, 20)
        filler = folder / "filler"
        fill(filler)
        refused = play_until_full(server, keys)
        before = server.get("/api/table", keys[0])
        for path in ("undo", "stop"):
            refuses(server, f"/api/table/{path}", {"version": before["version"]} if path == "undo" else {}, keys[0])
        refuses(server, "/api/tables", {"game": "rummy", "seats": [{"name": ""}, {"name": ""}]}, None)
        same(server.get("/api/table", keys[0]), before)
        server.kill()
        server.start()
        same(server.get("/api/table", keys[0]), before)
        filler.unlink()
        server.play(keys, 5)
        after = server.get("/api/table", keys[0])
        assert after["moves"] > before["moves"]
        server.kill()
        server.start()
        same(server.get("/api/table", keys[0]), after)
        print(f"nothing was lost: {after['moves']} moves, {refused} refused")
    finally:
        server.kill()


def fill(path: Path) -> None:
    """Write until the disk is full."""
    with path.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(512))
        except OSError:
            return


def play_until_full(server: Served, keys: dict[int, str]) -> int:
    """Moves, and turns taken back, until the journal's page is full; what is refused first is tried three times."""
    for number in range(1, 1000):
        view = server.get("/api/table", keys[server.get("/api/table", keys[0])["toMove"]])
        key, path = keys[view["seat"]], "move" if number % 20 else "undo"
        body = {"version": view["version"]} | ({"action": view["actions"][0]["id"]} if path == "move" else {})
        try:
            server.post(f"/api/table/{path}", body, key)
        except Answered:
            for _ in range(3):
                refuses(server, f"/api/table/{path}", body, key)
            return 4
    raise AssertionError("the disk takes everything")


def refuses(server: Served, path: str, body: object, key: str | None) -> None:
    with pytest.raises(Answered, match=r"507: .*No space left on device.*Make room"):
        server.post(path, body, key)


def same(found: dict[str, object], wanted: dict[str, object]) -> None:
    for part in PARTS:
        assert found[part] == wanted[part], part


if __name__ == "__main__":
    main()
