"""Is it the same game in OpenSpiel, and do its algorithms run? Its own tests, replays, chances, recall, CFR, a bot."""

from __future__ import annotations

import pickle
import random
from collections import Counter, defaultdict
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import ismcts, mcts
from open_spiel.python.observation import make_observation

from banakil_env.agents import CompiledPlayer, make_player
from banakil_env.arena import play_match
from banakil_env.bench import plugins
from banakil_env.bench.measure import Plan
from banakil_env.core.game import IllegalAction
from banakil_env.games import banakil
from banakil_env.games.banakil.dealing import next_in_hand
from banakil_env.games.banakil.faces import FACES
from banakil_env.kit.recall import NO_ACTION, NO_CARD
from train.plugins.openspiel import Tree, policy_of, report, row, train, uniform

TABLES = [
    {"rules": "mini"},
    {"rules": "single wilds:fixed"},
    {"rules": "pagat"},
    {"rules": "jawaker", "players": 4},
    {"rules": "gamefarm individuals max_turns:40", "players": 4},
    {"rules": "gamefarm ranks:3-7 suits:1 jokers:1 hand_cards:2 max_turns:30", "players": 3},
]


def load(table: dict[str, Any]) -> Any:
    return pyspiel.load_game("python_banakil", table)


def playout(game: Any, seed: int) -> list[Any]:
    """The states of a round played at random, from the first deal on."""
    rng = np.random.default_rng(seed)
    states = [game.new_initial_state()]
    while not states[-1].is_terminal():
        state = states[-1].clone()
        if state.is_chance_node():
            faces, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(int(rng.choice(faces, p=chances)))
        else:
            state.apply_action(int(rng.choice(state.legal_actions())))
        states.append(state)
    return states


@pytest.fixture(scope="module")
def tree() -> Tree:
    return Tree("mini")


# The game


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_openspiels_own_test_passes(table: dict[str, Any]) -> None:
    pyspiel.random_sim_test(load(table), num_sims=2, serialize=True, verbose=False)


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_a_playout_goes_through_the_states_of_the_plain_interface(table: dict[str, Any]) -> None:
    """The cards that chance drew are laid into the stock beforehand; then every action is applied there too."""
    for seed in range(3):
        states = playout(load(table), seed)
        plain = None
        for before, state in pairwise(states):
            events = len(state.events) - len(before.events)
            if state.events and state.events[-1].action == NO_ACTION and events:
                plain = state.record.copy()  # just dealt
            elif plain is not None and events:
                event = state.events[-1]
                assert banakil.seat_to_move(plain) == event.seat
                if not before.is_chance_node():
                    assert before.legal_actions() == banakil.legal_actions(plain)
                if event.face != NO_CARD:
                    bring_up(plain, event.face)
                banakil.apply(plain, event.action)
                if state.is_chance_node() and not plain.had_turn:
                    plain = None  # B9.9: dealt again, at random
                else:
                    assert same(plain, state.record)
        assert states[-1].returns() == rewards(states[-1].record, load(table))


def bring_up(state: Any, face: int) -> None:
    stock = state.stock[: state.stock_size]
    place = int(np.flatnonzero(stock == face)[-1])
    stock[place], stock[-1] = stock[-1], stock[place]


def same(one: Any, other: Any) -> bool:
    """The same game, but for the order of the stock, which chance has yet to make."""
    sorted_stocks = [one.copy(), other.copy()]
    for state in sorted_stocks:
        state.stock[: state.stock_size].sort()
    return sorted_stocks[0].tobytes() == sorted_stocks[1].tobytes()


def rewards(record: Any, game: Any) -> list[float]:
    points = banakil.scores(record)
    sides = [seat % 2 if record.partners else seat for seat in range(game.num_players())]
    worth = dict(zip(sides, points, strict=True))
    means = {side: np.mean([p for other, p in worth.items() if other != side]) for side in worth}
    return [float(worth[side] - means[side]) for side in sides]


def test_a_hand_is_dealt_with_the_chances_of_a_shuffled_pack() -> None:
    pool = [2, 1, 0, 2, 2, 1]
    pack = [face for face, count in enumerate(pool) for _ in range(count)]
    for size in (1, 2, 4, len(pack)):
        hands = Counter(combinations(pack, size))
        for hand, count in hands.items():
            chance = 1.0
            for place, face in enumerate(hand):
                chance *= dict(next_in_hand(pool, hand[:place], size))[face]
            assert chance == pytest.approx(count / hands.total())


def test_every_deal_has_one_history(tree: Tree) -> None:
    """MINI: 20 hands of three, 3 of two from the other cards; each as likely."""
    deals: dict[str, float] = defaultdict(float)

    def walk(state: Any, chance: float) -> None:
        if not state.is_chance_node():
            assert str(state) not in deals
            deals[str(state)] = chance
            return
        for face, p in state.chance_outcomes():
            walk(state.child(face), chance * p)

    walk(tree.game.new_initial_state(), 1.0)
    assert len(deals) == 60
    assert set(np.round(list(deals.values()), 12)) == {round(1 / 60, 12)}


def test_the_returns_stay_within_their_bounds_and_the_rounds_within_their_length() -> None:
    for table in TABLES:
        game = load(table)
        for seed in range(3):
            end = playout(game, seed)[-1]
            assert all(game.min_utility() <= value <= game.max_utility() for value in end.returns())
            assert abs(sum(end.returns())) < 1e-9
            assert len(end.history()) <= game.max_game_length()


def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    state = playout(load({"rules": "mini"}), 1)[5]
    before = str(state), state.record.tobytes()
    with pytest.raises((IllegalAction, pyspiel.SpielError), match="is not legal"):
        state.apply_action(banakil.parse_action("discard As"))
    assert (str(state), state.record.tobytes()) == before


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"rules": "pagat cutter_takes_wilds:yes"}, "in OpenSpiel chance deals cards and cuts no pack"),
        ({"reward": "chips"}, "reward must be 'margin' or 'points' or 'win', not 'chips'"),
        ({"rules": "hoyle"}, "unknown rules 'hoyle'"),
    ],
)
def test_parameters_that_do_not_fit(table: dict[str, Any], message: str) -> None:
    with pytest.raises(banakil.RulesError, match=message):
        load(table)


# What is seen and remembered


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_the_observation_is_the_one_of_every_other_interface(table: dict[str, Any]) -> None:
    game = load(table)
    for state in playout(game, 3)[-30:]:
        if not state.record["hands"].any():
            continue  # chance deals: no position of the game as yet
        for seat in range(game.num_players()):
            seen = banakil.observe(state.record, seat)["observation"]
            tensor = np.array(state.observation_tensor(seat))
            assert tensor[: game.num_players()].tolist() == np.eye(game.num_players())[seat].tolist()
            np.testing.assert_allclose(
                tensor[game.num_players() :] * banakil.GAME.observation_fields.highest_bytes, seen, atol=1e-4
            )


@pytest.mark.parametrize("table", TABLES, ids=str)
def test_what_is_dealt_anew_leaves_every_string_and_tensor_of_the_seat(table: dict[str, Any]) -> None:
    game, rng = load(table), random.Random(5)
    for state in playout(game, 4)[-40:-1:4]:
        if state.is_chance_node():
            continue
        seat = state.current_player()
        other = state.resample_from_infostate(seat, rng.random)
        assert other.information_state_string(seat) == state.information_state_string(seat)
        assert other.information_state_tensor(seat) == state.information_state_tensor(seat)
        assert other.observation_string(seat) == state.observation_string(seat)
        assert other.legal_actions() == state.legal_actions()
        for opponent in set(range(game.num_players())) - {seat}:
            check_remembers_its_hand(other, opponent)


def check_remembers_its_hand(state: Any, seat: int) -> None:
    """The cards dealt and drawn since the last deal are in the hand or were played from it."""
    dealt = max(i for i, event in enumerate(state.events) if event.seat == seat and event.action == NO_ACTION)
    got = Counter(state.events[dealt].secret.split()[1:])
    for event in state.events[dealt:]:
        if event.seat == seat and event.face != NO_CARD:
            got[FACES.names[event.face]] += 1
    hand = Counter(FACES.names[face] for face in hand_of(state.record, seat))
    known = Counter(FACES.names[face] for face in faces_of(state.record.known[seat]))
    assert not (hand - known) - got, "a card that nobody saw come was neither dealt nor drawn"


def faces_of(masks: Any) -> list[int]:
    return [face for face in range(53) for mask in masks if int(mask) >> face & 1]


def hand_of(record: Any, seat: int) -> list[int]:
    return faces_of(record.hands[seat])


def test_players_remember_all_that_they_saw(tree: Tree) -> None:
    """Perfect recall: states that one cannot tell apart come after the same own information states and actions."""
    pasts: dict[str, tuple[Any, ...]] = {}
    tensors: dict[str, bytes] = {}

    def walk(state: Any, past: tuple[tuple[Any, ...], ...]) -> None:
        if state.is_terminal():
            return
        for action in state.legal_actions():
            following = past
            if not state.is_chance_node():
                seat, name = state.current_player(), state.information_state_string()
                assert pasts.setdefault(name, past[seat]) == past[seat]
                tensor = np.array(state.information_state_tensor(), np.float32).tobytes()
                assert tensors.setdefault(name, tensor) == tensor
                following = tuple(p + (((name, action),) if s == seat else ()) for s, p in enumerate(past))
            walk(state.child(action), following)

    walk(tree.game.new_initial_state(), ((), ()))
    assert len(set(tensors.values())) == len(tensors), "two information states share a tensor"


def test_a_void_deal_is_dealt_anew_by_chance() -> None:
    """B9.9."""
    state = load({"rules": "mini discard_taken:yes upcard:yes"}).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[0][0])
    for _ in range(2):
        card = FACES.names[state.record.pile[0]]
        state.apply_action(banakil.parse_action("take 1"))
        state.apply_action(banakil.parse_action(f"discard {card}"))
    assert state.is_chance_node()
    assert len(state.chance_outcomes()) == 5
    while state.is_chance_node():
        state.apply_action(state.chance_outcomes()[-1][0])
    assert state.information_state_string(0).count("dealt") == 2
    assert state.record.turns == 2


@pytest.mark.parametrize("private", [pyspiel.PrivateInfoType.ALL_PLAYERS, pyspiel.PrivateInfoType.NONE])
@pytest.mark.parametrize("name", ["python_banakil(rules=mini)", "python_rummy"])
def test_there_is_no_observer_that_sees_more_or_less_than_a_player(name: str, private: Any) -> None:
    kind = pyspiel.IIGObservationType(perfect_recall=False, private_info=private)
    assert make_observation(pyspiel.load_game(name), kind) is None


# Its algorithms


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


def test_the_loop_of_rl_environment_gives_every_seat_its_reward() -> None:
    env = rl_environment.Environment(load({"rules": "pagat", "players": 3}), enable_legality_check=True)
    env.seed(3)
    rng, step = random.Random(3), env.reset()
    while not step.last():
        step = env.step([rng.choice(step.observations["legal_actions"][step.observations["current_player"]])])
    assert step.rewards == env.get_state.returns()
    assert len(step.rewards) == 3


@pytest.mark.parametrize("rules", ["mini", "single"])
def test_the_ismcts_bot_plays(rules: str) -> None:
    game, rng = load({"rules": rules}), np.random.RandomState(2)
    evaluator = mcts.RandomRolloutEvaluator(1, rng)
    bot = ismcts.ISMCTSBot(
        game=game,
        uct_c=30.0,
        evaluator=evaluator,
        max_simulations=10,
        max_world_samples=-1,
        random_state=rng,
        final_policy_type=ismcts.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
        use_observation_string=False,
        allow_inconsistent_action_sets=False,
        child_selection_policy=ismcts.ChildSelectionPolicy.UCT,
    )
    state = next(state for state in playout(game, 6) if not state.is_chance_node())
    for _ in range(3):
        if state.is_terminal():
            break
        if state.is_chance_node():
            state.apply_action(state.chance_outcomes()[0][0])
        else:
            action = bot.step(state)
            assert action in state.legal_actions()
            state.apply_action(action)


def test_states_are_pickled_and_copied() -> None:
    state = playout(load({"rules": "mini"}), 2)[7]
    for other in (state.clone(), pickle.loads(pickle.dumps(state))):
        assert str(other) == str(state)
        assert other.record.tobytes() == state.record.tobytes()


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
