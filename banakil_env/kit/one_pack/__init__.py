"""The card table of a game with one pack of 52 cards without Jokers, each card there once, and melds as masks."""
