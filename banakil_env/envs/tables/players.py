"""The opponents of a batch that are written in Python. Each is called for all its rows, after the compiled loop."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core import batch
from banakil_env.core.answers import legal_rows
from banakil_env.core.kernels import refusal
from banakil_env.core.views import encode_cards
from banakil_env.envs.arguments import check_places
from banakil_env.envs.forms import CARDS, FEATURES, check_form, in_form, with_history
from banakil_env.envs.opponents import OpponentError, Opponents, Player, name_of, seat_opponents
from banakil_env.envs.tables.arrays import TableArrays


class TablePlayers(TableArrays):
    """Tables with opponents: lets Python players move, and raises the errors of players."""

    def set_opponents(self, opponents: Opponents) -> None:
        """Change the opponents from the next episode of each table on; the current ones finish their episodes.

        Raises:
            ValueError: the caller plays every seat, or the tuple does not fit the tables.
        """
        if self._controls["seating"][0] == batch.EVERY_SEAT:
            raise ValueError("the caller plays every seat of these tables: there are no opponents to replace")
        seated = set(np.unique(self._controls["players"]).tolist())
        players = [player if batch.PLAYERS - i in seated else None for i, player in enumerate(self._seating.players)]
        seating = seat_opponents(opponents, self.game, players)
        check_places(seating.places, self._possible_seats)
        self._seating = seating
        self._bind()

    def _serve_players(self, rows: npt.NDArray[np.int64], failed: int) -> None:
        """Do the work after the compiled loop: let Python players move, and write the arrays of the form "cards".

        If rows have failed (`failed` is their number), the error of the first one is raised instead.
        """
        if failed:
            self._raise_fault(rows)
        if self._seating.players:
            self._ask_players(rows)
        if self.form == CARDS:
            encode_cards(self.game, self.observations, self._seen, rows=rows, threads=self.threads)

    def _ask_players(self, rows: npt.NDArray[np.int64]) -> None:
        """Call the Python players, each for all its rows at once, until each row waits for its learner or is over."""
        waiting = self._waiting(rows)
        while len(waiting):
            codes = self._controls["players"][waiting, self.seats[waiting]]
            for code in np.unique(codes):
                self._ask(self._seating.player_of(int(code)), waiting[codes == code])
            if self._run(batch.ACT_ON, waiting):
                self._raise_fault(waiting)
            waiting = self._waiting(waiting)

    def _waiting(self, rows: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """The rows in which a Python player is to move."""
        seats = self.seats[rows]
        codes = self._controls["players"][rows, seats]
        return rows[(seats >= 0) & (codes <= batch.PLAYERS)]

    def _ask(self, player: Any, rows: npt.NDArray[np.int64]) -> None:
        """Call a Python player for these rows, and write its answers into the actions of the rows.

        Raises:
            OpponentError: the player raised an exception, or its answers are not legal actions.
        """
        try:
            if isinstance(player, Player):
                dice = np.empty(len(rows), np.uint64)
                batch.draw_dice(self.dice, rows, dice)
                answer = player.act(self.observations[rows], self.masks[rows], dice)
            else:
                answer = player(self._shown_to(player, rows), self.masks[rows])
        except Exception as error:
            self._broken = True
            raise OpponentError(f"the opponent {name_of(player)} raised {error!r}; reset() to continue") from error
        actions = np.asarray(answer)
        if isinstance(answer, np.ma.MaskedArray) or actions.shape != rows.shape or actions.dtype.kind not in "iu":
            self._broken = True
            array = "a masked array" if isinstance(answer, np.ma.MaskedArray) else "an array"
            raise OpponentError(
                f"the opponent {name_of(player)} was to choose {len(rows)} actions and gave {array} of shape "
                f"{actions.shape}, dtype {actions.dtype}; expected: whole numbers of shape {rows.shape}"
            )
        legal = legal_rows(actions, self.masks[rows])
        if not legal.all():
            self._broken = True
            at = int(np.argmin(legal))
            raise OpponentError(
                f"the opponent {name_of(player)} answered illegally at row {rows[at]}, seat {self.seats[rows[at]]}: "
                f"{refusal(self.game, self._states[rows[at]], actions[at])}; reset() to continue"
            )
        self._numbers[rows] = actions

    def _shown_to(self, player: Any, rows: npt.NDArray[np.int64]) -> Any:
        """The observations that a callable gets for some tables, in the form that it names or the learner's form."""
        own = getattr(player, "observation", None)
        if own is not None:
            return in_form(self.game, check_form(own), self.observations[rows])
        if self.form == FEATURES:
            seen: Any = self.features[rows]
        else:
            seen = in_form(self.game, self.form, self.observations[rows])
        return with_history(self.form, seen, self.history[rows]) if self.length else seen

    def _raise_fault(self, rows: npt.NDArray[np.int64]) -> None:
        """Raise the error of the first failed row, if a row has failed.

        Raises:
            OpponentError: a compiled player has chosen an illegal action.
            ValueError: the learner never has a turn.
        """
        if not self._controls["faulty"][rows].any():
            return
        row = int(rows[np.argmax(self._controls["faulty"][rows])])
        self._broken = True
        if self._controls["faulty"][row] == batch.NEVER_SERVED:
            raise ValueError(
                f"row {row}: {batch.DEALS_TO_TRY} episodes in a row ended before the learner, in seat "
                f"{self._controls['learner'][row]}, could move; is max_turns too low?"
            )
        kind = self._controls["players"][row, self.seats[row]]
        name = next(name for name, number in self.game.kinds.items() if number == kind)
        raise OpponentError(
            f"the compiled player {name!r} answered illegally at row {row}: an error in {self.game.name}"
        )

    @property
    def _possible_seats(self) -> npt.NDArray[np.int64]:
        """The numbers of players that the tables have, or can have in later episodes, ascending."""
        drawn = [number for variants in self._variants or () if variants is not None for number in variants.numbers]
        return np.unique([*self._seats_at.tolist(), *drawn])
