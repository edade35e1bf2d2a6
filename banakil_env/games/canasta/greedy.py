"""`greedy`: plays like a sensible person who counts cards but does not look ahead.

Draw: the pile, if it has more cards than a draw brings. A wild card of the hand is used only for a rich pile.
First meld: without wild cards as soon as possible. With wild cards if the other side has melded, or the stock runs low.
For two players `expert` begins it with two cards of a rank and a wild card, before it lays down three of a rank.
Play: naturals go to melds, and three of a rank are opened; wild cards complete canastas. Pairs are kept to take the
pile. If another seat is about to go out, or the stock is about to run out, all cards go down that can.
Going out: at once if this hurts the other side, that is, if it holds more cards or has fewer canastas. The partner is
asked if it holds many cards and the round is not about to end. A partner says no if it could still lay down a lot.
Discard: the card that is least useful here and to the next seat, weighed by the size of the pile. Black Threes are
therefore kept for a rich pile, and a Two freezes the pile if every other card would give it away.

The numbers of `PARAMETERS` were chosen by hand; `expert` plays the same way with fitted numbers.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from banakil_env.core.bits import lowest, read_bits
from banakil_env.core.jit import compiled
from banakil_env.core.masks import legal_at
from banakil_env.core.parameters import Parameter, Parameters, Row
from banakil_env.core.scratch import scratch_record
from banakil_env.games.canasta import lookahead as L
from banakil_env.games.canasta import state as S
from banakil_env.games.canasta.lookahead import SIGHT
from banakil_env.games.canasta.moves import PLAYS
from banakil_env.games.canasta.records import Observation
from banakil_env.kit.books import plays as P
from banakil_env.kit.books.kinds import ACE, FOUR, JOKER, NO_KIND, NUM_KINDS, NUM_PATTERNS, THREE, TWO, VALUES
from banakil_env.kit.table_state import DRAW, PLAY
from banakil_env.kit.two_sides import NO, YES

PARAMETERS = Parameters(
    Path(__file__).with_name("expert.toml"),
    (Row("four", {"num_players": 4}), Row("two", {"num_players": 2})),
    Parameter("take_over", 0, -2, 20, "the pile is taken if it exceeds a draw by more than this, in cards"),
    Parameter("rich", 5, 1, 40, "least cards of a pile that is worth a wild card"),
    Parameter("few_cards", 3, 0, 8, "there is danger if a seat that could go out has at most this many cards"),
    Parameter("low_stock", 8, 0, 24, "there is danger if the stock has at most this many cards"),
    Parameter("ask_from", 5, 0, 15, "the partner is asked if it has at least this many cards"),
    Parameter("much", 60, 0, 400, "least value that the partner could lay down to say no, in points"),
    Parameter("out_lead", 0, -300, 300, "lead to go out at a table of two: melds, plus 100 for each canasta"),
    Parameter("wait_stock", 0, 0, 80, "wild cards wait for a first meld of the others if the stock has more cards"),
    Parameter("held_back", 4, 0, 60, "naturals are held back if the hand has at most this many cards"),
    Parameter("near", 5, 3, 8, "but they are added to a meld with at least this many cards"),
    Parameter("wild_from", 7, 3, 7, "least size of a meld that gets wild cards that do not complete it"),
    Parameter(
        "pair_first",
        12,
        1,
        12,
        "least wild cards of the hand to begin the first meld with two of a rank and a wild card",
    ),
    Parameter("pair", 1200, -3000, 12000, "cost of a discard that breaks a pair, in hundredths of a point"),
    Parameter("triple", 2200, 0, 8000, "cost of a discard that breaks three of a rank"),
    Parameter("own", 1500, 0, 20000, "cost of a discard that fits a meld of the side"),
    Parameter("value", 10, -300, 1000, "cost of each point of a discard"),
    Parameter("value_danger", 100, 0, 500, "saving of each point of a discard in danger"),
    Parameter("wild", 4500, 0, 20000, "cost of a wild card as a discard"),
    Parameter("joker", 1500, 0, 8000, "additional cost of a Joker"),
    Parameter("freeze", 0, 0, 2000, "gain of discarding a wild card, for each card of a pile that is not frozen"),
    Parameter("three", 600, -4000, 5000, "cost of a black Three"),
    Parameter("passed", 0, -3000, 3000, "saving of a discard if the pile has a card of its rank"),
    Parameter("given", 1000, -2000, 8000, "cost of giving the pile away"),
    Parameter("given_card", 700, 0, 16000, "the same for each card of the pile"),
    Parameter(
        "risk_pair",
        40,
        0,
        150,
        "risk that the next seat takes it with a pair, by the square of its expected cards of the rank",
    ),
    Parameter(
        "risk_card",
        40,
        0,
        150,
        "risk that it takes it with one card and a wild card, by its expected cards of the rank",
    ),
    Parameter("risk_unmelded", 50, 0, 150, "weight of the risk before the first meld of the others, in hundredths"),
)
ROW_FOUR, ROW_TWO = range(2)

WILD_ACTIONS = 2 * (ACE - FOUR + 1)  # an action for a Two and one for a Joker, for each meld of naturals


@compiled
def row_of(seen: Observation) -> int:
    """Return the row of fitted numbers for the number of players."""
    return ROW_TWO if seen.num_players == 2 else ROW_FOUR


@compiled
def decide(seen: Observation, mask: Any, values: Any) -> int:
    """Choose the action of the player that has the parameters `values`, a record of PARAMETERS."""
    if seen.phase[DRAW]:
        return _draw(seen, mask, values)
    sight = scratch_record(SIGHT)
    _look(seen, sight)
    danger = _danger(seen, values)
    if not seen.phase[PLAY]:
        no = not danger and L.most_value(sight) >= values.much
        return S.SAY_NO if no else S.SAY_YES
    melded = _melds(seen, 0) != 0
    missing = seen.minimum[0] - _laid(seen) if seen.opening or not melded else 0
    if seen.answer == YES:
        return legal_at(mask, 0)
    if seen.answer != NO and not seen.taking and L.goes_out(sight, missing, not seen.last):
        if mask[S.ASK] and not danger and seen.hand_size[2] >= values.ask_from:
            return S.ASK
        if danger or seen.num_players == 4 or _melds(seen, 0) - _melds(seen, 1) >= values.out_lead:
            action = _way_out(mask, sight, missing, not seen.last)
            if action >= 0:
                return action
    action = _meld(seen, mask, sight, missing, danger, melded, values)
    if action >= 0:
        return action
    if mask[S.STOP]:
        return S.STOP
    action = _discard(seen, mask, danger, values)
    return action if action >= 0 else legal_at(mask, 0)


# The situation -------------------------------------------------------------------------------------------------------


@compiled
def _look(seen: Observation, sight: Any) -> None:
    """Write the player's hand and the melds of the side into a sight (`lookahead.py`)."""
    for kind in range(NUM_KINDS):
        sight.held[kind] = seen.hand[kind]
        sight.naturals[kind] = seen.naturals[0, kind]
        sight.wilds[kind] = seen.twos[0, kind] + seen.jokers[0, kind]
    sight.coming, sight.coming_kind = 0, NO_KIND
    sight.needed = _needed(seen)


@compiled
def _needed(seen: Observation) -> int:
    """Return the number of canastas needed to go out."""
    return L.needed_canastas(seen.rules.canastas, seen.num_players)


@compiled
def _book(seen: Observation, side: int, kind: int) -> int:
    """Return the number of cards in the meld of this kind that a side has; 0: it has no such meld."""
    return seen.naturals[side, kind] + seen.twos[side, kind] + seen.jokers[side, kind]


@compiled
def _melds(seen: Observation, side: int) -> int:
    """Return the number of melds of a side, plus 100 for each canasta."""
    count = 0
    for kind in range(S.NUM_PLACES):
        size = _book(seen, side, kind)
        count += int(size > 0) + 100 * int(size >= L.CANASTA)
    return count


@compiled
def _laid(seen: Observation) -> int:
    """Return the value of the melds of the observer's side, in points."""
    value = 0
    for kind in range(S.NUM_PLACES):
        value += VALUES[kind] * seen.naturals[0, kind] + VALUES[TWO] * seen.twos[0, kind]
        value += VALUES[JOKER] * seen.jokers[0, kind]
    return value


@compiled
def _danger(seen: Observation, values: Any) -> bool:
    """Return whether another seat may soon go out, or the stock may soon be empty."""
    if seen.stock_size <= values.low_stock:
        return True
    if _melds(seen, 1) // 100 < _needed(seen):
        return False
    for place in range(1, seen.num_players, 2):
        if seen.hand_size[place] <= values.few_cards:
            return True
    return False


# The draw ------------------------------------------------------------------------------------------------------------


@compiled
def _draw(seen: Observation, mask: Any, values: Any) -> int:
    """Return the action that takes the pile if it is worth its cost, otherwise the action that draws."""
    if mask[S.DRAW] and seen.pile_size <= S.DRAWN[seen.num_players] + values.take_over:
        return S.DRAW
    if mask[S.TAKE_ADD]:
        return S.TAKE_ADD
    kind = seen.top - 1
    for pattern in range(NUM_PATTERNS):
        action = S.TAKE + NUM_PATTERNS * (kind - FOUR) + pattern
        if kind >= FOUR and kind <= ACE and mask[action]:
            if pattern == 0 or seen.pile_size >= values.rich or not mask[S.DRAW]:
                return action
    return legal_at(mask, 0)


# The play ------------------------------------------------------------------------------------------------------------


@compiled
def _way_out(mask: Any, sight: Any, missing: int, may_discard: bool) -> int:
    """Return a meld after which all cards can still leave the hand in this turn, or the last discard; -1: there is
    none.

    Args:
        mask: the legal actions.
        sight: the hand and the melds of the side.
        missing: the value that the first meld still needs.
        may_discard: whether the last card may be discarded.
    """
    after = scratch_record(SIGHT)
    for action in range(S.OPEN, S.DISCARD):
        if mask[action]:
            P.lay_in_sight(sight, PLAYS[action], after)
            if L.goes_out(after, missing - PLAYS[action].worth, may_discard):
                return action
    if P.cards_held(sight) == 1:
        for kind in range(NUM_KINDS):
            if mask[S.DISCARD + kind]:
                return S.DISCARD + kind
    return -1


@compiled
def _meld(seen: Observation, mask: Any, sight: Any, missing: int, danger: bool, melded: bool, values: Any) -> int:
    """Return an opening or addition that is worth its cost; -1: there is none.

    Args:
        seen: the observation.
        mask: the legal actions.
        sight: the hand and the melds of the side.
        missing: the value that the first meld still needs.
        danger: whether the round may soon end.
        melded: whether the side has melds.
        values: a record of PARAMETERS.
    """
    need = seen.opening != 0
    waits = not melded and not danger and seen.stock_size > values.wait_stock and not _melds(seen, 1)
    if waits and _natural_value(seen) < missing:
        return -1
    if not melded:
        need = True
        if seen.hand[TWO] + seen.hand[JOKER] >= values.pair_first:
            action = P.open_with_wild(mask, S.OPEN)
            if action >= 0:
                return action
    few = not need and not danger and P.cards_held(sight) <= values.held_back
    for kind in range(ACE, FOUR - 1, -1):  # the highest value first
        if mask[S.OPEN + NUM_PATTERNS * (kind - FOUR)] and not few:
            return S.OPEN + NUM_PATTERNS * (kind - FOUR)
        if mask[S.ADD + kind - FOUR] and (not few or _book(seen, 0, kind) >= values.near):
            return S.ADD + kind - FOUR
    action = _wild_card(seen, mask, danger, values)
    if action >= 0:
        return action
    if need or danger:
        action = P.open_with_wild(mask, S.OPEN)
        if action >= 0:
            return action
    if seen.opening:
        return legal_at(mask, 0)
    return -1


@compiled
def _wild_card(seen: Observation, mask: Any, danger: bool, values: Any) -> int:
    """Return the action that adds a wild card to a meld, if this is worth its cost; -1: there is no such action."""
    if not read_bits(mask, S.WILD, WILD_ACTIONS):
        return -1
    wilds = seen.hand[TWO] + seen.hand[JOKER]
    for kind in range(ACE, FOUR - 1, -1):
        size = _book(seen, 0, kind)
        lacking = L.CANASTA - size
        there = seen.twos[0, kind] + seen.jokers[0, kind]
        completes = 1 <= lacking <= wilds and there + lacking <= S.MAX_WILDS
        if completes or (size and danger) or values.wild_from <= size < L.CANASTA:
            for wild in range(2):
                if mask[S.WILD + 2 * (kind - FOUR) + wild]:
                    return S.WILD + 2 * (kind - FOUR) + wild
    return -1


@compiled
def _natural_value(seen: Observation) -> int:
    """Return the value of the melds that can be opened without wild cards, in points."""
    value = 0
    for kind in range(FOUR, ACE + 1):
        if seen.hand[kind] >= 3:
            value += VALUES[kind] * seen.hand[kind]
    return value


# The discard ---------------------------------------------------------------------------------------------------------


@compiled
def _discard(seen: Observation, mask: Any, danger: bool, values: Any) -> int:
    """Return the action that discards the card of the lowest cost; -1: no card may be discarded."""
    best, least, hidden = -1, 0.0, _hidden_cards(seen)
    given = values.given / 100.0 + values.given_card / 100.0 * seen.pile_size
    melded = _melds(seen, 1) != 0
    kinds = read_bits(mask, S.DISCARD, NUM_KINDS)
    while kinds:
        kind = lowest(kinds)
        kinds &= kinds - 1
        cost = _missed(seen, kind, values) + _risk(seen, kind, hidden, melded, values) * given
        if danger:
            cost -= values.value_danger / 100.0 * VALUES[kind]
        if best < 0 or cost < least:
            best, least = S.DISCARD + kind, cost
    return best


@compiled
def _missed(seen: Observation, kind: int, values: Any) -> float:
    """Return the cost of losing a card of this kind from the hand, in points."""
    if kind >= TWO:
        cost = (values.wild + values.joker * (kind == JOKER)) / 100.0
        return cost if seen.frozen else cost - values.freeze / 100.0 * seen.pile_size
    if kind == THREE:
        return values.three / 100.0
    held = seen.hand[kind]
    kept = values.triple if held >= 3 else values.pair if held == 2 else 0
    kept += values.own * (seen.naturals[0, kind] > 0) - values.passed * (seen.pile[kind] > 0)
    return kept / 100.0 + values.value / 100.0 * VALUES[kind]


@compiled
def _hidden_cards(seen: Observation) -> int:
    """Return the number of cards in the stock and the other hands, plus one."""
    hidden = seen.stock_size + 1
    for place in range(1, seen.num_players):
        hidden += seen.hand_size[place]
    return hidden


@compiled
def _risk(seen: Observation, kind: int, hidden: int, melded: bool, values: Any) -> float:
    """Return the likelihood that the next seat takes the pile with this card on top.

    Args:
        seen: the observation.
        kind: the kind of the card.
        hidden: the result of `_hidden_cards`.
        melded: whether the other side has melds.
        values: a record of PARAMETERS.
    """
    if kind == THREE or kind >= TWO:
        return 0.0
    frozen = seen.pile[TWO] or seen.pile[JOKER] or seen.pile_reds or (seen.rules.frozen_before_meld and not melded)
    if not frozen and seen.naturals[1, kind]:
        return 1.0
    if seen.known[1, kind] >= 2:
        return 1.0
    unseen = 8 - seen.hand[kind] - seen.naturals[0, kind] - seen.naturals[1, kind] - seen.pile[kind]
    held = unseen * seen.hand_size[1] / hidden + seen.known[1, kind]
    risk = values.risk_pair / 100.0 * held * held + (0.0 if frozen else values.risk_card / 100.0 * held)
    return min(risk, 1.0) * (1.0 if melded else values.risk_unmelded / 100.0)
