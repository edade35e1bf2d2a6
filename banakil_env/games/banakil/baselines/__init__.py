"""The rule-based players, compiled, one file each. They see an observation and a mask, but not the state.

A new player is a file with a compiled function `act(observation, mask, generator) -> action`. Its name is added to
PLAYERS and BASELINES.
"""

from __future__ import annotations

from banakil_env.core.players import action_of_players
from banakil_env.games.banakil.baselines import expert, greedy
from banakil_env.kit import uniform

BASELINES = {"random": 0, "greedy": 1, "expert": 2}  # the number of each player in compiled code
PLAYERS = {"random": uniform.act, "greedy": greedy.act, "expert": expert.act}

# Compiled `baseline_action(kind, observation, mask, generator) -> action`: the action of the baseline with the number
# `kind`. `observation` is a record of OBSERVATION of the seat to move, `mask` its legal actions (int8), and `generator`
# a record with a field `rng`.
baseline_action = action_of_players("banakil", tuple(PLAYERS.values()))
