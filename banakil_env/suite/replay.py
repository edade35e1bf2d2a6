"""Replays records: the arena plays the recorded moves again and checks the players.

The players of a record are the measured player and the *anchors*, the opponents that the task fixes. A `Script`
replaces a player that is not available and makes the recorded moves. An anchor that is available chooses its moves
itself. A record is faulty if a move is illegal, if the points differ, or if such an anchor chooses another move than
the recorded one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.arena.apart import PlayerApart
from banakil_env.arena.plan import Plan
from banakil_env.arena.protocol import Player
from banakil_env.arena.tables import Table, dice_seed, play_tables
from banakil_env.core.batch import draw_dice, seed_dice
from banakil_env.core.game import Game
from banakil_env.core.kernels import GENERATOR, kernels_of, refusal

DEALS_AT_A_TIME = 256
_COMPARED = ("points", "ending", "winner")
_STOPS = "the record stops before the game is over"


@dataclass(frozen=True)
class Fault:
    """A fault of a record.

    Attributes:
        match, deal, table: the place of the fault.
        label: the label of the player with the wrong move; "" if the outcome of the table is wrong.
        text: a description of the fault.
    """

    match: str
    deal: int
    table: int
    label: str
    text: str

    def __str__(self) -> str:
        return f"match {self.match}, deal {self.deal}, table {self.table}: {self.text}"


class _Book:
    """The recorded moves of some tables, and the position of the next move in each record.

    As a witness of the games (`arena.tables.Witness`) it compares the moves that are made with the recorded ones.

    Attributes:
        wrong: for each table with a wrong move, the label of the player, or "" for an illegal move, and a description.
    """

    def __init__(self, plan: Plan, tables: Sequence[Table], moves: Sequence[Sequence[int]]) -> None:
        self._plan, self._tables, self._moves = plan, tables, moves
        self._place = [0] * len(tables)
        # By table: the label of the first player with another move, and a description.
        self.wrong: dict[int, tuple[str, str]] = {}

    def next(self, table: int) -> int:
        """The next recorded move. Raises IndexError if there are no more moves."""
        return self._moves[table][self._place[table]]

    def left(self, table: int) -> int:
        """The number of recorded moves that have not been made."""
        return len(self._moves[table]) - self._place[table]

    def decided(self, tables: Any, states: Any, observations: Any, masks: Any, actions: Any) -> None:
        """Compare the actions at these tables with the recorded moves, and go on to the next recorded move of each.

        The first action at a table that is illegal or differs from the record is noted in `wrong`.
        """
        for table, mask, action in zip(tables.tolist(), masks, actions.tolist()):
            place, moves = self._place[table], self._moves[table]
            if table not in self.wrong and (place >= len(moves) or moves[place] != action):
                self.wrong[table] = self._difference(states[table], table, action)
            elif table not in self.wrong and not mask[action]:
                self.wrong[table] = ("", f"move {place + 1}: {refusal(self._plan.found, states[table], action)}")
            self._place[table] += 1

    def ended(self, states: npt.NDArray[Any]) -> None:
        """Do nothing, since `replay_faults` compares the outcomes of the tables."""

    def _difference(self, state: Any, table: int, action: int) -> tuple[str, str]:
        game, place, moves = self._plan.found, self._place[table], self._moves[table]
        seat = int(state["seat"])
        label = self._plan.players[self._tables[table].seats[seat]]
        said = repr(game.actions.text(moves[place])) if place < len(moves) else "the end"
        made = repr(game.actions.text(action)) if 0 <= action < game.num_actions else f"{action}, not an action"
        return label, f"move {place + 1} is recorded as {said}, and {label} plays {made}"


class Script:
    """A player that makes recorded moves. It recognizes a table by the dice of the row.

    Args:
        number: the index of the plan's player that it replaces.
        book: the recorded moves, shared by all players at the tables.
    """

    def __init__(self, plan: Plan, tables: Sequence[Table], number: int, book: _Book) -> None:
        self.name = plan.players[number]
        self._book = book
        self._generators, self._loops = np.zeros(len(tables), GENERATOR), kernels_of(plan.found)
        seeds = [dice_seed(plan.seed_of(table.deal), table.seats, number, self.name) for table in tables]
        seed_dice(self._generators, np.array(seeds, np.uint64))
        self._table_of: dict[int, int] = {}  # table by the dice of its next decision
        self._seen: set[int] = set()  # the dice of decisions so far
        self._throw(np.arange(len(tables)))

    def _throw(self, tables: npt.NDArray[np.int64]) -> None:
        """Compute the dice of the next decision at some tables."""
        dice = np.zeros(len(tables), np.uint64)
        draw_dice(self._generators, tables, dice)
        self._table_of.update(zip(dice.tolist(), tables.tolist()))

    def act(
        self, observations: npt.NDArray[np.uint8], masks: npt.NDArray[np.int8], dice: npt.NDArray[np.uint64]
    ) -> npt.NDArray[np.int64]:
        """The next recorded move of the table of each row.

        Raises IndexError if the record of a table has no more moves.
        """
        asked = dice.tolist()
        tables = [self._table_of[bits] for bits in asked]
        self._throw(np.array([table for bits, table in zip(asked, tables) if bits not in self._seen], np.int64))
        self._seen.update(asked)
        return np.array([self._book.next(table) for table in tables], np.int64)


def script_for(plan: Plan, tables: Sequence[Table], moves: Sequence[Sequence[int]]) -> tuple[list[Script], _Book]:
    """Players that make the recorded moves at these tables, one for each player of the plan, and their witness."""
    book = _Book(plan, tables, moves)
    return [Script(plan, tables, number, book) for number in range(len(plan.players))], book


def replay_faults(
    plan: Plan,
    match: str,
    players: Sequence[Player | PlayerApart | None],
    deals: Mapping[int, Sequence[Mapping[str, Any]]],
    actions: Mapping[str, int],
) -> list[Fault]:
    """Play deals of a match again; returns the faults of their records.

    Args:
        plan: the plan of the match, with the key of its deals.
        match: the name of the match.
        players: the players that are available, or None for a player whose recorded moves are made.
        deals: the recorded tables of each deal.
        actions: every action of the game by its text.

    Returns:
        At most one fault per table, in order.
    """
    found: list[Fault] = []
    numbers = list(deals)
    for first in range(0, len(numbers), DEALS_AT_A_TIME):
        some = numbers[first : first + DEALS_AT_A_TIME]
        found += _faults(plan, match, players, {deal: deals[deal] for deal in some}, actions)
    return found


def _faults(plan: Plan, match: str, players: Any, deals: Any, actions: Mapping[str, int]) -> list[Fault]:
    tables = plan.tables(list(deals))
    each = len(tables) // len(deals)
    said = [table for deal in deals.values() for table in deal]
    moves, found = list[list[int]](), dict[int, Fault]()

    def fault(number: int, label: str, text: str) -> None:
        found.setdefault(number, Fault(match, tables[number].deal, number % each, label, text))

    for number, table in enumerate(said):
        texts = table["moves"].split("; ") if table["moves"] else []
        unknown = [text for text in texts if text not in actions]
        if unknown:
            fault(number, "", f"{unknown[0]!r:.60} is not an action of {plan.game}")
        moves.append([actions[text] for text in texts if text in actions])
    book = _Book(plan, tables, moves)
    seated = [Script(plan, tables, number, book) if player is None else player for number, player in enumerate(players)]
    for number, outcome in enumerate(play_tables(seated, plan.players, tables, plan.settings(), witness=book)):
        if number in book.wrong:
            fault(number, *book.wrong[number])
        for text in _differences(plan.found, outcome, said[number], book.left(number)):
            fault(number, "", text)
    return [found[number] for number in sorted(found)]


def _differences(game: Game, outcome: Mapping[str, Any], said: Mapping[str, Any], left: int) -> list[str]:
    """Describe the differences between the outcome of a table and its record, the most important one first."""
    failed, recorded = outcome["failed"], said["failed"]
    if failed and not recorded:
        return [f"the game does not go on there as recorded: {failed['reason']}" if left else _STOPS]
    if recorded and not failed:
        return ["a player is recorded as failing there, and did not fail"]
    if left:
        return [f"the game is over {left} recorded moves before the end of its record"]
    if failed and any(failed[name] != recorded[name] for name in ("player", "seat")):
        return ["another player failed there than the one recorded"]
    return [
        f"{name} are {outcome[name]} by these moves, and recorded as {said[name]!r:.80}"
        for name in _COMPARED
        if outcome[name] != said[name]
    ]


def action_numbers(game: Game) -> dict[str, int]:
    """The index of every action of a game, by its text."""
    return {action.text: number for number, action in enumerate(game.actions)}
