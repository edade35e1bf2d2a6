"""`greedy`: lays down melds at once if they pay, and keeps cards that may still become melds.

Its ideas:
* Draw: take from the pile down to a card that makes a new meld with the hand or fits a meld of its side. The cards that
  can then be melded must be worth more than the cost of the useless cards above it. Otherwise draw from the stock.
* Play: natural openings first, then natural additions, both by value; then exchange a Joker that opens another meld.
  A wild card opens a meld with two naturals. Two wilds in one opening, and a wild at the end of a meld, are played only
  in a hurry: with few cards left in this hand or an opponent's hand, or in the stock.
* Discard: the card with the fewest neighbors in the hand; among equals the card of the highest value. A wild card is
  discarded only if nothing else is left.

The player does not consider the worth of a discard to others, never holds back for a *hand*, and counts no cards.
"""

from __future__ import annotations

from typing import Any

from banakil_env.core.bits import highest, popcount
from banakil_env.core.jit import compiled
from banakil_env.games.banakil.actions import (
    ADD,
    ADD_TWO_LOW,
    CHOOSE_MELD,
    DISCARD,
    DRAW_STOCK,
    NUM_ACTIONS,
    OPEN_SEQUENCE,
    SWAP,
    TAKE,
)
from banakil_env.games.banakil.baselines.reading import fitting_own, in_natural_melds
from banakil_env.games.banakil.faces import (
    ACE,
    ALL_NATURALS,
    ALL_RANKS,
    ALL_TWOS,
    COPIES,
    JOKER,
    NUM_FACES,
    NUM_NATURALS,
    NUM_RANKS,
    NUM_SUITS,
    THREE,
    TWO,
)
from banakil_env.games.banakil.melds import value_of_ranks
from banakil_env.games.banakil.openings import CARDS, NUM_SEQUENCES, USES_TWO
from banakil_env.games.banakil.scoring import value_of_cards
from banakil_env.games.banakil.seen import DRAW_CELL, PLAY_CELL

# Values for taking from the pile, in half points: the gain of a newly melded card in addition to its value, the cost of
# a useless card in addition to half of its value, the worth of a Two and of a Joker in the hand, and the worth of a
# card drawn from the stock. Chosen by self-play on 4000 duplicate deals for two players: (2, 4) gained 1.7 ± 0.3 points
# over (4, 1), and (2, 6) gained 1.9 ± 0.3.
MELDED_BONUS, DEAD_COST, TWO_IN_HAND, JOKER_IN_HAND, STOCK_CARD = 2, 5, 12, 18, 3

# The player is in a hurry with at most this many cards in its hand, in an opponent's hand, or in the stock per player.
FEW_OWN, FEW_THEIRS, FEW_IN_STOCK = 6, 4, 2

# The worth of each kind of play; they differ by 100, so that higher kinds are tried first. Values of cards are below
# 100.
OPEN_NATURAL, ADD_NATURAL, SWAP_PAYS, OPEN_WITH_WILD, OPEN_WITH_BOTH, ADD_WILD = 600, 500, 400, 300, 200, 100

# The worth of keeping a card: for a neighbor in sequence, for a card two ranks away, for a Three or Ace of another
# suit, and for a card that fits a meld of the side.
NEIGHBOR, NEAR_NEIGHBOR, SAME_RANK, FITS = 40, 28, 24, 40
NEVER = 10_000


@compiled
def act(observation: Any, mask: Any, generator: Any) -> int:
    """Return the action of the greedy player; see `Game.players` for the arguments. The player is deterministic."""
    if observation.phase[DRAW_CELL]:
        return _draw(observation)
    if not observation.phase[PLAY_CELL]:
        return _choose_meld(observation, mask)
    play = _best_play(observation, mask)
    return play if play >= 0 else _discard(observation, mask)


@compiled
def _held(observation: Any) -> int:
    """Return the faces in the player's hand, as a mask."""
    held = 0
    for face in range(NUM_FACES):
        held |= int(observation.hand[face] != 0) << face
    return held


# Draw -----------------------------------------------------------------------------------------------------------------


@compiled
def _draw(observation: Any) -> int:
    """Return the draw that pays most: from the stock, or from the pile down to some card."""
    held, fits = _held(observation), fitting_own(observation)
    before = in_natural_melds(held) | fits & held
    best, best_worth = DRAW_STOCK, STOCK_CARD
    if observation.stock_size == 0:
        best, best_worth = TAKE, -NEVER
    for face in range(NUM_FACES):
        depth = observation.pile[face, 0]
        if depth == 0:
            continue
        useful = face >= TWO or (in_natural_melds(held | 1 << face) | fits) >> face & 1
        if useful and not held >> face & 1:
            worth = _worth_of_take(observation, depth, held, fits, before)
            if worth > best_worth:
                best, best_worth = TAKE + depth - 1, worth
    return best


@compiled
def _worth_of_take(observation: Any, depth: int, held: int, fits: int, before: int) -> int:
    """Return the value of taking `depth` cards, in half points: the new melds, less the cost of the useless cards.

    Args:
        held: mask of the faces in the hand.
        fits: mask of the naturals that fit melds of the side.
        before: mask of the cards that could be melded without the take.
    """
    taken, twice, cards = 0, 0, 0
    for face in range(NUM_FACES):
        for copy in range(COPIES):
            at = observation.pile[face, copy]
            if at and at <= depth:
                twice |= taken & 1 << face
                taken |= 1 << face
                cards += 1
    after = in_natural_melds(held | taken) | fits & (held | taken)
    gained = after & ~before & ALL_NATURALS
    dead = (taken & ~gained | twice | taken & held) & ALL_NATURALS
    ace_value = observation.ace_value
    worth = 2 * value_of_cards(gained, ace_value) + MELDED_BONUS * popcount(gained)
    worth += TWO_IN_HAND * popcount(taken & ALL_TWOS) + JOKER_IN_HAND * (taken >> JOKER & 1)
    return worth - value_of_cards(dead, ace_value) // 2 - DEAD_COST * popcount(dead)


# Play -----------------------------------------------------------------------------------------------------------------


@compiled
def _best_play(observation: Any, mask: Any) -> int:
    """Return the opening, addition or exchange that pays most; -1: no play pays."""
    best, best_worth = -1, 0
    hurry = _in_hurry(observation)
    for action in range(OPEN_SEQUENCE, DISCARD):
        if not mask[action]:
            continue
        if action < ADD:
            worth = _worth_of_opening(observation, action, hurry)
        elif action < ADD_TWO_LOW:
            worth = ADD_NATURAL
        elif action < SWAP:
            worth = ADD_WILD if hurry else 0
        else:
            worth = SWAP_PAYS if _opens_with_joker(observation, action - SWAP) else 0
        if worth > best_worth:
            best, best_worth = action, worth
    return best


@compiled
def _in_hurry(observation: Any) -> bool:
    """Return whether the round may soon end, so that wild cards should be laid down."""
    if observation.hand_size[0] <= FEW_OWN or observation.stock_size <= FEW_IN_STOCK * observation.num_players:
        return True
    for seat in range(1, observation.num_players):
        if observation.hand_size[seat] <= FEW_THEIRS:
            return True
    return False


@compiled
def _worth_of_opening(observation: Any, action: int, hurry: bool) -> int:
    """Return the worth of an opening in half points, with a bonus for its type; 0: do not play it.

    Openings without wild cards have the highest bonus. An opening that the hand can extend has another bonus. `hurry`
    is the result of `_in_hurry`.
    """
    row = action - OPEN_SEQUENCE
    naturals, joker = CARDS[row] & ALL_NATURALS, CARDS[row] >> JOKER & 1
    value = value_of_cards(naturals, observation.ace_value)
    if row >= NUM_SEQUENCES:
        return (OPEN_WITH_WILD if joker else OPEN_NATURAL) + value
    two = USES_TWO[row]
    if two and joker:
        return OPEN_WITH_BOTH if hurry else 0
    if not two and not joker:
        above = highest(naturals) + 1
        longer = above % NUM_RANKS != 0 and observation.hand[above] != 0
        return OPEN_NATURAL + value + (10 if longer else 0)
    return OPEN_WITH_WILD + value + (4 if two else 0)


@compiled
def _opens_with_joker(observation: Any, given: int) -> bool:
    """Return whether the hand can open a meld with a Joker that it gets in exchange for the face `given`."""
    held = _held(observation)
    if observation.hand[given] == 1:
        held &= ~(1 << given)
    for suit in range(NUM_SUITS):
        ranks = held >> suit * NUM_RANKS & ALL_RANKS
        if ranks & (ranks >> 1 | ranks >> 2):
            return True
    return False


@compiled
def _choose_meld(observation: Any, mask: Any) -> int:
    """Return the action that chooses a meld for the waiting card.

    The player's melds come before the partner's, and a sequence comes before a set.
    """
    best, best_worth = CHOOSE_MELD, -1
    for action in range(CHOOSE_MELD, NUM_ACTIONS):
        if mask[action]:
            slot = action - CHOOSE_MELD
            worth = 2 * int(observation.meld_owner[slot] == 1) + int(observation.meld_kind[slot] <= NUM_SUITS)
            if worth > best_worth:
                best, best_worth = action, worth
    return best


# Discard --------------------------------------------------------------------------------------------------------------


@compiled
def _discard(observation: Any, mask: Any) -> int:
    """Return the discard of the card that is worth least to keep."""
    held, fits = _held(observation), fitting_own(observation)
    best, least = -1, 2 * NEVER
    for face in range(NUM_FACES):
        if mask[DISCARD + face]:
            worth = _worth_of_keeping(observation, face, held, fits)
            if worth < least:
                best, least = DISCARD + face, worth
    return best


@compiled
def _worth_of_keeping(observation: Any, face: int, held: int, fits: int) -> int:
    """Return how much a card should be kept: more if it is near a meld, less if its value is high.

    A wild card is kept above all others. For a face that the hand has twice, neighbors in the hand do not count.

    Args:
        observation: the observation.
        face: the card.
        held: mask of the faces in the hand.
        fits: mask of the naturals that fit melds of the side.
    """
    if face >= NUM_NATURALS:
        return NEVER + face
    rank = face % NUM_RANKS
    ranks = held >> face - rank & ALL_RANKS
    worth = -value_of_ranks(1 << rank, observation.ace_value)
    if observation.hand[face] == 1:
        near = ranks << 2 >> rank  # bits 0 to 4: two ranks below to two above
        worth += NEIGHBOR * ((near >> 1 & 1) + (near >> 3 & 1))
        worth += NEAR_NEIGHBOR * ((near & 1) + (near >> 4 & 1))
        if rank in (THREE, ACE):
            for suit in range(NUM_SUITS):
                other = suit * NUM_RANKS + rank
                worth += SAME_RANK * (other != face and held >> other & 1)
    return worth + FITS * (fits >> face & 1)
