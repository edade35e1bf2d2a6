"""Can a program do harm, learn what it must not know, or stop the test? No: it is isolated, or it is not run at all."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

import pytest
from typer.testing import CliRunner
from written_programs import GOOD, answering, can_isolate, isolated, means, scored, table, written

from banakil_env.core.install import PACKAGE
from banakil_env.written import CannotIsolate, Program, ProgramFailed, isolation, recorded, score
from banakil_env.written import program as program_module
from banakil_env.written.command import app
from banakil_env.written.program import check_isolation

HERE = Path(__file__).parent
ROOT = str(PACKAGE.parent)  # the folder that holds this package
SECRET = "the key of sealed traces"


# What an isolated program can reach -----------------------------------------------------------------------------------

# Programs that try to read, change or remove the file at PLACE in ways that no guard inside the interpreter stops.
ATTACKS = {
    "read": "return [open(PLACE).read()]",
    "remove": "import os\nos.remove(PLACE)",
    "write": "open(PLACE, 'w').write('changed')",
    "truncate": "import os\nos.truncate(PLACE, 0)",
    "rename": "import os\nos.rename(PLACE, PLACE + '.old')",
    "mode": "import os\nos.chmod(PLACE, 0)",
    "link": "import os\nos.link(PLACE, '/link')\nreturn [open('/link').read()]",
    "replace the runner's names": (
        "import __main__, os, sys\n__main__.ALLOWED = type('All', (), {'__contains__': lambda *_: True})()\n"
        "__main__._check = __main__._isolate = lambda *_: None\nos.remove(PLACE)"
    ),
    "fork_exec": (
        "import _posixsubprocess, os\nr, w = os.pipe()\n_posixsubprocess.fork_exec([b'/bin/rm', PLACE.encode()], "
        "[b'/bin/rm'], True, (w,), None, None, -1, -1, -1, -1, -1, -1, r, w, False, False, -1, None, None, None, -1, "
        "None, False)"
    ),
    "vfork by subprocess": "import subprocess\nsubprocess.run(['/bin/rm', PLACE], check=True)",
    "system": "import os\nassert os.system('rm ' + PLACE) == 0",
    "exec": "import os\nos.execv('/bin/rm', ['rm', PLACE])",
    "spawn": "import os\nos.posix_spawn('/bin/rm', ['rm', PLACE], {})",
    "libc": "import ctypes\nassert ctypes.CDLL(None).unlink(PLACE.encode()) == 0",
    "raw system call": "import ctypes\nassert ctypes.CDLL(None).syscall(87, PLACE.encode()) == 0",
    "mount": "import ctypes\nassert ctypes.CDLL(None).mount(b'/', b'/banakil', None, 4096, None) == 0",
    "new namespace": "import ctypes\nassert ctypes.CDLL(None).unshare(0x10000000) == 0",
    "root again": "import os\nos.setuid(0)",
    "another root folder": "import os\nos.chroot('/root')",
    "processes": "import os\nreturn [open(f'/proc/{os.getppid()}/root' + PLACE).read()]",
    "descriptors": "import os\nreturn [os.readlink(f'/proc/self/fd/{n}') for n in range(9)]",
    "the runner's frames": "import sys\nframe = sys._getframe()\nwhile frame.f_back: frame = frame.f_back\n"
    "return [frame.f_globals['os'].popen('cat ' + PLACE).read()]",
    "a socket of the network": "import socket\nsocket.create_connection(('127.0.0.1', 80), 1)",
    "a socket of this machine": "import socket\nsocket.socket(socket.AF_UNIX).connect('/run/docker.sock')",
    "a signal": "import os\nos.kill(-1, 9)",
    "shared memory": "import ctypes\nassert ctypes.CDLL(None).shmget(1, 4096, 0o1777) != -1",
    "a file in memory": "import os\nos.memfd_create('x')",
    "a program from memory": "import ctypes\nassert ctypes.CDLL(None).fexecve(0, None, None) == 0",
    "another program's memory": "import ctypes\nassert ctypes.CDLL(None).ptrace(16, 1, 0, 0) == 0",
    "threads": "import _thread\n_thread.start_new_thread(print, ())",
    "workers": "import multiprocessing\nmultiprocessing.Process(target=print).start()",
    "the keyring": "import ctypes\nassert ctypes.CDLL(None).syscall(250, 0, -3, 1) != -1",
    "io_uring": "import ctypes\nassert ctypes.CDLL(None).syscall(425, 1, bytes(120)) != -1",
}


@pytest.mark.parametrize("name", ATTACKS)
@isolated
def test_an_isolated_program_reaches_no_file_no_process_and_no_network(tmp_path: Path, name: str) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text(SECRET, encoding="utf-8")
    secret.chmod(0o666)
    source = f"PLACE = {str(secret)!r}\n" + answering(ATTACKS[name])
    with Program(written(tmp_path, source), table("rummy"), seconds=60) as program:
        with pytest.raises(ProgramFailed, match=r"raised \w*Error") as failed:
            program.ask("legal_moves", "")
        assert SECRET not in str(failed.value)
        assert program.ask("scores", "", "") == [0, 0]  # its process still answers
    assert secret.read_text(encoding="utf-8") == SECRET
    assert secret.stat().st_mode & 0o777 == 0o666


@isolated
def test_an_isolated_program_sees_the_standard_library_and_nothing_else(tmp_path: Path) -> None:
    found = "return sorted(os.path.join(at, name) for at, _, names in os.walk('/') for name in names)[::25]"
    with Program(written(tmp_path, answering(f"import os\n{found}")), table("rummy"), seconds=60) as program:
        seen = program.ask("legal_moves", "")
    library = os.path.dirname(os.path.realpath(os.__file__))
    others = [path for path in seen if not path.startswith((library, "/banakil/")) and ".so" not in path]
    assert len(seen) > 50
    assert len(others) <= 1, others  # the interpreter
    assert not any(f"/{folder}/" in path for path in seen for folder in ("site-packages", "dist-packages", ROOT))


@pytest.mark.parametrize(
    "body",
    [
        "import banakil_env",
        f"import sys\nsys.path.insert(0, {ROOT!r})\nimport banakil_env",
        f"import sys\nsys.path += {[path for path in sys.path if path]!r}\nimport banakil_env",
        "import site\nsite.main()\nimport banakil_env",
        "import numpy",
        f"import importlib.util as u\ns = u.spec_from_file_location('cli', {str(PACKAGE / 'cli.py')!r})\n"
        "s.loader.exec_module(u.module_from_spec(s))",
        f"import io\nio.open_code({str(PACKAGE / 'cli.py')!r})",
        f"import zipimport\nzipimport.zipimporter({str(PACKAGE / 'cli.py')!r})",
    ],
)
@isolated
def test_an_isolated_program_cannot_import_the_engine_or_any_package(tmp_path: Path, body: str) -> None:
    found = scored(tmp_path, answering(body), most=2)
    [wrong] = [each for each in found.disagreements.values() if each.share == "legal"]
    assert any(
        f"raised {name}" in wrong.given for name in ("ModuleNotFoundError", "FileNotFoundError", "ZipImportError")
    )


def test_a_trusted_program_that_imports_the_engine_does_not_score(tmp_path: Path) -> None:
    """The engine itself behind the contract, which would agree with itself in everything."""
    with Program(HERE / "engine_program.py", table("yaniv"), trusted=True, seconds=600, memory=1 << 36) as program:
        found = score(program, recorded("yaniv")[:1], most=2)
    assert means(found) == {"legal": 0.0, "effects": 0.0, "scores": 0.0}
    assert all("imported banakil_env" in each.given for each in found.disagreements.values())
    late = written(tmp_path, GOOD.replace("return [0, 0]", "\n    import banakil_env; return [0, 0]"))
    done = CliRunner().invoke(app, ["score", str(late), "--game", "rummy", "--traces", "1", "--trusted"])
    assert done.exit_code == 1
    assert "imported banakil_env, with which it is compared: no score" in done.output


# Machines that cannot isolate -----------------------------------------------------------------------------------------


@pytest.fixture
def unchecked() -> None:
    """As in a process in which nothing has been isolated yet."""
    check_isolation.cache_clear()
    isolation._filter.cache_clear()
    isolation._visible.cache_clear()


@pytest.mark.parametrize(
    ("missing", "said"),
    [
        ("bubblewrap", "the program bwrap is missing: install bubblewrap"),
        ("pyseccomp", "seccomp is missing .*pip install .*isolation"),
        ("namespaces", "bwrap: No permissions to create a new namespace"),
        ("Linux", "which Linux has, and this is darwin"),
        ("a filter", "socket is not refused"),
    ],
)
@pytest.mark.usefixtures("unchecked")
def test_where_a_part_of_the_isolation_is_missing_nothing_is_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, missing: str, said: str
) -> None:
    if not can_isolate():
        said = "Nothing was run"  # another part is missing as well, and may be named
    check_isolation.cache_clear()
    if missing == "bubblewrap":
        monkeypatch.setattr(isolation.shutil, "which", lambda _: None)
    elif missing == "pyseccomp":
        isolation._filter.cache_clear()
        monkeypatch.setitem(sys.modules, "pyseccomp", None)
    elif missing == "namespaces":
        refusing = tmp_path / "bwrap"
        refusing.write_text("#!/bin/sh\necho 'bwrap: No permissions to create a new namespace' >&2\nexit 1\n")
        refusing.chmod(0o755)
        monkeypatch.setattr(isolation.shutil, "which", lambda _: str(refusing))
    elif missing == "Linux":
        monkeypatch.setattr(isolation.sys, "platform", "darwin")
    else:
        monkeypatch.setattr(isolation, "_filter", lambda: bytes.fromhex("06000000 0000ff7f"))  # allow all calls
    file, ran = written(tmp_path, f"open({str(tmp_path / 'ran')!r}, 'w')\n{GOOD}"), tmp_path / "ran"
    with pytest.raises(CannotIsolate, match=said) as refused:
        Program(file, table("rummy"))
    assert "--trusted" in str(refused.value)
    done = CliRunner().invoke(app, ["score", str(file), "--game", "rummy"])
    assert done.exit_code == 1
    assert "Nothing was run" in done.output
    assert not ran.exists()
    monkeypatch.undo()
    check_isolation.cache_clear()


def test_a_program_that_is_trusted_runs_on_every_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(program_module, "check_isolation", lambda: pytest.fail("it is not isolated"))
    file, out = written(tmp_path, "import pytest\n" + GOOD), tmp_path / "out.json"
    words = ["score", str(file), "--game", "rummy", "--traces", "1", "--trusted", "--out", str(out)]
    done = CliRunner().invoke(app, words)
    assert done.exit_code == 0, done.output
    assert "not isolated (--trusted)" in done.output
    said = out.read_text(encoding="utf-8")
    assert '"isolated": false' in said
    assert '"pytest"' in said


def test_nothing_is_left_running_after_a_program(tmp_path: Path) -> None:
    """Of a program that does not answer, in isolation or trusted."""
    file = written(tmp_path, answering("while True: pass"))
    with Program(file, table("rummy"), seconds=0.2, trusted=not can_isolate()) as program:
        program.ask("scores", "", "")
        assert program._popen is not None
        group = program._popen.pid
        os.killpg(group, 0)
        with pytest.raises(ProgramFailed, match="took longer"):
            program.ask("legal_moves", "")
    for _ in range(200):
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return
        time.sleep(0.05)
    pytest.fail("processes of the program are left")


# Invalid answers ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("while True: pass", "took longer than 0.3 s"),
        ("import time; time.sleep(60)", "took longer than 0.3 s"),
        ("return ['draw'] * 10**9", "raised MemoryError"),
        ("return 'x' * 10**7", "answered too much"),
        ("return ['x' * 500]", "legal_moves returns a list of at most"),
        ("return ['draw'] * 9000", "legal_moves returns a list of at most"),
        ("return None", "legal_moves returns a list of at most 5000 short texts, not None"),
        ("return {'draw': 1}", "legal_moves returns a list"),
        ("return [1, 2]", "legal_moves returns a list"),
        ("return {'draw'}", "raised TypeError: Object of type set is not JSON serializable"),
        ("return [float('nan')]", "legal_moves returns a list"),
        ("raise ValueError('no \\x1b[31m idea')", r"raised ValueError in line 4: no \x1b[31m idea"),
        ("raise SystemExit(0)", "raised SystemExit in line 4"),
        ("raise KeyboardInterrupt", "raised KeyboardInterrupt in line 4"),
        ("raise type('Bad', (BaseException,), {'__str__': lambda self: 1 / 0})", "whose text cannot be had"),
        ("import os; os._exit(0)", "brought down its process"),
        ("import os; os.write(3, b'x' * 100000)", "brought down its process|wrote something else|raised OSError"),
        ("import os; [os.close(fd) for fd in range(3, 30)]", "raised OSError|brought down its process"),
        ("def f(): f()\n    f()", "raised RecursionError"),
        ("import sys; sys.stdout.write('x' * 10**7); print('MOVE: draw')", "short texts, not None"),
        ("return input()", "raised EOFError"),
    ],
)
@isolated
def test_a_hostile_program_loses_its_answers_and_nothing_else(tmp_path: Path, body: str, said: str) -> None:
    source = GOOD.replace("return []", f"\n    {body}", 1)
    found = scored(tmp_path, source, seconds=0.3 if "took longer" in said else 60.0, memory=1 << 29, most=3)
    [wrong] = [each for each in found.disagreements.values() if each.share == "legal"]
    assert wrong.kind == "no answer"
    assert any(each in wrong.given for each in said.split("|")), wrong.given
    assert means(found)["legal"] == 0
    assert found.failures == wrong.count == found.asked("legal")
    others = {each.kind for each in found.disagreements.values() if each.share == "effects"}
    assert found.asked("effects") > 0
    assert "took longer" in said or any(kind.startswith("the line") for kind in others)  # they are asked all the same


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("def setup(", "raised SyntaxError"),
        ("x = 1", "the program has no function setup, legal_moves, apply, is_over, scores"),
        (GOOD.replace("def scores", "def points"), "the program has no function scores"),
        (GOOD.replace("pass", "1 / 0"), "cannot be loaded: raised ZeroDivisionError in line 2"),
        (GOOD + "\nimport sys\nsys.exit('no')\n", "raised SystemExit"),
        (GOOD + "\nimport os\nos._exit(5)\n", "brought down its process"),
        ("\0", "raised"),
    ],
)
@isolated
def test_a_program_that_cannot_be_loaded_fails_throughout_with_the_reason(
    tmp_path: Path, source: str, said: str
) -> None:
    found = scored(tmp_path, source)
    assert means(found) == {"legal": 0.0, "effects": 0.0, "scores": 0.0}
    assert all(said in each.given for each in found.disagreements.values())


@isolated
def test_a_program_that_dies_again_and_again_is_given_up(tmp_path: Path) -> None:
    source = GOOD.replace("return []", "\n    import os; os._exit(1)", 1)
    file = tmp_path / "program.py"
    file.write_text(source, encoding="utf-8")
    with Program(file, table("rummy")) as program:
        for _ in range(60):
            with pytest.raises(ProgramFailed) as failed:
                program.ask("legal_moves", "")
    assert "started 50 times" in str(failed.value)


@isolated
def test_what_a_program_remembers_is_kept_while_its_process_lives(tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text(
        GOOD.replace("pass", "globals().update(told=table)").replace("[]", "[told['game']]"), encoding="utf-8"
    )
    with Program(file, table("gin"), seconds=60) as program:
        assert program.ask("legal_moves", "") == ["gin"]
        assert program.ask("legal_moves", "") == ["gin"]


@isolated
def test_the_time_of_a_game_is_bounded(tmp_path: Path) -> None:
    file = tmp_path / "program.py"
    file.write_text(GOOD, encoding="utf-8")
    with Program(file, table("rummy")) as program:
        found = score(program, recorded("rummy")[:1], most=3, seconds=-1.0)
    assert {each.given for each in found.disagreements.values()} == {"the time for this game is over"}


@isolated
def test_answers_reach_the_terminal_as_text(tmp_path: Path) -> None:
    """Moves and positions that would clear the screen, ring the bell, or cannot be encoded at all."""
    bad = GOOD.replace("return []", r"return ['\x1b[2Jdraw', '\x07', '\ud800', '\u202e']")
    bad = bad.replace("return position", r"return 'rules: \x1b]0;title\x07 \ud800'")
    found = scored(tmp_path, bad)
    said = "\n".join(each.text() for each in found.disagreements.values())
    assert r"\x1b[2Jdraw, \x07, \ud800, \u202e" in said
    assert all(one.isprintable() or one == "\n" for one in said)
    assert said.encode()
