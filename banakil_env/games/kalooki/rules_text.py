"""The rules of a table of Kalooki in plain words; the numbered rules are in docs/rules/kalooki.md."""

from __future__ import annotations

from banakil_env.games.kalooki.rules import Rules
from banakil_env.kit.contracts.rules_text import contracts_played, totals
from banakil_env.kit.rules_text import About, HowToPlay, TableFacts, counted, moves, section

ABOUT = About(
    sentence="Jamaica's contract game: call for discards out of turn, and Jokers that move along.",
    turns=7,
    cards=(
        "Th Ts Tc",
        "6s 7s JK 9s",
    ),
    presets={
        "denexa": "Threes of one rank may be opened twice.",
        "super": "Every three is of a rank of its own.",
    },
)

HOW_TO_PLAY = HowToPlay(
    goal="""Open with the *threes* (sets) and *fours* (runs) that the contract of the round names, and get rid of your
    cards. Points are bad.""",
    turn="""Draw from the stock or take the upcard. If you want to draw, a player who has not yet opened may call for
    the upcard and takes a penalty card with it; until you have opened yourself, you may refuse and take the upcard.
    Lay the contract in one turn; then further melds, additions and exchanges are free. Discard one card.""",
    end="A round ends when a hand is empty.",
    scoring="""The others score the cards left in their hands: a Joker 50, a black Ace 15, a red Ace 1, court cards
    and Tens 10. If the winner had nothing on the table before, the table is *bent* and all points are doubled.""",
    tip="""A call adds two cards to your hand. Call when the card completes the contract and you can get rid of
    both.""",
)


# The contracts (K1.3): threes, fours, cards dealt.
_CONTRACTS = (
    *((3, 0, 9), (2, 1, 10), (1, 2, 11), (0, 3, 12)),
    *((4, 0, 12), (3, 1, 13), (2, 2, 14), (1, 3, 15), (0, 4, 16)),
)


def sections(rules: Rules, table: TableFacts) -> list[str]:
    """The rules of this table; see `kit.rules_text`."""
    return [
        section(
            "Aim and cards",
            """Get rid of your cards by melding; your first melds must be exactly those that the contract of the round
            asks for. Points are bad: the lowest total wins. Two packs of 52 cards and four Jokers are used, 108 cards.
            A three is a set, a four is a run. In a four the order is A 2 3 ... Q K A; an Ace is low or high, never in
            the middle.""",
            _contracts(rules, table),
            """After the deal the next card is turned up: the upcard, which begins the pile. The rest is the stock. The
            player after the dealer begins.""",
        ),
        section("The draw and calls", *_draw(rules)),
        section(
            "Melds and Jokers",
            f"""A three has three or more cards of one rank; equal cards may be in it, and there is no largest three. A
            four has four or more cards of one suit in order, up to fourteen, with an Ace at each end. In a round you
            may open only one four of each suit. {_threes(rules)} Melds are never split, joined or taken back.""",
            """A Joker stands for any card. Every meld has at least two natural cards. No two Jokers lie side by side
            in a four, at any time. A four is opened without a Joker, with one in any place, or with two in the first
            and third, first and last, or second and last place. A Joker never leaves its meld; in a four it can be
            moved.""",
        ),
        section(
            "The contract",
            """Your first melds must meet the contract of the round in one turn: exactly these threes of three cards and
            fours of four cards, opened one by one in any order. From the first opening until the contract is met, only
            openings of a kind that it still lacks are legal. With the contract met, in the same turn and in later
            ones, you may open further melds, add cards to any meld on the table and exchange, as often as you like and
            in any order.""",
            """To a three you add a card of its rank, or a Joker. A four grows at its high end; once the Ace lies
            there, it grows at the low end, down to the Ace. A Joker may be added there if no Joker lies next to it.""",
            """To exchange, you put the natural card that a Joker in a four stands for in its place; the Joker goes to
            the end at which the four grows. That is not possible if another Joker lies next to that place, nor in a
            four of fourteen cards.""",
            """A play is legal only if you can still end your turn after it: the contract is met, and your hand is
            empty, or holds a natural card to discard, or holds only Jokers that can all be added.""",
        ),
        section(
            "The end of a round and scoring",
            """A turn ends with the discard of a natural card, or with an empty hand, for which no discard is needed. A
            Joker is discarded only if your hand is nothing but Jokers and they cannot all be added. An empty hand ends
            the round.""",
            """Every player scores the cards left in the hand: Joker 50, black Ace 15, red Ace 1, King, Queen, Jack and
            Ten 10, others their number. If the player who went out had no melds when that turn began, the table is
            bent: all points of the round are doubled.""",
            *totals(_CONTRACTS, rules, table),
        ),
        moves(
            ("draw", "draw from the stock"),
            ("take", "take the upcard"),
            ("call" if rules.calls != 0 else "", "when asked: call the upcard"),
            ("pass" if rules.calls != 0 else "", "when asked: leave the upcard"),
            ("allow" if rules.calls != 0 else "", "let the caller have the upcard"),
            ("refuse" if rules.calls != 0 else "", "take the upcard instead of the caller"),
            ("open 7c 7d 7h", "open a three; suits in the order c d h s, a Joker `JK` last"),
            ("open 7h 8h JK Th", "open a four, lowest card first, a Joker at its place"),
            ("add Jh", "add a card to a meld; of several threes that fit, the one opened first takes it"),
            ("add JK high", "add a Joker at the high end, or to a three, as with a card; `add JK low` at the low end"),
            ("swap 9h", "put a natural card in the place of a Joker in a four"),
            ("meld 2", "say which meld, asked only where the card just named fits several"),
            ("discard Kc", "discard, and end the turn"),
        ),
    ]


def _asked(threes: int, fours: int) -> str:
    return " and ".join([counted(threes, "three")] * (threes > 0) + [counted(fours, "four")] * (fours > 0))


def _contracts(rules: Rules, table: TableFacts) -> str:
    lines = [
        f"{place}: {_asked(threes, fours)} ({cards} cards dealt)"
        for place, (threes, fours, cards) in enumerate(_CONTRACTS, 1)
    ]
    return contracts_played(lines, rules, table)


def _threes(rules: Rules) -> str:
    if rules.threes == "different":
        return "You may not open two threes of one rank."
    return "You may open several threes of one rank."


def _draw(rules: Rules) -> tuple[str, ...]:
    draw = """The player whose turn it is (the mover) draws from the stock, or takes the upcard. A mover who has melds
    may only draw. A card from the pile is known to everybody."""
    empty = """When a card is needed and the stock is empty, all of the pile but its top card is shuffled and becomes
    the stock, once a round. The second time, or if nothing lies under the top card, the round ends, and nobody
    scores."""
    if rules.calls == 0:
        return (draw, "Then the mover plays to the table, and discards.", empty)
    not_asked = ["players with melds"]
    not_asked += [] if rules.own_discard else ["the player who discarded the upcard"]
    not_asked += (
        [f"players who have made {counted(rules.calls, 'successful call')} in this round"] if rules.calls else []
    )
    return (
        draw,
        f"""If the mover wants to draw, no card moves yet: the others are asked one after the other, beginning after the
        mover, to call the upcard or to pass. Not asked: {"; ".join(not_asked)}. The first call ends the asking. A mover
        without melds answers it: `refuse` means that the mover takes the upcard, and the call does not count; `allow`
        lets the caller have it. If the call is allowed, or the mover has melds, the caller takes the upcard and, as a
        penalty, the next card of the stock, unseen by the others; then the mover draws. If nobody calls, the mover
        draws. There is one call a turn. The caller neither plays nor discards.""",
        "Then the mover plays to the table, and discards.",
        empty,
    )
