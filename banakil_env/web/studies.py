"""Studies: a game record or a position, viewed move by move, with the opinions of players.

The id of a study is a checksum of its text, and the text is stored on disk. A link therefore leads to the same position
again, also after a restart of the server.
"""

from __future__ import annotations

import contextlib
import hashlib
import re
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.files import written_whole
from banakil_env.core.game import Game
from banakil_env.envs.arguments import num_seats_of
from banakil_env.kit.plain import Plain
from banakil_env.play.names import called
from banakil_env.play.session import Seat, Session
from banakil_env.render.scenes import scene_of
from banakil_env.study.hands import believed_hands
from banakil_env.study.reading import ReadError, read_text
from banakil_env.web import views
from banakil_env.web.journal import told
from banakil_env.web.limits import MAX_MOVES, MAX_STUDIES, MAX_STUDY_FILES, MAX_UPLOAD, STUDIES_MEMORY
from banakil_env.web.protocol import FULL, TOO_LARGE, UNKNOWN, Refused
from banakil_env.web.turns import Turns

_ID = re.compile(r"[0-9a-f]{32}")


@dataclass(frozen=True)
class Study:
    """A record that has been replayed: its states including the first, and the seat and action of each move."""

    id: str
    game: Game
    states: npt.NDArray[Any]  # (moves + 1,) of the game's state dtype
    moves: list[tuple[int, int]]
    names: tuple[str, ...]

    @property
    def seats(self) -> int:
        """The number of players."""
        return num_seats_of(self.game, self.states[0])

    @property
    def memory(self) -> int:
        """The approximate memory of the study, in bytes."""
        return self.states.nbytes + views.MOVE_BYTES * len(self.moves)

    def view(self, at: int, seat: int | None) -> dict[str, Any]:
        """The position after `at` moves, as a seat sees it; None for all hands.

        Raises Refused if there is no such move.
        """
        state = self._state(at)
        try:
            scene = scene_of(self.game, state, seat)
        except ValueError as error:
            raise Refused(str(error), UNKNOWN) from None
        plain = Plain(self.game)
        legal = plain.legal_actions(state) if seat in (None, scene.to_move) else []
        following = self.moves[at] if at < len(self.moves) else None
        return views.scene_view(scene) | {
            "id": self.id,
            "game": self.game.name,
            "lowWins": self.game.low_wins,
            "names": [called(name) for name in self.names],
            "people": [],
            "here": [],
            "seat": seat,
            "at": at,
            "moves": len(self.moves),
            "over": scene.to_move is None,
            "actions": views.actions_view(self.game, legal),
            "drawn": [],
            "played": None if following is None else following[1],
            "playedText": "" if following is None else self.game.actions.text(following[1]),
        }

    def log(self) -> list[dict[str, Any]]:
        """All moves as JSON: the number, the seat and the text of each."""
        return [
            {"number": number, "seat": seat, "text": self.game.actions.text(action)}
            for number, (seat, action) in enumerate(self.moves)
        ]

    def mover(self, at: int) -> int | None:
        """The seat to move after `at` moves; None if the game is over."""
        return self.moves[at][0] if at < len(self.moves) else Plain(self.game).seat_to_move(self._state(at))

    def beliefs(self, at: int, seat: int) -> dict[str, Any]:
        """A seat's beliefs about the other hands after `at` moves.

        Raises Refused if the game is over or no sampled deal agrees with the view of the seat.
        """
        state = self._state(at)
        if not 0 <= seat < self.seats:
            raise Refused(f"there is no seat {seat}: {self.seats} play, seats from 0 on", UNKNOWN)
        try:
            return views.believed_view(believed_hands(self.game, state, seat))
        except ValueError as error:
            raise Refused(str(error)) from None

    def session(self, at: int) -> Session:
        """The position after `at` moves as a game without players. Raises Refused if there is no such position."""
        return Session(self.game, self._state(at).reshape(1), [Seat(None, "")] * self.seats)

    def _state(self, at: int) -> Any:
        if not 0 <= at < len(self.states):
            raise Refused(f"there is no move {at}: the record has {len(self.moves)}", UNKNOWN)
        return self.states[at]


class Studies:
    """The studies of a server.

    Args:
        folder: the folder of their texts.
        turns: the threads and queues for slow work.
    """

    def __init__(self, folder: Path, turns: Turns) -> None:
        self._folder, self._turns = folder / "studies", turns
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._made: OrderedDict[str, Study] = OrderedDict()

    async def open(self, text: str, game: str | None) -> Study:
        """The study of a text; a new one is stored. `game` names the game of a position.

        Raises Refused if the text cannot be read or cannot be stored.
        """
        content = f"{game or ''}\n{text}".encode()
        if len(text.encode()) > MAX_UPLOAD:
            raise Refused(f"a record has at most {MAX_UPLOAD} bytes", TOO_LARGE)
        study_id = hashlib.sha256(content).hexdigest()[:32]
        if study_id not in self._made:
            study = await self._replayed(study_id, game, text)
            with told("the record is not kept"), written_whole(self._path(study_id)) as part:
                part.write_bytes(content)
            self._make_room(study_id)
            self._keep(study)
        return self._made[study_id]

    async def find(self, study_id: str) -> Study:
        """The study with this id. Raises Refused if there is no such study."""
        if not _ID.fullmatch(study_id):
            raise Refused("this is not a link to a study", UNKNOWN)
        if study_id not in self._made:
            try:
                content = self._path(study_id).read_bytes().decode()
                self._path(study_id).touch()
            except FileNotFoundError:
                raise Refused("there is no such study here", UNKNOWN) from None
            except (OSError, ValueError) as error:
                raise Refused(f"the study cannot be read now ({error}): try again later", FULL) from None
            game, _, text = content.partition("\n")
            self._keep(await self._replayed(study_id, game or None, text))
        self._made.move_to_end(study_id)
        return self._made[study_id]

    async def _replayed(self, study_id: str, game: str | None, text: str) -> Study:
        try:
            study: Study = await self._turns.thread("reads", _replayed, study_id, game, text)
        except (ReadError, ValueError) as error:
            raise Refused(str(error)) from None
        return study

    def _make_room(self, newest: str) -> None:
        """If there are too many files, remove those that were not used for longest.

        If a file cannot be removed, it stays, and the new study is still kept.
        """
        with contextlib.suppress(OSError):
            files = sorted(self._folder.glob("*.txt"), key=lambda path: (path.stem == newest, path.stat().st_mtime))
            for path in files[: max(0, len(files) - MAX_STUDY_FILES)]:
                path.unlink(missing_ok=True)

    def _keep(self, study: Study) -> None:
        """Keep a study in memory, and drop those that were not used for longest until all fit."""
        self._made[study.id] = study
        self._made.move_to_end(study.id)
        taken = sum(each.memory for each in self._made.values())
        while len(self._made) > 1 and (len(self._made) > MAX_STUDIES or taken > STUDIES_MEMORY):
            taken -= self._made.popitem(last=False)[1].memory

    def _path(self, study_id: str) -> Path:
        return self._folder / f"{study_id}.txt"


def _replayed(study_id: str, game: str | None, text: str) -> Study:
    reading = read_text(text, game, "the text", MAX_MOVES)
    states = np.concatenate(reading.states)
    moves = [(move.seat, move.action) for move in reading.moves]
    return Study(study_id, reading.game, states, moves, reading.names)
