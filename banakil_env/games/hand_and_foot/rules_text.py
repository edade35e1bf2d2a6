"""The rules of a table of Hand and Foot in plain words; the numbered rules are in docs/rules/hand_and_foot.md."""

from __future__ import annotations

from banakil_env.games.hand_and_foot.rules import Rules
from banakil_env.kit.rules_text import About, HowToPlay, TableFacts, counted, limits, listed, moves, section

ABOUT = About(
    sentence="Canasta with five packs: play your hand, pick up your foot, and fill seven-card piles.",
    turns=17,
    cards=(
        "Qh Qs Qd Qc Qh",
        "7c 7d 7s 2h",
    ),
    presets={
        "denexa": "The rules as Denexa Games has them.",
    },
)

HOW_TO_PLAY = HowToPlay(
    goal="""With your partner, play two hands each, first the *hand* and then the *foot*, and complete piles of seven
    cards.""",
    turn="""Draw two cards, or take the top seven of the pile by melding its top card with two cards of your hand. Lay
    melds of one rank, add to those of your side, and discard. A pile of seven is *clean* without wild cards, *dirty*
    with some, *wild* with nothing else. The first meld of a side needs a minimum value. With an empty hand you take
    up your foot.""",
    end="""Going out needs two clean piles, two dirty ones and a wild one, both feet taken up, and a yes of your
    partner, whom you ask. The round also ends when nothing is left to draw.""",
    scoring="""A side scores its melded cards less those that it still holds; 1500 for a wild pile, 500 for a clean
    and 300 for a dirty one, 100 for a red Three and for going out.""",
    tip="Do not lay every pair with a wild card: two naturals in the hand take seven cards from the pile.",
)


def sections(rules: Rules, table: TableFacts) -> list[str]:
    """The rules of this table; see `kit.rules_text`."""
    return [
        section(
            "Aim and cards",
            """Build piles, melds of exactly seven cards, and play two hands of cards one after the other: the hand,
            then the foot. Five packs of 52 cards and ten Jokers are used, 270 cards. Twos and Jokers are wild. Values:
            Joker 50, Two and Ace 20, Eight to King 10, Four to Seven and the black Threes 5. A red Three is a bonus of
            100. Only ranks matter, and the colour of the Threes. The players opposite each other are partners: side 0
            is seats 0 and 2, side 1 is seats 1 and 3.""",
            """Each player is dealt a hand of 11 cards and a foot of 11 cards. The foot lies face down, and nobody has
            seen it. The next card begins the pile; it is no wild card and no red Three. The other 181 cards are the
            stock. The player after the dealer begins.""",
            """Red Threes are laid down at once and replaced from the stock as long as there is one, without a
            decision. They belong to the side.""",
        ),
        section(
            "A turn",
            """First you draw two cards from the stock, or take from the pile. Then you may open melds and add to the
            melds of your side, in any order. Last, you discard one card, any card, which ends the turn. If you have
            taken up your foot and may not go out, you have to keep a card after your discard. A move is legal only if
            you can still end your turn after it, with the cards known by then; what the foot may hold is not counted
            on.""",
        ),
        section(
            "Melds and piles",
            """A meld is three to seven cards of one rank from Four to Ace. A meld of three, four or five cards has at
            most one wild card, a meld of six or seven at most two. Or it is three to seven wild cards, Twos and Jokers
            in any mixture, which count as one rank, W. Black Threes are never melded. A meld belongs to a side; either
            partner adds to it. A meld of seven cards is a pile: it is complete, and a new meld of its rank may be
            opened. A side has at most one incomplete meld of a rank. A pile is clean (no wild card), dirty (some), or
            wild (wild cards only). A meld is opened with three natural cards, with two and a wild card, or with three
            wild cards, and grows card by card.""",
            """The first meld of a side in a round must be worth 50 in the first round, 90 in the second, 120 in the
            third and 150 in the fourth. All cards count that you lay down in this turn, in any number of melds. While
            the value is not reached, only moves are legal from which it can be reached with the cards of your hand.""",
        ),
        section(
            "Taking from the pile",
            """To take from the pile you meld its top card with two cards of your hand. Then the next six cards, or as
            many as there are, come into your hand, and everybody knows them; your turn goes on without a draw. While a
            first meld is not yet worth enough, these cards come the moment it is. A natural card from Four to Ace
            needs two naturals of its rank, or a natural and a wild card. A wild card needs two equal to it. A black
            Three cannot be taken. The three cards join the incomplete meld of the rank, if your side has one and the
            result is a meld; with five or six cards there, it is not, and that rank cannot be taken. You need the two
            cards even where the top card alone would fit.""",
        ),
        section(
            "The foot",
            """If your hand becomes empty by melding, you take up your foot at once and your turn goes on. If it
            becomes empty by the discard, you take up the foot at the beginning of your next turn.""",
        ),
        section("Going out", *_out(rules)),
        section("The end of the stock", *_stock(rules)),
        section("Scoring", *_scoring(rules, table)),
        moves(
            ("draw", "draw two cards from the stock"),
            ("take 7 7", "take from the pile, melding its top card with these two cards; also `take 7 2`, `take 2 2`"),
            ("open 7 7 7", "open a meld; `open 7 7 2` with a wild card, `open 2 2 JK` of wild cards"),
            ("add 7", "add a card to the meld of its rank"),
            ("add 2 to 7", "add a Two to a meld; `add JK to W` adds a Joker to the meld of wild cards"),
            ("discard K", "discard, and end the turn"),
            ("ask" if rules.ask else "", "ask your partner whether you may go out; the partner answers `yes` or `no`"),
            ("stop", "end the turn without a discard, where none is possible"),
            ("pass" if rules.must_take == "never" else "", "without a stock: decline the pile, which ends the round"),
        )
        + "\nCards are named by rank alone.",
    ]


def _out(rules: Rules) -> tuple[str, ...]:
    ask = (
        """It needs the permission of your partner. Once a turn, if you can go out in this turn and can also end it
        otherwise, you may ask your partner. After yes only moves that lead to going out are legal; after no, and
        without an answer, only moves that do not need it."""
        if rules.ask
        else "No permission of the partner is needed."
    )
    piles = [
        counted(count, f"{kind} pile")
        for count, kind in zip(rules.piles, ("clean", "dirty", "wild"), strict=True)
        if count
    ]
    needed = (
        f"""Your side also needs at least {listed(piles)}. What is completed in the same turn counts; more piles of one
        kind do not make up for another."""
        if piles
        else "Your side needs no piles for that."
    )
    return (
        f"""You go out when your hand becomes empty after you have taken up your foot. Both feet of your side must have
        been taken up then. {needed} The round ends at once.""",
        ask,
    )


def _stock(rules: Rules) -> tuple[str, ...]:
    must = (
        "a player who can take from the pile may do so, or pass, which ends the round"
        if rules.must_take == "never"
        else "a player who can take from the pile must do so"
    )
    return (
        f"""Play goes on without a stock: {must}. The round ends when the turn comes to a player who has nothing to
        draw and cannot take.""",
        """A player who gets a red Three as the last card of the stock plays the last turn: it may meld, take up the
        foot and go out by melding, but not discard; `stop` ends the round.""",
    )


def _scoring(rules: Rules, table: TableFacts) -> tuple[str, ...]:
    bonus = (
        f"""For taking the right number of cards at the deal each player has a chance of {rules.deal_bonus} per cent to
        score 100."""
        if rules.deal_bonus
        else ""
    )
    match = (
        "A match is four rounds. The deal passes on after each, the highest score wins, and equal scores are a draw."
        if table.match
        else "One round is played, which counts as the first of a match. The highest score wins."
    )
    return (
        f"""A side scores its melded cards and its bonuses, less the cards in the hands and feet of its players; a red
        Three in a foot counts 100 against it. A wild pile is worth 1500, a clean one 500, a dirty one 300; each red
        Three laid down 100; going out 100. {bonus} Partners have the same points.""",
        match,
        limits(rules.max_turns, None, table),
    )
