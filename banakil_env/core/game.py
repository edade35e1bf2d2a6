"""The interface between the rules of one game and everything that serves all of them: `Game`.

A game is a NumPy dtype and compiled functions over one record of it (`engine.py`); `kernels.py` and `batch.py` have
loops over arrays of records. Environments, arena, recording, agents, training, pictures and documentation know a
game as its `Game` and nothing else. Seats are numbered in the order of play. One seat decides at a time; a game in
which several seats may speak asks them one after the other.
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

# What `engine.status` answers.
RUNNING, TERMINATED, TRUNCATED = range(3)

# Kinds of reward, the same in every game: `engine.reward`.
MARGIN, POINTS, WIN = range(3)
REWARDS: Mapping[str, int] = {"margin": MARGIN, "points": POINTS, "win": WIN}

# Added to MARGIN or POINTS: the same in units of the game (`Game.unit`), which brings most rewards into [-1, 1].
IN_UNITS = len(REWARDS)
REWARD_SCALES = ("points", "unit")


def reward_kind(reward: Any, scale: Any = "points") -> int:
    """The number of a kind of reward on a scale; a win is 1, 0 or -1 on both. ValueError: there is no such kind."""
    for name, value, allowed in (("reward", reward, tuple(REWARDS)), ("reward_scale", scale, REWARD_SCALES)):
        if value not in allowed:
            raise ValueError(f"{name} must be one of {', '.join(map(repr, allowed))}, not {value!r:.80}")
    kind = REWARDS[reward]
    return kind + IN_UNITS if scale == "unit" and kind != WIN else kind


Act = Callable[[Any, Any, Any], int]


class IllegalAction(ValueError):
    """An illegal action; the game is unchanged."""


class BadState(ValueError):
    """A record that cannot occur in the game; the text says why."""


class PositionError(ValueError):
    """A position text that cannot be read, or is impossible; the error names the line at fault."""


@dataclass(frozen=True)
class Option:
    """An option of a game's tables, as environments and commands take it: its default and its description."""

    name: str
    default: Any
    help: str


@dataclass(frozen=True)
class Table:
    """A table that the game is commonly played at: for the standing tables, the zoo's agents, tests and benchmarks.

    Attributes:
        name: prefix of the names of agents made for it: `banakil-2p`. title: for a heading.
        options: of the environments.
    """

    name: str
    title: str
    options: Mapping[str, Any]


@dataclass(frozen=True)
class Outcome:
    """How the last round of a state, or its episode, ended.

    Attributes:
        ending: one word: "out", "exhausted", "turns", ...; "" while it goes on.
        winner: the seat that went out, or the first seat of the side that won the match; None: nobody.
        text: the same in words.
        points: of the last round that ended, by seat, in the game's own sign. scores: of the episode.
        turns: ended in this round. rounds: ended in this match.
        marks: names out of `Game.marks` that hold: what the arena counts in addition to points.
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
    """A game as text.

    Attributes:
        to_text(state): the whole position, hidden cards included.
        from_text(text): an array of one state; PositionError.
        header(state): the lines (key, value) that say which game is played: rules, players, episode.
        explain(state): the decision, and the plays that are forbidden, for the error of an illegal action: `seat 1 is
            to play; 7d may not be discarded in this turn (R3.3)`.
    """

    to_text: Callable[[Any], str]
    from_text: Callable[[str], npt.NDArray[Any]]
    header: Callable[[Any], list[tuple[str, str]]]
    explain: Callable[[Any], str]


@dataclass(frozen=True, eq=False)
class Search:
    """How a game is searched, with the functions of `engine.py` for it.

    Attributes:
        models: names of compiled players. A seat of another side is taken for each of them in turn: in one deal the
            hidden hands are likely for the first model, which also plays at these seats, in the next for the second.
        believes: whether `engine.believe` makes hidden hands likely; otherwise every deal is equally likely.
        exchanges: number of exchanges tried with each hidden hand between two deals.
    """

    models: tuple[str, ...]
    believes: bool = False
    exchanges: int = 8


@dataclass(frozen=True, eq=False)
class Game:
    """One game of the family.

    Attributes:
        name: of the folder and the environment, `hand_and_foot` in `rummy/hand_and_foot-v0`. title: for people.
        version: raised with every change of behaviour.
        seats: the numbers of players it is for, ascending.
        low_wins: fewer points are better; rewards change their sign.
        state_fields, observation_fields: of the whole game, and of what one seat sees; `state` and `observation` are
            their dtypes.
        actions: the action table. features: the float columns.
        rules: the class of its rules (`kit.switches.Rules`).
        options: of a table: num_players, rules, episode and the game's own.
        tables: that it is commonly played at, the main one first.
        full_state: dtype of the full state, for a centralised critic: its first field is `observation`.
        write_full_state: compiled `write_full_state(state, seat, full)`: write the full state from a seat on.
        faults: why `engine.check` refuses a record.
        players: the compiled players by name, `random` first: act(observation, mask, generator) -> action gets a record
            of the observation of the seat to move, the mask (int8) and a record with a generator `rng`; no state.
        marks: what the arena counts of an outcome in addition to points: name and meaning.

    Functions in Python:
        new(**options): an array of one state that holds the rules and nothing else. rules_of(state): those rules.
        outcome(state): how it ended, or stands. scene(state, seat): the table as one seat sees it; None: all open.
        in_common(): the game in the layout of all games; `cards` keeps it.
        forfeit(options): points that a player loses for failing at a table with these options.
        events(before, action, after): what a legal action did, in order, and which seats saw which
            cards (`core.events`).
        private_events: some events are noticed by some seats only.

    Parts that a game can leave out:
        fitted: the compiled players whose numbers can be fitted, by name.
        player_versions: numbers that are part of the identity of compiled players, by name; 1 for those left out. A
            number is raised when a player changes in a way that the fixed games of `arena.behaviour` do not show.
        search: how it is searched. commands: further commands of the command line, name -> "module:function".
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
        """A `Game` never changes: copies of an object that holds one share it."""
        return self

    @functools.cached_property
    def cards(self) -> CommonLayout:
        """The game in the layout of all games: the observation form "cards"."""
        return self.in_common()

    @property
    def described(self) -> npt.NDArray[np.float32]:
        """A description of each action, in the same columns for all games: float32 (actions, columns), read-only."""
        return self.cards.described

    @property
    def unit(self) -> float:
        """Points that count as 1 for a network: match scores in observations and rewards by `reward_scale="unit"`."""
        return self.observation_fields["scores"].scale

    @property
    def id(self) -> str:
        """The name under which the PettingZoo environment is registered."""
        return f"rummy/{self.name}-v{self.version}"

    @property
    def max_seats(self) -> int:
        """The largest number of players."""
        return self.seats[-1]

    @property
    def num_actions(self) -> int:
        """Actions are 0..num_actions - 1; `core.masks` needs 32 or more."""
        return len(self.actions)

    @property
    def kinds(self) -> Mapping[str, int]:
        """The number by which compiled loops know each compiled player."""
        return {name: kind for kind, name in enumerate(self.players)}

    def kind_of(self, player: str) -> int:
        """The number of a compiled player, as in `kinds`. ValueError: the game has no such player."""
        kinds = self.kinds
        if player not in kinds:
            raise ValueError(f"{self.name} has no rule-based player {player!r:.80}: there are {', '.join(kinds)}")
        return kinds[player]

    @property
    def settled_players(self) -> tuple[str, ...]:
        """The deterministic compiled players: all but `random`."""
        return tuple(player for player in self.players if player != "random")

    @property
    def strongest_player(self) -> str:
        """The compiled player that is listed last: the strongest."""
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
        """The info of a seat at the end of an episode."""
        return self.results(state)[seat]

    def results(self, state: Any) -> list[dict[str, Any]]:
        """The info of every seat at the end of an episode."""
        outcome = self.outcome(state)
        common = {"ending": outcome.text, "turns": outcome.turns, "rounds": outcome.rounds}
        return [{"points": points, "score": score, **common} for points, score in zip(outcome.points, outcome.scores)]
