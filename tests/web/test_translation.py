"""Do translated functions do in JavaScript what they do in Python? Small functions, each for a part of the language."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from typing import Any

import pytest
from translated_examples import EXAMPLES, untranslatable
from wasm_games import NODE, SCRIPTS

from banakil_env.browser import objects, program
from banakil_env.browser.functions import Untranslatable
from banakil_env.browser.objects import Translated

PROGRAM = """
import {{ py }} from "./runtime.js";
import {{ plain }} from "./values.js";
{text}
const results = [{calls}].map((call) => {{
  try {{
    return plain(call());
  }} catch (error) {{
    return String(error.stack ?? py.str(error));
  }}
}});
process.stdout.write(JSON.stringify(results));
"""


@pytest.fixture(autouse=True)
def examples_are_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(objects, "OWN", [*objects.OWN, "translated_examples"])


def translated(*functions: Callable[[], Any]) -> tuple[str, list[str]]:
    """A program with these functions, and their names in it."""
    made = Translated(program._natives(), set(), set(), {})
    names = [made.value(function) for function in functions]
    return made.finish(), names


@pytest.fixture(scope="module")
def in_javascript(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """What the examples give in Node."""
    if NODE is None:
        pytest.skip("needs Node")
    folder = tmp_path_factory.mktemp("translated")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(objects, "OWN", [*objects.OWN, "translated_examples"])
        text, names = translated(*EXAMPLES)
    for script in SCRIPTS.glob("*.js"):
        shutil.copy(script, folder)
    (folder / "package.json").write_text('{"type": "module"}')
    (folder / "main.js").write_text(PROGRAM.format(text=text, calls=", ".join(names)), encoding="utf-8")
    made = subprocess.run([str(NODE), "main.js"], cwd=folder, capture_output=True, text=True, check=False)
    assert made.returncode == 0, made.stderr
    found: list[Any] = json.loads(made.stdout)
    return found


@pytest.mark.parametrize("place", range(len(EXAMPLES)), ids=[each.__name__ for each in EXAMPLES])
def test_the_result_is_that_of_python(place: int, in_javascript: list[Any]) -> None:
    assert in_javascript[place] == json.loads(json.dumps(EXAMPLES[place]()))


def test_what_has_no_translation_is_named_with_its_line() -> None:
    with pytest.raises(Untranslatable, match=r"translated_examples\.untranslatable, line \d+: the statement Global"):
        translated(untranslatable)


def test_attributes_that_no_function_names_stay_behind() -> None:
    from translated_examples import numbers, sequences

    assert "seat" not in translated(numbers, sequences)[0]
