"""Writes and replays game records: the start, one line per turn, and the end. A replay gives the same last state.

The grammar is in docs/notation.md. An invalid record raises `RecordError`, which names the line.
"""

from __future__ import annotations

import re
import zlib
from typing import Any, NamedTuple

import numpy.typing as npt

from banakil_env.core import engine
from banakil_env.core.actions import UnknownAction
from banakil_env.core.game import Game, PositionError
from banakil_env.core.jit import interpreted
from banakil_env.core.kernels import ILLEGAL, kernels_of, refusal

MAX_CHARACTERS = 20_000_000  # in a record; a match of 100 rounds with 300 turns each needs a fifth of it
MAX_MEMORY = 1 << 30  # bytes for the states of a record; a long match needs a hundredth of it
_OF_ARRAY = 400  # bytes that an array of one state needs in addition to the state
LONGEST_NAME = 40  # characters of a player's name; longer names are cut
_SEATS = re.compile(r"^# seats: (.*)$", re.MULTILINE)


class RecordError(ValueError):
    """A game record that cannot be replayed. The message names the line."""


class Move(NamedTuple):
    """One decision of a recorded game: the state before it (an array of one), the seat, and the action."""

    state: npt.NDArray[Any]
    seat: int
    action: int


def names_in(record: str) -> tuple[str, ...]:
    """The names of the players by seat, from the header of a record; () if the header does not have them."""
    said = _SEATS.search(record)
    return tuple(one_line(name)[:LONGEST_NAME] for name in said[1].split(";")) if said else ()


def one_line(text: str) -> str:
    """An untrusted text on one line, without control characters for terminals or for the direction of writing."""
    return " ".join("".join(one if one.isprintable() else " " for one in text).split())


class Recorder:
    """Writes down a game while it is played: call `note` before every action, and `text` at any time.

    Args:
        game: the game.
        state: the state at the start, a record.
        seed: the seed from which the state was dealt, if it has one; without a seed, the whole position is written.
        seats: the names of the players by seat, for a header line; None for a record without it.
    """

    def __init__(self, game: Game, state: Any, seed: int | None = None, seats: list[str] | None = None) -> None:
        self._game = game
        if seed is None:
            self._header = game.texts.to_text(state).splitlines()
        else:
            self._header = [f"{key}: {value}" for key, value in [*game.texts.header(state), ("seed", str(seed))]]
        if seats is not None:
            names = [" ".join(name.replace(";", ",").split()) for name in seats]
            self._header.insert(0, "# seats: " + "; ".join(names))
        self._turns: list[tuple[int, list[str]]] = []
        self._turn: tuple[int, ...] | None = None

    def note(self, state: Any, action: int) -> None:
        """Record the action that the seat to move is about to take."""
        turn = _turn_of(self._game, state)
        if turn != self._turn:
            self._turns.append((turn[-1], []))
            self._turn = turn
        self._turns[-1][1].append(self._game.actions.text(action))

    def text(self, state: Any) -> str:
        """The record so far; `state` is the present state."""
        turns = [f"{seat}: {'; '.join(actions)}" for seat, actions in self._turns]
        return "\n".join([game_line(self._game), *self._header, "", *turns, _end_line(self._game, state), ""])


def game_line(game: Game) -> str:
    """The first line of every record of a game."""
    return f"game: {game.name}-v{game.version}"


def replay(game: Game, text: str) -> npt.NDArray[Any]:
    """Replay a record. Returns an array with its last state. RecordError: names the wrong line and the reason."""
    return replay_states(game, text)[-1]


def replay_states(game: Game, text: str) -> list[npt.NDArray[Any]]:
    """All states of a recorded game, each as an array of one: the start, then the state after each action."""
    return _Replay(game, text).states


def replay_all(game: Game, text: str) -> tuple[list[npt.NDArray[Any]], list[Move]]:
    """The results of `replay_states` and `replay_moves` from one replay. The moves refer to the same state arrays."""
    replay = _Replay(game, text)
    return replay.states, replay.moves


def replay_moves(game: Game, text: str) -> list[Move]:
    """All decisions of a recorded game, each with the state before it."""
    return _Replay(game, text).moves


class _Replay:
    """The states and moves of one record, computed when the object is made."""

    def __init__(self, game: Game, text: str) -> None:
        self.game = game
        if not isinstance(text, str):
            raise RecordError(f"a record is a text, not {type(text).__name__}")
        if len(text) > MAX_CHARACTERS:
            raise RecordError(f"a record has at most {MAX_CHARACTERS} characters, not {len(text)}")
        lines = [(number, line.split("#")[0].strip()) for number, line in enumerate(text.splitlines(), 1)]
        self.lines = [(number, line) for number, line in lines if line]
        self._check_frame()
        self._check_length()
        self.states = [self._start()]
        self.moves: list[Move] = []
        for number, line in self.lines:
            if _is_turn(line):
                self._play_turn(number, line)
        expected = _end_line(game, self.states[-1][0])
        number, line = self.lines[-1]
        if " ".join(line.split()) != expected:
            raise RecordError(f"line {number}: the moves lead to {expected!r}, and the record says {line!r:.200}")

    def _check_frame(self) -> None:
        """Check the first and the last line. RecordError: the text is not a complete record of this game."""
        wanted = game_line(self.game)
        if not self.lines or self.lines[0][1] != wanted:
            found = f"line {self.lines[0][0]} is {self.lines[0][1]!r:.80}" if self.lines else "the text is empty"
            raise RecordError(f"a record begins with {wanted!r}; {found}")
        ends = [(number, line) for number, line in self.lines if line.startswith("end:")]
        if not ends:
            raise RecordError(f"line {self.lines[-1][0]}: the record stops without its 'end:' line: it is truncated")
        if len(ends) > 1 or ends[0] != self.lines[-1]:
            raise RecordError(f"line {ends[0][0]}: the 'end:' line must be the last, and the only one")

    def _check_length(self) -> None:
        """Check the number of moves. RecordError: the states after all moves would need more than MAX_MEMORY."""
        moves = sum(line.count(";") + 1 for _, line in self.lines if _is_turn(line))
        most = MAX_MEMORY // (self.game.state.itemsize + _OF_ARRAY)
        if moves > most:
            raise RecordError(f"a record of {self.game.title} has at most {most:,} moves, not {moves:,}")

    def _start(self) -> npt.NDArray[Any]:
        """The state that the header describes. Errors name the line of the record."""
        header = {n: line for n, line in self.lines[1:-1] if not _is_turn(line)}
        text = "\n".join(header.get(number, "") for number in range(1, max(header, default=0) + 1))
        try:
            return self.game.texts.from_text(text)
        except PositionError as error:
            raise RecordError(f"the start of the record: {error}") from None

    def _play_turn(self, number: int, line: str) -> None:
        said, _, moves = line.partition(":")
        kernels = kernels_of(self.game)
        state = self.states[-1][0]
        turn = _turn_of(self.game, state)
        if turn[-1] < 0:
            raise RecordError(f"line {number}: the game is over, and another turn follows")
        seat = int(said)
        if seat != turn[-1]:
            raise RecordError(f"line {number}: it is the turn of seat {turn[-1]}, not of seat {seat}")
        for text in moves.split(";"):
            try:
                action = self.game.actions.parse(text.strip())
            except UnknownAction as error:
                raise RecordError(f"line {number}: {error}") from None
            if _turn_of(self.game, self.states[-1][0]) != turn:
                raise RecordError(f"line {number}: {text.strip()!r:.80} comes after the end of the turn")
            states = self.states[-1].copy()
            if kernels.apply_one(states, action) == ILLEGAL:
                raise RecordError(f"line {number}: {refusal(self.game, states[0], action)}")
            self.moves.append(Move(self.states[-1], seat, action))
            self.states.append(states)


def _turn_of(game: Game, state: Any) -> tuple[int, ...]:
    """Round, turn and seat to move, which identify a line of a record; the seat is -1 when the game is over."""
    seat = int(interpreted(engine.seat_to_move)(state))
    return int(state.rounds), int(state.turns), seat


def _is_turn(line: str) -> bool:
    """Whether a line is a turn: it begins with a seat, as one ASCII digit, and a colon."""
    seat = line.partition(":")[0].strip()
    return ":" in line and len(seat) == 1 and seat.isascii() and seat.isdigit()


def _end_line(game: Game, state: Any) -> str:
    """The last line of a record: the ending, the points of the last round, and a checksum of the whole state.

    The checksum is computed from the position's text, so that it does not depend on the layout of the bytes.
    """
    outcome = game.outcome(state)
    ending = outcome.text if outcome.ending else "unfinished"
    points = " ".join(str(points) for points in outcome.points)
    return f"end: {ending}; points {points}; check {zlib.crc32(game.texts.to_text(state).encode()):08x}"
