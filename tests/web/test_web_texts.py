"""Is what users write taken as it is meant? Records in a folder, players, addresses, names of unknown origin."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from served import Served

from banakil_env.agents import make_player
from banakil_env.cli import main
from banakil_env.games import GAMES, find
from banakil_env.kit.records import one_line
from banakil_env.play import allowed
from banakil_env.play.session import Session
from banakil_env.record import command
from banakil_env.render.scenes import scene_of
from banakil_env.web import library as library_module
from banakil_env.web import views
from banakil_env.web.library import Library
from banakil_env.web.limits import MAX_PAGE
from banakil_env.web.protocol import ORDERS, Refused, records_wanted
from banakil_env.web.sitters import Sitters
from banakil_env.web.studies import Studies
from banakil_env.web.turns import Turns

RIGHT_TO_LEFT, BELL = "\u202e", "\a"


def record(seed: int, *names: str) -> str:
    session = Session.deal("rummy", ["greedy", "greedy"], seed=seed, names=list(names))
    while session.player_to_move is not None:
        session.move_player()
    return session.record()


# Records of a folder --------------------------------------------------------------------------------------------------


def listed(library: Library, **query: str) -> dict[str, Any]:
    """A page of the list, as an address asks for it."""
    return library.page(records_wanted(query))


def test_records_are_listed_by_number_and_by_pages(tmp_path: Path) -> None:
    for number in (0, 1, 2, 10, 11, 100):
        (tmp_path / f"deal-{number}-table-0.txt").write_text("game: rummy-v0\n", encoding="utf-8")
    (tmp_path / "deal-2").mkdir()
    (tmp_path / "deal-2" / "table-10.txt").write_text("", encoding="utf-8")
    (tmp_path / "deal-2" / "table-9.record").write_text("", encoding="utf-8")
    (tmp_path / "notes.md").write_text("", encoding="utf-8")
    library = Library(tmp_path)
    pages = [listed(library, first=str(first), count="3") for first in (0, 3, 6, 9)]
    assert [page["total"] for page in pages] == [8] * 4
    names = [each["name"] for page in pages for each in page["records"]]
    tables = [f"deal-{number}-table-0.txt" for number in (0, 1, 2, 10, 11, 100)]
    assert [name for name in names if "/" not in name] == tables
    assert [name for name in names if "/" in name] == ["deal-2/table-9.record", "deal-2/table-10.txt"]


def test_a_listed_record_says_game_players_and_result(tmp_path: Path) -> None:
    text = record(3, "Ann", "Ben")
    (tmp_path / "a.txt").write_text(text, encoding="utf-8")
    (tmp_path / "b.txt").write_bytes(b"\xff\xfe no record")
    for number, file in enumerate(("a.txt", "b.txt")):
        os.utime(tmp_path / file, (0, 86400 * number))
    first, second = listed(Library(tmp_path))["records"]
    end = text.splitlines()[-1].removeprefix("end: ").partition("; check")[0]
    game = f"rummy-v{find('rummy').version}"
    date, later = "1970-01-01T00:00+00:00", "1970-01-02T00:00+00:00"
    assert first == {"name": "a.txt", "game": game, "players": ["Ann", "Ben"], "date": date, "result": end}
    assert second == {"name": "b.txt", "game": "", "players": [], "date": later, "result": ""}


def test_records_are_sorted_and_those_of_one_game_chosen(tmp_path: Path) -> None:
    told = [("rummy-v0", "Cy; Ann", "seat 0; points 9 0"), ("gin-v0", "Ben; Ann", "seat 1; points 0 10")]
    told += [("rummy-v0", "Ann; Ben", "seat 0; points 10 0")]
    for number, (game, players, result) in enumerate(told):
        path = tmp_path / f"{number}.txt"
        path.write_text(f"game: {game}\n# seats: {players}\nend: {result}; check 1\n", encoding="utf-8")
        os.utime(path, (0, 1000 - number))
    library = Library(tmp_path)

    def names(**query: str) -> list[str]:
        return [each["name"][0] for each in listed(library, **query)["records"]]

    expected = {"name": "012", "game": "102", "players": "210", "date": "210", "result": "021"}
    assert {order: "".join(names(order=order)) for order in ORDERS} == expected
    assert names(order="date", down="yes") == ["0", "1", "2"]
    assert names(game="rummy-v0", order="players") == ["2", "0"]
    found = listed(library, game="gin-v0")
    assert (found["total"], found["games"]) == (1, ["gin-v0", "rummy-v0"])
    assert names(order="date", first="1", count="1") == ["1"]


def test_a_record_is_read_again_when_its_file_has_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library_module, "LISTED_SECONDS", -1.0)
    path, library = tmp_path / "a.txt", Library(tmp_path)
    for game in ("rummy-v0", "gin-v0"):
        path.write_text(f"game: {game}\n", encoding="utf-8")
        assert [each["game"] for each in listed(library)["records"]] == [game]
    read = library._records["a.txt"]
    listed(library)
    assert library._records["a.txt"] is read  # not read a third time
    path.unlink()
    assert listed(library) == {"total": 0, "first": 0, "records": [], "games": []}


def test_names_of_files_that_cannot_be_shown_are_left_out(tmp_path: Path) -> None:
    (tmp_path / "good.txt").write_text("", encoding="utf-8")
    (tmp_path / f"x{RIGHT_TO_LEFT}y.txt").write_text("", encoding="utf-8")
    with open(os.fsencode(tmp_path) + b"/\xff.txt", "wb"):
        pass
    os.mkfifo(tmp_path / "pipe.txt")
    (tmp_path / "circle.txt").symlink_to(tmp_path / "circle.txt")
    (tmp_path / "inside.txt").symlink_to(tmp_path / "good.txt")
    library = Library(tmp_path)
    assert [each["name"] for each in listed(library)["records"]] == ["good.txt", "inside.txt"]
    for name in (
        "pipe.txt",
        "circle.txt",
        "../good.txt",
        f"{tmp_path}/good.txt",
        "x\0.txt",
        "good",
        "a" * 999 + ".txt",
    ):
        with pytest.raises(Refused, match="there is no record"):
            library.text(name)


def test_the_list_is_made_in_a_thread_of_its_own(server: Served) -> None:
    page = server.get("/api/records?first=0&count=1000000")
    assert set(page) == {"total", "first", "records", "games"}
    assert len(page["records"]) <= MAX_PAGE
    for wrong in ("first=-1", "count=x", "first=%D9%A3", "order=size", "down=1", "x=1"):
        assert server.request("GET", f"/api/records?{wrong}")[0] == 400


# Addresses and names --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("origin", ["http://[::1", "http://[", "[", "http://]", "null", "\x7f", "http://[x]:y"])
def test_an_origin_that_is_no_address_is_refused(server: Served, origin: str) -> None:
    assert server.request("GET", "/api/games", headers={"Origin": origin})[0] == 403


@pytest.mark.parametrize(
    "wrong", ["-5", "-1", "1e3", "+1", "1_0", "%D9%A3", "%C2%B2", "9999999999", "--5", "0x1", " 1"]
)
def test_a_number_of_moves_is_a_whole_number_from_0_on(server: Served, wrong: str) -> None:
    key = server.table("rummy", [None, "greedy"])[0]
    status, content = server.request("GET", f"/api/table?since={wrong.replace(' ', '%20')}", key=key)
    assert status == 400
    assert b"must be a whole number from 0 on" in content


@pytest.mark.parametrize("budget", ["٣", "٣ms", "1٣", "²", "１００", "1_0", "+5", " 5"])
def test_the_budget_of_a_search_has_ascii_digits(server: Served, budget: str) -> None:
    seats = [{"name": ""}, {"player": f"search:{budget}"}]
    status, content = server.request("POST", "/api/tables", {"game": "rummy", "seats": seats})
    assert status == 400
    assert b"cannot be named here" in content
    with pytest.raises(ValueError, match="the budget of a search"):
        make_player(f"search:{budget}", "rummy")


def test_seeds_of_recordings_have_ascii_digits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "_writer", lambda kind: None)
    monkeypatch.setattr(sys, "argv", ["banakil", "record", "greedy", "x.parquet", "--game", "rummy", "--seeds", "٣"])
    with pytest.raises(SystemExit, match=r"^banakil record: .*seed set"):
        main()


def test_names_in_a_study_are_without_control_and_direction_characters(tmp_path: Path) -> None:
    text = record(3).replace(
        "# seats: greedy; greedy", f"# seats: A{RIGHT_TO_LEFT}nn{BELL}; \u200bBen\u2066" + "x" * 60
    )
    study = asyncio.run(Studies(tmp_path, Turns()).open(text, None))
    assert study.names[0] == "A nn"
    assert study.names[1] == ("Ben " + "x" * 60)[:40]
    assert all(name.isprintable() for name in study.names)
    assert one_line("a\nb\x1b[31mc") == "a b [31mc"


def test_the_seed_of_a_deal_has_64_bits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from banakil_env.web import tables
    from banakil_env.web.protocol import SeatWanted, TableWanted

    monkeypatch.setattr(tables.secrets, "randbits", lambda bits: 2**bits - 1)
    wanted = TableWanted("rummy", {}, (SeatWanted(None, ""), SeatWanted(None, "")), None, False, 0)
    at = asyncio.run(tables.Tables(tmp_path, Sitters(), Turns()).create(wanted))
    assert at.session.seed == 2**64 - 1


# Players --------------------------------------------------------------------------------------------------------------


class OfYaniv:
    """A model of one game, trained at tables for three."""

    name = "of:yaniv"

    def __init__(self) -> None:
        self.about = {"config": {"table": {"num_players": 3}}}

    def act(self, observations: Any, masks: Any, dice: Any) -> Any:
        """The first legal action."""
        return np.argmax(masks, axis=1)


def test_a_player_is_offered_for_the_games_and_seats_that_it_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    real = allowed.make_players

    def make(names: Any, game: Any) -> Any:
        if names != ["of:yaniv"]:
            return real(names, game)
        if game.name != "yaniv":
            raise ValueError(f"it does not play {game.name}")
        return [OfYaniv()]

    monkeypatch.setattr(allowed, "make_players", make)
    made = Sitters(("of:yaniv",))
    offered = [
        (name, seats) for name in GAMES for seats in find(name).seats if "of:yaniv" in made.names(find(name), seats)
    ]
    assert offered == [("yaniv", 3)]
    assert made.find("of:yaniv", find("yaniv"), 3).name == "of:yaniv"
    for game, seats in (("yaniv", 2), ("rummy", 3)):
        with pytest.raises(Refused, match=f"cannot be named here; {find(game).title} for {seats} has random"):
            made.find("of:yaniv", find(game), seats)


def test_agents_of_the_zoo_are_offered_for_their_number_of_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    from banakil_env.play import defaults

    monkeypatch.setattr(defaults, "_is_there", lambda module: True)
    game, made = find("banakil"), Sitters()
    for seats in (2, 3, 4):
        agents = [name for name in made.names(game, seats) if name.startswith("net:")]
        of_tables = {re.sub(r"-\d+$", "", name.rpartition("/")[2]) for name in agents}  # banakil-2p-2 is of banakil-2p
        assert len(of_tables) == len(agents)  # one of each table
        assert f"banakil-{seats}p" in of_tables
        assert of_tables <= {table.name for table in game.tables if table.options["num_players"] == seats}


def test_a_player_that_plays_no_game_is_said_at_the_start() -> None:
    with pytest.raises(ValueError, match=r"the player 'onnx:nothing.onnx' plays no game: .*nothing.onnx"):
        Sitters(("onnx:nothing.onnx",))


# Cards just drawn -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_the_cards_just_drawn_are_those_that_have_come_into_the_hand(name: str) -> None:
    """Against a count of the hand before and after every move; another's cards are never told."""
    game = find(name)
    seats, rng = game.seats[0], np.random.default_rng(7)
    session = Session.deal(game, [None] * seats, seed=7)
    drew = 0
    for _ in range(150):
        seat = session.seat_to_move
        if seat is None:
            break
        before, turn = hand(session, seat), (int(session.state.rounds), int(session.state.turns))
        session.play(int(rng.choice(session.plain.legal_actions(session.state))))
        gained = hand(session, seat) - before
        if gained and (int(session.state.rounds), session.seat_to_move is None) == (turn[0], False):
            assert drawn(session, seat) == sorted(gained.elements())
            drew += 1
        for other in range(seats):
            assert not Counter(drawn(session, other)) - hand(session, other)
    assert drew > 0


def drawn(session: Session, seat: int) -> list[str]:
    return views.drawn_view(session, scene_of(session.game, session.state, seat))


def hand(session: Session, seat: int) -> Counter[str]:
    groups = scene_of(session.game, session.state, seat).seats[seat].hand or ()
    return Counter(card for group in groups for card in group)


def test_a_discard_ends_what_was_just_drawn() -> None:
    session = Session.deal("rummy", [None, None], seed=1)
    assert drawn(session, 0) == []
    session.play(session.plain.parse_action("draw"))
    assert len(drawn(session, 0)) == 1
    assert drawn(session, 1) == []
    discard = [
        a for a in session.plain.legal_actions(session.state) if session.plain.action_text(a).startswith("discard")
    ]
    session.play(discard[-1])
    assert drawn(session, 0) == []
    session.back_to(1)
    assert len(drawn(session, 0)) == 1
