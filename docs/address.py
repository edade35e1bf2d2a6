"""The address of the public repository, and texts made from it. The setting is `repository` in pyproject.toml.

`make docs` writes clone commands and badges into the README, and the address into the notebooks and CITATION.cff.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
GITHUB = re.compile(r"https://github\.com/([\w.-]+/[\w.-]+?)/?")


def repository() -> str:
    """The address, https://github.com/OWNER/NAME; "" if it is not set. Raises ValueError for any other address."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    address: str = settings["tool"]["banakil-env"]["repository"]
    if address:
        name_of(address)
    return address


def name_of(address: str) -> str:
    """OWNER/NAME from an address. Raises ValueError if it is not on GitHub, which Colab, badges and links expect."""
    found = GITHUB.fullmatch(address)
    if found is None:
        raise ValueError(f"the repository is on GitHub, https://github.com/OWNER/NAME, and not {address!r}")
    return found[1]


def badges(address: str) -> str:
    """The badges below the title of the README: tests, license, versions of Python."""
    if not address:
        return ""
    tests = f"{address}/actions/workflows/tests.yml"
    return "\n".join(
        [
            f"[![tests]({tests}/badge.svg)]({tests})",
            f"[![licence: MIT](https://img.shields.io/badge/licence-MIT-blue)]({address}/blob/main/LICENSE)",
            "![Python 3.11 or newer](https://img.shields.io/badge/Python-3.11_or_newer-blue)",
        ]
    )


def clone(address: str) -> str:
    """The commands that install the package from a clone."""
    lines = [f"git clone {address}", f"cd {name_of(address).partition('/')[2]}"] if address else []
    return "\n".join(["```", *lines, "pip install -e '.[compile]'", "```"])
