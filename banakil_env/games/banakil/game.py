"""What does Banakil provide to everything that serves a game? The `Game` of the seam."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.bits import wide
from banakil_env.core.game import RUNNING as GOES_ON
from banakil_env.core.game import TERMINATED, TRUNCATED, Engine, Game, Option, Search, Table, Texts
from banakil_env.core.jit import compiled, inlined
from banakil_env.games.banakil import hidden, moves, notation, observation, positions, scoring
from banakil_env.games.banakil import state as S
from banakil_env.games.banakil.actions import ACTIONS
from banakil_env.games.banakil.baselines import PLAYERS
from banakil_env.games.banakil.beliefs import believe
from banakil_env.games.banakil.check import FAULTS, check
from banakil_env.games.banakil.determinize import suppose
from banakil_env.games.banakil.features import FEATURES
from banakil_env.games.banakil.outcome import MARKS, explain, forfeit, outcome
from banakil_env.games.banakil.rules import Rules
from banakil_env.games.banakil.scene import scene
from banakil_env.games.banakil.setup import blank_state, rules_of
from banakil_env.kit.notation import finished


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


def write_full_state(state: Any) -> npt.NDArray[np.uint8]:
    """The bytes of a FULL_STATE record: what the seat to move sees, every hand from that seat on, the stock."""
    full = np.zeros(1, observation.FULL_STATE)
    seat = int(state.seat)
    observation.observe(state, seat, full[0].observation)
    observation.observe_hidden(state, seat, full[0].hands, full[0].stock)
    return full.view(np.uint8)


def from_text(text: str) -> npt.NDArray[Any]:
    """Read a position: an array of one state. PositionError: what is wrong, and in which line."""
    return finished(GAME, positions.read_position(text))


OPTIONS = (
    Option("num_players", 2, "2, 3 or 4"),
    Option("partners", None, "whether four play as partners; None: they do"),
    Option("rules", "pagat", "a preset, switches behind it: 'pagat wilds=fixed'; or a Rules"),
    Option("episode", "round", "round or match"),
    Option("max_turns", None, "turns after which a round is truncated; None: the rules' own number"),
)

TABLES = (
    Table("banakil-2p", "2 players", {"num_players": 2}),
    Table("banakil-3p", "3 players", {"num_players": 3}),
    Table("banakil-4p", "4 players, partners", {"num_players": 4, "partners": True}),
    Table("banakil-4p-individuals", "4 players, individuals", {"num_players": 4, "partners": False}),
    Table("jawaker-4p", "JAWAKER, partners", {"num_players": 4, "partners": True, "rules": "jawaker"}),
)

GAME = Game(
    name="banakil",
    title="Banakil",
    version=0,
    seats=(2, 3, 4),
    state_fields=S.STATE_FIELDS,
    observation_fields=observation.OBSERVATION_FIELDS,
    actions=ACTIONS,
    features=FEATURES,
    rules=Rules,
    options=OPTIONS,
    tables=TABLES,
    engine=Engine(
        start=S.start,
        start_episode=S.start_episode,
        legal_mask=moves.legal_mask,
        apply=moves.apply,
        carry_out=moves.carry_out,
        observe=observation.observe,
        seat_to_move=seat_to_move,
        num_seats=num_seats,
        side_of=S.side_of,
        status=status,
        reward=scoring.reward,
        redeal_hidden=hidden.redeal_hidden,
        check=check,
    ),
    texts=Texts(notation.to_text, from_text, notation.header_lines, explain),
    players=PLAYERS,
    full_state=observation.FULL_STATE,
    faults=FAULTS,
    new=blank_state,
    rules_of=rules_of,
    outcome=outcome,
    scene=scene,
    write_full_state=write_full_state,
    forfeit=forfeit,
    marks=MARKS,
    search=Search(suppose, S.round_of, hidden.shuffle_stock, "expert", believe),
    commands={"solve": "banakil_env.games.banakil.solve_command:solve_command"},
)
