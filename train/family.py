"""One network for all games: it learns from a rule-based player of each game, in one batch of all games.

    python -m train.family                                   # all thirteen main tables, into runs/family
    python -m train.family --without gin --out runs/no-gin   # all but one
    python -m train.family --games gin --begin runs/no-gin   # continue with that network at the thirteenth
    banakil arena net:runs/family expert --game tonk --players 4

At every decision the network chooses a move, and the teacher names the move to learn. One pass through the network
serves both learning (the cross entropy of the teacher's move) and play: a share of the moves at the tables are the
network's own, so that it also learns to continue after its mistakes (Ross and others, DAgger, arXiv 1011.0686). The
page docs/one-network.md has the results.
"""

from __future__ import annotations

import copy
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
from torch import nn
from torch.nn import functional

from banakil_env.agents.family import load_family, save_family
from banakil_env.agents.family_network import FamilyNetwork, FamilyShape, seen_of
from banakil_env.agents.network import FILE, file_of
from banakil_env.agents.sparse import multiplies_bfloat16
from banakil_env.arena.options import TableOptions
from banakil_env.arena.players import CompiledPlayer
from banakil_env.envs.mixed import MixedTables
from banakil_env.games import GAMES, find
from banakil_env.kit.common.family_moves import MoveLister
from train.ppo import sampled

ARRAYS = ("cards", "melds", "table", "rules")


@dataclass(frozen=True)
class Config:
    """The settings of a run. The comment behind each field is its help text on the command line."""

    games: tuple[str, ...] = ()  # games whose main tables are played; none: all
    without: tuple[str, ...] = ()  # games that are left out
    out: str = "runs/family"  # folder of the agent
    begin: str | None = None  # agent that the run begins with; None: random weights
    decisions: int = 4_000_000  # decisions to learn from; those with one legal action do not count
    seed: int = 0  # seed of the weights, the dice and the deals
    teacher: str = "expert"  # rule-based player whose moves are learned
    num_tables: int = 48  # tables of each game
    face: int = 32  # size of the vector of a face in the network
    table: int = 128  # size of the vector of the table
    move: int = 64  # size of the vector of a move
    rate: float = 2e-3  # learning rate of Adam at the start
    final_rate: float = 2e-4  # learning rate at the end; linear between
    own_moves: float = 0.5  # share of the moves at the tables that are the network's own, once it has grown
    grown: int | None = None  # number of decisions during which that share grows from 0; None: a fifth of the run
    average: float = 0.998  # share of the old weights in each step of the moving average, which is the agent

    def __post_init__(self) -> None:
        for name in (*self.games, *self.without):
            find(name)
        if self.grown is not None and self.grown < 1:
            raise ValueError(f"grown must be at least 1, not {self.grown}")
        if not self.names:
            raise ValueError("every game is left out: no game remains to learn")

    @property
    def names(self) -> tuple[str, ...]:
        """The games that are played."""
        return tuple(name for name in self.games or GAMES if name not in self.without)

    @property
    def shape(self) -> FamilyShape:
        """The shape of the network."""
        return FamilyShape(self.face, self.table, self.move)


class Learner:
    """A run: the network, its moving average, the optimizer, the tables and the teachers.

    Attributes:
        decisions: the number of decisions learned from so far.
        seconds: the processor time of play and learning so far, in seconds.
        begun: the facts about the training of the agent that the run began with; None for random weights.
        agreed: by game, the share of the latest decisions in which the network's likeliest move is the teacher's.
    """

    def __init__(self, config: Config) -> None:
        torch.set_num_threads(1)
        torch.manual_seed(config.seed)
        self.config = config
        games = [find(name) for name in config.names]
        begun = None if config.begin is None else load_family(file_of(config.begin))
        self.network = FamilyNetwork(config.shape) if begun is None else begun.network
        self.begun = None if begun is None else begun.about
        self.network.rough = multiplies_bfloat16()
        self.average = copy.deepcopy(self.network).requires_grad_(False).eval()
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=config.rate, eps=1e-5, fused=True)
        entries = [{"game": game, **game.tables[0].options} for game in games]
        self.tables = MixedTables(entries, config.num_tables, observation="cards", threads=1)
        self.teachers = [CompiledPlayer(config.teacher, game) for game in games]
        self.lister = MoveLister(games)
        self.dice = np.random.default_rng([config.seed, 1])
        self.decisions, self.seconds = 0, 0.0
        self.agreed = np.zeros(len(games))
        # Unrelated seeds below 2**63, the first held-out seed.
        self.tables.reset(self.dice.integers(2**63, size=self.tables.num_tables).tolist())

    @property
    def done(self) -> float:
        """The share of the run that is done, from 0 to 1."""
        return min(self.decisions / self.config.decisions, 1.0)

    @property
    def grown(self) -> float:
        """The number of decisions during which the share of the network's own moves grows."""
        return self.config.decisions / 5 if self.config.grown is None else self.config.grown

    def taught(self) -> npt.NDArray[np.int64]:
        """The action of the teacher at each table."""
        tables, moves = self.tables, np.empty(self.tables.num_tables, np.int64)
        for teacher, part, first in zip(self.teachers, tables.parts, tables.first):
            dice = self.dice.integers(2**64, size=part.num_tables, dtype=np.uint64)
            moves[first : first + part.num_tables] = teacher.act(part.observations, part.masks, dice)
        return moves

    def step(self) -> float:
        """Learn from one decision at every table, and carry out a move there; returns the loss."""
        config, tables = self.config, self.tables
        actions = self.taught()
        rows = np.flatnonzero(np.count_nonzero(tables.masks, axis=1) > 1)
        arrays = {name: getattr(tables, name)[rows] for name in ARRAYS}
        moves = self.lister.legal(tables.masks[rows], arrays["cards"], arrays["melds"], tables.part_of[rows])
        logits = self.network(seen_of(arrays, moves))
        labels = torch.from_numpy(moves.places_of(actions[rows]))
        loss = functional.cross_entropy(logits, labels)
        self.optimizer.param_groups[0]["lr"] = config.rate + (config.final_rate - config.rate) * self.done
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), 1.0)
        self.optimizer.step()
        with torch.no_grad():
            torch._foreach_lerp_(list(self.average.parameters()), list(self.network.parameters()), 1 - config.average)
            agree = (logits.argmax(1) == labels).numpy()
            picked = sampled(torch.log_softmax(logits.detach(), 1)).squeeze(1).numpy()
        self._note(tables.part_of[rows], agree)
        own = self.dice.random(len(rows)) < config.own_moves * min(self.decisions / self.grown, 1.0)
        chosen = moves.actions[np.searchsorted(moves.rows, np.arange(len(rows))) + picked]
        actions[rows] = np.where(own, chosen, actions[rows])
        tables.step(actions)
        self.decisions += len(rows)
        return float(loss.detach())

    def _note(self, games: npt.NDArray[np.int64], agree: npt.NDArray[np.bool_]) -> None:
        """Update the share of decisions in which the network agrees with the teacher, by game."""
        count = np.bincount(games, minlength=len(self.agreed))
        share = np.bincount(games, agree, minlength=len(self.agreed)) / np.maximum(count, 1)
        self.agreed += np.where(count, 0.01, 0) * (share - self.agreed)

    def train(self, until: int | None = None, say: Callable[[str], Any] | None = None) -> None:
        """Learn until `until` decisions; None for the whole run."""
        until, told = until or self.config.decisions, 0.0
        while self.decisions < until:
            begun = time.process_time()
            loss = self.step()
            self.seconds += time.process_time() - begun
            if say and (self.seconds > told + 20 or self.decisions >= until):
                told = self.seconds
                agreed = " ".join(f"{name} {share:.0%}" for name, share in zip(self.config.names, self.agreed))
                say(f"{self.decisions:>11,} decisions {self.seconds:>6.0f} s  loss {loss:.3f}  agrees: {agreed}")

    def save(self, folder: Path) -> None:
        """Write the agent in its current state, with facts about its training."""
        about = {"kind": "stands alone", "trainer": "family", "decisions": self.decisions}
        about |= {"seconds": round(self.seconds, 1), "config": dataclasses.asdict(self.config) | {"out": None}}
        about |= {} if self.begun is None else {"begun": self.begun}
        folder.mkdir(parents=True, exist_ok=True)
        save_family(folder / FILE, self.average, about)


def main(config: Config) -> Learner:
    """Train, and write the agent."""
    learner = Learner(config)
    weights = sum(weights.numel() for weights in learner.network.parameters())
    print(f"{config.out}: {weights:,} weights, {len(config.names)} games")
    learner.train(say=lambda text: print(text, flush=True))
    learner.save(Path(config.out))
    print(f"let it play: {TableOptions(game=config.names[0]).match_command(f'net:{config.out}', config.teacher)}")
    return learner


if __name__ == "__main__":
    try:
        main(tyro.cli(Config, description=__doc__))
    except (ValueError, RuntimeError) as error:
        sys.exit(f"family: {error}")
