"""The channels (columns) of the arrays `cards` and `melds`: the facts about each face and each meld.

A channel has the same meaning in every game. Numbers of cards are divided by `CARDS_UNIT`. The places of the channels
are constants, since compiled code writes them.
"""

from __future__ import annotations

import numpy as np

from banakil_env.core.common_layout import Array, Column
from banakil_env.kit.common.faces import NUM_FACES

MOST_SEATS = 8
MOST_MELDS = 36

CARDS_UNIT = 4
DEPTHS_UNIT = 64
ONE, CARD = np.float32(1), np.float32(1 / CARDS_UNIT)

_MOST = 24 / CARDS_UNIT  # upper bound for one face in one place; a kind of Hand and Foot has 20 cards


def _count(name: str, note: str) -> Column:
    return Column(name, f"{note}; / {CARDS_UNIT}", _MOST)


def _flag(name: str, note: str) -> Column:
    return Column(name, note)


CHANNELS = (
    _count("pack", "cards of the face in the pack; 0: the game does not have the face"),
    _flag("wild", "the face is a wild card"),
    _flag("hand", "the face is in my hand"),
    _count("hand_count", "how often"),
    _count("known_mine", "cards of my hand that everybody knows"),
    *(
        _count(f"known_{seat}", f"cards that I know to be in the hand of the {place} seat after me")
        for seat, place in enumerate(("first", "second", "third", "fourth", "fifth", "sixth", "seventh"), 1)
    ),
    _count("pile", "cards in the pile"),
    _flag("pile_near", "1 / depth of the one nearest to the top, where that is known"),
    Column("pile_depth", f"its depth, 1 on top; / {DEPTHS_UNIT}", 110 / DEPTHS_UNIT),
    _flag("stock_near", "1 / depth in the stock, where its order is known"),
    _count("meld_mine", "cards in my melds, or in those of my side"),
    _count("meld_partner", "cards in melds of my partner"),
    _count("meld_other", "cards in melds of the others"),
    _count("wild_mine", "wild cards in the place of this face in melds of mine; of a book: of this rank"),
    _count("wild_partner", "the same in melds of my partner"),
    _count("wild_other", "the same in melds of the others"),
    _count("run", "cards in runs on the table"),
    _count("set", "cards in sets or books on the table"),
    _count("clean_mine", "complete books of this rank without wild cards, of my side"),
    _count("clean_other", "the same of the other side"),
    _count("mixed_mine", "complete books of this rank with wild cards, of my side"),
    _count("mixed_other", "the same of the other side"),
    _flag("takes", "a meld to which I may add takes the card"),
    _flag("exchanges", "the card could be exchanged for a wild card in a meld"),
    _flag("completes_run", "with two naturals of my hand the card makes three in sequence of its suit"),
    _flag("completes_set", "with two naturals of my hand the card makes three of its rank"),
    _flag("held_run", "the card is in my hand, and in a run of three or more there"),
    _flag("held_set", "the card is in my hand, and one of three or more of its rank there"),
    _flag("would_be_taken", "a meld to which another side may add takes the card, or it makes a run or a set of three "
          "with two cards known in the hand of the seat after me"),
    _flag("taken", "taken from the pile in this turn"),
    _flag("banned", "may not be discarded in this turn"),
    _flag("named", "waits for its meld"),
    _flag("must", "has to be in the next play"),
    _flag("indicator", "turned up, to say which cards are wild"),
    _flag("laid", "laid in this turn, or laid off on the knocker's melds"),
    _flag("unseen", "a card of the face is in a hand or in the stock, and I do not know where"),
    _count("unseen_count", "how many"),
    _count("foot_mine", "cards of my foot; only in a full observation"),
    _count("foot_other", "cards of all other feet; only in a full observation"),
)  # fmt: skip
_PLACES = {column.name: place for place, column in enumerate(CHANNELS)}

PACK, WILD, HAND, HAND_COUNT, KNOWN_MINE, KNOWN, PILE, PILE_NEAR, PILE_DEPTH, STOCK_NEAR = (
    _PLACES[name]
    for name in (
        *("pack", "wild", "hand", "hand_count", "known_mine", "known_1", "pile", "pile_near", "pile_depth"),
        "stock_near",
    )
)
MELD, WILD_IN, IN_RUN, IN_SET, CLEAN, MIXED = (
    _PLACES[name] for name in ("meld_mine", "wild_mine", "run", "set", "clean_mine", "mixed_mine")
)
TAKES, EXCHANGES, COMPLETES_RUN, COMPLETES_SET, HELD_RUN, HELD_SET, WOULD_BE_TAKEN = (
    _PLACES[name]
    for name in (
        *("takes", "exchanges", "completes_run", "completes_set", "held_run", "held_set"),
        "would_be_taken",
    )
)
TAKEN, BANNED, NAMED, MUST, INDICATOR, LAID, UNSEEN, UNSEEN_COUNT, FOOT_MINE, FOOT_OTHER = (
    _PLACES[name]
    for name in (
        *("taken", "banned", "named", "must", "indicator", "laid", "unseen", "unseen_count"),
        *("foot_mine", "foot_other"),
    )
)

# The owner of a meld, relative to the observer: an offset to MELD and WILD_IN, and a column in a row of `melds`.
MINE, PARTNERS, OTHERS = range(3)

MELD_COLUMNS = (
    _flag("mine", "the meld is mine"),
    _flag("partner", "the meld is my partner's"),
    _flag("other", "the meld is another seat's"),
    _flag("run", "a run, or sequence"),
    _flag("set", "a set, or group"),
    *(_flag(f"suit_{suit}", "its suit; of a set: a natural of the suit is in it") for suit in "cdhs"),
    Column("low", "the lowest rank, A 0 to K 12; / 13"),
    Column("size", "cards in it; / 14"),
    Column("wilds", f"wild cards in it; / {CARDS_UNIT}", 14 / CARDS_UNIT),
)
RUN_AT, SET_AT, SUIT_AT, LOW_AT, SIZE_AT, WILDS_AT = 3, 4, 5, 9, 10, 11

CARDS_ARRAY = Array("cards", "a row of columns for each face", CHANNELS, NUM_FACES)
MELDS_ARRAY = Array("melds", "the melds that actions `meld k` name, in their order", MELD_COLUMNS, MOST_MELDS)
