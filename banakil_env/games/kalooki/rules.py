"""The switches of Kalooki (K11) and its presets."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from banakil_env.kit import switches
from banakil_env.kit.switches import choice, flag, whole
from banakil_env.kit.table_state import MAX_ROUNDS, MAX_TURNS

CONTRACTS = 9
ANY_THREES, DIFFERENT = range(2)  # the values of the switch `threes`, as numbers in the record


@dataclass(frozen=True)
class Rules(switches.Rules):
    """The switches of Kalooki. The defaults are the published rules."""

    contract: int | str = choice(*range(1, CONTRACTS + 1), "any", note="the contract of a one-round episode (K11)")
    calls: int | None = whole(3, 0, 9, none=True, note="most successful calls of a seat in a round (K2.4)")
    own_discard: bool = flag(note="the upcard is also offered to the seat that discarded it (K2.4)")
    threes: str = choice(
        "any", "different", note="ranks of the threes that a seat opens: any, or different ranks (K3.5)"
    )
    max_turns: int = whole(300, 1, MAX_TURNS, scale=100, note="turns after which a round ends unscored (K7.4)")
    max_rounds: int = whole(27, 1, MAX_ROUNDS, scale=10, note="deals after which a match is given up (K9.3)")


Rules.presets = MappingProxyType({"denexa": Rules(), "super": Rules(threes="different")})
