"""The common layout: observations as cards and actions as vectors, in the same arrays for every game."""
