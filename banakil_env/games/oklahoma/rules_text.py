"""The rules of a table of Oklahoma Rummy in plain words; the numbered rules are in docs/rules/oklahoma.md."""

from __future__ import annotations

from banakil_env.games.oklahoma.rules import USUAL_OF_EIGHT, Rules
from banakil_env.kit.rules_text import About, HowToPlay, TableFacts, limits, match_to, moves, number, section

ABOUT = About(
    sentence="Melds of three and four, wild Twos, and the pile is taken whole or not at all.",
    turns=15,
    cards=(
        "6d 2s 8d 9d",
        "Jh Js Jc",
    ),
    presets={
        "denexa": "Thirteen cards or so each; suits of a set may repeat.",
        "strict": "The suits of a set differ, and an empty stock ends the round.",
        "eleven": "Eleven cards each.",
    },
)

HOW_TO_PLAY = HowToPlay(
    goal="Score with small melds, and go out before the others have laid theirs.",
    turn="""Draw from the stock, or take the whole pile: its top card has to make a new meld with two cards of your
    hand. Lay sets and runs of three or four cards, never more, and add only to your own melds. Twos are wild. Discard
    one card; the Queen of spades may not be discarded.""",
    end="A round ends when a hand is empty, or when nothing is left to draw.",
    scoring="""You score your melds, 100 for going out, less the cards in your hand. The Queen of spades is worth 50
    in a meld and costs 100 in the hand; a Two is worth 25 in a meld of Twos.""",
    tip="Keep Twos for openings that need them, and take a pile for the melds that it brings, not for its size.",
)


def sections(rules: Rules, table: TableFacts) -> list[str]:
    """The rules of this table; see `kit.rules_text`."""
    usual = USUAL_OF_EIGHT if table.players == 8 else 13
    cards = usual if rules.hand_cards == "usual" else int(rules.hand_cards)
    return [
        section(
            "Aim and cards",
            """Lay small melds on the table; what you have laid counts for you, and what you still hold counts against
            you when somebody goes out. Two packs of 52 cards are used, 104 cards without Jokers. The eight Twos are
            wild, and never natural cards. In a run the Ace is low (A 2 3, with a wild Two in the middle) or high (Q K
            A), not both; K A 2 is no run.""",
            f"""Each player is dealt {number(cards)} cards. The next card is turned up and begins the pile. The rest is
            the stock, face down. The player after the dealer begins.""",
        ),
        section(
            "Drawing",
            f"""Your turn begins with drawing the top card of the stock, which the others do not see, or with taking the
            whole pile. {_stock_out(rules)}""",
            """To take the pile, its top card must at once make a new meld with exactly two cards of your hand; a meld
            that lies on the table and would take the card is not enough. First the top card comes into your hand, and
            the very next move opens a meld that contains it, together with two cards that you held before. If the top
            card is a Two, any Two will do. Then the rest of the pile comes into your hand, known to everybody, and
            your turn goes on. Cards that came with the pile may be discarded again.""",
        ),
        section(
            "Melds",
            f"""A set is three or four cards of one rank. {_suits(rules)} A run is three or four cards of one suit in
            sequence. No meld has five cards. A meld is opened with exactly three cards, and a fourth may be added in
            the same turn or later. You may open any number of melds in a turn, but you add only to your own melds,
            never to another player's. Cards never leave a meld, and melds are never joined. You may have several melds
            of one rank or suit.""",
            """A Two stands for any card, and keeps standing for it. In a run its place says for which card; in a set it
            is one more card of the rank. A set or a run has at least one natural card, and there is no other limit to
            its Twos. A meld of Twos is three or four Twos; nothing but a Two is added to it.""",
            """In a run of spades a Two may stand for the Queen of spades only if it is the only Two of the meld; no Two
            is added later.""",
        ),
        section(
            "Ending the turn",
            """You discard one card, which ends the turn. Any card may go, a Two too, but never the Queen of spades. If
            you meld or add your last card, you are out without a discard. A player who holds nothing but Queens of
            spades ends the turn with pass; in any other position pass is not allowed.""",
        ),
        section(
            "The end of a round and scoring",
            f"""A round ends when a hand is empty. {_exhausted(rules)}""",
            """In melds the Queen of spades is worth 50, an Ace 20, King to Eight 10, Seven to Three 5. A Two is worth
            25 in a meld of Twos, and elsewhere as much as the card for which it stands: 50 in the place of the Queen of
            spades, 10 in a set of Queens, 5 in the place of the Two. In the hand the Queen of spades counts 100 and a
            Two 20; the other cards count as in melds.""",
            f"""You score your melds{f", plus {rules.out_bonus} if you went out" * (rules.out_bonus > 0)}, minus the
            cards in your hand. The result may be negative.""",
            match_to(rules.target, None, table),
            limits(rules.max_turns, rules.max_rounds, table),
        ),
        moves(
            ("draw", "take the top card of the stock"),
            ("take all", "take the pile"),
            ("open 7h 8h 9h", "open a run, lowest card first; a Two is written `2`, at its place: `open 7h 2 9h`"),
            ("open Kc Kd 2=K", "open a set; a Two in a set is written `2=K`. A meld of Twos is `open 2 2 2`"),
            ("add Th", "add a natural card to a meld of yours"),
            ("add 2 high", "add a Two at the high end; `add 2 low` at the low end; to a set it is always `high`"),
            ("meld 2", "say which meld, asked only where the card just named fits several of yours"),
            ("discard Kc", "discard, and end the turn; a Two is `discard 2`"),
            ("pass", "end the turn with nothing but Queens of spades in hand"),
        ),
    ]


def _suits(rules: Rules) -> str:
    if rules.set_suits == "different":
        return "Its natural cards are of different suits."
    return "Their suits are free, and the same card may be in it twice."


def _stock_out(rules: Rules) -> str:
    if rules.stock_out == "end":
        return ""
    return """If you draw and the stock is empty, the top card of the pile stays, the other cards of the pile are
    shuffled into a new stock, and you draw from that."""


def _exhausted(rules: Rules) -> str:
    renewed = " and fewer than two cards in the pile" if rules.stock_out == "shuffle" else ""
    bonus = ", and nobody gets the bonus for going out" if rules.out_bonus else ""
    return f"It also ends when a turn would begin with an empty stock{renewed}; then everybody scores{bonus}."
