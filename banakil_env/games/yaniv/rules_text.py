"""The rules of a table of Yaniv in plain words; the numbered rules are in docs/rules/yaniv.md."""

from __future__ import annotations

from banakil_env.games.yaniv.rules import Rules
from banakil_env.kit.rules_text import About, HowToPlay, TableFacts, counted, limits, moves, section

ABOUT = About(
    sentence="Discard first, draw after, and call when your hand is low; but be sure that it is the lowest.",
    turns=8,
    cards=(
        "Ah 2d",
        "3s 4s 5s",
    ),
    presets={
        "denexa": "Call with five points or fewer; the caller wins ties.",
        "asaf": "Call with seven or fewer; an equal hand beats the caller, and the winner begins.",
    },
)

HOW_TO_PLAY = HowToPlay(
    goal="Keep the total of your hand low. Points are bad.",
    turn="""Discard first: a single card, two or more of a rank, or a run of three or more of a suit, in which Jokers
    stand for any card. Then draw one card: the top of the stock, or an end of the discard before yours. Or, at the
    beginning of your turn, call *yaniv* if your cards are worth 5 points or less.""",
    end="A call ends the round, and all hands are shown.",
    scoring="""If no other hand is lower, the caller scores 0 and the others the total of their cards. If another hand
    is lower, the caller pays 30 points in addition. Court cards and Tens count 10, an Ace 1, a Joker 0.""",
    tip="Get rid of several high cards in one discard, and look at what your discard offers to the next player.",
)


def sections(rules: Rules, table: TableFacts) -> list[str]:
    """The rules of this table; see `kit.rules_text`."""
    packs = (2 if table.players > 3 else 1) if rules.packs == "auto" else int(rules.packs)
    return [
        section(
            "Aim and cards",
            f"""Keep the total of your hand low, and call "yaniv" when it is low enough. Points are bad: the lowest
            score wins. {counted(packs, "pack").capitalize()} of 52 cards and two Jokers{" each" * (packs > 1)},
            {54 * packs} cards in all. Values: Ace 1, Two to Nine their number, Ten, Jack, Queen and King 10, Joker 0.
            The total of a hand is the sum of its cards. The Ace is always low.""",
            """Each player is dealt five cards. The next card is turned up and is the first discard. The rest is the
            stock, face down.""",
        ),
        section(
            "A turn",
            f"""At the beginning of your turn, before anything else, you may call "yaniv" if your total is at most
            {rules.call_limit}. The round then ends. You never have to call.""",
            """Otherwise you lay one discard, and then draw one card, which ends your turn. A discard is a single card,
            a set, or a run. It is laid card by card, first with `discard`, then with `also` for each further card. So a
            hand never grows.""",
            """A set is two or more cards of one rank, without Jokers. A run is three or more cards of one suit in
            sequence; Jokers may stand for any of its cards, but at least one card is no Joker, and no Joker stands
            below an Ace or above a King. A run is laid from its low end upwards, with each Joker at its place. For a
            set the order matters only because of its two ends: the last card must not be below the first in the order
            of suits c d h s, and the cards between must not descend. You cannot lay two sets, or a set and a run, in
            one turn.""",
            """Then you draw: the top card of the stock, unseen by the others, or an end of the discard that the player
            before you laid (in the first turn: the card turned up), which everybody sees. Of a discard of several cards
            only the first or the last can be taken; if it is a single card, or both ends are equal, it is taken as the
            last. You cannot take from what you have just laid, and what is left of a discard is out of reach after the
            next one. The card that you draw cannot be laid in the same turn.""",
            """When the last card of the stock has been drawn, all discards but the last one are shuffled and become the
            stock.""",
        ),
        section("The call", *_call(rules)),
        section("Scores", *_scores(rules, table)),
        moves(
            ("yaniv", "call, and end the round"),
            ("discard 7h", "lay the first card of your discard"),
            ("also 8h", "lay a further card of the same discard"),
            ("draw", "draw from the stock, and end the turn"),
            ("take last", "take the last card of the discard before; `take first` takes its first card"),
        ),
    ]


def _call(rules: Rules) -> tuple[str, str]:
    if rules.tie == "caller":
        wins = (
            "If no other player has a lower total than the caller, the caller scores 0, and every other player scores "
        )
        beaten = "If another player has a lower total, the caller is beaten: "
    else:
        wins = "If every other player has a higher total, the caller scores 0, and every other player scores "
        beaten = "If another player has an equal or a lower total, the caller is beaten: "
    lowest = (
        " The lowest of the other players scores 0 then, and so do all of them who are equally low."
        if rules.asaf_zero
        else ""
    )
    return (
        f"All hands are shown. {wins} the total of the hand.",
        f"{beaten} every player scores the total of the hand, and the caller {rules.penalty} points more.{lowest}",
    )


def _scores(rules: Rules, table: TableFacts) -> tuple[str, ...]:
    halving = (
        f"""After the points have been added, a score of exactly {rules.target} becomes {rules.target // 2}, and a score
        of exactly {rules.target // 2} becomes {rules.target // 4}. This also happens to a score to which the round has
        added nothing."""
        if rules.halving
        else ""
    )
    if not table.match:
        return ("One round is played. The lowest score wins.", halving, limits(rules.max_turns, None, table))
    first = (
        """The winner of a round that was called begins the next one: the caller, or, if the caller was beaten, the
        lowest of the others (of equals the first after the caller). If that player is out, the next one begins."""
        if rules.first == "winner"
        else "The deal passes to the next player in the game, and the player after the dealer begins."
    )
    return (
        "The points of every round are added up.",
        halving,
        f"""A player with more than {rules.target} points after a round is out of the match: no cards, no turns. If a
        round would put everybody out, the players with the lowest score of those stay in. The last player in the match
        wins.""",
        first,
        limits(rules.max_turns, rules.max_rounds, table),
    )
