"""The environments: the games for PettingZoo, Gymnasium and trainers. They know no rules."""
