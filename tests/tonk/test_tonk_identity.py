"""Is a rule-based player, and a search, identified by what it does? Not by its source, and by every decision."""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from banakil_env.agents import search
from banakil_env.agents.search import SearchPlayer
from banakil_env.agents.supposed_deals import Deals
from banakil_env.arena import CompiledPlayer, behaviour
from banakil_env.arena.behaviour import Decisions, act_of, add_decisions, behaviour_of_player
from banakil_env.games import find
from banakil_env.games.tonk import greedy
from banakil_env.kit.plain_python import Interpreter

TONK = find("tonk")


@pytest.fixture(autouse=True)
def _few_games(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Plain Python plays these: 48 games, four of each table and preset."""
    with monkeypatch.context() as changed:
        changed.setattr(behaviour, "GAMES_OF_PLAYER", 48)
        behaviour._behaviour_of_player.cache_clear()
        yield
    behaviour._behaviour_of_player.cache_clear()
    search._behaviour_of.cache_clear()


def played(act: Callable[[Decisions], None]) -> str:
    """The digest of what a player does in the fixed games of Tonk."""
    found = hashlib.sha256()
    add_decisions(TONK, act, found)
    return found.hexdigest()


def source_played(*edits: tuple[str, str]) -> str:
    """The digest of Tonk's `greedy` after edits of its source: texts, and what stands in their place."""
    file = Path(greedy.__file__)
    source = file.read_text()
    for before, after in edits:
        assert before in source
        source = source.replace(before, after)
    module = ModuleType("banakil_env.games.tonk.edited")
    module.__file__ = str(file)
    exec(compile(source, "edited.py", "exec"), vars(module))
    decide, row = Interpreter({})(module.decide), module.PARAMETERS.starts[0]

    def act(asked: Decisions) -> None:
        for i, (observation, mask) in enumerate(zip(asked.observations, asked.masks)):
            asked.actions[i] = decide(observation, mask, row)

    return played(act)


COMPILED = act_of(TONK, TONK.kind_of("greedy"))


def test_a_refactored_player_is_the_same_player() -> None:
    renamed = "_after_turn", "_left_at_the_end"
    split = (
        "= _opening(mask, hand, runs, sets)",
        "= -1\n    low = runs\n    opening = _opening(mask, hand, low, sets)",
    )
    assert source_played(renamed, split) == played(COMPILED)


def test_a_player_that_decides_otherwise_is_another_player() -> None:
    draws_always = ("> values.gain / 100.0", "> 1e9")
    assert source_played(draws_always) != played(COMPILED)


@pytest.mark.parametrize("wanted", [0, 100, -1])
def test_every_decision_of_the_fixed_games_counts(wanted: int) -> None:
    """One decision among all, the first, the hundredth or the last, is another legal action."""

    def changed(place: int) -> tuple[str, int]:
        count = 0

        def act(asked: Decisions) -> None:
            nonlocal count
            COMPILED(asked)
            for row in np.flatnonzero(asked.masks.sum(1) > 1):
                if count == place:
                    asked.actions[row] = next(a for a in np.flatnonzero(asked.masks[row]) if a != asked.actions[row])
                count += 1

        return played(act), count

    same, decisions = changed(-1)
    assert same == played(COMPILED)
    assert changed(wanted % decisions)[0] != same


@pytest.mark.parametrize("name", TONK.players)
def test_a_player_is_asked_at_every_table_and_in_odd_positions(name: str) -> None:
    """Every table and preset is there, and in half of the games moves are made that are not the player's."""
    asked_at: set[bytes] = set()
    act, strays, before = act_of(TONK, TONK.kind_of(name)), 0, None

    def watch(asked: Decisions) -> None:
        nonlocal strays, before
        if before is not None:
            strays += int((before[0] != before[1]).sum())
        act(asked)
        before = asked.actions, asked.actions.copy()
        asked_at.update(bytes(record["rules"]) + bytes([record["num_players"]]) for record in asked.observations)

    played(watch)
    tables = {bytes(state["rules"]) + bytes([state["num_players"]]) for state in behaviour.fixed_tables(TONK, 48)}
    assert asked_at == tables
    assert strays > 20


def test_a_version_makes_another_player_where_the_games_show_nothing() -> None:
    raised = dataclasses.replace(TONK, player_versions={"greedy": 2})
    assert behaviour_of_player(raised, "greedy") != behaviour_of_player(TONK, "greedy")
    assert behaviour_of_player(raised, "random") == behaviour_of_player(TONK, "random")
    assert CompiledPlayer("greedy", TONK).identity().parts == {"behaviour": behaviour_of_player(TONK, "greedy")}


def search_digest() -> str:
    search._behaviour_of.cache_clear()
    return SearchPlayer("10", TONK).identity().digest


def test_a_search_is_another_player_if_it_supposes_or_chooses_otherwise(monkeypatch: pytest.MonkeyPatch) -> None:
    def other_deals(self: Deals, seen: Any, rng: np.random.Generator) -> None:
        rng.integers(0, 2)
        supposed(self, seen, rng)

    supposed, first = Deals.suppose, search_digest()
    assert search_digest() == first
    for owner, name, value in ((Deals, "suppose", other_deals), (search, "RACE_FROM", 2), (search, "VERSION", 2)):
        with monkeypatch.context() as changed:
            changed.setattr(owner, name, value)
            assert search_digest() != first, name
    assert search_digest() == first
