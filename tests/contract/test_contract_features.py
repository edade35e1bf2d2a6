"""Do the columns of every game keep to the bounds that the space of `observation="features"` declares?"""

from __future__ import annotations

import numpy as np
import pytest
from contract_cases import each_case, each_game
from contract_play import Case, make_aec, make_single

from banakil_env.core.encoding import encode
from banakil_env.core.fields import COUNTS, FLAG, SCALED
from banakil_env.core.game import Game
from banakil_env.envs.forms import FEATURES, FORMS, observation_space
from banakil_env.envs.single import BatchEnv
from banakil_env.envs.vector import Tables
from banakil_env.games import find

DRAWN = 200  # observations with numbers drawn within their bounds


def check_within(game: Game, features: np.ndarray) -> None:
    """Every number lies within the bounds of its column."""
    low, high = game.features.bounds
    wrong = np.flatnonzero(((features < low) | (features > high)).any(axis=0))
    named = {
        name: (float(features[:, column].min()), float(features[:, column].max()), low[column], high[column])
        for name, first in game.features.first.items()
        for column in wrong
        if first <= column
    }
    assert not len(wrong), dict(list(named.items())[-5:])


@each_game
def test_every_column_has_finite_bounds_and_no_empty_range(name: str) -> None:
    space = observation_space(find(name), FEATURES)
    assert space.dtype == np.float32
    assert np.isfinite(space.low).all()
    assert np.isfinite(space.high).all()
    assert (space.low < space.high).all()
    assert space.is_bounded()


@each_case
def test_play_stays_within_the_bounds(case: Case, long: bool) -> None:
    tables = Tables(64, game=case.game, observation=FEATURES, **case.options)
    tables.reset(seed=case.seed)
    for _ in range(2000 if long else 120):
        check_within(case.game, tables.features)
        tables.step(tables.random_actions())


@each_game
def test_numbers_at_their_bounds_stay_within_the_bounds_of_their_columns(name: str) -> None:
    """Whatever play reaches, a number of an observation that lies within its field's bounds has a column that does."""
    game, dice = find(name), np.random.default_rng(1)
    tables = Tables(DRAWN, game=game)
    tables.reset(seed=1)
    for _ in range(30):
        tables.step(tables.random_actions())
    seen = tables.observations.copy()
    for number in game.observation_fields.numbers:
        field, kind = number.field, number.field.number
        if field.role not in (SCALED, FLAG, COUNTS):
            continue
        drawn = dice.integers(field.lowest, field.highest, (DRAWN, number.count), kind, endpoint=True)
        drawn[0], drawn[1] = field.lowest, field.highest
        place = slice(number.offset, number.offset + number.count * kind.itemsize)
        if name != "banakil" or field.role == SCALED:  # its own writer reads melds and flags as those of a position
            seen[:, place] = drawn.view(np.uint8).reshape(DRAWN, -1)
    check_within(game, encode(game, seen)[0])


@each_game
def test_environments_for_learners_show_features_and_tables_records(name: str) -> None:
    game = find(name)
    wanted = observation_space(game, FEATURES)
    env, single, many = make_aec(name), make_single(name), BatchEnv(2, game=name)
    assert env.observation_space("player_0")["observation"] == wanted
    assert single.observation_space == many.single_observation_space == wanted
    assert Tables(2, game=name).reset(seed=1)[0].dtype == np.uint8
    env.reset(seed=1)
    assert wanted.contains(env.observe("player_0")["observation"])
    assert wanted.contains(single.reset(seed=1)[0])
    assert many.observation_space.contains(many.reset(seed=1)[0])


def test_the_old_word_for_records_is_understood() -> None:
    game = find("gin")
    assert "bytes" not in FORMS
    assert observation_space(game, "bytes") == observation_space(game, "record")
    assert make_single("gin", observation="bytes").tables.form == "record"
    with pytest.raises(ValueError, match=r"^observation must be one of 'record', 'dict', 'features', 'cards', not"):
        observation_space(game, "Bytes")
