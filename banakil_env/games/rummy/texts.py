"""Rummy in words: positions, how it ended, what is to be decided, and the table as a `Scene`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from banakil_env.core.game import Game, Outcome, Texts
from banakil_env.core.scene import Scene
from banakil_env.games.rummy.rules import Rules
from banakil_env.games.rummy.state import ENDINGS, RUMMY
from banakil_env.kit.outcomes import outcome_of
from banakil_env.kit.positions import Positions, explain_turn
from banakil_env.kit.scenes import scene_of
from banakil_env.kit.table_state import CHOOSE, DRAW, MATCH, OUT, PLAY

PHASES = {DRAW: "draw or take", PLAY: "play or discard", CHOOSE: "choose a meld"}
MARKS = {"rummy": "a seat went rummy: out in one turn, having put nothing on the table before it (R7.1)"}

# What a player loses who fails at a table, in points: more than a bad round or match costs.
_FORFEITS = {"round": 150, "match": 300}


def _game() -> Game:
    from banakil_env.games.rummy.game import GAME  # which is made of these texts

    return GAME


POSITIONS = Positions(_game, ENDINGS, seat_endings=(OUT, RUMMY, MATCH))


def rules_of(state: Any) -> Rules:
    """The rules that a state holds."""
    return Rules.read(state.rules)


def outcome(state: Any) -> Outcome:
    """How the round or match ended, or stands."""
    return outcome_of(state, POSITIONS.ending(state), ("rummy",) if state.ending == RUMMY else ())


def explain(state: Any) -> str:
    """What is to be decided, and what is forbidden; see `core.game.Texts`."""
    return explain_turn(state, PHASES, "R3.3")


def forfeit(options: Mapping[str, Any]) -> int:
    """Points that a player loses who fails at a table with these options."""
    return _FORFEITS[options.get("episode", "round")]


def scene(state: Any, viewer: int | None = None) -> Scene:
    """The table as `viewer` sees it; None: all hands open, and the stock too."""
    rules = rules_of(state)
    goals = [f"to {rules.target}"] * (rules.target is not None) + [f"of {rules.deals} deals"] * (
        rules.deals is not None
    )
    return scene_of(
        state,
        viewer,
        title="Rummy",
        rules=rules.text(),
        goal=" or ".join(goals),
        phases=PHASES,
        result=POSITIONS.ending(state) if state.ending else "",
    )


TEXTS = Texts(POSITIONS.to_text, POSITIONS.from_text, POSITIONS.header, explain)
