"""Compares batches on a GPU with `Tables`, byte by byte, and measures both, in one prepared run for a borrowed card.

    python -m train.gpu.measure --games gin yaniv hand --out gpu.json     # on a machine with a CUDA card
    python -m train.gpu.measure --games yaniv --here --steps 20000        # the same comparison without a card

For each game, kernels are built and loaded. Then a million steps of random legal play are compared with `Tables`, once
with every seat played by the caller and once with a learner against `greedy`. Then steps per second are measured, with
mask and observation, and compared with `Tables` on one thread and on all threads. The file is written after every game,
so a run that is interrupted keeps the finished games.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

import numpy as np

from banakil_env.core import batch
from banakil_env.core.players import players_of
from banakil_env.envs.vector import Tables
from banakil_env.games import find
from train.gpu.devices import Card, Device, Here

GAMES = ("gin", "yaniv", "rummy", "hand", "canasta")
TABLES = 4096  # tables in the comparison
RUNS = 5


class Differs(AssertionError):
    """An array on the device differs from the array of `Tables`."""


class OnDevice:
    """A copy of a batch in the memory of a device, which is stepped there."""

    def __init__(self, tables: Tables, device: Device) -> None:
        self.device, self.num_tables, game = device, tables.num_tables, tables.game
        self.advance = players_of(game).advance
        self._arrays = {
            "states": tables.states,
            "controls": tables.controls,
            "dice": tables.dice,
            "opponents": tables._seating.choices,
            "numbers": np.zeros(self.num_tables, np.int64),
            "rows": np.arange(self.num_tables),
            "observations": tables.observations,
            "masks": tables.masks,
            "rewards": tables.rewards,
            "terminated": tables.terminations,
            "truncated": tables.truncations,
            "seats": tables.seats,
            "finals": tables.final_states,
        }
        self._generators = tables.generators
        self._at = {name: device.put(array) for name, array in self._arrays.items()}
        self._at["generators"] = device.put(tables.generators)
        choices = self._arrays["opponents"].shape[1]
        # An address of 0 means no histories.
        named = [self._at.get(name, 0) for name in list(self.advance.arguments)[2:]]
        sizes = {"tables": self.num_tables, "rows": self.num_tables, "choices": choices}
        self._step = [batch.ACT, batch.SAME_STEP, *named, *[sizes.get(size, 0) for size in self.advance.sizes]]
        chosen = self._at["masks"], self._at["generators"], self._at["numbers"]
        self._choose = [*chosen, self.num_tables, game.num_actions]

    def step(self) -> None:
        """Carry out a random legal action at every table."""
        self.device.launch(batch.choose_randomly, self._choose, self.num_tables)
        self.device.launch(self.advance, self._step, self.num_tables)

    def check(self, tables: Tables) -> None:
        """Raise Differs if an array on the device has other bytes than the array of `Tables`."""
        self.device.wait()
        now = {
            **{name: self._arrays[name] for name in ("masks", "rewards", "observations", "seats")},
            **{"states": tables.states, "controls": tables.controls, "dice": tables.dice},
            **{"terminated": tables.terminations, "truncated": tables.truncations, "finals": tables.final_states},
        }
        for name, expected in now.items():
            found = np.empty_like(expected)
            self.device.get(self._at[name], found)
            if found.tobytes() != expected.tobytes():
                rows = (found != expected).reshape(len(found), -1).any(axis=1)
                raise Differs(f"{name} differs in {int(rows.sum())} of {len(rows)} rows, first in {int(rows.argmax())}")

    def free(self) -> None:
        """Free the memory."""
        if isinstance(self.device, Card):
            self.device.free(list(self._at.values()))


def load(game: str, device: Device) -> float:
    """Load the kernels of a game; returns the seconds that it took."""
    begin = time.perf_counter()
    device.load([batch.choose_randomly])
    device.load([players_of(find(game)).advance])
    return time.perf_counter() - begin


def compare(game: str, device: Device, num_tables: int, steps: int, opponents: str | None) -> int:
    """Play random legal moves on the device and in `Tables`; returns the number of steps compared.

    Raises Differs if the two are not equal.
    """
    tables = Tables(num_tables, game=game, opponents=opponents, threads=1)
    tables.reset(seed=1)
    there = OnDevice(tables, device)
    rounds = max(1, steps // num_tables)
    for number in range(1, rounds + 1):
        tables.step(tables.random_actions())
        there.step()
        if number % 10 == 0 or number == rounds:
            there.check(tables)
    there.free()
    return rounds * num_tables


def speed_there(game: str, device: Device, num_tables: int, steps: int) -> float:
    """Steps per second on the device, median of RUNS runs."""
    tables = Tables(num_tables, game=game)
    tables.reset(seed=1)
    there, found = OnDevice(tables, device), []
    for run in range(1 + RUNS):
        begin = time.perf_counter()
        for _ in range(steps):
            there.step()
        device.wait()
        found.append(num_tables * steps / (time.perf_counter() - begin))
        if not run:
            found.clear()  # discard the first run, which warms up
    there.free()
    return float(np.median(found))


def speed_here(game: str, num_tables: int, steps: int, threads: int | None) -> float:
    """Steps per second of `Tables`, median of RUNS runs."""
    tables = Tables(num_tables, game=game, threads=threads)
    tables.reset(seed=1)
    found = []
    for _ in range(1 + RUNS):
        begin = time.perf_counter()
        for _ in range(steps):
            tables.step(tables.random_actions())
        found.append(num_tables * steps / (time.perf_counter() - begin))
    return float(np.median(found[1:]))


def of_game(game: str, device: Device, wanted: argparse.Namespace) -> dict[str, Any]:
    """All comparisons and measurements of a game."""
    said: dict[str, Any] = {"game": game, "device": device.name, "seconds to build": load(game, device)}
    num_tables = min(TABLES, wanted.steps)
    said["steps compared"] = [compare(game, device, num_tables, wanted.steps, each) for each in (None, "greedy")]
    if isinstance(device, Card):
        sizes = [size for size in (2**14, 2**17, 2**19) if size <= wanted.tables]
        said["steps per second there"] = {size: speed_there(game, device, size, 50) for size in sizes}
        said["steps per second, one thread"] = speed_here(game, TABLES, 50, 1)
        said["steps per second, all threads"] = speed_here(game, 2**16, 20, None)
    return said


def main(words: list[str] | None = None) -> None:
    """Run the command."""
    parser = argparse.ArgumentParser(description="Compare and measure batches on a GPU.")
    parser.add_argument("--games", nargs="+", default=list(GAMES))
    parser.add_argument("--steps", type=int, default=1_000_000, help="to compare, of each seating")
    parser.add_argument("--tables", type=int, default=2**19, help="the largest batch that is measured")
    parser.add_argument("--here", action="store_true", help="compare on this processor, and measure nothing")
    parser.add_argument("--out", type=Path)
    wanted = parser.parse_args(words)
    device: Device = Here() if wanted.here else Card()
    rows = []
    for game in wanted.games:
        try:
            rows.append(of_game(game, device, wanted))
        except (Differs, RuntimeError) as error:
            rows.append({"game": game, "device": device.name, "failed": str(error)})
        print(json.dumps(rows[-1]), flush=True)
        if wanted.out is not None:
            wanted.out.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    if any("failed" in row for row in rows):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
