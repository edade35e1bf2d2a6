"""Does OpenSpiel find the same value and the same exploitability of an endgame as `banakil_env.suite.endgames`?"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import sequence_form_lp

from banakil_env.core.game import REWARDS
from banakil_env.core.kernels import kernels_of
from banakil_env.games import find
from banakil_env.kit.plain import Plain
from banakil_env.suite.endgames import Endgame, with_pile

YANIV = Plain(find("yaniv"))
POSITION = with_pile(
    "rules: denexa max_turns=4\nplayers: 2\nturns: 2\nturn: seat 0, play\nhand 0: 6c\nhand 1: 8c\nstock: 6s 2h\n",
    more="JK JK",
)


def lines_of(
    state: Any, pasts: tuple[tuple[Any, ...], ...], sets: list[dict[Any, int]], ends: Iterator[int]
) -> list[str]:
    """A tree as Gambit writes it; an information set is all that its seat saw and did, kept as it is."""
    if YANIV.is_over(state):
        rewards = np.zeros(2)
        kernels_of(YANIV.game).end_one(np.asarray(state).reshape(1), REWARDS["margin"], rewards)
        return [f't "" {next(ends)} "" {{ {rewards[0]} {rewards[1]} }}']
    seat, legal = YANIV.seat_to_move(state), YANIV.legal_actions(state)
    assert seat is not None
    seen = [(*past, YANIV.observe(state, each)["observation"].tobytes()) for each, past in enumerate(pasts)]
    number = sets[seat].setdefault(seen[seat], len(sets[seat]) + 1)
    found = [f'p "" {seat + 1} {number} "" {{ {" ".join(f"{chr(34)}{a}{chr(34)}" for a in legal)} }} 0']
    for action in legal:
        after = state.copy()
        YANIV.apply(after, action)
        then = tuple((*past, action) if each == seat else past for each, past in enumerate(seen))
        found += lines_of(after, then, sets, ends)
    return found


@pytest.fixture(scope="module")
def endgame() -> Endgame:
    return Endgame(YANIV.game, POSITION)


@pytest.fixture(scope="module")
def twin(endgame: Endgame) -> Any:
    """The same game in OpenSpiel's C++, walked here a second time."""
    deals = " ".join(f'"{number}" {1 / len(endgame.deals)!r}' for number in range(len(endgame.deals)))
    text = ['EFG 2 R "endgame" { "first" "second" } ""', f'c "" 1 "" {{ {deals} }} 0']
    sets: list[dict[Any, int]] = [{}, {}]
    ends = itertools.count(1)
    for deal in endgame.deals:
        text += lines_of(deal, ((), ()), sets, ends)
    return pyspiel.load_efg_game("\n".join(text) + "\n")


def test_the_value_is_that_of_linear_programming(endgame: Endgame, twin: Any) -> None:
    value = sequence_form_lp.solve_zero_sum_game(twin)[0]
    first, second = endgame.solve(2000)
    assert endgame.worst_case(0, first) == pytest.approx(value, abs=0.01)
    assert -endgame.worst_case(1, second) == pytest.approx(value, abs=0.01)


def test_the_exploitability_of_random_play_is_openspiels(endgame: Endgame, twin: Any) -> None:
    uniform = tuple(side.plan(side.matched(np.zeros(side.sequences))) for side in endgame.sides)
    assert endgame.exploitability((uniform[0], uniform[1])) == pytest.approx(
        pyspiel.exploitability(twin, pyspiel.UniformRandomPolicy(twin))
    )
