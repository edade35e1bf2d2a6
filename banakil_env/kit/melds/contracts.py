"""Can a contract be met, so many sets of three and runs of four at once? An exact answer, and openings that keep it.

Runs are tried one after the other, fewest Jokers first, each with every pattern of Jokers: one that lies where a
natural is held frees that natural for another meld. Sets need no search: of a rank with n cards left, each further set
costs the Jokers that 3 cards a set lack, and what each rank can give is counted at once.

`meeting` binds the functions to a game: which runs go together (`clash`), and how Jokers may lie (`patterns`).
"""

# The names left open, which `bind` fills in.
# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from banakil_env.core.bits import lowest, popcount, wide, write_bits
from banakil_env.core.jit import bind, compiled
from banakil_env.core.scratch import scratch
from banakil_env.kit.melds.joker_melds import (
    NEED_JOKERS,
    NEED_ONE,
    NEED_TWO,
    NUM_LOWEST,
    NUM_PATTERNS,
    NUM_PLACES,
    NUM_SET_ROWS,
    NUM_SETS,
    PATTERN_JOKERS,
    RUN_SIZE,
    first_left,
    numbers_by_rank,
    places_of,
    row_of_run,
    sets_with,
    window_of,
    windows_with,
)
from banakil_env.kit.pack52 import NUM_RANKS, NUM_SUITS

# More Jokers than there are.
NEVER = 99

# Of which ranks sets may be opened: a bit for each rank, one set of each; with the bit REPEATED, any number of all.
REPEATED = 1 << NUM_RANKS
ANY_RANKS = 2 * REPEATED - 1
_DEPTHS = 8  # more than the runs of any contract


def windows_that_clash(clash: Callable[[int, int, int, int], bool]) -> npt.NDArray[np.int64]:
    """For each lowest place of a run, a bit of a place mask, those of the runs that cannot be in a contract with it.

    Args:
        clash: of suit and lowest place of one run and of another.
    """
    table = np.zeros(NUM_SUITS * NUM_PLACES, np.int64)
    runs = [(suit, low) for suit in range(NUM_SUITS) for low in range(NUM_LOWEST)]
    for one in runs:
        for other in runs:
            if clash(*one, *other):
                table[one[0] * NUM_PLACES + one[1]] |= 1 << other[0] * NUM_PLACES + other[1]
    return table


def continuous(suit: int, low: int, other_suit: int, other_low: int) -> bool:
    """Whether one run of four begins with the place after the other's last."""
    return suit == other_suit and abs(low - other_low) == RUN_SIZE


def same_suit(suit: int, low: int, other_suit: int, other_low: int) -> bool:
    """Whether two runs are of one suit."""
    return suit == other_suit


@compiled
def jokers_for_sets(one: int, two: int, sets: int, ranks: int) -> int:
    """The fewest Jokers with which so many sets of three can be opened at once; NEVER: not with any number.

    k sets of a rank with n naturals need 2k <= n naturals, and 3k - n Jokers beyond them. So a rank gives n // 3 sets
    for nothing, and then one more for 1, 2 or 3 Jokers; with eight cards one for 1 and one for 3. A further set of a
    rank never costs less than the one before, so the cheapest sets of all ranks are the fewest Jokers. Where a rank
    gives one set at the most, it costs a Joker with two naturals, and nothing with more.

    Args:
        ranks: of which sets may be; see `REPEATED`.
    """
    if sets <= 0:
        return wide(0)
    ones, twos, fours, eights = numbers_by_rank(one, two)
    if not ranks & REPEATED:
        lacking = sets - popcount((eights | fours | twos & ones) & ranks)
        if lacking > popcount(twos & ~(ones | fours | eights) & ranks):
            return wide(NEVER)
        return max(lacking, wide(0))
    lacking = sets - popcount(eights | fours | twos & ones) - popcount(eights | fours & twos)
    if lacking <= 0:
        return wide(0)
    for_one = popcount(eights | fours & ~twos & ones | ~fours & twos & ~ones)  # of 2, 5 and 8 cards
    for_two = popcount(fours & ~(twos ^ ones))  # of 4 and 7
    for_three = popcount(eights | fours & twos & ~ones)  # of 6 and 8
    if lacking > for_one + for_two + for_three:
        return wide(NEVER)
    return lacking + max(lacking - for_one, wide(0)) + max(lacking - for_one - for_two, wide(0))


def _can_meet(one: int, two: int, jokers: int, sets: int, runs: int, windows: int, ranks: int = ANY_RANKS) -> bool:
    """Whether a hand can open so many sets of three and runs of four at once.

    Args:
        one, two: the faces held, and held twice. jokers: those held.
        windows: the lowest places that runs may have, a place mask.
        ranks: those that sets may have; see `REPEATED`.

    The runs of a choice are taken in the order of (pattern, window), so that each choice is tried once.
    """
    ones, twos, left = scratch(_DEPTHS), scratch(_DEPTHS), scratch(_DEPTHS)
    allowed, pattern, untried = scratch(_DEPTHS), scratch(_DEPTHS), scratch(_DEPTHS)
    ones[0], twos[0], left[0], allowed[0], pattern[0] = one, two, jokers, windows, 0
    untried[0] = windows_with(places_of(one), wide(0)) & windows
    depth = wide(0)
    if jokers_for_sets(one, two, sets, ranks) > jokers:
        return False
    while depth >= 0:
        if depth == runs:
            return True
        if untried[depth] == 0:
            pattern[depth] += 1
            if pattern[depth] == patterns or PATTERN_JOKERS[pattern[depth]] > left[depth]:
                depth -= 1
            else:
                untried[depth] = windows_with(places_of(ones[depth]), pattern[depth]) & allowed[depth]
            continue
        window = lowest(untried[depth])
        untried[depth] &= untried[depth] - 1
        row, then = row_of_run(window, pattern[depth]), depth + 1
        ones[then] = first_left(ones[depth], twos[depth], NEED_ONE[row], wide(0))
        twos[then] = twos[depth] & ~NEED_ONE[row]
        left[then] = left[depth] - PATTERN_JOKERS[pattern[depth]]
        if jokers_for_sets(ones[then], twos[then], sets, ranks) > left[then]:
            continue
        allowed[then] = allowed[depth] & ~clash[window]
        pattern[then] = pattern[depth]
        if PATTERN_JOKERS[pattern[depth]] <= left[then]:
            untried[then] = windows_with(places_of(ones[then]), pattern[then]) & allowed[then] & -(wide(1) << window)
        elif then < runs:
            continue
        depth = then
    return False


def _write_sets(mask: Any, one: int, two: int, jokers: int, ranks: int = ANY_RANKS) -> None:
    """Write 1 for every set of three of these ranks that the hand has the cards for."""
    held = (one | one >> NUM_RANKS | one >> 2 * NUM_RANKS | one >> 3 * NUM_RANKS) & ranks
    for rank in range(NUM_RANKS):
        if held >> rank & 1:
            found = sets_with(one, two, jokers, wide(rank))
            if found:
                write_bits(mask, open_set + rank * NUM_SETS, found, NUM_SETS)


def _write_runs(mask: Any, one: int, jokers: int, windows: int) -> None:
    """Write 1 for every run of four that the hand has the cards for and that begins in `windows`."""
    places = places_of(one)
    for pattern in range(patterns):
        if PATTERN_JOKERS[pattern] > jokers:
            break
        found = windows_with(places, wide(pattern)) & windows
        while found:
            window = lowest(found)
            found &= found - 1
            mask[open_run + (window // NUM_PLACES * NUM_LOWEST + window % NUM_PLACES) * patterns + pattern] = 1


def _row_of(action: int) -> int:
    """The row of the opening that an action makes."""
    place = action - open_run
    return action - open_set if place < 0 else NUM_SET_ROWS + place // patterns * NUM_PATTERNS + place % patterns


def _write_meeting(
    mask: Any, one: int, two: int, jokers: int, sets: int, runs: int, windows: int, ranks: int = ANY_RANKS
) -> None:
    """Write 1 for every opening of a kind still lacking after which the contract can be met; see `_can_meet`."""
    if not can_meet(one, two, jokers, sets, runs, windows, ranks):
        return
    if sets:
        write_sets(mask, one, two, jokers, ranks)
    if runs:
        write_runs(mask, one, jokers, windows)
    if sets + runs == 1:
        return
    for action in range(open_set, open_run + NUM_SUITS * NUM_LOWEST * patterns):
        if mask[action]:
            row = row_of(wide(action))
            run, rest, rest_ranks = wide(row >= NUM_SET_ROWS), windows, wide(ranks)
            if run:
                rest &= ~clash[window_of(row)]
            else:
                rest_ranks &= ~(wide(1) << row // NUM_SETS)
            left, left_two = first_left(one, two, NEED_ONE[row], NEED_TWO[row]), two & ~NEED_ONE[row]
            used = NEED_JOKERS[row]
            mask[action] = can_meet(left, left_two, jokers - used, sets - 1 + run, runs - run, rest, rest_ranks)


def _best_opening(mask: Any, values: Any) -> int:
    """The legal opening with the fewest Jokers, of these the one worth most; -1: none is legal.

    Args:
        values: of each face, int64.
    """
    best, most = wide(-1), wide(0)
    for action in range(open_set, open_run + NUM_SUITS * NUM_LOWEST * patterns):
        if mask[action]:
            row = row_of(wide(action))
            worth, once = -1000 * NEED_JOKERS[row], NEED_ONE[row]
            while once:
                face = lowest(once)
                once &= once - 1
                worth += values[face] * (1 + (NEED_TWO[row] >> face & 1))
            if best < 0 or worth > most:
                best, most = wide(action), worth
    return best


class Meeting(NamedTuple):
    """Compiled functions about the openings of one game; what they take is said at the functions above.

    A game gives each a name of its own: machine code that reaches functions through a tuple cannot be kept on disk.

    Attributes:
        can_meet(one, two, jokers, sets, runs, windows, ranks=ANY_RANKS). row_of(action).
        write_sets(mask, one, two, jokers, ranks=ANY_RANKS). write_runs(mask, one, jokers, windows).
        write_meeting(mask, one, two, jokers, sets, runs, windows, ranks=ANY_RANKS). best_opening(mask, values).
    """

    can_meet: Callable[..., bool]
    row_of: Callable[[int], int]
    write_sets: Callable[..., None]
    write_runs: Callable[[Any, int, int, int], None]
    write_meeting: Callable[..., None]
    best_opening: Callable[[Any, Any], int]


def meeting(
    game: str, open_set: int, open_run: int, clash: npt.NDArray[np.int64], patterns: int = NUM_PATTERNS
) -> Meeting:
    """The functions of a game.

    Args:
        open_set, open_run: the first actions of both blocks, that of sets right before that of runs.
        clash: of `windows_that_clash`. patterns: how many patterns of Jokers in a run the game has.
    """
    names = {"open_set": open_set, "open_run": open_run, "patterns": patterns}
    row_of = bind(_row_of, f"{game}_row_of", **names)
    can_meet = bind(_can_meet, f"{game}_can_meet", clash=clash, patterns=patterns)
    write_sets = bind(_write_sets, f"{game}_write_sets", open_set=open_set)
    write_runs = bind(_write_runs, f"{game}_write_runs", open_run=open_run, patterns=patterns)
    others = {"row_of": row_of, "can_meet": can_meet, "write_sets": write_sets, "write_runs": write_runs}
    write_meeting = bind(_write_meeting, f"{game}_write_meeting", clash=clash, **names, **others)
    best_opening = bind(_best_opening, f"{game}_best_opening", row_of=row_of, **names)
    return Meeting(can_meet, row_of, write_sets, write_runs, write_meeting, best_opening)
