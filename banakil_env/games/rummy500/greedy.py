"""`greedy`: plays like a sensible person who reads the pile and wastes nothing.

Draw: take the number of cards of the pile that is worth most: the points that could be laid down with them. Cards that
would stay in the hand count as a cost if another hand is short. Draw from the stock only if every take is clearly worse
than the present hand. Call every rummy.
Play: lay down everything at once, because it scores in any case. Open the meld after which most can be laid down,
without Jokers if possible, then lay off. Lay an Ace where it is worth 15.
Discard: the least useful card. Keep, in this order: whole melds; cards with which others could take the pile for a
meld; cards that many unseen cards would complete to a meld; of equal cards the high ones, which score more.

The numbers of `PARAMETERS` were chosen by hand. `expert` decides by the same code with fitted numbers. Some of them
switch on behavior that is off here. `expert` holds back cards that fit the table (`_holds`). Its discards cost more if
other players can make a meld of them (`_given`), or if they leave loose cards alone (`_alone`).
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from banakil_env.core.bits import lowest, popcount, read_bits
from banakil_env.core.jit import compiled
from banakil_env.core.masks import legal_at
from banakil_env.core.parameters import Parameter, Parameters, Row
from banakil_env.core.scratch import scratch
from banakil_env.games.rummy500 import state as S
from banakil_env.games.rummy500.records import Observation
from banakil_env.games.rummy500.state import JOKER_VALUE, MAX_MELDS, MAX_TAKE, SET_VALUES, VALUES, num_packs
from banakil_env.kit.by_numbers import two_or_more
from banakil_env.kit.melds.wild_melds import LONGEST, NUM_TAKEN, completing, melded, near, thirds
from banakil_env.kit.melds.wild_plays import takes
from banakil_env.kit.pack52 import NUM_RANKS, bit_of, value_of
from banakil_env.kit.pack54 import JOKER, LAYERS, MAX_CARDS, NATURALS, NUM_FACES
from banakil_env.kit.seen import RUN, smallest_other_hand
from banakil_env.kit.table_state import CHOOSE

PARAMETERS = Parameters(
    Path(__file__).with_name("expert.toml"),
    (Row("two", {"num_players": 2}), Row("more", {"num_players": 4})),
    Parameter(
        "taking", 10, -60, 100, "most that taking cards may cost, in quarters of a point, because cards stay useful"
    ),
    Parameter("taken_card", 0, -20, 40, "cost of each card taken"),
    Parameter("short_hand", 5, 0, 13, "the round may end soon if another hand has fewer cards"),
    Parameter(
        "left",
        0,
        -4,
        8,
        "cost of a card left in the hand before then and at openings, in quarters of its value",
    ),
    Parameter("left_late", 3, -4, 12, "the same when another hand is short"),
    Parameter("left_last", 3, -4, 12, "the same when another hand has one card"),
    Parameter(
        "completing", 0, 0, 40, "value of a card that makes a meld with the cards that stay, in quarters of a point"
    ),
    Parameter("joker_used", 20, -40, 120, "cost of each Joker of an opening"),
    Parameter(
        "hold_from",
        60,
        3,
        60,
        "least size of the hand with which cards that fit the table are held back; 60: never",
    ),
    Parameter("hold_others", 14, 1, 14, "least size of every other hand for holding back"),
    Parameter("broken", 200, 0, 1000, "cost of a discard that was part of a meld or fits the table"),
    Parameter("out", 12, 0, 200, "cost of a discard, for each unseen card that no longer completes a meld"),
    Parameter("given_pile", 60, 0, 600, "cost of a discard that completes a meld with the pile"),
    Parameter("given_known", 60, 0, 600, "cost of a discard that completes a meld with cards known in the next hand"),
    Parameter("given", 0, -20, 100, "cost of a discard, for each meld of three with two unseen cards"),
    Parameter("given_half", 0, -20, 200, "the same for melds with a card of the pile and an unseen card"),
    Parameter("alone", 0, -40, 200, "cost of a discard, for each loose card that has no other loose card near it"),
    Parameter("value", 2, -30, 60, "cost of each point of a discard"),
    Parameter("value_late", 2, -60, 60, "the same when another hand is short"),
)
row_of = two_or_more

NUM_OPENINGS = S.OPENINGS.shape[0]


@compiled
def decide(seen: Observation, mask: Any, values: Any) -> int:
    """Choose the action of the player that has the parameters `values`, a record of PARAMETERS."""
    if seen.phase[CHOOSE]:
        return _choose(seen, mask)
    if mask[S.YES]:
        return S.YES
    discards = read_bits(mask, S.DISCARD, NUM_FACES)
    if not discards and not seen.must:
        depth = _depth(seen, mask, values)
        return S.TAKE - 1 + depth if depth else S.DRAW
    opening = _opening(seen, mask, values)
    if opening >= 0:
        return opening
    adds = read_bits(mask, S.ADD, NUM_TAKEN)
    if adds and not (discards and _holds(seen, values)):
        return S.ADD + lowest(adds)
    return _discard(seen, discards, values) if discards else legal_at(mask, 0)


@compiled
def _choose(seen: Observation, mask: Any) -> int:
    """Choose the meld for an Ace: any place but the low end of a run, where it is worth 1."""
    for slot in range(MAX_MELDS):
        at_low_end = seen.meld_kind[slot] == RUN and (seen.meld_low[slot] - 1) % NUM_RANKS == 1
        if mask[S.MELD + slot] and not at_low_end:
            return S.MELD + slot
    return legal_at(mask, 0)


@compiled
def _holds(seen: Observation, values: Any) -> bool:
    """Return whether cards that fit the table stay in the hand.

    They can be laid off later, and help nobody until then. A hand that can go out does not hold back.
    """
    if seen.hand_size[0] < values.hold_from or smallest_other_hand(seen) < values.hold_others:
        return False
    hand, fits = read_bits(seen.hand, 0, NUM_FACES), read_bits(seen.fits, 0, NUM_FACES)
    # with two packs, the second card of a face may not fit
    staying = seen.hand_size[0] - popcount(hand & fits & NATURALS)
    if fits >> JOKER & 1:
        staying -= seen.hand[JOKER]
    return staying > 1


@compiled
def _left(seen: Observation, values: Any) -> int:
    """Return the cost of a card that stays in the hand, in quarters of its value."""
    shortest = smallest_other_hand(seen)
    if shortest <= 1:
        return values.left_last
    return values.left_late if shortest < values.short_hand else values.left


@compiled
def _worth(cards: int, jokers: int, fits: int, share: int, values: Any) -> int:
    """Return the value of the cards that can be laid down, minus the cost of those that stay, in quarters of a point.

    Args:
        cards: mask of the naturals.
        jokers: the number of Jokers.
        fits: mask of the cards that fit melds on the table.
        share: the cost of a card that stays, in quarters of its value.
        values: a record of PARAMETERS.
    """
    laid = melded(cards) | cards & fits
    worth = 4 * value_of(laid, SET_VALUES) - share * value_of(cards & ~laid, SET_VALUES)
    if values.completing:
        worth += values.completing * popcount(completing(cards & ~laid))
    playable = laid != 0 or fits >> JOKER & 1 != 0 or completing(cards) != 0
    return worth + (4 if playable else -share) * JOKER_VALUE * jokers


@compiled
def _depth(seen: Observation, mask: Any, values: Any) -> int:
    """Return the number of cards of the pile to take; 0: draw from the stock."""
    faces, depth = scratch(MAX_CARDS), 0
    for face in range(NUM_FACES):
        for copy in range(LAYERS):
            if seen.pile[face, copy]:
                faces[seen.pile[face, copy] - 1] = face
    cards, jokers = read_bits(seen.hand, 0, NUM_FACES) & NATURALS, seen.hand[JOKER]
    fits = read_bits(seen.fits, 0, NUM_FACES)
    share = _left(seen, values)
    most = _worth(cards, jokers, fits, share, values) - values.taking
    for i in range(min(seen.pile_size, MAX_TAKE)):
        cards, jokers = cards | bit_of(faces[i]), jokers + (faces[i] == JOKER)
        if mask[S.TAKE + i]:
            worth = _worth(cards, jokers, fits, share, values) - values.taken_card * (i + 1)
            if worth > most or (depth == 0 and not mask[S.DRAW]):
                depth, most = i + 1, worth
    return depth


@compiled
def _opening(seen: Observation, mask: Any, values: Any) -> int:
    """Return the legal opening after which most points can be laid down; -1: none is legal."""
    cards, jokers = read_bits(seen.hand, 0, NUM_FACES) & NATURALS, seen.hand[JOKER]
    fits, best, most = read_bits(seen.fits, 0, NUM_FACES), -1, 0
    for i in range(NUM_OPENINGS):
        if mask[S.OPEN_RUN + i]:
            needs = S.NEEDS[i]
            rest, used = cards & ~needs, 3 - popcount(needs & NATURALS)
            laid = value_of(needs & NATURALS, SET_VALUES) + JOKER_VALUE * used
            fits_then = (fits | takes(S.OPENINGS[i], LONGEST)) & NATURALS | 1 << JOKER
            worth = _worth(rest, jokers - used, fits_then, values.left, values) + 4 * laid - values.joker_used * used
            if best < 0 or worth > most:
                best, most = S.OPEN_RUN + i, worth
    return best


@compiled
def _discard(seen: Observation, discards: int, values: Any) -> int:
    """Return the action that discards the least useful card."""
    hand, fits = read_bits(seen.hand, 0, NUM_FACES) & NATURALS, read_bits(seen.fits, 0, NUM_FACES)
    # known cards of other hands count as unseen, because they may be discarded
    unseen, pile, packs = 0, 0, num_packs(seen)
    for face in range(JOKER):
        known = seen.hand[face] + seen.table[face]
        for copy in range(LAYERS):
            known += seen.pile[face, copy] != 0
        unseen |= int(known < packs) << face
        pile |= int(seen.pile[face, 0] != 0) << face
    with_pile, with_known = completing(pile), completing(read_bits(seen.known[1], 0, NUM_FACES) & NATURALS)
    dear = values.value_late if smallest_other_hand(seen) < values.short_hand else values.value
    makes, best, least = completing(hand), -1, 0
    while discards:
        face = lowest(discards)
        discards &= discards - 1
        card = bit_of(face) if face != JOKER and seen.hand[face] == 1 else 0
        rest = hand & ~card
        cost = values.broken * (popcount(melded(hand)) - popcount(melded(rest)) + (face == JOKER) + (fits >> face & 1))
        cost += values.out * (popcount(makes & unseen) - popcount(completing(rest) & unseen))
        cost += max(values.given_pile * (with_pile >> face & 1), values.given_known * (with_known >> face & 1))
        cost += dear * VALUES[face]
        if values.alone:
            cost += values.alone * _alone(rest)
        if face != JOKER and (values.given or values.given_half):
            cost += _given(face, unseen, pile, values)
        if best < 0 or cost < least:
            best, least = S.DISCARD + face, cost
    return best


@compiled
def _alone(hand: int) -> int:
    """Return the number of loose cards that have no other loose card near them."""
    loose = hand & ~melded(hand)
    return popcount(loose & ~near(loose))


@compiled
def _given(face: int, unseen: int, pile: int, values: Any) -> int:
    """Return the cost of the melds that others can make with a discard.

    A meld needs two unseen cards, or one unseen card and one of the pile.
    """
    unseen &= ~pile  # with two packs, one card of a face can be in the pile and the other unseen
    with_unseen = thirds(face, unseen)
    half = thirds(face, unseen | pile) - with_unseen - thirds(face, pile)
    return values.given * with_unseen + values.given_half * half
