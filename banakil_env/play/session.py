"""A game in progress: its states, its seats and every move so far; used by the terminal and the browser.

>>> from banakil_env.play.session import Session
>>> session = Session.deal("rummy", [None, "greedy"], seed=7)
>>> while session.player_to_move is not None:
...     session.move_player()
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.arena.ask import PlayerFailed, prepare
from banakil_env.arena.ask import ask as ask_in_time
from banakil_env.arena.players import Player, make_players
from banakil_env.core.events import GATHER, HAND, ROUND_OVER, Event, seen_events
from banakil_env.core.game import Game
from banakil_env.core.hints import nearest
from banakil_env.games import find
from banakil_env.kit.cards import respelled
from banakil_env.kit.plain import Plain
from banakil_env.kit.records import Move, Recorder
from banakil_env.kit.score_lines import Line
from banakil_env.kit.table_events import end_of_round
from banakil_env.play.names import called
from banakil_env.text.events import REVEALING, deeds_text
from banakil_env.text.points import score_lines

PERSON = "human"
NEARNESS = 0.6  # least similarity (difflib's ratio) at which a move is suggested for a mistyped text


@dataclass(frozen=True)
class Seat:
    """A seat: its player (None for a person), and its name."""

    player: Player | None
    name: str

    @property
    def called(self) -> str:
        """The name that people read: the name of the person, or the player's name without a path."""
        return self.name if self.player is None else called(self.name)


@dataclass(frozen=True)
class Round:
    """A round that has ended.

    Attributes:
        move: the number of the move that ended it.
        text: how the round ended, in words.
        points: by seat, in the game's own sign.
        lines: the parts of the points of each seat; () if the game gives no parts.
    """

    move: int
    text: str
    points: tuple[int, ...]
    lines: tuple[tuple[Line, ...], ...]


class Session:
    """A game in progress.

    Attributes:
        game: the game.
        plain: the functions of the game for plain Python.
        seats: the seats, with their players.
        seed: the seed of the deal and of the players' dice; None if the game began from a position.
        moves: every decision so far, with the state before it.
    """

    def __init__(self, game: Game, start: npt.NDArray[Any], seats: Sequence[Seat], seed: int | None = None) -> None:
        self.game, self.plain, self.seats, self.seed = game, Plain(game), tuple(seats), seed
        self.moves: list[Move] = []
        self._events: list[list[Event]] = []
        self._rounds: list[Round] = []
        self._start = start.copy()
        self._state = start.copy()
        self._prepared: set[int] = set()  # players whose `prepare` has been called, by their id()

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
        """Start a new game with a player at each seat; None or "human" stands for a person.

        Args:
            game: the game or its name.
            players: the player at each seat.
            seed: the seed of the deal.
            options: options of the game, except the number of players.
            names: names of the seats; a seat without a name has the name of its player.

        Raises:
            ValueError: there is no such game or player, or an option has an invalid value.
            TypeError: the game has no such option.
        """
        found = find(game)
        state = Plain(found).new(len(players), seed=seed, **(options or {}))
        return cls(found, np.asarray(state).reshape(1), seated(found, players, names), seed)

    @classmethod
    def replayed(cls, game: Game, start: npt.NDArray[Any], actions: Sequence[int], names: Sequence[str]) -> Session:
        """A game that has already been played, without players.

        Args:
            game: the game.
            start: its first state, an array of one.
            actions: the actions of the game in order.
            names: the players' names by seat; "" for a seat without a name.

        Raises:
            IllegalAction: an action is not legal.
        """
        count = len(game.outcome(start[0]).points)
        session = cls(game, start, [Seat(None, called(name)) for name in [*names, *[""] * count][:count]])
        for action in actions:
            session.play(action)
        return session

    def copy(self) -> Session:
        """An independent copy of the game so far."""
        twin = Session(self.game, self._start, self.seats, self.seed)
        twin.moves, twin._state = list(self.moves), self._state.copy()
        return twin

    @property
    def state(self) -> Any:
        """The current state, one record."""
        return self._state[0]

    @property
    def seat_to_move(self) -> int | None:
        """The seat that decides; None if the game is over."""
        return self.plain.seat_to_move(self.state)

    @property
    def player_to_move(self) -> Player | None:
        """The player that decides; None if a person decides or the game is over."""
        seat = self.seat_to_move
        return None if seat is None else self.seats[seat].player

    def prepare(self, *others: Player) -> None:
        """Compile the code that the game, its players and `others` need, so that nobody waits during play."""
        legal = self.plain.legal_actions(self.state)
        if legal:
            trial = self._state.copy()
            self.plain.observe(trial[0], self.seat_to_move or 0)
            self.plain.apply(trial[0], legal[0])
            self.game.events(self._state[0], legal[0], trial[0])
        for player in [*(seat.player for seat in self.seats), *others]:
            self._prepare(player)

    def _prepare(self, player: Player | None) -> None:
        if player is not None and id(player) not in self._prepared:
            prepare(player)
            self._prepared.add(id(player))

    def play(self, action: int) -> None:
        """Carry out an action of the seat to move. An illegal action raises IllegalAction and changes nothing."""
        self.accept(action, self.after(action))

    def after(self, action: int) -> npt.NDArray[Any]:
        """The state after an action, as an array of one record; the session does not change.

        Raises IllegalAction if the action is illegal.
        """
        state = self._state.copy()
        self.plain.apply(state[0], action)
        return state

    def accept(self, action: int, state: npt.NDArray[Any]) -> None:
        """Carry out an action that leads to `state`, which `after` has returned. This cannot fail."""
        seat = self.seat_to_move
        assert seat is not None
        self.moves.append(Move(self._state, seat, action))
        self._state = state

    def play_on(self, actions: Sequence[int]) -> list[int]:
        """Carry out several moves of a seat; returns the moves that were not made.

        Moves are made as long as the seat is to move, the move is legal and no hidden card has been revealed.
        """
        left, seat = list(actions), self.seat_to_move
        while left and self.seat_to_move == seat and left[0] in self.plain.legal_actions(self.state):
            self.play(left.pop(0))
            if any(event.kind in REVEALING for event in self.events(len(self.moves) - 1)):
                break
        return left

    def move_player(self) -> Move:
        """Let the player that decides make one move. Raises PlayerFailed if it fails or its action is illegal."""
        player = self.player_to_move
        assert player is not None
        action = self.answer_of(player)
        self.play(action)
        return self.moves[-1]

    def answer_of(self, player: Player) -> int:
        """The action of a player in this position. Raises PlayerFailed if it fails or its action is illegal."""
        return self.question_to(player)()

    def question_to(self, player: Player) -> Callable[[], int]:
        """A function that returns a player's action in this position.

        Another thread can call the function while the game continues.
        """
        seat = self.seat_to_move
        assert seat is not None
        seen = self.plain.observe(self.state, seat)
        dice = np.array([self.dice()], np.uint64)

        def answer() -> int:
            self._prepare(player)
            rows = seen["observation"][None], seen["action_mask"][None].copy()
            action = int(ask_in_time(player, *rows, dice, None)[0])
            if not 0 <= action < self.game.num_actions or not seen["action_mask"][action]:
                raise PlayerFailed(f"{player.name} answered {_named(self.game, action)}, which is not legal")
            return action

        return answer

    def dice(self) -> int:
        """The random bits for a player's next move; they depend only on the seed and the number of the move."""
        rng = np.random.default_rng([self.seed or 0, len(self.moves)])
        return int(rng.integers(0, 2**64, dtype=np.uint64))

    def back_to(self, count: int) -> None:
        """Take back all moves except the first `count`."""
        if count < len(self.moves):
            self._state = self.moves[count].state.copy()
            del self.moves[count:], self._events[count:]
            self._rounds = [each for each in self._rounds if each.move < count]

    def undo_turn(self, seat: int) -> bool:
        """Go back to the start of the last turn in which this seat moved; returns False if it has not moved."""
        first = self.last_turn_of(seat)
        if first is None:
            return False
        self.back_to(first)
        return True

    def last_turn_of(self, seat: int) -> int | None:
        """The number of the first move of the last turn in which this seat moved; None if it has not moved."""
        last = next((number for number in reversed(range(len(self.moves))) if self.moves[number].seat == seat), None)
        if last is None:
            return None
        turn, first = _turn(self.moves[last].state), last
        while first and self.moves[first - 1].seat == seat and _turn(self.moves[first - 1].state) == turn:
            first -= 1
        return first

    def events(self, number: int) -> list[Event]:
        """The events of move `number` in order, with all cards; `Event.seen_from` gives those that one seat saw."""
        while len(self._events) <= number:
            move = self.moves[len(self._events)]
            after = [*self.moves, Move(self._state, -1, -1)][len(self._events) + 1].state
            self._events.append(self.game.events(move.state[0], move.action, after[0]))
            self._rounds.extend(
                self._ended(move, after, event) for event in self._events[-1] if event.kind == ROUND_OVER
            )
        return self._events[number]

    def rounds(self) -> list[Round]:
        """The rounds that have ended, in order, with the parts of their points."""
        if self.moves:
            self.events(len(self.moves) - 1)
        return self._rounds

    def _ended(self, move: Move, after: npt.NDArray[Any], event: Event) -> Round:
        """The round that a move has ended.

        Args:
            move: the move.
            after: the state after the move; in a match, this state already holds the next deal.
            event: the event that ended the round.
        """
        ended = end_of_round(self.game, move.state[0], move.action)
        lines = score_lines(self.game, after[0] if ended is None else ended)
        return Round(len(self._events) - 1, event.said, event.points, lines)

    def brought(self, number: int, seat: int) -> Counter[str] | None:
        """The cards that move `number` added to a seat's hand; None if new hands were dealt."""
        cards: Counter[str] = Counter()
        for event in self.events(number):
            if event.kind == GATHER:
                return None
            if event.seat == seat and event.target == HAND:
                cards.update(filter(None, event.cards))
            if event.seat == seat and event.source == HAND:
                cards.subtract(filter(None, event.cards))
        return +cards

    def deeds(self, number: int, viewer: int | None) -> str:
        """The events of move `number` in words, as seat `viewer` saw them; None for all cards."""
        events, names = self.events(number), [f"Seat {n} ({seat.called})" for n, seat in enumerate(self.seats)]
        seen = events if viewer is None else seen_events(events, viewer)
        return deeds_text(seen, self.moves[number].seat, names)

    def record(self) -> str:
        """The game so far as a game record (docs/notation.md), with the names of the seats."""
        notes = Recorder(self.game, self._start[0], self.seed, [seat.name for seat in self.seats])
        for move in self.moves:
            notes.note(move.state[0], move.action)
        return notes.text(self.state)


def seats_around(game: Game, players: int, seat: int, opponent: str) -> list[str | None]:
    """The players of a table with one person: None at the person's seat, and `opponent` at all other seats.

    Args:
        game: the game.
        players: the number of players; 0 for the smallest number.
        seat: the seat of the person.
        opponent: the name of the player at the other seats.

    Raises:
        ValueError: the game is not for this number of players, or there is no such seat.
    """
    count = num_players_of(game, players)
    if not 0 <= seat < count:
        raise ValueError(f"there is no seat {seat}: {count} play, seats from 0 on")
    return [None if number == seat else opponent for number in range(count)]


def num_players_of(game: Game, players: int) -> int:
    """The number of players of a table; `players` = 0 stands for the smallest number of the game.

    Raises ValueError if the game is not for this number.
    """
    if players == 0:
        return game.seats[0]
    game.new(num_players=players)
    return players


def seated(game: Game, players: Sequence[str | Player | None], names: Sequence[str | None] = ()) -> list[Seat]:
    """A `Seat` for each of these players. Raises ValueError if the game has no such player."""
    found = []
    for number, player in enumerate(players):
        name = names[number] if number < len(names) else None
        if player is None or player == PERSON:
            found.append(Seat(None, name or PERSON))
        else:
            [made] = make_players([player], game)
            found.append(Seat(made, name or made.name))
    return found


def _named(game: Game, action: int) -> str:
    """An action in words, for people; an invalid number is returned as a number."""
    return game.actions.text(action) if 0 <= action < game.num_actions else f"the number {action}"


def _turn(state: npt.NDArray[Any]) -> tuple[int, int]:
    return int(state[0].rounds), int(state[0].turns)


def matching(line: str, texts: Sequence[str]) -> int | str:
    """The index of the text that a line selects, or the reason why it selects none.

    A line is a number from 1 on, a text, or the beginning of exactly one text; `10♥` means `Th`.
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
    near = nearest(said, low, 3, NEARNESS)
    meant = f"; the nearest are: {', '.join(texts[low.index(text)] for text in near)}" if near else ""
    return f"{said!r:.60} is not among the legal moves{meant}"


Say = Callable[[str], Any]
