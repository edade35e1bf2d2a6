"""Plays with the wheel for aarch64 under QEMU, and compares the games with those of this machine's wheel.

    python release/wheels.py dist
    python release/on_arm.py dist             # all games: a quarter of an hour
    python release/on_arm.py dist gin rummy

It needs `qemu-aarch64` (Debian: the package qemu-user), and Debian's apt-get, which finds a Python for aarch64; nothing
is installed into the system. On a machine with an aarch64 processor, run `release/digests.py` with the wheel instead.
"""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
WORK = REPOSITORY / "build" / "aarch64"
PYTHON = "3.11"  # the version in Debian 12
# Settings of apt for a separate folder with the lists and packages of another architecture.
APT = """
APT::Architecture "arm64";
APT::Architectures "arm64";
APT::Install-Recommends "false";
Dir::State "{work}/apt/state";
Dir::State::status "/dev/null";
Dir::Cache "{work}/apt/cache";
"""


def main(dist: Path, games: Sequence[str]) -> int:
    """Print every digest that differs; returns the exit status."""
    qemu = shutil.which("qemu-aarch64")
    if qemu is None:
        sys.exit("there is no qemu-aarch64: apt-get install --no-install-recommends qemu-user")
    native = platform.machine()
    here = digests([sys.executable], installed(wheel_of(dist, native), native), games)
    root = python_for_aarch64()
    words = [qemu, "-L", str(root), str(root / "usr" / "bin" / f"python{PYTHON}")]
    there = digests(words, installed(wheel_of(dist, "aarch64"), "aarch64"), games)
    differing = sorted(set(here) ^ set(there))
    print(*differing, sep="\n", end="\n" * bool(differing))
    print(f"{len(set(here) & set(there))} of {len(here)} digests are the same under aarch64 and {native}")
    return 1 if differing else 0


def wheel_of(dist: Path, machine: str) -> Path:
    """The path of the wheel for a kind of machine."""
    found = sorted(dist.glob(f"banakil_env-*{machine}.whl"))
    if not found:
        sys.exit(f"{dist} has no wheel for {machine}: python release/wheels.py {dist}")
    return found[-1]


def installed(wheel: Path, machine: str) -> Path:
    """A folder with the package and its dependencies, as pip installs them on this kind of machine."""
    folder = WORK / f"site-{machine}"
    shutil.rmtree(folder, ignore_errors=True)
    platforms = [f"--platform=manylinux_2_{minor}_{machine}" for minor in (17, 27, 28)]
    words = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary=:all:"]
    version = [f"--python-version={PYTHON}"] if machine == "aarch64" else []
    subprocess.run([sys.executable, *words, *platforms, *version, f"--target={folder}", str(wheel)], check=True)
    return folder


def python_for_aarch64() -> Path:
    """A folder with Debian's Python for aarch64 and its libraries, downloaded once."""
    root = WORK / "root"
    if not root.is_dir():
        settings = WORK / "apt.conf"
        for folder in ("apt/state/lists/partial", "apt/cache/archives/partial"):
            (WORK / folder).mkdir(parents=True, exist_ok=True)
        settings.write_text(APT.format(work=WORK))
        environment = {**os.environ, "APT_CONFIG": str(settings)}
        wanted = [f"python{PYTHON}-minimal", f"libpython{PYTHON}-stdlib", "libstdc++6"]
        for words in (["update"], ["--yes", "--download-only", "install", *wanted]):
            subprocess.run(["apt-get", "-qq", *words], check=True, env=environment)
        unpacked = WORK / "unpacked"
        for package in sorted((WORK / "apt" / "cache" / "archives").glob("*.deb")):
            subprocess.run(["dpkg-deb", "--extract", str(package), str(unpacked)], check=True)
        unpacked.rename(root)
    return root


def digests(python: Sequence[str], site: Path, games: Sequence[str]) -> list[str]:
    """The lines of `digests.py`, run by a Python that sees only the packages in the folder `site`."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("NUMBA_", "PYTHON"))}
    done = subprocess.run(
        [*python, "-S", str(REPOSITORY / "release" / "digests.py"), *games],
        env={**inherited, "PYTHONPATH": str(site)},
        cwd=site,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return done.stdout.splitlines()


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else "dist").resolve(), sys.argv[2:]))
