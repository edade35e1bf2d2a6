"""The switches of Hand and Foot (HF11) and its preset."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from banakil_env.kit import switches
from banakil_env.kit.switches import choice, flag, numbers, whole
from banakil_env.kit.table_state import MAX_TURNS

NEVER, ABLE = range(2)  # the values of `must_take`, as numbers in the record


@dataclass(frozen=True)
class Rules(switches.Rules):
    """The switches of Hand and Foot. The defaults are the published rules."""

    piles: tuple[int, ...] = numbers((2, 2, 1), (3, 3, 2), note="clean, dirty and wild piles to go out (HF8.1)")
    ask: bool = flag(True, note="going out needs the partner's permission (HF8.3)")
    must_take: str = choice("never", "able", note="whether the pile must be taken when the stock is empty (HF9.1)")
    deal_bonus: int = whole(0, 0, 100, note="each player's chance of 100 points for the deal, in percent (HF2.3)")
    max_turns: int = whole(300, 1, MAX_TURNS, scale=100, note="turns after which a round ends unscored (HF12.1)")


Rules.presets = MappingProxyType({"denexa": Rules()})
