"""Can a damaged record crash the process? Either it is refused, or it plays on with every index in range.

Records of real positions are corrupted, one byte or field or several. What the check lets pass is played on with random
moves; everything that reads a state is called, in a process in which compiled code checks each index
(`NUMBA_BOUNDSCHECK=1`). `--long` tries far more.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tables import any_table, small_table, walk

from banakil_env.core import engine
from banakil_env.core.checking import check_states
from banakil_env.core.game import MARGIN, POINTS, RUNNING, WIN
from banakil_env.core.kernels import GENERATOR, kernels_of
from banakil_env.core.views import full_states
from banakil_env.games import banakil
from banakil_env.games.banakil.hidden import suppose

GAME = banakil.GAME
TESTS = Path(__file__).resolve().parent
NUMBERS = GAME.state_fields.numbers
# Where a wrong number does most harm: what other numbers count, and what stands for a card, a meld or a phase.
LIKELY = [n for n in NUMBERS if n.name not in ("rng", "stock", "pile")]


def corrupted(rng: random.Random, states: Any) -> Any:
    """A copy of an array of one state with one to four bytes or numbers changed; often to values within bounds."""
    other = states.copy()
    cells = other.view(np.uint8)
    for _ in range(rng.choice((1, 1, 1, 2, 3, 4))):
        if rng.random() < 0.3:
            place = rng.randrange(len(cells))
            cells[place] = rng.choice((rng.randrange(256), int(cells[place]) ^ 1 << rng.randrange(8)))
            continue
        number = rng.choice(LIKELY if rng.random() < 0.8 else NUMBERS)
        kind, field = number.field.number, number.field
        at = number.offset + kind.itemsize * rng.randrange(number.count)
        value = cells[at : at + kind.itemsize].view(kind)
        if rng.random() < 0.5:
            value[0] = rng.randint(field.lowest, field.highest)
        elif rng.random() < 0.5:
            value[0] = min(max(int(value[0]) + rng.choice((-1, 1)), np.iinfo(kind).min), np.iinfo(kind).max)
        else:
            value[0] ^= kind.type(1) << kind.type(rng.randrange(8 * kind.itemsize - (kind.kind == "i")))
    if rng.random() < 0.2:  # swap two cards, and cards with what is empty: counts stay right
        one, two = rng.choice(("stock", "pile")), rng.choice(("stock", "pile"))
        i, j = rng.randrange(106), rng.randrange(106)
        other[0][one][i], other[0][two][j] = int(other[0][two][j]), int(other[0][one][i])
    return other


def play_on(rng: random.Random, states: Any, moves: int) -> None:
    """Random moves, and everything that reads a state at each of them; each state that follows passes the check."""
    kernels, generators = kernels_of(GAME), np.zeros(1, GENERATOR)
    generators["rng"] = rng.randrange(1 << 63)
    observations, mask = np.zeros(1, GAME.observation), np.zeros(GAME.num_actions, np.int8)
    columns, depths = np.zeros(GAME.features.width, np.float32), np.zeros(GAME.features.max_depth, np.uint8)
    rewards = np.zeros(4)
    for _ in range(moves):
        state = states[0]
        for seat in range(state.num_players):
            kernels.observe_one(states, seat, observations, mask)
            GAME.features.write(observations[0], observations.view(np.uint8), columns, depths)
            full_states(GAME, states, np.array([seat]))
        for kind in (MARGIN, POINTS, WIN):
            kernels.end_one(states, kind, rewards)
        seat = rng.randrange(int(state.num_players))
        other = states.copy()
        kernels.redeal_hidden_one(other, seat, np.uint64(rng.randrange(1 << 63)))
        check_states(GAME, other)
        text = banakil.to_text(state)
        assert banakil.from_text(text).tobytes() == states.tobytes(), text
        if engine.status(state) != RUNNING:
            return
        kernels.observe_one(states, seat, observations, mask)
        suppose(observations[0], np.uint64(rng.randrange(1 << 63)), other[0])
        check_states(GAME, other)
        kernels.observe_one(states, int(engine.seat_to_move(state)), observations, mask)
        legal = np.flatnonzero(mask)
        for act in (GAME.players["random"], GAME.players["greedy"]):
            assert act(observations[0], mask, generators[0]) in legal
        plays = [int(action) for action in legal if 71 <= action < 711]
        action = rng.choice(plays) if plays and rng.random() < 0.7 else int(rng.choice(list(legal)))
        assert kernels.apply_one(states, action) != -1, banakil.action_text(action)
        check_states(GAME, states)
    kernels.random_play(states, generators, 200, mask)
    check_states(GAME, states)


def fuzz(seed: int, count: int) -> tuple[int, int]:
    """How many corrupted records were refused, and how many played on."""
    rng = random.Random(seed)
    refused = played = 0
    while refused + played < count:
        options = any_table(rng) if rng.random() < 0.7 else small_table(rng)
        for state in walk(options, rng.randrange(1000), 60):
            if rng.random() < 0.7:
                continue
            whole = np.asarray(state).reshape(1)
            for _ in range(12):
                states = corrupted(rng, whole)
                if states.tobytes() == whole.tobytes():
                    continue
                try:
                    check_states(GAME, states)
                except banakil.BadState:
                    refused += 1
                    continue
                played += 1
                before = states.copy()
                try:
                    play_on(rng, states, 6)
                except Exception as error:
                    different = [n for n in GAME.state.names if np.any(before[n] != whole[n])]
                    print(f"{options}\nchanged: {different}\n{banakil.to_text(before[0])}", file=sys.stderr)
                    raise error
    return refused, played


def in_another_process(seed: int, count: int) -> tuple[int, int]:
    program = f"import test_banakil_states as t; print(t.fuzz({seed}, {count}))"
    path = os.pathsep.join([str(TESTS.parents[1]), str(TESTS)])
    variables = {**os.environ, "PYTHONPATH": path, "NUMBA_BOUNDSCHECK": "1"}
    run = subprocess.run([sys.executable, "-c", program], env=variables, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return eval(run.stdout)


def test_a_damaged_record_is_refused_or_plays_on_within_range(long: bool) -> None:
    refused, played = in_another_process(1, 200_000 if long else 3_000)
    assert played > refused / 20, (refused, played)  # or it would prove little


@pytest.mark.parametrize("melds", [36, 127, 255])
def test_a_number_of_melds_that_is_none_is_refused(melds: int) -> None:
    import pettingzoo

    import banakil_env  # noqa: F401  # registers the environments

    state = banakil.new(seed=0)
    state["num_melds"] = melds
    env = pettingzoo.make("aec", "rummy/banakil-v0")
    with pytest.raises(banakil.BadState, match=f"num_melds is {melds}, and lies from 0 to 35"):
        env.reset(options={"position": state})
