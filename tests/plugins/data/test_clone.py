"""Does a network learn from recorded games? It beats the random player in the arena after a few seconds of it."""

from __future__ import annotations

import numpy as np
import pytest

from banakil_env.agents import make_player
from banakil_env.agents.network import load
from banakil_env.arena import play_match
from train.plugins import clone


def test_the_clone_beats_random_in_the_arena(agent):
    results = play_match([make_player(f"net:{agent}"), make_player("random")], deals=30)
    assert results.margin(f"net:{agent}", "random").low > 20
    assert results.failures() == []


def test_the_clone_says_where_it_comes_from(agent):
    about = load(agent).about
    assert about["from"]["players"] == ["expert", "greedy"]
    assert about["agreement"] > 0.4  # a player at random: 0.2


def test_what_is_not_there_cannot_be_cloned(games, tmp_path, capsys):
    for arguments, message in [
        (["--player", "nobody"], "'nobody' did not play in"),
        (["--batch", "1000000"], "holds too few decisions for a batch of 1000000"),
    ]:
        assert clone.main([str(games), "--out", str(tmp_path), *arguments]) == 1
        assert message in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("player", ["expert", None])
def test_each_decision_is_learned_from_once(games, player):
    options = clone.Options(player=player, batch=64)
    found = list(clone.batches(games, options, np.random.default_rng(0)))
    assert len(found) == clone._steps(games, options)
    rows = np.concatenate([batch.observations for batch in found])
    masks = np.concatenate([batch.masks.numpy() for batch in found])
    actions = np.concatenate([batch.actions.numpy() for batch in found])
    assert masks[np.arange(len(actions)), actions].all()
    assert len(np.unique(rows, axis=0)) > 0.95 * len(rows)  # both tables of a deal begin alike
