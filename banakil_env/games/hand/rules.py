"""The switches of Hand (H11, H12) and its presets."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType

from banakil_env.kit import switches
from banakil_env.kit.switches import RulesError, choice, flag, whole

MAX_TURNS, MAX_ROUNDS, MAX_UNSCORED, HIGHEST_FIRST_MELD = 10_000, 1000, 1000, 120

# The values of the switches, as numbers in the record.
TURNED, JOKERS, ACES, ACES_SINGLE = range(4)  # `wilds`
WORST, IN_TURN = range(2)  # `deal`
AS_ACE, AS_ACE_OF_GROUP, NEVER, AS_WILD = range(4)  # `wild_discard`
PLAYERS, EMPTY, RESHUFFLE = range(3)  # `stock_end`


@dataclass(frozen=True)
class Rules(switches.Rules):
    """The switches of Hand. The defaults are the published rules."""

    wilds: str = choice("turned", "jokers", "aces", "aces_single", note="the wild cards (H1.2, H2.2)")
    deal: str = choice("worst", "turn", note="the next dealer: the seat with most points, or the next seat (H10.2)")
    ace_hand: int = choice(11, 10, note="points of an Ace left in a hand (H9.1)")
    ace_low: int = choice(11, 1, note="points of an Ace below a Two in a first meld (H5.3)")
    ace_high: int = choice(11, 10, note="points of an Ace above a King in a first meld (H5.3)")
    first_meld: int = whole(51, 0, HIGHEST_FIRST_MELD, scale=51, note="points that a first meld needs (H5.1)")
    rising: bool = flag(note="every first meld must be worth more than the previous one of the round (H5.1)")
    take_to_add: bool = flag(
        note="the card taken may be added to a meld if the seat that discarded it has melded (H7.1)"
    )
    wild_discard: str = choice(
        "ace", "group", "never", "wild", note="the use of a wild card taken from the pile (H7.4)"
    )
    reuse_wild: bool = flag(note="an exchanged wild card goes back to the table at once (H6.4)")
    add_to_pair: bool = flag(note="a third natural may always be added to two naturals and a wild card (H6.3)")
    stock_end: str = choice("players", "empty", "reshuffle", note="the end of a round by the stock (H8.3)")
    win_first_turn: bool = flag(note="a seat may go out in its first turn (H8.2)")
    wild_out: bool = flag(note="a full hand that discards a wild card counts twice (H9.2)")
    one_colour: bool = flag(note="a full hand of one colour counts twice (H9.2)")
    one_suit: bool = flag(note="a full hand of one suit counts four times (H9.2)")
    two_wilds_out: bool = flag(
        note="a hand that melds thirteen naturals and discards two wild cards counts four times (H9.2)"
    )
    rounds: int = whole(7, 1, 100, scale=7, note="scored rounds of a match (H10.1)")
    last_deals: int = whole(3, 1, 20, note="the most times that the last round is dealt (H10.4)")
    max_turns: int = whole(300, 1, MAX_TURNS, scale=300, note="turns after which a round ends unscored (H12)")
    max_rounds: int = whole(100, 1, MAX_ROUNDS, scale=100, note="rounds after which a match is given up (H12)")
    max_unscored: int = whole(20, 1, MAX_UNSCORED, scale=20, note="unscored deals in a row that end a match (H12)")

    def agree(self) -> None:
        """Check that the switches agree with each other (H11). RulesError: a limit would end a match too early."""
        if self.last_deals > self.max_unscored:
            raise RulesError(f"last_deals={self.last_deals} is more than max_unscored={self.max_unscored}")
        if self.rounds > self.max_rounds:
            raise RulesError(f"rounds={self.rounds} is more than max_rounds={self.max_rounds}")


Rules.presets = MappingProxyType(
    {
        "pagat": Rules(),
        "egypt": Rules(wild_out=True, one_colour=True, one_suit=True, two_wilds_out=True),
        "jokers": Rules(wilds="jokers", deal="turn"),
        "loose": Rules(
            take_to_add=True, wild_discard="wild", add_to_pair=True, stock_end="reshuffle", win_first_turn=True
        ),
        "strict": Rules(
            wilds="aces",
            ace_hand=10,
            ace_low=1,
            ace_high=10,
            first_meld=61,
            rising=True,
            wild_discard="never",
            reuse_wild=True,
            stock_end="empty",
        ),
    }
)
