"""How does a person play at the terminal? The table as this seat sees it, the legal moves by their texts, a prompt."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.games import banakil
from banakil_env.games.banakil.faces import FACES, NUM_RANKS, NUM_SUITS, RANKS
from banakil_env.games.banakil.observation import JOKER_CELL, TWO_CELL

SUITS = "cdhs"
HELP = "Write a move as it is listed; its beginning is enough when only one begins so. An empty line lists them again."


class HumanPlayer:
    """A person.

    Args:
        ask: asks with a prompt and returns the line written, `input` by default.
        say: shows a text, `print` by default.
    """

    name = "human"
    untimed = True  # a person has no clock

    def __init__(self, ask: Callable[[str], str] = input, say: Callable[[str], Any] = print) -> None:
        self._ask, self._say = ask, say

    def act(
        self, observations: npt.NDArray[np.uint8], masks: npt.NDArray[np.int8], dice: npt.NDArray[np.uint64]
    ) -> npt.NDArray[np.int64]:
        """See `banakil_env.arena.Player.act`: one row after the other is asked about."""
        return np.array([self._move(*row) for row in zip(observations, masks)], np.int64)

    def _move(self, observation: npt.NDArray[np.uint8], mask: npt.NDArray[np.int8]) -> int:
        texts = {banakil.action_text(int(action)): int(action) for action in np.flatnonzero(mask)}
        self._say(table_text(observation))
        self._say("moves: " + ", ".join(texts))
        while True:
            line = " ".join(self._ask("> ").split()).lower()
            fitting = [text for text in texts if text.lower().startswith(line)]
            exact = [text for text in texts if text.lower() == line]
            if exact or len(fitting) == 1:
                return texts[(exact or fitting)[0]]
            if not line:
                self._say("moves: " + ", ".join(texts))
            elif fitting:
                self._say(f"{line!r} may be {', '.join(fitting)}")
            else:
                self._say(f"{line!r} is not legal now. {HELP}")


def make(argument: str) -> HumanPlayer:
    """The player `human`. ValueError: it takes no argument."""
    if argument:
        raise ValueError(f"human takes no argument, and got {argument!r}")
    return HumanPlayer()


def table_text(observation: npt.NDArray[np.uint8]) -> str:
    """What a seat sees, for a person: others by how many seats after oneself they play."""
    seen = banakil.fields(observation)
    lines = ["", f"stock {seen.stock_size}, pile (top first): {_pile_text(seen)}"]
    for seat in range(1, int(seen.num_players)):
        known = FACES.text(face for face in range(len(FACES)) for _ in range(seen.known[seat, face]))
        partner = " (partner)" if seen.partners and seat == 2 else ""
        lines.append(f"seat +{seat}{partner}: {seen.hand_size[seat]} cards{', among them ' + known if known else ''}")
    for slot in range(len(seen.meld_owner)):
        if seen.meld_owner[slot]:
            owner = int(seen.meld_owner[slot]) - 1
            lines.append(f"meld {slot}, {'own' if owner == 0 else f'of seat +{owner}'}: {_meld_text(seen, slot)}")
    lines.append("hand: " + FACES.text(face for face in range(len(FACES)) for _ in range(seen.hand[face])))
    if seen.named:
        lines.append(f"to which meld shall {FACES.names[seen.named - 1]} go?")
    return "\n".join(lines)


def _pile_text(seen: Any) -> str:
    places = {int(seen.pile[face, copy]): face for face in range(len(FACES)) for copy in range(2)}
    return FACES.text(places[depth] for depth in sorted(places) if depth) or "empty"


def _meld_text(seen: Any, slot: int) -> str:
    kind, cards = int(seen.meld_kind[slot]), []
    two = f"2{SUITS[seen.meld_two[slot] - 1]}" if seen.meld_two[slot] else ""
    joker = FACES.names[-1] if seen.meld_joker[slot] else ""
    for place in range(NUM_RANKS if kind <= NUM_SUITS else NUM_SUITS):
        cell = seen.meld_cards[slot, place]
        if cell == TWO_CELL:
            cards.append(two)
        elif cell == JOKER_CELL:
            cards.append(joker)
        elif cell:
            cards.append(
                RANKS[place] + SUITS[kind - 1] if kind <= NUM_SUITS else ("3" if kind == 5 else "A") + SUITS[place]
            )
    return " ".join([*cards, *(wild for wild in (two, joker) if wild and wild not in cards)])
