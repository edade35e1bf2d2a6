"""The compiled libraries of a game, and their place in a wheel.

`setup.py` runs this module when it makes a wheel: `python -m banakil_env.libraries FOLDER GAMES PROCESSORS`.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

from banakil_env.agents import encoding, sparse_kernels, suit_kernels
from banakil_env.agents.sparse_features import write_sparse_rows_of
from banakil_env.agents.supposed_deals import loops_of
from banakil_env.core import batch
from banakil_env.core.encoding import write_rows_of
from banakil_env.core.jit import Library
from banakil_env.core.kernels import kernels_of
from banakil_env.core.past import past_entries
from banakil_env.core.players import players_of, remembering_advance_of
from banakil_env.core.views import card_views_of, views_of
from banakil_env.games import GAMES, find
from banakil_env.text.observed import suppose_of

COMMON = ""  # used instead of a game's name: the libraries that all games share


def libraries_of(name: str) -> Iterator[Library]:
    """The libraries of a game; if `name` is COMMON, the libraries that all games share."""
    if name == COMMON:
        yield batch.choose_randomly.library
        yield from (encoding.LIST_ROWS.library, sparse_kernels.MULTIPLY.library, suit_kernels.SPREAD.library)
        return
    game = find(name)
    yield from (kernels_of(game).start_one.library, players_of(game).advance.library)
    yield from (past_entries(game).note_one.library, remembering_advance_of(game).library)
    yield from (write_rows_of(game, features).library for features in game.features.layouts[1:])
    yield from (views_of(game).observe_rows.library, card_views_of(game).write_cards.library)
    if game.search is not None:
        yield from (loops_of(game).begin.library, suppose_of(game).library)
    yield from (write_sparse_rows_of(game, features).library for features in game.features.layouts)


def ship(folder: Path, names: Sequence[str], processors: Sequence[str]) -> None:
    """Build the libraries of games for several kinds of processors, and put them into the folder of a wheel.

    Args:
        folder: the folder of the wheel.
        names: the names of the games, or COMMON.
        processors: the kinds of processors.

    Raises:
        ImportError: Numba is not installed.
        RuntimeError: there is no linker.
    """
    folder.mkdir(parents=True, exist_ok=True)
    wanted = [(name, library.name) for name in [COMMON, *names] for library in libraries_of(name)]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        waiting = [pool.submit(ship_library, folder, *each, processors) for each in wanted]
        for number, done in enumerate(as_completed(waiting), 1):
            print(f"{number} of {len(wanted)}: {done.result()}", flush=True)


def ship_library(folder: Path, game: str, name: str, processors: Sequence[str]) -> str:
    """Build one library for a wheel, and return its name."""
    [library] = [each for each in libraries_of(game) if each.name == name]
    library.build_for(processors, folder)
    return name


if __name__ == "__main__":
    _, given_folder, given_games, given_processors = sys.argv
    ship(Path(given_folder), list(GAMES) if given_games == "all" else given_games.split(), given_processors.split())
