"""The command `banakil native`: writes a game's header and libraries into a folder, for C programs."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from banakil_env.capi.header import common_header, file_stem, header_of
from banakil_env.core.batch import choose_randomly
from banakil_env.core.game import Game
from banakil_env.core.install import install_line
from banakil_env.core.jit import Library
from banakil_env.core.kernels import kernels_of
from banakil_env.core.players import players_of
from banakil_env.core.terminal import leave, say
from banakil_env.games import find


class NotBuilt(RuntimeError):
    """A library cannot be built on this machine."""


def native(
    game: Annotated[str, typer.Argument(help="which game")],
    folder: Annotated[Path, typer.Argument(help="where the files go; it is made if it is not there")],
) -> None:
    """Write the C header of a game and its libraries into a folder (docs/native.md)."""
    try:
        written = write_native(find(game), folder)
    except (NotBuilt, ValueError, OSError) as error:
        leave(f"banakil native: {error}")
    say("\n".join(str(path) for path in written))
    say(f"compile with: cc {' '.join(compiler_words(find(game), folder, written))}")


def libraries_of(game: Game) -> tuple[Library, ...]:
    """The libraries whose functions are declared in the header of a game."""
    return kernels_of(game).start_one.library, players_of(game).advance.library, choose_randomly.library


def write_native(game: Game, folder: Path) -> list[Path]:
    """Write the headers of a game, and copies of its libraries; return the paths of the files.

    Raises:
        NotBuilt: a library cannot be built on this machine.
        OSError: the folder cannot be written.
    """
    found = [(library, library.file()) for library in libraries_of(game)]
    for library, path in found:
        if path is None:
            raise NotBuilt(f"the library {library.name} cannot be built here; {install_line('compile')}")
    folder.mkdir(parents=True, exist_ok=True)
    headers = {"banakil.h": common_header(), f"banakil_{game.name}.h": header_of(game)}
    for name, text in headers.items():
        (folder / name).write_text(text, encoding="utf-8")
    written = [folder / name for name in headers]
    for library, path in found:
        assert path is not None
        written.append(folder / f"lib{file_stem(library)}{path.suffix}")
        shutil.copyfile(path, written[-1])
    return written


def compiler_words(game: Game, folder: Path, files: Sequence[Path]) -> list[str]:
    """Arguments of the command that compiles `program.c` with the files of `write_native`, here in `folder`.

    The program is linked with the libraries of the game and finds them at run time. Without a linker the libraries are
    object files (`.o`), which become part of the program.
    """
    objects = [str(path) for path in files if path.suffix == ".o"]
    names = [f"-l{file_stem(library)}" for library in libraries_of(game)]
    found_by = [f"-L{folder}", f"-Wl,-rpath,{folder.resolve()}", *names]
    return ["program.c", f"-I{folder}", *(objects or found_by), "-lm"]
