"""Is each seed an experiment of its own? Seeds of a batch's rows; neighbouring seeds in every interface.

The same for other libraries: `tests/plugins/*/test_*_seeds.py`.
"""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pettingzoo
import pytest
from first_views import GIN, check_seeds, legal_actions, views

import banakil_env  # noqa: F401 - registers the environments
from banakil_env.arena.seeds import FIRST_HELD_OUT
from banakil_env.core.random import MAX_SEED, seeds_of_rows
from banakil_env.envs.sb3 import TablesVecEnv
from banakil_env.envs.vector import Tables
from banakil_env.games import GAMES

ROWS, STEPS = 32, 60

# Rows 0 to 2 of the seed 7.
PINNED = [7, 8453625943744602514, 8684549314137958565]


# The seeds of rows ---------------------------------------------------------------------------------------------------


def test_row_0_has_the_seed_itself_and_the_others_a_mix() -> None:
    """Fixed numbers: they are the same on every machine and in every version."""
    assert seeds_of_rows(7, [0, 1, 2]).tolist() == PINNED
    assert seeds_of_rows(7, [2, 0]).tolist() == [PINNED[2], 7]
    assert seeds_of_rows(MAX_SEED, [0]).tolist() == [MAX_SEED]


def test_no_two_rows_of_neighbouring_seeds_have_the_same_seed() -> None:
    """Seeds 0 to 999 and their neighbours by one bit, 256 rows each."""
    batches = {*range(1000), *(1 << bit for bit in range(63))}
    seeds = np.concatenate([seeds_of_rows(seed, np.arange(1, 257)) for seed in batches])
    assert len(np.unique(seeds)) == len(seeds)


def test_a_mix_looks_random_in_every_bit_but_the_highest() -> None:
    """Rows of one seed, and one row of many seeds: 4,096 of each; 5 standard deviations are allowed."""
    over_rows = seeds_of_rows(3, np.arange(1, 4097))
    over_seeds = np.array([seeds_of_rows(seed, [1])[0] for seed in range(4096)], np.uint64)
    for seeds in (over_rows, over_seeds, over_rows[1:] ^ over_rows[:-1], over_seeds[1:] ^ over_seeds[:-1]):
        bits = np.unpackbits(seeds[:, None].view(np.uint8), axis=1, bitorder="little")[:, :63]
        assert np.abs(bits.mean(0) - 0.5).max() < 5 * 0.5 / len(seeds) ** 0.5


@pytest.mark.parametrize("seed", [0, FIRST_HELD_OUT - 1, FIRST_HELD_OUT, MAX_SEED])
def test_rows_are_held_out_if_and_only_if_their_seed_is(seed: int) -> None:
    assert ((seeds_of_rows(seed, np.arange(500)) >= FIRST_HELD_OUT) == (seed >= FIRST_HELD_OUT)).all()


def test_tables_says_which_seeds_were_used() -> None:
    tables = Tables(4, game="gin")
    assert tables.seeds.tolist() == [0] * 4
    tables.reset(seed=5)
    assert tables.seeds.tolist() == seeds_of_rows(5, range(4)).tolist()
    begun = tables.observations.copy()
    tables.reset(seed=9, rows=[2])
    assert tables.seeds[2] == seeds_of_rows(9, [2])[0]
    assert tables.seeds[[0, 1, 3]].tolist() == seeds_of_rows(5, [0, 1, 3]).tolist()
    tables.reset()  # goes on from the generators
    assert tables.seeds[2] == seeds_of_rows(9, [2])[0]
    tables.reset(seed=seeds_of_rows(5, range(4)))
    assert (tables.observations == begun).all()
    with pytest.raises(ValueError, match="read-only"):
        tables.seeds[0] = 1


def test_a_random_first_seed_can_be_repeated() -> None:
    tables, again = Tables(3, game="gin"), Tables(3, game="gin")
    tables.reset()
    again.reset(seed=tables.seeds)
    assert (tables.states == again.states).all()


def test_a_snapshot_takes_the_seeds_with_it() -> None:
    tables = Tables(3, game="gin")
    tables.reset(seed=5)
    kept = tables.snapshot([1])
    tables.restore(kept, [2])
    assert tables.seeds.tolist() == seeds_of_rows(5, [0, 1, 1]).tolist()


# Runs of neighbouring seeds ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", list(GAMES))
def test_first_deals_of_neighbouring_seeds(name: str) -> None:
    def first_views(seed: int) -> set[bytes]:
        tables = Tables(64, game=name)
        tables.reset(seed=seed)
        return views(tables.observations)

    check_seeds(first_views, 64)


@pytest.mark.parametrize("opponents", [None, "greedy"])
def test_tables(opponents: str | None) -> None:
    def first_views(seed: int) -> set[bytes]:
        tables, dice = Tables(ROWS, opponents=opponents, seat=opponents and 0, **GIN), np.random.default_rng(0)
        tables.reset(seed=seed)
        found = views(tables.observations)
        for _ in range(STEPS):
            tables.step(legal_actions(tables.masks, dice))
            found |= views(tables.observations, tables.terminations)
        return found

    check_seeds(first_views, 2 * ROWS)


def test_generators_of_random_actions_and_dice_of_opponents() -> None:
    """They come from the same seeds of rows: neighbouring runs share none."""

    def first_views(seed: int) -> set[bytes]:
        tables = Tables(ROWS, opponents="random", seat=0, **GIN)
        tables.reset(seed=seed)
        return views(tables.dice) | views(tables.generators)

    check_seeds(first_views, 2 * ROWS)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_make_vec(mode: str) -> None:
    def first_views(seed: int) -> set[bytes]:
        env = gymnasium.make_vec("rummy/Gin-v0", ROWS, opponents="greedy", seat=0, autoreset=mode, rules=GIN["rules"])
        dice = np.random.default_rng(0)
        seen, info = env.reset(seed=seed)
        found, over = views(seen), np.zeros(ROWS, bool)
        for _ in range(STEPS):
            seen, _, terminated, truncated, info = env.step(legal_actions(info["action_mask"], dice))
            ended = terminated | truncated
            found |= views(seen, ended if mode == "SameStep" else over)
            over = ended.copy()
        return found

    check_seeds(first_views, 2 * ROWS)


def test_stable_baselines3() -> None:
    def first_views(seed: int) -> set[bytes]:
        env, dice = TablesVecEnv(ROWS, opponents="greedy", seat=0, **GIN), np.random.default_rng(0)
        env.seed(seed)
        found = views(env.reset())
        for _ in range(STEPS):
            seen, _, dones, _ = env.step(legal_actions(env.action_masks(), dice))
            found |= views(seen, dones)
        return found

    check_seeds(first_views, 2 * ROWS)


def test_gymnasium() -> None:
    def first_views(seed: int) -> set[bytes]:
        env = gymnasium.make("rummy/Gin-v0", opponents="greedy", seat=0, rules=GIN["rules"])
        return {env.reset(seed=seed if number == 0 else None)[0].tobytes() for number in range(20)}

    check_seeds(first_views, 20)


def test_pettingzoo() -> None:
    def first_views(seed: int) -> set[bytes]:
        env, found = pettingzoo.make("aec", "rummy/gin-v0", rules=GIN["rules"]), set[bytes]()
        for number in range(20):
            env.reset(seed=seed if number == 0 else None)
            found.add(env.last()[0]["observation"].tobytes())
        return found

    check_seeds(first_views, 20)


def test_row_0_is_the_game_of_the_seed_in_every_interface() -> None:
    options: dict[str, Any] = {"observation": "record"}
    aec = pettingzoo.make("aec", "rummy/gin-v0", **options)
    aec.reset(seed=11)
    tables = Tables(3, game="gin")
    tables.reset(seed=11)
    assert tables.observations[0].tobytes() == aec.last()[0]["observation"].tobytes()
    learner = {**options, "opponents": "random", "seat": 0}
    single = gymnasium.make("rummy/Gin-v0", **learner)
    many = gymnasium.make_vec("rummy/Gin-v0", 3, **learner)
    sb3 = TablesVecEnv(3, game="gin", **learner)
    sb3.seed(11)
    seen = single.reset(seed=11)[0].tobytes()
    assert many.reset(seed=11)[0][0].tobytes() == sb3.reset()[0].tobytes() == seen
