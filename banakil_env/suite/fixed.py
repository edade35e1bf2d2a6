"""Detects changes of the game engine that affect a task: digests of fixed games of its anchors and of its first deals.

The anchors are the opponents that the task fixes. A thousand games are played at the table of the task, by `random`,
`greedy` and `expert` in turn. The digest of each player covers the legal actions of every decision, the action, the
final position as text, and the points. It does not cover the byte layout, so moving a field in a record has no effect.
A digest that differs shows for which player the games have changed. The games of `random` depend only on the rules and
the deals.
"""

from __future__ import annotations

import functools
import hashlib

import numpy as np

from banakil_env.arena.behaviour import add_endings, play_fixed
from banakil_env.core.install import install_line
from banakil_env.core.kernels import kernels_of
from banakil_env.suite.deals import PUBLIC, key_of_task, published_key
from banakil_env.suite.tasks import RANDOM, ZOO, Task, TaskError

GAMES = 1000  # games of all anchors together
DEALS = 64  # number of the first public deals that are covered


@functools.cache
def _behaviour(task: Task, anchor: str) -> str:
    game, ruled = task.found, ruled_anchors(task)
    found = hashlib.sha256(f"{game.id} {game.low_wins} {anchor}\n".encode())
    found.update("\n".join(action.text for action in game.actions).encode())
    states = np.repeat(game.new(**task.table.options), GAMES // len(ruled))
    play_fixed(game, states, [game.kinds[anchor]], found, observed=False)
    add_endings(game, states, found)
    return found.hexdigest()


def ruled_anchors(task: Task) -> tuple[str, ...]:
    """The anchors that are rule-based players of the game."""
    return tuple(anchor for anchor in task.anchors if anchor != ZOO)


def behaviour(task: Task) -> dict[str, str]:
    """The digest of each anchor's fixed games, 64 hexadecimal digits; takes a second or two after compilation."""
    return {anchor: _behaviour(task, anchor) for anchor in ruled_anchors(task)}


def check_behaviour(task: Task) -> None:
    """Raise TaskError if the behavior of the engine or of an anchor differs from that stored in the task."""
    moved = [name for name, digest in behaviour(task).items() if task.behaviour.get(name) != digest]
    if moved:
        what = "the rules or the deals" if RANDOM in moved else f"the player {' and '.join(moved)}"
        raise TaskError(
            f"{task.id} cannot be played here: {what} of {task.game} changed since the task was made; "
            f"install the release that has this task"
        )


def deals_digest(task: Task, key: str | None = None) -> str:
    """The digest of the initial positions of the first deals, as text; 64 hexadecimal digits.

    Args:
        task: the task.
        key: the key of the deals; None for the public deals.
    """
    plan = task.plan(RANDOM, key_of_task(key or published_key(PUBLIC), task))
    found = hashlib.sha256()
    for deal in range(DEALS):
        states = task.found.new(**task.table.options)
        kernels_of(task.found).start_one(states, np.uint64(plan.seed_of(deal)))
        found.update(task.found.texts.to_text(states[0]).encode())
    return found.hexdigest()


def check_zoo(task: Task) -> None:
    """Raise TaskError if the task's agent from the zoo is missing here or has other weights."""
    try:
        from banakil_env.agents import zoo
    except ImportError as error:
        raise TaskError(
            f"the anchor zoo needs {error.name}: {install_line('train')}; or leave it out: --without-zoo"
        ) from None
    found = zoo.make(task.name, task.found).identity().parts["network"]
    if found != task.zoo:
        raise TaskError(
            f"the agent zoo:{task.name} here has the digest {found[:12]}, and {task.id} was made with "
            f"{str(task.zoo)[:12]}: get the agents of this release, or leave the anchor out: --without-zoo"
        )
