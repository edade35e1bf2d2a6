"""How do the tests of Rummy set up a table? The lines that matter; all other cards become the stock."""

from __future__ import annotations

import random

from banakil_env.games import rummy
from banakil_env.kit.pack52 import FACES

CARD_KEYS = ("hand", "melds", "pile", "stock")


def at(*lines: str):
    """The state of these lines: hands left out hold Kd, Kh, Ks ..., the pile Kc; the rest of the pack is the stock."""
    given = {line.partition(":")[0].strip(): line.partition(":")[2].strip() for line in lines}
    players = int(given.get("players", 2))

    def free():
        used = " ".join(value for key, value in given.items() if key.split()[0] in CARD_KEYS).replace("|", " ").split()
        return [name for name in FACES.names if name not in used]

    for key in ["pile", *(f"hand {seat}" for seat in range(players))]:
        if key not in given:
            given[key] = next(card for card in reversed(free()) if card[0] == "K" or key != "pile")
    if "stock" not in given:
        given["stock"] = " ".join(free())
    return rummy.from_text("\n".join(f"{key}: {value}" for key, value in given.items()))


def play(state, *actions: str):
    """The state after these actions."""
    for text in actions:
        rummy.apply(state, rummy.parse_action(text))
    return state


def legal(state) -> set[str]:
    return {rummy.action_text(action) for action in rummy.legal_actions(state)}


def lines(state) -> dict[str, str]:
    """The lines of a position by key."""
    return dict(line.split(": ", 1) if ": " in line else (line[:-1], "") for line in rummy.to_text(state).splitlines())


def random_states(count: int, seed: int = 0, **options):
    """States of random play, one every few actions."""
    dice = random.Random(seed)
    state = rummy.new(seed=seed, **options)
    for _ in range(count):
        for _ in range(dice.randrange(1, 12)):
            if rummy.is_over(state):
                state = rummy.new(seed=dice.randrange(2**32), **options)
            state = play(state, rummy.action_text(dice.choice(rummy.legal_actions(state))))
        yield state.copy()
