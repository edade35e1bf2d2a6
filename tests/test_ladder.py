"""Are the figures of docs/ladders.md measured, kept and shown as they came out?"""

from __future__ import annotations

import dataclasses
import importlib.util
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from banakil_env.arena import play_match
from banakil_env.arena.generations import MODEL, newest
from banakil_env.arena.options import TableOptions
from banakil_env.arena.players import CompiledPlayer
from banakil_env.arena.seeds import SEED_SETS
from banakil_env.games import find
from train import decision_times, departures, ladder

GAME = find("yaniv")
TABLE = GAME.tables[0]


@pytest.fixture(scope="module")
def generate() -> ModuleType:
    """docs/generate.py, which is no module of a package."""
    spec = importlib.util.spec_from_file_location("generate", Path(ladder.FILE).with_name("generate.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_rung_is_measured_as_the_arena_plays_it() -> None:
    found = ladder.measure(GAME, TABLE, "expert", "greedy", 120)
    match = play_match(["expert", "greedy"], game="yaniv", deals=120, **TABLE.options).margin("expert", "greedy")
    assert found.ahead == pytest.approx(match.mean, abs=1e-4)
    assert found.within_95 == pytest.approx(match.half_width, abs=1e-4)
    assert found.within_95 < found.within_99
    assert found.deals == 120
    assert found.decision > 0


def test_after_its_seconds_no_further_deal_is_begun() -> None:
    found = ladder.measure(GAME, TABLE, "expert", "greedy", 10_000, seconds=1e-9)
    assert found.deals == ladder.SLOW_AT_ONCE
    assert found.command.endswith(f"--deals {ladder.SLOW_AT_ONCE}")


def test_departures_are_measured_round_after_round_of_the_published_deals() -> None:
    found = ladder.measure_by_departures(GAME, TABLE, "greedy", "expert", 2 * ladder.ROUNDS_AT_ONCE)
    player, each = CompiledPlayer("greedy", GAME), ladder.ROUNDS_AT_ONCE
    parts = [
        departures.measure(player, "expert", TableOptions(game="yaniv", **TABLE.options), each, seed, at_once=each)
        for seed in (SEED_SETS["arena-v1"], SEED_SETS["arena-v1"] + each)
    ]
    assert found.ahead == pytest.approx(sum(part.total().mean for part in parts) / 2, abs=1e-4)
    assert (found.by, found.deals) == ("departures", 2 * each)
    assert found.command.endswith(f"--by departures --against expert --deals {2 * each}")
    assert found.within_95 < found.within_99
    assert found.decision > 0


def test_after_its_seconds_no_further_round_is_begun() -> None:
    assert ladder.measure_by_departures(GAME, TABLE, "greedy", "expert", 10_000, 1e-9).deals == ladder.ROUNDS_AT_ONCE


def test_a_time_becomes_the_playouts_that_take_as_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """A decision takes 4 ms, and 50 µs for each playout: 400 take 24 ms, and not 3,300 but 3,900 take 200 ms."""

    def measure(timed: Any, *args: Any, **options: Any) -> None:
        timed.player.tried += 10 * timed.player.playouts
        timed.seconds += 10 * (0.004 + 0.000_05 * timed.player.playouts)

    monkeypatch.setattr(ladder.SearchPlayer, "prepare", lambda self: None)
    monkeypatch.setattr(departures, "measure", measure)
    assert ladder.playouts_in(GAME, TABLE, "expert", 0.2) == 3900
    assert ladder._of_time("search:200ms", GAME, TABLE, "expert") == "search:3900"
    assert ladder._of_time("search:50", GAME, TABLE, "expert") == "search:50"
    assert ladder._of_time("agent", GAME, TABLE, "expert") == "agent"


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--rung", "search:200ms@2"], "search:200ms@2 has 2 threads; by departures a search has one: leave out @"),
        (["--rung", "greedy", "--against", "random"], "must be one of greedy, expert, not 'random'"),
    ],
)
def test_departures_of_a_search_of_threads_or_from_random_are_refused(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        ladder.main(["--game", "yaniv", "--table", "yaniv-2p", "--by", "departures", *arguments])
    assert said in capsys.readouterr().err


def test_only_decisions_with_a_choice_are_counted() -> None:
    timed = ladder._Timed(CompiledPlayer("random", GAME))
    masks = np.zeros((3, GAME.num_actions), np.int8)
    masks[:, 0] = masks[1, 1] = masks[2, 2] = 1
    timed.act(np.zeros((3, GAME.observation.itemsize), np.uint8), masks, np.zeros(3, np.uint64))
    assert timed.decisions == 2
    assert timed.each == timed.seconds / 2 > 0


def test_a_line_replaces_the_one_measured_before(tmp_path: Path) -> None:
    file = tmp_path / "ladders.json"
    assert ladder.read(file) == []
    first = ladder.Figure("gin", "gin-2p", "expert", "greedy", 1.0, 0.5, 0.7, 200, 2.0, "first")
    other = ladder.Figure("hand", "hand-2p", "expert", "greedy", 2.0, 0.5, 0.7, 200, 2.0, "other")
    again = ladder.Figure("gin", "gin-2p", "expert", "greedy", 1.2, 0.3, 0.4, 900, 2.0, "again")
    for figure in (first, other, again):
        ladder.keep(figure, file)
    assert ladder.read(file) == [other, again]  # in the order of GAMES


def test_a_figure_by_departures_leaves_that_of_whole_deals(tmp_path: Path) -> None:
    """A few rounds by departures and 2,000 deals of one pair: both are kept, the page shows the deals."""
    file = tmp_path / "ladders.json"
    deals = ladder.Figure("gin", "gin-2p", "expert", "greedy", 1.0, 0.5, 0.7, 2000, 2.0, "deals")
    departed = ladder.Figure("gin", "gin-2p", "expert", "greedy", 1.4, 1.5, 1.7, 8, 2.0, "departures", "departures")
    later = dataclasses.replace(departed, deals=16)
    for figure in (departed, deals, later):
        ladder.keep(figure, file)
    assert ladder.read(file) == [deals]
    assert file.read_text().count('"expert"') == 2
    assert ladder.shown([departed, later]) == [later]
    assert ladder.shown([deals, later]) == ladder.shown([later, deals]) == [deals]


@pytest.mark.parametrize("deals", ["1", "0", "-3"])
def test_too_few_deals_for_an_interval_are_refused(deals: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        ladder.main(["--game", "gin", "--deals", deals])
    assert "--deals must be 2 or more" in capsys.readouterr().err


def test_figures_of_an_agent_with_a_successor_are_left_out(tmp_path: Path) -> None:
    """The row of an agent shows the figures of one agent, not of two."""
    file, agent = tmp_path / "ladders.json", newest(ladder.ZOO, "gin-2p")
    assert agent is not None
    of = {
        name: ladder.Figure("gin", "gin-2p", "agent", "greedy", 1.0, 0.5, 0.7, 200, 2.0, "", agent=name)
        for name in ("gin-2p", agent.name)
    }
    ladder.keep(of["gin-2p"], file)
    assert ladder.read(file) == []
    assert '"agent": "gin-2p"' in file.read_text()  # kept all the same
    ladder.keep(of[agent.name], file)
    assert ladder.read(file) == [of[agent.name]]
    assert '"agent": "gin-2p"' in file.read_text()


def test_a_table_without_an_agent_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(ladder, "ZOO", tmp_path)
    with pytest.raises(SystemExit):
        ladder.main(["--game", "gin", "--table", "gin-match", "--rung", "agent"])
    assert "there is no agent of gin-match" in capsys.readouterr().err


def test_cards_of_agents_are_read(tmp_path: Path) -> None:
    """The row of `random` is not a rung of the agent's, and a card about other rules is left out."""
    rows = "| `random` | +30.00 ± 0.25 | ± 0.33 | -1.00 ± 0.50 | 99.1% | 201 µs | 2000 |\n"
    rows += "| `greedy` | -0.67 ± 0.38 | ± 0.50 | -1.00 ± 0.50 | 44.5% | 1.3 ms | 2000 |\n"
    for name, rules in (("yaniv-2p", "denexa, 2 players"), ("yaniv-3p", "asaf, 3 players")):
        (tmp_path / name).mkdir()
        said = f"# {name}\n\nrummy/yaniv-v0 {rules}. Duplicate deals of `arena-v1`, which training never saw.\n"
        (tmp_path / name / "README.md").write_text(said + rows)
        (tmp_path / name / MODEL).touch()
    [found] = ladder.of_cards(tmp_path)
    assert found.key == ("yaniv", "yaniv-2p", "agent", "yaniv-2p", "greedy", "deals")
    assert (found.ahead, found.within_95, found.within_99) == (-0.67, 0.38, 0.5)
    assert (found.decision, found.deals) == (1300.0, 2000)


def test_whom_a_rung_plays() -> None:
    assert list(ladder.opponents_of(GAME, "random")) == ["greedy", "expert"]
    assert list(ladder.opponents_of(GAME, "greedy")) == []
    assert list(ladder.opponents_of(GAME, "expert")) == ["greedy"]
    assert list(ladder.opponents_of(GAME, ladder.AGENT)) == ["greedy", "expert"]
    assert list(ladder.opponents_of(GAME, ladder.ALONE)) == list(ladder.opponents_of(GAME, ladder.LEARNED))
    assert list(ladder.opponents_of(GAME, "search:200ms")) == ["expert"]


def test_agents_of_four_kinds_are_rungs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that learned alone, one with sparring partners, one that was taught, and the newest advised one."""
    monkeypatch.setattr(ladder, "ZOO", tmp_path)
    for name in ("yaniv-2p", "yaniv-2p-2", "yaniv-2p-alone", "yaniv-2p-learned", "yaniv-2p-sparred", "yaniv-3p-alone"):
        (tmp_path / name).mkdir()
        (tmp_path / name / MODEL).touch()
    [two, three] = [table for table in GAME.tables if table.name in ("yaniv-2p", "yaniv-3p")]
    assert ladder.rungs_of(GAME, two) == [*GAME.players, "learned", "sparred", "alone", "agent"]
    assert ladder.rungs_of(GAME, three) == [*GAME.players, "alone"]
    found = {rung: ladder.folder_of("yaniv-2p", rung) for rung in ladder.OF_ZOO}
    assert {rung: folder and folder.name for rung, folder in found.items()} == {
        "agent": "yaniv-2p-2", "unadvised": "yaniv-2p-2", "alone": "yaniv-2p-alone", "learned": "yaniv-2p-learned",
        "sparred": "yaniv-2p-sparred",
    }  # fmt: skip
    assert ladder.folder_of("yaniv-2p", "expert") is None


def test_the_page_shows_both_intervals_and_the_last_search(
    generate: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    figures = [
        ladder.Figure("yaniv", "yaniv-2p", "search:8000", "expert", 1.234, 0.5, 0.66, 32, 200_000.0, "", "departures"),
        ladder.Figure("yaniv", "yaniv-2p", "search:9000", "expert", 2.5, 0.5, 0.66, 64, 201_000.0, "", "departures"),
        ladder.Figure("yaniv", "yaniv-2p", "agent", "expert", -0.5, 0.25, 0.33, 2000, 820.0, ""),
        ladder.Figure("yaniv", "yaniv-2p", "expert", "greedy", 1.0, 0.25, 0.33, 2000, 0.55, ""),
    ]
    monkeypatch.setattr(ladder, "read", lambda file: figures)
    monkeypatch.setattr(ladder, "of_cards", list)
    agent = newest(ladder.ZOO, "yaniv-2p")
    assert agent is not None
    lines = [line for line in generate.ladder_tables().splitlines() if "yaniv-2p |" in line]
    assert lines == [
        "| yaniv-2p | `expert` | +1.00 ± 0.25, ± 0.33 |  | 0.6 µs | 2,000 |",
        f"| yaniv-2p | [advised agent](../agents/zoo/{agent.name}/README.md) | "
        " | -0.50 ± 0.25, ± 0.33 | 820 µs | 2,000 |",
        "| yaniv-2p | `search:9000` |  | +2.50 ± 0.50, ± 0.66 | 201 ms | 64 rounds |",
    ]


def test_a_table_that_is_none_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        ladder.main(["--game", "gin", "--table", "gin-9p"])
    assert "there are gin-2p, gin-match" in capsys.readouterr().err


def test_the_time_of_a_decision_is_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decision_times, "SNAPSHOTS", 1)
    file = tmp_path / "times.json"
    assert decision_times.main(["--game", "yaniv", "--out", str(file)]) == 0
    assert file.read_text().startswith('{\n"yaniv": {"greedy": ')


def test_pages_say_the_same_about_an_agent() -> None:
    """The page of results has the leads over `greedy` and `expert` that the ladders have, of the same agents."""
    docs = ladder.ZOO.parents[1] / "docs"
    results = {line.split("|")[1].split("]")[0].strip(" ["): line for line in _rows_of(docs / "results.md")}
    assert len(results) > 30
    for line in _rows_of(docs / "ladders.md"):
        cells = [cell.strip() for cell in line.split("|")[1:-1]]
        found = re.fullmatch(r"\[agent\]\(\.\./agents/zoo/([\w-]+)/README\.md\)", cells[1])
        if found:
            shown = [cell.strip(" †‡") for cell in results[found[1]].split("|")[1:-1]]
            assert shown[3] == cells[3], found[1]
            assert cells[2].startswith(shown[2]), found[1]


def _rows_of(page: Path) -> list[str]:
    """The rows of a page's tables that name an agent."""
    return [line for line in page.read_text(encoding="utf-8").splitlines() if line[:1] == "|" and "agents/zoo/" in line]
