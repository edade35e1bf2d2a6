"""Gin Rummy as text: positions, the decision in words, and the table as a `Scene`."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, ClassVar

from banakil_env.core.scene import Scene
from banakil_env.games.gin import state as S
from banakil_env.games.gin.rules import NO_OKLAHOMA, SPADES_DOUBLE
from banakil_env.kit.line_notes import LINES, Line
from banakil_env.kit.notation import Lines
from banakil_env.kit.one_pack.positions import OnePackPositions
from banakil_env.kit.positions import ByRules, seat_of_turn
from banakil_env.kit.setup import forfeits
from banakil_env.kit.table_state import DRAW, MATCH, OVER, PLAY

# The words for the phases in the line `turn`, and for the decisions.
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

# Points that a player loses if it fails at a table. The forfeit is higher than the cost of a bad round or match.
forfeit = forfeits({"round": 125, "match": 500})


class GinPositions(OnePackPositions):
    """Writes and reads positions of Gin Rummy as text: a round begins with the upcard."""

    notes: ClassVar[Mapping[str, Line]] = {
        "turn": Line(LINES["turn"].says, "`upcard` by the seat after the dealer; must be given with `turns`"),
    }

    def usual_turn(self, lines: Lines, state: Any, over: bool) -> str:
        """Return the line `turn` for a position that does not give it: the offer of the first upcard.

        A seat that leaves the upcard ends no turn. After the first turn the number of turns therefore does not
        determine the seat to move, and the line is required. PositionError: the line is missing.
        """
        if state.turns:
            raise lines.fail("turn", f"the line is missing; after {state.turns} turns it must say whose turn it is")
        return f"seat {seat_of_turn(state)}, {self.phases[S.UPCARD]}"


def _limit_by_rules(rules: Any) -> int | None:
    """Return the largest deadwood of a knock by the rules; None if the first upcard of the round decides (G5.2)."""
    return int(rules.knock_card) if rules.oklahoma == NO_OKLAHOMA else None


def _doubled_by_rules(rules: Any) -> int | None:
    """Return 0, because points are not doubled by these rules; None if a spade as first upcard doubles them (G5.2)."""
    return None if rules.oklahoma == SPADES_DOUBLE else 0


POSITIONS = GinPositions(
    S.ENDINGS,
    seat_endings=(S.KNOCKED, S.GIN, S.BIG_GIN, S.UNDERCUT, MATCH),
    phases=WORDS,
    marks={S.KNOCKED: ("knock",), S.GIN: ("gin",), S.BIG_GIN: ("gin",), S.UNDERCUT: ("undercut",)},
    by_rules={
        "limit": ByRules(_limit_by_rules, "the switch `knock_card`; must be given with the switch `oklahoma`"),
        "doubled": ByRules(_doubled_by_rules, "0; must be given with `oklahoma=spades`"),
    },
)


def _decisions(state: Any) -> dict[int, str]:
    """Return the decisions in words, by phase. After two passes the first turn must draw from the stock (G3.3)."""
    return DECISIONS if state.turns else {**DECISIONS, DRAW: "draw"}


def explain(state: Any) -> str:
    """Describe the decision of the seat to move and the plays that are forbidden; see `core.game.Texts`."""
    left = "; both seats have left the upcard (G3.3)" if state.phase == DRAW and not state.turns else ""
    return POSITIONS.explain(state, _decisions(state), "G4.2") + left


def scene(state: Any, viewer: int | None = None) -> Scene:
    """Return the table as seat `viewer` sees it. With None all hands and the stock are open."""
    table = POSITIONS.scene(state, viewer, _decisions(state))
    if state.phase == OVER:
        return table
    own = [f"knock with {state.limit} or less" if state.limit else "knock with gin only"]
    own += ["points count double"] * int(state.doubled)
    return dataclasses.replace(table, facts=(*table.facts, *own))
