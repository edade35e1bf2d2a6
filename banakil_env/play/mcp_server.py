"""The command `banakil mcp`: a game for an assistant on your computer, as a server of the Model Context Protocol.

The server uses standard input and output. The assistant deals a game, is told what its seat sees, and plays. The other
seats are players of the package, which move at once.
"""

from __future__ import annotations

import secrets
import sys
from typing import Annotated, Any

import typer

from banakil_env.arena.ask import PlayerFailed
from banakil_env.arena.players import make_players
from banakil_env.core.install import install_line
from banakil_env.games import GAMES, find
from banakil_env.play.session import Session
from banakil_env.study.ask import answers
from banakil_env.text import LEGAL, SeatText, moves_text

NO_GAME = "There is no game yet: call new_game first."


class Table:
    """The table of one assistant, with its tools. Every tool answers with text and never raises."""

    def __init__(self) -> None:
        self._session: Session | None = None
        self._seat = 0

    def new_game(
        self,
        game: str = "rummy",
        opponents: str = "greedy",
        players: int = 0,
        seat: int = 0,
        rules: str = "",
        episode: str = "round",
        seed: int = -1,
    ) -> str:
        """Deal a new game, and say what your seat sees.

        Args:
            game: its name, such as canasta, gin, rummy, hand, yaniv, tonk.
            opponents: the player at all other seats: random, greedy, search:1s, ...
            players: how many play; 0: as few as can.
            seat: yours, from 0 on.
            rules: a preset, then switches; empty: the usual rules.
            episode: round or match.
            seed: of the deal; -1: by chance.
        """
        try:
            found = find(game)
            count = players or found.seats[0]
            if not 0 <= seat < count:
                return f"There is no seat {seat}: {count} play, seats from 0 on."
            seated: list[str | None] = [opponents] * count
            seated[seat] = None
            options = {"episode": episode} | ({"rules": rules} if rules else {})
            dealt = secrets.randbits(32) if seed < 0 else seed
            self._session, self._seat = Session.deal(found, seated, seed=dealt, options=options), seat
            return self._after_others()
        except (ValueError, TypeError, PlayerFailed) as error:
            return f"No game was dealt: {error}"

    def rules(self) -> str:
        """The rules of the table that you play at, in plain words."""
        return SeatText(self._session, self._seat).rules() if self._session else NO_GAME

    def observe(self, history: bool = False) -> str:
        """What your seat sees now, and what was done since your last decision; with history, since the beginning."""
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
        """Make your move, or several of your turn with `;` between them, and say what happened then.

        Moves after the first are made as long as each is legal and no hidden card has come to light.
        """
        session = self._session
        if session is None:
            return NO_GAME
        if session.seat_to_move != self._seat:
            return "It is not your turn."
        reply = SeatText(session, self._seat).parse(moves)
        if reply.kind != LEGAL:
            return f"Nothing was played. {reply.reason}"
        said = "; ".join(session.plain.action_text(action) for action in session.play_on(reply.actions))
        not_played = f"Not played: {said}.\n" if said else ""
        try:
            return not_played + self._after_others()
        except PlayerFailed as error:
            return f"{not_played}The game cannot go on: {error}"

    def analyse(self, player: str = "greedy") -> str:
        """What a player would do at your seat now, and what it thinks of your legal moves.

        Args:
            player: greedy, search:1s, ppo:PATH, ...
        """
        session = self._session
        if session is None:
            return NO_GAME
        if session.seat_to_move != self._seat:
            return "It is not your turn."
        try:
            return answers(session.game, session.state, make_players([player], session.game), session.dice())
        except (ValueError, PlayerFailed) as error:
            return f"There is no answer: {error}"

    def _after_others(self) -> str:
        """Let the others move until this seat decides or the game is over; returns what this seat sees."""
        assert self._session is not None
        while self._session.player_to_move is not None:
            self._session.move_player()
        return self.observe()


def server() -> Any:
    """A server with one table. ImportError: the library `mcp` is not installed."""
    from mcp.server import MCPServer

    table = Table()
    made = MCPServer(
        "banakil",
        instructions=f"Card games of the rummy family: {', '.join(GAMES)}. Call new_game, read rules, then play.",
    )
    for tool in (table.new_game, table.rules, table.observe, table.legal_moves, table.play, table.analyse):
        made.tool()(tool)
    return made


def mcp(
    transport: Annotated[str, typer.Option(help="stdio, or streamable-http")] = "stdio",
) -> None:
    """Serve a game to an assistant by the Model Context Protocol."""
    try:
        made = server()
    except ImportError:
        sys.exit(f"banakil mcp needs the library mcp: {install_line('mcp')}")
    made.run(transport)
