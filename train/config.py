"""What is a run? One frozen value that holds every choice, the recipes by their names, and both as JSON.

A run writes its configuration into its folder and into every agent that it makes; `from_json` reads it back. `with_`
changes single values by their path, as `--set ppo.learning_rate=3e-4` does.
"""

from __future__ import annotations

import dataclasses
import json
import types
import typing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from banakil_env.agents import KINDS
from banakil_env.agents.metadata import parsed
from banakil_env.agents.model import Shape
from banakil_env.arena.options import TableOptions
from banakil_env.arena.seeds import FIRST_HELD_OUT
from banakil_env.core.game import REWARDS, Game, Table
from banakil_env.games import GAMES, find

SELF, PAST = "self", "past"
TRAINERS = ("aggrevate", "fast", "sb3")

# What all runs have in common.
REWARD_SCALE = 1 / 50  # factor applied to the reward, in units; brings returns to roughly [-1, 1]
GAMMA = 1.0  # the one reward comes at the end of the episode
CLIP = 0.2  # of PPO's ratio
MAX_GRAD_NORM = 0.5
IMITATED_SHARE = 0.5  # of the tables of imitation, where the imitated player's own actions are carried out
IMITATION_RATE = 1e-3  # the learning rate of imitation at its start; it falls in a line to a tenth
SEED_SET = "tuning-v1"  # deals of the learning curve; training never sees them

MOST_AT_ONCE = 2**23  # decisions of a rollout; each takes about a kilobyte of memory
MANY = 10**12  # more decisions than any run makes

# Options that were removed, and the value that each now always has: agents that were trained with it are still read.
REMOVED = {
    "reward.scale": REWARD_SCALE,
    "ppo.gamma": GAMMA,
    "ppo.clip": CLIP,
    "ppo.max_grad_norm": MAX_GRAD_NORM,
    "imitation.share": IMITATED_SHARE,
    "imitation.learning_rate": IMITATION_RATE,
    "evaluation.seed_set": SEED_SET,
    "critic": "seen",
    "ppo.entropy_target": None,
    "trials.others": 1,
    "trials.unit": 1.0,
    "trials.blind": 0,
}


class ConfigError(ValueError):
    """A configuration that names or says what does not exist."""


def _check_numbers(group: Any, path: str, **bounds: tuple[float, float]) -> None:
    """ConfigError: a field is no number from the lowest to the highest that it may be; NaN never is. None passes."""
    for name, (least, most) in bounds.items():
        value = getattr(group, name)
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not least <= value <= most:
            raise ConfigError(f"{path}{name} must be a number from {least:g} to {most:g}, not {value!r:.80}")


def settled_players(game: Game) -> tuple[str, ...]:
    """The compiled players of a game that throw no dice: all but `random`."""
    return tuple(player for player in game.players if player != "random")


def strongest_player(game: Game) -> str:
    """The compiled player of a game that is listed last: the strongest."""
    return settled_players(game)[-1]


def _check_player(path: str, player: str, known: Sequence[str], trained: bool = False) -> None:
    """ConfigError: a player is none of those known, and no trained one where these may be named.

    Whether a trained player can be had, a run finds out.
    """
    kind, _, argument = player.partition(":")
    if player in known or (trained and argument and kind in KINDS and kind != "human"):
        return
    beside = ", ppo:PATH" if trained else ""
    raise ConfigError(f"{path}: there is no {player!r:.80}; there are {', '.join(known)}{beside}")


@dataclass(frozen=True)
class Pool:
    """Who sits on the other seats: drawn anew for every seat in every episode.

    Attributes:
        players: rule-based players, each as often as it is named, and trained ones such as `ppo:PATH`; `past` stands
            for a past self. `self` (with the trainer `fast` only) stands for tables whose every seat the learner plays,
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
    """What is learned from.

    Attributes:
        kind: the environments' kinds: margin, points, win.
        unit: points that count as one. Every number of a run is meant for Banakil, where the margins of deals deviate
            by 34 points: a game whose margins deviate by twice as much wants a unit of 2.
    """

    kind: str = "margin"
    unit: float = 1.0

    @property
    def scale(self) -> float:
        """The factor that is applied to rewards."""
        return REWARD_SCALE / self.unit

    def __post_init__(self) -> None:
        _check_numbers(self, "reward.", unit=(1e-3, 1e6))
        if self.kind not in REWARDS:
            raise ConfigError(f"reward.kind must be one of {', '.join(REWARDS)}, not {self.kind!r:.80}")


@dataclass(frozen=True)
class PPO:
    """The numbers of PPO. One rollout is `tables` x `steps` decisions.

    Attributes:
        final_rate: the learning rate falls in a line from `learning_rate` to this part of it.
        entropy: the bonus for it.
        average: of `fast` and `aggrevate`: the agent is an average of the weights, to which every update adds a part of
            1 - average; 0: the last weights.
    """

    tables: int = 64
    steps: int = 128
    batch: int = 1024
    epochs: int = 2
    learning_rate: float = 1.5e-3
    final_rate: float = 0.1
    gae_lambda: float = 0.95
    entropy: float = 0.001
    average: float = 0.0
    value: float = 0.5

    def __post_init__(self) -> None:
        _check_numbers(
            self,
            "ppo.",
            tables=(1, 2**16),
            steps=(1, 2**16),
            batch=(1, MOST_AT_ONCE),
            epochs=(1, 1000),
            learning_rate=(1e-9, 1),
            final_rate=(0, 1),
            gae_lambda=(0, 1),
            entropy=(0, 10),
            average=(0, 1 - 1e-6),
            value=(0, 1000),
        )
        if self.tables * self.steps > MOST_AT_ONCE:
            raise ConfigError(f"ppo.tables times ppo.steps must be at most {MOST_AT_ONCE:,}, so that memory holds them")


@dataclass(frozen=True)
class Imitation:
    """What comes before PPO: the learner learns to do what a rule-based player would, and to foresee the outcome.

    Attributes:
        player: the compiled player that is imitated.
        decisions: for so many; 0: not at all.
    """

    player: str = "expert"
    decisions: int = 0

    def __post_init__(self) -> None:
        _check_numbers(self, "imitation.", decisions=(0, MANY))


@dataclass(frozen=True)
class Trials:
    """What the trainer `aggrevate` tries beside what it does; `aggrevate.py` says what the words mean.

    Attributes:
        player: the adviser, of `settled_players`: it is the network's `advice`, too.
        margin: units of the reward by which an action must be better than the advised one: each gain counts so much
            less.
        heat: the action beside the learner's is drawn by the logits divided by this: the greater, the more that look
            worse are tried.
    """

    player: str = "expert"
    margin: float = 0.0
    heat: float = 1.0

    def __post_init__(self) -> None:
        _check_numbers(self, "trials.", margin=(0, 1000), heat=(1e-3, 1000))


@dataclass(frozen=True)
class Evaluation:
    """How the learning curve is measured: the likeliest actions against other players, on duplicate deals.

    Attributes:
        times: how often during the run, evenly spread over its budget, beside the start and the end.
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
        begin_from: the file or folder of an agent whose weights the learner begins with, of the hidden and channels
            of `network`; None: with weights by chance.
        seconds: of wall time, evaluations included, when the run ends; None: no such bound.
        steps: decisions of the learner when it ends, rounded up to whole rollouts; None: no such bound.
        seed: of the weights, the learner's dice, and the deals: table i is dealt from it plus i, below 2**63.
        threads: of PyTorch.
        device: as PyTorch names it, or "auto".
        precision: of the trainer `fast`: float32; bfloat16, where the processor multiplies matrices of it; auto.
    """

    name: str
    trainer: str = "fast"
    table: TableOptions = field(default_factory=TableOptions)
    pool: Pool = field(default_factory=Pool)
    reward: Reward = field(default_factory=Reward)
    network: Shape = field(default_factory=Shape)
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

    def __post_init__(self) -> None:
        if self.seconds is None and self.steps is None:
            raise ConfigError("a run needs an end: seconds, steps, or both")
        _check_numbers(self, "", seconds=(1e-3, 1e9), steps=(1, MANY), checkpoint_seconds=(0, 1e9), threads=(1, 1024))
        if not 0 <= self.seed <= FIRST_HELD_OUT - 2**32:
            raise ConfigError(f"seed must lie below the held-out seeds, from 0 to 2**63 - 2**32, not {self.seed!r:.80}")
        if self.trainer not in TRAINERS:
            raise ConfigError(f"trainer must be one of {', '.join(TRAINERS)}, not {self.trainer!r:.80}")
        self._check_game()
        if self.precision not in ("auto", "float32", "bfloat16"):
            raise ConfigError(f"precision must be auto, float32 or bfloat16, not {self.precision!r:.80}")

    def _check_game(self) -> None:
        """ConfigError: a player or the shape of the network is none of the game's."""
        game = self.game
        for player in self.pool.players:
            _check_player("pool.players", player, (*game.players, PAST, SELF), trained=True)
        for player in self.evaluation.opponents:
            _check_player("evaluation.opponents", player, tuple(game.players), trained=True)
        if self.imitation.decisions:
            _check_player("imitation.player", self.imitation.player, tuple(game.players))
        if self.trainer == "aggrevate":
            _check_player("trials.player", self.trials.player, settled_players(game))
        try:
            self.network.check(game)
        except ValueError as error:
            raise ConfigError(f"network: {error}") from None

    @property
    def game(self) -> Game:
        """The game of the table."""
        return self.table.found

    def to_json(self) -> str:
        """The whole configuration as text."""
        return json.dumps(dataclasses.asdict(self), indent=2) + "\n"


def from_json(text: str) -> Config:
    """The configuration that `to_json` wrote. ConfigError: it is none."""
    try:
        said = parsed(text)
    except ValueError as error:
        raise ConfigError(f"the configuration is no JSON: {error}") from None
    return from_dict(said)


def from_dict(said: Any) -> Config:
    """The configuration that `dataclasses.asdict` gave. ConfigError: it is none."""
    made: Config = made_of(Config, _without_removed(said), "configuration")
    return made


def _without_removed(said: Any) -> Any:
    """The same without the options that were removed. ConfigError: one has another value than it now always has."""
    for path, value in REMOVED.items():
        *groups, name = path.split(".")
        group = said.get(groups[0]) if groups and isinstance(said, dict) else said
        if not isinstance(group, dict) or name not in group:
            continue
        if group[name] != value:
            raise ConfigError(f"{path} is no option any more: it is {value!r:.80}, not {group[name]!r:.80}")
        less = {other: group[other] for other in group if other != name}
        said = {**said, groups[0]: less} if groups else less
    return said


def with_(config: Config, changes: Mapping[str, Any]) -> Config:
    """The configuration with some values changed.

    Args:
        changes: by path, such as `{"ppo.batch": 512, "seconds": 60}`; values are those of JSON.
    """
    said = json.loads(config.to_json())
    for path, value in changes.items():
        *groups, name = path.split(".")
        inner = said
        for group in groups:
            inner = inner.get(group) if isinstance(inner, dict) else None
        if not isinstance(inner, dict) or name not in inner:
            raise ConfigError(f"there is no {path!r:.80} in a configuration; at the top are {', '.join(said)}")
        inner[name] = value
    return from_dict(said)


def made_of(kind: Any, said: Any, path: str) -> Any:
    """A value of a type from JSON. ConfigError: it has other fields, or values of other types."""
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


# What the agents of the zoo have in common. Many small steps, over each decision once: what an action brings is known
# to 24 points from one trial, and differs by one or two.
_TRIALS = PPO(
    tables=1024,
    steps=64,
    batch=256,
    epochs=1,
    learning_rate=3e-3,
    final_rate=0.02,
    average=0.999,
)
# Where the others begin: what near cards are worth is much the same at every table.
_FIRST_AGENT = "agents/zoo/banakil-2p"


def _by_trials(
    name: str,
    table: TableOptions,
    begin_from: str | None = _FIRST_AGENT,
    minutes: float = 23,
    trials: tuple[float, float] = (0.5, 3.0),
    unit: float = 1.0,
) -> Config:
    """AggreVaTe beside the game's strongest player, with one thread, so that two cores train two agents at once."""
    adviser = strongest_player(table.found)
    return Config(
        name,
        trainer="aggrevate",
        table=table,
        pool=Pool((SELF,)),
        reward=Reward(unit=unit),
        network=Shape((64, 64), advice=adviser, channels=32 if table.found.features.faces else None),
        ppo=_TRIALS,
        trials=Trials(adviser, margin=trials[0], heat=trials[1]),
        evaluation=Evaluation(times=6, deals=1000, opponents=settled_players(table.found)),
        seconds=60.0 * minutes,
        threads=1,
        begin_from=begin_from,
    )


def by_imitation(name: str, table: TableOptions, seconds: float = 600.0) -> Config:
    """The recipe for the tables of any game that have none of their own: imitate its strongest player, then PPO."""
    strongest = strongest_player(table.found)
    return Config(
        name,
        table=table,
        pool=Pool((SELF, SELF, SELF, strongest)),
        ppo=PPO(tables=1024, steps=64, batch=4096, epochs=1, learning_rate=5e-4, entropy=0.003, average=0.998),
        imitation=Imitation(strongest, decisions=4_000_000),
        trials=Trials(strongest),
        evaluation=Evaluation(times=9, opponents=settled_players(table.found)),
        seconds=seconds,
    )


# `unit`: the margins of greedy players at the table, from deal to deal, deviate by 34 of them, as in Banakil.
RECIPES: dict[str, Config] = {
    config.name: config
    for config in (
        Config("demo-sb3", "sb3", pool=Pool(("greedy",)), evaluation=Evaluation(times=3), seconds=60.0),
        by_imitation("demo", TableOptions(), seconds=200.0),
        dataclasses.replace(_by_trials("demo-advised", TableOptions(), None, minutes=200 / 60), threads=2),
        _by_trials("banakil-2p", TableOptions(), begin_from=None, minutes=50),
        _by_trials("banakil-3p", TableOptions(num_players=3)),
        _by_trials("banakil-4p", TableOptions(num_players=4)),
        _by_trials("jawaker-4p", TableOptions(num_players=4, rules="jawaker")),
        _by_trials("rummy-2p", TableOptions(game="rummy", num_players=2), begin_from=None, minutes=12),
        _by_trials("rummy-4p", TableOptions(game="rummy", num_players=4), None, minutes=22, unit=4.0),
        _by_trials("gin-2p", TableOptions(game="gin"), None, minutes=12),
        _by_trials("canasta-4p", TableOptions(game="canasta", num_players=4), None, minutes=20, trials=(10.0, 60.0)),
        _by_trials("mille-2p", TableOptions(game="mille"), None, minutes=15, trials=(5.0, 40.0)),
        _by_trials("hand-2p", TableOptions(game="hand", num_players=2), None, minutes=20, unit=1.5),
        _by_trials("rummy500-2p", TableOptions(game="rummy500", num_players=2), None, minutes=20, unit=2.0),
        _by_trials("oklahoma-2p", TableOptions(game="oklahoma", num_players=2), None, minutes=15, unit=6.0),
        _by_trials("yaniv-2p", TableOptions(game="yaniv", num_players=2), None, minutes=15, unit=0.4),
        _by_trials("tonk-4p", TableOptions(game="tonk", num_players=4), None, minutes=20, unit=0.08),
        _by_trials("hand_and_foot-4p", TableOptions(game="hand_and_foot"), None, minutes=20, unit=60.0),
        # One agent for all contracts.
        _by_trials("contract-3p", TableOptions(game="contract", rules="contract=any"), None, minutes=15, unit=1.3),
        _by_trials("kalooki-3p", TableOptions(game="kalooki", rules="contract=any"), None, minutes=15, unit=3.5),
    )
}


def _tables() -> dict[str, tuple[Game, Table]]:
    """The tables that games are commonly played at, by name."""
    return {table.name: (game, table) for game in map(find, GAMES) for table in game.tables}


def recipe_names() -> list[str]:
    """Every recipe: those of their own, and the tables of all games."""
    return list(dict.fromkeys([*RECIPES, *_tables()]))


def recipe(name: str) -> Config:
    """The recipe of this name, or of the table of this name of any game. ConfigError: there is none, and which are."""
    if name in RECIPES:
        return RECIPES[name]
    tables = _tables()
    if name not in tables:
        raise ConfigError(f"there is no recipe {name!r:.80}; there are {', '.join(recipe_names())}")
    game, table = tables[name]
    return by_imitation(name, TableOptions(game=game.name, **table.options))


def main_recipe(game: str) -> Config:
    """The recipe of the main table of a game. ConfigError: there is no such game."""
    try:
        return recipe(find(game).tables[0].name)
    except ValueError as error:
        raise ConfigError(str(error)) from None
