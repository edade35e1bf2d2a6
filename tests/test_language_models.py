"""Do players that read and write play, ask again, keep their limits, and say what it took?"""

from __future__ import annotations

import csv
import json
import os
import pickle
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from chat_server import TOKENS_READ, TOKENS_WRITTEN, chat_server, first_move

from banakil_env.agents import PlayerError, make_player
from banakil_env.agents.conversation import Answer, ConversationPlayer, Message, TalkError
from banakil_env.agents.talk_options import TalkOptions, split_options
from banakil_env.arena import StoreError, play_match
from banakil_env.arena.figures import figures_of
from banakil_env.arena.report import save, text
from banakil_env.games import find
from banakil_env.play.session import Session

RUMMY = find("rummy")


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    with chat_server() as found:
        monkeypatch.setenv("OPENAI_BASE_URL", found.url)
        monkeypatch.setenv("OPENAI_API_KEY", "none")
        yield found


def a_table() -> tuple[Any, ...]:
    """The rows of one decision of Rummy, as a player is asked."""
    session = Session.deal("rummy", [None, None], seed=3)
    seen = session.plain.observe(session.state, 0)
    return seen["observation"][None], seen["action_mask"][None], np.zeros(1, np.uint64)


def talker(respond: Any, **options: Any) -> ConversationPlayer:
    """A player of Rummy made of a function from a conversation to a text."""
    return ConversationPlayer(RUMMY, "text:test", lambda messages: Answer(respond(messages)), TalkOptions(**options))


def good(messages: list[Message]) -> str:
    """The first legal move."""
    return f"MOVE: {first_move(messages[1]['content'])}"


def lazy(messages: list[Message]) -> str:
    """The first legal move, by a good deal of talk; for `text:`."""
    return f"I have seen {len(messages)} messages.\n{good(messages)}"


# Replies of a server --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "counts"),
    [
        ("good", {}),
        ("illegal", {"illegal": 1, "replies": 2}),
        ("unreadable", {"unreadable": 1, "replies": 2}),
        ("empty", {"unreadable": 1, "replies": 2}),
        ("null", {"unreadable": 1, "replies": 2}),
        ("cut", {"cut_off": 1, "replies": 2}),
        ("mends", {}),
        ("huge", {}),
        ("broken", {}),
        ("busy", {}),
    ],
)
def test_a_model_gets_to_its_move(server: Any, model: str, counts: dict[str, int]) -> None:
    player: Any = make_player(f"llm:{model}", "rummy")
    [action] = player.act(*a_table())
    assert RUMMY.actions.text(int(action)) == "draw"
    expected = {"decisions": 1, "replies": 1, "unreadable": 0, "illegal": 0, "cut_off": 0, "given_up": 0} | counts
    assert {name: getattr(player.counts, name) for name in expected} == expected
    assert player.counts.prompt_tokens == TOKENS_READ * expected["replies"]
    assert player.counts.completion_tokens == TOKENS_WRITTEN * expected["replies"]


def test_the_reason_goes_back_to_the_model(server: Any) -> None:
    make_player("llm:illegal", "rummy").act(*a_table())
    *_, told_again = server.requests[-1]
    assert "'meld 0'" in told_again["content"]
    assert "is not legal" in told_again["content"]


@pytest.mark.parametrize(
    ("player", "said"),
    [
        ("llm:stubborn,unreadable=1", "gave up after unreadable, unreadable"),
        ("llm:illegal,illegal=0", "gave up after illegal"),
        ("llm:long,unreadable=1", "gave up after cut off, cut off: cut off after 11 tokens: raise reply_tokens"),
    ],
)
def test_a_model_that_makes_no_move_fails_with_the_reason(server: Any, player: str, said: str) -> None:
    made: Any = make_player(player, "rummy")
    with pytest.raises(TalkError, match=said):
        made.act(*a_table())
    requests = len(server.requests)
    with pytest.raises(TalkError):  # nothing is remembered of what failed: the model is asked again
        made.act(*a_table())
    assert len(server.requests) == 2 * requests


def test_what_was_given_up_among_several_tables_is_not_paid_for_twice(server: Any) -> None:
    """The arena asks about several tables at once, and after a failure about each of them."""
    rows = [np.repeat(each, 2, axis=0) for each in a_table()]
    made: Any = make_player("llm:stubborn,unreadable=1", "rummy")
    with pytest.raises(TalkError):
        made.act(*rows)
    for _ in range(2):
        with pytest.raises(TalkError):
            made.act(*a_table())
    assert len(server.requests) == 2
    with pytest.raises(TalkError):
        made.act(*a_table())
    assert len(server.requests) == 4


def test_the_first_legal_move_is_made_instead_and_counted(server: Any) -> None:
    player: Any = make_player("llm:stubborn,giveup=first", "rummy")
    assert player.act(*a_table()).tolist() == [RUMMY.actions.parse("draw")]
    assert (player.counts.given_up, player.counts.unreadable) == (1, 3)


def test_a_budget_of_tokens_is_kept(server: Any) -> None:
    player: Any = make_player("llm:stubborn,tokens=1000", "rummy")
    with pytest.raises(TalkError, match="used up its 1000 tokens: raise tokens") as failed:
        player.act(*a_table())
    assert player.counts.replies == 2
    assert failed.value.kind == "tokens"


def test_cost_and_conversations_are_written_down(server: Any, tmp_path: Path) -> None:
    log = tmp_path / "talk.jsonl"
    player: Any = make_player(f"llm:illegal,price_in=2,price_out=10,log={log}", "rummy")
    player.act(*a_table())
    assert player.counts.cost == pytest.approx(2 * (TOKENS_READ * 2 + TOKENS_WRITTEN * 10) / 1e6)
    [line] = map(json.loads, log.read_text(encoding="utf-8").splitlines())
    assert [message["role"] for message in line["messages"]] == ["system", "user", "assistant", "user", "assistant"]
    assert line["replies"] == ["illegal", "legal"]
    assert (line["prompt_tokens"], line["completion_tokens"]) == (2 * TOKENS_READ, 2 * TOKENS_WRITTEN)


def test_a_match_over_a_server_is_played_to_its_end(server: Any) -> None:
    players: list[Any] = [make_player("llm:good,at_once=4", "rummy"), "greedy"]
    results = play_match(players, game="rummy", deals=2, seed_set="tuning-v1", rules="denexa max_turns=12")
    assert [outcome["failed"] for deal in results.deals for outcome in deal] == [None] * 4
    decisions = sum(outcome["decisions"][0] for deal in results.deals for outcome in deal)
    assert 0 < players[0].counts.decisions <= decisions  # the same observation is asked about once
    assert players[0].counts.replies == len(server.requests) == players[0].counts.decisions - players[0].counts.planned


# Conversations --------------------------------------------------------------------------------------------------------


def test_a_conversation_has_the_rules_the_table_and_nothing_hidden() -> None:
    heard: list[list[Message]] = []
    player = talker(lambda messages: heard.append(messages) or good(messages), moves="all")
    player.act(*a_table())
    system, user = heard[0]
    assert "# Rummy: the rules of this table" in system["content"]
    assert "MOVE:" in system["content"]
    assert "You are to decide: draw or take." in user["content"]
    assert "Seat 1: 10 cards" in user["content"]


def test_further_moves_of_a_reply_are_made_while_nothing_hidden_turns_up() -> None:
    """After `take` the discard that was said is made without another question; after `draw` it is asked again."""
    asked, first = [], [""]

    def plans(messages: list[Message]) -> str:
        asked.append(messages)
        told = messages[1]["content"]
        hand = told.partition("your hand")[2].partition(": ")[2].split()[0]
        return f"MOVE: {first[0]}; discard {hand}" if "draw or take" in told else f"MOVE: discard {hand}"

    for each, questions in (("take", 1), ("draw", 2)):
        first[0] = each
        asked.clear()
        session = Session.deal("rummy", [talker(plans), None], seed=3)
        session.move_player()
        session.move_player()
        assert len(asked) == questions
        assert session.plain.action_text(session.moves[1].action).startswith("discard")


def test_the_same_observation_gets_the_same_move_and_is_asked_about_once() -> None:
    asked = []
    player = talker(lambda messages: asked.append(messages) or good(messages))
    rows = [np.repeat(each, 5, axis=0) for each in a_table()]
    assert len(set(player.act(*rows).tolist())) == 1
    player.act(*a_table())
    assert len(asked) == 1


def test_a_match_that_was_broken_off_goes_on_to_the_same_figures(tmp_path: Path) -> None:
    asked: list[Any] = []

    def counted(messages: list[Message]) -> str:
        asked.append(messages)
        return good(messages)

    def break_off(done: int, total: int, text: str) -> None:
        if done:
            raise KeyboardInterrupt

    table: dict[str, Any] = {"game": "rummy", "seed_set": "tuning-v1", "rules": "denexa max_turns=16"}
    whole = play_match([talker(good), "greedy"], deals=40, **table)
    with pytest.raises(KeyboardInterrupt):
        play_match([talker(counted), "greedy"], deals=40, folder=tmp_path, progress=break_off, **table)
    before = len(asked)
    continued = play_match([talker(counted), "greedy"], deals=40, folder=tmp_path, **table)
    assert 0 < before < len(asked)
    assert figures(continued) == figures(whole)


# Figures of a match ---------------------------------------------------------------------------------------------------

MATCH: dict[str, Any] = {"game": "rummy", "seed_set": "tuning-v1", "rules": "denexa max_turns=8", "deals": 3}
PRICED = "llm:illegal,price_in=2,price_out=10"
KILLED = """
import os
from banakil_env.arena import StoreError, play_match
from banakil_env.arena.figures import figures_of
from banakil_env.arena.report import save, text
from test_language_models import MATCH, PRICED

def die(done, total, text):
    if done:
        os._exit(9)

play_match([PRICED, "greedy"], folder="{folder}", progress=die, **MATCH)
"""


def told(results: Any) -> dict[str, float]:
    """The figures of the one player that has any."""
    [(name, found)] = results.figures().items()
    assert name == PRICED
    return found


def test_a_report_says_what_replies_a_model_gave_and_what_they_cost(server: Any, tmp_path: Path) -> None:
    """The model is illegal once in every decision, so that it replies twice."""
    results = play_match([PRICED, "greedy"], **MATCH)
    found = told(results)
    assert found["replies"] == len(server.requests) == 2 * found["decisions"]
    assert (found["illegal"], found["unreadable"], found["given_up"]) == (found["decisions"], 0, 0)
    assert found["forfeits"] == 0
    assert found["tokens"] == found["replies"] * (TOKENS_READ + TOKENS_WRITTEN)
    assert found["tokens_a_decision"] == 2 * (TOKENS_READ + TOKENS_WRITTEN)
    assert found["cost"] == pytest.approx(found["replies"] * (TOKENS_READ * 2 + TOKENS_WRITTEN * 10) / 1e6)
    save(results, tmp_path)
    assert json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))["figures"] == {PRICED: found}
    rows = list(csv.DictReader((tmp_path / "players.csv").read_text(encoding="utf-8").splitlines()))
    assert {row["player"]: row["illegal"] for row in rows} == {PRICED: str(found["illegal"]), "greedy": ""}
    assert float(rows[0]["tokens_a_decision"]) == found["tokens_a_decision"]
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "<h2>Replies and tokens</h2>" in page
    assert f"<td>{found['tokens']:.6g}</td>" in page
    lines = text(results, 200)
    assert re.search(r"decisions +replies +unreadable +illegal .* cost", lines)
    assert f"{found['cost']:.6g}" in lines


def test_without_such_players_a_report_says_nothing_of_replies(tmp_path: Path) -> None:
    results = play_match(["random", "greedy"], **MATCH)
    assert results.figures() == {}
    save(results, tmp_path)
    assert "figures" not in json.loads((tmp_path / "results.json").read_text(encoding="utf-8"))
    assert "tokens" not in (tmp_path / "players.csv").read_text(encoding="utf-8")
    assert "tokens" not in (tmp_path / "report.html").read_text(encoding="utf-8") + text(results, 200)
    assert all("figures" not in table for deal in results.deals for table in deal)


@pytest.mark.second("test_a_match_that_was_broken_off_goes_on_to_the_same_figures")
def test_figures_of_a_match_that_was_killed_and_continued_add_up(server: Any, tmp_path: Path) -> None:
    whole = told(play_match([PRICED, "greedy"], **MATCH))
    program = KILLED.format(folder=tmp_path.as_posix())
    environment = os.environ | {
        "PYTHONPATH": os.pathsep.join(map(str, (Path(__file__).parents[1], Path(__file__).parent)))
    }
    killed = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True)
    assert killed.returncode == 9, killed.stderr
    kept = (tmp_path / "deals.jsonl").read_text(encoding="utf-8").splitlines()[1:]
    assert 1 <= len(kept) < MATCH["deals"]
    asked = len(server.requests)
    continued = told(play_match([PRICED, "greedy"], folder=tmp_path, **MATCH))
    assert len(server.requests) > asked
    assert continued.pop("cost") == pytest.approx(whole.pop("cost"))
    assert continued == whole
    again = told(play_match([PRICED, "greedy"], folder=tmp_path, **MATCH))
    again.pop("cost")
    assert again == whole


def test_tables_that_are_given_up_are_forfeits_and_their_replies_are_counted(server: Any) -> None:
    results = play_match(["llm:stubborn,unreadable=1", "greedy"], **(MATCH | {"deals": 2}))
    [found] = results.figures().values()
    failed = results.failures()
    assert found["forfeits"] == len(failed) == len({(each["deal"], each["table"]) for each in failed}) == 4
    assert found["replies"] == found["unreadable"] == 2 * found["decisions"] == len(server.requests)


def test_figures_come_from_other_processes_too(server: Any) -> None:
    here = told(play_match([PRICED, "greedy"], **(MATCH | {"deals": 2})))
    there = told(play_match([PRICED, "greedy"], **(MATCH | {"deals": 2}), isolate=True))
    assert there == pytest.approx(here)


@pytest.mark.parametrize(
    "said", [None, 5, [], [{"a": -1}], [{"a": float("nan")}], [{"a b": 1}], [{5: 1}], [{"a": True}]]
)
def test_figures_that_are_none_are_not_kept(said: Any) -> None:
    class Boaster:
        name = "boaster"

        def figures(self, observations: Any) -> Any:
            if said is None:
                raise RuntimeError("no")
            return said

    assert figures_of(Boaster(), np.zeros((1, 5), np.uint8)) == [{}]


def test_figures_in_a_file_are_checked(server: Any, tmp_path: Path) -> None:
    play_match([PRICED, "greedy"], folder=tmp_path, **(MATCH | {"deals": 2}))
    file = tmp_path / "deals.jsonl"
    file.write_text(file.read_text(encoding="utf-8").replace('"illegal":', '"illegal":-', 1), encoding="utf-8")
    with pytest.raises(StoreError, match="figures cannot be"):
        play_match([PRICED, "greedy"], folder=tmp_path, **(MATCH | {"deals": 2}))


def figures(results: Any) -> list[Any]:
    """What came of every table."""
    return [(outcome["points"], outcome["decisions"]) for deal in results.deals for outcome in deal]


# Names ----------------------------------------------------------------------------------------------------------------


def test_a_function_plays_by_its_name_and_goes_to_other_processes() -> None:
    player: Any = make_player("text:test_language_models:lazy,moves=all", "rummy")
    assert player.name == "text:test_language_models:lazy,moves=all"
    again = pickle.loads(pickle.dumps(player))
    assert again.act(*a_table()).tolist() == player.act(*a_table()).tolist()
    session = Session.deal("gin", ["text:test_language_models:lazy", "greedy"], seed=1)
    for _ in range(6):
        session.move_player()


@pytest.mark.parametrize(
    ("player", "said"),
    [
        ("llm:", "names a model"),
        ("llm:good,fast=yes", "'fast=yes' is not an option"),
        ("llm:good,illegal=many", "illegal must be a number"),
        ("llm:good,giveup=never", "giveup must be forfeit or first"),
        ("llm:good,at_once=0", "at_once must be more than 0"),
        ("llm:good,seconds=1e9", "seconds must be 86,400"),
        ("llm:good,seconds=nan", "seconds must be more than 0"),
        ("text:nowhere", "expected text:module:function"),
        ("text:nowhere:f", "nowhere"),
    ],
)
def test_a_player_that_cannot_be_made_says_why(server: Any, player: str, said: str) -> None:
    with pytest.raises(PlayerError, match=said):
        make_player(player, "rummy")


def test_without_a_key_the_error_names_the_way_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(PlayerError, match="OPENAI_API_KEY=none"):
        make_player("llm:good", "rummy")


def test_options_are_split_from_the_model() -> None:
    assert split_options("org/model:8b,moves=none,tokens=5") == ("org/model:8b", TalkOptions(moves="none", tokens=5))
