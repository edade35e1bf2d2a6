"""How do the tests of a game set up a table? The lines that matter, actions by their texts, and random play."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

CARD_KEYS = ("hand", "melds", "pile", "stock")


def given_in(lines: tuple[str, ...]) -> dict[str, str]:
    """Lines of a position by key."""
    return {line.partition(":")[0].strip(): line.partition(":")[2].strip() for line in lines}


class TablesOf:
    """Tables of one game.

    Args:
        game: its package, the plain interface.
        eager: how often random play chooses a play to the table where it can: 0 is by chance alone.
    """

    def __init__(self, game: Any, eager: float = 0.0) -> None:
        self.game, self.eager = game, eager

    def of(self, given: dict[str, str]) -> Any:
        """The state of these lines; what they leave out the game fills in."""
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

    def plays(self, state: Any) -> set[str]:
        """The texts of the legal actions without the discards."""
        return {text for text in self.legal(state) if not text.startswith("discard")}

    def lines(self, state: Any) -> dict[str, str]:
        """The lines of a position by key."""
        return given_in(tuple(self.game.to_text(state).splitlines()))

    def line(self, state: Any, key: str) -> str:
        """A line of the position; "" if there is none."""
        return self.lines(state).get(key, "")

    def random_states(self, count: int, seed: int = 0, **options: Any) -> Iterator[Any]:
        """States of random play, one every few actions."""
        dice = random.Random(seed)
        state = self.game.new(seed=seed, **options)
        for _ in range(count):
            for _ in range(dice.randrange(1, 12)):
                if self.game.is_over(state):
                    state = self.game.new(seed=dice.randrange(2**32), **options)
                actions = self.game.legal_actions(state)
                plays = [a for a in actions if self.game.action_text(a).startswith(("open", "add", "take"))]
                self.game.apply(
                    state, dice.choice(plays if self.eager and plays and dice.random() < self.eager else actions)
                )
            yield state.copy()


class WholePack(TablesOf):
    """Tables for which every card is named: those that no line names are the stock."""

    def pack(self, rules: str, players: int) -> list[str]:
        """The texts of all cards, ascending."""
        raise NotImplementedError

    def at(self, *lines: str) -> Any:
        """The state of these lines: hands and a pile that are left out hold a King; the rest is the stock."""
        given = given_in(lines)
        players = int(given.get("players", 2))
        for key in ["pile", *(f"hand {seat}" for seat in range(players))]:
            if key not in given:
                left = self._left(given, players)[:: 1 if key == "pile" else -1]
                given[key] = next((card for card in left if card[0] == "K"), left[-1])
        return self.of({"stock": " ".join(self._left(given, players))} | given)

    def seat_0_to_play(self, *lines: str, players: int = 3) -> Any:
        """The state of these lines, with seat 0 to play: hands and a pile that are left out are empty."""
        given = {"players": str(players), "turn": "seat 0, play", "pile": ""} | given_in(lines)
        given |= {f"hand {seat}": "" for seat in range(players) if f"hand {seat}" not in given}
        return self.of({"stock": " ".join(self._left(given, players))} | given)

    def _left(self, given: dict[str, str], players: int) -> list[str]:
        """The cards that lie nowhere yet, ascending."""
        left = self.pack(given.get("rules", ""), players)
        for key, value in given.items():
            for word in value.replace("|", " ").split() if key.split()[0] in CARD_KEYS else ():
                card = re.sub("[=@].*", "", word)
                if card in left:  # the word `set` is not there; the game refuses cards that are too many
                    left.remove(card)
        return left
