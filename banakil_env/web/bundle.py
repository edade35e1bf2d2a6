"""Makes one script of the modules of a page, so that the page works without a server.

Modules that are opened from a file cannot import other files. Here each becomes a function that is called once and
gives what it exports; what it imports is taken from those before it. The modules keep to two forms, which is checked:
`import { a, b } from "./other.js";` and `export` in front of a function, a class or a constant.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import resources

_IMPORT = re.compile(r'^import \{ ([\w, ]+) \} from "\./(\w+\.js)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const) (\w+))", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b.*$", re.MULTILINE)


def page_file(name: str) -> str:
    """A file of the page as text."""
    return resources.files("banakil_env.web").joinpath("page", name).read_text(encoding="utf-8")


def bundled(name: str, text_of: Callable[[str], str] = page_file) -> str:
    """A module of the page with all that it imports, as one script. ValueError: a module keeps to another form.

    Args:
        text_of: gives the text of each module by its name.
    """
    scripts: dict[str, str] = {}
    _add(name, scripts, text_of)
    return "const modules = {};\n" + "".join(scripts.values())


def _add(name: str, scripts: dict[str, str], text_of: Callable[[str], str]) -> None:
    """Add a module behind those that it imports, unless it is there."""
    if name in scripts:
        return
    text = text_of(name)
    for found in _IMPORT.finditer(text):
        _add(found[2], scripts, text_of)
    exported = [found[1] for found in _EXPORT.finditer(text)]
    text = _EXPORT.sub("", _IMPORT.sub(r'const { \1 } = modules["\2"];', text))
    if other := _OTHER.search(text):
        raise ValueError(f"{name} cannot be put into one file: {other[0]!r} is of another form")
    scripts[name] = f'modules["{name}"] = (() => {{\n{text}\nreturn {{ {", ".join(exported)} }};\n}})();\n'
