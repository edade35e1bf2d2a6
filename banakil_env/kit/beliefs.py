"""Estimates how likely each hidden hand is: a network computes log odds of a hand in play against a random hand.

Hands in play differ from hands just dealt: players keep cards that go together, discard others, and take cards that
they can use. `describe` turns a hand and its table into about ninety numbers, the same for every game with the fields
of the kit. They describe the hand: its cards by rank, its pairs and runs, and how it fits four groups of cards: those
that its player discarded, did not take, or was seen to take, the melds on the table, and the cards that others are
known to hold. They also describe the table: a round or a match, partners or not, the contract.

`python -m train.beliefs` trains a small network for each rule-based player. The network learns to find the true deal
of a position among other possible deals, in games of this player. For a deal, the sum of its log odds over the hidden
hands is the logarithm of a ratio: the probability of the deal in those games, divided by its probability at random.
This holds up to a constant, which is the same for all deals of the position (Ma and Collins, "Noise Contrastive
Estimation and Negative Sampling for Conditional Models", EMNLP 2018).

With these odds a Markov chain walks through the deals that agree with an observation (Metropolis and others, 1953).
Each step exchanges a hidden card of a hand for a card of the stock. The exchange is kept if the hand is then likelier;
if it is less likely, the exchange is kept with a probability equal to the ratio of the two likelihoods. An exchange is
undone if the hands then contradict what the seat in turn has declared (`held.can_hold`). `redeal_hidden` does not use
the networks: it stays uniform.
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

# Number of discards of a seat that are described, the last one first. With each discard, the card below it is
# described: the seat could have taken that card and did not.
DISCARDS = 3
DEADWOODS = 0, 3, 6, 10  # points; a hand with at most this deadwood can go out, knock or call soon
HIGH_RANK = RANKS.index("T")  # singles and pairs of this rank and higher ranks are counted separately
PHASES = 6
OF_HAND, OF_PILE_CARD, OF_PILE, OF_ROUND = 20 + len(DEADWOODS), 5, 8, 12
INPUTS = RANK_CELLS + OF_HAND + 2 * DISCARDS * OF_PILE_CARD + OF_PILE + OF_ROUND + PHASES
UNITS = 64  # in each of the two hidden layers of a network

# Exchanges that are tried with each hidden hand between two deals of a search. After this small number, consecutive
# deals are still similar. But most of the luck of a deal is in the order of the stock, and more exchanges would take
# time from the playouts (docs/contributing/search.md).
EXCHANGES = 24
CHANCES = 1 << 30

# The masks of public information that `read_seen` writes: the pile by turn (MOST_SEATS masks), all faces of the pile,
# the seats that have melded, then two groups with one mask per seat.
ALL_OF_PILE, MELDED = MOST_SEATS, MOST_SEATS + 1
FITS, OF_OTHERS = MELDED + 1, MELDED + 1 + MOST_SEATS
MASKS_SEEN = OF_OTHERS + MOST_SEATS

# For each rank, the mask of the cards that are worth more points.
DEARER = np.array(
    [interpreted(cards_of)(sum(1 << other for other in range(NUM_RANKS) if VALUES[other] > worth)) for worth in VALUES]
)


@compiled
def _next_to(cards: int) -> int:
    """The neighbors of these faces in their suits, as a mask. The neighbors of an Ace are the Two and the King."""
    high = (cards & ACES) << NUM_RANKS - 1
    low = (cards & KINGS) >> NUM_RANKS - 1
    return above(cards) | below(cards) | high | low


@compiled
def _partners(cards: int, others: int) -> int:
    """The number of pairs with the same rank that take one card from each mask."""
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
    """Write OF_HAND numbers about a hand: its cards, its known cards, cards that others hold, and melds that it fits.

    Args:
        once: the faces in the hand, as a mask; the other arguments up to `stuck` are masks too.
        twice: the faces that the hand holds twice.
        loose: the cards of the hand in no meld.
        known: cards that everybody knows to be in this hand.
        of_others: cards that everybody knows to be in other hands; those players probably collect cards near them.
        fits: cards that melds on the table accept.
        stuck: cards that must not be discarded.
        ranks: int64 (RANK_CELLS,), the cards of the hand by rank.
        out: float64, written from index `first` on.
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
    """Write OF_HAND numbers about a hand, for games in which suits matter; see `bound.describe_hand`."""
    once, twice, known = hand_once(state, seat), hand_twice(state, seat), hand_known(state, seat)
    of_others, fits, stuck = seen[OF_OTHERS + seat], seen[FITS + seat], never_let_go(state)
    _describe_hand(once, twice, loose, known, of_others, fits, stuck, ranks, out, first)


def _by_ranks_alone(
    state: Any, observer: int, seat: int, loose: int, seen: Any, ranks: Any, out: Any, first: int
) -> None:
    """Write OF_HAND numbers about a hand, for games in which only ranks matter; see `bound.describe_hand`.

    They count cards of equal rank in the hand, cards with their rank in the pile, cards that melds on the table accept,
    and cards that are expensive to keep. Ranks that the seat has melded are counted separately: it can lay their cards
    off, while singles and pairs wait. The last number is 1 if the seat has melded no wild card; unused cells stay 0.
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
    """Write OF_PILE_CARD numbers: how the hand fits a card that its player discarded or did not take.

    Args:
        once: the faces in the hand, as a mask.
        loose: the cards of the hand in no meld, as a mask.
        card: the card as a mask; 0 if it has no face in masks.
        rank: the rank of the card.
        same: the number of cards of this rank in the hand.
        out: float64, written from index `first` on.
    """
    near = popcount(once & _next_to(card))
    out[first] = same
    out[first + 1] = near
    out[first + 2] = popcount(once & (above(above(card)) | below(below(card))))
    out[first + 3] = same >= 2 or near >= 2
    out[first + 4] = popcount(loose & DEARER[rank]) if card else 0


@compiled
def _describe_pile(once: int, loose: int, let_go: int, left: int, pile: int, out: Any, first: int) -> None:
    """Write OF_PILE numbers: how the hand fits its player's discards, the cards left in the pile, and the whole pile.

    Args:
        once: the faces in the hand, as a mask; the next four arguments are masks too.
        loose: the cards of the hand in no meld.
        let_go: the cards that the player discarded.
        left: the cards that the player could have taken and did not.
        pile: all faces of the pile.
        out: float64, written from index `first` on.
    """
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
    """Read the public information that the descriptions of all hands of a position share.

    Args:
        seen: int64 (MASKS_SEEN,), masks of faces, overwritten. The first MOST_SEATS masks are discards by player: mask
            1 of the seat before the seat in turn (`held.turn_of`), mask 2 of the seat before that one, and so on, mask
            0 of the seat in turn. They are found by depth in the pile, as far down as its order is visible, as if no
            card had been taken from it. ALL_OF_PILE: all faces of the pile. MELDED: the seats that have melded, as
            bits. FITS + seat: faces that melds accept from the seat. OF_OTHERS + seat: faces known to be in other
            hands.
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
    """Write INPUTS numbers that describe the hand of `seat` and the information of `observer`, the seat to move.

    Args:
        state: a record of a running game.
        seen: the masks that `read_seen` has written.
        out: float64 (INPUTS,), overwritten.
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
    last = players - relative(state, turn_of(state), seat)  # depth of the seat's last discard in the pile
    for number in range(DISCARDS):
        for left in range(2):  # the seat's discard, then the card below it
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
    """The log odds that the hand of `seat` contributes: the probability in play against the probability at random.

    The sum over all hidden hands gives the log odds of a deal, up to a constant for the position. `kind` is the
    compiled player at the seat, as an index of the stacked networks.
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
    """Exchange hidden cards of hands with cards of the stock, at random, but so that likely hands become more probable.

    Hidden are the unknown cards of all seats except `observer`, which is the seat to move.

    Args:
        kinds: int64 (seats,), the compiled player that models each seat.
        likelihoods: float64 (seats,), overwritten with the log odds of each hidden hand.
        exchanges: how many exchanges are tried with each hidden hand.
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
    """Implements `core.engine.believe` for observer 0, by `walk`.

    `likelihoods` is overwritten with log odds in each call. The last four arguments are not used.
    """
    walk(state, 0, kinds, likelihoods, exchanges)


def reading_of(game: str, state: np.dtype[Any], seen: Fields) -> Callable[[Any, Any], None]:
    """Compile `_read_seen` for a game with this state dtype and these observation fields."""
    form = form_of(state)
    return bind(
        _read_seen,
        f"{game}_read_seen",
        face_of=form.face_of,
        hand_known=form.known,
        pile_depth=_pile_depth(seen),
    )


def _pile_depth(seen: Fields) -> int:
    """How many cards of the pile, from the top, the observation shows in order."""
    return 1 if seen["pile"].role == COUNTS else 64


def description_of(game: str, state: np.dtype[Any], seen: Fields) -> Callable[[Any, int, int, Any, Any], None]:
    """Compile `_describe` for a game with this state dtype and these observation fields."""
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
    """The float32 weights of a network with two hidden layers. The last row of each layer holds its biases.

    Attributes:
        first: shape (INPUTS + 1, UNITS); the stacked networks of several players have one more axis in front.
        second: shape (UNITS + 1, UNITS); likewise.
        last: shape (UNITS + 1,); likewise.
    """

    first: npt.NDArray[np.float32]
    second: npt.NDArray[np.float32]
    last: npt.NDArray[np.float32]

    def log_odds(self, rows: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
        """The log odds (...,) of descriptions (..., INPUTS), with the formula of the compiled code."""
        for layer in self[:2]:
            rows = np.maximum(rows @ layer[:-1] + layer[-1], 0)
        return rows @ self.last[:-1] + self.last[-1]


SHAPES = [(INPUTS + 1, UNITS), (UNITS + 1, UNITS), (UNITS + 1,)]  # of the layers of one player's network


def log_odds_of(game: str, describe: Callable[..., None], network: Network) -> Callable[..., float]:
    """Compile `_log_odds` for a game with the stacked networks of its players."""
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
    """Compile `_walk` for a game with the stacked networks of its players."""
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
    """Compile `core.engine.believe` for a game with the stacked networks of its players."""
    return bind(_believe, f"{game}_believe", walk=walk_of(game, state, seen, network))


def read_networks(path: Path) -> dict[str, Network]:
    """Read the networks that `train.beliefs` has written, by the player whose hands they describe; {} without a file.

    Raises:
        ValueError: a network has other layers or other shapes than `Network`.
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
    """Stack the networks of these players along a new first axis.

    For a player without a network, all weights are zero: all hands are equally likely.
    """
    nothing = Network(*(np.zeros(shape, np.float32) for shape in SHAPES))
    of_players = [networks.get(player, nothing) for player in players]
    return Network(*(np.array(layers) for layers in zip(*of_players, strict=True)))
