"""The games in OpenSpiel, with explicit chance: `python_rummy`, `python_yaniv`, ..., one for each of `GAMES`.

    >>> import pyspiel, banakil_env.envs.openspiel
    >>> game = pyspiel.load_game("python_canasta(players=4)")

The parameters and their defaults:

- `players`: the game's default.
- `rules`: the game's default. A preset, then switches written with a colon, because OpenSpiel uses `=` in the text of a
  game (`rules=denexa joker:no`), then `partners` or `individuals` if the game has the option (`rules=pagat partners`).
- `episode=round`, or `match`.
- `reward=margin`, or `points`, `win`.
- `sorted_hands=False`, or `True`.

Chance is *explicit*: an outcome is the face of a card that is dealt, drawn or turned up, with its probability in a
shuffled pack (`kit/chance.py`). A card is chosen when the game reads it. If a game reads the whole stock during the
deal, all cards are chosen then (Hand, where the upcard renames cards). Hands are dealt in the order of the engine, so
several histories lead to the same deal. With `sorted_hands`, each hand is dealt in the order of its faces, so that a
deal has one history: algorithms can then solve a game with a small pack, such as Banakil's `mini`.

Actions and observations are the same as in every other interface. The information state is a text with the seat's own
actions and a digest of each of its observations, which is perfect recall.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from banakil_env.core.game import REWARDS, Game
from banakil_env.core.install import libraries_of
from banakil_env.core.kernels import OVER, kernels_of, legal_actions
from banakil_env.kit.chance import CARD, MOST_OUTCOMES, Chance, Play, Position
from banakil_env.kit.partners import split_partners
from banakil_env.kit.switches import RulesError

with libraries_of("openspiel", "banakil_env.envs.openspiel"):
    import pyspiel

    from banakil_env.envs.openspiel.observers import Recall, View, is_of_a_player

MOST_ACTIONS = 200  # upper limit for the number of actions in a turn

CHANCE, TERMINAL = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)


def defaults_of(game: Game) -> dict[str, Any]:
    """The parameters of a game with their defaults."""
    found = {option.name: option.default for option in game.options}
    players = found.get("num_players", game.seats[0])
    return {
        **{"players": players, "rules": found["rules"], "episode": "round", "reward": "margin"},
        "sorted_hands": False,
    }


def rules_options(game: Game, parameters: dict[str, Any]) -> dict[str, Any]:
    """The options of a game that the parameter `rules` sets.

    Raises:
        RulesError: the rules set partners twice.
    """
    rules = parameters["rules"].replace(":", "=")
    if "partners" not in game.option_names:
        return {"rules": rules}
    rules, partners = split_partners(rules)
    return {"rules": rules, "partners": partners}


def game_type(game: Game, utility: Any = pyspiel.GameType.Utility.GENERAL_SUM) -> Any:
    """The description of a game for OpenSpiel, which exists before the game itself.

    `utility` is OpenSpiel's class of the returns, such as zero-sum.
    """
    return pyspiel.GameType(
        short_name=f"python_{game.name}",
        long_name=game.title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
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


class TableGame(pyspiel.Game):
    """A table of a game for OpenSpiel; each game has its own subclass.

    Raises:
        RulesError: parameters that do not exist or contradict each other.
    """

    table: Game

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        game = self.table
        chosen = {**defaults_of(game), **(params or {})}
        if chosen["reward"] not in REWARDS:
            raise RulesError(f"reward must be {' or '.join(map(repr, REWARDS))}, not {chosen['reward']!r:.80}")
        self.reward = chosen["reward"]
        self.blank = game.new(num_players=chosen["players"], episode=chosen["episode"], **rules_options(game, chosen))
        self.play = Play(game, chosen["sorted_hands"])
        if chosen["sorted_hands"]:
            self._check_sorted()
        first = self.play.start(self.blank)
        assert isinstance(first, Chance), "every game deals cards"
        self.first = first
        rules = game.rules_of(self.blank[0])
        bound = 1.0 if self.reward == "win" else 2.0 * float(game.state_fields["scores"].highest)
        # Games without this switch have a fixed number of rounds per match, less than 100.
        rounds = getattr(rules, "max_rounds", 100) if chosen["episode"] == "match" else 1
        info = pyspiel.GameInfo(
            num_distinct_actions=game.num_actions,
            max_chance_outcomes=MOST_OUTCOMES,
            num_players=chosen["players"],
            min_utility=-bound,
            max_utility=bound,
            utility_sum=0.0 if self.reward == "margin" else None,
            max_game_length=min(2**31 - 1, rules.max_turns * MOST_ACTIONS * rounds),
        )
        zero_sum = pyspiel.GameType.Utility.ZERO_SUM
        utility = zero_sum if self.reward == "margin" else pyspiel.GameType.Utility.GENERAL_SUM
        super().__init__(game_type(game, utility), info, chosen)

    def _check_sorted(self) -> None:
        try:
            self.play.check_sorted(self.blank)
        except ValueError as error:
            raise RulesError(f"sorted_hands: {error}; leave it off") from None

    def new_initial_state(self) -> TableState:
        """The state of a new episode, before the deal."""
        return TableState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> Any:
        """The observer of the game. With perfect recall, it is the observer of the information state, which is only a
        text.

        None if the observer would see more or less than a player: OpenSpiel uses None for observers that do not exist.
        """
        if not is_of_a_player(iig_obs_type):
            return None
        if iig_obs_type is not None and iig_obs_type.perfect_recall:
            return Recall()
        return View(self.table, params, self.num_players())


DEAL = -1  # the action that begins an episode with chance


class Step(NamedTuple):
    """An action or the deal, with the seat that acted, the state after it, and digests of observations of the state."""

    seat: int  # the seat that acted; CHANCE for the deal
    action: int
    record: Any  # the state after it, an array of one record
    digests: dict[int, str]  # by seat, digests of the observations that were requested


class Moment(NamedTuple):
    """The data of an OpenSpiel state. The data and its records never change, so copies share them."""

    position: Position
    chance: Chance | None = None  # the next decision of chance
    action: int = DEAL  # the action whose outcomes chance is choosing
    chosen: tuple[int, ...] = ()  # the outcomes of chance for this action so far
    past: tuple[Step, ...] = ()
    supposed_for: int = -1  # the seat for which hidden cards were redealt; -1: no redeal
    supposed_at: int = 0  # the number of actions before the redeal

    def __deepcopy__(self, memo: dict[int, Any]) -> Moment:
        return self


class TableState(pyspiel.State):
    """A state of an episode. `record` is the state record of the plain interface."""

    def __init__(self, game: TableGame) -> None:
        super().__init__(game)
        self._now = Moment(Position(game.blank, 0, OVER), game.first)

    @property
    def record(self) -> Any:
        """The state record, which must not be changed. If chance is to choose, it is the state before the action.

        The next card of the stock has not been chosen yet: the record contains the possible cards in any order.
        """
        return self._now.position.record[0]

    @property
    def table(self) -> Game:
        """The game that is played."""
        game: Game = self.get_game().table
        return game

    def current_player(self) -> int:
        """The seat to move, CHANCE or TERMINAL."""
        now = self._now
        if now.chance:
            return CHANCE
        return TERMINAL if now.position.seat == OVER else now.position.seat

    def is_terminal(self) -> bool:
        """Whether the episode is over."""
        return self.current_player() == TERMINAL

    def _legal_actions(self, player: int) -> list[int]:
        return legal_actions(self.table, self.record)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The possible outcomes with their probabilities: faces of cards, or other numbers (`kit.chance.Chance`)."""
        assert self._now.chance, "no chance node"
        return self._now.chance.outcomes

    def _apply_action(self, action: int) -> None:
        now, play = self._now, self.get_game().play
        taken, chosen = (now.action, (*now.chosen, action)) if now.chance else (action, ())
        if taken == DEAL:
            after = play.start(now.position.record, chosen)
        else:
            after = play.apply(now.position, taken, chosen)
        if isinstance(after, Chance):
            self._now = now._replace(chance=after, action=taken, chosen=chosen)
        else:
            seat = CHANCE if taken == DEAL else now.position.seat
            past = (*now.past, Step(seat, taken, after.record, {}))
            self._now = now._replace(position=after, chance=None, action=DEAL, chosen=(), past=past)

    def _action_to_string(self, player: int, action: int) -> str:
        if player != CHANCE:
            return self.table.actions.text(action)
        if self._now.chance and self._now.chance.kind != CARD:
            return f"number {action}"
        return card_text(self.table, action)

    def returns(self) -> list[float]:
        """The reward of the episode for each seat; zeros until it is over."""
        rewards = np.zeros(self.num_players())
        if self.is_terminal():
            kernels_of(self.table).end_one(self._now.position.record, REWARDS[self.get_game().reward], rewards)
        return rewards.tolist()

    def information_state_string(self, player: int | None = None) -> str:
        """The memory of a player: its own actions, and a digest of its observation whenever the observation changed."""
        seat = self.current_player() if player is None else player
        return f"seat {seat} | {' | '.join(self._remembered(seat))}"

    def _remembered(self, seat: int) -> Iterator[str]:
        """The items of a player's memory.

        If cards were redealt for another seat, the memory of this player begins at the redeal.
        """
        now, last = self._now, ""
        first = 0 if now.supposed_for in (-1, seat) else now.supposed_at
        for step in now.past[max(0, first) :]:
            digest = self._digest(step, seat)
            if step.seat == seat or digest != last:
                yield f"{self.table.actions.text(step.action)} {digest}" if step.seat == seat else digest
            last = digest
        if now.past and first == len(now.past):
            yield self._digest(Step(CHANCE, DEAL, now.position.record, {}), seat)

    def _digest(self, step: Step, seat: int) -> str:
        if seat not in step.digests:
            observation, mask = np.empty(1, self.table.observation), np.empty(self.table.num_actions, np.int8)
            kernels_of(self.table).observe_one(step.record, seat, observation, mask)
            step.digests[seat] = hashlib.blake2b(observation.tobytes(), digest_size=8).hexdigest()
        return step.digests[seat]

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> TableState:
        """A state that the player cannot distinguish from this one: the cards that it cannot see are redealt.

        Args:
            player: the seat of the player.
            sampler: returns a random number from 0 to less than 1, which seeds the deal.

        Raises:
            ValueError: chance is to move, not a seat.
        """
        now = self._now
        if now.chance:
            raise ValueError("chance is to move: resample_from_infostate() is for states in which a seat is to move")
        record = now.position.record.copy()
        kernels_of(self.table).redeal_hidden_one(record, player, np.uint64(int(sampler() * 2**53)))
        position = now.position._replace(record=record)
        other: TableState = self.clone()
        other._now = now._replace(position=position, supposed_for=player, supposed_at=len(now.past))
        return other

    def __str__(self) -> str:
        now = self._now
        waits = "" if not now.chance else f"chance: {len(now.chosen)} outcomes of {self._waiting()} so far\n"
        return waits + (self.table.texts.to_text(self.record) if now.past else "not dealt yet")

    def _waiting(self) -> str:
        return "the deal" if self._now.action == DEAL else self.table.actions.text(self._now.action)


@functools.cache
def card_text(game: Game, face: int) -> str:
    """The name of a face in the game, as a scene shows it in the stock."""
    states = game.new()
    kernels_of(game).start_one(states, np.uint64(0))
    states[0].stock[: states[0].stock_size] = face
    stock = next(area for area in game.scene(states[0], None).areas if area.name == "stock")
    return str(stock.cards[0])


def register(game: Game) -> None:
    """Register a game with `pyspiel` as `python_<game>`."""
    # A class exists until the process ends, which OpenSpiel requires: it releases the class after Python has ended.
    made = type(f"Python{game.name.title().replace('_', '')}", (TableGame,), {"table": game})
    pyspiel.register_game(game_type(game), made)
