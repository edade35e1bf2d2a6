"""The rules: the switches of B9, the pack of B10, the presets, and the limits of turns and rounds (B6.3)."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeVar

from banakil_env.games.banakil.faces import NUM_SUITS, RANKS
from banakil_env.kit import switches
from banakil_env.kit.partners import split_partners
from banakil_env.kit.switches import RulesError, choice, flag, pair, whole

# The lowest and highest ranks that a pack can have, counted from the Three; all ranks first.
RANK_RUNS = {
    f"{RANKS[low]}-{RANKS[high]}": (low, high)
    for low in range(len(RANKS))
    for high in reversed(range(low + 2, len(RANKS)))
}

# The values of the switches, as numbers in the record.
WINNER, SUM = range(2)  # `partner_scoring`
FREE, FIXED = range(2)  # `wilds`

HAND_SIZE = 18  # cards dealt to each seat from the full pack; `hand_cards` can be less
MOST_TURNS, MOST_ROUNDS, MOST_BONUS, HIGHEST_TARGET = 30_000, 100, 250, 10_000

R = TypeVar("R", bound="Rules")


@dataclass(frozen=True)
class Rules(switches.Rules):
    """One set of rules. Every switch is off by default (preset `pagat`) and can be combined with all others."""

    partner_scoring: str = choice(
        "winner",
        "sum",
        note="winner: the winner's points alone (B7.3); sum: each side adds both players' points (B9.1)",
    )
    cutter_takes_wilds: bool = flag(note="the cutter takes wild cards off the lifted part (B9.2)")
    unplayed_score_zero: bool = flag(
        note="a player without a turn scores 0 if another seat goes out with a *hand* (B9.3)"
    )
    upcard: bool = flag(
        True, note="a card is turned up; otherwise the first player has one more and does not draw (B9.4)"
    )
    wilds: str = choice("free", "fixed", note="free: B3.2; fixed: at the place where they were melded (B9.5, B9.6)")
    ace_value: float = choice(1.5, 1, note="points of an Ace (B9.7)")
    hand_bonus: tuple[int, int] | None = pair(
        None, 0, MOST_BONUS, note="points of a *hand* if another side has melded, and if no side has (B9.8)"
    )
    discard_taken: bool = flag(
        note="the card taken alone may be discarded; going round with one card voids the deal (B9.9)"
    )
    set_joker_exchange: bool = flag(True, note="a Joker may be exchanged out of a set (off: B9.10)")
    score_exhausted: bool = flag(note="a round that ends with the stock exhausted is scored (B9.11)")
    target: int | None = whole(
        None,
        1,
        HIGHEST_TARGET,
        none=True,
        note="the match score to reach; none: 150, 203 or 303, by players and partners (B8.1)",
    )
    # The default is longer than any sensible round: the stock lasts for at most 69 turns that draw from it.
    max_turns: int = whole(300, 1, MOST_TURNS, note="turns after which a round ends unscored (B6.3)")
    max_rounds: int = whole(100, 1, MOST_ROUNDS, note="rounds after which a match is given up (B6.3)")
    # The pack (B10.1).
    ranks: str = choice(*RANK_RUNS, note="lowest and highest rank of the naturals, three ranks or more")
    suits: int = whole(NUM_SUITS, 1, NUM_SUITS, note="number of suits, from clubs on")
    copies: int = whole(2, 1, 2, note="number of cards of each natural and of each Two")
    twos: bool = flag(True, note="the Twos of these suits are in the pack")
    jokers: int = whole(2, 0, 2, note="number of Jokers")
    hand_cards: int = whole(HAND_SIZE, 1, HAND_SIZE, note="cards dealt to each player")

    @classmethod
    def resolve(cls: type[R], rules: str | R | dict[str, Any]) -> R:
        """Return the rules given as an object, a dict or a text (`"jawaker"`, `"pagat wilds=fixed target=200"`).

        RulesError: invalid rules, or a text that names partners.
        """
        if isinstance(rules, str) and split_partners(rules)[1] is not None:
            raise RulesError(
                f"{rules!r:.80}: choose partners or individuals with the argument partners, not in the rules"
            )
        return super().resolve(rules)

    @property
    def num_wilds(self) -> int:
        """The number of Twos and Jokers in the pack."""
        return self.jokers + (self.suits * self.copies if self.twos else 0)

    @property
    def lowest_rank(self) -> str:
        """The lowest rank of the naturals, as text."""
        return self.ranks.partition("-")[0]

    @property
    def highest_rank(self) -> str:
        """The highest rank of the naturals, as text."""
        return self.ranks.partition("-")[2]

    @property
    def pack_size(self) -> int:
        """The number of cards in the pack."""
        low, high = RANK_RUNS[self.ranks]
        return (high - low + 1) * self.suits * self.copies + self.num_wilds


Rules.presets = MappingProxyType(
    {
        "pagat": Rules(),
        "jawaker": Rules(upcard=False, wilds="fixed", ace_value=1, hand_bonus=(51, 101), target=222),
        "gamefarm": Rules(discard_taken=True, set_joker_exchange=False, score_exhausted=True),
        # Smaller packs (B10): one with 52 cards and two Jokers, and one whose whole game tree a program can search.
        "single": Rules(copies=1, hand_cards=9),
        "mini": Rules(ranks="3-7", suits=1, copies=1, twos=False, jokers=1, hand_cards=2, upcard=False, max_turns=4),
    }
)


def usual_target(num_players: int, partners: bool) -> int:
    """Return the match score to reach if the rules do not set one (B8.1)."""
    if partners:
        return 303
    return 150 if num_players == 2 else 203
