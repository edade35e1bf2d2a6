"""Are kernels what the library is? Assembled for a GPU, and compared with `Tables` on this processor."""

from __future__ import annotations

import ctypes.util
import json
import shutil
from pathlib import Path

import numba
import numpy as np
import pytest

from banakil_env.core import batch
from banakil_env.core.jit import Library, read, rows_of, written
from banakil_env.core.kernels import kernels_of
from banakil_env.core.targets import gpu_kernels
from banakil_env.games import find
from train.gpu import measure
from train.gpu.devices import Card, Here, assembled, ptxas

pytestmark = pytest.mark.skipif(bool(numba.config.DISABLE_JIT), reason="nothing is compiled")

needs_linker = pytest.mark.skipif(shutil.which("cc") is None, reason="there is no linker")
needs_ptxas = pytest.mark.skipif(ptxas() is None, reason="there is no ptxas: pip install nvidia-cuda-nvcc")


@needs_ptxas
def test_kernels_are_assembled_for_a_gpu() -> None:
    """Of the loops of a game's tables, and of the random choices: each entry is a kernel."""
    tables = kernels_of(find("yaniv"))
    for entries in ([tables.look_many, tables.move_many], [batch.choose_randomly]):
        text = gpu_kernels(entries, "sm_90")
        assert text.count(b".visible .entry") == len(entries)
        code = assembled(text, "sm_90")
        assert code is not None
        assert all(entry.kernel.encode() in code for entry in entries)


@needs_ptxas
def test_the_step_of_a_batch_is_assembled_for_a_gpu(long: bool) -> None:
    """With all compiled players. Every game with --long; minutes of compiling."""
    if not long:
        pytest.skip("--long: a minute for each game")
    for name in measure.GAMES:
        advance = measure.players_of(find(name)).advance
        assert assembled(gpu_kernels([advance], "sm_90"), "sm_90")


@needs_linker
def test_batches_by_kernels_are_those_of_tables(tmp_path: Path) -> None:
    """The same code as for a GPU, compiled for this processor: every array, byte by byte."""
    out = tmp_path / "gpu.json"
    measure.main(["--games", "yaniv", "--here", "--steps", "2000", "--out", str(out)])
    [row] = json.loads(out.read_text(encoding="utf-8"))
    assert row["steps compared"] == [2000, 2000]


TABLE = np.frombuffer(b"@a.b$c@d.", np.uint8)  # in LLVM's text its bytes look like a name


def _look_up(values: np.ndarray) -> None:
    for i in range(values.shape[0]):
        values[i] = TABLE[values[i] % 9]


@needs_linker
def test_tables_of_bytes_are_the_same_in_kernels() -> None:
    device = Here()
    look_up = Library("kernels_of_a_table").entry(_look_up, {"values": written("i8", "n")})
    device.load([look_up])
    values = np.arange(9)
    at = device.put(values)
    device.launch(look_up, [at, 9], 9)
    device.get(at, values)
    assert values.astype(np.uint8).tobytes() == TABLE.tobytes()


def _add(states: np.ndarray, rows: np.ndarray, weights: np.ndarray) -> None:
    for k in range(rows.shape[0]):
        for j in range(weights.shape[1]):
            states[rows[k]] += weights[rows[k], j]


def _double(values: np.ndarray) -> None:
    for i in range(values.shape[0]):
        for j in range(values.shape[1]):
            values[i, j] *= 2


@needs_linker
def test_a_thread_has_one_row_and_a_thread_without_a_row_does_nothing() -> None:
    """By the numbers of rows where the entry takes them, else by the first dimension of all arrays."""
    declare, device = Library("kernels_of_two").entry, Here()
    add = declare(_add, {"states": written("i8", "n"), "rows": rows_of("n", "k"), "weights": read("i8", "n", "width")})
    double = declare(_double, {"values": written("i8", "n", "width")})
    device.load([add, double])
    states, rows, weights = np.zeros(5, np.int64), np.array([4, 1]), np.arange(10).reshape(5, 2)
    at, found = device.put(states), np.zeros(5, np.int64)
    device.launch(add, [at, device.put(rows), device.put(weights), 5, 2, 2], 64)
    device.get(at, found)
    assert found.tolist() == [0, 5, 0, 0, 17]
    values = device.put(weights)
    device.launch(double, [values, 3, 2], 64)
    device.get(values, weights)
    assert weights.tolist() == [[0, 2], [4, 6], [8, 10], [6, 7], [8, 9]]


@pytest.mark.skipif(ctypes.util.find_library("cuda") is not None, reason="there is a CUDA driver")
def test_without_a_driver_the_error_names_the_way_out() -> None:
    with pytest.raises(RuntimeError, match=r"no CUDA driver here .* --here compares on this processor"):
        Card()
