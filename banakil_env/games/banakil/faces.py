"""The 53 faces of the pack (B1.1), of two cards each, and their values (B1.5)."""

from __future__ import annotations

from banakil_env.kit.cards import JOKER_TEXT, SUITS, Faces

RANKS = "3456789TJQKA"
NUM_RANKS = 12
NUM_SUITS = 4
ALL_RANKS = (1 << NUM_RANKS) - 1

NUM_NATURALS = NUM_SUITS * NUM_RANKS
TWO = NUM_NATURALS  # the Two of clubs; the Twos of the other suits follow
JOKER = TWO + NUM_SUITS
NUM_FACES = JOKER + 1
NO_FACE = NUM_FACES  # a number that stands for no card
COPIES = 2
PACK_SIZE = COPIES * NUM_FACES

ALL_NATURALS = (1 << NUM_NATURALS) - 1
ALL_TWOS = 0xF << TWO

FACES = Faces([rank + suit for suit in SUITS for rank in RANKS] + ["2" + suit for suit in SUITS] + [JOKER_TEXT], COPIES)

THREE, ACE = 0, NUM_RANKS - 1  # ranks, counted from the Three

# Values in half points (B1.5), by masks of ranks: half a point for 3-6, one for 7-K. A switch sets the Ace's (B9.7).
LOW_RANKS, MIDDLE_RANKS = 0b0000_0000_1111, 0b0111_1111_0000
LOW_VALUE, MIDDLE_VALUE, TWO_VALUE, JOKER_VALUE = 1, 2, 4, 8
