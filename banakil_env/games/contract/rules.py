"""The switches of Contract Rummy (N11) and its preset."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from banakil_env.kit import switches
from banakil_env.kit.switches import choice, flag, whole
from banakil_env.kit.table_state import MAX_ROUNDS, MAX_TURNS

CONTRACTS = 7
ANY = "any"
FEW_JOKERS, ANY_JOKERS = range(2)  # the values of the switch `jokers`, as numbers in the record


@dataclass(frozen=True)
class Rules(switches.Rules):
    """The switches of Contract Rummy. The defaults are the published rules."""

    contract: int | str = choice(*range(1, CONTRACTS + 1), ANY, note="the contract of a one-round episode (N11)")
    calls: int | None = whole(None, 0, 9, none=True, note="most calls of a seat in a round (N2.6)")
    own_discard: bool = flag(note="the upcard is also offered to the seat that discarded it (N2.6)")
    jokers: str = choice("few", "any", note="most Jokers in an opening; any: all its cards but one (N4.2)")
    max_turns: int = whole(300, 1, MAX_TURNS, scale=100, note="turns after which a round ends unscored (N8.3)")
    max_rounds: int = whole(21, 1, MAX_ROUNDS, scale=10, note="deals after which a match is given up (N9.3)")


Rules.presets = MappingProxyType({"denexa": Rules()})
