"""The taskset: the table, the players at its seats, and the deals. A task is one deal of the development set."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import verifiers.v1 as vf
from pydantic import Field, model_validator

from banakil_env.arena.players import make_players
from banakil_env.arena.seeds import SEED_SETS, seed_of
from banakil_env.games import find
from banakil_env.play.session import num_players_of

MOST_DEALS = 1_000_000  # in one task set, which is held in memory


class DealData(vf.TaskData):
    """One deal of a table. Agents do not get this data: they get the view of their seat."""

    game: str
    seats: list[str | None]
    """The player at each seat; None: an agent."""
    rules: str
    episode: str
    seed_set: str
    deal: int

    @property
    def seed(self) -> int:
        """The seed of the deal, the same in every interface."""
        return seed_of(self.seed_set, self.deal)


class DealTask(vf.Task[DealData]):
    """A deal. The environment, which knows all seats, sets its reward."""


class TableConfig(vf.TasksetConfig):
    """The table, the players at its seats, and the deals."""

    game: str = "gin"
    """Its name, such as canasta, gin, rummy, hand, yaniv, tonk."""
    players: int = 0
    """How many play; 0: as few as can."""
    models: list[int] = Field([0])
    """The seats of the agents, from 0 on; `--env.taskset.models '[0, 1]'` for two that play each other."""
    opponents: list[str] = Field(["greedy"])
    """The players at the other seats in order, as the arena names them; the last one sits at all that are left."""
    rules: str = ""
    """A preset, with switches behind it; empty: the usual rules."""
    episode: Literal["round", "match"] = "round"
    deals: int = Field(100, ge=1, le=MOST_DEALS)
    """How many deals."""
    first_deal: int = Field(0, ge=0)
    """The number of the first deal."""
    seed_set: str = "tuning-v1"
    """Of the deals. `tuning-v1` is for development; `arena-v1` measures and publishes: do not train on it."""
    rotate: bool = False
    """Play every deal once from each seat: agents and opponents move one seat on together."""

    @model_validator(mode="after")
    def _check(self) -> TableConfig:
        game = find(self.game)
        count = num_players_of(game, self.players)
        game.new(num_players=count, episode=self.episode, **({"rules": self.rules} if self.rules else {}))
        if not self.models or len({*self.models}) < len(self.models) or not {*self.models} <= {*range(count)}:
            raise ValueError(f"models are different seats from 0 to {count - 1}, at least one, not {self.models!s:.80}")
        if not self.opponents:
            raise ValueError("opponents are at least one player, such as greedy")
        make_players(self.opponents, game)
        if self.seed_set not in SEED_SETS:
            raise ValueError(f"there is no seed set {self.seed_set!r:.80}: the sets are {', '.join(SEED_SETS)}")
        seed_of(self.seed_set, self.first_deal + self.deals - 1)
        return self

    def seating(self, shift: int = 0) -> list[str | None]:
        """The player at each seat after all players have moved `shift` seats on; None for an agent."""
        count = self.players or find(self.game).seats[0]
        others = [seat for seat in range(count) if seat not in self.models]
        last = len(self.opponents) - 1
        players = {seat: self.opponents[min(number, last)] for number, seat in enumerate(others)}
        seats = [players.get(seat) for seat in range(count)]
        return [seats[(seat - shift) % count] for seat in range(count)]


class TableTaskset(vf.Taskset[DealTask, TableConfig]):
    """The deals of a table, in order; with `rotate`, each from every seat."""

    def load(self) -> Iterator[DealTask]:
        """One task for each deal and seating."""
        config = self.config
        shifts = range(len(config.seating()) if config.rotate else 1)
        for deal in range(config.first_deal, config.first_deal + config.deals):
            for shift in shifts:
                data = DealData(
                    name=f"{config.game} deal {deal}" + (f", {shift} seats on" if shift else ""),
                    prompt=None,
                    game=config.game,
                    seats=config.seating(shift),
                    rules=config.rules,
                    episode=config.episode,
                    seed_set=config.seed_set,
                    deal=deal,
                )
                yield DealTask(data, config.task)
