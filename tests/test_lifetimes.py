"""Does the declaration of a field say when it is cleared, and what a sound record is? In every game."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from contract_play import plain_of

from banakil_env.core.bounds import out_of_bounds
from banakil_env.core.fields import MATCH, ROUND, SEAT, TURN, Field, Fields
from banakil_env.core.game import BadState, Game
from banakil_env.core.jit import interpreted
from banakil_env.games import GAMES, find
from banakil_env.kit import rounds
from banakil_env.kit import table_state as T

# Written as a turn begins: by the melds of the seat to move; the seat whose turn it is while others are asked.
COMPUTED = {"banakil": {"in_one_turn"}, "contract": {"active"}, "kalooki": {"active"}}


def played(name: str, moves: int, seed: int) -> Any:
    """A state after random moves."""
    plain, dice = plain_of(name), random.Random(seed)
    state = plain.new(seed=seed, episode="match")
    for _ in range(moves):
        if plain.is_over(state):
            break
        plain.apply(state, dice.choice(list(plain.legal_actions(state))))
    return np.asarray(state).reshape(1).copy()


def filled(game: Game, states: Any, lives: str) -> Any:
    """A copy with all fields of this lifetime at their highest value, or at the lowest where that is their nothing."""
    other = states.copy()
    for name, field in game.state_fields.items():
        if field.lives == lives:
            other[name] = field.highest if field.highest != field.nothing else field.lowest
    return other


def is_nothing(field: Field, value: Any) -> bool:
    return bool(np.all(np.asarray(value) == field.nothing))


def changed(before: Any, after: Any) -> set[str]:
    return {name for name in before.dtype.names if before[name].tobytes() != after[name].tobytes()}


@pytest.mark.parametrize("name", GAMES)
def test_a_turn_begins_with_the_fields_of_a_turn_cleared_and_no_others(name: str) -> None:
    game = find(name)
    before = filled(game, played(name, 9, 4), TURN)
    after = before.copy()
    interpreted(T.begin_turn)(after[0], int(before[0].seat), int(before[0].phase))
    of_turn = {field.name for field in game.state_fields.values() if field.lives == TURN}
    assert changed(before, after) - COMPUTED.get(name, set()) == of_turn
    assert all(is_nothing(game.state_fields[field], after[field][0]) for field in of_turn)


@pytest.mark.parametrize("name", GAMES)
def test_a_round_begins_without_anything_of_the_round_before(name: str) -> None:
    """A deal after any round is the deal after none, from one state of the generator."""
    game, state = find(name), played(name, 30, 5)
    old, new = filled(game, filled(game, state, TURN), ROUND), state.copy()
    for each in game.state_fields.values():
        if each.lives in (TURN, ROUND):
            new[each.name] = each.nothing
    for states in (old, new):
        interpreted(rounds.deal_round)(states[0])
    assert changed(old, new) == set()


@pytest.mark.parametrize("name", GAMES)
def test_an_episode_begins_without_anything_of_the_one_before(name: str) -> None:
    game, state = find(name), played(name, 60, 6)
    old, new = state.copy(), plain_of(name).new(seed=1, episode="match").reshape(1).copy()
    for lives in (TURN, ROUND, MATCH):
        old = filled(game, old, lives)
    old["rng"] = new["rng"] = 7
    for states in (old, new):
        interpreted(rounds.start_episode)(states[0])
    assert changed(old, new) == set()


@pytest.mark.parametrize("name", GAMES)
def test_every_field_that_no_rule_or_option_sets_has_a_lifetime(name: str) -> None:
    kept = {"rng", "rules", "num_players", "episode", "partners", "dealer", "seat", "phase", "active"}
    fields = find(name).state_fields.values()
    assert {field.name for field in fields if not field.lives} <= kept | COMPUTED.get(name, set())


@pytest.mark.parametrize("name", GAMES)
def test_what_a_field_declares_is_refused_otherwise_by_its_name(name: str) -> None:
    """A seat that does not play, a cell that is not in use, a field of another phase."""
    game, plain, asked = find(name), plain_of(name), set()
    for moves in range(0, 24, 3):
        state = played(name, moves, moves)
        assert out_of_bounds(game.state_fields, state) is None
        for field in game.state_fields.values():
            for kind, wrong in misplaced(field, state):
                with pytest.raises(BadState, match=field.name):
                    plain.legal_actions(wrong[0])
                asked.add(kind)
    assert "a cell" in asked
    assert ("a seat" in asked) == (len(game.seats) > 1)


def misplaced(field: Field, state: Any) -> list[tuple[str, Any]]:
    """Copies of a state in which this field is not where it says, each with what is wrong."""
    found, other = [], field.lowest if field.highest == field.nothing else field.highest
    wrong = state.copy()
    if field.code == SEAT and int(state[0].num_players) + field.first <= field.highest and not field.shape:
        wrong[field.name] = int(state[0].num_players) + field.first
        found.append(("a seat", wrong))
    used = int(state[0][field.filled]) if field.filled else 0
    if field.filled and used < field.shape[0]:
        wrong = state.copy()
        wrong[field.name][0, used] = other
        found.append(("a cell", wrong))
    if field.absent_in >> int(state[0].phase) & 1:
        wrong = state.copy()
        wrong[field.name] = other
        found.append(("a phase", wrong))
    return found


def test_a_declaration_that_cannot_hold_is_an_error() -> None:
    with pytest.raises(ValueError, match="lives must be one of , turn, round, match, not 'day'"):
        Field("taken", "a card", lives="day")
    with pytest.raises(ValueError, match="absent is 9, but the bounds are 0 to 8"):
        Field("taken", "a card", 8, absent=9)


def test_what_is_cleared_is_what_the_fields_say() -> None:
    fields = Fields(
        Field("taken", "a card", 52, lives=TURN, absent=52),
        Field("seat", "a seat", 3),
        Field("winner", "a seat", 3, lowest=-1, lives=ROUND, absent=-1),
        Field("opened", "melds", 9, lives=TURN),
    )
    assert fields.cleared(TURN) == "taken=52 opened=0"
    assert fields.cleared(ROUND) == "winner=-1"
    assert fields.shown("") == ()
