"""The switches of Gin Rummy (G11) and its presets."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from banakil_env.kit import switches
from banakil_env.kit.switches import RulesError, choice, flag, whole
from banakil_env.kit.table_state import MAX_ROUNDS, MAX_TURNS

# The values of the switches, as numbers in the record.
NO_OKLAHOMA, OKLAHOMA, SPADES_DOUBLE = range(3)
KNOCK_AT_WALL, END_AT_WALL = range(2)
TWO_LAY_OFFS, ANY_LAY_OFFS = range(2)
FIRST_COUNT, BEST_COUNT = range(2)
TIE_IS_NOTHING, TIE_UNDERCUTS = range(2)

MAX_BONUS, MAX_GAME_BONUS = 100, 500


@dataclass(frozen=True)
class Rules(switches.Rules):
    """The switches of Gin Rummy. The defaults are the rules of OpenSpiel."""

    knock_card: int = whole(10, 0, 10, scale=10, note="the most deadwood to knock with (G5.2)")
    oklahoma: str = choice("off", "on", "spades", note="the first upcard sets the most deadwood to knock with (G5.2)")
    knock_count: str = choice("first", "best", note="how the deadwood of eleven cards is counted (G5.3)")
    gin_bonus: int = whole(25, 0, MAX_BONUS, scale=25, note="points for going gin (G8.1)")
    undercut_bonus: int = whole(25, 0, MAX_BONUS, scale=25, note="points for an undercut (G8.3)")
    tie: str = choice("nothing", "undercut", note="the result of equal deadwood after a knock (G8.4)")
    big_gin: int | None = whole(None, 0, MAX_BONUS, none=True, scale=25, note="points for big gin (G5.6)")
    wall: str = choice("knock", "end", note="the rule for the last two cards of the stock (G7.1)")
    lay_offs: str = choice("two", "any", note="cards laid off at either end of a run (G6.3)")
    return_taken: bool = flag(True, note="a card taken from the pile may be discarded in the same turn (G4.2)")
    repeats: bool = flag(True, note="an upcard that both seats take and discard ends the hand (G7.2)")
    upcard_limit: int | None = whole(50, 1, 1000, none=True, scale=50, note="most upcards taken in a round (G7.3)")
    target: int | None = whole(100, 1, 1_000_000, none=True, scale=100, note="the match score to reach (G9.1)")
    deals: int | None = whole(None, 1, 1000, none=True, scale=10, note="rounds of a match (G9.1)")
    game_bonus: int = whole(0, 0, MAX_GAME_BONUS, scale=100, note="points for winning the match (G9.3)")
    shutout: bool = flag(False, note="the game bonus is doubled when the other seat has no points (G9.3)")
    line_bonus: int = whole(0, 0, MAX_BONUS, scale=25, note="points at the end of a match for each hand won (G9.4)")
    max_turns: int = whole(300, 1, MAX_TURNS, scale=100, note="turns after which a round ends unscored (G7.4)")
    max_rounds: int = whole(100, 1, MAX_ROUNDS, scale=100, note="rounds after which a match is given up (G9.6)")

    def agree(self) -> None:
        """Check that the switches agree with each other (G11.1). RulesError: a match would never end."""
        if self.target is None and self.deals is None:
            raise RulesError("target=none and deals=none: such a match has no end; give one of them")


Rules.presets = MappingProxyType(
    {
        "openspiel": Rules(),
        "common": Rules(
            knock_count="best",
            tie="undercut",
            big_gin=31,
            wall="end",
            lay_offs="any",
            return_taken=False,
            repeats=False,
            upcard_limit=None,
            game_bonus=100,
            shutout=True,
            line_bonus=25,
        ),
    }
)
