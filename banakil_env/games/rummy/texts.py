"""Rummy as text: positions, the decision in words, and the table as a `Scene`."""

from __future__ import annotations

from typing import Any

from banakil_env.core.scene import Scene
from banakil_env.games.rummy.state import ENDINGS, RUMMY
from banakil_env.kit.one_pack.positions import OnePackPositions
from banakil_env.kit.setup import forfeits
from banakil_env.kit.table_state import CHOOSE, DRAW, MATCH, OUT, PLAY

DECISIONS = {DRAW: "draw or take", PLAY: "play or discard", CHOOSE: "choose a meld"}
MARKS = {"rummy": "a seat went rummy: out in one turn, with no card on the table before that turn (R7.1)"}

# Points that a player loses if it fails at a table. The forfeit is higher than the cost of a bad round or match.
forfeit = forfeits({"round": 150, "match": 300})

POSITIONS = OnePackPositions(ENDINGS, seat_endings=(OUT, RUMMY, MATCH), marks={RUMMY: ("rummy",)})


def explain(state: Any) -> str:
    """Describe the decision of the seat to move and the plays that are forbidden; see `core.game.Texts`."""
    return POSITIONS.explain(state, DECISIONS, "R3.3")


def scene(state: Any, viewer: int | None = None) -> Scene:
    """Return the table as seat `viewer` sees it. With None all hands and the stock are open."""
    return POSITIONS.scene(state, viewer, DECISIONS)
