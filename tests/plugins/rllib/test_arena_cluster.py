"""Does a match on a Ray cluster give the results of a match here? The cluster is two machines, both this one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from arena_players import Failing, Noisy
from typer import Typer
from typer.testing import CliRunner

from banakil_env.arena import CompiledPlayer, WorkerError, play_match
from banakil_env.arena.command import arena
from banakil_env.arena.report import as_dict

pytestmark = pytest.mark.usefixtures("cluster")


def without_seconds(found: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in found.items() if name != "seconds"}


def test_the_command_writes_the_same_results(tmp_path: Path) -> None:
    app = Typer()
    app.command()(arena)
    match = ["arena_players:Noisy", "greedy", "random", "--players", "3", "--deals", "12"]
    found = {}
    for where, options in (("here", ["--processes", "1"]), ("there", ["--ray"])):
        result = CliRunner().invoke(app, [*match, *options, "--out", str(tmp_path / where)])
        assert result.exit_code == 0, result.output
        found[where] = without_seconds(json.loads((tmp_path / where / "results.json").read_text()))
    assert found["there"] == found["here"]
    assert found["there"]["deals"] == 12


def test_a_player_that_brings_its_process_down_loses_the_same_tables() -> None:
    players = [Failing("crashes"), CompiledPlayer("greedy")]
    here = play_match(players, deals=1, processes=2)
    there = play_match(players, deals=1, processes=1, cluster=True)
    assert without_seconds(as_dict(there)) == without_seconds(as_dict(here))
    assert there.failures()


def test_a_player_that_cannot_be_sent_is_told() -> None:
    player = Noisy()
    player.secret = lambda: None  # type: ignore[attr-defined]
    with pytest.raises(WorkerError, match="cannot be sent to other processes"):
        play_match([player, CompiledPlayer("greedy")], deals=2, cluster=True, processes=1)
