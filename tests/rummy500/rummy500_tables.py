"""How do the tests of 500 Rummy set up a table? The lines that matter; all other cards become the stock."""

from __future__ import annotations

import random
import re

from banakil_env.games import rummy500
from banakil_env.kit.pack54 import FACES, JOKER

CARD_KEYS = ("hand", "melds", "pile", "stock")


def at(*lines: str):
    """The state of these lines: hands and a pile that are left out hold a King; the rest is the stock."""
    given = {line.partition(":")[0].strip(): line.partition(":")[2].strip() for line in lines}
    players = int(given.get("players", 2))
    jokers = rummy500.Rules.parse(given.get("rules", "")).jokers

    def free():
        """The cards that lie nowhere yet, ascending."""
        packs = 1 + (players > 4)
        left = [name for face, name in enumerate(FACES.names) for _ in range(packs * (jokers if face == JOKER else 1))]
        for key, value in given.items():
            for word in value.replace("|", " ").split() if key.split()[0] in CARD_KEYS else ():
                left.remove(re.sub("[=@].*", "", word))
        return left

    for key in ["pile", *(f"hand {seat}" for seat in range(players))]:
        if key not in given:
            left = free()[:: 1 if key == "pile" else -1]
            given[key] = next((card for card in left if card[0] == "K"), left[-1])
    if "stock" not in given:
        given["stock"] = " ".join(free())
    return rummy500.from_text("\n".join(f"{key}: {value}" for key, value in given.items()))


def play(state, *actions: str):
    """The state after these actions."""
    for text in actions:
        rummy500.apply(state, rummy500.parse_action(text))
    return state


def legal(state, *verbs: str) -> set[str]:
    """The texts of the legal actions; with verbs only those that begin so."""
    texts = {rummy500.action_text(action) for action in rummy500.legal_actions(state)}
    return {text for text in texts if not verbs or text.startswith(verbs)}


def lines(state) -> dict[str, str]:
    """The lines of a position by key."""
    said = rummy500.to_text(state).splitlines()
    return dict(line.split(": ", 1) if ": " in line else (line[:-1], "") for line in said)


def random_states(count: int, seed: int = 0, **options):
    """States of random play, one every few actions; plays to the table more often than by chance."""
    dice = random.Random(seed)
    state = rummy500.new(seed=seed, **options)
    for _ in range(count):
        for _ in range(dice.randrange(1, 12)):
            if rummy500.is_over(state):
                state = rummy500.new(seed=dice.randrange(2**32), **options)
            actions = rummy500.legal_actions(state)
            plays = [action for action in actions if rummy500.action_text(action).startswith(("open", "add", "take"))]
            rummy500.apply(state, dice.choice(plays if plays and dice.random() < 0.7 else actions))
        yield state.copy()
