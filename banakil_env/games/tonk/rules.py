"""The switches of Tonk (T11) and its presets."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from banakil_env.kit import switches
from banakil_env.kit.switches import RulesError, choice, flag, whole
from banakil_env.kit.table_state import MAX_ROUNDS, MAX_TURNS

# The values of the switches, as numbers in the record.
COUNT_HAND, COUNT_UNMATCHED = range(2)
FROM_50, FROM_49, NO_HIGH_TONK = range(3)

LOWEST_HAND = 6  # four Aces and a Two
MAX_STAKE = 1000


@dataclass(frozen=True)
class Rules(switches.Rules):
    """The switches of Tonk. The defaults are the published rules."""

    slaps: bool = flag(True, note="a discard that fits a spread may be called out of turn (T6)")
    hold: bool = flag(True, note="a seat whose spread another hits cannot spread or hit in its next turn (T5.4)")
    count: str = choice(
        "hand", "unmatched", note="the cards of a hand that count: all, or those outside spreads (T9.2)"
    )
    high_tonk: str | int = choice(50, 49, "none", note="the lowest count that is a high tonk (T2.2)")
    low_tonk: int = whole(11, 0, 15, note="the highest count that is a low tonk, 6 or more; 0: no low tonk (T2.2)")
    stake: int = whole(1, 1, MAX_STAKE, scale=10, note="the stake (T1.3)")
    deals: int = whole(10, 1, 1000, scale=10, note="rounds of a match (T10.1)")
    max_turns: int = whole(200, 1, MAX_TURNS, scale=100, note="turns after which a round ends unpaid (T8.4)")
    max_rounds: int = whole(100, 1, MAX_ROUNDS, scale=100, note="rounds after which a match is given up (T10.2)")

    def agree(self) -> None:
        """Check the switch `low_tonk`. RulesError: no hand can have so few points."""
        if 0 < self.low_tonk < LOWEST_HAND:
            raise RulesError(
                f"low_tonk must be 0 or from {LOWEST_HAND} to 15, not {self.low_tonk}: no hand counts less"
            )


Rules.presets = MappingProxyType(
    {
        "denexa": Rules(),
        "quiet": Rules(slaps=False),
        "gin": Rules(count="unmatched"),
        "plain": Rules(slaps=False, hold=False, high_tonk=49, low_tonk=0),
    }
)
