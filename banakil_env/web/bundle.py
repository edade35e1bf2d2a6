"""Combines the modules of a page into one script, so that the page works without a server.

Modules that are opened from a file cannot import other files. Here each module becomes a function that is called once
and returns its exports; its imports come from modules earlier in the script. Modules can use two forms only, which is
checked: `import { a, b } from "./other.js";`, and `export` before a function, a class or a constant.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from importlib import resources

_IMPORT = re.compile(r'^import \{ ([\w, ]+) \} from "\./(\w+\.js)";$', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|class|const) (\w+))", re.MULTILINE)
_OTHER = re.compile(r"^(?:import|export)\b.*$", re.MULTILINE)


def page_file(name: str) -> str:
    """The text of a file of the page."""
    return resources.files("banakil_env.web").joinpath("page", name).read_text(encoding="utf-8")


def bundled(name: str, text_of: Callable[[str], str] = page_file) -> str:
    """A module of the page with all modules that it imports, as one script.

    Args:
        name: the name of the module.
        text_of: returns the text of a module by its name.

    Raises:
        ValueError: a module uses another form of import or export.
    """
    scripts: dict[str, str] = {}
    _add(name, scripts, text_of)
    return "const modules = {};\n" + "".join(scripts.values())


def _add(name: str, scripts: dict[str, str], text_of: Callable[[str], str]) -> None:
    """Add a module to `scripts`, after the modules that it imports, unless it has been added."""
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
