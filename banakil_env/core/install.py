"""Finds the command that installs missing extras, for messages; it depends on how this package was installed."""

from __future__ import annotations

import contextlib
import importlib.metadata
import json
import os
from collections.abc import Iterator
from pathlib import Path

NAME = "banakil-env"
PACKAGE = Path(__file__).resolve().parents[1]
WINDOWS = os.name == "nt"


def install_line(*extras: str) -> str:
    """The shell command that adds extras to this installation.

    A checkout is installed from its path, a wheel or a repository from its address, and a package from an index by its
    name.
    """
    chosen, checkout = f"[{','.join(extras)}]", PACKAGE.parent
    if (checkout / "pyproject.toml").is_file():
        return f"pip install -e {_quoted(('.' if checkout == Path.cwd() else str(checkout)) + chosen)}"
    source = _source()
    return f"pip install {_quoted(f'{NAME}{chosen}' + (f' @ {source}' if source else ''))}"


@contextlib.contextmanager
def libraries_of(extra: str, module: str) -> Iterator[None]:
    """Name the command that installs an extra if an import in this block finds no library.

    Args:
        extra: the extra that installs the libraries.
        module: the name of the module that needs them, for the message.

    Raises:
        ModuleNotFoundError: a library is not installed.
    """
    try:
        yield
    except ModuleNotFoundError as error:
        library = (error.name or "").partition(".")[0]
        if library == PACKAGE.name:  # a fault of the package itself
            raise
        raise ModuleNotFoundError(f"{module} needs {library}: {install_line(extra)}", name=library) from error


def _source() -> str | None:
    """The address that pip has installed the package from; None if from an index."""
    try:
        said = importlib.metadata.distribution(NAME).read_text("direct_url.json")
    except importlib.metadata.PackageNotFoundError:
        return None
    if said is None:
        return None
    origin = json.loads(said)
    if "vcs_info" in origin:
        return f"{origin['vcs_info']['vcs']}+{origin['url']}@{origin['vcs_info']['commit_id']}"
    return str(origin["url"])


def _quoted(text: str) -> str:
    """Quote a text for a shell. The command prompt of Windows knows double quotes only."""
    return f'"{text}"' if WINDOWS else f"'{text}'"
