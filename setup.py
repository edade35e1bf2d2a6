"""Refuses a Python that is too old before pip looks for dependencies, and puts libraries of machine code into wheels.

Everything else is in pyproject.toml. A wheel has the libraries of all games (banakil_env/machine_code), for the
processors of its platform, so that what is installed needs no compiler. `BANAKIL_WHEEL_GAMES="gin rummy"` makes a
wheel with those of two games, and `BANAKIL_WHEEL_GAMES=` one with none. An editable installation builds libraries at
their first use. `release/wheels.py` makes the wheels that are published.

Without the check, pip before 23 takes `requires-python` for a conflict like any other, and tries one NumPy after the
other. It must run on old Pythons.
"""

import os
import pathlib
import re
import shutil
import subprocess
import sys
import sysconfig

from setuptools import Extension, setup
from setuptools.command.build_py import build_py

PROJECT = pathlib.Path(__file__).resolve().parent / "pyproject.toml"
LOWEST = re.search(r'^requires-python = ">=(\d+)\.(\d+)"', PROJECT.read_text(encoding="utf-8"), re.MULTILINE)

if LOWEST and sys.version_info < tuple(map(int, LOWEST.groups())):
    sys.exit(
        "banakil-env needs Python {}.{} or newer, and this is Python {}.{} ({}). Make an environment with a newer one, "
        "such as: python3.12 -m venv .venv".format(*LOWEST.groups(), *sys.version_info[:2], sys.executable)
    )

GAMES = os.environ.get("BANAKIL_WHEEL_GAMES", "all")
# For a wheel that is made on a machine of another platform; only here, since pip would install for that platform too.
if os.environ.get("BANAKIL_WHEEL_PLATFORM"):
    os.environ["_PYTHON_HOST_PLATFORM"] = os.environ["BANAKIL_WHEEL_PLATFORM"]
# The processors that a wheel of a platform has libraries for. On other platforms libraries are built at their first
# use, which needs the extra `compile`.
PROCESSORS = {"linux-x86_64": "x86-64-v2 x86-64-v3", "linux-aarch64": "aarch64"}


class BuildWithLibraries(build_py):
    """Builds the libraries from the sources that the wheel gets."""

    def run(self):
        shutil.rmtree(self._folder(), ignore_errors=True)  # of an earlier build
        super().run()
        processors = PROCESSORS.get(sysconfig.get_platform())
        if GAMES and processors and not self.editable_mode:
            words = ["-m", "banakil_env.libraries", str(self._folder()), GAMES, processors]
            path = os.pathsep.join([str(self._folder().parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])])
            environment = {**os.environ, "PYTHONPATH": path}
            environment.pop("_PYTHON_HOST_PLATFORM", None)
            subprocess.run([sys.executable, *words], check=True, env=environment)

    def _folder(self):
        return pathlib.Path(self.build_lib).resolve() / "banakil_env" / "machine_code"

    def get_outputs(self, include_bytecode=True):
        built = [] if self.editable_mode else sorted(map(str, self._folder().glob("*")))
        return super().get_outputs(include_bytecode) + built


# What checks the arguments of compiled calls. Without a C compiler the same is done in Python, more slowly.
CALLER = Extension(
    "banakil_env.core.jit._caller",
    ["banakil_env/core/jit/_caller.c"],
    py_limited_api=True,
    optional=True,
    extra_compile_args=[] if sys.platform == "win32" else ["-g0"],  # no paths of the building machine
)

# What XLA calls (banakil_env.envs.jax). Without a C compiler, a callback in Python does the same.
XLA = Extension(
    "banakil_env.envs._xla",
    ["banakil_env/envs/_xla.c"],
    py_limited_api=True,
    optional=True,
    extra_compile_args=CALLER.extra_compile_args,
)

REPOSITORY = re.search(r'^repository = "(.+)"', PROJECT.read_text(encoding="utf-8"), re.MULTILINE)

setup(
    project_urls={"Repository": REPOSITORY[1], "Issues": f"{REPOSITORY[1]}/issues"} if REPOSITORY else {},
    cmdclass={"build_py": BuildWithLibraries},
    ext_modules=[CALLER, XLA],
    options={"bdist_wheel": {"py_limited_api": "cp311"}},
)
