"""Does the server keep its tables, refuse what is wrong, and answer everything else?"""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import json
import os
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from served import DEADLINE, Answered, Served

from banakil_env.games import find
from banakil_env.kit.plain import Plain
from banakil_env.web import protocol, studies
from banakil_env.web.limits import MAX_BODY, MAX_STREAMS, MAX_UPLOAD
from banakil_env.web.protocol import Refused
from banakil_env.web.sitters import Sitters
from banakil_env.web.turns import Turns

RUMMY: dict[str, Any] = {"game": "rummy", "seats": [{"name": "Ann"}, {"player": "greedy"}]}


# Tables -------------------------------------------------------------------------------------------------------------


def test_the_server_is_killed_and_started_again_and_no_game_is_lost(tmp_path: Path) -> None:
    server = Served(tmp_path)
    try:
        keys = server.table("rummy", [None, "greedy", None], seed=8, practice=True)
        server.play(keys, 5)
        played = server.get("/api/table", keys[0])
        server.kill()
        for journal in (tmp_path / "tables").glob("*.jsonl"):
            assert journal.stat().st_mode & 0o077 == 0
            with journal.open("a", encoding="utf-8") as file:
                file.write('{"play": 1')  # killed while it wrote this
        server.start()
        again = server.get("/api/table", keys[0])
        for part in ("seats", "areas", "melds", "log", "moves", "toMove", "actions", "names"):
            assert again[part] == played[part]
        assert server.get("/api/table", keys[2])["seat"] == 2
        server.play(keys, 2)
        assert server.get("/api/table", keys[0])["moves"] > played["moves"]
    finally:
        server.kill()


def test_moves_are_taken_back_at_practice_tables_only(server: Served) -> None:
    key = server.table("rummy", [None, "greedy"], seed=1, practice=True)[0]
    start = server.wait(key)
    server.post("/api/table/move", {"action": start["actions"][0]["id"], "version": start["version"]}, key)
    view = server.wait(key)
    server.post("/api/table/undo", {"version": view["version"]}, key)
    assert server.wait(key)["seats"] == start["seats"]
    hint = server.post("/api/table/hint", {}, key)
    assert hint["action"] in [action["id"] for action in start["actions"]]
    key = server.table("rummy", [None, "greedy"], seed=1)[0]
    for path in ("undo", "hint"):
        with pytest.raises(Answered, match=r"403: .* only at practice tables"):
            server.post(f"/api/table/{path}", {"version": 0} if path == "undo" else {}, key)


def test_what_comes_late_or_out_of_turn_changes_nothing(server: Served) -> None:
    keys = server.table("rummy", [None, None], seed=1)
    view = server.wait(keys[0])
    action, version = view["actions"][0]["id"], view["version"]
    with pytest.raises(Answered, match="409: it is another seat's turn"):
        server.post("/api/table/move", {"action": action, "version": version}, keys[1])
    with pytest.raises(Answered, match=r"409: .* is not legal"):
        server.post("/api/table/move", {"action": 218, "version": version}, keys[0])
    server.post("/api/table/move", {"action": action, "version": version}, keys[0])
    with pytest.raises(Answered, match="409: the table has changed"):
        server.post("/api/table/move", {"action": action, "version": version}, keys[0])
    assert server.get("/api/table", keys[0])["moves"] == 1
    why = server.post("/api/table/why", {"text": "draw"}, keys[0])["why"]
    assert "'draw' is not legal" in why  # the move's words, without the index of the action
    assert "turn of seat 0" in server.post("/api/table/why", {"text": "draw"}, keys[1])["why"]


def test_one_of_two_moves_at_the_same_time_is_made(server: Served) -> None:
    key = server.table("rummy", [None, "greedy"], seed=1)[0]
    view = server.wait(key)
    body = {"action": view["actions"][0]["id"], "version": view["version"]}
    found: list[int] = []
    threads = [
        threading.Thread(target=lambda: found.append(server.request("POST", "/api/table/move", body, key)[0]))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == [200] + [409] * 7


def test_keys_are_long_and_of_one_seat(server: Served) -> None:
    keys = [key for _ in range(3) for key in server.table("rummy", [None, None]).values()]
    assert len(set(keys)) == 6
    assert min(map(len, keys)) >= 24
    for wrong in ("", "x", keys[0][:-1], keys[0] + "A", "é" * 24, "A" * 5000):
        status, content = server.request(
            "GET", "/api/table", headers={"Authorization": f"Bearer {wrong}".encode("latin-1").decode("latin-1")}
        )
        assert status in (401, 404)
        assert b"seat" in content


def test_too_many_tables_and_too_many_pages(tmp_path: Path) -> None:
    server = Served(tmp_path, "--tables", "2")
    try:
        keys = [server.table("rummy", [None, "greedy"], seed=1)[0] for _ in range(2)]
        for key in keys:
            server.get("/api/table", key)
        with pytest.raises(Answered, match="503: there are 2 tables, which is the most, and all of them are in use"):
            server.table("rummy", [None, "greedy"])
        server.post("/api/table/stop", {}, keys[0])
        server.table("rummy", [None, "greedy"])  # in the place of the one that is over
        with pytest.raises(Answered, match="404: there is no such seat"):
            server.get("/api/table", keys[0])
        pages = [server.news(keys[1]) for _ in range(MAX_STREAMS)]
        for page in pages:
            next(page)
        assert server.request("GET", "/api/table/news", key=keys[1])[0] == 503
        for page in pages:
            page.close()  # type: ignore[attr-defined]
    finally:
        server.kill()


# Studies ------------------------------------------------------------------------------------------------------------


def test_a_game_is_studied_asked_about_and_played_on(server: Served) -> None:
    keys = server.table("rummy", [None, "greedy"], seed=4)
    server.play(keys, 4)
    key = keys[0]
    server.post("/api/table/stop", {}, key)
    record = server.request("GET", "/api/table/record", key=key)[1].decode()
    made = server.post("/api/studies", {"text": record})
    study, moves = made["study"], made["moves"]
    assert server.post("/api/studies", {"text": record})["study"] == study  # one text, one link
    start, last = (server.get(f"/api/studies/{study}/{at}") for at in (0, moves))
    assert start["names"] == ["Person 0", "Greedy"]
    assert [seat["hand"] is None for seat in start["seats"]] == [False, False]
    assert [seat["hand"] is None for seat in server.get(f"/api/studies/{study}/0?seat=1")["seats"]] == [True, False]
    assert len(server.get(f"/api/studies/{study}/log")) == moves
    assert last["playedText"] == ""
    greedy = server.post(f"/api/studies/{study}/0/ask", {"player": "greedy"})
    assert greedy["text"] in [action["text"] for action in start["actions"]]
    search = server.post(f"/api/studies/{study}/{moves}/ask", {"player": "search:100"})
    assert any(row["margin"] is not None for row in search["rows"]) or len(search["rows"]) == 1
    assert search["basis"].startswith("hidden hands: ") or len(search["rows"]) == 1
    assert greedy["basis"] == ""
    text = server.request("GET", f"/api/studies/{study}/text?at={moves}")[1].decode()
    keys = server.post(f"/api/studies/{study}/{moves}/branch", {"seats": [{"name": ""}, {"player": "random"}]})["keys"]
    branch = server.get("/api/table", keys["0"])
    assert branch["seats"][0] == last["seats"][0]
    assert branch["practice"]
    again = server.post("/api/studies", {"text": text, "game": "rummy"})
    assert server.get(f"/api/studies/{again['study']}/0")["seats"] == last["seats"]


def test_a_study_outlives_the_server(tmp_path: Path) -> None:
    server = Served(tmp_path)
    try:
        text = Plain(find("rummy")).to_text(Plain(find("rummy")).new(seed=2))
        made = server.post("/api/studies", {"text": text, "game": "rummy"})
        before = server.get(f"/api/studies/{made['study']}/0")
        server.kill()
        server.start()
        assert server.get(f"/api/studies/{made['study']}/0") == before
    finally:
        server.kill()


def test_studies_on_disk_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(studies, "MAX_STUDY_FILES", 3)
    kept, plain = studies.Studies(tmp_path, Turns()), Plain(find("rummy"))

    async def open_and_look() -> list[str]:
        made = []
        for seed in range(5):
            made.append((await kept.open(plain.to_text(plain.new(seed=seed)), "rummy")).id)
            for age, study in enumerate(reversed(made)):  # as if a second lay between them
                path = tmp_path / "studies" / f"{study}.txt"
                if path.exists():
                    os.utime(path, (1000 - age, 1000 - age))
        return made

    made = asyncio.run(open_and_look())
    assert {path.stem for path in (tmp_path / "studies").iterdir()} == set(made[-3:])


def test_a_study_of_a_position_names_nobody(server: Served) -> None:
    plain = Plain(find("rummy"))
    made = server.post("/api/studies", {"text": plain.to_text(plain.new(seed=1)), "game": "rummy"})
    assert server.get(f"/api/studies/{made['study']}/0?seat=")["names"] == []


def test_names_with_marks_of_the_record_are_kept(server: Served) -> None:
    seats = [{"name": "Ann; # of 2"}, {"player": "greedy"}]
    key = server.post("/api/tables", {"game": "gin", "seats": seats, "pause": 0})["keys"]["0"]
    server.post("/api/table/stop", {}, key)
    text = server.request("GET", "/api/table/record", key=key)[1].decode()
    study = server.post("/api/studies", {"text": text})["study"]
    assert server.get(f"/api/studies/{study}/0?seat=")["names"] == ["Ann, # of 2", "Greedy"]


def test_no_file_outside_the_folder_given(server: Served, records: Path) -> None:
    plain = Plain(find("rummy"))
    notes = plain.recorder(state := plain.new(seed=3), 3)
    (records / "deal-0" / "table-0.txt").write_text(notes.text(state), encoding="utf-8")
    listed = server.get("/api/records")["records"]
    assert [record["name"] for record in listed] == ["deal-0/table-0.txt"]  # no link that leads out
    assert server.post("/api/studies", {"file": "deal-0/table-0.txt"})["game"] == "rummy"
    for name in ("../secret.txt", "link.txt", "/etc/passwd", "deal-0/../../secret.txt", "", "deal-0"):
        with pytest.raises(Answered, match=r"there is no record|either"):
            server.post("/api/studies", {"file": name})
    for path in ("/page/../server.py", "/page/..%2fserver.py", "/page/%2e%2e/server.py", "/page/", "/page/main.py"):
        assert server.request("GET", path)[0] in (404, 405)


# What is refused ----------------------------------------------------------------------------------------------------


def test_players_that_would_run_code_or_read_files_cannot_be_named(server: Served) -> None:
    for name in (
        "os:system",
        "net:/etc/passwd",
        "onnx:x",
        "hub:.",
        "human",
        "x.py:f",
        "search:999s",
        "search:99999999",
    ):
        with pytest.raises(Answered, match=r"400: the player .* cannot be named here"):
            server.post("/api/tables", {**RUMMY, "seats": [{"name": ""}, {"player": name}]})
    sitters = Sitters(("banakil_env.agents.human:make",))
    assert "banakil_env.agents.human:make" in sitters.names(find("rummy"), 2)
    assert sitters.find("search:50", find("rummy"), 2).name == "search:50"
    with pytest.raises(Refused, match="cannot be named"):
        sitters.find("nobody", find("yaniv"), 2)


@pytest.mark.parametrize(
    ("headers", "why"),
    [
        ({"Origin": "https://evil.example"}, "another site"),
        ({"Sec-Fetch-Site": "cross-site"}, "another site"),
        ({"Sec-Fetch-Site": "same-site"}, "another site"),
        ({"Host": "evil.example"}, "not called 'evil.example'"),
        ({"Host": ""}, "not called ''"),
        ({"Content-Type": "text/plain"}, "are JSON"),
        ({"Content-Type": "application/x-www-form-urlencoded"}, "are JSON"),
    ],
)
def test_requests_of_other_sites_are_refused(server: Served, headers: dict[str, str], why: str) -> None:
    status, content = server.request("POST", "/api/tables", RUMMY, headers=headers)
    assert status in (400, 403)
    assert why in content.decode() or status == 400
    if "Content-Type" not in headers:
        assert server.request("GET", "/api/games", headers=headers)[0] in (400, 403)


def test_answers_forbid_everything_that_the_page_does_not_need(server: Served) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=DEADLINE)
    connection.request("GET", "/")
    headers = dict(connection.getresponse().getheaders())
    assert "default-src 'none'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert not any(name.lower().startswith("access-control") for name in headers)
    page = server.request("GET", "/")[1].decode()
    assert "http" not in page.replace("http-equiv", "")  # nothing is loaded from elsewhere


def test_requests_of_the_wrong_size(server: Served) -> None:
    for body in (b"x" * (MAX_BODY + 1), json.dumps({"text": "x" * MAX_BODY}).encode()):
        assert server.request("POST", "/api/tables", body)[0] == 413
    assert server.request("POST", "/api/studies", {"text": "x" * (MAX_UPLOAD + 1)})[0] in (400, 413)
    assert server.request("POST", "/api/studies", b"x" * (2 * MAX_UPLOAD + 1))[0] == 413


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"game": "whist"}, "404: there is no game 'whist'"),
        ({"game": 7}, "'game' must be a text"),
        ({"seats": []}, "'seats' must be a list of 2 to 8"),
        ({"seats": [{"name": "a"}] * 7}, "Rummy is for 2, 3, 4, 5, 6 players, not for 7"),
        ({"seats": [{"name": "a"}, "greedy"]}, "a seat is an object"),
        ({"seats": [{"name": "a" * 41}, {}]}, "'name' must be a text of at most 40"),
        ({"seats": [{"name": "a\x00"}, {}]}, "printable"),
        ({"seed": -1}, "'seed' must be a whole number from 0"),
        ({"seed": True}, "'seed' must be a whole number"),
        ({"pause": 10**9}, "'pause' must be a whole number from 0 to 5000"),
        ({"rules": "nonsense"}, "nonsense"),
        ({"partners": 1}, "'partners' must be one of"),
        ({"partners": True}, "partners"),
        ({"episode": "week"}, "'episode' must be one of"),
        ({"practice": "yes"}, "'practice' must be one of"),
        ({"colour": "red"}, "there is no 'colour' here"),
    ],
)
def test_tables_that_cannot_be(server: Served, change: dict[str, Any], why: str) -> None:
    with pytest.raises(Answered) as error:
        server.post("/api/tables", {**RUMMY, **change})
    assert error.value.status in (400, 404)
    assert why in str(error.value)


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=8,
)
NAMES = ("game", "seats", "rules", "partners", "episode", "seed", "practice", "pause", "action", "version", "text")
bodies = st.dictionaries(st.sampled_from([*NAMES, "file", "player", "x"]), anything, max_size=5)


@given(body=bodies)
def test_any_object_is_read_or_refused(body: dict[str, Any]) -> None:
    for reader in (
        protocol.table_wanted,
        protocol.move_wanted,
        protocol.version_wanted,
        protocol.study_wanted,
        protocol.branch_wanted,
        lambda given: protocol.text_wanted(given, "text"),
    ):
        with contextlib.suppress(Refused):
            reader(body)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(
    method=st.sampled_from(["GET", "POST", "PUT", "DELETE", "HEAD"]),
    path=st.sampled_from(
        [
            *("/", "/api/games", "/api/tables", "/api/table", "/api/table/move", "/api/table/undo", "/api/table/why"),
            *("/api/table/hint", "/api/table/record", "/api/studies", "/api/studies/x/0", "/api/studies/0/0/ask"),
            *("/api/table?since=x", "/api/table?since=99999999999", "/nothing", "/page/x", "/%00", "/api/studies/x/-1"),
        ]
    ),
    body=bodies.map(lambda value: json.dumps(value).encode()) | st.binary(max_size=60) | st.just(b"[" * 5000),
    with_key=st.booleans(),
)
def test_the_protocol_withstands_anything(
    server: Served, fuzzed: tuple[str, Any], method: str, path: str, body: bytes, with_key: bool
) -> None:
    """Every answer is an answer, no mistake of the server, and the table is as it was."""
    key, before = fuzzed
    status, content = server.request(method, path, body, key if with_key else None)
    assert status < 500
    if status >= 400 and method != "HEAD":
        assert "error" in json.loads(content)
    after = server.get("/api/table", key)
    for part in ("seats", "moves", "actions", "stopped"):
        assert after[part] == before[part]


@pytest.fixture(scope="module")
def fuzzed(server: Served) -> tuple[str, Any]:
    """A table that is not to be changed. Its person is not to move: no move is legal, whatever it is."""
    keys = server.table("rummy", [None, None], seed=1)
    return keys[1], server.get("/api/table", keys[1])
