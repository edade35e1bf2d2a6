"""Tonk as text: positions, the decision in words, and the table as a `Scene`."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any, ClassVar

from banakil_env.core.scene import Scene
from banakil_env.games.tonk import state as S
from banakil_env.games.tonk.rules import Rules
from banakil_env.kit.line_notes import Line
from banakil_env.kit.notation import Lines
from banakil_env.kit.one_pack.positions import OnePackPositions
from banakil_env.kit.pack52 import FACES
from banakil_env.kit.positions import KEYS
from banakil_env.kit.table_state import CHOOSE, DRAW, MATCH, OUT, OVER, PLAY

# The words for the phases in the line `turn`, and for the decisions.
WORDS = {DRAW: "draw", PLAY: "play", S.ASK_TONK: "tonk", S.ASK_CALL: "call"}
DECISIONS = {
    DRAW: "draw, take or drop",
    PLAY: "play or discard",
    CHOOSE: "choose a spread",
    S.ASK_TONK: "show the tonk or pass",
    S.ASK_CALL: "call the discard or pass",
}
MARKS = {
    "dealt": "the round ended with a dealt tonk (T2.4, T2.5)",
    "dropped": "a seat dropped (T9.4, T9.5)",
    "caught": "a seat dropped and was caught (T9.5)",
    "out": "a seat ran out or tonked out (T8.1)",
    "tonked": "a seat tonked out (T8.1)",
}

# Points that a player loses if it fails at a table, for a stake of 1. The forfeit is higher than the cost of a bad
# round or match.
_FORFEITS = {"round": 10, "match": 50}


class TonkPositions(OnePackPositions):
    """Writes and reads positions of Tonk as text, with the line `held`, and without fields that only Rummy uses."""

    keys: ClassVar[tuple[str, ...]] = tuple("held" if key == "played" else key for key in KEYS if key != "seen")
    notes: ClassVar[Mapping[str, Line]] = {"held": Line("seats that are held (T5.4)")}
    unused: ClassVar[tuple[str, ...]] = ("banned", "melds", "in one turn")

    def read_turn(self, lines: Lines, state: Any) -> None:
        """Read the line `turn`. A card that was called becomes a known card of the hand (T6.4)."""
        super().read_turn(lines, state)
        if state.must:
            state.known[state.seat, 0] |= 1 << int(state.must) - 1


POSITIONS = TonkPositions(
    S.ENDINGS,
    seat_endings=(OUT, S.TONKED, S.TONK, S.DROP, S.CAUGHT, S.LOWEST, MATCH),
    phases=WORDS,
    marks={
        OUT: ("out",),
        S.TONKED: ("out", "tonked"),
        S.TONK: ("dealt",),
        S.DRAWN: ("dealt",),
        S.DROP: ("dropped",),
        S.CAUGHT: ("dropped", "caught"),
    },
    high_ace=True,
)


def explain(state: Any) -> str:
    """Describe the decision of the seat to move and the plays that are forbidden; see `core.game.Texts`."""
    said = POSITIONS.explain(state, DECISIONS, "T7.1")
    if state.must:
        said += f"; {FACES.names[state.must - 1]} was called and has to be played to a spread first (T6.4)"
    elif state.phase == PLAY and state.held[state.seat]:
        said += "; it is held and may neither spread nor hit in this turn (T5.4)"
    return said


def forfeit(options: Mapping[str, Any]) -> int:
    """Return the points that a player loses if it fails at a table with these options."""
    return _FORFEITS[options.get("episode", "round")] * Rules.resolve(options.get("rules", "denexa")).stake


def scene(state: Any, viewer: int | None = None) -> Scene:
    """Return the table as seat `viewer` sees it. With None all hands and the stock are open."""
    table = POSITIONS.scene(state, viewer, DECISIONS)
    seats = tuple(
        dataclasses.replace(each, notes=(*each.notes, *["held"] * bool(state.held[each.seat]))) for each in table.seats
    )
    facts = table.facts
    if state.phase != OVER and state.must:
        facts += (f"{FACES.names[state.must - 1]} was called and has to be played first",)
    return dataclasses.replace(table, seats=seats, facts=facts)
