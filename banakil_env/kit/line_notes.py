"""Notes for the documentation about the lines of a position: one for each key and each word of the line `turn`."""

from __future__ import annotations

from typing import NamedTuple


class Line(NamedTuple):
    """A note about the content of a line, and the default value if the line is missing."""

    says: str
    default: str = "none"


GIVEN = "must be given"
DEALT = "dealt from the cards that no line names"

# The lines of most games. A game describes its differences in `Positions.notes`.
LINES = {
    "rules": Line("a preset, then switches as `name=value`", "the first preset"),
    "players": Line("number of players", "one more than the highest seat that has a line, or the fewest that can play"),
    "episode": Line("`round` or `match`", "`round`"),
    "dealer": Line("a seat", "the last seat"),
    "round": Line("rounds of the match that have been played", "0"),
    "turns": Line("turns that have ended in this round", "0"),
    "scores": Line(
        "the match score before this round, or after it once the game is over; a number for each seat", "zeros"
    ),
    "points": Line("points of the last finished round; a number for each seat", "zeros"),
    "turn": Line(
        "`seat S, PHASE`, then words with commas between them: see below",
        "`draw` by the seat whose turn it is after `turns` turns; the seat after the dealer has the first",
    ),
    "over": Line("how the game ended; then there is no line `turn`", "the game goes on"),
    "hand S": Line("the cards of seat S", GIVEN),
    "melds S": Line("the melds of seat S with ` | ` between them, in the order of opening"),
    "order": Line("the owners of all melds in the order of opening", "seat by seat"),
    "known S": Line("cards of hand S that everybody knows"),
    "played": Line("seats that have put a card on the table in this round, or `none`", "the seats that have melds"),
    "seen": Line("`yes` if the stock is a turned pile, whose order everybody knows", "`no`"),
    "pile": Line("the cards of the pile from bottom to top", GIVEN),
    "stock": Line("the cards of the stock from the next card on", GIVEN),
    "rng": Line("the state of the generator, a number", "0"),
    "seed": Line("the deal of this seed; only without lines about cards and turn", "0"),
}

# Notes for games that deal the cards that no line names.
DEALT_LINES = {
    "hand S": Line("the cards of seat S", DEALT),
    "pile": Line("the cards of the pile from bottom to top"),
    "stock": Line("the cards of the stock from the next card on", "the cards that no line names"),
    "rng": Line("the state of the generator, a number", "made from `seed`"),
    "seed": Line("shuffles the cards that no line names", "0"),
}
