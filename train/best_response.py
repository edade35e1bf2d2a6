"""Measures how far a player can be exploited: a learner trains against it alone; its lead is a lower bound.

    python -m train.best_response zoo:gin-2p-learned --game gin
    python -m train.best_response expert --game yaniv --num-players 2 --begin zoo:yaniv-2p-learned --steps 10_000_000

The learner is that of `train/ppo.py`. The player has all seats of the other sides and does not learn. By default the
learner starts with the weights of the player, and is as strong as the player at first. This requires a player that is a
network of plain layers without an adviser; otherwise the learner starts with random weights. The settings of the
network (`--hidden`, `--rests`, `--cards`) apply to a learner with random weights only.

After the training there are matches on held-out deals of `arena-v1`: the learner against the player, and both against
the strongest rule-based player. They show whether the learner is a better player in general, or has found a weakness of
this player. A longer or better search can find a larger lead.

The folder is that of a run of `train/ppo.py`, with best_response.json added. A run that was killed continues.
"""

from __future__ import annotations

import dataclasses
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import tyro

from banakil_env.agents import make_player
from banakil_env.agents.model import Network, Shape
from banakil_env.agents.network import NetworkPlayer
from banakil_env.arena import Results, interval
from banakil_env.core.files import write_whole
from banakil_env.core.game import Game
from train import ppo
from train.curve import AGENT, match
from train.zoo import BEST_RESPONSE

SEED_SET = "arena-v1"
ITSELF = "player"  # the value of `begin` that stands for the player


@dataclass(frozen=True)
class Config(ppo.Config):
    """The settings of the training of a best response to a player.

    The comment behind each field is its help text on the command line.
    """

    player: Annotated[str, tyro.conf.Positional] = "expert"  # who is exploited: any player with a name
    against: tyro.conf.Suppress[tuple[str, ...]] = ()  # nobody else sits at the tables
    opponents: tyro.conf.Suppress[tuple[str, ...]] = ()  # the player, see `respond`
    begin: str | None = ITSELF  # agent whose weights it begins with; "player": the player's, if any; None: random
    steps: int = 3_000_000  # decisions to learn from, rounded up to whole rollouts
    rate: float = 1e-3  # learning rate of Adam at the start
    entropy: float = 0.01  # weight of the entropy bonus at the start
    final_entropy: float = 0.001  # and at the end; linear between
    evaluations: int = 3  # how often the learner is measured, evenly spread, in addition to the start
    matches: int = 2000  # deals of the matches at the end, each played from every seat

    def __post_init__(self) -> None:
        if self.matches < 2:
            raise ValueError(f"matches must be 2 or more, not {self.matches}")
        super().__post_init__()

    @property
    def about(self) -> dict[str, Any]:
        """The facts about the run that its agents contain."""
        return {"kind": "response", "trainer": "best_response", "player": self.player}

    @property
    def seating(self) -> dict[str, Any]:
        """Arguments of `Tables`: the player has every seat of the other sides, the learner every seat of its side."""
        sides = self.table.sides
        places = tuple("caller" if side == sides[0] else self.player for side in sides[1:])
        return {"opponents": places, "seat": "random"}

    @property
    def shape(self) -> Shape:
        """The shape of the network that the learner starts with, or without one the shape that `ppo.Config` gives."""
        first = self.first
        return super().shape if first is None else first.shape

    @property
    def first(self) -> Network | None:
        """The network whose weights the learner starts with; None for random weights.

        Raises ValueError if `begin` names a player without a network of plain layers, or one with an adviser.
        """
        name = self.player if self.begin == ITSELF else self.begin
        network = None if name is None else plain_network(name, self.table.found)
        if network is None and self.begin not in (None, ITSELF):
            raise ValueError(f"begin must be a network of plain layers without an adviser, not {name!r:.80}")
        return network


def plain_network(name: str, game: Game) -> Network | None:
    """The network of a player; None if it has no network of plain layers, or an adviser."""
    player = make_player(name, game)
    if not isinstance(player, NetworkPlayer):
        return None
    shape = player.network.shape
    return player.network if shape.advice is None and shape.channels is None else None


class Response(ppo.Learner):
    """The learner of a best response. It starts with the weights of `Config.first`, if there is such a network."""

    config: Config

    def __init__(self, config: Config) -> None:
        super().__init__(config)
        if (first := config.first) is not None:
            self.network.load_state_dict(first.state_dict())
            self.average.load_state_dict(first.state_dict())


def measure(learner: Response) -> dict[str, Any]:
    """Play the matches of a learner and of its player; returns the content of best_response.json."""
    config = learner.config
    strongest = config.table.found.strongest_player
    response = NetworkPlayer(learner.average.agent(), AGENT)
    said: dict[str, Any] = {"player": config.player, "steps": learner.steps, "seconds": round(learner.seconds, 1)}
    found = {"response_over_player": match(response, config.player, config.table, config.matches, SEED_SET)}
    if config.player != strongest:
        player = _Renamed(make_player(config.player, config.table.found))
        found[f"response_over_{strongest}"] = match(response, strongest, config.table, config.matches, SEED_SET)
        found[f"player_over_{strongest}"] = match(player, strongest, config.table, config.matches, SEED_SET)
    return said | {name: _plain(results) for name, results in found.items()}


class _Renamed:
    """A player under the name AGENT, which `train.curve.match` requires."""

    def __init__(self, player: Any) -> None:
        self.name, self.act = AGENT, player.act


def _plain(results: Results) -> dict[str, float]:
    """The result of a match for its first player, as values for JSON.

    These are points per deal ahead with the half widths at 95 % and 99 %, the share of tables won, and the number of
    deals.
    """
    margins = results.margins()[:, 0]
    return {
        "margin": round(float(margins.mean()), 4),
        "half_width_95": round(interval(margins, 0.95).half_width, 4),
        "half_width_99": round(interval(margins, 0.99).half_width, 4),
        "win": round(results.win(AGENT, results.plan.players[1]).mean, 4),
        "deals": len(margins),
    }


def respond(config: Config) -> dict[str, Any]:
    """Train the best response of a configuration and measure it; returns the content of best_response.json."""
    table = config.table
    folder = Path(config.out or f"runs/best-response-{table.game}-{table.seats}p")
    config = dataclasses.replace(config, out=str(folder), opponents=(config.player,))
    learner = Response(config)
    ppo.main(learner)
    said = measure(learner)
    write_whole(folder / BEST_RESPONSE, (json.dumps(said, indent=1) + "\n").encode())
    return said


def main(config: Config) -> None:
    """Train the best response, measure it, and print the matches."""
    for name, one in respond(config).items():
        if isinstance(one, dict):
            print(
                f"{name.replace('_over_', ' over ')}: {one['margin']:+z.2f} ± {one['half_width_95']:.2f} points per "
                f"deal (95 %), ± {one['half_width_99']:.2f} (99 %), {one['deals']:,} deals"
            )


if __name__ == "__main__":
    try:
        main(tyro.cli(Config, description=__doc__))
    except (ValueError, RuntimeError) as error:
        sys.exit(f"best_response: {error}")
