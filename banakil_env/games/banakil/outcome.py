"""How does it stand, and how did it end? The words for phases and endings, and the outcome that the arena records."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from banakil_env.core.game import Outcome
from banakil_env.games.banakil import state as S
from banakil_env.games.banakil.faces import FACES, NO_FACE
from banakil_env.games.banakil.notation import ending_text
from banakil_env.games.banakil.scoring import score_list

PHASES = ("draw or take", "play", "choose a meld", "over")
ENDINGS = {
    S.OUT: "seat {winner} is out",
    S.EXHAUSTED: "the stock is exhausted",
    S.TURNS: "out of turns",
    S.MATCH: "seat {winner} wins the match",
    S.ROUNDS: "the match is out of rounds",
}
HAND = "hand"
MARKS = {HAND: "a seat went out in one turn, having melded nothing before (B7.2)"}

# What a player loses who fails at a table, in points: more than a bad round or match costs.
_FORFEITS = {"round": 150, "match": 1000}


def outcome(state: Any) -> Outcome:
    """How the round or match ended, or stands."""
    ended = bool(state.ending)
    return Outcome(
        ending=ending_text(state).split(",")[0] if ended else "",
        winner=None if state.winner == S.NO_SEAT else int(state.winner),
        text=ending_text(state) if ended else "",
        points=tuple(int(points) for points in state.points[: state.num_players]),
        scores=tuple(score_list(state)),
        turns=int(state.turns),
        rounds=int(state.rounds),
        marks=(HAND,) if state.ending == S.OUT and state.in_one_turn else (),
    )


def explain(state: Any) -> str:
    """What is to be decided, and what is forbidden; see `core.game.Texts`."""
    banned = (
        f"; {FACES.names[state.banned]} may not be discarded in this turn (B2.4)" if state.banned != NO_FACE else ""
    )
    return f"seat {state.seat} is to {PHASES[state.phase]}{banned}"


def forfeit(options: Mapping[str, Any]) -> int:
    """Points that a player loses who fails at a table with these options."""
    return _FORFEITS[options.get("episode", "round")]
