"""The rules of a table of Banakil in plain words; the numbered rules are in docs/rules/banakil.md."""

from __future__ import annotations

from banakil_env.games.banakil.rules import Rules, usual_target
from banakil_env.kit.rules_text import About, HowToPlay, TableFacts, counted, limits, match_to, moves, section

ABOUT = About(
    sentence="Lay long sequences and three Aces or Threes, take cards out of the pile, and lay all you hold.",
    turns=4,
    cards=(
        "5h 6h 7h JK 9h Th",
        "As Ad Ac",
    ),
    presets={
        "pagat": "The rules as pagat.com has them.",
        "jawaker": "As in the app Jawaker: nothing turned up, wild cards stay where they lie, 222 points win.",
        "gamefarm": "As Game Farm has them: a card taken may go back, and a round without stock is scored.",
        "single": "One pack, nine cards each: short rounds.",
        "mini": "A handful of cards of one suit, small enough to be solved.",
    },
)

HOW_TO_PLAY = HowToPlay(
    goal="Lay your cards on the table in sequences and sets, and be the first to get rid of all of them.",
    turn="""Draw the top card of the stock, or take as many cards as you like from the top of the pile. Then lay new
    melds and add cards to your own as often as you like, and discard one card. A sequence is three or more cards of
    one suit in a row; the only sets are three or four Aces, or Threes, of different suits. Twos and Jokers stand for
    any card: one of each in a sequence, only a Joker in a set. A natural card can be exchanged for the Joker whose
    place it takes.""",
    end="""A round ends when a hand is empty, or when the last card of the stock has been drawn and that turn is over;
    in the second case nobody scores.""",
    scoring="""You score your melds less your hand, and 20 for going out: small cards half a point, King to Seven 1,
    an Ace 1½, a Two 2, a Joker 4. With nothing melded you score minus 20; going out in one turn, with nothing melded
    before, pays 40 flat.""",
    tip="""The pile is free. Before you discard, look for sequences that your card would extend: an opponent can take
    it, and every card under it.""",
)


_SUITS = ("clubs", "diamonds", "hearts", "spades")


def sections(rules: Rules, table: TableFacts) -> list[str]:
    """The rules of this table; see `kit.rules_text`."""
    ranks = rules.ranks.split("-")
    threes, aces = ranks[0] == "3", ranks[1] == "A"
    return [
        section("Aim and cards", *_cards(rules, table)),
        section("The deal", *_deal(rules, table)),
        section("A turn", *_turn(rules)),
        section("Sequences", *_sequences(rules)),
        section("Sets", *_sets(rules, threes, aces)) if threes or aces else "",
        section("Adding and exchanging", *_adding(rules, table)),
        section("The end of a round", *_end(rules, table)),
        section("Scoring", *_scoring(rules, table)),
        moves(
            ("draw", "take the top card of the stock"),
            ("take 3", "take the top three cards of the pile"),
            ("open 7h 8h 9h", "open a sequence with three cards, lowest first"),
            ("open 5h 2 7h" if rules.twos else "", "a Two is written `2`, at its place, without its suit"),
            ("open 5h JK 7h" if rules.jokers else "", "a Joker is written `JK`, at its place"),
            ("open Ac Ad Ah" if aces else "open 3c 3d 3h" if threes else "", "open a set, suits in the order c d h s"),
            ("add 8h", "add a card to a meld of your side"),
            (
                "add 2 low" if rules.twos else "add JK low" if rules.jokers else "",
                "add a wild card at the low end; `high` at the high end, and to a set",
            ),
            ("swap 7h" if rules.jokers else "", "exchange a natural card for a Joker"),
            ("meld 4", "say which meld, asked only where the card just named fits several"),
            ("discard Kc", "discard, and end the turn"),
        ),
    ]


def _cards(rules: Rules, table: TableFacts) -> tuple[str, ...]:
    low, high = rules.ranks.split("-")
    suits = ", ".join(_SUITS[: rules.suits])
    copies = "one of each" if rules.copies == 1 else "two of each"
    wild = [
        f"{counted(rules.copies, 'Two')} of {'each of these suits' if rules.suits > 1 else 'this suit'}" * rules.twos,
        counted(rules.jokers, "Joker") * (rules.jokers > 0),
    ]
    wilds = " and ".join(filter(None, wild))
    sides = {
        True: "The players opposite each other are partners: seats 0 and 2, and seats 1 and 3.",
        False: "Everybody plays alone.",
    }[table.partners]
    ace = "; an Ace is high only" if high == "A" else ""
    return (
        f"""Lay sequences and sets on the table, and get rid of your cards. {sides} The pack has {rules.pack_size}
        cards: the natural cards from {low} to {high} of {suits},
        {copies}{", and as wild cards " + wilds if wilds else ""}. The natural ranks are 3 4 5 6 7 8 9 T J Q K A, as
        far as they are in the pack{ace}. A Two is never a natural card.""",
        f"""Values in points: Three to Six one half, Seven to King 1, an Ace
        {"one and a half" if rules.ace_value == 1.5 else 1}, a Two 2, a Joker 4.""",
    )


def _deal(rules: Rules, table: TableFacts) -> tuple[str, ...]:
    cards = f"Each player is dealt {counted(rules.hand_cards, 'card')}"
    begin = (
        f"{cards}. The next card is turned up and begins the pile. The player after the dealer begins."
        if rules.upcard
        else f"""{cards}, and the player after the dealer one more. No card is turned up: that player begins by playing,
        without a draw."""
    )
    cut = (
        """Before the deal the player before the dealer cuts the pack and takes the wild cards at the bottom of the
        lifted part, up to the first natural card, as part of their own hand."""
        if rules.cutter_takes_wilds
        else ""
    )
    return f"{begin} The rest is the stock, face down.", cut


def _turn(rules: Rules) -> tuple[str, ...]:
    taken = (
        """You may discard any card, also the one that you took from the pile. But if every player in turn takes just
        the top card, plays nothing and discards it again, the deal is void, and the cards are dealt again."""
        if rules.discard_taken
        else """If you took exactly one card from the pile, you may not discard a card of that kind in the same turn,
        unless you held one before."""
    )
    return (
        """First you draw the top card of the stock, which the others do not see, or take the top cards of the pile, as
        many as you like, without any condition. Everybody knows the cards that you have taken. Then you may open
        melds, add cards and exchange, as often as you like. Last, you discard one card of any kind, if you have any
        left.""",
        f"{taken} A play after which you could not end your turn is illegal.",
    )


def _sequences(rules: Rules) -> tuple[str, ...]:
    parts = ["one Two (of any suit)"] * rules.twos + ["one Joker"] * (rules.jokers > 0)
    wild = f" At most {' and '.join(parts)} may be in a sequence, in place of any card." if parts else ""
    free = """Wild cards stand nowhere in particular: a sequence is valid if there is some arrangement of its cards that
    is. So for the same cards only one place is offered for a wild card: the gap if there is one, otherwise as high as
    possible."""
    fixed = """A wild card stands for the card of its place, and stays there: a natural card can be added at the two
    ends only, or in place of a Two, which then goes to the low end, or to the high end if the sequence begins at its
    lowest possible card."""
    place = "" if not parts else free if rules.wilds == "free" else fixed
    longest = """A sequence has at most twelve cards; but to eleven natural cards and a Two, without a Joker, the
    twelfth natural card may be added."""
    return (
        f"""A sequence is three or more cards of one suit in a row.{wild}
        {longest if rules.ranks == "3-A" and rules.twos else ""} Sequences are opened with three cards and never split
        or joined.""",
        place,
    )


def _sets(rules: Rules, threes: bool, aces: bool) -> tuple[str, ...]:
    ranks = "Threes, or of Aces" if threes and aces else "Threes" if threes else "Aces"
    joker = " One Joker may be among them, which stands for no suit; a Two may not." if rules.jokers else ""
    return (f"A set is three or four cards, of {ranks}, of different suits; there are no sets of other ranks.{joker}",)


def _adding(rules: Rules, table: TableFacts) -> tuple[str, ...]:
    own = (
        """You may add cards to the melds of your side, your own and your partner's, but only when you have a meld of
        your own. A card added to the partner's meld counts for the partner."""
        if table.partners
        else "You may add cards to your own melds."
    )
    if not rules.jokers:
        return (own,)
    fixed = (
        "the card for which the Joker stands" if rules.wilds == "fixed" else "a natural card that keeps the meld valid"
    )
    sets = "" if rules.set_joker_exchange else " A Joker stays in a set."
    return (
        own,
        f"""To exchange, you put {fixed} in the place of a Joker in such a meld, and take the Joker into your
        hand.{sets} Twos never leave a meld.""",
    )


def _end(rules: Rules, table: TableFacts) -> tuple[str, ...]:
    exhausted = (
        "the round is scored without a winner" + (", each side with the sum of its players" if table.partners else "")
        if rules.score_exhausted
        else "nobody scores"
    )
    return (
        f"""A round ends when a hand is empty, by the discard or by a meld. It also ends when the last card of the
        stock has been drawn and that turn has ended; then {exhausted}.""",
        limits(rules.max_turns, rules.max_rounds, table),
    )


def _scoring(rules: Rules, table: TableFacts) -> tuple[str, ...]:
    basic = """A player's points are the values of the player's own melds minus those of the hand, and 20 more for going
    out. A player who has melded nothing has minus 20, whatever the hand holds. Halves are rounded up once, at the end:
    44.5 becomes 45, and -5.5 becomes -5."""
    if rules.hand_bonus is None:
        alone = "; between partners only if none of the other three players has melded" if table.partners else ""
        hand = f"Going out in one turn with nothing melded before in the round scores 40, flat{alone}."
        unplayed = (
            "After that, a player who has had no turn scores 0 instead of minus 20."
            if rules.unplayed_score_zero
            else ""
        )
    else:
        some, none = rules.hand_bonus
        hand = f"""Going out in one turn with nothing melded before in the round scores {some} if another side has
        melded, and {none} if none has; the others score nothing then."""
        unplayed = ""
    sides = ""
    if table.partners:
        sides = (
            "Each side scores the sum of its players' points."
            if rules.partner_scoring == "sum"
            else """The winner's side scores the winner's points; the other side scores the sum of both its players'
            points minus the points of the winner's partner."""
        )
    return (
        basic,
        hand,
        unplayed,
        sides,
        match_to(rules.target or usual_target(table.players, table.partners), None, table),
    )
