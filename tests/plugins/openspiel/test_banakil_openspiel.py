"""Does OpenSpiel solve Banakil's small pack? Deals, recall, void deals, CFR, and what an agent has learned."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyspiel
import pytest

import banakil_env.envs.openspiel  # noqa: F401 registers the games
from banakil_env.agents import CompiledPlayer, make_player
from banakil_env.arena import play_match
from banakil_env.bench import plugins
from banakil_env.bench.measure import Plan
from banakil_env.games import banakil
from banakil_env.games.banakil.faces import FACES
from train.plugins.openspiel import Tree, policy_of, report, row, train, uniform


@pytest.fixture(scope="module")
def tree() -> Tree:
    return Tree("mini")


def test_four_play_alone_where_the_rules_say_so() -> None:
    game = pyspiel.load_game("python_banakil", {"players": 4, "rules": "jawaker individuals wilds:free"})
    state = game.blank[0]
    assert not state.partners
    assert banakil.GAME.rules_of(state) == banakil.Rules.parse("jawaker wilds=free")


def test_players_remember_all_that_they_saw(tree: Tree) -> None:
    """Perfect recall: states that one cannot tell apart come after the same own information states and actions."""
    pasts: dict[str, tuple[Any, ...]] = {}

    def walk(state: Any, past: tuple[tuple[Any, ...], ...]) -> None:
        if state.is_terminal():
            return
        for action in state.legal_actions():
            following = past
            if not state.is_chance_node():
                seat, name = state.current_player(), state.information_state_string()
                assert pasts.setdefault(name, past[seat]) == past[seat]
                following = tuple(p + (((name, action),) if s == seat else ()) for s, p in enumerate(past))
            walk(state.child(action), following)

    walk(tree.game.new_initial_state(), ((), ()))


def test_a_void_deal_is_dealt_again_by_chance() -> None:
    """B9.9; each hand of it is sorted too."""
    table = {"rules": "mini discard_taken:yes upcard:yes", "sorted_hands": True}
    state = pyspiel.load_game("python_banakil", table).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    for _ in range(2):
        card = FACES.names[state.record.pile[0]]
        state.apply_action(banakil.parse_action("take 1"))
        state.apply_action(banakil.parse_action(f"discard {card}"))
    assert state.is_chance_node()
    assert len(state.chance_outcomes()) == 5  # the last card is not the lower of two
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[-1][0])
    assert state.record.turns == 2
    assert banakil.check(state.record) is None


def test_a_cut_is_chance_too() -> None:
    """B9.2: how many cards the cutter lifts is a number, and the cards of the whole pack are looked at."""
    game = pyspiel.load_game("python_banakil", {"rules": "mini cutter_takes_wilds:yes"})
    state, numbers = game.new_initial_state(), 0
    while state.is_chance_node():
        outcome = state.chance_outcomes()[0][0]
        numbers += "number" in state.action_to_string(outcome)
        state.apply_action(outcome)
    assert numbers == 1
    assert banakil.check(state.record) is None
    with pytest.raises(banakil.RulesError, match=r"^sorted_hands: .*, or a number drawn, decide to whom"):
        pyspiel.load_game("python_banakil", {"rules": "mini cutter_takes_wilds:yes", "sorted_hands": True})


def test_cfr_finds_the_exact_value_and_is_exploited_less_and_less(tree: Tree) -> None:
    value = tree.exact_value()
    worst = [tree.worst_cases(solved) for _, solved in tree.cfr([1, 10, 40])]
    exploitabilities = [-sum(cases) / 2 for cases in worst]
    assert exploitabilities[0] > 4 * exploitabilities[1] > 16 * exploitabilities[2] > 0
    assert all(first <= value + 1e-6 and second <= -value + 1e-6 for first, second in worst)
    assert worst[-1] == pytest.approx((value, -value), abs=0.5)


def test_greedy_is_less_exploitable_than_random_and_neither_is_perfect(tree: Tree) -> None:
    at_random, greedy = (
        -sum(tree.worst_cases(tree.tabular(policy))) / 2 for policy in (uniform, policy_of(make_player("greedy")))
    )
    assert 0 < greedy < at_random


def test_an_agent_trained_by_openspiel_gets_the_reward_and_plays_in_the_arena(tree: Tree) -> None:
    trained = train(tree.game, episodes=150, seed=1)
    results = play_match([trained, CompiledPlayer("random")], deals=20, rules="mini")
    assert results.failures() == []
    assert len(results.deals) == 20
    untrained, after = (
        -sum(tree.worst_cases(tree.tabular(policy))) / 2 for policy in (train(tree.game, 0).policy, trained.policy)
    )
    assert after < untrained


def test_its_rows_of_the_benchmark_can_be_measured() -> None:
    rows, _ = plugins.tasks(banakil.GAME)
    assert len(rows) == 2
    assert all(task.run(Plan(runs=1, seconds=0)).median > 0 for task in rows)


def test_the_page_shows_what_the_program_prints(tree: Tree) -> None:
    """All but the rows of 1000 iterations and of an agent that is trained for minutes."""
    page = (Path(__file__).parents[3] / "docs" / "plugins" / "openspiel.md").read_text(encoding="utf-8")
    lines = [line for text in report(tree, 100) for line in text.splitlines() if line.startswith("| ")]
    assert f"the first seat gets {tree.exact_value():.4f} points more" in page
    for line in lines:
        if "CFR+, 100 iterations" not in line:
            assert line in page


def test_a_figure_that_rounds_to_zero_has_no_sign() -> None:
    assert row("expert", (7.9999999, -8.0000001)) == "| expert | 8.00 | -8.00 | 0.00 |"
    assert row("even", (-0.001, 0.001)) == "| even | 0.00 | 0.00 | 0.00 |"
    assert row("ahead", (0.001, 0.001)).endswith("| 0.00 |")
