"""Are the agents of the zoo what they say: whole, made by the recipe of their name, and able to play?"""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path

import pytest

from banakil_env.agents import hub, make_player
from banakil_env.agents.family import is_family
from banakil_env.agents.model import Network, Shape
from banakil_env.agents.network import FILE, save_agent
from banakil_env.arena import play_match
from banakil_env.arena.generations import newest
from banakil_env.games import GAMES, find
from banakil_env.suite.tasks import tasks
from train import zoo
from train.curve import FILE as CURVE_FILE
from train.curve import Point, Standing
from train.recipes import ALONE, LEARNED, RECIPES, STAGES, alone_recipe, learned_recipe, recipe

ZOO = Path(__file__).resolve().parents[1] / "agents" / "zoo"
# Agents of one game; that of all games is in training/test_family.py.
AGENTS = sorted(path.parent.name for path in ZOO.glob("*/model.safetensors") if not is_family(path))


def config_of(name):
    """The configuration that an agent says it was made by, from its folder, which is refused if it is damaged."""
    if name in (*LEARNED, *ALONE):
        pytest.importorskip("tyro")
    return zoo.config_of(hub.load_folder(ZOO / name).about)


def test_there_is_one_for_every_mode():
    assert {"banakil-2p", "banakil-3p", "banakil-4p", "jawaker-4p", "rummy-2p", "gin-2p", "canasta-4p"} <= set(AGENTS)


@pytest.mark.parametrize("table", [table.name for game in map(find, GAMES) for table in game.tables])
def test_a_table_has_its_newest_agent_and_the_one_that_its_task_names(table):
    """Earlier ones are not kept."""
    here = {name for name in AGENTS if re.fullmatch(rf"{table}(-[0-9]+)?", name)}
    best = newest(ZOO, table)
    wanted = {best.name} if best else set()
    assert here == wanted | {task.name for task in tasks().values() if task.zoo and task.name == table}


def test_the_first_weights_of_every_recipe_can_be_had():
    """From an agent of the zoo, or from one whose recipe is kept as a stage; and no stage is kept in vain."""
    first = {Path(of).name for name in RECIPES if (of := recipe(name).begin_from)}
    assert first <= {*AGENTS, *STAGES}
    assert set(STAGES) <= first
    assert not set(STAGES) & set(AGENTS)


@pytest.mark.parametrize("name", AGENTS)
def test_the_card_says_if_the_agent_that_it_began_with_is_not_kept(name):
    before = Path(getattr(config_of(name), "begin_from", None) or "random").name
    card = " ".join((ZOO / name / "README.md").read_text(encoding="utf-8").split())
    said = f"The zoo no longer has that agent; `python -m train {before}`", f"the recipe `{before}` and not kept"
    assert (before in STAGES) == any(each in card for each in said)


@pytest.mark.parametrize("name", AGENTS)
def test_it_was_made_by_the_recipe_of_its_name(name):
    config = config_of(name)
    if name in (*LEARNED, *ALONE):
        own = learned_recipe(name) if name in LEARNED else alone_recipe(name)
        assert config == dataclasses.replace(own, seed=config.seed, out=config.out)
    else:
        assert config == dataclasses.replace(recipe(name), seed=config.seed)


def run_of(folder, seconds, steps=1000, **about):
    """A folder as a run leaves it that has trained for this number of its 600 seconds."""
    config = dataclasses.replace(recipe("yaniv-3p"), seconds=600.0, steps=None)
    standing = Standing("greedy", 1.0, 0.5, 0.6)
    save_agent(
        folder / FILE,
        Network(find("yaniv"), Shape((16,)), 0),
        {"config": dataclasses.asdict(config), "steps": steps, "seconds": seconds, **about},
    )
    (folder / CURVE_FILE).write_text(json.dumps([dataclasses.asdict(Point(900, 240.0, (standing,)))]))
    return folder


def test_a_run_that_still_trains_is_refused(tmp_path, capsys):
    folder = run_of(tmp_path, 270.0)
    with pytest.raises(zoo.ZooError, match=r"is at 45\.0% of its 600 seconds: .* --resume .* --unfinished"):
        zoo.read(folder)
    assert zoo.main([str(folder), "--out", str(tmp_path / "out")]) == 1
    assert "--unfinished" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_run_that_was_stopped_is_taken_if_asked_for_and_the_card_says_so(tmp_path):
    run = zoo.read(run_of(tmp_path, 270.0), unfinished=True)
    assert run.done == 0.45
    said = f"Stopped before the end of the recipe's time or decisions: seed {run.config.seed} at 45.0%."
    assert said in " ".join(zoo.history([run]).split())


def test_the_curve_of_another_agent_is_refused(tmp_path):
    with pytest.raises(zoo.ZooError, match=r"curve\.json is the curve of another agent"):
        zoo.read(run_of(tmp_path, 600.0, last=dataclasses.asdict(Point(500, 240.0, ()))))


@pytest.mark.parametrize("seconds", [590.0, 605.0, 900.0])
def test_a_run_at_its_end_is_taken(tmp_path, seconds):
    run = zoo.read(run_of(tmp_path, seconds))
    assert run.done == pytest.approx(seconds / 600)
    assert "Stopped" not in zoo.history([run])


def learned_run(folder, seed, margin, against=()):
    """A folder as `train/ppo.py` leaves it at its end."""
    ppo = pytest.importorskip("train.ppo")
    config = dataclasses.replace(
        learned_recipe("yaniv-2p-learned"), seed=seed, hidden=(8,), out=str(folder), against=against
    )
    learner = ppo.Learner(dataclasses.replace(config, num_tables=4, rollout=4))
    learner.config, learner.steps, learner.seconds = config, config.steps, 90.0
    standing = {"opponent": "greedy", "margin": margin, "half_width": 0.5, "win": 0.6}
    learner.curve.append({"steps": config.steps, "seconds": 90.0, "standings": [standing]})
    learner.save(folder)
    return zoo.read(folder)


def test_the_card_of_a_learned_agent_says_that_nobody_taught_it(tmp_path):
    runs = [learned_run(tmp_path / "0", 0, 1.0), learned_run(tmp_path / "1", 1, 2.0)]
    assert [run.recipe for run in runs] == ["yaniv-2p-learned"] * 2
    told = " ".join(zoo.history(runs).split())
    assert "Kind: *learned*. `python -m train yaniv-2p-learned`" in told
    assert "self-play at every seat" in told
    assert "No rule-based player advised it, was imitated, played its games out or sat at its tables." in told
    steps = learned_recipe("yaniv-2p-learned").steps
    assert f"| **seed 1** | {steps:,} | 1.5 | +2.00 ± 0.50 | 1.5 minutes |" in told


def test_the_card_of_a_sparred_agent_says_whom_it_met(tmp_path):
    run = learned_run(tmp_path, 0, 1.0, against=("greedy", "expert"))
    assert run.recipe == "yaniv-2p-sparred"
    told = " ".join(zoo.history([run]).split())
    assert "Kind: *sparred*. `python -m train yaniv-2p-sparred`" in told
    assert "half of the other seats its own, the rest of `greedy` and `expert`" in told
    assert "No rule-based player advised it, was imitated, or played its games out." in told


@pytest.mark.parametrize("name", sorted({*ALONE} & {*AGENTS}))
def test_an_agent_that_stands_alone_has_no_adviser_and_its_card_says_who_taught_it(name):
    about = hub.load_folder(ZOO / name).about
    assert hub.load_folder(ZOO / name).network.shape.advice is None
    text = " ".join((ZOO / name / "README.md").read_text(encoding="utf-8").split())
    assert f"Kind: *stands alone*. `python -m train {name}`" in text
    begin = about["config"]["begin"]
    began = (
        "whose weights it began with" if begin is True else f"for a network that began with the weights of `{begin}`"
    )
    assert f"`{about['config']['teacher']}`, {began}, labelled decisions" in text
    assert (ZOO / about["config"]["teacher"].removeprefix("zoo:") / "model.safetensors").is_file()


def test_learned_runs_of_other_settings_are_refused(tmp_path):
    one, other = learned_run(tmp_path / "0", 0, 1.0), learned_run(tmp_path / "1", 1, 2.0)
    other = dataclasses.replace(other, config=dataclasses.replace(other.config, entropy=0.5))
    with pytest.raises(zoo.ZooError, match="differ in more than their seeds"):
        zoo._refuse_others([one, other])


@pytest.mark.parametrize("name", AGENTS)
def test_it_plays_and_wins_against_random(name):
    config = config_of(name)
    game = config.table.game
    players = [make_player(f"net:{ZOO / name}", game), make_player("random", game)]
    results = play_match(players, deals=20, budget=None, game=game, **config.table.options)
    margin = results.margin(players[0].name, "random")
    assert margin.mean - margin.half_width > 0
