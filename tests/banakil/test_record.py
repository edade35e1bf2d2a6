"""Is what is recorded what was played? Every game is played again from its rows, by the plain interface."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from arena_players import Failing

from banakil_env.arena import CompiledPlayer
from banakil_env.core.files import written_whole
from banakil_env.games import banakil
from banakil_env.record import Recording, RecordingError, decisions, play

TABLES = {
    "two": {"num_players": 2},
    "three gamefarm": {"num_players": 3, "rules": "gamefarm"},
    "partners jawaker": {"num_players": 4, "rules": "jawaker"},
    "individuals": {"num_players": 4, "partners": False},
    "match": {"num_players": 2, "episode": "match", "rules": "pagat target=60"},
    "truncated": {"num_players": 2, "max_turns": 9},
}
NAMES = ("greedy", "random")


def played(recording: Recording) -> list:
    return list(decisions([CompiledPlayer(name) for name in recording.players], recording))


def joined(batches: list, name: str) -> np.ndarray:
    return np.concatenate([getattr(batch, name) for batch in batches])


def check_row(state, batch, masks, row: int, index: int, seats: tuple[int, ...]) -> None:
    seat = banakil.seat_to_move(state)
    seen = banakil.observe(state, seat)
    assert (batch.seats[row], batch.indices[row], batch.rounds[row]) == (seat, index, state["rounds"])
    assert batch.players[row] == seats[seat]
    assert batch.observations[row].tobytes() == seen["observation"].tobytes()
    assert masks[row].tolist() == seen["action_mask"].tolist()


def check_outcome(state, batch, rows: np.ndarray, options: dict) -> None:
    points = banakil.scores(state)
    partners = banakil.GAME.new(**options)[0].partners
    for row in rows:
        seat = batch.seats[row]
        own = {seat, (seat + 2) % 4} if partners else {seat}
        others = [points[other] for other in range(len(points)) if other not in own]
        assert batch.points[row].tolist() == points
        assert batch.margins[row] == np.float32(points[seat] - sum(others) / len(others))
        assert batch.wins[row] == np.sign(points[seat] - max(others))
        assert (batch.endings[row] in ("turns", "rounds")) == banakil.is_truncated(state)


@pytest.mark.parametrize("options", TABLES.values(), ids=TABLES)
def test_every_game_can_be_played_again_from_its_rows(options):
    recording = Recording(NAMES, **options, deals=2, seeds=11)
    (batch,) = played(recording)
    masks, seatings = batch.unpacked_masks(), recording.seatings()
    assert np.unique(batch.games).tolist() == list(range(2 * len(seatings)))
    for game in range(2 * len(seatings)):
        rows = np.flatnonzero(batch.games == game)
        deal, table = divmod(game, len(seatings))
        assert set(zip(batch.deals[rows], batch.tables[rows], batch.seeds[rows])) == {(deal, table, 11 + deal)}
        state = banakil.new(**options, seed=11 + deal)
        for index, row in enumerate(rows):
            check_row(state, batch, masks, row, index, seatings[table])
            banakil.apply(state, int(batch.actions[row]))
        assert banakil.is_over(state)
        check_outcome(state, batch, rows, options)


def test_a_match_has_several_rounds():
    (batch,) = played(Recording(NAMES, **TABLES["match"], deals=1))
    assert batch.rounds.max() > 0


def test_one_player_plays_with_itself_once_a_deal():
    (batch,) = played(Recording(("greedy",), num_players=3, deals=4))
    assert set(batch.players) == {0}
    assert np.unique(batch.games).tolist() == [0, 1, 2, 3]
    assert set(batch.seats) == {0, 1, 2}


def test_how_many_tables_play_at_a_time_changes_nothing(monkeypatch):
    recording = Recording(NAMES, deals=9)
    together = played(recording)
    monkeypatch.setitem(play.TABLES_AT_A_TIME, "round", 4)
    apart = played(recording)
    assert (len(together), len(apart)) == (1, 5)
    for field in dataclasses.fields(together[0]):
        if field.name not in ("games", "num_actions"):  # of a batch: they count its tables; a number of the game
            assert joined(together, field.name).tobytes() == joined(apart, field.name).tobytes(), field.name


def test_progress_counts_to_the_end(monkeypatch):
    monkeypatch.setitem(play.TABLES_AT_A_TIME, "round", 4)
    calls: list[tuple[int, int]] = []
    recording = Recording(NAMES, deals=5)
    count = sum(map(len, decisions([CompiledPlayer(n) for n in NAMES], recording, lambda *now: calls.append(now))))
    assert calls == sorted(calls)
    assert calls[-1] == (5, count)


def test_deals_for_measuring_are_asked_for_by_name():
    (batch,) = played(Recording(NAMES, deals=2, seeds="tuning-v1"))
    assert set(batch.seeds.tolist()) == {2**63 + 2**62, 2**63 + 2**62 + 1}
    with pytest.raises(RecordingError, match="those above are held out; a held-out set is chosen by its name"):
        Recording(NAMES, deals=2, seeds=2**63 - 1)
    with pytest.raises(ValueError, match="there is no seed set 'arena'"):
        Recording(NAMES, seeds="arena")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"players": ()}, "one or more players, each of another name"),
        ({"players": ("greedy", "greedy")}, "one or more players, each of another name"),
        ({"deals": 0}, "deals must be a number from 1"),
        ({"budget": -1.0}, "budget must be a number of seconds above 0, at most 1000000, not -1.0"),
        ({"num_players": 5}, "num_players must be"),
    ],
)
def test_what_cannot_be_recorded(options, message):
    with pytest.raises(ValueError, match=message):
        Recording(**{"players": NAMES, **options})


def test_games_of_a_player_that_fails_are_not_recorded():
    recording = Recording(("raises", "greedy"), deals=5)
    with pytest.raises(RecordingError, match=r"raises failed at deal \d \(seed \d\): raised RuntimeError: no idea"):
        list(decisions([Failing("raises"), CompiledPlayer("greedy")], recording))


def test_a_file_is_written_whole_or_not_at_all(tmp_path):
    path = tmp_path / "folder" / "file"

    def write(text: str, broken_off: bool) -> None:
        with written_whole(path) as part:
            part.write_text(text)
            if broken_off:
                raise KeyboardInterrupt

    write("one", False)
    with pytest.raises(KeyboardInterrupt):
        write("tw", True)
    assert path.read_text() == "one"
    assert list(path.parent.iterdir()) == [path]
