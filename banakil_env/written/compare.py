"""Compares a program with the game engine in the positions of traces, and keeps the first disagreements.

It measures three shares, each a mean over traces with its interval:

* `legal`: positions in which the sets of legal moves agree;
* `effects`: moves after which the positions agree, and also whether the round is over;
* `scores`: ended rounds whose points agree.
"""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from banakil_env.arena.ask import printable
from banakil_env.arena.statistics import Interval, interval
from banakil_env.core.actions import UnknownAction
from banakil_env.core.game import Game, PositionError
from banakil_env.core.kernels import legal_actions, refusal
from banakil_env.text.replies import read_move
from banakil_env.written.program import ProgramFailed
from banakil_env.written.traces import POSITIONS, RESULT, WITHHELD, Question, Trace, told

SHARES = ("legal", "effects", "scores")
LONGEST_GIVEN = 4000  # characters of an answer that are kept
MOST_SECONDS = 600.0  # seconds for all calls in one game
LATE = "the time for this game is over"


class Asked(Protocol):
    """A program that answers by the contract. A call raises ProgramFailed if it gives no answer."""

    def ask(self, function: str, *arguments: str) -> Any: ...


@dataclass(frozen=True)
class Disagreement:
    """The first disagreement of a kind.

    Attributes:
        share: the share that it counts against.
        kind: the kind of disagreement in a few words.
        position: the position of the question.
        move: the move of the question; "" for a question about legal moves.
        expected: the answer of the engine.
        given: the answer of the program.
        why: the engine's reason, with the rule's number if it has one.
        count: the number of disagreements of this kind.
    """

    share: str
    kind: str
    position: str
    move: str
    expected: str
    given: str
    why: str = ""
    count: int = 1

    def text(self) -> str:
        """The disagreement as lines of text; characters that control a terminal are escaped."""
        head = f"{self.share}: {self.kind} ({self.count} of this kind; the first one)"
        said = [("why", self.why), ("move", self.move), ("expected", self.expected), ("given", self.given)]
        lines = [f"  {name}: {text}" for name, text in said if text]
        told = [head, *lines, "  position:", *(f"    {line}" for line in self.position.splitlines())]
        return printable("\n".join(told))


@dataclass
class Score:
    """The result for one game.

    Attributes:
        game: the name of the game.
        traces: the number of traces.
        by_trace: for each share and each trace, the number of correct answers and the number of questions.
        disagreements: the first disagreement of each kind.
        failures: calls without an answer of the right type.
        seconds: the time of all calls.
    """

    game: str
    traces: int = 0
    by_trace: dict[str, list[tuple[int, int]]] = field(default_factory=lambda: {share: [] for share in SHARES})
    disagreements: dict[tuple[str, str], Disagreement] = field(default_factory=dict)
    failures: int = 0
    seconds: float = 0.0

    def asked(self, share: str) -> int:
        """The number of questions that a share is computed from."""
        return sum(count for _, count in self.by_trace[share])

    def share(self, share: str, level: float = 0.95) -> Interval:
        """The mean over traces of the share of correct answers, with its interval; NaN if there was no question."""
        return interval([good / count if count else math.nan for good, count in self.by_trace[share]], level)

    def as_dict(self) -> dict[str, Any]:
        """The result as plain values for JSON."""
        return {
            "game": self.game,
            "traces": self.traces,
            "shares": {share: _plain(self.share(share), self.asked(share)) for share in SHARES},
            "failures": self.failures,
            "seconds": round(self.seconds, 3),
            "disagreements": [vars(each) for each in self.disagreements.values()],
        }


def _plain(found: Interval, asked: int) -> dict[str, Any]:
    numbers = {"mean": found.mean, "low": max(0.0, found.low), "high": min(1.0, found.high)}
    return {name: value if math.isfinite(value) else None for name, value in numbers.items()} | {"asked": asked}


def score(program: Asked, traces: Sequence[Trace], *, most: int = POSITIONS, seconds: float = MOST_SECONDS) -> Score:
    """Run a program on traces of one game, and compare its answers.

    Args:
        program: the program.
        traces: the traces.
        most: the largest number of positions per trace.
        seconds: time limit for all calls together; questions after it count as failed.
    """
    found = Score(traces[0].game.name)
    comparing = _Comparing(program, traces[0].game, found, seconds)
    for trace in traces:
        comparing.take(trace.questions(most))
    return found


class _Comparing:
    """The comparison of one program in one game."""

    def __init__(self, program: Asked, game: Game, found: Score, seconds: float) -> None:
        self._program, self._game, self._found, self._seconds = program, game, found, seconds
        self._actions: dict[str, int | None] = {}

    def take(self, questions: Sequence[Question]) -> None:
        """Put the questions of one trace to the program, and compare the answers."""
        counts = {share: [0, 0] for share in SHARES}

        def count(share: str, agrees: bool) -> None:
            counts[share][0] += agrees
            counts[share][1] += 1

        for question in questions:
            count("legal", self._legal(question))
            for action, after in question.moves:
                count("effects", self._effects(question, action, after))
                if self._game.outcome(after[0]).ending:
                    count("scores", self._scores(question, action, after))
        self._found.traces += 1
        for share, (good, asked) in counts.items():
            self._found.by_trace[share].append((good, asked))

    # Each of these functions returns whether the program agrees with the engine --------------------------------------

    def _legal(self, question: Question) -> bool:
        game, state = self._game, question.state[0]
        legal = legal_actions(game, state)
        expected = ", ".join(map(game.actions.text, legal))

        def differs(kind: str, given: str, why: str = "") -> bool:
            return self._note("legal", kind, question, "", expected, given, why)

        try:
            texts = self._ask("legal_moves", question.position)
        except ProgramFailed as failure:
            return differs("no answer", str(failure))
        given = ", ".join(texts)
        actions = set()
        for text in texts:
            action = self._action(text)
            if action is None:
                return differs("not a move", given, f"{text!r:.80} is not a move of this game")
            actions.add(action)
        for action in sorted(actions - set(legal)):
            kind = f"{_kind(game, action)} that is not legal"
            return differs(kind, given, refusal(game, state, action, numbered=False).partition("; legal are")[0])
        for action in sorted(set(legal) - actions):
            return differs(f"{_kind(game, action)} is missing", given, f"{game.actions.text(action)!r} is legal")
        return True

    def _effects(self, question: Question, action: int, after: Any) -> bool:
        game, move = self._game, self._game.actions.text(action)
        expected = told(game, after[0])

        def differs(kind: str, wanted: str, given: str) -> bool:
            return self._note("effects", kind, question, move, wanted, given)

        try:
            text = self._ask("apply", question.position, move)
            over = self._ask("is_over", question.position, move)
        except ProgramFailed as failure:
            return differs("no answer", expected, str(failure))
        try:
            given = _lines(told(game, _read(game, text, after[0])[0]))
        except PositionError as error:
            return differs("a position that cannot be read", expected, f"{error}\n{text}")
        for key in dict.fromkeys([*_lines(expected), *given]):
            wanted, said = _lines(expected).get(key, ""), given.get(key, "")
            if wanted != said:
                return differs(f"the line {key!r}", f"{key}: {wanted}", f"{key}: {said}")
        ends = bool(game.outcome(after[0]).ending)
        return over == ends or differs("whether the round is over", str(ends), str(over))

    def _scores(self, question: Question, action: int, after: Any) -> bool:
        move, expected = self._game.actions.text(action), list(self._game.outcome(after[0]).points)
        try:
            given = self._ask("scores", question.position, move)
        except ProgramFailed as failure:
            return self._note("scores", "no answer", question, move, str(expected), str(failure))
        if given == expected:
            return True
        how = f"the round ends so: {self._game.outcome(after[0]).text}"
        return self._note("scores", "points", question, move, str(expected), str(given), how)

    # ------------------------------------------------------------------------------------------------------------------

    def _ask(self, function: str, *arguments: str) -> Any:
        if self._found.seconds > self._seconds:
            self._found.failures += 1
            raise ProgramFailed(LATE)
        begun = time.monotonic()
        try:
            return self._program.ask(function, *arguments)
        except ProgramFailed:
            self._found.failures += 1
            raise
        finally:
            self._found.seconds += time.monotonic() - begun

    def _action(self, text: str) -> int | None:
        """The action that a text means; None if it matches no action or more than one."""
        if text not in self._actions:
            try:
                self._actions[text] = read_move(self._game, text)
            except UnknownAction:
                self._actions[text] = None
        return self._actions[text]

    def _note(
        self, share: str, kind: str, question: Question, move: str, expected: str, given: str, why: str = ""
    ) -> bool:
        """Count a disagreement and keep the first of its kind; returns False, as for every wrong answer."""
        known = self._found.disagreements.get((share, kind))
        given = given if len(given) <= LONGEST_GIVEN else f"{given[:LONGEST_GIVEN]} ..."
        first = Disagreement(share, kind, question.position, move, expected, given, why)
        self._found.disagreements[share, kind] = (
            first if known is None else Disagreement(**{**vars(known), "count": known.count + 1})
        )
        return False


def _kind(game: Game, action: int) -> str:
    return f"`{game.actions[action].block.name}`"


def _read(game: Game, text: str, expected: Any) -> Any:
    """Read the position that a program has written, as an array of one state.

    Lines withheld from the program are added.

    Raises PositionError if the position cannot be read.
    """
    hidden = (*WITHHELD, *(RESULT if game.outcome(expected).ending else ()))
    own = [line for line in text.splitlines() if line.partition(":")[0].strip() not in hidden]
    added = [line for line in game.texts.to_text(expected).splitlines() if line.partition(":")[0] in hidden]
    return game.texts.from_text("\n".join([*own, *added]))


def _lines(position: str) -> Mapping[str, str]:
    """The lines of a position, by key."""
    return {key: value.strip() for key, _, value in (line.partition(":") for line in position.splitlines()) if key}
