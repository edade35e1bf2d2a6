"""Gin Rummy in words: positions, how it ended, what is to be decided, and the table as a `Scene`."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from banakil_env.core.game import Game, Outcome, Texts
from banakil_env.core.scene import Scene
from banakil_env.games.gin import state as S
from banakil_env.games.gin.rules import Rules
from banakil_env.kit.outcomes import outcome_of
from banakil_env.kit.positions import CARD, CARDS, OwnLine, Positions, explain_turn
from banakil_env.kit.scenes import scene_of
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
PHASES = {
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
_MARKS = {S.KNOCKED: ("knock",), S.GIN: ("gin",), S.BIG_GIN: ("gin",), S.UNDERCUT: ("undercut",)}

# What a player loses who fails at a table, in points: more than a bad round or match costs.
_FORFEITS = {"round": 125, "match": 500}


def _game() -> Game:
    from banakil_env.games.gin.game import GAME  # which is made of these texts

    return GAME


POSITIONS = Positions(
    _game,
    S.ENDINGS,
    seat_endings=(S.KNOCKED, S.GIN, S.BIG_GIN, S.UNDERCUT, MATCH),
    phases=WORDS,
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


def rules_of(state: Any) -> Rules:
    """The rules that a state holds."""
    return Rules.read(state.rules)


def outcome(state: Any) -> Outcome:
    """How the round or match ended, or stands."""
    return outcome_of(state, POSITIONS.ending(state), _MARKS.get(int(state.ending), ()))


def explain(state: Any) -> str:
    """What is to be decided, and what is forbidden; see `core.game.Texts`."""
    return explain_turn(state, PHASES, "G4.2")


def forfeit(options: Mapping[str, Any]) -> int:
    """Points that a player loses who fails at a table with these options."""
    return _FORFEITS[options.get("episode", "round")]


def scene(state: Any, viewer: int | None = None) -> Scene:
    """The table as `viewer` sees it; None: all hands open, and the stock too."""
    rules = rules_of(state)
    goals = [f"to {rules.target}"] * (rules.target is not None) + [f"of {rules.deals} deals"] * (
        rules.deals is not None
    )
    table = scene_of(
        state,
        viewer,
        title="Gin Rummy",
        rules=rules.text(),
        goal=" or ".join(goals),
        phases=PHASES,
        result=POSITIONS.ending(state) if state.ending else "",
    )
    if state.phase == OVER:
        return table
    own = [f"knock with {state.limit} or less" if state.limit else "knock with gin only"]
    own += ["points count double"] * int(state.doubled)
    return dataclasses.replace(table, facts=(*table.facts, *own))


TEXTS = Texts(POSITIONS.to_text, POSITIONS.from_text, POSITIONS.header, explain)
