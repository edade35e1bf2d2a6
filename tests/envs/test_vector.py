"""Does the batch play the same game as the plain interface, in every mode, and refuse what is wrong?"""

from __future__ import annotations

import copy
import pickle
import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from table_play import content, play

from banakil_env.core import engine
from banakil_env.core.batch import CALLER
from banakil_env.core.game import REWARDS, IllegalAction
from banakil_env.core.kernels import GENERATOR, OVER, kernels_of
from banakil_env.envs.aec import raw_env
from banakil_env.envs.opponents import OpponentError
from banakil_env.envs.tables import arrays
from banakil_env.envs.vector import IllegalActions, Tables
from banakil_env.games import find
from banakil_env.kit.plain import Plain

banakil = Plain(find("banakil"))
GAME = find("banakil")

PRESETS: list[dict[str, Any]] = [
    {"num_players": 2},
    {"num_players": 3},
    {"num_players": 4},
    {"num_players": 4, "partners": False},
    {"num_players": 2, "rules": "jawaker"},
    {"num_players": 4, "rules": "jawaker"},
    {"num_players": 3, "rules": "gamefarm"},
    {"num_players": 4, "rules": "gamefarm cutter_takes_wilds=yes unplayed_score_zero=yes"},
    {"num_players": 2, "episode": "match", "max_turns": 12, "rules": "pagat max_rounds=2"},
]


def generators_for(tables: Tables, seed: int = 1) -> npt.NDArray[Any]:
    generators = np.zeros(tables.num_tables, GENERATOR)
    generators["rng"] = np.arange(tables.num_tables) + 1000 * seed
    return generators


def rewards_of(state: Any, kind: str = "margin") -> list[float]:
    reward = getattr(engine.reward, "py_func", engine.reward)
    return [float(reward(state, seat, REWARDS[kind])) for seat in range(int(state["num_players"]))]


def everything(tables: Tables) -> list[bytes]:
    return [
        content(getattr(tables, name))
        for name in (*tables.buffer_specs(), "states", "controls", "dice", "final_states")
    ]


# The same game ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", PRESETS, ids=str)
def test_every_row_is_the_plain_game_of_its_seed(options: dict[str, Any]) -> None:
    """States, observations, masks, seats and rewards to the byte, over several episodes."""
    tables = Tables(3, truncate_at_limit=True, **options)
    tables.reset(seed=41)
    games = [banakil.new(**options, seed=seed) for seed in tables.seeds]
    generators = generators_for(tables)
    for _ in range(400):
        for row, game in enumerate(games):
            seat = banakil.seat_to_move(game)
            assert seat is not None
            seen = banakil.observe(game, seat)
            assert tables.states[row].tobytes() == game.tobytes()
            assert tables.seats[row] == seat
            assert (tables.observations[row] == seen["observation"]).all()
            assert (tables.masks[row] == seen["action_mask"]).all()
        actions = tables.random_actions(generators)
        tables.step(actions)
        for row, game in enumerate(games):
            banakil.apply(game, int(actions[row]))
            over = banakil.is_over(game)
            assert (tables.terminations[row] or tables.truncations[row]) == over
            if over:
                assert tables.truncations[row] == banakil.is_truncated(game)
                assert tables.final_states[row].tobytes() == game.tobytes()
                assert tables.rewards[row, : options["num_players"]].tolist() == pytest.approx(rewards_of(game))
                engine.start_episode(game)  # as reset() without a seed
            else:
                assert not tables.rewards[row].any()


def test_ten_thousand_rounds_go_the_same_way_to_the_byte(amount: Callable[[int, int, int], int]) -> None:
    """Every preset in one batch and at single tables: equal states after every action, and equal observations.

    In a short run a thousand.
    """
    count = amount(1000, 10_000, 50_000)
    tables = Tables([PRESETS[row % len(PRESETS)] for row in range(count)], autoreset="Disabled", illegal="report")
    tables.reset(seed=10**6)
    games = np.concatenate(
        [
            np.asarray(banakil.new(**PRESETS[row % len(PRESETS)], seed=seed)).reshape(1)
            for row, seed in enumerate(tables.seeds)
        ]
    )
    kernels, generators = kernels_of(GAME), generators_for(tables)
    seen, mask = np.zeros((count, 1000), np.uint8), np.zeros(799, np.int8)
    records = seen.reshape(-1).view(GAME.observation)
    running = np.arange(count)
    while len(running):
        actions = tables.random_actions(generators)
        tables.step(actions)
        over = []
        for row, action in zip(running.tolist(), actions[running].tolist()):
            seat = kernels.apply_one(games[row : row + 1], action)
            if seat == OVER:
                over.append(row)
            else:
                kernels.observe_one(games[row : row + 1], seat, records[row : row + 1], mask)
                assert mask.tobytes() == tables.masks[row].tobytes()
        assert games.tobytes() == tables.states.tobytes()
        running = np.setdiff1d(running, over, assume_unique=True)
        assert (running == np.flatnonzero(tables.seats >= 0)).all()
        assert (seen[running] == tables.observations[running]).all()
    assert games.tobytes() == tables.final_states.tobytes()


@pytest.mark.parametrize("options", PRESETS, ids=str)
def test_the_aec_environment_goes_the_same_way(options: dict[str, Any]) -> None:
    """The same seed and actions over some episodes: what agents see, what they get, in which order."""
    env, tables = raw_env(reward="points", observation="record", **options), Tables(2, reward="points", **options)
    tables.reset(seed=22)
    env.reset(seed=tables.seeds[1])
    generators = generators_for(tables)
    for _ in range(1500):
        seat = env.agents.index(env.agent_selection)
        seen = env.observe(env.agent_selection)
        assert tables.seats[1] == seat
        assert seen["observation"].tobytes() == tables.observations[1].tobytes()
        assert seen["action_mask"].tobytes() == tables.masks[1].tobytes()
        actions = tables.random_actions(generators)
        env.step(int(actions[1]))
        tables.step(actions)
        if tables.terminations[1] or tables.truncations[1]:
            assert list(env.rewards.values()) == tables.rewards[1, : options["num_players"]].tolist()
            assert set(env.terminations.values()) == {bool(tables.terminations[1])}
            env.reset()


def test_the_loser_gets_the_reward_too() -> None:
    tables = Tables(64, num_players=4, reward="margin")
    tables.reset(seed=3)
    ended = 0
    generators = generators_for(tables)
    while ended < 20:
        tables.step(tables.random_actions(generators))
        for row in np.flatnonzero(tables.terminations):
            ended += 1
            assert tables.rewards[row].sum() == 0  # zero-sum, partners alike
            assert tables.rewards[row, 0] == tables.rewards[row, 2]
            assert tables.rewards[row].tolist() == tables.controls["returns"][row].tolist()
    assert (tables.controls["returns"] < 0).any()


def test_each_table_may_have_its_own_rules_and_reward() -> None:
    tables = Tables([{"num_players": 2, "reward": "win"}, {"num_players": 4, "rules": "jawaker"}], max_turns=30)
    tables.reset(seed=5)
    assert tables.states["num_players"].tolist() == [2, 4]
    assert tables.states["rules"]["wilds"].tolist() == [0, 1]
    assert tables.states["rules"]["max_turns"].tolist() == [30, 30]
    assert tables.states[0].tobytes() == banakil.new(max_turns=30, seed=5).tobytes()
    generators = generators_for(tables)
    for _ in range(3000):
        tables.step(tables.random_actions(generators))
        assert set(tables.rewards[0].tolist()) <= {-1.0, 0.0, 1.0}
    assert tables.controls["episodes"].min() > 3


# When a table is dealt again
# -------------------------------------------------------------------------------------------


def finish(tables: Tables) -> int:
    """Play until row 0 ends; how many steps."""
    generators = generators_for(tables)
    for step in range(1, 10_000):
        tables.step(tables.random_actions(generators))
        if tables.terminations[0] or tables.truncations[0]:
            return step
    raise AssertionError("it never ends")


def test_same_step_shows_the_new_deal_and_keeps_the_end() -> None:
    tables = Tables(1, autoreset="SameStep")
    tables.reset(seed=8)
    finish(tables)
    assert tables.metadata["autoreset_mode"].value == "SameStep"
    assert banakil.is_over(tables.final_states[0])
    assert not banakil.is_over(tables.states[0])
    assert tables.seats[0] == 0
    assert tables.masks[0].any()
    final = banakil.observe(tables.final_states[0], 1)["observation"]
    assert (tables.final_observation(0, 1) == final).all()
    assert tables.result(0, 1)["points"] == banakil.scores(tables.final_states[0])[1]


def test_next_step_shows_the_end_and_deals_whatever_the_next_action_is() -> None:
    tables, twin = Tables(1, autoreset="NextStep"), Tables(1, autoreset="SameStep")
    for each in (tables, twin):
        each.reset(seed=8)
        finish(each)
    assert banakil.is_over(tables.states[0])
    assert tables.seats[0] == -1
    assert not tables.masks[0].any()
    assert tables.rewards[0].tolist() == twin.rewards[0].tolist()
    mover = int(tables.states[0]["seat"])
    assert (tables.observations[0] == banakil.observe(tables.states[0], mover)["observation"]).all()
    tables.step([-5])  # not looked at
    assert not tables.terminations[0]
    assert not tables.rewards.any()
    assert tables.states.tobytes() == twin.states.tobytes()


def test_disabled_waits_to_be_reset() -> None:
    tables = Tables(2, autoreset="Disabled")
    tables.reset(seed=8)
    generators = generators_for(tables)
    while (tables.seats >= 0).all():
        tables.step(tables.random_actions(generators))
    over, other = int(tables.seats.argmin()), int(tables.seats.argmax())
    before = tables.states[other].tobytes()
    with pytest.raises(IllegalActions, match=f"in row {over} .*start another"):
        tables.step(tables.random_actions(generators))
    assert tables.states[other].tobytes() != before
    before = tables.states[other].tobytes()
    tables.reset(rows=np.arange(2) == over)
    assert tables.seats[over] == 0
    assert tables.states[other].tobytes() == before


def test_reset_without_a_seed_goes_on_from_the_generator() -> None:
    tables = Tables(2)
    tables.reset(seed=8)
    tables.reset()
    game = banakil.new(seed=8)
    engine.start_episode(game)
    assert tables.states[0].tobytes() == game.tobytes()


def test_seeds_one_by_one_and_the_highest() -> None:
    tables = Tables(2)
    tables.reset(seed=[9, 3])
    assert tables.states[1].tobytes() == banakil.new(seed=3).tobytes()
    assert tables.seeds.tolist() == [9, 3]
    tables.reset(seed=2**64 - 1)
    assert tables.states[0].tobytes() == banakil.new(seed=2**64 - 1).tobytes()


# A learner and compiled opponents -----------------------------------------------------------------------------------


@pytest.mark.parametrize("options", PRESETS[:6], ids=str)
def test_with_opponents_only_the_learner_is_served(options: dict[str, Any]) -> None:
    tables = Tables(40, opponents="random", seat="rotating", **options)
    tables.reset(seed=2)
    generators = generators_for(tables)
    for _ in range(200):
        assert (tables.seats == tables.learners).all()
        seats = tables.learners.copy()
        tables.step(tables.random_actions(generators))
        ended = tables.terminations | tables.truncations
        assert (tables.payoffs[ended] == tables.rewards[ended, seats[ended]]).all()
        assert not tables.payoffs[~ended].any()
        if not tables.controls["unplayed"].any():
            assert (tables.learners[ended] == (seats[ended] + 1) % options["num_players"]).all()


def test_the_random_seat_takes_every_seat_and_the_fixed_one_stays() -> None:
    tables = Tables(200, num_players=4, opponents="random", seat="random")
    tables.reset(seed=2)
    assert np.bincount(tables.learners, minlength=4).min() > 30
    fixed = Tables(5, num_players=4, opponents="random", seat=2)
    fixed.reset(seed=2)
    assert (fixed.learners == 2).all()


def test_an_episode_that_ends_before_the_learner_has_moved_is_dealt_anew() -> None:
    tables = Tables(50, opponents="random", seat="random", max_turns=1)
    tables.reset(seed=2)
    play(tables, 50)
    assert (tables.learners == 0).all()
    assert tables.controls["unplayed"].min() > 3
    assert tables.controls["length"].min() > 0


def test_a_learner_that_can_never_move_is_an_error() -> None:
    with pytest.raises(ValueError, match="ended before the learner, in seat 1, could move; is max_turns too low"):
        Tables(2, opponents="random", seat=1, max_turns=1).reset(seed=2)


# Python's own players -----------------------------------------------------------------------------------------------


def first_legal(observations: npt.NDArray[np.uint8], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
    return masks.argmax(axis=1)


def test_a_callable_is_asked_for_all_waiting_tables_at_once() -> None:
    calls = []

    def counting(observations: npt.NDArray[np.uint8], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        assert len(observations) == len(masks)
        calls.append(len(masks))
        return first_legal(observations, masks)

    tables = Tables(30, num_players=4, opponents=counting, seat=3)
    tables.reset(seed=2)
    assert calls[0] == 30
    generators = generators_for(tables)
    for _ in range(150):
        assert (tables.seats == 3).all()
        tables.step(tables.random_actions(generators))


def test_callables_play_what_they_answer() -> None:
    """Against players served by hand the same table goes the same way."""
    tables = Tables(1, num_players=3, opponents=first_legal, seat=1, autoreset="Disabled")
    by_hand = Tables(1, num_players=3, autoreset="Disabled")
    tables.reset(seed=6)
    by_hand.reset(seed=6)
    rng = np.random.default_rng(0)
    while tables.seats[0] >= 0:
        while by_hand.seats[0] not in (1, -1):
            by_hand.step(by_hand.masks.argmax(axis=1))
        assert by_hand.states.tobytes() == tables.states.tobytes()
        assert (by_hand.observations == tables.observations).all()
        action = [rng.choice(np.flatnonzero(tables.masks[0]))]
        tables.step(action)
        by_hand.step(action)
    while by_hand.seats[0] != -1:
        by_hand.step(by_hand.masks.argmax(axis=1))
    assert by_hand.final_states.tobytes() == tables.final_states.tobytes()


def test_a_tuple_seats_its_players_after_the_learner_and_a_list_is_a_pool() -> None:
    def other(observations: npt.NDArray[np.uint8], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        return first_legal(observations, masks)

    seated = Tables(8, num_players=4, opponents=("random", first_legal, other), seat=2)
    seated.reset(seed=1)
    assert (seated.controls["players"] == [-2, -3, CALLER, 0]).all()
    pool = Tables(300, num_players=2, opponents=["random", first_legal, other], seat=0)
    pool.reset(seed=1)
    assert np.bincount(-pool.controls["players"][:, 1], minlength=4)[[0, 2, 3]].min() > 70


def test_new_opponents_sit_down_with_the_next_episode() -> None:
    tables = Tables(4, opponents=first_legal, seat=0)
    tables.reset(seed=1)
    tables.set_opponents(["random"])
    assert (tables.controls["players"][:, 1] == -2).all()
    tables.reset()
    assert (tables.controls["players"][:, 1] == 0).all()


def test_an_opponent_that_raises_is_named() -> None:
    def clumsy(observations: npt.NDArray[np.uint8], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        raise KeyError("spilt the tea")

    tables = Tables(2, opponents=clumsy, seat=1)
    with pytest.raises(OpponentError, match="clumsy raised KeyError"):
        tables.reset(seed=1)
    with pytest.raises(RuntimeError, match="reset"):
        tables.step([0, 0])


@pytest.mark.parametrize("answer", [700, -1, 799])
def test_an_opponent_that_answers_illegally_is_named_with_what_is_legal(answer: int) -> None:
    def cheat(observations: npt.NDArray[np.uint8], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        return np.full(len(masks), answer)

    tables = Tables(2, opponents=cheat, seat=1)
    with pytest.raises(OpponentError, match=r"cheat answered illegally at row 0, seat 0") as caught:
        tables.reset(seed=1)
    assert str(answer) in str(caught.value)
    if answer == 700:
        assert "legal are: draw, take 1" in str(caught.value)


def test_an_opponent_that_gives_too_few_answers_is_named() -> None:
    tables = Tables(3, opponents=lambda observations, masks: masks.argmax(axis=1)[:1], seat=1)
    with pytest.raises(OpponentError, match=r"was to choose 3 actions and gave an array of shape \(1,\)"):
        tables.reset(seed=1)


# Threads ------------------------------------------------------------------------------------------------------------


def test_results_do_not_depend_on_the_number_of_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arrays, "ROWS_PER_THREAD", 10)
    seen = []
    for threads in (1, 2, 5):
        tables = Tables(
            [PRESETS[row % 8] for row in range(101)],
            opponents=["random", "greedy", first_legal],
            seat="random",
            threads=threads,
        )
        tables.reset(seed=77)
        play(tables, 150)
        seen.append(everything(tables))
    assert seen[0] == seen[1] == seen[2]


# Copies -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda tables: pickle.loads(pickle.dumps(tables))])
def test_a_copy_goes_on_the_same(duplicate: Any) -> None:
    tables = Tables(5, opponents="random")
    tables.reset(seed=1)
    play(tables, 20)
    twin = duplicate(tables)
    play(tables, 50)
    play(twin, 50)
    assert everything(twin) == everything(tables)


# The caller's arrays ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("opponents", [None, "random"])
def test_a_step_allocates_nothing(opponents: str | None) -> None:
    """Nothing that grows with the tables, new deals included.

    Other threads of this process, such as the test runner's, may allocate Python objects during a few steps.
    """
    for size in (1, 512):
        tables = Tables(size, opponents=opponents, max_turns=40, threads=1)
        tables.reset(seed=5)
        generators = generators_for(tables)
        play(tables, 20)
        ended = tables.controls["episodes"].sum()
        tracemalloc.start()
        large = 0
        for _ in range(150):
            tables.random_actions(generators)
            traced = tracemalloc.get_traced_memory()[0]
            tracemalloc.reset_peak()
            tables.step(tables.chosen)
            large += tracemalloc.get_traced_memory()[1] - traced >= 4096  # bytes of Python objects
        tracemalloc.stop()
        assert large <= 3
        assert tables.controls["episodes"].sum() > ended


def test_steps_fill_the_callers_arrays_in_place() -> None:
    rollout = np.zeros((3, 4, 1000), np.uint8)
    masks = np.zeros((4, 799), np.int8)
    tables, twin = Tables(4, buffers={"observations": rollout[0], "masks": masks}), Tables(4)
    tables.reset(seed=1)
    twin.reset(seed=1)
    for step in (1, 2):
        assert (rollout[step - 1] == twin.observations).all()
        assert (masks == twin.masks).all()
        tables.write_into(observations=rollout[step])
        actions = twin.random_actions(generators_for(twin)).copy()
        tables.step(actions)
        twin.step(actions)
    assert (rollout[2] == twin.observations).all()


@pytest.mark.parametrize(
    ("buffers", "error", "text"),
    [
        ({"observations": np.zeros((4, 999), np.uint8)}, ValueError, r"shape \(4, 1000\).*not of shape \(4, 999\)"),
        ({"observations": np.zeros((4, 1000), np.int8)}, TypeError, "uint8.*not of int8"),
        ({"masks": np.zeros((799, 4), np.int8).T}, ValueError, "C-contiguous.*strides"),
        ({"masks": [[0] * 799] * 4}, TypeError, "NumPy array.*not list"),
        ({"rewards": np.zeros((4, 4))}, TypeError, "float32.*not of float64"),
        ({"seats": np.broadcast_to(np.int64(0), (4,))}, ValueError, "seats must be"),
        ({"pictures": np.zeros(4)}, TypeError, "no buffer 'pictures'; there are observations, masks"),
    ],
)
def test_arrays_that_do_not_fit_are_refused(buffers: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        Tables(4, buffers=buffers)


def test_arrays_in_the_same_memory_are_refused() -> None:
    flags = np.zeros(4, np.bool_)
    with pytest.raises(ValueError, match="terminations and truncations share memory"):
        Tables(4, buffers={"terminations": flags, "truncations": flags})


def test_a_read_only_array_is_refused() -> None:
    masks = np.zeros((4, 799), np.int8)
    masks.flags.writeable = False
    with pytest.raises(ValueError, match="read-only"):
        Tables(4, buffers={"masks": masks})


# What is refused ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("illegal", [-1, 799, 2**40, 71])
def test_illegal_rows_are_named_and_stay_while_the_others_go_on(illegal: int) -> None:
    tables, twin = Tables(6), Tables(6)
    tables.reset(seed=1)
    twin.reset(seed=1)
    before = tables.states.copy()
    actions = np.zeros(6, np.int64)
    twin.step(actions)
    actions[[1, 4]] = illegal
    with pytest.raises(IllegalActions, match=r"illegal action in rows 1, 4 .*row 1: ") as caught:
        tables.step(actions)
    assert caught.value.rows.tolist() == [1, 4]
    assert caught.value.actions.tolist() == [illegal, illegal]
    assert tables.refused.tolist() == [False, True, False, False, True, False]
    for row in range(6):
        expected = before[row] if row in (1, 4) else twin.states[row]
        assert tables.states[row].tobytes() == expected.tobytes()
    assert tables.masks[1, 0] == 1  # still to draw
    tables.step(np.where(tables.masks[:, 0], 0, tables.masks.argmax(axis=1)))
    assert not tables.refused.any()


def test_illegal_rows_can_be_reported_only() -> None:
    tables = Tables(3, illegal="report")
    tables.reset(seed=1)
    tables.step([0, 5, 0])
    assert tables.refused.tolist() == [False, True, False]


@pytest.mark.parametrize(
    ("actions", "error", "text"),
    [
        (np.zeros(3, np.int64), ValueError, r"shape \(4,\), not \(3,\)"),
        (np.zeros((4, 1), np.int64), ValueError, r"not \(4, 1\)"),
        (0, ValueError, r"not \(\)"),
        (np.zeros(4), IllegalAction, "integer dtype, not float64"),
        (np.zeros(4, np.bool_), IllegalAction, "not bool"),
        ([0, True, 0, 0], IllegalAction, "not a list with truth values"),
        ([0, 0.7, 0, 0], IllegalAction, "not float64"),
    ],
)
def test_actions_of_the_wrong_kind_are_refused(actions: Any, error: type[Exception], text: str) -> None:
    tables = Tables(4)
    tables.reset(seed=1)
    before = everything(tables)
    with pytest.raises(error, match=text):
        tables.step(actions)
    assert everything(tables) == before


def test_step_comes_after_reset() -> None:
    with pytest.raises(RuntimeError, match="reset"):
        Tables(2).step([0, 0])
    with pytest.raises(ValueError, match="reset"):
        Tables(2).reset(rows=[0])


@pytest.mark.parametrize(
    ("arguments", "error", "text"),
    [
        ({"tables": 0}, ValueError, "at least one table, not 0"),
        ({"tables": []}, ValueError, "at least one table"),
        ({"tables": -3}, ValueError, "at least one table"),
        ({"tables": 2.5}, TypeError, "a number, or a sequence with a dict of options"),
        ({"tables": [{"num_players": 2}, 4]}, TypeError, "dict of options for each table"),
        ({"num_players": 5}, ValueError, "num_players must be 2, 3 or 4, not 5"),
        ({"rules": "whist"}, ValueError, "whist"),
        ({"colour": "red"}, TypeError, "Tables has no argument 'colour'; its arguments are tables, opponents, seat, "),
        (
            {"tables": [{"colour": "red"}]},
            TypeError,
            "a table has no option 'colour'; its options are reward, reward_scale, num_",
        ),
        ({"reward": "fame"}, ValueError, "reward must be one of 'margin', 'points', 'win', not 'fame'"),
        ({"opponents": "grandma"}, ValueError, "no opponent 'grandma'; compiled players are 'random'"),
        ({"opponents": 7}, TypeError, "a name, a player or a callable, not 7"),
        ({"opponents": []}, ValueError, "pool of opponents is empty"),
        ({"opponents": ("random", "random")}, ValueError, "a tuple of 2 opponents was given for a table of 2"),
        ({"opponents": "random", "seat": 2}, ValueError, "seat must be 0 to 1, 'rotating' or 'random', not 2"),
        ({"seat": 1}, ValueError, "needs opponents"),
        ({"threads": 0}, ValueError, "threads must be 1 to 1024"),
        ({"threads": 10**9}, ValueError, "threads must be 1 to 1024"),
        ({"autoreset": "later"}, ValueError, "one of 'NextStep', 'SameStep', 'Disabled', not 'later'"),
        ({"illegal": "ignore"}, ValueError, "'raise' or 'report', not 'ignore'"),
        ({"game": "bridge"}, ValueError, "no game 'bridge'"),
    ],
)
def test_what_does_not_exist_or_fit_is_refused(arguments: Any, error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        Tables(**{"tables": 2, **arguments})


@pytest.mark.parametrize("seed", [-1, 2**64, 1.5, True, "seven"])
def test_a_bad_seed_is_refused(seed: Any) -> None:
    with pytest.raises(ValueError, match="seed"):
        Tables(2).reset(seed=seed)


@pytest.mark.parametrize("rows", [[2], [-1], [0, 0], [0.5], [[0]]])
def test_rows_that_are_not_there_are_refused(rows: Any) -> None:
    tables = Tables(2)
    tables.reset(seed=1)
    for taken in (tables.reset, lambda rows: tables.restore(tables.snapshot([0]), rows)):
        with pytest.raises((TypeError, ValueError), match="row"):
            taken(rows=rows)
