"""The rules of a table of Mille in plain words; the numbered rules are in docs/rules/mille.md."""

from __future__ import annotations

from banakil_env.games.mille.rules import Rules
from banakil_env.kit.rules_text import About, HowToPlay, TableFacts, limits, match_to, moves, section

ABOUT = About(
    sentence="Two players, melds of one rank, naturals of eight that double, and a race to 1200.",
    turns=14,
    cards=(
        "9h 9s 9d 9c",
        "4d 4s 2c",
    ),
    presets={
        "denexa": "The rules as Denexa Games has them.",
    },
)

HOW_TO_PLAY = HowToPlay(
    goal="Lay melds of one rank, and score more than your opponent; the first to 1200 points wins the match.",
    turn="""Draw from the stock, or take the whole pile by melding its top card with two natural cards of its rank.
    Lay melds of three or more cards of a rank, with Twos as wild cards, add to your own, and discard one card.""",
    end="A round ends when a hand is empty.",
    scoring="""You score your melds less your hand: Queen of spades 100, Jack of diamonds 50, Two 20, Ace 15, court
    cards and Tens 10, others 5. All eight naturals of a rank count double, and so do all your melds if no Two is used
    as a wild card.""",
    tip="Two naturals in the hand take the pile; the same two on the table do not.",
)


def sections(rules: Rules, table: TableFacts) -> list[str]:
    """The rules of this table; see `kit.rules_text`."""
    clean = (
        "Both players can have one in the same round."
        if rules.clean == "anyone"
        else "Only the player who goes out can have one."
    )
    return [
        section(
            "Aim and cards",
            """Two players lay melds of cards of one rank, and score what they have laid, less what they still hold. Two
            packs of 52 cards are used, 104 cards without Jokers. Twos are wild. Only ranks matter, but two cards have
            values of their own: the queen of spades (Qs) 100 and the jack of diamonds (Jd) 50. Otherwise a Two is worth
            20, an Ace 15, Ten, Jack, Queen and King 10, Three to Nine 5.""",
            """Each player is dealt 15 cards. The next card is turned up and begins the pile; the other 73 cards are the
            stock, face down. The player who does not deal begins.""",
        ),
        section(
            "A turn",
            """First you draw the top card of the stock, or take the pile. Then you may open melds and add to your own
            melds, as often as you like and in any order. Last, you discard one card, any card, which ends the turn. No
            card has to be kept, and a first meld needs no value.""",
        ),
        section(
            "Melds",
            """A meld is three or more cards of one rank, with any number of Twos among them; one natural card is
            enough. Three or more Twos are a meld of Twos, in which they are not wild. You have at most one meld of
            each rank, add only to your own melds, and take nothing back. A Two stays where it is put. A meld is opened
            with three cards and grows card by card, without an upper size. In a meld all jacks are alike, and all
            queens.""",
        ),
        section(
            "Taking the pile",
            """To take the pile you meld its top card with two natural cards of the same rank from your hand. The three
            cards join your meld of that rank if you have one; you need the two cards even then. The rest of the pile
            comes into your hand, everybody knows those cards, and your turn goes on without a draw. A Two on top of the
            pile cannot be taken, not even with two Twos.""",
            """When the stock is used up, the turn is played to its end. After its discard all cards under the top card
            of the pile are shuffled and become the stock.""",
        ),
        section(
            "The end of a round and scoring",
            """A round ends at once when a hand is empty: by the discard, by melding, or by taking a pile of one card
            with your last two cards. Going out brings no bonus.""",
            f"""A natural of eight is a meld of all eight cards of a rank without a wild card; its value is doubled.
            Eight Twos in the meld of Twos are one, too. You have a clean natural if you have melds, and no Two in any
            of them but the meld of Twos; then the value of all your melds is doubled, so that a natural of eight
            counts four times. {clean}""",
            """You score the value of your melds with what is doubled, less the value of the cards in your hand, which
            is never doubled. The score of a round can be negative; that is called a chapeau.""",
            match_to(rules.target, None, table),
            f"""A loser with fewer than {rules.skunk} points is skunked. {_double_skunk(rules)} The
            winner is paid 3 units for the match, 3 for each natural of eight and each clean natural of the winner, 3
            for each chapeau of the loser, and 1 for each hundred points of difference, each score first rounded to the
            nearest hundred. A skunk doubles the payment, a double skunk makes it threefold. The payment does not
            decide who wins."""
            if table.match
            else "",
            limits(rules.max_turns, rules.max_rounds, table),
        ),
        moves(
            ("draw", "take the top card of the stock"),
            ("take 7 7", "take the pile, melding its top card with these two cards of your hand"),
            ("open 7 7 7", "open a meld; `open 7 7 2` and `open 7 2 2` with Twos"),
            ("open 2 2 2", "open a meld of Twos"),
            ("add 7", "add a card to your meld of that rank"),
            ("add 2 to 7", "add a Two to a meld; `add 2 to 2` adds it to the meld of Twos"),
            ("discard K", "discard, and end the turn"),
            (
                "Jd, Qs, J, Q",
                "the jack of diamonds and the queen of spades are named with their suits; `J` is any other jack, `Q` "
                "any other queen; all other cards are named by rank alone",
            ),
        ),
    ]


def _double_skunk(rules: Rules) -> str:
    if rules.double_skunk == "hand":
        return "A loser who scores below zero in the last round is doubly skunked, whatever the match score."
    return "A loser whose match score is below zero is doubly skunked."
