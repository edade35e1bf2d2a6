"""`greedy`: what a sensible person plays who counts cards but does not look ahead.

Draw: the pile, if it has more cards than a draw brings; with a wild card of the hand only if it is rich.
First meld: without wild cards as soon as possible; with them when the other side has melded, or the stock runs low.
Play: naturals go to melds, and threes of a kind are opened; wild cards complete canastas. Pairs are kept for the pile.
When another seat is about to go out, or the stock is, everything goes down that can.
Going out: at once if it hurts, that is, when the others hold more or have fewer canastas; the partner is asked where it
holds many cards and nothing presses, and says no if it could still lay down a lot.
Discard: what is missed least, and what the next seat can use least, weighed by the size of the pile. So black Threes
are kept for a rich pile, and a Two freezes it when everything else would give it away.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import wide
from banakil_env.core.jit import compiled
from banakil_env.core.masks import legal_at
from banakil_env.core.scratch import scratch
from banakil_env.games.canasta import lookahead as L
from banakil_env.games.canasta import state as S
from banakil_env.games.canasta.lookahead import SIGHT
from banakil_env.games.canasta.moves import PLAYS
from banakil_env.kit.books import plays as P
from banakil_env.kit.books.kinds import ACE, FOUR, JOKER, NO_KIND, NUM_KINDS, NUM_PATTERNS, THREE, TWO, VALUES
from banakil_env.kit.table_state import DRAW, PLAY
from banakil_env.kit.two_sides import NO, YES

# A pile of so many cards is worth a wild card. So many cards of another seat that could go out, or of the stock, are a
# danger. The partner is asked if it holds so many, and says no if it could lay down so much.
RICH, FEW_CARDS, LOW_STOCK, ASK_FROM, MUCH = 5, 3, 8, 5, 60

# What a discard costs: one of a pair, one of three, a card of an own meld, a wild card, a black Three; and what giving
# the pile away costs, in all and for each of its cards.
PAIR, TRIPLE, OWN, WILD_COST, THREE_COST = 12.0, 22.0, 15.0, 45.0, 6.0
GIVEN, EACH = 10.0, 7.0


@compiled
def act(seen: Any, mask: Any, generator: Any) -> int:
    """The action of the seat to move."""
    if seen.phase[DRAW]:
        return _draw(seen, mask)
    sight = scratch(SIGHT)
    _look(seen, sight)
    danger = _danger(seen)
    if not seen.phase[PLAY]:
        no = not danger and L.most_value(sight) >= MUCH
        return wide(S.SAY_NO) if no else wide(S.SAY_YES)
    melded = _melds(seen, 0) != 0
    missing = wide(seen.minimum[0]) - _laid(seen) if seen.opening or not melded else wide(0)
    if seen.answer == YES:
        return legal_at(mask, wide(0))
    if seen.answer != NO and not seen.taking and L.goes_out(sight, missing, not seen.last):
        if mask[S.ASK] and not danger and seen.hand_size[2] >= ASK_FROM:
            return wide(S.ASK)
        if danger or seen.num_players == 4 or _ahead(seen):
            action = _way_out(mask, sight, missing, not seen.last)
            if action >= 0:
                return action
    action = _meld(seen, mask, sight, missing, danger, melded)
    if action >= 0:
        return action
    if mask[S.STOP]:
        return wide(S.STOP)
    action = _discard(seen, mask, danger)
    return action if action >= 0 else legal_at(mask, wide(0))


# What is there -------------------------------------------------------------------------------------------------------


@compiled
def _look(seen: Any, sight: Any) -> None:
    """The own hand and melds as a sight (`lookahead.py`)."""
    for kind in range(NUM_KINDS):
        sight[P.HELD + kind] = seen.hand[kind]
        sight[P.NATURALS + kind] = seen.naturals[0, kind]
        sight[P.WILDS + kind] = seen.twos[0, kind] + seen.jokers[0, kind]
    sight[P.COMING], sight[P.COMING_KIND] = 0, NO_KIND
    sight[L.NEEDED] = _needed(seen)


@compiled
def _needed(seen: Any) -> int:
    """Canastas needed to go out."""
    return L.needed_canastas(wide(seen.rules.canastas), wide(seen.num_players))


@compiled
def _book(seen: Any, side: int, kind: int) -> int:
    """Cards in a meld; 0: there is none."""
    return wide(seen.naturals[side, kind]) + seen.twos[side, kind] + seen.jokers[side, kind]


@compiled
def _melds(seen: Any, side: int) -> int:
    """Melds of a side, and for each canasta 100 more."""
    count = wide(0)
    for kind in range(S.NUM_PLACES):
        size = _book(seen, side, kind)
        count += wide(size > 0) + 100 * wide(size >= L.CANASTA)
    return count


@compiled
def _laid(seen: Any) -> int:
    """What the own melds are worth."""
    value = wide(0)
    for kind in range(S.NUM_PLACES):
        value += VALUES[kind] * seen.naturals[0, kind] + VALUES[TWO] * seen.twos[0, kind]
        value += VALUES[JOKER] * seen.jokers[0, kind]
    return value


@compiled
def _danger(seen: Any) -> bool:
    """Whether another seat may soon be out, or the stock."""
    if seen.stock_size <= LOW_STOCK:
        return True
    if _melds(seen, 1) // 100 < _needed(seen):
        return False
    for place in range(1, wide(seen.num_players), 2):
        if seen.hand_size[place] <= FEW_CARDS:
            return True
    return False


@compiled
def _ahead(seen: Any) -> bool:
    """Whether the own side has more canastas, or as many and more melds."""
    return _melds(seen, 0) >= _melds(seen, 1)


# The draw ------------------------------------------------------------------------------------------------------------


@compiled
def _draw(seen: Any, mask: Any) -> int:
    """Take the pile if that is worth it."""
    if mask[S.DRAW] and seen.pile_size <= S.DRAWN[seen.num_players]:
        return wide(S.DRAW)
    if mask[S.TAKE_ADD]:
        return wide(S.TAKE_ADD)
    kind = wide(seen.top) - 1
    for pattern in range(NUM_PATTERNS):
        action = S.TAKE + NUM_PATTERNS * (kind - FOUR) + pattern
        if kind >= FOUR and kind <= ACE and mask[action]:
            if pattern == 0 or seen.pile_size >= RICH or not mask[S.DRAW]:
                return action
    return legal_at(mask, wide(0))


# The play ------------------------------------------------------------------------------------------------------------


@compiled
def _way_out(mask: Any, sight: Any, missing: int, may_discard: bool) -> int:
    """A meld after which all cards can still leave the hand in this turn, or the last discard; -1: there is none."""
    after = scratch(SIGHT)
    for action in range(S.OPEN, S.DISCARD):
        if mask[action]:
            P.lay_in_sight(sight, PLAYS[action], after)
            if L.goes_out(after, missing - PLAYS[action, P.WORTH], may_discard):
                return wide(action)
    if P.cards_held(sight) == 1:
        for kind in range(NUM_KINDS):
            if mask[S.DISCARD + kind]:
                return wide(S.DISCARD + kind)
    return wide(-1)


@compiled
def _meld(seen: Any, mask: Any, sight: Any, missing: int, danger: bool, melded: bool) -> int:
    """An opening or addition that is worth it; -1: there is none."""
    need = seen.opening != 0
    if not melded and not danger and not _melds(seen, 1) and _natural_value(seen) < missing:
        return wide(-1)
    if not melded:
        need = True
    few = not need and not danger and P.cards_held(sight) <= 4
    for kind in range(ACE, FOUR - 1, -1):  # the dearest first
        if mask[S.OPEN + NUM_PATTERNS * (kind - FOUR)] and not few:
            return wide(S.OPEN + NUM_PATTERNS * (kind - FOUR))
        if mask[S.ADD + kind - FOUR] and (not few or _book(seen, 0, wide(kind)) >= 5):
            return wide(S.ADD + kind - FOUR)
    wilds = wide(seen.hand[TWO]) + seen.hand[JOKER]
    for kind in range(ACE, FOUR - 1, -1):
        size = _book(seen, 0, wide(kind))
        lacking = L.CANASTA - size
        there = wide(seen.twos[0, kind]) + seen.jokers[0, kind]
        completes = 1 <= lacking <= wilds and there + lacking <= S.MAX_WILDS
        if completes or (danger and size):
            for wild in range(2):
                if mask[S.WILD + 2 * (kind - FOUR) + wild]:
                    return wide(S.WILD + 2 * (kind - FOUR) + wild)
    if need or danger:
        for pattern in range(1, NUM_PATTERNS):
            for kind in range(ACE, FOUR - 1, -1):
                if mask[S.OPEN + NUM_PATTERNS * (kind - FOUR) + pattern]:
                    return wide(S.OPEN + NUM_PATTERNS * (kind - FOUR) + pattern)
    if seen.opening:
        return legal_at(mask, wide(0))
    return wide(-1)


@compiled
def _natural_value(seen: Any) -> int:
    """What can be opened without wild cards."""
    value = wide(0)
    for kind in range(FOUR, ACE + 1):
        if seen.hand[kind] >= 3:
            value += VALUES[kind] * seen.hand[kind]
    return value


# The discard ---------------------------------------------------------------------------------------------------------


@compiled
def _discard(seen: Any, mask: Any, danger: bool) -> int:
    """The card that costs least; -1: none may be discarded."""
    best, least = wide(-1), 0.0
    for kind in range(NUM_KINDS):
        if mask[S.DISCARD + kind]:
            cost = _missed(seen, wide(kind)) + _risk(seen, wide(kind)) * (GIVEN + EACH * seen.pile_size)
            if danger:
                cost -= VALUES[kind]
            if best < 0 or cost < least:
                best, least = wide(S.DISCARD + kind), cost
    return best


@compiled
def _missed(seen: Any, kind: int) -> float:
    """What a card is worth in the hand."""
    if kind >= TWO:
        return WILD_COST + (15.0 if kind == JOKER else 0.0)
    if kind == THREE:
        return THREE_COST
    held = seen.hand[kind]
    kept = TRIPLE if held >= 3 else PAIR if held == 2 else 0.0
    return kept + (OWN if seen.naturals[0, kind] else 0.0) + 0.1 * VALUES[kind]


@compiled
def _risk(seen: Any, kind: int) -> float:
    """How likely the next seat takes the pile with this card on top."""
    if kind == THREE or kind >= TWO:
        return 0.0
    melded = _melds(seen, 1) != 0
    frozen = seen.pile[TWO] or seen.pile[JOKER] or seen.pile_reds or (seen.rules.frozen_before_meld and not melded)
    if not frozen and seen.naturals[1, kind]:
        return 1.0
    if seen.known[1, kind] >= 2:
        return 1.0
    unseen = 8 - seen.hand[kind] - seen.naturals[0, kind] - seen.naturals[1, kind] - seen.pile[kind]
    hidden = seen.stock_size + 1
    for place in range(1, wide(seen.num_players)):
        hidden += seen.hand_size[place]
    held = unseen * seen.hand_size[1] / hidden + seen.known[1, kind]
    risk = 0.4 * held * held + (0.0 if frozen else 0.4 * held)
    return min(risk, 1.0) * (1.0 if melded else 0.5)
