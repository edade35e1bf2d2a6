"""The look-ahead that games of books share: which plays a seat has, and whether it can end its turn after each.

A *play* is an action that lays cards of the hand down: it opens a meld, adds to a meld, or takes the pile. Its row in a
game's table of plays lists the cards and the meld.

A *sight* is a record for looking ahead: the hand by kind, the books of the side by place, and the cards of the pile
that will come into the hand. An action is tried on a copy of the sight. `sight_dtype` adds the fields of a game.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.actions import ActionTable
from banakil_env.core.bits import clear_cells, lowest, only_if, popcount, write_bits
from banakil_env.core.engine import EVERYTHING
from banakil_env.core.hooks import hook
from banakil_env.core.jit import bind, compiled, inlined
from banakil_env.core.record_type import record_dtype
from banakil_env.core.records import copy_record
from banakil_env.core.scratch import scratch_record
from banakil_env.kit.books.kinds import (
    ACE,
    FOUR,
    JOKER,
    NO_KIND,
    NUM_BOOKS,
    NUM_KINDS,
    NUM_PATTERNS,
    THREE,
    TWO,
    VALUES,
    is_red_three,
    kind_of,
    size_of,
    size_of_stacks,
)
from banakil_env.kit.books.melds import lay, wilds_at
from banakil_env.kit.table_state import DRAW, PLAY
from banakil_env.kit.two_sides import ANSWER, YES, side_of, side_to_move

# The table of plays ---------------------------------------------------------------------------------------------------

# A play: the place of its meld, the numbers of natural cards, Twos and Jokers, their sum, and their total value.
PLAY_ROW = record_dtype(
    *(("place", "<i8"), ("naturals", "<i8"), ("twos", "<i8"), ("jokers", "<i8"), ("cards", "<i8"), ("worth", "<i8")),
    align=True,
)


def play_table(actions: ActionTable) -> npt.NDArray[Any]:
    """The table with one PLAY_ROW per action; rows of actions that lay down no card of the hand are zero."""
    rows = np.zeros(len(actions), PLAY_ROW)
    for action in actions:
        if action.verb not in ("take", "open", "add") or not action.cards:
            continue
        cards = action.cards[:1] if action.block.name == "add_wild" else action.cards
        place = min(min(action.cards), TWO)
        naturals = sum(kind < TWO for kind in cards)
        wilds = cards.count(TWO), cards.count(JOKER)
        rows[action.index] = place, naturals, *wilds, len(cards), sum(VALUES[kind] for kind in cards)
    return rows


@compiled
def lay_down(state: Any, row: Any) -> None:
    """Move the cards of a play (a row of the table of plays) from the hand of the seat to move to a book."""
    place = row.place
    for _ in range(row.naturals):
        lay(state, place, place)
    for _ in range(row.twos):
        lay(state, TWO, place)
    for _ in range(row.jokers):
        lay(state, JOKER, place)


# A sight -------------------------------------------------------------------------------------------------------------


def sight_dtype(*own: tuple[Any, ...]) -> np.dtype[Any]:
    """The dtype of a sight (a record for looking ahead), with additional fields of the game."""
    return record_dtype(
        ("held", "<i8", (NUM_KINDS,)),  # cards of the hand by kind
        # Natural and wild cards of the side's books by place.
        *(("naturals", "<i8", (NUM_KINDS,)), ("wilds", "<i8", (NUM_KINDS,))),
        # The number of cards of the pile that will come into the hand (2: two or more), and the kind of one of them.
        *(("coming", "<i8"), ("coming_kind", "<i8")),
        *own,
        align=True,
    )


@compiled
def look_at_cards(state: Any, seat: int, sight: Any) -> None:
    """Write the common fields of a sight (a record for looking ahead): the hand of a seat and the books of its side."""
    side = side_of(state, seat)
    for kind in range(NUM_KINDS):
        sight.held[kind] = size_of(state.hands[seat, kind])
    for place in range(state.naturals.shape[1]):
        sight.naturals[place] = size_of(state.naturals[side, place])
        sight.wilds[place] = wilds_at(state, side, place)
    sight.coming, sight.coming_kind = 0, NO_KIND


@compiled
def look_at_pile(state: Any, sight: Any, size: int) -> None:
    """Add the lowest `size` cards of the pile to a sight, as cards that will come into the hand, except red Threes."""
    for i in range(size):
        face = state.pile[i]
        if not is_red_three(face):
            sight.coming += 1
            sight.coming_kind = kind_of(face)
            if sight.coming == 2:
                return


@compiled
def open_with_wild(mask: Any, first: int) -> int:
    """The action that opens a meld of two naturals and a wild card; -1 if there is no such legal action.

    A Two is used before a Joker, and higher ranks before lower ones.

    Args:
        mask: the legal actions.
        first: the first action of the block `open`.
    """
    for pattern in range(1, NUM_PATTERNS):
        for kind in range(ACE, FOUR - 1, -1):
            action = first + NUM_PATTERNS * (kind - FOUR) + pattern
            if mask[action]:
                return action
    return -1


@compiled
def cards_held(sight: Any) -> int:
    """The number of cards in the hand of a sight (a record for looking ahead)."""
    count = 0
    for kind in range(NUM_KINDS):
        count += sight.held[kind]
    return count


@compiled
def single_kinds(sight: Any) -> int:
    """The ranks from 4 to A of which the hand has one card and the side has no book, as bits: no meld can take it."""
    kinds = 0
    for kind in range(FOUR, ACE + 1):
        kinds |= int((sight.held[kind] == 1) & (sight.naturals[kind] == 0)) << kind
    return kinds


@compiled
def lay_in_sight(sight: Any, row: Any, after: Any) -> None:
    """Write into `after` the sight (a record for looking ahead) after a play, which is a row of the table of plays."""
    copy_record(sight, after)
    place = row.place
    after.held[place] -= row.naturals
    after.naturals[place] += row.naturals
    after.held[TWO] -= row.twos
    after.held[JOKER] -= row.jokers
    after.wilds[place] += row.twos + row.jokers


# The hand of the state -----------------------------------------------------------------------------------------------


@compiled
def kinds_held(state: Any) -> int:
    """The kinds of the cards in the hand of the seat to move, as bits."""
    kinds = 0
    for kind in range(NUM_KINDS):
        kinds |= int(state.hands[state.seat, kind] != 0) << kind
    return kinds


@inlined
def held_of(state: Any, kind: int) -> int:
    """The number of cards of a kind in the hand of the seat to move."""
    return size_of(state.hands[state.seat, kind])


@inlined
def in_hand(state: Any, row: Any) -> bool:
    """Whether the seat to move holds the cards of a play, which is a row of the table of plays."""
    wilds = (held_of(state, TWO) >= row.twos) & (held_of(state, JOKER) >= row.jokers)
    return wilds & (held_of(state, row.place) >= row.naturals)


@compiled
def sure_cards(state: Any, coming: int, missing: int) -> int:
    """The most cards that a play can use so that the turn can certainly be ended after it; below 0, no play is certain.

    Such a play leaves two cards: one is discarded and one stays in the hand.

    Args:
        coming: the number of cards that will come into the hand from the pile.
        missing: the value that the first meld still needs.
    """
    if missing > 0 or state.answer == YES:
        return -1
    return size_of_stacks(state.hands[state.seat]) + min(coming, 2) - 2


# Whether a turn can be ended -----------------------------------------------------------------------------------------


# Functions of a game, which `can_end_of` and `legal_plays_of` bind; these describe them further.


def most_value(sight: Any) -> int:
    """The highest value that the hand of a sight (a record for looking ahead) can meld."""
    raise NotImplementedError


def may_stay(state: Any, sight: Any) -> bool:
    """Whether the rules allow the turn to end with a card left."""
    raise NotImplementedError


def may_go_out(state: Any, sight: Any) -> bool:
    """Whether the rules allow the turn to end with no card left."""
    raise NotImplementedError


def goes_out(sight: Any, missing: int, discard: bool) -> bool:
    """Whether every card of the hand can be played, with or without a discard.

    Args:
        missing: the value that the first meld still needs.
        discard: whether the last card is discarded.
    """
    raise NotImplementedError


def look(state: Any, seat: int, sight: Any) -> None:
    """Write the sight of a seat: its hand and the books of its side, for looking ahead."""
    raise NotImplementedError


def look_at_take(state: Any, sight: Any) -> None:
    """Write the sight (for looking ahead) of the seat to move as if it had taken the top of the pile into a book."""
    raise NotImplementedError


def look_after(sight: Any, row: Any, after: Any) -> None:
    """Do the same as `lay_in_sight`, and write the game's additional fields of the sight `after`."""
    raise NotImplementedError


def may_be_out(state: Any) -> bool:
    """Whether the seat to move might go out in this turn. False is certain, True is not."""
    raise NotImplementedError


def may_reach(sight: Any, missing: int) -> bool:
    """Whether the hand might meld the value `missing`. False is certain, True is not."""
    raise NotImplementedError


def has_room(naturals: int, wilds: int) -> bool:
    """Whether a book with these numbers of cards accepts another wild card."""
    raise NotImplementedError


openings = additions = additions_of_wilds = 0
plays: Any = None
firsts: Any = None
SIGHT: Any = None


def _can_reach(sight: Any, missing: int, keep: int) -> bool:
    """Whether the hand can meld the value `missing` and keep `keep` cards (at most two).

    The function removes every choice of `keep` cards in turn. This is not needed if enough cards fit no meld: they are
    kept in any case.
    """
    if most_value(sight) < missing:
        return False
    if popcount(single_kinds(sight)) + sight.held[THREE] >= keep:
        return True
    for one in range(NUM_KINDS):
        if sight.held[one]:
            sight.held[one] -= 1
            reached = keep == 1 and most_value(sight) >= missing
            for other in range(one, NUM_KINDS if keep == 2 else 0):
                if sight.held[other] and not reached:
                    sight.held[other] -= 1
                    reached = most_value(sight) >= missing
                    sight.held[other] += 1
            sight.held[one] += 1
            if reached:
                return True
    return False


def _can_end(state: Any, sight: Any, missing: int) -> bool:
    """Whether the turn can be ended legally from a sight (a record for looking ahead), without actions of other seats.

    Args:
        missing: the value that the first meld still needs. If it is 0 or less, a card that comes from the pile can be
            played too.
    """
    coming = sight.coming
    if may_stay(state, sight):
        # A discard after which a card is left needs two cards; `stop` in the last turn needs one.
        keep = max((1 if state.last else 2) - coming, 0)
        if cards_held(sight) >= keep if missing <= 0 else _can_reach(sight, missing, keep):
            return True
    if coming > 1 or not may_go_out(state, sight):
        return False
    if missing <= 0 and coming:
        kind = sight.coming_kind
        sight.held[kind] += 1
        sight.coming = 0
        out = goes_out(sight, missing, not state.last)
        sight.held[kind] -= 1
        sight.coming = coming
        return out
    return goes_out(sight, missing, not state.last)


def can_end_of(
    game: str,
    *,
    most_value: Callable[[Any], int],
    may_stay: Callable[[Any, Any], bool],
    may_go_out: Callable[[Any, Any], bool],
    goes_out: Callable[[Any, int, bool], bool],
) -> Callable[[Any, Any, int], bool]:
    """Compile the function `can_end(state, sight, missing)` of a game: whether the turn can be ended legally.

    Args:
        game: the name of the game.
        most_value(sight): the highest value that the hand can meld.
        may_stay(state, sight): whether the rules allow the turn to end with a card left.
        may_go_out(state, sight): whether the rules allow the turn to end with no card left.
        goes_out(sight, missing, discard): whether every card can be played, with or without a discard; `missing` is
            the value that the first meld still needs.
    """
    can_reach = bind(_can_reach, f"{game}_can_reach", most_value=most_value)
    names = {"_can_reach": can_reach, "may_stay": may_stay, "may_go_out": may_go_out, "goes_out": goes_out}
    return bind(_can_end, f"{game}_can_end", **names)


# Which plays are legal -----------------------------------------------------------------------------------------------


def _play_can_end(state: Any, sight: Any, action: int, missing: int) -> bool:
    """Whether the turn can still be ended after a play; `missing` is the value that the first meld needs before it."""
    after = scratch_record(SIGHT)
    look_after(sight, plays[action], after)
    return _can_end(state, after, missing - plays[action].worth)


def _mark_takes(state: Any, first: int, stop: int, missing: int, sure: int, mask: Any) -> bool:
    """Write into `mask` which actions, from `first` on and before `stop`, can take the pile. Returns whether any can.

    Args:
        missing: the value that the first meld still needs after the top card of the pile is added.
        sure: plays of at most this number of cards need no check.
    """
    found = False
    for action in range(first, stop):
        if in_hand(state, plays[action]):
            able = plays[action].cards <= sure
            if not able:
                sight = scratch_record(SIGHT)
                look_at_take(state, sight)
                able = _play_can_end(state, sight, action, missing)
            mask[action] = able
            found = found or able
    return found


def _fitting_plays(state: Any, fits: Any) -> None:
    """Find the openings and additions of 4 to A for which the hand has the cards and the book has room.

    Args:
        fits: int64, overwritten: one mask of actions for each of the blocks `open`, `add` and `add_wild`.
    """
    seat, side = state.seat, side_to_move(state)
    wilds = int(state.hands[seat, TWO] != 0) | int(state.hands[seat, JOKER] != 0) << 1
    opening, adding, adding_wild = 0, 0, 0
    for i in range(NUM_BOOKS):
        held, there = size_of(state.hands[seat, FOUR + i]), size_of(state.naturals[side, FOUR + i])
        pair = (there == 0) & (held >= 2)
        room = (there > 0) & has_room(there, size_of(state.twos[side, FOUR + i]) + state.jokers[side, FOUR + i])
        opening |= only_if(pair, int(held >= 3) | wilds << 1) << NUM_PATTERNS * i
        adding |= int((there > 0) & (held > 0)) << i
        adding_wild |= only_if(room, wilds) << 2 * i
    fits[0], fits[1], fits[2] = opening, adding, adding_wild


def _mark_plays(state: Any, fits: Any, missing: int, sure: int, mask: Any, wanted: int) -> None:
    """Write into `mask` which of the plays in `fits` are legal: the turn can still be ended afterwards.

    Args:
        fits: the masks of `_fitting_plays`; illegal plays are removed.
        missing: the value that the first meld still needs.
        sure: plays of at most this number of cards need no check.
        wanted: the only action to check, or EVERYTHING.
    """
    if sure < plays[firsts[0]].cards:
        sight = scratch_record(SIGHT)
        possible = missing > 0 or state.last or may_be_out(state)
        if possible:
            look(state, state.seat, sight)
            possible = missing <= 0 or may_reach(sight, missing)
        for block in range(3):
            first = firsts[block]
            doubtful = only_if(plays[first].cards > sure, fits[block])
            if not possible:
                fits[block] ^= doubtful
                continue
            if wanted != EVERYTHING:
                doubtful &= 1 << wanted - first if first <= wanted < firsts[block + 1] else 0
            while doubtful:
                bit = doubtful & -doubtful
                if not _play_can_end(state, sight, first + lowest(bit), missing):
                    fits[block] ^= bit
                doubtful ^= bit
    write_bits(mask, firsts[0], fits[0], openings)
    write_bits(mask, firsts[1], fits[1], additions)
    write_bits(mask, firsts[2], fits[2], additions_of_wilds)


@hook
def legal_draws(state: Any, mask: Any, wanted: int) -> None:
    """Write 1 for the legal actions in phase DRAW; see `core.engine.mark`."""
    raise NotImplementedError


@hook
def legal_plays(state: Any, mask: Any, wanted: int) -> None:
    """Write 1 for the legal actions in phase PLAY; see `core.engine.mark`."""
    raise NotImplementedError


@hook
def first_answer(state: Any) -> int:
    """The index of the action `yes`; `no` is the next action."""
    raise NotImplementedError


@compiled
def mark(state: Any, mask: Any, wanted: int) -> None:
    """Write 1 for the legal actions and 0 for the others; see `core/engine.py`."""
    clear_cells(mask)
    if state.phase == DRAW:
        legal_draws(state, mask, wanted)
    elif state.phase == PLAY:
        legal_plays(state, mask, wanted)
    elif state.phase == ANSWER:
        answer = first_answer(state)
        mask[answer] = mask[answer + 1] = 1


def legal_plays_of(
    game: str,
    actions: ActionTable,
    *,
    sight: np.dtype[Any],
    look: Callable[[Any, int, Any], None],
    look_at_take: Callable[[Any, Any], None],
    look_after: Callable[[Any, Any, Any], None],
    may_be_out: Callable[[Any], bool],
    may_reach: Callable[[Any, int], bool],
    can_end: Callable[[Any, Any, int], bool],
    has_room: Callable[[int, int], bool],
) -> tuple[Callable[..., bool], Callable[..., None], Callable[..., None]]:
    """Compile the functions `mark_takes`, `fitting_plays` and `mark_plays` of a game.

    Args:
        game: the name of the game.
        actions: the action table, with the blocks `open`, `add`, `add_wild` and `discard` in this order.
        sight: the dtype of a sight.
        look(state, seat, sight): writes the sight of a seat.
        look_at_take(state, sight): writes the sight of the seat to move as if it had taken the top card of the pile
            into a book.
        look_after(sight, row, after): as `lay_in_sight`, with the game's additional fields.
        may_be_out(state): False only if the seat to move cannot go out in this turn.
        may_reach(sight, missing): False only if the hand cannot meld the value `missing`.
        can_end: see `can_end_of`.
        has_room(naturals, wilds): whether a book with these numbers of cards accepts another wild card.
    """
    plays = play_table(actions)
    names = {"SIGHT": sight, "plays": plays, "look_after": look_after, "_can_end": can_end}
    play_can_end = bind(_play_can_end, f"{game}_play_can_end", **names)
    asked = {"plays": plays, "_play_can_end": play_can_end, "SIGHT": sight}
    firsts = [actions.first(block) for block in ("open", "add", "add_wild", "discard")]
    sizes = dict(zip(("openings", "additions", "additions_of_wilds"), np.diff(firsts).tolist()))
    bounds = {"may_be_out": may_be_out, "may_reach": may_reach}
    blocks = {"firsts": np.array(firsts, np.int64), **sizes}
    return (
        bind(_mark_takes, f"{game}_mark_takes", look_at_take=look_at_take, **asked),
        bind(_fitting_plays, f"{game}_fitting_plays", has_room=has_room),
        bind(_mark_plays, f"{game}_mark_plays", look=look, **bounds, **asked, **blocks),
    )
