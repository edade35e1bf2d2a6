"""The question of dead ends asked once more, slowly: every play is tried, and nothing is proved.

Cards are kinds. A `Turn` is what matters of a turn in the phase of play; `plays` are those that the melds allow,
`can_end` asks whether some row of them leads to an end of the turn (HF3.5, HF5.3, HF5.4, HF8.3).
"""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from banakil_env.games import hand_and_foot
from banakil_env.games.hand_and_foot.state import MINIMUM
from banakil_env.games.hand_and_foot.texts import POSITIONS
from banakil_env.kit.books.kinds import KINDS, VALUES, faces_of
from banakil_env.kit.two_sides import NO, YES

RANKS = KINDS[1:12]
WILD = ("2", "JK")
VALUE = dict(zip(KINDS, map(int, VALUES)))


@dataclass(frozen=True)
class Turn:
    """Kinds of the hand, sorted; incomplete melds as (rank or W, naturals, wild cards); piles made: clean, dirty, wild.

    Then the value that is missing, whether a first meld has begun, the cards of the pile that wait, what lies of feet.
    """

    hand: tuple[str, ...]
    melds: tuple[tuple[str, int, int], ...]
    piles: tuple[int, int, int]
    missing: int
    begun: bool
    waiting: tuple[str, ...]
    own_foot: bool
    partners_foot: bool
    answer: int
    last: bool
    asks: bool
    needed: tuple[int, int, int]

    def may_go_out(self) -> bool:
        """Whether a hand may become empty now."""
        allowed = self.answer == YES or (not self.asks and self.answer != NO)
        enough = all(have >= need for have, need in zip(self.piles, self.needed))
        return allowed and enough and not self.own_foot and not self.partners_foot


def turn_of(state: Any) -> Turn:
    """What a state in the phase of play, or before the draw, says."""
    side = int(state.seat) % 2
    rules = hand_and_foot.rules_of(state)
    melds, piles, laid = [], [0, 0, 0], 0
    for faces in POSITIONS.books_of(state, side):
        kinds = [KINDS[face // 4] for face in faces]
        laid += sum(VALUE[kind] for kind in kinds)
        wild = sum(kind in WILD for kind in kinds)
        if len(faces) == 7:
            piles[2 if wild == 7 else 1 if wild else 0] += 1
        else:
            melds.append(("W" if wild == len(faces) else kinds[0], len(faces) - wild, wild))
    value = int(MINIMUM[state.rounds])
    pile = [int(face) for face in state.pile[: state.pile_size]][-6:] if state.taking else []
    return Turn(
        hand=tuple(sorted(KINDS[face // 4] for face in faces_of(state.hands[state.seat]))),
        melds=tuple(sorted(melds)),
        piles=(piles[0], piles[1], piles[2]),
        missing=value - laid if state.opening else 0 if laid else value,
        begun=bool(state.opening),
        waiting=tuple(sorted(KINDS[face // 4] for face in pile)),
        own_foot=bool(state.feet[state.seat].any()),
        partners_foot=bool(state.feet[int(state.seat) ^ 2].any()),
        answer=int(state.answer),
        last=bool(state.last),
        asks=rules.ask,
        needed=rules.piles,
    )


def is_meld(naturals: int, wild: int) -> bool:
    """HF4.1, HF4.2."""
    size = naturals + wild
    return 3 <= size <= 7 and (naturals == 0 or wild <= (2 if size > 5 else 1))


def after(turn: Turn, rank: str, cards: tuple[str, ...], upcard: str = "") -> Turn | None:
    """The turn when cards of the hand (and the upcard) have gone to the melds of a rank; None: they cannot."""
    short = Counter(cards) - Counter(turn.hand)
    if short:
        return None
    own = next((meld for meld in turn.melds if meld[0] == rank), (rank, 0, 0))
    laid = (*cards, *([upcard] if upcard else []))
    wild = sum(kind in WILD for kind in laid)
    meld = (rank, own[1] + len(laid) - wild, own[2] + wild)
    if not is_meld(meld[1], meld[2]):
        return None
    melds, piles = [each for each in turn.melds if each != own], list(turn.piles)
    if meld[1] + meld[2] == 7:
        piles[2 if rank == "W" else 1 if meld[2] else 0] += 1
    else:
        melds.append(meld)
    hand = tuple(sorted((Counter(turn.hand) - Counter(cards)).elements()))
    missing = turn.missing - sum(VALUE[kind] for kind in laid)
    clean, dirty, wild = piles
    done = replace(turn, melds=tuple(sorted(melds)), piles=(clean, dirty, wild))
    if missing <= 0:
        return replace(done, hand=tuple(sorted(hand + turn.waiting)), missing=0, begun=False, waiting=())
    return replace(done, hand=hand, missing=missing, begun=True)


def plays(turn: Turn) -> Iterator[tuple[str, Turn]]:
    """Openings and additions that the melds allow, whatever comes of them."""
    there = {rank for rank, _, _ in turn.melds}
    found: list[tuple[str, Turn | None]] = []
    for rank in RANKS:
        if rank in there:
            found.append((f"add {rank}", after(turn, rank, (rank,))))
            found += [(f"add {wild} to {rank}", after(turn, rank, (wild,))) for wild in WILD]
        else:
            found += [(f"open {rank} {rank} {x}", after(turn, rank, (rank, rank, x))) for x in (rank, *WILD)]
    if "W" in there:
        found += [(f"add {wild} to W", after(turn, "W", (wild,))) for wild in WILD]
    else:
        threes = [("2",) * (3 - jokers) + ("JK",) * jokers for jokers in range(4)]
        found += [(f"open {' '.join(cards)}", after(turn, "W", cards)) for cards in threes]
    yield from ((text, then) for text, then in found if then is not None)


@functools.lru_cache(maxsize=2_000_000)
def can_end(turn: Turn) -> bool:
    """Whether the turn can be ended."""
    if not turn.begun:
        if not turn.hand:
            return turn.own_foot or turn.may_go_out()
        if turn.answer != YES:
            if turn.last or len(turn.hand) >= 2 or turn.own_foot:
                return True
        if len(turn.hand) == 1 and not turn.last and turn.may_go_out():
            return True
    return any(can_end(then) for _, then in plays(turn))


def can_go_out(turn: Turn) -> bool:
    """Whether the turn can be ended by going out, if the partner says yes."""
    return can_end(replace(turn, answer=YES))


def legal(turn: Turn) -> set[str]:
    """Openings, additions, discards, and the question."""
    found = {text for text, then in plays(turn) if can_end(then)}
    if not turn.begun and not turn.last:
        leaves = turn.answer != YES if len(turn.hand) > 1 or turn.own_foot else turn.may_go_out()
        found |= {f"discard {kind}" for kind in turn.hand if leaves}
    otherwise = turn.last or len(turn.hand) >= 2
    feet = turn.own_foot or turn.partners_foot
    if turn.asks and not turn.begun and not turn.answer and otherwise and not feet and can_go_out(turn):
        found.add("ask")
    return found


def legal_takes(state: Any) -> set[str]:
    """The ways to take from the pile (HF6), each tried."""
    turn = turn_of(state)
    pile = [KINDS[int(face) // 4] for face in state.pile[: state.pile_size]]
    if not pile or pile[-1] == "3":
        return set()
    kind = pile[-1]
    waiting = replace(turn, waiting=tuple(sorted(pile[:-1][-6:])))
    if kind in WILD:
        then = after(waiting, "W", (kind, kind), kind)
        return {f"take {kind} {kind}"} if then is not None and can_end(then) else set()
    found = set()
    for other in (kind, *WILD):
        then = after(waiting, kind, (kind, other), kind)
        if then is not None and can_end(then):
            found.add(f"take {kind} {other}")
    return found
