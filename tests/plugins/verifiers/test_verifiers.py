"""Does verifiers load the environment, play it and pay every seat? By its own loader and its evaluation command."""

from __future__ import annotations

import asyncio
import json
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import verifiers.v1 as vf
from chat_server import chat_server
from pydantic import ValidationError
from verifiers.v1.cli.eval.runner import run_eval
from verifiers.v1.configs.cli.eval import EvalConfig

from banakil_env.agents.table_talk import TableTalk
from banakil_env.agents.talk_options import TalkOptions
from banakil_env.arena import seeds
from banakil_env.games import GAMES, find
from banakil_verifiers import TableEnv, TableTaskset
from banakil_verifiers.env import TableEnvConfig

ID = "banakil-verifiers"
PAGE = Path(__file__).resolve().parents[3] / "docs" / "plugins" / "verifiers.md"
SHORT = {"id": ID, "game": "rummy", "rules": "denexa max_turns=12"}


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    with chat_server() as found:
        yield found


def evaluated(server: Any, folder: Path, model: str = "good", tasks: int = 1, **env: Any) -> list[Any]:
    """The episodes of an evaluation, as `vf-eval` runs it."""
    taskset = SHORT | env.pop("taskset", {})
    config = EvalConfig.model_validate(
        {
            "env": env | {"taskset": taskset},
            "model": model,
            "client": {"base_url": server.url, "api_key_var": "OPENAI_API_KEY"},
            "select": {"limit": tasks},
            "rich": None,
            "push": False,
            "output_dir": str(folder),
        }
    )
    return asyncio.run(run_eval(config))


def by_seat(episode: Any) -> list[Any]:
    return sorted(episode.traces, key=lambda trace: trace.info["banakil"]["seat"])


# Loading --------------------------------------------------------------------------------------------------------------


def test_the_library_finds_the_environment_by_its_name() -> None:
    assert vf.environment_class(ID) is TableEnv
    env = vf.load_environment(vf.resolve_env_config({"taskset": {"id": ID}}))
    assert isinstance(env, TableEnv)
    assert isinstance(env.taskset, TableTaskset)
    assert {harness.name for harness in env.config.agent_harnesses().values()} == {ID}


@pytest.mark.parametrize("game", GAMES)
def test_every_game_is_a_taskset_of_development_deals(game: str) -> None:
    env = vf.load_environment(vf.resolve_env_config({"taskset": {"id": ID, "game": game, "deals": 3}}))
    tasks = [task.data for task in env.taskset]
    assert [task.seed for task in tasks] == [seeds.seed_of("tuning-v1", deal) for deal in range(3)]
    assert tasks[0].seats == [None] + ["greedy"] * (find(game).seats[0] - 1)
    assert all(task.prompt is None for task in tasks)


def test_with_rotate_every_deal_is_played_from_each_seat() -> None:
    chosen = {"game": "yaniv", "players": 3, "models": [0, 1], "opponents": ["random"], "rotate": True, "deals": 2}
    env = vf.load_environment(vf.resolve_env_config({"taskset": {"id": ID, **chosen}}))
    seatings = [[None, None, "random"], ["random", None, None], [None, "random", None]]
    assert [task.data.seats for task in env.taskset] == seatings * 2
    assert [task.data.deal for task in env.taskset] == [0, 0, 0, 1, 1, 1]


def test_opponents_may_differ_from_seat_to_seat() -> None:
    config = vf.taskset_config_type(ID)(game="yaniv", players=5, models=[1], opponents=["random", "greedy"])
    assert config.seating() == ["random", None, "greedy", "greedy", "greedy"]


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"game": "poker"}, "there is no game 'poker'; there are banakil, hand"),
        ({"players": 7}, "num_players must be 2, not 7"),
        ({"players": 10**9}, "num_players must be 2, not 1000000000"),
        ({"models": [10**18]}, "models are different seats from 0 to 1, at least one, not [1000000000000000000]"),
        ({"deals": 10**9}, "Input should be less than or equal to 1000000"),
        ({"first_deal": 2**62}, "deals of tuning-v1 are numbered from 0 to 4611686018427387903"),
        ({"rules": "fast"}, "unknown rules 'fast'"),
        ({"models": [2]}, "models are different seats from 0 to 1, at least one, not [2]"),
        ({"models": []}, "models are different seats from 0 to 1, at least one, not []"),
        ({"opponents": ["nobody"]}, "there is no player 'nobody'"),
        ({"opponents": []}, "opponents are at least one player, such as greedy"),
        ({"seed_set": "secret"}, "there is no seed set 'secret': the sets are arena-v1, tuning-v1"),
    ],
)
def test_a_table_that_cannot_be_says_why_in_a_line(chosen: dict[str, Any], said: str) -> None:
    with pytest.raises(ValidationError) as raised:
        vf.resolve_env_config({"taskset": {"id": ID, **chosen}})
    [error] = raised.value.errors()
    assert said in error["msg"]
    assert "\n" not in error["msg"]


# Playing --------------------------------------------------------------------------------------------------------------


def test_an_agent_is_paid_what_its_seat_has_won(server: Any, tmp_path: Path) -> None:
    [episode] = evaluated(server, tmp_path, taskset={"rules": "denexa max_turns=60"}, reward="margin")
    assert episode.ok
    [trace] = episode.traces
    facts = trace.info["banakil"]
    assert trace.agent.name == "seat0"
    assert facts["seats"] == ["agent", "greedy"]
    assert trace.metrics["points"] == facts["points"][0]
    assert trace.reward == trace.metrics["margin"] == facts["points"][0] - facts["points"][1] != 0
    assert len(server.requests) == trace.num_turns == trace.metrics["replies"]


def test_an_agent_is_sent_what_its_seat_is_told_and_nothing_else(server: Any, tmp_path: Path) -> None:
    """Every request of the game is the conversation that the table itself gives, from the same deal."""
    [episode] = evaluated(server, tmp_path, model="illegal", taskset={"models": [0, 1]})
    facts = episode.traces[0].info["banakil"]
    assert facts["seed_set"] == "tuning-v1"
    talk = TableTalk.deal("rummy", [None, None], seed=seeds.seed_of("tuning-v1", 0), rules=SHORT["rules"])
    openings = {seat: [{"role": "system", "content": talk.opening(seat)}] for seat in (0, 1)}
    conversations: dict[int, list[Any]] = openings
    replies = {seat: replies_of(trace) for seat, trace in enumerate(by_seat(episode))}
    for request in server.requests:
        seat = talk.seat
        assert seat is not None
        conversations[seat].append({"role": "user", "content": talk.question()})
        assert [{key: each[key] for key in ("role", "content")} for each in request] == conversations[seat]
        reply = next(replies[seat])
        conversations[seat].append({"role": "assistant", "content": reply})
        talk.hear(reply)
    assert talk.over
    assert talk.session.record() == facts["record"]


def replies_of(trace: Any) -> Iterator[str]:
    return iter([node.message.content for node in trace.nodes if node.sampled])


def test_replies_that_cannot_be_followed_are_counted_and_the_last_one_forfeits(server: Any, tmp_path: Path) -> None:
    [episode] = evaluated(server, tmp_path, model="illegal", illegal=1)
    [trace] = episode.traces
    assert trace.metrics["illegal"] == trace.metrics["decisions"] == trace.metrics["replies"] / 2
    assert trace.metrics["forfeit"] == 0
    [episode] = evaluated(server, tmp_path, model="stubborn", unreadable=1)
    [trace] = episode.traces
    assert episode.ok
    assert (trace.reward, trace.metrics["forfeit"], trace.metrics["unreadable"]) == (-1, 1, 2)
    assert trace.info["banakil"]["result"].startswith("seat 0 has forfeited the game: unreadable replies: ")
    [episode] = evaluated(server, tmp_path, model="stubborn", unreadable=0, giveup="first")
    assert episode.traces[0].metrics["given_up"] == episode.traces[0].metrics["decisions"] > 5


def test_replies_that_were_cut_off_are_not_read_and_counted_apart(server: Any, tmp_path: Path) -> None:
    [episode] = evaluated(server, tmp_path, model="cut")
    [trace] = episode.traces
    assert trace.metrics["cut_off"] == trace.metrics["decisions"] == trace.metrics["replies"] / 2
    assert (trace.metrics["unreadable"], trace.metrics["forfeit"]) == (0, 0)
    [episode] = evaluated(server, tmp_path, model="long", unreadable=1)
    assert (episode.traces[0].metrics["cut_off"], episode.traces[0].metrics["forfeit"]) == (2, 1)
    assert "cut off replies" in episode.traces[0].info["banakil"]["result"]


def test_an_agent_out_of_turns_forfeits_and_the_other_is_paid(server: Any, tmp_path: Path) -> None:
    chosen = {"models": [0, 1]}
    [episode] = evaluated(server, tmp_path, taskset=chosen, seat0={"max_turns": 3}, seat1={"model": "unreadable"})
    first, second = by_seat(episode)
    assert (first.reward, second.reward) == (-1, 1)
    assert first.info["banakil"]["result"] == "seat 0 has forfeited the game: no reply: max_turns"
    assert second.metrics["unreadable"] == second.metrics["decisions"]


@pytest.mark.parametrize("model", ["dead", "slow"])
def test_a_server_that_gives_no_reply_pays_nobody(server: Any, tmp_path: Path, model: str) -> None:
    """It is not a fault of the play: the episode is an error, which `--resume` plays again."""
    timeouts = {"timeout": {"read": 0.1}} if model == "slow" else {}
    client = {"type": "eval", "base_url": server.url, "api_key_var": "OPENAI_API_KEY", **timeouts}
    [episode] = evaluated(server, tmp_path, seat0={"model": model, "client": client, "harness": {"connection": 0}})
    [trace] = episode.traces
    assert not episode.ok
    assert trace.rewards == {}
    assert [error.type for error in trace.errors] == ["ProviderError"]


def test_a_broken_connection_is_asked_again(server: Any, tmp_path: Path) -> None:
    [episode] = evaluated(server, tmp_path, model="broken")
    assert episode.ok
    assert episode.traces[0].metrics["forfeit"] == 0


def test_a_long_past_can_be_left_out(server: Any, tmp_path: Path) -> None:
    [episode] = evaluated(server, tmp_path, seat0={"harness": {"remember": 2}})
    assert episode.ok
    assert max(map(len, server.requests)) == 4  # the rules, the last question and reply, the new question
    assert {request[0]["role"] for request in server.requests} == {"system"}


# The command ----------------------------------------------------------------------------------------------------------


def commands() -> list[str]:
    text = re.sub(r"\\\n\s*", " ", PAGE.read_text(encoding="utf-8"))
    return re.findall(r"^vf-eval (.*?)(?: +#.*)?$", text, flags=re.MULTILINE)


@pytest.mark.parametrize("command", commands())
def test_the_commands_of_the_page_play(command: str, server: Any, tmp_path: Path) -> None:
    """With the server of the tests, and fewer deals."""
    words = shlex.split(command.replace("http://localhost:8000/v1", server.url).replace("MODEL", "good"))
    words[words.index("-n") + 1] = "1"
    program = Path(sys.executable).with_name("vf-eval")
    done = subprocess.run([program, *words, "-o", tmp_path], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-3000:]
    [file] = tmp_path.rglob("traces.jsonl")
    [episode] = map(json.loads, file.read_text(encoding="utf-8").splitlines())
    assert episode["ok"]
    assert all(trace["metrics"]["forfeit"] == 0 for trace in episode["traces"])
    assert all(set(trace["rewards"]) for trace in episode["traces"])


def test_the_settings_that_the_page_names_are_there() -> None:
    text = PAGE.read_text(encoding="utf-8")
    names = set(re.findall(r"--env\.taskset\.([a-z-]+)", text))
    assert names - {"id"} <= {name.replace("_", "-") for name in vf.taskset_config_type(ID).model_fields}
    told = set(re.findall(r"--env\.([a-z]+)\b(?!\.)", text)) - {"taskset"}
    assert {"moves", "illegal", "unreadable", "giveup", "reward"} <= told <= set(TableEnvConfig.model_fields)


def test_the_options_of_a_conversation_are_those_of_the_other_players() -> None:
    defaults, fields = TalkOptions(), TableEnvConfig.model_fields
    for name in ("moves", "illegal", "unreadable", "giveup"):
        assert fields[name].default == getattr(defaults, name)
