"""Trains the network for all games further by playing: PPO from the weights of an agent, in one batch of some games.

    python -m train.family_play --games gin yaniv                      # into runs/family-play
    python -m train.family_play --games gin --opponent expert          # against `expert` instead of against itself
    banakil arena net:runs/family-play zoo:rummy-family --game gin

The learner has one seat of each table; the network with its current weights, or a named player, has the others. The
opponents move inside the step, so the next row of a table is the learner's next decision. Separate layers compute the
value from the table vector of the network, without changing this vector. docs/one-network.md has the results.
"""

from __future__ import annotations

import dataclasses
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
import tyro
from torch import Tensor, nn

from banakil_env.agents.family import load_family, save_family
from banakil_env.agents.family_network import seen_of
from banakil_env.agents.network import FILE, file_of
from banakil_env.arena.options import TableOptions
from banakil_env.envs.mixed import MixedTables
from banakil_env.games import find
from banakil_env.kit.common.family_moves import MoveLister
from train.family import ARRAYS
from train.ppo import sampled

SELF = "self"


@dataclass(frozen=True)
class Config:
    """The settings of a run. The comment behind a field is its help text on the command line."""

    games: tuple[str, ...] = ("gin",)  # games whose main tables are played
    begin: str = "agents/zoo/rummy-family"  # file or folder of the network for all games that the run begins with
    out: str = "runs/family-play"  # folder of the agent
    opponent: str = SELF  # player at the other seats: self, or a player's name
    decisions: int = 2_000_000  # decisions to learn from; those with one legal action count
    seed: int = 0
    num_tables: int = 128  # tables of each game
    rollout: int = 32  # decisions at each table between two updates
    batch: int = 2048  # decisions in one gradient step
    first_values: int = 10  # first updates in which only the value is learned
    rate: float = 3e-4
    clip: float = 0.2
    entropy: float = 0.002
    gae_lambda: float = 0.95


class Learner:
    """A run: the network, its value, the tables, and the rewards of the last episodes of each game.

    Attributes:
        decisions: the number of decisions learned from so far.
        seconds: the processor time of play and learning so far, in seconds.
    """

    def __init__(self, config: Config) -> None:
        torch.set_num_threads(1)
        torch.manual_seed(config.seed)
        self.config = config
        self.network, self.begun = load_family(file_of(config.begin))
        self.network.train().requires_grad_(True)
        table = self.network.shape.table
        self.value = nn.Sequential(nn.Linear(table, table), nn.ReLU(), nn.Linear(table, 1))
        weights = [*self.network.parameters(), *self.value.parameters()]
        self.optimizer = torch.optim.Adam(weights, lr=config.rate, eps=1e-5)
        games = [find(name) for name in config.games]
        entries = [{"game": game, "opponents": self._opponent(game), **game.tables[0].options} for game in games]
        self.tables = MixedTables(entries, config.num_tables, observation="cards", seat="random", threads=1)
        self.lister = MoveLister(games)
        self.dice = np.random.default_rng([config.seed, 2])
        self.scale = np.zeros(len(games), np.float32)  # points that correspond to a return of about 1, by game
        self.rewards: list[list[float]] = [[] for _ in games]
        self.decisions, self.updates, self.seconds = 0, 0, 0.0
        # Unrelated seeds below 2**63, the first held-out seed.
        self.tables.reset(self.dice.integers(2**63, size=self.tables.num_tables).tolist())

    def _opponent(self, game: Any) -> str | Callable[..., npt.NDArray[np.int64]]:
        """The player at the other seats: a name, or a function that calls the network with its current weights."""
        if self.config.opponent != SELF:
            return self.config.opponent
        lister = MoveLister([game])

        def act(seen: dict[str, npt.NDArray[np.float32]], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
            moves = lister.legal(masks, seen["cards"], seen["melds"])
            with torch.no_grad():
                picked = sampled(torch.log_softmax(self.network(seen_of(seen, moves)), 1))
            return _actions(moves, picked)

        return act

    def look(self) -> dict[str, npt.NDArray[Any]]:
        """Copies of the learner's current observations."""
        return {name: getattr(self.tables, name).copy() for name in (*ARRAYS, "masks")}

    def judge(self, seen: dict[str, npt.NDArray[Any]], parts: npt.NDArray[np.int64]) -> tuple[Any, Tensor, Tensor]:
        """The legal moves, their log probabilities, and the values.

        Args:
            seen: observations from `look`.
            parts: the game of each row, as an index.
        """
        moves = self.lister.legal(seen["masks"], seen["cards"], seen["melds"], parts)
        logits, table = self.network.with_table(seen_of(seen, moves))
        return moves, torch.log_softmax(logits, 1), self.value(table.detach()).squeeze(1)

    def update(self) -> None:
        """Play a rollout and learn from it."""
        config, tables = self.config, self.tables
        kept, rewards, ended = [], [], []
        with torch.no_grad():
            for _ in range(config.rollout):
                seen = self.look()
                moves, chances, values = self.judge(seen, tables.part_of)
                picked = sampled(chances)
                tables.step(_actions(moves, picked))
                kept.append((seen, picked, chances.gather(1, picked), values))
                rewards.append(tables.payoffs.copy())
                ended.append(tables.terminations | tables.truncations)
            after = self.judge(self.look(), tables.part_of)[2].numpy()
        self._note(np.stack(rewards), np.stack(ended))
        scale, ahead, advantages = self.scale[tables.part_of], np.zeros(tables.num_tables, np.float32), []
        for (*_, values), reward, over in zip(reversed(kept), reversed(rewards), reversed(ended)):
            ahead = reward / scale + ~over * (after + config.gae_lambda * ahead) - values.numpy()
            advantages.append(ahead)
            after = values.numpy()
        whole = {name: np.concatenate([each[0][name] for each in kept]) for name in kept[0][0]}
        _, *parts = zip(*kept)
        picked, before, values = (torch.cat(part).view(-1) for part in parts)
        gains = torch.from_numpy(np.concatenate(advantages[::-1]))
        self._learn(whole, picked, before, gains, gains + values, np.tile(tables.part_of, config.rollout))
        self.decisions += len(picked)
        self.updates += 1

    def _note(self, rewards: npt.NDArray[np.float32], ended: npt.NDArray[np.bool_]) -> None:
        """Store the rewards of the episodes that have ended, and update the scale of each game."""
        for part, recent in enumerate(self.rewards):
            recent += rewards[ended & (self.tables.part_of == part)].tolist()
            del recent[:-2000]
            self.scale[part] = max(float(np.sqrt(np.mean(np.square(recent)))) if recent else 0.0, 1e-3)

    def _learn(
        self,
        seen: dict[str, npt.NDArray[Any]],
        picked: Tensor,
        before: Tensor,
        gains: Tensor,
        returns: Tensor,
        parts: npt.NDArray[np.int64],
    ) -> None:
        """Make one pass over the rollout, in batches; all arguments are about its decisions, in the same order.

        Args:
            seen: the observations, as `look` gives them.
            picked: the columns of the chosen moves.
            before: the log probabilities of these moves when they were chosen.
            gains: the advantages.
            returns: the targets of the value.
            parts: the game of each decision, as an index.
        """
        config = self.config
        worth = (gains - gains.mean()) / (gains.std() + 1e-8)
        for chosen in torch.randperm(len(picked)).split(config.batch):
            rows = chosen.numpy()
            _, chances, values = self.judge({name: array[rows] for name, array in seen.items()}, parts[rows])
            ratio = (chances.gather(1, picked[chosen, None]).squeeze(1) - before[chosen]).exp()
            clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
            gain = torch.minimum(ratio * worth[chosen], clipped * worth[chosen]).mean()
            entropy = -(chances.exp() * chances).sum(1).mean()
            loss = (values - returns[chosen]).square().mean() / 2
            if self.updates >= config.first_values:
                loss = loss - gain - config.entropy * entropy
            self.optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(self.network.parameters(), 0.5)
            self.optimizer.step()

    def train(self, say: Callable[[str], Any] = print) -> None:
        """Learn to the end of the run, and write the agent at intervals."""
        told = 0.0
        while self.decisions < self.config.decisions:
            begun = time.process_time()
            self.update()
            self.seconds += time.process_time() - begun
            if self.seconds > told + 20 or self.decisions >= self.config.decisions:
                told = self.seconds
                means = [
                    f"{name} {np.mean(recent or [np.nan]):+.2f}"
                    for name, recent in zip(self.config.games, self.rewards)
                ]
                say(f"{self.decisions:>11,} decisions {self.seconds:>6.0f} s  rewards: {'  '.join(means)}")
                self.save(Path(self.config.out))

    def save(self, folder: Path) -> None:
        """Write the agent in its current state, with facts about its training."""
        about = {"kind": "stands alone", "trainer": "family_play", "decisions": self.decisions}
        about |= {"seconds": round(self.seconds, 1), "config": dataclasses.asdict(self.config) | {"out": None}}
        folder.mkdir(parents=True, exist_ok=True)
        save_family(folder / FILE, self.network, about | {"begun": self.begun})


def _actions(moves: Any, picked: Tensor) -> npt.NDArray[np.int64]:
    """The actions in the columns that were picked, one per row."""
    chosen: npt.NDArray[np.int64] = moves.actions[moves.columns == picked.squeeze(1).numpy()[moves.rows]]
    return chosen


def main(config: Config) -> Learner:
    """Train, write the agent, and print how to play against it."""
    learner = Learner(config)
    learner.train()
    game = find(config.games[0])
    table = TableOptions(game=game.name, **game.tables[0].options)
    print(f"let it play: {table.match_command(f'net:{config.out}', game.strongest_player)}")
    return learner


if __name__ == "__main__":
    try:
        main(tyro.cli(Config, description=__doc__))
    except (ValueError, RuntimeError) as error:
        sys.exit(f"family_play: {error}")
