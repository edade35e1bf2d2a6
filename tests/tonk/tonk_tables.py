"""Positions of Tonk in a line or two: the cards that no line names go into the stock."""

from __future__ import annotations

from typing import Any

from game_tables import TablesOf, given_in

from banakil_env.games import tonk
from banakil_env.kit.pack52 import FACES

_tables = TablesOf(tonk)
play, legal, lines = _tables.play, _tables.legal, _tables.lines


def at(*said: str) -> Any:
    """A position of these lines; what they leave out is the rest: the stock, a pile of one card."""
    text = given_in(said)
    used = {
        card for key, value in text.items() if key.split()[0] in ("hand", "melds", "pile") for card in value.split()
    }
    rest = [card for card in FACES.names if card not in used]
    if "pile" not in text:
        text["pile"] = rest.pop()
    text.setdefault("stock", " ".join(rest))
    return _tables.of(text)
