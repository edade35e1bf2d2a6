"""The rules of a table of Gin Rummy in plain words; the numbered rules are in docs/rules/gin.md."""

from __future__ import annotations

from banakil_env.games.gin.rules import Rules
from banakil_env.kit.rules_text import About, HowToPlay, TableFacts, counted, limits, match_to, moves, section

ABOUT = About(
    sentence="Two hands of ten: sort them into sets and runs, and knock before the other does.",
    turns=8,
    cards=(
        "3c 4c 5c 6c",
        "9h 9s 9d",
    ),
    presets={
        "openspiel": "As researchers play it: plain points, no bonuses for the match.",
        "common": "As people play it: big gin, undercut on ties, game, shutout and line bonuses.",
    },
)

HOW_TO_PLAY = HowToPlay(
    goal="""Sort your ten cards into sets and runs, so that little *deadwood* is left: the value of the cards in no
    meld.""",
    turn="""Draw the top card of the stock or take the top of the pile, and discard one card. Nothing is laid on the
    table before the end. With 10 points of deadwood or less after the discard you may knock.""",
    end="""A knock ends the round: the knocker shows the hand, and the other player lays off cards on the knocker's
    melds, unless the knocker has gone gin. With two cards left in the stock the round ends in a draw, unless the
    other player can knock with the upcard.""",
    scoring="""The knocker scores the difference in deadwood; with no deadwood, *gin*, all of the other's and 25 more.
    A knocker who does not have less is *undercut*: the other scores the difference and 25.""",
    tip="Knock early with a middling hand. Wait for gin only with several cards that would make it.",
)


def sections(rules: Rules, table: TableFacts) -> list[str]:
    """The rules of this table; see `kit.rules_text`."""
    return [
        section(
            "Aim and cards",
            """Two players collect sets and runs in their hands, and score when one of them knocks with little left
            over. One pack of 52 cards. Ranks go from the Ace (low) to the King (high), and do not go round: Q K A is
            no run. Values: Ace 1, Two to Nine their number, Ten, Jack, Queen and King 10. A set is three or four cards
            of one rank. A run is three or more cards of one suit in sequence. A card counts in one meld only. The
            deadwood of a hand is the value of its cards that are in no meld, with the melds that leave the least.""",
            """Each player is dealt ten cards. The next card, the first upcard, is turned up and begins the pile. The
            rest is the stock, face down. The player who does not deal begins.""",
        ),
        section("A turn", *_turn(rules)),
        section("Knocking", *_knock(rules)),
        section("After a knock", *_after(rules)),
        section("When the stock runs low", *_wall(rules)),
        section("Scoring", *_scoring(rules, table)),
        moves(
            ("draw", "take the top card of the stock"),
            ("take", "take the top card of the pile"),
            ("pass", "leave the upcard; lay nothing more"),
            ("knock", "knock, and show your hand"),
            ("big gin" if rules.big_gin is not None else "", "go out with all eleven cards in melds"),
            ("open 7h 8h 9h", "after a knock: lay a meld of three to five cards of your hand, lowest first"),
            ("add Th", "after a knock: lay a card off on a meld of the knocker"),
            ("discard Kc", "discard"),
        ),
    ]


def _turn(rules: Rules) -> tuple[str, ...]:
    returned = (
        "A card from the pile may be discarded again in the same turn."
        if rules.return_taken
        else "A card that you took from the pile may not be discarded in the same turn, not even for a knock."
    )
    return (
        """At the start the first player may take the first upcard or pass; then the dealer may take it or pass. If both
        pass, the first player draws from the stock and may not take the upcard.""",
        f"""In a turn you draw the top card of the stock, which the other player does not see, or take the top card of
        the pile. Then you discard one card, or knock. {returned}""",
    )


def _knock(rules: Rules) -> tuple[str, ...]:
    limit = {
        "off": f"The limit is {rules.knock_card}." if rules.knock_card else "The limit is 0: only gin will do.",
        "on": "The limit is the value of the first upcard of the round; with an Ace it is 0, so that only gin will do.",
        "spades": """The limit is the value of the first upcard of the round; with an Ace it is 0, so that only gin will
        do. If the first upcard is a spade, all points of the round count double.""",
    }[rules.oklahoma]
    # With another limit than the number of the rules, the number says nothing.
    count = (
        """Nor may the deadwood of all eleven cards, arranged so that it is least, be more than the limit when its
        highest card is left out; this seldom matters."""
        if rules.knock_count == "first"
        else ""
    )
    big = (
        f"""Big gin: if all eleven cards lie in melds, you may go out without a discard. You lay all of them, and then
        pass; it scores {rules.big_gin} and the other hand."""
        if rules.big_gin is not None
        else ""
    )
    return (
        f"""With eleven cards you may knock if some discard leaves deadwood of no more than the limit. {limit}
        {count}""",
        """A knock shows your hand. You discard a card that leaves deadwood within the limit, then lay your melds one by
        one, three to five cards each; a longer run is laid as two. A meld may be laid if the rest can still be arranged
        within the limit. When the cards left are worth no more than the limit, you finish with pass.""",
        big,
    )


def _after(rules: Rules) -> tuple[str, ...]:
    ends = (
        "A run takes at most two more cards at either end."
        if rules.lay_offs == "two"
        else "A run takes as many cards as fit."
    )
    return (
        f"""If the knocker has cards left over, the other player may lay cards off on the knocker's melds, one by one,
        and then passes. A card that fits a run and a set goes to the run, and the set takes no card after that. {ends}
        If the knocker has no card left over, nothing is laid off.""",
        """Then the other player lays melds of their own hand, as many as they like, and passes. Nothing is laid off
        after that. Cards are counted as they were laid, so lay everything that you can.""",
    )


def _wall(rules: Rules) -> tuple[str, ...]:
    end = (
        """When a turn ends with two cards in the stock, the other player may still knock, with the upcard as the
        eleventh card, or pass; after a pass the round is drawn."""
        if rules.wall == "knock"
        else "When a turn ends with two cards in the stock, the round is drawn."
    )
    repeats = (
        "The round is also drawn when both players, one after the other, take the upcard and discard it again."
        if rules.repeats
        else ""
    )
    upcards = (
        f"""After {counted(rules.upcard_limit, "upcard")} have been taken in a round, taking another one draws the
        round."""
        if rules.upcard_limit is not None
        else ""
    )
    return end, repeats, upcards


def _scoring(rules: Rules, table: TableFacts) -> tuple[str, ...]:
    tie = "the round is drawn" if rules.tie == "nothing" else "it is an undercut"
    bonuses = []
    if table.match and rules.game_bonus:
        twice = ", or twice that if the other player has no points" if rules.shutout else ""
        bonuses.append(f"Then the player with the higher score gets {rules.game_bonus} points more{twice}.")
    if table.match and rules.line_bonus:
        bonuses.append(f"Each player gets {rules.line_bonus} points for every round won.")
    ends = " The highest score after that wins the match; on a tie, the player who was ahead before."
    return (
        f"""The values of the cards left in both hands are compared. A knocker with no card left is gin, and scores the
        other hand and {rules.gin_bonus} points. A knocker with less than the other player scores the difference. A
        knocker with more is undercut: the other player scores the difference and {rules.undercut_bonus} points. If both
        are equal, {tie}. A drawn round is worth nothing.""",
        match_to(rules.target, rules.deals, table),
        " ".join(bonuses) + ends * bool(bonuses),
        limits(rules.max_turns, rules.max_rounds, table),
    )
