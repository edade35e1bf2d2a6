"""The rules of a table of Rummy in plain words; the numbered rules are in docs/rules/rummy.md."""

from __future__ import annotations

from banakil_env.games.rummy.rules import Rules
from banakil_env.kit.rules_text import About, HowToPlay, TableFacts, limits, match_to, moves, number, section

ABOUT = About(
    sentence="The basic game: draw, lay sets and runs, discard, and be the first without cards.",
    turns=12,
    cards=(
        "4h 5h 6h 7h",
        "Qs Qd Qc",
    ),
    presets={
        "denexa": "One meld a turn; the pile is shuffled when the stock is empty.",
        "memory": "The pile is turned over, not shuffled: remember what lies in it.",
        "free": "As many melds a turn as you like.",
        "block": "The last card has to be discarded, and an empty stock ends the round.",
    },
)

HOW_TO_PLAY = HowToPlay(
    goal="Be the first to get rid of all your cards.",
    turn="""Draw the top card of the stock or of the pile. You may then lay one new meld, a set of a rank or a run of
    a suit, and add cards to any meld on the table, also those of others. Discard one card to end the turn.""",
    end="A round ends when a hand is empty. If the stock runs out, the pile is shuffled and becomes the stock.",
    scoring="""The player who goes out scores the cards left in the other hands: court cards and Tens 10, an Ace 1,
    others their number. Going out with the whole hand in one turn, *going rummy*, scores twice as much.""",
    tip="""Holding everything back for going rummy pays double and risks a full hand. Among three players or more, lay
    down early.""",
)


def sections(rules: Rules, table: TableFacts) -> list[str]:
    """The rules of this table; see `kit.rules_text`."""
    cards = 10 if table.players == 2 else 7 if table.players < 5 else 6
    return [
        section(
            "Aim and cards",
            """Be the first to get rid of all your cards, by laying sets and runs on the table and by discarding. One
            pack of 52 cards is used. Ranks go from the Ace (low) to the King (high); a run does not go round, so Q K A
            is no run. Card values: Ace 1, Two to Nine their number, Ten, Jack, Queen and King 10.""",
        ),
        section(
            "The deal",
            f"""Each player is dealt {number(cards)} cards. The next card is turned up and begins the discard pile. The
            rest is the stock, face down. The player after the dealer begins.""",
        ),
        section(
            "A turn",
            """A turn has three parts: draw, play, discard. First you draw one card: either the top card of the stock,
            which the others do not see, or the top card of the pile, which everybody knows you have. Nothing has to be
            done with a card from the pile, but you may not discard it in the same turn. Then you may play cards to the
            table, in any order. Last, you discard one card onto the pile, which ends the turn.""",
            _stock_out(rules),
        ),
        section(
            "Melds",
            """A set is three or four cards of one rank. A run is three or more cards of one suit in sequence. A meld is
            opened with exactly three cards; more cards are added one by one, in the same turn or later. You may add
            cards to any meld on the table, your own or another player's, as many as you like, even if you have melded
            nothing yourself. Cards never leave a meld. You never have to play anything.""",
            "You may open only one meld in a turn. There is one exception, going rummy, which is explained below."
            if rules.melds == "one"
            else "You may open any number of melds in a turn.",
        ),
        section(
            "Going out",
            "You go out, and the round ends, when your hand is empty. "
            + (
                "Your last card must be discarded: you may not meld it or add it."
                if rules.last_card == "discard"
                else "Your last card may be discarded, melded or added."
            )
            + " A play after which you could not finish your turn is illegal.",
            f"""Going rummy means that you get rid of your whole hand in one turn, after having put no card on the table
            before in this round (an addition to another player's meld counts as such a card). {_second_meld(rules)}
            Nothing is announced. The points for it are multiplied by {rules.rummy_factor}.""",
        ),
        section(
            "Scoring",
            f"""The player who goes out scores the values of all cards left in the other hands,
            {rules.rummy_factor} times as much for going rummy. The others score nothing. Every card in a hand counts,
            also cards that would make a meld there.""",
            match_to(rules.target, rules.deals, table),
            limits(rules.max_turns, rules.max_rounds, table),
        ),
        moves(
            ("draw", "take the top card of the stock"),
            ("take", "take the top card of the pile"),
            ("open 7h 8h 9h", "open a run or a set with three cards, lowest first; suits in the order c d h s"),
            ("add Th", "add a card to a meld"),
            ("meld 2", "say which meld, asked only where the card just named fits several"),
            ("discard Kc", "discard, and end the turn"),
        ),
    ]


def _second_meld(rules: Rules) -> str:
    if rules.melds == "any":
        return ""
    return """To go rummy you may open a second meld in the turn, and more, if the whole hand can then still be got rid
    of in this turn; from the second opening on, only moves that keep this possible are legal."""


def _stock_out(rules: Rules) -> str:
    return {
        "shuffle": """If you draw and the stock is empty, the top card of the pile stays, and the other cards of the
        pile are shuffled and become the stock. (That needs two cards on the pile.)""",
        "turn": """If you draw and the stock is empty, the whole pile is turned over without shuffling and becomes the
        stock. Its order has been seen, so everybody knows the cards that are drawn from it.""",
        "end": "If a turn would begin with an empty stock, the round ends at once, and nobody scores.",
    }[rules.stock_out]
