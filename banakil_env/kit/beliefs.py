"""Probabilities of hidden hands: a network gives how much likelier a hand is in play than in a uniform deal.

Players keep what goes together, discard what does not, and take what they can use: after some turns, hands differ from
hands just dealt. For every game with fields of the kit, a hand is described by some ninety numbers (`describe`): its
cards by rank, cards that go together, and how it goes with the cards that its player discarded, did not take, or was
seen to take, with melds on the table, and with cards that others are known to hold; and so is the table: a round or a
match, partners or not, the contract. `python -m train.beliefs` trains a small network for each rule-based player, to
find the true deal of a position in games of this player among others that were possible. So the sum of its log odds
over the hidden hands is the logarithm of how much likelier the deal is in those games than at random, up to a number
that is the same for all deals of the position (Ma and Collins, "Noise Contrastive Estimation and Negative Sampling for
Conditional Models", EMNLP 2018).

With these odds a Markov chain walks through the deals that agree with an observation (Metropolis and others, 1953): a
hidden card of a hand is exchanged for a card of the stock. The exchange stands if the hand is then likelier; if less
likely, it stands with the ratio of the two as probability. It is taken back if the hands do not fit what was said in
the turn (`held.can_hold`). `redeal_hidden` stays uniform.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from banakil_env.core.bits import popcount
from banakil_env.core.fields import COUNTS, Fields
from banakil_env.core.jit import bind, compiled, interpreted
from banakil_env.core.random import random_below
from banakil_env.core.scratch import scratch
from banakil_env.kit.books.kinds import RANKS
from banakil_env.kit.bound import (
    count_ranks,
    describe,
    describe_hand,
    exchange,
    face_of,
    first_layer,
    hand_known,
    hand_once,
    hand_twice,
    has_meld,
    hidden_card,
    holdable,
    last_layer,
    log_odds,
    pile_depth,
    public_stock,
    rank_of,
    read_seen,
    second_layer,
    walk,
)
from banakil_env.kit.held import (
    NO_CARD,
    RANK_CELLS,
    can_hold,
    dear_cards,
    faces_taken,
    form_of,
    has_melded,
    in_partnership,
    never_let_go,
    no_wild_melded,
    to_be_met,
    turn_of,
)
from banakil_env.kit.hidden import MOST_SEATS
from banakil_env.kit.melds.deadwood import deadwood, points_in
from banakil_env.kit.melds.runs_and_sets import completing, melded, pair_ranks
from banakil_env.kit.pack52 import ACES, ALL, KINGS, NUM_RANKS, NUM_SUITS, VALUES, above, below, bit_of, cards_of
from banakil_env.kit.seen import relative

# Number of discards of a seat that are described, the last first; with each, the card below it, which the seat left.
DISCARDS = 3
DEADWOODS = 0, 3, 6, 10  # steps: a hand with no more of it can go out, knock or call soon
HIGH_RANK = RANKS.index("T")  # singles and pairs of ranks from this one on are counted apart
PHASES = 6
OF_HAND, OF_PILE_CARD, OF_PILE, OF_ROUND = 20 + len(DEADWOODS), 5, 8, 12
INPUTS = RANK_CELLS + OF_HAND + 2 * DISCARDS * OF_PILE_CARD + OF_PILE + OF_ROUND + PHASES
UNITS = 64  # of each of the two hidden layers of a network

# Exchanges that are tried with each hidden hand between two deals of a search. Deals are still alike after so few, but
# most luck of a deal is the order of the stock, and more exchanges take the time of playouts
# (docs/contributing/search.md).
EXCHANGES = 24
CHANCES = 1 << 30

# What all can see, as masks (`read_seen`): the pile by turn, all of it, who has melded, and rows by seat.
ALL_OF_PILE, MELDED = MOST_SEATS, MOST_SEATS + 1
FITS, OF_OTHERS = MELDED + 1, MELDED + 1 + MOST_SEATS
MASKS_SEEN = OF_OTHERS + MOST_SEATS

# The cards that are worth more than those of a rank, as masks.
DEARER = np.array(
    [interpreted(cards_of)(sum(1 << other for other in range(NUM_RANKS) if VALUES[other] > worth)) for worth in VALUES]
)


@compiled
def _next_to(cards: int) -> int:
    """The neighbours in their suits of these faces; an Ace has the Two and the King."""
    high = (cards & ACES) << NUM_RANKS - 1
    low = (cards & KINGS) >> NUM_RANKS - 1
    return above(cards) | below(cards) | high | low


@compiled
def _partners(cards: int, others: int) -> int:
    """How many pairs of a card and another, one of each mask, have one rank?"""
    found = popcount(cards & others)
    for _ in range(NUM_SUITS - 1):
        others = (others << NUM_RANKS | others >> (NUM_SUITS - 1) * NUM_RANKS) & ALL  # each suit becomes the next
        found += popcount(cards & others)
    return found


@compiled
def _describe_hand(
    once: int,
    twice: int,
    loose: int,
    known: int,
    of_others: int,
    fits: int,
    stuck: int,
    ranks: Any,
    out: Any,
    first: int,
) -> None:
    """OF_HAND numbers about the hand alone, with known cards of this hand and of others, and with melds that grow.

    Args:
        loose: the cards of the hand in no meld. known, of_others: cards that everybody knows to be in this hand, and in
            the hands of others, who may want what goes with them. fits: cards that melds take. stuck: cards that may
            not be discarded.
    """
    pairs, triples = 0, 0
    for rank in range(RANK_CELLS):
        pairs += ranks[rank] >= 2
        triples += ranks[rank] >= 3
    hidden = once & ~known
    gap = above(above(once)) & once
    near = _next_to(once) | above(above(once)) | below(below(once)) | cards_of(pair_ranks(once))
    alone, dead = loose & ~near, deadwood(once)
    numbers = (
        pairs,
        triples,
        popcount(above(once) & once),
        popcount(gap),
        popcount(once & above(once) & below(once)),
        popcount(twice),
        popcount(loose),
        points_in(loose),
        popcount(alone),
        points_in(alone),
        dead,
        _partners(known, hidden),
        popcount(hidden & _next_to(known)),
        popcount(known),
        popcount(fits),
        popcount(hidden & fits),
        points_in(hidden & fits),
        popcount(hidden & _next_to(of_others)),
        _partners(of_others, hidden),
        popcount(once & stuck) + popcount(twice & stuck),
    )
    for i in range(len(numbers)):
        out[first + i] = numbers[i]
    for i in range(len(DEADWOODS)):
        out[first + len(numbers) + i] = dead <= DEADWOODS[i]


def _with_suits(state: Any, observer: int, seat: int, loose: int, seen: Any, ranks: Any, out: Any, first: int) -> None:
    """OF_HAND numbers where suits matter."""
    once, twice, known = hand_once(state, seat), hand_twice(state, seat), hand_known(state, seat)
    of_others, fits, stuck = seen[OF_OTHERS + seat], seen[FITS + seat], never_let_go(state)
    _describe_hand(once, twice, loose, known, of_others, fits, stuck, ranks, out, first)


def _by_ranks_alone(
    state: Any, observer: int, seat: int, loose: int, seen: Any, ranks: Any, out: Any, first: int
) -> None:
    """OF_HAND numbers where only ranks matter: cards that go together, with the pile, and with melds; dear cards.

    Cards of a rank that the seat has melded are described apart: they are laid off, while singles and pairs wait. The
    last number says whether the seat has melded no wild card; the rest are zeros.
    """
    in_pile = scratch(RANK_CELLS)
    for rank in range(RANK_CELLS):
        in_pile[rank] = 0
    for i in range(state.pile_size):
        in_pile[rank_of(state.pile[i])] += 1
    for rank in range(RANK_CELLS):
        out[first] += ranks[rank] >= 2
        out[first + 1] += ranks[rank] >= 3
        out[first + 2] += ranks[rank] >= 1 and in_pile[rank] >= 1
        out[first + 3] += ranks[rank] >= 2 and in_pile[rank] >= 1
        out[first + 4] += in_pile[rank] if ranks[rank] >= 2 else 0
        out[first + 5] += ranks[rank] if in_pile[rank] >= 1 else 0
        if has_meld(state, seat, rank):
            out[first + 6] += ranks[rank]
        elif 1 <= ranks[rank] <= 2:
            pair = ranks[rank] - 1
            out[first + 7 + pair + 2 * (rank >= HIGH_RANK)] += 1
            out[first + 11 + pair] += in_pile[rank] == 0
            out[first + 13] += ranks[rank] * in_pile[rank]
        if has_meld(state, observer, rank):
            out[first + 14] += ranks[rank]
            out[first + 15] += ranks[rank] >= 2
    out[first + 16], out[first + 17] = dear_cards(state, seat)
    out[first + 18] = no_wild_melded(state, seat)


@compiled
def _describe_pile_card(once: int, loose: int, card: int, rank: int, same: int, out: Any, first: int) -> None:
    """OF_PILE_CARD numbers: does the hand go with a card that its player let go or left?

    Args:
        loose: the cards of the hand in no meld. card: its mask; 0: a card without a face. same: number of cards of its
            rank in the hand.
    """
    near = popcount(once & _next_to(card))
    out[first] = same
    out[first + 1] = near
    out[first + 2] = popcount(once & (above(above(card)) | below(below(card))))
    out[first + 3] = same >= 2 or near >= 2
    out[first + 4] = popcount(loose & DEARER[rank]) if card else 0


@compiled
def _describe_pile(once: int, loose: int, let_go: int, left: int, pile: int, out: Any, first: int) -> None:
    """OF_PILE numbers: does the hand go with all cards that its player let go or left, and with the cards gone by?"""
    wanted, waiting = completing(once), completing(loose) & ~once
    numbers = (
        popcount(once & _next_to(let_go)),
        _partners(once, let_go),
        popcount(once & _next_to(left)),
        _partners(once, left),
        popcount(wanted & ~pile),
        popcount(wanted & pile),
        popcount(waiting & ~pile),
        popcount(cards_of(pair_ranks(loose)) & ~loose & ~pile),
    )
    for i in range(OF_PILE):
        out[first + i] = numbers[i]


def _read_seen(state: Any, seen: Any) -> None:
    """Read what all can see, for all hands that are described at one position.

    Args:
        seen: int64 (MASKS_SEEN,), overwritten. The first MOST_SEATS have the pile by turn: entry 1 what the seat before
            the seat in turn (`held.turn_of`) let go, entry 2 what the seat before that let go, and so on, entry 0 what
            the seat in turn let go itself, as far as the order of the pile is seen, and as if no card had been taken.
            ALL_OF_PILE has all faces of the pile, MELDED the seats that have melded. From FITS on there are, by seat,
            the faces that melds take from it; from OF_OTHERS on the faces known to be in other hands.
    """
    for i in range(MASKS_SEEN):
        seen[i] = 0
    for depth in range(1, state.pile_size + 1):
        card = bit_of(face_of(state.pile[state.pile_size - depth]))
        seen[ALL_OF_PILE] |= card
        if depth <= pile_depth:
            seen[depth % state.num_players] |= card
    for seat in range(state.num_players):
        seen[MELDED] |= int(has_melded(state, seat)) << seat
        seen[FITS + seat] = faces_taken(state, seat) & ALL
        for other in range(state.num_players):
            if other != seat:
                seen[OF_OTHERS + other] |= hand_known(state, seat)


def _describe(state: Any, observer: int, seat: int, seen: Any, out: Any) -> None:
    """Write INPUTS numbers about the hand of `seat`, with what `observer`, the seat to move, can see.

    Args:
        state: a record of a game that goes on. seen: its masks by `read_seen`. out: float64 (INPUTS,), overwritten.
    """
    ranks, players = scratch(RANK_CELLS), state.num_players
    for i in range(RANK_CELLS):
        ranks[i] = 0
    for i in range(INPUTS):
        out[i] = 0.0
    count_ranks(state, seat, ranks)
    once = hand_once(state, seat)
    loose = once & ~melded(once)
    size = 0
    for i in range(RANK_CELLS):
        out[i] = ranks[i]
        size += ranks[i]
    first = RANK_CELLS
    describe_hand(state, observer, seat, loose, seen, ranks, out, first)
    first += OF_HAND
    last = players - relative(state, turn_of(state), seat)  # how deep its last discard lies
    for number in range(DISCARDS):
        for left in range(2):  # its discard, and the card below
            depth = last + number * players + left
            if depth <= state.pile_size and depth <= pile_depth:
                card = state.pile[state.pile_size - depth]
                rank = rank_of(card)
                _describe_pile_card(once, loose, bit_of(face_of(card)), rank, ranks[rank], out, first)
            first += OF_PILE_CARD
    let_go, left = seen[last % players], seen[(last + 1) % players]
    _describe_pile(once, loose, let_go, left, seen[ALL_OF_PILE], out, first)
    first += OF_PILE
    out[first] = size
    out[first + 1] = state.stock_size
    out[first + 2] = state.pile_size
    out[first + 3] = state.turns
    out[first + 4] = players
    out[first + 5] = relative(state, observer, seat)
    out[first + 6] = seen[MELDED] >> seat & 1
    out[first + 7] = popcount(seen[MELDED])
    out[first + 8] = state.episode
    out[first + 9] = in_partnership(state)
    out[first + 10], out[first + 11] = to_be_met(state)
    out[first + OF_ROUND + min(state.phase, PHASES - 1)] = 1.0


def _log_odds(state: Any, observer: int, seat: int, kind: int, seen: Any) -> float:
    """The share of the hand of `seat`, a compiled player, in the log odds of the deal against one dealt at random.

    The sum over all hidden hands counts, up to a number that is the same for all deals of a position.
    """
    numbers = scratch(INPUTS).view(np.float64)
    units, others = scratch(UNITS).view(np.float32), scratch(UNITS).view(np.float32)
    describe(state, observer, seat, seen, numbers)
    for j in range(UNITS):
        units[j], others[j] = first_layer[kind, INPUTS, j], second_layer[kind, UNITS, j]
    for i in range(INPUTS):
        if numbers[i] != 0.0:
            number = np.float32(numbers[i])
            for j in range(UNITS):
                units[j] += number * first_layer[kind, i, j]
    for i in range(UNITS):
        if units[i] > 0:
            unit = units[i]
            for j in range(UNITS):
                others[j] += unit * second_layer[kind, i, j]
    found = last_layer[kind, UNITS]
    for j in range(UNITS):
        found += max(others[j], np.float32(0)) * last_layer[kind, j]
    return float(found)


def _walk(state: Any, observer: int, kinds: Any, likelihoods: Any, exchanges: int) -> None:
    """Move the hands hidden from `observer`, the seat to move, towards likely ones; `exchanges` are tried with each.

    Args:
        kinds: int64, the compiled player that each seat is taken for.
        likelihoods: float64, a number for each seat; log odds are written into it.
    """
    if state.stock_size == 0 or public_stock(state):
        return
    seen = scratch(MASKS_SEEN)
    read_seen(state, seen)
    for seat in range(state.num_players):
        if seat != observer:
            likelihoods[seat] = log_odds(state, observer, seat, kinds[seat], seen)
    for _ in range(exchanges):
        for seat in range(state.num_players):
            if seat == observer:
                continue
            card = hidden_card(state, seat)
            place = random_below(state, state.stock_size)
            other = state.stock[place]
            if card == NO_CARD or other == card or not holdable(other):
                continue
            exchange(state, seat, card, place)
            now = log_odds(state, observer, seat, kinds[seat], seen)
            if can_hold(state) and random_below(state, CHANCES) < CHANCES * np.exp(min(now - likelihoods[seat], 0.0)):
                likelihoods[seat] = now
            else:
                exchange(state, seat, other, place)


def _believe(
    state: Any, kinds: Any, likelihoods: Any, exchanges: int, then: Any, observations: Any, mask: Any, dice: Any
) -> None:
    """See `core.engine.believe`; seat 0 believes. `likelihoods` are log odds here, computed in each call."""
    walk(state, 0, kinds, likelihoods, exchanges)


def reading_of(game: str, state: np.dtype[Any], seen: Fields) -> Callable[[Any, Any], None]:
    """The compiled function `_read_seen` of a game with these states and observations."""
    form = form_of(state)
    return bind(
        _read_seen,
        f"{game}_read_seen",
        face_of=form.face_of,
        hand_known=form.known,
        pile_depth=_pile_depth(seen),
    )


def _pile_depth(seen: Fields) -> int:
    """The depth down to which the order of the pile is seen."""
    return 1 if seen["pile"].role == COUNTS else 64


def description_of(game: str, state: np.dtype[Any], seen: Fields) -> Callable[[Any, int, int, Any, Any], None]:
    """The compiled function `_describe` of a game with these states and observations."""
    form = form_of(state)
    if form.suits:
        held = {"hand_once": form.once, "hand_twice": form.twice, "hand_known": form.known}
        of_hand = bind(_with_suits, f"{game}_with_suits", **held)
    else:
        of_hand = bind(_by_ranks_alone, f"{game}_by_ranks_alone", rank_of=form.rank_of, has_meld=form.has_meld)
    return bind(
        _describe,
        f"{game}_describe",
        describe_hand=of_hand,
        count_ranks=form.count_ranks,
        hand_once=form.once,
        face_of=form.face_of,
        rank_of=form.rank_of,
        pile_depth=_pile_depth(seen),
    )


class Network(NamedTuple):
    """A network with two hidden layers, float32; each layer has its constants in the last row.

    Attributes:
        first, second, last: of shapes (INPUTS + 1, UNITS), (UNITS + 1, UNITS) and (UNITS + 1,). Those of several
            players have one more axis, the kind of the player, first.
    """

    first: npt.NDArray[np.float32]
    second: npt.NDArray[np.float32]
    last: npt.NDArray[np.float32]

    def log_odds(self, rows: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """The log odds of descriptions (..., INPUTS), as compiled code computes them."""
        for layer in self[:2]:
            rows = np.maximum(rows @ layer[:-1] + layer[-1], 0)
        return rows @ self.last[:-1] + self.last[-1]


SHAPES = [(INPUTS + 1, UNITS), (UNITS + 1, UNITS), (UNITS + 1,)]  # of the layers of one network


def log_odds_of(game: str, describe: Callable[..., None], network: Network) -> Callable[..., float]:
    """The compiled function `_log_odds` of a game, by the networks of its players."""
    return bind(
        _log_odds,
        f"{game}_log_odds",
        describe=describe,
        first_layer=network.first,
        second_layer=network.second,
        last_layer=network.last,
    )


def walk_of(
    game: str, state: np.dtype[Any], seen: Fields, network: Network
) -> Callable[[Any, int, Any, Any, int], None]:
    """The compiled function `_walk` of a game, by the networks of its players."""
    form = form_of(state)
    return bind(
        _walk,
        f"{game}_walk",
        log_odds=log_odds_of(game, description_of(game, state, seen), network),
        read_seen=reading_of(game, state, seen),
        hidden_card=form.hidden_card,
        exchange=form.exchange,
        holdable=form.holdable,
        public_stock=form.public_stock,
    )


def believing(game: str, state: np.dtype[Any], seen: Fields, network: Network) -> Callable[..., None]:
    """The function `core.engine.believe` of a game, by the networks of its players."""
    return bind(_believe, f"{game}_believe", walk=walk_of(game, state, seen, network))


def read_networks(path: Path) -> dict[str, Network]:
    """The networks that `train.beliefs` has written, by the player whose hands they know; empty: there is no such file.

    Raises:
        ValueError: a network of another shape.
    """
    if not path.is_file():
        return {}
    found = {}
    for player, content in json.loads(path.read_text()).items():
        try:
            layers = [np.array(content[name], np.float32) for name in Network._fields]
        except (KeyError, TypeError, ValueError):
            layers = []
        if [layer.shape for layer in layers] != SHAPES:
            raise ValueError(
                f"{path}: {player!r:.80} is not a network of layers {', '.join(map(str, SHAPES))}; delete the "
                "file and train again (python -m train.beliefs)"
            )
        found[player] = Network(*layers)
    return found


def stacked(networks: Mapping[str, Network], players: Iterable[str]) -> Network:
    """The networks of these players, by kind; for a player without a network all hands are equally likely."""
    nothing = Network(*(np.zeros(shape, np.float32) for shape in SHAPES))
    of_players = [networks.get(player, nothing) for player in players]
    return Network(*(np.array(layers) for layers in zip(*of_players, strict=True)))
