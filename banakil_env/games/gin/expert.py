"""`expert`: weighs every draw, discard and knock by the worth of the hand after it.

The worth of ten cards is the gain from their chances less their deadwood. The chances are the unseen cards that would
make a meld of loose cards, and those that would extend a meld. Early in the hand the chances count for more, later the
deadwood.
Draw: the upcard if the hand is worth more with it, after the best discard, than with an unknown card of the stock.
Discard: the card that leaves the hand worth most, less what the card gives to the other seat.
Knock: with gin always; otherwise when the deadwood is below a limit. The limit falls with every turn, with every card
that the other seat has taken from the pile, and with every unseen card that would make gin. A hand that needs one card
for gin therefore waits longer than a hand that no single card completes.
Melds and lay-offs: as `greedy`.
In matches that pay for hands won, by boxes or a game bonus, a separate row of values is used, which knocks earlier.

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
    Parameter("out", 120, 0, 1000, "value of an unseen card that makes a meld of loose cards, in 0.01 points"),
    Parameter("out_later", 0, -40, 40, "increase of this value with each turn"),
    Parameter("extend", 0, 0, 1000, "value of an unseen card that extends a meld"),
    Parameter("extend_later", 0, -40, 40, "increase of this value with each turn"),
    Parameter("near", 0, 0, 400, "value of two loose cards of one rank, or of one suit and one or two ranks apart"),
    Parameter("unseen", 15, 0, 200, "cost of a discard, for each meld of three with two unseen cards"),
    Parameter("known", 300, 0, 1500, "cost of a discard, for each meld of three with a card known in the other hand"),
    Parameter("safer_later", 0, -20, 20, "increase of the cost `unseen` in four turns"),
    Parameter("stock", 400, -600, 1000, "value of drawing an unknown card of the stock"),
    Parameter("stock_later", 0, -60, 60, "increase of this value with each turn"),
    Parameter("knock", 1600, 0, 2500, "largest deadwood to knock with at the start, in 0.01 points"),
    Parameter("knock_later", 50, -50, 250, "decrease of this limit with each turn"),
    Parameter("knock_taken", 0, -200, 500, "decrease of this limit with each card known in the other hand"),
    Parameter("wait", 0, 0, 1000, "decrease of this limit with each unseen card that would make gin"),
)
VALUES = PARAMETERS.values
TWO, MATCH = range(2)

# The number of turns after which the values that change with each turn stay constant.
LAST_TURN = 30


@compiled
def act(seen: Observation, mask: Any, generator: Any) -> int:
    """Return the action for the seat to move. The player is deterministic and does not use `generator`."""
    return decide(seen, mask, VALUES[MATCH if _pays_wins(seen) else TWO])


@compiled
def _pays_wins(seen: Observation) -> bool:
    """Return whether hands won are paid in addition to their points: in a match with a line or game bonus (G9.3,
    G9.4).
    """
    return seen.episode == MATCH_EPISODE and (seen.rules.line_bonus > 0 or seen.rules.game_bonus > 0)


@compiled
def decide(seen: Observation, mask: Any, values: Any) -> int:
    """Choose the action of the expert that has the parameters `values`, a record of PARAMETERS."""
    if seen.phase[PLAY] or seen.phase[KNOCK]:
        return _play(seen, mask, values)
    if mask[A_TAKE]:
        return _draw(seen, mask, values)
    return greedy.settle(mask, read_bits(seen.hand, 0, NUM_FACES))


@compiled
def worth(hand: int, unseen: int, turn: int, values: Any) -> int:
    """Return the value of ten cards, in hundredths of a point.

    Args:
        hand: the ten cards, as a mask of faces.
        unseen: the cards that the player has not seen, as a mask.
        turn: the number of turns ended in this round, at most LAST_TURN.
        values: a record of PARAMETERS.
    """
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
    """Return the number of pairs of loose cards that have one rank, or have one suit and are one or two ranks apart."""
    pairs = 0
    for i in range(4):
        ranks = loose >> (13 * i) & 0x1FFF
        pairs += popcount(ranks & ranks >> 1) + popcount(ranks & ranks >> 2)
        for j in range(i):
            pairs += popcount(ranks & loose >> (13 * j))
    return pairs


@compiled
def _danger(card: int, unseen: int, known: int, turn: int, values: Any) -> int:
    """Return the worth of a discard to the other seat, counted over the melds of three that it can make with the card.

    Args:
        card: the card, a mask of one face.
        unseen: mask of the cards that the player has not seen.
        known: mask of the cards known in the other hand.
        turn: the number of turns ended in this round, at most LAST_TURN.
        values: a record of PARAMETERS.
    """
    danger = 0
    for i in range(OPENINGS.shape[0]):
        others = OPENINGS[i] & ~card
        if others != OPENINGS[i] and others & ~(unseen | known) == 0:
            danger += values.known if others & known else values.unseen + values.safer_later * turn // 4
    return danger


@compiled
def _best_discard(discards: int, hand: int, seen: Observation, unseen: int, turn: int, values: Any) -> int:
    """Return the face whose discard leaves the hand worth most, less what the card gives away.

    `discards`, `hand` and `unseen` are masks of faces: the legal discards, the hand, and the cards not seen yet.
    """
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
    """Return the number of turns ended in this round, at most LAST_TURN."""
    return min(seen.turns, LAST_TURN)


@compiled
def _draw(seen: Observation, mask: Any, values: Any) -> int:
    """Choose between the upcard and the stock. The first upcard is taken or passed."""
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
    """Return whether to knock with the deadwood `least`, instead of going on with the ten cards `hand`.

    `hand` and `unseen`, the cards not seen yet, are masks of faces.
    """
    if least > seen.limit:
        return False
    if least == 0:
        return True
    known = popcount(read_bits(seen.known[1], 0, NUM_FACES))
    limit = values.knock - values.knock_later * turn - values.knock_taken * known
    return 100 * least <= limit - values.wait * _making_gin(hand, unseen)


@compiled
def _making_gin(hand: int, unseen: int) -> int:
    """Return the number of unseen cards with which all but at most one of the eleven cards would be in melds.

    `hand` and `unseen` are masks of faces.
    """
    found, cards = 0, completing(hand) & unseen
    while cards:
        with_card = hand | cards & -cards
        cards &= cards - 1
        found += popcount(with_card & ~best_melded(with_card)) <= 1
    return found


@compiled
def _play(seen: Observation, mask: Any, values: Any) -> int:
    """Choose big gin, a knock or a discard. The discard of a knock leaves the least deadwood."""
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
