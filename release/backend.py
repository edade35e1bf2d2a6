"""The build backend: setuptools, with additional requirements for building compiled libraries into a wheel.

These are the dependencies of the package and its extra `compile`. An editable installation needs none of them.
"""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any

from setuptools import build_meta
from setuptools.build_meta import *  # noqa: F403  # the hooks that a backend has

PROJECT = Path(__file__).resolve().parents[1] / "pyproject.toml"


def get_requires_for_build_wheel(config_settings: Any = None) -> list[str]:
    """The packages that must be installed before a wheel is built."""
    needed: list[str] = build_meta.get_requires_for_build_wheel(config_settings)
    if os.environ.get("BANAKIL_WHEEL_GAMES", "all"):
        project = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]
        needed += [*project["dependencies"], *project["optional-dependencies"]["compile"]]
    return needed
