"""How is an agent trained when the trainer itself must be fast? Masked PPO in one file, over the batch of tables.

Three things make it many times as fast as a general library: features are written by one compiled call; the network
multiplies those that are not zero and gives the logits of legal actions only (`agents/sparse.py`); and where the
processor multiplies matrices of bfloat16, it does.
What is learned from: at some tables the learner plays every seat, and each seat has its own advantages, so that a loss
teaches as much as a win; at the others it plays one seat, and rule-based players or past selves the rest. A run may
begin by imitating a rule-based player.

PPO: Schulman and others, "Proximal Policy Optimization Algorithms", 2017. Acting half by oneself while imitating: Ross,
Gordon and Bagnell, "A Reduction of Imitation Learning and Structured Prediction to No-Regret Online Learning", 2011.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from agents.encoding import encode, list_moves
from agents.sparse import Sparse
from banakil_env.arena.players import CompiledPlayer
from banakil_env.core.jit import compiled
from banakil_env.core.threads import in_parts
from banakil_env.envs.vector import Tables
from banakil_env.games.banakil.game import GAME
from banakil_env.games.banakil.state import MAX_SEATS, MAX_TAKE
from train.checkpoint import Checkpoint
from train.config import CLIP, GAMMA, IMITATED_SHARE, IMITATION_RATE, MAX_GRAD_NORM, PAST, REWARD_SCALE, SELF, Config
from train.critic import NUM_FEATURES, NUM_HIDDEN, Critic, encode_hidden
from train.progress import Display
from train.run import Run, device_of, first_network

# What there is room for at first: legal actions, features of a position and of its hidden cards that are not zero.
WIDTH = 128
FEATURES_AT_ONCE = 192
HIDDEN_AT_ONCE = 64
ROWS_PER_THREAD = 64  # below so many, a thread costs more than it gives
# By what the bonus for entropy is raised after an update that leaves none, or lowered after one that leaves twice as
# much as is wanted (what is in between turns it by less, so that it does not swing), and between what bounds it stays:
# from the lowest it is back at 0.02 in thirty updates.
ENTROPY_STEP, LEAST_BONUS, MOST_BONUS = 1.1, 1e-3, 0.5


class Rollout:
    """What `tables` x `steps` decisions leave behind: tensors and arrays of shape (steps, tables, ...).

    What is to be seen has one step more, which nobody decides any longer.

    Attributes:
        x: the features, and hidden: what the critic sees beside them; of step s and table t in row s * tables + t.
        moves: legal actions, -1 behind them. faces: of takes, where they end (`Network.among`). lengths: how many were
            legal. picks: which of them was carried out. labels: which one the imitated player chose.
        chances, values: the log probability of the pick and the expected return, when it was made.
        seats: who was to move. learns: it was the learner, no past self. rewards: of every seat. ended: the episode.
        advice: what the network was advised to do.
        advantages: of each pick; NaN where the rollout ended before that seat moved again.
    """

    def __init__(self, steps: int, tables: int, critic: bool) -> None:
        shape, with_end = (steps, tables), (steps + 1, tables)
        self.x = Sparse.zeros((steps + 1) * tables, FEATURES_AT_ONCE)
        self.hidden = Sparse.zeros((steps + 1) * tables, HIDDEN_AT_ONCE) if critic else None
        self.depths = np.zeros((tables, MAX_TAKE), np.uint8)
        self.encoded = np.zeros((tables, NUM_FEATURES), np.float32)
        self.lengths = np.zeros(with_end, np.int16)
        self.picks, self.labels = np.zeros(shape, np.int16), np.zeros(shape, np.int16)
        self.chances, self.values = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        self.advice = np.zeros(with_end, np.int64)
        self.seats, self.learns = np.zeros(shape, np.int64), np.zeros(shape, np.bool_)
        self.rewards = np.zeros((*shape, MAX_SEATS), np.float32)
        self.ended = np.zeros(shape, np.bool_)
        self.advantages = np.zeros(shape, np.float32)
        self.moves = np.zeros((*with_end, 0), np.int16)
        self.widen(WIDTH)

    def widen(self, width: int) -> None:
        """Make room for so many legal actions; those that were listed stay."""
        room = ((0, 0), (0, 0), (0, width - self.moves.shape[2]))
        faces = self.faces if self.moves.shape[2] else self.moves.astype(np.uint8)
        self.moves = np.pad(self.moves, room, constant_values=-1)
        self.faces: Any = np.pad(faces, room)


class FastRun(Run):
    """A run of the trainer in this file; see `Run`.

    Attributes:
        device: where the network learns. dtype: of the matrices that it multiplies.
    """

    method = "PPO"

    def __init__(
        self, config: Config, folder: Path, start: Checkpoint | None = None, tensorboard: bool = False
    ) -> None:
        super().__init__(config, folder, tensorboard)
        torch.manual_seed(config.seed)
        self.device = device_of(config.device)
        self.dtype = _precision(config.precision, self.device)
        self.network = first_network(config).to(self.device)
        if config.ppo.average:
            self.average = copy.deepcopy(self.network).requires_grad_(False)
        learned = list(self.network.parameters())
        if config.critic == "all":
            self.critic = Critic(config.network, config.seed).to(self.device)
            learned += self.critic.parameters()
        self.optimizer = torch.optim.Adam(learned, eps=1e-5, fused=True)
        self._steps = start.progress.steps if start else 0
        self._deal(start is None)
        self._compile()
        self.start(start)
        for batch in self.tables if start else ():
            batch.reset()

    @property
    def steps(self) -> int:
        """See `Run`."""
        return self._steps

    def learn(self, display: Display) -> None:
        """See `Run`."""
        last = False
        while self.done() < 1 and not last:
            last = self.between(display)
            imitating = self.steps < self.config.imitation.decisions
            self._roll_out(imitating)
            self._update(imitating)
            self._steps += self._rollout.picks.size
            display.show(self.done(), self.steps, self.seconds(), None)

    # Playing ----------------------------------------------------------------------------------------------------------

    def _deal(self, from_seed: bool) -> None:
        """Make the tables, whose arrays are parts of one array each, and deal."""
        config, n = self.config, self.config.ppo.tables
        others = self.past.others
        served = sum(player in (SELF, PAST) for player in config.pool.players)
        self._own = own = round(n * served / len(config.pool.players))  # so many have every seat served, the first ones
        self._rollout = Rollout(config.ppo.steps, n, self.critic is not None)
        options = {"reward": config.reward.kind, "threads": config.threads, **config.table.options}
        self.tables = [Tables(own, **options)] if own else []
        if own < n:
            self.tables.append(Tables(n - own, opponents=others, seat="random", **options))
        # At the last of the tables whose every seat is served, one side learns and the others are past selves.
        past = round(own * config.pool.players.count(PAST) / max(served, 1))
        self._learns = np.ones((n, MAX_SEATS), np.bool_)
        for row in range(own - past, own):
            sides = 2 if self.tables[0].states["partners"][row] else config.table.num_players
            self._learns[row] = np.arange(MAX_SEATS) % sides == row % sides
        arrays: dict[str, Any] = {}
        for name, (shape, dtype) in self.tables[0].buffer_specs().items():
            arrays[name] = np.zeros((n, *shape[1:]), dtype)
        self.observations, self.masks, self.rewards = arrays["observations"], arrays["masks"], arrays["rewards"]
        self.terminations, self.truncations = arrays["terminations"], arrays["truncations"]
        for rows, batch in self._parts():
            batch.write_into(**{name: array[rows] for name, array in arrays.items()})
            batch.reset(config.seed + rows.start if from_seed else None)
        self._seats = arrays["seats"]

    def _compile(self) -> None:
        """Let all that is compiled on its first call be called: the time of the run begins after that."""
        with self._precisely():
            _, logits, values = self._judged(0, advised=True)
        (logits.clamp(min=0).sum() + values.sum()).backward()
        self.optimizer.zero_grad()
        data, after = self._rollout, np.zeros(len(self._seats), np.float32)
        given = (data.values[:1], data.seats[:1], data.rewards[:1], data.ended[:1], after, self._seats)
        _judge(*given, 1.0, 1.0, np.zeros((len(after), MAX_SEATS, WORK)), data.advantages[:1])

    def _parts(self) -> Iterator[tuple[slice, Tables]]:
        """Each batch of tables, and its rows in the arrays of all."""
        first = 0
        for batch in self.tables:
            yield slice(first, first + batch.num_tables), batch
            first += batch.num_tables

    def _roll_out(self, imitating: bool) -> None:
        """Play `ppo.steps` decisions at every table, and say how much better than expected each turned out."""
        data, config = self._rollout, self.config
        past = self.past.draw(self.steps)
        if past:
            past = copy.deepcopy(past).to(self.device)
        dice = np.random.default_rng([config.seed, self.steps])
        numbers = np.arange(config.ppo.tables)
        follows = numbers % 100 < 100 * IMITATED_SHARE
        with torch.inference_mode(), self._precisely():
            for step in range(config.ppo.steps):
                seen, logits, values = self._judged(step, advised=not imitating)
                learns = self._learns[numbers, self._seats] | (past is None)
                others = np.flatnonzero(~learns)
                if past and len(others):
                    at = torch.from_numpy(others).to(self.device)
                    x = seen[0].part(seen[0].rows[others]) if isinstance(seen[0], Sparse) else seen[0][at]
                    logits[at] = past.among(x, *[None if part is None else part[at] for part in seen[1:]])[0]
                chances = torch.log_softmax(logits, 1)
                picks = sampled(chances)
                data.picks[step] = picks.squeeze(1).cpu()
                if imitating:
                    thrown = dice.integers(2**64, size=len(numbers), dtype=np.uint64)
                    answers = self._asked(config.imitation.player, thrown)
                    data.labels[step] = (data.moves[step] == answers[:, None]).argmax(1)
                    data.picks[step] = np.where(follows, data.labels[step], data.picks[step])
                data.chances[step] = chances.gather(1, picks).squeeze(1).cpu()
                data.values[step] = values.cpu()
                data.seats[step] = self._seats
                data.learns[step] = learns
                actions = np.take_along_axis(data.moves[step], data.picks[step][:, None].astype(np.int64), 1)[:, 0]
                # No `checked_actions` here: picks are of the list of legal moves, and a step refuses all others itself.
                for rows, batch in self._parts():
                    batch.step(actions[rows])
                np.multiply(self.rewards, REWARD_SCALE, out=data.rewards[step])
                np.logical_or(self.terminations, self.truncations, out=data.ended[step])
            after = self._judged(config.ppo.steps, advised=not imitating)[2].cpu().numpy()
        given = (data.values, data.seats, data.rewards, data.ended, after, self._seats)
        weight = 1.0 if imitating else config.ppo.gae_lambda
        work = np.zeros((len(numbers), MAX_SEATS, WORK))
        _judge(*given, GAMMA, weight, work, data.advantages)

    def _judged(self, step: int, advised: bool) -> tuple[Any, Tensor, Tensor]:
        """What is seen at every table, the logits of what is legal there, and the expected returns.

        While it imitates, the network gets no advice: it would learn no more than to follow it.
        """
        data, seen = self._rollout, self._look(step, advised)
        logits, values = self.network.among(*seen)
        if self.critic:
            data.hidden = self._written(step, self._hidden(), data.hidden)
            values = self.critic(seen[0], self._given(data.hidden.part(self._rows_of(step)), NUM_HIDDEN))
        return seen, logits, values

    def _look(self, step: int, advised: bool) -> tuple[Tensor | Sparse, Tensor, Tensor, Tensor | None]:
        """Write what is to be seen at every table into the rollout; the same as `Network.among` takes it."""
        data, threads = self._rollout, self.config.threads
        encode(GAME, self.observations, data.encoded, data.depths, threads)
        data.x = self._written(step, data.encoded, data.x)
        most = list_moves(GAME, self.masks, data.depths, data.moves[step], data.faces[step], threads)
        if most > data.moves.shape[2]:
            data.widen(most * 5 // 4)
            list_moves(GAME, self.masks, data.depths, data.moves[step], data.faces[step], threads)
        np.sum(data.moves[step] >= 0, axis=1, out=data.lengths[step])
        x = self._given(data.x.part(self._rows_of(step)), NUM_FEATURES)
        moves = torch.from_numpy(data.moves[step, :, :most]).to(self.device)
        faces = torch.from_numpy(data.faces[step, :, :most]).to(self.device)
        if not advised or not self.network.shape.advice:
            return x, moves, faces, None
        data.advice[step] = self._asked(self.network.shape.advice, np.zeros(len(self._seats), np.uint64))
        return x, moves, faces, torch.from_numpy(data.advice[step]).to(self.device)

    def _rows_of(self, step: int) -> Any:
        """Where a step stands in a table of features, int64 (tables,)."""
        return np.arange(step * len(self._seats), (step + 1) * len(self._seats))

    def _written(self, step: int, x: Any, table: Sparse) -> Sparse:
        """The table of features with those of one step, widened where it must be."""
        most = table.part(self._rows_of(step)).write(x, self.config.threads)
        if most > table.columns.shape[1]:
            table = table.widened(most * 5 // 4)
            table.part(self._rows_of(step)).write(x, self.config.threads)
        return table

    def _given(self, x: Sparse, features: int) -> Tensor | Sparse:
        """Features as the device takes them."""
        return x if self.device.type == "cpu" else x.dense(features).to(self.device, self.dtype)

    def _precisely(self) -> Any:
        """What matrices are multiplied in, while this lasts."""
        return torch.autocast(self.device.type, torch.bfloat16, enabled=self.dtype == torch.bfloat16)

    def _hidden(self) -> Any:
        """What the seats to move do not see, float32 (tables, NUM_HIDDEN)."""
        out = np.empty((len(self._seats), NUM_HIDDEN), np.float32)
        for rows, batch in self._parts():
            encode_hidden(batch.states, self._seats[rows], out[rows])
        return out

    def _asked(self, player: str, dice: Any) -> Any:
        """What a rule-based player would do at each table, int64."""
        config = self.config

        def ask(first: int, last: int) -> Any:
            rows = slice(first, last)
            return CompiledPlayer(player).act(self.observations[rows], self.masks[rows], dice[rows])

        return np.concatenate(in_parts(ask, config.ppo.tables, config.threads, ROWS_PER_THREAD))

    # Learning ---------------------------------------------------------------------------------------------------------

    def _update(self, imitating: bool) -> None:
        """Learn from the rollout."""
        ppo, data = self.config.ppo, self._rollout
        rate = self._imitation_rate() if imitating else self.learning_rate(1 - self.done())
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        advantages = data.advantages.reshape(-1)
        known = np.flatnonzero(data.learns.reshape(-1) & ~np.isnan(advantages))
        if not len(known):
            return
        returns = advantages + data.values.reshape(-1)
        figures: dict[str, list[float]] = {}
        for _ in range(ppo.epochs):
            for rows in torch.from_numpy(known)[torch.randperm(len(known))].split(ppo.batch):
                part = self._part(rows, returns, advised=not imitating)
                with self._precisely():
                    logits, values = self.network.among(*part["seen"])
                    judged = self.critic(part["seen"][0], part["hidden"]) if self.critic else values
                if imitating:
                    loss, said = _imitation_loss(logits, part)
                else:
                    loss, said = _policy_loss(logits, part, self._entropy_bonus())
                value_loss = (judged - part["returns"]).square().mean() / 2
                if self.critic:
                    loss = loss + ppo.value * (values - part["returns"]).square().mean() / 2
                self.optimizer.zero_grad()
                (loss + ppo.value * value_loss).backward()
                nn.utils.clip_grad_norm_(self.network.parameters(), MAX_GRAD_NORM)
                if self.critic:
                    nn.utils.clip_grad_norm_(self.critic.parameters(), MAX_GRAD_NORM)
                self.optimizer.step()
                self._add_to_average(imitating)
                for name, value in {**said, "loss": loss.detach(), "value_loss": value_loss.detach()}.items():
                    figures.setdefault(name, []).append(float(value))
        explained = 1 - np.var(advantages[known]) / max(np.var(returns[known]), 1e-12)
        self.figures.clear()
        means = {name: float(np.mean(values)) for name, values in figures.items()}
        if ppo.entropy_target is not None and not imitating:
            short = 1 - means["entropy"] / ppo.entropy_target
            bonus = self._entropy_bonus() * ENTROPY_STEP ** max(short, -1.0)
            self.progress.entropy_bonus = min(max(bonus, LEAST_BONUS), MOST_BONUS)
        self.log(explained_variance=float(explained), learning_rate=self.optimizer.param_groups[0]["lr"], **means)

    def _entropy_bonus(self) -> float:
        """What a nat of entropy counts, in standard deviations of the advantages."""
        bonus = self.progress.entropy_bonus
        return self.config.ppo.entropy if bonus is None else bonus

    def _add_to_average(self, imitating: bool) -> None:
        """Let the last weights count in the average, if there is one. It begins where imitation ends."""
        if self.average:
            with torch.no_grad():
                for mean, last in zip(self.average.parameters(), self.network.parameters()):
                    mean.lerp_(last, 1.0 if imitating else 1 - self.config.ppo.average)

    def _imitation_rate(self) -> float:
        """The learning rate of imitation, which falls in a line to a tenth by its end."""
        return IMITATION_RATE * (1 - 0.9 * self.steps / self.config.imitation.decisions)

    def _part(self, rows: Tensor, returns: Any, advised: bool) -> dict[str, Any]:
        """Some decisions of the rollout, by their numbers, on the device."""
        data, numbers = self._rollout, rows.numpy()
        width = int(data.lengths.reshape(-1)[numbers].max())

        def taken(array: Any) -> Tensor:
            return torch.from_numpy(array.reshape(-1)[numbers]).to(self.device)

        def listed(array: Any) -> Tensor:
            return torch.from_numpy(array.reshape(-1, array.shape[2])[numbers, :width]).to(self.device)

        advice = taken(data.advice) if advised and self.network.shape.advice else None
        x = self._given(data.x.part(numbers), NUM_FEATURES)
        return {
            "seen": (x, listed(data.moves), listed(data.faces), advice),
            "hidden": self._given(data.hidden.part(numbers), NUM_HIDDEN) if data.hidden else None,
            "picks": taken(data.picks).long(),
            "labels": taken(data.labels).long(),
            "chances": taken(data.chances),
            "advantages": taken(data.advantages),
            "returns": taken(returns),
        }


def sampled(chances: Tensor) -> Tensor:
    """A column of each row, (n, 1), by their log probabilities."""
    upto = chances.exp().cumsum(1)
    drawn = torch.rand(len(chances), 1, device=chances.device) * upto[:, -1:]
    return (upto <= drawn).sum(1, keepdim=True).clamp(max=chances.shape[1] - 1)


def _policy_loss(logits: Tensor, part: dict[str, Any], bonus: float) -> tuple[Tensor, dict[str, Tensor]]:
    """PPO's clipped loss less the bonus for entropy, and figures."""
    chances = torch.log_softmax(logits, 1)
    change = chances.gather(1, part["picks"][:, None]).squeeze(1) - part["chances"]
    ratio = change.exp()
    advantages = part["advantages"]
    advantages = (advantages - advantages.mean()) / (advantages.std(correction=0) + 1e-8)
    gains = torch.minimum(ratio * advantages, ratio.clamp(1 - CLIP, 1 + CLIP) * advantages)
    entropy = -(chances.exp() * chances).sum(1).mean()
    clipped = ((ratio - 1).abs() > CLIP).float().mean()
    said = {"entropy": entropy.detach(), "clip_fraction": clipped, "kl": (ratio - 1 - change).mean().detach()}
    return -gains.mean() - bonus * entropy, said


def _imitation_loss(logits: Tensor, part: dict[str, Any]) -> tuple[Tensor, dict[str, Tensor]]:
    """How unlikely the imitated player's actions are, and how often they are the likeliest."""
    agreement = (logits.argmax(1) == part["labels"]).float().mean()
    return nn.functional.cross_entropy(logits, part["labels"]), {"agreement": agreement}


# What `_judge` keeps of each seat at a table.
KNOWN, WORTH, AHEAD = range(3)
WORK = 3


@compiled
def _judge(
    values: Any,
    seats: Any,
    rewards: Any,
    ended: Any,
    after: Any,
    seats_after: Any,
    gamma: float,
    weight: float,
    work: Any,
    advantages: Any,
) -> None:
    """Generalised advantage estimation along the decisions of each seat.

    What comes after a seat's decision is its own next one, or the end, whose reward every seat gets. After a seat's
    last decision of the rollout nothing is known but for the seat that is to move then (`after`, `seats_after`).
    """
    for table in range(values.shape[1]):
        of = work[table]
        of[:] = 0
        if seats_after[table] >= 0:
            of[seats_after[table], KNOWN] = 1
            of[seats_after[table], WORTH] = gamma * after[table]
        for step in range(values.shape[0] - 1, -1, -1):
            if ended[step, table]:
                for seat in range(of.shape[0]):
                    of[seat, KNOWN], of[seat, WORTH], of[seat, AHEAD] = 1, rewards[step, table, seat], 0
            seat = seats[step, table]
            if of[seat, KNOWN]:
                of[seat, AHEAD] = of[seat, WORTH] - values[step, table] + gamma * weight * of[seat, AHEAD]
                advantages[step, table] = of[seat, AHEAD]
            else:
                advantages[step, table] = np.nan
            of[seat, KNOWN], of[seat, WORTH] = 1, gamma * values[step, table]


def _precision(name: str, device: torch.device) -> torch.dtype:
    """What matrices are multiplied in; "auto": bfloat16 where the processor has instructions for it."""
    if name == "auto":
        fast = torch.cuda.is_bf16_supported() if device.type == "cuda" else _multiplies_bfloat16()
        return torch.bfloat16 if fast else torch.float32
    return {"bfloat16": torch.bfloat16, "float32": torch.float32}[name]


def _multiplies_bfloat16() -> bool:
    """Whether this processor has instructions that multiply matrices of bfloat16 (PyTorch says so from 2.8 on)."""
    capabilities = getattr(torch.cpu, "get_capabilities", dict)()
    return any(capabilities.get(name) for name in ("amx_bf16", "avx512_bf16"))
