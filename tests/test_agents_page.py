"""Does a network need what `docs/agents.md` says that it needs, and say what it says?"""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

import torch

from banakil_env.agents import choose
from banakil_env.agents.encoding import encode
from banakil_env.agents.model import Network, Shape, legal_logits
from banakil_env.agents.network import NetworkPlayer
from banakil_env.envs.vector import Tables
from banakil_env.games import GAMES, find

DOCS = Path(__file__).resolve().parents[1] / "docs"
each_game = pytest.mark.parametrize("name", list(GAMES))


def said_to_need_none(page: str) -> set[str]:
    """The titles of the games in which a network needs no depths, as a page lists them."""
    text = " ".join((DOCS / page).read_text(encoding="utf-8").split())
    listed = re.search(r"(?:in every game but|in all games but) ([^:|;]*?)(?::| \|)", text)
    assert listed is not None
    return set(re.split(r", (?:and )?", listed[1]))


def seen(name: str) -> Tables:
    """Positions of a game, some moves after the deal."""
    tables = Tables(8, game=name)
    tables.reset(seed=1)
    for _ in range(20):
        tables.step(tables.random_actions())
    return tables


@each_game
def test_depths_are_needed_where_the_pages_say_so(name: str) -> None:
    game = find(name)
    network = Network(game, Shape((8,)), seed=1)
    needs_none = game.title in said_to_need_none("agents.md")
    assert said_to_need_none("agents.md") == said_to_need_none("plugins/hub.md")
    assert network.sees_depths is not needs_none
    features, depths = encode(game, seen(name).observations, features=network.features)
    logits, values = network(torch.from_numpy(features), torch.from_numpy(depths))
    expected, theirs = network.of_rows(seen(name).observations)
    assert torch.equal(logits, expected)
    assert torch.equal(values, theirs)
    if needs_none:
        assert torch.equal(network(torch.from_numpy(features))[0], logits)
    else:
        with pytest.raises(ValueError, match=r"needs depths, .*: agents.encoding.encode\(\) gives them with the feat"):
            network(torch.from_numpy(features))


@pytest.mark.parametrize("name", ["gin", "canasta"])
def test_explanations_are_the_probabilities_and_the_value_of_the_network(name: str) -> None:
    tables = seen(name)
    network = Network(find(name), Shape((8,)), seed=1)
    player = NetworkPlayer(network)
    with torch.inference_mode():
        logits, values = network.of_rows(tables.observations)
        policy = legal_logits(logits, torch.from_numpy(tables.masks != 0)).softmax(1).numpy()
    for row in range(8):
        thought = player.explain(tables.observations[row], tables.masks[row], dice=0)
        assert list(thought.probabilities) == np.flatnonzero(tables.masks[row]).tolist()
        np.testing.assert_allclose(list(thought.probabilities.values()), policy[row][tables.masks[row] != 0], atol=1e-6)
        assert thought.value == pytest.approx(float(values[row]), abs=1e-5)
        observation = {"observation": tables.observations[row], "action_mask": tables.masks[row]}
        assert thought.action == choose(player, observation)
