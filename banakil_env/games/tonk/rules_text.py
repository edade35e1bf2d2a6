"""The rules of a table of Tonk in plain words; the numbered rules are in docs/rules/tonk.md."""

from __future__ import annotations

from banakil_env.games.tonk.rules import Rules
from banakil_env.kit.rules_text import About, HowToPlay, TableFacts, limits, match_to, moves, section

ABOUT = About(
    sentence="Five cards, over in a moment: spread, hit, or drop with the lowest count and take the stakes.",
    turns=1,
    cards=(
        "Jd Qd Kd",
        "5c 5h",
    ),
    presets={
        "denexa": "With slaps: a discard that fits a spread is called out of turn.",
        "quiet": "Without slaps.",
        "gin": "Only what is in no spread counts in a hand.",
        "plain": "No slaps, no holds, and the simplest tonks.",
    },
)

HOW_TO_PLAY = HowToPlay(
    goal="""Get rid of your five cards, or have the lowest count when the round ends. The winner takes stakes from the
    others.""",
    turn="""Drop at once if you believe that your count is the lowest. If not, draw from the stock or take the top of
    the pile, lay sets and runs (*spreads*), put cards on any spread on the table (a *hit*), and discard one card. A
    player whose spread is hit by another may lay nothing in the next turn.""",
    end="""A round ends when a hand is empty, when a player drops, or when the stock is empty. A count of 50, or of 11
    or less, at the deal wins at once.""",
    scoring="""Each opponent pays 1 to a player who discards the last card, 2 if the last card is laid down or the
    hand was dealt as a tonk. A player who drops is paid 1 by each, and pays if another count is as low.""",
    tip="The more players, the lower your count has to be for a drop.",
)


def sections(rules: Rules, table: TableFacts) -> list[str]:
    """The rules of this table; see `kit.rules_text`."""
    slaps = rules.slaps and table.players > 2
    tonks = rules.high_tonk != "none" or rules.low_tonk > 0
    return [
        section(
            "Aim and cards",
            f"""Win stakes by getting rid of all cards, or by having the lowest count when a round ends. The stake is
            {rules.stake}; points are stakes won and lost, and in every round they add up to zero. One pack of 52 cards.
            In a run the Ace is low (A 2 3) or high (Q K A), never both and never in the middle. Values: Ace 1, Two to
            Nine their number, Ten, Jack, Queen and King 10.""",
            """Each player is dealt five cards. The next card is turned up and begins the pile. The rest is the stock,
            face down. The player after the dealer begins.""",
        ),
        section("A dealt tonk", *_tonk(rules)) if tonks else "",
        section(
            "A turn",
            """A turn begins with one of three actions. You may drop, which ends the round at once; this is possible
            only here, before drawing, and also in the first turn. Or you draw the top card of the stock, which the
            others do not see. Or you take the top card of the pile; nothing has to be done with it, and it may be
            discarded again. Then you may lay spreads and hit, in any order, and at last you discard any card, which
            ends the turn.""",
            """A spread is a set (three or four cards of one rank) or a run (three or more cards of one suit in
            sequence). A spread is opened with exactly three cards; further cards are added as hits. You may open as
            many spreads in a turn as you like, or none. A hit lays a card on any spread of the table, your own or
            another player's. Cards never leave a spread, and no longer belong to a hand.""",
            """A player whose spread is hit by another player is held: in their next turn they may neither spread nor
            hit. Several hits cost one turn only, and a hit on your own spread costs nothing. A turn that is passed over
            does not count."""
            if rules.hold
            else "",
        ),
        section("Calling a discard", *_slaps(rules)) if slaps else "",
        section(
            "The end of a round",
            f"""A round ends when a hand is empty, when a turn has ended and the stock is empty, when a player
            drops{", or when a dealt tonk is shown" if tonks else ""}.""",
            _count(rules),
            f"""Payments. For running out (the last card is discarded) every other player pays you {rules.stake}; for
            tonking out (the last card is laid down) {2 * rules.stake}. When the stock is empty, the player with the
            lowest count is paid {rules.stake} by every other player; on a tie nobody pays.""",
            f"""A player who drops with a lower count than every other player is paid {rules.stake} by each of them.
            Otherwise that player is caught, and pays {rules.stake} to every player with an equal or lower count, and in
            addition every player, the caught one too, pays {rules.stake} to the lowest of the others, or to each of
            them if they tie. A caught player is never paid.""",
        ),
        section(
            "Winning",
            match_to(None, rules.deals, table),
            limits(rules.max_turns, rules.max_rounds, table),
        ),
        moves(
            ("tonk" if tonks else "", "show a dealt tonk"),
            ("drop", "end the round at the beginning of your turn"),
            ("draw", "take the top card of the stock"),
            ("take", "take the top card of the pile"),
            ("call" if slaps else "", "when asked: take the discard, which must be played to a spread at once"),
            ("pass" if slaps or tonks else "", "when asked: let it pass"),
            ("open 7h 8h 9h", "lay a spread of three cards, lowest first; suits in the order c d h s"),
            ("add Th", "hit a spread with a card"),
            ("meld 2", "say which spread, asked only where the card just named fits several"),
            ("discard Kc", "discard, and end the turn"),
        ),
    ]


def _tonk(rules: Rules) -> tuple[str, ...]:
    ways = []
    if rules.high_tonk == 50:
        ways.append("50")
    elif rules.high_tonk == 49:
        ways.append("49 or 50")
    if rules.low_tonk:
        ways.append(f"{rules.low_tonk} or less")
    return (
        f"""The values of all five cards of a hand are added up. A count of
        {", or of ".join(ways)}{"," * (len(ways) > 1)} is a tonk. Before the first turn the players with a tonk are
        asked one after the other, beginning after the dealer: tonk, or pass. Nobody else is asked, so everybody knows
        that a player who is asked has one.""",
        f"""Showing a tonk wins the round: every other player pays {2 * rules.stake}. But if several players have a tonk
        and one of them shows it, the round is a draw without payments. If all pass, play begins.""",
    )


def _slaps(rules: Rules) -> tuple[str, ...]:
    held = " A player who is held is not asked." if rules.hold else ""
    return (
        f"""A discard that fits a spread on the table, and does not end the round, may be called by any player but the
        one who discarded it. The players are asked in the order of play, beginning after the discard: call or pass.
        The first call counts. If no player but the next one could call, nobody is asked.{held} The card turned up at
        the deal cannot be called.""",
        """The caller takes the card and must play it to a spread at once. Then the caller goes on with spreads, hits
        and the discard, as in a turn, but cannot drop. The next turn belongs to the player after the caller, and the
        players between are passed over.""",
    )


def _count(rules: Rules) -> str:
    if rules.count == "hand":
        return "The count of a hand is the value of all its cards, also of cards that would make a spread."
    return """The count of a hand is the value of its cards that are in no spread; sets and runs in the hand do not
    count, and the hand is divided so that the least is left."""
