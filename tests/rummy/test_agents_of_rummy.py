"""Do the players of agents/ play a game other than Banakil, and refuse each other's games?"""

from __future__ import annotations

import pickle

import numpy as np
import pytest
import torch

from banakil_env.agents import PlayerError, choose, make_player
from banakil_env.agents.encoding import encode
from banakil_env.agents.human import HumanPlayer
from banakil_env.agents.making import make_network
from banakil_env.agents.model import Shape
from banakil_env.agents.network import load, save_agent
from banakil_env.agents.search import SearchPlayer
from banakil_env.arena import play_match
from banakil_env.core import engine
from banakil_env.core.playouts import outcomes
from banakil_env.games import find, rummy

GAME = find("rummy")


@pytest.fixture(scope="module")
def agent(tmp_path_factory):
    """The folder of an agent that has learned nothing."""
    folder = tmp_path_factory.mktemp("agent")
    save_agent(folder / "agent.safetensors", make_network(GAME, Shape((16,), "greedy"), 1), {"by": "hand"})
    return folder


def position(seed: int = 3, moves: int = 9):
    """A state in the middle of a round."""
    state, rng = rummy.new(num_players=2, seed=seed), np.random.default_rng(seed)
    for _ in range(moves):
        rummy.apply(state, int(rng.choice(rummy.legal_actions(state))))
    return state


def test_an_agent_of_rummy_knows_its_game(agent):
    network = load(agent).network
    assert network.game is GAME
    assert network.policy.out_features == len(GAME.actions)
    assert pickle.loads(pickle.dumps(network)).game is GAME
    with pytest.raises(PlayerError, match=r"plays rummy/rummy-v0, not rummy/banakil-v0"):
        make_player(f"net:{agent}")


def test_an_agent_of_banakil_does_not_play_rummy():
    for kind in ("ppo", "hub"):
        with pytest.raises(PlayerError, match=r"plays rummy/banakil-v0, not rummy/rummy-v0"):
            make_player(f"{kind}:agents/zoo/banakil-2p", "rummy")


def test_legal_actions_alone_have_the_logits_that_they_have_among_all(agent):
    network = load(agent).network
    torch.nn.init.normal_(network.takes.weight)
    for seed in range(20):
        state = position(seed, moves=seed)
        seen = rummy.observe(state, rummy.seat_to_move(state))
        rows = seen["observation"][None], seen["action_mask"][None]
        advice = network.advice(*rows)
        logits, _ = network.of_rows(rows[0], advice)
        moves, some, _ = network.legal_of_rows(*rows, advice)
        assert moves[0].tolist() == rummy.legal_actions(state)
        assert torch.allclose(some[0], logits[0, moves[0].tolist()], atol=1e-5)


def test_features_and_the_top_of_the_pile():
    state = position()
    x, depths = encode(GAME, rummy.observe(state, 0)["observation"][None])
    assert x.shape == (1, GAME.features.width)
    assert depths[0, 0] == state.pile[state.pile_size - 1]


def test_agents_and_searches_play_in_the_arena(agent):
    results = play_match([make_player(f"net:{agent}", GAME), "search:8", "greedy"], game="rummy", deals=2, budget=None)
    assert results.failures() == []


def test_a_search_is_blind_to_hidden_cards_and_goes_to_other_processes():
    state = position()
    seat = rummy.seat_to_move(state)
    player = pickle.loads(pickle.dumps(make_player("search:40", "rummy")))
    assert isinstance(player, SearchPlayer)
    said = choose(player, rummy.observe(state, seat), dice=5)
    assert said in rummy.legal_actions(state)
    for seed in range(3):
        other = rummy.redeal_hidden(state, seat, seed)
        assert choose(player, rummy.observe(other, seat), dice=5) == said


def test_a_playout_ends_as_the_game_does():
    state, greedy = position(), make_player("greedy", "rummy")
    out = np.zeros((1, GAME.max_seats), np.float32)
    outcomes(GAME, state.reshape(1), np.arange(1), "greedy", "points", out)
    end = state.copy()
    while not rummy.is_over(end):
        rummy.apply(end, choose(greedy, rummy.observe(end, rummy.seat_to_move(end))))
    reward = engine.reward
    assert out[0, :2].tolist() == [np.float32(reward(end, seat, 1)) for seat in range(2)]


def test_a_person_sees_the_table():
    state, said = position(), []
    legal = rummy.legal_actions(state)
    player = HumanPlayer(GAME, lambda prompt: rummy.action_text(legal[0]), said.append)
    assert choose(player, rummy.observe(state, rummy.seat_to_move(state))) == legal[0]
    assert "Seat 0 is to" in said[0]
    assert "seat 1" in said[0]
    assert said[1].startswith("moves: ")
