"""`expert`: weighs every draw and discard by the worth of the hand after it, and lays down in time.

The worth of a hand is what is already in melds or can be laid off, what the next card may do for the rest, and less for
high cards, which count against it at the end. Of the cards that may come, those with which the hand goes out are worth
most. What is in melds is counted in the best arrangement of whole melds: a card that is in a run and in a set is in one
of them. (A player who counts both thinks its hand nearer to going out than it is.)
Draw: the top of the pile if the hand is worth enough more with it, after the best discard.
Discard: the card that leaves the hand worth most, less what the card gives to the next seat.
Play: if every card can leave the hand in this turn, go out. Otherwise, if going rummy scores more, hold everything back
while the melds that would count against the hand are small and going out is near; then lay down everything, as `greedy`
does.

The values of `PARAMETERS` are in expert.toml, fitted by `python -m train.fit --game rummy`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from banakil_env.core.bits import lowest, popcount, read_bits
from banakil_env.core.jit import compiled
from banakil_env.core.masks import legal_at
from banakil_env.core.parameters import Parameter, Parameters, Row
from banakil_env.games.rummy import greedy
from banakil_env.games.rummy.records import Observation
from banakil_env.games.rummy.state import DISCARD, DRAW, TAKE
from banakil_env.kit.melds.deadwood import best_melded, points_in
from banakil_env.kit.melds.runs_and_sets import completing, near, places, thirds
from banakil_env.kit.one_pack.seen import top_of, unseen_of
from banakil_env.kit.pack52 import NUM_FACES, bit_of
from banakil_env.kit.seen import smallest_other_hand
from banakil_env.kit.table_state import CHOOSE

PARAMETERS = Parameters(
    Path(__file__).with_suffix(".toml"),
    (
        Row("two", {"num_players": 2}),
        Row("four", {"num_players": 4}),
        Row("six", {"num_players": 6}),
    ),
    Parameter("whole", 120, 0, 500, "a card in a meld of the hand, or that can be laid off, in tenths of a point"),
    Parameter("out", 45, -50, 300, "an unseen card that makes or extends a meld"),
    Parameter("last", 150, 0, 500, "what such a card is worth more with which the hand goes out"),
    Parameter("alone", 20, -50, 200, "cost of a loose card that no other loose card is near"),
    Parameter("saved", 10, -20, 100, "cost of each point in the hand"),
    Parameter("saved_late", 0, -60, 120, "what each point costs more when another hand is short"),
    Parameter("short_hand", 4, 0, 9, "cards of a short hand, at the most"),
    Parameter("given", 8, -20, 100, "cost of a discard, for each meld of three with two unseen cards"),
    Parameter("collected", 150, 0, 1000, "cost of a discard that completes a meld with cards known in the next hand"),
    Parameter("laid_off", 100, 0, 1000, "cost of a discard that the next seat can lay off"),
    Parameter("to_take", 140, -300, 600, "how much more the hand must be worth with the top of the pile, to take it"),
    Parameter("hold_size", 1, 1, 11, "cards in the smallest other hand, below which nothing is held back"),
    Parameter("hold_points", 62, 0, 400, "points in melds of the hand, up to which all is held back for going rummy"),
    Parameter("hold_loose", 7, 0, 20, "what a card outside melds counts there, in points"),
    Parameter("hold_out", 1, 0, 10, "what each unseen card that completes a meld counts less there, in points"),
)
VALUES = PARAMETERS.values
TWO, FOUR, SIX = range(3)


@compiled
def act(seen: Observation, mask: Any, generator: Any) -> int:
    """The action of the seat to move; deterministic."""
    return decide(seen, mask, VALUES[_row(seen.num_players)])


@compiled
def _row(num_players: int) -> int:
    """The row of values for that many players."""
    if num_players == 2:
        return TWO
    return FOUR if num_players <= 4 else SIX


@compiled
def decide(seen: Observation, mask: Any, values: Any) -> int:
    """The action of the expert whose parameters are `values`, a record of PARAMETERS."""
    hand = read_bits(seen.hand, 0, NUM_FACES)
    runs, sets = read_bits(seen.runs, 0, NUM_FACES), read_bits(seen.sets, 0, NUM_FACES)
    if mask[DRAW] or mask[TAKE]:
        return _draw(seen, mask, hand, runs, sets, values)
    if seen.phase[CHOOSE]:
        return greedy.choose(seen, mask)
    going = greedy.way_out(seen, mask, hand, runs, sets)
    if going >= 0:
        return going
    unseen = unseen_of(seen, hand | runs | sets)
    laid = (-1) if _holds(seen, hand, unseen, values) else greedy.laid_down(mask, hand)
    if laid >= 0:
        return laid
    discards = read_bits(mask, DISCARD, NUM_FACES)
    if discards:
        fits, point = places(runs, sets), _point(seen, values)
        return DISCARD + _best_discard(seen, discards, hand, fits, unseen, point, values)
    return legal_at(mask, 0)


@compiled
def _point(seen: Observation, values: Any) -> int:
    """The present cost of each point in the hand."""
    late = smallest_other_hand(seen) <= values.short_hand
    return values.saved + (values.saved_late if late else 0)


@compiled
def worth(hand: int, fits: int, unseen: int, point: int, values: Any) -> int:
    """The value of a hand after its discard, in tenths of a point.

    Args:
        fits: the cards that a meld on the table takes. unseen: the cards that can still come. point: the cost of each
            point.
    """
    rest = hand & ~fits
    loose = rest & ~best_melded(rest)
    left, outs, last = popcount(loose), 0, 0
    cards = (completing(rest) | fits) & unseen
    while cards:
        after = rest | cards & -cards & ~fits
        cards &= cards - 1
        left_then = popcount(after & ~best_melded(after))
        outs += left_then <= left
        last += left_then <= 1
    found = values.whole * (popcount(hand) - left) + values.out * outs + values.last * last
    return found - values.alone * popcount(loose & ~near(loose)) - point * points_in(hand)


@compiled
def _best_discard(seen: Observation, discards: int, hand: int, fits: int, unseen: int, point: int, values: Any) -> int:
    """The face whose discard leaves the hand worth most, less what the card gives away."""
    collected = completing(read_bits(seen.known[1], 0, NUM_FACES))
    best, most = -1, 0
    while discards:
        face = lowest(discards)
        discards &= discards - 1
        card = bit_of(face)
        found = worth(hand & ~card, fits, unseen, point, values) - values.given * thirds(face, unseen)
        found -= values.collected * (card & collected != 0) + values.laid_off * (card & fits != 0)
        if best < 0 or found > most:
            best, most = face, found
    return best


@compiled
def _draw(seen: Observation, mask: Any, hand: int, runs: int, sets: int, values: Any) -> int:
    """The top of the pile or the stock."""
    if not mask[DRAW]:
        return TAKE
    if not mask[TAKE]:
        return DRAW
    top, fits = top_of(seen), places(runs, sets)
    if top & fits or popcount(best_melded(hand | top)) > popcount(best_melded(hand)):
        return TAKE
    unseen, point = unseen_of(seen, hand | runs | sets), _point(seen, values)
    face = _best_discard(seen, hand, hand | top, fits, unseen, point, values)
    gain = worth((hand | top) & ~bit_of(face), fits, unseen, point, values) - worth(hand, fits, unseen, point, values)
    return TAKE if gain >= values.to_take else DRAW


@compiled
def _holds(seen: Observation, hand: int, unseen: int, values: Any) -> bool:
    """Whether to keep everything back for going rummy.

    Melds held back count against the hand if another seat goes out, and loose cards keep it from going rummy.
    """
    if seen.played[0] or seen.rules.rummy_factor < 2 or smallest_other_hand(seen) < values.hold_size:
        return False
    whole = best_melded(hand)
    risk = points_in(whole) + values.hold_loose * popcount(hand & ~whole)
    return bool(risk - values.hold_out * popcount(completing(hand) & unseen) <= values.hold_points)
