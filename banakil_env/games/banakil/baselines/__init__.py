"""The rule-based players, compiled, one file each. They see an observation and a mask, and no state.

A new player is a file with a compiled function `act(observation, mask, generator) -> action`, and has its name in
PLAYERS and BASELINES.
"""

from __future__ import annotations

from banakil_env.core.players import action_of_players
from banakil_env.games.banakil.baselines import expert, greedy
from banakil_env.kit import uniform

BASELINES = {"random": 0, "greedy": 1, "expert": 2}  # the number by which compiled code knows each
PLAYERS = {"random": uniform.act, "greedy": greedy.act, "expert": expert.act}

# (kind, observation, mask, generator) -> action, for compiled code: what the baseline `kind` does. `observation` is a
# record of OBSERVATION, of the seat to move; `mask` its legal actions, int8; `generator` a record with a field `rng`.
baseline_action = action_of_players("banakil", tuple(PLAYERS.values()))
