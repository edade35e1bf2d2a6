"""What the tests of the server share: one that runs, and that a test may break."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from served import Served

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")


@pytest.fixture(scope="session")
def records(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of records, with a secret file outside it."""
    folder = tmp_path_factory.mktemp("given")
    (folder / "records" / "deal-0").mkdir(parents=True)
    (folder / "secret.txt").write_text("game: rummy-v0\n", encoding="utf-8")
    (folder / "records" / "link.txt").symlink_to(folder / "secret.txt")
    return folder / "records"


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory, records: Path) -> Iterator[Served]:
    served = Served(tmp_path_factory.mktemp("served"), "--records", str(records))
    yield served
    served.kill()
