"""How do the tests of Canasta set up a table? The lines that matter; all other cards become the stock."""

from __future__ import annotations

import random

from banakil_env.games import canasta


def at(*lines: str):
    """The state of these lines: a hand that is left out holds one Jack or Queen, four play, the pile is 5c."""
    given = {line.partition(":")[0].strip(): line.partition(":")[2].strip() for line in lines}
    given.setdefault("players", "4")
    for seat, card in zip(range(int(given["players"])), ("Jc", "Jd", "Jh", "Js")):
        given.setdefault(f"hand {seat}", card)
    given.setdefault("pile", "5c")
    return canasta.from_text("\n".join(f"{key}: {value}" for key, value in given.items()))


def play(state, *actions: str):
    """The state after these actions."""
    for text in actions:
        canasta.apply(state, canasta.parse_action(text))
    return state


def legal(state) -> set[str]:
    """The texts of the legal actions."""
    return {canasta.action_text(action) for action in canasta.legal_actions(state)}


def lines(state) -> dict[str, str]:
    """The lines of a position by key."""
    return {
        key: value.strip() for key, _, value in (line.partition(":") for line in canasta.to_text(state).splitlines())
    }


def random_states(count: int, seed: int = 0, **options):
    """States of random play, one every few actions."""
    dice = random.Random(seed)
    state = canasta.new(seed=seed, **options)
    for _ in range(count):
        for _ in range(dice.randrange(1, 12)):
            if canasta.is_over(state):
                state = canasta.new(seed=dice.randrange(2**32), **options)
            canasta.apply(state, dice.choice(canasta.legal_actions(state)))
        yield state.copy()
