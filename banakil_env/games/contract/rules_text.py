"""The rules of a table of Contract Rummy in plain words; the numbered rules are in docs/rules/contract.md."""

from __future__ import annotations

from banakil_env.games.contract.rules import Rules
from banakil_env.kit.contracts.rules_text import contracts_played, totals
from banakil_env.kit.rules_text import About, HowToPlay, TableFacts, counted, moves, section

ABOUT = About(
    sentence="Every round asks for other first melds, all at once, and any card may be bought out of turn.",
    turns=8,
    cards=(
        "8c 8h 8s",
        "3d 4d 5d JK",
    ),
    presets={
        "denexa": "The rules as Denexa Games has them; the contract of a round is a switch.",
    },
)

HOW_TO_PLAY = HowToPlay(
    goal="""Open with exactly the melds that the contract of the round names, and then get rid of your cards. Points
    are bad.""",
    turn="""Draw from the stock or take the upcard. If you draw, the others are asked in turn whether they want the
    upcard, with a card of the stock as a penalty. The first melds have to meet the contract in one turn: in round 1
    two sets of three, in round 2 a set and a run of four, and so on for seven rounds. From your next turn on you may
    lay other melds, add to any meld and exchange Jokers. Discard one card.""",
    end="A round ends when a hand is empty.",
    scoring="""The others score the cards left in their hands: Jokers and Aces 15, court cards and Tens 10, others
    their number. The lowest total wins.""",
    tip="""Buy a card that completes the contract. A card that only might help costs a turn and two more cards to
    lose.""",
)


# The contracts (N1.3): sets of three, runs of four, cards dealt.
_CONTRACTS = ((2, 0, 10), (1, 1, 10), (0, 2, 10), (3, 0, 12), (2, 1, 12), (1, 2, 12), (0, 3, 12))


def sections(rules: Rules, table: TableFacts) -> list[str]:
    """The rules of this table; see `kit.rules_text`."""
    return [
        section(
            "Aim and cards",
            f"""Get rid of your cards by melding; your first melds must be exactly those that the contract of the round
            asks for. Points are bad: the lowest total wins. Two packs of 52 cards and
            {counted(table.players - 1, "Joker")} are used. In a run the order is A 2 3 ... Q K A; an Ace is low or
            high, never in the middle.""",
            _contracts(rules, table),
            """After the deal the next card is turned up: the upcard, which begins the pile. The rest is the stock. The
            player after the dealer begins.""",
        ),
        section("The draw and calls", *_draw(rules)),
        section(
            "Melds and Jokers",
            """A set has three or more cards of one rank; equal cards may be in it, and there is no largest set. A run
            has four or more cards of one suit in order, up to fourteen, with an Ace at each end. Melds are never
            split, joined or taken back.""",
            f"""A Joker stands for any card. {_openings(rules)} Jokers that are added later are not limited. A Joker in
            a set stays there; one in a run can be exchanged.""",
        ),
        section("The contract", *_contract(rules, table)),
        section(
            "Later turns",
            """In turns after the one with your first melds you may open further melds, add cards to any meld on the
            table, and exchange Jokers, as often as you like and in any order. To a set you add a card of its rank, or a
            Joker; to a run the next card at either end, or a Joker. An Ace that fits both ends goes to the high
            one.""",
            """To exchange, you put the natural card that a Joker in a run stands for in its place, and take the Joker
            into your hand. A Joker so taken must be among the cards that open a new meld in the same turn: until then
            you may not discard, and you may not add it.""",
            """A play is legal only if you can still end your turn properly after it with the cards in your hand.""",
        ),
        section(
            "The end of a round and scoring",
            """A turn ends with the discard of any card, a Joker too, or with an empty hand, for which no discard is
            needed. An empty hand ends the round.""",
            """Every player scores the cards left in the hand: Joker and Ace 15, King, Queen, Jack and Ten 10, others
            their number. The same is scored when the round ends because no card can be drawn.""",
            *totals(_CONTRACTS, rules, table),
        ),
        moves(
            ("draw", "take the top card of the stock"),
            ("take", "take the upcard"),
            ("call" if rules.calls != 0 else "", "when asked: take the upcard, and a card of the stock as a penalty"),
            ("pass" if rules.calls != 0 else "", "when asked: leave the upcard"),
            ("open 7c 7d 7h", "open a set; suits in the order c d h s, a Joker `JK` last"),
            ("open 7h 8h JK Th", "open a run of four, lowest card first, a Joker at its place"),
            ("add Jh", "add a card to a meld; of several sets that fit, the one opened first takes it"),
            ("add JK high", "add a Joker at the high end, or to a set, as with a card; `add JK low` at the low end"),
            ("swap 9h", "exchange a natural card for a Joker in a run"),
            ("meld 2", "say which meld, asked only where the card just named fits several"),
            ("discard Kc", "discard, and end the turn"),
        ),
    ]


def _openings(rules: Rules) -> str:
    if rules.jokers == "any":
        return "A meld is opened with at least one natural card; all its other cards may be Jokers."
    return """A meld is opened with at least two natural cards: a set of three with one Joker at most, a run of four
    with two at most."""


def _asked(sets: int, runs: int) -> str:
    parts = [counted(sets, "set") + " of three"] * (sets > 0) + [counted(runs, "run") + " of four"] * (runs > 0)
    return " and ".join(parts)


def _contracts(rules: Rules, table: TableFacts) -> str:
    lines = [f"{place}: {_asked(sets, runs)} ({cards} cards dealt)" for place, (sets, runs, cards) in _numbered()]
    return contracts_played(lines, rules, table)


def _numbered() -> list[tuple[int, tuple[int, int, int]]]:
    return list(enumerate(_CONTRACTS, 1))


def _draw(rules: Rules) -> tuple[str, ...]:
    draw = """The player whose turn it is (the mover) draws the top card of the stock, or takes the upcard. A card from
    the pile is known to everybody. """
    empty = """When a card is needed and the stock is empty, all of the pile but its top card is shuffled and becomes
    the stock. If nothing lies under the top card, drawing ends the round."""
    if rules.calls == 0:
        return (draw, "Then the mover plays to the table, and discards.", empty)
    not_asked = ["a player who has just taken a card so"]
    not_asked += [] if rules.own_discard else ["the player who discarded the upcard"]
    not_asked += [f"a player who has called {counted(rules.calls, 'time')} in this round"] if rules.calls else []
    return (
        draw
        + f"""If the mover draws from the stock, the others may have the upcard: they are asked one after the other,
        beginning after the mover, to call or pass. The first to call takes the upcard and, as a penalty, the next card
        of the stock, unseen by the others. The mover cannot refuse. Then the card under it is offered in the same way,
        until all have passed. Not asked: {"; ".join(not_asked)}. A caller neither plays nor discards. Nobody is asked
        while there would be no penalty card.""",
        "Then the mover plays to the table, and discards.",
        empty,
    )


def _contract(rules: Rules, table: TableFacts) -> tuple[str, ...]:
    first = """Your first melds must meet the contract of the round in one turn: exactly these sets of three and runs of
    four, opened one by one in any order. In that turn you play nothing else: until the contract is met only openings
    of a kind that it still lacks are legal, and then only the discard."""
    apart = """Of two runs of one suit in a contract, none may begin right after the other's last card: 3 4 5 6 and 7 8
    9 T are one run of eight. Runs that overlap, are equal or leave a gap are two."""
    seventh = """Contract 7 is different: three runs that take all cards of your hand in one turn, without a discard.
    The runs are opened with four cards each, and when all three lie there they grow by additions until your hand is
    empty. With the last card no two of them may continue each other. If you cannot do that, you draw and discard."""
    if table.match or rules.contract == "any":
        return first, apart, seventh
    return (seventh, apart) if rules.contract == 7 else (first, apart)
