"""`expert`: weighs every draw, play and discard by the worth of the hand after it; the strongest rule-based player.

Its ideas:
* One measure of a hand (`worth_of_hand`) for everything: cards that lie in a meld, in a pair that a card still to
  come would complete, near a pair, or alone. Cards that are gone (melded, known to be held by others, in the hand
  twice) complete nothing.
* Draw: the stock or the top k cards of the pile, for every k, by the worth of the hand with them, less a price for each
  card. Two cases come first. If the solver finds that some top k cards let the player go out, it takes the largest such
  k. If the whole hand can be laid down without the pile, it draws from the stock and discards the card drawn.
* Go out: if the solver finds a way to lay down all cards but one, the player follows it, in an order that the solver
  keeps to; with nothing melded before it is a *hand*.
* Hold back: with nothing melded and few cards too many for a *hand*, melds stay in the hand, the longer the more a
  *hand* pays under the rules, and with nearly any hand in a match of two that the other is about to win; not when an
  opponent is about to go out or the stock ends.
* Lay down: otherwise the play that gains most. Points on the table are safe and the hand is at risk, the more so the
  fewer cards an opponent has. So wild cards wait in the hand at first, and go to the table late in the round.
* Discard: the card whose loss costs the hand least. A card costs more to give away if it is worth many points, fits an
  opponent's meld or lies near a card that the next player is known to hold; late in the round, cards of high value go.

`PARAMETERS` was tuned with `train.banakil.tune_expert`, by self-play on duplicate deals: first by hand against `greedy`
(400 to 1500 deals a value), then by changing one to three at a time and keeping what won 700 deals and again 2800 (9
minutes each, 2 and 3 players for the first row, partners for the second, JAWAKER for the third). Going out with the
pile, keeping a Two early in the round and the cost of a discard of high value were found where playouts and trained
agents did better; these and the rest were then tuned once more (2000 to 3000 deals, and 8000 to 12000 to confirm).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from banakil_env.core.bits import popcount
from banakil_env.core.jit import compiled, inlined
from banakil_env.core.record_type import record_dtype
from banakil_env.core.scratch import scratch, scratch_record
from banakil_env.games.banakil.actions import DISCARD, DRAW_STOCK, TAKE
from banakil_env.games.banakil.baselines.plays import MAX_PLAYS, PLAYS, list_plays, without
from banakil_env.games.banakil.baselines.reading import View, fitting, is_own_side, read_view
from banakil_env.games.banakil.faces import (
    ACE,
    ALL_RANKS,
    ALL_TWOS,
    COPIES,
    JOKER,
    JOKER_VALUE,
    NUM_FACES,
    NUM_RANKS,
    NUM_SUITS,
    THREE,
    TWO,
)
from banakil_env.games.banakil.layouts.bound import cards_left_at_least
from banakil_env.games.banakil.layouts.layout import best_layout
from banakil_env.games.banakil.layouts.weights import BY_CARDS, laid_cards
from banakil_env.games.banakil.melds import value_of_ranks
from banakil_env.games.banakil.scoring import value_of_cards
from banakil_env.games.banakil.seen import DRAW_CELL, PLAY_CELL
from banakil_env.games.banakil.state import MAX_MELDS, MAX_TAKE

# By table: everybody alone; partners; where a hand pays 51 or 101.
ALONE, PARTNERS, BONUS = range(3)
# One declaration a parameter: its name, its value at each table (ALONE, PARTNERS, BONUS), and its meaning. The unit is
# a sixteenth of a half point unless the meaning says otherwise.
_DECLARED = (
    ("melded_value", (8, 10, 10), "a half point of a card that lies in a meld in the hand"),
    ("melded_card", (6, 8, 8), "such a card, whatever it is"),
    ("pair_card", (10, 10, 10), "a card with a neighbour, for each card still to come that completes them"),
    ("gap_card", (18, 12, 18), "a card with another two ranks off, when the one between may still come"),
    ("set_card", (9, 12, 12), "a Three or Ace with one of another suit"),
    ("loose_value", (8, 8, 8), "what a half point of a card outside melds costs"),
    ("loose_card", (8, 8, 8), "what such a card costs"),
    ("two", (180, 120, 120), "a Two in the hand"),
    ("joker", (200, 200, 200), "a Joker in the hand"),
    ("laid_value", (18, 18, 18), "a half point laid down"),
    ("laid_card", (7, 8, 8), "a card laid down"),
    ("stock", (4, 4, 4), "a card unseen, from the stock"),
    ("taken_card", (6, 4, 4), "what a card taken from the pile costs"),
    ("near_end", (5, 4, 4), "cards in an opponent's hand from which on the danger begins"),
    ("risk", (6, 2, 1), "by how much (sixteenths) each card fewer takes off the worth of the hand"),
    ("late_loose", (0, 1, 1), "what a half point outside melds costs more for each such step"),
    ("gives_meld", (10, 23, 18), "what a discard costs that fits an opponent's meld"),
    ("gives_near", (10, 20, 20), "what it costs for each card near it in the next player's hand"),
    ("hold", (-1, -1, -1), "cards too many for a *hand*, up to which melds are held back: alone"),
    ("hold_partners", (-1, -1, -1), "the same as partners, while none of the other three has melded"),
    ("hold_bonus", (18, 18, 4), "the same where a *hand* pays 51 or 101"),
    ("hold_stock", (2, 1, 1), "cards in the stock for each player, below which nothing is held back"),
    ("hold_fear", (6, 4, 5), "cards in an opponent's hand, below which nothing is held back"),
    ("gives_unseen", (2, 3, 3), "what a discard costs for each card near it that an opponent may hold"),
    ("wild_pair", (10, 10, 10), "a wild card and a pair or gap that it would complete, each"),
    ("second_copy", (-12, -8, -8), "the second card of a face outside melds"),
    ("gives_value", (8, 10, 10), "what a discard costs for each half point of it, which it may bring another"),
    ("two_early", (60, 0, 100), "what laying a Two down costs while it is early"),
    ("early", (9, 9, 9), "cards in the smallest hand of an opponent, from which on it is early"),
    ("swap", (60, 60, 60), "a Joker gained by exchange, beyond its worth in the hand"),
    ("hold_match", (20, 20, 20), "as `hold`, in a match of two that is about to be lost"),
    ("behind", (20, 20, 20), "points that the other is ahead by then, or more"),
    ("near_target", (60, 60, 60), "points that the other lacks then, or fewer"),
)
NAMES = tuple(name for name, _, _ in _DECLARED)
# A record for each table, with a field for each parameter: compiled code reads `parameters.melded_value`.
PARAMETERS = np.array(
    list(zip(*(values for _, values, _ in _DECLARED), strict=True)),
    record_dtype(*((name, np.int64) for name in NAMES)),
)
# `help` of this module lists the parameters with their values.
_TITLE = "Parameters (alone; partners; where a *hand* pays 51 or 101), in sixteenths of a half point:"
_LINES = [f"* `{name}` ({'; '.join(map(str, values))}): {meaning}" for name, values, meaning in _DECLARED]
__doc__ = "\n".join([__doc__ or "", _TITLE, "", *_LINES])

_NEVER, _GOES_OUT = -(1 << 40), 1 << 40
_SIXTEEN = 16
# Hands of more cards than these are not solved: with own melds on the table, and without.
_HUGE_BESIDE_MELDS, _HUGE_HAND = 13, 24
MAX_TAKE_DEPTH = MAX_TAKE + 1


@compiled
def act(observation: Any, mask: Any, generator: Any) -> int:
    """The action of the expert; see `Game.players` for the arguments. The player is deterministic."""
    table = BONUS if observation.has_hand_bonus else (PARTNERS if observation.partners else ALONE)
    return decide(observation, mask, PARAMETERS[table])


@compiled
def decide(observation: Any, mask: Any, parameters: Any) -> int:
    """The action of an expert with these parameters (a record of PARAMETERS)."""
    masks, melds, slots = scratch(2), scratch(MAX_MELDS), scratch(MAX_MELDS)
    view = read_view(observation, masks, melds, slots)
    danger = _danger(observation, parameters)
    if observation.phase[DRAW_CELL]:
        return _draw(observation, view, danger, parameters)
    play = _play(observation, mask, view, danger, parameters)
    return play if play >= 0 else _discard(observation, mask, view, danger, parameters)


@compiled
def _fewest_theirs(observation: Any) -> int:
    """The cards in the smallest hand of an opponent."""
    fewest = 99
    for seat in range(1, observation.num_players):
        if not is_own_side(observation, seat):
            fewest = min(fewest, observation.hand_size[seat])
    return fewest


@compiled
def _danger(observation: Any, parameters: Any) -> int:
    """How many cards an opponent's hand is below the size at which danger begins."""
    return max(0, parameters.near_end - _fewest_theirs(observation))


# The worth of a hand
# ----------------------------------------------------------------------------------------------------


@compiled
def worth_of_hand(one: int, both: int, fits: int, view: View, danger: int, parameters: Any) -> int:
    """The value of a hand, in sixteenths of a half point.

    Args:
        one, both: its faces, once or more, and twice.
        fits: naturals that fit the melds of the player's side.
        view: what may still come and the value of an Ace; the hand and the melds in it are not looked at.
        danger: how near an opponent is to going out.
    """
    halves = 0  # pairs and gaps
    live, ace_value = view.live, view.ace_value
    loose_value = parameters.loose_value + danger * parameters.late_loose
    total = parameters.two * (popcount(one & ALL_TWOS) + popcount(both & ALL_TWOS))
    total += parameters.joker * ((one >> JOKER & 1) + (both >> JOKER & 1))
    for layer in range(COPIES):
        cards = both if layer else one
        threes, aces = 0, 0
        for suit in range(NUM_SUITS):
            threes += cards >> (suit * NUM_RANKS + THREE) & 1
            aces += cards >> (suit * NUM_RANKS + ACE) & 1
        for suit in range(NUM_SUITS):
            ranks = cards >> suit * NUM_RANKS & ALL_RANKS
            if ranks == 0:
                continue
            come = live >> suit * NUM_RANKS & ALL_RANKS
            runs = ranks & ranks >> 1 & ranks >> 2
            melded = runs | runs << 1 | runs << 2 | (fits >> suit * NUM_RANKS & ranks if layer == 0 else 0)
            if threes >= 3:
                melded |= ranks & 1
            if aces >= 3:
                melded |= ranks & 1 << ACE
            loose = ranks & ~melded
            total += parameters.melded_value * value_of_ranks(melded, ace_value)
            total += parameters.melded_card * popcount(melded)
            total -= loose_value * value_of_ranks(loose, ace_value) + parameters.loose_card * popcount(loose)
            lower = loose & loose >> 1  # the lower cards of pairs
            ends = popcount(lower & come << 1) + popcount(lower & come >> 2)
            gaps = popcount(loose & loose >> 2 & come >> 1)
            halves += popcount(lower) + popcount(loose & loose >> 2 & ~(loose >> 1))
            if layer:
                total += parameters.second_copy * popcount(loose)
            total += parameters.pair_card * ends + parameters.gap_card * gaps
            if loose & 1 and threes == 2:
                total += parameters.set_card
            if loose >> ACE & 1 and aces == 2:
                total += parameters.set_card
    wilds = popcount(one & (ALL_TWOS | 1 << JOKER)) + popcount(both & (ALL_TWOS | 1 << JOKER))
    return total + parameters.wild_pair * min(wilds, halves)


@inlined
def _at_risk(worth: int, danger: int, parameters: Any) -> int:
    """The worth of a hand, less what is lost if an opponent goes out before the hand is laid down."""
    return worth * max(0, _SIXTEEN - danger * parameters.risk) // _SIXTEEN


# Draw
# -------------------------------------------------------------------------------------------------------------------


@compiled
def _draw(observation: Any, view: View, danger: int, parameters: Any) -> int:
    """The stock, or as many cards of the pile as pay most."""
    one, both, melds, count = view.one, view.both, view.melds, view.num_melds
    fits = fitting(melds, count, observation.fixed_wilds != 0)
    order = scratch(MAX_TAKE_DEPTH)
    size = min(observation.pile_size, MAX_TAKE_DEPTH - 1)
    for face in range(NUM_FACES):
        for copy in range(COPIES):
            depth = observation.pile[face, copy]
            if depth and depth <= size:
                order[depth] = face
    before = worth_of_hand(one, both, fits, view, danger, parameters)
    best, most = DRAW_STOCK, parameters.stock
    if observation.stock_size == 0:
        most = _NEVER
    usable = count if observation.melded[0] else 0
    # If the whole hand can be laid down, any card that may be discarded lets the player go out. A single card taken
    # from the pile may not be discarded (B2.4).
    all_fits = _cards_left_if_few(observation, one, both, melds, usable, 0) == 0
    if all_fits and observation.stock_size:
        most = _GOES_OUT - 1
    for depth in range(1, size + 1):
        bit = 1 << order[depth]
        both |= one & bit
        one |= bit
        may_stay = 0 if all_fits and depth == 1 and not observation.discard_taken else 1
        if _cards_left_if_few(observation, one, both, melds, usable, may_stay) <= may_stay:
            best, most = TAKE + depth - 1, _GOES_OUT
        worth = worth_of_hand(one, both, fits, view, danger, parameters) - before
        worth -= parameters.taken_card * depth
        if worth > most:
            best, most = TAKE + depth - 1, worth
    return best


# Play
# -------------------------------------------------------------------------------------------------------------------


@compiled
def _play(observation: Any, mask: Any, view: View, danger: int, parameters: Any) -> int:
    """The opening, addition, exchange or choice of a meld that gains most; -1: none does."""
    one, both, melds, count = view.one, view.both, view.melds, view.num_melds
    usable = count if observation.melded[0] else 0
    choosing = not observation.phase[PLAY_CELL]
    hold = _most_to_hold(observation, parameters)
    left = _cards_left_if_few(observation, one, both, melds, usable, max(1, hold + 1))
    going_out = left <= 1
    if not going_out and not choosing and left <= hold + 1:
        return -1
    plays, worths = scratch_record(PLAYS), scratch(MAX_PLAYS)
    n = list_plays(observation, mask, view, plays)
    fits = fitting(melds, usable, observation.fixed_wilds != 0)
    now = worth_of_hand(one, both, fits, view, danger, parameters)
    now = _at_risk(now, danger, parameters)
    early = not going_out and not choosing and _fewest_theirs(observation) >= parameters.early
    for i in range(n):
        worths[i] = _gain(observation, view, plays, i, danger, parameters) - now
        if early and plays.faces[i] & ALL_TWOS:
            worths[i] -= parameters.two_early
    best = _highest(worths, n, _NEVER if choosing or going_out else 0)
    if going_out:  # of the plays that keep to it, the best
        likely = best
        while likely >= 0:
            if _keeps_to_it(observation, plays, likely, melds, count):
                best = likely
                break
            worths[likely] = _NEVER
            likely = _highest(worths, n, _NEVER)
    return plays.action[best] if best >= 0 else (-1)


@compiled
def _highest(worths: Any, n: int, more_than: int) -> int:
    """The index of the first maximum of `worths`, if it is above `more_than`; else -1."""
    best, most = -1, more_than
    for i in range(n):
        if worths[i] > most:
            best, most = i, worths[i]
    return best


@compiled
def _gain(observation: Any, view: View, plays: Any, play: int, danger: int, parameters: Any) -> int:
    """The value of a play: the points that it lays down, and the hand after it."""
    melds, ace_value = view.melds, view.ace_value
    faces, back, one, both = plays.faces[play], plays.back[play], plays.one[play], plays.both[play]
    worth = parameters.laid_value * (value_of_cards(faces, ace_value) - back * JOKER_VALUE)
    worth += parameters.laid_card * (popcount(faces) - back)
    worth += parameters.swap * back
    if one | both:
        slot = plays.to[play]
        before = melds[slot]
        melds[slot] = plays.meld[play]
        fits = fitting(melds, max(view.num_melds, slot + 1), observation.fixed_wilds != 0)
        melds[slot] = before
        after = worth_of_hand(one, both, fits, view, danger, parameters)
        worth += _at_risk(after, danger, parameters)
    return worth


# Going out
# --------------------------------------------------------------------------------------------------------------


@compiled
def _keeps_to_it(observation: Any, plays: Any, play: int, melds: Any, count: int) -> bool:
    """Whether after a play all cards but one can still be laid down, and that card be discarded."""
    one, both = plays.one[play], plays.both[play]
    held = popcount(one) + popcount(both)
    banned = observation.banned - 1
    stuck = held == 1 and banned >= 0 and one == 1 << max(banned, 0)
    if held <= 1 and not stuck:
        return True
    slot = plays.to[play]
    before = melds[slot]
    melds[slot] = plays.meld[play]
    count = max(count, slot + 1)
    left = cards_left_at_least(one, both, melds, count, observation.fixed_wilds != 0)
    if left <= 1:
        left = _cards_left(observation, one, both, melds, count)
    melds[slot] = before
    return left == 0 or (left == 1 and not stuck)


@compiled
def _cards_left_if_few(observation: Any, one: int, both: int, melds: Any, count: int, few: int) -> int:
    """How few cards can be left when all that fits is laid down, or a number above `few`.

    The solver runs only if a lower bound is at most `few`, and not for huge hands, where it takes longest.
    """
    held = popcount(one) + popcount(both)
    if held > (_HUGE_BESIDE_MELDS if count else _HUGE_HAND):
        return held
    left = cards_left_at_least(one, both, melds, count, observation.fixed_wilds != 0)
    return left if left > few else _cards_left(observation, one, both, melds, count)


@compiled
def _cards_left(observation: Any, one: int, both: int, melds: Any, count: int) -> int:
    """How few cards can be left when all that fits is laid down."""
    held = popcount(one) + popcount(both)
    fixed, sets_too = observation.fixed_wilds != 0, observation.set_joker_exchange != 0
    by = BY_CARDS
    answer = best_layout(one, both, melds, count, by, fixed, sets_too, observation.ace_value)
    return held - laid_cards(answer, by)


@compiled
def _is_losing_match(observation: Any, parameters: Any) -> bool:
    """Whether the other of two is near the target and well ahead, so that little but a *hand* would still help."""
    if not observation.episode or observation.num_players != 2:
        return False
    own, other = observation.scores[0], observation.scores[1]
    return other - own >= parameters.behind and observation.target - other <= parameters.near_target


@compiled
def _most_to_hold(observation: Any, parameters: Any) -> int:
    """How many cards too many for a *hand* there may be while melds are held back; below -1, melds are laid down."""
    if observation.melded[0] or observation.stock_size < parameters.hold_stock * observation.num_players:
        return -2
    if _fewest_theirs(observation) < parameters.hold_fear:
        return -2
    if _is_losing_match(observation, parameters):
        return parameters.hold_match
    if observation.has_hand_bonus:
        return parameters.hold_bonus
    if not observation.partners:
        return parameters.hold
    for seat in range(1, 4):
        if observation.melded[seat]:
            return -2
    return parameters.hold_partners


# Discard
# ----------------------------------------------------------------------------------------------------------------


@compiled
def _discard(observation: Any, mask: Any, view: View, danger: int, parameters: Any) -> int:
    """The card that costs least: the worth of the hand without the card, less what the card gives to the others."""
    one, both, theirs, live, ace_value = view.one, view.both, view.theirs, view.live, view.ace_value
    fits = fitting(view.melds, view.num_melds, observation.fixed_wilds != 0)
    near = 0
    for face in range(TWO):
        near |= int(observation.known[1, face] != 0) << face
    if is_own_side(observation, 1):
        near = 0
    best, most = -1, _NEVER
    for face in range(NUM_FACES):
        if not mask[DISCARD + face]:
            continue
        bit = 1 << face
        worth = worth_of_hand(without(one, both, bit), both & ~bit, fits, view, danger, parameters)
        if face < TWO:
            worth -= parameters.gives_value * value_of_cards(bit, ace_value)
            worth -= parameters.gives_meld * (theirs >> face & 1)
            ranks = near >> (face - face % NUM_RANKS) & ALL_RANKS
            unseen = (live & ~one) >> (face - face % NUM_RANKS) & ALL_RANKS
            worth -= parameters.gives_unseen * popcount(unseen & (31 << (face % NUM_RANKS) >> 2))
            worth -= parameters.gives_near * popcount(ranks & (31 << (face % NUM_RANKS) >> 2))
        else:
            worth -= parameters.two
        if worth > most:
            best, most = DISCARD + face, worth
    return best
