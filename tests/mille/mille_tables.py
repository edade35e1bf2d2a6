"""How do the tests of Mille set up a table? The lines that matter; all other cards become the stock."""

from __future__ import annotations

import random

from banakil_env.games import mille


def at(*lines: str):
    """The state of these lines: a hand that is left out holds one Four or Six, the pile is 5c."""
    given = {line.partition(":")[0].strip(): line.partition(":")[2].strip() for line in lines}
    for key, cards in {"hand 0": "4c", "hand 1": "6c", "pile": "5c"}.items():
        given.setdefault(key, cards)
    return mille.from_text("\n".join(f"{key}: {value}" for key, value in given.items()))


def play(state, *actions: str):
    """The state after these actions."""
    for text in actions:
        mille.apply(state, mille.parse_action(text))
    return state


def legal(state) -> set[str]:
    """The texts of the legal actions."""
    return {mille.action_text(action) for action in mille.legal_actions(state)}


def lines(state) -> dict[str, str]:
    """The lines of a position by key."""
    return {key: value.strip() for key, _, value in (line.partition(":") for line in mille.to_text(state).splitlines())}


def random_states(count: int, seed: int = 0, **options):
    """States of random play, one every few actions."""
    dice = random.Random(seed)
    state = mille.new(seed=seed, **options)
    for _ in range(count):
        for _ in range(dice.randrange(1, 12)):
            if mille.is_over(state):
                state = mille.new(seed=dice.randrange(2**32), **options)
            mille.apply(state, dice.choice(mille.legal_actions(state)))
        yield state.copy()
