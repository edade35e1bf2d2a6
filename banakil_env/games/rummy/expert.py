"""`expert`: weighs every draw and discard by the worth of the hand after it, and lays down in time.

The worth of a hand has three parts. Cards in melds, and cards that can be laid off, count as gains. So do the unseen
cards that would improve the rest of the hand, most of all those with which the hand goes out. The points of the hand,
which count against it at the end, are a cost. Melds are counted in the best arrangement of whole melds: a card that
fits a run and a set is used in one of them. (A player who counts both overestimates how near the hand is to going out.)
Draw: the top of the pile if the hand is worth enough more with it, after the best discard.
Discard: the card that leaves the hand worth most, less what the card gives to the next seat.
Play: if every card can leave the hand in this turn, go out. Otherwise, if going rummy scores more, lay nothing down
while the melds that would count against the hand are small and going out is near. Later lay down everything, as
`greedy` does.

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
    Parameter("whole", 120, 0, 500, "value of a card in a meld of the hand, or that can be laid off, in 0.1 points"),
    Parameter("out", 45, -50, 300, "value of an unseen card that makes or extends a meld"),
    Parameter("last", 150, 0, 500, "extra value of an unseen card with which the hand goes out"),
    Parameter("alone", 20, -50, 200, "cost of a loose card that no other loose card is near"),
    Parameter("saved", 10, -20, 100, "cost of each point in the hand"),
    Parameter("saved_late", 0, -60, 120, "extra cost of each point when another hand is short"),
    Parameter("short_hand", 4, 0, 9, "most cards that a short hand has"),
    Parameter("given", 8, -20, 100, "cost of a discard, for each meld of three with two unseen cards"),
    Parameter("collected", 150, 0, 1000, "cost of a discard that completes a meld with cards known in the next hand"),
    Parameter("laid_off", 100, 0, 1000, "cost of a discard that the next seat can lay off"),
    Parameter("to_take", 140, -300, 600, "least gain in worth for which the top of the pile is taken"),
    Parameter("hold_size", 1, 1, 11, "nothing is held back if the smallest other hand has fewer cards"),
    Parameter("hold_points", 62, 0, 400, "points in melds of the hand up to which nothing is laid down, to go rummy"),
    Parameter("hold_loose", 7, 0, 20, "points added to this sum for each card outside melds"),
    Parameter("hold_out", 1, 0, 10, "points subtracted from this sum for each unseen card that completes a meld"),
)
VALUES = PARAMETERS.values
TWO, FOUR, SIX = range(3)


@compiled
def act(seen: Observation, mask: Any, generator: Any) -> int:
    """Return the action for the seat to move. The player is deterministic and does not use `generator`."""
    return decide(seen, mask, VALUES[_row(seen.num_players)])


@compiled
def _row(num_players: int) -> int:
    """Return the row of VALUES for this number of players."""
    if num_players == 2:
        return TWO
    return FOUR if num_players <= 4 else SIX


@compiled
def decide(seen: Observation, mask: Any, values: Any) -> int:
    """Choose the action of the expert that has the parameters `values`, a record of PARAMETERS."""
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
    """Return the present cost of each point in the hand, in tenths of a point."""
    late = smallest_other_hand(seen) <= values.short_hand
    return values.saved + (values.saved_late if late else 0)


@compiled
def worth(hand: int, fits: int, unseen: int, point: int, values: Any) -> int:
    """Return the value of a hand after its discard, in tenths of a point.

    Args:
        hand: the cards of the hand, as a mask of faces.
        fits: the cards that a meld on the table takes, as a mask.
        unseen: the cards that can still come, as a mask.
        point: the cost of each point in the hand.
        values: a record of PARAMETERS.
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
    """Return the face whose discard leaves the hand worth most, less what the card gives away.

    Args:
        seen: the observation.
        discards: mask of the legal discards.
        hand: mask of the hand.
        fits: mask of the cards that fit melds on the table.
        unseen: mask of the cards that can still come.
        point: the cost of each point in the hand.
        values: a record of PARAMETERS.
    """
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
    """Choose between the top of the pile and the stock.

    `hand`, `runs` and `sets` are masks: the hand, and the cards in runs and in sets on the table.
    """
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
    """Return whether to lay nothing down in this turn, to go rummy later.

    Melds that are held back count against the hand if another seat goes out, and loose cards delay going rummy.
    """
    if seen.played[0] or seen.rules.rummy_factor < 2 or smallest_other_hand(seen) < values.hold_size:
        return False
    whole = best_melded(hand)
    risk = points_in(whole) + values.hold_loose * popcount(hand & ~whole)
    return bool(risk - values.hold_out * popcount(completing(hand) & unseen) <= values.hold_points)
