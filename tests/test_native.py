"""Do the headers say what the libraries do? Compiled by a C compiler: layouts, names, tables, and whole matches."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("typer")

from typer.testing import CliRunner

from banakil_env.arena import play_match
from banakil_env.arena.seeds import SEED_SETS
from banakil_env.capi.command import compiler_words, libraries_of, write_native
from banakil_env.capi.header import common_header, header_of, identifier, tables_of
from banakil_env.capi.words import ARGUMENTS, CONTROL, ENTRIES, SIZES
from banakil_env.cli import application
from banakil_env.core.game import Game
from banakil_env.core.kernels import GENERATOR
from banakil_env.envs.vector import Tables
from banakil_env.games import GAMES, find

EXAMPLES = Path(__file__).resolve().parents[1] / "docs" / "native"
STRICT = ("-std=c11", "-Wall", "-Wextra", "-pedantic", "-Werror", "-O1")

each_game = pytest.mark.parametrize("name", list(GAMES))
needs_compiler = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")


def compile_c(program: Path, *words: str) -> Path:
    """The compiled program, next to its source."""
    made = program.with_suffix("")
    done = subprocess.run(["cc", *STRICT, str(program), *words, "-o", str(made)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return made


def program_of(game: Game) -> str:
    """A program that prints the text of each action by its constant, and then the bytes of every table."""
    macro = f"BANAKIL_{game.name.upper()}"
    constants = ", ".join(f"{macro}_A_{identifier(text)}" for text in game.actions.texts)
    tables = "".join(
        f"{{ banakil_{game.name}_state s = {macro}_{name}; fwrite(&s, sizeof s, 1, stdout); }}\n"
        for name in tables_of(game)
    )
    return f"""#include <stdio.h>
#include "banakil_{game.name}.h"
int main(void) {{
    static const char *const texts[] = {macro}_ACTION_TEXTS;
    static const int actions[] = {{{constants}}};
    for (int i = 0; i < {macro}_NUM_ACTIONS; i++) puts(texts[actions[i]]);
    {tables}return 0;
}}
"""


@needs_compiler
@each_game
def test_layouts_actions_and_tables_are_those_of_the_game(name: str, tmp_path: Path) -> None:
    """The header's own assertions compare sizes and offsets; a state made in C has the bytes of one made in Python."""
    game = find(name)
    (tmp_path / "banakil.h").write_text(common_header(), encoding="utf-8")
    (tmp_path / f"banakil_{name}.h").write_text(header_of(game), encoding="utf-8")
    (tmp_path / "check.c").write_text(program_of(game), encoding="utf-8")
    printed = subprocess.run([compile_c(tmp_path / "check.c", f"-I{tmp_path}")], capture_output=True, check=True).stdout
    texts = "".join(f"{text}\n" for text in game.actions.texts).encode()
    tables = b"".join(state.tobytes() for state in tables_of(game).values())
    assert printed == texts + tables


@needs_compiler
def test_another_layout_does_not_compile(tmp_path: Path) -> None:
    (tmp_path / "banakil.h").write_text(common_header(), encoding="utf-8")
    moved = header_of(find("gin")).replace("uint8_t dealer;", "uint16_t dealer;", 1)
    (tmp_path / "moved.c").write_text(moved + "int main(void) { return 0; }", encoding="utf-8")
    with pytest.raises(AssertionError, match="size of banakil_gin_state"):
        compile_c(tmp_path / "moved.c", f"-I{tmp_path}")


@needs_compiler
@pytest.mark.skipif(shutil.which("c++") is None, reason="there is no C++ compiler")
def test_the_headers_are_cpp_too(tmp_path: Path) -> None:
    for name, text in {"banakil.h": common_header(), "banakil_hand.h": header_of(find("hand"))}.items():
        (tmp_path / name).write_text(text, encoding="utf-8")
    program = tmp_path / "check.cpp"
    program.write_text(
        '#include "banakil_hand.h"\nbanakil_hand_state table = BANAKIL_HAND_TABLE_2P;\n', encoding="utf-8"
    )
    subprocess.run(["c++", "-std=c++20", "-Wall", "-Werror", "-fsyntax-only", str(program)], check=True)


@each_game
def test_every_function_and_argument_is_described(name: str) -> None:
    for library in libraries_of(find(name)):
        for entry in library.entries.values():
            assert entry.name in ENTRIES
            assert [each for each in entry.arguments if not {each, f"{entry.name}.{each}"} & set(ARGUMENTS)] == []
            assert set(entry.sizes) <= set(SIZES)
    assert all(re.search(rf"\b{field};? ?", header_of(find(name))) for field in CONTROL)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The header and the libraries of gin, with the examples next to them."""
    folder = tmp_path_factory.mktemp("native")
    shutil.copytree(EXAMPLES, folder, dirs_exist_ok=True)
    write_native(find("gin"), folder)
    return folder


def run_example(folder: Path, name: str, *args: object) -> str:
    """What an example prints."""
    words = compiler_words(find("gin"), folder, sorted(folder.iterdir()))[1:]
    made = compile_c(folder / f"{name}.c", *words)
    return subprocess.run([made, *map(str, args)], capture_output=True, text=True, check=True).stdout


@needs_compiler
def test_the_example_plays_the_match_of_the_arena(folder: Path) -> None:
    deals = 40
    results = play_match(["greedy", "expert"], game="gin", deals=deals, seed_set="tuning-v1")
    margin = results.margins()[:, 0].mean()
    printed = run_example(folder, "match", deals, SEED_SETS["tuning-v1"])
    assert printed == f"greedy is {margin:+.3f} points per deal ahead of expert in {deals} deals\n"


@needs_compiler
def test_environments_in_pufferlibs_shape_play_what_tables_play(folder: Path) -> None:
    """Rotating seats and `expert` inside the step: episodes, lengths and rewards of the same random choices."""
    num_tables, steps = 8, 300
    tables = Tables(num_tables, game="gin", opponents="expert")
    tables.reset(seed=range(num_tables))
    generators = np.zeros(num_tables, GENERATOR)
    episodes, length, score = 0, 0, 0.0
    for step in range(steps):
        generators["rng"] = (step << 32) + np.arange(num_tables)
        tables.step(tables.random_actions(generators))
        ended = tables.terminations
        episodes += int(ended.sum())
        length += int(tables.controls["length"][ended].sum())
        score += float(tables.payoffs[ended].sum())
    printed = run_example(folder, "rollout", num_tables, steps)
    assert printed == f"{episodes} episodes of {length / episodes:.2f} decisions, {score / episodes:+.3f} points each\n"


def test_the_command_writes_the_files_and_says_how_to_compile(tmp_path: Path) -> None:
    done = CliRunner().invoke(application("native"), ["native", "gin", str(tmp_path / "made")])
    assert done.exit_code == 0, done.output
    names = {path.name for path in (tmp_path / "made").iterdir()}
    assert {"banakil.h", "banakil_gin.h"} < names
    assert all(name in done.output.replace("\n", "") for name in names)
    assert "compile with: cc program.c" in done.output


def test_an_unknown_game_is_named(tmp_path: Path) -> None:
    done = CliRunner().invoke(application("native"), ["native", "bridge", str(tmp_path)])
    assert done.exit_code != 0
    assert "banakil native: there is no game 'bridge'" in done.output
    assert list(tmp_path.iterdir()) == []
