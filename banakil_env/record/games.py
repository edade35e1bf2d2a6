"""Writes games as text: each deal is played once and becomes a file that `banakil show` reads."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from banakil_env.arena.players import Player
from banakil_env.core.files import write_whole
from banakil_env.play.session import Session
from banakil_env.record.play import Recording, RecordingError


def write_games(players: Sequence[Player], recording: Recording, out: Path) -> list[Path]:
    """Play each deal once and write its game record; return the paths of the files.

    Args:
        players: one for every seat, from seat 0 on; or one player for all seats.
        recording: the deals and the table.
        out: for one deal, the file; for several deals, the folder of the files `deal-0.txt` and so on.

    Raises:
        RecordingError: the number of players differs from the number of seats, or a file already exists.
        PlayerFailed: a player failed; the games before are written.
        OSError: a file cannot be written.
    """
    if len(players) not in (1, recording.seats):
        raise RecordingError(
            f"{len(players)} players are named for a table of {recording.seats}: name one, which plays all seats, or "
            f"{recording.seats}, one for every seat from 0 on"
        )
    paths = [out] if recording.deals == 1 else [out / f"deal-{deal}.txt" for deal in range(recording.deals)]
    if existing := next((path for path in paths if path.exists()), None):
        raise RecordingError(f"{existing} exists already: name another file or folder, or remove it")
    seats = list(players) * (recording.seats if len(players) == 1 else 1)
    options = {name: value for name, value in recording.options.items() if name != "num_players"}
    written = []
    for deal, path in enumerate(paths):
        session = Session.deal(recording.found, seats, seed=recording.seed_of(deal), options=options)
        while session.player_to_move is not None:
            session.move_player()
        write_whole(path, session.record().encode())
        written.append(path)
    return written
