"""Melds as numbers: runs, sets and books of many kinds, and what a hand can make of them."""
