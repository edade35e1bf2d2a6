"""Banakil as text: positions and endings, the decision in words, and the table as a `Scene`."""

from __future__ import annotations

import dataclasses
from typing import Any

from banakil_env.core.jit import interpreted
from banakil_env.core.scene import Scene
from banakil_env.games.banakil import faces as F
from banakil_env.games.banakil import state as S
from banakil_env.games.banakil.actions import action_text
from banakil_env.games.banakil.faces import FACES, NO_FACE
from banakil_env.games.banakil.positions import HAND, BanakilPositions
from banakil_env.kit.scenes import card_scene
from banakil_env.kit.setup import forfeits
from banakil_env.kit.table_state import CHOOSE, DRAW, EXHAUSTED, MATCH, MATCH_EPISODE, OUT, OVER, PLAY, ROUNDS, TURNS

MARKS = {HAND: "a seat went out in one turn, having melded nothing before (B7.2)"}
_DECISIONS = {DRAW: "draw or take", PLAY: "play or discard", CHOOSE: "choose a meld", OVER: "over"}
_RESULTS = {
    OUT: "seat {winner} is out",
    EXHAUSTED: "the stock is exhausted",
    TURNS: "the limit of turns is reached",
    MATCH: "seat {winner} wins the match",
    ROUNDS: "the limit of rounds is reached",
}

# Points that a player loses if it fails at a table. The forfeit is higher than the cost of a bad round or match.
forfeit = forfeits({"round": 150, "match": 1000})

POSITIONS = BanakilPositions(
    {OUT: "out", EXHAUSTED: "exhausted", TURNS: "turns", MATCH: "match", ROUNDS: "rounds"},
    (OUT, MATCH),
    {DRAW: "draw", PLAY: "play", OVER: "play"},
)


def explain(state: Any) -> str:
    """Describe the decision of the seat to move and the plays that are forbidden; see `core.game.Texts`."""
    banned = (
        f"; {FACES.names[state.banned]} may not be discarded in this turn (B2.4)" if state.banned != NO_FACE else ""
    )
    return f"seat {state.seat} is to {_DECISIONS[int(state.phase)]}{banned}"


# The scene ------------------------------------------------------------------------------------------------------------


def scene(state: Any, viewer: int | None = None) -> Scene:
    """Return the table as seat `viewer` sees it. With None all hands and the stock are open."""
    shown = card_scene(
        state,
        viewer,
        POSITIONS,
        _decision(state, viewer),
        facts=_facts(state),
        side_of=interpreted(S.side_of),
        players=" ".join(POSITIONS.partner_words(state)) or "players",
        group=F.NUM_RANKS,
    )
    if not state.ending:
        return dataclasses.replace(shown, points=())
    return dataclasses.replace(shown, result=_RESULTS[int(state.ending)].format(winner=state.winner))


def _facts(state: Any) -> tuple[str, ...]:
    now = state.phase != OVER
    turn = f"turn {state.turns + now} of at most {state.rules.max_turns}"
    if state.episode != MATCH_EPISODE:
        return (turn,)
    return f"match to {interpreted(S.target_of)(state)}, round {state.rounds + now}", turn


def _decision(state: Any, viewer: int | None) -> str:
    text = _DECISIONS[int(state.phase)]
    if state.phase == CHOOSE:
        text += f" for {action_text(int(state.pending))}"
    # The ban on the card taken reveals something about the hand (B2.4).
    if state.banned != NO_FACE and viewer in (None, state.seat):
        text += f"; {FACES.names[state.banned]} may not be discarded"
    elif state.taken != NO_FACE:
        text += f"; it took {FACES.names[state.taken]}"
    return text
