"""The switches of Canasta (C10) and its presets."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from banakil_env.kit import switches
from banakil_env.kit.switches import choice, flag, whole
from banakil_env.kit.table_state import MAX_ROUNDS, MAX_TURNS

# The values of the switches, as numbers in the record.
USUAL = 0  # `canastas`; a number n is stored as n + 1
ABLE, FITS, NEVER = range(3)


@dataclass(frozen=True)
class Rules(switches.Rules):
    """The switches of Canasta. The defaults are the published rules."""

    canastas: str = choice(
        "usual", "0", "1", "2", "3", note="canastas needed to go out; usual: 1, for two players 2 (C7.1)"
    )
    ask: bool = flag(True, note="a player may ask the partner before going out (C7.4)")
    must_take: str = choice(
        "able",
        "fits",
        "never",
        note="whether the pile must be taken when the stock is empty (C8.1)",
    )
    frozen_before_meld: bool = flag(False, note="every pile is frozen for a side without melds (C6.2)")
    lone_take: bool = flag(True, note="a player with one card may take a pile of one card (C6.1)")
    red_threes_against: bool = flag(False, note="red Threes count against a side without melds (C9.3)")
    target: int = whole(5000, 1, 1_000_000, scale=5000, note="the match score to reach (C9.5)")
    max_turns: int = whole(200, 1, MAX_TURNS, scale=100, note="turns after which a round ends unscored (C11.1)")
    max_rounds: int = whole(100, 1, MAX_ROUNDS, scale=100, note="rounds after which a match is given up (C11.1)")


Rules.presets = MappingProxyType(
    {
        "denexa": Rules(),
        "classic": Rules(must_take="fits", frozen_before_meld=True, lone_take=False, red_threes_against=True),
    }
)
