"""The configuration of a run: one frozen value that holds every choice, and the same as JSON.

A run writes its configuration into its folder and into every agent that it makes; `from_json` reads it back. `with_`
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
RENAMED = {"optimiser": "optimizer"}  # groups that earlier releases wrote by another name
RETIRED = ("critic",)  # groups in the configurations of earlier releases, which say nothing of the trainers of this one

# Constants of all runs.
UNITS = 30.0  # standard deviation of the margin of a deal between `greedy` players
REWARD_SCALE = 1 / 50  # factor applied to the reward, in units; brings returns to roughly [-1, 1]
GAMMA = 1.0  # the one reward comes at the end of the episode
CLIP = 0.2  # of PPO's ratio
MAX_GRAD_NORM = 0.5
IMITATED_SHARE = 0.5  # share of the tables of imitation at which the imitated player's own actions are carried out
IMITATION_RATE = 1e-3  # the learning rate of imitation at its start; it falls in a line to a tenth
SEED_SET = "tuning-v1"  # deals of the learning curve; training never sees them

DEALS = "deals"  # the switch of rules that says how many rounds a match has
MOST_AT_ONCE = 2**23  # decisions of a rollout; each takes about a kilobyte of memory
MANY = 10**12  # more decisions than any run makes


AnyConfig = TypeVar("AnyConfig", bound="DataclassInstance")


class ConfigError(ValueError):
    """A configuration has an unknown name or an invalid value."""


def _check_numbers(group: Any, path: str, **bounds: tuple[float, float]) -> None:
    """ConfigError: a field is not a number within its bounds; NaN never is. None is accepted."""
    for name, (least, most) in bounds.items():
        value = getattr(group, name)
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
            raise ConfigError(f"{path}{name} must be a number from {least:g} to {most:g}, not {value!r:.80}")


def _check_player(path: str, player: str, known: Sequence[str], trained: bool = False) -> None:
    """ConfigError: an unknown player; or a trained one if these are not allowed here.

    The run itself finds out whether a trained player can be loaded.
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
        players: rule-based players, each as often as it is named, and trained ones such as `net:PATH`; `past` stands
            for a past self. `self` (not with the trainer `sb3`) stands for tables whose every seat the learner plays,
            and learns from: two of four names mean half of the tables.
        every: decisions between two past selves that are kept; the first is the untrained one.
        size: past selves kept; when there are more, those are dropped that leave the others most evenly spread.
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
        kind: as in the environments: margin, points, win.
        unit: points that count as one. All numbers of a trainer are meant for Banakil, where the margin of a deal
            between `greedy` players has a standard deviation of `UNITS`: a table where it is twice as large has a unit
            of 2. None: measured when the run begins (`train.begin.unit_of`).
    """

    kind: str = "margin"
    unit: float | None = None

    @property
    def scale(self) -> float:
        """Factor applied to rewards; brings returns to roughly [-1, 1]. ConfigError: the unit is not known yet."""
        if self.unit is None:
            raise ConfigError("reward.unit is measured when a run begins, by train.begin.make_run: begin the run there")
        return REWARD_SCALE / self.unit

    def __post_init__(self) -> None:
        _check_numbers(self, "reward.", unit=(1e-3, 1e6))
        if self.kind not in REWARDS:
            raise ConfigError(f"reward.kind must be one of {', '.join(REWARDS)}, not {self.kind!r:.80}")


@dataclass(frozen=True)
class Rollouts:
    """The decisions between two updates, for every trainer: `tables` times `steps` of them.

    Attributes:
        tables: number of tables that are played at once. steps: decisions at each of them.
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
        batch: decisions of one step of Adam. epochs: passes over a rollout.
        learning_rate: at the start; it falls linearly to `final_rate` times that at the end of the budget.
        average: of all but `sb3`: the agent's weights are a moving average; each step adds 1 - average of the
            present weights. 0: the last weights.
        value_weight: of the loss of the value, in the sum of losses.
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
    """The numbers that only PPO has, of the trainers `fast` and `sb3`.

    Attributes:
        gae_lambda: of generalised advantage estimation. entropy: weight of the entropy bonus.
    """

    gae_lambda: float = 0.95
    entropy: float = 0.001

    def __post_init__(self) -> None:
        _check_numbers(self, "ppo.", gae_lambda=(0, 1), entropy=(0, 10))


@dataclass(frozen=True)
class Imitation:
    """Imitation before PPO: the learner learns the moves of a rule-based player, and to predict the outcome.

    Attributes:
        player: the compiled player that is imitated.
        decisions: the number of decisions to imitate; 0: no imitation.
    """

    player: str = "expert"
    decisions: int = 0

    def __post_init__(self) -> None:
        _check_numbers(self, "imitation.", decisions=(0, MANY))


@dataclass(frozen=True)
class Trials:
    """The trials of the trainer `aggrevate`; `aggrevate.py` explains the terms.

    Attributes:
        player: the adviser, of `settled_players`: it is the network's `advice`, too.
        margin: units of the reward by which an action must be better than the advised one; it is subtracted from each
            gain.
        others: number of actions drawn at each decision, to be tried in addition to the learner's pick; one that is
            drawn again is tried once.
        heat: they are drawn by the logits divided by this number: with a greater one, more actions that look worse are
            tried.
        orders: number of random orders of the stock over which outcomes are averaged; 0: the stock as it is.
        rules: switches such as `line_bonus=12`, for tables of matches. In playouts they are set so, and the match ends
            with its round; if scores are level then, it goes on until they are not. They should say what a round is
            worth to the match, whose outcome tells hardly anything about one move, and the adviser has to play alike
            by both rules. None: playouts go on to the end of the match.
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
        times: number of evaluations during the run, evenly spread over its budget, in addition to the start and the
            end.
        deals: the same ones every time, each played from every seat.
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
    """A run.

    Attributes:
        trainer: one of TRAINERS.
        table: the game and its options.
        variants: rules that each episode of training draws from, each as likely as the others; none: those of `table`.
            The run is measured by those of `table` in any case.
        begin_from: the file or folder of an agent whose weights the learner begins with, of the hidden, channels,
            offers and takes of `network`, with or without `sets`, `rests` and `cards` if `network` has them; None: with
            random weights.
        seconds: of wall time, evaluations included, after which the run ends; None: no such bound.
        steps: decisions of the learner after which the run ends, rounded up to whole rollouts; None: no such bound.
        seed: of the weights, the learner's dice, and the deals: table i is dealt from it plus i, below 2**63.
            Workers have seeds of their own, derived from it.
        threads: of PyTorch, and of the compiled loops of the trainers `fast` and `aggrevate`.
        device: a name of PyTorch's, or "auto".
        workers: processes that play for the learner, of the trainer `aggrevate`; 0: the learner plays itself.
        precision: of all but `sb3`: float32; bfloat16, if the processor multiplies matrices of it; auto.
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
        """ConfigError: a player or the shape of the network does not fit the game."""
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
            _ = self.switches_of_trials  # it refuses what does not fit
        try:
            self.network.check(game)
        except ValueError as error:
            raise ConfigError(f"network: {error}") from None

    @cached_property
    def switches_of_trials(self) -> dict[str, Any]:
        """What `trials.rules` sets, as records of rules hold it. ConfigError: the switches do not fit the table."""
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
        """The options of the tables that are learned from, as environments take them."""
        return self.table.options | ({"rules": list(self.variants)} if self.variants else {})

    def to_json(self) -> str:
        """The whole configuration as text."""
        return json.dumps(dataclasses.asdict(self), indent=2) + "\n"


def from_json(text: str) -> Config:
    """The configuration that `to_json` wrote. ConfigError: the text is not a configuration."""
    try:
        said = parse_json(text, finite=False)
    except ValueError as error:
        raise ConfigError(f"the configuration is not valid JSON: {error}") from None
    return from_dict(said)


def from_dict(said: Any) -> Config:
    """The configuration that `dataclasses.asdict` gave. ConfigError: the value is not a configuration.

    Of the groups that earlier releases wrote, those in RETIRED are left out and those in RENAMED are read by their new
    name: agents of the zoo still have them.
    """
    if isinstance(said, dict):
        said = {RENAMED.get(name, name): value for name, value in said.items() if name not in RETIRED}
    made: Config = made_of(Config, said, "configuration")
    return made


def with_(config: AnyConfig, changes: Mapping[str, Any]) -> AnyConfig:
    """The configuration with some values changed: a `Config`, or another dataclass of settings such as `ppo.Config`.

    Args:
        changes: by path, such as `{"optimizer.batch": 512, "seconds": 60}`; values are those of JSON.
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
    """A value of a type from JSON. ConfigError: unknown fields, or values of other types."""
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
