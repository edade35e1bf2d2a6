"""Writes the first cells of the notebooks, so that they open in Colab: `python docs/colab.py [ADDRESS]`.

ADDRESS is the address of the public repository; by default that of docs/address.py. With an address every notebook gets
a badge that opens it in Colab, and the repository to clone there. Without an address there is no badge, and outside a
checkout the notebook asks for the address.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).resolve().parent))

from address import name_of, repository

NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"
BADGE = "[![Open In Colab](https://colab.research.google.com/assets/colab-badge.svg)]"

# The first code cell.
SETUP = """# Finds the repository. In Colab, or elsewhere without it, clones and installs it first.
import os
import subprocess
import sys
from pathlib import Path

REPOSITORY = "ADDRESS"
places = (Path.cwd(), *Path.cwd().parents, Path.cwd() / "banakil-env")
ROOT = next((path for path in places if (path / "banakil_env").is_dir()), None)
if ROOT is None:
    ROOT = Path.cwd() / "banakil-env"
    address = REPOSITORY or os.environ.get("BANAKIL_REPOSITORY") or input("Address of the repository, to be cloned: ")
    subprocess.run(["git", "clone", "--depth", "1", address, str(ROOT)], check=True)
    wanted = f"{ROOT}[train,cli,arena,compile]"
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "-e", wanted], check=True)
sys.path.insert(0, str(ROOT))  # train/ is not installed"""


def with_setup(notebook: dict[str, Any], name: str, address: str) -> dict[str, Any]:
    """A notebook with the first cells for this address. Raises ValueError if Colab cannot open the address."""
    first, setup, *others = notebook["cells"]
    title = "".join(first["source"]).split("\n")
    if title[0].startswith(BADGE):
        title = title[2:]
    if address:
        link = f"https://colab.research.google.com/github/{name_of(address)}/blob/main/notebooks/{name}"
        title = [f"{BADGE}({link})", "", *title]
    first = {**first, "source": "\n".join(title).splitlines(keepends=True)}
    setup = {**setup, "source": SETUP.replace("ADDRESS", address).splitlines(keepends=True)}
    return {**notebook, "cells": [first, setup, *others]}


def main(arguments: list[str] | None = None) -> int:
    """Write all notebooks; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address", nargs="?", help="https://github.com/OWNER/NAME")
    given = parser.parse_args(arguments).address
    address = repository() if given is None else given
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        try:
            written = with_setup(json.loads(path.read_text(encoding="utf-8")), path.name, address)
        except ValueError as error:
            print(f"docs/colab.py: {error}", file=sys.stderr)
            return 1
        path.write_text(json.dumps(written, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
