"""Is an outage no loss? A player that gives no reply stops its match in time and says what to do; replies of any type.

The servers and functions here misbehave for a few seconds at most.
"""

from __future__ import annotations

import csv
import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from chat_server import chat_server
from test_language_models import RUMMY, a_table, good, talker

from banakil_env.agents import make_player
from banakil_env.agents.conversation import Answer, ConversationPlayer, TalkError
from banakil_env.agents.talk_calls import LONGEST_REPLY, MOST_WAITING
from banakil_env.agents.talk_options import TalkOptions
from banakil_env.arena import MatchStopped, StoreError, play_match
from banakil_env.arena.report import markdown, save
from banakil_env.play.session import Session
from banakil_env.text.lengths import token_estimate

MATCH: dict[str, Any] = {"game": "rummy", "seed_set": "tuning-v1", "rules": "denexa max_turns=8", "deals": 3}
IN_TIME = 2.5  # seconds; every deadline here is shorter, and every server that misbehaves does so for longer


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    with chat_server() as found:
        monkeypatch.setenv("OPENAI_BASE_URL", found.url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        yield found


def failure_of(player: Any) -> TalkError:
    """How the player fails at a table of Rummy; it fails again when it is asked again."""
    with pytest.raises(TalkError) as failed:
        player.act(*a_table())
    return failed.value


# Kinds ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("player", "kind", "said", "requests"),
    [
        ("llm:refuses", "configuration", "HTTP 400: .*no such thing here.*Check the model's name", 1),
        ("llm:unknown", "configuration", "HTTP 404", 1),
        ("llm:moved", "configuration", "redirect to .*/elsewhere/chat.*set OPENAI_BASE_URL", 1),
        ("llm:down,connection=2", "transport", "HTTP 503.*Try again later", 3),
        ("llm:dead,connection=1", "transport", "in 2 tries.*Is the server at OPENAI_BASE_URL running", 2),
        ("llm:slow,seconds=1.5", "deadline", "within 1.5 s: raise seconds", 1),
    ],
)
def test_no_reply_is_told_with_its_kind_and_what_to_do(
    server: Any, player: str, kind: str, said: str, requests: int
) -> None:
    with chat_server() as other:  # what a server redirects to is not sent the conversation
        server.elsewhere = f"{other.url}/elsewhere"
        failed = failure_of(make_player(player, "rummy"))
        assert not other.requests
    assert failed.kind == kind
    assert re.search(said, str(failed)), failed
    assert len(server.requests) == requests


def test_an_outage_is_forgotten_when_it_is_over(server: Any) -> None:
    """One 503, and no further try: the next question sends a request, and gets a move."""
    player: Any = make_player("llm:mends,connection=0", "rummy")
    assert failure_of(player).kind == "transport"
    assert player.act(*a_table()).tolist() == [RUMMY.actions.parse("draw")]
    assert len(server.requests) == 2


def test_the_server_does_not_choose_a_codec(server: Any) -> None:
    """Some take hours for a reply of 16 MB, and decoding holds up all other servers."""
    server.charset = "; charset=punycode"
    begun = time.monotonic()
    assert make_player("llm:codec", "rummy").act(*a_table()).tolist() == [RUMMY.actions.parse("draw")]
    assert time.monotonic() - begun < 10


def test_half_an_emoji_is_read_and_logged(server: Any, tmp_path: Path) -> None:
    """JSON can hold half of a character, which no file and no request can."""
    log = tmp_path / "talk.jsonl"
    player = make_player(f"llm:emoji,log={log}", "rummy")
    assert player.act(*a_table()).tolist() == [RUMMY.actions.parse("draw")]
    [line] = log.read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["replies"] == ["unreadable", "legal"]


def test_a_reply_that_is_cut_off_gets_a_hint_of_its_own(server: Any) -> None:
    make_player("llm:cut", "rummy").act(*a_table())
    *_, reply, hint = server.requests[-1]
    assert reply["content"] == "(no text)"  # some servers refuse empty messages
    assert "cut off by the limit on its length" in hint["content"]
    assert "Think less" in hint["content"]


def test_a_reply_that_is_cut_off_is_not_read(server: Any) -> None:
    """Its last move may be half of another one: `discard T` of `discard Ts`."""
    player = ConversationPlayer(RUMMY, "cut", lambda told: Answer("MOVE: draw", cut_off=True), TalkOptions())
    assert failure_of(player).kind == "cut_off"
    assert player.counts.cut_off == 3


# Deadlines and limits -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("model", ["endless", "endless headers", "endless error", "endless headers flood"])
def test_a_deadline_holds_whatever_a_server_sends(server: Any, model: str) -> None:
    """A byte at a time, in headers and bodies; each byte comes before any limit of a wait between two."""
    player, begun = make_player(f"llm:{model},seconds=0.5,connection=0", "rummy"), time.monotonic()
    assert failure_of(player).kind in ("deadline", "transport")
    assert time.monotonic() - begun < IN_TIME


@pytest.mark.parametrize("model", ["endless flood", "endless error flood"])
def test_a_reply_has_a_largest_size(server: Any, model: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("banakil_env.agents.llm.LONGEST_REPLY", 1_000_000)
    failed = failure_of(make_player(f"llm:{model},connection=0", "rummy"))
    assert (failed.kind, "more than 1,000,000 bytes" in str(failed)) == ("transport", True)
    assert server.sent < 20_000_000  # with what the buffers of two sockets hold


def test_a_deadline_holds_for_functions() -> None:
    returns = threading.Event()
    player, begun = talker(lambda messages: returns.wait(IN_TIME) or good(messages), seconds=0.2), time.monotonic()
    try:
        assert failure_of(player).kind == "deadline"
        assert time.monotonic() - begun < IN_TIME
    finally:
        returns.set()


def test_calls_that_never_return_do_not_pile_up() -> None:
    returns = threading.Event()
    player = talker(lambda messages: returns.wait(60), seconds=0.001, at_once=1)
    try:
        for _ in range(MOST_WAITING + 1):
            assert "within 0.001 s" in str(failure_of(player))
        assert f"{MOST_WAITING + 1} earlier calls" in str(failure_of(player))
    finally:
        returns.set()


def test_a_text_that_is_too_long_is_unreadable() -> None:
    failed = failure_of(talker(lambda messages: "x" * (LONGEST_REPLY + 1) + good(messages), unreadable=0))
    assert (failed.kind, "characters" in str(failed)) == ("unreadable", True)


@pytest.mark.parametrize("raised", [KeyError("x"), SystemExit(0), RecursionError()], ids=repr)
def test_a_function_that_raises_gives_no_reply(raised: BaseException) -> None:
    def respond(messages: Any) -> str:
        raise raised

    failed = failure_of(talker(respond))
    assert (failed.kind, failed.file) == ("raised", __file__)
    assert type(raised).__name__ in str(failed)


# Odd replies ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reply", [None, 5, ["MOVE: draw"], b"MOVE: draw", {"move": "draw"}, float("nan")], ids=repr)
def test_a_reply_of_a_function_that_is_no_text_is_unreadable(reply: Any) -> None:
    player = talker(lambda messages: reply)
    failed = failure_of(player)
    assert (failed.kind, player.counts.unreadable) == ("unreadable", 3)
    assert "must be a text" in str(failed)


def body(usage: Any, content: Any = "MOVE: draw") -> dict[str, Any]:
    """A response of a server; usage "-": without any."""
    message = {"role": "assistant", "content": content}
    told = {} if usage == "-" else {"usage": usage}
    return {"choices": [{"finish_reason": "stop", "message": message}]} | told


@pytest.mark.parametrize(
    "usage",
    [
        *("-", None, 7, "many", [], {}, {"prompt_tokens": -1, "completion_tokens": -1}),
        *({"prompt_tokens": "many", "completion_tokens": None}, {"prompt_tokens": 10**400, "completion_tokens": 1e9}),
        *({"prompt_tokens": True, "completion_tokens": [3]}, {"prompt_tokens": 0}),
    ],
    ids=lambda usage: repr(usage)[:40],
)
def test_tokens_that_are_not_reported_plausibly_are_estimated(server: Any, usage: Any) -> None:
    server.bodies["odd"] = body(usage)
    player: Any = make_player("llm:odd", "rummy")
    assert player.act(*a_table()).tolist() == [RUMMY.actions.parse("draw")]
    told = sum(token_estimate(message["content"]) for message in server.requests[0])
    assert (player.counts.prompt_tokens, player.counts.completion_tokens) == (told, token_estimate("MOVE: draw"))
    [figures] = player.figures(a_table()[0])
    assert figures["prompt_tokens"] == told


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        *((5, "unreadable"), ([], "unreadable"), ({"a": 1}, "unreadable"), ([1, "MOVE: draw"], "unreadable")),
        *((True, "unreadable"), ("", "unreadable"), (None, "unreadable")),
        ([{"type": "text", "text": "MOVE: draw"}, {"type": "image"}], None),
    ],
    ids=repr,
)
def test_content_of_any_type_is_read_or_unreadable(server: Any, content: Any, kind: str | None) -> None:
    server.bodies["odd"] = body("-", content)
    player: Any = make_player("llm:odd", "rummy")
    if kind is None:
        assert player.act(*a_table()).tolist() == [RUMMY.actions.parse("draw")]
    else:
        assert failure_of(player).kind == kind


@pytest.mark.parametrize(
    "sent",
    [None, 5, [], {}, {"choices": []}, {"choices": {}}, {"choices": [5]}, {"error": {"message": "overloaded"}}],
    ids=repr,
)
def test_a_response_without_choices_is_no_reply(server: Any, sent: Any) -> None:
    server.bodies["odd"] = sent
    assert failure_of(make_player("llm:odd", "rummy")).kind == "transport"


# Matches --------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("where", "player", "kind"),
    [
        ({}, "llm:down,connection=0,giveup=first", "transport"),
        ({"isolate": True}, "llm:refuses", "configuration"),
        ({"processes": 2}, "llm:refuses", "configuration"),
    ],
    ids=str,
)
def test_a_match_stops_and_counts_no_table_as_lost(server: Any, where: Any, player: str, kind: str) -> None:
    with pytest.raises(MatchStopped, match="has stopped after 0 of at most 3 deals; no table was counted") as stopped:
        play_match([player, "greedy"], **MATCH, **where)
    assert stopped.value.kind == kind
    assert stopped.value.results.deals == []


def test_a_match_that_was_stopped_goes_on_where_it_was(tmp_path: Path) -> None:
    asked = [0]

    def respond(messages: Any) -> str:
        asked[0] += 1
        if asked[0] == 40:
            raise ConnectionError("the line is down")
        return good(messages)

    table = MATCH | {"deals": 12, "rules": "denexa max_turns=16"}
    whole = play_match([talker(good), "greedy"], **table)
    with pytest.raises(MatchStopped, match="the same match with this folder goes on from there") as stopped:
        play_match([talker(respond), "greedy"], folder=tmp_path, **table)
    before = len(stopped.value.results.deals)
    assert 0 < before < 12
    again = play_match([talker(respond), "greedy"], folder=tmp_path, **table)
    assert [t["points"] for deal in again.deals for t in deal] == [t["points"] for deal in whole.deals for t in deal]
    assert not again.failures()


def test_replies_that_cannot_be_followed_lose_tables_and_are_told_by_kind(server: Any, tmp_path: Path) -> None:
    players = ["llm:long,unreadable=0", "llm:stubborn,unreadable=0"]
    results = play_match(players, **(MATCH | {"deals": 2}), folder=tmp_path)
    forfeits = results.forfeits()
    assert sum(sum(kinds.values()) for kinds in forfeits.values()) == len(results.failures()) == 4
    assert {kind for kinds in forfeits.values() for kind in kinds} == {"cut_off", "unreadable"}
    for text in (str(results), markdown(results)):
        assert "cut off" in text
        assert "unreadable" in text
    assert "raise reply_tokens" in " ".join(str(results).split())
    save(results, tmp_path)
    told = json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert told["forfeits"] == forfeits
    assert {failure["kind"] for failure in told["failures"]} == {"cut_off", "unreadable"}
    rows = csv.DictReader((tmp_path / "players.csv").read_text(encoding="utf-8").splitlines())
    assert sum(int(row["forfeits_cut_off"]) + int(row["forfeits_unreadable"]) for row in rows) == 4
    assert "<th>cut off</th>" in (tmp_path / "report.html").read_text(encoding="utf-8")
    lines = (tmp_path / "deals.jsonl").read_text(encoding="utf-8").splitlines()[1:]
    kinds = {table["failed"]["kind"] for line in lines for table in json.loads(line)["tables"] if table["failed"]}
    assert kinds == {"cut_off", "unreadable"}


def test_failures_of_programs_have_their_kinds() -> None:
    def late(observation: Any, mask: Any) -> int:
        time.sleep(1)
        return 0

    def raises(observation: Any, mask: Any) -> int:
        raise RuntimeError

    def illegal(observation: Any, mask: Any) -> int:
        return int(mask.argmin())

    def none(observation: Any, mask: Any) -> None:
        return None

    results = play_match([late, raises, illegal, none], **(MATCH | {"deals": 1}), budget=0.05)
    kinds = {name: list(found) for name, found in results.forfeits().items()}
    assert kinds == {"late": ["deadline"], "raises": ["raised"], "illegal": ["illegal"], "none": ["malformed"]}


def test_a_kind_in_a_file_is_checked(server: Any, tmp_path: Path) -> None:
    match = MATCH | {"deals": 1, "folder": tmp_path}
    play_match(["llm:stubborn", "greedy"], **match)
    file = tmp_path / "deals.jsonl"
    told = file.read_text(encoding="utf-8")
    file.write_text(told.replace('"kind":"unreadable",', ""), encoding="utf-8")  # as earlier versions wrote it
    assert list(play_match(["llm:stubborn", "greedy"], **match).forfeits().values()) == [{"unknown": 2}]
    file.write_text(told.replace('"kind":"unreadable"', '"kind":"bad luck"'), encoding="utf-8")
    with pytest.raises(StoreError, match="failed cannot be"):
        play_match(["llm:stubborn", "greedy"], **match)


# The command ----------------------------------------------------------------------------------------------------------


def leaves(messages: Any) -> str:
    """Ends the process that it runs in; for `text:`."""
    os._exit(0)


def sleeps(messages: Any) -> str:
    """Returns after the deadline of its test; for `text:`."""
    time.sleep(20)
    return "MOVE: draw"


def arena(player: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    """The command `banakil arena`, with a player of this module."""
    here = Path(__file__).parent
    environment = os.environ | {"PYTHONPATH": os.pathsep.join([str(here.parent), str(here)]), "COLUMNS": "200"}
    command = [sys.executable, "-m", "banakil_env.cli", "arena", player, "greedy", "--game", "rummy", "--deals", "2"]
    return subprocess.run(
        [*command, "--processes", "1", *arguments], env=environment, capture_output=True, text=True, timeout=120
    )


def test_a_function_that_ends_its_process_ends_the_match_with_a_message() -> None:
    done = arena("text:test_no_reply:leaves")
    assert done.returncode == 1
    assert "brought down its process (exit code 0)" in done.stderr
    assert "no table was counted as lost" in done.stderr


def test_the_command_does_not_wait_for_a_function_that_does_not_return(tmp_path: Path) -> None:
    done = arena("text:test_no_reply:sleeps,seconds=0.5", "--budget", "1", "--out", str(tmp_path))
    assert done.returncode == 1
    assert "gave no reply within 0.5 s: raise seconds" in done.stderr
    assert f"are in {tmp_path}" in done.stderr


# The browser's tables -------------------------------------------------------------------------------------------------


def test_a_session_goes_on_after_an_outage(server: Any) -> None:
    """As in the browser: the player fails, the person takes the move back and makes the same one."""
    session = Session.deal("rummy", [None, "llm:mends,connection=0"], seed=3)
    for _ in range(2):
        session.play(session.plain.parse_action("draw"))
        session.play(session.plain.legal_actions(session.state)[0])
        if not server.requests:
            with pytest.raises(TalkError, match="HTTP 503"):
                session.move_player()
            assert session.undo_turn(0)
    session.move_player()
    assert session.moves[-1].seat == 1
