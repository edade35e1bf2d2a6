"""Are the agents of the zoo what they say: whole, made by the recipe of their name, and able to play?"""

from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from banakil_env.agents import hub, make_player
from banakil_env.arena import play_match
from train.config import from_dict
from train.recipes import recipe

ZOO = Path(__file__).resolve().parents[1] / "agents" / "zoo"
AGENTS = sorted(path.parent.name for path in ZOO.glob("*/model.safetensors"))


def config_of(name):
    """The configuration that an agent says it was made by, from its folder, which is refused if it is damaged."""
    return from_dict(hub.load_folder(ZOO / name).about["config"])


def test_there_is_one_for_every_mode():
    assert {"banakil-2p", "banakil-3p", "banakil-4p", "jawaker-4p", "rummy-2p", "gin-2p", "canasta-4p"} <= set(AGENTS)


@pytest.mark.parametrize("name", AGENTS)
def test_it_was_made_by_the_recipe_of_its_name(name):
    config = config_of(name)
    assert config == dataclasses.replace(recipe(name), seed=config.seed)


@pytest.mark.parametrize("name", AGENTS)
def test_it_plays_and_wins_against_random(name):
    config = config_of(name)
    game = config.table.game
    players = [make_player(f"ppo:{ZOO / name}", game), make_player("random", game)]
    results = play_match(players, deals=20, budget=None, game=game, **config.table.options)
    margin = results.margin(players[0].name, "random")
    assert margin.mean - margin.half_width > 0
