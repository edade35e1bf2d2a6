"""PPO in self-play, in one file: an agent that learns a game of this package from random weights.

    python ppo.py --game yaniv --num-players 2            # into runs/yaniv-2p; the same command again continues the run
    banakil arena net:runs/yaniv-2p expert --game yaniv --players 2

The file needs the package with the extra `train`, and nothing else of the repository: copy it and change it. The
network plays every seat, unless --against names other players. It has no teacher: it learns from the points at the
end of each episode. The page docs/own-training-loop.md explains the file part by part.

PPO: arXiv 1707.06347. Why games of hidden cards need little more than its entropy bonus: arXiv 2502.08938."""

from __future__ import annotations

import copy
import dataclasses
import io
import itertools
import json
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import torch
import tyro
from torch import Tensor, nn
from torch.utils.tensorboard import SummaryWriter

from banakil_env.agents import make_player
from banakil_env.agents.card_logits import card_logits, card_moves
from banakil_env.agents.encoding import depths_of_actions, list_moves
from banakil_env.agents.making import make_network
from banakil_env.agents.model import Network, Shape
from banakil_env.agents.network import NetworkPlayer, save_agent
from banakil_env.agents.sparse import Sparse, by_feature, chosen_logits, first_layer, multiplies_bfloat16
from banakil_env.agents.sparse_features import write_features
from banakil_env.arena import Plan, Results
from banakil_env.arena.options import TableOptions
from banakil_env.arena.workers import play_deals
from banakil_env.core.files import write_whole
from banakil_env.core.game import Game
from banakil_env.envs.vector import Tables

HELD_OUT = "tuning-v1"  # deals of the evaluations, which training never uses
SCALE_KEPT = 0.95  # share of the old scale of rewards that one rollout keeps
ROOM = 32  # expected number of nonzero features and of legal actions of a decision; grows when needed


@dataclass(frozen=True)
class Config:
    """The settings of a run. The comment behind each field is its help text on the command line."""

    table: Annotated[TableOptions, tyro.conf.arg(name="")]
    out: str | None = None  # folder of the run; None: runs/GAME-PLAYERSp
    steps: int = 10_000_000  # decisions to learn from, rounded up to whole rollouts
    seed: int = 0  # seed of the weights, the dice and the deals
    variants: tuple[str, ...] = ()  # rules that each episode of training draws from; none: those of the table
    reward: str = "margin"  # kind of reward: margin, points or win
    against: tuple[str, ...] = ()  # opponents at some tables, such as greedy; none: itself alone
    # The network.
    hidden: tuple[int, ...] = (128, 128)  # widths of the hidden layers
    rests: bool = False  # with columns for the hand after each discard and the offered card, where a game has them
    cards: bool = True  # the columns about a card add to the logits of its moves, by weights that all cards share
    bfloat16: bool | None = None  # multiply hidden layers in bfloat16; None: if the processor has instructions for it
    # The rollout.
    num_tables: int = 1024  # tables that are played at once
    rollout: int = 64  # decisions at each of them between two updates
    gae_lambda: float = 0.95  # weight of later values in the advantages
    # The update.
    batch: int = 4096  # decisions in one gradient step
    epochs: int = 1  # passes over a rollout
    rate: float = 4e-3  # learning rate of Adam at the start
    final_rate: float = 1e-4  # learning rate at the end; linear between
    clip: float = 0.2  # bound on the change of a probability ratio
    entropy: float = 0.05  # weight of the entropy bonus at the start
    final_entropy: float = 0.005  # weight of the entropy bonus at the end; linear between
    average: float = 0.99  # share of the old weights in each update of the moving average, which is the agent
    value_weight: float = 0.5  # weight of the value's loss
    max_grad_norm: float = 0.5  # bound on the norm of a gradient
    # The evaluations.
    evaluations: int = 10  # how often the agent is measured, evenly spread, in addition to the start
    deals: int = 200  # deals of each evaluation, each played from every seat
    opponents: tuple[str, ...] = ("random", "greedy", "expert")  # players that the agent is measured against

    def __post_init__(self) -> None:
        for name in ("steps", "num_tables", "rollout", "batch", "epochs", "evaluations", "deals"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} must be 1 or more, not {getattr(self, name)}")
        self.shape.check(self.table.found)

    @property
    def about(self) -> dict[str, Any]:
        """The facts about the run that its agents contain."""
        return {"kind": "sparred" if self.against else "learned", "trainer": "ppo"}

    @property
    def seating(self) -> dict[str, Any]:
        """Arguments of `Tables` for the other seats; with other players, the network still plays half of them."""
        pool = ["caller"] * len(self.against) + list(self.against)
        return {"opponents": pool, "seat": "random"} if pool else {}

    @property
    def shape(self) -> Shape:
        """The shape of the network."""
        return Shape.seeing(self.table.found, self.rests, self.cards, hidden=self.hidden)


class Seen(NamedTuple):
    """The input of the network for n decisions."""

    features: Sparse  # the nonzero features of each decision
    moves: Tensor  # int16 (n, width), the legal actions, -1 behind the last
    faces: Tensor  # uint8 (n, width), for a move that takes from the pile, the deepest card that it takes


class PolicyAndValue(nn.Module):
    """A multilayer perceptron with two heads: the logits of the legal actions, and the expected return.

    Most features are zero and most actions are illegal. The first layer therefore adds up only the rows of its weights
    that belong to nonzero features, and the policy's head computes only the logits of legal actions.
    """

    def __init__(self, game: Game, config: Config) -> None:
        super().__init__()
        self.game, self.shape = game, config.shape
        widths = (self.shape.features(game).width, *self.shape.hidden)
        takes_from_pile = bool((depths_of_actions(game) < game.features.max_depth).any())
        self.layers: Any = nn.ModuleList([nn.Linear(before, after) for before, after in itertools.pairwise(widths)])
        self.policy = nn.Linear(widths[-1], game.num_actions)
        self.takes = nn.Linear(widths[-1], game.features.no_face) if takes_from_pile else None
        self.value = nn.Linear(widths[-1], 1)
        self.card_moves = card_moves(game, self.shape.features(game), self.shape.takes) if self.shape.cards else None
        self.cards = nn.Linear(widths[-1], self.card_moves.num_weights) if self.card_moves else None
        for module in (part for part in self.modules() if isinstance(part, nn.Linear)):
            small = module in (self.policy, self.takes, self.cards)  # a nearly uniform policy at first
            nn.init.orthogonal_(module.weight, 0.01 if small else 2**0.5)
            nn.init.zeros_(module.bias)
        self.layers[0].weight = nn.Parameter(by_feature(self.get_parameter("layers.0.weight").detach()))
        self.in_bfloat16 = multiplies_bfloat16() if config.bfloat16 is None else config.bfloat16

    def forward(self, seen: Seen) -> tuple[Tensor, Tensor]:
        """Logits of the legal actions, float32 (n, width), very low behind the last; and values, float32 (n,)."""
        first, *others = self.layers
        x = first_layer(seen.features, first.weight, first.bias)
        with torch.autocast("cpu", torch.bfloat16, enabled=self.in_bfloat16):
            for layer in others:
                x = layer(torch.relu(x))
        x = torch.relu(x).float()
        logits = chosen_logits(x, seen.moves, seen.faces, self.policy, self.takes)
        if self.cards and self.card_moves:
            logits = logits + card_logits(seen.features, seen.moves, seen.faces, self.cards(x), self.card_moves)
        return logits, self.value(x).squeeze(1)

    def agent(self) -> Network:
        """The same weights as a network that the package plays and saves."""
        network = make_network(self.game, self.shape)
        network.load_state_dict(self.state_dict())
        return network.eval()


class Rollout:
    """Tables, and the last `rollout` decisions at each of them, as arrays of shape (steps, tables, ...).

    Arrays of inputs have one more step, after the last decision. Decision t at table i has the number t * tables + i.

    Attributes:
        features, moves, faces: see `Seen`. seats: the seat that decides.
        picks: the index of the chosen action in `moves`. logprobs: its log probability. values: the expected return.
        rewards: float32 (steps, tables, seats), 0 unless the decision ended the episode.
        ended: whether it ended the episode. cut: whether a limit ended it.
        advantages: how much better the choice was than expected; NaN if unknown. returns: values + advantages.
    """

    def __init__(self, config: Config, game: Game) -> None:
        steps, tables = config.rollout, config.num_tables
        self.game, self.layout = game, config.shape.features(game)
        options = config.table.options | config.seating | ({"rules": list(config.variants)} if config.variants else {})
        self.tables = Tables(tables, game=game, reward=config.reward, threads=1, truncate_at_limit=True, **options)
        self.features = Sparse.zeros((steps + 1) * tables, ROOM)
        self.depths = np.zeros((tables, game.features.max_depth), np.uint8)
        self.moves = np.full((steps + 1, tables, ROOM), -1, np.int16)
        self.faces = np.zeros((steps + 1, tables, ROOM), np.uint8)
        self.seats = np.zeros((steps + 1, tables), np.int64)
        self.values = np.zeros((steps + 1, tables), np.float32)
        self.picks = np.zeros((steps, tables), np.int64)
        self.ended, self.cut = (np.zeros((steps, tables), np.bool_) for _ in range(2))
        self.rewards = np.zeros((steps, tables, game.max_seats), np.float32)
        self.logprobs, self.advantages, self.returns = (np.zeros((steps, tables), np.float32) for _ in range(3))

    def look(self, step: int) -> Seen:
        """Write the input for the seats to move as a step of the rollout, and return it."""
        tables, rows = self.tables, np.arange(self.tables.num_tables)
        numbers = step * len(rows) + rows
        seen, given = tables.observations, (self.depths, 1, self.layout)
        while (most := write_features(self.game, seen, self.features.part(numbers), *given)) > self.features.room:
            self.features = self.features.widened(most * 5 // 4)
        legal = self.game, tables.masks, self.depths
        while (most := list_moves(*legal, self.moves[step], self.faces[step])) > self.moves.shape[2]:
            more = ((0, 0), (0, 0), (0, most * 5 // 4 - self.moves.shape[2]))
            self.moves, self.faces = np.pad(self.moves, more, constant_values=-1), np.pad(self.faces, more)
        self.seats[step] = tables.seats
        return self.seen(numbers)

    def seen(self, numbers: Any) -> Seen:
        """The input of some decisions, by their numbers."""
        moves, faces = (array.reshape(-1, array.shape[2])[numbers] for array in (self.moves, self.faces))
        width = int((moves >= 0).sum(1).max())
        parts = (torch.from_numpy(np.ascontiguousarray(part[:, :width])) for part in (moves, faces))
        return Seen(self.features.part(numbers), *parts)

    def carry_out(self, step: int) -> None:
        """Carry out the picks of a step; store the rewards in points, and which episodes ended or were truncated."""
        rows = np.arange(self.tables.num_tables)
        actions = self.moves[step, rows, self.picks[step]].astype(np.int64)
        self.tables.step(actions)
        self.rewards[step] = self.tables.rewards
        self.cut[step] = self.tables.truncations
        self.ended[step] = self.tables.terminations | self.tables.truncations

    def estimate_advantages(self, gae_lambda: float, scale: float) -> None:
        """Generalized advantage estimation along the decisions of each seat.

        A seat's decision is followed by its next decision, whether the same turn continues or other seats move in
        between, or by the end of the episode. Another seat can end the episode, and every seat gets a reward then. A
        seat's last decision of a rollout has no known successor, unless that seat is to move at the rollout's edge. It
        then has no advantage, and nothing is learned from it.
        """
        tables, seats = self.rewards.shape[1:]
        rows, edge = np.arange(tables), self.seats[-1]
        worth = np.zeros((tables, seats), np.float32)  # the value of each seat's next decision, or its reward
        ahead = np.zeros((tables, seats), np.float32)  # the advantage of each seat's next decision
        known = np.zeros((tables, seats), np.bool_)  # whether `worth` is known
        worth[rows, edge], known[rows, edge] = self.values[-1], True
        for step in reversed(range(len(self.picks))):
            over, seat = self.ended[step], self.seats[step]
            worth[over], ahead[over], known[over] = self.rewards[step, over] / scale, 0, True
            found = worth[rows, seat] - self.values[step] + gae_lambda * ahead[rows, seat]
            self.advantages[step] = np.where(known[rows, seat], found, np.nan)
            ahead[rows, seat] = np.where(known[rows, seat], found, 0)
            worth[rows, seat], known[rows, seat] = self.values[step], True
        np.add(self.advantages, self.values[:-1], out=self.returns)


def sampled(logprobs: Tensor) -> Tensor:
    """Draw a random column for each row, int64 (n, 1), by log probabilities, (n, width)."""
    up_to = logprobs.exp().cumsum(1)
    drawn = torch.rand(len(logprobs), 1) * up_to[:, -1:]
    return (up_to <= drawn).sum(1, keepdim=True).clamp(max=logprobs.shape[1] - 1)


class Learner:
    """A run: the network, its moving average, the optimizer, the tables, and the evaluations.

    Attributes:
        steps: decisions learned from so far. seconds: processor time for them, without evaluations.
        scale: points that are a return of 1; 0: unknown yet. curve: the evaluations. figures: of the last update.
    """

    def __init__(self, config: Config) -> None:
        torch.set_num_threads(1)  # matrices are small, so a second thread is of more use to a second run
        torch.manual_seed(config.seed)
        self.config, self.game = config, config.table.found
        self.network = PolicyAndValue(self.game, config)
        self.average = copy.deepcopy(self.network).requires_grad_(False)
        self.optimizer = torch.optim.Adam(self.network.parameters(), lr=config.rate, eps=1e-5, fused=True)
        self.rollout = Rollout(config, self.game)
        self.steps, self.seconds, self.scale = 0, 0.0, 0.0
        self.curve, self.figures = list[dict[str, Any]](), dict[str, float]()
        self.rollout.tables.reset(self.seeds())

    def seeds(self) -> list[int]:
        """The seed of each table's first deal: unrelated numbers below the seeds of held-out deals."""
        dice = np.random.default_rng([self.config.seed, self.steps])
        return dice.integers(2**63, size=self.config.num_tables).tolist()

    @property
    def done(self) -> float:
        """The share of the run that is done, from 0 to 1."""
        return min(self.steps / self.config.steps, 1.0)

    def between(self, first: float, last: float) -> float:
        """A value that changes linearly from `first` to `last` over the run."""
        return first + (last - first) * self.done

    def play(self) -> None:
        """Play a rollout, and estimate its advantages."""
        rollout = self.rollout
        with torch.inference_mode():
            for step in range(self.config.rollout):
                logits, values = self.network(rollout.look(step))
                logprobs = torch.log_softmax(logits, 1)
                picks = sampled(logprobs)
                rollout.values[step], rollout.picks[step] = values, picks.squeeze(1)
                rollout.logprobs[step] = logprobs.gather(1, picks).squeeze(1)
                rollout.carry_out(step)
            rollout.values[-1] = self.network(rollout.look(self.config.rollout))[1]
        self.rescale()
        rollout.estimate_advantages(self.config.gae_lambda, self.scale or 1.0)

    def rescale(self) -> None:
        """Adapt the scale to the size of the rewards, so that returns are about 1 in every game and at every strength.

        The value's head is changed too, so that its values correspond to the same points as before.
        """
        rewards = self.rollout.rewards[self.rollout.ended, : self.config.table.seats]
        if not rewards.any():
            return
        square = float(np.square(rewards).mean())
        scale = (SCALE_KEPT * self.scale**2 + (1 - SCALE_KEPT) * square if self.scale else square) ** 0.5
        if self.scale:
            self.rollout.values *= self.scale / scale
            for network in (self.network, self.average):
                for weights in network.value.parameters():
                    weights.data.mul_(self.scale / scale)
        self.scale = scale

    def update(self) -> None:
        """Learn from the rollout."""
        config, rollout = self.config, self.rollout
        self.optimizer.param_groups[0]["lr"] = self.between(config.rate, config.final_rate)
        known = np.flatnonzero(~np.isnan(rollout.advantages))
        figures: list[dict[str, float]] = []
        for _ in range(config.epochs):
            for numbers in torch.from_numpy(known)[torch.randperm(len(known))].split(config.batch):
                loss, said = self.loss(numbers.numpy())
                self.optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(self.network.parameters(), config.max_grad_norm)
                self.optimizer.step()
                with torch.no_grad():
                    for mean, last in zip(self.average.parameters(), self.network.parameters()):
                        mean.lerp_(last, 1 - config.average)
                figures.append(said)
        self.figures = {name: float(np.mean([said[name] for said in figures])) for name in figures[0]}
        ended, spread = max(int(rollout.ended.sum()), 1), max(float(np.nanvar(rollout.returns)), 1e-12)
        self.figures["explained_variance"] = 1 - float(np.nanvar(rollout.advantages)) / spread
        self.figures |= {"episode_decisions": rollout.ended.size / ended, "at_turn_limit": rollout.cut.sum() / ended}
        self.steps += rollout.picks.size

    def loss(self, numbers: Any) -> tuple[Tensor, dict[str, float]]:
        """The loss over some decisions of the rollout, by their numbers; and figures about it."""
        config, rollout = self.config, self.rollout
        picks, old, advantages, returns = (
            torch.from_numpy(array.ravel()[numbers])
            for array in (rollout.picks, rollout.logprobs, rollout.advantages, rollout.returns)
        )
        logits, values = self.network(rollout.seen(numbers))
        logprobs = torch.log_softmax(logits, 1)
        change = logprobs.gather(1, picks[:, None]).squeeze(1) - old
        ratio = change.exp()
        advantages = (advantages - advantages.mean()) / (advantages.std(correction=0) + 1e-8)
        clipped = ratio.clamp(1 - config.clip, 1 + config.clip)
        policy_loss = -torch.minimum(ratio * advantages, clipped * advantages).mean()
        entropy = -(logprobs.exp() * logprobs).sum(1).mean()
        value_loss = (values - returns).square().mean() / 2
        bonus = self.between(config.entropy, config.final_entropy) * entropy
        loss = policy_loss + config.value_weight * value_loss - bonus
        said = {"policy_loss": policy_loss, "value_loss": value_loss, "entropy": entropy}
        said |= {"clip_fraction": (ratio != clipped).float().mean(), "kl": (ratio - 1 - change).mean()}
        return loss, {name: float(value.detach()) for name, value in said.items()}

    def evaluate(self) -> dict[str, Any]:
        """A point of the curve: the agent's likeliest actions against each opponent, on held-out deals."""
        config, standings = self.config, []
        table = dataclasses.asdict(config.table) | {"deals": config.deals, "seed_set": HELD_OUT, "budget": None}
        for opponent in config.opponents:
            plan = Plan(("agent", opponent), **table)
            players = [NetworkPlayer(self.average.agent(), "agent"), make_player(opponent, self.game)]
            results = Results(plan)
            for outcomes in play_deals(players, plan, range(config.deals), record=False):
                results.add(outcomes)
            margin, win = results.margin("agent", opponent), results.win("agent", opponent).mean
            standings.append({"opponent": opponent, "margin": margin.mean, "half_width": margin.half_width, "win": win})
        figures = {name: self.figures.get(name) for name in ("entropy", "clip_fraction", "explained_variance")}
        return {"steps": self.steps, "seconds": round(self.seconds, 2), "standings": standings, **figures}

    def save(self, folder: Path) -> None:
        """Write the checkpoint, the agent and the curve, each whole or not at all."""
        if not all(bool(torch.isfinite(weights).all()) for weights in self.network.parameters()):
            raise RuntimeError(
                f"a weight became NaN or infinite after {self.steps:,} decisions; the files in {folder} are those from "
                f"before. Begin another run with a --rate below {self.config.rate:g}"
            )
        kept = {name: getattr(self, name).state_dict() for name in ("network", "average", "optimizer")}
        kept |= {name: getattr(self, name) for name in ("steps", "seconds", "curve", "scale")}
        kept |= {"random": torch.get_rng_state(), "config": json.dumps(dataclasses.asdict(self.config))}
        torch.save(kept, content := io.BytesIO())
        write_whole(folder / "checkpoint.pt", content.getvalue())
        about = self.config.about | {"steps": self.steps, "seconds": round(self.seconds, 1)}
        about |= {"config": dataclasses.asdict(self.config) | {"out": None}, "last": self.curve[-1]}
        save_agent(folder / "agent.safetensors", self.average.agent(), about)
        write_whole(folder / "curve.json", (json.dumps(self.curve, indent=1) + "\n").encode())

    def load(self, path: Path) -> None:
        """Continue from a checkpoint; the tables are dealt again. Raises ValueError if its configuration differs."""
        kept = torch.load(path, weights_only=True)
        ours = json.loads(json.dumps(dataclasses.asdict(self.config)))
        theirs = {"against": []} | json.loads(kept["config"])  # older runs lack this setting
        names = dict.fromkeys((*ours, *theirs))  # a setting that no longer exists makes another configuration too
        differ = [name for name in names if ours.get(name) != theirs.get(name) and name not in ("steps", "out")]
        if differ:
            said = ", ".join(f"{name} {theirs.get(name)!r}, not {ours.get(name)!r}" for name in differ)
            raise ValueError(f"the run in {path.parent} has {said}: give the same options, or another --out")
        for name in ("network", "average", "optimizer"):
            getattr(self, name).load_state_dict(kept[name])
        self.steps, self.seconds, self.curve, self.scale = (kept[n] for n in ("steps", "seconds", "curve", "scale"))
        torch.set_rng_state(kept["random"])
        self.rollout.tables.reset(self.seeds())

    def train(self, folder: Path) -> None:
        """Learn to the end of the run; at intervals measure, save and print figures."""
        board = SummaryWriter(str(folder / "tensorboard"))
        every = max(self.config.steps // self.config.evaluations, 1)
        while True:
            if not self.curve or self.steps >= min(self.curve[-1]["steps"] + every, self.config.steps):
                self.curve.append(self.evaluate())
                self.save(folder)
                said = [f"{self.steps:>13,} decisions {self.seconds:>7.0f} s"]
                for one in self.curve[-1]["standings"]:
                    board.add_scalar(f"points_ahead/{one['opponent']}", one["margin"], self.steps)
                    said.append(f"{one['opponent']} {one['margin']:+z.1f} ± {one['half_width']:.1f}")
                print("   ".join(said), flush=True)
            if self.done >= 1:
                return
            begun = time.process_time()
            self.play()
            self.update()
            self.seconds += time.process_time() - begun
            for name, value in self.figures.items():
                board.add_scalar(f"train/{name}", value, self.steps)


def main(learner: Learner, suffix: str = "") -> None:
    """Carry out a run: from its checkpoint if its folder has one, otherwise from the start."""
    config = learner.config
    folder = Path(config.out or f"runs/{config.table.game}-{config.table.seats}p{suffix}")
    if (folder / "checkpoint.pt").is_file():
        learner.load(folder / "checkpoint.pt")
    print(f"{folder}: points per deal ahead of each player, on {config.deals} held-out deals, with 95 % intervals")
    learner.train(folder)
    print(f"let it play: {config.table.match_command(f'net:{folder}', *config.opponents[-1:])}")


if __name__ == "__main__":
    try:
        main(Learner(tyro.cli(Config, description=__doc__)))
    except (ValueError, RuntimeError) as error:
        sys.exit(f"ppo: {error}")
