"""`greedy`: plays like a sensible person who counts cards but does not look ahead.

Draw: the pile whenever it can be taken, unless the other seat is nearly out and more of the pile would stay in the hand
than is melded.
Play: naturals go to melds, and three of a rank are opened, the highest value first; three Twos are a meld. `expert`
holds naturals back to take the pile with them, until the other seat is nearly out, or its hand is large or can go out.
Twos are not added to other melds as long as the clean natural is worth more than they would bring. They are laid down
if the hand can then go out with profit, if the other seat is nearly out, or to meld a queen of spades.
Discard: the card that is least useful here and to the other seat, weighed by the cards of the pile. Pairs are kept to
take the pile. A Two closes a rich pile if every other card would give it away. If the other seat is nearly out, cards
of high value are discarded first.

The numbers of `PARAMETERS` were chosen by hand; `expert` plays the same way with fitted numbers.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from banakil_env.core.bits import highest, lowest, read_bits
from banakil_env.core.jit import compiled
from banakil_env.core.masks import legal_at
from banakil_env.core.parameters import Parameter, Parameters, Row
from banakil_env.games.mille import state as S
from banakil_env.games.mille.cards import BASE, NUM_KINDS, NUM_NATURALS, NUM_SLOTS, RANK_OF, THE_TWO, VALUES
from banakil_env.games.mille.records import Observation
from banakil_env.kit.books.kinds import TWO
from banakil_env.kit.by_numbers import only_row
from banakil_env.kit.table_state import DRAW

PARAMETERS = Parameters(
    Path(__file__).with_name("expert.toml"),
    (Row("two", {"num_players": 2}),),
    Parameter("few_cards", 4, 0, 12, "there is danger if the other seat has at most this many cards"),
    Parameter("take_from", 0, 0, 12, "a smaller pile is not taken if a card can be drawn"),
    Parameter("pair", 1200, 0, 6000, "cost of a discard that breaks a pair, in hundredths of a point"),
    Parameter("triple", 0, 0, 12000, "cost of a discard that breaks three of a rank"),
    Parameter("two", 6000, -20000, 20000, "cost of a Two as a discard"),
    Parameter("two_danger", 3000, -2000, 20000, "the same in danger"),
    Parameter("value_danger", 100, 0, 400, "saving of each point discarded in danger"),
    Parameter("coming", 100, 0, 600, "cost of a point of a rank whose other cards are all unseen"),
    Parameter("value", 30, -200, 600, "saving of each point discarded"),
    Parameter("pair_weight", 150, 0, 500, "weight of `coming` and `value` for a card of a pair, in hundredths"),
    Parameter("feared", 100, 0, 2000, "weight of the pile that the other seat may take, in hundredths"),
    Parameter("card", 400, 0, 4000, "worth of a card of the pile to the other seat, in addition to its value"),
    Parameter(
        "risk", 35, 0, 400, "risk by the square of the naturals that the other seat is expected to hold, in hundredths"
    ),
    Parameter("risk_melded", 30, 0, 150, "weight of this risk for a rank that it has melded, in hundredths"),
    Parameter("dear", 100, 0, 600, "least points that a wild Two has to bring"),
    Parameter("stuck", 8, 0, 60, "gain for each card left in the other hand if this hand goes out"),
    Parameter("hold_cards", 60, 0, 60, "naturals are held back while the other seat has more cards"),
    Parameter("hold_own", 60, 0, 60, "naturals are held back while the hand has fewer cards"),
    Parameter("clean", 200, 0, 800, "weight of the gain of a wild Two against the clean melds, in hundredths"),
)
row_of = only_row


@compiled
def decide(seen: Observation, mask: Any, values: Any) -> int:
    """Choose the action of the player that has the parameters `values`, a record of PARAMETERS."""
    danger = seen.hand_size[1] <= values.few_cards
    if seen.phase[DRAW]:
        return _draw(seen, mask, danger, values)
    if _waits(seen, values):
        return _discard(seen, mask, danger, values)
    action = _natural(seen, mask)
    if action < 0:
        action = _with_twos(seen, mask, danger, values)
    return action if action >= 0 else _discard(seen, mask, danger, values)


# Counts of cards ------------------------------------------------------------------------------------------------------


@compiled
def _rank_count(row: Any, rank: int) -> int:
    """Return the number of cards of a rank in a row of kinds."""
    count = 0
    for kind in range(NUM_KINDS):
        if RANK_OF[kind] == rank:
            count += row[kind]
    return count


@compiled
def _value(row: Any) -> int:
    """Return the value of a row of kinds, in points."""
    value = 0
    for kind in range(NUM_KINDS):
        value += VALUES[kind] * row[kind]
    return value


@compiled
def _is_clean(seen: Observation) -> bool:
    """Return whether the player's melds have no wild Two."""
    for rank in range(TWO):
        if seen.wild[0, rank]:
            return False
    return True


# The draw ------------------------------------------------------------------------------------------------------------


@compiled
def _draw(seen: Observation, mask: Any, danger: bool, values: Any) -> int:
    """Return the action that takes the pile if it is worth its cost, otherwise the action that draws.

    `danger` is true if the other seat is nearly out.
    """
    if mask[S.DRAW] and seen.pile_size < values.take_from:
        return S.DRAW
    for slot in range(NUM_SLOTS):
        if mask[S.TAKE + slot]:
            rank, kept, laid = RANK_OF[BASE[slot]], 0, 0
            for kind in range(NUM_KINDS):
                own = RANK_OF[kind]
                value = VALUES[kind] * seen.pile[kind]
                together = _rank_count(seen.hand, own) + _rank_count(seen.pile, own)
                if own == rank or together >= 3 or _rank_count(seen.melds[0], own):
                    laid += value
                else:
                    kept += value
            if not danger or laid >= kept or not mask[S.DRAW]:
                return S.TAKE + slot
            return S.DRAW
    return S.DRAW


# The play ------------------------------------------------------------------------------------------------------------


@compiled
def _natural(seen: Observation, mask: Any) -> int:
    """Return a play that needs no wild Two; -1: there is none."""
    additions, openings = read_bits(mask, S.ADD, NUM_NATURALS), read_bits(mask, S.OPEN, NUM_SLOTS)
    if additions:
        return S.ADD + highest(additions)
    if openings:
        return S.OPEN + highest(openings)
    if mask[S.TWOS]:
        return S.TWOS
    return (S.ADD_TWO + TWO) if mask[S.ADD_TWO + TWO] else (-1)


@compiled
def _waits(seen: Observation, values: Any) -> bool:
    """Return whether naturals stay in the hand, where two of a rank can take the pile."""
    few, many = seen.hand_size[1] <= values.hold_cards, seen.hand_size[0] >= values.hold_own
    return not few and not many and not _goes_out(seen)


@compiled
def _goes_out(seen: Observation) -> bool:
    """Return whether all but one card can be laid down. For this a pair needs a Two, and a single card two Twos."""
    singles, pairs = 0, 0
    for rank in range(TWO):
        if _rank_count(seen.melds[0], rank) == 0:
            count = _rank_count(seen.hand, rank)
            singles += count == 1
            pairs += count == 2
    return pairs + 2 * max(singles - 1, 0) <= seen.hand[THE_TWO]


@compiled
def _with_twos(seen: Observation, mask: Any, danger: bool, values: Any) -> int:
    """Return a play with a wild Two that is worth the Two; -1: there is none.

    `danger` is true if the other seat is nearly out.
    """
    if seen.hand[THE_TWO] == 0:
        return -1
    goes_out = _goes_out(seen)
    clean, lost = _is_clean(seen), _value(seen.melds[0])
    best, gain = -1, 0
    for slot in range(NUM_SLOTS):
        if mask[S.OPEN_TWO + slot]:
            laid = _rank_value(seen.hand, RANK_OF[BASE[slot]]) + VALUES[THE_TWO]
            if laid > gain:
                best, gain = S.OPEN_TWO + slot, laid
    if danger or goes_out:
        for kind in range(NUM_NATURALS):
            laid = VALUES[kind] + 2 * VALUES[THE_TWO]
            if mask[S.OPEN_TWOS + kind] and laid > gain:
                best, gain = S.OPEN_TWOS + kind, laid
        rank = _meld_for_two(seen, mask)
        if best < 0 and rank >= 0:
            best, gain = S.ADD_TWO + rank, VALUES[THE_TWO]
    if best < 0:
        return -1
    if goes_out:  # all cards of the hand count, and the other seat's cards count against it
        gain = _value(seen.hand) + values.stuck * seen.hand_size[1]
    if not danger and not goes_out and gain < values.dear:
        return -1
    return best if not clean or values.clean * gain > 100 * lost else (-1)


@compiled
def _rank_value(row: Any, rank: int) -> int:
    """Return the value of the cards of a rank in a row of kinds, in points."""
    value = 0
    for kind in range(NUM_KINDS):
        if RANK_OF[kind] == rank:
            value += VALUES[kind] * row[kind]
    return value


@compiled
def _meld_for_two(seen: Observation, mask: Any) -> int:
    """Return the rank of the meld that a Two harms least, the one with the fewest naturals; -1: no meld takes a Two."""
    best, least = -1, 99
    for rank in range(TWO):
        if mask[S.ADD_TWO + rank]:
            size = _rank_count(seen.melds[0], rank)
            if size < least:
                best, least = rank, size
    return best


# The discard ---------------------------------------------------------------------------------------------------------


@compiled
def _discard(seen: Observation, mask: Any, danger: bool, values: Any) -> int:
    """Return the action that discards the card of the lowest cost.

    `danger` is true if the other seat is nearly out.
    """
    best, least = legal_at(mask, 0), 1e9
    given = _value(seen.pile) + values.card / 100.0 * seen.pile_size
    kinds = read_bits(mask, S.DISCARD, NUM_KINDS)
    while kinds:
        kind = lowest(kinds)
        kinds &= kinds - 1
        unseen = _unseen(seen, RANK_OF[kind])
        cost = _missed(seen, kind, unseen, danger, values)
        cost += values.feared / 100.0 * _risk(seen, kind, unseen, values) * (given + 3 * VALUES[kind])
        if cost < least:
            best, least = S.DISCARD + kind, cost
    return best


@compiled
def _missed(seen: Observation, kind: int, unseen: int, danger: bool, values: Any) -> float:
    """Return the cost of losing a card of this kind from the hand, in points.

    `unseen` is the number of cards of its rank in the stock or the other hand.
    """
    if kind == THE_TWO:
        return (values.two_danger if danger else values.two) / 100.0
    if danger:
        return -values.value_danger / 100.0 * VALUES[kind]
    hand = _rank_count(seen.hand, RANK_OF[kind])
    # The more cards of the rank are still to come, the sooner the cards become a meld.
    coming = values.coming / 100.0 * unseen / 8.0 - values.value / 100.0
    if hand == 2:
        return values.pair / 100.0 + VALUES[kind] * coming * (values.pair_weight / 100.0)
    return (values.triple / 100.0 if hand > 2 else 0.0) + VALUES[kind] * coming


@compiled
def _unseen(seen: Observation, rank: int) -> int:
    """Return the number of cards of a rank in the stock or the other hand."""
    count = 8 - _rank_count(seen.hand, rank) - _rank_count(seen.pile, rank)
    return count - _rank_count(seen.melds[0], rank) - _rank_count(seen.melds[1], rank)


@compiled
def _risk(seen: Observation, kind: int, unseen: int, values: Any) -> float:
    """Return the likelihood that the other seat holds two naturals of this rank and takes the pile.

    `unseen` is the number of cards of the rank in the stock or the other hand.
    """
    if kind == THE_TWO:
        return 0.0
    rank = RANK_OF[kind]
    known = _rank_count(seen.known[1], rank)
    if known >= 2:
        return 1.0
    hidden = max(seen.hand_size[1] - _size(seen.known[1]), 0)
    share = hidden / max(hidden + seen.stock_size, 1)
    held = known + (unseen - known) * share
    if known == 0 and unseen < 2:
        return 0.0
    risk = min(values.risk / 100.0 * held * held, 1.0)
    # A seat with a meld of the rank lays its cards down rather than keeping them.
    return risk * (values.risk_melded / 100.0) if _rank_count(seen.melds[1], rank) else risk


@compiled
def _size(row: Any) -> int:
    """Return the number of cards in a row of kinds."""
    size = 0
    for kind in range(NUM_KINDS):
        size += row[kind]
    return size
