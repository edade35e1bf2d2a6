"""Do Polars, pandas, Arrow and Hugging Face datasets read from the file what was decided? And is the file sound?"""

from __future__ import annotations

import datasets
import numpy as np
import pandas
import polars
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from shared import DEALS, REPOSITORY, banakil_command

from banakil_env.arena import CompiledPlayer
from banakil_env.games import find
from banakil_env.record import Recording, RecordingError, decisions, parquet
from banakil_env.record.play import unpack

GAME = find("banakil")
RECORDING = Recording(("expert", "greedy"), deals=DEALS)
SMALL = Recording(("greedy",), deals=10)


def batches(recording: Recording):
    return decisions([CompiledPlayer(name) for name in recording.players], recording)


@pytest.fixture(scope="module")
def decided() -> dict[str, list | np.ndarray]:
    """The columns, as the engine gives them."""
    found = list(batches(RECORDING))
    joined = {name: np.concatenate([getattr(batch, name) for batch in found]) for name in NAMES.values()}
    columns = {column: joined[name] for column, name in NAMES.items()}
    columns["player"] = [RECORDING.players[index] for index in joined["players"]]
    columns["ending"] = list(joined["endings"])
    return columns


NAMES = {
    "deal": "deals",
    "seed": "seeds",
    "table": "tables",
    "round": "rounds",
    "index": "indices",
    "seat": "seats",
    "player": "players",
    "observation": "observations",
    "mask": "masks",
    "action": "actions",
    "points": "points",
    "margin": "margins",
    "win": "wins",
    "ending": "endings",
}


def read_with_arrow(path) -> dict:
    return pq.read_table(path).to_pydict()


def read_with_pandas(path) -> dict:
    return dict(pandas.read_parquet(path).items())


def read_with_polars(path) -> dict:
    return {column.name: column.to_list() for column in polars.read_parquet(path)}


def read_with_datasets(path, cache) -> dict:
    loaded = datasets.load_dataset("parquet", data_files=str(path), split="train", cache_dir=str(cache))
    return {name: list(loaded[name]) for name in loaded.column_names}


@pytest.mark.parametrize("library", ["arrow", "pandas", "polars", "datasets"])
def test_a_library_reads_what_was_decided(library, games, decided, tmp_path):
    if library == "datasets":
        read = read_with_datasets(games, tmp_path)
    else:
        read = {"arrow": read_with_arrow, "pandas": read_with_pandas, "polars": read_with_polars}[library](games)
    assert list(read) == list(NAMES)
    for name, column in read.items():
        if name in ("observation", "mask"):
            np.testing.assert_array_equal(parquet.vectors(column), decided[name])
        elif name in ("player", "ending"):
            assert list(column) == decided[name]
        else:
            np.testing.assert_array_equal(np.array(list(column)), decided[name])


def test_actions_are_legal_by_the_mask_as_the_page_reads_it(games):
    frame = polars.read_parquet(games)
    masks = unpack(parquet.vectors(frame["mask"]), GAME.num_actions)
    assert masks.shape == (len(frame), GAME.num_actions)
    assert masks[np.arange(len(frame)), frame["action"].to_numpy()].all()


def test_the_metadata_say_what_was_played(games):
    said = parquet.about(games)
    assert Recording(**{**said["recording"], "players": tuple(said["recording"]["players"])}) == RECORDING
    assert [tuple(seating) for seating in said["seatings"]] == RECORDING.seatings()
    assert said["licence"] == "MIT"


def test_the_metadata_are_enough_to_read_an_observation(games):
    fields = parquet.about(games)["observation"]
    record = np.dtype(
        {
            "names": [field["name"] for field in fields],
            "formats": [(field["dtype"], tuple(field["shape"])) for field in fields],
            "offsets": [field["offset"] for field in fields],
        }
    )
    frame = polars.read_parquet(games, n_rows=500)
    seen = np.frombuffer(b"".join(frame["observation"]), record)
    assert (seen["hand"].sum(1) == seen["hand_size"][:, 0]).all()
    own = np.frombuffer(b"".join(frame["observation"]), GAME.observation)
    assert all((seen[name] == own[name]).all() for name in record.names)


def test_a_decision_takes_few_bytes(games):
    assert games.stat().st_size / pq.read_metadata(games).num_rows < 60


def test_the_same_recording_gives_the_same_bytes(tmp_path):
    files = [tmp_path / name for name in ("one", "two")]
    for file in files:
        parquet.write(file, batches(SMALL), SMALL)
    assert files[0].read_bytes() == files[1].read_bytes()


def test_a_recording_broken_off_leaves_nothing(tmp_path):
    def broken_off():
        yield from batches(SMALL)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        parquet.write(tmp_path / "games", broken_off(), SMALL)
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_written_over(games):
    before = games.read_bytes()
    done = banakil_command("record", "greedy", "--deals", 1, games)
    assert done.returncode == 1
    assert f"{games} exists already: name another file, or remove it" in done.stderr.replace("\n", "")
    assert games.read_bytes() == before


def test_a_command_that_cannot_be_carried_out_says_why(tmp_path):
    done = banakil_command("record", "greedy", "--seeds", 2**63, tmp_path / "games.parquet")
    assert done.returncode == 1
    assert done.stderr.startswith("banakil record: ")
    assert "those above are held out" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_another_file_is_refused(tmp_path):
    other = tmp_path / "other.parquet"
    pq.write_table(pa.table({"x": [1]}), other)
    with pytest.raises(RecordingError, match="holds no decisions"):
        parquet.about(other)
    later = pa.schema([("x", pa.int64())], {parquet.KEY: b'{"format": "banakil-decisions-9", "game": "rummy/x-v0"}'})
    pq.write_table(pa.table({"x": [1]}, schema=later), other)
    with pytest.raises(RecordingError, match="is banakil-decisions-9 of rummy/x-v0"):
        parquet.about(other)


def test_the_page_has_the_columns_as_they_are():
    page = (REPOSITORY / "docs" / "plugins" / "data.md").read_text(encoding="utf-8")
    rows = [f"| `{name}` | {kind} | {note} |" for name, kind, note in parquet.COLUMNS]
    assert "\n".join(rows) in page
