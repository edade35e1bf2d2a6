"""Rummy in words: positions, the decision, and the table as a `Scene`."""

from __future__ import annotations

from typing import Any

from banakil_env.core.scene import Scene
from banakil_env.games.rummy.state import ENDINGS, RUMMY
from banakil_env.kit.one_pack.positions import OnePackPositions
from banakil_env.kit.setup import forfeits
from banakil_env.kit.table_state import CHOOSE, DRAW, MATCH, OUT, PLAY

DECISIONS = {DRAW: "draw or take", PLAY: "play or discard", CHOOSE: "choose a meld"}
MARKS = {"rummy": "a seat went rummy: out in one turn, having put nothing on the table before it (R7.1)"}

# Points that a player loses for failing at a table: more than a bad round or match costs.
forfeit = forfeits({"round": 150, "match": 300})

POSITIONS = OnePackPositions(ENDINGS, seat_endings=(OUT, RUMMY, MATCH), marks={RUMMY: ("rummy",)})


def explain(state: Any) -> str:
    """The decision, and the plays that are forbidden; see `core.game.Texts`."""
    return POSITIONS.explain(state, DECISIONS, "R3.3")


def scene(state: Any, viewer: int | None = None) -> Scene:
    """The table as `viewer` sees it; None: all hands open, and the stock too."""
    return POSITIONS.scene(state, viewer, DECISIONS)
