"""Do tables in JAX play what `Tables` plays? Step by step in every game, under `jit`, `vmap` and `scan`."""

from __future__ import annotations

import pickle
import shutil
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from page_examples import PLUGINS, run_examples
from plugin_checks import check_plays_in_the_arena, each_game, short_table

from banakil_env.agents import make_player
from banakil_env.core.kernels import kernels_of
from banakil_env.envs import jax_calls
from banakil_env.envs.jax import JaxTable, State, seed_words
from banakil_env.envs.vector import Tables
from banakil_env.games import find
from banakil_env.kit.plain import Plain
from train.plugins import jax as trainer

XLA = Path(jax_calls.__file__).with_name("_xla.c")

needs_handler = pytest.mark.skipif(jax_calls.xla is None, reason="the extension _xla is not built")


@pytest.fixture
def through_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """As without the extension."""
    monkeypatch.setattr(jax_calls, "xla", None)


def begin(env: JaxTable, tables: Tables, key: int = 0) -> State:
    """Deal the same games in both."""
    keys = jax.random.split(jax.random.key(key), tables.num_tables)
    words = jax.vmap(lambda key: jax.random.bits(key, (2,), jnp.uint32))(keys)
    tables.reset(seed=np.asarray(words).view(np.uint64)[:, 0].tolist())
    states: State = jax.jit(jax.vmap(env.init))(keys)
    return states


def bytes_of(records: Any) -> Any:
    """The bytes of each record."""
    return records.view(np.uint8).reshape(len(records), -1)


def check_same(states: State, tables: Tables) -> None:
    """Everything that a step writes, and the records themselves."""
    seats = states.rewards.shape[-1]
    assert not tables.rewards[:, seats:].any()
    seen = [(states.observation, tables.seen)]
    if tables.form == "cards":
        assert states.observation.keys() == tables.seen.keys()
        seen = [(states.observation[name], array) for name, array in tables.seen.items()]
    for found, expected in (
        *seen,
        (states.legal_action_mask, tables.masks),
        (states.rewards, tables.rewards[:, :seats]),
        (states.terminated, tables.terminations),
        (states.truncated, tables.truncations),
        (states.current_player, tables.seats),
        (states.learner, tables.learners),
        (states.payoff, tables.payoffs),
        (states.refused, tables.refused),
        (states.table, bytes_of(tables.states)),
        (states.control, bytes_of(tables.controls)),
        (states.final, bytes_of(tables.final_states)),
    ):
        np.testing.assert_array_equal(
            np.asarray(found).reshape(len(tables.seats), -1), expected.reshape(len(found), -1)
        )


def check_play(env: JaxTable, tables: Tables, steps: int) -> int:
    """Random legal play in both; returns the number of episodes that have ended."""
    states, step, ended = begin(env, tables), jax.jit(jax.vmap(env.step)), 0
    check_same(states, tables)
    for _ in range(steps):
        actions = tables.random_actions().copy()
        tables.step(actions)
        states = step(states, actions)
        check_same(states, tables)
        ended += int(tables.terminations.sum() + tables.truncations.sum())
    return ended


@each_game
@pytest.mark.parametrize("opponents", [None, "greedy"], ids=["every seat", "learner"])
def test_steps_are_those_of_tables(name: str, opponents: str | None, long: bool) -> None:
    """With a learner the observations are features, in the other case bytes. A million steps with --long."""
    num_tables, steps = (4096, 250) if long else (32, 60)
    options: dict[str, Any] = {"opponents": opponents, "observation": "features" if opponents else "record"}
    table = {} if long else short_table(name)
    env = JaxTable(**{"game": name, **table, **options})
    assert check_play(env, Tables(num_tables, **{"game": name, **table, **options}), steps) > 0


def test_a_finished_table_can_show_its_end_until_the_next_step() -> None:
    options: dict[str, Any] = {**short_table("yaniv"), "autoreset": "NextStep", "truncate_at_limit": True}
    assert check_play(JaxTable(**options), Tables(16, **options), 120) > 0


@each_game
def test_the_common_layout_is_that_of_tables(name: str) -> None:
    options: dict[str, Any] = {**short_table(name), "opponents": "greedy", "observation": "cards"}
    env = JaxTable(**options)
    check_play(env, Tables(4, **options), 12)
    assert {name: spec.shape for name, spec in env.observation_spec.items()} == env.game.cards.shapes


def test_pools_seats_and_partners_are_those_of_tables() -> None:
    options: dict[str, Any] = {"game": "canasta", "opponents": ["random", "greedy"], "seat": "random", "reward": "win"}
    check_play(JaxTable(**options), Tables(16, **options), 60)


@pytest.mark.usefixtures("through_python")
def test_without_the_extension_a_callback_does_the_same() -> None:
    options: dict[str, Any] = {**short_table("gin"), "opponents": "expert", "observation": "features"}
    env = JaxTable(**options)
    assert check_play(env, Tables(8, **options), 80) > 0
    states = jax.vmap(env.init)(jax.random.split(jax.random.key(0), 8))
    with pytest.raises(Exception, match="8 of 8 rows were given an illegal action"):
        jax.block_until_ready(jax.jit(jax.vmap(env.step))(states, jnp.full(8, env.num_actions - 1)))
    options["observation"] = "cards"
    check_play(JaxTable(**options), Tables(4, **options), 10)


@needs_handler
def test_with_the_extension_no_step_goes_through_python() -> None:
    env = JaxTable("gin", observation="features")
    states = jax.eval_shape(env.init, jax.random.key(0))
    text = jax.jit(env.step).lower(states, jax.ShapeDtypeStruct((), jnp.int32)).as_text()
    assert text.count(f"@{jax_calls.TARGET}") == 2  # the step and the features
    assert "callback" not in text


def test_one_seed_is_one_game_alone_in_a_batch_in_a_scan_and_in_batches_of_batches() -> None:
    env = JaxTable("gin", opponents="greedy")
    keys = jax.random.split(jax.random.key(3), 6)

    def play(key: jax.Array) -> tuple[jax.Array, jax.Array]:
        def step(state: State, key: jax.Array) -> tuple[State, jax.Array]:
            state = env.step(state, env.random_action(key, state.legal_action_mask))
            return state, state.payoff

        state, payoffs = jax.lax.scan(step, env.init(key), jax.random.split(key, 50))
        return state.table, payoffs

    alone = [jax.jit(play)(key) for key in keys]
    batch = jax.jit(jax.vmap(play))(keys)
    nested = jax.jit(jax.vmap(jax.vmap(play)))(keys.reshape(2, 3))
    for part in (0, 1):
        expected = np.stack([each[part] for each in alone])
        np.testing.assert_array_equal(batch[part], expected)
        np.testing.assert_array_equal(nested[part].reshape(expected.shape), expected)
    assert np.any(batch[1])


def test_one_state_can_be_stepped_by_many_actions() -> None:
    """`vmap` over the actions alone: the state is copied for each, and stays as it is."""
    env = JaxTable("gin")
    state = env.init(jax.random.key(0))
    before = np.asarray(state.table).copy()
    legal = np.flatnonzero(state.legal_action_mask)
    many = jax.vmap(env.step, (None, 0))(state, legal)
    for row, action in enumerate(legal):
        np.testing.assert_array_equal(many.table[row], env.step(state, int(action)).table)
    np.testing.assert_array_equal(state.table, before)


@pytest.mark.parametrize("seed", [0, 7, 2**63 + 5, 2**64 - 1])
def test_a_seed_deals_the_game_of_every_other_environment(seed: int) -> None:
    state = JaxTable("gin").from_seed(seed_words(seed))
    assert np.asarray(state.table).tobytes() == Plain(find("gin")).new(seed=seed).tobytes()


@each_game
def test_an_observation_is_what_the_writer_of_the_game_shows_the_seat_to_move(name: str) -> None:
    """That writer passes the leak test: cards that the seat cannot see, dealt again, do not change its observation."""
    game, env = find(name), JaxTable(name)
    state = env.init(jax.random.key(1))
    record = np.frombuffer(np.asarray(state.table).tobytes(), game.state).copy()
    seen, mask = np.zeros(1, game.observation), np.zeros(game.num_actions, np.int8)
    for seed in (None, 1, 2):
        if seed is not None:
            kernels_of(game).redeal_hidden_one(record, int(state.current_player), seed)
        kernels_of(game).observe_one(record, int(state.current_player), seen, mask)
        assert seen.tobytes() == np.asarray(state.observation).tobytes()
        np.testing.assert_array_equal(mask, state.legal_action_mask)


def test_specs_are_those_of_a_state() -> None:
    env = JaxTable("rummy", num_players=4, observation="features")
    state = env.init(jax.random.key(0))
    for spec, array in zip(jax.tree.leaves(env.state_spec), jax.tree.leaves(state), strict=True):
        assert (spec.shape, spec.dtype) == (array.shape, array.dtype)
    assert env.state_spec.observation == env.observation_spec
    assert state.rewards.shape == (4,)


def test_an_illegal_action_is_an_error_that_says_how_to_choose() -> None:
    env = JaxTable("gin")
    state = env.init(jax.random.key(0))
    for action in (-1, env.num_actions - 1, env.num_actions, 2**31 - 1):
        with pytest.raises(Exception, match="choose actions where legal_action_mask is true"):
            jax.block_until_ready(jax.jit(env.step)(state, action))


def test_an_illegal_action_can_be_reported_and_changes_nothing() -> None:
    env = JaxTable("gin", illegal="report")
    states = jax.vmap(env.init)(jax.random.split(jax.random.key(0), 3))
    legal = jnp.argmax(states.legal_action_mask, axis=1)
    after = jax.vmap(env.step)(states, legal.at[1].set(env.num_actions - 1))
    assert after.refused.tolist() == [False, True, False]
    np.testing.assert_array_equal(after.table[1], states.table[1])
    assert (np.asarray(after.table) != np.asarray(states.table)).any(axis=1).tolist() == [True, False, True]


def test_random_actions_are_legal_and_each_is_as_likely() -> None:
    env = JaxTable("gin")
    state = env.init(jax.random.key(0))
    keys = jax.random.split(jax.random.key(1), 4000)
    drawn = np.asarray(jax.vmap(env.random_action, (0, None))(keys, state.legal_action_mask))
    legal = np.flatnonzero(state.legal_action_mask)
    counts = np.bincount(drawn, minlength=env.num_actions)
    assert counts[legal].sum() == len(keys)
    assert np.abs(counts[legal] / len(keys) - 1 / len(legal)).max() < 0.04
    assert env.random_action(keys[0], jnp.zeros(env.num_actions, bool)) == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"opponents": lambda seen, masks: 0}, "only compiled players"),
        ({"rules": ["openspiel", "common"]}, "drawn for each episode"),
        ({"observation": "dict"}, "observation must be one of 'record', 'features', 'cards'"),
        ({"autoreset": "Disabled"}, "'SameStep' or 'NextStep'"),
        ({"illegal": "ignore"}, "'raise' or 'report'"),
        ({"seat": 0}, "needs opponents"),
    ],
)
def test_what_cannot_be_compiled_is_refused_with_a_way_out(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        JaxTable("gin", **options)


@pytest.mark.parametrize(
    ("action", "said"),
    [
        (1.5, "action must be one whole number, not float32"),
        (np.True_, "action must be one whole number, not bool"),
        (np.zeros(3, np.int32), r"not int32 of shape \(3,\); jax.vmap\(env.step\) takes an action for each"),
    ],
)
def test_what_is_not_one_action_is_refused(action: Any, said: str) -> None:
    env = JaxTable("gin")
    state = env.init(jax.random.key(0))
    for step in (env.step, jax.jit(env.step)):
        with pytest.raises(TypeError, match=said):
            step(state, action)


@pytest.mark.parametrize("form", ["record", "features", "cards"])
def test_a_pickled_environment_plays_the_same(form: str) -> None:
    env = JaxTable("gin", opponents="greedy", observation=form)
    state = env.init(jax.random.key(2))
    other = pickle.loads(pickle.dumps(env))
    action = jnp.argmax(state.legal_action_mask)
    assert other.state_spec == env.state_spec
    for own, same in zip(jax.tree.leaves(env.step(state, action)), jax.tree.leaves(other.step(state, action))):
        np.testing.assert_array_equal(own, same)


def test_an_unknown_argument_is_named() -> None:
    with pytest.raises(TypeError, match=r"JaxTable has no argument 'opponent' \(did you mean 'opponents'"):
        JaxTable("gin", opponent="greedy")


@pytest.mark.skipif(shutil.which("cc") is None, reason="there is no C compiler")
def test_the_structs_are_those_of_xlas_own_header(tmp_path: Path) -> None:
    pairs = {
        "Extension": ("XLA_FFI_Extension_Base", {"type": "type", "next": "next"}),
        "Version": ("XLA_FFI_Api_Version", {"major": "major_version", "minor": "minor_version"}),
        "Metadata": ("XLA_FFI_Metadata", {"version": "api_version", "traits": "traits"}),
        "MetadataExtension": ("XLA_FFI_Metadata_Extension", {"metadata": "metadata"}),
        "ErrorArgs": ("XLA_FFI_Error_Create_Args", {"message": "message", "code": "errc"}),
        "Api": ("XLA_FFI_Api", {"version": "api_version", "make_error": "XLA_FFI_Error_Create"}),
        "Buffer": ("XLA_FFI_Buffer", {"dtype": "dtype", "data": "data", "rank": "rank", "dims": "dims"}),
        "Span": ("XLA_FFI_ByteSpan", {"text": "ptr", "size": "len"}),
        "Scalar": ("XLA_FFI_Scalar", {"dtype": "dtype", "value": "value"}),
        "Array": ("XLA_FFI_Array", {"dtype": "dtype", "size": "size", "data": "data"}),
        "Buffers": ("XLA_FFI_Args", {"size": "size", "types": "types", "buffers": "args"}),
        "Attrs": ("XLA_FFI_Attrs", {"size": "size", "types": "types", "names": "names", "values": "attrs"}),
        "Frame": (
            "XLA_FFI_CallFrame",
            {"api": "api", "stage": "stage", "given": "args", "made": "rets", "attrs": "attrs"},
        ),
    }
    lines = ['#include "xla/ffi/api/c_api.h"', f'#include "{XLA}"']
    for own, (theirs, fields) in pairs.items():
        lines += [
            f'_Static_assert(offsetof({own}, {ours}) == offsetof({theirs}, {field}), "{field}");'
            for ours, field in fields.items()
        ]
    for ours, theirs in {"METADATA": "Extension_Metadata", "EXECUTE": "ExecutionStage_EXECUTE"}.items():
        lines.append(f'_Static_assert({ours} == (int)XLA_FFI_{theirs}, "{theirs}");')
    program = tmp_path / "layout.c"
    program.write_text("\n".join(lines) + "\n", encoding="utf-8")
    includes = [f"-I{jax.ffi.include_dir()}", f"-I{sysconfig.get_paths()['include']}"]
    done = subprocess.run(["cc", "-std=c11", "-fsyntax-only", *includes, str(program)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_the_trainer_changes_the_weights_and_its_agent_plays_in_the_arena(tmp_path: Path) -> None:
    config = trainer.Config(game="yaniv", steps=2 * 8 * 16, tables=8, rollout=16, hidden=16, minibatches=2)
    (first, _), (last, said) = trainer.train(config)
    assert said["decisions"] == config.steps
    assert all(np.isfinite(value).all() for value in last.values())
    assert any((np.asarray(first[name]) != np.asarray(last[name])).any() for name in first)
    words = ["--game", "banakil", "--steps", "256", "--tables", "4", "--rollout", "32", "--hidden", "16"]
    trainer.main([*words, "--out", str(tmp_path)])
    check_plays_in_the_arena(make_player(f"net:{tmp_path}"))


def test_the_saved_agent_has_the_logits_of_the_trained_network(tmp_path: Path) -> None:
    config = trainer.Config(game="yaniv", steps=64, tables=4, rollout=16, hidden=16, minibatches=2)
    [(params, _)] = trainer.train(config)
    trainer.save(params, config, tmp_path)
    player: Any = make_player(f"net:{tmp_path}", find("yaniv"))
    tables = Tables(32, game="yaniv", observation="features")
    tables.reset(seed=0)
    logprobs, _ = trainer.network(params, jnp.asarray(tables.features), jnp.asarray(tables.masks != 0))
    answers = player.act(tables.observations, tables.masks, np.zeros(32, np.uint64))
    np.testing.assert_array_equal(answers, np.argmax(logprobs, axis=1))


def test_the_example_of_the_page_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run_examples(PLUGINS / "jax.md", tmp_path, monkeypatch) == 1
    assert capsys.readouterr().out.startswith("(100, 1024) ")


def test_it_learns_to_beat_its_first_self() -> None:
    """Gin against a player that moves at random: the mean reward of the last rollouts is above that of the first."""
    config = trainer.Config(opponents="random", steps=60 * 1024, tables=64, rollout=16, hidden=64, learning_rate=2e-3)
    rewards = [said["reward"] for _, said in trainer.train(config)]
    assert np.mean(rewards[-10:]) > np.mean(rewards[:10]) + 1
