"""The requests of pages as records, made from untrusted JSON.

A value of a wrong type, size or name raises `Refused`, with a text that says what was expected.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from banakil_env.web.limits import MAX_NAME, MAX_PAGE, MAX_PAUSE, MAX_TEXT, MAX_UPLOAD

BAD, FORBIDDEN, UNKNOWN, LATE, CONFLICT, TOO_LARGE = 400, 403, 404, 408, 409, 413
FULL, NO_SPACE = 503, 507
MOST_SEATS = 8
ORDERS = ("name", "game", "players", "date", "result")  # orders in which records can be listed

_WHOLE = re.compile(r"-?[0-9]{1,9}")


class Refused(Exception):
    """A request was not carried out, and nothing has changed.

    `status` is the HTTP status; the text gives the reason.
    """

    def __init__(self, why: str, status: int = BAD) -> None:
        super().__init__(why)
        self.status = status


@dataclass(frozen=True)
class SeatWanted:
    """A requested seat: the name of its player, or None for a person, and the person's name."""

    player: str | None
    name: str


@dataclass(frozen=True)
class TableWanted:
    """A requested table.

    Attributes:
        game: the game.
        options: its options without the number of players.
        seats: the seats, from 0 on.
        seed: the seed of the deal; None for a random one.
        practice: whether hints are given and moves can be taken back.
        pause: milliseconds between two moves of players.
    """

    game: str
    options: Mapping[str, Any]
    seats: tuple[SeatWanted, ...]
    seed: int | None
    practice: bool
    pause: int


@dataclass(frozen=True)
class RulesWanted:
    """A request for the rules of a table: the game, and the options of `rules_text`."""

    game: str
    options: Mapping[str, Any]


@dataclass(frozen=True)
class MoveWanted:
    """A requested move: the action, and the version of the table at which it was chosen."""

    action: int
    version: int


@dataclass(frozen=True)
class StudyWanted:
    """A requested study: a text, or the name of a file in the server's folder of records.

    `game` names the game if the text is a position.
    """

    text: str | None
    game: str | None
    file: str | None


@dataclass(frozen=True)
class BranchWanted:
    """A requested table that continues from a position: its seats, and milliseconds between two moves of players."""

    seats: tuple[SeatWanted, ...]
    pause: int


@dataclass(frozen=True)
class CourseWanted:
    """A requested course of a studied game: the player, the seat, and the number of steps that the page already has."""

    player: str
    seat: int
    since: int


@dataclass(frozen=True)
class RecordsWanted:
    """A requested page of the list of records.

    Attributes:
        first: the number of records before the page.
        count: the largest number of records on the page.
        game: the name of a game; "" for all games.
        order: the property that the records are sorted by, one of ORDERS.
        down: whether the order is descending.
    """

    first: int
    count: int
    game: str
    order: str
    down: bool


def parsed(body: bytes) -> dict[str, Any]:
    """The JSON object in the body of a request. Raises Refused if the body is not a JSON object."""
    try:
        value = json.loads(body or b"{}")
    except (ValueError, RecursionError):
        raise Refused("the request is not JSON") from None
    if not isinstance(value, dict):
        raise Refused("the request is not a JSON object")
    return value


def table_wanted(body: Mapping[str, Any]) -> TableWanted:
    """The table that a request describes. Raises Refused if the description is invalid."""
    _only(body, "game", "seats", "rules", "partners", "episode", "seed", "practice", "pause")
    options = {
        "rules": _text(body, "rules", None),
        "partners": _one_of(body, "partners", (True, False, None), None),
        "episode": _one_of(body, "episode", ("round", "match"), "round"),
    }
    return TableWanted(
        game=_required_text(body, "game"),
        options={name: value for name, value in options.items() if value not in (None, "")},
        seats=_seats(body),
        seed=_whole(body, "seed", 0, 2**53, None),
        practice=bool(_one_of(body, "practice", (True, False), False)),
        pause=_whole(body, "pause", 0, MAX_PAUSE, 600) or 0,
    )


def rules_wanted(query: Mapping[str, str]) -> RulesWanted:
    """The rules that the query of an address requests. Raises Refused if the query is invalid."""
    _only(query, "game", "rules", "seats", "partners", "episode")
    _one_of(query, "partners", ("yes", "no", ""), "")
    options: dict[str, Any] = {
        "rules": _text(query, "rules", None),
        "episode": _one_of(query, "episode", ("round", "match"), "round"),
        "partners": {"yes": True, "no": False}.get(query.get("partners", "")),
    }
    if seats := query.get("seats"):
        if seats not in map(str, range(2, MOST_SEATS + 1)):
            raise Refused(f"'seats' must be a whole number from 2 to {MOST_SEATS}")
        options["num_players"] = int(seats)
    return RulesWanted(
        game=_required_text(query, "game"),
        options={name: value for name, value in options.items() if value not in (None, "")},
    )


def move_wanted(body: Mapping[str, Any]) -> MoveWanted:
    """The move that a request describes. Raises Refused if the description is invalid."""
    _only(body, "action", "version")
    return MoveWanted(_given_whole(body, "action"), _given_whole(body, "version"))


def version_wanted(body: Mapping[str, Any]) -> int:
    """The version of the table that a request names. Raises Refused if it names none."""
    _only(body, "version")
    return _given_whole(body, "version")


def pace_wanted(body: Mapping[str, Any]) -> tuple[int, bool]:
    """Milliseconds between two moves, and whether the table is to halt. Raises Refused if the request is invalid."""
    _only(body, "pause", "halted")
    pause = _whole(body, "pause", 0, MAX_PAUSE, None)
    if pause is None:
        raise Refused(f"'pause' is missing: milliseconds from 0 to {MAX_PAUSE}")
    return pause, bool(_one_of(body, "halted", (True, False), False))


def text_wanted(body: Mapping[str, Any], name: str) -> str:
    """The text `name` in a request. Raises Refused if it is missing."""
    _only(body, name)
    return _required_text(body, name)


def study_wanted(body: Mapping[str, Any]) -> StudyWanted:
    """The study that a request describes. Raises Refused unless it names either a text or a file."""
    _only(body, "text", "game", "file")
    wanted = StudyWanted(_text(body, "text", None, MAX_UPLOAD), _text(body, "game", None), _text(body, "file", None))
    if (wanted.text is None) == (wanted.file is None):
        raise Refused("give either 'text' or 'file' to study")
    return wanted


def branch_wanted(body: Mapping[str, Any]) -> BranchWanted:
    """The table that a request describes, which continues from a position. Raises Refused if it is invalid."""
    _only(body, "seats", "pause")
    return BranchWanted(_seats(body), _whole(body, "pause", 0, MAX_PAUSE, 600) or 0)


def course_wanted(body: Mapping[str, Any]) -> CourseWanted:
    """The course that a request describes. Raises Refused if the description is invalid."""
    _only(body, "player", "seat", "since")
    return CourseWanted(
        player=_required_text(body, "player"),
        seat=_given_whole(body, "seat"),
        since=_whole(body, "since", 0, 2**53, 0) or 0,
    )


def records_wanted(query: Mapping[str, str]) -> RecordsWanted:
    """The page of the list that the query of an address requests. Raises Refused if the query is invalid."""
    _only(query, "first", "count", "game", "order", "down")
    return RecordsWanted(
        first=whole(query.get("first") or "0", "first", 0),
        count=min(whole(query.get("count") or str(MAX_PAGE), "count", 0), MAX_PAGE),
        game=_text(query, "game", "") or "",
        order=_one_of(query, "order", ORDERS, ORDERS[0]),
        down=_one_of(query, "down", ("yes", "no"), "no") == "yes",
    )


def whole(text: str, name: str, low: int) -> int:
    """An integer in an address. Raises Refused if `text` is not an integer or is below `low`."""
    if not _WHOLE.fullmatch(text) or int(text) < low:
        raise Refused(f"{name} must be a whole number from {low} on, not {text!r:.40}")
    return int(text)


def _seats(body: Mapping[str, Any]) -> tuple[SeatWanted, ...]:
    seats = body.get("seats")
    if not isinstance(seats, list) or not 2 <= len(seats) <= MOST_SEATS:
        raise Refused(f"'seats' must be a list of 2 to {MOST_SEATS} seats")
    return tuple(_seat(seat) for seat in seats)


def _seat(seat: Any) -> SeatWanted:
    if not isinstance(seat, dict):
        raise Refused("a seat is an object with 'player' or 'name'")
    _only(seat, "player", "name")
    name = _text(seat, "name", "", MAX_NAME) or ""
    if not name.isprintable():
        raise Refused("'name' must be printable characters")
    return SeatWanted(_text(seat, "player", None), " ".join(name.split()))


def _only(body: Mapping[str, Any], *names: str) -> None:
    unknown = sorted(set(body) - set(names))
    if unknown:
        raise Refused(f"there is no {unknown[0]!r:.60} here; there are {', '.join(map(repr, names))}")


def _text(body: Mapping[str, Any], name: str, default: str | None, most: int = MAX_TEXT) -> str | None:
    value = body.get(name, default)
    if value is None and default is None:
        return None
    if not isinstance(value, str) or len(value) > most or any("\ud800" <= one <= "\udfff" for one in value):
        raise Refused(f"{name!r} must be a text of at most {most} characters")
    return value


def _required_text(body: Mapping[str, Any], name: str) -> str:
    value = _text(body, name, "")
    if not value:
        raise Refused(f"{name!r} is missing")
    return value


def _whole(body: Mapping[str, Any], name: str, low: int, high: int, default: int | None) -> int | None:
    value = body.get(name, default)
    if value is None and default is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise Refused(f"{name!r} must be a whole number from {low} to {high}")
    return value


def _given_whole(body: Mapping[str, Any], name: str) -> int:
    value = _whole(body, name, 0, 2**53, None)
    if value is None:
        raise Refused(f"{name!r} is missing")
    return value


def _one_of(body: Mapping[str, Any], name: str, allowed: Sequence[Any], default: Any) -> Any:
    value = body.get(name, default)
    if not any(value is one or (isinstance(value, str) and value == one) for one in allowed):
        raise Refused(f"{name!r} must be one of {json.dumps(list(allowed))}")
    return value
