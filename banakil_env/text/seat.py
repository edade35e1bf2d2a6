"""The view of a seat in words: the table, the events and the decision.

All texts are made from the scene and the events of that seat, which hold only information that the seat has.

    >>> session = Session.deal("rummy", [None, "greedy"], seed=7)
    >>> told = SeatText(session, 0)
    >>> print(told.rules())  # the rules of this table
    >>> print(told.turn())  # the view of the seat, and its legal moves
    >>> told.parse("I draw.\nMOVE: draw").actions
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Iterable, Sequence
from typing import Any, Protocol

import numpy.typing as npt

from banakil_env.core.events import Event, seen_events
from banakil_env.core.game import Game
from banakil_env.core.kernels import legal_actions
from banakil_env.core.scene import Area, Meld, Scene, SeatView
from banakil_env.text.events import event_text
from banakil_env.text.moves import moves_text, shared_note
from banakil_env.text.replies import Reply, parse
from banakil_env.text.rules import rules_text_of

MOVES = ("all", "count", "none")

_FULL_PACK = tuple(rank + suit for rank in "23456789TJQKA" for suit in "cdhs")


class Move(Protocol):
    """One decision of a game: the state before it (an array of one), the seat, the action."""

    @property
    def state(self) -> npt.NDArray[Any]: ...
    @property
    def seat(self) -> int: ...
    @property
    def action(self) -> int: ...


class Played(Protocol):
    """A game in progress, such as a `banakil_env.play.session.Session`."""

    @property
    def game(self) -> Game: ...
    @property
    def state(self) -> Any: ...
    @property
    def moves(self) -> Sequence[Any]: ...
    def events(self, number: int, /) -> list[Event]: ...


class SeatText:
    """The texts for one seat of a game.

    Args:
        session: the game in progress.
        seat: the seat that the texts are for.
    """

    def __init__(self, session: Played, seat: int) -> None:
        self._session, self._seat = session, seat

    def rules(self) -> str:
        """The rules of the table; see `rules_text`."""
        return rules_text_of(self._session.game, self._session.state)

    def turn(self, *, moves: str = "all", history: bool = False) -> str:
        """The view of the seat, the events since its last decision, and the decision.

        Args:
            moves: how legal moves are given, if the seat is to decide: "all" lists them, "count" gives their number,
                "none" leaves them out.
            history: give all events since the start of the game, instead of those since the seat's last decision.
        """
        first = 0 if history else max((n for n, move in enumerate(self._moves) if move.seat == self._seat), default=0)
        events = [event for number in range(first, len(self._moves)) for event in self._session.events(number)]
        return seat_text(self._session.game, self._session.state, self._seat, events=events, moves=moves)

    def parse(self, reply: str) -> Reply:
        """Read the moves of a reply; see `replies.parse`."""
        return parse(self._session.game, self._session.state, reply)

    @property
    def _moves(self) -> Sequence[Any]:
        return self._session.moves


def seat_text(game: Game, state: Any, seat: int, *, events: Iterable[Event] = (), moves: str = "all") -> str:
    """The view of a seat and the decision, as text.

    Args:
        game: the game.
        state: the state.
        seat: the seat.
        events: earlier events, with all cards; the text describes the events that the seat noticed, as it saw them.
        moves: see `SeatText.turn`.

    Raises:
        ValueError: an unknown value of `moves`.
    """
    if moves not in MOVES:
        raise ValueError(f"moves must be {', '.join(map(repr, MOVES))}, not {moves!r:.80}")
    scene = _in_words(game.scene(state, seat), _words(game))
    past = _past(events, seat, len(scene.seats))
    lines = [*_table(scene, seat, _has_melds(game)), *past, *_decision(game, state, scene, seat, moves)]
    return "\n".join(lines) + "\n"


@functools.cache
def _has_melds(game: Game) -> bool:
    """Whether melds are put on the table in this game, which is not so in Yaniv."""
    return any(text.startswith("open ") for text in game.actions.texts)


@functools.cache
def _words(game: Game) -> dict[str, str]:
    """The shorter names of cards in moves: `7` for `7h`; empty if moves use the full names.

    In games where suits do not matter, a discard names only the rank.
    """
    blocks = [block for block in game.actions.blocks if block.name.startswith("discard")]
    words = {word for block in blocks for text in block.texts for word in text.split()[1:]}
    return {card: card[0] for card in _FULL_PACK if card not in words and card[0] in words}


def _in_words(scene: Scene, words: dict[str, str]) -> Scene:
    """The scene with the cards of hands and melds named as they are in moves."""
    if not words:
        return scene

    def told(cards: Iterable[str]) -> tuple[str, ...]:
        return tuple([words.get(card, card) for card in cards])

    seats = tuple(
        dataclasses.replace(each, hand=each.hand and (told(itertools.chain(*each.hand)),), known=told(each.known))
        for each in scene.seats
    )
    melds = tuple([Meld(each.number, each.owner, told(each.cards), each.stands_for, each.note) for each in scene.melds])
    return dataclasses.replace(scene, seats=seats, melds=melds)


def _are_partners(scene: Scene) -> bool:
    return len({seat.side for seat in scene.seats}) < len(scene.seats)


def _table(scene: Scene, seat: int, melds: bool) -> list[str]:
    """Lines about the table: hands, heaps, and the melds in games with melds."""
    facts = "; ".join(scene.facts)
    lines = [f"You are seat {seat}. {facts[:1].upper()}{facts[1:]}."]
    lines += [_seat(each, scene, seat) for each in scene.seats]
    owner = "side" if _are_partners(scene) else "seat"
    shown = [area for area in scene.areas if area.size or area.name in ("pile", "stock")]
    for size, areas in itertools.groupby(shown, _hidden_size):
        alike = list(areas)
        lines += [_area(area, owner) for area in alike] if size is None or len(alike) == 1 else [_alike(alike)]
    return lines + (_melds(scene) if melds else [])


def _cards(count: int) -> str:
    return f"{count} card{'s' * (count != 1)}"


def _seat(view: SeatView, scene: Scene, seat: int) -> str:
    """A line about one seat: its hand, or the number of its cards and those that are publicly known."""
    if view.hand is not None:
        cards = "; ".join(" ".join(group) for group in view.hand) or "no cards"
        told = [f"{'your hand' if view.seat == seat else 'hand'} ({_cards(view.size)}): {cards}"]
    else:
        told = [_cards(view.size)]
    if view.known:
        who = "the others know" if view.seat == seat else "known"
        told.append(f"{who}: {' '.join(view.known)}")
    partner = view.seat != seat and view.side == scene.seats[seat].side
    told += ["your partner"] * partner + list(view.notes)
    if view.score is not None:
        told.append(f"score {view.score}")
    return f"Seat {view.seat}: {'; '.join(told)}"


def _hidden_size(area: Area) -> tuple[str, int] | None:
    """The key of a face-down heap that shares a line with equal heaps of other seats; None for a separate line."""
    hidden = area.owner is not None and not any(area.cards)
    return (area.title, area.size) if hidden else None


def _alike(areas: Sequence[Area]) -> str:
    """A line about face-down heaps of several seats with the same size."""
    return f"{areas[0].title.capitalize()} {', '.join(str(area.owner) for area in areas)}: {areas[0].size} cards each"


def _area(area: Area, who: str) -> str:
    """A line about a heap: its cards in order, or their number.

    Args:
        area: the heap.
        who: the word for the owner of open cards, a seat or a side.
    """
    shown = [card for card in area.cards if card is not None]
    note = f" [{area.note}]" if area.note else ""
    owner = f" of {who} {area.owner}" if area.owner is not None and shown else ""
    name = f"{area.title.capitalize()}{owner}" if shown else area.name.capitalize()
    if not shown:
        return f"{name}: {_cards(area.size)}{note}"
    order = ", the last is on top" if area.name in ("pile", "stock") and area.size > 1 else ""
    return f"{name} ({area.size}{order}): {' '.join(shown)}{note}"


def _melds(scene: Scene) -> list[str]:
    if not scene.melds:
        return ["Melds: none"]
    if scene.melds[0].number is not None:
        return ["Melds:", *(f"  meld {meld.number} (seat {meld.owner}): {_meld(meld)}" for meld in scene.melds)]
    who = "side" if _are_partners(scene) else "seat"
    lines = [
        f"Melds of {who} {owner}: {_by_note(list(melds))}"
        for owner, melds in itertools.groupby(scene.melds, lambda meld: meld.owner)
    ]
    return [f"{lines[0]}{_IN_SHORT * (' x' in ''.join(lines))}", *lines[1:]]


_MANY = 4  # if there are at least this number of equal cards, their number is written
_IN_SHORT = " (`7 x5` is five sevens)"


def _by_note(melds: Sequence[Meld]) -> str:
    """Text for melds that have no number, grouped by their notes: `clean pile: 5 x7 | T x7`.

    Melds without a note come first.
    """
    notes = sorted({meld.note for meld in melds})
    alike = [(note, [_in_short(meld.cards) for meld in melds if meld.note == note]) for note in notes]
    return "; ".join(f"{note}: " * bool(note) + " | ".join(told) for note, told in alike)


@functools.lru_cache(maxsize=1 << 12)
def _in_short(cards: tuple[str, ...]) -> str:
    """The cards of a meld in which wild cards do not stand for particular cards. Cached, since melds recur often."""
    runs = [(card, len(list(same))) for card, same in itertools.groupby(cards)]
    return " ".join(f"{card} x{count}" if count >= _MANY else " ".join([card] * count) for card, count in runs)


def _meld(meld: Meld) -> str:
    stands = [f"{card} stands for {other}" for card, other in zip(meld.cards, meld.stands_for) if other]
    notes = [*stands, *([meld.note] if meld.note else [])]
    return " ".join(meld.cards) + (f" [{'; '.join(notes)}]" if notes else "")


def _past(events: Iterable[Event], seat: int, count: int) -> list[str]:
    """Lines about past events, as the seat saw them; consecutive events of one seat share a line.

    `count` is the number of seats.
    """
    names = [f"Seat {number}" + " (you)" * (number == seat) for number in range(count)]
    lines: list[tuple[int | None, list[str]]] = []
    for event in seen_events(events, seat):
        said = event_text(event, names)
        if event.seat is not None and lines and lines[-1][0] == event.seat:
            lines[-1][1].append(said.removeprefix(f"{names[event.seat]} "))
        else:
            lines.append((event.seat, [said]))
    return ["What has happened:", *(f"  {'; '.join(said)}" for _, said in lines)] if lines else []


def _decision(game: Game, state: Any, scene: Scene, seat: int, moves: str) -> list[str]:
    """Lines about the decision, and its legal moves."""
    if scene.to_move is None:
        points = ", ".join(f"seat {number} {points}" for number, points in enumerate(scene.points))
        return [f"The game is over: {scene.result}. Points: {points}."]
    if scene.to_move != seat:
        return [f"Seat {scene.to_move} is to decide: {scene.decision}."]
    lines = [f"You are to decide: {scene.decision}."]
    if moves == "none":
        return lines
    legal = legal_actions(game, state)
    count = f"{len(legal)} legal move{'s' * (len(legal) != 1)}"
    if moves == "count":
        return [*lines, f"You have {count}."]
    listed = moves_text(game, legal)
    note = shared_note(listed)
    return [*lines, f"You have {count}{'. ' + note if note else ':'}", listed]
