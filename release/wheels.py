"""Makes the files to publish: the sdist, and wheels with compiled libraries for Linux on x86-64 and on aarch64.

    pip install build ziglang
    python release/wheels.py dist

Both wheels are made on one machine. LLVM compiles the games for either processor. Zig's C compiler, which includes the
C libraries of other systems, compiles the extension and links against glibc 2.17, so that the wheels work on every
Linux since 2014. The versions in constraints.txt build them. Other systems install the sdist, and build libraries at
their first use with the extra `compile`.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[1]
MACHINES = ("x86_64", "aarch64")
GLIBC = "2.17"


def main(out: Path) -> None:
    """Write the sdist and the wheels into a folder."""
    subprocess.run([*_words("build"), "--sdist", "--outdir", str(out), str(REPOSITORY)], check=True)
    [sdist] = out.glob("*.tar.gz")
    for machine in MACHINES:
        with tempfile.TemporaryDirectory() as folder:
            with tarfile.open(sdist) as packed:
                packed.extractall(folder, filter="data")
            [sources] = Path(folder).iterdir()
            build_wheel(sources, machine, out)


def build_wheel(sources: Path, machine: str, out: Path) -> None:
    """Build the wheel for one kind of machine."""
    compiler = " ".join([*_words("ziglang"), "cc", "-target", f"{machine}-linux-gnu.{GLIBC}"])
    environment = {
        "CC": compiler,
        "LDSHARED": f"{compiler} -shared",
        "CFLAGS": "-O2",
        "BANAKIL_WHEEL_PLATFORM": f"linux-{machine}",
        "PIP_CONSTRAINT": str(REPOSITORY / "constraints.txt"),
    }
    platform = f"manylinux_{GLIBC.replace('.', '_')}_{machine}"
    words = [*_words("build"), "--wheel", "--outdir", str(out), f"-C--build-option=--plat-name={platform}"]
    subprocess.run([*words, str(sources)], check=True, env={**os.environ, **environment})


def _words(module: str) -> list[str]:
    return [sys.executable, "-m", module]


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "dist").resolve())
