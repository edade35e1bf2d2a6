"""Is what the mask says what can be done, does every episode end, and is every state and observation within bounds?"""

from __future__ import annotations

import random

import numpy as np
import pytest
from contract_cases import each_case, each_game, each_of_few
from contract_play import Case, Episode, cards_of, cases_of, mask_of, mover, random_case, sampled, seen_by, start

from banakil_env.core.bounds import out_of_bounds
from banakil_env.core.checking import check_states, fault_of
from banakil_env.core.game import REWARDS, RUNNING, TERMINATED, TRUNCATED
from banakil_env.core.kernels import GENERATOR, ILLEGAL, OVER, kernels_of
from banakil_env.core.views import full_states
from banakil_env.envs.vector import Tables
from banakil_env.games import find

# Fields of an observation that may be the same in every position, by game, and why.
CONSTANT_FIELDS: dict[str, dict[str, str]] = {
    "gin": dict.fromkeys(("named", "num_players", "seen", "stock"), "common fields (kit.seen) that it has no use for"),
    "tonk": dict.fromkeys(
        ("banned", "opened", "in_one_turn", "seen", "stock"), "common fields (kit.seen) that it has no use for"
    ),
}

# Fields that random play seldom fills, with the reason.
RARE_FIELDS: dict[str, dict[str, str]] = {
    "tonk": {"named": "random players drop before two spreads lie there that take one card"},
    "hand_and_foot": {"answer": "few are ever in a position to go out"},
}

# Games that name a card by its meaning in the deal, so that only the number of cards stays the same, and why.
RENAMED_CARDS = {"hand": "each deal has other wild cards, which are called W"}


@each_case
def test_every_action_of_the_mask_is_accepted_and_every_other_leaves_no_trace(case: Case, long: bool) -> None:
    apply_one = kernels_of(case.game).apply_one
    for state in sampled(case, long)[::2]:
        mask, trial = mask_of(case.game, state), state.copy()
        accepted = [action for action in np.flatnonzero(mask == 0).tolist() if apply_one(trial, action) != ILLEGAL]
        assert not accepted, f"{case.game.actions.text(accepted[0])}\n{case.plain.to_text(state[0])}"
        assert trial.tobytes() == state.tobytes(), f"what is refused leaves a trace\n{case.plain.to_text(state[0])}"
        for action in np.flatnonzero(mask).tolist():
            trial = state.copy()
            assert apply_one(trial, action) != ILLEGAL, case.game.actions.text(action)
            assert trial.tobytes() != state.tobytes(), case.game.actions.text(action)


@each_case
def test_indices_beyond_the_table_are_refused(case: Case) -> None:
    state = start(case, case.seed)
    before = state.tobytes()
    for action in (-1, -(2**31), case.game.num_actions, 2**40):
        assert kernels_of(case.game).apply_one(state, action) == ILLEGAL
        assert state.tobytes() == before


@each_case
def test_the_mask_is_empty_after_the_end_and_never_before(case: Case, long: bool) -> None:
    for state in sampled(case, long):
        mask = mask_of(case.game, state)
        assert set(mask.tolist()) <= {0, 1}
        assert mask.any() == (mover(case, state) is not None)
        assert case.plain.legal_actions(state[0]) == np.flatnonzero(mask).tolist()
        assert case.plain.is_over(state[0]) == (mover(case, state) is None)


@each_case
def test_only_the_seat_to_move_has_a_mask(case: Case, long: bool) -> None:
    for state in sampled(case, long):
        for seat in range(case.num_players):
            expected = mask_of(case.game, state) if seat == mover(case, state) else np.zeros(case.game.num_actions)
            assert (seen_by(case.game, state, seat)[1] == expected).all()


@each_case
def test_every_episode_ends_within_its_limits(case: Case, long: bool) -> None:
    for number in range(200 if long else 3):
        episode = Episode(case, case.seed + number)
        state = episode.last[0]
        assert episode.length > 0, f"no legal action is left in seed {episode.seed}\n{case.plain.to_text(state)}"
        assert case.plain.is_over(state), f"no end after {episode.length} moves of seed {episode.seed}"
        rules, outcome = case.game.rules_of(state), case.game.outcome(state)
        assert outcome.turns <= getattr(rules, "max_turns", outcome.turns)
        assert outcome.rounds <= (getattr(rules, "max_rounds", outcome.rounds) if case.episode == "match" else 1)
        assert outcome.ending
        assert outcome.text
        assert set(outcome.marks) <= set(case.game.marks)


@each_case
def test_the_outcome_speaks_of_every_seat(case: Case, long: bool) -> None:
    for state in sampled(case, long):
        outcome = case.game.outcome(state[0])
        assert len(outcome.scores) == len(outcome.points) == case.num_players
        assert outcome.winner is None or 0 <= outcome.winner < case.num_players
        assert list(outcome.scores) == case.plain.scores(state[0])
        assert (outcome.ending != "") >= case.plain.is_over(state[0])


@each_game
def test_both_terminated_and_truncated_are_told_apart(name: str) -> None:
    """The status of a game says whether a limit of turns or rounds ended it; every table has one of the two."""
    found = set()
    for case in cases_of(name):
        state = Episode(case, case.seed).last
        status = kernels_of(case.game).end_one(state, REWARDS["margin"], np.zeros(case.game.max_seats))
        assert status in (TERMINATED, TRUNCATED)
        assert case.plain.is_truncated(state[0]) == (status == TRUNCATED)
        found.add(status)
    assert TERMINATED in found


@each_case
def test_every_state_is_sound(case: Case, long: bool) -> None:
    states = np.concatenate(sampled(case, long))
    check_states(case.game, states)
    for state in states[:3]:
        assert fault_of(case.game, np.asarray(state).reshape(1)) is None
        assert case.plain.check(state) is None
        assert case.plain.from_bytes(state.tobytes()).tobytes() == state.tobytes()


@each_case
def test_every_observation_lies_within_its_bounds_and_is_written_whole(case: Case, long: bool) -> None:
    fields = case.game.observation_fields
    for state in sampled(case, long):
        for seat in range(case.num_players):
            seen, _ = seen_by(case.game, state, seat)
            assert out_of_bounds(fields, seen[0]) is None
            again = np.zeros_like(seen)
            kernels_of(case.game).observe_one(state, seat, again, np.zeros(case.game.num_actions, np.int8))
            assert seen.tobytes() == again.tobytes(), "a cell of the observation is left as it was"


@each_case
def test_looking_changes_nothing(case: Case, long: bool) -> None:
    game = case.game
    for state in sampled(case, long)[::3]:
        before = state.tobytes()
        mask_of(game, state)
        for seat in range(case.num_players):
            seen_by(game, state, seat)
            game.scene(state[0], seat)
        case.plain.to_text(state[0])
        game.outcome(state[0])
        full_states(game, state, np.zeros(1, np.int64))
        if mover(case, state) is not None:
            assert game.texts.explain(state[0])
        assert state.tobytes() == before


@each_case
def test_the_full_state_begins_with_what_a_seat_sees(case: Case, long: bool) -> None:
    game = case.game
    assert next(iter(game.full_state.names or ())) == "observation"
    for state in sampled(case, long):
        for seat in range(case.num_players):
            full = full_states(game, state, np.array([seat]))
            assert (full.dtype, full.shape) == (np.uint8, (1, game.full_state.itemsize))
            assert full[0, : game.observation.itemsize].tobytes() == seen_by(game, state, seat)[0].tobytes()


@each_case
def test_every_card_is_always_somewhere(case: Case, long: bool) -> None:
    """The open scene holds the same cards at any time of an episode."""
    pack = cards_of(case.game.scene(start(case, case.seed)[0], None))
    assert None not in pack
    assert pack.total() > 0
    for state in sampled(case, long):
        cards = cards_of(case.game.scene(state[0], None))
        assert cards == pack or (case.name in RENAMED_CARDS and cards.total() == pack.total())


@each_of_few
def test_every_state_of_many_moves_is_sound(case: Case, long: bool) -> None:
    """Ten million moves of each game behind `--long`. The check of states counts the cards, and the scene once more."""
    pack = cards_of(case.game.scene(start(case, case.seed)[0], None))
    tables = Tables(64, game=case.game, autoreset="NextStep", threads=1, **case.options)
    tables.reset(seed=case.seed)
    for step in range(20_000 if long else 120):
        tables.step(tables.random_actions())
        check_states(case.game, tables.states)
        if step % 50 == 0:
            cards = cards_of(case.game.scene(tables.states[step % 64], None))
            assert cards == pack or (case.name in RENAMED_CARDS and cards.total() == pack.total())


@each_case
def test_one_seed_deals_one_game_and_another_seed_another(case: Case) -> None:
    deals = {start(case, seed).tobytes() for seed in (0, 1, 2, 2**63, 2**64 - 1)}
    assert len(deals) == 5
    assert start(case, 7).tobytes() == start(case, 7).tobytes()


@each_case
def test_the_next_episode_keeps_the_rules_and_deals_other_cards(case: Case) -> None:
    state = Episode(case, case.seed).last
    first = start(case, case.seed)
    kernels_of(case.game).start_next(state)
    assert case.game.rules_of(state[0]) == case.game.rules_of(first[0])
    assert state.tobytes() != first.tobytes()
    assert case.plain.legal_actions(state[0])
    assert case.plain.check(state[0]) is None


@each_case
def test_the_plain_game_answers_as_the_compiled_loop(case: Case) -> None:
    """What `apply_one` gives back is the seat to move, or that the episode is over."""
    state = Episode(case, case.seed).after(0)
    dice = np.random.default_rng(case.seed)
    for _ in range(60):
        legal = case.plain.legal_actions(state[0])
        answer = kernels_of(case.game).apply_one(state, int(dice.choice(legal)))
        assert answer == (OVER if case.plain.is_over(state[0]) else case.plain.seat_to_move(state[0]))
        if answer == OVER:
            break


@each_game
def test_every_field_of_the_observation_says_something(name: str, long: bool) -> None:
    """A field that is the same in every position tells a network nothing."""
    game, dice = find(name), random.Random(name)
    cases = [*cases_of(name), *(random_case(name, dice) for _ in range(60))]
    tables = Tables([case.options for case in cases], game=name, autoreset="NextStep", threads=1)
    tables.reset(seed=1)
    generators = np.zeros(len(cases), GENERATOR)
    generators["rng"] = np.arange(len(cases))
    lowest = highest = tables.observations[0].copy()
    for _ in range(20_000 if long else 1_500):
        lowest = np.minimum(lowest, tables.observations.min(axis=0))
        highest = np.maximum(highest, tables.observations.max(axis=0))
        tables.step(tables.random_actions(generators))
    constant = set()
    for number in game.observation_fields.numbers:
        cells = slice(number.offset, number.offset + number.count * number.field.number.itemsize)
        if (lowest[cells] == highest[cells]).all():
            constant.add(number.name)
    constant -= set(RARE_FIELDS.get(name, ()))
    assert constant == set(CONSTANT_FIELDS.get(name, ())) & set(game.observation_fields)


@pytest.mark.parametrize("reward", REWARDS)
@each_case
def test_rewards_come_at_the_end_alone(case: Case, reward: str, long: bool) -> None:
    for state in sampled(case, long):
        rewards = np.full(case.game.max_seats, 99.0)
        status = kernels_of(case.game).end_one(state, REWARDS[reward], rewards)
        if status == RUNNING:
            assert not rewards[: case.num_players].any()
