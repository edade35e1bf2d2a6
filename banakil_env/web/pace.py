"""The pace of a table's players: the pause between two moves, which can change during play."""

from __future__ import annotations

import asyncio


class Pace:
    """The pause between two moves of players.

    Attributes:
        pause: its length in seconds.
        halted: whether players do not move, except for single moves on request.
    """

    def __init__(self, pause: float) -> None:
        self.pause, self.halted = pause, False
        self._changed = asyncio.Event()

    def change(self, milliseconds: int, halted: bool) -> None:
        """Set the pause, and halt the players or let them go on; coroutines that wait for the pause are notified."""
        self.pause, self.halted = milliseconds / 1000, halted
        self._changed.set()
        self._changed = asyncio.Event()

    async def passed(self, least: float = 0.0) -> bool:
        """Wait for the pause, at least `least` seconds; returns False if the pace was changed meanwhile."""
        seconds = max(self.pause, least)
        if not seconds:
            await asyncio.sleep(0)
            return True
        try:
            await asyncio.wait_for(self._changed.wait(), seconds)
        except TimeoutError:
            return True
        return False
