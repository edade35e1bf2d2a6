"""How does it end if rule-based players go on from here? Positions played to their end, one by one or a whole batch.

A playout sees the whole state and tells one outcome of it; what a player may know of that is for the caller to see to
(`agents/search.py` deals the hidden cards anew, `train/aggrevate.py` has tables of its own).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.bits import wide
from banakil_env.core.game import REWARDS, IllegalAction
from banakil_env.core.jit import compiled
from banakil_env.core.kernels import GENERATOR, refusal
from banakil_env.core.masks import count_legal, legal_at
from banakil_env.core.threads import in_parts
from banakil_env.games.banakil.actions import NUM_ACTIONS
from banakil_env.games.banakil.baselines import BASELINES, baseline_action
from banakil_env.games.banakil.game import GAME, status
from banakil_env.games.banakil.hidden import shuffle_stock
from banakil_env.games.banakil.moves import apply, carry_out, legal_mask
from banakil_env.games.banakil.observation import OBSERVATION, observe
from banakil_env.games.banakil.scoring import reward
from banakil_env.games.banakil.state import MAX_SEATS, STATE, to_move

NO_MOVE = -1
ROWS_PER_THREAD = 8  # a playout takes some hundred microseconds, a thread some tens


@compiled
def play_out(state: Any, kind: int, observation: Any, mask: Any, dice: Any) -> None:
    """Let the baseline `kind` move at every seat until the episode is over.

    Args:
        observation, mask: a record of OBSERVATION and int8 (NUM_ACTIONS,) to work in.
        dice: a record of GENERATOR, the baseline's.
    """
    while not status(state):
        legal_mask(state, mask)
        if count_legal(mask) == 1:
            carry_out(state, wide(legal_at(mask, 0)))
            continue
        observe(state, to_move(state), observation)
        carry_out(state, wide(baseline_action(kind, observation, mask, dice)))


@compiled
def _play_out_rows(
    states: Any,
    rows: Any,
    moves: Any,
    kind: int,
    reward_kind: int,
    orders: int,
    seeds: Any,
    copies: Any,
    observations: Any,
    mask: Any,
    dice: Any,
    out: Any,
) -> int:
    """Play copies of `rows` out, and write what each is worth to every seat into the same rows of `out`.

    Returns:
        The first row whose move is not legal, where it ends; -1: all are.
    """
    for row in rows:
        out[row] = 0
        for order in range(max(wide(1), orders)):
            copies[0] = states[row]
            dice[0].rng = 0
            if orders:
                shuffle_stock(copies[0], seeds[row] + order)
            if moves[row] != NO_MOVE and not apply(copies[0], wide(moves[row])):
                return wide(row)
            play_out(copies[0], kind, observations[0], mask, dice[0])
            for seat in range(copies[0].num_players):
                out[row, seat] += reward(copies[0], wide(seat), reward_kind)
        if orders:
            out[row] /= np.float32(orders)
    return wide(-1)


def outcomes(
    states: npt.NDArray[Any],
    rows: npt.NDArray[np.int64],
    player: str,
    reward_kind: str,
    out: npt.NDArray[np.float32],
    threads: int = 1,
    moves: npt.NDArray[np.int64] | None = None,
    orders: int = 0,
    seeds: npt.NDArray[np.uint64] | None = None,
) -> None:
    """What some tables would bring every seat if a rule-based player went on there, with the cards as they are.

    Args:
        states: records of STATE; they stay as they are. rows: int64 (k,), which of them.
        player: a name of BASELINES, one that throws no dice, so that the same position has one outcome.
        reward_kind: a name of REWARDS.
        out: float32 (n, MAX_SEATS), in the unit of that reward: these rows of it are written.
        threads: at most so many.
        moves: int64 (n,), actions that are carried out first; NO_MOVE, or None: none is.
        orders: the mean over so many orders of the stock, all hands being as they are; 0: with the stock as it lies.
        seeds: uint64 (n,), of those orders; None: 0 everywhere.

    Raises:
        IllegalAction: a move is not legal; the text names the row, the action and what is legal. ValueError: arrays of
            other lengths, or rows that do not exist.
    """
    first_moves = np.full(len(states), NO_MOVE) if moves is None else moves
    of_rows = np.zeros(len(states), np.uint64) if seeds is None else seeds
    lengths = {len(states), len(out), len(first_moves), len(of_rows)}
    if (
        len(lengths) > 1
        or out.shape[1:] != (MAX_SEATS,)
        or (len(rows) and not 0 <= rows.min() <= rows.max() < len(out))
    ):
        raise ValueError(f"rows must be of the {len(states)} states, and moves, seeds and out as long as these")

    def part(first: int, last: int) -> int:
        work = np.empty(1, STATE), np.empty(1, OBSERVATION), np.empty(NUM_ACTIONS, np.int8), np.zeros(1, GENERATOR)
        asked = BASELINES[player], REWARDS[reward_kind], orders, of_rows
        refused: int = _play_out_rows(states, rows[first:last], first_moves, *asked, *work, out)
        return refused

    refused = max(in_parts(part, len(rows), threads, ROWS_PER_THREAD), default=NO_MOVE)
    if refused >= 0:
        raise IllegalAction(f"row {refused}: {refusal(GAME, states[refused], int(first_moves[refused]))}")
