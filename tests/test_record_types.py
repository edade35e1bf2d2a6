"""Does a type checker find a misspelt field of a record? (That the modules are current, `test_docs.py` checks.)"""

from __future__ import annotations

from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]

CODE = """
from banakil_env.games.{name}.records import Observation, State


def seats(state: State, seen: Observation) -> tuple[int, int]:
    state.seat = state.dealer + 1
    return state.rules.max_turns, seen.num_players


def misspelt(state: State, seen: Observation) -> None:
    state.seet = 0
    seen.hnad[0] = 1
    state.rules.max_turn = 0
"""


@pytest.mark.parametrize("name", ["gin"])
def test_mypy_knows_the_fields_of_a_record(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    api = pytest.importorskip("mypy.api")
    monkeypatch.chdir(REPOSITORY)
    file = tmp_path / "code_of_a_user.py"
    file.write_text(CODE.format(name=name), encoding="utf-8")
    alone = ["--follow-imports=skip", "--no-incremental", "--config-file=", "--cache-dir", str(tmp_path / "cache")]
    modules = ["banakil_env/kit/table_records.py", f"banakil_env/games/{name}/records.py"]
    said, _, _ = api.run([*alone, *modules, str(file)])
    errors = [line.partition("error: ")[2] for line in said.splitlines() if "code_of_a_user.py" in line]
    assert [error.partition(" has no attribute ")[2].partition(" ")[0].strip(";") for error in errors] == [
        '"seet"',
        '"hnad"',
        '"max_turn"',
    ], said
