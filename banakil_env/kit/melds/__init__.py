"""Melds stored as numbers: several kinds of runs, sets and books, and functions that find them in hands."""
