"""The switches of Rummy (R11) and its presets."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from banakil_env.kit import switches
from banakil_env.kit.switches import RulesError, choice, whole
from banakil_env.kit.table_state import MAX_ROUNDS, MAX_TURNS

# The values of the switches, as numbers in the record.
ONE_MELD, ANY_MELDS = range(2)
ANY_LAST, DISCARD_LAST = range(2)
SHUFFLE, TURN_OVER, END = range(3)


@dataclass(frozen=True)
class Rules(switches.Rules):
    """The switches of Rummy. The defaults are the published rules."""

    melds: str = choice("one", "any", note="melds that a seat may open in a turn (R5.1)")
    last_card: str = choice("any", "discard", note="the ways in which the last card can leave a hand (R6.2)")
    stock_out: str = choice("shuffle", "turn", "end", note="the use of the pile when the stock is empty (R3.4)")
    rummy_factor: int = whole(2, 1, 10, note="the factor of the points for going rummy (R9.1)")
    target: int | None = whole(100, 1, 1_000_000, none=True, scale=100, note="the match score to reach (R10.1)")
    deals: int | None = whole(None, 1, 1000, none=True, scale=10, note="rounds of a match (R10.1)")
    max_turns: int = whole(300, 1, MAX_TURNS, scale=100, note="turns after which a round ends unscored (R8.3)")
    max_rounds: int = whole(100, 1, MAX_ROUNDS, scale=100, note="rounds after which a match is given up (R10.3)")

    def agree(self) -> None:
        """Check that the switches agree with each other (R11.1). RulesError: a match would never end."""
        if self.target is None and self.deals is None:
            raise RulesError("target=none and deals=none: such a match has no end; give one of them")


Rules.presets = MappingProxyType(
    {
        "denexa": Rules(),
        "memory": Rules(stock_out="turn"),
        "free": Rules(melds="any"),
        "block": Rules(stock_out="end", last_card="discard"),
    }
)
