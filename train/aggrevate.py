"""A trainer whose agent starts with the strength of a rule-based player, and departs from its moves only if that pays.

AggreVaTe (Ross and Bagnell, "Reinforcement and Imitation Learning via Interactive No-Regret Learning", 2014), with
these terms:

- The *adviser* is a deterministic rule-based player (`trials.player`). The network gets its move as input.
- A *trial* is an action carried out on a copy of the table, after which the episode is played out: rule-based players
  of the pool at their own seats, the adviser at all others. In a match with `trials.rules`, only the round is played
  out: the luck of later deals would hide the gain of one move.
- A *forecast* is the outcome of a table if these players play on from its current state.
- The *gain* of a trial is its outcome minus the forecast: one sample of the action's advantage over the adviser's move,
  with almost no luck of the deal, because both are played with the same cards. These are the true cards: no
  assumption is made about hidden cards. The adviser's own move has no gain and needs no trial.
- The learner *departs* if its move differs from the adviser's.

At each decision several actions are tried: the one that the learner picks, and others drawn from its logits
(`trials.others`). The logits are fitted to the gains: an action's logit minus that of the advised action estimates its
gain, in units of `reward.unit` points (minus `trials.margin`). The likeliest action is therefore the best one by the
current estimates. The positions come from the learner's own play (Ross, Gordon and Bagnell, 2011): departures that pay
in the adviser's positions can fail in the hands that the learner's own moves lead to.

With `trials.orders`, outcomes and forecasts are means over several random orders of the stock, the same orders for all
trials of a decision. This removes the luck of later draws from a gain, at the cost of that many playouts.

Any player of the pool can play at the other seats. After the move of a player that does not play in playouts (`random`
or a trained player) a forecast is out of date and is computed again. Gains are still computed as if such a player
continued like the adviser. The learner therefore learns which moves pay in positions against this player, but not which
mistakes the player will make.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch

from banakil_env.core.kernels import kernels_of
from banakil_env.core.playouts import outcomes
from train.checkpoint import Checkpoint
from train.config import DEALS, PAST, REWARD_SCALE, SELF, Config, ConfigError
from train.network_run import NetworkRun, explained_variance, sampled
from train.progress import Display
from train.rollout import Decisions
from train.workers import Workers

OWN = 0  # index of the learner's pick among the actions that are tried at a decision
# About the standard deviation of gains, in units of the reward. The loss is divided by it, so that gradients have the
# usual size.
SPREAD = 20.0


class Played(NamedTuple):
    """A rollout with its trials, in the form in which a worker sends it; see the attributes of `AggrevateRun`."""

    decisions: Decisions
    tried: Any
    gains: Any
    expected: Any
    values: Any
    entropy: float


class AggrevateRun(NetworkRun):
    """A run of the trainer in this file; see `Run`.

    Attributes:
        tried: int16 (1 + `trials.others`, steps, tables), the actions that are tried, as indices into the list of
            moves.
        gains: float32, of the same shape, scaled as rewards. NaN where there is no trial: for the advised action, or an
            action that was drawn before.
        forecasts: float32 (tables, seats), the forecast of each table, scaled. With orders of the stock or rules of
            trials, only tables with a trial have one.
        expected: float32 (steps, tables), the forecast for the seat to move.
        values: the network's estimate of `expected`.
    """

    method = "AggreVaTe"

    def __init__(
        self, config: Config, folder: Path, start: Checkpoint | None = None, tensorboard: bool = False
    ) -> None:
        _check(config)
        shape = config.rollout.steps, config.rollout.tables
        self.tried = np.zeros((1 + config.trials.others, *shape), np.int16)
        self.gains = np.full(self.tried.shape, np.nan, np.float32)
        self.expected, self.values = np.zeros(shape, np.float32), np.zeros(shape, np.float32)
        self._entropy = 0.0
        self._workers: Workers | None = None
        super().__init__(config, folder, start, tensorboard)

    def compile(self) -> None:
        """Compile everything that a rollout and an update call, create the forecasts, and play out every table once."""
        super().compile()
        rollout = self.rollout
        self.forecasts = np.zeros((self.config.rollout.tables, rollout.game.max_seats), np.float32)
        self._ends = self.forecasts.copy()  # outcomes of trials
        self._move_many = kernels_of(rollout.game).move_many
        # Tables where some player's moves can differ from those in playouts.
        strangers = set(self.config.pool.players) - {SELF, *rollout.game.settled_players}
        self._strange = (np.arange(self.config.rollout.tables) >= rollout.served) & bool(strangers)
        self._orders = np.zeros(len(self._strange), np.uint64)  # seeds of the orders of the stock
        self._play_out(np.ones(len(self._strange), np.bool_), self.forecasts)
        self._forecasts_hold = False  # False because tables are dealt again when a run continues

    # Playing ---------------------------------------------------------------------------------------------------------

    def learn(self, display: Display) -> None:
        """Learn to the end of the run; the workers of the run, if it has some, are started before and ended after."""
        if not self.config.workers:
            super().learn(display)
            return
        with Workers(type(self), self.config, self.steps) as self._workers:
            self._workers.begin(self.network)
            super().learn(display)
        self._workers = None

    def roll_out(self) -> None:
        """Play a rollout with its trials in this process, or take the next rollout of a worker."""
        if self._workers:
            self._take(self._workers.rollout(self.network))
        else:
            self._play()

    def played_with(self, weights: dict[str, Any]) -> Played:
        """Play a rollout with these weights (`workers.weights_of`), as a worker of a run does."""
        self.network.load_state_dict({name: torch.from_numpy(array) for name, array in weights.items()})
        self._play()
        self._steps += self.rollout.picks.size  # so that the next rollout has other orders of the stock
        return Played(self.rollout.decisions(), self.tried, self.gains, self.expected, self.values, self._entropy)

    def _take(self, played: Played) -> None:
        """Store a worker's rollout as the rollout of the run."""
        decisions, self.tried, self.gains, self.expected, self.values, self._entropy = played
        self.rollout.replace(decisions)

    def _play(self) -> None:
        """Play `rollout.steps` decisions at every table, and try other actions."""
        rollout, tables = self.rollout, np.arange(self.config.rollout.tables)
        trials = self.config.trials
        # Forecasts are computed at each decision if they are for other orders, or for a round that may have ended in
        # its match.
        renewed = trials.orders > 0 or trials.rules is not None
        if not renewed and not self._forecasts_hold:
            self._play_out(np.ones(len(tables), np.bool_), self.forecasts)
            self._forecasts_hold = True
        entropies = []
        with torch.inference_mode(), self.precisely():
            for step in range(self.config.rollout.steps):
                entropies.append(self._pick(step))
                wanted = self._trials(step)
                if renewed:
                    self._draw_orders(step)
                    self._play_out(wanted.any(0), self.forecasts)
                self.expected[step] = self.forecasts[tables, rollout.seats[step]]
                # The learner's pick last, since its outcome can serve as the next forecast.
                for which in reversed(range(len(wanted))):
                    self._try(step, which, wanted[which])
                if renewed:
                    rollout.carry_out(step)
                else:
                    self.forecasts[wanted[OWN]] = self._ends[wanted[OWN]]
                    others_move = self._others_move(step)
                    rollout.carry_out(step)
                    self._play_out(rollout.ended[step] | others_move, self.forecasts)
        self._entropy = float(np.mean(entropies))

    def _draw_orders(self, step: int) -> None:
        """Draw new orders of the stock at each table, for all playouts of a step."""
        dice = np.random.default_rng([self.config.seed, self.steps, step])
        self._orders[:] = dice.integers(2**63, size=len(self._orders))

    def _pick(self, step: int) -> float:
        """Choose the learner's move and the other trials at each table; returns the entropy of the learner's moves."""
        _, logits, values = self.judged(step)
        self.rollout.picks[step] = self.tried[OWN, step] = logits.argmax(1).cpu()
        chances = torch.log_softmax(logits / self.config.trials.heat, 1)
        for others in self.tried[1:]:
            others[step] = sampled(chances).squeeze(1).cpu()
        self.values[step] = values.cpu()
        return float(torch.distributions.Categorical(logits=logits).entropy().mean())

    def _trials(self, step: int) -> Any:
        """Which of the actions in `tried` are tried at each table, bool (1 + others, tables).

        The advised action is not tried, and no action is tried twice.
        """
        tried, advised = self.tried[:, step], self.rollout.place_of(step, self.rollout.advice[step])
        wanted: Any = tried != advised
        for which in range(1, len(tried)):
            wanted[which] &= (tried[which] != tried[:which]).all(0)
        return wanted

    def _try(self, step: int, which: int, wanted: Any) -> None:
        """Try an action at the tables selected by `wanted`.

        Args:
            step: the step of the rollout.
            which: the index of the action in `tried`.
            wanted: bool (tables,).
        """
        # `checked_actions` is not needed: actions come from the list of legal moves, and playouts and steps refuse all
        # others.
        self._play_out(wanted, self._ends, self.rollout.actions(step, self.tried[which, step]))
        outcome = self._ends[np.arange(len(wanted)), self.rollout.seats[step]]
        self.gains[which, step] = np.where(wanted, outcome - self.expected[step], np.nan)

    def _others_move(self, step: int) -> Any:
        """Tables where the next player after the pick may move differently from the forecast; bool (tables,)."""
        found, actions = np.zeros(len(self._strange), np.bool_), self.rollout.actions(step, self.rollout.picks[step])
        for rows, batch in self.rollout.parts():
            if self._strange[rows].any():
                copies, seats = batch.states.copy(), np.zeros(batch.num_tables, np.int64)
                self._move_many(copies, np.arange(batch.num_tables), actions[rows], seats)
                found[rows] = seats != self.rollout.seats[step, rows]
        return found

    def _play_out(self, wanted: Any, out: Any, actions: Any = None) -> None:
        """Play out some tables and write the outcomes.

        Args:
            wanted: bool (tables,), the tables.
            out: the array that receives the outcomes.
            actions: carried out first, on a copy; None for no action.
        """
        config, game = self.config, self.rollout.game
        adviser, settled = game.kinds[config.trials.player], [game.kinds[name] for name in game.settled_players]
        for part, batch in self.rollout.parts():
            among, first = np.flatnonzero(wanted[part]), None if actions is None else actions[part]
            seated = batch.controls["players"]
            kinds = np.where(np.isin(seated, settled), seated, adviser)
            how = config.threads, first, config.trials.orders, self._orders[part]
            outcomes(game, self._states_of_trials(batch.states), among, kinds, config.reward.kind, out[part], *how)
        out[wanted] *= config.reward.scale

    def _states_of_trials(self, states: Any) -> Any:
        """The states in which playouts begin. With `trials.rules` they are copies whose match ends with its round."""
        if self.config.trials.rules is None:
            return states
        states = states.copy()
        for switch, value in {**self.config.switches_of_trials, DEALS: states["rounds"] + 1}.items():
            states["rules"][switch] = value
        return states

    # Learning --------------------------------------------------------------------------------------------------------

    def update(self) -> None:
        """Fit the logits to the gains of the trials, and the value to the forecasts."""
        optimizer = self.config.optimizer
        self.set_learning_rate(self.learning_rate(1 - self.done()))
        dice = np.random.default_rng([self.config.seed, self.steps])
        known = np.flatnonzero(~np.isnan(self.gains).all(0))
        if not len(known):
            return
        losses = []
        for _ in range(optimizer.epochs):
            for numbers in np.array_split(dice.permutation(known), max(1, len(known) // optimizer.batch)):
                with self.precisely():
                    logits, values = self.network.among(*self.rollout.seen(numbers))
                loss = self._loss(logits, numbers)
                value_loss = (values - self.rollout.taken(self.expected, numbers)).square().mean() / 2
                self.step(loss + optimizer.value_weight * value_loss)
                losses.append((float(loss.detach()), float(value_loss.detach())))
        self._log(losses)

    def _loss(self, logits: torch.Tensor, numbers: Any) -> torch.Tensor:
        """The loss between the logits of some decisions and the gains of their trials."""
        rollout = self.rollout
        moves, advice = rollout.moves.reshape(-1, rollout.moves.shape[2])[numbers], rollout.advice.reshape(-1)[numbers]
        advised = (moves == advice[:, None]).argmax(1)
        places = torch.from_numpy(np.stack([*self.tried.reshape(len(self.tried), -1)[:, numbers], advised], 1))
        chosen = logits.gather(1, places.long().to(self.device))
        better = chosen[:, :-1] - chosen[:, -1:]  # in units of the reward
        gains = torch.stack([rollout.taken(gains, numbers) for gains in self.gains], 1)
        errors = ((better + self.config.trials.margin) * REWARD_SCALE - gains)[~gains.isnan()]
        return errors.square().mean() / 2 / (SPREAD * REWARD_SCALE) ** 2

    def _log(self, losses: list[tuple[float, float]]) -> None:
        """Log figures of the update, and the gains in points of the moves where the learner departed."""
        own, known = self.gains[OWN][~np.isnan(self.gains[OWN])], ~np.isnan(self.gains).all(0)
        loss, value_loss = np.mean(losses, axis=0)
        self.figures.clear()
        self.log(
            loss=float(loss),
            value_loss=float(value_loss),
            entropy=self._entropy,
            explained_variance=explained_variance(self.values[known], self.expected[known]),
            learning_rate=self.optimizer.param_groups[0]["lr"],
            trials=float((~np.isnan(self.gains)).sum()) / self.expected.size,
            departures=len(own) / self.expected.size,
            gain=float(own.mean()) / self.config.reward.scale if len(own) else 0.0,
        )


def _check(config: Config) -> None:
    """Raise ConfigError if the configuration has a setting that this trainer does not support."""
    player = config.trials.player
    if config.network.advice != player or PAST in config.pool.players:
        raise ConfigError(
            f"{config.name}: with the trainer 'aggrevate' the network is advised by the player of the trials, and no "
            f"past selves play: set network.advice to {player!r} (now {config.network.advice!r}) and leave {PAST!r} "
            f"out of pool.players (now {', '.join(config.pool.players)})"
        )
    if config.imitation.decisions:
        raise ConfigError(
            f"{config.name}: imitation is for the trainer 'fast'; with 'aggrevate' set imitation.decisions to 0"
        )
