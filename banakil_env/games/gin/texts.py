"""Gin Rummy in words: positions, what is to be decided, and the table as a `Scene`."""

from __future__ import annotations

import dataclasses
from typing import Any

from banakil_env.core.scene import Scene
from banakil_env.games.gin import state as S
from banakil_env.kit.positions import CARD, CARDS, OwnLine, Positions, explain_turn
from banakil_env.kit.scenes import scene_of
from banakil_env.kit.setup import forfeits
from banakil_env.kit.table_state import DRAW, MATCH, OVER, PLAY

# The words of the line `turn`, and what is to be decided.
WORDS = {
    DRAW: "draw",
    PLAY: "play",
    S.UPCARD: "upcard",
    S.KNOCK: "knock",
    S.LAY: "lay",
    S.LAY_OFF: "lay off",
    S.DEFEND: "defend",
    S.AT_WALL: "wall",
}
DECISIONS = {
    DRAW: "draw or take",
    PLAY: "discard or knock",
    S.UPCARD: "take the first upcard or pass",
    S.KNOCK: "discard for the knock",
    S.LAY: "lay the melds of the knock, or pass",
    S.LAY_OFF: "lay off on the knocker's melds, or pass",
    S.DEFEND: "lay melds of the hand, or pass",
    S.AT_WALL: "knock with the upcard or pass",
}
MARKS = {
    "knock": "a seat knocked and scored, without gin (G8.2)",
    "gin": "a seat went gin, or big gin (G8.1)",
    "undercut": "a seat knocked, and the other scored (G8.3)",
}

# What a player loses who fails at a table, in points: more than a bad round or match costs.
forfeit = forfeits({"round": 125, "match": 500})


POSITIONS = Positions(
    S.ENDINGS,
    seat_endings=(S.KNOCKED, S.GIN, S.BIG_GIN, S.UNDERCUT, MATCH),
    phases=WORDS,
    marks={S.KNOCKED: ("knock",), S.GIN: ("gin",), S.BIG_GIN: ("gin",), S.UNDERCUT: ("undercut",)},
    own=(
        OwnLine("taken", "taken", CARD),
        OwnLine("repeated", "repeated"),
        OwnLine("upcards", "upcards"),
        OwnLine("limit", "limit"),
        OwnLine("doubled", "doubled"),
        OwnLine("laid off", "laid_off", CARDS),
        OwnLine("boxes", "boxes"),
    ),
)


def explain(state: Any) -> str:
    """What is to be decided, and what is forbidden; see `core.game.Texts`."""
    return explain_turn(state, DECISIONS, "G4.2")


def scene(state: Any, viewer: int | None = None) -> Scene:
    """The table as `viewer` sees it; None: all hands open, and the stock too."""
    table = scene_of(state, viewer, POSITIONS, DECISIONS)
    if state.phase == OVER:
        return table
    own = [f"knock with {state.limit} or less" if state.limit else "knock with gin only"]
    own += ["points count double"] * int(state.doubled)
    return dataclasses.replace(table, facts=(*table.facts, *own))
