"""The Python programs of the documentation's pages, found and run as a reader would: for the tests of all groups."""

from __future__ import annotations

import re
import runpy
import textwrap
from collections.abc import Mapping
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).resolve().parents[1]
PLUGINS = REPOSITORY / "docs" / "plugins"

# Pages of docs/plugins/ whose programs need a library, and the group of tests that runs them.
GROUPS = {
    **{"rllib.md": "rllib", "torchrl.md": "torchrl", "tianshou.md": "torchrl", "jax.md": "jax"},
    **{"openspiel.md": "openspiel", "hub.md": "data", "data.md": "data"},
    **{"verifiers.md": "verifiers", "openenv.md": "openenv"},
}

# Numbers of the examples that would take minutes, and what the tests take instead.
SHORT = {"STEPS": "2_048", "DEALS": "4", "STAGES": "2", "ITERATIONS": "2", "UPDATES": "2", "EPISODES": "20"}
_EXAMPLE = re.compile(r"^(?:<!-- file: (\S+) -->\n)?^ *```python\n(.*?)^ *```", flags=re.DOTALL | re.MULTILINE)


def examples(page: Path) -> list[tuple[str, str]]:
    """The programs of a page in short form, each with the name of its file; "" for one that is only run."""
    found = []
    for name, code in _EXAMPLE.findall(page.read_text(encoding="utf-8")):
        for names, values in re.findall(r"^([A-Z, ]+) = (.*)$", code, flags=re.MULTILINE):
            if not SHORT.keys() & set(names.split(", ")):
                continue
            parts = zip(names.split(", "), values.split(", "), strict=True)
            code = code.replace(f"{names} = {values}", f"{names} = {', '.join(SHORT.get(n, v) for n, v in parts)}")
        found.append((name, textwrap.dedent(code)))
    return found


def run_examples(
    page: Path,
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    replaced: Mapping[str, str] | None = None,
    without: str | None = None,
) -> int:
    """Run the programs of a page in a folder, in their order, so that one may read what another wrote; how many.

    Args:
        replaced: words of the page, such as an address, and what the test has in their place.
        without: programs that have this word are left out.
    """
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(folder)
    count = 0
    for number, (name, code) in enumerate(examples(page)):
        if without is not None and without in code:
            continue
        for word, other in (replaced or {}).items():
            code = code.replace(word, other)
        script = folder / (name or f"{page.stem}_{number}.py")
        script.write_text(code, encoding="utf-8")
        if not name:
            runpy.run_path(str(script), run_name="__main__")
            count += 1
    return count
