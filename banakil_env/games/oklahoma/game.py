"""What does Oklahoma Rummy provide to everything that serves a game? The `Game` of the seam."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt

from banakil_env.core.game import Engine, Game, Search, Table
from banakil_env.core.jit import interpreted
from banakil_env.games.oklahoma import greedy, hidden, moves, observation, texts
from banakil_env.games.oklahoma import state as S
from banakil_env.games.oklahoma.rules import Rules
from banakil_env.kit import uniform
from banakil_env.kit.rounds import reward, round_of, status
from banakil_env.kit.setup import blank_state, options
from banakil_env.kit.switches import RulesError
from banakil_env.kit.table_state import num_seats, own_side, seat_to_move
from banakil_env.kit.wilds.hidden import shuffle_stock


def new(num_players: int = 2, rules: str | Rules = "denexa", episode: str = "round") -> npt.NDArray[Any]:
    """An array of one state that holds rules, players and episode and nothing else. RulesError: none such (O11.1)."""
    states = blank_state(S.STATE_FIELDS, Rules, S.SEATS, num_players, rules, episode)
    dealt = int(interpreted(S.cards_dealt)(num_players, int(states[0].rules.hand_cards)))
    if num_players * dealt + S.LEFT > S.PACK_SIZE:
        raise RulesError(
            f"hand_cards={dealt}: there are too few cards for {num_players} players, one card turned up and a stock"
        )
    return states


GAME = Game(
    name="oklahoma",
    title="Oklahoma Rummy",
    version=0,
    seats=S.SEATS,
    state_fields=S.STATE_FIELDS,
    observation_fields=observation.OBSERVATION_FIELDS,
    actions=S.ACTIONS,
    features=observation.FEATURES,
    rules=Rules,
    options=options(Rules, S.SEATS),
    tables=tuple(Table(f"oklahoma-{n}p", f"{n} players", {"num_players": n}) for n in (2, 4, 6)),
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
        reward=reward,
        redeal_hidden=hidden.redeal_hidden,
        check=moves.check,
    ),
    texts=texts.TEXTS,
    players={"random": uniform.act, "greedy": greedy.act},
    full_state=observation.FULL_STATE,
    faults=S.FAULTS,
    new=new,
    rules_of=texts.rules_of,
    outcome=texts.outcome,
    scene=texts.scene,
    write_full_state=observation.write_full_state,
    forfeit=texts.forfeit,
    search=Search(hidden.suppose, round_of, shuffle_stock, "greedy"),
)
