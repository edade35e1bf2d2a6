"""Is every game the same game in OpenSpiel, with every card dealt by chance, and do algorithms run on it?"""

from __future__ import annotations

import functools
import itertools
import pickle
import random
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
import pytest
from absl.flags import FLAGS
from open_spiel.python import rl_environment
from open_spiel.python.algorithms import generate_playthrough, ismcts, mcts
from open_spiel.python.observation import make_observation

import banakil_env.envs.openspiel  # noqa: F401 registers the games
from banakil_env.core.game import IllegalAction
from banakil_env.games import GAMES, find
from banakil_env.kit.plain import Plain
from banakil_env.kit.switches import RulesError

each_game = pytest.mark.parametrize("name", list(GAMES))


def load(name: str, **parameters: Any) -> Any:
    return pyspiel.load_game(f"python_{name}", parameters)


def chosen(state: Any, dice: random.Random) -> Any:
    """The state after chance has chosen whatever it may."""
    state = state.clone()
    while state.is_chance_node():
        faces, chances = zip(*state.chance_outcomes(), strict=True)
        state.apply_action(dice.choices(faces, chances)[0])
    return state


def dealt(game: Any, seed: int = 0) -> Any:
    return chosen(game.new_initial_state(), random.Random(seed))


def playout(game: Any, seed: int) -> list[Any]:
    """The states of an episode played at random in which a seat is to move, from the deal on, and the last."""
    dice = random.Random(seed)
    states = [chosen(game.new_initial_state(), dice)]
    while not states[-1].is_terminal():
        state = states[-1].clone()
        state.apply_action(dice.choice(state.legal_actions()))
        states.append(chosen(state, dice))
    return states


@functools.cache
def played(name: str) -> list[Any]:
    """A playout of a game with its defaults."""
    return playout(load(name), 1)


def actions_of(states: list[Any]) -> list[tuple[int, int]]:
    """The seat and the action between each state of a playout and the next."""
    return [
        (before.current_player(), after.history()[len(before.history())])
        for before, after in itertools.pairwise(states)
    ]


@each_game
def test_openspiels_own_test_passes(name: str) -> None:
    pyspiel.random_sim_test(load(name), num_sims=1, serialize=True, verbose=False)


def test_openspiels_playthrough_is_the_same_again(tmp_path: Path) -> None:
    FLAGS.mark_as_parsed()  # by a program of OpenSpiel's own
    text = generate_playthrough.playthrough("python_yaniv(players=3,rules=asaf)", None, seed=4)
    assert "ChanceMode.EXPLICIT_STOCHASTIC" in text
    (tmp_path / "playthrough.txt").write_text(text)
    original, again = generate_playthrough.replay(str(tmp_path / "playthrough.txt"))
    assert again == original


@each_game
def test_it_plays_the_plain_game(name: str) -> None:
    """Every state is a position of the game in which the next one's cards come from its stock; the rewards agree."""
    game, plain, states = load(name), Plain(find(name)), played(name)
    for state, (seat, action) in list(zip(states, actions_of(states), strict=False))[::7]:
        assert plain.check(state.record) is None
        assert plain.seat_to_move(state.record) == seat
        assert action in plain.legal_actions(state.record)
    assert plain.is_over(states[-1].record)
    returns = states[-1].returns()
    assert len(returns) == game.num_players()
    assert sum(returns) == pytest.approx(0)
    assert all(game.min_utility() <= value <= game.max_utility() for value in returns)
    assert len(actions_of(states)) <= game.max_game_length()


@each_game
def test_chance_deals_cards_of_the_pack(name: str) -> None:
    state = load(name).new_initial_state()
    outcomes = state.chance_outcomes()
    texts = {state.action_to_string(face) for face, _ in outcomes}
    assert len(texts) == len(outcomes)
    assert {"7h", "Qs"} <= texts
    assert sum(chance for _, chance in outcomes) == pytest.approx(1)


@each_game
def test_every_number_of_players_rules_and_rewards_load(name: str) -> None:
    found = find(name)
    for players in found.seats:
        for rules in found.rules.presets:
            try:
                found.new(num_players=players, rules=rules)
            except RulesError:
                continue
            game = load(name, players=players, rules=rules, reward="win", episode="match")
            assert game.num_players() == players
            assert game.new_initial_state().chance_outcomes()


def test_hand_is_played_by_partners_whose_returns_are_shared() -> None:
    game = load("hand", players=4, rules="pagat partners first_meld:40")
    ends = (playout(game, seed)[-1] for seed in range(20))
    state = next(state for state in ends if any(state.returns()))
    plain = Plain(find("hand"))
    assert state.record.partners
    assert plain.rules_of(state.record).first_meld == 40
    returns = state.returns()
    assert returns[0] == returns[2] != 0
    assert returns[1] == returns[3] == -returns[0]
    for words in ("partners", "pagat individuals"):
        assert load("hand", players=4, rules=words).blank[0].partners == (words == "partners")


def test_hands_are_sorted_where_that_is_asked_for() -> None:
    """Two hands, each ascending, then the card turned up; a red Three would be laid down, and another card dealt."""
    for seed in range(3):
        faces = dealt(load("rummy", sorted_hands=True), seed).history()
        assert sum(later < earlier for earlier, later in itertools.pairwise(faces)) <= 2
    with pytest.raises(RulesError, match=r"^sorted_hands: .*decide to whom a card is dealt; leave it off"):
        load("canasta", sorted_hands=True)


@pytest.mark.parametrize("private", [pyspiel.PrivateInfoType.ALL_PLAYERS, pyspiel.PrivateInfoType.NONE])
def test_there_is_no_observer_that_sees_more_or_less_than_a_player(private: Any) -> None:
    kind = pyspiel.IIGObservationType(perfect_recall=False, private_info=private)
    assert make_observation(load("rummy"), kind) is None


def test_partners_are_refused_where_they_cannot_play() -> None:
    with pytest.raises(RulesError, match="partners need four players, not 3"):
        load("hand", players=3, rules="pagat partners")
    with pytest.raises(RulesError, match="partners or individuals twice"):
        load("hand", players=4, rules="partners individuals")


@each_game
def test_a_history_replays_and_states_are_copied(name: str) -> None:
    game, states = load(name), played(name)
    state = states[min(7, len(states) - 1)]
    again = game.new_initial_state()
    for action in state.history():
        again.apply_action(action)
    for other in (again, state.clone(), pickle.loads(pickle.dumps(state))):
        assert other.record.tobytes() == state.record.tobytes()
        assert other.information_state_string(0) == state.information_state_string(0)


@each_game
def test_what_is_dealt_again_leaves_what_the_seat_remembers(name: str) -> None:
    dice = random.Random(5)
    for state in played(name)[:-1:9]:
        seat = state.current_player()
        other = state.resample_from_infostate(seat, dice.random)
        assert other.information_state_string(seat) == state.information_state_string(seat)
        assert other.observation_tensor(seat) == state.observation_tensor(seat)
        assert other.legal_actions() == state.legal_actions()


@each_game
def test_players_remember_every_own_action(name: str) -> None:
    states = played(name)
    for seat in range(2):
        strings = [state.information_state_string(seat) for state in states]
        assert all(later.startswith(earlier) for earlier, later in itertools.pairwise(strings))
        own = [find(name).actions.text(action) for who, action in actions_of(states) if who == seat]
        told = [part.rpartition(" ")[0] for part in strings[-1].split(" | ")[1:] if " " in part]
        assert told == own


def test_an_illegal_action_and_parameters_that_do_not_fit() -> None:
    state = dealt(load("rummy"))
    before = str(state)
    illegal = next(action for action in range(find("rummy").num_actions) if action not in state.legal_actions())
    with pytest.raises((IllegalAction, pyspiel.SpielError), match="is not legal"):
        state.apply_action(illegal)
    assert str(state) == before
    for parameters in ({"reward": "chips"}, {"rules": "hoyle"}, {"players": 9}):
        with pytest.raises(RulesError):
            load("rummy", **parameters)


@each_game
def test_the_loop_of_rl_environment_gives_every_seat_its_reward(name: str) -> None:
    env = rl_environment.Environment(load(name), enable_legality_check=True)
    env.seed(3)
    dice, step = random.Random(3), env.reset()
    while not step.last():
        step = env.step([dice.choice(step.observations["legal_actions"][step.observations["current_player"]])])
    assert step.rewards == env.get_state.returns()


def test_the_ismcts_bot_plays() -> None:
    game, dice = load("rummy"), np.random.RandomState(2)
    bot = ismcts.ISMCTSBot(
        game=game,
        uct_c=30.0,
        evaluator=mcts.RandomRolloutEvaluator(1, dice),
        max_simulations=6,
        max_world_samples=-1,
        random_state=dice,
        final_policy_type=ismcts.ISMCTSFinalPolicyType.MAX_VISIT_COUNT,
        use_observation_string=False,
        allow_inconsistent_action_sets=False,
        child_selection_policy=ismcts.ChildSelectionPolicy.UCT,
    )
    state = dealt(game)
    for _ in range(3):
        action = bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)
        state = chosen(state, random.Random(1))
