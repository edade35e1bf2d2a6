"""The rules of a table of Canasta in plain words; the numbered rules are in docs/rules/canasta.md."""

from __future__ import annotations

from banakil_env.games.canasta.rules import Rules
from banakil_env.kit.rules_text import About, HowToPlay, TableFacts, counted, limits, match_to, moves, number, section

ABOUT = About(
    sentence="Partners collect seven of a rank, fight for the pile, and go out when it hurts most.",
    turns=8,
    cards=(
        "Ks Kh Kd Kc Ks JK 2d",
        "3h 3d",
    ),
    presets={
        "denexa": "Red Threes always count for you; the pile is open to everybody.",
        "classic": "The classic rules: the pile is frozen to a side without melds, whose red Threes count against it.",
    },
)

HOW_TO_PLAY = HowToPlay(
    goal="""With your partner, collect *canastas*, melds of seven cards of one rank, and go out when it hurts the
    others most.""",
    turn="""Draw a card or take the whole pile, lay melds of three or more of a rank and add to those of your side,
    and discard. At least two cards of a meld are natural and at most three are wild (Twos, Jokers). The first meld of
    a side needs a minimum value: 50 points at first. You take the pile by melding its top card; if it is frozen by a
    wild card, with two natural cards from your hand.""",
    end="""A round ends when a hand is empty, which needs a canasta, or when the stock is used up and nobody takes the
    pile.""",
    scoring="""A side scores its melded cards less those in its hands; 500 for a natural canasta, 300 for a mixed one,
    100 for each red Three, 100 for going out.""",
    tip="The pile wins games: keep pairs that take it, and discard cards that the others do not collect.",
)


def sections(rules: Rules, table: TableFacts) -> list[str]:
    """The rules of this table; see `kit.rules_text`."""
    four = table.players == 4
    asks = four and rules.ask
    return [
        section(
            "Aim and cards",
            f"""Meld cards of one rank, and build canastas, melds of seven cards or more. Two packs of 52 cards and four
            Jokers are used, 108 cards. Twos and Jokers are wild. Values: Joker 50, Two and Ace 20, Eight to King 10,
            Four to Seven and the black Threes 5. A red Three is a bonus card. Only ranks matter, and the colour of the
            Threes. {_sides(four)}""",
            f"""Each player is dealt {number(11 if four else 15)} cards. The next card begins the pile; while a wild
            card or a red Three lies on top, another one is turned up. The rest is the stock, face down. The player
            after the dealer begins.""",
            """Red Threes are laid down at once and replaced from the stock, without a decision. They belong to the
            side. A red Three that comes up with the pile is laid down and not replaced.""",
        ),
        section(
            "A turn",
            f"""First you draw {"the top card" if four else "two cards"} of the stock, or take the pile. Then you may
            open melds and add to the melds of your side, in any order. Last, you discard one card, any card, which
            ends the turn. A move is legal only if you can still end your turn after it. If you may not go out, you
            have to keep a card after your discard.""",
        ),
        section(
            "Melds",
            """A meld is three or more cards of one rank from Four to Ace, at least two of them natural and at most
            three of them wild. It belongs to a side; either partner adds to it. A side has one meld of a rank, and
            nothing is taken back. A meld is opened with three natural cards, or with two and a wild card, and grows
            card by card. Seven cards or more are a canasta: natural without wild cards, otherwise mixed. It may grow
            on, and change its kind.""",
            """Three or four black Threes, without wild cards, may be melded by a player who goes out in the same turn,
            as the last meld: at most one card may be left then. They are no canasta.""",
            """The first meld of a side must have a value that depends on the score of the side when the round began: 15
            below zero, 50 below 1500, 90 below 3000, otherwise 120. All cards count that you lay down in this turn, in
            any number of melds. While the value is not reached, only moves are legal from which it can be reached.
            With the pile its top card counts and what comes from your hand; the rest of the pile comes into your hand
            the moment the value is reached.""",
        ),
        section("Taking the pile", *_pile(rules)),
        section("Going out", *_out(rules, table.players, asks)),
        section("The end of the stock", *_stock(rules, four)),
        section(
            "Scoring",
            f"""A side scores its melded cards and its bonuses, less the cards in the hands of its players. A natural
            canasta is worth 500, a mixed one 300; each red Three 100, all four 800; going out 100, or 200 if the side
            had melded nothing before that turn. {_reds(rules)}{" Partners have the same points." if four else ""}""",
            match_to(rules.target, None, table),
            limits(rules.max_turns, rules.max_rounds, table),
        ),
        moves(
            ("draw", f"draw {'a card' if four else 'two cards'} from the stock"),
            ("take 7 7", "take the pile, melding its top card with these two cards of your hand; also `take 7 2`"),
            ("take add", "take the pile, adding its top card to the meld of your side"),
            ("open 7 7 7", "open a meld; `open 7 7 2` and `open 7 7 JK` with a wild card"),
            ("open 3 3 3", "open black Threes"),
            ("add 7", "add a card to the meld of its rank"),
            ("add 2 to 7", "add a Two to a meld; `add JK to 7` a Joker"),
            ("discard K", "discard, and end the turn"),
            ("ask" if asks else "", "ask your partner whether you may go out; the partner answers `yes` or `no`"),
            ("stop", "end your last turn, and the round, without a discard"),
            ("pass" if rules.must_take != "able" else "", "without a stock: decline the pile, which ends the round"),
        )
        + "\nCards are named by rank alone.",
    ]


def _sides(four: bool) -> str:
    if four:
        return "The players opposite each other are partners: side 0 is seats 0 and 2, side 1 is seats 1 and 3."
    return "Each of the two players is a side."


def _pile(rules: Rules) -> tuple[str, ...]:
    frozen = "To a side without melds every pile is frozen." if rules.frozen_before_meld else ""
    lone = "" if rules.lone_take else "With one card in your hand you may not take a pile of one card."
    return (
        f"""You take the whole pile by melding its top card; the rest comes into your hand, everybody knows those
        cards, and your turn goes on without a draw. A black Three, a wild card or a red Three on top cannot be taken.
        {lone}""",
        f"""A pile that contains a wild card or a red Three is frozen until it is taken. {frozen} A frozen pile is
        taken only with two natural cards of the rank of its top card, from your hand; they join the meld of your side,
        if there is one. A pile that is not frozen is taken by adding its top card to the meld of your side; if your
        side has no meld of that rank, by opening one with two cards of your hand, two naturals or a natural and a wild
        card.""",
    )


def _out(rules: Rules, players: int, asks: bool) -> tuple[str, ...]:
    needed = (2 if players == 2 else 1) if rules.canastas == "usual" else int(rules.canastas)
    canastas = (
        f"Your side needs {counted(needed, 'canasta')} for that; one that is completed in the same turn counts."
        if needed
        else "No canasta is needed for that."
    )
    ask = (
        """Once a turn, if you can go out in this turn and can also end it otherwise, you may ask your partner whether
        you may go out. After yes only moves that lead to going out are legal, after no only those that do not need it.
        You do not have to ask."""
        if asks
        else ""
    )
    return (
        f"You go out when your hand becomes empty, by melding or by the discard. {canastas} The round ends at once.",
        ask,
    )


def _stock(rules: Rules, four: bool) -> tuple[str, ...]:
    must = {
        "able": "a player who can take the pile must take it",
        "fits": """a player who can add the top card of the pile to the meld of its side must take the pile; any other
        player who can take the pile may take it, or pass, which ends the round""",
        "never": "a player who can take the pile may take it, or pass, which ends the round",
    }[rules.must_take]
    draws = "" if four else " If one card is left in the stock, one is drawn."
    return (
        f"""Play goes on without a stock: {must}. The round ends when the turn comes to a player who has nothing to
        draw and cannot take the pile.{draws}""",
        """Whoever draws a red Three as the last card of the stock plays the last turn: it may meld, and go out by
        melding, but not discard; `stop` ends the round.""",
    )


def _reds(rules: Rules) -> str:
    if rules.red_threes_against:
        return "Red Threes of a side without melds count against it."
    return "Red Threes count for a side without melds, too."
