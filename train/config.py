"""The configuration of a run: one frozen value that holds every setting, also as JSON.

A run writes its configuration into its folder and into every agent that it makes; `from_json` reads it. `with_`
changes single values by their path, as `--set optimizer.learning_rate=3e-4` does. Recipes are in `train/recipes`.
"""

from __future__ import annotations

import dataclasses
import json
import types
import typing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeVar

from banakil_env.agents import KINDS
from banakil_env.agents.model import Shape
from banakil_env.arena.options import TableOptions
from banakil_env.arena.players import OLD_KINDS
from banakil_env.arena.seeds import FIRST_HELD_OUT
from banakil_env.core.files import parse_json
from banakil_env.core.game import REWARDS, Game

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

SELF, PAST = "self", "past"
TRAINERS = ("aggrevate", "fast", "sb3")
RENAMED = {"optimiser": "optimizer"}  # groups that earlier releases wrote under another name
RETIRED = ("critic",)  # groups in configurations of earlier releases that no current trainer uses

# Constants of all runs.
UNITS = 30.0  # standard deviation of the margin of a deal between `greedy` players
REWARD_SCALE = 1 / 50  # factor applied to the reward, in units; brings returns to roughly [-1, 1]
GAMMA = 1.0  # the only reward comes at the end of the episode
CLIP = 0.2  # bound on the change of the probability ratio in PPO
MAX_GRAD_NORM = 0.5
IMITATED_SHARE = 0.5  # share of the tables of imitation at which the imitated player's own actions are carried out
IMITATION_RATE = 1e-3  # the learning rate of imitation at its start; it falls linearly to a tenth
SEED_SET = "tuning-v1"  # deals of the learning curve, which training never uses

DEALS = "deals"  # the switch of rules with the number of rounds in a match
MOST_AT_ONCE = 2**23  # decisions in a rollout; each takes about a kilobyte of memory
MANY = 10**12  # more decisions than any run makes


AnyConfig = TypeVar("AnyConfig", bound="DataclassInstance")


class ConfigError(ValueError):
    """A configuration has an unknown name or an invalid value."""


def _check_numbers(group: Any, path: str, **bounds: tuple[float, float]) -> None:
    """Raise ConfigError if a field is neither None nor a number within its bounds. NaN is out of bounds."""
    for name, (least, most) in bounds.items():
        value = getattr(group, name)
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
            raise ConfigError(f"{path}{name} must be a number from {least:g} to {most:g}, not {value!r:.80}")


def _check_player(path: str, player: str, known: Sequence[str], trained: bool = False) -> None:
    """Raise ConfigError for an unknown player, or for a trained one unless `trained` is set.

    Whether a trained player can be loaded is checked when the run starts.
    """
    kind, _, argument = player.partition(":")
    if player in known or (trained and argument and (kind in KINDS or kind in OLD_KINDS) and kind != "human"):
        return
    networks = ", net:PATH" if trained else ""
    raise ConfigError(f"{path}: there is no {player!r:.80}; there are {', '.join(known)}{networks}")


@dataclass(frozen=True)
class Pool:
    """The players at the other seats, drawn for every seat in every episode.

    Attributes:
        players: rule-based players and trained ones such as `net:PATH`; a player that is listed twice is drawn twice as
            often. `past` stands for a past self. `self` (not with the trainer `sb3`) stands for tables where the
            learner plays every seat and learns from it: if it is two of four names, half of the tables are such tables.
        every: the number of decisions between two past selves that are kept; the first is the untrained network.
        size: the number of past selves kept. If there are more, those are dropped whose removal leaves the others most
            evenly spaced.
    """

    players: tuple[str, ...] = ("greedy",)
    every: int = 200_000
    size: int = 8

    def __post_init__(self) -> None:
        if not self.players:
            raise ConfigError("pool.players: name one player or more")
        _check_numbers(self, "pool.", every=(1, MANY), size=(1, 1000))


@dataclass(frozen=True)
class Reward:
    """The learner's reward and its scale.

    Attributes:
        kind: margin, points or win, as in the environments.
        unit: the number of points that count as one. The settings of all trainers are chosen for Banakil, where the
            margin of a deal between `greedy` players has a standard deviation of `UNITS`. A table where it is twice as
            large has a unit of 2. None: measured when the run begins (`train.begin.unit_of`).
    """

    kind: str = "margin"
    unit: float | None = None

    @property
    def scale(self) -> float:
        """Factor applied to rewards; brings returns to roughly [-1, 1].

        Raises ConfigError if the unit is not known yet.
        """
        if self.unit is None:
            raise ConfigError("reward.unit is measured when a run begins, by train.begin.make_run: begin the run there")
        return REWARD_SCALE / self.unit

    def __post_init__(self) -> None:
        _check_numbers(self, "reward.", unit=(1e-3, 1e6))
        if self.kind not in REWARDS:
            raise ConfigError(f"reward.kind must be one of {', '.join(REWARDS)}, not {self.kind!r:.80}")


@dataclass(frozen=True)
class Rollouts:
    """The decisions between two updates: `tables` times `steps` of them. All trainers use this.

    Attributes:
        tables: the number of tables that are played at once.
        steps: the number of decisions at each of them.
    """

    tables: int = 64
    steps: int = 128

    def __post_init__(self) -> None:
        _check_numbers(self, "rollout.", tables=(1, 2**16), steps=(1, 2**16))
        if self.tables * self.steps > MOST_AT_ONCE:
            raise ConfigError(
                f"rollout.tables times rollout.steps must be at most {MOST_AT_ONCE:,}, so that memory holds them"
            )


@dataclass(frozen=True)
class Optimizer:
    """The settings of Adam, with which every trainer learns from a rollout.

    Attributes:
        batch: the number of decisions in one step of Adam.
        epochs: the number of passes over a rollout.
        learning_rate: at the start; it falls linearly to `final_rate` times this value at the end of the run.
        average: for all trainers but `sb3`: the agent's weights are a moving average, to which each step adds 1 -
            average of the current weights. 0: the agent has the last weights.
        value_weight: the weight of the value loss in the sum of losses.
    """

    batch: int = 1024
    epochs: int = 2
    learning_rate: float = 1.5e-3
    final_rate: float = 0.1
    average: float = 0.0
    value_weight: float = 0.5

    def __post_init__(self) -> None:
        _check_numbers(
            self,
            "optimizer.",
            batch=(1, MOST_AT_ONCE),
            epochs=(1, 1000),
            learning_rate=(1e-9, 1),
            final_rate=(0, 1),
            average=(0, 1 - 1e-6),
            value_weight=(0, 1000),
        )


@dataclass(frozen=True)
class PPO:
    """Settings of PPO only, for the trainers `fast` and `sb3`.

    Attributes:
        gae_lambda: lambda of generalized advantage estimation.
        entropy: the weight of the entropy bonus.
    """

    gae_lambda: float = 0.95
    entropy: float = 0.001

    def __post_init__(self) -> None:
        _check_numbers(self, "ppo.", gae_lambda=(0, 1), entropy=(0, 10))


@dataclass(frozen=True)
class Imitation:
    """Imitation before PPO: the learner learns the moves of a rule-based player, and to predict the outcome.

    Attributes:
        player: the rule-based player that is imitated.
        decisions: the number of decisions to imitate; 0 for no imitation.
    """

    player: str = "expert"
    decisions: int = 0

    def __post_init__(self) -> None:
        _check_numbers(self, "imitation.", decisions=(0, MANY))


@dataclass(frozen=True)
class Trials:
    """The trials of the trainer `aggrevate`; `aggrevate.py` explains the terms.

    Attributes:
        player: the adviser, one of `settled_players`. It must also be the network's `advice`.
        margin: how much better than the advised action another action must be, in units of the reward; it is subtracted
            from each gain.
        others: the number of actions drawn at each decision, to be tried in addition to the learner's pick. An action
            that is drawn again is tried once.
        heat: actions are drawn by the logits divided by this number. With a larger number, more actions that look worse
            are tried.
        orders: the number of random orders of the stock over which outcomes are averaged; 0 for the actual order.
        rules: switches such as `line_bonus=12`, for tables of matches. They are set in playouts, and the match ends
            with its round, or, if scores are level then, with the first round after which they are not. The switches
            should express what a round is worth to the match, since the outcome of the match depends little on one
            move. The adviser must play the same by both rules. None: playouts go on to the end of the match.
    """

    player: str = "expert"
    margin: float = 0.0
    others: int = 1
    heat: float = 1.0
    orders: int = 0
    rules: str | None = None

    def __post_init__(self) -> None:
        _check_numbers(self, "trials.", margin=(0, 1000), others=(0, 100), heat=(1e-3, 1000), orders=(0, 1000))


@dataclass(frozen=True)
class Evaluation:
    """The measurement of the learning curve: the likeliest actions against other players, on duplicate deals.

    Attributes:
        opponents: the other players.
        times: the number of evaluations during the run, evenly spread over it, in addition to the start and the end.
        deals: the number of deals, the same ones every time, each played from every seat.
    """

    times: int = 12
    deals: int = 100
    opponents: tuple[str, ...] = ("greedy",)

    def __post_init__(self) -> None:
        if not self.opponents:
            raise ConfigError("evaluation.opponents: name one player or more")
        _check_numbers(self, "evaluation.", times=(0, 100_000), deals=(1, 10**6))


@dataclass(frozen=True)
class Config:
    """The configuration of a run.

    Attributes:
        trainer: one of TRAINERS.
        table: the game and its options.
        variants: rules from which each training episode draws, all equally likely; empty for the rules of `table`. The
            run is always evaluated by the rules of `table`.
        begin_from: the file or folder of an agent whose weights the learner starts with; None for random weights. The
            agent's network must have the hidden, channels, offers and takes of `network`; if `network` has `sets`,
            `rests` and `cards`, it can lack them.
        seconds: wall time, including evaluations, after which the run ends; None for no limit.
        steps: decisions of the learner after which the run ends, rounded up to whole rollouts; None for no limit.
        seed: the seed of the weights, the learner's dice, and the deals: table i is dealt from seed + i, below 2**63.
            The seeds of workers are derived from it.
        threads: the number of threads of PyTorch, and of the compiled loops of the trainers `fast` and `aggrevate`.
        device: a device name of PyTorch, or "auto".
        workers: the number of processes that play for the learner, for the trainer `aggrevate`; 0: the learner plays
            itself.
        precision: for all trainers but `sb3`: "float32", "bfloat16" (if the processor multiplies such matrices), or
            "auto".
    """

    name: str
    trainer: str = "fast"
    table: TableOptions = field(default_factory=TableOptions)
    variants: tuple[str, ...] = ()
    pool: Pool = field(default_factory=Pool)
    reward: Reward = field(default_factory=Reward)
    network: Shape = field(default_factory=Shape)
    rollout: Rollouts = field(default_factory=Rollouts)
    optimizer: Optimizer = field(default_factory=Optimizer)
    ppo: PPO = field(default_factory=PPO)
    imitation: Imitation = field(default_factory=Imitation)
    trials: Trials = field(default_factory=Trials)
    evaluation: Evaluation = field(default_factory=Evaluation)
    seconds: float | None = None
    steps: int | None = None
    checkpoint_seconds: float = 60.0
    seed: int = 0
    threads: int = 2
    device: str = "auto"
    precision: str = "auto"
    begin_from: str | None = None
    workers: int = 0

    def __post_init__(self) -> None:
        if self.seconds is None and self.steps is None:
            raise ConfigError("a run needs an end: seconds, steps, or both")
        _check_numbers(
            self,
            "",
            seconds=(1e-3, 1e9),
            steps=(1, MANY),
            checkpoint_seconds=(0, 1e9),
            threads=(1, 1024),
            workers=(0, 1024),
        )
        if not 0 <= self.seed < FIRST_HELD_OUT:
            raise ConfigError(f"seed must lie below the held-out seeds, from 0 to 2**63 - 1, not {self.seed!r:.80}")
        if self.trainer not in TRAINERS:
            raise ConfigError(f"trainer must be one of {', '.join(TRAINERS)}, not {self.trainer!r:.80}")
        self._check_game()
        if self.workers and self.trainer != "aggrevate":
            raise ConfigError(f"workers are for the trainer 'aggrevate'; with {self.trainer!r} set workers to 0")
        if self.precision not in ("auto", "float32", "bfloat16"):
            raise ConfigError(f"precision must be auto, float32 or bfloat16, not {self.precision!r:.80}")

    def _check_game(self) -> None:
        """Raise ConfigError if a player or the shape of the network does not fit the game."""
        game = self.game
        for rules in self.variants:
            try:
                dataclasses.replace(self.table, rules=rules)
            except ValueError as error:
                raise ConfigError(f"variants: {error}") from None
        for player in self.pool.players:
            _check_player("pool.players", player, (*game.players, PAST, SELF), trained=True)
        for player in self.evaluation.opponents:
            _check_player("evaluation.opponents", player, tuple(game.players), trained=True)
        if self.imitation.decisions:
            _check_player("imitation.player", self.imitation.player, tuple(game.players))
        if self.trainer == "aggrevate":
            _check_player("trials.player", self.trials.player, game.settled_players)
            _ = self.switches_of_trials  # raises ConfigError if they do not fit
        try:
            self.network.check(game)
        except ValueError as error:
            raise ConfigError(f"network: {error}") from None

    @cached_property
    def switches_of_trials(self) -> dict[str, Any]:
        """The switches in `trials.rules`, as values of rules records.

        Raises ConfigError if they do not fit the table.
        """
        if self.trials.rules is None:
            return {}
        names = [switch.partition("=")[0] for switch in self.trials.rules.split()]
        try:
            table = dataclasses.replace(self.table, rules=f"{self.table.rules} {self.trials.rules}")
        except ValueError as error:
            raise ConfigError(f"trials.rules: {error}") from None
        rules = table.found.new(**table.options)[0]["rules"]
        known = set(rules.dtype.names)
        if table.episode != "match" or DEALS not in known or not set(names) <= known - {DEALS}:
            raise ConfigError(
                f"trials.rules are switches other than {DEALS!r}, for matches of a game whose rules have that switch, "
                f"not {self.trials.rules!r:.80} for {table.game} with the episode {table.episode!r}; without them "
                "playouts go on to the end of the match"
            )
        return {name: rules[name] for name in names}

    @property
    def game(self) -> Game:
        """The game of the table."""
        return self.table.found

    @property
    def learned_at(self) -> dict[str, Any]:
        """The options of the training tables, in the form that environments take."""
        return self.table.options | ({"rules": list(self.variants)} if self.variants else {})

    def to_json(self) -> str:
        """The whole configuration as JSON."""
        return json.dumps(dataclasses.asdict(self), indent=2) + "\n"


def from_json(text: str) -> Config:
    """Read a configuration that `to_json` wrote. Raises ConfigError if the text is not a configuration."""
    try:
        said = parse_json(text, finite=False)
    except ValueError as error:
        raise ConfigError(f"the configuration is not valid JSON: {error}") from None
    return from_dict(said)


def from_dict(said: Any) -> Config:
    """Read a configuration from the result of `dataclasses.asdict`. Raises ConfigError if it is not a configuration.

    Of the groups that earlier releases wrote, those in RETIRED are left out and those in RENAMED are read under their
    new name, since agents of the zoo still have them.
    """
    if isinstance(said, dict):
        said = {RENAMED.get(name, name): value for name, value in said.items() if name not in RETIRED}
    made: Config = made_of(Config, said, "configuration")
    return made


def with_(config: AnyConfig, changes: Mapping[str, Any]) -> AnyConfig:
    """The configuration with some values changed.

    Args:
        config: a `Config`, or another dataclass of settings such as `ppo.Config`.
        changes: new JSON values by path, such as `{"optimizer.batch": 512, "seconds": 60}`.
    """
    said = json.loads(json.dumps(dataclasses.asdict(config)))
    for path, value in changes.items():
        *groups, name = path.split(".")
        groups = [RENAMED.get(group, group) for group in groups]
        inner = said
        for group in groups:
            inner = inner.get(group) if isinstance(inner, dict) else None
        if not isinstance(inner, dict) or name not in inner:
            raise ConfigError(f"there is no {path!r:.80} in a configuration; at the top are {', '.join(said)}")
        inner[name] = value
    changed: AnyConfig = made_of(type(config), said, "configuration")
    return changed


def made_of(kind: Any, said: Any, path: str) -> Any:
    """Make a value of type `kind` from JSON. Raises ConfigError for unknown fields or values of other types."""
    if isinstance(kind, type) and dataclasses.is_dataclass(kind):
        if not isinstance(said, dict):
            raise ConfigError(f"{path} must be an object, not {said!r:.80}")
        hints = typing.get_type_hints(kind)
        unknown = sorted(said.keys() - hints.keys())
        if unknown:
            raise ConfigError(f"{path} has no {', '.join(unknown):.200}; it has {', '.join(hints)}")
        try:
            return kind(**{name: made_of(hints[name], value, f"{path}.{name}") for name, value in said.items()})
        except ConfigError:
            raise
        except (TypeError, ValueError) as error:
            raise ConfigError(f"{path}: {error}") from error
    if typing.get_origin(kind) in (tuple, list):
        if not isinstance(said, (list, tuple)):
            raise ConfigError(f"{path} must be a list, not {said!r:.80}")
        return typing.get_origin(kind)(made_of(typing.get_args(kind)[0], value, path) for value in said)
    allowed = typing.get_args(kind) if isinstance(kind, types.UnionType) else (kind,)
    if isinstance(said, int) and not isinstance(said, bool) and float in allowed and int not in allowed:
        try:
            return float(said)
        except OverflowError:
            raise ConfigError(f"{path} must be a number that a float holds, not {said!r:.80}") from None
    if type(said) not in allowed:
        names = " or ".join(getattr(one, "__name__", str(one)) for one in allowed)
        raise ConfigError(f"{path} must be {names}, not {said!r:.80}")
    return said
