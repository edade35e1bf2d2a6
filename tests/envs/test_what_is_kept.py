"""Is what an environment returns the caller's own? It is kept over many steps, and compared at the end.

The libraries of docs/plugins/ have the same test in `tests/plugins/`.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
import pytest
from kept_things import Kept, changes, content, scribble

import banakil_env  # noqa: F401  registers
from banakil_env.envs.aec import env as make_aec
from banakil_env.envs.forms import FORMS
from banakil_env.envs.single import BatchEnv
from banakil_env.envs.vector import Tables
from banakil_env.games import find
from banakil_env.kit.plain import Plain

TABLE: dict[str, Any] = {"game": "rummy", "rules": "denexa max_turns=12"}
TABLES = 4
STEPS = 120
MODES = ("NextStep", "SameStep", "Disabled")

each_form = pytest.mark.parametrize("form", FORMS)
with_torch = pytest.mark.skipif(
    any(importlib.util.find_spec(name) is None for name in ("torch", "array_api_compat")),
    reason="Gymnasium's NumpyToTorch needs PyTorch and array-api-compat",
)


def legal(masks: Any, dice: np.random.Generator) -> npt.NDArray[np.int64]:
    """A legal action for each row; 0 where there is none."""
    rows = np.atleast_2d(np.asarray(masks))
    return np.array([dice.choice(np.flatnonzero(row)) if row.any() else 0 for row in rows])


class WithoutTexts(gymnasium.vector.VectorWrapper):
    """Infos of numbers: Gymnasium's NumpyToTorch has no tensors of texts, such as how a round has ended."""

    def step(self, actions: Any) -> Any:
        *results, info = self.env.step(actions)
        return *results, {name: each for name, each in info.items() if each.dtype != object}


# One program for each interface: it plays, and yields all that a caller got in one step.


def single(form: str, **options: Any) -> Iterator[Any]:
    env, dice = gymnasium.make("rummy/Rummy-v0", observation=form, rules=TABLE["rules"], **options), rng()
    yield env.reset(seed=1)
    while True:
        masks = env.unwrapped.action_masks()
        result = env.step(int(legal(masks, dice)[0]))
        over = result[2] or result[3]
        yield masks, result, env.reset() if over else None


def vector(form: str, mode: str = "NextStep", **options: Any) -> Iterator[Any]:
    env = gymnasium.make_vec(
        "rummy/Rummy-v0", TABLES, observation=form, autoreset_mode=mode, rules=TABLE["rules"], **options
    )
    dice = rng()
    yield env.reset(seed=1)
    while True:
        masks = env.unwrapped.action_masks()
        result = env.step(legal(masks, dice))
        over = result[2] | result[3]
        again = over.any() and mode == "Disabled"
        yield masks, over, env.reset(options={"reset_mask": over}) if again else None, result


def torch_vector(form: str, **options: Any) -> Iterator[Any]:
    import torch
    from gymnasium.wrappers.vector import NumpyToTorch

    many = gymnasium.make_vec("rummy/Rummy-v0", TABLES, observation=form, rules=TABLE["rules"], **options)
    env = NumpyToTorch(WithoutTexts(many))
    dice = rng()
    _, info = result = env.reset(seed=1)
    while True:
        actions = torch.from_numpy(legal(info["action_mask"], dice))
        yield (result,)
        *_, info = result = env.step(actions)


def sb3(form: str, **options: Any) -> Iterator[Any]:
    from banakil_env.envs.sb3 import TablesVecEnv

    env, dice = TablesVecEnv(TABLES, observation=form, seed=1, **TABLE, **options), rng()
    yield env.reset(), env.reset()
    while True:
        masks = env.action_masks()
        result = env.step(legal(masks, dice))
        for info in result[3]:
            info.get("episode", {}).pop("t", None)  # seconds
        yield masks, env.env_method("action_masks"), result


def aec(form: str) -> Iterator[Any]:
    env, dice = make_aec(observation=form, **TABLE), rng()
    env.reset(seed=1)
    while True:
        if not env.agents:
            env.reset()
        seen = env.last()
        mask = seen[0]["action_mask"]
        action = int(legal(mask, dice)[0]) if mask.any() else None
        yield seen, env.observe(env.agents[0]), env.state(), env.unwrapped.position.tobytes().hex()
        env.step(action)


def rng() -> np.random.Generator:
    return np.random.default_rng(0)


INTERFACES: dict[str, Any] = {
    "gymnasium": single,
    **{f"make_vec-{mode}": lambda form, mode=mode, **how: vector(form, mode, **how) for mode in MODES},
    "NumpyToTorch": pytest.param(torch_vector, marks=with_torch),
    "sb3": pytest.param(sb3, marks=pytest.mark.skipif(importlib.util.find_spec("sb3_contrib") is None, reason="SB3")),
    "pettingzoo": aec,
}
each_interface = pytest.mark.parametrize("interface", list(INTERFACES.values()), ids=list(INTERFACES))


@each_form
@each_interface
def test_what_was_returned_stays_as_it_was(interface: Any, form: str) -> None:
    kept = Kept()
    for _, results in zip(range(STEPS), interface(form)):
        kept.keep(results)
    kept.check(STEPS)


@each_form
@each_interface
def test_what_a_caller_writes_into_its_arrays_changes_nothing_else(interface: Any, form: str) -> None:
    for _, ours, theirs in zip(range(STEPS), interface(form), interface(form)):
        assert changes(content(ours), content(theirs)) == []
        scribble(theirs)


@each_form
@pytest.mark.parametrize(
    "interface", [pytest.param(vector, id="make_vec"), INTERFACES["NumpyToTorch"], INTERFACES["sb3"]]
)
def test_without_copies_the_arrays_are_those_of_the_environment(interface: Any, form: str) -> None:
    """They outlive the next step, and no more. So the tests above could fail."""
    before: Kept | None = None
    everything = Kept()
    for _, results in zip(range(STEPS), interface(form, copy=False)):
        everything.keep(results)
        latest = Kept()
        latest.keep(results[-1])
        if before is not None:
            assert before.changed() == []
        before = latest
    assert len(everything.changed()) > STEPS // 2


def test_a_mask_of_rows_to_reset_is_the_callers_and_stays() -> None:
    for copy in (True, False):
        env = BatchEnv(TABLES, autoreset_mode="Disabled", copy=copy, **TABLE)
        dice, count = rng(), 0
        env.reset(seed=1)
        for _ in range(200):
            seen, _, terminated, truncated, _ = env.step(legal(env.action_masks(), dice))
            kept = Kept()
            kept.keep(seen if copy else None, terminated, truncated)
            for mask in (terminated, truncated):
                env.reset(options={"reset_mask": mask})
            assert kept.changed() == []
            count += int((terminated | truncated).sum())
        assert count > 5


@pytest.mark.parametrize(
    "mask", [[1, 0, 1, 0], [True] * 3, True, [0, 2], np.ma.masked_array([True] * 4)], ids=lambda mask: str(mask)[:20]
)
def test_a_mask_of_another_kind_is_refused(mask: Any) -> None:
    env = BatchEnv(TABLES, autoreset_mode="Disabled", **TABLE)
    env.reset(seed=1)
    before = env.tables.states.tobytes()
    with pytest.raises(ValueError, match=r"options\['reset_mask'\] must be 4 truth values, one for each table, not "):
        env.reset(options={"reset_mask": mask})
    assert env.tables.states.tobytes() == before


def test_tables_overwrite_their_arrays_and_say_so() -> None:
    tables, arrays, own = Tables(TABLES, opponents="random", **TABLE), Kept(), Kept()
    arrays.keep(*tables.reset(seed=1))
    while not tables.controls["episodes"].all():
        tables.step(tables.random_actions())
    for _ in range(60):
        tables.step(tables.random_actions())
        arrays.keep(tables.seen, tables.masks, tables.payoffs)
        own.keep(tables.full_states(), tables.final_observation(0, 0), tables.result(0, 0), tables.seen_copy())
    assert len(arrays.changed()) > 30
    own.check(60)
    assert "overwrites these arrays" in " ".join(str(Tables.__doc__).split())


def test_observations_of_the_plain_interface_stay() -> None:
    rummy = Plain(find("rummy"))
    state, kept, dice = rummy.new(seed=1), Kept(), rng()
    while not rummy.is_over(state):
        kept.keep(rummy.observe(state, 0), rummy.observe(state, 1), rummy.scores(state))
        rummy.apply(state, int(dice.choice(rummy.legal_actions(state))))
    kept.check(20)
