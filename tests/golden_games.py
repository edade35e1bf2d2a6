"""Recorded games between compiled players, `tests/<game>/golden/*.txt`: a person can follow them line by line.

A file begins with what the game shows, and with the options, the seed and the players by seat. This program plays
files again after a change of behaviour, which raises the version of the game; a new file needs these lines only:
`PYTHONPATH=.:tests python tests/golden_games.py tests/hand/golden/*.txt`.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

import numpy as np

from banakil_env.core.kernels import GENERATOR, kernels_of
from banakil_env.games import find
from banakil_env.kit.plain import Plain
from banakil_env.kit.records import Recorder, names_in


def game_in(record: str) -> str:
    """The name of the game, by its line `game: hand-v0`."""
    return _found(r"game: (\w+)-v\d+", record)


def played_again(record: str) -> str:
    """The same game, played from its start by the players that it names."""
    game = find(game_in(record))
    note, header = record.partition("\n\n")[0].split("\n", 1)
    players, plain = names_in(header), Plain(game)
    state = plain.from_text("\n".join(line for line in header.splitlines() if not line.startswith("game:")))
    recorder = Recorder(game, state, int(_found(r"seed: (\d+)", header)), list(players))
    seen, mask, dice = np.zeros(1, game.observation), np.zeros(game.num_actions, np.int8), np.zeros(1, GENERATOR)
    while (seat := plain.seat_to_move(state)) is not None:
        kernels_of(game).observe_one(np.asarray(state).reshape(1), seat, seen, mask)
        action = game.players[players[seat]](seen[0], mask, dice[0])
        recorder.note(state, action)
        plain.apply(state, action)
    return f"{note}\n{recorder.text(state)}"


def _found(pattern: str, record: str) -> str:
    """What stands in a line of a record."""
    found = re.search(f"^{pattern}$", record, re.MULTILINE)
    assert found, f"no line {pattern!r}"
    return found[1]


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]):
        path.write_text(played_again(path.read_text(encoding="utf-8")), encoding="utf-8")
