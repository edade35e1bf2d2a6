"""Does a damaged record of state that the check lets pass play on within range? A program, run in a process of its own.

    python fuzz_states.py GAME SEED COUNT

prints how many records were refused and how many played on. The process checks each index: as plain Python
(`NUMBA_DISABLE_JIT=1`), which compiles nothing, or compiled with `NUMBA_BOUNDSCHECK=1`, which is fast.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
from contract_play import Case, few_cases_of, plain_play, start
from fuzz_damage import corrupted

from banakil_env.core import engine
from banakil_env.core.checking import check_states
from banakil_env.core.game import MARGIN, POINTS, RUNNING, WIN, BadState
from banakil_env.core.kernels import GENERATOR, kernels_of
from banakil_env.core.views import encode_cards, full_states, open_cards

MOVES = 4  # played on from each record that is let pass


def fuzz(name: str, seed: int, count: int) -> tuple[int, int]:
    """How many records were refused, and how many played on."""
    dice = random.Random(f"{name} {seed}")
    refused = played = 0
    for case, whole in _positions(name, dice):
        for _ in range(12):
            states = corrupted(case.game, whole, dice)
            try:
                check_states(case.game, states)
            except BadState:
                refused += 1
                continue
            if states.tobytes() == whole.tobytes():
                continue
            played += 1
            before = states.copy()
            try:
                _play_on(case, states, dice)
            except Exception:
                different = [field for field in case.game.state.names or () if np.any(before[field] != whole[field])]
                print(f"{case}\nchanged: {different}\n{before.tobytes().hex()}", file=sys.stderr)
                raise
        if refused + played >= count:
            return refused, played
    raise AssertionError("positions never end")


def _positions(name: str, dice: random.Random) -> Iterator[tuple[Case, Any]]:
    """Positions of random play at the tables of a game, without end."""
    while True:
        case = dice.choice(few_cases_of(name))
        seed = dice.randrange(1 << 60)
        first = start(case, seed)
        yield case, first
        for state, *_ in plain_play(case, seed, dice.choice((20, 60, 200))):
            if dice.random() < 0.15:
                yield case, np.frombuffer(state, case.game.state).copy()


def _play_on(case: Case, states: Any, dice: random.Random) -> None:
    """Random moves, and all that reads a state before each of them; every state that follows passes the check."""
    game, kernels = case.game, kernels_of(case.game)
    mask = np.zeros(game.num_actions, np.int8)
    for _ in range(MOVES):
        _read(case, states, mask, dice)
        if engine.status(states[0]) != RUNNING:
            return
        kernels.observe_one(states, int(engine.seat_to_move(states[0])), np.zeros(1, game.observation), mask)
        action = dice.choice(np.flatnonzero(mask).tolist())
        assert kernels.apply_one(states, action) != -1, game.actions.text(action)
        check_states(game, states)


def _read(case: Case, states: Any, mask: Any, dice: random.Random) -> None:
    game, kernels, state = case.game, kernels_of(case.game), states[0]
    observations, other = np.zeros(1, game.observation), states.copy()
    depths = np.zeros(game.features.max_depth, np.uint8)
    seats = int(engine.num_seats(state))
    for seat in range(seats):
        kernels.observe_one(states, seat, observations, mask)
        for features in game.features.layouts:
            columns = np.zeros(features.width, np.float32)
            features.write(observations[0], observations.view(np.uint8), columns, depths)
    for kind in (MARGIN, POINTS, WIN):
        kernels.end_one(states, kind, np.zeros(game.max_seats))
    for seat in range(seats):
        full_states(game, states, np.array([seat]))
        encode_cards(game, observations.view(np.uint8).reshape(1, -1))
        open_cards(game, states, np.array([seat]))
    game.outcome(state)
    for viewer in (None, dice.randrange(seats)):
        game.scene(state, viewer)
    kernels.redeal_hidden_one(other, dice.randrange(seats), np.uint64(dice.randrange(1 << 63)))
    check_states(game, other)
    text = case.plain.to_text(state)
    assert case.plain.from_text(text).tobytes() == states.tobytes(), text
    if engine.status(state) == RUNNING:
        _ask(case, states, observations, mask, dice)


def _ask(case: Case, states: Any, observations: Any, mask: Any, dice: random.Random) -> None:
    """What the compiled players would do, and what a search supposes."""
    game, kernels = case.game, kernels_of(case.game)
    generators, other = np.zeros(1, GENERATOR), states.copy()
    generators["rng"] = dice.randrange(1 << 63)
    kernels.observe_one(states, int(engine.seat_to_move(states[0])), observations, mask)
    for act in game.players.values():
        assert mask[act(observations[0], mask, generators[0])]
    if game.search is not None:
        seed: Any = np.uint64(dice.randrange(1 << 63))  # compiled functions take seeds of this type
        engine.suppose(observations[0], seed, other[0])
        check_states(game, other)


if __name__ == "__main__":
    print(*fuzz(sys.argv[1], int(sys.argv[2]), int(sys.argv[3])))
