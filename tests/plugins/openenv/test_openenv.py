"""Does the server deal, hear and pay? By the library's own client, its validator and its HTTP interface."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import requests
import yaml
from chat_server import first_move
from openenv.cli.__main__ import app as openenv
from page_examples import PLUGINS, run_examples
from table_server import table_server
from typer.testing import CliRunner

from banakil_env.agents.table_talk import WORTHS, TableTalk
from banakil_env.agents.talk_options import TalkOptions
from banakil_env.arena.seeds import FIRST_HELD_OUT
from banakil_env.games import GAMES, find
from banakil_env.play.session import Session
from banakil_openenv import Table, TableAction, TableClient, TableObservation, TableState, TableTools
from banakil_openenv.server import app
from banakil_openenv.server.app import table_of
from banakil_openenv.server.environment import TableEnvironment

REPOSITORY = Path(__file__).resolve().parents[3]
PACKAGE = REPOSITORY / "environments" / "banakil_openenv"
PAGE = (REPOSITORY / "docs" / "plugins" / "openenv.md").read_text(encoding="utf-8")
RULES = "denexa max_turns=12"


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with table_server(game="rummy", rules=RULES) as found:
        yield found


@pytest.fixture
def client(url: str) -> Iterator[Any]:
    with TableClient(base_url=url, message_timeout_s=300).sync() as made:
        yield made


def play_out(env: Any, result: Any) -> tuple[Any, list[str]]:
    """The first legal move at every decision, to the end: the last result, and all that was told."""
    told = [result.observation.rules + result.observation.told]
    while not result.done:
        assert result.reward == 0
        result = env.step(TableAction(reply=f"MOVE: {first_move(result.observation.told)}"))
        assert result.observation.heard == "legal"
        told.append(result.observation.told)
    return result, told


# Games ----------------------------------------------------------------------------------------------------------------


def test_a_game_is_played_to_its_end_and_is_told_as_the_table_tells_it(client: Any) -> None:
    """Everything that comes over the wire is what the seat's own view of the same deal says, and nothing else."""
    result, told = play_out(client, client.reset(seed=7))
    talk = TableTalk.deal("rummy", [None, "greedy"], seed=7, rules=RULES)
    expected = [talk.opening(0) + talk.question()]
    while talk.seat is not None:
        talk.hear(first_move(talk.view(0)))
        expected.append(talk.view(0) if talk.over else talk.question())
    assert told == expected
    assert len(told) > 10
    assert "The game is over" in told[-1]
    assert result.observation.result == talk.result()
    state = client.state()
    assert (state.over, state.forfeited, state.points) == (True, False, list(talk.points()))
    assert state.decisions == state.replies == state.step_count == len(told) - 1


def test_one_seed_is_one_game_and_others_are_others(client: Any) -> None:
    first = [client.reset(seed=seed).observation.told for seed in (1, 2, 1)]
    assert first[0] == first[2] != first[1]
    by_chance = {client.reset().observation.told for _ in range(4)}
    assert len(by_chance) == 4


def test_a_game_by_chance_is_never_one_that_is_held_out(monkeypatch: pytest.MonkeyPatch) -> None:
    below: list[int] = []
    path = "banakil_openenv.server.environment.secrets.randbelow"
    monkeypatch.setattr(path, lambda limit: below.append(limit) or 5)
    TableEnvironment(Table(game="rummy")).reset()
    assert below == [FIRST_HELD_OUT]


def test_sessions_are_apart_and_run_at_once(url: str) -> None:
    ends: dict[int, list[str]] = {}

    def one(seed: int) -> None:
        with TableClient(base_url=url, message_timeout_s=300).sync() as env:
            ends[seed] = play_out(env, env.reset(seed=seed))[1]

    threads = [threading.Thread(target=one, args=(seed,)) for seed in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with TableClient(base_url=url).sync() as env:
        assert ends == {seed: play_out(env, env.reset(seed=seed))[1] for seed in range(4)}
    assert len({*map(tuple, ends.values())}) == 4


@pytest.mark.parametrize("game", GAMES)
def test_every_game_can_be_asked_for(game: str) -> None:
    """As far as the table: what it deals is the concern of the contract tests."""
    table = TableEnvironment(Table(game="rummy", rules=RULES))._chosen({"game": game})
    assert (table.rules == RULES) == (game == "rummy")
    assert find(game).new(num_players=table.players or find(game).seats[0]) is not None


def test_a_seat_may_be_drawn_by_the_seed() -> None:
    env = TableEnvironment(Table(game="rummy", players=3, seat=-1))
    for seed in range(4):
        assert env.reset(seed=seed).told.startswith(f"You are seat {seed % 3}.")
        assert env.state.seat == seed % 3


# Replies and rewards --------------------------------------------------------------------------------------------------


def test_replies_that_cannot_be_followed_are_answered_and_counted(client: Any) -> None:
    client.reset(seed=7, illegal=1)
    for reply, heard in (("I pass.", "unreadable"), ("", "unreadable"), ("MOVE: discard 2c", "illegal")):
        result = client.step(TableAction(reply=reply))
        assert result.observation.heard == heard
        assert result.observation.told.endswith("\nReply again.")
    result = client.step(TableAction(reply="MOVE: discard 2c"))
    assert (result.done, result.reward) == (True, -1)
    assert result.observation.told.startswith("Seat 0 has forfeited the game: illegal replies: ")
    state = client.state()
    assert (state.unreadable, state.illegal, state.given_up, state.forfeited) == (2, 2, 1, True)


def test_a_reply_that_was_cut_off_is_not_read(client: Any) -> None:
    client.reset(seed=7)
    result = client.step(TableAction(reply="MOVE: draw", cut_off=True))
    assert result.observation.heard == "cut_off"
    assert "cut off by the limit on its length" in result.observation.told
    assert client.state().cut_off == 1


@pytest.mark.parametrize("reward", WORTHS)
def test_the_reward_is_of_the_kind_that_was_asked_for(reward: str) -> None:
    env = TableEnvironment(Table(game="rummy", rules="denexa max_turns=60", reward=reward))
    told = env.reset(seed=3)
    talk = TableTalk.deal("rummy", [None, "greedy"], seed=3, rules="denexa max_turns=60")
    while not told.done:
        move = first_move(told.told)
        told = env.step(TableAction(reply=move))
        talk.hear(move)
    assert told.reward == talk.worth(reward)[0] != 0


def test_to_resign_costs_what_a_forfeit_costs(client: Any) -> None:
    client.reset(seed=7, reward="points")
    result = client.step(TableAction(resign=True))
    assert (result.done, result.reward, result.observation.result) == (
        True,
        -150,
        "seat 0 has forfeited the game: it resigned",
    )


# Nothing hidden -------------------------------------------------------------------------------------------------------


def test_neither_observations_nor_the_state_hold_anything_hidden() -> None:
    """The hidden cards dealt again at every decision: the same bytes, apart from what has happened."""
    env = TableEnvironment(Table(game="rummy", rules=RULES))
    told = env.reset(seed=7)
    changed = 0
    while not told.done:
        talk: Any = env._talk
        before, session = env.state.model_dump_json(), talk.session
        other = session.plain.redeal_hidden(session.state, 0, len(session.moves))
        changed += other.tobytes() != session.state.tobytes()
        env._talk = TableTalk(Session(session.game, other.reshape(1), session.seats, 8), 150, TalkOptions())
        env._talk.counts = talk.counts
        assert env.state.model_dump_json() == before
        happened = ("What has happened", "  Seat")
        assert env._talk.view(0).splitlines() == [x for x in talk.view(0).splitlines() if not x.startswith(happened)]
        env._talk = talk
        told = env.step(TableAction(reply=first_move(told.told)))
    assert changed > 5


def test_the_state_has_no_seed_and_no_cards(client: Any) -> None:
    """From the seed every card could be computed."""
    client.reset(seed=987654321)
    assert "987654321" not in client.state().model_dump_json()
    assert set(TableState.model_fields) == {
        *("episode_id", "step_count", "table", "seat", "over", "forfeited", "decisions", "replies", "unreadable"),
        *("illegal", "cut_off", "given_up", "points"),
    }
    assert "seed" not in Table.model_fields
    assert set(TableObservation.model_fields) == {"done", "reward", "metadata", "told", "rules", "heard", "result"}


# Errors ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ({"game": "poker"}, "No game was dealt: there is no game 'poker'; there are banakil, hand"),
        ({"players": 9}, "No game was dealt: num_players must be 2, 3, 4, 5 or 6, not 9"),
        ({"players": 10**9}, "No game was dealt: num_players must be 2, 3, 4, 5 or 6, not 1000000000"),
        ({"players": 10**18, "seat": -1}, "No game was dealt: num_players must be 2, 3, 4, 5 or 6"),
        ({"players": -1}, "No game was dealt: players: Input should be greater than or equal to 0"),
        ({"seat": 10**18}, "No game was dealt: there is no seat 1000000000000000000: 2 play"),
        ({"unreadable": 10**9}, "No game was dealt: unreadable: Input should be less than or equal to 100"),
        ({"illegal": 10**18}, "No game was dealt: illegal: Input should be less than or equal to 100"),
        ({"seed": 2**64}, "No game was dealt: seed must be a whole number from 0 to"),
        ({"seed": 2**64, "seat": -1}, "No game was dealt: seed must be a whole number from 0 to"),
        ({"rules": "denexa max_turns=" + "9" * 400}, "No game was dealt: max_turns"),
        ({"episode_id": "x" * 201}, "an episode_id is a text of at most 200 characters, not 'xxx"),
        ({"episode_id": "\ud83d"}, r"an episode_id is a text of at most 200 characters, not '\\ud83d'"),
        ({"episode_id": 7}, "an episode_id is a text of at most 200 characters, not 7"),
        ({"rules": "x" * 100_000}, "No game was dealt: a text of rules has at most 2000 characters"),
        ({"seat": 2}, "No game was dealt: there is no seat 2: 2 play, seats from 0 on"),
        ({"rules": "fast"}, "No game was dealt: unknown rules 'fast'"),
        ({"moves": "some"}, "No game was dealt: moves: Input should be 'all', 'count' or 'none'"),
        ({"colour": "red"}, "No game was dealt: colour: .*; reset.. takes seed, game, players, seat"),
        ({"seed": -1}, "No game was dealt: seed must be a whole number from 0 to"),
        (
            {"opponents": "search:9s"},
            "a client can seat random, greedy, expert, not 'search:9s'; any other player is named",
        ),
        ({"opponents": "os:system"}, "a client can seat random, greedy, expert, not 'os:system'"),
    ],
)
def test_a_table_that_cannot_be_dealt_says_why_in_a_line_and_the_game_goes_on(
    client: Any, table: dict[str, Any], said: str
) -> None:
    client.reset(seed=7)
    begun = time.monotonic()
    with pytest.raises(RuntimeError, match=said) as raised:
        client.reset(**table)
    assert time.monotonic() - begun < 5  # nothing was made of the number
    assert "\n" not in str(raised.value)
    assert client.step(TableAction(reply="draw")).observation.heard == "legal"


def test_a_reply_before_the_first_game_or_after_the_last_move_names_the_way_out(client: Any, url: str) -> None:
    with pytest.raises(RuntimeError, match=r"There is no game: call reset\(\) first"):
        client.step(TableAction(reply="draw"))
    client.reset(seed=7)
    client.step(TableAction(resign=True))
    with pytest.raises(RuntimeError, match=r"The game is over: call reset\(\) for another one"):
        client.step(TableAction(reply="draw"))
    said = requests.post(f"{url}/step", json={"action": {"reply": "draw"}}, timeout=120)
    assert said.status_code == 409
    assert "every HTTP request is a session of its own" in said.json()["detail"]
    said = requests.post(f"{url}/reset", json={"game": "poker"}, timeout=120)
    assert (said.status_code, "there is no game 'poker'" in said.json()["detail"]) == (409, True)


def test_a_client_that_comes_when_the_server_is_full_is_told_so() -> None:
    full = table_server(game="rummy", rules=RULES, sessions="1")
    with full as address, TableClient(base_url=address).sync() as first:
        first.reset(seed=1)
        with TableClient(base_url=address).sync() as second, pytest.raises(RuntimeError, match="capacity"):
            second.reset(seed=1)
        assert first.step(TableAction(reply="draw")).observation.heard == "legal"


def test_a_client_that_is_gone_leaves_its_place_to_others() -> None:
    with table_server(game="rummy", rules=RULES, sessions="1") as address:
        for seed in range(3):
            with TableClient(base_url=address).sync() as env:
                env.reset(seed=seed)


def test_an_opponent_that_fails_ends_the_game_with_the_reason(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "broken_player.py").write_text("def play(observation, mask):\n    raise OSError('no network')\n")
    monkeypatch.syspath_prepend(tmp_path)
    env = TableEnvironment(Table(game="rummy", opponents="broken_player:play", seat=1))
    with pytest.raises(ValueError, match=r"The game cannot go on, an opponent failed: .*no network"):
        env.reset(seed=1)
    with pytest.raises(ValueError, match=r"call reset\(\) first"):
        env.step(TableAction(reply="draw"))


# Package, page and commands -------------------------------------------------------------------------------------------


def test_the_package_is_valid() -> None:
    done = CliRunner().invoke(openenv, ["validate", str(PACKAGE), "--level", "static", "--skip-build"])
    assert done.exit_code == 0, done.output
    assert "Verdict: PASS" in done.output


def test_a_running_server_is_valid(url: str) -> None:
    done = CliRunner().invoke(openenv, ["validate", "--url", url])
    assert done.exit_code == 0, done.output
    assert "FAIL" not in done.output


def test_the_manifest_says_what_is_there() -> None:
    manifest = yaml.safe_load((PACKAGE / "openenv.yaml").read_text(encoding="utf-8"))
    assert manifest["app"] == "server.app:app"
    assert manifest["validation"]["reward"]["range"] == [-1, 1]
    assert str(manifest["port"]) in (PACKAGE / "Dockerfile").read_text(encoding="utf-8")
    module = re.findall(r'"-m", "([a-z_.]+)"', (PACKAGE / "Dockerfile").read_text(encoding="utf-8"))
    assert module == ["banakil_openenv.server.app"]


def test_the_page_of_a_space_is_served(monkeypatch: pytest.MonkeyPatch) -> None:
    """`openenv push` switches it on."""
    monkeypatch.setenv("ENABLE_WEB_INTERFACE", "true")
    with table_server(game="rummy", rules=RULES) as address:
        assert requests.get(f"{address}/web", timeout=120).status_code == 200
        with TableClient(base_url=address).sync() as env:
            assert env.reset(seed=1).observation.told.startswith("You are seat 0.")


def test_variables_of_the_environment_describe_the_table() -> None:
    table = table_of({"BANAKIL_GAME": "yaniv", "BANAKIL_PLAYERS": "3", "HOME": "/root"})
    assert table == Table(game="yaniv", players=3)
    names = set(re.findall(r"`BANAKIL_([A-Z_]+)`", PAGE))
    assert names - {"SESSIONS"} == {name.upper() for name in Table.model_fields}


def test_the_server_makes_ready_by_the_command_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    [module] = re.findall(r"^BANAKIL\S* python -m (\S+) .*$", PAGE, flags=re.MULTILINE)
    assert module == app.__name__
    monkeypatch.setattr("sys.argv", [module, "--prepare"])
    monkeypatch.setenv("BANAKIL_GAME", "rummy")
    app.main()


@pytest.mark.parametrize(
    ("variable", "value", "said"),
    [
        ("GAME", "poker", "there is no game 'poker'"),
        ("PLAYERS", "many", "BANAKIL_PLAYERS: Input should be a valid int"),
        ("PLAYERS", "1000000000", "num_players must be 2, not 1000000000"),
        *(("SESSIONS", value, "BANAKIL_SESSIONS is a whole number from 1 to 10000") for value in ("many", "0", "-1")),
        *(("SESSIONS", value, "BANAKIL_SESSIONS is a whole number from 1 to 10000") for value in ("10001", "9" * 400)),
    ],
)
def test_a_server_for_no_table_says_why_and_stops(
    monkeypatch: pytest.MonkeyPatch, variable: str, value: str, said: str
) -> None:
    monkeypatch.setattr("sys.argv", ["server"])
    monkeypatch.setenv(f"BANAKIL_{variable}", value)
    with pytest.raises(SystemExit, match=f"describe no table: .*{said}"):
        app.main()


@pytest.mark.parametrize("body", ['{"seed": 1e400}', '{"seed": NaN}', '{"seed": -1}', '{"seed": 1.5}'])
def test_a_request_whose_seed_is_none_is_told_so(url: str, body: str) -> None:
    """Infinite numbers too, which an answer in JSON cannot repeat."""
    said = requests.post(f"{url}/reset", data=body, headers={"Content-Type": "application/json"}, timeout=120)
    assert said.status_code == 422
    assert "seed: Input should be" in said.json()["detail"]


@pytest.mark.parametrize("port", ["65536", "1000000000", "-1", "9" * 400, "http"])
def test_a_port_that_is_none_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], port: str
) -> None:
    monkeypatch.setattr("sys.argv", ["server", f"--port={port}"])
    with pytest.raises(SystemExit):
        app.main()
    assert "a port is a whole number from 0 to 65535" in capsys.readouterr().err


def test_a_reply_that_is_too_long_is_refused_and_the_game_goes_on(client: Any) -> None:
    client.reset(seed=7)
    with pytest.raises(RuntimeError, match="at most 200000 characters"):
        client.step(TableAction(reply="x" * 300_000))
    assert client.step(TableAction(reply="draw")).observation.heard == "legal"


def test_the_manifest_names_the_application() -> None:
    """As uvicorn finds it."""
    assert {"/reset", "/step", "/state", "/health"} <= set(app.app.openapi()["paths"])
    with pytest.raises(AttributeError):
        app.another  # noqa: B018


def test_the_program_of_the_page_plays(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The other one loads a large model: test_trl.py trains a small one."""
    replaced = {"http://localhost:8000": url}
    assert run_examples(PLUGINS / "openenv.md", tmp_path, monkeypatch, replaced, without="GRPOTrainer") == 1
    said = capsys.readouterr().out
    assert "You are to decide" in said
    assert "legal" in said


def test_the_program_of_the_readme_of_the_environment_plays(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    readme = REPOSITORY / "environments" / "banakil_openenv" / "README.md"
    assert run_examples(readme, tmp_path, monkeypatch, {"http://localhost:8000": url}) == 1
    assert "Gin Rummy" in capsys.readouterr().out


def test_tools_play_a_game_and_pay_for_it(url: str) -> None:
    tools = TableTools(url)
    prompt = tools.reset(seed=7, prompt=[{"role": "user", "content": ""}])
    assert "# Rummy: the rules of this table" in prompt
    told = prompt
    while "The game is over" not in told:
        told = tools.play(first_move(told))
    assert tools.play("draw") == "The game is over."
    assert tools.get_reward() == tools.get_reward() == pytest.approx(-58 / 150)
    tools.reset(seed=7)
    assert "Reply again." in tools.play("fold")
    assert tools.get_reward() == -1  # a model that stops before the end has forfeited
    assert tools.get_reward() == -1
