"""The switches of Yaniv (Y7) and its presets."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from banakil_env.kit import switches
from banakil_env.kit.switches import RulesError, choice, flag, whole

MAX_TURNS, MAX_ROUNDS, MAX_PENALTY, MAX_CALL = 10_000, 1000, 100, 20

# The values of the switches, as numbers in the record.
AUTO_PACKS, ONE_PACK, TWO_PACKS = range(3)
TIE_TO_CALLER, TIE_IS_ASAF = range(2)
LEFT_BEGINS, WINNER_BEGINS = range(2)


@dataclass(frozen=True)
class Rules(switches.Rules):
    """The switches of Yaniv. The defaults are the published rules."""

    packs: str | int = choice("auto", 1, 2, note="packs of 54 cards; auto: two for four and five players (Y1.2)")
    call_limit: int = whole(5, 0, MAX_CALL, scale=10, note="the highest total with which a seat can call (Y2.1)")
    tie: str = choice("caller", "asaf", note="the player who wins a call with equal totals (Y4.1)")
    asaf_zero: bool = flag(note="if the caller is beaten, the other seats with the lowest total score 0 (Y4.2)")
    penalty: int = whole(30, 0, MAX_PENALTY, note="points that a beaten caller scores in addition to the total (Y4.2)")
    halving: bool = flag(True, note="a score of exactly the target, or of its half, is halved (Y5.1)")
    target: int = whole(200, 20, 1000, scale=200, note="a seat with a higher score is out; a multiple of 4 (Y6.1)")
    first: str = choice("left", "winner", note="the seat that begins the next round (Y6.2)")
    max_turns: int = whole(200, 1, MAX_TURNS, scale=100, note="turns after which a round ends unscored (Y7.2)")
    max_rounds: int = whole(200, 1, MAX_ROUNDS, scale=100, note="rounds after which a match is given up (Y7.2)")

    def agree(self) -> None:
        """Check the switch `target`. RulesError: the target cannot be halved twice."""
        if self.target % 4:
            raise RulesError(f"target must be a multiple of 4, not {self.target}")


Rules.presets = MappingProxyType(
    {
        "denexa": Rules(),
        "asaf": Rules(call_limit=7, tie="asaf", asaf_zero=True, first="winner"),
    }
)
