"""Do the tasks mean what they meant? Their digests are those of the engine, the anchors and the deals as they are."""

from __future__ import annotations

import dataclasses
import hashlib
import tomllib
from pathlib import Path

import pytest

from banakil_env.agents import zoo
from banakil_env.games import GAMES, find
from banakil_env.suite.deals import (
    DEVELOPMENT,
    PUBLIC,
    SENTENCES,
    commitment,
    draw_key,
    key_of_task,
    published_key,
)
from banakil_env.suite.fixed import behaviour, check_behaviour, check_zoo, deals_digest
from banakil_env.suite.tasks import RANDOM, ZOO, Task, TaskError, find_task, task_sets, tasks, tasks_of

ZOO_FOLDER = Path(__file__).resolve().parents[1] / "agents" / "zoo"
MAIN = {find(game).tables[0].name for game in GAMES}
CORE = {task.name for task in tasks_of("rummy-core")}

# What is published with a release. From then on a task that moves gets another version, and its line here stays.
PUBLISHED = tomllib.loads((Path(__file__).parent / "data" / "suite-ids.toml").read_text(encoding="utf-8"))["ids"]


@pytest.mark.parametrize("task", tasks().values(), ids=lambda task: task.short)
def test_a_task_is_what_it_was(task: Task, long: bool) -> None:
    """Fixed games of every anchor and the first public deals: of each game's main table, with --long of all."""
    if task.name not in MAIN | CORE and not long:
        pytest.skip("in short form the main table of each game, and the small set")
    text = f"{task.short} means something else now: give it another version in tasks.toml, and keep this one's line"
    assert behaviour(task) == task.behaviour, text
    assert deals_digest(task) == task.deals, text


def test_every_id_that_was_published_still_means_the_same() -> None:
    here = {task.short: task.id for task in tasks().values()}
    moved = {short: full for short, full in here.items() if PUBLISHED.get(short, full) != full}
    assert not moved, "raise the version of these tasks: their definition has changed"
    assert set(here) <= set(PUBLISHED), "a new task: add its id to tests/data/suite-ids.toml"


def test_every_standing_table_has_a_task() -> None:
    named = {task.name: task for task in tasks().values()}
    for game in map(find, GAMES):
        for table in game.tables:
            assert table.name in named, f"{table.name} has no task: add one to banakil_env/suite/tasks.toml"
            task = named[table.name]
            assert task.game == game.name
            assert task.table.found.new(**task.table.options) == game.new(**table.options)
            ruled = [anchor for anchor in task.anchors if anchor != ZOO]
            assert ruled == list(game.players)
            # A published task does not change, so an agent that was made later is no anchor of it.
            assert ZOO not in task.anchors or (ZOO_FOLDER / task.name).exists()


def test_the_agents_of_the_zoo_are_those_that_the_tasks_name() -> None:
    for task in tasks().values():
        if task.zoo:
            assert zoo.make(task.name, task.found).identity().parts["network"] == task.zoo


def test_the_small_set_has_six_tables_of_six_games_and_both_signs() -> None:
    core = tasks_of("rummy-core")
    assert len({task.game for task in core}) == 6
    assert {task.found.low_wins for task in core} == {True, False}
    assert {task.table.seats for task in core} == {2, 3, 4}
    assert any(task.table.plays_partners for task in core)
    assert task_sets()["all"] == tuple(tasks())


def test_the_digest_covers_all_that_a_task_fixes() -> None:
    task = find_task("gin-2p-v1")
    changed = {
        "version": 2,
        "game": "rummy",
        "options": {**task.options, "rules": "common"},
        "company": "others",
        "reward": "win",
        "anchors": task.anchors[:2],
        "width": 3.0,
        "least": 99,
        "most": 3000,
        "budget": 1.0,
        "forfeit": 1,
        "behaviour": {**task.behaviour, "random": "0" * 64},
        "deals": "0" * 64,
        "zoo": "0" * 64,
        "name": "gin",
    }
    assert set(changed) == {field.name for field in dataclasses.fields(Task)}
    digests = {dataclasses.replace(task, **{name: value}).digest for name, value in changed.items()}
    assert len(digests | {task.digest}) == len(changed) + 1


def test_a_task_that_behaves_otherwise_is_refused() -> None:
    task = find_task("gin-2p-v1")
    rules = dataclasses.replace(task, behaviour={**task.behaviour, RANDOM: "0" * 64})
    with pytest.raises(TaskError, match="the rules or the deals of gin changed"):
        check_behaviour(rules)
    anchor = dataclasses.replace(task, behaviour={**task.behaviour, "expert": "0" * 64})
    with pytest.raises(TaskError, match="the player expert of gin"):
        check_behaviour(anchor)
    pytest.importorskip("torch")
    with pytest.raises(TaskError, match=r"the agent zoo:gin-2p here has the digest .* --without-zoo"):
        check_zoo(dataclasses.replace(task, zoo="0" * 64))


def test_names_that_are_none() -> None:
    assert find_task(find_task("gin-2p-v1").id) is find_task("gin-2p-v1")
    with pytest.raises(TaskError, match=r"there is no task 'gin-9p-v1': there are gin-2p-v1, gin-match-v1; "):
        find_task("gin-9p-v1")
    with pytest.raises(TaskError, match="is another task than the gin-2p-v1"):
        find_task("gin-2p-v1+000000000000")
    with pytest.raises(TaskError, match="there is no set 'none': there are rummy-core, all"):
        tasks_of("none")


def test_the_parts_are_other_deals_and_each_task_has_its_own() -> None:
    """All held out from training, as the other sets are; a key's deals cannot be told from another's."""
    gin, yaniv = find_task("gin-2p-v1"), find_task("yaniv-2p-v1")
    keys = [published_key(part) for part in SENTENCES] + [draw_key()]
    seeds = [
        task.plan(RANDOM, key_of_task(key, task)).seed_of(deal)
        for task in (gin, yaniv)
        for key in keys
        for deal in range(50)
    ]
    assert len(set(seeds)) == len(seeds)
    assert all(2**63 <= seed < 2**64 for seed in seeds)
    assert (
        deals_digest(gin) == deals_digest(gin, published_key(PUBLIC)) != deals_digest(gin, published_key(DEVELOPMENT))
    )
    assert commitment(keys[0]) == hashlib.sha256(bytes.fromhex(keys[0])).hexdigest() != commitment(keys[1])


def test_keys_are_drawn() -> None:
    assert len({draw_key() for _ in range(100)}) == 100
