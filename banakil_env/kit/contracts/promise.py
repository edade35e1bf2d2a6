"""Estimates a hand in a game of contracts from an observation, for players that do not look ahead.

The promise is the worth of the best beginnings of sets and runs, as many as a contract requires and one more of each
kind. Beginnings whose missing cards are all gone have no worth.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import lowest
from banakil_env.core.jit import compiled, inlined
from banakil_env.core.masks import legal_at
from banakil_env.core.parameters import Parameter, Row
from banakil_env.kit.contracts import table as K
from banakil_env.kit.melds import joker_melds as W
from banakil_env.kit.melds.places import NUM_PLACES, in_places
from banakil_env.kit.pack52 import NUM_RANKS, NUM_SUITS, ranks_in
from banakil_env.kit.pack54 import JOKER
from banakil_env.kit.seen import RUN

# The rows of numbers, of every player that uses the promise.
ROWS = (
    Row("three", {"num_players": 3, "rules": "contract=any"}),
    Row("more", {"num_players": 4, "rules": "contract=any"}),
)

# Worth of beginnings of sets and of runs of four, in hundredths: parameters of every player that uses the promise.
WORTHS = (
    Parameter("set_one", 200, 0, 2000, "promise of a set with one natural, in hundredths"),
    Parameter("set_two", 1000, 0, 5000, "promise of a set with two naturals"),
    Parameter("set_three", 2400, 500, 8000, "promise of a set with three naturals"),
    Parameter("run_one", 100, 0, 2000, "promise of a run of four with one natural"),
    Parameter("run_two", 600, 0, 4000, "promise of a run of four with two naturals"),
    Parameter("run_three", 1600, 0, 6000, "promise of a run of four with three naturals"),
    Parameter("run_four", 2800, 500, 9000, "promise of a run of four with four naturals"),
    Parameter("spare", 50, 0, 100, "share of this, in hundredths, of a beginning that the contract does not ask for"),
    Parameter("spare_set_one", 100, 0, 1000, "promise of such a set with one natural"),
    Parameter("spare_run_one", 0, 0, 1000, "promise of such a run with one natural"),
)


MEETS = 1_000_000  # gain of a card with which the contract can be met
NEVER = 1_000_000  # cost of a Joker as a discard


@compiled
def row_of(seen: Any) -> int:
    """The row of numbers for this table: three players, or more."""
    return 0 if seen.num_players == 3 else 1


@compiled
def held_in(seen: Any, copies: int) -> int:
    """The naturals that the hand holds at least this number of times, as a mask."""
    cards = 0
    for face in range(JOKER):
        cards |= int(seen.hand[face] >= copies) << face
    return cards


@compiled
def gone_in(seen: Any) -> int:
    """The naturals of which no card is hidden, as a mask."""
    gone = 0
    for face in range(JOKER):
        gone |= int(hidden_of(seen, face, K.COPIES) <= 0) << face
    return gone


@inlined
def hidden_of(seen: Any, face: int, copies: int) -> int:
    """The number of hidden cards of a face, of which the pack has `copies`."""
    return copies - seen.hand[face] - seen.table[face] - seen.discards[face]


# What a discard costs beyond the promise that it takes.
DISCARDS = (
    Parameter("early", 25, -50, 300, "what a point in the hand costs, in hundredths of the promise"),
    Parameter("late", 75, -50, 500, "the same once a seat is down"),
    Parameter("short_hand", 3, 0, 8, "cards in the hand of a seat that is down, below which the round may end soon"),
    Parameter("short", 0, -100, 500, "what a point costs more then"),
    Parameter("gives_known", 0, 0, 3000, "cost of a discard that goes with a card known in the next hand"),
    Parameter("gives_fit", 0, -1000, 4000, "cost of a discard that the next seat can lay off"),
    Parameter("passed", 0, -1000, 1000, "what a discard saves for each card of its rank in the pile, up to three"),
)


@compiled
def worth_of_run(held: int, spare: bool, values: Any) -> int:
    """The worth of the beginning of a run with this number of naturals."""
    if held == 1:
        return values.spare_run_one if spare else values.run_one
    worth = values.run_two if held == 2 else values.run_three if held == 3 else values.run_four
    return worth * values.spare // 100 if spare else worth


@compiled
def worth_of_set(held: int, spare: bool, values: Any) -> int:
    """The worth of the beginning of a set with this number of naturals."""
    if held == 1:
        return values.spare_set_one if spare else values.set_one
    worth = values.set_two if held == 2 else values.set_three
    return worth * values.spare // 100 if spare else worth


@compiled
def promise(one: int, two: int, gone: int, sets: int, runs: int, apart: bool, values: Any) -> int:
    """The worth of the best beginnings of `sets` sets and `runs` runs, and of one more of each kind in the contract.

    Args:
        one, two: the naturals held, and held twice. gone: see `gone_in`.
        apart: whether all runs need different suits.
        values: of a player whose parameters include WORTHS.
    """
    worth, hidden = 0, ~gone & ((1 << JOKER) - 1)
    alive = W.windows_with(in_places(one | hidden), 0)
    for number in range(runs + (runs > 0)):
        held, windows = best_windows(one, alive)
        if held == 0:
            break
        window = lowest(windows)
        worth += worth_of_run(held, number >= runs, values)
        one, two = without_run(one, two, window)
        if apart:
            alive &= ~(W.ONE_RUN << window // NUM_PLACES * NUM_PLACES)
    for number in range(sets + (sets > 0)):
        rank, held = _best_rank(one, two, hidden)
        if held == 0:
            break
        worth += worth_of_set(held, number >= sets, values)
        taken = 0
        for layer in range(2):
            for suit in range(NUM_SUITS):
                card = 1 << suit * NUM_RANKS + rank
                if taken < held and (two if layer == 0 else one) & card:
                    taken += 1
                    one, two = W.first_left(one, two, card, 0), two & ~card
    return worth


@compiled
def raised_by(card: int, one: int, two: int, gone: int, sets: int, runs: int, apart: bool, values: Any) -> int:
    """The amount by which a natural raises the promise of a hand. `card`: its mask; the rest as for `promise`."""
    more = promise(one | card, two | one & card, gone, sets, runs, apart, values)
    return more - promise(one, two, gone, sets, runs, apart, values)


@compiled
def without_run(one: int, two: int, window: int) -> Any:
    """The cards of a hand without those that it has of the run of four from this place on."""
    cards = W.NEED_ONE[W.row_of_run(window, 0)] & one
    return W.first_left(one, two, cards, 0), two & ~cards


@compiled
def best_windows(one: int, alive: int) -> Any:
    """The largest number of cards that a run of four among these can have of a hand, and the runs that have it."""
    places = in_places(one)
    first, second, third, fourth = places, places >> 1, places >> 2, places >> 3
    odd, other = first ^ second, third ^ fourth
    both, both_other = first & second, third & fourth
    four = both & both_other & alive
    three = (both & other | both_other & odd) & alive
    two = (both | both_other | odd & other) & alive
    some = (odd | other) & alive
    for held, windows in ((4, four), (3, three), (2, two), (1, some)):
        if windows:
            return held, windows
    return 0, alive


@compiled
def _best_rank(one: int, two: int, hidden: int) -> Any:
    """The rank with the most cards held, at most three of them, and how many; pairs only with a third card hidden."""
    best, most = 0, 0
    ones, twos, fours, eights = W.numbers_by_rank(one, two)
    there = ranks_in(hidden)
    for held, ranks in ((3, twos & ones | fours | eights), (2, twos & there), (1, ones & there)):
        if ranks:
            return lowest(ranks & (1 << NUM_RANKS) - 1), held
    return best, most


@inlined
def was_down(seen: Any) -> bool:
    """Whether the seat has melds of earlier turns."""
    return seen.down[0] != 0 and not (seen.first and seen.active[0])


@compiled
def goes_with(card: int, others: int) -> bool:
    """Whether a natural is of the rank of one of these others, or near it in its suit."""
    if in_places(card) & _near(in_places(others)):
        return True
    ranks = others | others >> NUM_RANKS | others >> 2 * NUM_RANKS | others >> 3 * NUM_RANKS
    own = card | card >> NUM_RANKS | card >> 2 * NUM_RANKS | card >> 3 * NUM_RANKS
    return own & ranks & (1 << NUM_RANKS) - 1 != 0


@inlined
def _near(places: int) -> int:
    """The places one or two away."""
    return places << 1 | places << 2 | places >> 1 | places >> 2


@compiled
def given_by(seen: Any, face: int, values: Any) -> int:
    """The cost of a discard that the next seat can use, less a discount for cards of its rank in the pile."""
    cost = values.gives_fit * (seen.fits[face] * seen.down[1])
    if values.gives_known != 0:
        cost += values.gives_known * goes_with(1 << face, _known_next(seen))
    if values.passed != 0:
        cost -= values.passed * min(_lying(seen, face % NUM_RANKS), 3)
    return cost


@compiled
def _known_next(seen: Any) -> int:
    """The naturals that everybody knows in the hand of the next seat."""
    known = 0
    for face in range(JOKER):
        known |= int(seen.known[1, face] != 0) << face
    return known


@compiled
def _lying(seen: Any, rank: int) -> int:
    """How many cards of a rank lie in the pile."""
    count = 0
    for face in range(rank, JOKER, NUM_RANKS):
        count += seen.discards[face]
    return count


@compiled
def is_late(seen: Any) -> bool:
    """Whether the round is late: a seat has melds."""
    for place in range(seen.num_players):
        if seen.down[place]:
            return True
    return False


@compiled
def least_useful(
    seen: Any, discards: int, sets: int, runs: int, apart: bool, points: Any, kept: int, values: Any
) -> int:
    """The face, out of a mask of faces, that the hand needs least; Jokers come last.

    Args:
        sets, runs, apart: see `promise`; a seat that is down begins one of each. points: of the faces.
        kept: the cost of a card that a meld on the table takes.
    """
    one, two, gone = held_in(seen, 1), held_in(seen, 2), gone_in(seen)
    if seen.down[0]:
        sets, runs = 1, 1
    before, weight = promise(one, two, gone, sets, runs, apart, values), weight_of_points(seen, values)
    best, least = -1, 0
    while discards:
        face = lowest(discards)
        discards &= discards - 1
        cost = NEVER
        if face != JOKER:
            card = 1 << face
            rest = promise(W.first_left(one, two, card, 0), two & ~card, gone, sets, runs, apart, values)
            cost = before - rest - weight * points[face] + given_by(seen, face, values) + kept * seen.fits[face]
        if best < 0 or cost < least:
            best, least = face, cost
    return best


@compiled
def weight_of_points(seen: Any, values: Any) -> int:
    """The weight of a point in the hand, in hundredths of the promise."""
    weight = values.late if is_late(seen) else values.early
    for place in range(1, seen.num_players):
        if seen.down[place] and seen.hand_size[place] < values.short_hand:
            return weight + values.short
    return weight


@compiled
def upcard_of(seen: Any) -> int:
    """The face of the upcard."""
    return seen.pile[seen.pile_size - 1] - 1


@compiled
def choose_run(seen: Any, mask: Any, first: int) -> int:
    """The action that chooses a meld: a run rather than a set, since a run can take further cards. `first` is the first
    such action.
    """
    for slot in range(W.MAX_MELDS):
        if mask[first + slot] and seen.meld_kind[slot] == RUN:
            return first + slot
    return legal_at(mask, 0)
