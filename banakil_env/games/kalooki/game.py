"""What does Kalooki provide to everything that serves a game? The `Game` of the seam."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from banakil_env.core.game import Engine, Game, Search, Table
from banakil_env.games.kalooki import check, greedy, hidden, moves, observation, scoring, texts
from banakil_env.games.kalooki import state as S
from banakil_env.games.kalooki.rules import CONTRACTS, Rules
from banakil_env.kit import uniform
from banakil_env.kit.contracts.table import SEATS
from banakil_env.kit.rounds import round_of, status
from banakil_env.kit.setup import blank_state, options
from banakil_env.kit.switches import RulesError
from banakil_env.kit.table_state import num_seats, own_side, seat_to_move


def new(num_players: int = 3, rules: str | Rules = "denexa", episode: str = "round") -> npt.NDArray[Any]:
    """An array of one state that holds rules, players and episode and nothing else. RulesError: none such."""
    states = blank_state(S.STATE_FIELDS, Rules, SEATS, num_players, rules, episode)
    switch = Rules.read(states[0].rules).contract
    if episode == "match" and switch != 1:
        raise RulesError(f"a match goes through all {CONTRACTS} contracts from the first: contract={switch} is a round")
    states[0].contract = switch if isinstance(switch, int) else 1
    return states


GAME = Game(
    name="kalooki",
    title="Kalooki",
    version=0,
    seats=SEATS,
    state_fields=S.STATE_FIELDS,
    observation_fields=observation.OBSERVATION_FIELDS,
    actions=S.ACTIONS,
    features=observation.FEATURES,
    rules=Rules,
    options=options(Rules, SEATS),
    tables=tuple(Table(f"kalooki-{n}p", f"{n} players", {"num_players": n}) for n in (3, 4, 5)),
    engine=Engine(
        start=S.start,
        start_episode=S.start_episode,
        legal_mask=moves.legal_mask,
        apply=moves.apply,
        carry_out=moves.carry_out,
        observe=observation.observe,
        seat_to_move=seat_to_move,
        num_seats=num_seats,
        side_of=own_side,
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
