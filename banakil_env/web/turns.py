"""The use of the processor: slow players compute in threads, a few at a time; quick players move in short slices."""

from __future__ import annotations

import contextlib
import functools
import time
from asyncio import Lock, sleep
from collections import Counter
from collections.abc import AsyncIterator, Callable
from typing import Any

import anyio.to_thread
from anyio import CapacityLimiter

from banakil_env.arena.ask import PlayerFailed
from banakil_env.play.session import Session
from banakil_env.study.ask import explained
from banakil_env.web import views
from banakil_env.web.limits import MAX_ASKED, SLICE, THREADS
from banakil_env.web.protocol import CONFLICT, FULL, Refused
from banakil_env.web.sitters import Locked


class Turns:
    """The threads and queues that the tables and studies of one server share."""

    def __init__(self) -> None:
        self._asked: Counter[str] = Counter()  # questions that have not been answered, by kind

    @functools.cached_property
    def _limiters(self) -> dict[str, CapacityLimiter]:
        return {kind: CapacityLimiter(most) for kind, most in THREADS.items()}

    @functools.cached_property
    def _slices(self) -> dict[str, Lock]:
        return {kind: Lock() for kind in ("persons", "players", "views")}

    async def thread(self, kind: str, work: Callable[..., Any], *given: Any) -> Any:
        """Do slow work in a thread and return its result. `kind` is the queue in which it waits, one of THREADS."""
        return await anyio.to_thread.run_sync(work, *given, limiter=self._limiters[kind])

    @contextlib.asynccontextmanager
    async def slice(self, kind: str) -> AsyncIterator[float]:
        """Wait for a short slice of time for quick work; yields the time at which it ends, by `time.perf_counter`.

        Only one slice of a `kind` ("persons", "players" or "views") is used at a time. Requests are served before the
        next one.
        """
        async with self._slices[kind]:
            yield time.perf_counter() + SLICE
            await sleep(0)

    async def question(self, kind: str, work: Callable[..., Any], *given: Any) -> Any:
        """Do work for a waiting page in a thread and return its result; `kind` as in `thread`.

        Raises Refused if a player fails or too many questions of this kind wait.
        """
        if self._asked[kind] >= MAX_ASKED:
            raise Refused(f"{MAX_ASKED} questions to players wait for an answer: try again later", FULL)
        self._asked[kind] += 1
        try:
            return await self.thread(kind, work, *given)
        except PlayerFailed as error:
            raise Refused(f"the player failed: {error}", CONFLICT) from None
        finally:
            self._asked[kind] -= 1

    async def advice(self, kind: str, player: Locked, session: Session, seen: Any, dice: int) -> dict[str, Any]:
        """A player's move and its evaluation of the legal moves, as `views.explanation_view` returns them.

        Raises Refused if the player fails or too many questions of this kind wait; `kind` as in `thread`.
        """
        found = await self.question(
            kind, explained, player, player.name, seen["observation"], seen["action_mask"], dice
        )
        if not 0 <= found.action < session.game.num_actions:
            raise Refused(f"{player.name} answered {found.action}, which is not an action", CONFLICT)
        return views.explanation_view(session.game, player.name, found)
