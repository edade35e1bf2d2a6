"""The switches of 500 Rummy (F11) and its presets."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from banakil_env.kit import switches
from banakil_env.kit.switches import choice, flag, whole
from banakil_env.kit.table_state import MAX_ROUNDS, MAX_TURNS

# The values of the switch `stock_out`, as numbers in the record.
NOW, TURN = range(2)

ONE_PACK = 4  # the most players for one pack; more players have two (F1.1)


@dataclass(frozen=True)
class Rules(switches.Rules):
    """The switches of 500 Rummy. The defaults are the published rules."""

    calls: bool = flag(True, note="seats may call a rummy in the pile (F7)")
    stock_out: str = choice("now", "turn", note="the end of the round after the last card of the stock is drawn (F8.2)")
    jokers: int = whole(2, 0, 2, note="Jokers in each pack (F1.1)")
    hand_cards: int = whole(7, 7, 13, note="cards dealt to each seat (F2.1)")
    target: int = whole(500, 1, 1_000_000, scale=500, note="the match score to reach (F10.1)")
    max_turns: int = whole(300, 1, MAX_TURNS, scale=100, note="turns after which a round ends unscored (F8.3)")
    max_rounds: int = whole(100, 1, MAX_ROUNDS, scale=100, note="rounds after which a match is given up (F10.2)")


Rules.presets = MappingProxyType(
    {
        "denexa": Rules(),
        "quiet": Rules(calls=False),
        "turn": Rules(stock_out="turn"),
        "plain": Rules(jokers=0, calls=False, stock_out="turn"),
    }
)
