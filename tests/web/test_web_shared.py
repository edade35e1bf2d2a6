"""Does a game in one file hold what it should, and nothing that could do harm?"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from pathlib import Path
from typing import Any

import pytest

from banakil_env.games import find
from banakil_env.play.session import Session
from banakil_env.study.show import show
from banakil_env.web import bundle, shared
from banakil_env.web.shared import shared_page


def played(name: str, seats: int, **options: Any) -> Session:
    session = Session.deal(name, ["greedy"] * seats, seed=3, options=options)
    while session.player_to_move is not None:
        session.move_player()
    return session


def told(page: str) -> Any:
    """What the file tells its script."""
    found = re.search(r'id="game">([A-Za-z0-9+/=]+)</script>', page)
    assert found is not None
    return json.loads(zlib.decompress(base64.b64decode(found[1])))


@pytest.mark.parametrize("name", ["rummy500", "gin"])
def test_a_round_of_most_players_is_below_300_kilobytes(name: str) -> None:
    session = played(name, find(name).seats[-1])
    page = shared_page(session)
    assert len(page.encode()) < 300_000
    game = told(page)
    assert [each["seat"] for each in game["eyes"]] == [None, *range(len(session.seats))]
    assert all(len(each["views"]) == len(session.moves) + 1 for each in game["eyes"])


def test_the_policy_allows_the_own_script_and_style_alone() -> None:
    page = shared_page(played("gin", 2))
    for tag in ("style", "script"):
        [text] = re.findall(rf"<{tag}(?: type=\"module\")?>(.*?)</{tag}>", page, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in page
    assert "default-src 'none'" in page


def test_a_game_that_is_long_is_shown_with_all_hands_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    session = played("gin", 2)
    monkeypatch.setattr(shared, "MAX_VIEWS", len(session.moves) + 1)
    assert [each["seat"] for each in told(shared_page(session))["eyes"]] == [None]
    monkeypatch.setattr(shared, "MAX_VIEWS", len(session.moves))
    with pytest.raises(ValueError, match="too long for one file"):
        shared_page(session)


def test_modules_of_another_form_are_refused() -> None:
    with pytest.raises(ValueError, match="of another form"):
        bundle.bundled("replay.js", lambda name: 'import * as all from "./other.js";\n')


def test_the_command_writes_a_page(tmp_path: Path) -> None:
    record, page = tmp_path / "game.txt", tmp_path / "game.html"
    record.write_text(played("gin", 2).record(), encoding="utf-8")
    show(str(record), at=4, seat=1, out=page)
    game = told(page.read_text(encoding="utf-8"))
    assert (game["at"], game["seat"], game["names"]) == (4, 1, ["Greedy", "Greedy"])
    with pytest.raises(SystemExit, match="there is no seat 7"):
        show(str(record), seat=7, out=page)
