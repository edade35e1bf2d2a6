"""`expert`: weighs every draw, discard and knock by the worth of the hand after it.

The worth of ten cards is their deadwood, less what they may still become: the unseen cards that would make a meld of
loose cards, and those that would extend a meld. Early in the hand the chances count for more, later the deadwood.
Draw: the upcard if the hand is worth more with it, after the best discard, than with an unknown card of the stock.
Discard: the card that leaves the hand worth most, less what the card gives to the other seat.
Knock: with gin always; otherwise when the deadwood is below a limit that falls with every turn, with every card that
the other seat has taken from the pile, and with every unseen card that would make gin. So a hand that one card makes
gin waits for it, and a hand without such a card does not.
Melds and lay-offs: as `greedy`.
Matches that pay for hands won, by boxes or a game bonus, have a row of values of their own, which knocks earlier.

The values of `PARAMETERS` are in expert.toml, fitted by `python -m train.fit --game gin`.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from banakil_env.core.bits import lowest, popcount, read_bits
from banakil_env.core.jit import compiled
from banakil_env.core.parameters import Parameter, Parameters, Row
from banakil_env.games.gin import greedy
from banakil_env.games.gin.records import Observation
from banakil_env.games.gin.state import A_BIG_GIN, A_DISCARD, A_DRAW, A_KNOCK, A_PASS, A_TAKE, KNOCK
from banakil_env.kit.melds.deadwood import best_melded, points_in
from banakil_env.kit.melds.runs_and_sets import OPENINGS, completing
from banakil_env.kit.one_pack.seen import top_of, unseen_of
from banakil_env.kit.pack52 import ALL, NUM_FACES, bit_of
from banakil_env.kit.table_state import MATCH_EPISODE, PLAY

PARAMETERS = Parameters(
    Path(__file__).with_suffix(".toml"),
    (Row("two", {"num_players": 2}), Row("match", {"num_players": 2, "rules": "common", "episode": "match"})),
    Parameter("out", 120, 0, 1000, "an unseen card that makes a meld of loose cards, in hundredths of a point"),
    Parameter("out_later", 0, -40, 40, "what such a card gains with each turn"),
    Parameter("extend", 0, 0, 1000, "an unseen card that extends a meld"),
    Parameter("extend_later", 0, -40, 40, "what such a card gains with each turn"),
    Parameter("near", 0, 0, 400, "two loose cards of one suit and a rank apart, or of one rank"),
    Parameter("unseen", 15, 0, 200, "cost of a discard, for each meld of three with two unseen cards"),
    Parameter("known", 300, 0, 1500, "cost of a discard, for each meld of three with a card known in the other hand"),
    Parameter("safer_later", 0, -20, 20, "what the cost of an unseen meld gains with each turn"),
    Parameter("stock", 400, -600, 1000, "what an unknown card of the stock is worth in a draw"),
    Parameter("stock_later", 0, -60, 60, "what it gains with each turn"),
    Parameter("knock", 1600, 0, 2500, "deadwood up to which to knock at the start, in hundredths of a point"),
    Parameter("knock_later", 50, -50, 250, "what this limit loses with each turn"),
    Parameter("knock_taken", 0, -200, 500, "what this limit loses with each card known in the other hand"),
    Parameter("wait", 0, 0, 1000, "what this limit loses with each unseen card that would make gin"),
)
VALUES = PARAMETERS.values
TWO, MATCH = range(2)

# Turns after which nothing changes any more with each turn.
LAST_TURN = 30


@compiled
def act(seen: Observation, mask: Any, generator: Any) -> int:
    """The action of the seat to move; deterministic."""
    return decide(seen, mask, VALUES[MATCH if _pays_wins(seen) else TWO])


@compiled
def _pays_wins(seen: Observation) -> bool:
    """Whether hands won are paid beyond their points (G9.3, G9.4): in a match with a line bonus or a game bonus."""
    return seen.episode == MATCH_EPISODE and (seen.rules.line_bonus > 0 or seen.rules.game_bonus > 0)


@compiled
def decide(seen: Observation, mask: Any, values: Any) -> int:
    """The action of the expert whose parameters are `values`, a record of PARAMETERS."""
    if seen.phase[PLAY] or seen.phase[KNOCK]:
        return _play(seen, mask, values)
    if mask[A_TAKE]:
        return _draw(seen, mask, values)
    return greedy.settle(mask, read_bits(seen.hand, 0, NUM_FACES))


@compiled
def worth(hand: int, unseen: int, turn: int, values: Any) -> int:
    """The value of ten cards, in hundredths of a point; without loose cards it begins at 0."""
    melded = best_melded(hand)
    loose = hand & ~melded
    makes = completing(loose) & unseen
    extends = completing(hand) & unseen & ~makes
    found = -100 * points_in(loose)
    found += (values.out + values.out_later * turn) * popcount(makes)
    found += (values.extend + values.extend_later * turn) * popcount(extends)
    return found + values.near * _near(loose)


@compiled
def _near(loose: int) -> int:
    """Pairs of loose cards that lie next to each other in a suit, or have one rank."""
    pairs = 0
    for i in range(4):
        ranks = loose >> (13 * i) & 0x1FFF
        pairs += popcount(ranks & ranks >> 1) + popcount(ranks & ranks >> 2)
        for j in range(i):
            pairs += popcount(ranks & loose >> (13 * j))
    return pairs


@compiled
def _danger(card: int, unseen: int, known: int, turn: int, values: Any) -> int:
    """The worth of a card to the other seat: the melds of three that it can make with the card."""
    danger = 0
    for i in range(OPENINGS.shape[0]):
        others = OPENINGS[i] & ~card
        if others != OPENINGS[i] and others & ~(unseen | known) == 0:
            danger += values.known if others & known else values.unseen + values.safer_later * turn // 4
    return danger


@compiled
def _best_discard(discards: int, hand: int, seen: Observation, unseen: int, turn: int, values: Any) -> int:
    """The face whose discard leaves the hand worth most, less what the card gives away."""
    known = read_bits(seen.known[1], 0, NUM_FACES)
    best, most = -1, 0
    while discards:
        face = lowest(discards)
        discards &= discards - 1
        found = worth(hand & ~bit_of(face), unseen, turn, values)
        found -= _danger(bit_of(face), unseen, known, turn, values)
        if best < 0 or found >= most:
            best, most = face, found
    return best


@compiled
def _turn(seen: Observation) -> int:
    return min(seen.turns, LAST_TURN)


@compiled
def _draw(seen: Observation, mask: Any, values: Any) -> int:
    """The upcard or the stock; the first upcard may be passed."""
    hand = read_bits(seen.hand, 0, NUM_FACES)
    unseen, turn = unseen_of(seen, hand), _turn(seen)
    top = top_of(seen)
    with_top = hand | top
    if _knocks(seen, greedy.least_after_discard(with_top, ALL & ~top), hand, unseen, turn, values):
        return A_TAKE
    face = _best_discard(with_top & ~top, with_top, seen, unseen, turn, values)
    gain = worth(with_top & ~bit_of(face), unseen, turn, values) - worth(hand, unseen, turn, values)
    if gain > values.stock + values.stock_later * turn:
        return A_TAKE
    return A_DRAW if mask[A_DRAW] else A_PASS


@compiled
def _knocks(seen: Observation, least: int, hand: int, unseen: int, turn: int, values: Any) -> bool:
    """Whether to knock with this deadwood, where to go on would leave these ten cards."""
    if least > seen.limit:
        return False
    if least == 0:
        return True
    known = popcount(read_bits(seen.known[1], 0, NUM_FACES))
    limit = values.knock - values.knock_later * turn - values.knock_taken * known
    return 100 * least <= limit - values.wait * _making_gin(hand, unseen)


@compiled
def _making_gin(hand: int, unseen: int) -> int:
    """How many unseen cards leave one card of eleven out of all melds, if the deadwood is least?"""
    found, cards = 0, completing(hand) & unseen
    while cards:
        with_card = hand | cards & -cards
        cards &= cards - 1
        found += popcount(with_card & ~best_melded(with_card)) <= 1
    return found


@compiled
def _play(seen: Observation, mask: Any, values: Any) -> int:
    """Big gin, a knock, or a discard; the discard of a knock leaves the least deadwood."""
    if mask[A_BIG_GIN]:
        return A_BIG_GIN
    discards, hand = read_bits(mask, A_DISCARD, NUM_FACES), read_bits(seen.hand, 0, NUM_FACES)
    if seen.phase[KNOCK]:
        return greedy.discard(seen, discards, hand)
    unseen, turn = unseen_of(seen, hand), _turn(seen)
    face = _best_discard(discards, hand, seen, unseen, turn, values)
    if mask[A_KNOCK]:
        least = greedy.least_after_discard(hand, discards)
        if _knocks(seen, least, hand & ~bit_of(face), unseen, turn, values):
            return A_KNOCK
    return A_DISCARD + face
