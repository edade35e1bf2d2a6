"""The rules of a table of Hand in plain words; the numbered rules are in docs/rules/hand.md."""

from __future__ import annotations

from banakil_env.games.hand.rules import Rules
from banakil_env.kit.rules_text import About, HowToPlay, TableFacts, counted, limits, moves, section

ABOUT = About(
    sentence="Wild cards change with every deal. Wait, and lay the whole hand in one turn: the points are doubled.",
    turns=14,
    cards=(
        "9c Tc JK Qc",
        "Ks Kd Kh",
    ),
    presets={
        "pagat": "The rules as pagat.com has them.",
        "egypt": "More points for a full hand: in one suit, in one colour, with a wild card left over.",
        "jokers": "Jokers alone are wild, and the deal goes round.",
        "loose": "Easier: cards taken may be added, and the pile is shuffled when the stock is empty.",
        "strict": "Harder: Aces are wild, and every first meld must be worth more than the one before.",
    },
)

HOW_TO_PLAY = HowToPlay(
    goal="""Get rid of your whole hand; the last card is always a discard. Points are bad, and the lowest total
    wins.""",
    turn="""Draw from the stock or take the top of the pile, lay and add to melds, and discard. Melds are sequences of
    a suit and groups of three or four of a rank in different suits, with at most one wild card each. Your first melds
    of a deal have to be worth 51 points together, and a card from the pile has to be laid in a new meld at once. The
    card turned up at the deal says which two cards are wild.""",
    end="A round ends when a hand is empty after the discard, or unscored when the stock is nearly used up.",
    scoring="""The winner gets minus 30. The others get the value of their cards, or 100 if they have melded nothing;
    if the winner went out with all cards in one turn, minus 60 for the winner and double for the others.""",
    tip="""Waiting for a full hand doubles everything, for you and against you. Lay down when an opponent holds few
    cards.""",
)


def sections(rules: Rules, table: TableFacts) -> list[str]:
    """The rules of this table; see `kit.rules_text`."""
    return [
        section("Aim and cards", *_cards(rules, table)),
        section(
            "The deal",
            """Each player is dealt 14 cards, and the player after the dealer one more, who begins. No card starts the
            pile. The rest is the stock, face down.""",
            """Count your pairs of equal natural cards and your wild cards. With four or more in all you may demand a
            new deal. Only players who may are asked, one after the other, unseen by the others: to keep the hand, or to
            redeal. Then all hands are thrown in, and the same dealer deals again. A new deal is not offered in the last
            deal that may be made.""",
        ),
        section("A turn", *_turn(rules)),
        section(
            "Melds",
            """A sequence is three to 13 consecutive cards of one suit. The ranks go A 2 3 ... Q K A; an Ace is at one
            end of a sequence, never inside and never at both ends. A group is three or four cards of one rank and of
            different suits. A meld has at most one wild card, in place of any natural. In a sequence the wild card
            stands for the card of its place and stays there. In a group of two naturals and a wild card, that stands
            for both missing cards; three naturals and a wild card are a meld as well.""",
            """Melds are never split, joined or rearranged. A meld is opened with three cards and grows by additions,
            in the same turn or later. An Ace, or a wild card in its place, that fits both ends of a sequence goes to
            the low end.""",
        ),
        section("The first meld", *_first_meld(rules, table)),
        section("Adding and exchanging", *_adding(rules)),
        section("The card from the pile", *_taken(rules)),
        section("The end of a round", *_end(rules, table)),
        section("Scoring", *_scoring(rules, table)),
        moves(
            ("keep, redeal", "the answers when you may demand a new deal"),
            ("draw", "take the top card of the stock"),
            ("take", "take the top card of the pile"),
            ("open 7h 8h 9h", "open a sequence, lowest card first, or a group, suits in the order c d h s"),
            ("open 5h W 7h", "a wild card `W` stands at its place; in a group it is written last: `open 5c 5s W`"),
            ("add 8h", "add a card to a meld"),
            ("add W low", "add a wild card at the low end; `add W high` at the high end, or to a group"),
            ("swap 8d", "exchange a natural for a wild card; `swap 8d 8s` for a group of two naturals"),
            ("meld 4", "say which meld, asked only where the play just named fits several"),
            (
                "discard Kc",
                "discard, and end the turn; a wild card is `discard W`"
                + (", two at once `discard W W`" if rules.two_wilds_out else ""),
            ),
        ),
    ]


def _cards(rules: Rules, table: TableFacts) -> tuple[str, ...]:
    jokers = " and two Jokers, 106 cards" if rules.wilds in ("turned", "jokers") else ", 104 cards"
    wilds = {
        "turned": """Every deal has two wild cards. A card that is turned up at the deal, the indicator, says which. If
        it is an Ace, the two Jokers are wild and all Aces are natural. If it is any other card, the two Aces of its
        suit are wild, and the Jokers take their place as natural Aces of that suit.""",
        "jokers": "The two Jokers are wild; all Aces are natural.",
        "aces": """Every deal has two wild cards. A card that is turned up at the deal, the indicator, says which: the
        two Aces of its suit. It is never an Ace.""",
        "aces_single": """A card that is turned up at the deal, the indicator, says which cards are wild: the two Aces
        of its suit. If it is an Ace itself, the other Ace of its suit is the only wild card.""",
    }[rules.wilds]
    sides = "The players opposite each other are partners: seats 0 and 2, and seats 1 and 3." if table.partners else ""
    printed = "" if rules.wilds == "jokers" else " (Only the indicator is written as it is printed.)"
    return (
        f"""Get rid of all your cards, the last one by a discard. Points are bad: the lowest total wins. Two packs of 52
        cards{jokers}. {sides}""",
        f"""{wilds} A wild card is written W in this deal; a natural Ace of clubs is Ac.{printed}""",
    )


def _turn(rules: Rules) -> tuple[str, ...]:
    return (
        """The first turn of a deal has one step: the beginner discards a card. In every other turn you draw the top
        card of the stock, or take the top card of the pile. Then you open melds, add to melds and exchange wild cards,
        as often as you like. Then you discard any card, wild or not. Every turn ends with a discard, so you always
        keep a card for it.""",
        """A play is legal only if you can still end your turn properly after it, by further plays and a discard.""",
    )


def _first_meld(rules: Rules, table: TableFacts) -> tuple[str, ...]:
    if rules.first_meld == 0 and not rules.rising:
        worth = "Your first melds in a deal need no value."
    else:
        worth = f"""Your first melds in a deal, laid in one turn, must be worth {rules.first_meld} points or more
        together. Several openings count together, with what is added to them in the turn."""
    rising = (
        "Every first meld of a deal must be worth more than the one before it; the table says how much is needed."
        if rules.rising
        else ""
    )
    aces = (
        f"an Ace counts 11 (in a sequence {rules.ace_low} below a Two, {rules.ace_high} above a King)"
        if rules.ace_low != 11 or rules.ace_high != 11
        else "an Ace counts 11"
    )
    partners = "Each partner needs a first meld of their own." if table.partners else ""
    return (
        f"""{worth} {rising} {partners} In first melds {aces}, King, Queen and Jack 10, the others their number; a wild
        card counts as the card of its place, in a group as one more card of the rank.""",
        """Until the value is reached you exchange nothing, and add nothing to other players' melds except to go out.
        If you get rid of your whole hand in the turn, you need no value: below the value, an opening is legal if the
        value can still be reached or the hand can go out.""",
    )


def _adding(rules: Rules) -> tuple[str, ...]:
    pair = (
        "A third natural may be added to two naturals and a wild card."
        if rules.add_to_pair
        else """To two naturals and a wild card, one natural alone is added only if you go out in this turn, or if some
        player has one card when the turn has ended. If another player has one card, the addition is free; otherwise it
        binds you to end the turn with one card at most in your hand."""
    )
    reuse = (
        "Your next play after an exchange must lay a wild card."
        if rules.reuse_wild
        else "You may lay it, keep it or discard it."
    )
    return (
        f"""With a meld of your own you may add to any meld on the table. What fits: the next card at an end of a
        sequence; the fourth card of a group of three; a wild card at an end of a sequence, or as fourth card of three
        naturals, if the meld has no wild card. {pair}""",
        f"""To exchange, you lay the natural card for which a wild card stands, and take the wild card into your hand:
        in a sequence the card of its place; in a group of three naturals and a wild card the fourth; in a group of two
        naturals both missing cards together. Everybody knows the wild card in your hand. {reuse}""",
    )


def _taken(rules: Rules) -> tuple[str, ...]:
    must = (
        """If you take the top card of the pile, you must lay it in this turn: in an opening with two cards of your
        hand, or, if the player before you has melded, by adding it to a meld. Until it lies there, you exchange
        nothing."""
        if rules.take_to_add
        else "If you take the top card of the pile, you must lay it first, in an opening with two cards of your hand."
    )
    aces = "of any suit" if rules.wilds == "jokers" else "of the suit of the indicator"
    if rules.wilds == "turned":
        aces = "of the suit of the indicator where Aces are wild, of any suit where the Jokers are"
    wild = {
        "ace": f"""A wild card taken from the pile may be used only as a natural Ace, {aces}, and is a natural Ace
        from then on.""",
        "group": f"""A wild card taken from the pile may be used only as a natural Ace, {aces}, and only in a group of
        Aces; it is a natural Ace from then on.""",
        "never": "A wild card cannot be taken from the pile.",
        "wild": """A wild card taken from the pile stays wild, but it is not laid as the fourth card next to three
        naturals of your hand.""",
    }[rules.wild_discard]
    return f"{must} Taking is legal only if you can complete your turn so.", wild


def _end(rules: Rules, table: TableFacts) -> tuple[str, ...]:
    stock = {
        "players": f"""The round ends unscored when the stock has {counted(table.players, "card")} or fewer at the end
        of a turn.""",
        "empty": "The round ends unscored when the stock is empty at the end of a turn.",
        "reshuffle": """When the stock is empty at the end of a turn, all of the pile but its top card is shuffled and
        becomes the stock; if there is nothing to shuffle, the round ends unscored.""",
    }[rules.stock_end]
    first = (
        "You may go out in your first turn (the beginner's first turn is a mere discard)."
        if rules.win_first_turn
        else "You may not go out in your first turn."
    )
    return f"A player whose hand is empty after the discard has won the round. {first} {stock}", limits(
        rules.max_turns, rules.max_rounds, table
    )


def _scoring(rules: Rules, table: TableFacts) -> tuple[str, ...]:
    own = (
        """The winner's side scores the winner's points, the other side the sum of both its hands; both players of a
        side have the points of the side."""
        if table.partners
        else ""
    )
    factors = [
        "twice with a wild card discarded" * rules.wild_out,
        "twice if its natural cards are all red or all black" * rules.one_colour,
        "four times if its natural cards are of one suit" * rules.one_suit
        + ", instead of the two for colour" * (rules.one_suit and rules.one_colour),
        "four times if all but two wild cards are melded and both are discarded at once" * rules.two_wilds_out
        + ", instead of the two for one wild card" * (rules.two_wilds_out and rules.wild_out),
    ]
    said = "; ".join(filter(None, factors))
    return (
        f"""The winner scores -30. The others score 100 if they have melded nothing, otherwise the values of the cards
        in their hands: an Ace {rules.ace_hand}, King, Queen and Jack 10, the others their number, a wild card 15.
        {own}""",
        """A full hand, all cards melded in one turn with nothing melded before and nothing put to other players'
        melds, scores -60, and the others score double."""
        + (f" It counts {said}. These factors multiply." if said else ""),
        _match(rules, table),
    )


def _match(rules: Rules, table: TableFacts) -> str:
    if not table.match:
        again = f"At most {counted(rules.max_unscored, 'deal')} can be made, new deals that were demanded counted in."
        return f"One round is played. The lowest score wins. {again}"
    dealer = (
        """The next dealer is the player with most points in the round; on a tie the old dealer, if among them,
        otherwise the first of them after the old dealer."""
        if rules.deal == "worst"
        else "The deal passes to the next player after every scored round."
    )
    return f"""A match has {counted(rules.rounds, "scored round")}; the lowest total wins. On a tie for the lowest,
    further rounds are played until it is broken. An unscored deal counts for nothing, and the same player deals again.
    The last round is dealt {counted(rules.last_deals, "time")} at most; if it is then still unscored, the totals
    decide. {dealer} A match is given up after {counted(rules.max_unscored, "unscored deal")} in a row."""
