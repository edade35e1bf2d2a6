"""The learner's opponents: other players, and the past selves that are kept and drawn."""

from __future__ import annotations

import copy
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import torch

from banakil_env.agents import Player, make_player
from banakil_env.agents.model import Network
from banakil_env.core.game import Game
from banakil_env.core.random import seeds_of_rows
from banakil_env.envs.opponents import Opponent
from train.config import PAST, SELF, Pool


class PastSelves:
    """The past selves of a run.

    Between two rollouts one of them is drawn, since each additional one would cost a forward pass in every step. With
    the trainer `fast` it makes every decision of a past self in the next rollout. In an episode that spans two
    rollouts, two past selves therefore play one after the other. With `sb3` it plays the episodes that begin in the
    next rollout, to their end.

    Args:
        pool: the players, and the number of past selves that are kept.
        seed: the seed of the draws and of their dice.
        game: the game.

    Attributes:
        steps: the number of decisions after which each was kept, ascending.
        networks: the past selves.
        others: the other players of the pool, as opponents of `Tables`, each repeated as often as it is listed.

    Raises:
        PlayerError: a trained player of the pool cannot be loaded.
    """

    def __init__(self, pool: Pool, seed: int, game: Game) -> None:
        self._pool, self._seed = pool, seed
        self.steps: list[int] = []
        self.networks: list[Network] = []
        self._made = {name: opponent(name, game) for name in pool.players if name not in (SELF, PAST)}
        self.others = [self._made[name] for name in pool.players if name in self._made]

    @property
    def wanted(self) -> bool:
        """Whether the pool contains past selves."""
        return PAST in self._pool.players

    def due(self, steps: int) -> bool:
        """Whether the current network should be kept now."""
        return self.wanted and (not self.steps or steps >= self.steps[-1] + self._pool.every)

    def keep(self, steps: int, network: Network) -> int | None:
        """Keep a copy of the current network.

        Returns the number of steps of the past self that was dropped for it; None if none was dropped.
        """
        self.steps.append(steps)
        self.networks.append(copy.deepcopy(network).cpu().eval().requires_grad_(False))
        if len(self.steps) <= self._pool.size:
            return None
        # Drop the one whose neighbors are nearest to each other, to make the smallest new gap; the first and the last
        # stay.
        gaps = [after - before for before, after in zip(self.steps, self.steps[2:])]
        goes = 1 + gaps.index(min(gaps)) if gaps else 0
        del self.networks[goes]
        return self.steps.pop(goes)

    def draw(self, steps: int) -> Network | None:
        """The past self for the rollout that begins now, the same one for the same steps; None if no past self plays.

        `fast` uses it for all decisions of the rollout, also in episodes that began with another past self.
        """
        if not self.wanted or not self.networks:
            return None
        return self.networks[int(np.random.default_rng([self._seed, steps]).integers(len(self.networks)))]

    def opponents(self, steps: int) -> list[Opponent]:
        """The opponents, in the form that `Tables` takes, for the episodes that begin now."""
        drawn = self.draw(steps)
        if drawn is None:
            return self.others
        past = frozen(drawn, int(seeds_of_rows(self._seed, [steps])[0]))
        return [past if name == PAST else self._made[name] for name in self._pool.players]


def opponent(name: str, game: Game) -> Opponent:
    """A player as an opponent of `Tables`: a rule-based one as its name, any other as a function without dice."""
    if name in game.kinds:
        return name
    player: Player = make_player(name, game)

    def answer(observations: npt.NDArray[np.uint8], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        return player.act(observations, masks, np.zeros(len(observations), np.uint64))

    return answer


def frozen(network: Network, seed: int) -> Callable[..., npt.NDArray[np.int64]]:
    """A network as an opponent, with dice from `seed`."""
    dice = torch.Generator().manual_seed(seed)

    def past_self(observations: npt.NDArray[np.uint8], masks: npt.NDArray[np.int8]) -> npt.NDArray[np.int64]:
        with torch.inference_mode():
            advice = network.advice(observations, masks)
            moves, logits, _ = network.legal_of_rows(observations, masks, advice)
            picks = torch.multinomial(torch.softmax(logits, 1), 1, generator=dice).numpy()
        return np.take_along_axis(moves, picks, 1)[:, 0].astype(np.int64)

    return past_self
