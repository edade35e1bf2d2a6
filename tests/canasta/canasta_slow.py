"""The question of dead ends asked once more, slowly: every play is tried, and nothing is proved.

Cards are kinds. A `Turn` is what matters of a turn in the phase of play; `plays` are those that the melds allow,
`can_end` asks whether some row of them leads to an end of the turn (C3.5, C4.5, C5.3, C5.4, C7.4).
"""

from __future__ import annotations

import functools
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from banakil_env.games import canasta
from banakil_env.games.canasta.state import minimum
from banakil_env.games.canasta.texts import books_of
from banakil_env.kit.books.kinds import KINDS, VALUES, faces_of, is_red_three
from banakil_env.kit.two_sides import NO, YES

RANKS = KINDS[1:12]
VALUE = dict(zip(KINDS, map(int, VALUES)))


@dataclass(frozen=True)
class Turn:
    """Kinds of the hand, sorted; melds as (rank, naturals, wild cards); value that is missing; the pile that waits."""

    hand: tuple[str, ...]
    melds: tuple[tuple[str, int, int], ...]
    missing: int
    waiting: tuple[str, ...]
    answer: int
    last: bool
    needed: int

    @property
    def canastas(self) -> int:
        return sum(naturals + wild >= 7 for _, naturals, wild in self.melds)

    @property
    def goes_out(self) -> bool:
        """Black Threes lie there."""
        return any(rank == "3" for rank, _, _ in self.melds)


def turn_of(state: Any) -> Turn:
    """What a state in the phase of play says."""
    side = int(state.seat) % 2
    melds = []
    for faces in books_of(state, side):
        kinds = [KINDS[face // 4] for face in faces]
        wild = sum(kind in ("2", "JK") for kind in kinds)
        melds.append((kinds[0], len(kinds) - wild, wild))
    laid = sum(VALUE[KINDS[face // 4]] for faces in books_of(state, side) for face in faces)
    value = int(minimum(state, side))
    missing = value - laid if state.opening else 0 if melds else value
    pile = [int(face) for face in state.pile[: state.pile_size]] if state.taking else []
    rules = canasta.rules_of(state)
    needed = {"usual": 2 if state.num_players == 2 else 1}.get(rules.canastas)
    return Turn(
        tuple(sorted(KINDS[face // 4] for face in faces_of(state.hands[state.seat]))),
        tuple(sorted(melds)),
        missing,
        tuple(sorted(KINDS[face // 4] for face in pile if not is_red_three(face))),
        int(state.answer),
        bool(state.last),
        int(rules.canastas) if needed is None else needed,
    )


def without(hand: tuple[str, ...], *kinds: str) -> tuple[str, ...] | None:
    """The hand without these cards; None: it does not have them."""
    left = list(hand)
    for kind in kinds:
        if kind not in left:
            return None
        left.remove(kind)
    return tuple(left)


def after(turn: Turn, meld: tuple[str, int, int], old: tuple[str, int, int] | None, *kinds: str) -> Turn | None:
    """The turn when these cards of the hand have made a meld so; a waiting pile comes up with the value."""
    hand = without(turn.hand, *kinds)
    if hand is None:
        return None
    melds = tuple(sorted([each for each in turn.melds if each != old] + [meld]))
    missing = turn.missing - sum(VALUE[kind] for kind in kinds)
    if missing <= 0:
        return replace(turn, hand=tuple(sorted(hand + turn.waiting)), melds=melds, missing=0, waiting=())
    return replace(turn, hand=hand, melds=melds, missing=missing)


def plays(turn: Turn) -> Iterator[tuple[str, Turn]]:
    """Openings and additions that the melds allow, whatever comes of them."""
    own = {rank: (rank, naturals, wild) for rank, naturals, wild in turn.melds}
    found: list[tuple[str, Turn | None]] = []
    for rank in RANKS:
        old = own.get(rank)
        if old is None:
            found.append((f"open {rank} {rank} {rank}", after(turn, (rank, 3, 0), None, rank, rank, rank)))
            for wild in ("2", "JK"):
                found.append((f"open {rank} {rank} {wild}", after(turn, (rank, 2, 1), None, rank, rank, wild)))
            continue
        found.append((f"add {rank}", after(turn, (rank, old[1] + 1, old[2]), old, rank)))
        if old[2] < 3:
            for wild in ("2", "JK"):
                found.append((f"add {wild} to {rank}", after(turn, (rank, old[1], old[2] + 1), old, wild)))
    if "3" in own:
        found.append(("add 3", after(turn, ("3", own["3"][1] + 1, 0), own["3"], "3")))
    elif turn.answer != NO:
        then = after(turn, ("3", 3, 0), None, "3", "3", "3")
        if then is not None and len(then.hand) + len(then.waiting) <= 1:
            found.append(("open 3 3 3", then))
    yield from ((text, then) for text, then in found if then is not None)


@functools.lru_cache(maxsize=2_000_000)
def can_end(turn: Turn) -> bool:
    """Whether the turn can be ended."""
    if turn.missing == 0 or (turn.missing > 0 and not turn.melds):
        enough = turn.canastas >= turn.needed
        if not turn.hand:
            return enough and turn.answer != NO
        if not turn.last and len(turn.hand) == 1 and enough and turn.answer != NO:
            return True
        if turn.answer != YES and not turn.goes_out and len(turn.hand) >= (1 if turn.last else 2):
            return True
    return any(can_end(then) for _, then in plays(turn))


@functools.lru_cache(maxsize=2_000_000)
def can_go_out(turn: Turn) -> bool:
    """Whether the turn can be ended by going out."""
    return can_end(replace(turn, answer=YES))


def legal(turn: Turn) -> set[str]:
    """Openings, additions, and the question."""
    found = {text for text, then in plays(turn) if can_end(then)}
    otherwise = len(turn.hand) >= (1 if turn.last else 2) and not turn.goes_out
    begun = turn.missing > 0 and bool(turn.melds)
    if not begun and not turn.answer and otherwise and can_go_out(turn):
        found.add("ask")
    return found


def legal_takes(state: Any) -> set[str]:
    """The ways to take the pile (C6), each tried."""
    turn, rules = turn_of(state), canasta.rules_of(state)
    *below, top = [int(face) for face in state.pile[: state.pile_size]] or [1]
    rank = KINDS[top // 4]
    if rank not in RANKS:
        return set()
    frozen = any(is_red_three(face) or face >= 48 for face in below) or (rules.frozen_before_meld and not turn.melds)
    waiting = tuple(sorted(KINDS[face // 4] for face in below if not is_red_three(face)))
    old = next((meld for meld in turn.melds if meld[0] == rank), None)
    lone = not rules.lone_take and len(turn.hand) == 1 and not below
    start = replace(turn, waiting=waiting, missing=turn.missing - VALUE[rank] if turn.missing else 0)
    if old and not frozen:
        then = after(start, (rank, old[1] + 1, old[2]), old)
        return {"take add"} if then is not None and not lone and can_end(then) else set()
    found = set()
    for other in (rank,) if frozen else (rank, "2", "JK"):
        _, naturals, wild = old or (rank, 0, 0)
        meld = (rank, naturals + 2 + (other == rank), wild + (other != rank))
        then = after(start, meld, old, *((rank, rank) if other == rank else (rank, other)))
        if then is not None and can_end(then):
            found.add(f"take {rank} {other}")
    return found
