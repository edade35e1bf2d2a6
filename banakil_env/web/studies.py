"""What is studied? A game record or a position, looked at move by move, and players asked about it.

A study is known by a checksum of its text and is kept on disk: a link leads to the same position again, also after the
server has been started anew.
"""

from __future__ import annotations

import hashlib
import re
from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio.to_thread
import numpy.typing as npt

from banakil_env.core.files import written_whole
from banakil_env.core.game import Game
from banakil_env.kit.plain import Plain
from banakil_env.kit.records import Move
from banakil_env.play.session import Seat, Session
from banakil_env.render.scenes import scene_of
from banakil_env.study.reading import ReadError, read_text
from banakil_env.web import views
from banakil_env.web.limits import MAX_MOVES, MAX_STUDIES, MAX_STUDY_FILES, MAX_UPLOAD
from banakil_env.web.protocol import TOO_LARGE, UNKNOWN, Refused, StudyWanted

SUFFIXES = (".txt", ".record")
_ID = re.compile(r"[0-9a-f]{32}")
_SEATS = re.compile(r"^# seats: (.*)$", re.MULTILINE)


@dataclass(frozen=True)
class Study:
    """A record that has been replayed: the states, the first included, and the moves between them."""

    id: str
    game: Game
    states: list[npt.NDArray[Any]]
    moves: list[Move]
    names: tuple[str, ...]

    def view(self, at: int, seat: int | None) -> dict[str, Any]:
        """The position after `at` moves, as a seat sees it or with all hands open (None). Refused: there is none."""
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
            "names": list(self.names),
            "people": [],
            "here": [],
            "seat": seat,
            "at": at,
            "moves": len(self.moves),
            "over": scene.to_move is None,
            "actions": views.actions_view(self.game, legal),
            "played": None if following is None else following.action,
            "playedText": "" if following is None else self.game.actions.text(following.action),
        }

    def log(self) -> list[dict[str, Any]]:
        """All moves."""
        return [
            {"number": number, "seat": move.seat, "text": self.game.actions.text(move.action)}
            for number, move in enumerate(self.moves)
        ]

    def session(self, at: int) -> Session:
        """The position as a game in which nobody sits. Refused: there is none."""
        state = self._state(at).reshape(1)
        return Session(self.game, state, [Seat(None, "")] * len(self.game.outcome(state[0]).points))

    def _state(self, at: int) -> Any:
        if not 0 <= at < len(self.states):
            raise Refused(f"there is no move {at}: the record has {len(self.moves)}", UNKNOWN)
        return self.states[at][0]


class Studies:
    """The studies of a server.

    Args:
        folder: where texts are kept. records: a folder whose records are offered, such as one of the arena's.
    """

    def __init__(self, folder: Path, records: Path | None = None) -> None:
        self._folder, self._records = folder / "studies", records
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        self._made: OrderedDict[str, Study] = OrderedDict()

    def files(self) -> list[str]:
        """The names of the records in the folder given, by folder and name; at most 1000."""
        if self._records is None:
            return []
        root = self._records.resolve()
        found = [path for path in sorted(root.rglob("*")) if path.suffix in SUFFIXES and path.is_file()]
        inside = [path for path in found if path.resolve().is_relative_to(root)]
        return [path.relative_to(root).as_posix() for path in inside[:1000]]

    async def open(self, wanted: StudyWanted) -> Study:
        """A study of a text, or of a file in the folder given. Refused: it cannot be read."""
        text = self._file(wanted.file) if wanted.file is not None else (wanted.text or "")
        if len(text.encode()) > MAX_UPLOAD:
            raise Refused(f"a record has at most {MAX_UPLOAD} bytes", TOO_LARGE)
        head = f"{wanted.game or ''}\n"
        study_id = hashlib.sha256((head + text).encode()).hexdigest()[:32]
        if study_id not in self._made:
            study = await self._replayed(study_id, wanted.game, text)
            self._make_room()
            with written_whole(self._path(study_id)) as part:
                part.write_text(head + text, encoding="utf-8", newline="")
            self._keep(study)
        return self._made[study_id]

    async def find(self, study_id: str) -> Study:
        """The study of a link. Refused: there is none such."""
        if not _ID.fullmatch(study_id):
            raise Refused("that is no link to a study", UNKNOWN)
        if study_id not in self._made:
            try:
                with self._path(study_id).open(encoding="utf-8", newline="") as file:
                    content = file.read()
                self._path(study_id).touch()
            except OSError:
                raise Refused("there is no such study here", UNKNOWN) from None
            game, _, text = content.partition("\n")
            self._keep(await self._replayed(study_id, game or None, text))
        self._made.move_to_end(study_id)
        return self._made[study_id]

    async def _replayed(self, study_id: str, game: str | None, text: str) -> Study:
        try:
            reading = await anyio.to_thread.run_sync(read_text, text, game, "the text", MAX_MOVES)
        except (ReadError, ValueError) as error:
            raise Refused(str(error)) from None
        said = _SEATS.search(text)
        names = tuple(name.strip()[:40] for name in said[1].split(";")) if said else ()
        count = len(reading.game.outcome(reading.states[0][0]).points)
        return Study(study_id, reading.game, reading.states, reading.moves, names if len(names) == count else ())

    def _make_room(self) -> None:
        """Remove the files looked at longest ago where there are as many as may be."""
        files = sorted(self._folder.glob("*.txt"), key=lambda path: path.stat().st_mtime)
        for path in files[: len(files) + 1 - MAX_STUDY_FILES]:
            path.unlink(missing_ok=True)

    def _keep(self, study: Study) -> None:
        self._made[study.id] = study
        while len(self._made) > MAX_STUDIES:
            self._made.popitem(last=False)

    def _file(self, name: str) -> str:
        if self._records is None or name not in self.files():
            raise Refused(f"there is no record {name!r:.80} in the folder of this server", UNKNOWN)
        path = self._records / name
        if path.stat().st_size > MAX_UPLOAD:
            raise Refused(f"a record has at most {MAX_UPLOAD} bytes", TOO_LARGE)
        return path.read_text(encoding="utf-8", errors="replace")

    def _path(self, study_id: str) -> Path:
        return self._folder / f"{study_id}.txt"
