"""Is a forged file of a run found out, and does the message say which forgery it is?"""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from suite_runs import TASK, Clumsy, Fickle, forged, short_run

from banakil_env.arena import CompiledPlayer, Identity
from banakil_env.suite.deals import commitment, draw_key
from banakil_env.suite.figures import enough, results_of
from banakil_env.suite.file import RunFileError, parse_line, read_run, root_of_match
from banakil_env.suite.run import RunOptions, run_task
from banakil_env.suite.tasks import find_task
from banakil_env.suite.verify import REPLAYED, REPORTED, RERUN, VerifyError, verify

TASK_OF_TEST = find_task(TASK)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return short_run(tmp_path_factory.mktemp("run"))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("whole") / "run.zip"
    run_task(TASK_OF_TEST, "greedy", path, RunOptions(without_zoo=True))
    return path


def refused(path: Path, degree: str, **given: Any) -> str:
    """Why a file does not reach a degree."""
    with pytest.raises(VerifyError) as error:
        verify(path, **given)
    assert error.value.missed == degree, error.value
    return str(error.value)


def test_an_honest_file_reaches_every_degree(run: Path, whole: Path) -> None:
    for path in (run, whole):
        assert verify(path, degree=REPORTED).degree == REPORTED
        assert verify(path).degree == REPLAYED
        verdict = verify(path, player="greedy", sample=3, seed=1)
        assert verdict.degree == RERUN
        assert verdict.notes == ["played again were 3 deals of each match at most, drawn by --seed 1"]
    assert verify(run, player="greedy").notes == []


# The six forgeries of the issue.


def test_a_changed_figure(run: Path) -> None:
    def change(file: Any, tables: Any) -> None:
        file.manifest["figures"]["anchors"]["expert"]["points"]["mean"] += 1

    text = refused(forged(run, change, new_figures=False), REPORTED)
    assert text.startswith("figures.anchors.expert.points.mean is ")
    assert text.endswith("a figure was changed")


def test_an_edited_record(run: Path) -> None:
    """Points, with and without the figures and the root that belong to them."""

    def change(file: Any, tables: Any) -> None:
        tables["expert"][4][1]["points"] = [25, 0]

    assert "a record was edited" in refused(forged(run, change, roots=False), REPORTED)
    assert "figure was changed" in refused(forged(run, change, new_figures=False), REPORTED)
    text = refused(forged(run, change), REPLAYED)
    assert text.startswith("an edited record: match expert, deal 4, table 1: points are ")


def test_an_edited_move(run: Path) -> None:
    """Of the player, of an anchor, one left out, one that the game does not have."""

    def edit(place: int, move: str | None) -> Path:
        def change(file: Any, tables: Any) -> None:
            moves = tables["random"][0][0]["moves"].split("; ")
            moves[place : place + 1] = [] if move is None else [move]
            tables["random"][0][0]["moves"] = "; ".join(moves)

        return forged(run, change)

    for place, move in ((2, "discard 2c"), (3, "discard 2c"), (5, None), (0, "resign")):
        text = refused(edit(place, move), REPLAYED)
        assert text.startswith("an edited record: match random, deal 0, table 0: "), text
    assert "'resign' is not an action of gin" in text


def test_dropped_bad_deals(run: Path, whole: Path) -> None:
    """With numbers that tell, numbered from 0 again, and in a run of which only the number of deals tells."""

    def change(file: Any, tables: Any) -> None:
        del tables["expert"][3]

    assert "deal 3 is missing, and deal 4 is in its place: one was dropped" in refused(
        forged(run, change, renumbered=False, new_figures=False), REPORTED
    )
    assert "a short run has as many deals in every match" in refused(forged(run, change, new_figures=False), REPORTED)

    def change_all(file: Any, tables: Any) -> None:
        for of in tables.values():
            del of[3]

    text = refused(forged(run, change_all), REPLAYED)
    assert text.startswith("from deal 3 on the records are of other deals: one was dropped or put in: match random")
    assert "deals were dropped or added" in refused(forged(whole, change_all), REPORTED)


def test_dropped_deals_at_the_end(run: Path, whole: Path) -> None:
    """A run that stops while it is ahead: the task's rule says when it ends."""

    def change(file: Any, tables: Any) -> None:
        for of in tables.values():
            del of[100:]

    text = refused(forged(whole, change), REPORTED)
    assert "by the rule of the task it goes on: deals were dropped or added" in text

    def claim(file: Any, tables: Any) -> None:
        file.manifest["short"] = False

    assert "by the rule of the task it goes on" in refused(forged(run, claim), REPORTED)


def test_another_players_records(run: Path, tmp_path: Path) -> None:
    """Whose name is changed, with its digest or without."""
    assert refused(run, RERUN, player="expert").startswith("another player's records: the player expert has the digest")

    def change(file: Any, tables: Any) -> None:
        file.manifest["player"]["name"] = "expert"

    text = refused(forged(run, change), RERUN, player="expert")
    assert text.startswith("another player's records, or a player that answers differently when watched: match random")
    assert " is recorded as " in text
    assert " and player plays " in text


def test_a_player_that_answers_differently_when_watched(tmp_path: Path) -> None:
    path = short_run(tmp_path, Fickle())
    assert verify(path, player=Fickle()).degree == RERUN
    text = refused(path, RERUN, player=Fickle(calls=3))
    assert text.startswith("another player's records, or a player that answers differently when watched: match random")


def test_records_of_other_rules(run: Path, tmp_path: Path) -> None:
    """The id of another task; a definition that was changed; games by other rules under the name of the task."""

    def other_id(file: Any, tables: Any) -> None:
        file.manifest["task"] = f"{TASK}+000000000000"

    def other_definition(file: Any, tables: Any) -> None:
        file.manifest["definition"]["options"]["rules"] = "common"

    assert refused(forged(run, other_id), REPORTED).startswith("records of other rules: gin-2p-v1+000000000000 is ")
    assert refused(forged(run, other_definition), REPORTED).startswith("records of other rules: the definition")

    other = short_run(tmp_path, task="yaniv-2p-v1")

    def games_of_another_task(file: Any, tables: Any) -> None:
        for name, lines in read_run(other).lines.items():
            tables[name] = [json.loads(line)["tables"] for line in lines]

    text = refused(forged(run, games_of_another_task), REPLAYED)
    assert text.startswith("records of other rules, of other deals or of another anchor: match random, deal 0, table 0")


# Others.


def test_an_anchor_that_throws_its_games(run: Path) -> None:
    """Legal play by both, and the anchor is not itself: `random` sat in for `expert`."""

    def change(file: Any, tables: Any) -> None:
        tables["expert"] = [[dict(table) for table in each] for each in tables["random"]]

    text = refused(forged(run, change), REPLAYED)
    assert "match expert, deal 0, table 0: move " in text
    assert "and expert plays" in text


def test_an_anchor_that_is_said_to_have_failed(run: Path) -> None:
    def change(file: Any, tables: Any) -> None:
        table = tables["expert"][0][0]
        moves = table["moves"].split("; ")
        table |= {"ending": "lost", "winner": None, "points": [0, -50], "moves": "; ".join(moves[:1])}
        table["failed"] = {"player": 1, "seat": 1, "reason": "raised"}

    text = refused(forged(run, change), REPLAYED)
    assert "match expert, deal 0, table 0: " in text


def test_a_deal_that_stands_twice_and_two_that_are_exchanged(run: Path) -> None:
    def twice(file: Any, tables: Any) -> None:
        tables["expert"][5] = tables["expert"][4]

    def exchanged(file: Any, tables: Any) -> None:
        of = tables["greedy"]
        of[1], of[2] = of[2], of[1]

    def seats_exchanged(file: Any, tables: Any) -> None:
        tables["random"][0].reverse()

    assert "match expert, deal 5" in refused(forged(run, twice), REPLAYED)
    assert "match greedy, deal 1" in refused(forged(run, exchanged), REPLAYED)
    assert "match random, deal 0" in refused(forged(run, seats_exchanged), REPLAYED)


def test_an_anchor_that_is_left_out(run: Path) -> None:
    def change(file: Any, tables: Any) -> None:
        del tables["expert"]
        del file.manifest["figures"]["anchors"]["expert"]

    assert "one was left out or put in" in refused(forged(run, change, new_figures=False), REPORTED)


def test_deals_of_development_that_are_called_public(tmp_path: Path) -> None:
    path = short_run(tmp_path, part="development")
    assert verify(path).degree == REPLAYED

    def change(file: Any, tables: Any) -> None:
        file.manifest["deals"]["part"] = "public"

    assert "the deals are not the public ones" in refused(forged(path, change), REPORTED)


def test_sealed_deals_need_their_key_and_no_other(tmp_path: Path) -> None:
    key = draw_key()
    path = short_run(tmp_path, part="sealed", key=key)
    assert read_run(path).manifest["deals"] == {"part": "sealed", "key_sha256": commitment(key)}
    assert key not in path.read_bytes().hex() + str(read_run(path))
    verdict = verify(path)
    assert verdict.degree == REPORTED
    assert "sealed" in verdict.notes[0]
    assert verify(path, key=key, player="greedy").degree == RERUN
    assert "another key" in refused(path, REPLAYED, key=draw_key())


def test_deals_of_another_key_than_the_one_that_is_named(tmp_path: Path) -> None:
    """Deals that a forger liked better, under the digest of the published key."""
    key = draw_key()
    path = short_run(tmp_path, part="sealed", key=draw_key())

    def change(file: Any, tables: Any) -> None:
        file.manifest["deals"]["key_sha256"] = commitment(key)

    assert "of other deals" in refused(forged(path, change), REPLAYED, key=key)


def test_failures_are_played_again(tmp_path: Path) -> None:
    """A player that fails loses the table, in the record and when it is replayed."""
    path = short_run(tmp_path, Clumsy())
    figures = read_run(path).manifest["figures"]["anchors"]
    assert sum(each["failures"] for each in figures.values()) > 0
    assert verify(path).degree == REPLAYED
    assert verify(path, player=Clumsy()).degree == RERUN


def test_damaged_files(run: Path, tmp_path: Path) -> None:
    content = run.read_bytes()
    for number, bad in enumerate((b"", b"no zip", content[:-200], content[: len(content) // 2])):
        path = tmp_path / f"{number}.zip"
        path.write_bytes(bad)
        with pytest.raises(RunFileError):
            verify(path)
    more = tmp_path / "more.zip"
    more.write_bytes(content)
    with zipfile.ZipFile(more, "a") as packed:
        packed.writestr("readme.txt", "more")
    with pytest.raises(RunFileError, match="or holds something else"):
        verify(more)
    with zipfile.ZipFile(more, "a") as packed, pytest.warns(UserWarning, match="Duplicate"):
        packed.writestr("manifest.json", "{}")
    with pytest.raises(RunFileError, match="two members of one name"):
        verify(more)
    with pytest.raises(RunFileError, match="cannot be read"):
        verify(tmp_path / "none.zip")


def test_the_rule_that_ends_a_match(whole: Path) -> None:
    """At the first look that is narrow enough, and not before the least deals."""
    run = read_run(whole)
    for name, said in run.manifest["matches"].items():
        count = said["deals"]
        assert TASK_OF_TEST.least <= count <= TASK_OF_TEST.most
        if name != "baseline":
            half = run.manifest["figures"]["anchors"][name]["points"]["half_width_95"]
            assert half <= TASK_OF_TEST.width or count == TASK_OF_TEST.most
    assert run.manifest["matches"]["baseline"]["deals"] == run.manifest["matches"]["expert"]["deals"]
    nothing = results_of(TASK_OF_TEST, "random", [])
    assert enough(nothing, TASK_OF_TEST.most) is None


def test_a_root_stands_for_its_records() -> None:
    lines = [f"line {number}" for number in range(5)]
    roots = {root_of_match("a", lines[:count]) for count in range(6)}
    roots |= {root_of_match("b", lines), root_of_match("a", [*lines[:3], lines[4], lines[3]])}
    assert len(roots) == 8


def test_a_rule_based_player_may_have_another_source_if_it_makes_the_same_moves(run: Path) -> None:
    def change(file: Any, tables: Any) -> None:
        file.manifest["player"] |= Identity("greedy", {"code": "0" * 64}).as_dict()

    verdict = verify(forged(run, change), player=CompiledPlayer("greedy", "gin"))
    assert verdict.degree == RERUN
    assert "its moves are compared" in verdict.notes[0]


def test_what_the_manifest_says_beside_figures(run: Path) -> None:
    """A claim that is not ours, a command of another run."""

    def more(file: Any, tables: Any) -> None:
        file.manifest["verified"] = "rerun"

    def command(file: Any, tables: Any) -> None:
        file.manifest["command"] = "banakil suite run gin-2p-v1 expert --out FILE"

    assert "missing or unknown: verified" in refused(forged(run, more), REPORTED)
    assert refused(forged(run, command, new_command=False), REPORTED).startswith(
        "the command is 'banakil suite run gin-2p-v1 expert"
    )


def test_giving_up_does_not_pay(tmp_path: Path) -> None:
    """A table that is lost by failing costs more than any that `random` loses: else one would fail when behind."""
    path = short_run(tmp_path, "random", deals=40)
    run = read_run(path)
    worst = min(
        min(table["points"]) - max(table["points"]) for line in run.lines["expert"] for table in parse_line(line)[1]
    )
    assert worst > -TASK_OF_TEST.forfeit
    (tmp_path / "clumsy").mkdir()
    failed = short_run(tmp_path / "clumsy", Clumsy())
    tables = [table for line in read_run(failed).lines["random"] for table in parse_line(line)[1] if table["failed"]]
    assert {min(table["points"]) for table in tables} == {-TASK_OF_TEST.forfeit}
