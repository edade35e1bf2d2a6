"""Traces: game records of rounds with some random moves. Programs are tested in the positions of traces.

The public traces are in the folder `rounds` of this package, one file per game:

    banakil write-rules traces --out banakil_env/written/rounds

Sealed traces are played from seeds that are made from a key, which only the person who runs the test has.
"""

from __future__ import annotations

import functools
import hashlib
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from banakil_env.arena.players import CompiledPlayer
from banakil_env.core.game import Game
from banakil_env.core.kernels import ILLEGAL, kernels_of, legal_actions
from banakil_env.games import find
from banakil_env.kit.plain import Plain
from banakil_env.kit.records import replay_moves
from banakil_env.text.rules import rules_text_of

FOLDER = Path(__file__).parent / "rounds"
PUBLIC = 40  # rounds for each game
POSITIONS = 20  # positions of a round that become questions
MOST_MOVES = 400  # moves of a round
CHANCES = (0.0, 0.1, 0.3, 0.6)  # probability of a random move instead of the player's move; each round has one of these
PLAYER = "greedy"

WITHHELD = ("rng", "seed")  # lines of a position that the program does not get
RESULT = ("points", "scores")  # lines that the program does not get once the round is over


@dataclass(frozen=True)
class Trace:
    """One round of a game, as text of a game record."""

    game: Game
    record: str

    def questions(self, most: int = POSITIONS) -> list[Question]:
        """At most `most` positions of the round in order, including the last one; the same at every call."""
        moves = replay_moves(self.game, self.record)
        dice = random.Random(self.record)
        chosen = sorted({len(moves) - 1, *dice.sample(range(len(moves)), min(most, len(moves)) - 1)})
        return [_question(self.game, moves[place].state, moves[place].action, dice) for place in chosen]


@dataclass(frozen=True, eq=False)
class Question:
    """A position and some legal moves in it.

    Attributes:
        state: the state, an array of one.
        position: the text of the position for a program.
        moves: actions, the played one first, each with the state after it. Actions that shuffle cards are left out.
    """

    state: Any
    position: str
    moves: tuple[tuple[int, Any], ...]


def _question(game: Game, state: Any, played: int, dice: random.Random) -> Question:
    others = [action for action in legal_actions(game, state) if action != played]
    moves = []
    for action in [played, *dice.sample(others, min(1, len(others)))]:
        after = state.copy()
        assert kernels_of(game).apply_one(after, action) != ILLEGAL
        if after["rng"][0] == state["rng"][0]:
            moves.append((action, after))
    return Question(state, told(game, state[0]), tuple(moves))


def told(game: Game, state: Any) -> str:
    """The text of a position as a tested program gets it, without the lines `WITHHELD` (random generator and seed).

    Once the round is over, the lines `RESULT` (points and scores) are left out too.
    """
    hidden = (*WITHHELD, *(RESULT if game.outcome(state).ending else ()))
    lines = [line for line in game.texts.to_text(state).splitlines() if line.partition(":")[0] not in hidden]
    return "\n".join(lines) + "\n"


def table_of(game: str | Game, options: Mapping[str, Any]) -> dict[str, Any]:
    """The argument of `setup` for a table."""
    found = find(game)
    state = found.new(**options)[0]
    return {
        "game": found.name,
        "rules": found.rules_of(state).text(),
        "num_players": int(state.num_players),
        "text": rules_text_of(found, state),
    }


def main_table(game: str | Game) -> dict[str, Any]:
    """The options of the table of the public traces: the game's main table, a single round."""
    return {**find(game).tables[0].options, "episode": "round"}


def draw(game: str | Game, seeds: Sequence[int], **options: Any) -> list[Trace]:
    """Play rounds from these seeds at a table; without options, at the game's main table."""
    found = find(game)
    return [Trace(found, _played(found, seed, options or main_table(found))) for seed in seeds]


def sealed_seeds(key: str, game: str, count: int) -> list[int]:
    """Make `count` seeds from a key for a game, 0..2**63 - 1. Raises ValueError if the key is empty."""
    if not key.strip():
        raise ValueError("a key is a text that is not empty")
    digests = (hashlib.sha256(f"{key.strip()}\n{game}\n{number}".encode()).digest() for number in range(count))
    return [int.from_bytes(digest[:8], "little") >> 1 for digest in digests]


def recorded(game: str | Game) -> list[Trace]:
    """The public traces of a game, read from its file."""
    found = find(game)
    file = FOLDER / f"{found.name}.txt"
    if not file.exists():
        raise FileNotFoundError(
            f"no public traces of {found.name}: `banakil write-rules traces --out {FOLDER}` plays them"
        )
    return [Trace(found, record) for record in _records(file.read_text(encoding="utf-8"))]


def write(folder: Path) -> Iterator[Path]:
    """Play the public traces of all games and write one file per game. Yields each path after its file was written."""
    from banakil_env.games import GAMES

    folder.mkdir(parents=True, exist_ok=True)
    for name in GAMES:
        path = folder / f"{name}.txt"
        traces = draw(name, range(PUBLIC))
        path.write_text("\n".join(trace.record for trace in traces), encoding="utf-8")
        yield path


def _records(text: str) -> Iterator[str]:
    """Yield the game records in a text that contains several."""
    for part in text.split("\ngame: "):
        yield part if part.startswith("game: ") else f"game: {part}"


@functools.cache
def _player(game: Game) -> CompiledPlayer:
    return CompiledPlayer(PLAYER, game)


def _played(game: Game, seed: int, options: Mapping[str, Any]) -> str:
    """Play a round from a seed with a rule-based player and some random moves; returns its record."""
    plain, dice = Plain(game), random.Random(f"{game.name} {seed}")
    state = plain.new(**options, seed=seed)
    recorder, chance = plain.recorder(state, seed=seed), dice.choice(CHANCES)
    for _ in range(MOST_MOVES):
        seat = plain.seat_to_move(state)
        if seat is None:
            break
        if dice.random() < chance:
            action = _by_chance(game, plain.legal_actions(state), dice)
        else:
            seen = plain.observe(state, seat)
            rows = seen["observation"][None], seen["action_mask"][None]
            action = int(_player(game).act(*rows, np.array([dice.getrandbits(63)], np.uint64))[0])
        recorder.note(state, action)
        plain.apply(state, action)
    return recorder.text(state)


def _by_chance(game: Game, legal: Sequence[int], dice: random.Random) -> int:
    """Draw a random legal action: first the block of actions (kind of move), then an action in it."""
    kinds: dict[str, list[int]] = {}
    for action in legal:
        kinds.setdefault(game.actions[action].block.name, []).append(action)
    return dice.choice(kinds[dice.choice(list(kinds))])
