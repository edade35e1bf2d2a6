"""Builds the `Game` of Hand and Foot."""

from __future__ import annotations

from banakil_env.games.hand_and_foot import check, greedy, hidden, looks, moves, observation, rules, state, texts
from banakil_env.kit.assembly import Modules, assemble
from banakil_env.kit.by_numbers import by_numbers
from banakil_env.kit.setup import tables_for
from banakil_env.kit.two_sides import side_of

GAME = assemble(
    "hand_and_foot",
    "Hand and Foot",
    Modules(rules, state, moves, check, observation, hidden, texts, looks, *by_numbers("hand_and_foot", greedy)),
    tables_for("hand_and_foot", *state.SEATS),
    version=0,
    side_of=side_of,
    shuffle_stock=hidden.shuffle_unseen,
)
