"""A game as one HTML file that needs no server and no installation.

The file holds the code that draws tables, all cards, and the table after every move, with all hands open and as each
seat sees it. The tables are compressed. The file's security policy allows only its script and style and no network
requests. Names come from the record: they are shown as text, and are compressed or escaped in the file.
"""

from __future__ import annotations

import base64
import hashlib
import html
import json
import zlib
from typing import Any

from banakil_env.play.session import Session
from banakil_env.render.deck import deck
from banakil_env.render.scenes import scene_of
from banakil_env.web import views
from banakil_env.web.bundle import bundled, page_file

MAX_VIEWS = 6_000  # views in a file; a longer game has only the views with all hands

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src '{script_hash}'; \
style-src '{style_hash}'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>{title}</title>
<style>{style}</style>
</head>
<body class="at-table shared">
<main id="main" tabindex="-1"><p>Loading …</p></main>
<div id="live" class="unseen" role="status" aria-live="polite"></div>
<noscript>This page needs JavaScript, which it brings along.</noscript>
<div class="unseen" aria-hidden="true">{deck}</div>
<script type="application/octet-stream" id="game">{game}</script>
<script type="module">{script}</script>
</body>
</html>
"""


def shared_page(session: Session, at: int = 0, seat: int | None = None) -> str:
    """A game as an HTML file, with all hands open.

    Args:
        session: the game.
        at: the number of moves after which the page opens.
        seat: the seat whose view the page opens with; None for all hands.

    Raises:
        ValueError: there is no such move or seat, or the game is too long for a file.
    """
    moves = len(session.moves)
    if moves >= MAX_VIEWS:
        raise ValueError(f"a game of {moves} moves is too long for one file: at most {MAX_VIEWS - 1} are shown")
    if not 0 <= at <= moves:
        raise ValueError(f"there is no move {at}: the game has {moves}")
    scene_of(session.game, session.state, seat)  # raises ValueError if there is no such seat
    script, style = f"\n{bundled('replay.js')}", "\n" + page_file("style.css") + page_file("table.css")
    players = ", ".join(dict.fromkeys(each.called for each in session.seats if each.called))
    title = session.game.title + (f": {players}" if players else "")
    return _PAGE.format(
        title=html.escape(title),
        script=script,
        script_hash=_hash(script),
        style=style,
        style_hash=_hash(style),
        deck=deck(),
        game=_packed(_told(session) | {"at": at, "seat": seat}),
    )


def _told(session: Session) -> dict[str, Any]:
    """The content of the file: the positions and moves with all hands open and as each seat sees them.

    In a long game, the views of the seats are left out.
    """
    states = [*(move.state for move in session.moves), session.state.reshape(1)]
    seats = len(session.seats)
    eyes = [None, *range(seats)] if len(states) * (seats + 1) <= MAX_VIEWS else [None]
    numbers = range(len(session.moves))
    return {
        "game": session.game.name,
        "lowWins": session.game.low_wins,
        "names": [each.called for each in session.seats],
        "movers": [move.seat for move in session.moves],
        "rounds": views.rounds_view(session),
        "eyes": [
            {
                "seat": seat,
                "views": [views.scene_view(scene_of(session.game, state[0], seat)) for state in states],
                "log": [session.deeds(number, seat) for number in numbers],
            }
            for seat in eyes
        ],
    }


def _packed(told: dict[str, Any]) -> str:
    """The content as compressed text in letters that need no escapes in HTML."""
    content = json.dumps(told, ensure_ascii=False, separators=(",", ":")).encode()
    return base64.b64encode(zlib.compress(content, 9)).decode()


def _hash(text: str) -> str:
    """The hash that identifies an inline script or style in a security policy."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
