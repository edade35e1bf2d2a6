"""The faces of the games: what PettingZoo, Gymnasium and trainers see. They know no rule."""
