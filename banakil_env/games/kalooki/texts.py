"""Kalooki as text: positions, the decision in words, and the table as a `Scene`."""

from __future__ import annotations

from typing import Any

from banakil_env.core.jit import interpreted
from banakil_env.core.scene import Scene
from banakil_env.games.kalooki import state as S
from banakil_env.games.kalooki.rules import CONTRACTS
from banakil_env.kit.contracts.positions import ContractPositions, named_text
from banakil_env.kit.contracts.table import ANSWER, CALL, ENDINGS, is_down
from banakil_env.kit.rules_pages import counted
from banakil_env.kit.setup import forfeits
from banakil_env.kit.table_state import CHOOSE, DRAW, MATCH, OUT, PLAY

PHASES = {DRAW: "draw", PLAY: "play", CALL: "call", ANSWER: "answer"}
DECISIONS = {
    DRAW: "draw, or take the upcard",
    PLAY: "play or discard",
    CHOOSE: "choose a meld",
    CALL: "call the upcard or pass",
    ANSWER: "allow the call, or take the upcard",
}
MARKS = {
    "bent": "the seat that went out laid its first melds in the same turn, and the others' points count twice (K8.2)",
    "shared": "the match ended with several seats at the lowest total (K9.1)",
}

# Points that a player loses if it fails at a table. The forfeit is higher than the cost of a bad round or match.
forfeit = forfeits({"round": 400, "match": 2500})


POSITIONS = ContractPositions(
    {**ENDINGS, S.BENT: "bent"},
    (OUT, S.BENT, MATCH),
    PHASES,
    marks={S.BENT: ("bent",)},
    contracts=CONTRACTS,
)


def _contract(state: Any) -> str:
    """Return the contract of the round in words, such as `two threes and one four`."""
    parts = ((int(S.THREES[state.contract]), "three"), (int(S.FOURS[state.contract]), "four"))
    return " and ".join(counted(count, noun) for count, noun in parts if count)


def _decisions(state: Any) -> dict[int, str]:
    """Return the decisions in words, by phase. A seat with melds cannot take the upcard (K2.1)."""
    return {**DECISIONS, DRAW: "draw"} if interpreted(is_down)(state, int(state.seat)) else DECISIONS


def explain(state: Any) -> str:
    """Describe the decision of the seat to move and the remaining duties of the turn; see `core.game.Texts`."""
    said = f"seat {state.seat} is to {_decisions(state)[int(state.phase)]}"
    if state.phase == CHOOSE:
        said += f" for {named_text(state)}"
    elif state.phase == DRAW:
        said += "; a seat with melds draws from the stock (K2.1)"
    elif state.phase == ANSWER:
        said += f"; seat {state.took} calls it (K2.5)"
    elif state.phase == PLAY and state.seat not in state.meld_owner[: state.num_melds]:
        said += f"; first melds must meet contract {state.contract}, {_contract(state)} (K5.1)"
    return said


def scene(state: Any, viewer: int | None = None) -> Scene:
    """Return the table as seat `viewer` sees it. With None all hands and the stock are open."""
    return POSITIONS.scene(
        state,
        viewer,
        _decisions(state),
        _contract(state),
        facts=("the stock has been renewed",) if state.renewed else (),
    )
