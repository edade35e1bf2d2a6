"""Is a program that plays by the rules told from one that does not, and can none of them do harm or stop the test?"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import engine_program
import pytest
from typer.testing import CliRunner
from written_programs import can_isolate, isolated, means, scored, table

from banakil_env.core.kernels import legal_actions
from banakil_env.games import GAMES, find
from banakil_env.text.positions import described
from banakil_env.written import Program, prompt, recorded, score, sealed_seeds
from banakil_env.written.command import app
from banakil_env.written.traces import PUBLIC, draw, main_table, table_of, told, write

HERE = Path(__file__).parent
RUMMY = HERE / "rummy_from_the_rules.py"
PACKAGE = str(HERE.parent)  # the folder that holds it


class Here:
    """The engine behind the contract in this process."""

    def __init__(self, game: str, variant: str = "") -> None:
        self._variant = variant
        engine_program.setup(table_of(find(game), main_table(find(game))))

    def ask(self, function: str, *arguments: str) -> Any:
        engine_program.VARIANT = self._variant
        return getattr(engine_program, function)(*arguments)


# What is measured ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", GAMES)
def test_the_engine_behind_the_contract_agrees_with_itself(name: str, long: bool) -> None:
    traces = recorded(name)[: PUBLIC if long else 4]
    found = score(Here(name), traces, most=20 if long else 12)
    assert means(found) == {"legal": 1.0, "effects": 1.0, "scores": 1.0}, [
        each.text() for each in found.disagreements.values()
    ]
    assert found.asked("effects") >= found.asked("legal")
    assert found.failures == 0


@pytest.mark.parametrize("name", GAMES)
def test_the_public_traces_are_those_of_their_seeds(name: str, long: bool) -> None:
    traces = recorded(name)
    assert len(traces) == PUBLIC
    count = PUBLIC if long else 2
    assert [trace.record for trace in traces[:count]] == [trace.record for trace in draw(name, range(count))]


@pytest.mark.parametrize(
    ("name", "variant", "share", "kind", "said"),
    [
        ("rummy", "denexa melds=any", "legal", "`open_", "is not legal"),
        ("yaniv", "denexa call_limit=9", "legal", "`yaniv` that is not legal", "(Y2.5)"),
        ("rummy", "denexa rummy_factor=9", "scores", "points", "the round ends so: rummy, seat"),
    ],
)
def test_a_program_with_one_rule_wrong_is_found_out(name: str, variant: str, share: str, kind: str, said: str) -> None:
    found = score(Here(name, variant), recorded(name)[:20], most=6)
    assert means(found)[share] < 1
    assert means(found)["effects"] == 1
    wrong = next(each for each in found.disagreements.values() if each.share == share and kind in each.kind)
    assert said in wrong.why
    assert "hand 0:" in wrong.position
    assert wrong.expected != wrong.given


@isolated
def test_a_program_written_from_the_rules_page_alone_agrees() -> None:
    """One of 200 lines, for Rummy; with the Ace above the King, its runs are found to be wrong."""
    with Program(RUMMY, table("rummy"), seconds=60) as program:
        found = score(program, recorded("rummy")[:6], most=20)
    assert means(found) == {"legal": 1.0, "effects": 1.0, "scores": 1.0}


@isolated
def test_an_ace_that_is_high_is_seen_in_the_runs(tmp_path: Path) -> None:
    source = RUMMY.read_text(encoding="utf-8").replace('"A23456789TJQK"', '"23456789TJQKA"')
    found = scored(tmp_path, source, rounds=PUBLIC, most=6)
    kinds = {each.kind: each for each in found.disagreements.values() if each.share == "legal"}
    assert means(found)["legal"] < 1
    assert "A" in kinds["`open_run` is missing"].why
    assert means(found)["scores"] < 1  # and in what an Ace counts


@isolated
def test_a_position_that_cannot_be_read_or_differs_in_a_line_is_named(tmp_path: Path) -> None:
    source = RUMMY.read_text(encoding="utf-8")
    found = scored(tmp_path, source.replace("f\"pile: {' '.join(self.pile)}\"", '"pile: 7x"'))
    assert means(found)["effects"] == 0
    assert ("effects", "a position that cannot be read") in found.disagreements
    found = scored(tmp_path, source.replace("now.turns += 1", "now.turns += 2"), rounds=3)
    assert 0 < means(found)["effects"] < 1
    assert found.disagreements["effects", "the line 'turns'"].given.startswith("turns: ")
    assert means(found)["legal"] == 1


# Traces -------------------------------------------------------------------------------------------------------------


def test_sealed_traces_are_those_of_the_key() -> None:
    assert sealed_seeds("key", "gin", 3) == sealed_seeds(" key\n", "gin", 3)
    other = {tuple(sealed_seeds(key, name, 3)) for key in ("key", "another") for name in ("gin", "rummy")}
    assert len(other) == 4
    assert all(PUBLIC <= seed < 2**63 for seeds in other for seed in seeds)
    with pytest.raises(ValueError, match="not empty"):
        sealed_seeds(" \n", "gin", 3)


def questions_of(name: str) -> Iterator[Any]:
    for trace in recorded(name)[:3]:
        yield from trace.questions()


@pytest.mark.parametrize("name", ["banakil", "gin", "rummy"])
def test_no_question_is_about_chance_and_no_answer_stands_in_one(name: str) -> None:
    game = find(name)
    for question in questions_of(name):
        assert not any(line.startswith(("rng", "seed", "points", "over")) for line in question.position.splitlines())
        for action, after in question.moves:
            assert action in legal_actions(game, question.state[0])
            assert after["rng"][0] == question.state["rng"][0]
            assert "points:" not in told(game, after[0])
    assert [each.position for each in questions_of(name)] == [each.position for each in questions_of(name)]


# Prompt and command -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["banakil", "hand", "gin", "mille"])
def test_a_writer_is_told_the_rules_every_line_the_contract_and_examples(name: str) -> None:
    found, said = prompt(name), described(find(name))
    assert table(name)["text"].strip() in found
    assert all(f"`{key}`" in found for key in said.lines if key not in ("rng", "seed", "points", "scores"))
    assert all(f"`{word}`" in found for word in (*said.words, *said.phases, *said.endings))
    assert "def legal_moves(position: str)" in found
    assert "`scores(position, " in found.partition("# Examples")[2]
    assert prompt(name) == found


def test_the_command_prints_shares_disagreements_and_a_file(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.py"
    source = RUMMY.read_text(encoding="utf-8")
    wrong.write_text(source.replace('["take"] * bool(now.pile)', "[]"), encoding="utf-8")
    out, key = tmp_path / "score.json", tmp_path / "key"
    key.write_text("nobody knows", encoding="utf-8")
    words = ["score", str(wrong), "--game", "rummy", "--traces", "2", "--positions", "10", "--out", str(out)]
    words += ["--trusted"] * (not can_isolate())
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert "legal: `take` is missing" in done.output
    assert "why: 'take' is legal" in done.output
    said = json.loads(out.read_text(encoding="utf-8"))
    assert said["shares"]["effects"]["mean"] == 1
    assert said["shares"]["legal"]["low"] >= 0
    assert (said["sealed"], said["table"]["game"], said["program"]["name"]) == (False, "rummy", "wrong.py")
    done = CliRunner().invoke(app, [*words, "--key-file", str(key), "--show", "0"])
    assert done.exit_code == 0, done.output
    assert json.loads(out.read_text(encoding="utf-8"))["sealed"]
    for refused in (["score", "nowhere.py", "--game", "rummy"], ["score", str(wrong), "--game", "whist"]):
        assert CliRunner().invoke(app, refused).exit_code == 1
    assert "def apply" in CliRunner().invoke(app, ["prompt", "rummy", "--players", "3"]).output


def test_the_public_traces_are_written_a_file_a_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("banakil_env.games.GAMES", ["rummy"])
    [path] = write(tmp_path)
    assert path.read_text(encoding="utf-8") == "\n".join(trace.record for trace in recorded("rummy"))
