"""Is a file of compiled code loaded only if it is whole and nobody else can have written it, and where does it lie?"""

from __future__ import annotations

import os
import pickle
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest
from jit_checkout import CALL, MELDS, WITHOUT_NUMBA, Checkout

from banakil_env.core.jit import files

LOAD = """
from pathlib import Path
from banakil_env.core.jit.library import _whole
from banakil_env.moves import apply
library = apply.library
stem = Path({kept!r}) / f"{{library.name}}.{{library.made_of.digest}}.{{library.key_here()}}"
def loaded():
    return int(_whole(stem) is not None)
"""


def test_a_library_with_any_bit_flipped_is_not_opened(built: Checkout) -> None:
    [library] = built.libraries()
    flip = f"""
file = Path({str(library)!r})
whole = file.read_bytes()
print(loaded())
for place in [*range(64), *range(64, len(whole), max(1, len(whole) // 200)), len(whole) - 1]:
    damaged = bytearray(whole)
    damaged[place] ^= 1 << place % 8
    file.write_bytes(damaged)
    print(loaded())
for length in 0, 1, 31, 32, 33, len(whole) // 2, len(whole) - 1:
    file.write_bytes(whole[:length])
    print(loaded())
"""
    result, _ = built.run(LOAD.format(kept=str(built.kept)) + flip)
    assert result[0] == 1
    assert len(result) > 200
    assert sum(result[1:]) == 0
    assert built.run(CALL)[0] == [111, 1]
    assert built.run(CALL)[0] == [111, 0]


def test_swapped_libraries_are_not_opened(checkout: Checkout) -> None:
    loops = "from banakil_env import loops\n"
    call = loops + "".join(f"print(loops.library_of(loops.{worth}, '{worth}')(4))\n" for worth in ("one", "square"))
    checkout.run(call)
    one, other = checkout.libraries()
    for suffix in ("", ".sha256"):
        paths = [path.with_name(path.name + suffix) for path in (one, other)]
        contents = [path.read_bytes() for path in paths]
        for path, content in zip(paths, reversed(contents)):
            path.write_bytes(content)
    result, said = checkout.run(call)
    assert result == [4, 14]
    assert said.count("building") == 2


class Trap:
    """Unpickling it writes a file."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return Path.write_text, (self.path, "unpickled")


def test_a_damaged_part_is_not_even_unpickled(built: Checkout, tmp_path: Path) -> None:
    trap = pickle.dumps((Trap(tmp_path / "sprung"), ()))
    for before in (b"", bytes(32), built.parts()[0].read_bytes()[:32]):
        for path in built.libraries():
            path.unlink()
        for part in built.parts():
            part.write_bytes(before + trap)
        assert built.run(CALL)[0] == [111, 1]
        assert not (tmp_path / "sprung").exists()


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="Windows has no owners and modes of this kind")
@pytest.mark.parametrize("what", ["file", "folder", "owner"])
def test_what_another_user_can_have_written_is_not_loaded(built: Checkout, tmp_path: Path, what: str) -> None:
    """The digest proves nothing here: a user who writes a file can write its digest too."""
    [library], parts = built.libraries(), built.parts()
    for part in parts:
        files.write_whole(part, pickle.dumps((Trap(tmp_path / "sprung"), ())))
    before = LOAD.format(kept=str(built.kept))
    if what == "owner" and os.geteuid() == 0:
        for path in (library, *parts):
            os.chown(path, 65534, -1)
    elif what == "owner":
        before = "import os\nown = os.geteuid()\nos.geteuid = lambda: own + 1\n" + before
    elif what == "file":
        for path in (library, *parts):
            path.chmod(0o666)
    else:
        built.kept.chmod(0o777)
    home = {"HOME": str(tmp_path / "home"), "XDG_CACHE_HOME": str(tmp_path / "home")}
    result, _ = built.run(before + "print(loaded(), apply(1))", **home)
    assert result == [0, 111]
    assert not (tmp_path / "sprung").exists()


def in_home(folder: Path) -> dict[str, str]:
    """A home folder, and no other place for compiled code."""
    home = {name: str(folder) for name in ("HOME", "XDG_CACHE_HOME", "LOCALAPPDATA", "USERPROFILE")}
    return home | {"NUMBA_CACHE_DIR": ""}


def test_the_users_cache_is_the_place_when_none_is_named(checkout: Checkout, tmp_path: Path) -> None:
    home = in_home(tmp_path / "home")
    assert checkout.run(CALL, **home)[0] == [111, 1]
    assert checkout.libraries() == []
    assert checkout.run(CALL, **home)[0] == [111, 0]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="the folder belongs to root")
def test_what_root_has_built_serves_other_users(built: Checkout, tmp_path: Path) -> None:
    """They cannot write the folder that NUMBA_CACHE_DIR names, and need no compiler."""
    other = """
import os, tempfile
write = tempfile.TemporaryFile
def refused(*, dir):
    if dir.name == "kept":
        raise PermissionError(dir)
    return write(dir=dir)
os.geteuid, tempfile.TemporaryFile = lambda: 65534, refused
"""
    home = {"HOME": str(tmp_path / "home"), "XDG_CACHE_HOME": str(tmp_path / "home")}
    assert built.run(other + WITHOUT_NUMBA + CALL, **home) == ([111, 0], "")


def test_nothing_writable_costs_only_time(checkout: Checkout, tmp_path: Path) -> None:
    (checkout.package / "core" / "jit" / "__pycache__").write_text(
        ""
    )  # a file where the folder would be stops root too
    (tmp_path / "file").write_text("")
    once = CALL.replace("with telling(lambda name, seconds: built.append(name))", "if True")
    for _ in range(2):
        result, said = checkout.run(once, **in_home(tmp_path / "file"))
        assert result == [111, 0]
        assert "in every process: there is no folder that only you can write" in said


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="Windows has no owners and modes of this kind")
def test_a_folder_that_others_can_write_is_passed_over(checkout: Checkout, tmp_path: Path) -> None:
    checkout.kept.mkdir()
    checkout.kept.chmod(0o777)
    home = {"HOME": str(tmp_path / "home"), "XDG_CACHE_HOME": str(tmp_path / "home")}
    assert checkout.run(CALL, **home)[0] == [111, 1]
    assert checkout.libraries() == []
    assert checkout.run(CALL, **home)[0] == [111, 0]


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="Windows has no owners and modes of this kind")
def test_who_can_write_a_file(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch(0o644)
    found = file.stat()

    def trusted(**changed: int) -> bool:
        values = {f"st_{name}": changed.get(name, getattr(found, f"st_{name}")) for name in ("mode", "uid", "gid")}
        return files.only_we_can_write(cast(os.stat_result, SimpleNamespace(**values)))

    stranger = 65534 if os.geteuid() != 65534 else 65533
    assert trusted()
    assert trusted(uid=0)
    assert not trusted(uid=stranger)
    assert not trusted(mode=found.st_mode | 0o002)
    assert not trusted(mode=found.st_mode | 0o020, gid=stranger)


def test_old_files_of_other_sources_are_removed(built: Checkout) -> None:
    outdated = [path for path in built.kept.iterdir() if path.suffix != ".lock"]
    for path in outdated:
        os.utime(path, (0, 0))
    built.write("melds.py", MELDS.replace("10", "20"))
    built.run(CALL)
    assert not any(path.exists() for path in outdated)
    assert len([path for path in built.kept.iterdir() if path.suffix != ".lock"]) == len(outdated)


def test_processes_may_start_together(checkout: Checkout) -> None:
    processes = [checkout.start(CALL) for _ in range(4)]
    built = 0
    for process in processes:
        output, errors = process.communicate(timeout=300)
        assert output.startswith("111 "), errors
        built += int(output.split()[1])
    assert built == 1
    assert checkout.run(CALL)[0] == [111, 0]
    assert not list(checkout.kept.glob("*.tmp"))


@pytest.mark.second("test_processes_may_start_together")
def test_a_process_says_that_it_waits_for_another(checkout: Checkout) -> None:
    """After two seconds; the other one holds the lock for three."""
    hold = """
import filelock, time
from pathlib import Path
folder = Path("kept")
folder.mkdir()
with filelock.FileLock(folder / "moves.lock"):
    print("held", flush=True)
    time.sleep(4)
"""
    holder = checkout.start(hold)
    assert holder.stdout is not None
    assert holder.stdout.readline() == "held\n"
    result, said = checkout.run(CALL.replace("with telling(lambda name, seconds: built.append(name))", "if True"))
    holder.communicate()
    first, second = said.splitlines()
    assert result == [111, 0]
    assert first == "banakil_env: waiting for another process that builds moves ..."
    assert second.startswith("banakil_env: building moves")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="Windows has no fork")
def test_a_process_forks_while_a_thread_opens_a_library(built: Checkout) -> None:
    """The child would otherwise wait for a thread that it does not have."""
    program = """
import os, threading, time
from banakil_env.core.jit import library
from banakil_env.moves import apply
opened = library.open_library
def slowly(*args):
    opening.set()
    time.sleep(1)
    return opened(*args)
opening, library.open_library = threading.Event(), slowly
thread = threading.Thread(target=apply, args=(1,))
thread.start()
opening.wait()
child = os.fork()
if child == 0:
    library.open_library = opened
    os._exit(0 if apply(1) == 111 else 1)
deadline = time.time() + 60
while os.waitpid(child, os.WNOHANG) == (0, 0) and time.time() < deadline:
    time.sleep(0.05)
print(int(time.time() < deadline))
if time.time() >= deadline:
    os.kill(child, 9)
thread.join()
"""
    assert built.run(program)[0] == [1]


def test_import_compiles_nothing_and_quiet_is_quiet(checkout: Checkout) -> None:
    imported = "import sys, banakil_env.moves, banakil_env.loops; print(int('numba' in sys.modules))"
    assert checkout.run(imported) == ([0], "")
    assert not checkout.kept.exists()
    call = CALL.replace("with telling(lambda name, seconds: built.append(name))", "if True")
    assert checkout.run(call, BANAKIL_QUIET="1") == ([111, 0], "")
