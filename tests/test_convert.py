"""Does an agent whose weights are converted to more columns and actions see and say the same as before?"""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
import torch

from banakil_env.agents import hub
from banakil_env.agents.encoding import encode
from banakil_env.agents.metadata import digest_of_columns
from banakil_env.agents.model import Shape, make_network, network_with
from banakil_env.agents.network import AgentError, load, save_agent
from banakil_env.arena.generations import MODEL
from banakil_env.envs.vector import Tables
from banakil_env.games import find
from train.convert import convert, game_before, main, places_kept, with_zeros

ZOO = Path(__file__).resolve().parents[1] / "agents" / "zoo"

# What was new in version 2 of the features.
NEW = {
    "contract": (["rules_own_discard", "rules_jokers"], ["open_lone_set", "open_lone_run"]),
    "kalooki": (["rules_own_discard"], []),
    "mille": (["rules_double_skunk"], []),
}
# Agents of version 1 that were converted; later ones of these games learned with the new columns.
CONVERTED = {"contract": "contract-3p", "kalooki": "kalooki-3p", "mille": "mille-2p"}


def observations_of(game, rules):
    """Observations of positions by random play, and the masks there."""
    tables = Tables([{"rules": rules}] * 24, game=game.name, threads=1)
    tables.reset(seed=3)
    seen = []
    for step in range(40):
        seen.append((tables.observations.copy(), tables.masks.copy()))
        actions = np.array([np.flatnonzero(mask)[(7 * step) % np.count_nonzero(mask)] for mask in tables.masks])
        tables.step(actions)
    return np.concatenate([o for o, _ in seen]), np.concatenate([m for _, m in seen])


def weights(network):
    """The weights of a network, all of them changed by chance, those that begin as zeros too."""
    generator = torch.Generator().manual_seed(5)
    return {
        name: tensor + 0.1 * torch.randn(tensor.shape, generator=generator)
        for name, tensor in network.state_dict().items()
    }


@pytest.mark.parametrize(("channels", "sets"), [(None, False), (8, False), (8, True)])
@pytest.mark.parametrize("name", NEW)
def test_a_converted_network_says_the_same(name, channels, sets):
    game = find(name)
    if sets and game.features.faces.suits == 1:
        pytest.skip("all ranks are of one suit")
    before, shape = game_before(game, *NEW[name]), Shape((16, 16), "greedy", channels, sets)
    old = make_network(before, shape, seed=1)
    tensors = weights(old)
    old.load_state_dict(tensors)
    new = network_with(game, shape, with_zeros(tensors, shape, before, game))
    columns, actions = places_kept(before, game, shape)
    rows, masks = observations_of(game, "denexa")
    x, depths = encode(game, rows)
    advice = torch.from_numpy(np.array([np.flatnonzero(mask)[0] for mask in masks]))
    x, depths = torch.from_numpy(x), torch.from_numpy(depths)
    with torch.inference_mode():
        logits, values = new(x, depths, advice)
        old_logits, old_values = old(x[:, columns], depths, advice)
    assert torch.allclose(logits[:, actions], old_logits, atol=1e-5)
    assert torch.allclose(values, old_values, atol=1e-5)
    assert logits.std() > 0.01


@pytest.mark.parametrize("name", NEW)
def test_the_agents_of_the_zoo_have_zeros_for_what_was_new(name):
    game = find(name)
    before, network = game_before(game, *NEW[name]), load(ZOO / CONVERTED[name], game).network
    columns, _ = places_kept(before, game, network.shape)
    x, depths = encode(game, observations_of(game, "denexa")[0])
    there = torch.from_numpy(x)
    changed = there.clone()
    changed[:, np.setdiff1d(np.arange(game.features.width), columns)] = 1
    with torch.inference_mode():
        seen, otherwise = (network(each, torch.from_numpy(depths)) for each in (there, changed))
    assert not torch.equal(there, changed)
    assert all(torch.equal(one, other) for one, other in zip(seen, otherwise))


def test_a_folder_is_written_as_an_agent_of_now(tmp_path):
    game = find("mille")
    before, shape = game_before(game, *NEW["mille"]), Shape((8,))
    (tmp_path / "agent").mkdir()
    save_agent(tmp_path / "agent" / MODEL, make_network(before, shape, seed=1), {"config": {}}, torch.float16)
    with pytest.raises(AgentError, match="version 1"):
        load(tmp_path / "agent", game)
    assert main([str(tmp_path / "agent"), "--columns", "rules_double_skunk"]) == 0
    agent = hub.load_folder(tmp_path / "agent", game)
    assert agent.about == {"config": {}}


def test_a_group_that_is_not_named_is_found_by_the_digest_of_the_columns(tmp_path):
    game = find("mille")
    before = game_before(game, *NEW["mille"])
    (tmp_path / "agent").mkdir()
    save_agent(tmp_path / "agent" / MODEL, make_network(before, Shape((8,)), seed=1), {}, torch.float16)
    with pytest.raises(AgentError, match=f"was trained on the feature columns {digest_of_columns(before.features)}"):
        convert(tmp_path / "agent", ["rules_double_skunk", game.features.columns[0].name], [])


def test_what_is_no_agent_of_the_game_before_is_refused(tmp_path):
    shutil.copytree(ZOO / "mille-2p", tmp_path / "mille")
    before = (tmp_path / "mille" / MODEL).read_bytes()
    with pytest.raises(AgentError, match="version 2 of the features, not 1"):
        convert(tmp_path / "mille", *NEW["mille"])
    with pytest.raises(AgentError, match="no columns or actions rules_nothing"):
        convert(tmp_path / "mille", ["rules_nothing"], [])
    assert (tmp_path / "mille" / MODEL).read_bytes() == before
