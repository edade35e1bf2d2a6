"""Decides exactly whether a hand can meet a contract (sets of three and runs of four), and which openings keep that.

Runs are tried one after the other, those with the fewest Jokers first. Each run is tried with every pattern of Jokers:
a Joker at the place of a natural card that is held frees that card for another meld. Sets need no search. In a rank
with n cards left, each set costs the Jokers that it lacks to three cards, so the sets of each rank are counted at once.

`meeting` binds the functions to a game: which runs exclude each other (`clash`), and which places Jokers can have
(`patterns`). With `fewest` 1, a meld can be opened with one natural card, and sets can have every rank.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from banakil_env.core.bits import lowest, popcount, read_bits, write_bits
from banakil_env.core.jit import bind, compiled, inlined
from banakil_env.core.masks import CELLS_AT_ONCE
from banakil_env.core.scratch import scratch
from banakil_env.kit.melds.joker_melds import (
    ALL_PATTERNS,
    LONE_OPENINGS,
    LONE_RUN_ROWS,
    MELD_MADE,
    NEED_JOKERS,
    NEED_ONE,
    NEED_TWO,
    NUM_LONE,
    NUM_LOWEST,
    NUM_PATTERNS,
    NUM_PLACES,
    NUM_ROWS,
    NUM_SET_ROWS,
    NUM_SETS,
    PATTERN_JOKERS,
    RUN_SIZE,
    first_left,
    is_run,
    numbers_by_rank,
    rank_of,
    row_of_run,
    sets_with,
    window_of,
    windows_with,
)
from banakil_env.kit.melds.places import in_places
from banakil_env.kit.pack52 import NUM_RANKS, NUM_SUITS
from banakil_env.kit.pack54 import JOKER

# A number of Jokers that no game has.
NEVER = 99

# The ranks in which sets can be opened: a bit for each rank, with one set each. With the bit REPEATED, all ranks can
# have any number of sets.
REPEATED = 1 << NUM_RANKS
ANY_RANKS = 2 * REPEATED - 1
_DEPTHS = 8  # size of the search stack: more than the runs of any contract

# Names that `meeting` binds for each game: the first actions of the blocks; the number of patterns of Jokers in a run;
# the number of openings with at least two natural cards (`num_few`, from `open_set` on); the number of those with one
# (`num_lone`, from `open_lone` on); and the windows that clash. A window is the place at which a run of four begins.
open_set = open_run = open_lone = patterns = num_few = num_lone = -1
clash: Any = None


def windows_that_clash(clash: Callable[[int, int, int, int], bool]) -> npt.NDArray[np.int64]:
    """For each place at which a run of four can begin, the mask of places of runs that it excludes from a contract.

    Args:
        clash(suit, low, other suit, other low): whether two runs, given by suit and lowest place, exclude each other.
    """
    table = np.zeros(NUM_SUITS * NUM_PLACES, np.int64)
    runs = [(suit, low) for suit in range(NUM_SUITS) for low in range(NUM_LOWEST)]
    for one in runs:
        for other in runs:
            if clash(*one, *other):
                table[one[0] * NUM_PLACES + one[1]] |= 1 << other[0] * NUM_PLACES + other[1]
    return table


def continuous(suit: int, low: int, other_suit: int, other_low: int) -> bool:
    """Whether one run of four begins at the place after the last place of the other."""
    return suit == other_suit and abs(low - other_low) == RUN_SIZE


def same_suit(suit: int, low: int, other_suit: int, other_low: int) -> bool:
    """Whether two runs have the same suit."""
    return suit == other_suit


@compiled
def jokers_for_sets(one: int, two: int, sets: int, ranks: int, fewest: int = 2) -> int:
    """The fewest Jokers with which `sets` sets of three can be opened at once; NEVER if that is impossible.

    k sets of a rank with n natural cards need 2k <= n, and 3k - n Jokers. So a rank gives n // 3 sets without Jokers,
    and then one more set for 1, 2 or 3 Jokers; a rank with eight cards gives one for 1 Joker and one for 3. A further
    set of a rank never costs less than the previous one, so the cheapest sets of all ranks give the fewest Jokers. If a
    rank can give only one set, the set costs one Joker with two natural cards, and nothing with more. With `fewest` 1,
    k sets need k <= n. After the sets without Jokers and one set for 1 or 2 Jokers, each further set costs 3. The pack
    has 4 Jokers, so at most one set for 3 is possible.

    Args:
        one: the natural cards held, as a mask.
        two: the natural cards held twice, as a mask.
        sets: the number of sets.
        ranks: the ranks that sets can have; see `REPEATED`.
        fewest: the natural cards that an opening needs.
    """
    if sets <= 0:
        return 0
    ones, twos, fours, eights = numbers_by_rank(one, two)
    if not ranks & REPEATED:
        lacking = sets - popcount((eights | fours | twos & ones) & ranks)
        if lacking > popcount(twos & ~(ones | fours | eights) & ranks):
            return NEVER
        return max(lacking, 0)
    lacking = sets - popcount(eights | fours | twos & ones) - popcount(eights | fours & twos)
    if lacking <= 0:
        return 0
    for_one = popcount(eights | fours & ~twos & ones | ~fours & twos & ~ones)  # ranks with 2, 5 and 8 cards
    for_two = popcount(fours & ~(twos ^ ones))  # ranks with 4 and 7 cards
    for_three = popcount(eights | fours & twos & ~ones)  # ranks with 6 and 8 cards
    if fewest == 1:
        for_two += popcount(ones & ~twos & ~fours)  # also ranks with 1 card
        for_three = popcount(twos | fours | eights)
    if lacking > for_one + for_two + for_three:
        return NEVER
    return lacking + max(lacking - for_one, 0) + max(lacking - for_one - for_two, 0)


def _can_meet(
    one: int, two: int, jokers: int, sets: int, runs: int, windows: int, ranks: int = ANY_RANKS, fewest: int = 2
) -> bool:
    """Whether a hand can open `sets` sets of three and `runs` runs of four at once.

    The runs of a choice are tried in the order of (pattern, window), so that each choice is tried once.

    Args:
        one: the natural cards held, as a mask.
        two: the natural cards held twice, as a mask.
        jokers: the number of Jokers held.
        sets: the number of sets.
        runs: the number of runs.
        windows: the places at which runs can begin, as a mask.
        ranks: the ranks that sets can have; see `REPEATED`.
        fewest: the natural cards that an opening needs.
    """
    ones, twos, left = scratch(_DEPTHS), scratch(_DEPTHS), scratch(_DEPTHS)
    allowed, pattern, untried = scratch(_DEPTHS), scratch(_DEPTHS), scratch(_DEPTHS)
    ones[0], twos[0], left[0], allowed[0], pattern[0] = one, two, jokers, windows, 0
    untried[0] = windows_with(in_places(one), 0) & windows
    depth, last = 0, ALL_PATTERNS if fewest == 1 else patterns
    if jokers_for_sets(one, two, sets, ranks, fewest) > jokers:
        return False
    while depth >= 0:
        if depth == runs:
            return True
        if untried[depth] == 0:
            pattern[depth] += 1
            if pattern[depth] == last or PATTERN_JOKERS[pattern[depth]] > left[depth]:
                depth -= 1
            else:
                untried[depth] = windows_with(in_places(ones[depth]), pattern[depth]) & allowed[depth]
            continue
        window = lowest(untried[depth])
        untried[depth] &= untried[depth] - 1
        row, then = row_of_run(window, pattern[depth]), depth + 1
        ones[then] = first_left(ones[depth], twos[depth], NEED_ONE[row], 0)
        twos[then] = twos[depth] & ~NEED_ONE[row]
        left[then] = left[depth] - PATTERN_JOKERS[pattern[depth]]
        if jokers_for_sets(ones[then], twos[then], sets, ranks, fewest) > left[then]:
            continue
        allowed[then] = allowed[depth] & ~clash[window]
        pattern[then] = pattern[depth]
        if PATTERN_JOKERS[pattern[depth]] <= left[then]:
            untried[then] = windows_with(in_places(ones[then]), pattern[then]) & allowed[then] & -(1 << window)
        elif then < runs:
            continue
        depth = then
    return False


def _write_sets(mask: Any, one: int, two: int, jokers: int, ranks: int = ANY_RANKS, fewest: int = 2) -> None:
    """Write 1 for every set of three, with one of these ranks, for which the hand has the cards."""
    held = (one | one >> NUM_RANKS | one >> 2 * NUM_RANKS | one >> 3 * NUM_RANKS) & ranks
    for rank in range(NUM_RANKS):
        if held >> rank & 1:
            found = sets_with(one, two, jokers, rank)
            if found:
                write_bits(mask, open_set + rank * NUM_SETS, found, NUM_SETS)
    if fewest == 1 and jokers >= 2:
        write_bits(mask, open_lone, one, JOKER)


def _write_runs(mask: Any, one: int, jokers: int, windows: int, fewest: int = 2) -> None:
    """Write 1 for every run of four that begins in `windows` and for which the hand has the cards."""
    places = in_places(one)
    for pattern in range(ALL_PATTERNS if fewest == 1 else patterns):
        if PATTERN_JOKERS[pattern] > jokers:
            break
        found = windows_with(places, pattern) & windows
        while found:
            window = lowest(found)
            found &= found - 1
            place = window // NUM_PLACES * NUM_LOWEST + window % NUM_PLACES
            if pattern < patterns:
                mask[open_run + place * patterns + pattern] = 1
            else:
                mask[open_lone + LONE_RUN_ROWS - NUM_ROWS + place * NUM_LONE + pattern - NUM_PATTERNS] = 1


def _row_of(action: int) -> int:
    """The row of `joker_melds.OPENINGS` (or of the openings after them) for an action."""
    if 0 <= open_lone <= action:
        return action - open_lone + NUM_ROWS
    place = action - open_run
    return action - open_set if place < 0 else NUM_SET_ROWS + place // patterns * NUM_PATTERNS + place % patterns


def _can_meet_after(
    action: int, one: int, two: int, jokers: int, sets: int, runs: int, windows: int, ranks: int, fewest: int
) -> bool:
    """Whether the contract can still be met after an opening that it needs; see `_can_meet`."""
    row = _row_of(action)
    run, rest, rest_ranks = int(is_run(MELD_MADE[row])), windows, ranks
    if run:
        rest &= ~clash[window_of(row)]
    else:
        rest_ranks &= ~(1 << rank_of(MELD_MADE[row]))
    left, left_two = first_left(one, two, NEED_ONE[row], NEED_TWO[row]), two & ~NEED_ONE[row]
    return _can_meet(left, left_two, jokers - NEED_JOKERS[row], sets - 1 + run, runs - run, rest, rest_ranks, fewest)


@inlined
def _legal_between(mask: Any, first: int, end: int) -> int:
    """The legal actions from `first` on and before `end`, at most CELLS_AT_ONCE of them, as bits."""
    start = min(first, end - CELLS_AT_ONCE)
    return read_bits(mask, start, CELLS_AT_ONCE) >> first - start


def _write_meeting(
    mask: Any,
    one: int,
    two: int,
    jokers: int,
    sets: int,
    runs: int,
    windows: int,
    ranks: int = ANY_RANKS,
    fewest: int = 2,
) -> None:
    """Write 1 for every opening that the contract needs and after which it can still be met; see `_can_meet`."""
    if not _can_meet(one, two, jokers, sets, runs, windows, ranks, fewest):
        return
    if sets:
        _write_sets(mask, one, two, jokers, ranks, fewest)
    if runs:
        _write_runs(mask, one, jokers, windows, fewest)
    if sets + runs == 1:
        return
    for block in range(2 if fewest == 1 else 1):
        first, count = (open_set, num_few) if block == 0 else (open_lone, num_lone)
        for start in range(first, first + count, CELLS_AT_ONCE):
            legal = _legal_between(mask, start, first + count)
            while legal:
                action = start + lowest(legal)
                legal &= legal - 1
                mask[action] = _can_meet_after(action, one, two, jokers, sets, runs, windows, ranks, fewest)


def _best_opening(mask: Any, values: Any) -> int:
    """The legal opening with the fewest Jokers, and among these the most valuable one; -1 if no opening is legal.

    Args:
        mask: the legal actions.
        values: int64, the value of each face.
    """
    best, most = -1, 0
    for block in range(2):
        first, count = (open_set, num_few) if block == 0 else (open_lone, num_lone)
        for start in range(first, first + count, CELLS_AT_ONCE):
            legal = _legal_between(mask, start, first + count)
            while legal:
                action = start + lowest(legal)
                legal &= legal - 1
                worth = _worth_of(_row_of(action), values)
                if best < 0 or worth > most:
                    best, most = action, worth
    return best


@compiled
def _worth_of(row: int, values: Any) -> int:
    """The worth of an opening: the value of its natural cards, minus 1000 for each Joker."""
    worth, once = -1000 * NEED_JOKERS[row], NEED_ONE[row]
    while once:
        face = lowest(once)
        once &= once - 1
        worth += values[face] * (1 + (NEED_TWO[row] >> face & 1))
    return worth


class Meeting(NamedTuple):
    """Compiled functions about the openings of one game. The functions above describe their arguments.

    Each game names its functions separately: machine code that calls functions through a tuple cannot be cached.

    Attributes:
        can_meet(one, two, jokers, sets, runs, windows, ranks=ANY_RANKS, fewest=2): see `_can_meet`.
        row_of(action): see `_row_of`.
        write_sets(mask, one, two, jokers, ranks=ANY_RANKS, fewest=2): see `_write_sets`.
        write_runs(mask, one, jokers, windows, fewest=2): see `_write_runs`.
        write_meeting(mask, one, two, jokers, sets, runs, windows, ranks=ANY_RANKS, fewest=2): see `_write_meeting`.
        best_opening(mask, values): see `_best_opening`.
    """

    can_meet: Callable[..., bool]
    row_of: Callable[[int], int]
    write_sets: Callable[..., None]
    write_runs: Callable[..., None]
    write_meeting: Callable[..., None]
    best_opening: Callable[[Any, Any], int]


def meeting(
    game: str,
    open_set: int,
    open_run: int,
    clash: npt.NDArray[np.int64],
    patterns: int = NUM_PATTERNS,
    open_lone: int = -1,
) -> Meeting:
    """Compile the functions about openings for a game.

    Args:
        game: the name of the game.
        open_set: the first action of the block of sets, which comes directly before the block of runs.
        open_run: the first action of the block of runs.
        clash: the result of `windows_that_clash`.
        patterns: the number of patterns of Jokers in a run.
        open_lone: the first action of `joker_melds.lone_blocks`, the last blocks of the game; -1 without these blocks.
    """
    num_few = open_run + NUM_SUITS * NUM_LOWEST * patterns - open_set
    lone = {"open_lone": open_lone, "num_lone": len(LONE_OPENINGS) if open_lone >= 0 else 0}
    row_of = bind(
        _row_of, f"{game}_row_of", open_set=open_set, open_run=open_run, patterns=patterns, open_lone=open_lone
    )
    can_meet = bind(_can_meet, f"{game}_can_meet", clash=clash, patterns=patterns)
    can_meet_after = bind(_can_meet_after, f"{game}_can_meet_after", clash=clash, _row_of=row_of, _can_meet=can_meet)
    write_sets = bind(_write_sets, f"{game}_write_sets", open_set=open_set, open_lone=open_lone)
    write_runs = bind(_write_runs, f"{game}_write_runs", open_run=open_run, patterns=patterns, open_lone=open_lone)
    write_meeting = bind(
        _write_meeting,
        f"{game}_write_meeting",
        open_set=open_set,
        num_few=num_few,
        **lone,
        _can_meet=can_meet,
        _can_meet_after=can_meet_after,
        _write_sets=write_sets,
        _write_runs=write_runs,
    )
    best_opening = bind(
        _best_opening, f"{game}_best_opening", _row_of=row_of, open_set=open_set, num_few=num_few, **lone
    )
    return Meeting(can_meet, row_of, write_sets, write_runs, write_meeting, best_opening)
