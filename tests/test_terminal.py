"""Does text from files reach the terminal with escapes in place of what a terminal would obey?"""

from __future__ import annotations

import ast
import io
import json
from pathlib import Path
from typing import Any

import pytest
from suite_runs import short_run
from test_suite_damage import with_claims

from banakil_env.cli import application
from banakil_env.core.terminal import complain, escaped, in_line, leave, say
from banakil_env.games import find
from banakil_env.kit.plain import Plain

CLEARS, BELL, TURNS = "\x1b[2J", "\x07", "\u202e"
HOSTILE = f"gin{CLEARS}{BELL}{TURNS}"
SHOWN = r"gin\x1b[2J\x07\u202e"
PACKAGE = Path(__file__).resolve().parents[1] / "banakil_env"


def printed(*words: str) -> tuple[int, str]:
    """The exit status of a command, and both of its streams."""
    runner = pytest.importorskip("typer.testing").CliRunner()
    done = runner.invoke(application(), list(words))
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return done.exit_code, done.output


def test_what_controls_a_terminal_is_an_escape() -> None:
    assert escaped(HOSTILE) == SHOWN
    assert escaped("♠ 7h é ± −\n\tand more") == "♠ 7h é ± −\n\tand more"
    assert in_line("run.zip\nother.zip: rerun\t") == r"run.zip\nother.zip: rerun\t"
    for odd in ("\r", "\x7f", "\x9b", "\u2066", "\u200f", "\u2028", "\udc80", "\U000e0001"):
        assert escaped(f"a{odd}b").isprintable()
        assert escaped(f"a{odd}b") != f"a{odd}b"


def test_every_way_to_print_escapes(capsys: pytest.CaptureFixture[str]) -> None:
    rich = pytest.importorskip("rich.console")
    said = io.StringIO()
    say(HOSTILE)
    say(f"[bold]{HOSTILE}[/nothing]", rich.Console(file=said, width=20))
    complain(HOSTILE)
    with pytest.raises(SystemExit) as left:
        leave(ValueError(HOSTILE))
    streams = capsys.readouterr()
    assert (streams.out, streams.err, left.value.code) == (f"{SHOWN}\n", f"{SHOWN}\n", SHOWN)
    assert said.getvalue() == f"[bold]{SHOWN}[/nothing]\n"


def test_metadata_of_an_agent(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    safetensors = pytest.importorskip("safetensors.torch")
    file = tmp_path / "agent.safetensors"
    said = {
        "format": "banakil-agent-3",
        "game": HOSTILE,
        "features": "1",
        "columns": "",
        "shape": "{}",
        "about": "{}",
        "digest": "",
    }
    file.write_bytes(safetensors.save({"weights": torch.zeros(1)}, said))
    status, text = printed("arena", f"net:{file}", "random", "--game", "gin", "--deals", "2")
    assert status == 1
    assert f"plays {SHOWN}: " in text
    assert CLEARS not in text


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return short_run(tmp_path_factory.mktemp("run"))


def test_names_in_a_run_file(run: Path, tmp_path: Path) -> None:
    """Of a match, of the player, and of the file itself; verified, shown and confirmed."""

    def rename(said: dict[str, Any]) -> None:
        said["figures"]["anchors"][HOSTILE] = said["figures"]["anchors"].pop("expert")
        said["player"]["name"] = said["command"] = HOSTILE

    bad = with_claims(run, tmp_path / f"{HOSTILE}.zip", rename)
    for words in (["verify", str(bad)], ["show", str(bad)], ["confirm", str(run), str(bad)]):
        text = printed("suite", *words)[1]
        assert SHOWN in text, words
        assert not {CLEARS, BELL, TURNS} & {*text}, words
        assert CLEARS not in text, words


def test_a_folder_of_results(tmp_path: Path) -> None:
    (tmp_path / "deals.jsonl").write_text(json.dumps({"format": HOSTILE, "players": [HOSTILE]}) + "\n")
    status, text = printed("arena", "random", "greedy", "--game", "yaniv", "--deals", "2", "--out", str(tmp_path))
    assert (status, "is of another match" in text) == (1, True)
    assert CLEARS not in text


def test_records_and_positions(tmp_path: Path) -> None:
    record = tmp_path / "game.txt"
    yaniv = Plain(find("yaniv"))
    position = yaniv.to_text(yaniv.new(seed=1))
    for content in (f"game: {HOSTILE}-v0\n", f"game: yaniv-v0\nrules: {HOSTILE}\nend: x\n", f"{position}\n{HOSTILE}\n"):
        record.write_text(content)
        for words in (["show", str(record), "--game", "yaniv"], ["ask", str(record), "random", "--game", "yaniv"]):
            status, text = printed(*words)
            assert status == 1, text
            assert CLEARS not in text


def test_commands_print_through_the_one_function() -> None:
    """No command ends with a text, or prints what is not marked up, by another way than `core.terminal`."""
    for path in sorted(PACKAGE.rglob("*.py")):
        if path.relative_to(PACKAGE).as_posix() in ("core/terminal.py", "cli.py"):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            called, place = ast.unparse(node.func), f"{path}:{node.lineno}"
            if called == "sys.exit":
                assert ast.unparse(node.args[0]) in ("0", "1", "main()"), place
            if called.endswith("console.print"):
                assert not any(word.arg == "markup" for word in node.keywords), place
            if called == "print":
                assert "error" not in ast.unparse(node), place
