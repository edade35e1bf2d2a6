"""Does every command that is printed or documented work? Each is parsed to its end by the real command line."""

from __future__ import annotations

import dataclasses
import json
import re
import shlex
from pathlib import Path

import pytest

pytest.importorskip("typer")
pytest.importorskip("torch")

from shell_commands import check_match, commands_in, parse
from typer.testing import CliRunner

from banakil_env.agents import hub
from banakil_env.agents.family import is_family
from banakil_env.agents.model import Network, Shape
from banakil_env.agents.network import FILE, load, save_agent
from banakil_env.arena.options import TableOptions
from banakil_env.cli import application
from banakil_env.games import GAMES, find
from train import begin, zoo
from train.__main__ import main as train_main
from train.config import Config, Evaluation, Optimizer, Pool, Reward, Rollouts

REPOSITORY = Path(__file__).resolve().parents[1]
PAGES = [*REPOSITORY.glob("*.md"), *(REPOSITORY / "docs").rglob("*.md"), *(REPOSITORY / "agents").rglob("*.md")]
SOURCES = [*(REPOSITORY / "banakil_env").rglob("*.py"), *(REPOSITORY / "train").rglob("*.py")]
# These need libraries that are not all installed here; the tests of their groups run them.
FOREIGN = ("train.plugins.", "banakil_env.render.font.make")

# Tables that no default describes.
TABLES = [
    TableOptions(game="yaniv", num_players=3, rules="asaf call_limit=5"),
    TableOptions(game="hand", num_players=4, partners=True, episode="match"),
    TableOptions(num_players=4, partners=False, rules="jawaker", max_turns=50),
    TableOptions(game="gin"),
    TableOptions(),
]
TINY = Config(
    "tiny",
    table=TABLES[0],
    pool=Pool(("self",)),
    network=Shape((16,)),
    reward=Reward(unit=1.0),
    rollout=Rollouts(tables=8, steps=16),
    optimizer=Optimizer(batch=64, epochs=1),
    evaluation=Evaluation(times=1, deals=4, opponents=("random",)),
    steps=128,
    threads=1,
)


def printed(text: str) -> list[str]:
    """The commands `banakil ...` that a program has printed, a line in which they stand last."""
    return re.findall(r"(banakil arena .*)", text)


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """The folders of two small runs at a table of Yaniv for three, by rules with a switch."""
    folders = [tmp_path_factory.mktemp("runs") / str(seed) for seed in range(2)]
    for seed, folder in enumerate(folders):
        begin.make_run(dataclasses.replace(TINY, seed=seed), folder).train()
    return folders


@pytest.mark.parametrize("table", TABLES, ids=lambda table: f"{table.game}-{table.seats}")
def test_a_table_becomes_arguments_and_a_table_again(table: TableOptions) -> None:
    again = check_match(table.match_command("random", "greedy"))
    assert again.found.new(**again.options).tobytes() == table.found.new(**table.options).tobytes()
    assert again.episode == table.episode


def test_the_command_that_training_prints_plays_the_agent(
    runs: list[Path], capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert train_main(["--resume", "--game", "yaniv", "--out", str(runs[0])]) == 0
    [command] = printed(capsys.readouterr().out)
    assert check_match(command) == TINY.table
    ran = CliRunner().invoke(application(), [*shlex.split(command)[1:], "--deals", "2", "--processes", "1"])
    assert ran.exit_code == 0, ran.output


def test_the_command_that_the_zoo_prints_and_writes_plays_the_agent(
    runs: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    written: list[str] = []
    monkeypatch.setattr(zoo.hub, "export", lambda run, out, *_, **__: (load(run), out.mkdir())[1])
    monkeypatch.setattr(zoo, "draw_runs", lambda *_: written.append("curve"))
    monkeypatch.setattr(hub, "_card_classes", lambda: None)
    out = tmp_path / "agent"
    assert zoo.main([*map(str, runs), "--out", str(out)]) == 0
    save_agent(out / FILE, Network(find("yaniv"), Shape((16,)), 0), {"config": dataclasses.asdict(TINY)})
    [command] = printed(capsys.readouterr().out)
    assert check_match(command) == TINY.table


def test_the_command_on_a_card_names_the_table() -> None:
    for folder in sorted((REPOSITORY / "agents" / "zoo").glob("*/")):
        if is_family(folder / "model.safetensors"):
            continue  # of all tables
        agent = load(folder)
        assert agent.table.match_command("hub:FOLDER", "greedy") in (folder / "README.md").read_text(encoding="utf-8")
        assert agent.table.match_command("hub:FOLDER", "greedy") in hub._page(agent, folder.name, {}, "", None)


def test_the_command_that_the_demo_prints_plays_the_agent(tmp_path: Path) -> None:
    pytest.importorskip("tyro")
    from train import demo

    save_agent(tmp_path / FILE, Network(find("yaniv"), Shape((16,)), 0), {})
    [command] = printed(demo._written(tmp_path, TINY.table, "greedy", 60.0))
    assert check_match(command) == TINY.table


def test_no_program_writes_such_a_command_by_itself() -> None:
    """A literal would forget the game: `TableOptions.match_command` writes all of them."""
    own = {
        f"{path.name}: {line.strip()}"
        for path in SOURCES
        for line in path.read_text(encoding="utf-8").splitlines()
        if re.search(r"banakil arena [a-z]+:\{", line)
    }
    assert own == set()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(REPOSITORY).as_posix())
def test_every_command_of_a_page_is_understood(page: Path) -> None:
    blocks = re.findall(r"^```[a-z]*\n(.*?)^```", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)
    for command in (command for block in blocks for command in commands_in(block)):
        if not command.startswith(tuple(f"python -m {name}" for name in FOREIGN)):
            parse(command)


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.relative_to(REPOSITORY).as_posix())
def test_every_command_in_the_head_of_a_program_is_understood(path: Path) -> None:
    head = path.read_text(encoding="utf-8").split('"""')[1:2]
    for command in (command for text in head for command in commands_in("\n".join(text.splitlines()[1:]))):
        if not command.startswith(tuple(f"python -m {name}" for name in FOREIGN)):
            parse(command)


def test_every_command_of_a_notebook_is_understood() -> None:
    for path in (REPOSITORY / "notebooks").glob("*.ipynb"):
        for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
            for command in commands_in("".join(cell["source"]).replace("!", "")):
                parse(command)


@pytest.mark.parametrize("name", GAMES)
def test_the_first_commands_of_a_new_user_take_every_game(name: str) -> None:
    check_match(f"banakil arena random greedy --game {name}")
