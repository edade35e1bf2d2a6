"""What does Canasta provide to everything that serves a game? The `Game` of the seam."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from banakil_env.core.game import Engine, Game, Search, Table
from banakil_env.games.canasta import check, greedy, hidden, moves, observation, texts
from banakil_env.games.canasta import state as S
from banakil_env.games.canasta.rules import Rules
from banakil_env.kit import uniform
from banakil_env.kit.books.hidden import shuffle_stock
from banakil_env.kit.rounds import round_of, status
from banakil_env.kit.setup import blank_state, options
from banakil_env.kit.table_state import num_seats, seat_to_move
from banakil_env.kit.two_sides import reward, side_of


def new(num_players: int = 2, rules: str | Rules = "denexa", episode: str = "round") -> npt.NDArray[Any]:
    """An array of one state that holds rules, players and episode and nothing else. RulesError: none such."""
    return blank_state(S.STATE_FIELDS, Rules, S.SEATS, num_players, rules, episode)


GAME = Game(
    name="canasta",
    title="Canasta",
    version=0,
    seats=S.SEATS,
    state_fields=S.STATE_FIELDS,
    observation_fields=observation.OBSERVATION_FIELDS,
    actions=S.ACTIONS,
    features=observation.FEATURES,
    rules=Rules,
    options=options(Rules, S.SEATS),
    tables=tuple(Table(f"canasta-{n}p", f"{n} players", {"num_players": n}) for n in (4, 2)),
    engine=Engine(
        start=S.start,
        start_episode=S.start_episode,
        legal_mask=moves.legal_mask,
        apply=moves.apply,
        carry_out=moves.carry_out,
        observe=observation.observe,
        seat_to_move=seat_to_move,
        num_seats=num_seats,
        side_of=side_of,
        status=status,
        reward=reward,
        redeal_hidden=hidden.redeal_hidden,
        check=check.check,
    ),
    texts=texts.TEXTS,
    players={"random": uniform.act, "greedy": greedy.act},
    full_state=observation.FULL_STATE,
    faults=check.FAULTS,
    new=new,
    rules_of=texts.rules_of,
    outcome=texts.outcome,
    scene=texts.scene,
    write_full_state=observation.write_full_state,
    forfeit=texts.forfeit,
    marks={},
    search=Search(hidden.suppose, round_of, shuffle_stock, "greedy"),
)
