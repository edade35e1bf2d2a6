"""Does a snapshot come back the same: into its rows, into many rows, from a file, in another process?"""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from table_play import content, play

from banakil_env.core.game import BadState
from banakil_env.envs.vector import Snapshot, Tables

# Restores the snapshot of a file, plays on, and prints the bytes of all states and rewards.
GO_ON = """
import sys
import numpy as np
from banakil_env.envs.vector import Snapshot, Tables
from table_play import content, play

tables = Tables(6, game="yaniv", opponents="greedy")
tables.restore(Snapshot(**np.load(sys.argv[1])))
play(tables, 60)
print(content(tables.states).hex(), content(tables.controls).hex())
"""


def under_way(count: int = 6, **options: Any) -> Tables:
    """Tables of Yaniv that have been played for a while."""
    tables = Tables(count, game="yaniv", **{"opponents": "greedy", **options})
    tables.reset(seed=1)
    play(tables, 30)
    return tables


def saved(snapshot: Snapshot, file: Path) -> Snapshot:
    """The snapshot as it comes back from a file of `numpy.savez`."""
    np.savez(file, **snapshot._asdict())
    return Snapshot(**np.load(file))


def test_a_restored_snapshot_goes_on_the_same() -> None:
    tables = Tables(20, num_players=4, opponents="random")
    tables.reset(seed=1)
    play(tables, 30)
    before, seen = tables.snapshot(), (tables.observations.copy(), tables.masks.copy())
    play(tables, 60, seed=2)
    after = tables.states.tobytes()
    tables.restore(before)
    assert (tables.observations == seen[0]).all()
    assert (tables.masks == seen[1]).all()
    play(tables, 60, seed=2)
    assert tables.states.tobytes() == after


def test_rows_can_be_put_into_other_rows() -> None:
    tables = under_way(4)
    tables.restore(tables.snapshot([2, 1]), rows=[0, 3])
    assert tables.states[0].tobytes() == tables.states[2].tobytes()
    assert (tables.observations[3] == tables.observations[1]).all()


@pytest.mark.parametrize("form", ["record", "features"])
def test_a_snapshot_from_a_file_goes_on_the_same(form: str, tmp_path: Path) -> None:
    tables = under_way(observation=form)
    twin = Tables(6, game="yaniv", opponents="greedy", observation=form)
    twin.restore(saved(tables.snapshot(), tmp_path / "tables.npz"))
    assert (twin.seen == tables.seen).all()
    for each in (tables, twin):
        play(each, 60)
    assert twin.states.tobytes() == tables.states.tobytes()
    assert content(twin.controls) == content(tables.controls)
    assert twin.result(0, 0) == tables.result(0, 0)


def test_a_snapshot_from_a_file_goes_on_the_same_in_another_process(tmp_path: Path) -> None:
    tables, helpers = under_way(), Path(__file__).resolve().parents[1]
    saved(tables.snapshot(), tmp_path / "tables.npz")
    code = f"import sys; sys.path.insert(0, {str(helpers)!r})\n{GO_ON}"
    run = subprocess.run([sys.executable, "-c", code, tmp_path / "tables.npz"], capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    play(tables, 60)
    assert run.stdout.split() == [content(tables.states).hex(), content(tables.controls).hex()]


def test_a_snapshot_that_was_pickled_is_the_same() -> None:
    tables = under_way()
    kept = pickle.loads(pickle.dumps(tables.snapshot()))
    play(tables, 20)
    tables.restore(kept)
    assert tables.states.tobytes() == kept.states.tobytes()


def test_tables_that_were_never_dealt_take_a_snapshot_of_all() -> None:
    kept, tables = under_way(3).snapshot(), Tables(3, game="yaniv", opponents="greedy")
    with pytest.raises(ValueError, match=r"reset\(\) all tables, or restore all of them, before some"):
        tables.restore(Snapshot(*(part[:1] for part in kept)), [0])
    tables.restore(kept)
    play(tables, 10)


# Forks --------------------------------------------------------------------------------------------------------------


def test_a_row_can_be_taken_several_times() -> None:
    tables = under_way()
    kept = tables.snapshot([2, 2, 0])
    assert kept.states.tobytes() == tables.states[[2, 2, 0]].tobytes()
    assert tables.snapshot([0, 0, 0]).states.tobytes() == 3 * tables.states[0].tobytes()
    tables.restore(kept, rows=[3, 4, 5])
    assert tables.states[[3, 4, 5]].tobytes() == kept.states.tobytes()


@pytest.mark.parametrize("rows", [None, [1, 2, 4], [5]], ids=str)
def test_a_snapshot_of_one_table_fills_many_rows(rows: list[int] | None, tmp_path: Path) -> None:
    for from_file in (False, True):
        tables = under_way()
        before, one = tables.states.copy(), tables.snapshot([3])
        tables.restore(saved(one, tmp_path / "one.npz") if from_file else one, rows)
        for row in range(6):
            filled = rows is None or row in rows
            assert tables.states[row].tobytes() == before[3 if filled else row].tobytes()
            assert (tables.observations[row] == tables.observations[3]).all() or not filled


def test_forks_go_on_the_same_until_their_generators_differ() -> None:
    tables = under_way()
    tables.restore(tables.snapshot([3]))
    kept = tables.snapshot()
    play(tables, 40, seeds=np.ones(6))
    assert len({state.tobytes() for state in tables.states}) == 1
    kept.states["rng"], kept.dice["rng"] = np.arange(6), np.arange(6)
    tables.restore(kept)
    play(tables, 40, seeds=np.ones(6))
    assert len({state.tobytes() for state in tables.states}) == 6


# What does not fit ----------------------------------------------------------------------------------------------------


def everything(tables: Tables) -> list[bytes]:
    arrays: list[npt.NDArray[Any]] = [tables.states, tables.controls, tables.dice, tables.observations, tables.masks]
    return [array.tobytes() for array in arrays]


def test_what_does_not_fit_is_refused_by_its_shape_and_nothing_changes() -> None:
    tables = under_way(3)
    before = everything(tables)
    states, controls, dice = kept = tables.snapshot()
    cases: list[tuple[Any, Any, type[Exception], str]] = [
        (kept, [0], ValueError, "holds 3 tables, which do not fit into 1 rows: name 3 rows, or restore a snapshot of"),
        (tables.snapshot([0, 1]), None, ValueError, "holds 2 tables, which do not fit into 3 rows"),
        (tables.snapshot([0]), [1, 1], ValueError, r"a row is named twice in \[1, 1\]"),
        ((states, controls[:2], dice), None, ValueError, r"states \(3,\), controls \(2,\), dice \(3,\)"),
        ((states, controls, dice[:1]), None, ValueError, r"states \(3,\), controls \(3,\), dice \(1,\)"),
        ((states[0:1].reshape(()), *kept[1:]), [0], ValueError, r"states \(\), controls \(3,\), dice \(3,\)"),
        ((states.view(np.uint8), controls, dice), None, TypeError, r"states must be records of \d+ bytes, not uint8"),
        ((states, controls, np.zeros(3)), None, TypeError, "dice must be records of 16 bytes, not float64"),
        ((controls, states, dice), None, TypeError, r"states must be records of \d+ bytes, not other records, of \d+"),
        (None, None, TypeError, r"the three arrays that snapshot\(\) gave, not NoneType"),
        ("before", None, TypeError, r"Snapshot\(\*\*numpy.load\(file\)\)"),
        ((states, controls), None, TypeError, "not tuple"),
        ([states, controls, None], None, TypeError, "not list"),
    ]
    for wrong, rows, error, text in cases:
        with pytest.raises(error, match=text):
            tables.restore(wrong, rows)
        assert everything(tables) == before
    broken = states.copy()
    broken["seat"] = 7
    with pytest.raises(BadState):
        tables.restore(kept._replace(states=broken))
    assert everything(tables) == before
    tables.restore((states, controls, dice))  # a plain tuple will do
