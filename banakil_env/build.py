"""The command `banakil build`: builds the compiled libraries of games in advance, so that later runs do not wait.

It needs the extra `compile` but not the libraries of the command line. If `rich` is installed, it draws a progress bar.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from banakil_env.browser.module import described, module_of
from banakil_env.core.install import install_line
from banakil_env.core.jit import telling
from banakil_env.core.terminal import leave, say
from banakil_env.games import DEFAULT_GAME, GAMES, find
from banakil_env.libraries import COMMON, libraries_of


def main(words: Sequence[str]) -> None:
    """Run the command with these arguments."""
    parser = argparse.ArgumentParser(prog="banakil build", description=build.__doc__)
    parser.add_argument(
        "--game", default=DEFAULT_GAME, help="which game; all: every one of them (default: %(default)s)"
    )
    parser.add_argument("--jobs", type=int, help="processes that build at once (default: one for each core)")
    parser.add_argument("--wasm", type=Path, help="write the game as a WebAssembly module into this folder instead")
    build(**vars(parser.parse_args(words)))


def build(game: str = DEFAULT_GAME, jobs: int | None = None, wasm: Path | None = None) -> None:
    """Build the libraries of a game. Libraries that are already built take no time."""
    try:
        names = [find(name).name for name in (GAMES if game == "all" else [game])]
    except ValueError as error:
        leave(f"banakil build: {error}, and all")
    if wasm is not None:
        write_modules(names, wasm)
        return
    wanted = [(name, library.name) for name in [COMMON, *names] for library in libraries_of(name)]
    with _progress(len(wanted)) as tell, ProcessPoolExecutor(jobs or os.cpu_count()) as pool:
        for done in as_completed([pool.submit(build_library, *each) for each in wanted]):
            try:
                library, path, was_built = done.result()
            except ImportError as error:
                leave(f"banakil build: {error}")
            if path is None:
                leave(f"banakil build: {library} cannot be built with this version of Numba; {install_line('compile')}")
            kept_in = Path(path).parent
            tell(f"built {library}" if was_built else "")
    say(f"{len(wanted)} libraries are ready")
    if closed_to_others(kept_in):
        say(
            f"Other users cannot read {kept_in}. NUMBA_CACHE_DIR=/var/cache/banakil_env, for this command and for "
            "them, names a folder that they can"
        )


@contextlib.contextmanager
def _progress(total: int) -> Iterator[Callable[[str], None]]:
    """Yield a function that shows the progress. Call it after each library, with a line to print or "".

    The function draws a progress bar, or prints numbers if `rich` is not installed.
    """
    try:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
    except ImportError:
        numbers = iter(range(1, total + 1))

        def tell(line: str) -> None:
            number = next(numbers)
            if line:
                say(f"{line} ({number} of {total})", flush=True)

        yield tell
        return
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn()
    with Progress(*columns) as progress:
        task = progress.add_task("building", total=total)

        def draw(line: str) -> None:
            if line:
                progress.console.print(line)
            progress.advance(task)

        yield draw


def closed_to_others(folder: Path) -> bool:
    """Whether this user is root, whose libraries could serve all users, but other users cannot read the folder."""
    is_root = getattr(os, "geteuid", lambda: -1)() == 0
    return is_root and any(not each.stat().st_mode & stat.S_IXOTH for each in (folder, *folder.parents))


def write_modules(names: Sequence[str], folder: Path) -> None:
    """Write the WebAssembly module of each game, and its description, into a folder."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name in names:
            module = module_of(find(name))
            (folder / f"{name}.wasm").write_bytes(module)
            (folder / f"{name}.json").write_text(json.dumps(described(find(name)), indent=1) + "\n", encoding="utf-8")
            say(f"{folder / name}.wasm: {len(module)} bytes")
    except ModuleNotFoundError as error:
        leave(f"banakil build: a WebAssembly module needs {error.name}; {install_line('compile')}")
    except OSError as error:  # there is no linker, or the folder cannot be written
        leave(f"banakil build: {error}")


def build_library(game: str, name: str) -> tuple[str, str | None, bool]:
    """Build a library of a game.

    Returns:
        The name, the path (None if it cannot be built), and whether the library was built just now.
    """
    built: list[str] = []
    [library] = [each for each in libraries_of(game) if each.name == name]
    with telling(lambda told, seconds: built.append(told)):
        path = library.file()
    return name, None if path is None else str(path), bool(built)
