"""Are recorded conversations what a player would have heard and said, and do their results add up?"""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from banakil_env.arena.players import make_players
from banakil_env.games import find
from banakil_env.record.command import record
from banakil_env.record.conversations import write
from banakil_env.record.play import Recording, RecordingError, decisions
from banakil_env.text import read_move


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, object]]:
    path = tmp_path_factory.mktemp("talks") / "talk.jsonl"
    recording = Recording(("greedy", "random"), game="rummy", deals=2, rules="denexa max_turns=20")
    count = write(path, decisions(make_players(["greedy", "random"], "rummy"), recording), recording)
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert count == sum((len(line["messages"]) - 1) // 2 for line in lines)
    with pytest.raises(RecordingError, match="exists already"):
        write(path, [], recording)
    return lines


def test_every_seat_of_every_table_has_a_conversation(recorded: list[dict[str, object]]) -> None:
    assert len(recorded) == 2 * 2 * 2
    assert {(line["seed"], line["table"], line["seat"]) for line in recorded} == {
        (seed, table, seat) for seed in (0, 1) for table in (0, 1) for seat in (0, 1)
    }
    assert {line["player"] for line in recorded} == {"greedy", "random"}


def test_what_is_said_is_a_move_of_what_is_told(recorded: list[dict[str, object]]) -> None:
    game = find("rummy")
    for line in recorded:
        system, *rest = line["messages"]  # type: ignore[misc]
        assert system["role"] == "system"
        assert "A round that has had 20 turns ends at once" in system["content"]
        for told, said in zip(rest[::2], rest[1::2], strict=True):
            assert (told["role"], said["role"]) == ("user", "assistant")
            action = read_move(game, said["content"].removeprefix("MOVE: "))
            verb, _, what = game.actions.text(action).partition(" ")
            [listed] = [each for each in told["content"].splitlines() if each.split(" ")[0] == verb]
            assert what in listed
            assert "You are seat 0." in told["content"]


def test_results_stand_beside_the_messages(recorded: list[dict[str, object]]) -> None:
    for line in recorded:
        points = line["points"]
        assert line["margin"] == points[line["seat"]] - points[1 - line["seat"]]  # type: ignore[index, operator]


def test_the_command_writes_conversations(tmp_path: Path) -> None:
    command = typer.Typer()
    command.command()(record)
    out = tmp_path / "talk.jsonl"
    done = CliRunner().invoke(command, ["greedy", str(out), "--game", "rummy", "--deals", "1", "--conversations"])
    assert done.exit_code == 0, done.output
    assert len(out.read_text(encoding="utf-8").splitlines()) == 2
