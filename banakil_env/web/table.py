"""A table of the server: a game, a secret key for each person's seat, and the pages that follow it.

One coroutine at a time changes a table (`lock`), in the thread of the event loop. A change is written to the table's
journal before it is made; if writing fails, nothing changes. Every change increases the version. A move names the
version that its page has seen, so a page with an outdated view cannot change anything.
"""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from banakil_env.arena.ask import PlayerFailed
from banakil_env.arena.players import Player
from banakil_env.core.failures import TRANSPORT, kind_text
from banakil_env.core.game import IllegalAction
from banakil_env.core.kernels import refusal
from banakil_env.play.session import Session
from banakil_env.web import views
from banakil_env.web.journal import Journal
from banakil_env.web.limits import JUST_NOW, MAX_MOVES, MAX_RETRIES, MAX_STREAMS, PLAYERS_SECONDS, RETRY, SLICE
from banakil_env.web.pace import Pace
from banakil_env.web.protocol import CONFLICT, FORBIDDEN, FULL, Refused
from banakil_env.web.sitters import Locked
from banakil_env.web.turns import Turns

WATCH = -1  # the seat number of onlookers, who see all hands at a table of players alone


@dataclass
class Table:
    """A table of the server, with its game, its seats and the pages that follow it.

    Attributes:
        id: the id of the table, which is not secret.
        keys: the keys of the persons by seat; at a table without persons, the key of WATCH.
        session: the game.
        adviser: the player that gives hints.
        practice: whether hints and taking back are allowed.
        pace: the pause between moves of its players.
        journal: the file of all changes.
        turns: the threads and queues for slow work.
        grown: called after moves of players, since the table takes more memory.
        stopped: whether the table was closed before the end of the game.
        why_stopped: why it was closed, if no person did so.
        rematch: the keys of the table of the next game, by seat of this table; {} if there is no such table.
        failed: why a player could not continue, with the kind of failure.
        trouble: why a player's move could not be written, or its server gave no reply; the move is tried again.
        version: the version of the pages' view.
        used: the system time of a page's last request.
    """

    id: str
    keys: dict[int, str]
    session: Session
    adviser: Locked
    practice: bool
    pace: Pace
    journal: Journal
    turns: Turns
    grown: Callable[[], None]
    stopped: bool = False
    why_stopped: str = ""
    rematch: dict[int, str] = field(default_factory=dict)
    failed: str = ""
    trouble: str = ""
    version: int = 0
    followers: dict[int, int] = field(default_factory=dict)
    used: float = field(default_factory=time.time)
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    _asked: float = float("-inf")  # the monotonic time of the last request of a person's page
    _changed_at: int = 0  # the version after the last move or the last taking back
    _thought: float = 0.0  # seconds of computing time of its players
    _hinting: bool = False
    _retries: int = 0  # retries of a player whose server is down
    _news: asyncio.Event = field(default_factory=asyncio.Event)
    _runner: asyncio.Task[None] | None = None

    # Views -----------------------------------------------------------------------------------------------------------

    @property
    def is_over(self) -> bool:
        """Whether the game is over or the table was closed; all hands are open then."""
        return self.stopped or self.session.seat_to_move is None

    @property
    def is_followed(self) -> bool:
        """Whether a page follows the table."""
        return any(self.followers.values())

    @property
    def is_in_use(self) -> bool:
        """Whether a page follows the table, or a person's page has sent a request recently; see `limits.JUST_NOW`."""
        return self.is_followed or (not self.is_over and time.monotonic() - self._asked < JUST_NOW)

    @property
    def memory(self) -> int:
        """The approximate memory of its states, in bytes."""
        return len(self.session.moves) * (self.session.game.state.itemsize + views.MOVE_BYTES)

    def ask(self, seat: int) -> None:
        """Note that a page of this seat has sent a request now."""
        self.used = time.time()
        if seat != WATCH:
            self._asked = time.monotonic()

    def view(self, seat: int, since: int = 0) -> dict[str, Any]:
        """The view of a seat as JSON.

        Args:
            seat: the seat of a person, or WATCH.
            since: the number of moves that the page has.
        """
        viewer = None if seat == WATCH or self.is_over else seat
        return views.game_view(self.session, viewer, since) | {
            "version": self.version,
            "seat": None if seat == WATCH else seat,
            "here": sorted(number for number, count in self.followers.items() if count and number != WATCH),
            "practice": self.practice,
            "adviser": self.adviser.name if self.practice else None,
            "stopped": self.stopped,
            "failed": self.failed or self.why_stopped,
            "trouble": self.trouble,
            "over": self.is_over,
            "rematch": self.rematch.get(seat),
            "pause": round(1000 * self.pace.pause),
            "halted": self.pace.halted,
        }

    async def news(self, version: int, seconds: float) -> bool:
        """Wait until the table has another version than `version`; returns False if `seconds` pass before."""
        if self.version != version:
            return True
        try:
            await asyncio.wait_for(self._news.wait(), seconds)
        except TimeoutError:
            return False
        return True

    def follow(self, seat: int) -> None:
        """Count a page that begins to follow this seat. Raises Refused if too many pages follow it."""
        if self.followers.get(seat, 0) >= MAX_STREAMS:
            raise Refused(f"{MAX_STREAMS} pages follow this seat already: close one", FULL)
        self.followers[seat] = self.followers.get(seat, 0) + 1
        if self.followers[seat] == 1:
            self._publish()

    def unfollow(self, seat: int) -> None:
        """Count a page that stops following this seat."""
        self.ask(seat)
        self.followers[seat] -= 1
        if not self.followers[seat]:
            self._publish()

    def _publish(self) -> None:
        self.version += 1
        self._news.set()
        self._news = asyncio.Event()

    def _changed(self) -> None:
        self._publish()
        self._changed_at = self.version

    # Changes ---------------------------------------------------------------------------------------------------------

    async def move(self, seat: int, action: int, version: int) -> None:
        """Make a person's move.

        Raises Refused if it is not the seat's turn, the page is outdated, the move is illegal, or writing fails.
        """
        async with self.lock:
            self._check_turn(seat, version)
            self._close_at_limit()
            self._check_turn(seat, version)
            try:
                self._make(action)
            except IllegalAction as error:
                raise Refused(str(error), CONFLICT) from None
            self._changed()
            if not self.pace.pause:
                self._move_quickly(time.perf_counter() + SLICE)
        self.run_players()

    def why(self, seat: int, text: str) -> str:
        """The reason why a seat cannot make the move `text` now, or a sentence that the move is legal."""
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
        return refusal(session.game, session.state, action, numbered=False)

    async def undo(self, seat: int, version: int) -> None:
        """Go back to the start of the last turn in which the seat moved.

        Raises Refused if this is not a practice table or there is no such turn, or the page is outdated.
        """
        async with self.lock:
            if not self.practice:
                raise Refused("moves can be taken back only at practice tables", FORBIDDEN)
            self._check_open()
            self._check_version(version)
            self._close_at_limit()
            self._check_open()
            first = None if seat == WATCH else self.session.last_turn_of(seat)
            if first is None:
                raise Refused("there is no move of yours to take back", CONFLICT)
            self.journal.add({"back": first})
            self.session.back_to(first)
            self.failed, self.trouble, self._retries = "", "", 0
            self._changed()
        self.run_players()

    async def hint(self, seat: int) -> dict[str, Any]:
        """The adviser's move and its evaluation of the legal moves, as `views.explanation_view` returns them.

        Raises Refused if this is not a practice table, another seat is to move, or a hint is already being computed.
        """
        if not self.practice:
            raise Refused("hints are available only at practice tables", FORBIDDEN)
        if self.is_over or seat != self.session.seat_to_move:
            raise Refused("hints are given on your turn", CONFLICT)
        if self._hinting:
            raise Refused("the adviser is thinking about a hint for this table already: wait for it", CONFLICT)
        session = self.session
        seen = session.plain.observe(session.state, seat)
        self._hinting = True
        try:
            return await self.turns.advice("hints", self.adviser, session, seen, session.dice())
        finally:
            self._hinting = False

    async def set_pace(self, seat: int, milliseconds: int, halted: bool) -> None:
        """Set the pause between two moves, and halt the players or let them go on.

        Raises Refused if persons play, the game is over, or writing fails.
        """
        self._check_watched(seat)
        async with self.lock:
            self._close_at_limit()
            self._check_goes_on()
            self.journal.add({"pause": milliseconds, "halted": halted})
            self.pace.change(milliseconds, halted)
            self._publish()
        self.run_players()

    async def step(self, seat: int) -> None:
        """Let the player whose turn it is make one move, while the table is halted.

        Raises Refused as `set_pace`, and if the table is not halted.
        """
        self._check_watched(seat)
        self._check_goes_on()
        player: Any = self.session.player_to_move
        if player is None or self.failed or not self.pace.halted:
            raise Refused("single moves are made while the table is halted", CONFLICT)
        if player.is_quick:
            async with self.lock:
                if not self.is_over:
                    self._carry_out(_answered(self.session.question_to(player)))
        else:
            await self._move_slowly(player)
        self.grown()

    async def stop(self, seat: int) -> None:
        """Close the table: all hands are open and the record is available. Raises Refused if writing fails."""
        async with self.lock:
            if not self.is_over:
                self._close("")

    def close(self, why: str) -> None:
        """Close a table of players alone, with the reason `why`."""
        with contextlib.suppress(Refused):  # closing is tried again later
            self._close(why)

    def note_rematch(self, keys: dict[int, str]) -> None:
        """Store the keys of the table of the next game. If writing fails, raises Refused and changes nothing."""
        self.journal.add({"rematch": {str(seat): key for seat, key in keys.items()}, "over": True})
        self.rematch = keys
        self._changed()

    async def record(self) -> str:
        """The game record, which shows all hands. Raises Refused if the game is not over."""
        if not self.is_over:
            raise Refused("the record shows all hands: it is available when the game is over", FORBIDDEN)
        async with self.lock:
            return str(await asyncio.to_thread(self.session.record))

    def finished(self) -> Session:
        """A copy of the game, with all hands. Raises Refused if the game is not over."""
        if not self.is_over:
            raise Refused("the game is shown with all hands: it can be shared when it is over", FORBIDDEN)
        return self.session.copy()

    def _make(self, action: int) -> None:
        """Write a move, then make it.

        If it is illegal or writing fails, raises IllegalAction or Refused and changes nothing.
        """
        session = self.session
        state = session.after(action)
        over = {"over": True} if session.plain.is_over(state[0]) else {}
        self.journal.add({"play": action} | over)
        session.accept(action, state)

    def _close(self, why: str) -> None:
        """Write that the table is closed, then close it. If writing fails, raises Refused and changes nothing."""
        self.journal.add({"stop": why or True})
        self.stopped, self.why_stopped = True, why
        self._changed()

    def _close_at_limit(self) -> None:
        """Close the table if it has reached a limit. Raises Refused if writing fails."""
        if self.is_over:
            return
        if self.journal.lines > MAX_MOVES:
            self._close(f"the table is closed: it has made {MAX_MOVES} moves, which is the most")
        elif WATCH in self.keys and self._thought > PLAYERS_SECONDS:
            self._close(f"the table is closed: its players have thought for {PLAYERS_SECONDS:g} seconds in all")

    def _check_watched(self, seat: int) -> None:
        if seat != WATCH:
            raise Refused("the pace is chosen at tables of players alone", FORBIDDEN)

    def _check_open(self) -> None:
        if self.stopped:
            raise Refused(self.why_stopped or "the table has been closed", CONFLICT)

    def _check_goes_on(self) -> None:
        self._check_open()
        if self.is_over:
            raise Refused("the game is over", CONFLICT)

    def _check_turn(self, seat: int, version: int) -> None:
        self._check_goes_on()
        if seat != self.session.seat_to_move:
            raise Refused("it is another seat's turn", CONFLICT)
        self._check_version(version)

    def _check_version(self, version: int) -> None:
        # Pages that connect or leave increase the version too; only moves and moves taken back matter here.
        if version > self.version or version < self._changed_at:
            raise Refused("the table has changed in the meantime: reload it", CONFLICT)

    # Players ---------------------------------------------------------------------------------------------------------

    def run_players(self) -> None:
        """Start a task that lets the players move until a person is to move, unless such a task is running."""
        if self._runner is None or self._runner.done():
            self._runner = asyncio.create_task(self._run_players())

    def rest(self) -> bool:
        """Stop the players and the writing, so that the table can leave memory.

        Returns False if a change is in progress.
        """
        if self.lock.locked():
            return False
        if self._runner is not None:
            self._runner.cancel()
        self.journal.close()
        return True

    async def _run_players(self) -> None:
        while self._runs and (player := self.session.player_to_move) is not None:
            if not await self.pace.passed(RETRY if self.trouble else 0.0):
                continue
            if player.is_quick:  # type: ignore[attr-defined]  # each is `Locked`
                async with self.turns.slice(self._kind) as end, self.lock:
                    if self._runs:  # the table may have been halted during the wait
                        self._move_quickly(end)
            else:
                await self._move_slowly(player)
            self.grown()

    @property
    def _runs(self) -> bool:
        return not (self.is_over or self.failed or self.pace.halted)

    @property
    def _kind(self) -> str:
        return "players" if WATCH in self.keys else "persons"

    async def _move_slowly(self, player: Player) -> None:
        """Make one move of a player that computes in a thread.

        Meanwhile the table may be closed, or a turn taken back.
        """
        before = self._changed_at
        found, seconds = await self.turns.thread(self._kind, _timed, self.session.question_to(player))
        self._thought += seconds
        async with self.lock:
            if not self.is_over and before == self._changed_at:
                self._carry_out(found)

    def _move_quickly(self, end: float) -> None:
        """Make moves of quick players until the time `end`, or a single move if there is a pause between moves."""
        while not self.is_over and not self.failed:
            player: Any = self.session.player_to_move
            if player is None or not player.is_quick:
                return
            self._carry_out(_answered(self.session.question_to(player)))
            if self.pace.pause or self.trouble or time.perf_counter() > end:
                return

    def _carry_out(self, found: int | PlayerFailed) -> None:
        """Make the move `found` of a player, or note the failure `found`.

        A move that cannot be written is tried again later.
        """
        try:
            self._close_at_limit()
            if self.is_over:
                return
            if isinstance(found, PlayerFailed):
                self._note(found)
            else:
                self._make(found)
                self.trouble, self._retries = "", 0
        except Refused as refused:
            self.trouble = f"A player's move waits. {refused}. It is tried again every {RETRY:g} seconds"
        self._changed()

    def _note(self, failure: PlayerFailed) -> None:
        """Note why a player does not move, for its pages. A player whose server is down is called again later."""
        told = f"{kind_text(failure.kind)}: {failure}"
        if failure.kind == TRANSPORT and self._retries < MAX_RETRIES:
            self._retries += 1
            self.trouble = f"A player's move waits. {told}. It is called again every {RETRY:g} seconds"
        else:
            self.failed, self.trouble, self._retries = told, "", 0


def _answered(question: Callable[[], int]) -> int | PlayerFailed:
    try:
        return question()
    except PlayerFailed as error:
        return error


def _timed(question: Callable[[], int]) -> tuple[int | PlayerFailed, float]:
    """Put a question to a player. Returns the answer or the failure, and the seconds that it took."""
    begun = time.monotonic()
    return _answered(question), time.monotonic() - begun
