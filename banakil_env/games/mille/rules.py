"""The switches of Mille (M8) and its preset."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from banakil_env.kit import switches
from banakil_env.kit.switches import choice, whole
from banakil_env.kit.table_state import MAX_ROUNDS, MAX_TURNS

ANYONE, OUT_ONLY = range(2)  # the values of `clean`, as numbers in the record
MATCH_SCORE, LAST_HAND = range(2)  # the values of `double_skunk`, as numbers in the record


@dataclass(frozen=True)
class Rules(switches.Rules):
    """The switches of Mille. The defaults are the published rules."""

    clean: str = choice(
        "anyone", "out", note="the players that can have a clean natural; out: only the player who goes out (M6.3)"
    )
    target: int = whole(1200, 1, 1_000_000, scale=1200, note="the match score to reach (M7.1)")
    skunk: int = whole(600, 0, 1_000_000, scale=600, note="a loser with fewer points is skunked (M7.3)")
    double_skunk: str = choice(
        "match", "hand", note="the score below zero of a double skunk: the loser's match score or last hand (M7.3)"
    )
    max_turns: int = whole(300, 1, MAX_TURNS, scale=100, note="turns after which a round ends unscored (M9.1)")
    max_rounds: int = whole(100, 1, MAX_ROUNDS, scale=100, note="rounds after which a match is given up (M9.1)")


Rules.presets = MappingProxyType({"denexa": Rules()})
