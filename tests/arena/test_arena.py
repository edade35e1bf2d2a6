"""Does the arena tell the truth? Intervals that hold, fair deals, results that do not depend on how they came."""

from __future__ import annotations

import csv
import dataclasses
import itertools
import json
import math
import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from arena_players import Failing, Noisy, OneThread
from leaping_clock import BUDGET, leap_after
from typer import Typer
from typer.testing import CliRunner

from banakil_env.arena import (
    SEED_SETS,
    CompiledPlayer,
    Plan,
    PlanError,
    Results,
    StoreError,
    interval,
    labels,
    play_match,
    seed_of,
)
from banakil_env.arena import options as options_module
from banakil_env.arena import tables as tables_module
from banakil_env.arena.command import STANDING_BEGIN, STANDING_END, arena
from banakil_env.arena.measures import MATCH_MEASURES
from banakil_env.arena.report import as_dict, duration, save
from banakil_env.arena.seatings import seatings
from banakil_env.arena.statistics import student_quantile
from banakil_env.games import find
from banakil_env.kit.plain import Plain

banakil = Plain(find("banakil"))

TESTS = Path(__file__).resolve().parent
REPOSITORY = TESTS.parents[1]
GREEDY, RANDOM = CompiledPlayer("greedy"), CompiledPlayer("random")


def without_seconds(results) -> dict:
    found = as_dict(results)
    del found["seconds"]
    return found


# The deals ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("players", "partners", "tables"), [(2, False, 2), (3, False, 6), (4, True, 2), (4, False, 6)])
def test_each_player_sits_at_each_seat_as_often(players, partners, tables):
    shapes = seatings(players, partners)
    assert len(set(shapes)) == len(shapes) == tables
    for seat in range(players):
        assert Counter(shape[seat] for shape in shapes) == {0: tables / 2, 1: tables / 2}
    assert {tuple(1 - who for who in shape) for shape in shapes} == set(shapes)


@pytest.mark.parametrize(("players", "tables"), [(2, 2), (3, 6), (4, 12)])
def test_at_mixed_tables_any_two_hold_any_two_seats_once(players, tables):
    shapes = seatings(players, False, "mixed")
    assert len(shapes) == tables
    for seats in itertools.permutations(range(players), 2):
        held = Counter(tuple(shape[seat] for seat in seats) for shape in shapes)
        assert held == dict.fromkeys(itertools.permutations(range(players), 2), 1)


MANY = (5, 6, 7, 8)


def neighbors(shape: tuple[int, ...]) -> Counter:
    """How often each player sits right before each other, round the table."""
    return Counter(zip(shape, (*shape[1:], shape[0])))


@pytest.mark.parametrize("players", MANY)
def test_at_large_tables_two_players_hold_each_seat_as_often(players):
    shapes = seatings(players, False)
    assert len(set(shapes)) == len(shapes) <= 2 * players
    for seat in range(players):
        assert Counter(shape[seat] for shape in shapes) == {0: len(shapes) / 2, 1: len(shapes) / 2}
    assert {tuple(1 - who for who in shape) for shape in shapes} == set(shapes)
    met = sum((neighbors(shape) for shape in shapes), Counter())
    assert met[0, 1] == met[1, 0] > 0
    assert met[0, 0] == met[1, 1]


@pytest.mark.parametrize("players", MANY)
def test_at_large_mixed_tables_each_holds_each_seat_and_neighbour_as_often(players):
    shapes = seatings(players, False, "mixed")
    assert len(set(shapes)) == len(shapes) == players * (players - 1)
    assert all(sorted(shape) == list(range(players)) for shape in shapes)
    for seat in range(players):
        assert Counter(shape[seat] for shape in shapes) == dict.fromkeys(range(players), players - 1)
    met = sum((neighbors(shape) for shape in shapes), Counter())
    assert met == dict.fromkeys(itertools.permutations(range(players), 2), players)


def test_partners_sit_opposite():
    assert seatings(4, True, "mixed") == seatings(4, True)
    assert seatings(4, True) == ((0, 1, 0, 1), (1, 0, 1, 0))


def test_deals_are_held_out_from_training_seeds():
    assert all(first >= 2**63 for first in SEED_SETS.values())
    assert seed_of("arena-v1", 0) == 2**63
    assert seed_of("arena-v1", 41) == 2**63 + 41


def test_an_unknown_seed_set():
    with pytest.raises(ValueError, match="no seed set 'arena-v0': the sets are arena-v1, tuning-v1"):
        seed_of("arena-v0", 1)


def test_all_tables_of_a_deal_have_the_same_cards(tmp_path):
    play_match([GREEDY, RANDOM], deals=2, folder=tmp_path, record=True)
    starts = [banakil.replay_states((tmp_path / "records" / f"deal-1-table-{t}.txt").read_text())[0] for t in range(2)]
    assert starts[0].tobytes() == starts[1].tobytes()
    assert starts[0][0].tobytes() == banakil.new(seed=seed_of("arena-v1", 1)).tobytes()


# The intervals --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("level", "degrees", "expected"),
    [
        (0.95, 1, 12.706),
        (0.95, 2, 4.3027),
        (0.95, 3, 3.1824),
        (0.95, 10, 2.2281),
        (0.99, 5, 4.0321),
        (0.9, 99, 1.6604),
    ],
)
def test_students_quantiles_are_those_of_the_tables(level, degrees, expected):
    assert student_quantile(level, degrees) == pytest.approx(expected, abs=1e-3)


def test_an_interval_of_four_numbers():
    found = interval([1, 2, 3, 4])
    assert found.mean == 2.5
    assert found.half_width == pytest.approx(3.1824 * (5 / 3) ** 0.5 / 2, abs=1e-3)


def test_one_deal_says_nothing():
    assert interval([3.0]).half_width == float("inf")


@pytest.mark.parametrize("level", [0.95, 0.8])
def test_a_player_against_itself_covers_zero_at_the_stated_rate(level):
    repetitions, deals = 200, 25
    margins = _against_itself().margins()[:, 0].reshape(repetitions, deals)
    covered = sum(abs(found.mean) <= found.half_width for found in (interval(row, level) for row in margins))
    spread = (repetitions * level * (1 - level)) ** 0.5
    assert abs(covered - repetitions * level) < 3 * spread, covered


@pytest.mark.second("test_a_player_against_itself_covers_zero_at_the_stated_rate")
def test_at_mixed_tables_too():
    repetitions, deals, level = 60, 20, 0.8
    results = play_match([Noisy(), Noisy(), Noisy()], deals=repetitions * deals, num_players=3, seating="mixed")
    margins = results.margins()[:, 1].reshape(repetitions, deals)
    covered = sum(abs(found.mean) <= found.half_width for found in (interval(row, level) for row in margins))
    spread = (repetitions * level * (1 - level)) ** 0.5
    assert abs(covered - repetitions * level) < 3 * spread, covered


_CACHE: dict[str, object] = {}


def _against_itself():
    if "itself" not in _CACHE:
        _CACHE["itself"] = play_match([Noisy(), Noisy()], deals=5000)
    return _CACHE["itself"]


def test_a_player_without_dice_is_exactly_even_with_itself():
    results = play_match([GREEDY, GREEDY], deals=50, num_players=4)
    assert results.plan.players == ("greedy", "greedy#2")
    assert not results.margins().any()


def test_duplicate_needs_fewer_deals_than_plain():
    results = play_match([GREEDY, Noisy(20)], deals=1000)
    assert results.plain_factor("greedy", "noisy") > 3


def test_stops_after_the_same_whole_deal_in_any_number_of_processes():
    one = play_match([GREEDY, RANDOM], deals=5000, width=1.0)
    two = play_match([GREEDY, RANDOM], deals=5000, width=1.0, processes=2)
    assert 100 <= len(one.deals) < 1000
    assert one.margin("greedy", "random").half_width <= 1.0
    assert without_seconds(one) == without_seconds(two)


# Any number of players ------------------------------------------------------------------------------------------------


def test_cross_table_of_three_players():
    results = play_match([GREEDY, RANDOM, Noisy()], deals=100, num_players=3)
    assert results.margin("greedy", "random").mean == -results.margin("random", "greedy").mean
    assert results.margin("greedy", "noisy").low > 0
    assert results.margin("noisy", "random").low > 0
    assert results.win("greedy", "random").mean + results.win("random", "greedy").mean == pytest.approx(1)
    ratings = results.ratings()
    assert ratings["greedy"].mu > ratings["noisy"].mu > ratings["random"].mu
    assert all(rating.sigma > 0 for rating in ratings.values())
    margins = [results.player(name)["margin"].mean for name in results.plan.players]
    assert sum(margins) == pytest.approx(0)


def test_three_different_players_at_one_table():
    players = [GREEDY, RANDOM, Noisy()]
    results = play_match(players, deals=100, num_players=3, seating="mixed")
    assert all(len(tables) == 6 for tables in results.deals)
    assert all(set(table.seats) == {0, 1, 2} for table in results.plan.tables([0]))
    assert results.margin("greedy", "noisy").low > 0
    assert results.margin("noisy", "random").low > 0
    found = {name: results.player(name) for name in results.plan.players}
    # Of tables with the same three players, margins are differences of points, and a table is won by one of the three.
    assert found["greedy"]["points"].mean - found["random"]["points"].mean == pytest.approx(
        results.margin("greedy", "random").mean
    )
    assert sum(measures["win"].mean for measures in found.values()) == pytest.approx(1)
    assert results.win("greedy", "random").mean + results.win("random", "greedy").mean == pytest.approx(1)
    ratings = results.ratings()
    assert ratings["greedy"].mu > ratings["noisy"].mu > ratings["random"].mu


def test_margins_and_ratings_of_one_mixed_deal():
    pytest.importorskip("openskill")
    results = Results(Plan(("a", "b", "c"), num_players=3, seating="mixed"))
    # What each player gets at each table, whatever its seat.
    given = {0: 7, 1: -2, 2: 30}
    tables = [
        {"points": [given[who] for who in table.seats], "ending": "out", "winner": table.seats.index(2), "failed": None}
        for table in results.plan.tables([0])
    ]
    results.add(tables)
    assert results.pairs == ((0, 1), (0, 2), (1, 2))
    assert results.margins().tolist() == [[9, -23, -32]]
    assert results.win("a", "b").mean == 1
    assert results.win("b", "c").mean == 0
    ratings = results.ratings()
    assert ratings["c"].mu > ratings["a"].mu > ratings["b"].mu


def test_every_company_of_a_larger_field_meets():
    plan = Plan(("a", "b", "c", "d"), num_players=3, seating="mixed")
    met = Counter(frozenset(table.seats) for table in plan.tables([0]))
    assert met == dict.fromkeys(map(frozenset, itertools.combinations(range(4), 3)), 6)


@pytest.mark.second("test_a_match_that_was_killed_goes_on_to_the_same_result")
def test_a_mixed_match_goes_on_in_other_processes(tmp_path):
    match = {"num_players": 3, "seating": "mixed", "budget": 30}
    players = [GREEDY, Noisy(), Failing("illegal")]
    play_match(players, deals=4, folder=tmp_path, **match)
    gone_on = play_match(players, deals=10, folder=tmp_path, processes=2, **match)
    assert without_seconds(gone_on) == without_seconds(play_match(players, deals=10, **match))
    save(gone_on, tmp_path)
    assert len(list(csv.DictReader((tmp_path / "pairs.csv").open()))) == 3
    lost = gone_on.failures()[0]
    table = gone_on.deals[lost["deal"]][lost["table"]]
    assert sorted(table["points"]) == [-150, 0, 0]


def test_whole_matches_have_measures_of_their_own(tmp_path):
    results = play_match([GREEDY, RANDOM], deals=20, episode="match")
    found = results.player("greedy")
    assert list(found) == list(MATCH_MEASURES)
    tables = [(table, seat) for tables in results.deals for seat, table in enumerate(tables)]
    assert all(table["ending"] == "match" for table, _ in tables)
    assert found["match_win"].mean == sum(table["winner"] == seat for table, seat in tables) / len(tables)
    assert found["points"].mean == sum(table["points"][seat] for table, seat in tables) / len(tables)
    assert found["rounds"].mean == sum(table["rounds"] for table, _ in tables) / len(tables) > 2
    assert found["round_points"].mean == pytest.approx(
        sum(table["points"][seat] / table["rounds"] for table, seat in tables) / len(tables)
    )
    assert found["undecided"].mean == 0
    save(results, tmp_path)
    row = next(csv.DictReader((tmp_path / "players.csv").open()))
    assert float(row["match_win_mean"]) == found["match_win"].mean
    assert "hand_mean" not in row


def test_a_match_without_rounds_left_is_undecided_and_shared():
    results = play_match([GREEDY, GREEDY], deals=5, episode="match", rules="pagat max_rounds=1 target=9000")
    found = [results.player(name) for name in results.plan.players]
    assert [measures["undecided"].mean for measures in found] == [1, 1]
    assert [measures["match_win"].mean for measures in found] == [0.5, 0.5]


def test_players_of_one_name_are_told_apart():
    assert labels(["a", "b", "a", "a"]) == ("a", "b", "a#2", "a#3")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"deals": 0}, "deals must be a number from 1"),
        ({"level": 1.5}, "level must lie between 0 and 1"),
        ({"width": 0}, "width must be a number of points above 0"),
        ({"budget": -1}, "budget must be a number of seconds above 0"),
        ({"seating": "chairs"}, "seating is one of pairs, mixed, not 'chairs'"),
        ({"seating": "mixed", "num_players": 3}, "a mixed table of 3 needs as many players, not 2"),
    ],
)
def test_matches_that_cannot_be_played(options, message):
    with pytest.raises(PlanError, match=message):
        play_match([GREEDY, RANDOM], **options)


def test_one_player_is_no_match():
    with pytest.raises(PlanError, match="at least two players, not 1"):
        play_match([GREEDY])


# Other games ----------------------------------------------------------------------------------------------------------


def test_where_low_wins_margins_wins_and_ratings_are_turned(monkeypatch):
    pytest.importorskip("openskill")
    options = {"deals": 30, "num_players": 3, "seating": "mixed"}
    players = [GREEDY, RANDOM, Noisy()]
    high = play_match(players, **options)
    monkeypatch.setattr(options_module, "find", lambda name: dataclasses.replace(banakil.game, low_wins=True))
    low = Results(Plan(high.plan.players, **options))
    for tables in high.deals:
        turned = [{**table, "points": [-points for points in table["points"]]} for table in tables]
        low.add(turned)  # as a game counts that gives the same hands points against them
    assert low.plan.found.low_wins
    assert (low.margins() == high.margins()).all()
    assert low.ratings() == high.ratings()
    for name in high.plan.players:
        own, other = low.player(name), high.player(name)
        assert own["points"].mean == -other["points"].mean
        assert {**own, "points": None} == {**other, "points": None}
    assert low.win("greedy", "random") == high.win("greedy", "random")
    assert low.plain_factor("greedy", "random") == high.plain_factor("greedy", "random")
    same = Results(low.plan)
    for tables in high.deals:
        same.add(tables)
    assert (same.margins() == -high.margins()).all()
    assert same.win("greedy", "random").mean == pytest.approx(1 - high.win("greedy", "random").mean)


def test_where_low_wins_a_player_that_fails_gets_points(monkeypatch):
    game = dataclasses.replace(banakil.game, low_wins=True)
    monkeypatch.setattr(tables_module, "find", lambda name: game)
    found = play_match([GREEDY, Failing("raises")], deals=10)
    lost = found.failures()[0]
    assert sorted(found.deals[lost["deal"]][lost["table"]]["points"]) == [0, 150]


def test_an_unknown_argument_of_play_match_is_named_with_the_nearest():
    with pytest.raises(TypeError, match=r"^play_match has no argument 'seeds' \(did you mean 'seed_set'\?\); its arg"):
        play_match(["greedy", "random"], seeds="arena-v1")


def test_an_unknown_game_or_option_is_named():
    with pytest.raises(ValueError, match=r"^there is no game 'bridge'; there are .*banakil"):
        play_match(["greedy", "random"], game="bridge")
    with pytest.raises(ValueError, match=r"^there is no game 'bridge'"):
        Plan(("a", "b"), game="bridge")
    game = dataclasses.replace(banakil.game, options=banakil.game.options[:1])
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(options_module, "find", lambda name: game)
        with pytest.raises(ValueError, match=r"^banakil has no option partners; it has num_players$"):
            Plan(("a", "b"), partners=True)
    done = command("greedy", "random", "--game", "bridge")
    assert done.returncode == 1
    assert done.stderr.strip().startswith("banakil arena: there is no game 'bridge'; there are ")
    assert done.stderr.strip().count("\n") == 0


# Players that fail ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("what", "reason"),
    [
        ("raises", "raised RuntimeError: no idea"),
        ("exits", "raised SystemExit: 3"),
        ("illegal", "is not legal: seat"),
        ("out of the table", "no action has the index -1"),
        ("fractions", "expected were 1 whole numbers"),
        ("too few", "expected were 1 whole numbers"),
    ],
)
def test_a_player_that_fails_loses_the_table_and_the_others_go_on(what, reason):
    results = play_match([GREEDY, Failing(what)], deals=10)
    failures = results.failures()
    assert 0 < len(failures) < 20
    for failure in failures:
        assert failure["player"] == what
        assert reason in failure["reason"]
        table = results.deals[failure["deal"]][failure["table"]]
        assert sorted(table["points"]) == [-150, 0]
        assert table["points"][1 - failure["table"]] == -150
    played = sum(table["failed"] is None for tables in results.deals for table in tables)
    assert played + len(failures) == 20


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no alarm to interrupt a player with")
def test_a_player_that_hangs_loses_the_table():
    player = Failing("hangs")
    results = play_match([GREEDY, player], deals=2, budget=0.2)
    assert not player.woke
    assert {failure["reason"] for failure in results.failures()} == {"took longer than its budget of 0.2 s"}


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="no signals to keep out")
def test_a_player_that_cannot_be_interrupted_is_ended_with_its_process(monkeypatch, tmp_path):
    leap_after(tmp_path / "attacks", monkeypatch)
    results = play_match([GREEDY, Failing("sticks", tmp_path / "attacks")], deals=1, isolate=True, budget=BUDGET)
    assert results.failures()
    assert all("could not be interrupted" in failure["reason"] for failure in results.failures())


def test_a_player_that_loops_in_native_code_is_ended_by_a_single_process_too(monkeypatch, tmp_path):
    leap_after(tmp_path / "attacks", monkeypatch)
    results = play_match([GREEDY, Failing("loops", tmp_path / "attacks")], deals=2, isolate=True, budget=BUDGET)
    assert results.failures()
    assert all("could not be interrupted" in failure["reason"] for failure in results.failures())


def test_a_player_that_brings_down_its_process_loses_the_table():
    results = play_match([GREEDY, Failing("crashes")], deals=2, processes=2)
    assert results.failures()
    assert all("brought down its process (exit code 3)" in failure["reason"] for failure in results.failures())


# From where it was ----------------------------------------------------------------------------------------------------

BROKEN_OFF = """
from arena_players import Noisy
from banakil_env.arena import CompiledPlayer, play_match
import time

if __name__ == "__main__":
    play_match([CompiledPlayer("greedy"), Noisy()], deals=100000, folder={folder!r}, num_players=4)
"""


def test_a_match_that_was_killed_goes_on_to_the_same_result(tmp_path):
    folder = tmp_path / "match"
    environment = os.environ | {"PYTHONPATH": f"{REPOSITORY}{os.pathsep}{TESTS}"}
    with subprocess.Popen([sys.executable, "-c", BROKEN_OFF.format(folder=str(folder))], env=environment) as process:
        file = folder / "deals.jsonl"
        while not file.exists() or file.read_bytes().count(b"\n") < 40:
            assert process.poll() is None
            time.sleep(0.05)
        process.kill()
    kept = file.read_bytes().count(b"\n") - 1
    with open(file, "ab") as broken:
        broken.write(b'{"deal":99999,"tabl')  # as if it had been stopped while writing
    deals = kept + 50
    options = {"deals": deals, "num_players": 4}
    gone_on = play_match([GREEDY, Noisy()], folder=folder, **options)
    assert file.read_bytes().count(b"\n") == deals + 1
    assert without_seconds(gone_on) == without_seconds(play_match([GREEDY, Noisy()], **options))


def test_a_folder_of_another_match_is_refused(tmp_path):
    play_match([GREEDY, RANDOM], deals=2, folder=tmp_path)
    with pytest.raises(StoreError, match="of another match: num_players is 2 there, 3 here"):
        play_match([GREEDY, RANDOM], deals=2, folder=tmp_path, num_players=3)


def test_a_damaged_file_is_refused_with_its_line(tmp_path):
    play_match([GREEDY, RANDOM], deals=3, folder=tmp_path)
    file = tmp_path / "deals.jsonl"
    lines = file.read_text().splitlines()
    file.write_text("\n".join([lines[0], lines[1][:50], *lines[2:]]) + "\n")
    with pytest.raises(StoreError, match="line 2 is damaged"):
        play_match([GREEDY, RANDOM], deals=3, folder=tmp_path)


# Trained agents -------------------------------------------------------------------------------------------------------


def test_threads_of_agents_sleep_while_they_wait():
    program = "import agents, os, sys; print(os.environ['OMP_WAIT_POLICY'], 'torch' in sys.modules)"
    environment = {name: value for name, value in os.environ.items() if name != "OMP_WAIT_POLICY"}
    done = subprocess.run([sys.executable, "-c", program], cwd=REPOSITORY, env=environment, capture_output=True)
    assert done.stdout.split() == [b"PASSIVE", b"False"], done.stderr


def test_a_process_of_the_arena_computes_in_one_thread():
    pytest.importorskip("torch")
    assert not play_match([GREEDY, OneThread()], deals=1, isolate=True).failures()


def test_a_network_adds_up_in_the_same_order_in_any_number_of_threads():
    torch = pytest.importorskip("torch")
    from banakil_env.agents.model import Network
    from banakil_env.agents.network import NetworkPlayer

    class Kept(Network):
        def legal_of_rows(self, *given):
            answer = super().legal_of_rows(*given)
            found.append(answer[1])
            return answer

    found = []
    network = Kept(banakil.game, seed=1).eval()
    state = banakil.new(seed=1)
    seen = banakil.observe(state, banakil.seat_to_move(state))
    rows = seen["observation"][None], seen["action_mask"][None], np.zeros(1, np.uint64)
    before = torch.get_num_threads()
    try:
        for threads in (1, 2):
            torch.set_num_threads(threads)
            NetworkPlayer(network).act(*rows)
            assert torch.get_num_threads() == threads
    finally:
        torch.set_num_threads(before)
    assert torch.equal(*found)


def test_an_agent_of_a_mode_sits_at_the_standing_table_of_that_mode(tmp_path):
    pytest.importorskip("torch")
    from banakil_env.agents.model import Network, Shape
    from banakil_env.agents.network import save_agent

    save_agent(tmp_path / "jawaker-4p", Network(banakil.game, Shape((8,)), seed=1), {})
    page = tmp_path / "page.md"
    page.write_text(f"before\n{STANDING_BEGIN}\n{STANDING_END}\nafter\n")
    app = Typer()
    app.command()(arena)
    players = ["greedy", "random", f"net:{tmp_path}/{{mode}}"]
    options = ["--deals", "2", "--budget", "0", "--processes", "1", "--standing", str(page)]
    result = CliRunner().invoke(app, [*players, *options])
    assert result.exit_code == 0, result.output
    parts = page.read_text().split("###")
    assert [name in part for part in parts for name in ("net:",)] == [False] * 5 + [True]
    assert parts[5].split("\n")[0] == " JAWAKER, partners"


def test_a_match_for_each_of_several_rules(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(f"{STANDING_BEGIN}\n{STANDING_END}\n")
    app = Typer()
    app.command()(arena)
    short = ["--game", "contract", "--players", "3", "--deals", "2", "--processes", "1"]
    rules = ["--rules", "contract=1", "--rules", "contract=4"]
    result = CliRunner().invoke(app, [*short, *rules, "--standing", str(page), "--out", str(tmp_path / "out")])
    assert result.exit_code == 0, result.output
    titles = [part.split("\n")[0] for part in page.read_text().split("###")[1:]]
    assert titles == [" 3 players, contract=1", " 3 players, contract=4"]
    assert "contract=4" in page.read_text().split("###")[2].split("| player")[0]
    result = CliRunner().invoke(app, ["random", "greedy", *short, *rules])
    assert result.exit_code == 0, result.output
    assert result.output.count("2 deals") == 2
    assert CliRunner().invoke(app, short).exit_code != 0  # without players there is no match
    before = page.read_text()
    result = CliRunner().invoke(app, [*short, "--players", "2", "--standing", str(page)])
    assert (result.exit_code, page.read_text()) == (1, before)  # there is no such table, and nothing is lost


# What is shown --------------------------------------------------------------------------------------------------------


def test_results_as_json_csv_and_a_page(tmp_path):
    results = play_match([GREEDY, RANDOM, Noisy()], deals=20, folder=tmp_path)
    save(results, tmp_path)
    found = json.loads((tmp_path / "results.json").read_text())
    assert found["deals"] == 20
    assert found["pairs"][0]["margin"]["low"] > 0
    rows = list(csv.DictReader((tmp_path / "players.csv").open()))
    assert [row["player"] for row in rows] == ["greedy", "random", "noisy"]
    assert float(rows[0]["margin_mean"]) == pytest.approx(found["players"]["greedy"]["margin"]["mean"])
    page = (tmp_path / "report.html").read_text()
    assert page.count("<svg") == 2
    assert "src=" not in page


def test_games_are_written_down_and_can_be_replayed(tmp_path):
    results = play_match([GREEDY, RANDOM], deals=3, folder=tmp_path, record=True)
    for deal, tables in enumerate(results.deals):
        for number, table in enumerate(tables):
            last = banakil.replay((tmp_path / "records" / f"deal-{deal}-table-{number}.txt").read_text())
            assert banakil.scores(last[0]) == table["points"]


def command(*arguments: str, columns: int = 200) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "banakil_env.cli", "arena", *arguments],
        cwd=REPOSITORY,
        env=os.environ | {"COLUMNS": str(columns), "PYTHONPATH": os.pathsep.join([str(REPOSITORY), str(TESTS)])},
        capture_output=True,
        text=True,
        timeout=300,
    )


def test_the_command_plays_and_leaves_a_report(tmp_path):
    done = command("greedy", "random", "--deals", "20", "--players", "3", "--out", str(tmp_path), "--processes", "1")
    assert done.returncode == 0, done.stderr
    assert "3 players: 20 deals of arena-v1" in done.stdout
    assert (tmp_path / "report.html").exists()


def test_everything_fits_a_terminal_of_80_columns():
    players = ["greedy", "random", "expert", "greedy", "arena_players:a_player_with_a_name_that_no_column_would_hold"]
    arguments = [*players, "--players", "3", "--deals", "2", "--processes", "1", "--budget", "0"]
    done = command(*arguments, columns=80)
    assert done.returncode == 0, done.stderr
    assert "…" not in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    assert "greedy#2" in done.stdout
    for measure in ("margin", "points", "win %", "hand %", "turns", "lost %", "rating", "a decision"):
        assert re.search(rf"^{measure} .*\d", done.stdout, re.MULTILINE), measure


@pytest.mark.second("test_a_player_that_brings_down_its_process_loses_the_table")
def test_the_command_goes_on_when_a_player_brings_down_its_only_process():
    done = command("greedy", "tests/arena/arena_players.py:brings_down", "--deals", "1", "--processes", "1")
    assert done.returncode == 1
    assert "brings_down failed at every table" in done.stderr
    assert "brought down its process" in " ".join(done.stdout.split())


def test_the_command_names_an_unknown_player():
    done = command("greedy", "gready")
    assert done.returncode != 0
    assert "there is no player 'gready'" in done.stderr


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(1.4e-6, "1.4 µs"), (2.24e-5, "22 µs"), (1.83e-4, "183 µs"), (0.0123, "12.3 ms"), (1.0, "1 s"), (math.nan, "-")],
)
def test_a_time_is_said_in_the_unit_that_suits_it(seconds, said):
    assert duration(seconds) == said
