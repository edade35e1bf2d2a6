"""The columns of the arrays `table` and `rules`, by name.

The numbers of an observation that are not about cards are found by the names of their fields: fields with the same name
have the same meaning in every game, and so have the values of a switch (`stock_out=shuffle`). `OTHER_NAMES` and
`PHASES` list different names with the same meaning. A game with a new name adds it to `TABLE` or `RULES`; until then,
`layout` raises an error that asks for it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from banakil_env.core.common_layout import Array, Column
from banakil_env.core.fields import FLAG, ONE_HOT, Number
from banakil_env.kit.common.channels import MOST_SEATS
from banakil_env.kit.switches import Choice, Flag, Rules

# Fields and switches whose meaning has another name in most games, and that name.
OTHER_NAMES = {
    "melded": "down",  # by seat: the seat has put cards on the table
    "played": "down",
    "need": "minimum",
    "stock_end=reshuffle": "stock_out=shuffle",
    "stock_end=empty": "stock_out=end",
    "fixed_wilds=yes": "wilds=fixed",
    "partner_sum=yes": "partner_scoring=sum",
    "rules.rounds": "deals",
}

# The phases of all games: the words of the field `phase`, and the common name of each.
PHASES = {
    "over": "over",
    "draw": "draw",
    "draw or go on laying": "draw",
    "play": "play",
    "discard or knock": "play",
    "choose a meld": "choose",
    "choose a spread": "choose",
    "first discard": "first_discard",
    "first upcard": "first_upcard",
    "asked about the upcard": "call",
    "asked to call a discard": "call",
    "call or pass": "call",
    "take after a call": "take_called",
    "asked for a dealt tonk": "show",
    "a new deal?": "redeal",
    "answer": "answer",
    "answer a call": "answer",
    "discard of a knock": "knock",
    "melds of the knocker": "lay",
    "melds of the other seat": "lay",
    "laying off": "lay_off",
    "at the wall": "wall",
}
NO_PHASE = "(none)"

# Divisors that are the same in every game, by name; other numbers are divided by the scale of their field.
UNITS = {
    "hand_size": 16.0,
    "stock_size": 64.0,
    "pile_size": 64.0,
    "turns": 100.0,
    "turns_left": 100.0,
    "rounds": 10.0,
    "rounds_left": 10.0,
    "minimum": 100.0,
    "max_turns": 100.0,
    "max_rounds": 100.0,
    "deals": 10.0,
    "hand_cards": 13.0,
    "jokers": 4.0,
}

_SCORE, _COUNT = 2.0**24, 2.0**17


def _flags(note: str, *names: str) -> tuple[Column, ...]:
    return tuple(Column(name, note) for name in names)


def _by_seat(name: str, note: str, highest: float = 1.0, lowest: float = 0.0) -> tuple[Column, ...]:
    said = f"{note}, from me on"
    return tuple(Column(f"{name}_{seat}", said, highest, lowest) for seat in range(MOST_SEATS))


TABLE = (
    *_by_seat("seat", "somebody sits there"),
    *_by_seat("partner", "the seat is my partner's"),
    *_by_seat("to_move", "the seat is to decide"),
    *_by_seat("dealer", "the seat deals"),
    *_by_seat("hand_size", "cards in the hand; / 16", 270 / 16),
    *_by_seat("scores", "the match score, divided by the game's unit", _SCORE, -_SCORE),
    *_by_seat("down", "the seat has put cards on the table"),
    *_by_seat("had_turn", "the seat has ended a turn since the deal"),
    *_by_seat("out", "the seat is out of the match"),
    *_by_seat("held", "the seat may neither open nor add in its next turn"),
    *_by_seat("after", "the seat has discarded the card that may be called"),
    *_by_seat("discarder", "the seat whose discard may be called"),
    *_by_seat("passed", "the seat was asked and has passed"),
    *_by_seat("active", "the seat's turn it is, while others are asked"),
    *_by_seat("took", "the seat took the card before the upcard, or calls the upcard"),
    *_by_seat("calls", "calls in this round", _COUNT),
    *_by_seat("laid", "points laid on the table", 10),
    *_by_seat("boxes", "rounds of the match that the seat has won", _COUNT),
    *_by_seat("naturals", "melds of naturals in the match so far", _SCORE),
    *_by_seat("chapeaux", "rounds of the seat below zero", _COUNT),
    *_by_seat("foot", "the foot has not been taken up"),
    *_by_seat("deal_bonus", "the seat has the bonus of the deal"),
    *_by_seat("red_threes", "red Threes laid down by its side"),
    *_by_seat("wild", "complete melds of wild cards of its side", 2),
    *_by_seat("minimum", "points that a first meld of its side needs; / 100", 2),
    *_flags("the phase", *(f"phase={phase}" for phase in dict.fromkeys(PHASES.values()))),
    Column("stock_size", "cards in the stock; / 64", 270 / 64),
    Column("pile_size", "cards in the pile; / 64", 270 / 64),
    Column("turns", "turns ended in this round; / 100", 1000),
    Column("turns_left", "turns until the round ends unscored; / 100", 1000),
    Column("rounds", "rounds ended in this match; / 10", 10_000),
    Column("rounds_left", "rounds until the match ends undecided; / 10", 10_000),
    Column("unscored", "unscored deals since the last scored round; / 3", 334),
    *_flags("of this game", "episode", "partners"),
    Column("minimum", "points that the next first meld needs; / 100", 2),
    Column("opened", "melds opened in this turn; / 2", 9),
    Column("circling", "turns in a row that took the top card and discarded it; / 4"),
    Column("upcards", "cards taken from the pile in this round; / 50", 2000),
    Column("limit", "the most deadwood to knock with; / 10"),
    Column("last_size", "cards of the last discard; / 5"),
    Column("laid_size", "cards laid in this turn; / 5"),
    Column("owed", "wild cards taken from melds in this turn that must open a new one; / 4"),
    Column("pile_reds", "red Threes in the pile; / 4"),
    *_flags("of this turn", "played", "in_one_turn", "swapping", "waiting_low", "laid_off", "down_to_one", "owes_wild"),
    *_flags("of this turn", "seen", "repeated", "doubled", "opening", "taking", "last", "frozen", "concealed"),
    *_flags("of this turn", "first", "renewed"),
    *_flags("the end for a wild card that waits", "named_end=0", "named_end=1", "named_end=2"),
    *_flags("of the partner in this turn: not asked, yes, no", "answer=0", "answer=1", "answer=2"),
    *_flags("the contract of this round", *(f"contract={number}" for number in range(1, 10))),
)  # fmt: skip


def _words(name: str, *words: str | int) -> tuple[Column, ...]:
    return tuple(Column(f"{name}={word}", "the switch has this value") for word in words)


def _yes(*names: str) -> tuple[Column, ...]:
    return tuple(Column(f"{name}=yes", "the switch is on") for name in names)


# Properties of a game that do not depend on its switches; see `layout.Ways`.
WAYS = {
    "low_wins": "fewer points are better",
    "runs": "cards in sequence of a suit are a meld",
    "sets": "three cards of any rank are a meld",
    "books": "only ranks matter, not suits",
    "twins": "a set may have a card twice",
    "ace_low": "a run may begin with the Ace below the Two",
    "ace_high": "a run may end with the Ace above the King",
    "add_to_own": "cards can be added to melds of the same side",
    "add_to_others": "cards can be added to melds of other sides",
    "melds_laid": "melds are laid during play",
    "take_top": "the top of the pile alone can be taken",
    "take_some": "any number of cards from the top of the pile can be taken",
    "take_all": "the whole pile, or much of it, is taken",
}

RULES = (
    *(Column(name, note) for name, note in WAYS.items()),
    Column("target", "the match score to reach, divided by the game's unit", 10_000),
    Column("max_turns", "turns after which a round ends unscored; / 100", 1000),
    Column("max_rounds", "rounds after which a match is given up; / 100", 1000),
    Column("max_unscored", "unscored deals in a row that end a match; / 20", 50),
    Column("deals", "rounds of a match; / 10", 100),
    Column("last_deals", "the most times that the last round is dealt; / 20"),
    Column("hand_cards", "cards dealt; / 13", 2),
    Column("jokers", "Jokers in each pack; / 4"),
    *_words("hand_cards", "usual", *range(7, 14)),
    *_words("packs", "auto", 1, 2),
    *_words("stock_out", "shuffle", "turn", "end", "now"),
    *_words("stock_end", "players"),
    *_words("wilds", "fixed", "turned", "jokers", "aces", "aces_single"),
    *_words("wild_discard", "ace", "group", "never", "wild"),
    *_words("partner_scoring", "sum"),
    *_yes("cutter_takes_wilds", "unplayed_score_zero", "upcard", "has_hand_bonus", "discard_taken"),
    *_yes("set_joker_exchange", "score_exhausted"),
    Column("ace_value", "points of an Ace, in half points; / 3"),
    *(Column(f"hand_bonus_{i}", "points of a *hand*; / 100", 2.5) for i in range(2)),
    *_words("deal", "worst", "turn"),
    *_words("ace_hand", 11, 10),
    *_words("ace_low", 11, 1),
    *_words("ace_high", 11, 10),
    Column("first_meld", "points that a first meld needs; / 51", 3),
    *_yes("rising", "take_to_add", "reuse_wild", "add_to_pair", "win_first_turn", "wild_out", "one_colour", "one_suit"),
    *_yes("two_wilds_out"),
    *_words("melds", "one", "any"),
    *_words("last_card", "any", "discard"),
    Column("rummy_factor", "factor of the points for going out in one turn; / 10"),
    *_yes("calls", "own_discard"),
    Column("calls", "calls that a seat may make in a round, -1: none; / 9", 1, -1),
    *_words("set_suits", "any", "different"),
    Column("out_bonus", "points for going out; / 100", 10),
    Column("call_limit", "the highest total to call with; / 10", 2),
    *_words("tie", "caller", "asaf", "nothing", "undercut"),
    *_yes("asaf_zero", "halving"),
    Column("penalty", "points that a beaten caller scores in addition; / 100"),
    *_words("first", "left", "winner"),
    Column("knock_card", "the most deadwood to knock with; / 10"),
    *_words("oklahoma", "off", "on", "spades"),
    *_words("knock_count", "first", "best"),
    *(Column(name, "points; / 25", 4, -1) for name in ("gin_bonus", "undercut_bonus", "big_gin", "line_bonus")),
    *_words("wall", "knock", "end"),
    *_words("lay_offs", "two", "any"),
    *_yes("return_taken", "repeats", "shutout", "slaps", "hold"),
    Column("upcard_limit", "upcards taken that end a hand; / 50", 20),
    Column("game_bonus", "points for winning the match; / 100", 5),
    *_words("count", "hand", "unmatched"),
    *_words("high_tonk", 50, 49, "none"),
    Column("low_tonk", "the highest count that is a low tonk; / 15"),
    Column("stake", "the stake; / 10", 100),
    *_words("canastas", "usual", 0, 1, 2, 3),
    *_yes("ask", "frozen_before_meld", "lone_take", "red_threes_against"),
    *_words("must_take", "able", "fits", "never"),
    *(Column(f"piles_{i}", "clean, dirty and wild piles to go out; / 3") for i in range(3)),
    Column("deal_bonus", "chance of points for the deal, per cent; / 100"),
    *_words("contract", *range(1, 10), "any"),
    *_words("jokers", "few", "any"),
    *_words("threes", "any", "different"),
    *_words("clean", "anyone", "out"),
    Column("skunk", "a loser with fewer points is skunked; / 600", 2000),
    *_words("double_skunk", "match", "hand"),
)

TABLE_ARRAY = Array("table", "seats, sizes, turn and scores", TABLE)
RULES_ARRAY = Array("rules", "properties of the game, and its switches", RULES)
TABLE_AT = {column.name: place for place, column in enumerate(TABLE)}
RULES_AT = {column.name: place for place, column in enumerate(RULES)}


@dataclass(frozen=True)
class Source:
    """One number of an observation, and the columns that it is written to.

    Attributes:
        at: its offset in the observation, in bytes.
        size: its size in bytes.
        signed: whether it is signed.
        names: either one column, to which the number times `factor` is added; or one column for each value from
            `lowest` on, of which the column of the value is set to 1.
        factor: see `names`.
        lowest: see `names`.
        by_seat: the relative seat that it is about, or -1. It is not written if the table has no such seat.
    """

    at: int
    size: int
    signed: bool
    names: tuple[str, ...]
    factor: float
    lowest: int = 0
    by_seat: int = -1


def sources_of(number: Number, seats: int, rules: type[Rules]) -> Iterator[Source]:
    """Yield a `Source` for each number of a field of the observation.

    Its columns follow from the name of the field, or from the name of the switch if the field is in the record `rules`.

    Args:
        number: the field.
        seats: the largest number of players.
        rules: the class of the game's rules.
    """
    field, kind = number.field, number.field.number
    places = [(number.offset + kind.itemsize * i, kind.itemsize, kind.kind == "i") for i in range(number.count)]
    if number.name.startswith("rules."):
        yield from _of_switch(number, places, rules)
    elif number.name == "phase":
        for place, word in zip(places, field.note.removeprefix("one of: ").split(", "), strict=True):
            if word != NO_PHASE:
                yield Source(*place, (f"phase={PHASES[word]}",), 1.0)
    elif field.shape and f"{_name(number.name)}_0" not in TABLE_AT:
        for i, place in enumerate(places):
            yield Source(*place, (f"{number.name}_{i}",), _factor(number))
    elif field.shape:
        for seat in range(seats):
            place = places[seat % len(places)]  # fields by side: seats of one side read the same number
            yield Source(*place, (_name(f"{_name(number.name)}_{seat}"),), _factor(number), by_seat=seat)
    elif field.role == ONE_HOT:
        values = range(field.lowest, field.highest + 1)
        yield Source(*places[0], tuple(f"{number.name}={value}" for value in values), 1.0, field.lowest)
    else:
        name = number.name if number.name in TABLE_AT else _name(number.name)
        flag = f"{name}=yes"
        yield Source(
            *places[0], (_name(flag) if field.role == FLAG and name not in TABLE_AT else name,), _factor(number)
        )


def _of_switch(number: Number, places: list[tuple[int, int, bool]], rules: type[Rules]) -> Iterator[Source]:
    """Yield a `Source` for each number of a switch in the nested record `rules`.

    Args:
        number: the field of the switch.
        places: for each number, `Source.at`, `size` and `signed`.
        rules: the class of the game's rules.
    """
    name = number.name.partition(".")[2]
    switch = rules.switches()[name]
    if isinstance(switch, Choice):
        words = tuple(_name(f"{name}={switch.text(each)}") for each in switch.allowed)
        yield Source(*places[0], words, 1.0)
    elif isinstance(switch, Flag):
        yield Source(*places[0], (_name(f"{name}=yes"),), 1.0)
    elif len(places) == 1:
        named = OTHER_NAMES.get(number.name, name)
        yield Source(*places[0], (named,), 1 / UNITS.get(named, number.field.scale))
    else:
        for i, place in enumerate(places):
            yield Source(*place, (f"{name}_{i}",), _factor(number))


def _name(name: str) -> str:
    return OTHER_NAMES.get(name, name)


def _factor(number: Number) -> float:
    name = _name(number.name.partition(".")[2] or number.name)
    return 1 / UNITS.get(name, number.field.scale)
