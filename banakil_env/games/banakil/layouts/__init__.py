"""The hand solver's compiled functions; `solver.py` is its interface for Python.

* `layout.py`: `best_layout`, the best way to lay down a hand. Start there.
* `suits.py`: one suit, with its new sequences and its melds on the table together.
* `sequences.py`: the new sequences of one suit.
* `sets.py`: sets of Threes and Aces.
* `additions.py`: the melds that a meld on the table can become.
* `weights.py`: half points and cards counted in one number.
* `bound.py`: a fast lower bound on the number of cards that stay in the hand.
"""
