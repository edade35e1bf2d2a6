"""Prints digests of games played by the installed package: the same lines on two machines mean the same bytes.

    python release/digests.py > here.txt
    python release/digests.py gin rummy

Each game is played in the AEC environment and in batches: as records, features, cards and histories, by random moves
and against every rule-based player, with searches. The recorded games of `tests/*/golden` are played again; if one
differs from its file, the exit status is 1.
"""

from __future__ import annotations

import hashlib
import platform
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pettingzoo

# The recorded games and the code that plays them again; a wheel does not contain them.
TESTS = Path(__file__).resolve().parents[1] / "tests"
sys.path += [str(TESTS), str(TESTS / "banakil")]

from banakil_freeze import replayed  # noqa: E402
from golden_games import game_in, played_again  # noqa: E402

import banakil_env  # noqa: E402
from banakil_env.arena.players import make_player  # noqa: E402
from banakil_env.core.jit.calling import function_in_c  # noqa: E402
from banakil_env.core.jit.library import processor  # noqa: E402
from banakil_env.envs.vector import Tables  # noqa: E402
from banakil_env.games import GAMES, find  # noqa: E402

NUM_TABLES, STEPS = 16, 100
FORMS: dict[str, dict[str, Any]] = {
    "records": {},
    "features": {"observation": "features"},
    "cards": {"observation": "cards"},
    "histories": {"history": 4},
}


def main(names: list[str]) -> int:
    """Print the digests of some games; returns the exit status."""
    caller = "C" if function_in_c else "Python"
    print(f"{platform.machine()}, {processor()}, {banakil_env.__file__}, called by {caller}", file=sys.stderr)
    status = 0
    for name in names:
        for what, parts in played(name):
            print(name, what, digest_of(parts), flush=True)
        records = recorded(name)
        print(name, f"{len(records)} recorded games", digest_of(records.values()), flush=True)
        for path, again in records.items():
            if again != path.read_text(encoding="utf-8"):
                print(f"{path} is played differently", file=sys.stderr)
                status = 1
    print("with Numba" if "numba" in sys.modules else "without Numba", file=sys.stderr)
    return status


def digest_of(parts: Iterable[Any]) -> str:
    """A digest of arrays, and of other values as text."""
    digest = hashlib.sha256()
    for part in parts:
        digest.update(part.tobytes() if isinstance(part, np.ndarray) else repr(part).encode())
    return digest.hexdigest()[:20]


def played(name: str) -> Iterator[tuple[str, Iterator[Any]]]:
    """Yield the kinds of play: a name, and an iterator over everything that is observed."""
    yield "AEC environment", seen_in_turn(name)
    for player in (None, *find(name).players):
        for form, options in FORMS.items():
            yield f"{form}, {player or 'every seat'}", seen_in_batches(name, opponents=player, **options)
    yield "search", found_by_search(name)


def seen_in_turn(name: str) -> Iterator[Any]:
    """Play random moves in the AEC environment, and yield everything that is observed."""
    env, rng = pettingzoo.make("aec", f"rummy/{name}-v0"), np.random.default_rng(1)
    env.reset(seed=7)
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        yield from (agent, observation["observation"], observation["action_mask"], float(reward), terminated, truncated)
        legal = np.flatnonzero(observation["action_mask"])
        env.step(None if terminated or truncated else int(rng.choice(legal)))


def seen_in_batches(name: str, **options: Any) -> Iterator[Any]:
    """Play random moves in a batch, and yield all its arrays after each step."""
    tables = Tables(NUM_TABLES, game=name, **options)
    tables.reset(seed=3)
    for _ in range(STEPS):
        tables.step(tables.random_actions())
        yield from (getattr(tables, array) for array in sorted(tables.buffer_specs()))


def found_by_search(name: str) -> Iterator[Any]:
    """Yield the decisions of searches at positions of a batch."""
    tables = Tables(2, game=name)
    tables.reset(seed=5)
    search, seeds = make_player("search:20", name), np.arange(2, dtype=np.uint64)
    for _ in range(3):
        actions = search.act(tables.observations, tables.masks, seeds)
        tables.step(actions)
        yield actions


def recorded(name: str) -> dict[Path, str]:
    """Play the recorded games of a game again: by their players, or move by move where agents played.

    Returns:
        The text of each game by the path of its file.
    """
    found = {}
    for path in sorted(TESTS.glob("*/golden/*.txt")):
        text = path.read_text(encoding="utf-8")
        if game_in(text) == name:
            found[path] = replayed(text)[0] if name == "banakil" else played_again(text)
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or list(GAMES)))
