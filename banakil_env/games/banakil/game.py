"""What does Banakil provide to everything that serves a game? The `Game` of the seam, and its loops."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.bits import wide
from banakil_env.core.game import RUNNING as GOES_ON
from banakil_env.core.game import TERMINATED, TRUNCATED, Game
from banakil_env.core.jit import compiled, inlined
from banakil_env.core.kernels import kernels_of
from banakil_env.games.banakil import hidden, moves, notation, observation, scoring
from banakil_env.games.banakil import state as S
from banakil_env.games.banakil.actions import NUM_ACTIONS, UnknownAction, action_text
from banakil_env.games.banakil.baselines import BASELINES, PLAYERS
from banakil_env.games.banakil.faces import FACES, NO_FACE
from banakil_env.games.banakil.setup import OPTIONS, blank_state

PHASES = ("draw", "play", "choose a meld", "over")


@inlined
def num_seats(state: Any) -> int:
    """How many seats play."""
    return wide(state.num_players)


@compiled
def status(state: Any) -> int:
    """RUNNING, TERMINATED, or TRUNCATED when turns or rounds ran out (B6.3)."""
    if state.phase != S.OVER:
        return GOES_ON
    return TRUNCATED if state.ending == S.TURNS or state.ending == S.ROUNDS else TERMINATED


@compiled
def seat_to_move(state: Any) -> int:
    """The seat to move, -1 when the episode is over."""
    return -1 if state.phase == S.OVER else S.to_move(state)


def legal_list(state: Any) -> list[int]:
    """The legal actions, ascending."""
    mask = np.empty(NUM_ACTIONS, np.int8)
    KERNELS.legal_one(np.asarray(state).reshape(1), mask)
    return [int(action) for action in np.flatnonzero(mask)]


def explain(state: Any, action: Any) -> str:
    """Why an action is refused: what it was, what the phase is, what is legal instead."""
    try:
        said = f"{action_text(action)!r} ({int(action)})"
    except UnknownAction as error:
        return str(error)
    if state.phase == S.OVER:
        return f"{said} comes after the end: the game is over ({notation.ending_text(state)}); start another"
    legal = ", ".join(action_text(a) for a in legal_list(state))
    banned = (
        f"; {FACES.names[state.banned]} may not be discarded in this turn (B2.4)" if state.banned != NO_FACE else ""
    )
    return f"{said} is not legal: seat {state.seat} is to {PHASES[state.phase]}{banned}; legal are: {legal}"


def result(state: Any, seat: int) -> dict[str, Any]:
    """What the info of a seat says when the episode is over."""
    return {
        "points": int(state.points[seat]),
        "score": scoring.score_list(state)[seat],
        "ending": notation.ending_text(state),
        "turns": int(state.turns),
        "rounds": int(state.rounds),
    }


def write_full_state(state: Any) -> npt.NDArray[np.uint8]:
    """The bytes of a FULL_STATE record: what the seat to move sees, every hand from that seat on, the stock."""
    full = np.zeros(1, observation.FULL_STATE)
    seat = int(state.seat)
    observation.observe(state, seat, full[0].observation)
    observation.observe_hidden(state, seat, full[0].hands, full[0].stock)
    return full.view(np.uint8)


GAME = Game(
    name="banakil",
    version=0,
    max_seats=S.MAX_SEATS,
    num_actions=NUM_ACTIONS,
    state=S.STATE,
    observation=observation.OBSERVATION,
    highest=observation.HIGHEST,
    full_state=observation.FULL_STATE,
    rewards=scoring.REWARDS,
    start=S.start,
    start_episode=S.start_episode,
    legal_mask=moves.legal_mask,
    apply=moves.apply,
    carry_out=moves.carry_out,
    observe=observation.observe,
    seat_to_move=seat_to_move,
    num_seats=num_seats,
    status=status,
    reward=scoring.reward,
    redeal_hidden=hidden.redeal_hidden,
    baselines=BASELINES,
    players=PLAYERS,
    new=blank_state,
    new_options=OPTIONS,
    action_text=action_text,
    describe=notation.to_text,
    explain=explain,
    result=result,
    write_full_state=write_full_state,
)

KERNELS = kernels_of(GAME)
