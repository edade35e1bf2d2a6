"""What is a table of the server? A game being played, a secret key for each person's seat, pages that wait for news.

One coroutine at a time changes a table (`lock`). Every change raises its version; a move names the version that its
page has seen, so that a page that is behind changes nothing.
"""

from __future__ import annotations

import asyncio
import functools
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import anyio.to_thread

from banakil_env.arena.ask import PlayerFailed
from banakil_env.core.game import IllegalAction
from banakil_env.core.kernels import refusal
from banakil_env.play.session import Session
from banakil_env.render.scenes import scene_of
from banakil_env.study.ask import explained
from banakil_env.web import views
from banakil_env.web.limits import THINKERS
from banakil_env.web.protocol import CONFLICT, FORBIDDEN, Refused
from banakil_env.web.sitters import Locked

MOVES_AT_ONCE = 100  # of players, before anybody else is served
WATCH = -1  # the "seat" of those who look on at a table of players alone, all hands open


@functools.cache
def thinkers() -> anyio.CapacityLimiter:
    """How many players may think at the same time."""
    return anyio.CapacityLimiter(THINKERS)


@dataclass
class Table:
    """A table.

    Attributes:
        id: of the table, no secret. keys: by seat, of the persons; of a table without any, of WATCH.
        session: the game. adviser: who gives hints.
        practice: hints and taking back are allowed. pause: seconds between two moves of players.
        note: writes down what is done (`tables.Journal`).
        stopped: a person has ended it before its end. failed: why a player could not go on.
    """

    id: str
    keys: dict[int, str]
    session: Session
    adviser: Locked
    practice: bool
    pause: float
    note: Callable[[dict[str, Any]], None]
    stopped: bool = False
    failed: str = ""
    version: int = 0
    followers: dict[int, int] = field(default_factory=dict)
    last_used: float = field(default_factory=time.monotonic)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    _news: asyncio.Event = field(default_factory=asyncio.Event)
    _runner: asyncio.Task[None] | None = None

    # What is sent ---------------------------------------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        """Whether nothing is to be decided any more; then all hands are open."""
        return self.stopped or self.session.seat_to_move is None

    def view(self, seat: int, since: int = 0) -> dict[str, Any]:
        """What a seat is sent.

        Args:
            seat: a person's, or WATCH. since: the number of moves that the page has been told of.
        """
        self.last_used = time.monotonic()
        session = self.session
        viewer = None if seat == WATCH or self.is_over else seat
        scene = views.scene_view(scene_of(session.game, session.state, viewer))
        decides = seat == session.seat_to_move and not self.is_over
        said = {
            "version": self.version,
            "game": session.game.name,
            "seat": None if seat == WATCH else seat,
            "lowWins": session.game.low_wins,
            "names": [each.name for each in session.seats],
            "people": [number for number, each in enumerate(session.seats) if each.player is None],
            "here": sorted(number for number, count in self.followers.items() if count and number != WATCH),
            "practice": self.practice,
            "adviser": self.adviser.name if self.practice else None,
            "stopped": self.stopped,
            "failed": self.failed,
            "over": self.is_over,
            "moves": len(session.moves),
            "log": views.moves_view(session.game, session.moves, since),
            "actions": views.actions_view(session.game, session.plain.legal_actions(session.state)) if decides else [],
        }
        return scene | said

    async def news(self, version: int, seconds: float) -> bool:
        """Wait until the table has another version; False: nothing has happened for so long."""
        if self.version != version:
            return True
        try:
            await asyncio.wait_for(self._news.wait(), seconds)
        except TimeoutError:
            return False
        return True

    def follow(self, seat: int, by: int) -> None:
        """A page has come to follow this seat, or gone."""
        self.followers[seat] = self.followers.get(seat, 0) + by
        if (self.followers[seat], by) in ((1, 1), (0, -1)):  # the first, or the last
            self._publish()

    def _publish(self) -> None:
        self.version += 1
        self._news.set()
        self._news = asyncio.Event()

    # What is done ---------------------------------------------------------------------------------------------------

    async def move(self, seat: int, action: int, version: int) -> None:
        """A person's move. Refused: it is another's turn, the page is behind, or the action is not legal."""
        async with self.lock:
            self._check_turn(seat, version)
            try:
                self.session.play(action)
            except IllegalAction as error:
                raise Refused(str(error), CONFLICT) from None
            self.note({"play": action})
            self._move_at_once()
            self._publish()
        self.run_players()

    def why(self, seat: int, text: str) -> str:
        """Why a move cannot be made now, or that it can."""
        session = self.session
        if self.is_over:
            return "The game is over."
        if seat != session.seat_to_move:
            return f"It is the turn of seat {session.seat_to_move} ({session.seats[session.seat_to_move or 0].name})."
        try:
            action = session.plain.parse_action(text)
        except ValueError as error:
            return str(error)
        if action in session.plain.legal_actions(session.state):
            return f"{text!r} is legal now."
        return refusal(session.game, session.state, action)

    async def undo(self, seat: int, version: int) -> None:
        """Go back to the start of the last turn in which the seat moved. Refused: not in practice, or it has not."""
        async with self.lock:
            if not self.practice:
                raise Refused("moves are taken back at practice tables only", FORBIDDEN)
            if self.stopped:
                raise Refused("the table has been closed", CONFLICT)
            self._check_version(version)
            if seat == WATCH or not self.session.undo_turn(seat):
                raise Refused("there is no move of yours to take back", CONFLICT)
            self.failed = ""
            self.note({"back": len(self.session.moves)})
            self._publish()
        self.run_players()

    async def hint(self, seat: int) -> dict[str, Any]:
        """What the adviser would do. Refused: not in practice, or another's turn."""
        if not self.practice:
            raise Refused("hints are given at practice tables only", FORBIDDEN)
        if self.is_over or seat != self.session.seat_to_move:
            raise Refused("hints are given on your turn", CONFLICT)
        session = self.session
        seen = session.plain.observe(session.state, seat)
        return await advice(self.adviser, session, seen, session.dice())

    async def stop(self, seat: int) -> None:
        """Close the table for all; then hands are open and the record can be had."""
        async with self.lock:
            if not self.is_over:
                self.stopped = True
                self.note({"stop": True})
                self._publish()

    def record(self) -> str:
        """The game record. Refused: it is not over, and the record tells all hands."""
        if not self.is_over:
            raise Refused("the record tells all hands: it can be had when the game is over", FORBIDDEN)
        return self.session.record()

    def _check_turn(self, seat: int, version: int) -> None:
        if self.is_over:
            raise Refused("the game is over", CONFLICT)
        if seat != self.session.seat_to_move:
            raise Refused("it is another seat's turn", CONFLICT)
        self._check_version(version)

    def _check_version(self, version: int) -> None:
        # A page that has come or gone raises the version, too: only moves and what takes them back count here.
        if version > self.version or version < self._changed_at:
            raise Refused("the table has moved on: look again", CONFLICT)

    _changed_at: int = 0

    # Players --------------------------------------------------------------------------------------------------------

    def run_players(self) -> None:
        """Let the players move until a person is to."""
        self._changed_at = self.version
        if self._runner is None or self._runner.done():
            self._runner = asyncio.create_task(self._run_players())

    async def _run_players(self) -> None:
        while not (self.stopped or self.failed) and self.session.player_to_move is not None:
            await asyncio.sleep(self.pause)
            async with self.lock:
                player: Any = self.session.player_to_move
                if self.stopped or player is None:
                    continue
                if player.is_quick:
                    self._move(player, self.session.answer_of)
                    self._move_at_once()
                else:
                    await anyio.to_thread.run_sync(self._move, player, self.session.answer_of, limiter=thinkers())
                self._publish()
                self._changed_at = self.version

    def _move_at_once(self) -> None:
        """The moves of quick players that do not wait between them: one change for those who look on."""
        for _ in range(MOVES_AT_ONCE):
            player: Any = self.session.player_to_move
            if self.pause or self.failed or player is None or not player.is_quick:
                return
            self._move(player, self.session.answer_of)

    def _move(self, player: Locked, answer: Callable[[Any], int]) -> None:
        """One move of a player; or why it could not be made."""
        try:
            action = answer(player)
            self.session.play(action)
        except PlayerFailed as error:
            self.failed = str(error)
        else:
            self.note({"play": action})


async def advice(player: Locked, session: Session, seen: Any, dice: int) -> dict[str, Any]:
    """What a player would do, and what it thinks of the moves. Refused: it failed."""
    try:
        found = await anyio.to_thread.run_sync(
            explained, player, player.name, seen["observation"], seen["action_mask"], dice, limiter=thinkers()
        )
    except PlayerFailed as error:
        raise Refused(f"the player failed: {error}", CONFLICT) from None
    if not 0 <= found.action < session.game.num_actions:
        raise Refused(f"{player.name} answered {found.action}, which is no action", CONFLICT)
    return views.explanation_view(session.game, player.name, found)
