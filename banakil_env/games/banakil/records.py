"""How is a whole game written down? The start, a line a turn, and how it ended; replayed to the same last state.

The grammar is in docs/notation.md. A damaged record is refused with the line at fault (`RecordError`).
"""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np

from banakil_env.core.kernels import ILLEGAL
from banakil_env.games.banakil import state as S
from banakil_env.games.banakil.actions import UnknownAction, action_text, parse_action
from banakil_env.games.banakil.game import KERNELS, explain
from banakil_env.games.banakil.notation import PositionError, ending_text, from_text, header_lines, to_text

GAME_LINE = "game: banakil-v0"


class RecordError(ValueError):
    """A game record that cannot be replayed; the text names the line."""


class Recorder:
    """Writes a game down while it is played: call `note` before every action, `text` at any time.

    Args:
        state: the state at the start, a record.
        seed: the seed it was dealt from, when it is the deal of a seed; else the whole position is written.
    """

    def __init__(self, state: Any, seed: int | None = None) -> None:
        if seed is None:
            self._header = to_text(state).splitlines()
        else:
            self._header = [f"{key}: {value}" for key, value in [*header_lines(state), ("seed", str(seed))]]
        self._turns: list[tuple[int, list[str]]] = []
        self._turn_key: tuple[int, int, int] | None = None

    def note(self, state: Any, action: int) -> None:
        """The action that the seat to move is about to take."""
        key = (int(state.rounds), int(state.turns), int(state.seat))
        if key != self._turn_key:
            self._turns.append((int(state.seat), []))
            self._turn_key = key
        self._turns[-1][1].append(action_text(action))

    def text(self, state: Any) -> str:
        """The record so far, ending with `state`."""
        turns = [f"{seat}: {'; '.join(actions)}" for seat, actions in self._turns]
        return "\n".join([GAME_LINE, *self._header, "", *turns, _end_line(state), ""])


def replay(text: str) -> Any:
    """Play a record through; the array of its last state. RecordError: the line at fault, and why."""
    return replay_states(text)[-1]


def replay_states(text: str) -> list[Any]:
    """Every state of a recorded game, the start first and one more after each action, each an array of one."""
    lines = [(number, line.split("#")[0].strip()) for number, line in enumerate(text.splitlines(), 1)]
    lines = [(number, line) for number, line in lines if line]
    if not lines or lines[0][1] != GAME_LINE:
        found = f"line {lines[0][0]} is {lines[0][1]!r}" if lines else "the text is empty"
        raise RecordError(f"a record begins with {GAME_LINE!r}; {found}")
    header = [(number, line) for number, line in lines[1:] if not _is_turn(line) and not line.startswith("end:")]
    ends = [(number, line) for number, line in lines if line.startswith("end:")]
    if not ends:
        raise RecordError(f"line {lines[-1][0]}: the record stops without its 'end:' line: it is truncated")
    if len(ends) > 1 or ends[0] != lines[-1]:
        raise RecordError(f"line {ends[0][0]}: the 'end:' line must be the last, and the only one")
    try:
        states = from_text("\n".join([""] * (lines[0][0]) + _in_place(header, lines[0][0])))
    except PositionError as error:
        raise RecordError(f"the start of the record: {error}") from None
    history = [states]
    for number, line in lines:
        if _is_turn(line):
            _play_turn(history, number, line)
    expected = _end_line(history[-1][0])
    number, line = ends[0]
    if " ".join(line.split()) != expected:
        raise RecordError(f"line {number}: the moves lead to {expected!r}, and the record says {line!r}")
    return history


def _in_place(header: list[tuple[int, str]], first: int) -> list[str]:
    """The header with blank lines between, so that an error names the line of the record."""
    lines = dict(header)
    return [lines.get(number, "") for number in range(first + 1, max(lines, default=first) + 1)]


def _is_turn(line: str) -> bool:
    return line.split(":")[0].strip().isdigit()


def _play_turn(history: list[Any], number: int, line: str) -> None:
    seat, _, moves = line.partition(":")
    states = history[-1]
    if states[0].phase == S.OVER:
        raise RecordError(f"line {number}: the game is over, and another turn follows")
    if int(seat) != states[0].seat:
        raise RecordError(f"line {number}: it is the turn of seat {states[0].seat}, not of seat {int(seat)}")
    turn = (int(states[0].rounds), int(states[0].turns))
    for text in moves.split(";"):
        try:
            action = parse_action(text.strip())
        except UnknownAction as error:
            raise RecordError(f"line {number}: {error}") from None
        if states[0].phase == S.OVER or (int(states[0].rounds), int(states[0].turns)) != turn:
            raise RecordError(f"line {number}: {text.strip()!r} comes after the end of the turn")
        states = states.copy()
        if KERNELS.apply_one(states, action) == ILLEGAL:
            raise RecordError(f"line {number}: {explain(states[0], action)}")
        history.append(states)


def _end_line(state: Any) -> str:
    ending = ending_text(state) if state.ending else "unfinished"
    points = " ".join(str(points) for points in state.points[: state.num_players])
    return f"end: {ending}; points {points}; check {zlib.crc32(np.asarray(state).tobytes()):08x}"
