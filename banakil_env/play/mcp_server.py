"""The command `banakil mcp`: a game for an assistant on your computer, as a server of the Model Context Protocol.

The server uses standard input and output. The assistant starts a game, gets the view of its seat, and plays. The other
seats are players of the package, which move at once. There is one table. Simultaneous calls are carried out one after
the other. An assistant can name players that run no code and read no file of its choice (`play.allowed`), and players
that were listed when the server was started.
"""

from __future__ import annotations

import asyncio
import functools
import inspect
import itertools
import secrets
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Annotated, Any

import typer

from banakil_env.arena.ask import PlayerFailed
from banakil_env.arena.players import make_players
from banakil_env.core.install import install_line
from banakil_env.core.jit import telling
from banakil_env.core.terminal import leave
from banakil_env.games import GAMES, find
from banakil_env.play.allowed import Allowed
from banakil_env.play.session import Session, seats_around
from banakil_env.study.ask import answers
from banakil_env.text import LEGAL, SeatText, moves_text

NO_GAME = "There is no game yet: call new_game first."
GAME = "rummy"  # the default game
BY_CHANCE = -1
TRANSPORTS = ("stdio", "streamable-http")
LONGEST = 2000  # characters of a text that the assistant sends
BUSY = "waiting for the preparation of a game, or for another call"


class Table:
    """The table of one assistant, with its tools. Every tool answers with text and never raises.

    Args:
        allowed: the players that can be named.

    Attributes:
        lock: held while a tool is called; the tools do not take it themselves.
    """

    def __init__(self, allowed: Allowed | None = None) -> None:
        self.lock = threading.Lock()
        self._allowed = allowed or Allowed()
        self._session: Session | None = None
        self._seat = 0

    def new_game(
        self,
        game: str = GAME,
        opponents: str = "greedy",
        players: int = 0,
        seat: int = 0,
        rules: str = "",
        episode: str = "round",
        seed: int = -1,
    ) -> str:
        """Deal a new game; returns the view of your seat.

        Args:
            game: its name, such as canasta, gin, rummy, hand, yaniv, tonk.
            opponents: the player at all other seats: random, greedy, expert, search:1s, ...
            players: the number of players; 0: the smallest number.
            seat: your seat, from 0 on.
            rules: a preset, then switches; empty: the usual rules.
            episode: round or match.
            seed: the seed of the deal, from 0 to 2**64 - 1; -1: random.
        """
        try:
            _check_lengths(game, opponents, rules, episode)
            found = find(game)
            seated = seats_around(found, players, seat, opponents)
            self._allowed.check(opponents, found, len(seated))
            options = {"episode": episode} | ({"rules": rules} if rules else {})
            dealt = secrets.randbits(32) if seed == BY_CHANCE else seed
            session = Session.deal(found, seated, seed=dealt, options=options)
            _move_others(session)
        except (ValueError, TypeError, ImportError, PlayerFailed) as error:
            return f"No game was dealt: {error}"
        self._session, self._seat = session, seat
        return self.observe()

    def rules(self) -> str:
        """The rules of the table that you play at, in plain words."""
        return SeatText(self._session, self._seat).rules() if self._session else NO_GAME

    def observe(self, history: bool = False) -> str:
        """The current view of your seat, and the moves since your last decision; with history, since the beginning."""
        return SeatText(self._session, self._seat).turn(history=history) if self._session else NO_GAME

    def legal_moves(self) -> str:
        """Your legal moves, a line for each first word."""
        session = self._session
        if session is None:
            return NO_GAME
        if session.seat_to_move != self._seat:
            return "It is not your turn."
        return moves_text(session.game, session.plain.legal_actions(session.state))

    def play(self, moves: str) -> str:
        """Make your move, or several moves of your turn with `;` between them; returns what happened.

        Moves after the first are made as long as each is legal and no hidden card has been revealed.
        """
        session = self._session
        if session is None:
            return NO_GAME
        if session.seat_to_move != self._seat:
            return "It is not your turn."
        try:
            _check_lengths(moves)
        except ValueError as error:
            return f"Nothing was played: {error}"
        reply = SeatText(session, self._seat).parse(moves)
        if reply.kind != LEGAL:
            return f"Nothing was played. {reply.reason}"
        said = "; ".join(session.plain.action_text(action) for action in session.play_on(reply.actions))
        not_played = f"Not played: {said}.\n" if said else ""
        try:
            _move_others(session)
            return not_played + self.observe()
        except PlayerFailed as error:
            return f"{not_played}The game cannot go on: {error}"

    def analyse(self, player: str = "greedy") -> str:
        """The move of a player at your seat now, and its rating of your legal moves.

        Args:
            player: greedy, expert, search:1s, ...
        """
        session = self._session
        if session is None:
            return NO_GAME
        if session.seat_to_move != self._seat:
            return "It is not your turn."
        try:
            self._allowed.check(player, session.game, len(session.seats))
            return answers(session.game, session.state, make_players([player], session.game), session.dice())
        except (ValueError, ImportError, PlayerFailed) as error:
            return f"There is no answer: {error}"

    def prepare(self, game: str) -> None:
        """Compile the code that the first calls of a game need, at a separate table.

        Raises ValueError if there is no such game.
        """
        trial, found = Table(self._allowed), find(game)
        trial.new_game(game, players=found.seats[0], seed=0)
        trial.rules()
        trial.analyse()
        trial.play(trial.legal_moves().partition(" | ")[0].partition("\n")[0])


def _check_lengths(*texts: str) -> None:
    """Raise ValueError if a text is too long."""
    for text in texts:
        if len(text) > LONGEST:
            raise ValueError(f"a text has at most {LONGEST} characters, and this one has {len(text)}")


def _move_others(session: Session) -> None:
    """Let the other players move until the assistant must decide or the game is over.

    Raises PlayerFailed if one of them fails.
    """
    while session.player_to_move is not None:
        session.move_player()


def server(table: Table | None = None) -> Any:
    """A server with one table. Raises ImportError if the library `mcp` is not installed."""
    from mcp.server import MCPServer

    own = table or Table()
    made = MCPServer(
        "banakil",
        instructions=f"Card games of the rummy family: {', '.join(GAMES)}. Call new_game, read rules, then play.",
    )
    for tool in (own.new_game, own.rules, own.observe, own.legal_moves, own.play, own.analyse):
        made.tool()(_in_turn(tool, own.lock))
    return made


def _in_turn(tool: Callable[..., str], lock: threading.Lock) -> Callable[..., Any]:
    """Wrap a tool for the library: one call at a time; the client is notified of code that is being compiled."""
    from anyio import to_thread
    from mcp.server.mcpserver import Context

    async def call(context: Context[Any], **arguments: Any) -> str:
        loop, numbers = asyncio.get_running_loop(), itertools.count(1)

        def tell(what: str) -> None:
            """Notify the client, from any thread; a client that did not request progress gets no message."""
            asyncio.run_coroutine_threadsafe(context.report_progress(next(numbers), None, what), loop)

        def work() -> str:
            with telling(lambda name, seconds: tell(f"building {name}, once: about {seconds:.0f} s")):
                if not lock.acquire(blocking=False):
                    tell(BUSY)
                    lock.acquire()
                try:
                    return tool(**arguments)
                finally:
                    lock.release()

        return await to_thread.run_sync(work)

    functools.update_wrapper(call, tool)
    said = inspect.signature(tool, eval_str=True)
    context = inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=Context[Any])
    call.__signature__ = said.replace(parameters=[*said.parameters.values(), context])  # type: ignore[attr-defined]
    call.__annotations__ = {**tool.__annotations__, "context": Context[Any]}
    return call


def mcp(
    transport: Annotated[str, typer.Option(help="stdio, or streamable-http")] = "stdio",
    player: Annotated[
        list[str] | None,
        typer.Option(help="a further player that the assistant can name, such as net:PATH; can be repeated"),
    ] = None,
    game: Annotated[
        list[str] | None, typer.Option(help="a game that is prepared at the start; can be repeated")
    ] = None,
) -> None:
    """Serve a game to an assistant by the Model Context Protocol."""
    games = game or [GAME]
    try:
        if transport not in TRANSPORTS:
            raise ValueError(f"the transports are {' and '.join(TRANSPORTS)}, not {transport!r:.60}")
        for each in games:
            find(each)
        table = Table(Allowed(player or ()))
        made = server(table)
    except ValueError as error:
        leave(f"banakil mcp: {error}")
    except ImportError:
        leave(f"banakil mcp needs the library mcp: {install_line('mcp')}")
    held = threading.Event()
    threading.Thread(target=_prepare, args=(table, games, held), daemon=True).start()
    held.wait()
    made.run(transport)


def _prepare(table: Table, games: Sequence[str], held: threading.Event) -> None:
    """Compile games while the server starts to listen, and report this on standard error.

    Tool calls wait until it is done.

    Args:
        table: the table.
        games: the names of the games.
        held: set as soon as the lock of the table is held.
    """
    with table.lock:
        held.set()
        for game in games:
            print(f"banakil mcp: preparing {game} ...", file=sys.stderr, flush=True)
            table.prepare(game)
    print("banakil mcp: ready", file=sys.stderr, flush=True)
