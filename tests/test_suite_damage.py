"""Does damage of any kind end in one line, without filling the memory, and are the other files still verified?"""

from __future__ import annotations

import json
import random
import shutil
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from suite_runs import short_run

from banakil_env.cli import application
from banakil_env.suite import file as files
from banakil_env.suite.file import MANIFEST, RunFileError, read_run
from banakil_env.suite.show import seconds_of_player
from banakil_env.suite.tasks import TaskError
from banakil_env.suite.verify import REPORTED, VerifyError, verify


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return short_run(tmp_path_factory.mktemp("run"))


def rewritten(
    path: Path, out: Path, changes: dict[str, bytes | list[bytes]], method: int = zipfile.ZIP_DEFLATED, more: int = 0
) -> Path:
    """A copy of a file with other members, each given whole or in parts."""
    with zipfile.ZipFile(path) as old, zipfile.ZipFile(out, "w", method) as new:
        for name in old.namelist():
            content = changes.get(name, old.read(name))
            with new.open(name, "w") as member:
                member.writelines(content if isinstance(content, list) else [content])
        for number in range(more):
            new.writestr(f"member {number}", b"")
    return out


def with_claims(path: Path, out: Path, change: Callable[[dict[str, Any]], object]) -> Path:
    """A copy of a file with another manifest."""
    said = read_run(path).manifest
    change(said)
    return rewritten(path, out, {MANIFEST: json.dumps(said).encode()})


def fault(path: Path) -> str:
    """Why a file is not *reported*, in one line."""
    with pytest.raises((RunFileError, VerifyError)) as error:
        verify(path, degree=REPORTED)
    assert "\n" not in str(error.value)
    return str(error.value)


BOMB = [b"\n" * (1 << 20)] * 200  # 200 MB, 200 kB packed


@pytest.mark.parametrize("member", ["matches/random.jsonl", "manifest.json", "machine.json"])
def test_what_unpacks_to_far_more_than_a_run_is_refused_before_it_is_unpacked(
    member: str, run: Path, tmp_path: Path
) -> None:
    bad = rewritten(run, tmp_path / "bad.zip", {member: BOMB})
    assert bad.stat().st_size < 1 << 20
    tracemalloc.start()
    text = fault(bad)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 8 << 20
    assert text.startswith(f"{bad} unpacks to 209,7")


def test_a_long_list_of_members_is_refused_before_it_is_read(run: Path, tmp_path: Path) -> None:
    """`zipfile` reads the whole list when it opens a file, which takes 650 bytes of memory a member."""
    bad = rewritten(run, tmp_path / "bad.zip", {}, more=20_000)
    tracemalloc.start()
    text = fault(bad)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 1 << 20
    assert "its list of members has 1,149,273 bytes" in text
    content = run.read_bytes()
    for other in (content[:-2] + b"\2\0a\n", content[:-22] + b"PK\6\7" + bytes(16) + content[-22:], b"", b"PK\5\6"):
        bad.write_bytes(other)
        assert "is damaged, or no file of a run" in fault(bad)


def test_the_limits_of_lines(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    member = "matches/random.jsonl"
    for content, said in (
        (b"\n" * 10_001, "has a match 'random' that has more than 10,000 lines"),
        (b"x" * 6_000_000, "has a match 'random' that has more than 4,194,304 bytes in line 1"),
        ("{é}\n".encode(), "has a match 'random' that is not ASCII"),
        (b'{"deal": 0', "has a match 'random' whose last line was broken off"),
    ):
        monkeypatch.setattr(files, "MOST_TIMES", 10**6)
        assert said in fault(rewritten(run, tmp_path / "bad.zip", {member: content}))
    assert "holds 56 members, and a run has at most 16" in fault(rewritten(run, tmp_path / "bad.zip", {}, more=50))
    monkeypatch.setattr(files, "MOST_OF_OBJECT", 100)
    assert "has a manifest.json of" in fault(run)


@pytest.mark.parametrize("method", [zipfile.ZIP_LZMA, zipfile.ZIP_BZIP2])
def test_members_that_are_packed_in_another_way(method: int, run: Path, tmp_path: Path) -> None:
    bad = rewritten(run, tmp_path / "bad.zip", {}, method)
    content = bytearray(bad.read_bytes())
    content[200:260] = bytes(60)
    assert "is packed in another way than by deflate" in fault(bad)
    bad.write_bytes(content)
    fault(bad)


@pytest.mark.parametrize(
    ("old", "new"),
    [('{"deal":', '{"deal": '), ('"moves":', '"\\u006doves":'), ('"deal":0', '"deal":-0')],
)
def test_a_line_is_written_in_one_way(old: str, new: str, run: Path) -> None:
    line = read_run(run).lines["random"][0]
    assert files.parse_line(line)[0] == 0
    with pytest.raises(ValueError, match=r"written in another way|Expecting value"):
        files.parse_line(line.replace(old, new))


def test_values_of_a_table_have_one_order(run: Path) -> None:
    said = json.loads(read_run(run).lines["random"][0])
    said["tables"][0] = dict(reversed(said["tables"][0].items()))
    with pytest.raises(ValueError, match="table 0 has its values in another order"):
        files.parse_line(json.dumps(said, separators=(",", ":")))


def test_times_that_no_clock_measures_are_not_shown(run: Path) -> None:
    for odd in (float("-inf"), float("inf"), float("nan"), -1):
        assert seconds_of_player({"seconds_per_decision": {"random": {"player": odd}}}) is None
    assert seconds_of_player({"seconds_per_decision": {"random": {"player": 0.5}, "greedy": {"player": -1}}}) == 0.5


def test_a_run_is_read_deal_by_deal(run: Path) -> None:
    """The lines of a match are not kept, and the same each time."""
    lines = read_run(run).lines["random"]
    whole = list(lines)
    assert (len(lines), lines[0], lines[-1], lines[2:4]) == (len(whole), whole[0], whole[-1], whole[2:4])
    with pytest.raises(IndexError):
        lines[len(whole)]


CLAIMS: dict[str, tuple[Callable[[dict[str, Any]], object], str]] = {
    "a figure of 401 digits": (
        lambda said: said["figures"]["normalised"].update(mean=10**400),
        "a number of 401 digits, and at most 20 are read",
    ),
    "a figure of many digits": (
        lambda said: said["figures"]["normalised"].update(mean=10**19),
        "figures.normalised.mean is 10000000000000000000 in the file",
    ),
    "a player without digest": (lambda said: said["player"].pop("digest"), "the file does not name the player"),
    "a digest that is a number": (lambda said: said["player"].update(digest=7), "the file does not name the player"),
    "a name without end": (
        lambda said: said["player"].update(name="x" * 5000),
        "the name of the player has 5,000 characters, and at most 4,096 are read",
    ),
    "parts that are a list": (lambda said: said["player"].update(parts=[]), "does not have the player's parts"),
    "a digest of other parts": (
        lambda said: said["player"].update(digest="0" * 64),
        "the digest of the player 'greedy' is not that of its parts",
    ),
    "deals that are a text": (lambda said: said.update(deals="public"), "does not say which deals were played"),
    "a part that is a list": (lambda said: said["deals"].update(part=[]), "does not say which deals were played"),
    "figures that are missing": (lambda said: said.pop("figures"), "missing or unknown: figures"),
    "figures that are a list": (lambda said: said.update(figures=[]), "figures must have exactly"),
    "a match that is a text": (lambda said: said["matches"].update(random="x"), "match random: the file does not say"),
    "a root that is None": (lambda said: said.update(root=None), "the root of the run is not that of its matches"),
    "deals below 0": (lambda said: said["matches"]["random"].update(deals=-1), "match random: the file does not say"),
    "a task that is a number": (lambda said: said.update(task=1), "the file names no task with its digest: 1"),
    "a length that is a text": (lambda said: said.update(short="yes"), "whether the run is a short one"),
    "a command that is a list": (lambda said: said.update(command=[]), "the command is []"),
    "another format": (lambda said: said.update(format=[1]), "is of format [1]"),
    "another definition": (lambda said: said.update(definition=None), "the definition in the file is not that of"),
}


@pytest.mark.parametrize("name", CLAIMS)
def test_claims_of_other_types_than_those_of_a_run(name: str, run: Path, tmp_path: Path) -> None:
    change, said = CLAIMS[name]
    assert said in fault(with_claims(run, tmp_path / "bad.zip", change))


ODD: list[Any] = [None, True, -1, 2**63, 1e300, "", "a\x1b[2J", "x" * 10_000, [], [[]], {}, {"": 0}]


def _places(value: Any, at: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """The places of all values in nested lists and objects."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [at, *(place for key, one in inner for place in _places(one, (*at, key)))]


def _put(value: Any, place: tuple[Any, ...], odd: Any) -> Any:
    if not place:
        return odd
    value[place[0]] = _put(value[place[0]], place[1:], odd)
    return value


def test_odd_values_at_any_place_of_a_file_are_faults_of_the_file(run: Path, tmp_path: Path) -> None:
    """200 of them: in the manifest, in the data of the machine and in records."""
    rng = random.Random(55)
    with zipfile.ZipFile(run) as packed:
        members = {name: packed.read(name).decode() for name in packed.namelist()}
    for number in range(200):
        name = rng.choice(["manifest.json", "manifest.json", "matches/expert.jsonl"])
        first, _, others = members[name].partition("\n") if name.endswith("l") else (members[name], "", "")
        value = json.loads(first)
        place, odd = rng.choice(_places(value)[1:]), rng.choice(ODD)
        content = json.dumps(_put(value, place, odd)) + ("\n" + others if others else "\n")
        bad = rewritten(run, tmp_path / "bad.zip", {name: content.encode()})
        try:
            verify(bad, degree=REPORTED)
        except (RunFileError, VerifyError, TaskError):
            continue
        except Exception as error:
            raise AssertionError(f"number {number}: {odd!r:.40} at {place} of {name}") from error
        assert place == ("player", "commit") or place == ("package",) or place == ("player", "version"), (place, odd)


def test_files_of_random_damage_are_faults_of_the_file(run: Path, tmp_path: Path) -> None:
    """A byte changed, a part cut out or written over, 300 times."""
    rng, whole, bad = random.Random(7), run.read_bytes(), tmp_path / "bad.zip"
    for number in range(300):
        content = bytearray(whole)
        at = rng.randrange(len(content))
        match number % 3:
            case 0:
                content[at] ^= 1 << rng.randrange(8)
            case 1:
                del content[at : at + rng.randrange(1, 1000)]
            case 2:
                content[at : at + 20] = rng.randbytes(20)
        bad.write_bytes(content)
        try:
            verify(bad, degree=REPORTED)
        except (RunFileError, VerifyError, TaskError):
            continue
        except Exception as error:
            raise AssertionError(f"number {number}, at {at}") from error


def test_verify_goes_on_with_the_next_file(run: Path, tmp_path: Path) -> None:
    """Five damaged files and two that are not: a line of the error stream for each damaged one, exit status 1."""
    runner = pytest.importorskip("typer.testing").CliRunner()
    bad = {
        "bomb.zip": rewritten(run, tmp_path / "bomb.zip", {"matches/random.jsonl": BOMB}),
        "digest.zip": with_claims(run, tmp_path / "digest.zip", lambda said: said["player"].pop("digest")),
        "lzma.zip": rewritten(run, tmp_path / "lzma.zip", {}, zipfile.ZIP_LZMA),
        "figure.zip": with_claims(run, tmp_path / "figure.zip", CLAIMS["a figure of many digits"][0]),
        "none.zip": tmp_path / "none.zip",
    }
    last = shutil.copy(run, tmp_path / "last.zip")
    done = runner.invoke(
        application(), ["suite", "verify", "--degree", "reported", str(run), *map(str, bad.values()), str(last)]
    )
    assert done.exit_code == 1
    assert [line for line in done.stdout.splitlines() if line.endswith(": reported")] == [
        f"{run}: reported",
        f"{last}: reported",
    ]
    errors = done.stderr.splitlines()
    assert len(errors) == len(bad)
    for line, path in zip(errors, bad.values()):
        assert line.startswith(f"banakil suite verify: {path}")
        assert "Traceback" not in line


def test_a_file_that_breaks_the_check_is_told_from_those_that_do_not(
    run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What nobody has thought of is one line too."""
    runner = pytest.importorskip("typer.testing").CliRunner()
    other = shutil.copy(run, tmp_path / "other.zip")

    def look(path: Path, **options: Any) -> Any:
        if path == run:
            raise KeyError("digest")
        return verify(path, **options)

    monkeypatch.setattr("banakil_env.suite.command.look_into", look)
    done = runner.invoke(application(), ["suite", "verify", "--degree", "reported", str(run), str(other)])
    assert done.exit_code == 1
    assert f"{other}: reported" in done.stdout
    assert f"{run}: NOT verified: the check ended with KeyError: 'digest'; please report it" in done.stderr
