"""What the referees of Contract Rummy and Kalooki share: melds and their owners, position texts, contract by contract.

Nothing here is the engine's.
"""

from __future__ import annotations

from typing import ClassVar

from referee_texts import TextReferee, write_rules

Cards = tuple[str, ...]


class ContractsReferee(TextReferee):
    """One position of a game with contracts."""

    last_contract: ClassVar[int]

    contract: int
    mover: int  # the seat whose turn it is
    named: str  # in phase `choose`: the play that waits for its meld
    first: bool  # the melds of the mover were laid in this turn
    melds: list[tuple[int, Cards]]  # owner and cards, in the order of opening
    calls: list[int]

    def cards_of(self, meld: Cards) -> Cards:
        """The cards of a meld as a position writes it."""
        return meld

    def all_cards(self) -> list[str]:
        cards = [*self.pile, *self.stock]
        for group in (*self.hands, *(self.cards_of(meld) for _, meld in self.melds)):
            cards += group
        return cards

    # Text

    def _turn_text(self) -> str:
        raise NotImplementedError

    def _own_lines(self) -> list[tuple[str, object, object]]:
        """Lines of the game alone after `calls`: key, value, and the value that is left out."""
        return []

    def to_text(self) -> str:
        n, zeros = self.players, [0] * self.players
        owners = [owner for owner, _ in self.melds]
        rows = [" | ".join(" ".join(meld) for owner, meld in self.melds if owner == seat) for seat in range(n)]
        lines: list[tuple[str, object, object]] = [  # key, value, the value that is left out
            ("rules", write_rules(self.rules, self.presets), None),
            ("players", n, None),
            ("episode", self.episode, "round"),
            ("dealer", self.dealer, n - 1),
            ("round", self.rounds, 0),
            ("contract", self.contract, None),
            ("turns", self.turns, 0),
            ("scores", self.scores, zeros),
            ("over", self.ending, None) if self.over else ("turn", self._turn_text(), None),
            *((f"hand {seat}", self.tidy(hand), None) for seat, hand in enumerate(self.hands)),
            *((f"melds {seat}", row, "") for seat, row in enumerate(rows)),
            ("order", owners, sorted(owners)),
            *((f"known {seat}", " ".join(self.tidy(known)), "") for seat, known in enumerate(self.known)),
            ("calls", self.calls, zeros),
            *self._own_lines(),
            ("pile", self.pile, None),
            ("stock", self.stock, None),
            ("points", self.points, zeros),
            ("rng", self.rng, None),
        ]
        return "".join(f"{key}: {_words(value)}".rstrip() + "\n" for key, value, default in lines if value != default)

    # What a play does

    def _open(self, cards: Cards) -> None:
        raise NotImplementedError

    def _fitting(self, play: str) -> list[int]:
        """The numbers of the melds that take an addition or an exchange."""
        raise NotImplementedError

    def _grow(self, play: str, number: int) -> None:
        """Add or exchange at this meld."""
        raise NotImplementedError

    def _discard(self, card: str) -> None:
        raise NotImplementedError

    def _carry_out(self, action: str) -> None:
        """Carry out an action of the phases `play` and `choose`."""
        verb, _, rest = action.partition(" ")
        if verb == "open":
            self._open(tuple(rest.split()))
        elif verb in ("add", "swap"):
            fitting = self._fitting(action)
            if len(fitting) == 1:
                self._grow(action, fitting[0])
            else:
                self.phase, self.named = "choose", action
        elif verb == "meld":
            play, self.phase, self.named = self.named, "play", ""
            self._grow(play, int(rest))
        else:
            self._discard(rest)

    # The end of a round

    def _deal_next(self) -> None:
        """The next round, of the contract and by the dealer already set."""
        raise NotImplementedError

    def _score(self, ending: str, points: list[int], scored: bool) -> None:
        """End the round; in a match the same contract is dealt again by the same dealer if nothing was scored."""
        self.points = points
        self.scores = [before + now for before, now in zip(self.scores, points)]
        if self.episode == "round":
            self.ending = ending
            return
        self.rounds += 1
        if scored and self.contract == self.last_contract:
            winners = [f"seat {seat}" for seat, score in enumerate(self.scores) if score == min(self.scores)]
            self.ending = ", ".join(["match", *winners])
        elif self.rounds >= int(self.rules["max_rounds"]):
            self.ending = "rounds"
        else:
            if scored:
                self.dealer = (self.dealer + 1) % self.players
                self.contract += 1
            self._deal_next()


def _words(value: object) -> str:
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
