"""Play at a terminal: the table as the seat to move sees it, the legal moves with numbers, and a prompt."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from banakil_env.arena.players import Player
from banakil_env.core.terminal import say
from banakil_env.play.session import Say, Session, matching
from banakil_env.render.columns import WIDTH, folded
from banakil_env.render.scenes import scene_of
from banakil_env.render.suits import with_symbols
from banakil_env.render.text import table
from banakil_env.study.ask import answers

HELP = """\
Write the number of a move, its text, or its beginning where only one move begins so.
Tab completes (where the system has readline).
  moves     list the legal moves again
  table     show the table again
  hint      ask the adviser what it would do, and what it thinks of the moves
  undo      go back to the start of your turn, or to the one before (practice)
  record    show the game so far as a game record
  quit      stop; the game is not lost, the record is shown
  help      this text"""
COMMANDS = ("moves", "table", "hint", "undo", "record", "quit", "help")
NEW = "*"  # marks a card that has just been added to the hand
BETWEEN_PEOPLE = 40  # empty lines between two people, so that neither reads the hand of the other

Ask = Callable[[str], str]


class Stopped(Exception):
    """The person stops the game."""


class Terminal:
    """People and computer players at one terminal.

    Args:
        session: the game.
        adviser: the player that gives hints; None for no hints.
        practice: whether undo is allowed.
        symbols: whether suits are shown as symbols.
        ask: shows a prompt and returns the line that was typed.
        say: shows a text.
    """

    def __init__(
        self,
        session: Session,
        adviser: Player | None = None,
        practice: bool = False,
        symbols: bool = False,
        ask: Ask = input,
        say: Say = say,
    ) -> None:
        self._session, self._adviser, self._practice, self._symbols = session, adviser, practice, symbols
        self._ask, self._say_plainly = ask, say
        self._people = [number for number, seat in enumerate(session.seats) if seat.player is None]
        self._last: int | None = None  # the person who saw the screen last
        self._told = 0  # number of moves that have been shown
        self._looked: dict[int, int] = {}  # number of moves when the hand was last shown, by person

    def play(self) -> None:
        """Play to the end. Raises Stopped if a person stops the game, and PlayerFailed if a player fails."""
        session = self._session
        while (seat := session.seat_to_move) is not None:
            if session.player_to_move is not None:
                session.move_player()
                if not self._people:
                    self._tell(None)
            else:
                self._decide(seat)
        self._tell(None)
        self._say_table(None)
        self._say("\n".join(self._result()))

    def _decide(self, seat: int) -> None:
        """Ask a person for one decision, and carry it out."""
        session = self._session
        begins = self._last != seat or not session.moves or session.moves[-1].seat != seat
        if self._last not in (None, seat):
            self._ask(f"{self._name(seat)}: press Enter when only you look at the screen. ")
            self._say("\n" * BETWEEN_PEOPLE)
        self._last = seat
        self._tell(seat)
        new = self._new_cards(seat)
        if begins:
            self._say_table(seat)
            if new:
                self._say("\n".join(folded(f"New in your hand: {' '.join(new.elements())}", WIDTH)))
        else:
            self._show_hand(seat, new)
        texts = self._texts()
        self._list(texts)
        while True:
            with _completion(dict.fromkeys([*texts, *map(self._shown, texts), *COMMANDS])):
                line = " ".join(self._ask("move> ").split())
            if line.lower() in COMMANDS and line.lower() not in texts:
                if self._obey(line.lower(), seat, texts):
                    return
                continue
            if not line:
                self._list(texts)
                continue
            found = matching(line, texts)
            if isinstance(found, int):
                session.play(session.plain.legal_actions(session.state)[found])
                return
            self._say("\n".join(folded(f"{found}. 'help' says what can be written.", WIDTH)))

    def _obey(self, command: str, seat: int, texts: Sequence[str]) -> bool:
        """Carry out a command; returns whether moves were taken back."""
        session = self._session
        if command == "quit":
            raise Stopped
        if command == "undo":
            if not self._practice:
                self._say("Moves are taken back in practice only: banakil play --practice")
            elif not session.undo_turn(seat):
                self._say("There is no move of yours to take back.")
            else:
                self._told = len(session.moves)
                self._last = None
                self._looked.clear()
                return True
        elif command == "moves":
            self._list(texts)
        elif command == "table":
            self._say_table(seat)
        elif command == "hint":
            self._say(self._hint())
        elif command == "record":
            self._say_plainly(session.record())
        else:
            self._say(HELP)
        return False

    def _hint(self) -> str:
        if self._adviser is None:
            return "There is no adviser: banakil play --adviser PLAYER names one."
        session = self._session
        return answers(session.game, session.state, [self._adviser], session.dice())

    def _texts(self) -> list[str]:
        session = self._session
        return [session.plain.action_text(action) for action in session.plain.legal_actions(session.state)]

    def _say(self, text: str) -> None:
        """Show a text, with suits as symbols if the person chose them."""
        self._say_plainly(self._shown(text))

    def _shown(self, text: str) -> str:
        return with_symbols(text, ten="T") if self._symbols else text

    def _new_cards(self, seat: int) -> Counter[str]:
        """The cards that were added to a person's hand since it was last shown; empty if it was dealt since then."""
        session = self._session
        count = len(session.moves)
        new: Counter[str] = Counter()
        for number in range(self._looked.get(seat, count), count):
            brought = session.brought(number, seat)
            new = Counter() if brought is None else new + brought
        self._looked[seat] = count
        return new & scene_of(session.game, session.state, seat).seats[seat].held()

    def _say_table(self, viewer: int | None) -> None:
        """Show the table as one seat sees it, wrapped to the width of the terminal; `viewer` None shows all hands."""
        text = table(self._session.game, self._session.state, viewer)
        lines = (folded(line, WIDTH) if len(line) > WIDTH else [line] for line in text.splitlines())
        self._say("\n" + "\n".join(line for several in lines for line in several))

    def _show_hand(self, seat: int, new: Counter[str]) -> None:
        """Show a person's hand and decision; new cards are listed first, and marked in the hand."""
        scene = scene_of(self._session.game, self._session.state, seat)
        came = f"New in your hand: {' '.join(new.elements())}. " if new else ""
        left, groups = new.copy(), list[str]()
        for group in scene.seats[seat].hand or ():
            words = []
            for card in group:
                words.append(f"{card}{NEW}" if left[card] > 0 else card)
                left[card] -= 1
            groups.append(" ".join(words))
        hand = "   ".join(groups)
        self._say("\n".join(folded(f"{came}{self._name(seat)} is to {scene.decision}. Hand: {hand}", WIDTH)))

    def _list(self, texts: Sequence[str]) -> None:
        """Show the legal moves with their numbers, in columns."""
        cells = [f"{number:>3} {text}" for number, text in enumerate(texts, 1)]
        width = max(map(len, cells)) + 2
        across = max(1, WIDTH // width)
        down = -(-len(cells) // across)
        rows = [cells[row::down] for row in range(down)]
        self._say("\n".join("".join(cell.ljust(width) for cell in row).rstrip() for row in rows))

    def _tell(self, viewer: int | None) -> None:
        """Show the moves since the last look, one line per turn, as seat `viewer` sees them; None shows all cards."""
        session = self._session
        lines: list[tuple[int, list[str]]] = []
        for number, move in enumerate(session.moves[self._told :], self._told):
            if move.seat in self._people and len(self._people) == 1:
                continue
            if not lines or lines[-1][0] != move.seat:
                lines.append((move.seat, []))
            lines[-1][1].append(session.deeds(number, viewer))
        self._told = len(session.moves)
        for seat, texts in lines:
            self._say("\n".join(folded(f"{self._name(seat)}: {'; '.join(texts)}", WIDTH)))

    def _name(self, seat: int) -> str:
        return f"Seat {seat} ({self._session.seats[seat].called})"

    def _result(self) -> list[str]:
        outcome = self._session.game.outcome(self._session.state)
        rows = [f"  {self._name(seat)}: {score}" for seat, score in enumerate(outcome.scores)]
        low = ", the lowest wins" if self._session.game.low_wins else ""
        return [f"Over: {outcome.text}. Points{low}:", *rows]


@contextlib.contextmanager
def _completion(texts: Iterable[str]) -> Any:
    """Inside the block, the Tab key completes a line to one of the texts."""
    try:
        import readline
    except ImportError:  # a system without readline
        yield
        return

    def complete(begun: str, state: int) -> str | None:
        fitting = [text for text in texts if text.lower().startswith(begun.lower())]
        return fitting[state] if state < len(fitting) else None

    before, delimiters = readline.get_completer(), readline.get_completer_delims()
    readline.set_completer(complete)
    readline.set_completer_delims("")  # complete the whole line: moves contain spaces
    readline.parse_and_bind("tab: complete")
    try:
        yield
    finally:
        readline.set_completer(before)
        readline.set_completer_delims(delimiters)
