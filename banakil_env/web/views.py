"""What is a seat sent? Its `Scene` and its legal actions as JSON, and what everybody has seen happen.

Everything here is made from the scene of one viewer, which holds what that viewer may see; of cards that lie face down
there is their number alone. The moves of others are named by their texts, which are said aloud at a table.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from banakil_env.arena.players import Explanation
from banakil_env.core.actions import Action
from banakil_env.core.game import Game
from banakil_env.core.scene import Area, Meld, Scene, SeatView
from banakil_env.kit.records import Move

MAX_LOG = 200  # moves that are told again to a page that has just come

_CARD = re.compile(r"(?<![\w=])(?:JK|W|(?:10|[2-9TJQKA])[cdhs]?)(?![\w])")
_NUMBER = re.compile(r"\d+$")


def scene_view(scene: Scene) -> dict[str, Any]:
    """A scene as JSON."""
    return {
        "title": scene.title,
        "rules": scene.rules,
        "facts": list(scene.facts),
        "viewer": scene.viewer,
        "toMove": scene.to_move,
        "decision": scene.decision,
        "result": scene.result,
        "points": list(scene.points),
        "seats": [_seat(seat) for seat in scene.seats],
        "areas": [_area(area) for area in scene.areas],
        "melds": [_meld(meld) for meld in scene.melds],
    }


def _seat(seat: SeatView) -> dict[str, Any]:
    return {
        "seat": seat.seat,
        "side": seat.side,
        "hand": None if seat.hand is None else [list(group) for group in seat.hand],
        "size": seat.size,
        "known": list(seat.known),
        "score": seat.score,
        "notes": list(seat.notes),
    }


def _area(area: Area) -> dict[str, Any]:
    shown = [] if all(card is None for card in area.cards) else list(area.cards)
    return {
        "name": area.name,
        "title": area.title,
        "cards": shown,
        "size": area.size,
        "note": area.note,
        "owner": area.owner,
    }


def _meld(meld: Meld) -> dict[str, Any]:
    return {
        "number": meld.number,
        "owner": meld.owner,
        "cards": list(meld.cards),
        "standsFor": list(meld.stands_for),
        "note": meld.note,
    }


def action_view(action: Action) -> dict[str, Any]:
    """A legal action: its text and what it is about, so that cards and melds can be clicked.

    `cards` are cards (`7h`) or ranks (`7`), as the text names them, without those behind "to" and "=".
    """
    subject = action.block.subject
    about = action.text.partition(" to ")[0] if not subject else ""
    number = _NUMBER.search(action.text)
    return {
        "id": action.index,
        "text": action.text,
        "verb": action.verb,
        "cards": _CARD.findall(about.partition(" ")[2]),
        "depth": action.place + 1 if subject == "depth" else None,
        "meld": int(number[0]) if subject == "meld" and number else None,
    }


def actions_view(game: Game, legal: Sequence[int]) -> list[dict[str, Any]]:
    """The legal actions."""
    return [action_view(game.actions[action]) for action in legal]


def moves_view(game: Game, moves: Sequence[Move], since: int) -> list[dict[str, Any]]:
    """The moves from number `since` on, at most the last MAX_LOG."""
    first = max(since, len(moves) - MAX_LOG)
    return [
        {"number": number, "seat": move.seat, "text": game.actions.text(move.action)}
        for number, move in enumerate(moves[first:], first)
    ]


def explanation_view(game: Game, player: str, found: Explanation) -> dict[str, Any]:
    """What a player would do, and what it thinks of each action: probability, margin in points, value."""
    tried = {**dict.fromkeys(found.probabilities), **dict.fromkeys(found.margins), found.action: None}
    rows: list[dict[str, Any]] = []
    for action in tried:
        margin = found.margins.get(action)
        rows.append(
            {
                "action": action,
                "text": game.actions.text(action),
                "probability": found.probabilities.get(action),
                "margin": None if margin is None else _finite(margin.mean),
                "error": None if margin is None else _finite(margin.half_width),
                "playouts": None if margin is None else margin.deals,
            }
        )
    # What it would do, then what it looked into most: a margin from two playouts says little.
    rows.sort(key=lambda row: (row["action"] != found.action, -(row["playouts"] or 0), -_worth(row), row["action"]))
    return {
        "player": player,
        "action": found.action,
        "text": game.actions.text(found.action),
        "value": None if found.value is None else _finite(found.value),
        "rows": rows,
    }


def _worth(row: dict[str, Any]) -> float:
    if row["margin"] is not None:
        return float(row["margin"])
    return float(row["probability"]) if row["probability"] is not None else float("-inf")


def _finite(value: float) -> float | None:
    """JSON has no infinity."""
    return float(value) if abs(value) < 1e12 else None
