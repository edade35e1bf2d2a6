"""The rules of a table of 500 Rummy in plain words; the numbered rules are in docs/rules/rummy500.md."""

from __future__ import annotations

from banakil_env.games.rummy500.rules import Rules
from banakil_env.kit.rules_text import About, HowToPlay, TableFacts, counted, limits, match_to, moves, number, section

ABOUT = About(
    sentence="What you lay down counts for you, and the whole pile lies open to be taken from.",
    turns=10,
    cards=(
        "Tc Jc Qc Kc Ac",
        "8s 8h 8d",
    ),
    presets={
        "denexa": "With Jokers, and calls when a discard could have been laid.",
        "quiet": "Without calls.",
        "turn": "After the last card of the stock the turn is played to its end.",
        "plain": "No Jokers and no calls.",
    },
)

HOW_TO_PLAY = HowToPlay(
    goal="Lay down as many points as you can. Every card on the table counts for the player who laid it.",
    turn="""Draw from the stock, or take cards from the pile, which lies open, as deep as you like: the deepest card
    that you take has to be laid at once. Lay sets and runs, add cards to any meld on the table, and discard
    one card.""",
    end="A round ends when a hand is empty, or when the last card of the stock is drawn.",
    scoring="""You score the cards that you have laid less those in your hand: an Ace 15 (1 in A 2 3), a Joker 15,
    court cards and Tens 10, others their number. Going out earns nothing more.""",
    tip="""A long pile is worth more than going out. Do not discard a card that makes a meld with cards in the pile.""",
)


def sections(rules: Rules, table: TableFacts) -> list[str]:
    """The rules of this table; see `kit.rules_text`."""
    packs = 2 if table.players > 4 else 1
    jokers = packs * rules.jokers
    calls = rules.calls and table.players > 2
    with_jokers = f" and {counted(jokers, 'Joker')}" if jokers else ", without Jokers"
    return [
        section(
            "Aim and cards",
            f"""Every card that you lay on the table scores for you; the cards that you still hold count against you.
            {counted(packs, "pack").capitalize()} of 52 cards{with_jokers}: {52 * packs + jokers} cards. The Ace is low
            (A 2 3) or high (Q K A) in a run, never in the middle, and a run has an Ace at one end at most.""",
            f"""Each player is dealt {number(rules.hand_cards)} cards. The next card is turned up and begins the pile.
            The rest is the stock, face down. The player after the dealer begins. The pile is spread out, so that
            everybody sees all its cards in their order.""",
        ),
        section(
            "Drawing",
            """Your turn begins with drawing the top card of the stock, which the others do not see, or with taking the
            top cards of the pile, as many as you like. The deepest of the cards that you take must be usable at once,
            also if you take one card only: it can be laid off on a meld on the table, or opened in a meld of three with
            two other cards of your hand and of those taken with it. Your very next play must contain that card; after
            that the turn goes on as usual. Everybody knows the cards that you have taken. They may be discarded
            again.""",
        ),
        section(
            "Melds",
            """A set is three or four cards of one rank, no suit twice. A run is three to thirteen cards of one suit in
            sequence. A meld is opened with three cards; further cards are laid off one by one, in the same turn or
            later. You may open any number of melds in a turn, and lay cards off on any meld, your own or another
            player's, even if you have opened none. A card scores for the player who laid it, wherever it lies. Cards
            never leave a meld, and melds are never joined. An Ace that fits both ends of a run goes to the high
            end.""",
            """A Joker stands for a card that is named when the Joker is played, and keeps standing for it. In a run the
            place of the Joker names the card; in a set it is written, and its suit counts. A meld is opened with at
            least one natural card; there is no other limit to Jokers. Nothing is exchanged for a Joker."""
            if jokers
            else "",
        ),
        section("Calling for a rummy", *_calls()) if calls else "",
        section(
            "Ending the turn and the round",
            f"""You discard one card, any card, which ends the turn. If you meld or lay off your last card, you are out
            without a discard. A round ends when a hand is empty. {_stock_out(rules)}""",
        ),
        section(
            "Scoring",
            f"""You score the cards that you have laid on the table, minus the cards in your hand. The result may be
            negative. Going out earns nothing more. An Ace is worth 15, but 1 at the low end of a run; King, Queen, Jack
            and Ten 10; Nine to Two their number{"; a Joker 15" if jokers else ""}. In the hand an Ace is worth 15.""",
            match_to(rules.target, None, table),
            limits(rules.max_turns, rules.max_rounds, table),
        ),
        moves(
            ("draw", "take the top card of the stock"),
            ("take 3", "take the top three cards of the pile"),
            (
                "open 7h 8h 9h",
                "open a run or a set with three cards, lowest first; suits in the order c d h s"
                + ("; Jokers at their places: `open 5h JK 7h`, `open 5c JK=5d 5h`" if jokers else ""),
            ),
            ("add Th", "lay a card off on a meld"),
            (
                "add JK low" if jokers else "",
                "lay a Joker off at the low end; `add JK high` at the high end, or on a set",
            ),
            ("meld 2", "say which meld, asked only where the card just named fits several"),
            ("call" if calls else "", "when asked: call for the rummy in the pile"),
            ("pass" if calls else "", "when asked: let it lie"),
            ("discard Kc", "discard, and end the turn"),
        ),
    ]


def _calls() -> tuple[str, ...]:
    return (
        """A rummy is in the pile if, for some number of its top cards, the deepest of them can be laid off, or opened
        in a meld with two others of them, without any card of a hand. After every discard that leaves a rummy in the
        pile, the other players are asked one after the other, beginning with the player after the discard: call or
        pass. The first call wins. If all pass, the next player has an ordinary turn. The card turned up at the deal is
        not called for, nor is a discard that ends the round.""",
        """The caller takes at once: `take` with such a number of top cards. The next play must contain the deepest of
        them; cards of the hand may be used for it. The caller then plays on, up to a discard. The player after the
        caller is next, and players between are passed over.""",
    )


def _stock_out(rules: Rules) -> str:
    if rules.stock_out == "now":
        return (
            "It also ends at once when the last card of the stock is drawn, before that player plays; all score then."
        )
    return (
        "When the last card of the stock has been drawn, that player finishes the turn, and the round ends; all score."
    )
