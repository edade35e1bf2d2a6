"""How do the tests of games with melds, a pile and a stock set up a table? The lines that matter, and random play."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator
from typing import Any

CARD_KEYS = ("hand", "melds", "pile", "stock")


class TablesOf:
    """Tables of one game.

    Args:
        game: its package, the plain interface.
        pack: from the rules as text and the number of players the texts of all cards, ascending.
    """

    def __init__(self, game: Any, pack: Callable[[str, int], list[str]]) -> None:
        self.game, self.pack = game, pack

    def at(self, *lines: str) -> Any:
        """The state of these lines: hands and a pile that are left out hold a King; the rest is the stock."""
        given = {line.partition(":")[0].strip(): line.partition(":")[2].strip() for line in lines}
        players = int(given.get("players", 2))

        def free() -> list[str]:
            """The cards that lie nowhere yet, ascending."""
            left = self.pack(given.get("rules", ""), players)
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
        return self.game.from_text("\n".join(f"{key}: {value}" for key, value in given.items()))

    def play(self, state: Any, *actions: str) -> Any:
        """The state after these actions."""
        for text in actions:
            self.game.apply(state, self.game.parse_action(text))
        return state

    def legal(self, state: Any, *verbs: str) -> set[str]:
        """The texts of the legal actions; with verbs only those that begin so."""
        texts = {self.game.action_text(action) for action in self.game.legal_actions(state)}
        return {text for text in texts if not verbs or text.startswith(verbs)}

    def lines(self, state: Any) -> dict[str, str]:
        """The lines of a position by key."""
        said = self.game.to_text(state).splitlines()
        return dict(line.split(": ", 1) if ": " in line else (line[:-1], "") for line in said)

    def random_states(self, count: int, seed: int = 0, **options: Any) -> Iterator[Any]:
        """States of random play, one every few actions; plays to the table more often than by chance."""
        dice = random.Random(seed)
        state = self.game.new(seed=seed, **options)
        for _ in range(count):
            for _ in range(dice.randrange(1, 12)):
                if self.game.is_over(state):
                    state = self.game.new(seed=dice.randrange(2**32), **options)
                actions = self.game.legal_actions(state)
                plays = [a for a in actions if self.game.action_text(a).startswith(("open", "add", "take"))]
                self.game.apply(state, dice.choice(plays if plays and dice.random() < 0.7 else actions))
            yield state.copy()
