"""TorchRL on thousands of tables at once: `TablesEnv` is the batch engine as an `EnvBase`, with one table per row.

    env = TablesEnv(256, opponents="greedy")                 # a learner's seat at each table, for any PPO
    env = TablesEnv(256, num_players=4)                      # self-play: the policy moves at every seat
    env = PettingZooWrapper(pettingzoo.make("aec", "rummy/banakil-v0"), use_mask=True)    # TorchRL's own, one table

The legal actions are in `action_mask` and in the mask of the action spec. So `rand_action` and rollouts without a
policy are always legal; policies use the mask in a `MaskedCategorical`. `SerialEnv` and `ParallelEnv` have separate
action specs without masks. The transform `TablesActionMask` sets their masks from `action_mask`:

    env = TransformedEnv(SerialEnv(2, lambda: TablesEnv(256, opponents="greedy")), TablesActionMask())
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode

from banakil_env.core.game import Game
from banakil_env.core.install import libraries_of
from banakil_env.envs.opponents import Opponents, without_caller
from banakil_env.envs.vector import IllegalActions, Tables
from banakil_env.games import DEFAULT_GAME

with libraries_of("torchrl", "banakil_env.envs.torchrl"):
    import torch
    from tensordict import TensorDict, TensorDictBase
    from torchrl.data import Binary, Bounded, Categorical, Composite, Unbounded
    from torchrl.envs import ActionMask, EnvBase

_HOW_TO_MASK = (
    ". Policies choose among the actions in 'action_mask'; random actions under SerialEnv or ParallelEnv need a "
    "transform around these: TransformedEnv(SerialEnv(...), banakil_env.envs.torchrl.TablesActionMask())"
)


class TablesActionMask(ActionMask):
    """TorchRL's `ActionMask`, for `TablesEnv` under `SerialEnv` and `ParallelEnv`.

    When some of their environments are reset, `ActionMask` uses outdated masks for the others, from before their last
    steps (TorchRL 0.14), and the next random action can be illegal. This transform keeps the current masks of the other
    rows.
    """

    def _call(self, next_tensordict: TensorDictBase) -> TensorDictBase:
        self._masks = next_tensordict.get(self.in_keys[1])
        return super()._call(next_tensordict)

    def _reset(self, tensordict: TensorDictBase, tensordict_reset: TensorDictBase) -> TensorDictBase:
        chosen = tensordict.get("_reset", None)
        if chosen is not None:
            masks = torch.where(chosen, tensordict_reset.get(self.in_keys[1]), self._masks)
            tensordict_reset = tensordict_reset.copy().set(self.in_keys[1], masks)
        return self._call(tensordict_reset)


class TablesEnv(EnvBase):
    """Many tables as one batched TorchRL environment, of batch size (tables,).

    Keys:

    - `observation` uint8 (tables, bytes), `action_mask` bool (tables, actions), and the seat to move, `seat` int64
      (tables, 1);
    - `action` int64 (tables,);
    - `done`, `terminated`, `truncated` bool (tables, 1);
    - `reward` float32: with opponents (tables, 1), the reward of the learner; without opponents (tables, seats), the
      rewards of all seats.

    An episode that is over has seat -1 until it is reset, which TorchRL's rollouts and collectors do. Its mask is true
    everywhere, since TorchRL draws an action for every row and cannot draw from an empty mask. An illegal action raises
    IllegalActions; the message says how to mask.

    Args:
        tables: the number of tables, or a dict of options for each.
        opponents: None: the policy moves at every seat. Otherwise the players that move at the other seats inside the
            step (`envs.opponents`): one for all, a tuple with one for each, or a list as a pool.
        game: the name of the game.
        device: the device of the tensors; the tables are stepped on the processor.
        seed: seed of the first reset, as in `Tables.reset`: batches with different seeds share no deals.
        options: see `Tables`: seat, reward, truncate_at_limit, threads, num_players, rules, ...
    """

    batch_locked = True

    def __init__(
        self,
        tables: int | Sequence[Mapping[str, Any]],
        *,
        opponents: Opponents | None = None,
        game: str | Game = DEFAULT_GAME,
        device: torch.device | str = "cpu",
        seed: int | None = None,
        **options: Any,
    ) -> None:
        others = without_caller(opponents)
        self.tables = Tables(tables, opponents=others, game=game, autoreset=AutoresetMode.DISABLED, **options)
        n = self.tables.num_tables
        super().__init__(device=torch.device(device), batch_size=[n])
        served = self.tables.game
        self._rewards = self.tables.num_seats if opponents is None else 1
        self._seed = seed
        highest = torch.from_numpy(np.maximum(served.observation_fields.highest_bytes, 1)).expand(n, -1)
        self.observation_spec = Composite(
            observation=Bounded(torch.zeros_like(highest), highest, dtype=torch.uint8),
            action_mask=Binary(served.num_actions, (n, served.num_actions), dtype=torch.bool),
            seat=Bounded(-1, served.max_seats - 1, (n, 1), dtype=torch.int64),
            shape=(n,),
            device=self.device,
        )
        self.action_spec = Categorical(served.num_actions, (n,), device=self.device)
        self.reward_spec = Unbounded((n, self._rewards), device=self.device, dtype=torch.float32)
        flag = Categorical(2, (n, 1), dtype=torch.bool, device=self.device)
        self.done_spec = Composite(
            done=flag, terminated=flag.clone(), truncated=flag.clone(), shape=(n,), device=self.device
        )

    def set_opponents(self, opponents: Opponents) -> None:
        """Change the opponents from the next episode of each table on; see `Tables.set_opponents`."""
        self.tables.set_opponents(without_caller(opponents))

    def _reset(self, tensordict: TensorDictBase | None = None, **options: Any) -> TensorDictBase:
        chosen = None if tensordict is None else tensordict.get("_reset", None)
        if chosen is None:
            self.tables.reset(self._seed)
            self._seed = None
        else:
            self.tables.reset(rows=chosen.reshape(-1).cpu().numpy())
        flags = torch.zeros((*self.batch_size, 1), dtype=torch.bool, device=self.device)
        return self._seen().update({"done": flags, "terminated": flags.clone(), "truncated": flags.clone()})

    def _step(self, tensordict: TensorDictBase) -> TensorDictBase:
        tables = self.tables
        try:
            tables.step(tensordict["action"].cpu().numpy())
        except IllegalActions as error:
            raise IllegalActions(f"{error}{_HOW_TO_MASK}", error.rows, error.actions) from None
        rewards = tables.rewards[:, : self._rewards] if tables.learners[0] < 0 else tables.payoffs[:, None]
        terminated, truncated = self._tensor(tables.terminations[:, None]), self._tensor(tables.truncations[:, None])
        return self._seen().update(
            {
                "reward": self._tensor(rewards),
                "done": terminated | truncated,
                "terminated": terminated,
                "truncated": truncated,
            }
        )

    def _set_seed(self, seed: int | None) -> None:
        self._seed = seed

    def _seen(self) -> TensorDict:
        """The current observations; this also sets the mask of the action spec."""
        tables = self.tables
        legal = self._tensor(tables.masks.view(np.bool_))
        legal |= ~legal.any(1, keepdim=True)  # where the episode is over
        self.action_spec.update_mask(legal.clone())
        return TensorDict(
            {
                "observation": self._tensor(tables.observations),
                "action_mask": legal,
                "seat": self._tensor(tables.seats[:, None]),
            },
            batch_size=self.batch_size,
            device=self.device,
        )

    def _tensor(self, array: Any) -> torch.Tensor:
        """A tensor with a copy of an array, since the tables overwrite their arrays."""
        return torch.tensor(array, device=self.device)
