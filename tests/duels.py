"""Compiled players against each other, on every seat of the same deals: for tests of a game's players."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from banakil_env.core.engine import carry_out, legal_mask, observe, reward, seat_to_move, start
from banakil_env.core.game import MARGIN, Act, Game
from banakil_env.core.jit import INT, Entry, Library, written
from banakil_env.core.kernels import GENERATOR
from banakil_env.core.players import action_of_players

OWN, THEIRS, AHEAD, TURNS, ILLEGAL = range(5)  # the totals


class Duel(NamedTuple):
    """Means a deal: the points of the one player and of each other seat, the one's margin, and the turns of a round."""

    own: float
    theirs: float
    margin: float
    turns: float


def action_of(kind: int, observation: Any, mask: Any, dice: Any) -> int:
    """The players, bound below."""
    raise NotImplementedError


def _duel(states: Any, seen: Any, mask: Any, dice: Any, one: int, other: int, deals: int, totals: Any) -> None:
    """Play deals, player `one` on the seats by turns and player `other` on all others, and add up."""
    state, seats = states[0], states[0].num_players
    for deal in range(deals):
        seed: Any = np.uint64(deal // seats + 1000)  # compiled functions take seeds of this type
        start(state, seed)
        seat = seat_to_move(state)
        while seat >= 0:
            observe(state, seat, seen[0])
            legal_mask(state, mask)
            action = action_of(one if seat == deal % seats else other, seen[0], mask, dice[0])
            if not mask[action]:
                totals[ILLEGAL] += 1
                return
            carry_out(state, action)
            seat = seat_to_move(state)
        for each in range(seats):
            totals[OWN if each == deal % seats else THEIRS] += state.points[each]
        totals[AHEAD] += reward(state, deal % seats, MARGIN)
        totals[TURNS] += state.turns


@functools.cache
def _entry_of(game: Game, players: tuple[Act, ...]) -> Entry:
    """The loop with these players, compiled once for all of a game's duels and kept, as the game's own libraries."""
    declared = {
        "states": written(game.state, 1),
        "seen": written(game.observation, 1),
        "mask": written("i1", game.num_actions),
        "dice": written(GENERATOR, 1),
        "one": INT,
        "other": INT,
        "deals": INT,
        "totals": written("f8", 5),
    }
    asked = action_of_players(f"{game.name}_duels", players)
    return Library(f"{game.name}_duels").entry(_duel, declared, action_of=asked)


def duel(game: Game, players: Mapping[str, Act], one: str, other: str, deals: int, **options: Any) -> Duel:
    """Play one of these players against another; with the same players again, nothing is compiled again."""
    states, totals = game.new(**options), np.zeros(5)
    seen, mask = np.zeros(1, game.observation), np.zeros(game.num_actions, np.int8)
    seats, names = int(states[0].num_players), list(players)
    deals -= deals % seats
    play = _entry_of(game, tuple(players.values()))
    play(states, seen, mask, np.zeros(1, GENERATOR), names.index(one), names.index(other), deals, totals)
    assert not totals[ILLEGAL], "an illegal answer"
    return Duel(*(totals[:4] / [deals, deals * (seats - 1), deals, deals]).tolist())
