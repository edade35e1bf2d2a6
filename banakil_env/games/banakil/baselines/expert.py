"""`expert`: weighs every draw, play and discard by the worth of the hand after it; the strongest rule-based player.

Its ideas:
* One measure of a hand (`worth_of_hand`) serves all decisions. It counts cards in melds, cards in pairs or near pairs
  that a card still to come would complete, and cards alone. Cards that are gone (melded, known to be in other hands, or
  twice in the hand) complete nothing.
* Draw: the stock or the top k cards of the pile, for every k, by the worth of the hand with them, less a price for each
  card. Two cases come first. If the solver finds that some top k cards let the player go out, it takes the largest such
  k. If the whole hand can be laid down without the pile, it draws from the stock and discards the card drawn.
* Go out: if the solver finds a way to lay down all cards but one, the player follows it in an order that stays
  possible. If the player has melded nothing before, this is a *hand*.
* Hold back: if nothing is melded and only a few cards fit no meld, melds stay in the hand to go out with a *hand*. The
  number of such cards depends on what a *hand* pays under the rules. In a match of two that the other player is about
  to win, nearly any hand is held back. Nothing is held back if an opponent is about to go out or the stock is nearly
  empty.
* Lay down: otherwise choose the play that gains most. Points on the table are safe and the hand is at risk, more so if
  an opponent has few cards. Wild cards therefore stay in the hand at first, and go to the table late in the round.
* Discard: the card whose loss costs the hand least. It costs more to discard a card that is worth many points, fits an
  opponent's meld or is near a card that the next player is known to hold. Late in the round high cards are discarded.

`PARAMETERS` was tuned with `train.banakil.tune_expert`, by self-play on duplicate deals, in three steps. First the
values were set by hand against `greedy`, with 400 to 1500 deals per value. Then one to three values at a time were
changed, and a change was kept if it was better over 700 deals and then over 2800 (9 minutes each). The first row was
tuned with two and three players, the second with partners, the third with the preset `jawaker`. Playouts and trained
agents then showed three weaknesses: going out with the pile, keeping a Two early in the round, and the cost of a
discard of high value. These were improved, and all values were tuned once more (2000 to 3000 deals, and 8000 to 12000
to confirm).
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

# The rows of PARAMETERS: no partners; partners; rules by which a *hand* pays 51 or 101.
ALONE, PARTNERS, BONUS = range(3)
# The parameters: name, value at each table (ALONE, PARTNERS, BONUS), and meaning. The unit is a sixteenth of a half
# point unless the meaning says otherwise.
_DECLARED = (
    ("melded_value", (8, 10, 10), "value of each half point of a card that is in a meld in the hand"),
    ("melded_card", (6, 8, 8), "value of each card in a meld in the hand, in addition"),
    ("pair_card", (10, 10, 10), "value of a card with a neighbor, for each card still to come that completes them"),
    ("gap_card", (18, 12, 18), "value of two cards with a gap of one rank, if the card between can still come"),
    ("set_card", (9, 12, 12), "value of a Three or Ace with another of a different suit"),
    ("loose_value", (8, 8, 8), "cost of each half point of a card outside melds"),
    ("loose_card", (8, 8, 8), "cost of each card outside melds, in addition"),
    ("two", (180, 120, 120), "value of a Two in the hand"),
    ("joker", (200, 200, 200), "value of a Joker in the hand"),
    ("laid_value", (18, 18, 18), "value of each half point laid down"),
    ("laid_card", (7, 8, 8), "value of each card laid down, in addition"),
    ("stock", (4, 4, 4), "value of drawing an unseen card from the stock"),
    ("taken_card", (6, 4, 4), "cost of each card taken from the pile"),
    ("near_end", (5, 4, 4), "size of an opponent's hand below which there is danger"),
    ("risk", (6, 2, 1), "sixteenths of the worth of the hand that are lost for each card below that size"),
    ("late_loose", (0, 1, 1), "extra cost of each half point outside melds, for each card below that size"),
    ("gives_meld", (10, 23, 18), "cost of a discard that fits an opponent's meld"),
    ("gives_near", (10, 20, 20), "cost of a discard for each card near it in the next player's hand"),
    ("hold", (-1, -1, -1), "melds are held back if at most this many cards are left over: without partners"),
    ("hold_partners", (-1, -1, -1), "the same as partners, while none of the other three has melded"),
    ("hold_bonus", (18, 18, 4), "the same if a *hand* pays 51 or 101"),
    ("hold_stock", (2, 1, 1), "cards in the stock per player below which nothing is held back"),
    ("hold_fear", (6, 4, 5), "cards in an opponent's hand below which nothing is held back"),
    ("gives_unseen", (2, 3, 3), "cost of a discard for each card near it that an opponent can hold"),
    ("wild_pair", (10, 10, 10), "value of each wild card together with a pair or gap that it would complete"),
    ("second_copy", (-12, -8, -8), "value of the second card of a face outside melds"),
    ("gives_value", (8, 10, 10), "cost of a discard for each of its half points, which another player may score"),
    ("two_early", (60, 0, 100), "cost of laying a Two down early in the round"),
    ("early", (9, 9, 9), "the round is early while every opponent's hand has at least this many cards"),
    ("swap", (60, 60, 60), "value of a Joker gained by an exchange, in addition to its worth in the hand"),
    ("hold_match", (20, 20, 20), "the same as `hold`, in a match of two that is about to be lost"),
    ("behind", (20, 20, 20), "a match is about to be lost if the other player leads by at least this, in points"),
    ("near_target", (60, 60, 60), "and if the other player needs at most this to reach the target, in points"),
)
NAMES = tuple(name for name, _, _ in _DECLARED)
# A record for each table, with a field for each parameter. Compiled code reads `parameters.melded_value`.
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
# Larger hands are not solved, because the solver takes too long: with melds of the side on the table, and without them.
_HUGE_BESIDE_MELDS, _HUGE_HAND = 13, 24
MAX_TAKE_DEPTH = MAX_TAKE + 1


@compiled
def act(observation: Any, mask: Any, generator: Any) -> int:
    """Return the action of the expert; see `Game.players` for the arguments. The player is deterministic."""
    table = BONUS if observation.has_hand_bonus else (PARTNERS if observation.partners else ALONE)
    return decide(observation, mask, PARAMETERS[table])


@compiled
def decide(observation: Any, mask: Any, parameters: Any) -> int:
    """Return the action of an expert with these parameters (a record of PARAMETERS)."""
    masks, melds, slots = scratch(2), scratch(MAX_MELDS), scratch(MAX_MELDS)
    view = read_view(observation, masks, melds, slots)
    danger = _danger(observation, parameters)
    if observation.phase[DRAW_CELL]:
        return _draw(observation, view, danger, parameters)
    play = _play(observation, mask, view, danger, parameters)
    return play if play >= 0 else _discard(observation, mask, view, danger, parameters)


@compiled
def _fewest_theirs(observation: Any) -> int:
    """Return the number of cards in the smallest hand of an opponent."""
    fewest = 99
    for seat in range(1, observation.num_players):
        if not is_own_side(observation, seat):
            fewest = min(fewest, observation.hand_size[seat])
    return fewest


@compiled
def _danger(observation: Any, parameters: Any) -> int:
    """Return how many cards the smallest hand of an opponent is below the size at which danger begins, or 0."""
    return max(0, parameters.near_end - _fewest_theirs(observation))


# The worth of a hand
# ----------------------------------------------------------------------------------------------------


@compiled
def worth_of_hand(one: int, both: int, fits: int, view: View, danger: int, parameters: Any) -> int:
    """Return the value of a hand, in sixteenths of a half point.

    Args:
        one: mask of the faces of which the hand has at least one card.
        both: mask of the faces of which the hand has two cards.
        fits: mask of the naturals that fit the melds of the player's side.
        view: the decoded observation. Only `live` and `ace_value` are read; its hand and melds are not.
        danger: how near an opponent is to going out; see `_danger`.
        parameters: a record of PARAMETERS.
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
    """Return `worth`, the worth of a hand, less the expected loss if an opponent goes out before the hand is laid down.

    `danger` is the result of `_danger`.
    """
    return worth * max(0, _SIXTEEN - danger * parameters.risk) // _SIXTEEN


# Draw
# -------------------------------------------------------------------------------------------------------------------


@compiled
def _draw(observation: Any, view: View, danger: int, parameters: Any) -> int:
    """Return the draw that pays most: from the stock, or some number of cards of the pile."""
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
    """Return the opening, addition, exchange or choice of a meld that gains most; -1: no play gains."""
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
    if going_out:  # the best of the plays after which going out is still possible
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
    """Return the index of the first maximum of `worths[:n]` if it is above `more_than`, else -1."""
    best, most = -1, more_than
    for i in range(n):
        if worths[i] > most:
            best, most = i, worths[i]
    return best


@compiled
def _gain(observation: Any, view: View, plays: Any, play: int, danger: int, parameters: Any) -> int:
    """Return the value of a play, in sixteenths of a half point: the points that it lays down, and the hand after it.

    Args:
        observation: the observation.
        view: the same, decoded.
        plays: a record of PLAYS.
        play: the index of the play in `plays`.
        danger: how near an opponent is to going out; see `_danger`.
        parameters: a record of PARAMETERS.
    """
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
    """Return whether after a play all cards but one can still be laid down, and the last one can be discarded.

    Args:
        observation: the observation.
        plays: a record of PLAYS.
        play: the index of the play in `plays`.
        melds: the packed melds that the hand may add to.
        count: the number of these melds.
    """
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
    """Return the fewest cards that stay in the hand if it is laid down as far as possible, or a number above `few`.

    The solver runs only if a lower bound is at most `few`. It does not run for huge hands, where it takes longest. The
    other arguments are those of `best_layout`.
    """
    held = popcount(one) + popcount(both)
    if held > (_HUGE_BESIDE_MELDS if count else _HUGE_HAND):
        return held
    left = cards_left_at_least(one, both, melds, count, observation.fixed_wilds != 0)
    return left if left > few else _cards_left(observation, one, both, melds, count)


@compiled
def _cards_left(observation: Any, one: int, both: int, melds: Any, count: int) -> int:
    """Return the fewest cards that stay in the hand if it is laid down as far as possible.

    The arguments are those of `best_layout`.
    """
    held = popcount(one) + popcount(both)
    fixed, sets_too = observation.fixed_wilds != 0, observation.set_joker_exchange != 0
    by = BY_CARDS
    answer = best_layout(one, both, melds, count, by, fixed, sets_too, observation.ace_value)
    return held - laid_cards(answer, by)


@compiled
def _is_losing_match(observation: Any, parameters: Any) -> bool:
    """Return whether a match of two is nearly lost: the other player is well ahead and near the target.

    Then few results other than a *hand* would still help.
    """
    if not observation.episode or observation.num_players != 2:
        return False
    own, other = observation.scores[0], observation.scores[1]
    return other - own >= parameters.behind and observation.target - other <= parameters.near_target


@compiled
def _most_to_hold(observation: Any, parameters: Any) -> int:
    """Return the most cards outside melds with which melds are still held back for a *hand*; -2: do not hold back."""
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
    """Return the discard that costs least: the hand without the card is worth most, and the card helps the others
    least.
    """
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
