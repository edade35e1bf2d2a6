"""How do the tests of Hand and Foot set up a table? The lines that matter; all other cards become the stock."""

from __future__ import annotations

import random

from banakil_env.games import hand_and_foot
from banakil_env.kit.books.kinds import FACES

FIVE_PILES = (
    "4c 4c 4c 4c 4c 4d 4d | 5c 5c 5c 5c 5d 5d 5d | 6c 6c 6c 6c 6c 2c 2c | 8c 8c 8c 8c 8c 2d 2d | 2h 2h 2h 2h 2h 2s 2s"
)
FOOT = "4h 5h 6h 8h 9h Th Jh Qh Kh Ah Ah"


def at(*lines: str):
    """The state of these lines: a hand that is left out holds one Jack or Queen, the pile is 5c."""
    given = {line.partition(":")[0].strip(): line.partition(":")[2].strip() for line in lines}
    for seat, card in enumerate(("Jc", "Jd", "Jh", "Js")):
        given.setdefault(f"hand {seat}", card)
    given.setdefault("pile", "5c")
    return hand_and_foot.from_text("\n".join(f"{key}: {value}" for key, value in given.items()))


def play(state, *actions: str):
    """The state after these actions."""
    for text in actions:
        hand_and_foot.apply(state, hand_and_foot.parse_action(text))
    return state


def legal(state) -> set[str]:
    """The texts of the legal actions."""
    return {hand_and_foot.action_text(action) for action in hand_and_foot.legal_actions(state)}


def lines(state) -> dict[str, str]:
    """The lines of a position by key."""
    text = hand_and_foot.to_text(state)
    return {key: value.strip() for key, _, value in (line.partition(":") for line in text.splitlines())}


def whole_pack() -> list[str]:
    """The names of all cards."""
    return [name for name in FACES.names for _ in range(10 if name == "JK" else 5)]


def left_but(*used: str) -> list[str]:
    """The pack without these cards."""
    pack = whole_pack()
    for card in " ".join(used).split():
        pack.remove(card)
    return pack


def random_states(count: int, seed: int = 0, **options):
    """States of random play, one every few actions."""
    dice = random.Random(seed)
    state = hand_and_foot.new(seed=seed, **options)
    for _ in range(count):
        for _ in range(dice.randrange(1, 12)):
            if hand_and_foot.is_over(state):
                state = hand_and_foot.new(seed=dice.randrange(2**32), **options)
            hand_and_foot.apply(state, dice.choice(hand_and_foot.legal_actions(state)))
        yield state.copy()
