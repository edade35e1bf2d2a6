"""Rules and numbers of players that are drawn for each episode; they are set between two calls of the compiled loop."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode

from banakil_env.core import batch
from banakil_env.envs.arguments import num_seats_of
from banakil_env.envs.tables.players import TablePlayers
from banakil_env.envs.variants import bits_from


class DrawnRules(TablePlayers):
    """Tables whose rules can be drawn for each episode."""

    def _act(self) -> int:
        """Carry out the actions. Returns the number of rows that refused or failed.

        The compiled loop deals with the current rules of the table. So if rules are drawn, the loop does not deal
        tables whose episode is over; separate calls deal them.
        """
        if self._variants is None or self.autoreset is not AutoresetMode.NEXT_STEP:
            return self._run(batch.ACT, self._rows)
        over = self._controls["reported"] != 0
        ended = self._rows[over]
        self._draw_rules(ended, self._states["rng"][ended])
        return self._run(batch.ACT, self._rows[~over]) + self._run(batch.DEAL, ended)

    def _deal_ended(self) -> None:
        """Deal at the tables whose episode has ended in this step; keep the rewards and flags of the step."""
        ended = np.flatnonzero(self._controls["reported"])
        if not len(ended):
            return
        arrays = (self.rewards, self.terminations, self.truncations, self._controls["payoff"])
        reported = [array[ended] for array in arrays]
        self._draw_rules(ended, self._states["rng"][ended])
        failed = self._run(batch.DEAL, ended)
        for array, values in zip(arrays, reported, strict=True):
            array[ended] = values
        self._serve_players(ended, failed)

    def _draw_rules(self, rows: npt.NDArray[np.int64], numbers: npt.NDArray[np.uint64]) -> None:
        """Set the rules of the next episode of these tables, each drawn from a number; their generators are not
        changed.
        """
        if self._variants is None or not len(rows):
            return
        generators = self._states["rng"][rows]
        try:
            for row, bits in zip(rows, bits_from(numbers).tolist(), strict=True):
                variants = self._variants[row]
                if variants is not None:
                    blank = variants.blank(bits)
                    self._states[row : row + 1].view(np.uint8)[:] = blank.view(np.uint8)
                    if len(variants.numbers) > 1:
                        self._seats_at[row] = num_seats_of(self.game, blank[0])
        except Exception:
            self._broken = True
            raise
        self._states["rng"][rows] = generators
