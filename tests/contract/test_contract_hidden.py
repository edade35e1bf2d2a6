"""Does any seat see what is hidden from it? Hidden cards are dealt again, and its view must stay the same.

A test that something hidden does change goes with it, or the rest would prove nothing.
"""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
from contract_cases import each_case, each_of_few
from contract_play import Case, as_bytes, cards_of, forms_of, make_aec, mover, sampled, seen_by, start

from banakil_env.core.encoding import encode
from banakil_env.core.kernels import kernels_of
from banakil_env.core.random import seed_word
from banakil_env.text.observed import supposed


def redealt(case: Case, state: Any, seat: int, seed: int) -> Any:
    """The state with the hidden cards of a seat dealt again, an array of one."""
    other = state.copy()
    kernels_of(case.game).redeal_hidden_one(other, seat, seed_word(seed))
    return other


def pairs(case: Case, long: bool, every: int = 1) -> Any:
    """Sampled states (one in `every`), each seat, and the state with its hidden cards dealt again."""
    for number, state in enumerate(sampled(case, long)[::every]):
        for seat in range(case.num_players):
            yield state, seat, redealt(case, state, seat, number)


@each_case
def test_hidden_cards_dealt_anew_leave_observation_and_mask_the_same(case: Case, long: bool) -> None:
    for state, seat, other in pairs(case, long):
        before, after = seen_by(case.game, state, seat), seen_by(case.game, other, seat)
        if before[0].tobytes() != after[0].tobytes():
            names = case.game.observation_fields
            raise AssertionError(
                f"seat {seat} sees {[name for name in names if (before[0][name] != after[0][name]).any()]}"
            )
        assert (before[1] == after[1]).all()


@each_case
def test_a_scene_shows_a_seat_nothing_hidden(case: Case, long: bool) -> None:
    for state, seat, other in pairs(case, long, every=3):
        assert case.game.scene(state[0], seat) == case.game.scene(other[0], seat)


@each_case
def test_something_hidden_does_change(case: Case, long: bool) -> None:
    """For every seat, in some position: the open scene shows other cards."""
    changed = set()
    for number, state in enumerate(sampled(case, long)[::3]):
        opened = case.game.scene(state[0], None)
        for seat in set(range(case.num_players)) - changed:
            others = [redealt(case, state, seat, 100 * number + seed) for seed in range(4)]
            if any(case.game.scene(other[0], None) != opened for other in others):
                changed.add(seat)
    assert changed == set(range(case.num_players))


@each_case
def test_what_is_dealt_anew_is_a_sound_table_of_the_same_cards(case: Case, long: bool) -> None:
    for state, _seat, other in pairs(case, long, every=4):
        assert case.plain.check(other[0]) is None
        assert cards_of(case.game.scene(other[0], None)) == cards_of(case.game.scene(state[0], None))
        assert mover(case, other) == mover(case, state)
        assert case.game.outcome(other[0]) == case.game.outcome(state[0])
        assert case.game.rules_of(other[0]) == case.game.rules_of(state[0])
        assert case.plain.is_over(other[0]) or case.plain.legal_actions(other[0])


@each_case
def test_one_seed_deals_hidden_cards_in_one_way(case: Case) -> None:
    state = start(case, case.seed)
    for seat in range(case.num_players):
        assert redealt(case, state, seat, 5).tobytes() == redealt(case, state, seat, 5).tobytes()
        assert case.plain.redeal_hidden(state[0], seat, 5).tobytes() == redealt(case, state, seat, 5).tobytes()
    assert state.tobytes() == start(case, case.seed).tobytes()


@each_of_few
def test_hidden_cards_dealt_anew_leave_every_form_of_observation_the_same(case: Case, long: bool) -> None:
    """Bytes, dict and features, as far as the environment has them."""

    def make(**options: Any) -> Any:
        return make_aec(case.name, **case.options, **options)

    for form in forms_of(make):
        envs = make(**form), make(**form)  # neither has ever shown what the other one does
        for state, seat, other in pairs(case, long, every=2):
            if mover(case, state) is None:  # such a position cannot be begun from
                continue
            seen = []
            for env, each in zip(envs, (state, other)):
                env.reset(options={"position": each[0]})
                agent = env.possible_agents[seat]
                seen.append(env.observe(agent))
                assert env.observation_space(agent).contains(seen[-1])
            assert as_bytes(seen[0]) == as_bytes(seen[1]), f"{form}, seat {seat}"


@each_case
def test_the_feature_columns_are_finite_and_take_nothing_but_the_observation(case: Case, long: bool) -> None:
    states = sampled(case, long)[:4]
    for features, state, seat in itertools.product(case.game.features.layouts, states, range(case.num_players)):
        seen, _ = seen_by(case.game, state, seat)
        written = []
        for rubbish in (np.nan, 7.0):  # what lies in the arrays before is written over
            columns = np.full((1, features.width), rubbish, np.float32)
            depths = np.full((1, features.max_depth), 77, np.uint8)
            encode(case.game, seen.view(np.uint8)[None], columns, depths, features=features)
            written.append((columns.tobytes(), depths.tobytes()))
            assert np.isfinite(columns).all()
            assert (depths <= features.no_face).all()
        assert written[0] == written[1]


@each_case
def test_what_a_search_supposes_agrees_with_what_is_seen(case: Case, long: bool) -> None:
    """A whole state in which seat 0 is the one who sees; it sees the same there."""
    if case.game.search is None:
        return
    for state in sampled(case, long)[::5]:
        if mover(case, state) is None:
            continue
        for seat in range(case.num_players):
            seen, _ = seen_by(case.game, state, seat)
            state_of_search = supposed(case.game, seen.view(np.uint8), seed=3)
            assert case.plain.check(state_of_search) is None
            assert seen_by(case.game, np.asarray(state_of_search).reshape(1), 0)[0].tobytes() == seen.tobytes()
            assert cards_of(case.game.scene(state_of_search, None)) == cards_of(case.game.scene(state[0], None))
