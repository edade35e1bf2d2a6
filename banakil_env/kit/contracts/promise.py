"""Rates a hand in a game of contracts from an observation, for players that do not look ahead.

The rating is called the promise of the hand. It adds up the worth of the best beginnings of sets and runs: as many as
the contract requires, and one more of each kind. A beginning is worth nothing if none of its missing cards can come.
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

# The tables with separate values of the parameters, for every player that uses the promise.
ROWS = (
    Row("three", {"num_players": 3, "rules": "contract=any"}),
    Row("more", {"num_players": 4, "rules": "contract=any"}),
)

# Worth of the beginnings of sets and of runs of four, in hundredths. Every player that uses the promise has these.
WORTHS = (
    Parameter("set_one", 200, 0, 2000, "promise of a set with one natural, in hundredths"),
    Parameter("set_two", 1000, 0, 5000, "promise of a set with two naturals"),
    Parameter("set_three", 2400, 500, 8000, "promise of a set with three naturals"),
    Parameter("run_one", 100, 0, 2000, "promise of a run of four with one natural"),
    Parameter("run_two", 600, 0, 4000, "promise of a run of four with two naturals"),
    Parameter("run_three", 1600, 0, 6000, "promise of a run of four with three naturals"),
    Parameter("run_four", 2800, 500, 9000, "promise of a run of four with four naturals"),
    Parameter("spare", 50, 0, 100, "factor, in hundredths, for a beginning that the contract does not require"),
    Parameter("spare_set_one", 100, 0, 1000, "promise of a set with one natural that the contract does not require"),
    Parameter("spare_run_one", 0, 0, 1000, "promise of a run with one natural that the contract does not require"),
)


MEETS = 1_000_000  # worth of a card that completes the contract
NEVER = 1_000_000  # cost of discarding a Joker


@compiled
def row_of(seen: Any) -> int:
    """The row of parameters for this table: 0 for three players, 1 for more."""
    return 0 if seen.num_players == 3 else 1


@compiled
def held_in(seen: Any, copies: int) -> int:
    """The natural cards of which the hand holds at least `copies`, as a mask."""
    cards = 0
    for face in range(JOKER):
        cards |= int(seen.hand[face] >= copies) << face
    return cards


@compiled
def gone_in(seen: Any) -> int:
    """The natural cards of which no copy is hidden, as a mask."""
    gone = 0
    for face in range(JOKER):
        gone |= int(hidden_of(seen, face, K.COPIES) <= 0) << face
    return gone


@inlined
def hidden_of(seen: Any, face: int, copies: int) -> int:
    """The number of hidden copies of a face that has `copies` copies in the pack."""
    return copies - seen.hand[face] - seen.table[face] - seen.discards[face]


# The cost of a discard in addition to the promise that it removes.
DISCARDS = (
    Parameter("early", 25, -50, 300, "cost of a point in the hand, in hundredths of the promise"),
    Parameter("late", 75, -50, 500, "the same cost once a seat has melds"),
    Parameter("short_hand", 3, 0, 8, "a seat with melds and fewer cards than this may end the round soon"),
    Parameter("short", 0, -100, 500, "additional cost of a point in the hand then"),
    Parameter("gives_known", 0, 0, 3000, "cost of a discard that goes with a card known in the next hand"),
    Parameter("gives_fit", 0, -1000, 4000, "cost of a discard that the next seat can lay off"),
    Parameter("passed", 0, -1000, 1000, "bonus of a discard for each card of its rank in the pile, up to three"),
)


@compiled
def worth_of_run(held: int, spare: bool, values: Any) -> int:
    """The worth of the beginning of a run that has `held` natural cards.

    Args:
        spare: whether the contract does not require this run.
        values: the parameters of a player.
    """
    if held == 1:
        return values.spare_run_one if spare else values.run_one
    worth = values.run_two if held == 2 else values.run_three if held == 3 else values.run_four
    return worth * values.spare // 100 if spare else worth


@compiled
def worth_of_set(held: int, spare: bool, values: Any) -> int:
    """The worth of the beginning of a set that has `held` natural cards; see `worth_of_run`."""
    if held == 1:
        return values.spare_set_one if spare else values.set_one
    worth = values.set_two if held == 2 else values.set_three
    return worth * values.spare // 100 if spare else worth


@compiled
def promise(one: int, two: int, gone: int, sets: int, runs: int, apart: bool, values: Any) -> int:
    """The worth of the best beginnings of `sets` sets and `runs` runs, and of one more of each kind in the contract.

    Args:
        one: the natural cards held, as a mask.
        two: the natural cards held twice, as a mask.
        gone: the natural cards of which no copy is hidden, as a mask.
        sets: the number of sets in the contract.
        runs: the number of runs in the contract.
        apart: whether all runs need different suits.
        values: the parameters of a player; they include WORTHS.
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
    """The increase of the promise of a hand by one natural card, given as the mask `card`; see `promise`."""
    more = promise(one | card, two | one & card, gone, sets, runs, apart, values)
    return more - promise(one, two, gone, sets, runs, apart, values)


@compiled
def without_run(one: int, two: int, window: int) -> Any:
    """Remove from a hand its cards of the run of four at `window`. Returns the cards held, and those held twice."""
    cards = W.NEED_ONE[W.row_of_run(window, 0)] & one
    return W.first_left(one, two, cards, 0), two & ~cards


@compiled
def best_windows(one: int, alive: int) -> Any:
    """The most cards of a hand in any run of four among `alive`, and the runs with this number.

    A set of runs of four is given as the mask of the places where they begin.
    """
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
    """The rank with the most cards held (3 at most), and their number.

    Ranks with one or two cards count only if another card of the rank is hidden.
    """
    best, most = 0, 0
    ones, twos, fours, eights = W.numbers_by_rank(one, two)
    there = ranks_in(hidden)
    for held, ranks in ((3, twos & ones | fours | eights), (2, twos & there), (1, ones & there)):
        if ranks:
            return lowest(ranks & (1 << NUM_RANKS) - 1), held
    return best, most


@inlined
def was_down(seen: Any) -> bool:
    """Whether the seat has laid its melds in an earlier turn."""
    return seen.down[0] != 0 and not (seen.first and seen.active[0])


@compiled
def goes_with(card: int, others: int) -> bool:
    """Whether a natural card (a mask) has the rank of one of the others, or is within two places of it in its suit."""
    if in_places(card) & _near(in_places(others)):
        return True
    ranks = others | others >> NUM_RANKS | others >> 2 * NUM_RANKS | others >> 3 * NUM_RANKS
    own = card | card >> NUM_RANKS | card >> 2 * NUM_RANKS | card >> 3 * NUM_RANKS
    return own & ranks & (1 << NUM_RANKS) - 1 != 0


@inlined
def _near(places: int) -> int:
    """The places at a distance of one or two."""
    return places << 1 | places << 2 | places >> 1 | places >> 2


@compiled
def given_by(seen: Any, face: int, values: Any) -> int:
    """The cost of a discard that the next seat can use, minus a bonus for cards of its rank in the pile."""
    cost = values.gives_fit * (seen.fits[face] * seen.down[1])
    if values.gives_known != 0:
        cost += values.gives_known * goes_with(1 << face, _known_next(seen))
    if values.passed != 0:
        cost -= values.passed * min(_lying(seen, face % NUM_RANKS), 3)
    return cost


@compiled
def _known_next(seen: Any) -> int:
    """The natural cards that everybody knows to be in the hand of the next seat, as a mask."""
    known = 0
    for face in range(JOKER):
        known |= int(seen.known[1, face] != 0) << face
    return known


@compiled
def _lying(seen: Any, rank: int) -> int:
    """The number of cards of a rank in the pile."""
    count = 0
    for face in range(rank, JOKER, NUM_RANKS):
        count += seen.discards[face]
    return count


@compiled
def is_late(seen: Any) -> bool:
    """Whether the round is late, which means that a seat has melds."""
    for place in range(seen.num_players):
        if seen.down[place]:
            return True
    return False


@compiled
def least_useful(
    seen: Any, discards: int, sets: int, runs: int, apart: bool, points: Any, kept: int, values: Any
) -> int:
    """The face that the hand needs least, out of the mask `discards`; Jokers come last.

    Args:
        sets, runs, apart: see `promise`; for a seat that has melds, one set and one run are used.
        points: the points of each face.
        kept: the cost of a card that fits a meld on the table.
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
    """The weight of one point in the hand, in hundredths of the promise."""
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
    """The action that chooses a meld for the named card: a run before a set, since a run can accept more cards.

    Args:
        mask: the legal actions.
        first: the first action of the block that chooses a meld.
    """
    for slot in range(W.MAX_MELDS):
        if mask[first + slot] and seen.meld_kind[slot] == RUN:
            return first + slot
    return legal_at(mask, 0)
