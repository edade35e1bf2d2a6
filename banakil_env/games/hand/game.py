"""What does Hand provide to everything that serves a game? The `Game` of the seam."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from banakil_env.core.game import Engine, Game, Option, Search, Table
from banakil_env.games.hand import check, greedy, hidden, moves, observation, scoring, texts
from banakil_env.games.hand import state as S
from banakil_env.games.hand.rules import Rules
from banakil_env.kit import uniform
from banakil_env.kit.partners import plays_partners
from banakil_env.kit.rounds import round_of, status
from banakil_env.kit.setup import blank_state, options
from banakil_env.kit.table_state import num_seats, seat_to_move


def new(
    num_players: int = 2, rules: str | Rules = "pagat", episode: str = "round", partners: bool | None = None
) -> npt.NDArray[Any]:
    """An array of one state that holds rules, players and episode and nothing else. RulesError: none such."""
    states = blank_state(S.STATE_FIELDS, Rules, S.SEATS, num_players, rules, episode)
    states[0].partners = plays_partners(num_players, partners, default=False)
    return states


GAME = Game(
    name="hand",
    title="Hand",
    version=0,
    seats=S.SEATS,
    state_fields=S.STATE_FIELDS,
    observation_fields=observation.OBSERVATION_FIELDS,
    actions=S.ACTIONS,
    features=observation.FEATURES,
    rules=Rules,
    options=(
        *options(Rules, S.SEATS),
        Option("partners", None, "whether four play as partners; None: they do not"),
    ),
    tables=(
        *(Table(f"hand-{n}p", f"{n} players", {"num_players": n}) for n in (2, 3)),
        Table("hand-4p", "4 players, individuals", {"num_players": 4}),
        Table("hand-4p-partners", "4 players, partners", {"num_players": 4, "partners": True}),
    ),
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
    low_wins=True,
    marks=texts.MARKS,
    search=Search(hidden.suppose, round_of, hidden.shuffle_stock, "greedy"),
)
