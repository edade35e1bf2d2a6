"""Measures how far an agent can be exploited: a learner trains against the frozen agent; its lead is a lower bound.

    python -m train.best_response net:agents/zoo/banakil-2p --recipe banakil-2p --seconds 3600

The learner has the agent's size and begins with the agent's weights (so at zero points ahead), or as the recipe says
(`--start recipe`). All its opponents are the agent, and the recipe sets the rest. It ends with a
match on the held-out deals of arena-v1. A longer or better search may find more. Matches of both against the strongest
rule-based player show whether the learner is a better player in general, or has found a weakness.

The folder is that of a run (`train.run`), with best_response.json added; a run that was killed continues.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from banakil_env.agents import PlayerError
from banakil_env.agents.network import AgentError, NetworkPlayer, load
from banakil_env.arena import Results, WorkerError, interval
from banakil_env.arena.players import current_name
from banakil_env.core.files import write_whole
from banakil_env.core.terminal import complain
from banakil_env.games import DEFAULT_GAME
from train.begin import begin_or_go_on
from train.checkpoint import CheckpointError
from train.config import Config, ConfigError, with_
from train.curve import AGENT, match
from train.recipes import main_recipe, recipe
from train.run import DivergedError

FILE = "best_response.json"
DEALS = 1000
PREFIX = "net:"


def configuration(agent: str, base: Config, start: str, changes: Mapping[str, Any]) -> Config:
    """The configuration of a best response.

    Args:
        agent: `net:PATH`, of the game of `base`. base: the configuration for the rest. start: "agent" or "recipe".
        changes: by path, applied last.

    Raises:
        AgentError: there is no such agent. ConfigError: invalid changes.
    """
    agent = current_name(agent)
    if not agent.startswith(PREFIX):
        raise AgentError(f"a best response is trained against a network, net:PATH; not against {agent!r}")
    path = agent.removeprefix(PREFIX)
    shape = dataclasses.asdict(load(path, base.game).network.shape)
    own = {"begin_from": path, "imitation.decisions": 0} if start == "agent" else {}
    return with_(
        base,
        {
            "name": f"best-response-{base.name}",
            "network": shape,
            "pool.players": [agent],
            "evaluation.opponents": [agent, base.game.strongest_player],
            **own,
            **changes,
        },
    )


def respond(config: Config, folder: Path, deals: int = DEALS) -> dict[str, Any]:
    """Train the best response of a configuration and measure it; returns the content of best_response.json."""
    agent, strongest = config.pool.players[0], config.game.strongest_player
    run = begin_or_go_on(config, folder)
    progress = run.train()
    network = load(agent.removeprefix(PREFIX), config.game).network
    response, frozen = NetworkPlayer(run.agent, AGENT), NetworkPlayer(network, AGENT)
    said = {
        "agent": agent,
        "steps": progress.steps,
        "seconds": round(progress.seconds, 1),
        "response_over_agent": _plain(match(response, agent, config.table, deals, "arena-v1")),
        f"response_over_{strongest}": _plain(match(response, strongest, config.table, deals, "arena-v1")),
        f"agent_over_{strongest}": _plain(match(frozen, strongest, config.table, deals, "arena-v1")),
    }
    write_whole(folder / FILE, (json.dumps(said, indent=1) + "\n").encode())
    return said


def _plain(results: Results) -> dict[str, float]:
    """A match, from the first player's side: points per deal ahead with both intervals, and the share of tables won."""
    margins = results.margins()[:, 0]
    return {
        "margin": round(float(margins.mean()), 4),
        "half_width_95": round(interval(margins, 0.95).half_width, 4),
        "half_width_99": round(interval(margins, 0.99).half_width, 4),
        "win": round(results.win(AGENT, results.plan.players[1]).mean, 4),
        "deals": len(margins),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command; returns the exit status."""
    parser = argparse.ArgumentParser(prog="python -m train.best_response", description="Exploit an agent.")
    parser.add_argument("agent", help="the agent, net:PATH")
    parser.add_argument("--game", default=DEFAULT_GAME, help="the game of the agent")
    parser.add_argument("--recipe", help="of the table, the time and the trainer (default: the game's)")
    parser.add_argument("--start", choices=("agent", "recipe"), default="agent", help="first weights of the learner")
    parser.add_argument("--seconds", type=float, help="seconds of wall time (default: the recipe's)")
    parser.add_argument("--steps", type=int, help="end after this number of decisions")
    parser.add_argument("--seed", type=int)
    parser.add_argument("--deals", type=int, default=DEALS, help="of arena-v1, in each match")
    parser.add_argument("--out", type=Path, help="folder of the run (default: runs/best-response-RECIPE)")
    options = parser.parse_args(arguments)
    changes = {name: value for name in ("seconds", "steps", "seed") if (value := getattr(options, name)) is not None}
    try:
        base = main_recipe(options.game) if options.recipe is None else recipe(options.recipe)
        config = configuration(options.agent, base, options.start, changes)
        said = respond(config, options.out or Path("runs") / config.name, options.deals)
    except (AgentError, PlayerError, ConfigError, CheckpointError, DivergedError, WorkerError, OSError) as error:
        complain(f"train.best_response: {error}")
        return 1
    for name, one in said.items():
        if isinstance(one, dict):
            print(
                f"{name.replace('_', ' ')}: {one['margin']:+z.2f} ± {one['half_width_95']:.2f} points per deal "
                f"(99 %: ± {one['half_width_99']:.2f}), {one['win']:.1%} of tables won"
            )
    return 0


if __name__ == "__main__":
    sys.exit(main())
