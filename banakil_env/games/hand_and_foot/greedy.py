"""`greedy`: what a sensible person plays who counts cards but does not look ahead.

Draw: the pile, if it brings enough more cards than the stock; with a wild card of the hand only if it is rich.
Play: naturals go to melds, and threes of a kind are opened, the first meld as soon as its value can be reached. Wild
cards make the wild pile that going out needs, then complete dirty piles; the other melds are kept clean. To come to
the foot, or when the round may soon end, everything goes down that can.
Going out: the partner is asked as soon as one can go out, and says no only if it could still lay down a lot and nothing
presses.
Discard: what is missed least, and what the next seat can use least, weighed by what it would get with it.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import wide
from banakil_env.core.jit import compiled
from banakil_env.core.masks import legal_at
from banakil_env.games.hand_and_foot import state as S
from banakil_env.kit.books.kinds import ACE, FOUR, JOKER, NUM_KINDS, NUM_PATTERNS, THREE, TWO, VALUES
from banakil_env.kit.table_state import DRAW
from banakil_env.kit.two_sides import YES

# A pile of so many cards is taken; a richer one is worth a wild card. So many cards of another seat that could go out,
# or of the stock, are a danger. The partner says no if it could lay down so much. So few cards and the foot is near.
WORTH, RICH, FEW_CARDS, LOW_STOCK, MUCH, NEAR = 2, 5, 5, 12, 150, 4

# What a discard costs: one of a pair, one of three, a wild card, a black Three; and what giving cards of the pile away
# costs, in all and for each.
PAIR, TRIPLE, WILD_COST, THREE_COST = 10.0, 25.0, 80.0, 6.0
GIVEN, EACH = 5.0, 8.0


@compiled
def act(seen: Any, mask: Any, generator: Any) -> int:
    """The action of the seat to move."""
    if seen.phase[DRAW]:
        return _draw(seen, mask)
    if mask[S.SAY_YES]:
        return wide(S.SAY_NO) if not _danger(seen) and _could_lay(seen) >= MUCH else wide(S.SAY_YES)
    if mask[S.ASK]:
        return wide(S.ASK)
    if seen.answer != YES:
        action = _meld(seen, mask)
        if action >= 0:
            return action
        if not mask[S.STOP]:
            action = _discard(seen, mask)
            if action >= 0:
                return action
    return legal_at(mask, wide(0))


@compiled
def _danger(seen: Any) -> bool:
    """Whether another seat may soon be out, or the stock."""
    if seen.stock_size <= LOW_STOCK:
        return True
    if seen.foot[1] or seen.foot[3] or seen.wild[1] < seen.rules.piles[2]:
        return False
    return seen.hand_size[1] <= FEW_CARDS or seen.hand_size[3] <= FEW_CARDS


@compiled
def _could_lay(seen: Any) -> int:
    """What the hand could lay down at once without wild cards."""
    value = wide(0)
    for kind in range(FOUR, ACE + 1):
        if seen.hand[kind] >= 3 or seen.naturals[0, kind]:
            value += VALUES[kind] * seen.hand[kind]
    return value


@compiled
def _draw(seen: Any, mask: Any) -> int:
    """Take from the pile if that is worth it."""
    if mask[S.TAKE_WILD]:
        return wide(S.TAKE_WILD)
    if mask[S.TAKE_WILD + 1]:
        return wide(S.TAKE_WILD + 1)
    kind = wide(seen.top) - 1
    if FOUR <= kind <= ACE and (seen.pile_size > WORTH or not mask[S.DRAW]):
        for pattern in range(NUM_PATTERNS):
            action = S.TAKE + NUM_PATTERNS * (kind - FOUR) + pattern
            if mask[action] and (pattern == 0 or seen.pile_size >= RICH or not mask[S.DRAW]):
                return action
    return legal_at(mask, wide(0))


# The play ------------------------------------------------------------------------------------------------------------


@compiled
def _meld(seen: Any, mask: Any) -> int:
    """An opening or addition that is worth it; -1: there is none."""
    for kind in range(ACE, FOUR - 1, -1):  # the dearest first
        if mask[S.OPEN + NUM_PATTERNS * (kind - FOUR)]:
            return wide(S.OPEN + NUM_PATTERNS * (kind - FOUR))
        if mask[S.ADD + kind - FOUR]:
            return wide(S.ADD + kind - FOUR)
    hurry = _danger(seen) or (seen.foot[0] and seen.hand_size[0] <= NEAR)
    if seen.wild[0] < seen.rules.piles[2] or hurry or seen.opening:
        action = _wild_meld(mask)
        if action >= 0:
            return action
    action = _wild_card(seen, mask, hurry)
    if action < 0 and (hurry or seen.opening):
        for pattern in range(1, NUM_PATTERNS):
            for kind in range(ACE, FOUR - 1, -1):
                if mask[S.OPEN + NUM_PATTERNS * (kind - FOUR) + pattern]:
                    return wide(S.OPEN + NUM_PATTERNS * (kind - FOUR) + pattern)
    return legal_at(mask, wide(0)) if action < 0 and seen.opening else action


@compiled
def _wild_meld(mask: Any) -> int:
    """Open the meld of wild cards, or add to it; -1: neither can be."""
    for action in range(S.WILD + 2 * (S.W - FOUR), S.WILD + 2 * (S.W - FOUR) + 2):
        if mask[action]:
            return wide(action)
    for action in range(S.OPEN_WILD, S.OPEN_WILD + 4):
        if mask[action]:
            return wide(action)
    return wide(-1)


@compiled
def _wild_card(seen: Any, mask: Any, hurry: bool) -> int:
    """Add a wild card to a meld of naturals that can be completed with those of the hand; -1: it is worth none."""
    held, dirty = wide(seen.hand[TWO]) + seen.hand[JOKER], wide(0)
    for kind in range(FOUR, ACE + 1):
        dirty += seen.dirty[0, kind]
    for kind in range(ACE, FOUR - 1, -1):
        wilds = wide(seen.twos[0, kind]) + seen.jokers[0, kind]
        lacking = S.PILE - seen.naturals[0, kind] - wilds
        completes = lacking <= held and (wilds > 0 or dirty < seen.rules.piles[1])
        for wild in range(2):
            if mask[S.WILD + 2 * (kind - FOUR) + wild] and (completes or hurry):
                return wide(S.WILD + 2 * (kind - FOUR) + wild)
    return wide(-1)


# The discard ---------------------------------------------------------------------------------------------------------


@compiled
def _discard(seen: Any, mask: Any) -> int:
    """The card that costs least; -1: none may be discarded."""
    best, least = wide(-1), 0.0
    given = GIVEN + EACH * min(wide(seen.pile_size), wide(S.TAKEN))
    for kind in range(NUM_KINDS):
        if mask[S.DISCARD + kind]:
            cost = _missed(seen, wide(kind)) + _risk(seen, wide(kind)) * given
            if best < 0 or cost < least:
                best, least = wide(S.DISCARD + kind), cost
    return best


@compiled
def _missed(seen: Any, kind: int) -> float:
    """What a card is worth in the hand."""
    if kind >= TWO:
        return WILD_COST + (20.0 if kind == JOKER else 0.0)
    if kind == THREE:
        return THREE_COST
    kept = TRIPLE if seen.hand[kind] >= 3 else PAIR if seen.hand[kind] == 2 else 0.0
    return kept - 0.1 * VALUES[kind]


@compiled
def _risk(seen: Any, kind: int) -> float:
    """How likely the next seat takes from the pile with this card on top: it needs two of it, or a wild card too."""
    if kind == THREE or kind >= TWO:
        return 0.0
    if seen.naturals[1, kind] + seen.twos[1, kind] + seen.jokers[1, kind] > S.PILE - 3:  # HF6.3
        return 0.0
    if seen.known[1, kind] >= 2:
        return 1.0
    unseen, hidden = wide(20 - seen.hand[kind] - seen.pile[kind]), wide(seen.stock_size) + 1
    for side in range(2):
        unseen -= seen.naturals[side, kind] + seen.complete[side, kind]
    for place in range(S.MAX_SEATS):
        hidden += seen.hand_size[place] * (place > 0) + S.FOOT_SIZE * seen.foot[place]
    held = seen.known[1, kind] + unseen * seen.hand_size[1] / hidden
    return min(0.4 * held * held + 0.1 * held, 1.0)
