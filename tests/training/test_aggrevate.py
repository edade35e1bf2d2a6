"""Does the trainer that tries other actions learn what they bring? What is tried, what it brought, what is fitted."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from test_train import AGGREVATE

import train  # first, for what it asks of PyTorch's threads  # noqa: F401
from banakil_env.arena.players import CompiledPlayer
from banakil_env.core.playouts import outcomes
from banakil_env.games import find
from banakil_env.kit.plain import Plain
from train.aggrevate import OWN, AggrevateRun
from train.config import REWARD_SCALE, ConfigError, Trials, with_

banakil = Plain(find("banakil"))

torch = pytest.importorskip("torch")


def run_of(tmp_path, **changes):
    changes = {name.replace("__", "."): value for name, value in changes.items()}
    return AggrevateRun(with_(AGGREVATE, {"rollout.tables": 24, **changes}), tmp_path)


def states_of(run):
    return np.concatenate([batch.states for batch in run.tables])


def ends(states, players, scale, **how):
    out = np.zeros((len(states), banakil.game.max_seats), np.float32)
    outcomes(banakil.game, states, np.arange(len(states)), players, "margin", out, **how)
    return out * np.float32(scale)


def seated(run):
    """Who plays in playouts: `greedy` at its own seats, `expert` at all others."""
    kinds = banakil.game.kinds
    played = np.concatenate([batch.controls["players"] for batch in run.tables])
    return np.where(played == kinds["greedy"], kinds["greedy"], kinds["expert"])


@pytest.mark.parametrize("table", [{}, {"num_players": 3}, {"num_players": 4, "rules": "jawaker"}], ids=str)
def test_a_trial_gains_what_its_playout_ends_with_less_that_of_the_advised_action(tmp_path, table):
    changes = {f"table__{name}": value for name, value in table.items()}
    run = run_of(tmp_path, rollout__steps=1, trials__others=2, **changes)
    torch.nn.init.constant_(run.network.trust.bias, -1.0)  # it departs from what is advised
    found = [0, 0, 0]
    for _ in range(25):
        before = states_of(run)
        run.roll_out()
        rows, seats = np.arange(len(before)), run.rollout.seats[0]
        for which in range(3):
            actions, after = run.rollout.actions(0, run.tried[which, 0]), before.copy()
            for row, action in enumerate(actions):
                banakil.apply(after[row], int(action))
            gains = (ends(after, "expert", REWARD_SCALE) - ends(before, "expert", REWARD_SCALE))[rows, seats]
            tried = ~np.isnan(run.gains[which, 0])
            np.testing.assert_allclose(run.gains[which, 0][tried], gains[tried], atol=1e-6)
            assert not (tried & (actions == run.rollout.advice[0])).any()
            found[which] += int(tried.sum())
    assert min(found) > 50


MATCH = {
    "table__game": "gin",
    "table__rules": "common",
    "table__episode": "match",
    "trials__rules": "game_bonus=0 shutout=no line_bonus=12",
}


@pytest.mark.parametrize("orders", [0, 2])
def test_a_trial_of_a_match_ends_with_its_round(tmp_path, orders):
    """The forecast: the scores so far, what the round brings, and twelve points for each round won."""
    gin = find("gin")
    run = run_of(tmp_path, rollout__steps=1, pool__players=["self"], trials__orders=orders, **MATCH)
    torch.nn.init.constant_(run.network.trust.bias, -1.0)
    tried = later = 0
    for _ in range(60 if orders else 120):
        before = states_of(run)
        run.roll_out()
        assert (states_of(run)["rules"]["line_bonus"] == 25).all()
        wanted = ~np.isnan(run.gains[:, 0]).all(0)
        tried, later = tried + int(wanted.sum()), later + int((wanted & (before["rounds"] > 0)).sum())
        if orders:
            continue
        for row in np.flatnonzero(wanted)[:3]:
            after = played_to_the_end_of_the_round(gin, before[row : row + 1].copy())
            if after is None:
                continue
            seat = run.rollout.seats[0, row]
            worth = after["scores"].astype(int) + 12 * after["boxes"].astype(int)
            np.testing.assert_allclose(run.expected[0, row] / REWARD_SCALE, worth[seat] - worth[1 - seat], atol=1e-3)
    assert tried > 300
    assert orders or later


def played_to_the_end_of_the_round(game, states):
    """The match after `expert` has played its round out; None: the scores are level then, or the match is over."""
    plain, dice, rounds = Plain(game), np.zeros(1, np.uint64), int(states["rounds"][0])
    expert = CompiledPlayer("expert", game)
    while states["rounds"][0] == rounds and not plain.is_over(states[0]):
        seen = plain.observe(states[0], plain.seat_to_move(states[0]))
        plain.apply(states[0], int(expert.act(seen["observation"][None], seen["action_mask"][None], dice)[0]))
    level = states["scores"][0, 0] == states["scores"][0, 1]
    return None if plain.is_over(states[0]) or level else states[0]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({**MATCH, "trials__rules": "lone_bonus=1"}, "trials.rules: .*lone_bonus"),
        ({**MATCH, "trials__rules": "deals=1"}, "switches other than 'deals'.*not 'deals=1'"),
        ({**MATCH, "trials__rules": "openspiel line_bonus=1"}, "trials.rules"),
        ({**MATCH, "table__episode": "round"}, "for gin with the episode 'round'"),
        ({**MATCH, "table__game": "yaniv", "table__rules": "denexa", "trials__rules": "call_limit=3"}, "for yaniv"),
    ],
    ids=["no such switch", "the number of rounds", "a preset", "single rounds", "matches without a number of rounds"],
)
def test_rules_of_trials_that_do_not_fit_are_refused(tmp_path, changes, said):
    with pytest.raises(ConfigError, match=said):
        run_of(tmp_path, **changes)


def test_an_action_that_is_drawn_again_is_tried_once(tmp_path):
    run = run_of(tmp_path, rollout__steps=20, trials__others=5, trials__heat=100.0)
    torch.nn.init.constant_(run.network.trust.bias, -1.0)
    run.roll_out()
    drawn, tried = run.tried.reshape(6, -1), ~np.isnan(run.gains.reshape(6, -1))
    advised = np.stack([run.rollout.place_of(step, run.rollout.advice[step]) for step in range(20)]).reshape(-1)
    for row in range(drawn.shape[1]):
        places = drawn[tried[:, row], row]
        assert len(set(places)) == len(places)
        assert set(places) == set(drawn[:, row]) - {advised[row]}
    assert (tried.sum(0) > 3).any()


def test_the_advised_action_brings_nothing_so_that_it_need_not_be_tried(tmp_path):
    run = run_of(tmp_path, rollout__steps=1)
    for _ in range(10):
        before = states_of(run)
        run.roll_out()
        after = before.copy()
        for row, action in enumerate(run.rollout.advice[0]):
            banakil.apply(after[row], int(action))
        np.testing.assert_array_equal(ends(after, "expert", 1), ends(before, "expert", 1))


def test_who_follows_its_advice_departs_never_and_tries_nothing(tmp_path):
    run = run_of(tmp_path)
    torch.nn.init.constant_(run.network.trust.bias, 1000.0)
    run.roll_out()
    assert np.isnan(run.gains).all()
    before = {name: weights.clone() for name, weights in run.network.state_dict().items()}
    run.update()  # there is nothing to learn from
    assert all(torch.equal(before[name], weights) for name, weights in run.network.state_dict().items())


POOLS = [["self"], ["self", "expert"], ["greedy"], ["self", "expert", "greedy"], ["greedy", "random"]]


@pytest.mark.parametrize("players", POOLS, ids=str)
def test_what_is_foreseen_stays_true_whoever_sits_there(tmp_path, players):
    run = run_of(tmp_path, pool__players=players)
    torch.nn.init.constant_(run.network.trust.bias, -1.0)
    for _ in range(2):
        run.roll_out()
        np.testing.assert_array_equal(run.forecasts, ends(states_of(run), seated(run), REWARD_SCALE))
    assert ("greedy" in players) == (seated(run) == banakil.game.kinds["greedy"]).any()


def test_gains_are_means_over_orders_of_the_stock(tmp_path):
    """The same orders with and without the action that is tried; new ones at each step."""
    run = run_of(tmp_path, rollout__steps=1, trials__orders=3, pool__players=["self", "greedy"])
    torch.nn.init.constant_(run.network.trust.bias, -1.0)
    orders, found = [], 0
    for _ in range(6):
        before, players = states_of(run), seated(run)
        run.roll_out()
        rows, seats = np.arange(len(before)), run.rollout.seats[0]
        how = {"orders": 3, "seeds": run._orders}
        forecasts = ends(before, players, REWARD_SCALE, **how)
        some = ~np.isnan(run.gains[:, 0]).all(0)
        np.testing.assert_allclose(run.expected[0][some], forecasts[rows, seats][some], atol=1e-6)
        actions, tried = run.rollout.actions(0, run.tried[OWN, 0]), ~np.isnan(run.gains[OWN, 0])
        after = ends(before, players, REWARD_SCALE, moves=actions, **how)
        np.testing.assert_allclose(run.gains[OWN, 0][tried], (after - forecasts)[rows, seats][tried], atol=1e-6)
        orders.append(run._orders.copy())
        run._steps += 24
        found += int(tried.sum())
    assert found > 20
    assert len(np.unique(orders)) == 6 * 24


def test_what_is_learned_from_is_counted_in_units(tmp_path):
    runs = [run_of(tmp_path / str(unit), reward__unit=unit) for unit in (1.0, 5.0)]
    for run in runs:
        torch.manual_seed(7)  # so that both try the same actions
        run.roll_out()
    assert np.abs(runs[0].forecasts).max() > 0
    np.testing.assert_allclose(runs[0].forecasts, 5 * runs[1].forecasts, rtol=1e-5)
    np.testing.assert_allclose(runs[0].gains[:, 0], 5 * runs[1].gains[:, 0], rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("points", [6.0, -6.0])
def test_logits_come_to_what_actions_bring(tmp_path, points):
    """If whatever is tried brings 6 points, nothing is advised well; if it costs 6, everything is; less the margin."""
    asked = {"trials__heat": 100.0, "trials__margin": 4.0}
    run = run_of(tmp_path, optimizer__learning_rate=0.02, optimizer__epochs=60, **asked)
    run.roll_out()
    run.gains[~np.isnan(run.gains)] = points * REWARD_SCALE
    run.update()
    _, logits, _ = run.judged(0)
    data = run.rollout
    advised = (data.moves[0] == data.advice[0][:, None])[:, : logits.shape[1]]
    several = data.lengths[0] > 1
    others = (logits.detach().numpy() - logits.detach().numpy()[advised][:, None])[several]
    others = others[(data.moves[0][:, : logits.shape[1]][several] >= 0) & ~advised[several]]
    assert np.median(others) == pytest.approx(points - 4, abs=1.5)


def test_the_value_foresees_how_the_player_of_the_trials_ends(tmp_path):
    run = run_of(
        tmp_path, optimizer__learning_rate=0.01, optimizer__epochs=150, optimizer__value_weight=10.0, rollout__steps=8
    )
    run.roll_out()
    run.update()
    values = np.concatenate([run.judged(step)[2].detach().numpy() for step in range(8)])
    assert np.corrcoef(values, np.concatenate(run.expected[:8]))[0, 1] > 0.25  # by luck once in 2,000 runs


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"network.advice": None}, "set network.advice to 'expert'"),
        ({"pool.players": ["self", "past"]}, r"leave 'past' out of pool\.players \(now self, past\)"),
        ({"trials.player": "greedy"}, "set network.advice to 'greedy'"),
        ({"imitation.decisions": 5}, "imitation.decisions to 0"),
    ],
    ids=str,
)
def test_what_it_cannot_do_is_said(tmp_path, changes, said):
    with pytest.raises(ConfigError, match=said):
        AggrevateRun(with_(AGGREVATE, changes), tmp_path)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"player": "random"}, r"trials\.player: there is no 'random'; there are greedy, expert"),
        ({"heat": -1.0}, r"trials\.heat must be a number from 0\.001"),
        ({"margin": -0.5}, r"trials\.margin must be a number from 0 to"),
        ({"others": -1}, r"trials\.others must be a number from 0 to"),
    ],
    ids=str,
)
def test_trials_that_are_none_are_refused(changes, said):
    with pytest.raises(ConfigError, match=said):
        dataclasses.replace(AGGREVATE, trials=dataclasses.replace(Trials(), **changes))
