"""The pace of a table's players: a pause between two moves, which can change while they play."""

from __future__ import annotations

import asyncio


class Pace:
    """The pause between two moves of players.

    Attributes:
        pause: seconds. halted: no player moves until that is changed, unless one is told to make a single move.
    """

    def __init__(self, pause: float) -> None:
        self.pause, self.halted = pause, False
        self._changed = asyncio.Event()

    def change(self, milliseconds: int, halted: bool) -> None:
        """Another pause, or a halt; those that wait are told."""
        self.pause, self.halted = milliseconds / 1000, halted
        self._changed.set()
        self._changed = asyncio.Event()

    async def passed(self, least: float = 0.0) -> bool:
        """Wait for the pause, or `least` seconds where that is longer; False: the pace was changed meanwhile."""
        seconds = max(self.pause, least)
        if not seconds:
            await asyncio.sleep(0)
            return True
        try:
            await asyncio.wait_for(self._changed.wait(), seconds)
        except TimeoutError:
            return True
        return False
