"""What is a game that is being played? Its states, who sits where, and every move so far: for terminal and browser.

>>> from banakil_env.play.session import Session
>>> session = Session.deal("rummy", [None, "greedy"], seed=7)
>>> while session.player_to_move is not None:
...     session.move_player()
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.arena.ask import PlayerFailed, prepare
from banakil_env.arena.ask import ask as ask_in_time
from banakil_env.arena.players import Player, make_players
from banakil_env.core.game import Game
from banakil_env.games import find
from banakil_env.kit.cards import respelled
from banakil_env.kit.plain import Plain
from banakil_env.kit.records import Move, Recorder

PERSON = "human"


@dataclass(frozen=True)
class Seat:
    """Who sits at a seat: a player, or a person (None), and what they are called."""

    player: Player | None
    name: str


class Session:
    """A game that is being played.

    Attributes:
        game: which game. plain: its functions. seats: who sits where.
        seed: of the deal and of the players' dice; None: it began from a position.
        moves: every decision so far, with the state before it.
    """

    def __init__(self, game: Game, start: npt.NDArray[Any], seats: Sequence[Seat], seed: int | None = None) -> None:
        self.game, self.plain, self.seats, self.seed = game, Plain(game), tuple(seats), seed
        self.moves: list[Move] = []
        self._start = start.copy()
        self._state = start.copy()
        self._prepared: set[int] = set()  # players that have been, by their id()

    @classmethod
    def deal(
        cls,
        game: str | Game,
        players: Sequence[str | Player | None],
        *,
        seed: int,
        options: Mapping[str, Any] | None = None,
        names: Sequence[str | None] = (),
    ) -> Session:
        """A new game with a player for each seat; None or "human": a person.

        Args:
            options: of the game, without the number of players.
            names: what the seats are called, where they are not called by their players.

        Raises:
            ValueError: no such game, player or option's value. TypeError: no such option.
        """
        found = find(game)
        state = Plain(found).new(len(players), seed=seed, **(options or {}))
        return cls(found, np.asarray(state).reshape(1), seated(found, players, names), seed)

    @property
    def state(self) -> Any:
        """The state now, one record."""
        return self._state[0]

    @property
    def seat_to_move(self) -> int | None:
        """Whose decision it is; None when the game is over."""
        return self.plain.seat_to_move(self.state)

    @property
    def player_to_move(self) -> Player | None:
        """The player whose decision it is; None when a person's, or nobody's."""
        seat = self.seat_to_move
        return None if seat is None else self.seats[seat].player

    def prepare(self, *others: Player) -> None:
        """Compile what the first moves need, of the game, of its players and of others, so that nobody waits later."""
        legal = self.plain.legal_actions(self.state)
        if legal:
            trial = self._state.copy()
            self.plain.observe(trial[0], self.seat_to_move or 0)
            self.plain.apply(trial[0], legal[0])
        for player in [*(seat.player for seat in self.seats), *others]:
            self._prepare(player)

    def _prepare(self, player: Player | None) -> None:
        if player is not None and id(player) not in self._prepared:
            prepare(player)
            self._prepared.add(id(player))

    def play(self, action: int) -> None:
        """Carry out an action of the seat to move. IllegalAction: it is not legal, and nothing has changed."""
        before, seat = self._state.copy(), self.seat_to_move
        self.plain.apply(self.state, action)
        assert seat is not None
        self.moves.append(Move(before, seat, action))

    def move_player(self) -> Move:
        """Let the player whose decision it is make one move. PlayerFailed: it raised, or answered what is illegal."""
        player = self.player_to_move
        assert player is not None
        action = self.answer_of(player)
        self.play(action)
        return self.moves[-1]

    def answer_of(self, player: Player) -> int:
        """What a player would do now. PlayerFailed: it raised, or answered what is illegal."""
        seat = self.seat_to_move
        assert seat is not None
        seen = self.plain.observe(self.state, seat)
        dice = np.array([self.dice()], np.uint64)
        self._prepare(player)
        action = int(ask_in_time(player, seen["observation"][None], seen["action_mask"][None].copy(), dice, None)[0])
        if not 0 <= action < self.game.num_actions or not seen["action_mask"][action]:
            raise PlayerFailed(f"{player.name} answered the action {action}, which is not legal")
        return action

    def dice(self) -> int:
        """The random bits of a player's next move: the same at the same place of the same game."""
        rng = np.random.default_rng([self.seed or 0, len(self.moves)])
        return int(rng.integers(0, 2**64, dtype=np.uint64))

    def back_to(self, count: int) -> None:
        """Take back all moves but the first `count`."""
        if count < len(self.moves):
            self._state = self.moves[count].state.copy()
            del self.moves[count:]

    def undo_turn(self, seat: int) -> bool:
        """Go back to the start of the last turn in which this seat has moved; False: it has not moved."""
        own = [number for number, move in enumerate(self.moves) if move.seat == seat]
        if not own:
            return False
        first = own[-1]
        for number in reversed(own[:-1]):
            if number != first - 1 or _turn(self.moves[number].state) != _turn(self.moves[first].state):
                break
            first = number
        self.back_to(first)
        return True

    def record(self) -> str:
        """The game so far as a game record (docs/notation.md), with who sat where."""
        notes = Recorder(self.game, self._start[0], self.seed, [seat.name for seat in self.seats])
        for move in self.moves:
            notes.note(move.state[0], move.action)
        return notes.text(self.state)


def seated(game: Game, players: Sequence[str | Player | None], names: Sequence[str | None] = ()) -> list[Seat]:
    """Who sits where. ValueError: there is no such player of the game."""
    found = []
    for number, player in enumerate(players):
        name = names[number] if number < len(names) else None
        if player is None or player == PERSON:
            found.append(Seat(None, name or PERSON))
        else:
            [made] = make_players([player], game)
            found.append(Seat(made, name or made.name))
    return found


def _turn(state: npt.NDArray[Any]) -> tuple[int, int]:
    return int(state[0].rounds), int(state[0].turns)


def matching(line: str, texts: Sequence[str]) -> int | str:
    """Which of the texts a person means by a line: its place, or else why none.

    A line is a number from 1, a text, or its beginning where only one text begins so; `10♥` is `Th`.
    """
    said = " ".join(line.split()).lower()
    if said.isdigit() and said.isascii():
        number = int(said[:9])
        return (
            number - 1 if 1 <= number <= len(texts) else f"there is no move {said}: they have numbers 1 to {len(texts)}"
        )
    low = [text.lower() for text in texts]
    if said in low:
        return low.index(said)
    fitting = [place for place, text in enumerate(low) if text.startswith(said)] if said else []
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        some = ", ".join(texts[place] for place in fitting[:8]) + (" or another" if len(fitting) > 8 else "")
        return f"{said!r} may be {some}"
    if (again := respelled(line).lower()) != line.lower():
        return matching(again, texts)
    return f"{said!r:.60} is not among the legal moves"


Say = Callable[[str], Any]
