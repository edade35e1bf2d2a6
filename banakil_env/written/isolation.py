"""Isolates a program from the machine by bubblewrap's namespaces, a system call filter and an unprivileged user.

There are three layers of protection; a program escapes only if all of them fail:

* bubblewrap starts the process in namespaces without network and without other processes. Its file system is read-only
  and holds Python's standard library, the shared libraries that it loads, and the two files of `written.runner`.
* The runner gives up root, if this process has it, and all capabilities.
* The runner loads a seccomp filter, compiled here by libseccomp: system calls that are not in `CALLS` fail. No process
  and no thread can be started, no socket created, no file created or opened for writing.

The runner checks the result before it loads a program. All three layers exist on Linux only. `require()` raises an
error if one of them is missing.
"""

from __future__ import annotations

import base64
import errno
import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from banakil_env.arena import channel as channel_module
from banakil_env.core.install import PACKAGE, install_line
from banakil_env.written import runner as runner_module

NOBODY = 65534  # the id of the user and of the group inside
CHECKING = 30.0  # seconds for the first start

# The system calls that an interpreter needs for programs that only compute. None of them affects another process.
CALLS = (
    *("read", "readv", "pread64", "write", "writev", "close", "lseek", "fcntl", "dup", "dup2", "dup3"),
    *("recvfrom", "recvmsg", "sendto", "sendmsg", "poll", "ppoll"),  # on the existing socket
    *("fstat", "stat", "lstat", "newfstatat", "fstatat64", "statx", "access", "faccessat", "faccessat2"),
    *("getdents", "getdents64", "readlink", "readlinkat", "getcwd"),
    *("mmap", "mmap2", "munmap", "mprotect", "mremap", "madvise", "brk", "membarrier"),
    *("futex", "sched_yield", "sched_getaffinity", "restart_syscall", "rseq", "set_robust_list"),
    *("rt_sigaction", "rt_sigprocmask", "rt_sigreturn", "sigaltstack"),
    *("clock_gettime", "clock_getres", "clock_nanosleep", "nanosleep", "gettimeofday", "time", "times", "getrusage"),
    *("getrandom", "getpid", "gettid", "getppid", "getuid", "geteuid", "getgid", "getegid", "getgroups"),
    *("uname", "getrlimit"),
    *("exit", "exit_group"),
)
OPENING = {"open": 1, "openat": 2}  # calls that open a file, and the index of their argument `flags`
# Modules for windows and terminals; the shared libraries that they need are left out.
UNUSED = ("_tkinter", "_curses", "readline")
ASKING = (
    0x5401,
    0x5450,
    0x5451,
)  # arguments of ioctl: TCGETS, FIONCLEX, FIOCLEX, which Python uses for every file that it opens

WAY_OUT = (
    "Nothing was run. --trusted runs a program that you have read, with your own rights; docs/write-the-rules.md says "
    "what isolation needs."
)


class CannotIsolate(RuntimeError):
    """This machine cannot isolate a program. The text gives the reason and a way out. Nothing was run."""

    def __init__(self, why: str) -> None:
        super().__init__(f"programs of others are run in isolation only, and it is not available: {why}. {WAY_OUT}")


def command(arguments: Sequence[str]) -> list[str]:
    """The command that starts the runner in isolation. Raises CannotIsolate if a layer is missing."""
    if sys.platform != "linux":
        raise CannotIsolate(f"it needs bubblewrap and seccomp, which Linux has, and this is {sys.platform}")
    bubblewrap = shutil.which("bwrap")
    if bubblewrap is None:
        raise CannotIsolate("the program bwrap is missing: install bubblewrap, such as by 'apt install bubblewrap'")
    if os.geteuid() == 0:  # the runner gives up root later, and needs two capabilities for that
        user = ["--cap-drop", "ALL", "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    else:
        user = ["--unshare-user", "--uid", str(NOBODY), "--gid", str(NOBODY)]
    files, folders = _visible()
    runner, channel = "/banakil/runner.py", "/banakil/channel.py"
    return [
        *(bubblewrap, "--die-with-parent", "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"),
        *("--unshare-cgroup-try", *user, "--clearenv", "--setenv", "PYTHONHASHSEED", "0"),
        *("--setenv", "LD_LIBRARY_PATH", ":".join(dict.fromkeys(map(os.path.dirname, files)))),
        # Without this only root could enter these folders.
        *(part for path in _parents([*folders, *files, runner]) for part in ("--dir", path)),
        *(part for path in folders for part in ("--ro-bind", path, path)),
        *(part for path in files for part in ("--ro-bind", path, path)),
        *(part for path in _masked(folders) for part in ("--tmpfs", path)),
        *("--ro-bind", runner_module.__file__, runner, "--ro-bind", channel_module.__file__, channel),
        *("--remount-ro", "/", "--chdir", "/", "--"),
        *(_interpreter(), "-s", "-S", "-P", "-B", "-X", "utf8", runner, arguments[0], channel, *arguments[1:]),
    ]


def luggage() -> dict[str, Any]:
    """The values that the runner needs to isolate itself, as plain values for JSON.

    Raises CannotIsolate if a layer is missing.
    """
    return {
        "filter": base64.b64encode(_filter()).decode(),
        "user": NOBODY,
        "absent": [str(PACKAGE), "/etc/passwd", "/proc/self"],
    }


@functools.cache
def _visible() -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The files and the folders that the process can see.

    The files are the interpreter and the shared libraries that it loads; the folders have the standard library. Raises
    CannotIsolate if the libraries cannot be listed, or if the engine is inside these folders.
    """
    library = os.path.dirname(os.path.realpath(os.__file__))
    modules = [os.path.realpath(path) for path in sys.path if os.path.basename(path) == "lib-dynload"][:1]
    folders = [library, *(path for path in modules if not _lies_in(path, library))]
    if any(_lies_in(str(PACKAGE), each) for each in folders) and not any(
        _lies_in(str(PACKAGE), each) for each in _masked(folders)
    ):
        raise CannotIsolate(f"the engine is installed inside the standard library, in {PACKAGE}")
    compiled = [str(path) for each in modules for path in Path(each).glob("*.so") if not path.name.startswith(UNUSED)]
    try:
        asked = subprocess.run(["ldd", _interpreter(), *compiled], capture_output=True, text=True, timeout=CHECKING)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise CannotIsolate(f"ldd cannot list the libraries that Python loads: {error}") from None
    libraries = re.findall(r"^\s*(?:\S+ => )?(/.+) \(0x[0-9a-f]+\)$", asked.stdout, re.MULTILINE)
    return tuple(dict.fromkeys([_interpreter(), *libraries])), tuple(folders)


def _masked(folders: Sequence[str]) -> list[str]:
    """The folders of installed packages inside the visible folders; the process sees them as empty."""
    return [path for folder in folders for name in runner_module.PACKAGES if os.path.isdir(path := f"{folder}/{name}")]


def _parents(paths: Sequence[str]) -> list[str]:
    """All parent folders of these paths, each after its own parent."""
    return sorted({str(folder) for path in paths for folder in Path(path).parents} - {"/"})


def _interpreter() -> str:
    """The path of the interpreter outside of any virtual environment."""
    return os.path.realpath(getattr(sys, "_base_executable", sys.executable))


def _lies_in(path: str, folder: str) -> bool:
    return os.path.commonpath([path, folder]) == folder


@functools.cache
def _filter() -> bytes:
    """The compiled filter of system calls, in the form that the kernel takes."""
    try:
        import pyseccomp as seccomp
    except (ImportError, RuntimeError) as error:  # RuntimeError if libseccomp is not installed
        raise CannotIsolate(f"seccomp is missing ({error}): {install_line('isolation')}, and libseccomp2") from None

    made = seccomp.SyscallFilter(seccomp.ERRNO(errno.EPERM))

    def allow(name: str, *arguments: Any) -> None:
        if seccomp.resolve_syscall(seccomp.system_arch(), name) != -1:  # only calls that libseccomp knows
            made.add_rule(seccomp.ALLOW, name, *arguments)

    for name in CALLS:
        allow(name)
    for name, place in OPENING.items():
        allow(name, seccomp.Arg(place, seccomp.MASKED_EQ, os.O_ACCMODE | os.O_CREAT | os.O_TRUNC, os.O_RDONLY))
    for asked in ASKING:
        allow("ioctl", seccomp.Arg(1, seccomp.EQ, asked))
    with tempfile.TemporaryFile() as file:
        made.export_bpf(file)
        file.seek(0)
        return file.read()
