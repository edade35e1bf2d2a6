"""One session: deals a game, lets the opponents move, and returns the view of one seat as text."""

from __future__ import annotations

import secrets
from typing import Any
from uuid import uuid4

from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import EnvironmentMetadata
from pydantic import ValidationError

from banakil_env.agents.table_talk import TableTalk
from banakil_env.agents.talk_options import TalkOptions
from banakil_env.arena.ask import PlayerFailed
from banakil_env.arena.seeds import FIRST_HELD_OUT
from banakil_env.core.random import check_seed
from banakil_env.games import GAMES, find
from banakil_env.play.session import num_players_of, seats_around
from banakil_openenv.models import Table, TableAction, TableObservation, TableState

NO_GAME = (
    "There is no game: call reset() first. A game is played over one WebSocket session, as the client does; every HTTP "
    "request is a session of its own."
)
LONGEST_REPLY, LONGEST_ID = 200_000, 200  # in characters
IS_OVER = "The game is over: call reset() for another one."


class TableError(ValueError):
    """A request that cannot be fulfilled. The text gives the reason and a way out in one line."""


class TableEnvironment(Environment[TableAction, TableObservation, TableState]):
    """A table at which the client plays one seat.

    Args:
        table: the default table, for fields that `reset` leaves out. Its opponents can be any player; a client can name
            only the rule-based players of the game.
    """

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, table: Table | None = None) -> None:
        super().__init__()
        self._default = table or Table()
        self._table = self._default
        self._talk: TableTalk | None = None
        self._seat = self._steps = 0
        self._episode = ""

    def reset(self, seed: int | None = None, episode_id: str | None = None, **table: Any) -> TableObservation:
        """Deal a game, and let the others move up to the first decision of the client's seat.

        Args:
            seed: the seed of the deal, 0..2**64 - 1; None: random, and never a deal that is held out for measuring.
            episode_id: an id for the episode; None: random.
            table: fields of `Table`.

        Raises:
            TableError: such a table cannot be dealt. The current game continues.
        """
        chosen = self._chosen(table)
        if episode_id is not None and not _is_id(episode_id):
            raise TableError(f"an episode_id is a text of at most {LONGEST_ID} characters, not {episode_id!r:.80}")
        if seed is None:
            seed = secrets.randbelow(FIRST_HELD_OUT)
        talk, seat = self._dealt(chosen, seed)
        self._table, self._talk, self._seat, self._steps = chosen, talk, seat, 0
        self._episode = episode_id or uuid4().hex
        told = self._told("")
        told.rules = talk.opening(seat)
        return told

    def step(self, action: TableAction, timeout_s: float | None = None, **_: Any) -> TableObservation:
        """Carry out a reply, and let the others move.

        Raises TableError if there is no game, the game is over, or the reply is too long.
        """
        if self._talk is None:
            raise TableError(NO_GAME)
        if self._talk.over:
            raise TableError(IS_OVER)
        if len(action.reply) > LONGEST_REPLY:
            raise TableError(f"a reply has at most {LONGEST_REPLY} characters, and this one {len(action.reply)}")
        self._steps += 1
        if action.resign:
            self._talk.forfeit("it resigned")
            return self._told("")
        return self._told(self._talk.hear(action.reply, cut_off=action.cut_off))

    @property
    def state(self) -> TableState:
        """The session, without information that the seat does not have."""
        if self._talk is None:
            return TableState(table=self._table)
        counts, over = self._talk.counts[self._seat], self._talk.over
        return TableState(
            episode_id=self._episode,
            step_count=self._steps,
            table=self._table,
            seat=self._seat,
            over=over,
            forfeited=self._talk.forfeited is not None,
            decisions=counts.decisions,
            replies=counts.replies,
            unreadable=counts.unreadable,
            illegal=counts.illegal,
            cut_off=counts.cut_off,
            given_up=counts.given_up,
            points=list(self._talk.points()) if over else [],
        )

    def get_metadata(self) -> EnvironmentMetadata:
        """The metadata for hubs and for `/metadata`."""
        return EnvironmentMetadata(
            name="banakil_openenv",
            description=f"Rummy games in words, one seat against players that sit inside: {', '.join(GAMES)}",
            version="0.1.0",
        )

    def prepare(self) -> None:
        """Compile the code that the default table needs."""
        talk, _ = self._dealt(self._default, 0)
        talk.session.prepare()

    def _told(self, heard: Any) -> TableObservation:
        """Let the others move, and return the observation of the seat."""
        talk = self._talk
        assert talk is not None
        try:
            talk.let_others_move()
        except PlayerFailed as error:
            self._talk = None
            raise TableError(f"The game cannot go on, an opponent failed: {error}") from error
        told = talk.view(self._seat) if talk.over else talk.question()
        worth = talk.worth(self._table.reward)[self._seat]
        return TableObservation(told=told, heard=heard, done=talk.over, reward=worth, result=talk.result())

    def _chosen(self, table: dict[str, Any]) -> Table:
        """The table that a client requests. Raises TableError if it is invalid."""
        of_one_game = (
            {"rules", "players", "seat"} if table.get("game", self._default.game) != self._default.game else set()
        )
        try:
            chosen = Table.model_validate(self._default.model_dump(exclude=of_one_game) | table)
        except ValidationError as error:
            first = error.errors()[0]
            fields = ", ".join(Table.model_fields)
            where = ".".join(map(str, first["loc"]))
            raise TableError(f"No game was dealt: {where}: {first['msg']}; reset() takes seed, {fields}") from None
        return chosen

    def _dealt(self, table: Table, seed: int) -> tuple[TableTalk, int]:
        """Deal a game; returns it with the client's seat. Raises TableError, with the reason, if this is impossible."""
        try:
            game = find(table.game)
            count = num_players_of(game, table.players)
            if table.opponents not in (*game.kinds, self._default.opponents):
                raise ValueError(
                    f"a client can seat {', '.join(game.kinds)}, not {table.opponents!r:.80}; "
                    "any other player is named where the server is started (BANAKIL_OPPONENTS)"
                )
            seat = check_seed(seed) % count if table.seat < 0 else table.seat
            seats = seats_around(game, count, seat, table.opponents)
            options = TalkOptions(
                moves=table.moves, unreadable=table.unreadable, illegal=table.illegal, giveup=table.giveup
            )
            talk = TableTalk.deal(game, seats, seed=seed, rules=table.rules, episode=table.episode, options=options)
        except ValueError as error:
            raise TableError(f"No game was dealt: {error}") from None
        return talk, seat


def _is_id(text: object) -> bool:
    """Whether a text is short enough and can be encoded as UTF-8, in which half of a surrogate pair has no code."""
    return isinstance(text, str) and len(text) <= LONGEST_ID and text == text.encode(errors="replace").decode()
