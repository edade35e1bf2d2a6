"""Builds the page without a server: one file with the page of `banakil serve`, the games, and all data they need.

The file holds the scripts and styles of the page, the translated functions (`program.py`), a WebAssembly module for
each game, and the pictures of all cards. Scripts and modules are compressed. Its security policy allows only these
scripts and styles and no network requests, so the file can be opened from a disk.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import zlib
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Any
from urllib.parse import quote

from banakil_env.browser.module import described, module_of
from banakil_env.browser.network import moves_of, packed_network
from banakil_env.browser.program import program_of
from banakil_env.core.game import Game
from banakil_env.play.names import OF_ALL_GAMES
from banakil_env.play.names import described as label_of
from banakil_env.render.deck import deck
from banakil_env.web.bundle import bundled, page_file
from banakil_env.web.views import lobby_view

OWN = (
    "api.js",
    "games.js",
    "machine.js",
    "network.js",
    "numpy.js",
    "offline.js",
    "python.js",
    "runtime.js",
    "tables.js",
    "values.js",
)

_PAGE = """<!doctype html>
<!-- Made by banakil-env under its licence (MIT). The figures on the cards are Roboto's (Apache License 2.0). -->
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; img-src data:; base-uri 'none'; \
form-action 'none'; style-src '{style_hash}'; script-src '{loader_hash}' '{script_hash}' 'wasm-unsafe-eval'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>banakil</title>
<link rel="icon" href="{icon}" type="image/svg+xml">
<style>{style}</style>
</head>
<body>
{body}
<footer class="notes"><p>{footer}</p></footer>
<div class="unseen" aria-hidden="true">{decks}</div>
{packed}
<script>{loader}</script>
</body>
</html>
"""
_STYLE = """
footer { padding: .5rem 12px; }
.at-table footer { display: none; }
"""
_FOOTER = (
    "Rules and players run in this page, as WebAssembly; it sends no request to a server. Tables are kept in this "
    "browser. Made by banakil-env; MIT licence."
)
_LOADER = """
globalThis.unpacked = (id) => {
  const packed = Uint8Array.from(atob(document.getElementById(id).textContent), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate")));
};
unpacked("script").text().then((text) => {
  const script = document.createElement("script");
  script.type = "module";
  script.textContent = text;
  document.body.append(script);
});
"""


def offline_page(games: Sequence[Game], network: Path | None = None) -> str:
    """The page with these games, as HTML.

    Args:
        games: the games.
        network: the file of the network for all games, which is then the default opponent; None for no network.

    Raises:
        ModuleNotFoundError: Numba is missing.
        NoLinker: there is no linker for WebAssembly.
        ValueError: the weights of the network are not stored in 16 bits.
        OSError: the file of the network cannot be read.
        Untranslatable: the texts of a game use something that has no translation into JavaScript.
    """
    texts = {name: _script(name) for name in OWN}
    about, weights = (None, b"") if network is None else packed_network(network)
    texts |= {"program.js": program_of(games), "packed.js": _packed(games, about)}
    script = bundled("offline.js", lambda name: texts[name] if name in texts else page_file(name))
    style = "\n" + page_file("style.css") + page_file("table.css") + _STYLE
    packed = {"script": script.encode()} | {f"wasm-{game.name}": module_of(game) for game in games}
    packed |= {"network": weights} if weights else {}
    return _PAGE.format(
        style=style,
        style_hash=_hash(style),
        loader=_LOADER,
        loader_hash=_hash(_LOADER),
        script_hash=_hash(script),
        icon="data:image/svg+xml," + quote(page_file("icon.svg").strip()),
        body=_body(),
        footer=_FOOTER,
        decks=deck() + _renamed(deck(four_colors=True)),
        packed="\n".join(_element(name, content) for name, content in packed.items()),
    )


def _script(name: str) -> str:
    return resources.files("banakil_env.browser").joinpath("script", name).read_text(encoding="utf-8")


def _body() -> str:
    """The body of the server's page, without the elements that need a server."""
    index = page_file("index.html")
    body = index.partition("<body>\n")[2].partition("</body>")[0]
    body = re.sub(r" *<a href=\"#/study\">.*\n", "", body)
    return re.sub(
        r"<noscript>.*</noscript>", "<noscript>This page needs JavaScript, which it brings along.</noscript>", body
    )


def _renamed(cards: str) -> str:
    """The pictures of the cards under other names, for the second of two decks in a page."""
    return re.sub(r'(\bid="|href="#|url\(#)', r"\1four-", cards)


def _packed(games: Sequence[Game], network: dict[str, Any] | None) -> str:
    """A JavaScript module that lists the games, and where their WebAssembly modules and the network are."""
    told = {game.name: _told(game, network is not None) for game in games}
    brought = "null"
    if network is not None:
        about = json.dumps({"name": OF_ALL_GAMES, "about": network})
        brought = f'{{ ...{about}, weights: bytesOf("network") }}'
    return (
        f"const told = {json.dumps(told, ensure_ascii=False)};\n"
        "const bytesOf = (name) => async () => new Uint8Array(await unpacked(name).arrayBuffer());\n"
        "export const packed = { games: Object.fromEntries(Object.entries(told).map("
        f"([name, each]) => [name, {{ ...each, module: bytesOf(`wasm-${{name}}`) }}])), network: {brought} }};\n"
    )


def _told(game: Game, has_network: bool) -> dict[str, Any]:
    """The description of a game for the page. With a network it has `moves`, the meaning of each action."""
    moves = {"moves": moves_of(game)} if has_network else {}
    return {"about": described(game), "lobby": _lobby(game, has_network), **moves}


def _lobby(game: Game, has_network: bool) -> dict[str, Any]:
    names = [*game.players, *([OF_ALL_GAMES] if has_network else [])]
    offered = [{"name": name, "label": label_of(name, game), "table": None} for name in names]
    usual = OF_ALL_GAMES if has_network else game.strongest_player
    return lobby_view(game, dict.fromkeys(game.seats, offered), dict.fromkeys(game.seats, usual), usual)


def _element(name: str, content: bytes) -> str:
    """An HTML element that holds bytes, compressed and encoded in letters that need no escapes."""
    letters = base64.b64encode(zlib.compress(content, 9)).decode()
    return f'<script type="application/octet-stream" id="{name}">{letters}</script>'


def _hash(text: str) -> str:
    """The hash that identifies an inline script or style in a security policy."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
