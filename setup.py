"""Refuses a Python that is too old before pip looks for dependencies, and puts the agents of the zoo into the package.

Everything else is in pyproject.toml. Agents are trained, measured and documented in agents/zoo of the checkout; what is
installed gets their weights alone, as banakil_env/zoo, where `zoo:NAME` finds them.

Without this, pip before 23 takes `requires-python` for a conflict like any other, and tries one NumPy after the other.
It must run on old Pythons.
"""

import pathlib
import re
import shutil
import sys

from setuptools import Extension, setup
from setuptools.command.build_py import build_py

PROJECT = pathlib.Path(__file__).resolve().parent / "pyproject.toml"
LOWEST = re.search(r'^requires-python = ">=(\d+)\.(\d+)"', PROJECT.read_text(encoding="utf-8"), re.MULTILINE)

if LOWEST and sys.version_info < tuple(map(int, LOWEST.groups())):
    sys.exit(
        "banakil-env needs Python {}.{} or newer, and this is Python {}.{} ({}). Make an environment with a newer one, "
        "such as: python3.12 -m venv .venv".format(*LOWEST.groups(), *sys.version_info[:2], sys.executable)
    )


class BuildWithZoo(build_py):
    """Copies the weights of the agents of the zoo into what is built; an editable installation finds the checkout."""

    def _agents(self):
        return sorted((PROJECT.parent / "agents" / "zoo").glob("*/model.safetensors"))

    def _place(self, agent):
        return pathlib.Path(self.build_lib, "banakil_env", "zoo", agent.parent.name, agent.name)

    def run(self):
        super().run()
        if not self.editable_mode:
            for agent in self._agents():
                self._place(agent).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(agent, self._place(agent))

    def get_outputs(self, include_bytecode=True):
        agents = [] if self.editable_mode else [str(self._place(agent)) for agent in self._agents()]
        return super().get_outputs(include_bytecode) + agents


# What checks the arguments of compiled calls. Without a C compiler the same is done in Python, more slowly.
CALLER = Extension(
    "banakil_env.core.jit._caller",
    ["banakil_env/core/jit/_caller.c"],
    py_limited_api=True,
    optional=True,
    extra_compile_args=[] if sys.platform == "win32" else ["-g0"],  # no paths of the building machine
)

setup(cmdclass={"build_py": BuildWithZoo}, ext_modules=[CALLER], options={"bdist_wheel": {"py_limited_api": "cp311"}})
