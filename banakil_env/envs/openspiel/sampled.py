"""How does one play any game of the suite in OpenSpiel? `python_rummy`, `python_yaniv`, ...: one for each in `GAMES`.

    >>> import pyspiel, banakil_env.envs.openspiel
    >>> game = pyspiel.load_game("python_canasta(players=4)")

Parameters, each with its default: `players`, as the game has it; `rules`, a preset and switches behind it, with a colon
since OpenSpiel's text of a game keeps `=` for itself (`rules=denexa joker:no`); `episode=round`, or `match`;
`reward=margin`, or `points`, `win`; `seed=-1`, from which the deals of this game object are drawn, -1: by chance.

Chance is *sampled*: the root is a chance node with one outcome, the number of a deal, which is drawn anew for each new
initial state. It determines all that is random in the episode, so that a history replays exactly. Algorithms that
sample run on such games (MCTS and ISMCTS, reinforcement learning through `rl_environment`); those that walk the whole
tree need explicit chance, which `python_banakil` has.

Actions and observations are those of every other interface. The information state is a text: the own actions, and a
digest of each observation that the seat had. That is perfect recall.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
import pyspiel

from banakil_env.core.game import REWARDS, Game, IllegalAction
from banakil_env.core.kernels import ILLEGAL, OVER, kernels_of, legal_actions, refusal
from banakil_env.kit.recall import View
from banakil_env.kit.switches import RulesError

DEALS = 2**31 - 1  # numbers of deals
MOST_ACTIONS = 200  # more than a turn has

CHANCE, TERMINAL = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)


def defaults_of(game: Game) -> dict[str, Any]:
    """The parameters of a game, with their defaults."""
    found = {option.name: option.default for option in game.options}
    players = found.get("num_players", game.seats[0])
    return {"players": players, "rules": found["rules"], "episode": "round", "reward": "margin", "seed": -1}


def game_type(game: Game, utility: Any = pyspiel.GameType.Utility.GENERAL_SUM) -> Any:
    """What OpenSpiel is told of a game before it is made."""
    return pyspiel.GameType(
        short_name=f"python_{game.name}",
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=utility,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=game.seats[-1],
        min_num_players=game.seats[0],
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=defaults_of(game),
    )


class SampledGame(pyspiel.Game):
    """A table of a game as OpenSpiel has it, of one class for each game.

    RulesError: parameters that do not exist or fit together.
    """

    table: Game

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        game = self.table
        chosen = {**defaults_of(game), **(params or {})}
        if chosen["reward"] not in REWARDS:
            raise RulesError(f"reward must be {' or '.join(map(repr, REWARDS))}, not {chosen['reward']!r:.80}")
        options = {"num_players": chosen["players"], "episode": chosen["episode"]}
        self.reward = chosen["reward"]
        self.blank = game.new(rules=chosen["rules"].replace(":", "="), **options)
        seed = chosen["seed"]
        self._deals = np.random.default_rng(seed if seed >= 0 else None)
        rules = game.rules_of(self.blank[0])
        bound = 1.0 if self.reward == "win" else 2.0 * float(game.state_fields["scores"].highest)
        # A game whose matches have a fixed number of rounds has no such switch, and fewer rounds than this.
        rounds = getattr(rules, "max_rounds", 100) if chosen["episode"] == "match" else 1
        info = pyspiel.GameInfo(
            num_distinct_actions=game.num_actions,
            max_chance_outcomes=DEALS,
            num_players=chosen["players"],
            min_utility=-bound,
            max_utility=bound,
            utility_sum=0.0 if self.reward == "margin" else None,
            max_game_length=min(2**31 - 1, rules.max_turns * MOST_ACTIONS * rounds),
        )
        zero_sum = pyspiel.GameType.Utility.ZERO_SUM
        utility = zero_sum if self.reward == "margin" else pyspiel.GameType.Utility.GENERAL_SUM
        super().__init__(game_type(game, utility), info, chosen)

    def new_initial_state(self) -> SampledState:
        """An episode that is not dealt yet."""
        return SampledState(self, int(self._deals.integers(DEALS)))

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> Any:
        """What writes the observation. ValueError: one with perfect recall is asked for, which is a text alone."""
        if iig_obs_type is not None and iig_obs_type.perfect_recall:
            raise ValueError("with perfect recall there is a text, and no tensor: state.information_state_string()")
        return View(self.table, iig_obs_type, params, self.num_players(), 0)


class Moment(NamedTuple):
    """All that a state of OpenSpiel holds. Never changed, so that copies share it; nor are its records."""

    record: Any  # an array of one state
    player: int
    past: tuple[tuple[int, int, Any], ...] = ()  # after each action: whose it was, which, and the record
    supposed_for: int = -1  # the seat whose hidden cards were dealt anew; -1: they are those that were dealt
    supposed_at: int = 0  # how much had happened then

    def __deepcopy__(self, memo: dict[int, Any]) -> Moment:
        return self


class SampledState(pyspiel.State):
    """A state of the episode; `record` is the record of the plain interface."""

    def __init__(self, game: SampledGame, deal: int) -> None:
        super().__init__(game)
        self._deal = deal
        self._now = Moment(game.blank, CHANCE)

    @property
    def record(self) -> Any:
        """The record of the state, not to be changed."""
        return self._now.record[0]

    @property
    def table(self) -> Game:
        """The game that is played."""
        game: Game = self.get_game().table
        return game

    def current_player(self) -> int:
        """The seat to move, or CHANCE, or TERMINAL."""
        return self._now.player

    def is_terminal(self) -> bool:
        """Whether the episode is over."""
        return self._now.player == TERMINAL

    def _legal_actions(self, player: int) -> list[int]:
        return legal_actions(self.table, self.record)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The number of the deal, which was drawn when the state was made."""
        return [(self._deal, 1.0)]

    def _apply_action(self, action: int) -> None:
        now, kernels = self._now, kernels_of(self.table)
        record = now.record.copy()
        if now.player == CHANCE:
            player = kernels.start_one(record, np.uint64(action))
            player = int(self.table.engine.seat_to_move(record[0]))
        else:
            player = kernels.apply_one(record, action)
            if player == ILLEGAL:
                raise IllegalAction(refusal(self.table, now.record[0], action))
        past = (*now.past, (now.player, action, record))
        self._now = now._replace(record=record, player=TERMINAL if player in (OVER, -1) else player, past=past)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"deal {action}" if player == CHANCE else self.table.actions.text(action)

    def returns(self) -> list[float]:
        """What the episode is worth to each seat; zeros until it is over."""
        rewards = np.zeros(self.num_players())
        if self.is_terminal():
            kernels_of(self.table).end_one(self._now.record, REWARDS[self.get_game().reward], rewards)
        return rewards.tolist()

    def information_state_string(self, player: int | None = None) -> str:
        """All that a player remembers: its own actions, and a digest of what it saw whenever that changed."""
        seat = self.current_player() if player is None else player
        return f"seat {seat} | {' | '.join(self._remembered(seat))}"

    def _remembered(self, seat: int) -> Iterator[str]:
        """What was dealt anew for the sake of another seat, a player remembers from then on."""
        now, last = self._now, ""
        first = 0 if now.supposed_for in (-1, seat) else now.supposed_at
        for who, action, record in now.past[max(0, first) :]:
            digest = self._digest(record, seat)
            if who == seat or digest != last:
                yield f"{self.table.actions.text(action)} {digest}" if who == seat else digest
            last = digest
        if now.past and first == len(now.past):
            yield self._digest(now.record, seat)

    def _digest(self, record: Any, seat: int) -> str:
        observation, mask = np.empty(1, self.table.observation), np.empty(self.table.num_actions, np.int8)
        kernels_of(self.table).observe_one(record, seat, observation, mask)
        return hashlib.blake2b(observation.tobytes(), digest_size=8).hexdigest()

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SampledState:
        """Another state that the player cannot tell from this one: what it cannot see is dealt anew."""
        record = self._now.record.copy()
        kernels_of(self.table).redeal_hidden_one(record, player, np.uint64(int(sampler() * 2**53)))
        other: SampledState = self.clone()
        other._now = self._now._replace(record=record, supposed_for=player, supposed_at=len(self._now.past))
        return other

    def __str__(self) -> str:
        if self._now.player == CHANCE:
            return "not dealt yet"
        return self.table.texts.to_text(self.record)


def register(game: Game) -> None:
    """Make `python_<game>` known to `pyspiel`."""
    # A class, which lives as long as the process: OpenSpiel lets go of it after Python has ended.
    made = type(f"Python{game.name.title().replace('_', '')}", (SampledGame,), {"table": game})
    pyspiel.register_game(game_type(game), made)
