"""Do recorded games replay to the same end, and do their players still play them?"""

from __future__ import annotations

from pathlib import Path

import pytest
from golden_games import game_in, played_again

from banakil_env.games import GAMES, find
from banakil_env.kit.records import replay

# Banakil's are played by agents, too (tests/banakil/banakil_freeze.py); those of Gin Rummy are in test_gin_games.py.
ELSEWHERE = {"banakil", "gin"}
FILES = [path for path in sorted(Path(__file__).parent.glob("*/golden/*.txt")) if path.parts[-3] not in ELSEWHERE]
RECORDS = [(game_in(path.read_text(encoding="utf-8")), path) for path in FILES]


def test_every_game_has_some() -> None:
    assert {name for name, _ in RECORDS} | ELSEWHERE == set(GAMES)


@pytest.mark.parametrize(("name", "path"), [pytest.param(*row, id=f"{row[0]}-{row[1].stem}") for row in RECORDS])
def test_a_recorded_game_is_played_again(name: str, path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    replay(find(name), text)  # compares the end, with a checksum of the last state
    assert "\nend: unfinished" not in text
    assert played_again(text) == text
