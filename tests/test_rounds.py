"""Are the published lengths and rewards of rounds what the command measures, and what the games pay?"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from banakil_env.bench.rounds import PLAYERS, ROUNDS, main, measure
from banakil_env.games import GAMES, find
from banakil_env.kit.plain import Plain

FILE = Path(__file__).resolve().parents[1] / "docs" / "rounds.json"
KEPT: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
QUICK = [("gin", 0, "random"), ("tonk", 0, "greedy"), ("rummy", 0, "random")]


def test_every_table_of_every_game_is_there() -> None:
    assert list(KEPT) == list(GAMES)
    for name in GAMES:
        assert list(KEPT[name]) == [table.name for table in find(name).tables]
        assert all(list(players) == list(PLAYERS) for players in KEPT[name].values())


def test_the_figures_are_measured_again(long: bool) -> None:
    every = [(name, number, player) for name in GAMES for number in range(len(find(name).tables)) for player in PLAYERS]
    for name, number, player in every if long else QUICK:
        table = find(name).tables[number]
        assert measure(find(name), table, player) == KEPT[name][table.name][player]


@pytest.mark.parametrize("name", ["gin", "yaniv"])
def test_they_are_those_of_rounds_played_by_the_plain_interface(name: str) -> None:
    """One round of each seed by `greedy`, which throws no dice: decisions and margins, decision by decision."""
    game, rounds = find(name), 12
    plain, greedy = Plain(game), game.players["greedy"]
    decisions, margins = [], []
    for seed in range(rounds):
        state = plain.new(**game.tables[0].options, seed=seed)
        count = 0
        while not plain.is_over(state):
            seen = plain.observe(state, plain.seat_to_move(state) or 0)
            plain.apply(state, int(greedy(plain.fields(seen["observation"]), seen["action_mask"], None)))
            count += 1
        points = [-score if game.low_wins else score for score in plain.scores(state)]
        decisions.append(count)
        margins.append(abs(points[0] - points[1]))
    paid = [margin for margin in margins if margin]
    found = measure(game, game.tables[0], "greedy", rounds)
    assert found["decisions"] == round(sum(decisions) / rounds, 1)
    assert found["longest"] == max(decisions)
    assert found["paid"] == round(len(paid) / rounds, 3)
    assert found["size"] == round(sum(paid) / len(paid), 1)
    assert found["largest"] == max(margins)


def test_the_command_writes_the_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("banakil_env.bench.rounds.ROUNDS", 2)
    monkeypatch.setattr("banakil_env.bench.rounds.GAMES", ["tonk"])
    monkeypatch.setattr("banakil_env.bench.rounds.measure_all.__defaults__", (2,))
    monkeypatch.setattr("sys.argv", ["rounds", str(tmp_path / "rounds.json")])
    main()
    assert list(json.loads((tmp_path / "rounds.json").read_text(encoding="utf-8"))["tonk"]) == list(KEPT["tonk"])
    assert ROUNDS == 1000
