"""How is a hand laid down best? The compiled functions behind `solver.py`, the plain interface."""
