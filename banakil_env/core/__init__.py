"""What every game of the family shares: cards, randomness, compilation, loops over states. It knows no game."""
