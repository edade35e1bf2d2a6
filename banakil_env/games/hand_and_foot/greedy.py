"""`greedy`: plays like a sensible person who counts cards but does not look ahead.

Draw: the pile, if it brings enough more cards than the stock. A wild card of the hand is used only for a rich pile.
Play: naturals go to melds, and three of a rank are opened; the first meld is laid down as soon as it can reach its
value. `expert` holds naturals back to take the pile with them, until the others or the stock have few cards. It opens
pairs with a wild card if its hand is short or the stock is low. Wild cards first make the wild pile that going out
needs, then complete dirty piles; the other melds are kept clean. To reach the foot, or if the round may soon end, all
cards go down that can.
Going out: the player asks its partner as soon as it can go out. The partner says no only if it could still lay down a
lot and the round is not about to end.
Discard: the card that is least useful here and to the next seat, weighed by the cards that this seat would take with
it.

The numbers of `PARAMETERS` were chosen by hand; `expert` plays the same way with fitted numbers.
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
    Parameter("take_over", 2, 0, 8, "the pile is taken if it has more cards"),
    Parameter("rich", 5, 1, 12, "least cards of a pile that is worth a wild card"),
    Parameter("few_cards", 5, 0, 12, "there is danger if a seat that could go out has at most this many cards"),
    Parameter("low_stock", 12, 0, 60, "there is danger if the stock has at most this many cards"),
    Parameter(
        "ask_lead", -60, -60, 30, "the partner is asked if the others hold at least this many more cards than it"
    ),
    Parameter("much", 150, 0, 800, "least value that the partner could lay down to say no, in points"),
    Parameter("near", 4, 0, 12, "all cards go down to reach the foot if the hand has at most this many"),
    Parameter("hold_cards", 99, 0, 99, "naturals are held back while each opponent has more cards, including its foot"),
    Parameter("hold_stock", 0, 0, 200, "and the stock has more cards"),
    Parameter("open_wild", 0, 0, 20, "a pair is opened with a wild card if the hand has at most this many cards"),
    Parameter("open_stock", 0, 0, 120, "or if the stock has at most this many cards"),
    Parameter("wild_more", 0, -1, 3, "wild piles to make in addition to those that going out needs"),
    Parameter("dirty_more", 0, -2, 8, "dirty piles to make in addition to those that going out needs"),
    Parameter("wild_from", 7, 3, 7, "least size of a meld that gets wild cards that do not complete it"),
    Parameter("pair", 1000, 0, 6000, "cost of a discard that breaks a pair, in hundredths of a point"),
    Parameter("triple", 2500, 0, 8000, "cost of a discard that breaks three of a rank"),
    Parameter("own", 0, 0, 8000, "cost of a discard that fits a meld of the side"),
    Parameter("value", -10, -300, 300, "cost of each point of a discard"),
    Parameter("wild", 8000, 0, 20000, "cost of a wild card as a discard"),
    Parameter("joker", 2000, 0, 8000, "additional cost of a Joker"),
    Parameter("three", 600, -1000, 5000, "cost of a black Three"),
    Parameter("passed", 0, -3000, 3000, "saving of a discard if the pile has a card of its rank"),
    Parameter("given", 500, -2000, 8000, "cost of giving cards of the pile away"),
    Parameter("given_card", 800, 0, 4000, "the same for each card"),
    Parameter(
        "risk_pair",
        40,
        0,
        150,
        "risk that the next seat takes them with a pair, by the square of its expected cards of the rank",
    ),
    Parameter(
        "risk_card",
        10,
        0,
        150,
        "risk that it takes them with one card and a wild card, by its expected cards of the rank",
    ),
)
row_of = only_row

WILD_ACTIONS = 2 * (ACE - FOUR + 1)  # an action for a Two and one for a Joker, for each meld of naturals


@compiled
def decide(seen: Observation, mask: Any, values: Any) -> int:
    """Choose the action of the player that has the parameters `values`, a record of PARAMETERS."""
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
    """Return whether another seat may soon go out, or the stock may soon be empty."""
    if seen.stock_size <= values.low_stock:
        return True
    if seen.foot[1] or seen.foot[3] or seen.wild[1] < seen.rules.piles[2]:
        return False
    return seen.hand_size[1] <= values.few_cards or seen.hand_size[3] <= values.few_cards


@compiled
def _stuck(seen: Observation) -> int:
    """Return the number of cards in the hands and feet of the opponents, minus the number that the partner holds."""
    count = 0
    for place in range(1, S.MAX_SEATS):
        cards = seen.hand_size[place] + S.FOOT_SIZE * seen.foot[place]
        count += cards if place & 1 else -cards
    return count


@compiled
def _could_lay(seen: Observation) -> int:
    """Return the value of the cards that the hand could lay down at once without wild cards, in points."""
    value = 0
    for kind in range(FOUR, ACE + 1):
        if seen.hand[kind] >= 3 or seen.naturals[0, kind]:
            value += VALUES[kind] * seen.hand[kind]
    return value


@compiled
def _draw(seen: Observation, mask: Any, values: Any) -> int:
    """Return the action that takes from the pile if it is worth its cost, otherwise the action that draws."""
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
    """Return an opening or addition that is worth its cost; -1: there is none."""
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
    """Return whether naturals stay in the hand, where two of a rank can take the pile.

    A first meld that has been begun is always completed.
    """
    if seen.opening or seen.stock_size <= values.hold_stock:
        return False
    for place in range(1, S.MAX_SEATS, 2):
        if seen.hand_size[place] + S.FOOT_SIZE * seen.foot[place] <= values.hold_cards:
            return False
    return True


@compiled
def _wild_meld(mask: Any) -> int:
    """Return an action that opens the meld of wild cards or adds to it; -1: neither is legal."""
    for action in range(S.WILD + 2 * (S.W - FOUR), S.WILD + 2 * (S.W - FOUR) + 2):
        if mask[action]:
            return action
    for action in range(S.OPEN_WILD, S.OPEN_WILD + 4):
        if mask[action]:
            return action
    return -1


@compiled
def _wild_card(seen: Observation, mask: Any, hurry: bool, values: Any) -> int:
    """Return an action that adds a wild card to a meld of naturals that the hand can complete; -1: no meld is
    worth it.
    """
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
    """Return the action that discards the card of the lowest cost; -1: no card may be discarded."""
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
    """Return the cost of losing a card of this kind from the hand, in points."""
    if kind >= TWO:
        return (values.wild + values.joker * (kind == JOKER)) / 100.0
    if kind == THREE:
        return values.three / 100.0
    kept = values.triple if seen.hand[kind] >= 3 else values.pair if seen.hand[kind] == 2 else 0
    kept += values.own * (seen.naturals[0, kind] > 0) - values.passed * (seen.pile[kind] > 0)
    return kept / 100.0 + values.value / 100.0 * VALUES[kind]


@compiled
def _hidden_cards(seen: Observation) -> int:
    """Return the number of cards in the stock, the other hands and all feet, plus one."""
    hidden = seen.stock_size + 1
    for place in range(S.MAX_SEATS):
        hidden += seen.hand_size[place] * (place > 0) + S.FOOT_SIZE * seen.foot[place]
    return hidden


@compiled
def _risk(seen: Observation, kind: int, hidden: int, values: Any) -> float:
    """Return the likelihood that the next seat takes from the pile with this card on top.

    It needs two cards of this kind, or one and a wild card.
    """
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
