"""How is an agent trained that begins where a rule-based player is, and departs from it only where that pays?

AggreVaTe (Ross and Bagnell, "Reinforcement and Imitation Learning via Interactive No-Regret Learning", 2014): the
learner plays, and wherever it decides, other actions are tried on copies of the table, which a rule-based player then
plays out at every seat. Beside what that player's own move would have brought in the same cards, each is one draw of
the action's advantage, without nearly all luck of the deal; and as these are the true cards, nothing is assumed of what
nobody sees. The player throws no dice, so that its own move brings nothing and costs no playout.

The network is advised by that player, and its logits are fitted to the advantages: an action's, less that of the
advised one, times `trials.unit` is by how many points it is better (less `trials.margin`). So the likeliest action is
the best as far as is known, and what to try next is drawn by how good it may be. The positions are the learner's own
(Ross, Gordon and Bagnell, 2011): what pays in those of the rule-based player alone goes wrong in the hands that a
learner gets itself into. But a run may begin with that player's own games, where no network is asked (`trials.blind`).

On the other seats may sit whoever is in the pool. Who goes on otherwise than that player would makes what was foreseen
untrue, so that it is foreseen anew when they have moved. What a move brings is still counted as if they, too, went on
by that player's moves: what pays is learned in their positions, not what they will do wrong.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from banakil_env.core.playouts import outcomes
from banakil_env.games.banakil.game import GAME
from banakil_env.games.banakil.state import MAX_SEATS
from train.checkpoint import Checkpoint
from train.config import MAX_GRAD_NORM, PAST, REWARD_SCALE, SELF, Config, ConfigError
from train.fast_ppo import FastRun, sampled

OWN = 0  # which of the actions tried at a decision is the learner's; behind it stand `trials.others`
# The deviation of advantages is about this (points): by it the loss is measured, so that gradients are of a size.
SPREAD = 20.0


class AggrevateRun(FastRun):
    """A run of the trainer in this file: it plays and sees as the fast trainer does, and learns otherwise."""

    method = "AggreVaTe"

    def __init__(
        self, config: Config, folder: Path, start: Checkpoint | None = None, tensorboard: bool = False
    ) -> None:
        _check(config)
        super().__init__(config, folder, start, tensorboard)

    # Playing ----------------------------------------------------------------------------------------------------------

    def _deal(self, from_seed: bool) -> None:
        """See `FastRun`."""
        super()._deal(from_seed)
        shape = self._rollout.picks.shape
        # Of the learner's action and of those beside it: which, and by how much it is better than the advised one;
        # NaN where that is the advised one itself, or one that was tried already.
        self._tried = np.zeros((1 + self.config.trials.others, *shape), np.int16)
        self._gains = np.full(self._tried.shape, np.nan, np.float32)
        # How each table would end if the player of the trials went on, and how after an action (both scaled).
        self._foreseen = np.zeros((shape[1], MAX_SEATS), np.float32)
        self._ends = self._foreseen.copy()
        self._expected = np.zeros(shape, np.float32)
        self._knows_ends = False
        # Where somebody may sit who goes on otherwise than foreseen: at all tables with other players, if anyone does.
        strangers = set(self.config.pool.players) - {SELF, self.config.trials.player}
        self._strange = (np.arange(shape[1]) >= self._own) & bool(strangers)

    def _compile(self) -> None:
        """See `FastRun`."""
        super()._compile()
        self._play_out(np.ones(len(self._seats), np.bool_), self._foreseen)

    def _roll_out(self, imitating: bool) -> None:
        """Play `ppo.steps` decisions at every table, and try other actions beside each."""
        data, config, rows = self._rollout, self.config, np.arange(self.config.ppo.tables)
        if not self._knows_ends:
            self._play_out(np.ones(len(rows), np.bool_), self._foreseen)
            self._knows_ends = True
        blind, entropies = self.steps < config.trials.blind, []
        with torch.inference_mode(), self._precisely():
            for step in range(config.ppo.steps):
                entropies.append(self._choose_blindly(step) if blind else self._choose(step))
                data.seats[step] = self._seats
                self._expected[step] = self._foreseen[rows, self._seats]
                for other in range(1, len(self._tried)):
                    self._try(step, other, (self._tried[:other, step] != self._tried[other, step]).all(0))
                departed = self._try(step, OWN, np.ones(len(rows), np.bool_))
                self._foreseen[departed] = self._ends[departed]
                actions, turns = self._actions(step, OWN), self._turns()
                for part, batch in self._parts():
                    batch.step(actions[part])
                others_moved = self._strange & (self._turns() != turns)
                self._play_out(self.terminations | self.truncations | others_moved, self._foreseen)
        self._entropy = float(np.mean(entropies))

    def _turns(self) -> Any:
        """Another number at each table when a turn has ended there, int64 (tables,)."""
        states = [batch.states for batch in self.tables]
        return np.concatenate([part["rounds"].astype(np.int64) * 2**16 + part["turns"] for part in states])

    def _choose(self, step: int) -> float:
        """What the learner does at each table, and what is tried beside it; the entropy of its moves."""
        _, logits, values = self._judged(step, advised=True)
        self._tried[OWN, step] = logits.argmax(1).cpu()
        chances = torch.log_softmax(logits / self.config.trials.heat, 1)
        for other in range(1, len(self._tried)):
            self._tried[other, step] = sampled(chances).squeeze(1).cpu()
        self._rollout.values[step] = values.cpu()
        return float(torch.distributions.Categorical(logits=logits).entropy().mean())

    def _choose_blindly(self, step: int) -> float:
        """The same without the network: what is advised is done, and any legal action tried."""
        data, dice = self._rollout, np.random.default_rng([self.config.seed, self.steps, step])
        self._look(step, advised=True)
        self._tried[OWN, step] = (data.moves[step] == data.advice[step][:, None]).argmax(1)
        self._tried[1:, step] = dice.integers(data.lengths[step], size=(len(self._tried) - 1, len(self._seats)))
        data.values[step] = 0
        return float(np.log(data.lengths[step]).mean())

    def _actions(self, step: int, which: int) -> Any:
        """What is tried at each table, int64."""
        # No `checked_actions` here: they are of the list of legal moves, and playouts and steps refuse all others.
        columns = self._tried[which, step][:, None].astype(np.int64)
        return np.take_along_axis(self._rollout.moves[step], columns, 1)[:, 0].astype(np.int64)

    def _try(self, step: int, which: int, wanted: Any) -> Any:
        """Play the action out at those of the `wanted` tables where it is not the advised one; bool, which they are."""
        rows, actions = np.arange(len(self._seats)), self._actions(step, which)
        tried: Any = wanted & (actions != self._rollout.advice[step])
        self._play_out(tried, self._ends, actions)
        gains = self._ends[rows, self._seats] - self._expected[step]
        self._gains[which, step] = np.where(tried, gains, np.nan)
        return tried

    def _play_out(self, wanted: Any, out: Any, actions: Any = None) -> None:
        """Write how some tables, bool (tables,), would end, if `actions` are carried out there first."""
        config = self.config
        for part, batch in self._parts():
            among, first = np.flatnonzero(wanted[part]), None if actions is None else actions[part]
            asked = config.trials.player, config.reward.kind, out[part], config.threads
            outcomes(GAME, batch.states, among, *asked, first)
        out[wanted] *= REWARD_SCALE

    # Learning ---------------------------------------------------------------------------------------------------------

    def _update(self, imitating: bool) -> None:
        """Fit the logits to what the actions brought, and the value to how `trials.player` would end."""
        config, ppo = self.config, self.config.ppo
        for group in self.optimizer.param_groups:
            group["lr"] = self.learning_rate(1 - self.done())
        unit, margin = config.trials.unit * REWARD_SCALE, config.trials.margin * REWARD_SCALE
        count, dice = len(self._tried), np.random.default_rng([config.seed, self.steps])
        gains, tried = self._gains.reshape(count, -1), self._tried.reshape(count, -1)
        known = np.flatnonzero(~np.isnan(gains).all(0))
        if not len(known):
            return
        losses = []
        for _ in range(ppo.epochs):
            for picked in np.array_split(dice.permutation(known), max(1, len(known) // ppo.batch)):
                part = self._part(torch.from_numpy(picked), self._expected.reshape(-1), advised=True)
                with self._precisely():
                    logits, values = self.network.among(*part["seen"])
                _, moves, _, advice = part["seen"]
                advised = (moves == advice[:, None]).long().argmax(1, keepdim=True)
                actions, wanted = (torch.from_numpy(array[:, picked].T).to(self.device) for array in (tried, gains))
                better = logits.gather(1, actions.long()) - logits.gather(1, advised)
                errors = (better * unit + margin - wanted)[~wanted.isnan()]
                loss = errors.square().mean() / 2 / (SPREAD * REWARD_SCALE) ** 2
                value_loss = (values - part["returns"]).square().mean() / 2
                self.optimizer.zero_grad()
                (loss + ppo.value * value_loss).backward()
                nn.utils.clip_grad_norm_(self.network.parameters(), MAX_GRAD_NORM)
                self.optimizer.step()
                self._add_to_average(False)
                losses.append((float(loss.detach()), float(value_loss.detach())))
        self._say(losses)

    def _say(self, losses: list[tuple[float, float]]) -> None:
        """Log what the update did, and what the learner's own departures of the rollout brought, points each."""
        own = self._gains[OWN][~np.isnan(self._gains[OWN])]
        surprise = self._expected - self._rollout.values
        loss, value_loss = np.mean(losses, axis=0)
        self.figures.clear()
        self.log(
            loss=float(loss),
            value_loss=float(value_loss),
            entropy=self._entropy,
            explained_variance=float(1 - np.var(surprise) / max(np.var(self._expected), 1e-12)),
            learning_rate=self.optimizer.param_groups[0]["lr"],
            trials=float((~np.isnan(self._gains)).sum()) / self._expected.size,
            departures=len(own) / self._expected.size,
            gain=float(own.mean()) / REWARD_SCALE if len(own) else 0.0,
        )


def _check(config: Config) -> None:
    """ConfigError: the configuration asks for what this trainer cannot do, and what to set."""
    player = config.trials.player
    if config.network.advice != player or PAST in config.pool.players:
        raise ConfigError(
            f"{config.name}: with the trainer 'aggrevate' the network is advised by the player of the trials, and no "
            f"past selves play: set network.advice to {player!r} (now {config.network.advice!r}) and leave {PAST!r} "
            f"out of pool.players (now {', '.join(config.pool.players)})"
        )
    if config.imitation.decisions or config.critic != "seen" or config.ppo.entropy_target is not None:
        raise ConfigError(
            f"{config.name}: imitation, critic and ppo.entropy_target are for the trainer 'fast'; with 'aggrevate' set "
            f"imitation.decisions to 0, critic to 'seen' and ppo.entropy_target to null"
        )
