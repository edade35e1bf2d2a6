"""Writes recorded decisions as conversations in the chat format: JSON Lines, one conversation per table and seat.

A conversation holds the messages that a player of `banakil_env.agents.conversation` would have received and sent: the
rules of the table, then alternately the view of the seat and the move of the recorded player. The outcome is stored
next to the messages.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from banakil_env.core.files import written_whole
from banakil_env.record import croissant
from banakil_env.record.play import Decisions, Recording, RecordingError
from banakil_env.text import seat_text, supposed, system_text

# The columns of a conversation that Croissant describes. Its loaders cannot read a list of objects, such as the
# messages.
NOTE = "; also `messages`, a list of objects with `role` and `content`"
COLUMNS = (
    croissant.Column("game", "Text", "the game"),
    croissant.Column("rules", "Text", "its rules, a preset and switches"),
    croissant.Column("seed", "Integer", "of the deal"),
    croissant.Column("table", "Integer", "which of the deal's tables"),
    croissant.Column("seat", "Integer", "whose conversation it is"),
    croissant.Column("player", "Text", "the player at that seat"),
    croissant.Column("points", "Integer", "what the game was worth at its end, by seat", repeated=True),
    croissant.Column("margin", "Float", "to this seat: own side's points minus the others' mean"),
    croissant.Column("win", "Integer", "to this seat: 1, 0 when tied, or -1"),
    croissant.Column("ending", "Text", "how it ended, in a word of the game"),
)


def write(
    path: Path, batches: Iterable[Decisions], recording: Recording, licence: str = "MIT", moves: str = "all"
) -> int:
    """Write the file and its Croissant description; returns the number of decisions in it.

    If writing fails, no file is left.

    Args:
        path: the file.
        batches: the decisions.
        recording: the recording that they come from.
        licence: the licence of the data.
        moves: how the legal moves are listed: "all", "count" or "none".

    Raises:
        RecordingError: the file already exists; no game is played then.
    """
    if path.exists():
        raise RecordingError(f"{path} exists already: name another file, or remove it")
    description = croissant.place_of(path)
    count = 0
    with written_whole(path) as part, part.open("w", encoding="utf-8") as file:
        for batch in batches:
            count += len(batch)
            for conversation in conversations(batch, recording, moves):
                file.write(json.dumps(conversation, ensure_ascii=False) + "\n")
    data = croissant.Data([path], "application/jsonlines", COLUMNS, "conversations", NOTE)
    croissant.write(description, data, recording, licence)
    return count


def conversations(batch: Decisions, recording: Recording, moves: str = "all") -> Iterator[dict[str, Any]]:
    """Make the conversations of a batch of decisions, ordered by table and seat.

    Yields:
        Dicts with `messages` (a list of `role` and `content`), `game`, `rules`, `seed`, `table`, `seat`, `player`,
        `points` (by seat), `margin` and `win` (of this seat), `ending`.
    """
    game = recording.found
    for table in np.unique(batch.games):
        rows = np.flatnonzero(batch.games == table)
        rules = game.rules_of(batch.ends[table]).text()
        for seat in np.unique(batch.seats[rows]):
            own = rows[batch.seats[rows] == seat]
            messages: list[dict[str, str]] = []
            for row in own:
                state = supposed(game, batch.observations[row])
                if not messages:
                    messages.append({"role": "system", "content": system_text(game, state)})
                messages.append({"role": "user", "content": seat_text(game, state, 0, moves=moves)})
                said = game.actions.text(int(batch.actions[row]))
                messages.append({"role": "assistant", "content": f"MOVE: {said}"})
            first = own[0]
            yield {
                "messages": messages,
                "game": game.name,
                "rules": rules,
                "seed": int(batch.seeds[first]),
                "table": int(batch.tables[first]),
                "seat": int(seat),
                "player": recording.players[int(batch.players[first])],
                "points": batch.points[first].tolist(),
                "margin": float(batch.margins[first]),
                "win": int(batch.wins[first]),
                "ending": str(batch.endings[first]),
            }
