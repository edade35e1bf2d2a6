"""The interface between the rules of one game and all code that serves every game: the class `Game`.

A game consists of NumPy dtypes and compiled functions on single records (`engine.py`); `kernels.py` and `batch.py` loop
over arrays of records. Environments, arena, recording, agents, training, pictures and documentation access a game only
through its `Game`. Seats are numbered in the order of play. One seat decides at a time; if a rule lets several seats
speak, they decide one after the other.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from banakil_env.core.actions import ActionTable
from banakil_env.core.common_layout import CommonLayout
from banakil_env.core.events import Event
from banakil_env.core.features import Features
from banakil_env.core.fields import Fields
from banakil_env.core.parameters import Fitted
from banakil_env.core.scene import Scene

# The results of `engine.status`.
RUNNING, TERMINATED, TRUNCATED = range(3)

# The kinds of reward, the same in every game: see `engine.reward`.
MARGIN, POINTS, WIN = range(3)
REWARDS: Mapping[str, int] = {"margin": MARGIN, "points": POINTS, "win": WIN}

# Added to MARGIN or POINTS for the reward in units of the game (`Game.unit`), which brings most rewards into [-1, 1].
IN_UNITS = len(REWARDS)
REWARD_SCALES = ("points", "unit")


def reward_kind(reward: Any, scale: Any = "points") -> int:
    """The number of a reward for `engine.scaled_reward`.

    Args:
        reward: one of REWARDS; a win is 1, 0 or -1 on both scales.
        scale: one of REWARD_SCALES.

    Raises:
        ValueError: an unknown reward or scale.
    """
    for name, value, allowed in (("reward", reward, tuple(REWARDS)), ("reward_scale", scale, REWARD_SCALES)):
        if value not in allowed:
            raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}, not {value!r:.80}")
    kind = REWARDS[reward]
    return kind + IN_UNITS if scale == "unit" and kind != WIN else kind


Act = Callable[[Any, Any, Any], int]


class IllegalAction(ValueError):
    """An illegal action. The game is unchanged."""


class BadState(ValueError):
    """A record that cannot occur in the game; the message gives the reason."""


class PositionError(ValueError):
    """A position text that cannot be read or is impossible; the message names the line."""


@dataclass(frozen=True)
class Option:
    """An option of a game's tables that environments and commands accept: its name, default and description."""

    name: str
    default: Any
    help: str


@dataclass(frozen=True)
class Table:
    """A common setting of a game, used for standing results, the zoo's agents, tests and benchmarks.

    Attributes:
        name: prefix of the names of agents made for this table: `banakil-2p`.
        title: the text for a heading.
        options: the options of an environment for this table.
    """

    name: str
    title: str
    options: Mapping[str, Any]


@dataclass(frozen=True)
class Outcome:
    """How the last round of a state, or its episode, ended.

    Attributes:
        ending: one word: "out", "exhausted", "turns", ...; "" while the round goes on.
        winner: the seat that went out, or the first seat of the side that won the match; None: nobody won.
        text: the ending as a sentence.
        points: points of the last round that ended, by seat, with the game's sign.
        scores: points of the episode, by seat.
        turns: number of turns ended in this round.
        rounds: number of rounds ended in this match.
        marks: the names from `Game.marks` that apply; the arena counts them in addition to points.
    """

    ending: str
    winner: int | None
    text: str
    points: tuple[int, ...]
    scores: tuple[int, ...]
    turns: int
    rounds: int
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Texts:
    """Converts a game's states to text and back.

    Attributes:
        to_text: `to_text(state)` returns the whole position, including hidden cards.
        from_text: `from_text(text)` returns an array of one state; it raises PositionError.
        header: `header(state)` returns the lines (key, value) that identify the game: rules, players, episode.
        explain: `explain(state)` returns the decision and the plays that are forbidden, for the error of an illegal
            action, such as `seat 1 is to play; 7d may not be discarded in this turn (R3.3)`.
    """

    to_text: Callable[[Any], str]
    from_text: Callable[[str], npt.NDArray[Any]]
    header: Callable[[Any], list[tuple[str, str]]]
    explain: Callable[[Any], str]


@dataclass(frozen=True, eq=False)
class Search:
    """Settings for searching a game; `engine.py` has the functions.

    Attributes:
        models: names of compiled players that model the seats of other sides, one player per supposed deal, in turn. In
            each deal, the hidden hands are made likely for the model, and the model plays at those seats.
        believes: whether `engine.believe` makes hidden hands likely; otherwise all deals are equally likely.
        exchanges: number of exchanges tried with each hidden hand between two deals.
    """

    models: tuple[str, ...]
    believes: bool = False
    exchanges: int = 8


@dataclass(frozen=True, eq=False)
class Game:
    """One game of the family.

    Attributes:
        name: the name of the folder and the environment: `hand_and_foot` in `rummy/hand_and_foot-v0`.
        title: the game's name for people.
        version: incremented with every change of behavior.
        seats: the possible numbers of players, ascending.
        low_wins: fewer points are better; rewards have the opposite sign.
        state_fields: the fields of the whole game; `state` is their dtype.
        observation_fields: the fields that one seat sees; `observation` is their dtype.
        actions: the action table.
        features: the float columns for networks.
        rules: the class of its rules (`kit.switches.Rules`).
        options: the options of a table: num_players, rules, episode and those of this game alone.
        tables: the common settings of the game, the main one first.
        texts: converts states to text and back.
        full_state: dtype of the full state, for a centralized critic; its first field is `observation`.
        write_full_state: compiled `write_full_state(state, seat, full)`, which writes the full state, with seats
            counted from `seat` on.
        faults: the reasons for which `engine.check` refuses a record.
        players: the compiled players by name, `random` first. `act(observation, mask, generator) -> action` gets the
            observation record of the seat to move, the mask (int8) and a record with a generator `rng`, but no state.
        marks: properties of an outcome that the arena counts in addition to points: name and meaning.
        new: `new(**options)` returns an array of one state that holds only the rules.
        rules_of: `rules_of(state)` returns these rules.
        outcome: `outcome(state)` describes how the round or the episode ended, or its current score.
        scene: `scene(state, seat)` returns the table as one seat sees it, or with all cards face up if `seat` is None.
        in_common: `in_common()` returns the game in the layout of all games; `cards` caches it.
        forfeit: `forfeit(options)` returns the points that a player loses by failing at a table with these options.
        events: `events(before, action, after)` lists what a legal action did, in order, and which seats saw which cards
            (`core.events`).
        private_events: whether some events are noticed by some seats only.
        fitted: optional: the compiled players whose numbers can be fitted, by name.
        player_versions: optional: numbers that belong to the identity of compiled players, by name; 1 by default. A
            number is incremented if a player changes in a way that the fixed games of `arena.behaviour` do not show.
        search: optional: how the game is searched.
        commands: optional: further commands of the command line, name -> "module:function".
    """

    name: str
    title: str
    version: int
    seats: tuple[int, ...]
    state_fields: Fields
    observation_fields: Fields
    actions: ActionTable
    features: Features
    rules: type[Any]
    options: tuple[Option, ...]
    tables: tuple[Table, ...]
    texts: Texts
    players: Mapping[str, Act]
    full_state: np.dtype[Any]
    faults: Sequence[str]
    new: Callable[..., npt.NDArray[Any]]
    rules_of: Callable[[Any], Any]
    outcome: Callable[[Any], Outcome]
    scene: Callable[[Any, int | None], Scene]
    write_full_state: Callable[[Any, int, Any], None]
    in_common: Callable[[], CommonLayout]
    forfeit: Callable[[Mapping[str, Any]], int]
    events: Callable[[Any, int, Any], list[Event]]
    private_events: bool
    low_wins: bool = False
    marks: Mapping[str, str] = field(default_factory=dict)
    fitted: Mapping[str, Fitted] = field(default_factory=dict)
    player_versions: Mapping[str, int] = field(default_factory=dict)
    search: Search | None = None
    commands: Mapping[str, str] = field(default_factory=dict)

    def __deepcopy__(self, memo: Any) -> Game:
        """Return the same object: a `Game` never changes, so copies of its owners share it."""
        return self

    @functools.cached_property
    def cards(self) -> CommonLayout:
        """The game in the layout of all games, which the observation form "cards" uses."""
        return self.in_common()

    @property
    def described(self) -> npt.NDArray[np.float32]:
        """A description of each action, in the same columns for all games: float32 (actions, columns), read-only."""
        return self.cards.described

    @property
    def unit(self) -> float:
        """The points that count as 1: the scale of match scores in observations and of rewards with
        `reward_scale="unit"`.
        """
        return self.observation_fields["scores"].scale

    @property
    def id(self) -> str:
        """The name of the registered PettingZoo environment."""
        return f"rummy/{self.name}-v{self.version}"

    @property
    def max_seats(self) -> int:
        """The largest number of players."""
        return self.seats[-1]

    @property
    def num_actions(self) -> int:
        """The number of actions, which are 0..num_actions - 1; at least 32, as `core.masks` requires."""
        return len(self.actions)

    @property
    def kinds(self) -> Mapping[str, int]:
        """The number of each compiled player in compiled loops, by name."""
        return {name: kind for kind, name in enumerate(self.players)}

    def kind_of(self, player: str) -> int:
        """The number of a compiled player, as in `kinds`.

        Raises:
            ValueError: the game has no such player.
        """
        kinds = self.kinds
        if player not in kinds:
            raise ValueError(f"{self.name} has no rule-based player {player!r:.80}: it has {', '.join(kinds)}")
        return kinds[player]

    @property
    def settled_players(self) -> tuple[str, ...]:
        """The names of the deterministic compiled players: all but `random`."""
        return tuple(player for player in self.players if player != "random")

    @property
    def strongest_player(self) -> str:
        """The name of the strongest compiled player, which is listed last."""
        return list(self.players)[-1]

    @property
    def state(self) -> np.dtype[Any]:
        """The dtype of a state."""
        return self.state_fields.dtype

    @property
    def observation(self) -> np.dtype[Any]:
        """The dtype of an observation."""
        return self.observation_fields.dtype

    @property
    def option_names(self) -> tuple[str, ...]:
        """The names of the options, for error messages."""
        return tuple(option.name for option in self.options)

    def result(self, state: Any, seat: int) -> dict[str, Any]:
        """The result of an episode for one seat, as `results` returns it."""
        return self.results(state)[seat]

    def results(self, state: Any) -> list[dict[str, Any]]:
        """The result of an episode for every seat, with `points`, `score`, `ending` (a sentence), `turns` and `rounds`.

        Environments add the result to the infos at the end of an episode.
        """
        outcome = self.outcome(state)
        common = {"ending": outcome.text, "turns": outcome.turns, "rounds": outcome.rounds}
        return [{"points": points, "score": score, **common} for points, score in zip(outcome.points, outcome.scores)]
