"""A clock for the arena that makes a budget pass at once when a player begins to hold it up.

Budgets in these tests are large, so that an honest answer is never late on a busy machine. A player that attacks adds a
byte to a file. A moment later the clock of `arena.apart` and `arena.channel` leaps by a day, and the deadline of the
question has passed.
"""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from banakil_env.arena import apart, channel

if TYPE_CHECKING:
    import pytest

BUDGET = 300.0  # seconds for a decision: no honest answer takes so long
DAY = 86400.0
MOMENT = 0.3  # seconds from the byte to the leap, in which the attack begins


class LeapingClock:
    """What `arena.apart` and `arena.channel` use of `time`.

    Args:
        note: the file of the attacks.
    """

    def __init__(self, note: Path) -> None:
        self._note = note
        self._seen: dict[int, float] = {}  # when each attack was first noticed

    def monotonic(self) -> float:
        """The time of the system, with a day for each attack that began a moment ago."""
        now = time.monotonic()
        attacks = self._note.stat().st_size if self._note.exists() else 0
        begun = [self._seen.setdefault(number, now) for number in range(attacks)]
        return now + DAY * sum(now - each > MOMENT for each in begun)

    def sleep(self, seconds: float) -> None:
        """See `time.sleep`."""
        time.sleep(seconds)


def leap_after(note: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the arena use such a clock."""
    clock = LeapingClock(note)
    for module in (apart, channel):
        monkeypatch.setattr(module, "time", clock)


def note_attack(note: Path) -> None:
    """Called by a player that begins an attack."""
    with note.open("ab") as file:
        file.write(b".")
