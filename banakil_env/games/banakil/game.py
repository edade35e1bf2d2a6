"""Builds the `Game` of Banakil."""

from __future__ import annotations

from banakil_env.core.game import Search, Table
from banakil_env.games.banakil import beliefs, check, hidden, looks, moves, observation, rules, state, texts
from banakil_env.games.banakil.baselines import expert, greedy
from banakil_env.games.banakil.setup import OWN_OPTIONS, prepare
from banakil_env.kit.assembly import Modules, assemble

GAME = assemble(
    "banakil",
    "Banakil",
    Modules(rules, state, moves, check, observation, hidden, texts, looks, greedy),
    (
        Table("banakil-2p", "2 players", {"num_players": 2}),
        Table("banakil-3p", "3 players", {"num_players": 3}),
        Table("banakil-4p", "4 players, partners", {"num_players": 4, "partners": True}),
        Table("banakil-4p-individuals", "4 players, individuals", {"num_players": 4, "partners": False}),
        Table("jawaker-4p", "JAWAKER, partners", {"num_players": 4, "partners": True, "rules": "jawaker"}),
    ),
    version=0,
    marks=texts.MARKS,
    side_of=state.side_of,
    search=Search(("expert",), believes=True),
    believe=beliefs.believe,
    own_players={"expert": expert.act},
    own_options=OWN_OPTIONS,
    prepare=prepare,
    commands={"solve": "banakil_env.games.banakil.solve_command:solve_command"},
)
