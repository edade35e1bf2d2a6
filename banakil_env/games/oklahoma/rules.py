"""The switches of Oklahoma Rummy (O11) and its presets."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from banakil_env.kit import switches
from banakil_env.kit.switches import choice, whole
from banakil_env.kit.table_state import MAX_ROUNDS, MAX_TURNS

# The values of the switches `set_suits` and `stock_out`, as numbers in the record.
ANY, DIFFERENT = range(2)
SHUFFLE, END = range(2)

# The sizes of hands. The switch `hand_cards` has the number 0 for `usual`, then the numbers from FEWEST on (O2.1).
FEWEST, MOST = 7, 13
USUAL, USUAL_OF_EIGHT = 13, 11


@dataclass(frozen=True)
class Rules(switches.Rules):
    """The switches of Oklahoma Rummy. The defaults are the published rules."""

    set_suits: str = choice("any", "different", note="suits of the natural cards in a set (O4.2)")
    stock_out: str = choice("shuffle", "end", note="the rule for an empty stock (O8.2)")
    hand_cards: str | int = choice("usual", *range(FEWEST, MOST + 1), note="cards dealt to each seat (O2.1)")
    out_bonus: int = whole(100, 0, 1000, scale=100, note="points for going out (O9.5)")
    target: int = whole(1000, 1, 1_000_000, scale=1000, note="the match score to reach (O10.1)")
    max_turns: int = whole(300, 1, MAX_TURNS, scale=100, note="turns after which a round ends unscored (O8.3)")
    max_rounds: int = whole(100, 1, MAX_ROUNDS, scale=100, note="rounds after which a match is given up (O10.2)")


Rules.presets = MappingProxyType(
    {
        "denexa": Rules(),
        "strict": Rules(set_suits="different", stock_out="end"),
        "eleven": Rules(hand_cards=11),
    }
)
