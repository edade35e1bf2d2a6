"""Plays one match on the machines of a Ray cluster: one actor per processor, each with its own worker process.

The worker process is the same as without Ray (`arena.workers`). The actor starts the worker on its machine, ends it
when it hangs, and plays its deals again. Deals depend only on their number, so the results equal those on one machine.
When a machine is lost, Ray gives the deals that it was playing to another machine.
"""

from __future__ import annotations

import pickle
import sys
from collections.abc import Callable, Iterator
from typing import Any

import ray
from ray.exceptions import RayError, RayTaskError

from banakil_env.arena.apart import WorkerError
from banakil_env.arena.ask import MatchStopped
from banakil_env.arena.plan import Plan
from banakil_env.arena.workers import TRIES, Played, Players, Worker


def play_on_cluster(
    players: Players, plan: Plan, next_deals: Callable[[], list[int]], record: bool, actors: int
) -> Iterator[Played]:
    """Play the deals that `next_deals` returns, until it returns none, on a Ray cluster.

    The cluster is the one that this process is connected to, or the one of RAY_ADDRESS or of this machine; otherwise
    one is started here. Its machines need this package, and the players' modules at the same paths as here.

    Args:
        players: the players.
        plan: the match.
        next_deals: returns the numbers of the deals to play next; empty when there are no more.
        record: whether games are recorded.
        actors: the number of actors, with one processor each; 0 for one per processor of the cluster.

    Raises:
        WorkerError: the cluster has no processor, or playing failed and no player is at fault.
    """
    luggage = pickle.dumps((players, plan, record))
    if not ray.is_initialized():
        ray.init(log_to_driver=False, logging_level="ERROR")
    count = actors or int(ray.cluster_resources().get("CPU", 0))
    if not count:
        raise WorkerError("the Ray cluster has no processors: add a machine to it, or play without --ray")
    remote = ray.remote(num_cpus=1, max_restarts=TRIES, max_task_retries=TRIES)(_Actor)
    hired: list[Any] = []
    busy: dict[Any, Any] = {}
    try:
        while len(hired) < count and (deals := next_deals()):
            hired.append(remote.remote(luggage, sys.path))
            busy[hired[-1].play.remote(deals)] = hired[-1]
        while busy:
            for ready in ray.wait(list(busy), num_returns=1)[0]:
                actor = busy.pop(ready)
                yield _played(ready)
                if deals := next_deals():
                    busy[actor.play.remote(deals)] = actor
    finally:
        for actor in hired:
            ray.kill(actor)


def _played(ready: ray.ObjectRef) -> Played:
    try:
        played: Played = ray.get(ready)
    except RayTaskError as error:
        if isinstance(error.cause, MatchStopped):
            raise error.cause from None
        raise WorkerError(f"an actor of the arena failed: {error.cause}") from error
    except RayError as error:
        raise WorkerError(f"an actor of the arena was lost {TRIES + 1} times: {error}") from error
    return played


class _Actor:
    """The actor on a machine of the cluster; it controls one worker process."""

    def __init__(self, luggage: bytes, path: list[str]) -> None:
        sys.path.extend(folder for folder in path if folder not in sys.path)
        self._worker = Worker(luggage)

    def play(self, deals: list[int]) -> Played:
        return self._worker.play(deals)
