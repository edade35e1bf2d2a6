"""`greedy`: what a sensible person plays who counts cards but does not look ahead.

Draw: the top of the pile if it makes a meld with the hand, or can be laid off; otherwise from the stock.
Play: if every card can leave the hand in this turn, go out. Otherwise, if going rummy scores more, hold everything back
until another hand is short. Otherwise open the meld that leaves most of the hand useful, and lay off every card that
fits.
Discard: the least useful card. Keep, in this order: whole melds; cards that many unseen cards would complete to a meld;
cards that the next seat can lay off, or collects as far as its known cards tell; and shed high cards.

The numbers of `PARAMETERS` were chosen by hand; `expert` plays the same way with numbers that were fitted.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from banakil_env.core.bits import lowest, popcount, read_bits, wide
from banakil_env.core.jit import compiled
from banakil_env.core.masks import legal_at
from banakil_env.core.parameters import Parameter, Parameters, Row
from banakil_env.games.rummy.rules import DISCARD_LAST, ONE_MELD
from banakil_env.games.rummy.state import ADD, DISCARD, DRAW, MELD, OPEN_RUN, TAKE
from banakil_env.kit.melds.going_out import can_be_emptied
from banakil_env.kit.melds.runs_and_sets import MAX_MELDS, OPENINGS, completing, is_run, melded, places
from banakil_env.kit.pack52 import ACES, ALL, NUM_FACES, NUM_RANKS, VALUES, bit_of
from banakil_env.kit.seen import RUN
from banakil_env.kit.table_state import CHOOSE

PARAMETERS = Parameters(
    Path(__file__).with_name("expert.toml"),
    (Row("two", {"num_players": 2}), Row("more", {"num_players": 4})),
    Parameter("take_outs", 60, 0, 60, "unseen cards more that must make a meld, to take a card that makes none"),
    Parameter("hold_size", 4, 1, 11, "cards in the smallest other hand, below which nothing is held back"),
    Parameter("hold_loose", 13, 0, 13, "loose cards, up to which everything is held back for going rummy"),
    Parameter("broken", 100, 0, 600, "cost of a discard, for each card that leaves a meld"),
    Parameter("out", 8, 0, 60, "cost of a discard, for each unseen card that completes no meld then"),
    Parameter("laid_off", 30, -20, 200, "cost of a discard that the next seat can lay off"),
    Parameter("collected", 10, 0, 100, "cost of a discard that completes a meld with cards known in the next hand"),
    Parameter("saved", 16, -20, 120, "what each point of a discard saves, by the square of the players"),
    Parameter("saved_late", 0, -60, 120, "what it saves more when another hand is short"),
    Parameter("short_hand", 4, 0, 9, "cards of a short hand, at the most"),
    Parameter("gives_rank", 0, -10, 40, "cost of a discard, for each unseen card of its rank"),
    Parameter(
        "gives_near", 0, -10, 40, "cost of a discard, for each unseen card next to it in its suit, or one further"
    ),
)
BY_HAND = PARAMETERS.starts


@compiled
def act(seen: Any, mask: Any, generator: Any) -> int:
    """The action of the seat to move."""
    return decide(seen, mask, BY_HAND[0])


@compiled
def decide(seen: Any, mask: Any, values: Any) -> int:
    """The action of a player with these values, a record of PARAMETERS."""
    hand = read_bits(seen.hand, 0, NUM_FACES)
    runs, sets = read_bits(seen.runs, 0, NUM_FACES), read_bits(seen.sets, 0, NUM_FACES)
    if mask[DRAW] or mask[TAKE]:
        return _draw(seen, mask, hand, runs, sets, values)
    if seen.phase[CHOOSE]:
        return choose(seen, mask)
    going = way_out(seen, mask, hand, runs, sets)
    if going >= 0:
        return going
    if not _holds(seen, hand, values):
        opening = opening_of(mask, hand)
        if opening >= 0:
            return opening
        adds = read_bits(mask, ADD, NUM_FACES)
        if adds:
            return ADD + lowest(adds)
    discards = read_bits(mask, DISCARD, NUM_FACES)
    if discards:
        return _discard(seen, discards, hand, runs, sets, values)
    return legal_at(mask, wide(0))


@compiled
def _draw(seen: Any, mask: Any, hand: int, runs: int, sets: int, values: Any) -> int:
    """Take the top of the pile if it makes a meld, can be laid off, or lets many unseen cards make one."""
    if not mask[DRAW]:
        return wide(TAKE)
    if not mask[TAKE]:
        return wide(DRAW)
    top = wide(0)
    for face in range(NUM_FACES):
        if seen.pile[face] == 1:
            top = bit_of(wide(face))
    if top & places(runs, sets) or popcount(melded(hand | top)) > popcount(melded(hand)):
        return wide(TAKE)
    unseen = unseen_in(seen, hand | runs | sets)
    more = popcount(completing(hand | top) & unseen) - popcount(completing(hand) & unseen)
    return wide(TAKE) if more >= values.take_outs else wide(DRAW)


@compiled
def unseen_in(seen: Any, gone: int) -> int:
    """The cards that are neither out of play nor in the pile."""
    for face in range(NUM_FACES):
        if seen.pile[face]:
            gone |= bit_of(wide(face))
    return ALL & ~gone


@compiled
def smallest(seen: Any) -> int:
    """The cards in the smallest hand of the others."""
    fewest = wide(seen.hand_size[1])
    for place in range(2, wide(seen.num_players)):
        fewest = min(fewest, wide(seen.hand_size[place]))
    return fewest


@compiled
def choose(seen: Any, mask: Any) -> int:
    """A run rather than a set: the set takes no card after that."""
    for slot in range(MAX_MELDS):
        if mask[MELD + slot] and seen.meld_kind[slot] == RUN:
            return MELD + slot
    return legal_at(mask, wide(0))


@compiled
def way_out(seen: Any, mask: Any, hand: int, runs: int, sets: int) -> int:
    """An opening or lay-off after which every card can leave the hand in this turn; -1: no such action."""
    if seen.rules.melds == ONE_MELD and seen.played[0] and not seen.in_one_turn:
        return wide(-1)
    banned = bit_of(wide(seen.banned) - 1) if seen.banned else wide(0)
    must_discard = seen.rules.last_card == DISCARD_LAST
    if not can_be_emptied(hand, runs, sets, banned, must_discard):
        return wide(-1)
    for i in range(OPENINGS.shape[0]):
        if mask[OPEN_RUN + i]:
            cards = wide(OPENINGS[i])
            now_runs, now_sets = runs | (cards if is_run(cards) else 0), sets | (0 if is_run(cards) else cards)
            if can_be_emptied(hand & ~cards, now_runs, now_sets, banned, must_discard):
                return OPEN_RUN + i
    for face in range(NUM_FACES):
        if mask[ADD + face]:
            card = bit_of(wide(face))
            if can_be_emptied(hand & ~card, runs | card, sets, banned, must_discard):
                return ADD + face
    return wide(-1)


@compiled
def _holds(seen: Any, hand: int, values: Any) -> bool:
    """Whether to keep everything back for going rummy."""
    if seen.played[0] or seen.rules.rummy_factor < 2 or smallest(seen) < values.hold_size:
        return False
    return popcount(hand & ~melded(hand)) <= values.hold_loose


@compiled
def opening_of(mask: Any, hand: int) -> int:
    """The legal opening that leaves most cards useful; -1: none is legal."""
    best, most = wide(-1), wide(-1)
    for i in range(OPENINGS.shape[0]):
        if mask[OPEN_RUN + i]:
            rest = hand & ~wide(OPENINGS[i])
            useful = popcount(melded(rest)) * NUM_FACES + popcount(completing(rest))
            if useful > most:
                best, most = wide(OPEN_RUN + i), useful
    return best


@compiled
def _near(face: int) -> int:
    """The cards at most two ranks away in the suit of a card."""
    suit = wide((1 << NUM_RANKS) - 1) << face // NUM_RANKS * NUM_RANKS
    card = bit_of(face)
    return (card << 1 | card << 2 | card >> 1 | card >> 2) & suit


@compiled
def _discard(seen: Any, discards: int, hand: int, runs: int, sets: int, values: Any) -> int:
    """The least useful card."""
    unseen, fits, collected = (
        unseen_in(seen, hand | runs | sets),
        places(runs, sets),
        read_bits(seen.known[1], 0, NUM_FACES),
    )
    makes, players = completing(hand), wide(seen.num_players)
    saved = values.saved + (values.saved_late if smallest(seen) <= values.short_hand else 0)
    best, least = wide(-1), wide(0)
    while discards:
        face = lowest(discards)
        discards &= discards - 1
        card = bit_of(face)
        rest = hand & ~card
        cost = values.broken * (popcount(melded(hand)) - popcount(melded(rest)))
        cost += values.out * (popcount(makes & unseen) - popcount(completing(rest) & unseen))
        cost += values.laid_off * (card & fits != 0) + values.collected * (card & completing(collected) != 0)
        cost += values.gives_rank * popcount(ACES << face % NUM_RANKS & unseen)
        cost += values.gives_near * popcount(_near(face) & unseen)
        cost -= saved * wide(VALUES[face % NUM_RANKS]) // (players * players)
        if best < 0 or cost < least:
            best, least = DISCARD + face, cost
    return best
