"""Do the four forms of an observation say the same, in every environment, and does the generic writer of features?"""

from __future__ import annotations

import copy
import dataclasses
import pickle
import warnings
from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium import spaces
from gymnasium.utils.env_checker import check_env
from gymnasium.vector.utils import batch_space
from pettingzoo.test import api_test

import banakil_env  # noqa: F401  registers
from banakil_env.core import encoding
from banakil_env.core.encoding import encode
from banakil_env.core.features import OF_FACES, OF_SUITS, PLAIN, Columns
from banakil_env.core.fields import (
    COUNTS,
    DEPTHS,
    FACE,
    HIDDEN,
    MELD_CELLS,
    ONE_HOT,
    SCALED,
    Field,
    Fields,
)
from banakil_env.core.jit import compiled
from banakil_env.envs.aec import env, raw_env
from banakil_env.envs.forms import FORMS, form_of, in_form, observation_space
from banakil_env.envs.single import BatchEnv, SingleEnv
from banakil_env.envs.vector import Tables
from banakil_env.games import find
from banakil_env.kit.features import features_of
from banakil_env.kit.pack54 import NUM_FACES
from banakil_env.kit.plain import Plain

banakil = Plain(find("banakil"))
GAME = find("banakil")

RULES = Fields(
    Field("target", "score to reach", 1000, lowest=1, role=SCALED, scale=100),
    Field("memory", "a switch"),
)
FIELDS = Fields(
    Field("hand", "cards of each face", 2, (5,), role=COUNTS),
    Field("secret", "not for networks", 9, (3,), role=HIDDEN),
    Field("to_move", "who moves", shape=(2,)),
    Field("taken", "1 + a face", 5, role=FACE),
    Field("sizes", "cards in hands", 20, (2,), role=SCALED, scale=10),
    Field("pile", "depths", 6, (5, 2), role=DEPTHS),
    Field("phase", "which phase", 4, lowest=2, role=ONE_HOT),
    Field("melds", "cells", 4, (2, 3), role=MELD_CELLS),
    Field("scores", "points", 30_000, (2,), lowest=-30_000, role=SCALED, scale=100),
    Field("small", "signed, of one byte", 100, lowest=-100, role=SCALED, scale=50),
    Field("long", "of eight bytes", 2**40, lowest=-(2**40), role=SCALED, scale=2**40),
    Field("suits", "by suit", shape=(4,)),
    Field("rules", "the rules", record=RULES),
)


@compiled
def two_more(seen: Any, out: Any, first: int) -> None:
    out[first + 1] = np.float32(seen.hand[1] + seen.rules.target)


EXTRA = (Columns("more", "of the game's own", 2),)


def filled() -> Any:
    seen = np.zeros(1, FIELDS.dtype)
    row = seen[0]
    row["hand"] = [0, 1, 2, 0, 1]
    row["secret"] = 9
    row["to_move"] = [0, 1]
    row["taken"] = 3
    row["sizes"] = [7, 13]
    row["pile"] = [[0, 0], [2, 0], [1, 4], [0, 0], [6, 0]]
    row["phase"] = 3
    row["melds"] = [[0, 4, 1], [2, 0, 0]]
    row["scores"] = [-250, 125]
    row["small"] = -25
    row["long"] = -(2**38)
    row["suits"] = [1, 0, 0, 1]
    row["rules"]["target"] = 500
    row["rules"]["memory"] = 1
    return seen


def written(features: Any, seen: Any) -> tuple[dict[str, list[float]], list[int]]:
    out = np.full(features.width, 7, np.float32)
    depths = np.full(features.max_depth, 99, np.uint8)
    write_one(features, seen, out, depths)
    groups = {g.name: out[features.first[g.name] :][: g.count].tolist() for g in features.columns}
    return groups, depths.tolist()


def write_one(features: Any, seen: Any, out: Any, depths: Any) -> None:
    features.write(seen[0], seen.view(np.uint8), out, depths)


# The generic writer ---------------------------------------------------------------------------------------------------


def test_every_role_becomes_its_columns() -> None:
    features = features_of(
        FIELDS, "roles", num_faces=5, num_cards=4, about={"suits": OF_SUITS}, extra=two_more, extra_columns=EXTRA
    )
    groups, depths = written(features, filled())
    assert groups == {
        "hand": [0, 0.5, 1, 0, 0.5],
        "to_move": [0, 1],
        "sizes": pytest.approx([0.7, 1.3]),
        "melds": [0, 1, 0.25, 0.5, 0, 0],
        "suits": [1, 0, 0, 1],
        "rules_memory": [1],
        "scores": [-2.5, 1.25],
        "small": [-0.5],
        "long": [-0.25],
        "rules_target": [5],
        "taken": [0, 0, 1, 0, 0],
        "phase": [0, 1, 0],
        "pile": pytest.approx([0, 1, 1, 0, 1, 0, 1 / 2, 1, 0, 1 / 6, 0, 0, 1, 0, 0, 0, 0, 1 / 4, 0, 0]),
        "more": [0, 501],
    }
    assert depths == [2, 1, 5, 2, 5, 4]
    about = {group.name: group.about for group in features.columns}
    assert {name: about[name] for name in ("hand", "taken", "pile", "suits", "scores", "more")} == {
        "hand": OF_FACES,
        "taken": OF_FACES,
        "pile": OF_FACES,
        "suits": OF_SUITS,
        "scores": PLAIN,
        "more": PLAIN,
    }


def test_nothing_is_left_from_the_observation_before_and_no_card_has_no_cell() -> None:
    features = features_of(FIELDS, "roles", num_faces=5, num_cards=4)
    out, depths = np.full(features.width, 7, np.float32), np.zeros(features.max_depth, np.uint8)
    write_one(features, filled(), out, depths)
    seen = np.zeros(1, FIELDS.dtype)
    seen["phase"] = 2
    write_one(features, seen, out, depths)
    first = features.first
    assert np.flatnonzero(out).tolist() == [first["phase"]]
    assert set(depths.tolist()) == {5}


@pytest.mark.parametrize("copies", [1, 3])
def test_piles_with_one_and_with_three_copies(copies: int) -> None:
    fields = Fields(Field("pile", "depths", 9, (4, copies) if copies > 1 else (4,), role=DEPTHS))
    features = features_of(fields, f"pile{copies}", num_faces=4)
    seen = np.zeros(1, fields.dtype)
    places = np.random.default_rng(1).permutation(4 * copies)[
        :6
    ]  # some cards of the pack lie in a pile of six or fewer
    seen["pile"].reshape(-1)[places] = 1 + np.arange(len(places))
    groups, depths = written(features, seen)
    cells = seen["pile"].reshape(4, copies)
    expected: list[float] = []
    for each in range(copies):
        expected += [float(depth > 0) for depth in cells[:, each]]
        expected += [1 / depth if depth else 0.0 for depth in cells[:, each].tolist()]
    assert groups["pile"] == pytest.approx(expected)
    assert depths == [next((face for face in range(4) if depth in cells[face]), 4) for depth in range(1, 10)]
    assert features.columns[0].about == OF_FACES


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="extra and extra_columns come together"):
        features_of(FIELDS, "roles", num_faces=5, extra=two_more)
    with pytest.raises(ValueError, match="two groups of columns have one name"):
        features_of(FIELDS, "roles", num_faces=5, extra=two_more, extra_columns=(Columns("hand", "again", 2),))
    with pytest.raises(ValueError, match=r"pile: depths are bytes of shape"):
        features_of(Fields(Field("pile", "depths", 300, (5,), role=DEPTHS)), "roles", num_faces=5)
    with pytest.raises(ValueError, match="depths of 5 faces, and there are 4"):
        features_of(Fields(Field("pile", "depths", 30, (5,), role=DEPTHS)), "roles", num_faces=4)


def test_banakils_observation_through_the_generic_writer() -> None:
    """The same numbers as its own writer has, where both have them."""
    generic = features_of(GAME.observation_fields, "generic", num_faces=NUM_FACES)
    game = dataclasses.replace(GAME, name="generic", features=generic)
    tables = played(Tables(20, num_players=3), 60)
    ours, depths = encode(GAME, tables.observations)
    theirs, their_depths = encode(game, tables.observations)
    faces, own = NUM_FACES, GAME.features.first
    assert (depths == their_depths).all()
    known = theirs[:, generic.first["known"] :][:, : 4 * faces]
    assert (known == ours[:, own["known"] :][:, : 4 * faces]).all()
    pile = theirs[:, generic.first["pile"] :]
    assert (pile[:, :faces] == ours[:, own["pile"] :][:, :faces]).all()
    assert (pile[:, faces : 2 * faces] == ours[:, own["pile"] + 2 * faces :][:, :faces]).all()


# Batches --------------------------------------------------------------------------------------------------------------


def played(tables: Tables, steps: int, seed: int = 5) -> Tables:
    tables.reset(seed=seed)
    for _ in range(steps):
        tables.step(tables.random_actions())
    return tables


def test_rows_and_threads_write_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    observations = played(Tables(50), 30).observations
    expected, depths = encode(GAME, observations)
    monkeypatch.setattr(encoding, "ROWS_PER_THREAD", 4)
    for threads in (2, 5):
        found = encode(GAME, observations, threads=threads)
        assert (found[0] == expected).all()
        assert (found[1] == depths).all()
    out = np.zeros_like(expected)
    encode(GAME, observations, out, rows=np.array([3, 7]))
    assert (out[[3, 7]] == expected[[3, 7]]).all()
    assert not out[[0, 4]].any()


@pytest.mark.parametrize("opponents", [None, "random", lambda observations, masks: masks.argmax(axis=1)])
def test_tables_show_each_form(opponents: Any) -> None:
    tables = {form: Tables(6, observation=form, opponents=opponents) for form in FORMS}
    for each in tables.values():
        each.reset(seed=3)
    for step in range(120):
        observations = tables["record"].observations
        for form, each in tables.items():
            assert (each.observations == observations).all()
            assert_same(each.seen, in_form(GAME, form, observations))
        if step == 60:
            for each in tables.values():
                each.reset(rows=[1, 4])
                each.restore(each.snapshot([0]), rows=[5])
        else:
            actions = tables["record"].random_actions().copy()
            for each in tables.values():
                each.step(actions)
    for name, array in tables["dict"].seen.items():
        assert np.shares_memory(array, tables["dict"].observations), name


def test_features_go_where_they_are_told() -> None:
    width = GAME.features.width
    rollout = np.zeros((2, 4, width), np.float32)
    tables, twin = Tables(4, observation="features", buffers={"features": rollout[0]}), Tables(4)
    tables.reset(seed=1)
    twin.reset(seed=1)
    tables.write_into(features=rollout[1])
    actions = twin.random_actions().copy()
    first = in_form(GAME, "features", twin.observations)
    tables.step(actions)
    twin.step(actions)
    assert (rollout[0] == first).all()
    assert (rollout[1] == in_form(GAME, "features", twin.observations)).all()
    with pytest.raises(TypeError, match="no buffer 'features'"):
        Tables(4, buffers={"features": rollout[0]})


def test_cards_go_where_they_are_told() -> None:
    """Each array into a place of the caller's own, and after a snapshot as well."""
    shapes = GAME.cards.shapes
    rollout = {name: np.full((2, 4, *shape), -1, np.float32) for name, shape in shapes.items()}
    first, second = ({name: array[step] for name, array in rollout.items()} for step in range(2))
    tables, twin = Tables(4, observation="cards", buffers=first), Tables(4)
    tables.reset(seed=1)
    twin.reset(seed=1)
    assert all(tables.seen[name] is first[name] for name in shapes)
    tables.write_into(**second)
    actions, before = twin.random_actions().copy(), in_form(GAME, "cards", twin.observations)
    tables.step(actions)
    twin.step(actions)
    assert_same(first, before)
    assert_same(second, in_form(GAME, "cards", twin.observations))
    again = pickle.loads(pickle.dumps(tables))
    assert_same(again.seen, tables.seen)
    with pytest.raises(TypeError, match="no buffer 'cards'"):
        Tables(4, observation="features", buffers={"cards": first["cards"]})


def assert_same(found: Any, expected: Any) -> None:
    if isinstance(expected, dict):
        assert found.keys() == expected.keys()
        for name in expected:
            assert found[name].dtype == expected[name].dtype
            assert (found[name] == expected[name]).all()
    else:
        assert found.dtype == expected.dtype
        assert (found == expected).all()


def test_a_batch_of_records_has_its_fields_by_name() -> None:
    tables = played(Tables(5), 20)
    assert banakil.fields(tables.observations).hand.shape == (5, NUM_FACES)
    hand = Tables(5, observation="dict").reset(seed=1)[0]["hand"]
    assert (hand == banakil.fields(Tables(5).reset(seed=1)[0]).hand).all()


@pytest.mark.parametrize("make", [lambda form: Tables(2, observation=form), lambda form: env(observation=form)])
def test_a_form_that_does_not_exist(make: Any) -> None:
    allowed = "'record', 'dict', 'features', 'cards'"
    with pytest.raises(ValueError, match=f"^observation must be one of {allowed}, not 'pixels'$"):
        make("pixels")


# Environments ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
def test_pettingzoo_in_each_form(form: str) -> None:
    game = pettingzoo.make("aec", "rummy/banakil-v0", observation=form, num_players=3)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(game, num_cycles=100)
    game.reset(seed=2)
    for seat, agent in enumerate(game.agents):
        seen = game.observe(agent)
        assert set(seen) == {"observation", "action_mask"}
        assert game.observation_space(agent).contains(seen)
        vector = banakil.observe(game.unwrapped.position, seat)["observation"]
        assert_same(seen["observation"], in_form(GAME, form, vector))
    kept = copy.deepcopy(seen["observation"])
    game.step(0)
    assert_same(seen["observation"], kept)
    assert_same(pickle.loads(pickle.dumps(game)).observe(agent)["observation"], game.observe(agent)["observation"])


@pytest.mark.parametrize("form", FORMS)
def test_gymnasium_in_each_form(form: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # The mode "human" opens a window, which needs a screen: the pictures have tests of their own.
        check_env(
            gymnasium.make("rummy/Banakil-v0", observation=form, disable_env_checker=True).unwrapped,
            skip_render_check=True,
        )
    single, plain = SingleEnv(observation=form), SingleEnv(observation="record")
    seen, expected = single.reset(seed=3)[0], plain.reset(seed=3)[0]
    over = False
    while not over:
        assert single.observation_space.contains(seen)
        assert_same(seen, in_form(GAME, form, expected))
        action = int(plain.action_masks().argmax())
        seen = single.step(action)[0]
        expected, _, terminated, truncated, _ = plain.step(action)
        over = terminated or truncated


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("autoreset", ["NextStep", "SameStep"])
def test_the_vector_environment_in_each_form(form: str, autoreset: str) -> None:
    vector = BatchEnv(4, observation=form, autoreset=autoreset, max_turns=20)
    plain = BatchEnv(4, observation="record", autoreset=autoreset, max_turns=20)
    seen, expected = vector.reset(seed=3)[0], plain.reset(seed=3)[0]
    assert vector.observation_space.contains(seen)
    finals = 0
    for _ in range(200):
        assert_same(seen, in_form(GAME, form, expected))
        before, kept = seen, copy.deepcopy(seen)
        actions = plain.tables.random_actions().copy()
        seen, _, _, _, info = vector.step(actions)
        expected, _, _, _, plain_info = plain.step(actions)
        assert_same(before, kept)
        for row in np.flatnonzero(plain_info.get("_final_obs", [])):
            finals += 1
            assert_same(info["final_obs"][row], in_form(GAME, form, plain_info["final_obs"][row]))
    assert (finals > 0) == (autoreset == "SameStep")


# Spaces ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMS)
def test_spaces_print_short_and_are_kept_by_pickles_and_batches(form: str) -> None:
    space = observation_space(GAME, form)
    assert isinstance(space, spaces.Dict if form in ("dict", "cards") else spaces.Box)
    assert len(repr(space)) < 1000
    assert "\n" not in repr(space)
    again = pickle.loads(pickle.dumps(space))
    assert again == space
    assert repr(again) == repr(space)
    assert form_of(GAME, again) == form
    batch = batch_space(space, 300)
    assert "\n" not in repr(batch)
    assert batch.contains(in_form(GAME, form, Tables(300).reset(seed=1)[0]))
    assert batch.contains(batch.sample())


def test_texts_of_spaces() -> None:
    record, features = observation_space(GAME, "record"), observation_space(GAME, "features")
    assert repr(record) == "Box(0, 255, (1000,), uint8, observation='record')"
    assert repr(features) == f"Box(-320, 320, ({GAME.features.width},), float32, observation='features')"
    assert repr(observation_space(GAME, "dict")).startswith("Dict(hand, known, pile, meld_owner, ")
    scores = observation_space(GAME, "dict")["scores"]  # type: ignore[index]
    assert repr(scores) == "Box(-32000, 32000, (4,), int16)"
    with pytest.raises(ValueError, match="is the space of no form"):
        form_of(GAME, spaces.Box(0, 1, (3,)))


def test_the_raw_environment_and_the_tables_agree_to_the_byte() -> None:
    game = raw_env(observation="features")
    game.reset(seed=9)
    tables = Tables(1, observation="features")
    tables.reset(seed=9)
    for _ in range(50):
        assert (game.observe(game.agent_selection)["observation"] == tables.features[0]).all()
        action = int(tables.random_actions()[0])
        game.step(action)
        tables.step([action])
