"""Is nothing ever lost? Millions of random moves, with every card counted after each of them.

The loop is compiled like the engine. It runs in this process over every preset, seating and any switches; in another
with each index checked (`NUMBA_BOUNDSCHECK=1`); and as plain Python in a third, where it must play the same games.
`--long` plays ten times as much.
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
from referee import Referee, pack_of
from tables import FIRST_DISCARD, FIRST_PLAY, TABLES, any_table, small_table

from banakil_env.core.bits import lowest, popcount
from banakil_env.core.engine import apply, legal_mask
from banakil_env.core.jit import compiled
from banakil_env.core.kernels import GENERATOR
from banakil_env.core.masks import list_legal
from banakil_env.core.random import random_below
from banakil_env.core.scratch import scratch_bytes
from banakil_env.games import banakil
from banakil_env.games.banakil.actions import NUM_ACTIONS
from banakil_env.games.banakil.faces import ACE, COPIES, JOKER, NUM_FACES, NUM_RANKS, TWO
from banakil_env.games.banakil.melds import ACES, is_set, joker_of, kind_of, naturals_of, owner_of, two_of
from banakil_env.games.banakil.state import MAX_MELDS, MAX_SEATS
from banakil_env.kit.rounds import start_episode
from banakil_env.kit.table_state import OVER

TESTS = Path(__file__).resolve().parent

FAULTS = (
    "none",
    "no legal move",
    "an action out of range",
    "a legal move was refused",
    "not the cards of the pack",
    "known cards are not in the hand",
    "the number of melds of a seat is wrong",
    "a cell that holds nothing is not zero",
    "a hand is empty, and the round goes on",
)
NO_FAULT, NO_MOVE, OUT_OF_RANGE, REFUSED, LOST_CARD, KNOWN, MELDS_OF, NOT_ZERO, EMPTY_HAND = range(len(FAULTS))


@compiled
def count_meld(meld: int, counts: Any) -> None:
    """Add the cards of a meld to the counts by face."""
    naturals = naturals_of(meld)
    for i in range(NUM_RANKS):
        if naturals >> i & 1:
            if is_set(meld):
                counts[i * NUM_RANKS + (ACE if kind_of(meld) == ACES else 0)] += 1
            else:
                counts[(kind_of(meld) - 1) * NUM_RANKS + i] += 1
    if two_of(meld):
        counts[TWO + two_of(meld) - 1] += 1
    counts[JOKER] += joker_of(meld)


@compiled
def find_fault(state: Any, pack: Any, counts: Any) -> int:
    """Whether every card of `pack` (a number a face) is where it should be; `counts` is room for NUM_FACES numbers."""
    for face in range(NUM_FACES):
        counts[face] = 0
    for seat in range(MAX_SEATS):
        one, two = state.hands[seat, 0], state.hands[seat, 1]
        size = popcount(one) + popcount(two)
        if two & ~one:
            return LOST_CARD
        if state.known[seat, 0] & ~one or state.known[seat, 1] & ~two:
            return KNOWN
        if seat < state.num_players and size == 0 and state.phase != OVER:
            return EMPTY_HAND
        while one:
            counts[lowest(one)] += 1
            one &= one - 1
        while two:
            counts[lowest(two)] += 1
            two &= two - 1
    for seat in range(MAX_SEATS):
        melds = 0
        for slot in range(state.num_melds):
            melds += owner_of(state.melds[slot]) == seat
        if melds != state.melds_of[seat]:
            return MELDS_OF
    for slot in range(MAX_MELDS):
        if slot < state.num_melds:
            count_meld(state.melds[slot], counts)
        elif state.melds[slot]:
            return NOT_ZERO
    for i in range(COPIES * NUM_FACES):
        if i < state.stock_size:
            counts[state.stock[i]] += 1
        elif state.stock[i]:
            return NOT_ZERO
        if i < state.pile_size:
            counts[state.pile[i]] += 1
        elif state.pile[i]:
            return NOT_ZERO
    for face in range(NUM_FACES):
        if counts[face] != pack[face]:
            return LOST_CARD
    return NO_FAULT


@compiled
def legal(state: Any, out: Any) -> int:
    """List the legal actions in `out`, ascending; returns their number."""
    mask = scratch_bytes(NUM_ACTIONS)
    legal_mask(state, mask)
    return list_legal(mask, out)


@compiled
def pick(generator: Any, scratch: Any, count: int, habit: int) -> int:
    """A legal action; the greater the habit (0..5), the rather one that plays to the table."""
    action = scratch[random_below(generator, count)]
    for _ in range(habit):
        if action < FIRST_PLAY or action >= FIRST_DISCARD:
            action = scratch[random_below(generator, count)]
    return action


@compiled
def fuzz(states: Any, generators: Any, moves: int, scratch: Any, pack: Any, counts: Any, tally: Any) -> int:
    """Play and check; the fault found, the state as it was then. `tally`: episodes ended, checksum of the play."""
    state, generator = states[0], generators[0]
    habit = random_below(generator, 6)
    for _ in range(moves):
        count = legal(state, scratch)
        if count <= 0:
            return NO_MOVE
        for i in range(count):
            if scratch[i] < 0 or scratch[i] >= scratch.shape[0]:
                return OUT_OF_RANGE
        action = int(pick(generator, scratch, count, habit))  # a narrow number in the interpreter
        tally[1] = (tally[1] * 31 + action * 7 + count) % 1_000_003
        if not apply(state, action):
            return REFUSED
        fault = find_fault(state, pack, counts)
        if fault != NO_FAULT:
            return fault
        if state.phase == OVER:
            if legal(state, scratch) != 0:
                return NO_MOVE
            tally[0] += 1
            start_episode(state)
            habit = random_below(generator, 6)
    return NO_FAULT


def pack_counts(state: Any) -> Any:
    """How many cards of each face the referee finds in the pack."""
    pack = pack_of(Referee(banakil.to_text(state)).rules)
    return np.array([pack.count(name) for name in banakil.FACES.names])


def play(options: dict[str, Any], seed: int, moves: int) -> tuple[int, int]:
    """How many episodes came to an end, and the checksum of the play."""
    states = np.asarray(banakil.new(**options, seed=seed)).reshape(1)
    generators = np.zeros(1, GENERATOR)
    generators["rng"] = seed
    tally = np.zeros(2, np.int64)
    scratch, counts = np.zeros(banakil.NUM_ACTIONS, np.int16), np.zeros(NUM_FACES, np.int64)
    fault = fuzz(states, generators, moves, scratch, pack_counts(states[0]), counts, tally)
    assert fault == NO_FAULT, f"{FAULTS[fault]}: {options}, seed {seed}\n{banakil.to_text(states[0])}"
    return int(tally[0]), int(tally[1])


def all_tables() -> list[dict[str, Any]]:
    """Every preset and seating, round and match, then forty of any switches, and twenty of smaller packs."""
    presets = [{**table, "episode": episode} for table in TABLES.values() for episode in ("round", "match")]
    switched = [any_table(random.Random(number)) for number in range(40)]
    small = [{"rules": "mini"}, {"rules": "single"}, *(small_table(random.Random(number)) for number in range(18))]
    return [*presets, *switched, *small]


def play_all(moves: int) -> list[tuple[int, int]]:
    """The tallies of all tables."""
    return [play(options, seed, moves) for seed, options in enumerate(all_tables())]


def in_another_process(moves: int, **settings: str) -> list[tuple[int, int]]:
    program = f"import test_fuzz; print(test_fuzz.play_all({moves}))"
    path = os.pathsep.join([str(TESTS.parents[1]), str(TESTS)])
    variables = {**os.environ, "PYTHONPATH": path, **settings}
    run = subprocess.run([sys.executable, "-c", program], env=variables, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    return eval(run.stdout)


@pytest.mark.parametrize("options", [pytest.param(options, id=str(i)) for i, options in enumerate(all_tables())])
def test_six_million_moves_and_every_card_is_there(options: dict[str, Any], long: bool) -> None:
    moves = 6_000_000 // len(all_tables()) * (10 if long else 1)
    episodes, _ = play(options, all_tables().index(options), moves)
    assert episodes > 0


def test_no_index_is_ever_out_of_bounds(long: bool) -> None:
    moves = 50_000 if long else 3_000
    assert in_another_process(moves, NUMBA_BOUNDSCHECK="1") == play_all(moves)


def test_the_interpreter_plays_the_same_games(long: bool) -> None:
    moves = 1_000 if long else 50
    assert in_another_process(moves, NUMBA_DISABLE_JIT="1") == play_all(moves)


def test_the_check_finds_a_fault_of_every_kind() -> None:
    """Or it would prove nothing."""
    state = banakil.from_text(
        "turn: seat 0, play\nmelds 0: 7h 8h 9h\nhand 0: 3c 4c\nhand 1: 5c 5c\nknown 0: 3c\npile: 9d"
    )
    room = np.zeros(NUM_FACES, np.int64)

    def fault_after(field: str, place: Any, change: int) -> str:
        other = np.asarray(state).reshape(1).copy()
        other[field][0][place] += change
        return FAULTS[find_fault(other[0], pack_counts(state), room)]

    assert FAULTS[find_fault(np.asarray(state).reshape(1).copy()[0], pack_counts(state), room)] == "none"
    assert fault_after("stock", 0, 1) == "not the cards of the pack"
    assert fault_after("pile", 0, 1) == "not the cards of the pack"
    assert fault_after("melds", 0, 1 << 9) == "not the cards of the pack"
    assert fault_after("known", (0, 0), 1 << 30) == "known cards are not in the hand"
    assert fault_after("melds_of", 1, 1) == "the number of melds of a seat is wrong"
    assert fault_after("pile", 5, 1) == "a cell that holds nothing is not zero"
