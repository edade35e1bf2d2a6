"""`greedy`: plays like a sensible person who counts cards but does not look ahead.

Draw: the pile, if it brings enough more cards than the stock; with a wild card of the hand only if it is rich.
Play: naturals go to melds, and threes of a kind are opened, the first meld as soon as its value can be reached.
`expert` holds naturals back, to take the pile with them, until the others or the stock have few cards, and opens pairs
with a wild card when its hand is short or the stock low. Wild cards make the wild pile that going out needs, then
complete dirty piles; the other melds are kept clean. To come to the foot, or when the round may soon end, everything
goes down that can.
Going out: the player asks its partner as soon as it can go out. The partner says no only if it could still lay down a
lot and the round is not about to end.
Discard: the card that is least useful here and to the next seat, weighed by what that seat would take with it.

The numbers of `PARAMETERS` were chosen by hand; `expert` plays the same way with numbers that were fitted.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from banakil_env.core.bits import lowest, read_bits
from banakil_env.core.jit import compiled
from banakil_env.core.masks import legal_at
from banakil_env.core.parameters import Parameter, Parameters, Row
from banakil_env.games.hand_and_foot import state as S
from banakil_env.games.hand_and_foot.records import Observation
from banakil_env.kit.books import plays as P
from banakil_env.kit.books.kinds import ACE, FOUR, JOKER, NUM_KINDS, NUM_PATTERNS, THREE, TWO, VALUES
from banakil_env.kit.by_numbers import only_row
from banakil_env.kit.table_state import DRAW
from banakil_env.kit.two_sides import YES

PARAMETERS = Parameters(
    Path(__file__).with_name("expert.toml"),
    (Row("four", {"num_players": 4}),),
    Parameter("take_over", 2, 0, 8, "cards of a pile, above which it is taken"),
    Parameter("rich", 5, 1, 12, "cards of a pile that is worth a wild card"),
    Parameter("few_cards", 5, 0, 12, "cards of another seat that could go out: danger"),
    Parameter("low_stock", 12, 0, 60, "cards of the stock: danger"),
    Parameter("ask_lead", -60, -60, 30, "cards of the others beyond those of the partner, from which it is asked"),
    Parameter("much", 150, 0, 800, "what the partner could lay down to say no"),
    Parameter("near", 4, 0, 12, "cards of the hand, up to which everything goes down to come to the foot"),
    Parameter("hold_cards", 99, 0, 99, "naturals are held back while each opponent has more cards, its foot included"),
    Parameter("hold_stock", 0, 0, 200, "and the stock has more cards"),
    Parameter("open_wild", 0, 0, 20, "cards of the hand, up to which a pair is opened with a wild card"),
    Parameter("open_stock", 0, 0, 120, "or cards of the stock, up to which it is"),
    Parameter("wild_more", 0, -1, 3, "piles of wild cards to be made beyond those that going out needs"),
    Parameter("dirty_more", 0, -2, 8, "the same of dirty piles"),
    Parameter("wild_from", 7, 3, 7, "cards of a meld that gets wild cards that do not complete it"),
    Parameter("pair", 1000, 0, 6000, "cost of a discard that breaks a pair, in hundredths of a point"),
    Parameter("triple", 2500, 0, 8000, "cost of a discard that breaks three of a rank"),
    Parameter("own", 0, 0, 8000, "cost of a discard that fits an own meld"),
    Parameter("value", -10, -300, 300, "cost of a point of a discard"),
    Parameter("wild", 8000, 0, 20000, "cost of a wild card as a discard"),
    Parameter("joker", 2000, 0, 8000, "cost of a Joker beyond this"),
    Parameter("three", 600, -1000, 5000, "cost of a black Three"),
    Parameter("passed", 0, -3000, 3000, "what a discard of a rank saves that lies in the pile"),
    Parameter("given", 500, -2000, 8000, "cost of giving cards of the pile away"),
    Parameter("given_card", 800, 0, 4000, "the same for each card"),
    Parameter("risk_pair", 40, 0, 150, "risk that the next seat takes them, by the square of what it may hold"),
    Parameter("risk_card", 10, 0, 150, "risk by what it may hold, where one card and a wild card do"),
)
row_of = only_row

WILD_ACTIONS = 2 * (ACE - FOUR + 1)  # a Two and a Joker for each meld of naturals


@compiled
def decide(seen: Observation, mask: Any, values: Any) -> int:
    """The action of the player whose parameters are `values`, a record of PARAMETERS."""
    if seen.phase[DRAW]:
        return _draw(seen, mask, values)
    if mask[S.SAY_YES]:
        return S.SAY_NO if not _danger(seen, values) and _could_lay(seen) >= values.much else S.SAY_YES
    if mask[S.ASK] and _stuck(seen) >= values.ask_lead:
        return S.ASK
    if seen.answer != YES:
        action = _meld(seen, mask, values)
        if action >= 0:
            return action
        if not mask[S.STOP]:
            action = _discard(seen, mask, values)
            if action >= 0:
                return action
    return legal_at(mask, 0)


@compiled
def _danger(seen: Observation, values: Any) -> bool:
    """Whether another seat may soon be out, or the stock may soon be empty."""
    if seen.stock_size <= values.low_stock:
        return True
    if seen.foot[1] or seen.foot[3] or seen.wild[1] < seen.rules.piles[2]:
        return False
    return seen.hand_size[1] <= values.few_cards or seen.hand_size[3] <= values.few_cards


@compiled
def _stuck(seen: Observation) -> int:
    """Cards with which the others would be caught, beyond those of the partner."""
    count = 0
    for place in range(1, S.MAX_SEATS):
        cards = seen.hand_size[place] + S.FOOT_SIZE * seen.foot[place]
        count += cards if place & 1 else -cards
    return count


@compiled
def _could_lay(seen: Observation) -> int:
    """The cards that the hand could lay down at once without wild cards."""
    value = 0
    for kind in range(FOUR, ACE + 1):
        if seen.hand[kind] >= 3 or seen.naturals[0, kind]:
            value += VALUES[kind] * seen.hand[kind]
    return value


@compiled
def _draw(seen: Observation, mask: Any, values: Any) -> int:
    """Take from the pile if the take is worth its cost."""
    if mask[S.TAKE_WILD]:
        return S.TAKE_WILD
    if mask[S.TAKE_WILD + 1]:
        return S.TAKE_WILD + 1
    kind = seen.top - 1
    if FOUR <= kind <= ACE and (seen.pile_size > values.take_over or not mask[S.DRAW]):
        for pattern in range(NUM_PATTERNS):
            action = S.TAKE + NUM_PATTERNS * (kind - FOUR) + pattern
            if mask[action] and (pattern == 0 or seen.pile_size >= values.rich or not mask[S.DRAW]):
                return action
    return legal_at(mask, 0)


# The play ------------------------------------------------------------------------------------------------------------


@compiled
def _meld(seen: Observation, mask: Any, values: Any) -> int:
    """An opening or addition that is worth its cost; -1: no such action."""
    if not _waits(seen, values):
        for kind in range(ACE, FOUR - 1, -1):  # the highest value first
            if mask[S.OPEN + NUM_PATTERNS * (kind - FOUR)]:
                return S.OPEN + NUM_PATTERNS * (kind - FOUR)
            if mask[S.ADD + kind - FOUR]:
                return S.ADD + kind - FOUR
    hurry = _danger(seen, values) or (seen.foot[0] and seen.hand_size[0] <= values.near)
    if seen.wild[0] < seen.rules.piles[2] + values.wild_more or hurry or seen.opening:
        action = _wild_meld(mask)
        if action >= 0:
            return action
    action = _wild_card(seen, mask, hurry, values)
    opens = seen.hand_size[0] <= values.open_wild or seen.stock_size <= values.open_stock
    if action < 0 and (hurry or opens or seen.opening):
        action = P.open_with_wild(mask, S.OPEN)
    return legal_at(mask, 0) if action < 0 and seen.opening else action


@compiled
def _waits(seen: Observation, values: Any) -> bool:
    """Whether naturals stay in the hand, where two of a rank can take the pile. A first meld is not broken off."""
    if seen.opening or seen.stock_size <= values.hold_stock:
        return False
    for place in range(1, S.MAX_SEATS, 2):
        if seen.hand_size[place] + S.FOOT_SIZE * seen.foot[place] <= values.hold_cards:
            return False
    return True


@compiled
def _wild_meld(mask: Any) -> int:
    """Open the meld of wild cards, or add to it; -1: neither can be."""
    for action in range(S.WILD + 2 * (S.W - FOUR), S.WILD + 2 * (S.W - FOUR) + 2):
        if mask[action]:
            return action
    for action in range(S.OPEN_WILD, S.OPEN_WILD + 4):
        if mask[action]:
            return action
    return -1


@compiled
def _wild_card(seen: Observation, mask: Any, hurry: bool, values: Any) -> int:
    """Add a wild card to a meld of naturals that can be completed with those of the hand; -1: it is worth none."""
    if not read_bits(mask, S.WILD, WILD_ACTIONS):
        return -1
    held, dirty = seen.hand[TWO] + seen.hand[JOKER], 0
    for kind in range(FOUR, ACE + 1):
        dirty += seen.dirty[0, kind]
    for kind in range(ACE, FOUR - 1, -1):
        wilds = seen.twos[0, kind] + seen.jokers[0, kind]
        lacking = S.PILE - seen.naturals[0, kind] - wilds
        completes = lacking <= held and (wilds > 0 or dirty < seen.rules.piles[1] + values.dirty_more)
        lays = hurry or completes or S.PILE - lacking >= values.wild_from
        for wild in range(2):
            if mask[S.WILD + 2 * (kind - FOUR) + wild] and lays:
                return S.WILD + 2 * (kind - FOUR) + wild
    return -1


# The discard ---------------------------------------------------------------------------------------------------------


@compiled
def _discard(seen: Observation, mask: Any, values: Any) -> int:
    """The card that costs least; -1: none may be discarded."""
    best, least, hidden = -1, 0.0, _hidden_cards(seen)
    given = values.given / 100.0 + values.given_card / 100.0 * min(seen.pile_size, S.TAKEN)
    kinds = read_bits(mask, S.DISCARD, NUM_KINDS)
    while kinds:
        kind = lowest(kinds)
        kinds &= kinds - 1
        cost = _missed(seen, kind, values) + _risk(seen, kind, hidden, values) * given
        if best < 0 or cost < least:
            best, least = S.DISCARD + kind, cost
    return best


@compiled
def _missed(seen: Observation, kind: int, values: Any) -> float:
    """The value of a card in the hand."""
    if kind >= TWO:
        return (values.wild + values.joker * (kind == JOKER)) / 100.0
    if kind == THREE:
        return values.three / 100.0
    kept = values.triple if seen.hand[kind] >= 3 else values.pair if seen.hand[kind] == 2 else 0
    kept += values.own * (seen.naturals[0, kind] > 0) - values.passed * (seen.pile[kind] > 0)
    return kept / 100.0 + values.value / 100.0 * VALUES[kind]


@compiled
def _hidden_cards(seen: Observation) -> int:
    """The cards of the stock, of the other hands and of all feet, and one more."""
    hidden = seen.stock_size + 1
    for place in range(S.MAX_SEATS):
        hidden += seen.hand_size[place] * (place > 0) + S.FOOT_SIZE * seen.foot[place]
    return hidden


@compiled
def _risk(seen: Observation, kind: int, hidden: int, values: Any) -> float:
    """How likely the next seat takes from the pile with this card on top: it needs two of it, or a wild card too."""
    if kind == THREE or kind >= TWO:
        return 0.0
    if seen.naturals[1, kind] + seen.twos[1, kind] + seen.jokers[1, kind] > S.PILE - 3:  # HF6.3
        return 0.0
    if seen.known[1, kind] >= 2:
        return 1.0
    unseen = 20 - seen.hand[kind] - seen.pile[kind]
    for side in range(2):
        unseen -= seen.naturals[side, kind] + seen.complete[side, kind]
    held = seen.known[1, kind] + unseen * seen.hand_size[1] / hidden
    return min(values.risk_pair / 100.0 * held * held + values.risk_card / 100.0 * held, 1.0)
