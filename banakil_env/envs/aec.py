"""How does PettingZoo play a game of the family? One `AECEnv` for all of them, over the `Game` of the seam.

    >>> import pettingzoo, banakil_env
    >>> env = pettingzoo.make("aec", "rummy/banakil-v0", num_players=4)

`env(...)` makes the same, `raw_env(...)` leaves out the checks of the order of calls (`OrderEnforced`).
"""

from __future__ import annotations

import copy
import functools
import secrets
import warnings
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from pettingzoo.utils.env import AECEnv
from pettingzoo.utils.wrappers import OrderEnforcingWrapper

from banakil_env.core.checking import check_states
from banakil_env.core.game import REWARDS, TERMINATED, TRUNCATED, Game, IllegalAction
from banakil_env.core.jit import interpreted
from banakil_env.core.kernels import ILLEGAL, kernels_of, refusal
from banakil_env.core.random import check_seed
from banakil_env.envs.arguments import checked_action, checked_position, num_seats_of
from banakil_env.envs.forms import BYTES, check_form, in_form, observation_space
from banakil_env.envs.pictures import RENDER_FPS, RENDER_MODES, Screen, check_render_mode, picture
from banakil_env.games import find, to_pickle
from banakil_env.render import as_svg


class RummyAEC(AECEnv[str, dict[str, Any], int]):
    """A game of the family as a PettingZoo environment.

    **The same agent moves several times in a row.** A turn is several actions (draw, play to the table as often as
    wished, discard), so `agent_selection` stays until the turn has ended: go by it, never by taking turns. A reward
    comes once, at the end of the episode, to every agent at once; each collects it from `last()` before its step with
    None.

    Agents are `player_0` and so on, in the order of play. An observation is `{"observation": ..., "action_mask": int8
    vector}`, new arrays every time; the form of the observation is chosen by `observation` (`envs.forms`). The mask is
    all zero for an agent that is not to move.

    An illegal action raises `IllegalAction` and changes nothing. PettingZoo's own wrapper makes it end the game
    instead, gives the agent that moved `illegal_reward` and all others 0:

        env = pettingzoo.utils.TerminateIllegalWrapper(env, illegal_reward=-100)

    Args:
        game: which game, by its name.
        reward: "margin", own side's points minus the mean of the other sides' (zero-sum); "points", own side's; "win",
            1, 0 when tied, or -1. Higher is better in every game.
        observation: "bytes", "dict" or "features".
        render_mode: what `render()` gives, all hands open (`envs.pictures`): "ansi" text, "svg" a drawing, "rgb_array"
            the same in pixels; "human" redraws a window after every step; None for no picture.
        options: those of the game, `game.option_names`.

    Raises:
        TypeError: an option that the game does not have. ValueError: a value that an option cannot have.
    """

    # Of an instance, `name` is the game's with its version.
    metadata: dict[str, Any] = {  # noqa: RUF012
        "name": "rummy",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": RENDER_FPS,
    }

    def __init__(
        self,
        game: str | Game = "banakil",
        *,
        reward: str = "margin",
        observation: str = BYTES,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self.game = game = find(game)
        self.metadata = {**type(self).metadata, "name": f"{game.name}_v{game.version}"}
        if unknown := sorted(set(options) - set(game.option_names)):
            raise TypeError(
                f"{game.id} has no option {', '.join(unknown)}; "
                f"it has {', '.join([*game.option_names, 'reward', 'observation', 'render_mode'])}"
            )
        if reward not in REWARDS:
            raise ValueError(f"reward must be one of {', '.join(map(repr, REWARDS))}, not {reward!r}")
        self.render_mode = check_render_mode(render_mode)
        self.form = check_form(observation)
        self._reward_kind = REWARDS[reward]
        self._blank = game.new(**options)  # the rules and nothing else, of shape (1,)
        self._states = self._blank.copy()
        self._has_dealt = False
        self._over = True
        self.agents: list[str] = []
        self.possible_agents = [f"player_{seat}" for seat in range(num_seats_of(game, self._blank[0]))]
        self._bind()
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: self._new_observation_space() for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(game.num_actions) for agent in self.possible_agents}

    def _new_observation_space(self) -> spaces.Dict:
        return spaces.Dict(
            {
                "observation": observation_space(self.game, self.form),
                "action_mask": spaces.Box(0, 1, (self.game.num_actions,), np.int8),
            }
        )

    @functools.cached_property
    def state_space(self) -> spaces.Box:
        """What `state()` gives back."""
        return spaces.Box(0, 255, (self.game.full_state.itemsize,), np.uint8)

    # Play -------------------------------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal anew.

        Args:
            seed: 0..2**64 - 1: the game of that seed, the same in every face. None: go on from the generator as it
                stands, so that one seed determines the whole sequence of episodes; the very first time, by chance.
            options: `{"position": position}` begins from that state of the same game instead of a deal, with its rules
                and its generator; the position is a record of the state or its text. Other keys are ignored.

        Raises:
            ValueError: a seed that is none; a position that this environment cannot go on from. PositionError: a text
                that is no position.
        """
        kernels = kernels_of(self.game)
        if options is not None and "position" in options:
            self._states = self._position(seed, options["position"])
        elif seed is None and self._has_dealt:
            generator = self._states["rng"].copy()
            self._states = _copied(self._blank)
            self._states["rng"] = generator
            kernels.start_next(self._states)
        else:
            start = secrets.randbits(64) if seed is None else check_seed(seed)
            self._states = _copied(self._blank)
            kernels.start_one(self._states, np.uint64(start))
        self._has_dealt = True
        self._over = False
        self._skip_agent_selection: str | None = None
        self.agents = self.possible_agents.copy()
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[int(interpreted(self.game.engine.seat_to_move)(self._states[0]))]
        if self._screen is not None:
            self._screen.show(self.game, self._states[0])

    def _position(self, seed: int | None, position: Any) -> npt.NDArray[Any]:
        """A copy of the state to begin from, checked, of shape (1,)."""
        if seed is not None:
            raise ValueError("a position has its own generator: give a position or a seed, not both")
        return _copied(checked_position(self.game, position, len(self.possible_agents)))

    def step(self, action: int | None) -> None:
        """Carry out an action of `agent_selection`; None when the episode is over, to collect its reward.

        Raises:
            IllegalAction: the action is not legal; its text names the action, the phase and the legal ones. Nothing has
                changed, and another action may be tried.
        """
        if self._over:
            self._step_after_end(action)
            return
        if type(action) is not int or not 0 <= action < self._num_actions:
            action = checked_action(self.game, action)
        seat = self._apply_one(self._states, action)
        if seat >= 0:  # to move then; all rewards are zero as they were
            self.agent_selection = self.possible_agents[seat]
        elif seat == ILLEGAL:
            raise IllegalAction(refusal(self.game, self._states[0], action))
        else:
            self._end()
        if self._screen is not None:
            self._screen.show(self.game, self._states[0])

    def _end(self) -> None:
        """The last action has been carried out: rewards, infos, and how it ended."""
        agents = self.agents
        worth = np.zeros(len(agents))
        status = kernels_of(self.game).end_one(self._states, self._reward_kind, worth)
        self.rewards = dict(zip(agents, worth.tolist(), strict=True))
        self._cumulative_rewards = self.rewards.copy()
        self.terminations = dict.fromkeys(agents, status == TERMINATED)
        self.truncations = dict.fromkeys(agents, status == TRUNCATED)
        self.infos = dict(zip(agents, self.game.results(self._states[0]), strict=True))
        self.agent_selection = agents[0]
        self._over = True

    def _step_after_end(self, action: int | None) -> None:
        if not self.agents:
            raise RuntimeError("no agent is left to step: call reset() to deal")
        if action is not None:
            raise IllegalAction(
                f"{refusal(self.game, self._states[0], action)}; until then {self.agent_selection} steps with None only"
            )
        # What PettingZoo's `_was_dead_step` does, where the episode ends for all agents at once.
        agent = self.agent_selection
        for of_agent in (self.terminations, self.truncations, self.rewards, self._cumulative_rewards, self.infos):
            del of_agent[agent]
        self.agents.remove(agent)
        if not self.agents:
            self.agent_selection = self._skip_agent_selection or agent
            self._skip_agent_selection = None
            return
        self._skip_agent_selection = self._skip_agent_selection or agent
        self.agent_selection = self.agents[0]
        for other in self.rewards:
            self.rewards[other] = 0

    # Looking on -------------------------------------------------------------------------------------------------------

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees, at any time, also when it is not to move and after the end."""
        try:
            seat = self._seat_of[agent]
        except (KeyError, TypeError):  # of no agent, or of no use as a key
            known = ", ".join(self.possible_agents)
            raise ValueError(f"there is no agent {agent!r:.80}: the agents are {known}") from None
        self._observe_one(self._states, seat, self._record, self._mask)
        seen: Any = self._vector.copy()
        if self.form != BYTES:
            seen = in_form(self.game, self.form, seen)
        return {"observation": seen, "action_mask": self._mask.copy()}

    def state(self) -> npt.NDArray[np.uint8]:
        """All there is, hidden parts included, as the bytes of a record of `game.full_state`: for central critics."""
        return self.game.write_full_state(self._states[0])

    @property
    def position(self) -> Any:
        """A copy of the state, one record of `game.state`: to write it down, or to begin from it again."""
        return _copied(self._states)[0]

    def observation_space(self, agent: str) -> spaces.Dict:
        """The same object every time."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The same object every time."""
        return self.action_spaces[agent]

    def render(self) -> Any:
        """The table, all hands open, as `render_mode` says; None for a window, which is drawn again."""
        if self.render_mode is None:
            warnings.warn(
                f'nothing is drawn without a render mode: make the environment with render_mode="{RENDER_MODES[0]}"',
                stacklevel=2,
            )
            return None
        if self._screen is not None:
            self._screen.show(self.game, self._states[0])
            return None
        return picture(self.game, self._states[0], self.render_mode)

    def _repr_svg_(self) -> str:
        """The table, for notebooks."""
        return as_svg(self.game, self._states[0]) if self._has_dealt else ""

    def close(self) -> None:
        """Close the window, if there is one."""
        if self._screen is not None:
            self._screen.close()

    # Copies -----------------------------------------------------------------------------------------------------------

    def _bind(self) -> None:
        """What belongs to this process and object alone: compiled loops, and the buffers that they write.

        Python 3.11 reads the attributes of an object with fewer than thirty a fifth faster: 5 % of a step.
        """
        kernels = kernels_of(self.game)
        self._apply_one, self._observe_one = kernels.apply_one, kernels.observe_one
        self._num_actions = self.game.num_actions
        self._record = np.zeros(1, self.game.observation)
        self._vector = self._record.view(np.uint8)
        self._mask = np.zeros(self.game.num_actions, np.int8)
        self._screen = Screen() if self.render_mode == "human" else None

    def __getstate__(self) -> dict[str, Any]:
        kept = {name: value for name, value in self.__dict__.items() if name not in _BOUND}
        return {**kept, "game": to_pickle(self.game)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.game = find(self.game)
        if self._has_dealt:  # before that there are rules and no cards
            check_states(self.game, self._states)
        self._bind()

    def __copy__(self) -> RummyAEC:
        """A game that goes on by itself; only the spaces are shared (`copy.deepcopy` copies these too)."""
        other = object.__new__(type(self))
        own = (list, dict, np.ndarray)
        state = self.__getstate__()
        other.__setstate__({name: copy.copy(v) if isinstance(v, own) else v for name, v in state.items()})
        return other


# What `RummyAEC._bind` makes.
_BOUND = ("_apply_one", "_observe_one", "_num_actions", "_record", "_vector", "_mask", "_screen")


def _copied(states: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A copy, made as bytes: NumPy copies records field by field, which takes fifty times as long."""
    return states.view(np.uint8).copy().view(states.dtype)


class OrderEnforced(OrderEnforcingWrapper[str, dict[str, npt.NDArray[Any]], int]):
    """PettingZoo's order enforcing, with what every step calls passed on directly instead of by name: it costs a
    tenth of a step instead of more than half.
    """

    env: RummyAEC

    def step(self, action: int | None) -> None:
        """See `RummyAEC.step`. Before `reset()` an error, with no agent left a warning."""
        if self._has_reset and self.env.agents:
            self._has_updated = True
            self.env.step(action)
        else:
            super().step(action)

    def observe(self, agent: str) -> dict[str, npt.NDArray[Any]]:
        """See `RummyAEC.observe`."""
        return self.env.observe(agent) if self._has_reset else super().observe(agent)

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Observation (None unless `observe`), reward, terminated, truncated and info of `agent_selection`."""
        return self.env.last(observe) if self._has_reset else super().last(observe)

    @property
    def agents(self) -> list[str]:
        """The agents that have not stepped with None since the end."""
        return self.env.agents if self._has_reset else self.__getattr__("agents")

    @property
    def agent_selection(self) -> str:
        """The agent to move; the same one several times in a row."""
        return self.env.agent_selection if self._has_reset else self.__getattr__("agent_selection")

    @property
    def rewards(self) -> dict[str, float]:
        """Of the last step, by agent."""
        return self.env.rewards if self._has_reset else self.__getattr__("rewards")

    def _repr_svg_(self) -> str:
        return self.env._repr_svg_()

    def __copy__(self) -> OrderEnforced:
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__, env=copy.copy(self.env))
        return other

    def __str__(self) -> str:
        return str(self.env)


def raw_env(game: str | Game = "banakil", **options: Any) -> RummyAEC:
    """The environment of a game without checks of the order of calls; the options are those of `RummyAEC`."""
    return RummyAEC(game, **options)


def env(game: str | Game = "banakil", **options: Any) -> OrderEnforced:
    """`raw_env` with the order of calls enforced, and nothing more."""
    return OrderEnforced(raw_env(game, **options))
