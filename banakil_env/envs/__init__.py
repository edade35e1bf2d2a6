"""The environments for PettingZoo, Gymnasium and trainers. They contain no rules of games."""
